import assert from "node:assert/strict";
import test from "node:test";

import { pictured } from "../hosts.js";
import { firstTip, spreadTips } from "../../../dtviz/frontend/timeline/branches.js";
import { create } from "../../../dtviz/frontend/timeline/timeline.js";

const FRAME = {
  step: 3, total: 8, chosen_steps: [], playing: false, can_undo: true, can_redo: false, stamp: "at 3", stamps: {},
  tip: { error: "90 %", text: "accuracy 90 % on the 45 rows" },
  forks: [
    { branch: 0, start_step: 1, error: "95 %", text: "accuracy 95 % on the 45 rows" },
    { branch: 1, start_step: 3, error: "", text: "being worked out" },
  ],
};

/** A time-line on the page with its tips. */
function shown(more = {}) {
  const timeline = pictured(create, "line", { ...FRAME, ...more });
  const tips = () => timeline.root.querySelectorAll(".forks button").filter(({ hidden }) => !hidden);
  return { ...timeline, tips, words: () => tips().map((tip) => tip.getAttribute("aria-label")) };
}

test("each branch has a tip with its error and the step where it leaves", () => {
  const timeline = shown();
  assert.deepEqual(timeline.tips().map(({ textContent }) => textContent), ["95 %", "…"]);
  assert.deepEqual(timeline.words(), [
    "Branch 1, which leaves after step 1: accuracy 95 % on the 45 rows. Go there",
    "Branch 2, which leaves after step 3: being worked out. Go there",
  ]);
  assert.match(timeline.tips()[0].title, /^Branch 1, .*: accuracy 95 % on the 45 rows\. Go there\. How long its fork is means nothing$/);
  const endTip = timeline.root.querySelector("span.tip");
  assert.equal(endTip.textContent, "held out 90 %");
  assert.equal(endTip.getAttribute("aria-label"), "This line: accuracy 90 % on the 45 rows");
  assert.ok(timeline.root.querySelector(".rail").classList.contains("forked"));
});

test("without branches the time-line has no tips", () => {
  const timeline = shown({ tip: undefined, forks: [] });
  assert.deepEqual(timeline.tips(), []);
  assert.ok(!timeline.root.querySelector(".rail").classList.contains("forked"));
});

test("a tip leads to its branch, once until Python answers, and stays the same button", () => {
  const timeline = shown();
  const [, second] = timeline.tips();
  second.click();
  second.click();
  assert.deepEqual(timeline.sent, [{ what: "bring_back", branch: 1 }]);
  const forks = [FRAME.forks[0], { branch: 1, start_step: 2, error: "90 %", text: "accuracy 90 %" }];
  timeline.show({ kind: "line", ...FRAME, forks }, timeline.numbers().at(-1));
  assert.equal(timeline.tips()[1], second);
  assert.equal(second.textContent, "90 %");
  second.click();
  assert.equal(timeline.sent.length, 2);
});

test("the newest tips are shown, as many as there is room for beside a button that leads to the others", () => {
  const boxes = [10, 20, 30, 40].map((x) => ({ x, width: 46 }));
  assert.equal(firstTip(boxes, 200, 30), 0);
  assert.equal(firstTip(boxes, 199, 30), 1); // three of 50 pixels, and 34
  assert.equal(firstTip(boxes, 183, 30), 2);
  assert.equal(firstTip(boxes, 20, 30), 4);
});

test("each tip stands right of where its branch leaves, none over another, and all within the room", () => {
  const boxes = [{ x: 50, width: 40 }, { x: 10, width: 40 }, { x: 60, width: 40 }];
  assert.deepEqual(spreadTips(boxes, 0, 300), [54, 10, 98]);
  assert.deepEqual(spreadTips(boxes, 20, 300), [64, 20, 108]);
  assert.deepEqual(spreadTips(boxes, 0, 130), [46, 2, 90]);
});
