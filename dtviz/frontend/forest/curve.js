// Error curves of an ensemble by round, each with a band of its standard error, and a mark at the round that is shown.

import { ticks } from "../lib/format.js";
import { drawBand, drawDot, drawErrors, drawLine } from "../stage/error_curve.js";
import { drawGrid, errorAxis } from "../stage/error_axis.js";
import { fitText, font } from "../stage/paint.js";

/** @import { CurveLayout, FrameOf, Pen } from "../types.d.ts" */

const MARGINS = { top: 30, foot: 40, right: 12 };

/** Frame of the page Forest, with the font family of the page.
 *  @typedef {FrameOf<"forest"> & { family: string }} ForestPicture */

/** Lays the curves out. The place of a round is the round less 1, since rounds count from 1.
 *  @param {{ width: number, height: number }} size @param {ForestPicture} frame @param {Pen} pen @returns {CurveLayout} */
export function layOutCurve(size, frame, pen) {
  const count = Math.max(...frame.errors.map(({ error }) => error.length), 1);
  const upperEnds = frame.errors.flatMap(({ error: errors, standard_error: band }) => Array.from(errors, (error, k) => error + band[k]));
  const axis = errorAxis(size, frame, pen, upperEnds, MARGINS);
  const { x, w } = axis.plane;
  const step = w / Math.max(count - 1, 1);
  return { ...axis, count, step, X: (place) => x + (count > 1 ? (w * place) / (count - 1) : w / 2) };
}

/** Round nearest to the x of a pixel.
 *  @param {CurveLayout} layout @param {number} x */
export const roundAt = ({ plane, count, step }, x) => Math.max(1, Math.min(count, Math.round(1 + (x - plane.x) / step)));

/** @param {Pen} pen @param {CurveLayout} layout @param {ForestPicture} frame @param {number} round */
export function drawCurve(pen, layout, frame, round) {
  const { colours, errors: curves } = frame;
  const { plane } = layout;
  drawAxes(pen, layout, frame);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  drawLine(pen, [[layout.X(round - 1), plane.y], [layout.X(round - 1), plane.y + plane.h]]);
  for (const { error, standard_error: band, style } of curves) drawBand(pen, layout, error, band, colours[style], 0.14);
  for (const { error: errors, style } of curves) {
    drawErrors(pen, layout, errors, colours[style], style === "accent" ? 2.4 : 1.7);
    const place = Math.min(round, errors.length) - 1; // a curve may have fewer rounds than the longest
    if (!Number.isFinite(errors[place])) continue;
    drawDot(pen, layout.X(place), layout.Y(errors[place]), 4.5, colours[style], { colour: colours.paper, width: 1 });
  }
  drawLegend(pen, layout, frame);
}

/** @param {Pen} pen @param {CurveLayout} layout @param {ForestPicture} frame */
function drawAxes(pen, layout, frame) {
  const { plane, count } = layout;
  drawGrid(pen, layout, frame);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  // no round whose text would touch that of round 1
  const rounds = count > 1 ? ticks(1, count, 5).filter(({ value }) => Number.isInteger(value) && value > 1 + count / 12) : [];
  for (const { value, text } of [{ value: 1, text: "1" }, ...rounds]) {
    pen.fillText(text, layout.X(value - 1), plane.y + plane.h + 7);
  }
  pen.fillStyle = frame.colours.ink;
  pen.fillText(fitText(pen, `${frame.round_name} so far`, plane.w), plane.x + plane.w / 2, plane.y + plane.h + 23);
}

/** @param {Pen} pen @param {CurveLayout} layout @param {ForestPicture} frame */
function drawLegend(pen, layout, { errors, colours, family }) {
  pen.font = font({ family }, 12);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  let { x } = layout.plane;
  for (const { name, style } of errors) {
    pen.strokeStyle = colours[style];
    pen.lineWidth = 2.4;
    drawLine(pen, [[x, 10], [x + 18, 10]]);
    pen.fillStyle = colours.ink;
    pen.fillText(name, x + 24, 10);
    x += 24 + pen.measureText(name).width + 18;
  }
}
