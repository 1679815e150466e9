import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { Sync } from "../../../dtviz/frontend/pad/sync.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

const A = [1, 1, 0];
const B = [2, 2, 1];
const frame = (rows, seen) => ({
  seen, x: Float64Array.from(rows, (row) => row[0]), y: Float64Array.from(rows, (row) => row[1]), value: Float64Array.from(rows, (row) => row[2]),
});

/** A pad's sync that has heard a first frame, and what it sent. */
function begun(rows = [], there = () => true) {
  const sent = [];
  const sync = new Sync((event) => sent.push(structuredClone(event)), there);
  sync.hear(frame(rows, 0));
  return { sync, sent, numbers: () => sent.at(-1).steps.map(({ n }) => n) };
}

test("a change is shown at once and told with its number", () => {
  const { sync, sent } = begun();
  sync.points([[null, A]], "classes", 0);
  assert.deepEqual(sync.rows, [A]);
  assert.deepEqual(sent, [{ what: "steps", steps: [{ n: 1, what: "points", target: "classes", change: [[null, A]] }] }]);
});

test("what Python has not heard is told again with what follows, and stays on what it sends", () => {
  const { sync, numbers } = begun();
  sync.points([[null, A]], "classes", 0);
  sync.points([[null, B]], "classes", 0);
  assert.deepEqual(numbers(), [1, 2]);
  assert.equal(sync.hear(frame([A], 1)), false);
  assert.deepEqual(sync.rows, [A, B]);
  sync.points([[A, null]], "classes", 0);
  assert.deepEqual(numbers(), [2, 3]);
  assert.equal(sync.hear(frame([B], 3)), false);
  assert.deepEqual(sync.rows, [B]);
});

test("undo shows the rows before, redo those after, and Python is told", () => {
  const { sync, sent } = begun();
  sync.points([[null, A]], "classes", 0);
  sync.points([[null, B]], "classes", 0);
  sync.undo();
  assert.deepEqual(sync.rows, [A]);
  sync.undo();
  assert.deepEqual(sync.rows, []);
  sync.redo();
  assert.deepEqual(sync.rows, [A]);
  sync.redo();
  assert.deepEqual(sync.rows, [A, B]);
  assert.deepEqual(sent.at(-1).steps.map(({ what }) => what), ["points", "points", "undo", "undo", "redo", "redo"]);
  assert.ok(sent.at(-1).steps.every((step) => !("guess" in step)));
});

test("a new change leaves nothing to do again", () => {
  const { sync } = begun();
  sync.points([[null, A]], "classes", 0);
  sync.undo();
  assert.equal(sync.ahead.length, 1);
  sync.points([[null, B]], "classes", 0);
  assert.equal(sync.ahead.length, 0);
  sync.redo();
  assert.deepEqual(sync.rows, [B]);
});

test("an undo of what this pad does not remember waits for Python", () => {
  const { sync, sent } = begun([A]);
  sync.undo();
  assert.deepEqual(sync.rows, [A]);
  assert.equal(sent.at(-1).steps[0].what, "undo");
  assert.equal(sync.hear(frame([], 1)), true);
  assert.deepEqual(sync.rows, []);
});

test("rows that came from elsewhere are news, and forget what an undo would bring back", () => {
  const { sync } = begun();
  sync.points([[null, A]], "classes", 0);
  assert.equal(sync.hear(frame([B], 1)), true);
  assert.deepEqual([sync.rows, sync.past, sync.ahead], [[B], [], []]);
});

test("without an answer the steps are sent once more; with one they are not", () => {
  const { sync, sent } = begun();
  sync.points([[null, A]], "classes", 0);
  mock.timers.tick(4999);
  assert.equal(sent.length, 1);
  mock.timers.tick(1);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[1], sent[0]);
  sync.hear(frame([A], 1));
  mock.timers.tick(20_000);
  assert.equal(sent.length, 2);
});

test("a change may wait for what is being typed, and hurries when the hand leaves", () => {
  const { sync, sent } = begun();
  sync.points([[null, A]], "classes", 400);
  assert.deepEqual(sent, []);
  mock.timers.tick(399);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  assert.equal(sent.length, 1);
  sync.points([[null, B]], "classes", 400);
  sync.hurry();
  assert.equal(sent.length, 2);
  sync.hurry();
  assert.equal(sent.length, 2);
});

test("a pad that is no longer on the page tells nothing", () => {
  const { sync, sent } = begun([], () => false);
  sync.points([[null, A]], "classes", 0);
  mock.timers.tick(20_000);
  assert.deepEqual(sent, []);
});

test("numbers go on from the last that Python has heard", () => {
  const { sync, numbers } = begun();
  sync.hear(frame([], 41));
  sync.points([[null, A]], "classes", 0);
  assert.deepEqual(numbers(), [42]);
});
