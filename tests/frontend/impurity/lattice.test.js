import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { gridOf, nearestTriple, positionOf, traceBand, tripleIndex } from "../../../dtviz/frontend/impurity/lattice.js";
import { bytesOf, expected } from "../expected.js";

const TRIANGLE = { x: 200, y: 20, side: 240 };
const HEIGHT_OF_SIDE = Math.sqrt(3) / 2;

/** Every triple of a lattice. */
function triples(total) {
  const list = [];
  for (let a = 0; a <= total; a++) for (let b = 0; a + b <= total; b++) list.push([a, b, total - a - b]);
  return list;
}

/** A path that keeps its polygons, and gives the area of all. */
function traced() {
  const polygons = [];
  return {
    polygons,
    moveTo: (x, y) => { polygons.push([[x, y]]); },
    lineTo: (x, y) => { polygons.at(-1).push([x, y]); },
    arc() {},
    closePath() {},
    area: () => polygons.reduce((sum, corners) => sum + Math.abs(corners.reduce((twice, [x, y], k) => {
      const [u, v] = corners[(k + 1) % corners.length];
      return twice + x * v - u * y;
    }, 0)) / 2, 0),
  };
}

test("the index of a triple is that of its value in the frame", () => {
  const { frame, told: samples } = expected.shares.simplex;
  const { curves, divergence: divergences, total } = unpack(bytesOf(frame));
  const indexOf = tripleIndex(total);
  for (const { parts, values: expectedValues, divergence } of samples) {
    curves.forEach(({ values }, k) => assert.ok(Math.abs(values[indexOf(parts)] - expectedValues[k]) < 1e-12));
    assert.ok(Math.abs(divergences[indexOf(parts)] - divergence) < 1e-12);
  }
});

test("all orders of a triple have one index, and other triples have others", () => {
  for (const total of [1, 2, 3, 7, 60]) {
    const indexOf = tripleIndex(total);
    const indices = new Set(triples(total).map(indexOf));
    assert.ok(!indices.has(undefined));
    assert.equal(indices.size, new Set(triples(total).map((triple) => triple.toSorted((a, b) => a - b).join())).size);
    assert.equal(Math.max(...indices), indices.size - 1);
  }
});

test("the nearest triple of a position is the triple drawn there", () => {
  for (const triple of triples(12)) assert.deepEqual(nearestTriple(TRIANGLE, 12, positionOf(TRIANGLE, 12, triple)), triple);
});

test("the corners are each a class alone", () => {
  assert.deepEqual(positionOf(TRIANGLE, 60, [60, 0, 0]), { x: 200, y: 20 });
  assert.deepEqual(positionOf(TRIANGLE, 60, [0, 60, 0]), { x: 80, y: 20 + 240 * HEIGHT_OF_SIDE });
  assert.deepEqual(positionOf(TRIANGLE, 60, [0, 0, 60]), { x: 320, y: 20 + 240 * HEIGHT_OF_SIDE });
});

test("a point outside the triangle gives the nearest triple on the edge", () => {
  assert.deepEqual(nearestTriple(TRIANGLE, 60, { x: 200, y: -500 }), [60, 0, 0]);
  assert.deepEqual(nearestTriple(TRIANGLE, 60, { x: -900, y: 400 }), [0, 60, 0]);
  assert.deepEqual(nearestTriple(TRIANGLE, 60, { x: 200, y: 999 }), [0, 30, 30]);
  for (const point of [{ x: 0, y: 0 }, { x: 401.3, y: 77.7 }, { x: 333, y: 250 }]) {
    const triple = nearestTriple(TRIANGLE, 60, point);
    assert.equal(triple[0] + triple[1] + triple[2], 60);
    assert.ok(triple.every((part) => Number.isInteger(part) && part >= 0));
    const distance = ({ x, y }) => Math.hypot(x - point.x, y - point.y);
    const smallest = Math.min(...triples(60).map((corner) => distance(positionOf(TRIANGLE, 60, corner))));
    assert.ok(distance(positionOf(TRIANGLE, 60, triple)) < smallest + 240 / 60); // of the nearest or its neighbours
  }
});

test("the lowest band is the whole triangle, a strip a row", () => {
  const path = traced();
  traceBand(path, TRIANGLE, 6, gridOf(6, () => 1), 0);
  assert.equal(path.polygons.length, 6);
  assert.ok(Math.abs(path.area() - (240 * 240 * HEIGHT_OF_SIDE) / 2) < 1e-6);
});

test("a band of a plane ends on the line where it should", () => {
  const path = traced();
  traceBand(path, TRIANGLE, 7, gridOf(7, ([a]) => a / 7), 0.4); // the upper corner's part, 0.6 of the height
  assert.ok(Math.abs(path.area() - 0.36 * ((240 * 240 * HEIGHT_OF_SIDE) / 2)) < 1e-6);
  const low = 20 + 240 * HEIGHT_OF_SIDE * 0.6;
  assert.ok(path.polygons.flat().every(([, y]) => y <= low + 1e-9));
});

test("a band in several parts along a row has them all", () => {
  const path = traced();
  const stripes = ([, b]) => (b % 4 < 2 ? 1 : -1);
  traceBand(path, TRIANGLE, 8, gridOf(8, stripes), 0);
  const small = (30 * 30 * HEIGHT_OF_SIDE) / 2;
  const columns = triples(8).filter(([a, b]) => a < 8 && b < 8 - a);
  const countHigh = (corners) => corners.filter((corner) => stripes(corner) > 0).length;
  const share = [0, 1 / 4, 3 / 4, 1]; // lines through the middles of two sides
  const area = columns.reduce((sum, [a, b, c]) => sum
    + share[countHigh([[a, b, c], [a + 1, b, c - 1], [a, b + 1, c - 1]])]
    + (c > 1 ? share[countHigh([[a + 1, b + 1, c - 2], [a + 1, b, c - 1], [a, b + 1, c - 1]])] : 0), 0);
  assert.ok(Math.abs(path.area() - area * small) < 1e-6);
});

test("above all values there is no band", () => {
  const path = traced();
  traceBand(path, TRIANGLE, 5, gridOf(5, ([a]) => a), 6);
  assert.deepEqual(path.polygons, []);
});
