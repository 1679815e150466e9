import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { fillHoles, createFormula, mathml, latexNumber } from "../../../dtviz/frontend/lib/formula.js";
import { expected } from "../expected.js";

/** An element as its tag and what it holds: (mfrac 1 2). */
const shape = (node) => `(${node.localName} ${node.children.length ? node.children.map(shape).join(" ") : node.textContent})`;

test("numbers are written as Python writes them into formulas", () => {
  for (const [value, text] of expected.lessons.figures) assert.equal(latexNumber(value), text);
});

test("holes are filled by name, others stay", () => {
  assert.equal(fillHoles(String.raw`\tfrac{@left}{@whole} + @none`, { left: "3", whole: "4" }), String.raw`\tfrac{3}{4} + @none`);
});

test("fractions, powers, indices and texts become MathML", () => {
  assert.equal(shape(mathml(String.raw`-\tfrac{1}{20}\log_2 p`)),
    "(math (mo −) (mfrac (mrow (mn 1)) (mrow (mn 20))) (msub (mi log) (mn 2)) (mi p))");
  assert.equal(shape(mathml(String.raw`\left(\tfrac{3}{4}\right)^2`)),
    "(math (mo () (mfrac (mrow (mn 3)) (mrow (mn 4))) (msup (mo )) (mn 2)))");
  assert.equal(shape(mathml(String.raw`\max_k y_{10} = 0.5 \cdot 10^{-7}\ \text{a bit}`)),
    "(math (msub (mi max) (mi k)) (msub (mi y) (mrow (mn 10))) (mo =) (mn 0.5) (mo ⋅) (msup (mn 10) (mrow (mo −) (mn 7))) (mtext \u00a0) (mtext a bit))");
});

test("the result is strong, and single letters alone are italic", () => {
  const root = mathml(String.raw`H = \mathbf{0.5}`);
  assert.deepEqual(root.querySelectorAll(".strong").map(({ textContent }) => textContent), ["0.5"]);
  assert.deepEqual(mathml(String.raw`\log p`).querySelectorAll(".letter").map(({ textContent }) => textContent), ["p"]);
});

test("what is said in a text stays text", () => {
  const root = mathml(String.raw`y = \text{<img src=x> $a$ ^_}`);
  assert.equal(root.lastChild.textContent, "<img src=x> $a$ ^_");
  assert.equal(root.querySelectorAll("img").length, 0);
});

test("a formula has a line each, is kept while it is the same, and goes", () => {
  const { element, show } = createFormula();
  show("a\n= b");
  const [first] = element.children;
  assert.equal(element.children.length, 2);
  show("a\n= b");
  assert.equal(element.children[0], first);
  show("");
  assert.equal(element.children.length, 0);
});
