// Strips of the rows of a node along the projection of its split, in bins, with a mark at the cut. Counts of
// classes are stacked in a bin. For a target of numbers the strip has a row of cells for each step of the colour
// scale; a cell is higher the more rows it has.

import { SVG } from "../lib/dom.js";

/** @import { Rect, RowStrip } from "../types.d.ts" */

const MAX_COUNT = 255; // count of the fullest bin, see dtviz/pictures/gains.py
const CUT_WIDTH = 1.2; // units of the tree

/** Draw a strip in a rectangle: a base line, the rows of each colour, the cut. `ink` is the colour of line and cut.
 *  @param {RowStrip} strip @param {Rect} rect @param {string} ink */
export function drawStrip(strip, { x, y, w, h }, ink) {
  const bins = strip.counts.length / strip.colours.length;
  const baseLine = createPath("strip-ground", `M${x},${y + h}h${w}v-0.6h${-w}z`, ink, 0.5);
  const cutX = x + (w * strip.left) / bins - CUT_WIDTH / 2;
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "strip");
  group.append(baseLine, ...drawRows(strip, { x, y, w, h }), createPath("strip-cut", `M${cutX},${y - 2}h${CUT_WIDTH}v${h + 3}h${-CUT_WIDTH}z`, ink));
  return group;
}

/** Draw the rows of a strip in a rectangle, as a path of each colour.
 *  @param {RowStrip} strip @param {Rect} rect */
export function drawRows(strip, { x, y, w, h }) {
  const bins = strip.counts.length / strip.colours.length;
  const stackHeights = new Float64Array(bins); // of the classes drawn so far
  return strip.colours.map((colour, kind) => {
    let path = "";
    for (let bin = 0; bin < bins; bin++) {
      const count = strip.counts[kind * bins + bin] / MAX_COUNT; // as a share of the fullest bin
      if (!count) continue;
      path += strip.classes ? stackedCell(bin, count) : levelCell(bin, kind, count);
    }
    return createPath("strip-rows", path, colour);
  });

  /** @param {number} bin @param {number} count */
  function stackedCell(bin, count) {
    const height = Math.max(count * h, 0.8);
    stackHeights[bin] += height;
    return cellPath(bin, y + h - Math.min(stackHeights[bin], h), height);
  }

  /** @param {number} bin @param {number} kind @param {number} count */
  function levelCell(bin, kind, count) {
    const levelHeight = h / strip.colours.length;
    const height = levelHeight * (0.5 + 0.5 * Math.sqrt(count)); // square root: cells of few rows differ visibly too
    return cellPath(bin, y + h - levelHeight * (kind + 0.5) - height / 2, height);
  }

  /** @param {number} bin @param {number} top @param {number} height */
  function cellPath(bin, top, height) {
    const [left, width] = [x + (w * bin) / bins, w / bins - 0.4].map((length) => length.toFixed(2));
    return `M${left},${top.toFixed(2)}h${width}v${height.toFixed(2)}h-${width}z`;
  }
}

/** Split a strip into two: one has the rows left of the cut, one the rows right of it. Both keep all bins.
 *  @param {RowStrip} strip @returns {RowStrip[]} */
export function splitStrip(strip) {
  const bins = strip.counts.length / strip.colours.length;
  /** @param {boolean} isLeft */
  const side = (isLeft) => Object.assign({}, strip, {
    counts: strip.counts.map((count, k) => (k % bins < strip.left === isLeft ? count : 0)),
  });
  return [side(true), side(false)];
}

/** @param {string} className @param {string} d @param {string} fill @param {number} [opacity] */
function createPath(className, d, fill, opacity = 1) {
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ class: className, d, fill, opacity })) path.setAttribute(key, String(value));
  return path;
}
