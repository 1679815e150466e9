import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { edgeMatrix, sideBarsOf, nodeMatrixAt, rectMatrix, rowsRectAt, spotsOf, startOf, zoomAt } from "../../../dtviz/frontend/tree/slide.js";

const ROOT = { x: 104, y: 10, w: 60, h: 40 };
const CHILD = { x: 34, y: 110, w: 50, h: 30 };
const VIEW = { x: 7, y: 5, scale: 2 };
const IDENTITY = [1, 0, 0, 1, 0, 0];

const transformed = ([a, b, c, d, e, f], [x, y]) => [a * x + c * y + e, b * x + d * y + f];
const assertClose = (actual, wanted) => actual.forEach((value, k) => assert.ok(Math.abs(value - wanted[k]) < 1e-9, `${actual} ${wanted}`));

test("a node is seen where the view has it", () => {
  assert.deepEqual(spotsOf(new Map([["1", ROOT]]), VIEW).get("1"), { x: 7 + 134 * 2, y: 25, scale: 2 });
});

test("a node stands at first where it was seen, half the way at half the time, in the end in its place", () => {
  const to = { x: 275, y: 25, scale: 2 };
  const from = { x: 235, y: 65, scale: 1 };
  const spotAt = (p) => {
    const zoom = zoomAt(from.scale, to.scale, p);
    const [, , , , dx, dy] = nodeMatrixAt(from, to, VIEW, zoom, p);
    return [VIEW.x + (134 + dx) * 2 * zoom, VIEW.y + (10 + dy) * 2 * zoom]; // of the middle of its top
  };
  assert.deepEqual([0, 0.5, 1].map((p) => zoomAt(1, 2, p)), [0.5, 0.75, 1]);
  assertClose(spotAt(0), [235, 65]);
  assertClose(spotAt(0.5), [255, 45]);
  assertClose(spotAt(1), [275, 25]);
  assert.deepEqual(nodeMatrixAt(from, to, VIEW, 1, 1), IDENTITY);
});

test("an edge keeps to the two nodes that it joins", () => {
  const moved = [[20, 4], [0, 0], [-35, 12]];
  for (const [k, [dx, dy]] of moved.entries()) {
    const upper = [1, 0, 0, 1, dx, dy];
    const lower = [1, 0, 0, 1, ...moved[(k + 1) % 3]];
    const edge = edgeMatrix(ROOT, CHILD, upper, lower);
    for (const [matrix, end] of [[upper, [134, 50]], [lower, [59, 110]]]) assertClose(transformed(edge, end), transformed(matrix, end));
  }
  assertClose(edgeMatrix(ROOT, CHILD, IDENTITY, IDENTITY), IDENTITY);
});

test("a new node comes up below the nearest one that was there, as far below it as it will be", () => {
  const nodes = new Map([["1", { parent: null }], ["2", { parent: "1" }], ["4", { parent: "2" }]]);
  const spots = new Map([["1", { x: 100, y: 0, scale: 1 }], ["2", { x: 60, y: 80, scale: 1 }], ["4", { x: 40, y: 160, scale: 1 }]]);
  const small = new Map([["1", { x: 300, y: 10, scale: 2 }]]);
  assert.deepEqual(startOf("1", { spots, nodes }, small), { x: 300, y: 10, scale: 2 });
  assert.deepEqual(startOf("4", { spots, nodes }, small), { x: 300 - 120, y: 10 + 320, scale: 2 });
  assert.deepEqual(startOf("4", { spots, nodes }, new Map()), spots.get("4"));
});

test("the rows of each side begin in their part of the strip and end over the whole bar of the child", () => {
  const strip = { left: 6, counts: new Uint8Array(46), colours: ["red", "blue"], classes: true };
  const bar = { x: 100, y: 20, w: 46, h: 12 };
  const [left, right] = sideBarsOf(strip, bar);
  assert.deepEqual([left, right], [{ ...bar, w: 12 }, { ...bar, x: 112, w: 34 }]);
  const child = { x: 10, y: 80, w: 40, h: 8 };
  const matrix = [0.5, 0, 0, 0.5, 3, 4]; // the node itself is on its way
  assert.deepEqual(rowsRectAt(right, matrix, child, 0), { x: 59, y: 14, w: 17, h: 6 });
  assert.deepEqual(rowsRectAt(right, matrix, child, 0.5), { x: 34.5, y: 47, w: 28.5, h: 7 });
  assert.deepEqual(rowsRectAt(right, IDENTITY, child, 1), child);
  assertClose(transformed(rectMatrix(right, child), [112, 20]), [10, 80]);
  assertClose(transformed(rectMatrix(right, child), [146, 32]), [50, 88]);
});
