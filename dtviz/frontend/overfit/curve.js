// Error curve along the values of a rule: errors on the training rows and on the held-out rows, and the mean of the folds.
//
// Glossary
//   place   the index of a value on the curve; places are drawn equally far apart, so that each can be seen and hit

import { drawHairline } from "../draw/axes.js";
import { drawChart, layOutChart } from "../draw/chart.js";
import { drawCircle, drawLine, drawSymbol, drawText } from "../draw/marks.js";
import { bands } from "../draw/scales.js";
import { number } from "../lib/format.js";

/** @import { ChartCurve, CockpitPicture, Curve, CurveChart, FoldedCurve, LegendEntry, Pen, PlaceScale, Tick } from "../types.d.ts" */

const MARGINS = { top: 44, foot: 44, right: 14 };
const LABEL_GAP = 4;

/** Text of an error, in percent if the error is a share of the rows.
 *  @param {{ percent: boolean }} frame @param {number} error */
export const errorText = (frame, error) => (frame.percent ? `${number(100 * error, 3)}\u00a0%` : number(error, 4));

/** True if a curve has the mean errors of the folds.
 *  @param {Curve} curve @returns {curve is FoldedCurve} */
export const hasFolds = (curve) => curve.mean !== undefined;

/** @param {{ width: number, height: number }} size @param {CockpitPicture} frame @param {Pen} pen @returns {CurveChart} */
export function layOutCurve(size, frame, pen) {
  const { curve } = frame;
  const values = [...curve.training_error, ...curve.held_out_error, ...frame.figures.errors.map((error) => error ?? Number.NaN)];
  if (hasFolds(curve)) values.push(...curve.mean.map((mean, k) => mean + curve.standard_error[k]));
  return layOutChart(size, frame, pen, {
    values, percent: frame.percent, margins: MARGINS, title: curve.title,
    across: (from, to) => bands(curve.labels.length, from, to),
    ticksOf: (scale, textWidth) => labelTicks(curve.labels, scale, textWidth),
  });
}

/** Ticks of labels: those that would touch others are left out, but the last value has its label.
 *  @param {string[]} labels @param {PlaceScale} scale @param {(text: string) => number} textWidth */
function labelTicks(labels, scale, textWidth) {
  const last = labels.length - 1;
  /** @param {number} place */
  const reach = (place) => textWidth(labels[place]) / 2 + LABEL_GAP;
  const lastStart = last < 0 ? 0 : scale(last) - reach(last);
  let end = -Infinity; // of the last label taken
  /** @type {Tick[]} */
  const ticks = [];
  labels.forEach((text, value) => {
    if (scale(value) - reach(value) < end || (value < last && scale(value) + reach(value) > lastStart)) return;
    end = scale(value) + reach(value);
    ticks.push({ value, text });
  });
  return ticks;
}

/** @param {Pen} pen @param {CurveChart} chart @param {CockpitPicture} frame */
export function drawCurve(pen, chart, frame) {
  const { colours: { ink, muted, paper, accent }, curve } = frame;
  const r = Math.min(4, Math.max(1.6, chart.X.step / 4));
  /** @type {ChartCurve[]} */
  const curves = [
    { name: "training", values: curve.training_error, colour: muted, width: 2, dot: { r, fill: muted } },
    { name: "held out", values: curve.held_out_error, colour: accent, width: 2.4, dot: { r, fill: paper, stroke: accent, width: 1.6 } },
  ];
  /** @type {LegendEntry[]} */
  const choices = [];
  if (frame.baseline !== undefined) drawBaseline(pen, chart, frame, frame.baseline);
  if (hasFolds(curve)) {
    const style = { width: 1.4, dash: [5, 4] };
    curves.unshift({ values: curve.mean, colour: ink, ...style, band: curve.standard_error, bandOpacity: 0.09 }); // under the others
    choices.push({ text: curve.fold_text, symbolWidth: 14, draw: (x, y) => drawLine(pen, [x - 7, y, x + 7, y], { stroke: ink, ...style }) });
    choices.push({ text: "least", draw: (x, y) => drawSymbol(pen, "star", x, y, 7, { fill: ink }) });
    if (hasTwoChoices(curve)) choices.push({ text: "one standard error", draw: (x, y) => drawSymbol(pen, "diamond", x, y, 5, { fill: ink }) });
  }
  drawChart(pen, chart, frame, curves, choices);
  if (hasFolds(curve)) drawChoices(pen, chart, frame, curve);
}

/** Draw a line at the error of the baseline, which predicts the same for all rows, with its name. An error above the axis
 *  has no line: its text stands at the upper end.
 *  @param {Pen} pen @param {CurveChart} chart @param {CockpitPicture} frame @param {number} error */
function drawBaseline(pen, { plane: { x, y: top, w }, Y }, frame, error) {
  const [y, name, colour] = [Y(error), frame.baseline_name ?? "", frame.colours.muted];
  const isAbove = y < top;
  if (!isAbove) drawLine(pen, [x, y, x + w, y], { stroke: colour });
  drawText(pen, frame, isAbove ? `${name} ${errorText(frame, error)} ↑` : name, x + w / 2, isAbove ? top : y + 4, {
    size: 11, colour, align: "center", baseline: "top", room: w,
  });
}

/** True if the simplest tree within one standard error of the least mean is another than the tree with that mean.
 *  @param {FoldedCurve} curve */
const hasTwoChoices = ({ best_place: best, simplest_place: simplest }) => simplest !== best;

/** Draw a star at the tree with the least mean of the folds, and a diamond at the simplest tree within one standard error
 *  of it if that is another tree.
 *  @param {Pen} pen @param {CurveChart} chart @param {CockpitPicture} frame @param {FoldedCurve} curve */
function drawChoices(pen, { X, Y }, { colours: { ink, paper } }, curve) {
  /** @type {Array<[place: number, shape: string, r: number]>} */
  const choices = [[curve.simplest_place, "diamond", 6], [curve.best_place, "star", 8]];
  for (const [place, shape, r] of hasTwoChoices(curve) ? choices : choices.slice(1)) {
    drawSymbol(pen, shape, X(place), Y(curve.mean[place]), r, { fill: ink, stroke: paper });
  }
}

/** Draw an upright line at a place, with a dot on each error there. A tree with no place on the curve (-1), such as a
 *  pruned one, has a horizontal line at each of its `errors` instead.
 *  @param {Pen} pen @param {CurveChart} chart @param {CockpitPicture} frame @param {number} place
 *  @param {Array<number | null>} errors  on the training rows and on the held-out rows */
export function drawPlace(pen, { plane, X, Y }, { colours: { muted, accent }, curve }, place, errors) {
  if (place < 0) {
    errors.forEach((error, k) => {
      if (error === null || !Number.isFinite(error)) return;
      const y = Math.max(Y(error), plane.y);
      drawLine(pen, [plane.x, y, plane.x + plane.w, y], { stroke: [muted, accent][k], width: 1.6, dash: [2, 4] });
    });
    return;
  }
  const [x, foot] = [X(place), plane.y + plane.h];
  drawHairline(pen, { ...plane, y: plane.y - 4, h: plane.h + 4 }, x, { stroke: accent, width: 1.6 });
  drawLine(pen, [x - 6, foot + 7, x + 6, foot + 7, x, foot], { fill: accent });
  for (const [values, fill] of /** @type {const} */ ([[curve.training_error, muted], [curve.held_out_error, accent]])) {
    if (Number.isFinite(values[place])) drawCircle(pen, x, Y(values[place]), 5, { fill });
  }
}
