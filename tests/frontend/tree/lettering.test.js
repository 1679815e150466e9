import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { breakInTwo, truncate, fitRule, rulerOf, wordsOf } from "../../../dtviz/frontend/tree/lettering.js";

const measure = (text) => text.length / 2; // every letter half an em
const RULE = "petal_length_cm ≤\u00a02.45";

test("text is measured in em, each once", () => {
  const ruler = rulerOf("serif");
  assert.equal(ruler("four"), 0.24); // 6 pixels a letter, of 100
  assert.equal(ruler("four"), 0.24);
});

test("the words of a node come out of its DOT line as they were written in", () => {
  const bar = '<TR><TD><TABLE><TR><TD BGCOLOR="#0072B2" WIDTH="31"></TD></TR></TABLE></TD></TR>';
  const line = (title, details) => `\tn1 [label=<<TABLE><TR><TD WIDTH="9"><B>${title}</B></TD></TR>${bar}${details}</TABLE>> id=n1]\n`;
  const rows = "<TR><TD>150 rows, 1.585 bit</TD></TR>";
  assert.deepEqual(wordsOf(line("a&lt;b &amp; &#x27;c&#39;<BR/>≤ 2.45", rows), false), { rule: "a<b & 'c' ≤\u00a02.45", details: ["150 rows, 1.585 bit"] });
  const reason = '<TR><TD><FONT COLOR="#5b6570" POINT-SIZE="11">no cut<BR/>gains</FONT></TD></TR>';
  assert.deepEqual(wordsOf(line("kind: one: two", rows + reason), true), { rule: "one: two", details: ["150 rows, 1.585 bit", "no cut gains"] });
  assert.equal(wordsOf(line("a\\\\b ≤ 2", rows), false).rule, "a\\b ≤\u00a02");
  assert.equal(wordsOf(line("when ≤ 3 May 2024", rows), false).rule, "when ≤\u00a03\u00a0May\u00a02024");
  assert.equal(wordsOf(line("island in {Biscoe, Dream}", rows), false).rule, "island in {Biscoe, Dream}");
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
