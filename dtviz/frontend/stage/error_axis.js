// The error axis of curves: from no error at the foot to just above the largest.

import { ticks } from "../lib/format.js";
import { font } from "./paint.js";

/** @import { Colours } from "../frames.d.ts" */
/** @import { ErrorAxis, Pen } from "../types.d.ts" */

/** The part of a frame that an error axis needs.
 *  @typedef {{ family: string, percent: boolean, colours: Colours }} ErrorFrame */

/** The axis for some errors, NaN for none, inside of margins.
 *  @param {{ width: number, height: number }} size @param {ErrorFrame} frame @param {Pen} pen
 *  @param {number[]} errors @param {{ top: number, foot: number, right: number }} margins
 *  @returns {ErrorAxis} */
export function errorAxis({ width, height }, frame, pen, errors, margins) {
  const top = 1.06 * (Math.max(0, ...errors.filter(Number.isFinite)) || 1);
  const yTicks = frame.percent
    ? ticks(0, 100 * top, 5).map(({ value, text }) => ({ value: value / 100, text: `${text} %` }))
    : ticks(0, top, 5);
  pen.font = font(frame, 12);
  const left = Math.max(...yTicks.map(({ text }) => pen.measureText(text).width), 10) + 14;
  const plane = { x: left, y: margins.top, w: width - left - margins.right, h: height - margins.top - margins.foot };
  return { width, height, plane, yTicks, Y: (error) => plane.y + plane.h * (1 - error / top) };
}

/** Draws a line over the plane at each tick, its label to the left.
 *  @param {Pen} pen @param {ErrorAxis} axis @param {ErrorFrame} frame */
export function drawGrid(pen, { plane, yTicks, Y }, frame) {
  pen.font = font(frame, 12);
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of yTicks) {
    const y = Y(value);
    if (y < plane.y - 1) continue;
    pen.strokeStyle = frame.colours.grid;
    pen.beginPath();
    pen.moveTo(plane.x, y);
    pen.lineTo(plane.x + plane.w, y);
    pen.stroke();
    pen.fillStyle = frame.colours.muted;
    pen.fillText(text, plane.x - 7, y);
  }
}
