// The errors after each round, each with its band; the round that is looked at is marked.

import { ticks } from "../lib/format.js";
import { drawGrid, errorAxis } from "../stage/error_axis.js";
import { fitText, font } from "../stage/paint.js";

/** @import { Colours, Errors } from "../frames.d.ts" */
/** @import { ErrorAxis, Of, Pen } from "../types.d.ts" */

const MARGINS = { top: 30, foot: 40, right: 12 };

/**
 * @typedef {Of<"forest"> & { family: string }} Frame
 * @typedef {ErrorAxis & { many: number, X(round: number): number }} CurveAt
 */

/** @param {{ width: number, height: number }} given @param {Frame} frame @param {Pen} pen @returns {CurveAt} */
export function curveLayout(given, frame, pen) {
  const many = Math.max(...frame.errors.map(({ error }) => error.length), 1);
  const all = frame.errors.flatMap(({ error, band: wide }) => Array.from(error, (one, k) => one + wide[k]));
  const axis = errorAxis(given, frame, pen, all, MARGINS);
  const { x, w } = axis.plane;
  return { ...axis, many, X: (round) => x + (many > 1 ? (w * (round - 1)) / (many - 1) : w / 2) };
}

/** The round at a pixel.
 *  @param {CurveAt} at @param {number} x */
export const roundAt = (at, x) => Math.max(1, Math.min(at.many, Math.round(1 + ((x - at.plane.x) / at.plane.w) * (at.many - 1))));

/** @param {Pen} pen @param {CurveAt} at @param {Frame} frame @param {number} round */
export function drawCurve(pen, at, frame, round) {
  const { colours } = frame;
  axes(pen, at, frame);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 1;
  line(pen, [[at.X(round), at.plane.y], [at.X(round), at.plane.y + at.plane.h]]);
  for (const curve of frame.errors) band(pen, at, curve, colours);
  for (const curve of frame.errors) {
    pen.strokeStyle = colours[curve.look];
    pen.lineWidth = curve.look === "accent" ? 2.4 : 1.7;
    line(pen, seen(curve).map(([k, error]) => [at.X(k), at.Y(error)]));
    const now = curve.error[Math.min(round, curve.error.length) - 1];
    if (Number.isFinite(now)) dot(pen, at.X(Math.min(round, curve.error.length)), at.Y(now), colours[curve.look], colours.paper);
  }
  legend(pen, at, frame);
}

/** The rounds, from 1 on, with an error.
 *  @param {Errors} curve @returns {[round: number, error: number, band: number][]} */
function seen({ error, band: width }) {
  return Array.from(error, (one, k) => /** @type {[number, number, number]} */ ([k + 1, one, width[k]]))
    .filter(([, one]) => Number.isFinite(one));
}

/** @param {Pen} pen @param {number[][]} points */
function line(pen, points) {
  pen.setLineDash([]);
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

/** @param {Pen} pen @param {CurveAt} at @param {Errors} curve @param {Colours} colours */
function band(pen, at, curve, colours) {
  const known = seen(curve);
  if (!known.some(([, , width]) => width > 0)) return;
  pen.fillStyle = colours[curve.look];
  pen.globalAlpha = 0.14;
  pen.beginPath();
  known.forEach(([k, error, width], i) => (i ? pen.lineTo(at.X(k), at.Y(error + width)) : pen.moveTo(at.X(k), at.Y(error + width))));
  for (const [k, error, width] of known.toReversed()) pen.lineTo(at.X(k), at.Y(Math.max(error - width, 0)));
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @param {CurveAt} at @param {Frame} frame */
function axes(pen, at, frame) {
  const { colours } = frame;
  const { plane } = at;
  drawGrid(pen, at, frame);
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const rounds = at.many > 1 ? ticks(1, at.many, 5).filter(({ value }) => Number.isInteger(value)) : [];
  for (const { value, text } of [{ value: 1, text: "1" }, ...rounds.filter((one) => one.value > 1 + at.many / 12)]) {
    pen.fillText(text, at.X(value), plane.y + plane.h + 7);
  }
  pen.fillStyle = colours.ink;
  pen.fillText(fitText(pen, `${frame.counted} so far`, plane.w), plane.x + plane.w / 2, plane.y + plane.h + 23);
}

/** @param {Pen} pen @param {number} x @param {number} y @param {string} colour @param {string} paper */
function dot(pen, x, y, colour, paper) {
  pen.beginPath();
  pen.arc(x, y, 4.5, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = paper;
  pen.lineWidth = 1;
  pen.stroke();
}

/** @param {Pen} pen @param {CurveAt} at @param {Frame} frame */
function legend(pen, at, frame) {
  pen.font = font(frame, 12);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  let x = at.plane.x;
  for (const { name, look } of frame.errors) {
    pen.strokeStyle = frame.colours[look];
    pen.lineWidth = 2.4;
    line(pen, [[x, 10], [x + 18, 10]]);
    pen.fillStyle = frame.colours.ink;
    pen.fillText(name, x + 24, 10);
    x += 24 + pen.measureText(name).width + 18;
  }
}
