import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed, press, use } from "../page.js";
import { interpolate, changeOf, phase, ease, MS_OF_MOTION, Motion } from "../../../dtviz/frontend/lib/motion.js";
import { MS_A_PLAY_STEP } from "../../../dtviz/frontend/timeline/timeline.js";

let now = 0;
let waiting = [];
mock.method(performance, "now", () => now);
globalThis.requestAnimationFrame = (act) => waiting.push(act);
window.matchMedia = () => ({ matches: false });

/** So many milliseconds later: everything that waits for a frame is called. */
function later(ms) {
  now += ms;
  const due = waiting;
  waiting = [];
  for (const act of due) act();
}

/** A motion on a picture, long after any other: the times that were drawn, how often it was over. */
function startMotion(forward = true) {
  now += 10 * MS_OF_MOTION;
  const root = placed();
  const motion = new Motion(root);
  const run = { root, motion, times: [], over: 0, mayMove: motion.beginStep() };
  motion.run(forward, (p) => run.times.push(p), () => { run.over += 1; });
  return run;
}

test("the clock draws from 0 on, is over once at 1, and says meanwhile that it moves", () => {
  const run = startMotion();
  assert.ok(run.mayMove);
  assert.equal(run.root.dataset.moving, "on");
  for (const share of [0.25, 0.5]) {
    later(MS_OF_MOTION / 4);
    assert.equal(run.times.at(-1), share);
  }
  later(MS_OF_MOTION);
  assert.deepEqual([run.times, run.over, run.root.dataset.moving], [[0, 0.25, 0.5], 1, undefined]);
  later(MS_OF_MOTION);
  assert.equal(run.over, 1);
});

test("backward it shows at each time what forward is shown as long before the end", () => {
  const [on, back] = [true, false].map((forward) => {
    const run = startMotion(forward);
    assert.equal(run.root.dataset.moving, forward ? "on" : "back");
    for (let k = 0; k < 7; k++) later(MS_OF_MOTION / 8);
    return run.times;
  });
  assert.equal(on.length, 8);
  assert.deepEqual(back, on.map((p) => 1 - p));
  for (const p of [0, 0.1, 0.3, 0.5, 0.8, 1]) assert.ok(Math.abs(ease(1 - p) - (1 - ease(p))) < 1e-12);
});

test("a key, a pressed pointer and the wheel end it at once, and what is pressed goes on to where it was meant", () => {
  for (const act of [(element) => press(element, "a"), (element) => use(element, "pointerdown"), (element) => use(element, "wheel")]) {
    const run = startMotion();
    let stillCount = 0;
    for (const type of ["keydown", "pointerdown", "wheel"]) run.root.addEventListener(type, () => { stillCount += 1 - Boolean(run.root.dataset.moving); });
    later(MS_OF_MOTION / 5);
    act(run.root);
    assert.deepEqual([run.over, run.root.dataset.moving, stillCount], [1, undefined, 1]);
    const { length } = run.times;
    later(MS_OF_MOTION / 5);
    assert.equal(run.times.length, length);
  }
});

test("the next step ends the one before, and steps that come faster are not shown on their way", () => {
  const run = startMotion();
  later(MS_OF_MOTION / 2);
  assert.ok(!run.motion.beginStep());
  assert.equal(run.over, 1);
  later(0.9 * MS_OF_MOTION);
  assert.ok(!run.motion.beginStep()); // as of a key that is held
  later(MS_OF_MOTION);
  assert.ok(run.motion.beginStep());
});

test("nothing moves where reduced motion is asked for, on a hidden page, or in a picture that was taken away", () => {
  const motion = new Motion(placed());
  now += 10 * MS_OF_MOTION;
  window.matchMedia = (query) => ({ matches: query === "(prefers-reduced-motion: reduce)" });
  assert.ok(!motion.beginStep());
  window.matchMedia = () => ({ matches: false });
  now += 10 * MS_OF_MOTION;
  document.hidden = true;
  assert.ok(!motion.beginStep());
  document.hidden = false;
  const run = startMotion();
  run.root.remove();
  later(1);
  assert.equal(run.over, 1);
});

test("a motion takes no more than half of Play's tick", () => {
  assert.ok(MS_OF_MOTION <= MS_A_PLAY_STEP / 2 && MS_OF_MOTION <= 600);
});

test("a part of the clock runs from 0 to 1 within it, and stands before and after it", () => {
  assert.deepEqual([0.1, 0.2, 0.3, 0.4, 0.9].map((p) => phase(p, 0.2, 0.4)), [0, 0, 0.4999999999999999, 1, 1]);
  assert.deepEqual([0, 0.5, 1].map((p) => interpolate(2, 6, p)), [2, 4, 6]);
  assert.deepEqual([0, 0.5, 1].map(ease), [0, 0.5, 1]);
});

/** Nodes of trees in which every id is a node. */
const ALL_NODES = { has: () => true };

test("one split is a change, whichever child is seen, and undone it is the same backward", () => {
  const of = (before, after) => changeOf(before.split(" "), after.split(" "), ALL_NODES);
  assert.deepEqual(of("1", "2 3"), { node: "1", forward: true });
  assert.deepEqual(of("2 3", "1"), { node: "1", forward: false });
  assert.deepEqual(of("2 6 7", "4 5 6 7"), { node: "2", forward: true });
  assert.deepEqual(of("2 3", "2 7"), { node: "3", forward: true });
  assert.deepEqual(of("2 36893488147419103232", "2 73786976294838206464 73786976294838206465"), { node: "36893488147419103232", forward: true });
});

test("a cut with three branches is one change where the parts between them are no nodes", () => {
  const nodes = new Set(["1", "2", "6", "7"]);
  assert.deepEqual(changeOf(["1"], ["2", "6", "7"], nodes), { node: "1", forward: true });
});

test("two steps, other leaves and the same ones are none", () => {
  const of = (before, after) => changeOf(before.split(" "), after.split(" "), ALL_NODES);
  for (const [before, after] of [["1", "2 6 7"], ["2 3", "4 5 6 7"], ["2 3", "2 3"], ["2 3", "2"], ["2 6 7", "4 5 3"], ["2 3", "2 8"]]) {
    assert.equal(of(before, after), null);
    assert.equal(of(after, before), null);
  }
});
