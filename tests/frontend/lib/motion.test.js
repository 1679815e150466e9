import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed, press, use } from "../page.js";
import { between, changeOf, during, eased, LONG, Motion } from "../../../dtviz/frontend/lib/motion.js";
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
function begun(forward = true) {
  now += 10 * LONG;
  const root = placed();
  const motion = new Motion(root);
  const one = { root, motion, times: [], over: 0, may: motion.step() };
  motion.run(forward, (p) => one.times.push(p), () => { one.over += 1; });
  return one;
}

test("the clock draws from 0 on, is over once at 1, and says meanwhile that it moves", () => {
  const one = begun();
  assert.ok(one.may);
  assert.equal(one.root.dataset.moving, "on");
  for (const share of [0.25, 0.5]) {
    later(LONG / 4);
    assert.equal(one.times.at(-1), share);
  }
  later(LONG);
  assert.deepEqual([one.times, one.over, one.root.dataset.moving], [[0, 0.25, 0.5], 1, undefined]);
  later(LONG);
  assert.equal(one.over, 1);
});

test("backward it shows at each time what forward is shown as long before the end", () => {
  const [on, back] = [true, false].map((forward) => {
    const one = begun(forward);
    assert.equal(one.root.dataset.moving, forward ? "on" : "back");
    for (let k = 0; k < 7; k++) later(LONG / 8);
    return one.times;
  });
  assert.equal(on.length, 8);
  assert.deepEqual(back, on.map((p) => 1 - p));
  for (const p of [0, 0.1, 0.3, 0.5, 0.8, 1]) assert.ok(Math.abs(eased(1 - p) - (1 - eased(p))) < 1e-12);
});

test("a key, a pressed pointer and the wheel end it at once, and what is pressed goes on to where it was meant", () => {
  for (const act of [(at) => press(at, "a"), (at) => use(at, "pointerdown"), (at) => use(at, "wheel")]) {
    const one = begun();
    let heard = 0;
    for (const type of ["keydown", "pointerdown", "wheel"]) one.root.addEventListener(type, () => { heard += 1 - Boolean(one.root.dataset.moving); });
    later(LONG / 5);
    act(one.root);
    assert.deepEqual([one.over, one.root.dataset.moving, heard], [1, undefined, 1]);
    const { length } = one.times;
    later(LONG / 5);
    assert.equal(one.times.length, length);
  }
});

test("the next step ends the one before, and steps that come faster are not shown on their way", () => {
  const one = begun();
  later(LONG / 2);
  assert.ok(!one.motion.step());
  assert.equal(one.over, 1);
  later(0.9 * LONG);
  assert.ok(!one.motion.step()); // as of a key that is held
  later(LONG);
  assert.ok(one.motion.step());
});

test("nothing moves where reduced motion is asked for, on a hidden page, or in a picture that was taken away", () => {
  const motion = new Motion(placed());
  now += 10 * LONG;
  window.matchMedia = (query) => ({ matches: query === "(prefers-reduced-motion: reduce)" });
  assert.ok(!motion.step());
  window.matchMedia = () => ({ matches: false });
  now += 10 * LONG;
  document.hidden = true;
  assert.ok(!motion.step());
  document.hidden = false;
  const one = begun();
  one.root.remove();
  later(1);
  assert.equal(one.over, 1);
});

test("a motion takes no more than half of Play's tick", () => {
  assert.ok(LONG <= MS_A_PLAY_STEP / 2 && LONG <= 600);
});

test("a part of the clock runs from 0 to 1 within it, and stands before and after it", () => {
  assert.deepEqual([0.1, 0.2, 0.3, 0.4, 0.9].map((p) => during(p, 0.2, 0.4)), [0, 0, 0.4999999999999999, 1, 1]);
  assert.deepEqual([0, 0.5, 1].map((p) => between(2, 6, p)), [2, 4, 6]);
  assert.deepEqual([0, 0.5, 1].map(eased), [0, 0.5, 1]);
});

test("one split is a change, whichever child is seen, and undone it is the same backward", () => {
  const of = (before, after) => changeOf(before.split(" "), after.split(" "));
  assert.deepEqual(of("1", "2 3"), { node: "1", forward: true });
  assert.deepEqual(of("2 3", "1"), { node: "1", forward: false });
  assert.deepEqual(of("2 6 7", "4 5 6 7"), { node: "2", forward: true });
  assert.deepEqual(of("2 3", "2 7"), { node: "3", forward: true });
  assert.deepEqual(of("2 36893488147419103232", "2 73786976294838206464 73786976294838206465"), { node: "36893488147419103232", forward: true });
});

test("two steps, other leaves and the same ones are none", () => {
  const of = (before, after) => changeOf(before.split(" "), after.split(" "));
  for (const [before, after] of [["1", "2 6 7"], ["2 3", "4 5 6 7"], ["2 3", "2 3"], ["2 3", "2"], ["2 6 7", "4 5 3"], ["2 3", "2 8"]]) {
    assert.equal(of(before, after), null);
    assert.equal(of(after, before), null);
  }
});
