// Error curves of an ensemble by round, each with a band of its standard error, and a mark at the round that is shown.

import { drawHairline } from "../draw/axes.js";
import { drawChart, layOutChart } from "../draw/chart.js";
import { drawCircle } from "../draw/marks.js";
import { points, ticks } from "../draw/scales.js";

/** @import { CurveChart, FrameOf, Pen } from "../types.d.ts" */

const MARGINS = { top: 30, foot: 40, right: 12 };

/** Frame of the page Forest, with the font family of the page.
 *  @typedef {FrameOf<"forest"> & { family: string }} ForestPicture */

/** Lay the curves out. The place of a round is the round less 1, since rounds count from 1.
 *  @param {{ width: number, height: number }} size @param {ForestPicture} frame @param {Pen} pen @returns {CurveChart} */
export function layOutCurve(size, frame, pen) {
  const count = Math.max(...frame.errors.map(({ error }) => error.length), 1);
  return layOutChart(size, frame, pen, {
    values: frame.errors.flatMap(({ error: errors, standard_error: band }) => Array.from(errors, (error, k) => error + band[k])),
    percent: frame.percent, margins: MARGINS, title: `${frame.round_name} so far`,
    across: (from, to) => points(count, from, to),
    ticksOf: () => roundTicks(count),
  });
}

/** Ticks of rounds; no round whose text would touch that of round 1.
 *  @param {number} count */
function roundTicks(count) {
  const rounds = ticks(1, count, 5).filter(({ value }) => Number.isInteger(value) && value > 1 + count / 12);
  return [{ value: 1, text: "1" }, ...rounds].map(({ value, text }) => ({ value: value - 1, text }));
}

/** Round nearest to the x of a pixel.
 *  @param {CurveChart} chart @param {number} x */
export const roundAt = ({ X }, x) => X.invert(x) + 1;

/** @param {Pen} pen @param {CurveChart} chart @param {ForestPicture} frame @param {number} round */
export function drawCurve(pen, chart, frame, round) {
  const { colours, errors: curves } = frame;
  drawHairline(pen, chart.plane, chart.X(round - 1), { stroke: colours.ink });
  drawChart(pen, chart, frame, curves.map(({ name, error, standard_error: band, style }) => ({
    name, values: error, band, colour: colours[style], width: style === "accent" ? 2.4 : 1.7,
  })));
  for (const { error: errors, style } of curves) {
    const place = Math.min(round, errors.length) - 1; // a curve may have fewer rounds than the longest
    if (!Number.isFinite(errors[place])) continue;
    drawCircle(pen, chart.X(place), chart.Y(errors[place]), 4.5, { fill: colours[style], stroke: colours.paper });
  }
}
