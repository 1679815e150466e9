import assert from "node:assert/strict";
import test from "node:test";

import { hosted } from "../hosts.js";
import { placed } from "../page.js";
import { createHeading, createSentence } from "../../../dtviz/frontend/grow/sentence.js";

const SIDE = { stamp: "s", caption: "", lead: "Root.", sentence: "<b>x</b> ≤ 2 wins", split: { text: "Make my cut", is_main: false, is_possible: true } };
const frameOf = (...sides) => ({ kind: "grow", sides });

function sentenceOf(frame, index = 0) {
  const grow = hosted(undefined, placed(), frame);
  const sentence = createSentence(grow.host, index);
  sentence.show(frame);
  const [text, split] = ["p", ".split"].map((selector) => sentence.element.querySelector(selector));
  return { sent: grow.sent, sentence, text, split };
}

test("the sentence is shown as text, and its button splits the node that it is about", () => {
  const { text, split, sent } = sentenceOf(frameOf(SIDE));
  assert.deepEqual([text.textContent, text.querySelector("b"), split.textContent], ["Root. <b>x</b> ≤ 2 wins", null, "Make my cut"]);
  split.click();
  assert.deepEqual(sent, [{ what: "split", stamp: "s" }]);
});

test("the button stands out once another cut is chosen, and is disabled for the split that is made", () => {
  const { split } = sentenceOf(frameOf({ ...SIDE, split: { text: "Make my cut", is_main: true, is_possible: false } }));
  assert.deepEqual([split.textContent, split.classList.contains("main"), split.disabled], ["Make my cut", true, true]);
});

test("the number of a node is explained, and the root has none", () => {
  const noteOf = (lead) => sentenceOf(frameOf({ ...SIDE, lead })).text.querySelector("strong").title;
  assert.ok(noteOf("Node 12.").startsWith("Nodes are numbered by their place: "));
  assert.equal(noteOf("Root."), "");
});

test("the chance of the cut follows the sentence, and its words are explained", () => {
  const { text } = sentenceOf(frameOf({ ...SIDE, chance: "By chance in 3 of 100 shuffles." }));
  const chance = text.querySelector("small");
  assert.equal(text.textContent, "Root. <b>x</b> ≤ 2 wins By chance in 3 of 100 shuffles.");
  assert.ok(chance.title.startsWith("Shuffles: "));
  assert.equal(sentenceOf(frameOf(SIDE)).text.querySelector("small").title, "");
});

test("what a link hides is hidden", () => {
  const { sentence, text, split } = sentenceOf(frameOf({ stamp: "s", caption: "", split: SIDE.split }));
  assert.deepEqual([sentence.element.hidden, text.hidden, split.hidden], [false, true, false]);
  assert.equal(sentenceOf(frameOf({ stamp: "s", caption: "" })).sentence.element.hidden, true);
});

test("of two sides each splits on its own screen, and one of them is kept", () => {
  const frame = frameOf({ ...SIDE, title: "Gini", figures: "" }, { ...SIDE, stamp: "t", title: "Entropy", figures: "" });
  const { sent, split } = sentenceOf(frame, 1);
  split.click();
  assert.deepEqual(sent, [{ what: "split", stamp: "t", beside: true }]);
  const grow = hosted(undefined, placed(), frame);
  const heading = createHeading(grow.host, 1);
  heading.show(frame);
  for (const each of heading.element.querySelectorAll("button")) each.click();
  assert.deepEqual(grow.sent, [{ what: "keep", other: true }, { what: "keep", other: false }]);
  assert.deepEqual(heading.element.querySelectorAll("button").map(({ title }) => title), ["Entropy stays alone", "Ends the comparison: Gini stays"]);
});
