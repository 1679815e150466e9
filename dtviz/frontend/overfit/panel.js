// One picture of the cockpit: the regions of a subtree, some of the rows, the mistakes crossed.
//
// Glossary
//   mask     for every node of the whole tree whether its split stays (1) or not
//   above    for every node the leaf of the subtree it lies in
//   panel    the rows that are drawn, as a cloud of their own, and the leaf of each

import { number } from "../lib/format.js";
import { draw, treads } from "../stage/draw.js";
import { classLegend } from "../stage/axes.js";
import { fitText, font, radius } from "../stage/paint.js";

/** @import { RuleLine } from "../frames.d.ts" */
/** @import { Layout, PanelRows, Panels, Pen, Picture, Points, Ring } from "../types.d.ts" */

const MOST_STEMS = 400;

/** The rows of a panel: those held out, or those trained on.
 *  @param {Panels} frame @param {Points} cloud @param {boolean} held @returns {PanelRows} */
export function panelOf(frame, cloud, held) {
  /** @type {number[]} */
  const at = [];
  for (let i = 0; i < cloud.x.length; i++) if (isHeld(frame, i) === held) at.push(i);
  /** @param {Float64Array<ArrayBuffer>} values */
  const some = (values) => Float64Array.from(at, (i) => values[i]);
  /** @param {Int32Array<ArrayBuffer>} values */
  const codes = (values) => Int32Array.from(at, (i) => values[i]);
  const { x, y, code, value } = cloud;
  return {
    held,
    cloud: { x: some(x), y: some(y), code: codes(code), ...(value ? { value: some(value) } : {}) },
    leaf: codes(frame.leaf),
    rows: Int32Array.from(at),
  };
}

/** @param {Panels} frame @param {number} i */
const isHeld = (frame, i) => Boolean(frame.held[i >> 3] & (128 >> (i & 7)));

/** The mask of a place on a line that has trees; without one that of the tree as it is.
 *  @param {Panels} frame @param {RuleLine | null} line @param {number} place */
export function stays(frame, line, place) {
  const many = frame.parent.length;
  const size = Math.ceil(many / 8);
  const bits = line?.masks?.length ? line.masks.subarray(place * size, (place + 1) * size) : frame.mask;
  return Uint8Array.from({ length: many }, (_, k) => (bits[k >> 3] & (128 >> (k & 7)) ? 1 : 0));
}

/** For every node the leaf of the subtree it lies in; parents stand before their children.
 *  @param {Panels} frame @param {Uint8Array} mask */
function above(frame, mask) {
  const out = Int32Array.from(mask.keys());
  for (let k = 1; k < out.length; k++) {
    const parent = frame.parent[k];
    if (!mask[parent]) out[k] = out[parent];
  }
  return out;
}

/** @param {Pen} pen @param {Layout} at @param {Panels} frame @param {PanelRows} panel
 *  @param {Uint8Array} mask */
export function drawPanel(pen, at, frame, panel, mask) {
  const ends = above(frame, mask);
  const many = frame.leaf.length; // points are as large on every panel
  /** @type {Picture} */
  const scene = { ...frame, plain: true, many, hollow: panel.held, ...leaves(frame, mask, ends) };
  if (frame.form === "strip" && frame.scale && frame.value) {
    scene.scale = frame.scale.map(() => frame.colours.ink); // the height says the number already
    stems(pen, at, panel, ends, scene);
  }
  draw(pen, at, scene, panel.cloud);
  if (frame.classes) crosses(pen, at, frame, panel, ends);
}

/** The leaves of the subtree: what the stage fills their regions with.
 *  @param {Panels} frame @param {Uint8Array} mask @param {Int32Array} ends */
