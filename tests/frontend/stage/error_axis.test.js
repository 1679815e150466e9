import assert from "node:assert/strict";
import test from "node:test";

import { drawGrid, errorAxis } from "../../../dtviz/frontend/stage/error_axis.js";
import { near } from "../scenes.js";
import { calls, recorder } from "../pen.js";

const SIZE = { width: 400, height: 300 };
const MARGINS = { top: 20, foot: 30, right: 10 };
const COLOURS = { grid: "#ddd", muted: "#777" };
const frameOf = (percent) => ({ percent, family: "sans-serif", colours: COLOURS });
const axisOf = (errors, percent = true) => errorAxis(SIZE, frameOf(percent), recorder(), errors, MARGINS);

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
  drawGrid(pen, layout, frameOf(true));
  const lines = calls(pen, "stroke");
  const labels = calls(pen, "fillText");
  assert.ok(labels.length > 2 && labels.length === lines.length);
  labels.forEach(({ args: [text, x, y], fillStyle, textAlign }, k) => {
    const { value } = layout.yTicks.find((tick) => tick.text === text);
    assert.ok(near(y, layout.Y(value)) && x < layout.plane.x);
    assert.deepEqual([fillStyle, textAlign], [COLOURS.muted, "right"]);
    const [[, left, first], [, right, last]] = lines[k].path;
    assert.equal(lines[k].strokeStyle, COLOURS.grid);
    assert.ok(near(first, y) && near(last, y));
    assert.ok(near(left, layout.plane.x) && near(right, layout.plane.x + layout.plane.w));
  });
});
