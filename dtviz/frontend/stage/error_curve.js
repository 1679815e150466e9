// Lines, bands and dots of errors over the axis of stage/error_axis.js, for the error curves of Overfit and Forest.
//
// Glossary
//   place   the index of an error on a curve

/** @import { CurveLayout, Pen } from "../types.d.ts" */

/** Strokes the line through points.
 *  @param {Pen} pen @param {number[][]} points */
export function drawLine(pen, points) {
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

/** Draws errors as a line; an error that is NaN is left out.
 *  @param {Pen} pen @param {CurveLayout} layout @param {Float64Array} errors
 *  @param {string} colour @param {number} width @param {number[]} [dash] */
export function drawErrors(pen, layout, errors, colour, width, dash = []) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  drawLine(pen, placesWith(errors).map((k) => [layout.X(k), layout.Y(errors[k])]));
  pen.setLineDash([]);
}

/** Places whose error is a number.
 *  @param {Float64Array} errors */
const placesWith = (errors) => [...errors.keys()].filter((k) => Number.isFinite(errors[k]));

/** Fills the range from `spread` above to `spread` below the errors, but not below 0.
 *  @param {Pen} pen @param {CurveLayout} layout @param {Float64Array} errors @param {Float64Array} spread
 *  @param {string} colour @param {number} opacity */
export function drawBand(pen, layout, errors, spread, colour, opacity) {
  const places = placesWith(errors);
  if (!places.some((k) => spread[k] > 0)) return;
  pen.fillStyle = colour;
  pen.globalAlpha = opacity;
  pen.beginPath();
  places.forEach((k, i) => pen[i ? "lineTo" : "moveTo"](layout.X(k), layout.Y(errors[k] + spread[k])));
  for (const k of places.toReversed()) pen.lineTo(layout.X(k), layout.Y(Math.max(errors[k] - spread[k], 0)));
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}

/** Draws a dot, with an outline if one is given.
 *  @param {Pen} pen @param {number} x @param {number} y @param {number} r
 *  @param {string} colour @param {{ colour: string, width: number }} [outline] */
export function drawDot(pen, x, y, r, colour, outline) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  if (!outline) return;
  pen.strokeStyle = outline.colour;
  pen.lineWidth = outline.width;
  pen.stroke();
}
