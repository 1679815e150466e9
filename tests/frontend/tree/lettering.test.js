import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { breakInTwo, truncate, fitRule, rulerOf, wrap } from "../../../dtviz/frontend/tree/lettering.js";

const measure = (text) => text.length / 2; // every letter half an em
const RULE = "petal_length_cm ≤\u00a02.45";

test("text is measured in em, each once", () => {
  const ruler = rulerOf("serif");
  assert.equal(ruler("four"), 0.24); // 6 pixels a letter, of 100
  assert.equal(ruler("four"), 0.24);
});

test("a text is broken between words, and a word that is too long between its letters", () => {
  assert.deepEqual(wrap(RULE, 11, measure), [RULE]);
  assert.deepEqual(wrap(RULE, 8, measure), ["petal_length_cm", "≤\u00a02.45"]);
  assert.deepEqual(wrap("all 7 rows are A", 4, measure), ["all 7", "rows are", "A"]);
  assert.deepEqual(wrap("x petal_length", 4, measure), ["x", "petal_le", "ngth"]);
  assert.deepEqual(wrap("abc", 0.1, measure), ["a", "b", "c"]);
  assert.deepEqual(wrap("🌲🌳", 0.5, measure), ["🌲", "🌳"]); // two halves a letter
});

test("a rule breaks where both lines are short, and never within its threshold", () => {
  assert.deepEqual(breakInTwo(RULE, measure), ["petal_length_cm", "≤\u00a02.45"]);
  assert.deepEqual(breakInTwo("one of the many ≤\u00a02", measure), ["one of the", "many ≤\u00a02"]);
  assert.deepEqual(breakInTwo("setosa", measure), ["setosa"]);
});

test("what is cut is the name: a threshold is told whole or not at all", () => {
  assert.equal(truncate(RULE, 11, measure), RULE);
  assert.equal(truncate(RULE, 8, measure), "petal_le… ≤\u00a02.45");
  assert.equal(truncate(RULE, 4.5, measure), "");
  assert.equal(truncate("≤\u00a02.45", 2, measure), "");
  assert.equal(truncate("versicolor", 4, measure), "versico…");
});

test("a rule takes one line where it can, two where it may, and is cut only then", () => {
  assert.deepEqual(fitRule(RULE, 2, 11, measure), [RULE]);
  assert.deepEqual(fitRule(RULE, 2, 8, measure), ["petal_length_cm", "≤\u00a02.45"]);
  assert.deepEqual(fitRule(RULE, 2, 5, measure), ["petal_len…", "≤\u00a02.45"]);
  assert.deepEqual(fitRule(RULE, 1, 8, measure), ["petal_le… ≤\u00a02.45"]);
  assert.deepEqual(fitRule(RULE, 2, 2, measure), []);
});
