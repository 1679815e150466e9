import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { applyChange, moveChange, nearestRow, startDrag, continueDrag, REACH, SPRAY_RADIUS, moveCrosshair } from "../../../dtviz/frontend/pad/tools.js";
import { pixelOf, positionAt } from "../../../dtviz/frontend/pad/view.js";
import { expected } from "../expected.js";
import { near } from "../scenes.js";

const VIEW = { x: [0, 10], y: [-5, 5] };
const AREA = { left: 40, top: 10, width: 500, height: 250 };
const ROWS = [[1, 1, 0], [1.1, 1, 1], [9, -4, 2], [5, 0, 0]];
const pad = (more = {}) => ({ view: VIEW, area: AREA, rows: ROWS, value: 2, maxRows: 100, ...more });
const spot = (row) => pixelOf(row, VIEW, AREA);

test("a change gives the same rows as in Python, in the same order", () => {
  for (const { rows, change, after } of expected.drawings) assert.deepEqual(applyChange(rows, change), after);
});

test("applying a change leaves the given rows as they were", () => {
  const before = JSON.stringify(ROWS);
  applyChange(ROWS, [[ROWS[0], null], [null, [3, 3, 3]]]);
  assert.equal(JSON.stringify(ROWS), before);
});

test("the nearest row is the one within reach, and none is where all are farther", () => {
  assert.equal(nearestRow(ROWS, spot([5.1, 0.1]), VIEW, AREA, REACH), ROWS[3]);
  assert.equal(nearestRow(ROWS, spot([1.02, 1]), VIEW, AREA, REACH), ROWS[0]);
  assert.equal(nearestRow(ROWS, spot([1.08, 1]), VIEW, AREA, REACH), ROWS[1]);
  assert.equal(nearestRow(ROWS, spot([7, 2]), VIEW, AREA, REACH), null);
  assert.equal(nearestRow(ROWS, spot([7, -3]), VIEW, AREA, Infinity), ROWS[2]);
});

test("Add puts a row of the chosen value where the pointer is, and takes it along", () => {
  const drag = startDrag("add", spot([4, 2]), pad());
  assert.deepEqual(drag.change, [[null, [4, 2, 2]]]);
  continueDrag(drag, spot([6, -1]), pad());
  assert.deepEqual(drag.change, [[null, [6, -1, 2]]]);
});

test("Move takes the row in reach and keeps its value", () => {
  const drag = startDrag("move", spot([5.1, 0]), pad());
  assert.equal(drag.heldRow, ROWS[3]);
  continueDrag(drag, spot([2, 3]), pad());
  assert.deepEqual(drag.change, [[ROWS[3], [2, 3, 0]]]);
  assert.deepEqual(moveChange(ROWS[1], [7, 7]), [ROWS[1], [7, 7, 1]]);
  const none = startDrag("move", spot([7, 2]), pad());
  continueDrag(none, spot([2, 3]), pad());
  assert.deepEqual(none.change, []);
});

test("Erase takes every row in reach once, along the whole drag", () => {
  const drag = startDrag("erase", spot([1, 1]), pad());
  assert.deepEqual(drag.change, [[ROWS[0], null], [ROWS[1], null]]);
  continueDrag(drag, spot([1, 1]), pad());
  assert.equal(drag.change.length, 2);
  const across = startDrag("erase", spot([3, 0]), pad());
  assert.deepEqual(across.change, []);
  continueDrag(across, spot([8, 0]), pad());
  assert.deepEqual(across.change, [[ROWS[3], null]]);
});

test("Spray scatters rows of the chosen value round the pointer, no more than there is room for", () => {
  mock.method(Math, "random", () => 0.4);
  const drag = startDrag("spray", spot([5, 0]), pad());
  assert.equal(drag.change.length, 4);
  for (const [before, after] of drag.change) {
    assert.equal(before, null);
    assert.equal(after[2], 2);
    const [x, y] = spot(after);
    assert.ok(Math.hypot(x - spot([5, 0])[0], y - spot([5, 0])[1]) < 2 * SPRAY_RADIUS);
  }
  continueDrag(drag, [spot([5, 0])[0] + 4, spot([5, 0])[1]], pad());
  assert.equal(drag.change.length, 4); // not far enough
  continueDrag(drag, [spot([5, 0])[0] + 27, spot([5, 0])[1]], pad());
  assert.equal(drag.change.length, 7);
  assert.equal(startDrag("spray", spot([5, 0]), pad({ maxRows: 6 })).change.length, 2);
  assert.equal(startDrag("spray", spot([5, 0]), pad({ maxRows: 4 })).change.length, 0);
  assert.equal(startDrag("spray", [AREA.left - 90, AREA.top], pad()).change.length, 0); // beside the plane
  mock.restoreAll();
});

test("the crosshair moves a fiftieth of the view, with Shift a tenth, and stays inside", () => {
  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  for (const [key, [dx, dy]] of Object.entries(keys)) {
    for (const [isFar, step] of [[false, 0.2], [true, 1]]) {
      const [x, y] = moveCrosshair([5, 0], key, isFar, VIEW);
      assert.ok(near(x, 5 + dx * step, 1e-9) && near(y, dy * step, 1e-9), key);
    }
  }
  assert.deepEqual(moveCrosshair([10, 5], "ArrowRight", false, VIEW), [10, 5]);
  assert.deepEqual(moveCrosshair([10, 5], "ArrowUp", true, VIEW), [10, 5]);
  assert.deepEqual(moveCrosshair([0, -5], "ArrowLeft", true, VIEW), [0, -5]);
  assert.deepEqual(moveCrosshair([0, -5], "ArrowDown", true, VIEW), [0, -5]);
});

test("a row added at a pixel is drawn at that pixel", () => {
  for (const pixel of [[40, 10], [540, 260], [123, 77]]) {
    const [x, y] = pixelOf(positionAt(pixel, VIEW, AREA), VIEW, AREA);
    assert.ok(near(x, pixel[0], 0.3) && near(y, pixel[1], 0.3));
  }
});
