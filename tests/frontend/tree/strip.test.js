import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { drawStrip, drawRows, splitStrip } from "../../../dtviz/frontend/tree/strip.js";

const PLACE = { x: 10, y: 20, w: 40, h: 18 };
const strip = { left: 1, counts: Uint8Array.of(0, 255, 100, 0, 0, 0, 100, 255), colours: ["red", "blue"], classes: true };

/** The numbers of each figure of a path, by its first letter. */
const figures = (shape) => shape.getAttribute("d").split("M").slice(1).map((figure) => figure.match(/-?[\d.]+/g).map(Number));

test("classes stand on one another, each bin as high as its rows", () => {
  const [, red, blue] = drawStrip(strip, PLACE, "black").children;
  assert.deepEqual([red, blue].map((path) => path.getAttribute("fill")), ["red", "blue"]);
  const assertClose = (a, b) => assert.ok(Math.abs(a - b) < 0.01, `${a}, ${b}`);
  const [[x0, y0, , high0], [x1, y1, , high1]] = figures(red);
  [[x0, 20], [y0, 20], [high0, 18], [x1, 30]].forEach(([a, b]) => assertClose(a, b));
  assertClose(y1, 38 - 18 * (100 / 255));
  assertClose(high1, 18 * (100 / 255));
  const [[x2, y2]] = figures(blue);
  assertClose(x2, 30);
  assertClose(y2, y1 - 18 * (100 / 255)); // on the red ones of its bin
});

test("the cut stands between the bins of its sides", () => {
  const cut = drawStrip(strip, PLACE, "black").lastChild;
  const [[x, , wide]] = figures(cut);
  assert.equal(x + wide / 2, 20);
  assert.equal(cut.getAttribute("fill"), "black");
});

test("of a number every cell stands at the level of its rows, higher where there are more", () => {
  const [, low, high] = drawStrip({ ...strip, classes: false }, PLACE, "black").children;
  const [[x0, top0, , high0], [x1, top1, , high1]] = figures(low);
  assert.deepEqual([x0, x1], [20, 30]);
  for (const middle of [top0 + high0 / 2, top1 + high1 / 2]) assert.ok(Math.abs(middle - (38 - 18 * 0.25)) < 0.02);
  assert.ok(high0 > high1);
  const [, top, , tall] = figures(high)[0];
  assert.ok(Math.abs(top + tall / 2 - (38 - 18 * 0.75)) < 0.02);
});

test("the two sides of a strip have all its rows, each where it was", () => {
  const [left, right] = splitStrip(strip).map((side) => drawRows(side, PLACE).flatMap(figures));
  const allRows = drawRows(strip, PLACE).flatMap(figures);
  assert.deepEqual([left.length, right.length], [0, 4]); // the first bin is empty
  assert.deepEqual([...left, ...right].toSorted(), allRows.toSorted());
  const otherSides = splitStrip({ ...strip, left: 2 }).map((side) => drawRows(side, PLACE).flatMap(figures));
  assert.deepEqual(otherSides.map(({ length }) => length), [1, 3]);
  assert.deepEqual(otherSides.flat().toSorted(), allRows.toSorted());
});
