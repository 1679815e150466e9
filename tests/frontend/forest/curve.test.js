import assert from "node:assert/strict";
import test from "node:test";

import { curveLayout, drawCurve, roundAt } from "../../../dtviz/frontend/forest/curve.js";
import { near } from "../scenes.js";
import { calls, recorder, texts } from "../pen.js";

const COLOURS = { grid: "#ddd", muted: "#777", ink: "#000", accent: "#06c", paper: "#fff" };
const TRAINING = { name: "training", look: "muted", error: [0.3, 0.1, 0.05, 0], band: [0, 0, 0, 0] };
const OUT = { name: "out of bag", look: "accent", error: [Number.NaN, 0.4, 0.3, 0.2], band: [Number.NaN, 0.1, 0.05, 0.05] };
const frameOf = (errors) => ({ errors, percent: true, counted: "trees", family: "sans-serif", colours: COLOURS });

function drawn(errors, round) {
  const [pen, frame] = [recorder(), frameOf(errors)];
  const at = curveLayout({ width: 400, height: 240 }, frame, pen);
  drawCurve(pen, at, frame, round);
  return { pen, at };
}

test("rounds stand from the left edge to the right one, the one under a pixel is the nearest", () => {
  const { at } = drawn([TRAINING], 1);
  assert.deepEqual([at.X(1), at.X(4)], [at.plane.x, at.plane.x + at.plane.w]);
  for (const round of [1, 2, 3, 4]) assert.equal(roundAt(at, at.X(round) + 5), round);
  assert.deepEqual([roundAt(at, -99), roundAt(at, 9999)], [1, 4]);
});

test("a curve starts at its first round with an error, its band around it and not below none", () => {
  const { pen, at } = drawn([TRAINING, OUT], 4);
  const line = calls(pen, "stroke").find(({ strokeStyle, lineWidth, path }) => strokeStyle === COLOURS.accent && lineWidth === 2.4 && path.length === 3);
  line.path.forEach(([, x, y], k) => assert.ok(near(x, at.X(k + 2)) && near(y, at.Y(OUT.error[k + 1]))));
  const [band, ...more] = calls(pen, "fill").filter(({ globalAlpha }) => globalAlpha === 0.14);
  assert.equal(more.length, 0);  // training has none
  assert.ok(near(band.path[0][2], at.Y(0.5)) && near(band.path[5][2], at.Y(0.3)));
  for (const [, , y] of band.path.slice(0, 6)) assert.ok(y <= at.Y(0));
});

test("the round looked at has its line, and a dot on every curve that has an error there", () => {
  for (const [round, dots] of [[1, 1], [3, 2]]) {
    const { pen, at } = drawn([TRAINING, OUT], round);
    const line = calls(pen, "stroke").find(({ strokeStyle }) => strokeStyle === COLOURS.ink);
    assert.ok(line.path.every(([, x]) => near(x, at.X(round))));
    const found = calls(pen, "fill").filter(({ path }) => path[0][0] === "arc");
    assert.equal(found.length, dots);
    for (const { path: [[, x]] } of found) assert.ok(near(x, at.X(round)));
  }
});

test("the legend names the curves, the axis what is counted", () => {
  const written = texts(drawn([TRAINING, OUT], 2).pen);
  for (const text of ["training", "out of bag", "trees so far", "1", "4"]) assert.ok(written.includes(text), text);
});
