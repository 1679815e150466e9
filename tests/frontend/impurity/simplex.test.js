import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { calls, texts } from "../pen.js";
import { number } from "../../../dtviz/frontend/lib/format.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { spotOf } from "../../../dtviz/frontend/impurity/lattice.js";
import { create } from "../../../dtviz/frontend/impurity/simplex.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });
const { told } = expected.shares.simplex;
const TRIANGLE = { x: 300, y: 26, side: (290 - 52) / (Math.sqrt(3) / 2) }; // of a picture of 600

/** The picture on the page with what it sent. */
function shown(more = {}) {
  const root = placed();
  const frame = { ...unpack(bytesOf(expected.shares.simplex.frame)), ...more };
  const picture = pictured(create, "simplex", frame, root);
  const find = (selector) => root.querySelector(selector);
  return {
    root, frame, picture, sent: picture.sent, slider: find(".slider"), told: find(".told"), still: find(".still").pen,
    values: () => root.querySelectorAll(".chip").map((chip) => chip.querySelector(".value").textContent),
  };
}

const over = (parts) => {
  const { x, y } = spotOf(TRIANGLE, 60, parts);
  return { clientX: x, clientY: y };
};

test("under the pointer the engine's values of each triple are read off", () => {
  const one = shown();
  use(one.slider, "pointerdown", over([20, 20, 20]));
  for (const { parts, values, apart } of told) {
    use(one.slider, "pointermove", over(parts));
    assert.equal(one.root.dataset.shares, parts.join(" "));
    assert.deepEqual(one.values(), [`${number(values[0])} bit`, number(values[1]), number(values[2])]);
    assert.ok(one.told.textContent.endsWith(`= 1.585 − ${number(apart)} = ${number(values[0])} bit`));
  }
  assert.deepEqual(one.sent, []);
  use(one.slider, "pointerup", over([10, 20, 30]));
  assert.deepEqual(one.sent, [{ what: "set", values: { shares: [10, 20, 30] } }]);
});

test("the arrow keys move it towards the corners and not over the rim", () => {
  const one = shown({ shares: [20, 20, 20] });
  for (const [key, more, shares] of [
    ["ArrowUp", {}, "21 19 20"], ["ArrowUp", {}, "22 19 19"], ["ArrowLeft", {}, "22 20 18"],
    ["ArrowRight", { shiftKey: true }, "22 15 23"], ["ArrowDown", {}, "21 16 23"],
  ]) {
    press(one.slider, key, more);
    assert.equal(one.root.dataset.shares, shares);
  }
  for (let k = 0; k < 9; k++) press(one.slider, "ArrowRight", { shiftKey: true });
  assert.equal(one.root.dataset.shares, "21 0 39");
  for (let k = 0; k < 9; k++) press(one.slider, "ArrowDown", { shiftKey: true });
  assert.match(one.root.dataset.shares, /^0 /);
  assert.match(one.slider.getAttribute("aria-valuetext"), /^p₁ = 0, .*: entropy .* bit, gini /);
});

test("beside the triangle a finger scrolls the page", () => {
  const { left, width } = shown().slider.style;
  assert.ok(parseFloat(left) > 100 && parseFloat(left) < TRIANGLE.x - TRIANGLE.side / 2);
  assert.ok(parseFloat(width) < 400 && parseFloat(width) > TRIANGLE.side);
});

test("the triangle has a band a colour, painted anew for another measure and not for a drag", () => {
  const one = shown();
  const fills = () => calls(one.still, "fill").filter(({ fillStyle }) => one.frame.scale.includes(fillStyle));
  assert.deepEqual(fills().map(({ fillStyle }) => fillStyle), one.frame.scale);
  assert.ok(texts(one.still).includes("class 3"));
  assert.ok(texts(one.still).includes(number(2 / 3))); // gini's top
  use(one.slider, "pointerdown", over([10, 20, 30]));
  use(one.slider, "pointermove", over([11, 20, 29]));
  assert.equal(fills().length, one.frame.scale.length);
  one.root.querySelectorAll(".chip")[0].click();
  assert.equal(fills().length, 2 * one.frame.scale.length);
  assert.ok(texts(one.still).includes("1.585 bit"));
});
