import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { broken, cut, lettered, rulerOf, wordsOf } from "../../../dtviz/frontend/tree/lettering.js";

const wide = (text) => text.length / 2; // every letter half an em
const RULE = "petal_length_cm ≤\u00a02.45";

test("text is measured in em, each once", () => {
  const ruler = rulerOf("serif");
  assert.equal(ruler("four"), 0.24); // 6 pixels a letter, of 100
  assert.equal(ruler("four"), 0.24);
});

test("the words of a node come out of its DOT line as they were written in", () => {
  const bar = '<TR><TD><TABLE><TR><TD BGCOLOR="#0072B2" WIDTH="31"></TD></TR></TABLE></TD></TR>';
  const line = (title, more) => `\tn1 [label=<<TABLE><TR><TD WIDTH="9"><B>${title}</B></TD></TR>${bar}${more}</TABLE>> id=n1]\n`;
  const rows = "<TR><TD>150 rows, 1.585 bit</TD></TR>";
  assert.deepEqual(wordsOf(line("a&lt;b &amp; &#x27;c&#39;<BR/>≤ 2.45", rows), false), { rule: "a<b & 'c' ≤\u00a02.45", more: ["150 rows, 1.585 bit"] });
  const reason = '<TR><TD><FONT COLOR="#5b6570" POINT-SIZE="11">no cut<BR/>gains</FONT></TD></TR>';
  assert.deepEqual(wordsOf(line("kind: one: two", rows + reason), true), { rule: "one: two", more: ["150 rows, 1.585 bit", "no cut gains"] });
  assert.equal(wordsOf(line("a\\\\b ≤ 2", rows), false).rule, "a\\b ≤\u00a02");
  assert.equal(wordsOf(line("when ≤ 3 May 2024", rows), false).rule, "when ≤\u00a03\u00a0May\u00a02024");
  assert.equal(wordsOf(line("island in {Biscoe, Dream}", rows), false).rule, "island in {Biscoe, Dream}");
});

test("a rule breaks where both lines are short, and never within its threshold", () => {
  assert.deepEqual(broken(RULE, wide), ["petal_length_cm", "≤\u00a02.45"]);
  assert.deepEqual(broken("one of the many ≤\u00a02", wide), ["one of the", "many ≤\u00a02"]);
  assert.deepEqual(broken("setosa", wide), ["setosa"]);
});

test("what is cut is the name: a threshold is told whole or not at all", () => {
  assert.equal(cut(RULE, 11, wide), RULE);
  assert.equal(cut(RULE, 8, wide), "petal_le… ≤\u00a02.45");
  assert.equal(cut(RULE, 4.5, wide), "");
  assert.equal(cut("≤\u00a02.45", 2, wide), "");
  assert.equal(cut("versicolor", 4, wide), "versico…");
});

test("a rule takes one line where it can, two where it may, and is cut only then", () => {
  assert.deepEqual(lettered(RULE, 2, 11, wide), [RULE]);
  assert.deepEqual(lettered(RULE, 2, 8, wide), ["petal_length_cm", "≤\u00a02.45"]);
  assert.deepEqual(lettered(RULE, 2, 5, wide), ["petal_len…", "≤\u00a02.45"]);
  assert.deepEqual(lettered(RULE, 1, 8, wide), ["petal_le… ≤\u00a02.45"]);
  assert.deepEqual(lettered(RULE, 2, 2, wide), []);
});
