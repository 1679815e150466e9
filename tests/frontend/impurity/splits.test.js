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
  const one = shown();
  assert.deepEqual(one.row(2), ["0.25", "0.25", "same"]);
  use(one.bar(0, 1), "pointerdown", { clientX: 300 });
  use(one.bar(0, 1), "pointermove", { clientX: 300 + 37.5 });
  assert.equal(one.state(), "8.8_6.1_4.8");
  assert.deepEqual(one.row(2), ["0.3125", "0.25", "A"]);
  use(one.bar(0, 1), "pointermove", { clientX: 300 - 2 * 37.5 });
  assert.equal(one.state(), "8.8_6.4_4.8");
  assert.deepEqual(one.sent, []);
  use(one.bar(0, 1), "pointerup", { clientX: 300 + 999 });
  assert.deepEqual(one.sent, [splits([6, 0], [4, 8])]);
});

test("until Python answers nothing is told of a second change", () => {
  const one = shown();
  press(one.bar(0, 0), "ArrowLeft");
  press(one.bar(0, 0), "Enter");
  assert.equal(one.state(), "8.8_7.2_4.8");
  assert.equal(one.row(0)[2], "same"); // 2^8 / 3^12 both: see engine/criteria/exact.py
  assert.equal(one.row(1)[2], "A");
  press(one.bar(1, 1), "ArrowRight");
  assert.deepEqual(one.row(0), ["…", "…", "…"]);
  press(one.bar(1, 1), "Enter");
  assert.deepEqual(one.sent, [splits([7, 2], [4, 8]), splits([7, 2], [4, 7])]);
});

test("keys slide a bar, no further than its ends", () => {
  const one = shown();
  for (const [key, more, state] of [
    ["ArrowRight", {}, "8.8_6.2_3.8"], ["ArrowLeft", { shiftKey: true }, "8.8_6.2_8.8"],
    ["ArrowLeft", {}, "8.8_6.2_8.8"], ["Home", {}, "8.8_6.2_0.8"], ["End", {}, "8.8_6.2_8.8"],
  ]) {
    press(one.bar(1, 0), key, more);
    assert.equal(one.state(), state);
  }
  assert.equal(one.bar(1, 0).getAttribute("aria-valuetext"), "8 left, 0 right");
  assert.deepEqual(one.row(0), ["0.1887 bit", "-", "-"]);
});

/** Type a number into the k-th field: those of the node first. */
function type(one, k, text) {
  const input = one.root.querySelectorAll("input")[k];
  input.value = text;
  use(input, "change");
}

test("numbers are typed, within their bounds", () => {
  const one = shown();
  type(one, 0, "3");
  assert.equal(one.state(), "3.8_3.2_3.8");
  type(one, 1, "1e9");
  assert.equal(one.state(), "3.60_3.2_3.8");
  type(one, 3, "-4");
  assert.equal(one.state(), "3.60_3.0_3.8");
  for (const none of ["x", ""]) type(one, 3, none);
  assert.equal(one.state(), "3.60_3.0_3.8");
  assert.deepEqual(one.inputs(), ["3", "60", "3", "0", "3", "8"]);
});

test("what is being typed stays, whatever frame comes, until it is done", () => {
  const one = shown();
  const [, , left] = one.root.querySelectorAll("input");
  left.value = "1";
  use(left, "input");
  one.picture.show({ ...one.frame, first: [5, 2] });
  assert.equal(left.value, "1");
  use(left, "change");
  assert.equal(one.state(), "8.8_1.2_4.8");
  one.picture.show({ ...one.frame, first: [1, 2] }, 1);
  left.value = "";
  use(left, "input");
  use(left, "blur");
  assert.equal(left.value, "1");
});

test("classes are added and taken away, two to four", () => {
  const one = shown();
  const [fewer, more] = one.root.querySelectorAll(".node > button");
  assert.ok(fewer.disabled);
  more.click();
  more.click();
  assert.equal(one.state(), "8.8.4.4_6.2.2.2_4.8.2.2");
  assert.equal(one.root.querySelectorAll(".bar").length, 8);
  assert.ok(more.disabled);
  fewer.click();
  assert.deepEqual(one.sent.at(-1), splits([6, 2, 2], [4, 8, 2], [8, 8, 4]));
});

test("a measure that is clicked is opened", () => {
  const one = shown();
  const opener = one.root.querySelectorAll("tr")[4].querySelector("button");
  opener.click();
  assert.equal(opener.getAttribute("aria-pressed"), "true");
  assert.deepEqual(one.sent, [{ what: "set", values: { opened: "gain_ratio" } }]);
});

test("the better score stands out", () => {
  const one = shown();
  const best = (k) => one.root.querySelectorAll("tr")[k + 1].querySelectorAll("td").map((cell) => cell.classList.contains("best"));
  assert.deepEqual(best(0), [false, true, false]);
  assert.deepEqual(best(2), [false, false, false]);
});
