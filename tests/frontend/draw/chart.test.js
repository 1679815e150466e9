import assert from "node:assert/strict";
import test from "node:test";

import { drawChart, layOutChart } from "../../../dtviz/frontend/draw/chart.js";
import { bands, linear } from "../../../dtviz/frontend/draw/scales.js";
import { near } from "../scenes.js";
import { calls, recorder } from "../pen.js";

const SIZE = { width: 400, height: 300 };
const MARGINS = { top: 20, foot: 30, right: 10 };
const COLOURS = { grid: "#ddd", muted: "#777", ink: "#111" };
const SCENE = { family: "sans-serif", colours: COLOURS };
const axisOf = (values, percent = true) => layOutChart(SIZE, SCENE, recorder(), {
  values, percent, margins: MARGINS, title: "places", across: (from, to) => bands(2, from, to), ticksOf: () => [],
});

test("the plane keeps its margins, and room for the widest label to its left", () => {
  const { plane, width, height, yTicks } = axisOf([0.1, 0.4]);
  assert.deepEqual([width, height], [400, 300]);
  assert.equal(plane.y, MARGINS.top);
  assert.ok(near(plane.y + plane.h, 300 - MARGINS.foot));
  assert.ok(near(plane.x + plane.w, 400 - MARGINS.right));
  const pen = recorder();
  const widest = Math.max(...yTicks.map(({ text }) => pen.measureText(text).width));
  assert.ok(plane.x > widest);
});

test("errors stand between the foot, which is none, and the top, just above the largest", () => {
  const layout = axisOf([0.1, Number.NaN, 0.4]);
  assert.ok(near(layout.Y(0), layout.plane.y + layout.plane.h));
  assert.ok(layout.Y(0.4) > layout.plane.y && layout.Y(0.4) < layout.plane.y + 0.1 * layout.plane.h);
  assert.ok(near(layout.Y(0.2) - layout.Y(0.4), layout.Y(0) - layout.Y(0.2)));
});

test("shares are written in per cent, other errors as they are", () => {
  for (const { value, text } of axisOf([0.4]).yTicks) assert.equal(text, `${Math.round(100 * value)} %`);
  for (const { value, text } of axisOf([40], false).yTicks) assert.ok(near(Number(text), value));
});

test("without any error there is a plane all the same", () => {
  for (const none of [[], [0], [Number.NaN]]) {
    const layout = axisOf(none);
    assert.ok(near(layout.Y(0), layout.plane.y + layout.plane.h));
    assert.ok(layout.Y(1) >= layout.plane.y);
  }
});

test("each tick has its line over the plane and its label beside it", () => {
  const layout = axisOf([0.1, 0.4]);
  const pen = recorder();
  drawChart(pen, layout, SCENE, []);
  const grid = calls(pen, "stroke").find(({ strokeStyle }) => strokeStyle === COLOURS.grid);
  const labels = calls(pen, "fillText").slice(0, layout.yTicks.length);
  assert.ok(labels.length > 2 && 2 * labels.length === grid.path.length);
  labels.forEach(({ args: [text, x, y], fillStyle, textAlign }, k) => {
    const { value } = layout.yTicks.find((tick) => tick.text === text);
    assert.ok(near(y, layout.Y(value)) && x < layout.plane.x);
    assert.deepEqual([fillStyle, textAlign], [COLOURS.muted, "right"]);
    const [[, left, first], [, right, last]] = grid.path.slice(2 * k, 2 * k + 2);
    assert.ok(near(first, y) && near(last, y));
    assert.ok(near(left, layout.plane.x) && near(right, layout.plane.x + layout.plane.w));
  });
});

test("a new curve is one call: over numbers, with a name in the legend", () => {
  const pen = recorder();
  const chart = layOutChart(SIZE, SCENE, pen, {
    values: [0, 2], margins: MARGINS, title: "x", across: (from, to) => linear(0, 4, from, to), ticksOf: () => [{ value: 4, text: "four" }],
  });
  drawChart(pen, chart, SCENE, [{ name: "twos", values: [0, Number.NaN, 2], colour: "red", width: 3 }]);
  const curve = calls(pen, "stroke").find(({ strokeStyle, path }) => strokeStyle === "red" && path.length === 2);
  assert.deepEqual(curve.path.map(([, x, y]) => [x, y]), [[chart.X(0), chart.Y(0)], [chart.X(2), chart.Y(2)]]);
  const texts = new Set(calls(pen, "fillText").map(({ args: [text] }) => text));
  for (const text of ["twos", "four", "x"]) assert.ok(texts.has(text), text);
});
