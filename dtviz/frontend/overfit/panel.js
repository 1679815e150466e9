// One picture of Overfit: the regions of a subtree, the training rows or the held-out rows, a cross on each mistake.
//
// Glossary
//   mask     1 for each node of the full tree whose split the subtree keeps, else 0
//   leafOf   for each node of the full tree: the leaf of the subtree that the node lies in
//   panel    the rows that are drawn, as a cloud, and the leaf of each row in the full tree

import { drawColourScale, drawLines, drawText, fitText, textWidth } from "../draw/marks.js";
import { radius } from "../draw/points.js";
import { number } from "../lib/format.js";
import { draw, predictionLines } from "../stage/draw.js";
import { drawClassLegend } from "../stage/axes.js";

/** @import { RuleLine } from "../frames.d.ts" */
/** @import { Layout, OverfitPicture, PanelRows, Pen, Picture, Points, Ring } from "../types.d.ts" */

const MAX_STEMS = 400;

/** Pick the rows of a panel: the held-out rows, or the training rows.
 *  @param {OverfitPicture} frame @param {Points} cloud @param {boolean} held @returns {PanelRows} */
export function panelRows(frame, cloud, held) {
  const rows = Int32Array.from(cloud.x.keys()).filter((i) => isHeld(frame, i) === held);
  /** @param {Float64Array<ArrayBuffer>} values */
  const numbers = (values) => Float64Array.from(rows, (i) => values[i]);
  /** @param {Int32Array<ArrayBuffer>} values */
  const integers = (values) => rows.map((i) => values[i]);
  const { x, y, code, value, row } = cloud;
  return {
    held,
    cloud: { x: numbers(x), y: numbers(y), code: integers(code), row: row ? integers(row) : rows, ...(value ? { value: numbers(value) } : {}) },
    leaf: integers(frame.leaf),
    rows,
  };
}

/** @param {OverfitPicture} frame @param {number} i */
const isHeld = (frame, i) => Boolean(frame.held_out[i >> 3] & (128 >> (i & 7)));

/** Mask of the tree at a place of a line; that of the tree on screen without a line, or if the line has no trees.
 *  @param {OverfitPicture} frame @param {RuleLine | null} line @param {number} place */
export function splitMask(frame, line, place) {
  const { length } = frame.parent;
  const size = Math.ceil(length / 8);
  const bits = line?.masks?.length ? line.masks.subarray(place * size, (place + 1) * size) : frame.mask;
  return Uint8Array.from({ length }, (_, k) => (bits[k >> 3] & (128 >> (k & 7)) ? 1 : 0));
}

/** Finds the leaf of the subtree for each node of the full tree. Parents come before their children.
 *  @param {OverfitPicture} frame @param {Uint8Array} mask */
function leafOfNodes(frame, mask) {
  const leafOf = Int32Array.from(mask.keys());
  for (let k = 1; k < leafOf.length; k++) {
    const parent = frame.parent[k];
    if (!mask[parent]) leafOf[k] = leafOf[parent];
  }
  return leafOf;
}

/** @param {Pen} pen @param {Layout} layout @param {OverfitPicture} frame @param {PanelRows} panel
 *  @param {Uint8Array} mask */
export function drawPanel(pen, layout, frame, panel, mask) {
  const leafOf = leafOfNodes(frame, mask);
  /** @type {Picture} */
  const scene = { // with `many` of all rows, the points are equally large on all panels
    ...frame, plain: true, many: frame.leaf.length, hollow: panel.held, ...leafScene(frame, mask, leafOf),
  };
  if (frame.form === "strip" && frame.scale && frame.value) {
    scene.scale = frame.scale.map(() => frame.colours.ink); // the height shows the number already
    drawStems(pen, layout, panel, leafOf, scene);
  }
  draw(pen, layout, scene, panel.cloud);
  if (frame.classes) drawCrosses(pen, layout, frame, panel, leafOf);
}

/** Colours and predictions of the subtree's leaves, for the stage.
 *  @param {OverfitPicture} frame @param {Uint8Array} mask @param {Int32Array} leafOf */