function leaves(frame, mask, ends) {
  /** @type {{ fills: Record<string, number>, values?: Record<string, number> }} */
  const found = frame.value ? { fills: {}, values: {} } : { fills: {} };
  ends.forEach((end, k) => {
    if (mask[k] || end !== k) return;
    found.fills[k] = frame.fill[k];
    if (found.values && frame.value) found.values[k] = frame.value[k];
  });
  return found;
}

/** @param {Pen} pen @param {Layout} at @param {Panels} frame @param {PanelRows} given
 *  @param {Int32Array} ends */
function crosses(pen, at, frame, { cloud, leaf, rows }, ends) {
  const { fill, wrong } = frame;
  const depth = wrong ? depths(frame) : null;
  /** @param {number} end @param {number} i */
  const mistaken = (end, i) => {
    if (!wrong || !depth) return fill[end] !== cloud.code[i];
    const bit = depth[end] * frame.leaf.length + rows[i];
    return Boolean(wrong[bit >> 3] & (128 >> (bit & 7)));
  };
  const r = radius(frame.leaf.length) + 1.6;
  pen.strokeStyle = frame.colours.ink;
  pen.lineWidth = 1.6;
  pen.setLineDash([]);
  pen.beginPath();
  leaf.forEach((k, i) => {
    if (!mistaken(ends[k], i)) return;
    const [x, y] = [at.spots[0][i], at.spots[1][i]];
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x - r, y + r);
    pen.lineTo(x + r, y - r);
  });
  pen.stroke();
}

/** How deep each node lies; parents stand before their children.
 *  @param {Panels} frame */
function depths({ parent }) {
  const out = new Int32Array(parent.length);
  for (let k = 1; k < out.length; k++) out[k] = out[parent[k]] + 1;
  return out;
}

/** From each point to what is predicted there: what the squared error squares.
 *  @param {Pen} pen @param {Layout} at @param {PanelRows} given @param {Int32Array} ends
 *  @param {Picture} scene */
function stems(pen, at, { leaf }, ends, scene) {
  if (leaf.length > MOST_STEMS) return;
  const lines = treads(at, scene);
  pen.strokeStyle = scene.colours.muted;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.5;
  pen.setLineDash([]);
  pen.beginPath();
  leaf.forEach((k, i) => {
    pen.moveTo(at.spots[0][i], at.spots[1][i]);
    pen.lineTo(at.spots[0][i], heightAt(lines.get(String(ends[k])) ?? [], at.spots[0][i]) ?? at.spots[1][i]);
  });
  pen.stroke();
  pen.globalAlpha = 1;
}

/** How high the lines of a leaf are at a place across; nothing where they do not reach.
 *  @param {Ring[]} lines @param {number} x */
function heightAt(lines, x) {
  const line = lines.find((some) => some[0] <= x && x <= some[some.length - 2]) ?? lines[0];
  if (!line) return undefined;
  let k = 2;
  while (k < line.length - 2 && line[k] < x) k += 2;
  const [ax, ay, bx, by] = line.subarray(k - 2, k + 2);
  return bx > ax ? ay + ((by - ay) * (x - ax)) / (bx - ax) : ay;
}

/** The classes, or the scale of a number, on one line over all panels.
 *  @param {Pen} pen @param {number} width @param {Panels} frame */
export function legendOf(pen, width, frame) {
  if (frame.classes) {
    classLegend(pen, frame, frame.classes, 0, width);
    return;
  }
  if (frame.form === "strip") return;
  const { scale = [], low = Number.NaN, high = Number.NaN } = frame;
  const cell = 9;
  pen.font = font(frame, 12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  const words = `${fitText(pen, frame.target, width / 2)}: ${number(low, 3)} `;
  pen.fillStyle = frame.colours.ink;
  pen.fillText(words, 4, 9.5);
  const from = 8 + pen.measureText(words).width;
  scale.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(from + k * cell, 4, cell + 0.5, 10);
  });
  pen.fillStyle = frame.colours.ink;
  pen.fillText(number(high, 3), from + scale.length * cell + 6, 9.5);
}
