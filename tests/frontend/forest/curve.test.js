import assert from "node:assert/strict";
import test from "node:test";

import { drawCurve, layOutCurve, roundAt } from "../../../dtviz/frontend/forest/curve.js";
import { near } from "../scenes.js";
import { calls, recorder, texts } from "../pen.js";

const COLOURS = { grid: "#ddd", muted: "#777", ink: "#000", accent: "#06c", paper: "#fff" };
const TRAINING = { name: "training", style: "muted", error: [0.3, 0.1, 0.05, 0], standard_error: [0, 0, 0, 0] };
const OUT_OF_BAG = { name: "out of bag", style: "accent", error: [Number.NaN, 0.4, 0.3, 0.2], standard_error: [Number.NaN, 0.1, 0.05, 0.05] };
const frameOf = (errors) => ({ errors, percent: true, round_name: "trees", family: "sans-serif", colours: COLOURS });

function drawn(errors, round) {
  const [pen, frame] = [recorder(), frameOf(errors)];
  const layout = layOutCurve({ width: 400, height: 240 }, frame, pen);
  drawCurve(pen, layout, frame, round);
  return { pen, layout };
}

test("rounds go from the left edge to the right one, and a pixel gives the nearest round", () => {
  const { layout } = drawn([TRAINING], 1);
  assert.deepEqual([layout.X(0), layout.X(3)], [layout.plane.x, layout.plane.x + layout.plane.w]);
  for (const round of [1, 2, 3, 4]) assert.equal(roundAt(layout, layout.X(round - 1) + 5), round);
  assert.deepEqual([roundAt(layout, -99), roundAt(layout, 9999)], [1, 4]);
});

test("a curve starts at its first round with an error, its band goes no lower than no error", () => {
  const { pen, layout } = drawn([TRAINING, OUT_OF_BAG], 4);
  const line = calls(pen, "stroke").find(({ strokeStyle, lineWidth, path }) => strokeStyle === COLOURS.accent && lineWidth === 2.4 && path.length === 3);
  line.path.forEach(([, x, y], k) => assert.ok(near(x, layout.X(k + 1)) && near(y, layout.Y(OUT_OF_BAG.error[k + 1]))));
  const bands = calls(pen, "fill").filter(({ globalAlpha }) => globalAlpha === 0.14);
  assert.equal(bands.length, 1); // training has none
  const [band] = bands;
  assert.ok(near(band.path[0][2], layout.Y(0.5)) && near(band.path[5][2], layout.Y(0.3)));
  for (const [, , y] of band.path.slice(0, 6)) assert.ok(y <= layout.Y(0));
});

test("the round that is shown has its line, and a dot on every curve that has an error there", () => {
  for (const [round, dots] of [[1, 1], [3, 2]]) {
    const { pen, layout } = drawn([TRAINING, OUT_OF_BAG], round);
    const line = calls(pen, "stroke").find(({ strokeStyle }) => strokeStyle === COLOURS.ink);
    assert.ok(line.path.every(([, x]) => near(x, layout.X(round - 1))));
    const marks = calls(pen, "fill").filter(({ path }) => path[0][0] === "arc");
    assert.equal(marks.length, dots);
    for (const { path: [[, x]] } of marks) assert.ok(near(x, layout.X(round - 1)));
  }
});

test("the legend names the curves, the axis says what the rounds are", () => {
  const written = texts(drawn([TRAINING, OUT_OF_BAG], 2).pen);
  for (const text of ["training", "out of bag", "trees so far", "1", "4"]) assert.ok(written.includes(text), text);
});
