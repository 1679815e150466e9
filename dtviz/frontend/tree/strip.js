// Strips of the rows of a node along the projection of its split, with a mark at the cut. The counts of
// classes are stacked; of a number, each level with rows has a cell that is higher the more rows it has.

/** @import { Rect, RowStrip } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const FULLEST_BIN = 255; // count of the fullest bin, see dtviz/pictures/gains.py
const CUT_WIDTH = 1.2; // units

/** Draw a strip in a rectangle: the ground, the rows of each colour, the cut.
 *  @param {RowStrip} strip @param {Rect} place @param {string} ink */
export function drawStrip(strip, { x, y, w, h }, ink) {
  const bins = strip.counts.length / strip.colours.length;
  const ground = shape("strip-ground", `M${x},${y + h}h${w}v-0.6h${-w}z`, ink, 0.5);
  const cutX = x + (w * strip.left) / bins - CUT_WIDTH / 2;
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "strip");
  group.append(ground, ...drawRows(strip, { x, y, w, h }), shape("strip-cut", `M${cutX},${y - 2}h${CUT_WIDTH}v${h + 3}h${-CUT_WIDTH}z`, ink));
  return group;
}

/** Draw the rows of a strip in a rectangle, as a path of each colour.
 *  @param {RowStrip} strip @param {Rect} place */
export function drawRows(strip, { x, y, w, h }) {
  const bins = strip.counts.length / strip.colours.length;
  const base = new Float64Array(bins);
  return strip.colours.map((colour, kind) => {
    let path = "";
    for (let bin = 0; bin < bins; bin++) {
      const count = strip.counts[kind * bins + bin] / FULLEST_BIN;
      if (!count) continue;
      path += strip.classes ? block(bin, count) : cell(bin, kind, count);
    }
    return shape("strip-rows", path, colour);
  });

  /** @param {number} bin @param {number} count */
  function block(bin, count) {
    const height = Math.max(count * h, 0.8);
    base[bin] += height;
    return box(bin, y + h - Math.min(base[bin], h), height);
  }

  /** @param {number} bin @param {number} kind @param {number} count */
  function cell(bin, kind, count) {
    const level = h / strip.colours.length;
    const height = level * (0.5 + 0.5 * Math.sqrt(count));
    return box(bin, y + h - level * (kind + 0.5) - height / 2, height);
  }

  /** @param {number} bin @param {number} top @param {number} height */
  function box(bin, top, height) {
    const [left, width] = [x + (w * bin) / bins, w / bins - 0.4].map((length) => length.toFixed(2));
    return `M${left},${top.toFixed(2)}h${width}v${height.toFixed(2)}h-${width}z`;
  }
}

/** Split a strip into its rows left and right of the cut: two strips as wide as the strip.
 *  @param {RowStrip} strip @returns {RowStrip[]} */
export function splitStrip(strip) {
  const bins = strip.counts.length / strip.colours.length;
  /** @param {boolean} isLeft */
  const side = (isLeft) => Object.assign({}, strip, {
    counts: strip.counts.map((count, k) => (k % bins < strip.left === isLeft ? count : 0)),
  });
  return [side(true), side(false)];
}

/** @param {string} name @param {string} d @param {string} fill @param {number} [opacity] */
function shape(name, d, fill, opacity = 1) {
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ class: name, d, fill, opacity })) path.setAttribute(key, String(value));
  return path;
}
