import assert from "node:assert/strict";
import test from "node:test";

import { wordsOf } from "../../../dtviz/frontend/tree/words.js";

const frame = { target: "kind", impurity_name: "entropy", unit: "bit", next_node: "4" };
const wordsIn = (texts, fields = {}) => wordsOf(texts, { ...frame, ...fields });
const split = ["3", "when ≤ 3 May 2024", "A", "7 rows", "0.9852", "", null, "no"];
const leaf = ["2", "", "one: two", "2 rows", "0", "", "pure: both rows are one: two", "yes"];

test("of a split the words are its rule, its rows and impurity, and what it predicts", () => {
  const { rule, title, numbers, reason, words, isOpen } = wordsIn(split);
  assert.deepEqual([rule, title, numbers, reason, isOpen], ["when ≤\u00a03\u00a0May\u00a02024", rule, "7 rows, 0.9852 bit", "", false]);
  assert.equal(words, "Node 3, no: when ≤ 3 May 2024; 7 rows, entropy 0.9852 bit; predicts A");
  assert.equal(wordsIn(["1", ...split.slice(1)]).words.slice(0, 8), "Node 1: ");
  assert.equal(wordsIn(["6", "island in {Biscoe, Dream}", ...split.slice(2)]).rule, "island in {Biscoe, Dream}");
});

test("of a leaf they are the target and what it predicts, and why it has no split", () => {
  const { rule, title, reason, words, isOpen } = wordsIn(leaf);
  assert.deepEqual([rule, title, reason, isOpen], ["one: two", "kind: one: two", "pure", false]);
  assert.equal(words, "Node 2, yes: kind: one: two; 2 rows, entropy 0 bit; pure: both rows are one: two");
  const costs = wordsIn([...leaf.slice(0, 5), "It says B", "7 rows: a split needs 8 rows", "yes"]);
  assert.equal(costs.reason, "a split needs 8 rows");
  assert.ok(costs.words.endsWith("bit; It says B; 7 rows: a split needs 8 rows"));
});

test("an impurity without a unit is named; an open leaf, and the one that splits next, are said to be so", () => {
  const open = wordsIn(["4", "", "A", "2 rows", "0.5", "", "", "yes"], { impurity_name: "gini", unit: "" });
  assert.equal(open.numbers, "2 rows, gini 0.5");
  assert.deepEqual([open.isOpen, open.isNext], [true, true]);
  assert.equal(open.words, "Node 4, yes: kind: A; 2 rows, gini 0.5; open; splits next");
});

test("a node whose number nobody could follow is told by the way to it", () => {
  for (const [id, name] of [
    ["999", "Node 999, no"], ["1000", "Below node 500: yes"], ["5460", "Below node 682: no, yes, yes"],
    [String(2 ** 33 + 1), "Below node 512: yyyyyyyyyyyyyyyyyyyyyyyn"], [String(2n ** 90n), "Below node 512: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"],
  ]) {
    assert.ok(wordsIn([id, ...split.slice(1)]).words.startsWith(`${name}: when`), id);
  }
});
