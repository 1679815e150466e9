// The strip of a node's rows along what it is split by, the cut marked: classes stand on one another,
// of a number each level that has rows is a cell, the higher the more there are.

/** @import { Rect, RowStrip } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const FULL = 255; // the count of the fullest bin, see dtviz/pictures/gains.py
const CUT = 1.2; // units

/** A strip in a place: the ground, one of each colour, the cut.
 *  @param {RowStrip} strip @param {Rect} place @param {string} ink */
export function drawn(strip, { x, y, w, h }, ink) {
  const bins = strip.counts.length / strip.colours.length;
  const ground = shape("strip-ground", `M${x},${y + h}h${w}v-0.6h${-w}z`, ink, 0.5);
  const at = x + (w * strip.left) / bins - CUT / 2;
  const all = document.createElementNS(SVG, "g");
  all.setAttribute("class", "strip");
  all.append(ground, ...rows(strip, { x, y, w, h }), shape("strip-cut", `M${at},${y - 2}h${CUT}v${h + 3}h${-CUT}z`, ink));
  return all;
}

/** The rows of a strip in a place, a figure of each colour.
 *  @param {RowStrip} strip @param {Rect} place */
export function rows(strip, { x, y, w, h }) {
  const bins = strip.counts.length / strip.colours.length;
  const base = new Float64Array(bins);
  return strip.colours.map((colour, kind) => {
    let path = "";
    for (let bin = 0; bin < bins; bin++) {
      const count = strip.counts[kind * bins + bin] / FULL;
      if (!count) continue;
      path += strip.classes ? block(bin, count) : cell(bin, kind, count);
    }
    return shape("strip-rows", path, colour);
  });

  /** @param {number} bin @param {number} count */
  function block(bin, count) {
    const high = Math.max(count * h, 0.8);
    base[bin] += high;
    return box(bin, y + h - Math.min(base[bin], h), high);
  }

  /** @param {number} bin @param {number} kind @param {number} count */
  function cell(bin, kind, count) {
    const level = h / strip.colours.length;
    const high = level * (0.5 + 0.5 * Math.sqrt(count));
    return box(bin, y + h - level * (kind + 0.5) - high / 2, high);
  }

  /** @param {number} bin @param {number} top @param {number} high */
  function box(bin, top, high) {
    const [left, wide] = [x + (w * bin) / bins, w / bins - 0.4].map((one) => one.toFixed(2));
    return `M${left},${top.toFixed(2)}h${wide}v${high.toFixed(2)}h-${wide}z`;
  }
}

/** The rows of a strip alone, left and right of its cut: two strips as wide as it.
 *  @param {RowStrip} strip @returns {RowStrip[]} */
export function sidesOf(strip) {
  const bins = strip.counts.length / strip.colours.length;
  /** @param {boolean} wanted */
  const side = (wanted) => Object.assign({}, strip, {
    counts: strip.counts.map((count, k) => (k % bins < strip.left === wanted ? count : 0)),
  });
  return [side(true), side(false)];
}

/** @param {string} name @param {string} path @param {string} fill @param {number} [opacity] */
function shape(name, path, fill, opacity = 1) {
  const made = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ class: name, d: path, fill, opacity })) made.setAttribute(key, String(value));
  return made;
}
