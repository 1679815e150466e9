// The error curve: training, held out and the mean of the folds against one rule.
//
// Its places stand at equal distances, whatever the values: every one can be seen and met.

import { number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { drawGrid, errorAxis } from "../stage/error_axis.js";
import { fitText, font } from "../stage/paint.js";

/** @import { Colours } from "../frames.d.ts" */
/** @import { Cockpit, Curve, CurveLayout, FoldedCurve, Pen } from "../types.d.ts" */

const MARGINS = { top: 44, foot: 44, right: 14 };

/** An error in words: a share of the rows in per cent.
 *  @param {{ percent: boolean }} frame @param {number} error */
export const errorText = (frame, error) => (frame.percent ? `${number(100 * error, 3)}\u00a0%` : number(error, 4));

/** @param {Curve} curve @returns {curve is FoldedCurve} */
export const isFolded = (curve) => curve.mean !== undefined;

/** @param {{ width: number, height: number }} given @param {Cockpit} frame @param {Pen} pen
 *  @returns {CurveLayout} */
export function curveLayout(given, frame, pen) {
  const { curve } = frame;
  const all = [...curve.training, ...curve.held, ...frame.now.errors.map((error) => error ?? Number.NaN)];
  if (isFolded(curve)) all.push(...curve.mean.map((mean, k) => mean + curve.spread[k]));
  const axis = errorAxis(given, frame, pen, all, MARGINS);
  const many = curve.labels.length;
  const step = axis.plane.w / Math.max(many, 1);
  return { ...axis, many, step, X: (place) => axis.plane.x + step * (place + 0.5) };
}

/** The place nearest to a pixel.
 *  @param {CurveLayout} at @param {number} x */
export function placeAt(at, x) {
  return Math.max(0, Math.min(at.many - 1, Math.floor((x - at.plane.x) / at.step)));
}

/** @param {Pen} pen @param {CurveLayout} at @param {Cockpit} frame */
export function drawCurve(pen, at, frame) {
  const { colours, curve } = frame;
  if (frame.baseline !== undefined) baseline(pen, at, frame, frame.baseline);
  axes(pen, at, frame);
  if (isFolded(curve)) {
    band(pen, at, curve, colours.ink);
    line(pen, at, curve.mean, colours.ink, 1.4, [5, 4]);
  }
  line(pen, at, curve.training, colours.muted, 2, []);
  dots(pen, at, curve.training, colours.muted, false, frame);
  line(pen, at, curve.held, colours.accent, 2.4, []);
  dots(pen, at, curve.held, colours.accent, true, frame);
  if (isFolded(curve)) choices(pen, at, curve, colours);
  legend(pen, at, frame);
}

/** @param {Pen} pen @param {CurveLayout} at @param {Cockpit} frame */
function axes(pen, at, frame) {
  const { plane } = at;
  drawGrid(pen, at, frame);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  let free = -Infinity;
  frame.curve.labels.forEach((text, k) => {
    const half = pen.measureText(text).width / 2 + 4;
    const last = k < at.many - 1 ? at.X(at.many - 1) - pen.measureText(frame.curve.labels.at(-1) ?? "").width / 2 - 4 : Infinity;
    if (at.X(k) - half < free || at.X(k) + half > last) return;
    free = at.X(k) + half;
    pen.fillText(text, at.X(k), plane.y + plane.h + 9);
  });
  pen.font = font(frame, 13);
  pen.fillStyle = frame.colours.ink;
  pen.textBaseline = "bottom";
  pen.fillText(fitText(pen, frame.curve.title, plane.w), plane.x + plane.w / 2, at.height - 2);
}

/** The error of one answer for all rows, with its name; above the axis, where that is.
 *  @param {Pen} pen @param {CurveLayout} at @param {Cockpit} frame @param {number} error */
function baseline(pen, at, frame, error) {
  const { plane } = at;
  const [y, name] = [at.Y(error), frame.one_answer ?? ""];
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
  pen.beginPath();
  pen.moveTo(plane.x, y);
  pen.lineTo(plane.x + plane.w, y);
  pen.stroke();
  pen.fillText(fitText(pen, name, plane.w), plane.x + plane.w / 2, y + 4);
}

/** @param {Pen} pen @param {CurveLayout} at @param {Float64Array} errors
 *  @param {string} colour @param {number} width @param {number[]} dash */
function line(pen, at, errors, colour, width, dash) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  errors.forEach((error, k) => {
    if (!Number.isFinite(error)) return;
    if (k) pen.lineTo(at.X(k), at.Y(error));
    else pen.moveTo(at.X(k), at.Y(error));
  });
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {Pen} pen @param {CurveLayout} at @param {Float64Array} errors
 *  @param {string} colour @param {boolean} hollow @param {Cockpit} frame */
function dots(pen, at, errors, colour, hollow, frame) {
  const r = Math.min(4, Math.max(1.6, at.step / 4));
  errors.forEach((error, k) => {
    if (Number.isFinite(error)) dot(pen, at.X(k), at.Y(error), r, colour, hollow, frame);
  });
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} r
 *  @param {string} colour @param {boolean} hollow @param {Cockpit} frame */
function dot(pen, x, y, r, colour, hollow, frame) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fillStyle = hollow ? frame.colours.paper : colour;
  pen.fill();
  if (!hollow) return;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.6;
  pen.stroke();
}

