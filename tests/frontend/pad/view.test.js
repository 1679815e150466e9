import assert from "node:assert/strict";
import test from "node:test";

import { fitView, extendView, HOME, roundPosition, rowsOutside, pixelOf, positionAt, isInView } from "../../../dtviz/frontend/pad/view.js";

const VIEW = { x: [0, 10], y: [-5, 5] };
const AREA = { left: 40, top: 10, width: 500, height: 250 };

test("values stand across from left to right and up from bottom to top", () => {
  assert.deepEqual(pixelOf([0, -5], VIEW, AREA), [40, 260]);
  assert.deepEqual(pixelOf([10, 5], VIEW, AREA), [540, 10]);
  assert.deepEqual(pixelOf([5, 2.5], VIEW, AREA), [290, 72.5]);
});

test("the place of a pixel is the value drawn there; beside the plane it is on the rim", () => {
  assert.deepEqual(positionAt([290, 72.5], VIEW, AREA), [5, 2.5]);
  assert.deepEqual(positionAt([0, 999], VIEW, AREA), [0, -5]);
  assert.deepEqual(positionAt([999, 0], VIEW, AREA), [10, 5]);
});

test("a value has three decimals in a view 10 wide, more in a smaller view, fewer in a larger", () => {
  assert.deepEqual(roundPosition([1.23456, -2.34567], VIEW), [1.235, -2.346]);
  assert.deepEqual(roundPosition([1.23456, 1.23456], { x: [0, 0.1], y: [0, 0.01] }), [1.23456, 1.23456]);
  assert.deepEqual(roundPosition([123456, 54321], { x: [0, 1e6], y: [0, 1e5] }), [123500, 54320]);
  assert.ok(Object.is(roundPosition([-0.0001, 0], VIEW)[0], 0));
});

test("a row on the rim is in view, one beyond an edge is outside on that side", () => {
  assert.ok(isInView(VIEW, [0, 5]) && isInView(VIEW, [10, -5]));
  for (const row of [[-0.1, 0], [10.1, 0], [5, -5.1], [5, 5.1]]) assert.ok(!isInView(VIEW, row));
  assert.deepEqual(rowsOutside(VIEW, [[-1, 0, 0], [11, 0, 1], [5, -6, 2], [5, 6, 3], [5, 0, 4]]), {
    left: [[-1, 0, 0]], right: [[11, 0, 1]], below: [[5, -6, 2]], above: [[5, 6, 3]],
  });
});

test("rows that fill the usual view well keep it", () => {
  assert.equal(fitView([]), HOME);
  assert.equal(fitView([[1, 1], [9, 9], [5, 5]]), HOME);
  assert.equal(fitView([[1, 1], [1.1, 1]]), HOME); // two rows are too few to come nearer
});

test("other rows get a view of all of them, with a margin", () => {
  for (const rows of [[[1, 1], [1.2, 1.1], [1.1, 1.3]], [[-50, 3], [90, 4]], [[1e6, 2], [1e6, 2]], [[100, 100]]]) {
    const view = fitView(rows);
    assert.notEqual(view, HOME);
    for (const [x, y] of rows) {
      assert.ok(x > view.x[0] && x < view.x[1] && y > view.y[0] && y < view.y[1]);
    }
  }
  const tall = fitView([[5, 2], [5.01, 4], [5.02, 4.9]]);
  assert.equal(tall, HOME); // they fill it well, up and down
  const { x } = fitView([[-50, 3], [90, 4]]);
  assert.ok(x[0] > -65 && x[1] < 105);
});

test("a view is extended just to the rows", () => {
  const view = extendView(VIEW, [[12, 0]]);
  assert.ok(view.x[0] === 0 && view.x[1] > 12 && view.x[1] < 13.5);
  assert.deepEqual(view.y, VIEW.y);
  const low = extendView(VIEW, [[5, -8]]);
  assert.ok(low.y[0] < -8 && low.y[0] > -9.5 && low.y[1] === 5);
});
