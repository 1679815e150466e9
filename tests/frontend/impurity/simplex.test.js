import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { calls, texts } from "../pen.js";
import { number } from "../../../dtviz/frontend/lib/format.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { positionOf } from "../../../dtviz/frontend/impurity/lattice.js";
import { create } from "../../../dtviz/frontend/impurity/simplex.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });
const { told: samples } = expected.shares.simplex;
const TRIANGLE = { x: 300, y: 26, side: (290 - 52) / (Math.sqrt(3) / 2) }; // of a picture of 600

/** The picture on the page with what it sent. */
function shown(changes = {}) {
  const root = placed();
  const frame = { ...unpack(bytesOf(expected.shares.simplex.frame)), ...changes };
  const picture = pictured(create, "simplex", frame, root);
  const find = (selector) => root.querySelector(selector);
  return {
    root, frame, picture, sent: picture.sent, slider: find(".slider"), reading: find(".told"), bands: find(".still").pen,
    values: () => root.querySelectorAll(".chip").map((chip) => chip.querySelector(".value").textContent),
  };
}

const pixelOf = (parts) => {
  const { x, y } = positionOf(TRIANGLE, 60, parts);
  return { clientX: x, clientY: y };
};

test("a drag shows the engine's values of each triple", () => {
  const page = shown();
  use(page.slider, "pointerdown", pixelOf([20, 20, 20]));
  for (const { parts, values, divergence } of samples) {
    use(page.slider, "pointermove", pixelOf(parts));
    assert.equal(page.root.dataset.shares, parts.join(" "));
    assert.deepEqual(page.values(), [`${number(values[0])} bit`, number(values[1]), number(values[2])]);
    assert.ok(page.reading.textContent.endsWith(`= 1.585 − ${number(divergence)} = ${number(values[0])} bit`));
  }
  assert.deepEqual(page.sent, []);
  use(page.slider, "pointerup", pixelOf([10, 20, 30]));
  assert.deepEqual(page.sent, [{ what: "set", values: { shares: [10, 20, 30] } }]);
});

test("the arrow keys move the point towards the corners and not over an edge", () => {
  const page = shown({ shares: [20, 20, 20] });
  for (const [key, modifiers, shares] of [
    ["ArrowUp", {}, "21 19 20"], ["ArrowUp", {}, "22 19 19"], ["ArrowLeft", {}, "22 20 18"],
    ["ArrowRight", { shiftKey: true }, "22 15 23"], ["ArrowDown", {}, "21 16 23"],
  ]) {
    press(page.slider, key, modifiers);
    assert.equal(page.root.dataset.shares, shares);
  }
  for (let k = 0; k < 9; k++) press(page.slider, "ArrowRight", { shiftKey: true });
  assert.equal(page.root.dataset.shares, "21 0 39");
  for (let k = 0; k < 9; k++) press(page.slider, "ArrowDown", { shiftKey: true });
  assert.match(page.root.dataset.shares, /^0 /);
  assert.match(page.slider.getAttribute("aria-valuetext"), /^p₁ = 0, .*: entropy .* bit, gini /);
});

test("beside the triangle a finger scrolls the page", () => {
  const { left, width } = shown().slider.style;
  assert.ok(parseFloat(left) > 100 && parseFloat(left) < TRIANGLE.x - TRIANGLE.side / 2);
  assert.ok(parseFloat(width) < 400 && parseFloat(width) > TRIANGLE.side);
});

test("the triangle has a band a colour, painted anew for another measure and not for a drag", () => {
  const page = shown();
  const fills = () => calls(page.bands, "fill").filter(({ fillStyle }) => page.frame.scale.includes(fillStyle));
  assert.deepEqual(fills().map(({ fillStyle }) => fillStyle), page.frame.scale);
  assert.ok(texts(page.bands).includes("class 3"));
  assert.ok(texts(page.bands).includes(number(2 / 3))); // gini's top
  use(page.slider, "pointerdown", pixelOf([10, 20, 30]));
  use(page.slider, "pointermove", pixelOf([11, 20, 29]));
  assert.equal(fills().length, page.frame.scale.length);
  page.root.querySelectorAll(".chip")[0].click();
  assert.equal(fills().length, 2 * page.frame.scale.length);
  assert.ok(texts(page.bands).includes("1.585 bit"));
});