/** One standard error to both sides of the folds' mean.
 *  @param {Pen} pen @param {CurveLayout} at @param {FoldedCurve} curve @param {string} colour */
function band(pen, at, { mean, spread }, colour) {
  pen.fillStyle = colour;
  pen.globalAlpha = 0.09;
  pen.beginPath();
  mean.forEach((error, k) => {
    const y = at.Y(error + spread[k]);
    if (k) pen.lineTo(at.X(k), y);
    else pen.moveTo(at.X(k), y);
  });
  for (let k = mean.length - 1; k >= 0; k--) pen.lineTo(at.X(k), at.Y(Math.max(mean[k] - spread[k], 0)));
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}

/** Whether the simplest tree within one standard error is another than that of the least mean.
 *  @param {FoldedCurve} curve */
const isApart = ({ best, one_error }) => one_error !== best;

/** A star on the folds' least mean; a diamond on the simplest tree within one standard error, if that is another.
 *  @param {Pen} pen @param {CurveLayout} at @param {FoldedCurve} curve @param {Colours} colours */
function choices(pen, at, curve, colours) {
  /** @type {Array<[place: number, shape: string, r: number]>} */
  const both = [[curve.one_error, "diamond", 6], [curve.best, "star", 8]];
  for (const [place, shape, r] of isApart(curve) ? both : both.slice(1)) {
    pen.beginPath();
    mark(pen, shape, at.X(place), at.Y(curve.mean[place]), r);
    pen.fillStyle = colours.ink;
    pen.fill();
    pen.strokeStyle = colours.paper;
    pen.lineWidth = 1;
    pen.stroke();
  }
}

/** @param {Pen} pen @param {CurveLayout} at @param {Cockpit} frame */
function legend(pen, at, frame) {
  const { colours, curve } = frame;
  pen.font = font(frame, 12);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  /** @typedef {(x: number, y: number) => void} Draw */
  /** @type {Array<[words: string, draw: Draw]>} */
  const entries = [
    ["training", (x, y) => dot(pen, x, y, 4, colours.muted, false, frame)],
    ["held out", (x, y) => dot(pen, x, y, 4, colours.accent, true, frame)],
  ];
  if (isFolded(curve)) {
    /** @param {string} name @param {number} r @returns {Draw} */
    const shape = (name, r) => (x, y) => {
      pen.beginPath();
      mark(pen, name, x, y, r);
      pen.fillStyle = colours.ink;
      pen.fill();
    };
    /** @type {Draw} */
    const dashes = (x, y) => {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.4;
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(x - 6, y);
      pen.lineTo(x + 6, y);
      pen.stroke();
      pen.setLineDash([]);
    };
    entries.push([curve.folds, dashes], ["least", shape("star", 7)]);
    if (isApart(curve)) entries.push(["one standard error", shape("diamond", 5)]);
  }
  let [x, y] = [at.plane.x + 4, 10];
  for (const [text, draw] of entries) {
    const wide = pen.measureText(text).width + 28;
    if (x + wide > at.width + 10 && y < 20) [x, y] = [at.plane.x + 4, 28];
    draw(x + 4, y);
    pen.fillStyle = colours.ink;
    pen.fillText(text, x + 14, y);
    x += wide;
  }
}

/** The line of the place that is looked at, and what the errors are there.
 *
 *  A tree that stands nowhere on the curve, such as a pruned one, has `errors` of its own.
 *  @param {Pen} pen @param {CurveLayout} at @param {Cockpit} frame @param {number} place
 *  @param {Array<number | null>} errors */
export function drawPlace(pen, at, frame, place, errors) {
  const { colours, curve } = frame;
  const { plane } = at;
  if (place < 0) return level(pen, at, frame, errors);
  const x = at.X(place);
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 1.6;
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(x, plane.y - 4);
  pen.lineTo(x, plane.y + plane.h);
  pen.stroke();
  pen.fillStyle = colours.accent;
  pen.beginPath();
  pen.moveTo(x - 6, plane.y + plane.h + 7);
  pen.lineTo(x + 6, plane.y + plane.h + 7);
  pen.lineTo(x, plane.y + plane.h);
  pen.closePath();
  pen.fill();
  /** @type {Array<[errors: Float64Array, colour: string]>} */
  const both = [[curve.training, colours.muted], [curve.held, colours.accent]];
  for (const [own, colour] of both) {
    if (Number.isFinite(own[place])) dot(pen, x, at.Y(own[place]), 5, colour, false, frame);
  }
  return undefined;
}

/** @param {Pen} pen @param {CurveLayout} at @param {Cockpit} frame
 *  @param {Array<number | null>} errors */
function level(pen, at, frame, errors) {
  const { plane } = at;
  const colours = [frame.colours.muted, frame.colours.accent];
  errors.forEach((error, k) => {
    if (error === null || !Number.isFinite(error)) return;
    const y = Math.max(at.Y(error), plane.y);
    pen.strokeStyle = pen.fillStyle = colours[k];
    pen.lineWidth = 1.6;
    pen.setLineDash([2, 4]);
    pen.beginPath();
    pen.moveTo(plane.x, y);
    pen.lineTo(plane.x + plane.w, y);
    pen.stroke();
    pen.setLineDash([]);
  });
}