function leafScene(frame, mask, leafOf) {
  /** @type {{ fills: Record<string, number>, values?: Record<string, number> }} */
  const scene = frame.value ? { fills: {}, values: {} } : { fills: {} };
  leafOf.forEach((leaf, k) => {
    if (mask[k] || leaf !== k) return;
    scene.fills[k] = frame.colour_code[k];
    if (scene.values && frame.value) scene.values[k] = frame.value[k];
  });
  return scene;
}

/** @param {Pen} pen @param {Layout} layout @param {OverfitPicture} frame @param {PanelRows} panel
 *  @param {Int32Array} leafOf */
function drawCrosses(pen, layout, frame, { cloud, leaf, rows }, leafOf) {
  const { colour_code: codes, mistakes } = frame;
  const depth = mistakes ? nodeDepths(frame) : null;
  /** @param {number} node @param {number} i */
  const isMistake = (node, i) => {
    if (!mistakes || !depth) return codes[node] !== cloud.code[i];
    const bit = depth[node] * frame.leaf.length + rows[i];
    return Boolean(mistakes[bit >> 3] & (128 >> (bit & 7)));
  };
  const r = radius(frame.leaf.length) + 1.6;
  const [xs, ys] = layout.spots;
  /** @type {number[][]} */
  const arms = [];
  leaf.forEach((k, i) => {
    if (!isMistake(leafOf[k], i)) return;
    arms.push([xs[i] - r, ys[i] - r, xs[i] + r, ys[i] + r], [xs[i] - r, ys[i] + r, xs[i] + r, ys[i] - r]);
  });
  drawLines(pen, arms, { stroke: frame.colours.ink, width: 1.6 });
}

/** Compute the depth of each node. Parents come before their children.
 *  @param {OverfitPicture} frame */
function nodeDepths({ parent }) {
  const depths = new Int32Array(parent.length);
  for (let k = 1; k < depths.length; k++) depths[k] = depths[parent[k]] + 1;
  return depths;
}

/** Draw a line from each point to its prediction: the difference that the squared error squares.
 *  @param {Pen} pen @param {Layout} layout @param {PanelRows} panel @param {Int32Array} leafOf
 *  @param {Picture} scene */
function drawStems(pen, layout, { leaf }, leafOf, scene) {
  if (leaf.length > MAX_STEMS) return;
  const lines = predictionLines(layout, scene);
  const [xs, ys] = layout.spots;
  const stems = Array.from(leaf, (k, i) => [xs[i], ys[i], xs[i], lineHeight(lines.get(String(leafOf[k])) ?? [], xs[i]) ?? ys[i]]);
  drawLines(pen, stems, { stroke: scene.colours.muted, opacity: 0.5 });
}

/** Height of a leaf's lines at x; undefined if the leaf has no line.
 *  @param {Ring[]} lines @param {number} x */
function lineHeight(lines, x) {
  const line = lines.find((ring) => ring[0] <= x && x <= ring[ring.length - 2]) ?? lines[0];
  if (!line) return undefined;
  let k = 2;
  while (k < line.length - 2 && line[k] < x) k += 2;
  const [x1, y1, x2, y2] = line.subarray(k - 2, k + 2);
  return x2 > x1 ? y1 + ((y2 - y1) * (x - x1)) / (x2 - x1) : y1;
}

/** Draw the legend of all panels on one row: the classes, or the colour scale of a number.
 *  @param {Pen} pen @param {number} width @param {OverfitPicture} frame */
export function drawLegend(pen, width, frame) {
  if (frame.classes) {
    drawClassLegend(pen, frame, frame.classes, 0, width);
    return;
  }
  if (frame.form === "strip") return;
  const { scale = [], low = Number.NaN, high = Number.NaN } = frame;
  const measure = textWidth(pen, frame);
  const text = `${fitText(measure, frame.target, width / 2)}: ${number(low, 3)} `;
  const bar = { x: 8 + measure(text), y: 4, w: 9 * scale.length, h: 10 };
  drawText(pen, frame, text, 4, 9.5);
  drawColourScale(pen, scale, bar);
  drawText(pen, frame, number(high, 3), bar.x + bar.w + 6, 9.5);
}
