// Error curve along the values of a rule: errors on the training rows and on the held-out rows, and the mean of the folds.
//
// Glossary
//   place   the index of a value on the curve; places are drawn equally far apart, so that each can be seen and hit

import { number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { drawBand, drawDot, drawErrors, drawLine } from "../stage/error_curve.js";
import { drawGrid, errorAxis } from "../stage/error_axis.js";
import { fitText, font } from "../stage/paint.js";

/** @import { Colours } from "../frames.d.ts" */
/** @import { CockpitPicture, Curve, CurveLayout, FoldedCurve, Pen } from "../types.d.ts" */

const MARGINS = { top: 44, foot: 44, right: 14 };

/** Text of an error, in percent if the error is a share of the rows.
 *  @param {{ percent: boolean }} frame @param {number} error */
export const errorText = (frame, error) => (frame.percent ? `${number(100 * error, 3)}\u00a0%` : number(error, 4));

/** True if a curve has the mean errors of the folds.
 *  @param {Curve} curve @returns {curve is FoldedCurve} */
export const hasFolds = (curve) => curve.mean !== undefined;

/** @param {{ width: number, height: number }} size @param {CockpitPicture} frame @param {Pen} pen
 *  @returns {CurveLayout} */
export function layOutCurve(size, frame, pen) {
  const { curve } = frame;
  const errors = [...curve.training_error, ...curve.held_out_error, ...frame.figures.errors.map((error) => error ?? Number.NaN)];
  if (hasFolds(curve)) errors.push(...curve.mean.map((mean, k) => mean + curve.standard_error[k]));
  const axis = errorAxis(size, frame, pen, errors, MARGINS);
  const count = curve.labels.length;
  const step = axis.plane.w / Math.max(count, 1);
  return { ...axis, count, step, X: (place) => axis.plane.x + step * (place + 0.5) };
}

/** Place nearest to a pixel.
 *  @param {CurveLayout} layout @param {number} x */
export function placeAt({ plane, count, step }, x) {
  return Math.max(0, Math.min(count - 1, Math.floor((x - plane.x) / step)));
}

/** @param {Pen} pen @param {CurveLayout} layout @param {CockpitPicture} frame */
export function drawCurve(pen, layout, frame) {
  const { colours, curve } = frame;
  if (frame.baseline !== undefined) drawBaseline(pen, layout, frame, frame.baseline);
  drawAxes(pen, layout, frame);
  if (hasFolds(curve)) {
    drawBand(pen, layout, curve.mean, curve.standard_error, colours.ink, 0.09); // one standard error
    drawErrors(pen, layout, curve.mean, colours.ink, 1.4, [5, 4]);
  }
  drawErrors(pen, layout, curve.training_error, colours.muted, 2);
  drawDots(pen, layout, curve.training_error, trainingDot(colours));
  drawErrors(pen, layout, curve.held_out_error, colours.accent, 2.4);
  drawDots(pen, layout, curve.held_out_error, heldOutDot(colours));
  if (hasFolds(curve)) drawChoices(pen, layout, curve, colours);
  drawLegend(pen, layout, frame);
}

/** @typedef {Parameters<typeof drawDot>[5]} Outline */

/** Colour and outline of a dot of an error on the training rows.
 *  @param {Colours} colours @returns {[colour: string, outline?: Outline]} */
const trainingDot = ({ muted }) => [muted];

/** Colour and outline of a dot of an error on the held-out rows.
 *  @param {Colours} colours @returns {[colour: string, outline?: Outline]} */
const heldOutDot = ({ paper, accent }) => [paper, { colour: accent, width: 1.6 }];

/** @param {Pen} pen @param {CurveLayout} layout @param {CockpitPicture} frame */
function drawAxes(pen, layout, frame) {
  const { plane, count } = layout;
  const { labels, title } = frame.curve;
  drawGrid(pen, layout, frame);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  // labels that would touch others are left out, but the last value has its label
  const lastStart = layout.X(count - 1) - pen.measureText(labels.at(-1) ?? "").width / 2 - 4;
  let end = -Infinity; // of the last label drawn
  labels.forEach((text, k) => {
    const halfWidth = pen.measureText(text).width / 2 + 4;
    if (layout.X(k) - halfWidth < end || (k < count - 1 && layout.X(k) + halfWidth > lastStart)) return;
    end = layout.X(k) + halfWidth;
    pen.fillText(text, layout.X(k), plane.y + plane.h + 9);
  });
  pen.font = font(frame, 13);
  pen.fillStyle = frame.colours.ink;
  pen.textBaseline = "bottom";
  pen.fillText(fitText(pen, title, plane.w), plane.x + plane.w / 2, layout.height - 2);
}

/** Draws a line at the error of the baseline, which predicts the same for all rows, with its name. An error above the axis
 *  has no line: its text stands at the upper end.
 *  @param {Pen} pen @param {CurveLayout} layout @param {CockpitPicture} frame @param {number} error */
function drawBaseline(pen, layout, frame, error) {
  const { plane } = layout;
  const [y, name] = [layout.Y(error), frame.baseline_name ?? ""];
  pen.strokeStyle = pen.fillStyle = frame.colours.muted;
  pen.font = font(frame, 11);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  if (y < plane.y) {
    pen.fillText(fitText(pen, `${name} ${errorText(frame, error)} ↑`, plane.w), plane.x + plane.w / 2, plane.y);
    return;
  }
  pen.lineWidth = 1;
  pen.setLineDash([]);
  drawLine(pen, [[plane.x, y], [plane.x + plane.w, y]]);
  pen.fillText(fitText(pen, name, plane.w), plane.x + plane.w / 2, y + 4);
}

/** @param {Pen} pen @param {CurveLayout} layout @param {Float64Array} errors
 *  @param {[colour: string, outline?: Outline]} style */
function drawDots(pen, layout, errors, style) {
  const r = Math.min(4, Math.max(1.6, layout.step / 4));
  errors.forEach((error, k) => {
    if (Number.isFinite(error)) drawDot(pen, layout.X(k), layout.Y(error), r, ...style);
  });
}

/** True if the simplest tree within one standard error of the least mean is another than the tree with that mean.
 *  @param {FoldedCurve} curve */
const hasTwoChoices = ({ best_place: best, simplest_place: simplest }) => simplest !== best;

/** Draws a star at the tree with the least mean of the folds, and a diamond at the simplest tree within one standard error
 *  of it if that is another tree.
 *  @param {Pen} pen @param {CurveLayout} layout @param {FoldedCurve} curve @param {Colours} colours */
function drawChoices(pen, layout, curve, colours) {
  /** @type {Array<[place: number, shape: string, r: number]>} */
  const choices = [[curve.simplest_place, "diamond", 6], [curve.best_place, "star", 8]];
  for (const [place, shape, r] of hasTwoChoices(curve) ? choices : choices.slice(1)) {
    pen.beginPath();
    mark(pen, shape, layout.X(place), layout.Y(curve.mean[place]), r);
    pen.fillStyle = colours.ink;
    pen.fill();
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 1;
    pen.stroke();
  }
}

/** @param {Pen} pen @param {CurveLayout} layout @param {CockpitPicture} frame */
function drawLegend(pen, layout, frame) {
  const { colours, curve } = frame;
  pen.font = font(frame, 12);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  /** @typedef {(x: number, y: number) => void} DrawSymbol */
  /** @type {Array<[text: string, draw: DrawSymbol]>} */
  const entries = [
    ["training", (x, y) => drawDot(pen, x, y, 4, ...trainingDot(colours))],
    ["held out", (x, y) => drawDot(pen, x, y, 4, ...heldOutDot(colours))],
  ];
  if (hasFolds(curve)) {
    /** @param {string} name @param {number} r @returns {DrawSymbol} */
    const symbolOf = (name, r) => (x, y) => {
      pen.beginPath();
      mark(pen, name, x, y, r);
      pen.fillStyle = colours.ink;
      pen.fill();
    };
    /** @type {DrawSymbol} */
    const dashes = (x, y) => {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.4;
      pen.setLineDash([4, 3]);
      drawLine(pen, [[x - 6, y], [x + 6, y]]);
      pen.setLineDash([]);
    };
    entries.push([curve.fold_text, dashes], ["least", symbolOf("star", 7)]);
    if (hasTwoChoices(curve)) entries.push(["one standard error", symbolOf("diamond", 5)]);
  }
  const left = layout.plane.x + 4;
  let [x, y] = [left, 10];
  for (const [text, draw] of entries) {
    const width = pen.measureText(text).width + 28;
    if (x + width > layout.width + 10 && y < 20) [x, y] = [left, 28]; // the second row of the legend
    draw(x + 4, y);
    pen.fillStyle = colours.ink;
    pen.fillText(text, x + 14, y);
    x += width;
  }
}

/** Draws an upright line at a place, with a dot on each error there. A tree with no place on the curve (-1), such as a
 *  pruned one, has a horizontal line at each of its `errors` instead.
 *  @param {Pen} pen @param {CurveLayout} layout @param {CockpitPicture} frame @param {number} place
 *  @param {Array<number | null>} errors */
export function drawPlace(pen, layout, frame, place, errors) {
  const { colours, curve } = frame;
  const { plane } = layout;
  if (place < 0) return drawErrorLines(pen, layout, frame, errors);
  const [x, foot] = [layout.X(place), plane.y + plane.h];
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 1.6;
  pen.setLineDash([]);
  drawLine(pen, [[x, plane.y - 4], [x, foot]]);
  pen.fillStyle = colours.accent;
  pen.beginPath();
  pen.moveTo(x - 6, foot + 7);
  pen.lineTo(x + 6, foot + 7);
  pen.lineTo(x, foot);
  pen.closePath();
  pen.fill();
  /** @type {Array<[errors: Float64Array, colour: string]>} */
  const placedErrors = [[curve.training_error, colours.muted], [curve.held_out_error, colours.accent]];
  for (const [values, colour] of placedErrors) {
    if (Number.isFinite(values[place])) drawDot(pen, x, layout.Y(values[place]), 5, colour);
  }
  return undefined;
}

/** @param {Pen} pen @param {CurveLayout} layout @param {CockpitPicture} frame
 *  @param {Array<number | null>} errors  on the training rows and on the held-out rows */
function drawErrorLines(pen, { plane, Y }, { colours }, errors) {
  errors.forEach((error, k) => {
    if (error === null || !Number.isFinite(error)) return;
    const y = Math.max(Y(error), plane.y);
    pen.strokeStyle = [colours.muted, colours.accent][k];
    pen.lineWidth = 1.6;
    pen.setLineDash([2, 4]);
    drawLine(pen, [[plane.x, y], [plane.x + plane.w, y]]);
    pen.setLineDash([]);
  });
}
