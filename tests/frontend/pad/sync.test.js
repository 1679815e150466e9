import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { Sync } from "../../../dtviz/frontend/pad/sync.js";
import { hosted } from "../hosts.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

const A = [1, 1, 0];
const B = [2, 2, 1];
const frame = (rows) => ({
  kind: "pad", x: Float64Array.from(rows, (row) => row[0]), y: Float64Array.from(rows, (row) => row[1]), value: Float64Array.from(rows, (row) => row[2]),
});

/** The sync of a pad that has a first frame, and the events it sent; `hear` returns true if a frame had news. */
function begun(rows = []) {
  const hosting = hosted();
  const sync = new Sync(hosting.host);
  const hear = (next, heard) => {
    hosting.show(frame(next), heard);
    return sync.receive(hosting.host.frame);
  };
  hear(rows, 0);
  return { ...hosting, sync, hear };
}

test("a change is shown at once and sent with its number", () => {
  const { sync, sent } = begun();
  sync.change([[null, A]], "classes", 0);
  assert.deepEqual(sync.rows, [A]);
  assert.deepEqual(sent, [{ what: "points", target: "classes", change: [[null, A]] }]);
});

test("events that Python has not acknowledged are sent again with those that follow, and apply to its frames", () => {
  const { sync, hear, numbers } = begun();
  sync.change([[null, A]], "classes", 0);
  sync.change([[null, B]], "classes", 0);
  assert.deepEqual(numbers(), [1, 2]);
  assert.equal(hear([A], 1), false);
  assert.deepEqual(sync.rows, [A, B]);
  sync.change([[A, null]], "classes", 0);
  assert.deepEqual(numbers(), [2, 3]);
  assert.equal(hear([B], 3), false);
  assert.deepEqual(sync.rows, [B]);
});

test("undo shows the rows before, redo the rows after, and both are sent to Python", () => {
  const { sync, sent } = begun();
  sync.change([[null, A]], "classes", 0);
  sync.change([[null, B]], "classes", 0);
  sync.undo();
  assert.deepEqual(sync.rows, [A]);
  sync.undo();
  assert.deepEqual(sync.rows, []);
  sync.redo();
  assert.deepEqual(sync.rows, [A]);
  sync.redo();
  assert.deepEqual(sync.rows, [A, B]);
  assert.deepEqual(sent.map(({ what }) => what), ["points", "points", "undo", "undo", "redo", "redo"]);
});

test("after a new change there is nothing to redo", () => {
  const { sync } = begun();
  sync.change([[null, A]], "classes", 0);
  sync.undo();
  assert.equal(sync.future.length, 1);
  sync.change([[null, B]], "classes", 0);
  assert.equal(sync.future.length, 0);
  sync.redo();
  assert.deepEqual(sync.rows, [B]);
});

test("an undo of what this pad does not remember waits for Python", () => {
  const { sync, hear, sent } = begun([A]);
  sync.undo();
  assert.deepEqual(sync.rows, [A]);
  assert.equal(sent[0].what, "undo");
  assert.equal(hear([], 1), true);
  assert.deepEqual(sync.rows, []);
});

test("rows from elsewhere are news, and clear the history of the pad", () => {
  const { sync, hear } = begun();
  sync.change([[null, A]], "classes", 0);
  assert.equal(hear([B], 1), true);
  assert.deepEqual([sync.rows, sync.past, sync.future], [[B], [], []]);
});

test("a change may wait for a cell that is typed in, and is sent at once when the pointer leaves", () => {
  const { sync, sent, host } = begun();
  sync.change([[null, A]], "classes", 400);
  assert.deepEqual(sent, []);
  mock.timers.tick(399);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  assert.equal(sent.length, 1);
  sync.change([[null, B]], "classes", 400);
  host.flush();
  assert.equal(sent.length, 2);
  host.flush();
  assert.equal(sent.length, 2);
});
