// What trees predict, cell by cell: classes as sure as the trees are, or numbers on the scale.

import { colourOf, drawPoint, radius } from "../stage/paint.js";

/** @import { Surface } from "../frames.d.ts" */
/** @import { Layout, Pen, Picture, Points, Rect } from "../types.d.ts" */

const STEPS = 12; // shades of a class that are told apart

/** One picture of a surface into a rectangle: cells that look alike in a row are one.
 *  @param {Pen} pen @param {Rect} box @param {Picture} scene @param {Surface} given @param {number} k */
export function cells(pen, box, scene, { wide, high, code, share }, k) {
  const from = k * wide * high;
  /** @param {number} column */
  const X = (column) => Math.round(box.x + (box.w * column) / wide);
  /** @param {number} row */
  const Y = (row) => Math.round(box.y + box.h * (1 - row / high)); // whole pixels: neighbours neither touch nor gape
  /** @param {number} i */
  const look = (i) => code[i] * 256 + Math.round((share[i] / 255) * STEPS);
  const most = scene.classes ? (scene.colours.dark ? 0.62 : 0.5) : 0.62;
  for (let row = 0; row < high; row++) {
    const [top, bottom] = [Y(row + 1), Y(row)];
    for (let first = 0; first < wide;) {
      const at = from + row * wide + first;
      let last = first + 1;
      while (last < wide && look(from + row * wide + last) === look(at)) last += 1;
      pen.globalAlpha = scene.classes ? 0.1 + (most - 0.1) * (Math.round((share[at] / 255) * STEPS) / STEPS) : most;
      pen.fillStyle = colourOf(scene, code[at]);
      pen.fillRect(X(first), top, X(last) - X(first), bottom - top);
      first = last;
    }
  }
  pen.globalAlpha = 1;
}

/** A number over one feature: what is predicted across.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Float64Array} values */
export function strip(pen, at, scene, values) {
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 2.6;
  pen.setLineDash([]);
  pen.beginPath();
  values.forEach((value, k) => {
    const [left, right] = [k, k + 1].map((place) => at.plane.x + (at.plane.w * place) / values.length);
    if (k) pen.lineTo(left, at.Y(value));
    else pen.moveTo(left, at.Y(value));
    pen.lineTo(right, at.Y(value));
  });
  pen.stroke();
}

/** The rows, each as large as it stands in this picture.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud
 *  @param {Uint8Array} mass @param {number} k */
export function masses(pen, at, scene, cloud, mass, k) {
  const many = cloud.x.length;
  const r = radius(many);
  pen.globalAlpha = 0.92;
  for (let i = 0; i < many; i++) {
    const size = Math.max(1.1, (1.9 * r * mass[k * many + i]) / 255);
    drawPoint(pen, scene, cloud.code[i], at.spots[0][i], at.spots[1][i], size);
  }
  pen.globalAlpha = 1;
}

/** A number over one feature, small: how high it is across.
 *  @param {Pen} pen @param {Rect} box @param {Picture} scene @param {Surface} given @param {number} k */
export function steps(pen, box, scene, { wide, share }, k) {
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 1.8;
  pen.setLineDash([]);
  pen.beginPath();
  for (let i = 0; i < wide; i++) {
    const y = box.y + 4 + (box.h - 8) * (1 - share[k * wide + i] / 255);
    const [left, right] = [i, i + 1].map((place) => box.x + (box.w * place) / wide);
    if (i) pen.lineTo(left, y);
    else pen.moveTo(left, y);
    pen.lineTo(right, y);
  }
  pen.stroke();
}
