import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { create } from "../../../dtviz/frontend/impurity/splits.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** The picture of 8 + 8 rows, A 6 + 2, B 4 + 8, and what it sent; bars are 600 pixels: 37.5 a row. */
function shown() {
  const root = placed();
  const frame = unpack(bytesOf(expected.splits[0].frame));
  const picture = pictured(create, "splits", frame, root);
  const bars = root.querySelectorAll(".bar");
  return {
    root, frame, picture, sent: picture.sent, bar: (split, k) => bars[2 * split + k],
    state: () => root.dataset.splits,
    row: (k) => root.querySelectorAll("tr")[k + 1].querySelectorAll("td").map(({ textContent }) => textContent),
    inputs: () => root.querySelectorAll("input").map(({ value }) => value),
  };
}

const splits = (first, second, parent = [8, 8]) => ({ what: "set", values: { splits: { parent, first, second } } });

test("a bar that is dragged to the left sends rows left, and the table follows at once", () => {
  const page = shown();
  assert.deepEqual(page.row(2), ["0.25", "0.25", "same"]);
  use(page.bar(0, 1), "pointerdown", { clientX: 300 });
  use(page.bar(0, 1), "pointermove", { clientX: 300 + 37.5 });
  assert.equal(page.state(), "8.8_6.1_4.8");
  assert.deepEqual(page.row(2), ["0.3125", "0.25", "A"]);
  use(page.bar(0, 1), "pointermove", { clientX: 300 - 2 * 37.5 });
  assert.equal(page.state(), "8.8_6.4_4.8");
  assert.deepEqual(page.sent, []);
  use(page.bar(0, 1), "pointerup", { clientX: 300 + 999 });
  assert.deepEqual(page.sent, [splits([6, 0], [4, 8])]);
});

test("a second change has no scores until Python answers", () => {
  const page = shown();
  press(page.bar(0, 0), "ArrowLeft");
  press(page.bar(0, 0), "Enter");
  assert.equal(page.state(), "8.8_7.2_4.8");
  assert.equal(page.row(0)[2], "same"); // 2^8 / 3^12 both: see engine/criteria/exact.py
  assert.equal(page.row(1)[2], "A");
  press(page.bar(1, 1), "ArrowRight");
  assert.deepEqual(page.row(0), ["…", "…", "…"]);
  press(page.bar(1, 1), "Enter");
  assert.deepEqual(page.sent, [splits([7, 2], [4, 8]), splits([7, 2], [4, 7])]);
});

test("keys slide a bar, no further than its ends", () => {
  const page = shown();
  for (const [key, modifiers, state] of [
    ["ArrowRight", {}, "8.8_6.2_3.8"], ["ArrowLeft", { shiftKey: true }, "8.8_6.2_8.8"],
    ["ArrowLeft", {}, "8.8_6.2_8.8"], ["Home", {}, "8.8_6.2_0.8"], ["End", {}, "8.8_6.2_8.8"],
  ]) {
    press(page.bar(1, 0), key, modifiers);
    assert.equal(page.state(), state);
  }
  assert.equal(page.bar(1, 0).getAttribute("aria-valuetext"), "8 left, 0 right");
  assert.deepEqual(page.row(0), ["0.1887 bit", "-", "-"]);
});

/** Type a number into the k-th field: those of the node first. */
function type(page, k, text) {
  const input = page.root.querySelectorAll("input")[k];
  input.value = text;
  use(input, "change");
}

test("numbers are typed, within their bounds", () => {
  const page = shown();
  type(page, 0, "3");
  assert.equal(page.state(), "3.8_3.2_3.8");
  type(page, 1, "1e9");
  assert.equal(page.state(), "3.60_3.2_3.8");
  type(page, 3, "-4");
  assert.equal(page.state(), "3.60_3.0_3.8");
  for (const text of ["x", ""]) type(page, 3, text);
  assert.equal(page.state(), "3.60_3.0_3.8");
  assert.deepEqual(page.inputs(), ["3", "60", "3", "0", "3", "8"]);
});

test("typed text stays, whatever frame comes, until typing ends", () => {
  const page = shown();
  const [, , left] = page.root.querySelectorAll("input");
  left.value = "1";
  use(left, "input");
  page.picture.show({ ...page.frame, first: [5, 2] });
  assert.equal(left.value, "1");
  use(left, "change");
  assert.equal(page.state(), "8.8_1.2_4.8");
  page.picture.show({ ...page.frame, first: [1, 2] }, 1);
  left.value = "";
  use(left, "input");
  use(left, "blur");
  assert.equal(left.value, "1");
});

test("classes are added and taken away, two to four", () => {
  const page = shown();
  const [remove, add] = page.root.querySelectorAll(".node > button");
  assert.ok(remove.disabled);
  add.click();
  add.click();
  assert.equal(page.state(), "8.8.4.4_6.2.2.2_4.8.2.2");
  assert.equal(page.root.querySelectorAll(".bar").length, 8);
  assert.ok(add.disabled);
  remove.click();
  assert.deepEqual(page.sent.at(-1), splits([6, 2, 2], [4, 8, 2], [8, 8, 4]));
});

test("a measure that is clicked is opened", () => {
  const page = shown();
  const opener = page.root.querySelectorAll("tr")[4].querySelector("button");
  opener.click();
  assert.equal(opener.getAttribute("aria-pressed"), "true");
  assert.deepEqual(page.sent, [{ what: "set", values: { opened: "gain_ratio" } }]);
});

test("the better score stands out", () => {
  const page = shown();
  const best = (k) => page.root.querySelectorAll("tr")[k + 1].querySelectorAll("td").map((cell) => cell.classList.contains("best"));
  assert.deepEqual(best(0), [false, true, false]);
  assert.deepEqual(best(2), [false, false, false]);
});
