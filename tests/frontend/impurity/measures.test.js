import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { calls, texts } from "../pen.js";
import { number } from "../../../dtviz/frontend/lib/format.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { create } from "../../../dtviz/frontend/impurity/measures.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });
const { told } = expected.shares.measures;

/** The picture on the page with what it sent. */
function shown(more = {}) {
  const root = placed();
  const frame = { ...unpack(bytesOf(expected.shares.measures.frame)), ...more };
  const picture = pictured(create, "measures", frame, root);
  const find = (selector) => root.querySelector(selector);
  return {
    root, frame, picture, sent: picture.sent, slider: find(".slider"), told: find(".told"), pen: find("canvas").pen,
    values: () => root.querySelectorAll(".chip").map((chip) => chip.querySelector(".value").textContent),
    percent: () => Number(root.dataset.percent),
  };
}

/** The pixel of a percent: the plane of a picture of 600 begins at 44 and ends 12 before its end. */
const over = (percent) => ({ clientX: 44 + (544 * percent) / 100, clientY: 50 });

test("under the pointer the engine's values of each share are read off, and told when it lets go", () => {
  const one = shown();
  use(one.slider, "pointerdown", over(30));
  for (const { parts, values, apart, surprise } of told) {
    use(one.slider, "pointermove", over(parts[0]));
    assert.equal(one.percent(), parts[0]);
    assert.deepEqual(one.values(), [`${number(values[0])} bit`, number(values[1]), number(values[2])]);
    assert.ok(one.told.textContent.includes(`each class: ${surprise.map((bits) => number(bits)).join(", ")} bit`));
    assert.ok(one.told.textContent.endsWith(`= 1 − ${number(apart)} = ${number(values[0])} bit`));
  }
  assert.deepEqual(one.sent, []);
  use(one.slider, "pointerup", over(80));
  assert.deepEqual(one.sent, [{ what: "set", values: { percent: 80 } }]);
});

test("beyond its ends the line stays at them", () => {
  const one = shown();
  use(one.slider, "pointerdown", over(-40));
  assert.equal(one.percent(), 0);
  use(one.slider, "pointermove", over(170));
  assert.equal(one.percent(), 100);
  assert.deepEqual(one.values(), ["0 bit", "0", "0"]);
  assert.match(one.told.textContent, /each class: 0, ∞ bit/);
});

test("the keys step it, and the slider says what is seen", () => {
  const one = shown();
  for (const [key, more, percent] of [
    ["ArrowRight", {}, 31], ["ArrowUp", { shiftKey: true }, 41], ["ArrowLeft", {}, 40], ["PageDown", {}, 30],
    ["End", {}, 100], ["ArrowRight", {}, 100], ["Home", {}, 0], ["ArrowDown", {}, 0],
  ]) {
    press(one.slider, key, more);
    assert.equal(one.percent(), percent);
  }
  assert.equal(one.slider.getAttribute("aria-valuenow"), "0");
  assert.equal(one.slider.getAttribute("aria-valuetext"), "p 0: entropy 0 bit, gini 0, error 0");
  mock.timers.tick(1000);
  assert.deepEqual(one.sent, [{ what: "set", values: { percent: 0 } }]);
});

test("a measure that is clicked is the one looked at, at once and told", () => {
  const one = shown();
  const chips = one.root.querySelectorAll(".chip");
  assert.deepEqual(chips.map((chip) => chip.getAttribute("aria-pressed")), ["false", "true", "false"]);
  chips[2].click();
  assert.deepEqual(chips.map((chip) => chip.getAttribute("aria-pressed")), ["false", "false", "true"]);
  assert.deepEqual(one.sent, [{ what: "set", values: { impurity: "error" } }]);
  const { accent } = one.frame.colours;
  const bold = calls(one.pen, "stroke").findLast(({ strokeStyle }) => strokeStyle === accent);
  assert.equal(bold.path.length, 101);
});

test("KL stands over the entropy where that is looked at, from its curve to the top", () => {
  const one = shown({ impurity: "entropy", percent: 10 });
  assert.ok(texts(one.pen).includes("KL"));
  const [[, x, low], [, u, high]] = calls(one.pen, "stroke").find(({ globalAlpha }) => globalAlpha < 1).path;
  assert.equal(x, u);
  assert.ok(Math.abs(high - 10) < 1e-9); // the top of the plane: one bit
  assert.ok(low > high);
  assert.ok(!texts(shown().pen).includes("KL"));
});

test("a frame that comes is shown, but under the hand the line stays", () => {
  const one = shown();
  one.picture.show({ ...one.frame, percent: 77 });
  assert.equal(one.percent(), 77);
  use(one.slider, "pointerdown", over(20));
  one.picture.show({ ...one.frame, percent: 5 });
  assert.equal(one.percent(), 20);
});
