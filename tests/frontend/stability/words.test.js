import assert from "node:assert/strict";
import test from "node:test";

import { changeLabel, changeText, headline, nameOf, pointText } from "../../../dtviz/frontend/stability/words.js";

const FRAME = {
  is_leave_one_out: true, percent: true, tree_number: [6, 0], change: [0.125, 0], row_change: [0.04, 0], has_other_root: [1, 0], has_same_cuts: [0, 1],
  tree: [1, -1, 0], point_change: [0, 0.25, 0.5],
};
const NUMBERS = { ...FRAME, percent: false, is_leave_one_out: false };

test("trees are named by their rows or their numbers, from 1 on", () => {
  assert.equal(nameOf(FRAME, 0), "without row 7");
  assert.equal(nameOf(NUMBERS, 1), "tree 1");
});

test("a change is a share of the picture, or a number", () => {
  assert.equal(changeText(FRAME, 0.125), "12.5\u00a0%");
  assert.equal(changeText(NUMBERS, 0.125), "0.125");
});

test("the headline describes a tree in a sentence", () => {
  assert.equal(headline(FRAME, 0), "Without row 7: 12.5\u00a0% of the picture and 4\u00a0% of the rows get another class. Even the first cut changes.");
  assert.equal(headline(FRAME, 1), "Without row 1: the same tree, cut for cut.");
  assert.equal(headline(NUMBERS, 0), "Tree 7: the prediction moves by 0.125 over the picture and 0.04 at the rows, on average. Even the first cut changes.");
  assert.match(headline(FRAME, -1), /^Point at a row/);
  assert.match(headline(NUMBERS, -1), /^Point at a tree/);
});

test("a tree with the same cuts that predicts otherwise is not called the same", () => {
  const tie = { ...FRAME, has_same_cuts: [1, 1], has_other_root: [0, 0] };
  assert.equal(headline(tie, 0), "Without row 7: 12.5\u00a0% of the picture and 4\u00a0% of the rows get another class. The cuts are the same.");
  assert.equal(pointText(tie, 2), "without row 7: 12.5\u00a0% changes");
  assert.deepEqual([0, 1].map((place) => changeLabel(tie, place)), ["12.5\u00a0%", "the same"]);
});

test("the text of a point says how the tree without it changes, or how the trees differ at it", () => {
  assert.equal(pointText(FRAME, 2), "without row 7: 12.5\u00a0% changes");
  assert.equal(pointText(FRAME, 0), "without row 1: the same tree");
  assert.equal(pointText(FRAME, 1), "25\u00a0% of the trees say another class");
  assert.equal(pointText(NUMBERS, 2), "the trees differ by 0.5 on average");
});
