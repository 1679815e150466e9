import assert from "node:assert/strict";
import test from "node:test";

import { mark, markPath } from "../../../dtviz/frontend/draw/shapes.js";
import { SvgPen } from "../../../dtviz/frontend/draw/svg_pen.js";
import { expected } from "../expected.js";

/** The corners of a shape round (x, y). */
function corners(shape, x = 0, y = 0, r = 10) {
  const parts = [];
  const add = (...point) => parts.push(point);
  mark({ moveTo: add, lineTo: add, arc: (cx, cy, R) => parts.push([cx - R, cy - R], [cx + R, cy + R]), closePath() {} }, shape, x, y, r);
  return parts;
}

test("every shape that Python names is known, closed and its own", () => {
  const paths = expected.symbols.map((shape) => markPath(shape, 10));
  for (const path of paths) assert.match(path, /^M.*Z$/);
  assert.equal(new Set(paths).size, paths.length);
});

test("every shape stands round its place, about as large as asked", () => {
  for (const shape of expected.symbols) {
    for (const [index, middle] of [[0, 100], [1, 200]]) {
      const side = corners(shape, 100, 200).map((corner) => corner[index] - middle);
      assert.ok(Math.min(...side) >= -13 && Math.max(...side) <= 13, shape);
      assert.ok(Math.min(...side) <= -7.5 && Math.max(...side) >= 7.5, shape);
      const tolerance = shape === "circle" || shape.startsWith("triangle") || shape === "pentagon" || shape === "star" ? 3.5 : 0.01;
      assert.ok(Math.abs(Math.min(...side) + Math.max(...side)) <= tolerance, shape);
    }
  }
});

test("the triangles point where they say", () => {
  const tip = (shape, pick) => corners(shape).filter(([, y]) => y === pick(...corners(shape).map((corner) => corner[1])));
  assert.equal(tip("triangle-up", Math.min).length, 1);
  assert.equal(tip("triangle-down", Math.max).length, 1);
});

test("a star has five points and a hexagon six corners", () => {
  assert.equal(corners("star").length, 10);
  assert.equal(corners("pentagon").length, 5);
  assert.equal(corners("hexagon").length, 6);
  const far = corners("star").map(([x, y]) => Math.hypot(x, y).toFixed(2));
  assert.deepEqual([...new Set(far)], ["10.00", "4.50"]);
});

test("the path of the palette is the shape of the pictures", () => {
  for (const shape of expected.symbols.filter((name) => name !== "circle")) {
    const pen = new SvgPen(40, 40, null);
    pen.beginPath();
    mark(pen, shape, 0, 0, 10);
    const numbers = (path) => path.match(/-?[\d.]+/g).map(Number);
    assert.deepEqual(numbers(pen.pathData), numbers(markPath(shape, 10)), shape);
  }
});
