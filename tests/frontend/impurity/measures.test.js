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
const { told: samples } = expected.shares.measures;

/** The picture on the page with what it sent. */
function shown(changes = {}) {
  const root = placed();
  const frame = { ...unpack(bytesOf(expected.shares.measures.frame)), ...changes };
  const picture = pictured(create, "measures", frame, root);
  const find = (selector) => root.querySelector(selector);
  return {
    root, frame, picture, sent: picture.sent, slider: find(".slider"), reading: find(".told"), pen: find("canvas").pen,
    values: () => root.querySelectorAll(".chip").map((chip) => chip.querySelector(".value").textContent),
    percent: () => Number(root.dataset.percent),
  };
}

/** The pixel of a percent: the plane of a picture of 600 begins at 44 and ends 12 before its end. */
const pixelOf = (percent) => ({ clientX: 44 + (544 * percent) / 100, clientY: 50 });

test("a drag shows the engine's values of each share, and its end sends the percent", () => {
  const page = shown();
  use(page.slider, "pointerdown", pixelOf(30));
  for (const { parts, values, divergence, surprise } of samples) {
    use(page.slider, "pointermove", pixelOf(parts[0]));
    assert.equal(page.percent(), parts[0]);
    assert.deepEqual(page.values(), [`${number(values[0])} bit`, number(values[1]), number(values[2])]);
    assert.ok(page.reading.textContent.includes(`each class: ${surprise.map((bits) => number(bits)).join(", ")} bit`));
    assert.ok(page.reading.textContent.endsWith(`= 1 − ${number(divergence)} = ${number(values[0])} bit`));
  }
  assert.deepEqual(page.sent, []);
  use(page.slider, "pointerup", pixelOf(80));
  assert.deepEqual(page.sent, [{ what: "set", values: { percent: 80 } }]);
});

test("a drag beyond the ends leaves the line at an end", () => {
  const page = shown();
  use(page.slider, "pointerdown", pixelOf(-40));
  assert.equal(page.percent(), 0);
  use(page.slider, "pointermove", pixelOf(170));
  assert.equal(page.percent(), 100);
  assert.deepEqual(page.values(), ["0 bit", "0", "0"]);
  assert.match(page.reading.textContent, /each class: 0, ∞ bit/);
});

test("the keys move the line, and the slider says the values", () => {
  const page = shown();
  for (const [key, modifiers, percent] of [
    ["ArrowRight", {}, 31], ["ArrowUp", { shiftKey: true }, 41], ["ArrowLeft", {}, 40], ["PageDown", {}, 30],
    ["End", {}, 100], ["ArrowRight", {}, 100], ["Home", {}, 0], ["ArrowDown", {}, 0],
  ]) {
    press(page.slider, key, modifiers);
    assert.equal(page.percent(), percent);
  }
  assert.equal(page.slider.getAttribute("aria-valuenow"), "0");
  assert.equal(page.slider.getAttribute("aria-valuetext"), "p 0: entropy 0 bit, gini 0, error 0");
  mock.timers.tick(1000);
  assert.deepEqual(page.sent, [{ what: "set", values: { percent: 0 } }]);
});

test("a click on a measure picks it at once and sends it", () => {
  const page = shown();
  const chips = page.root.querySelectorAll(".chip");
  assert.deepEqual(chips.map((chip) => chip.getAttribute("aria-pressed")), ["false", "true", "false"]);
  chips[2].click();
  assert.deepEqual(chips.map((chip) => chip.getAttribute("aria-pressed")), ["false", "false", "true"]);
  assert.deepEqual(page.sent, [{ what: "set", values: { impurity: "error" } }]);
  const { accent } = page.frame.colours;
  const bold = calls(page.pen, "stroke").findLast(({ strokeStyle }) => strokeStyle === accent);
  assert.equal(bold.path.length, 101);
});

test("the KL divergence is drawn over the entropy where that is picked, from its curve to the top", () => {
  const page = shown({ impurity: "entropy", percent: 10 });
  assert.ok(texts(page.pen).includes("KL"));
  assert.ok(texts(shown({ impurity: "entropy", percent: 30 }).pen).includes("KL divergence to uniform")); // there is room
  const [[, x, low], [, u, high]] = calls(page.pen, "stroke").find(({ globalAlpha }) => globalAlpha < 1).path;
  assert.equal(x, u);
  assert.ok(Math.abs(high - 10) < 1e-9); // the top of the plane: one bit
  assert.ok(low > high);
  assert.ok(!texts(shown().pen).some((text) => text.startsWith("KL")));
});

test("a new frame is shown, but during a drag the line stays", () => {
  const page = shown();
  page.picture.show({ ...page.frame, percent: 77 });
  assert.equal(page.percent(), 77);
  use(page.slider, "pointerdown", pixelOf(20));
  page.picture.show({ ...page.frame, percent: 5 });
  assert.equal(page.percent(), 20);
});
