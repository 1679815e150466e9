// Charts: curves over places or numbers, on a plane with a grid, an axis and a legend. A new chart is a call of `layOutChart`
// with its scale and texts, and a call of `drawChart` with its curves.

// @ts-types="../vendor/d3.d.ts"
import { area, line } from "../vendor/d3.js";
import { drawAcross, drawLegend, drawUp } from "./axes.js";
import { drawCircle, drawLine, drawPath, textWidth } from "./marks.js";
import { linear, ticks } from "./scales.js";

/** @import { Chart, ChartCurve, ChartOptions, Ink, LegendEntry, Pen } from "../types.d.ts" */

const LEGEND_LINE = 18; // pixels of the piece of a curve in the legend

/** Lay a chart out: heights from 0 at the foot to just above the largest of `values`, NaN for none.
 *  @template {import("../types.d.ts").Scale} S
 *  @param {{ width: number, height: number }} size @param {Ink} scene @param {Pen} pen @param {ChartOptions<S>} options @returns {Chart<S>} */
export function layOutChart({ width, height }, scene, pen, { values, percent = false, head = 1.06, tickCount = 5, margins, across, ticksOf, title }) {
  let largest = 0;
  for (const value of values) if (Number.isFinite(value)) largest = Math.max(largest, value);
  const top = head * (largest || 1);
  const yTicks = percent
    ? ticks(0, 100 * top, tickCount).map(({ value, text }) => ({ value: value / 100, text: `${text} %` }))
    : ticks(0, top, tickCount);
  const x = Math.max(...yTicks.map(({ text }) => text).map(textWidth(pen, scene)), 10, (margins.left ?? 0) - 14) + 14;
  const plane = { x, y: margins.top, w: width - x - margins.right, h: height - margins.top - margins.foot };
  const X = across(plane.x, plane.x + plane.w);
  return {
    width, height, plane, X, yTicks, title, xTicks: ticksOf(X, textWidth(pen, scene)), legendRows: Math.max(1, Math.floor(margins.top / 20)),
    Y: linear(0, top, plane.y + plane.h, plane.y),
  };
}

/** Draw grid, axis and curves, the bands of all curves under their lines, and the legend of those with a name.
 *  @param {Pen} pen @param {Chart} chart @param {Ink} scene @param {ChartCurve[]} curves
 *  @param {LegendEntry[]} [otherEntries]  of the legend, for what is drawn over the curves */
export function drawChart(pen, chart, scene, curves, otherEntries = []) {
  const { plane, xTicks, yTicks, X, Y, title } = chart;
  drawUp(pen, scene, { plane, scale: Y, ticks: yTicks, hasGrid: true });
  drawAcross(pen, scene, { x: plane.x, w: plane.w, foot: plane.y + plane.h, scale: X, ticks: xTicks, title });
  for (const curve of curves) drawBand(pen, chart, curve);
  for (const curve of curves) drawCurve(pen, chart, curve);
  const entries = [...curves.filter(({ name }) => name).map((curve) => entryOf(pen, curve)), ...otherEntries];
  if (entries.length) drawLegend(pen, scene, entries, { left: plane.x, right: chart.width, y: 10, rows: chart.legendRows });
}

/** Places of the values that are numbers; the line of a curve leads over the others.
 *  @param {ArrayLike<number>} values */
const placesWith = (values) => Array.from(values, (_, place) => place).filter((place) => Number.isFinite(values[place]));

/** @param {Pen} pen @param {Chart} chart @param {ChartCurve} curve */
function drawBand(pen, { X, Y }, { values, band, bandOpacity, colour }) {
  const places = placesWith(values);
  if (!band || !places.some((place) => band[place] > 0)) return;
  drawPath(pen, (path) => area().x(X).y1((place) => Y(values[place] + band[place]))
    .y0((place) => Y(Math.max(values[place] - band[place], 0))).context(path)(places), { fill: colour, opacity: bandOpacity ?? 0.14 });
}

/** @param {Pen} pen @param {Chart} chart @param {ChartCurve} curve */
function drawCurve(pen, { X, Y }, { values, colour, width, dash = [], dot }) {
  const places = placesWith(values);
  drawPath(pen, (path) => line().x(X).y((place) => Y(values[place])).context(path)(places), { stroke: colour, width, dash });
  if (dot) for (const place of places) drawCircle(pen, X(place), Y(values[place]), dot.r, dot);
}

/** Entry of the legend: the dot of a curve, or a piece of its line.
 *  @param {Pen} pen @param {ChartCurve} curve @returns {LegendEntry} */
function entryOf(pen, { name = "", colour, width, dash = [], dot }) {
  return dot
    ? { text: name, draw: (x, y) => drawCircle(pen, x, y, 4, dot) }
    : { text: name, symbolWidth: LEGEND_LINE, draw: (x, y) => drawLine(pen, [x - LEGEND_LINE / 2, y, x + LEGEND_LINE / 2, y], { stroke: colour, width, dash }) };
}
