import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { create } from "../../../dtviz/frontend/pad/pad.js";
import { areaOf } from "../../../dtviz/frontend/pad/draw.js";
import { HOME, pixelOf } from "../../../dtviz/frontend/pad/view.js";
import { expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });
const SWATCHES = expected.palettes.classes.map(([colour, symbol], value) => ({
  name: "ABCDEF"[value], said: `class ${"ABCDEF"[value]}`, value, colour, symbol,
}));

/** A pad on the page that was given rows. */
function shown(rows = [], more = {}) {
  const frame = {
    target: "classes", axes: ["x1", "x2"], palette: SWATCHES, scale: expected.palettes.scale, range: [0, 10],
    most: 9, past: false, ahead: false, fit: 0, ...columns(rows), ...more,
  };
  const made = pictured(create, "pad", frame);
  const { root, posts } = made;
  const surface = root.querySelector(".pad-surface");
  return {
    ...made, surface,
    heard: () => root.querySelector("[role=status]").textContent,
    steps: () => (posts.at(-1)?.events ?? []).map(({ event }) => event),
    button: (text) => root.querySelectorAll("button").find((one) => one.textContent === text || one.title.startsWith(text)),
    spot: (row) => {
      const [clientX, clientY] = pixelOf(row, HOME, areaOf(600, 400));
      return { clientX, clientY };
    },
  };
}

const columns = (rows) => ({
  x: Float64Array.from(rows, (row) => row[0]),
  y: Float64Array.from(rows, (row) => row[1]),
  value: Float64Array.from(rows, (row) => row[2]),
});

/** Press and let go. */
function click({ surface, spot }, row, more = {}) {
  use(surface, "pointerdown", { ...spot(row), ...more });
  use(surface, "pointerup", { ...spot(row), ...more });
}

test("a click adds a point of the chosen class where it is", () => {
  const one = shown();
  click(one, [4, 6]);
  assert.deepEqual(one.steps(), [{ what: "points", target: "classes", change: [[null, [4, 6, 0]]] }]);
  assert.equal(one.heard(), "A added at 4, 6; 1 point");
  press(one.root, "3");
  click(one, [2, 2]);
  assert.deepEqual(one.steps().at(-1).change, [[null, [2, 2, 2]]]);
});

test("a point waits for the cell that its click closes", () => {
  const one = shown();
  const cell = placed("textarea");
  const closes = () => {
    cell.remove();
    document.activeElement = document.body;
  };
  cell.focus();
  document.addEventListener("pointerdown", closes, { capture: true, once: true });
  click(one, [4, 6]);
  mock.timers.tick(399);
  assert.deepEqual(one.steps(), []);
  mock.timers.tick(1);
  assert.equal(one.steps().length, 1);
  click(one, [2, 2]);
  assert.equal(one.steps().length, 2, "none waits where nobody was typing");
});

test("the tools erase and move what stands under the pointer", () => {
  const one = shown([[4, 6, 1], [8, 2, 0]]);
  one.button("Erase").click();
  click(one, [4, 6]);
  assert.deepEqual(one.steps().at(-1).change, [[[4, 6, 1], null]]);
  assert.equal(one.heard(), "B at 4, 6 erased; 1 point");
  one.button("Move").click();
  use(one.surface, "pointerdown", one.spot([8, 2]));
  use(one.surface, "pointermove", one.spot([7, 3]));
  use(one.surface, "pointerup", one.spot([7, 3]));
  assert.deepEqual(one.steps().at(-1).change, [[[8, 2, 0], [7, 3, 0]]]);
});

test("Ctrl+Z takes back what the pad did, Ctrl+Y and Ctrl+Shift+Z do it again", () => {
  const one = shown();
  click(one, [4, 6]);
  click(one, [5, 5]);
  press(one.root, "z", { ctrlKey: true });
  assert.equal(one.heard(), "undone; 1 point");
  press(one.root, "z", { metaKey: true });
  assert.equal(one.heard(), "undone; 0 points");
  press(one.root, "y", { ctrlKey: true });
  assert.equal(one.heard(), "done again; 1 point");
  press(one.root, "Z", { ctrlKey: true, shiftKey: true });
  assert.equal(one.heard(), "done again; 2 points");
  assert.deepEqual(one.steps().map(({ what }) => what), ["points", "points", "undo", "undo", "redo", "redo"]);
});

test("undo and redo can be pressed where there is something to undo, here or in Python", () => {
  const able = (one, name) => one.button(name).getAttribute("aria-disabled") === "false";
  const one = shown();
  assert.ok(!able(one, "Undo") && !able(one, "Redo"));
  click(one, [4, 6]);
  assert.ok(able(one, "Undo") && !able(one, "Redo"));
  one.button("Undo").click();
  assert.ok(able(one, "Redo"));
  assert.ok(able(shown([], { past: true }), "Undo") && able(shown([], { ahead: true }), "Redo"));
  const none = shown();
  none.button("Undo").click();
  assert.deepEqual(none.sent, []);
});

test("Clear takes all points away, and one undo brings them back", () => {
  const one = shown([[4, 6, 1], [8, 2, 0]]);
  one.button("Clear").click();
  assert.deepEqual(one.steps()[0].change, [[[4, 6, 1], null], [[8, 2, 0], null]]);
  assert.equal(one.heard(), "all points are gone; 0 points");
  one.button("Undo").click();
  assert.equal(one.heard(), "undone; 2 points");
});

test("the keys draw too: a crosshair, Enter, Delete, and M to carry", () => {
  const one = shown([[5, 5, 1]]);
  press(one.surface, "ArrowRight");
  assert.equal(one.heard(), "5.2, 5: B");
  press(one.surface, "ArrowUp", { shiftKey: true });
  assert.equal(one.heard(), "5.2, 6");
  press(one.surface, "Enter");
  assert.deepEqual(one.steps().at(-1).change, [[null, [5.2, 6, 0]]]);
  press(one.surface, "m");
  assert.equal(one.heard(), "A at 5.2, 6 picked up");
  press(one.surface, "ArrowLeft", { shiftKey: true });
  press(one.surface, "m");
  assert.deepEqual(one.steps().at(-1).change, [[[5.2, 6, 0], [4.2, 6, 0]]]);
  press(one.surface, "Delete");
  assert.deepEqual(one.steps().at(-1).change, [[[4.2, 6, 0], null]]);
});

test("Escape leaves a carried point where it was", () => {
  const one = shown([[5, 5, 1]]);
  press(one.surface, "M");
  press(one.surface, "ArrowLeft");
  press(one.surface, "Escape");
  assert.equal(one.heard(), "left where it was");
  assert.deepEqual(one.sent, []);
});

test("no more points are added than there is room for", () => {
  const rows = Array.from({ length: 9 }, (_, k) => [k, k, 0]);
  const one = shown(rows);
  click(one, [4, 6]);
  assert.deepEqual(one.sent, []);
  assert.match(one.heard(), /at most 9 points$/);
});

test("where nothing was done that is said", () => {
  const one = shown();
  one.button("Erase").click();
  click(one, [4, 6]);
  assert.equal(one.heard(), "no point here");
  press(one.surface, "m");
  assert.equal(one.heard(), "no point here to move");
  assert.deepEqual(one.sent, []);
});

test("a row that has no class of the palette is told as a point", () => {
  const one = shown([[4, 6, 17]]);
  one.button("Erase").click();
  click(one, [4, 6]);
  assert.equal(one.heard(), "Point at 4, 6 erased; 0 points");
});

test("an interrupted press adds nothing", () => {
  const one = shown();
  use(one.surface, "pointerdown", one.spot([4, 6]));
  use(one.surface, "pointercancel", one.spot([4, 6]));
  assert.deepEqual(one.sent, []);
});

test("other keys stay the page's", () => {
  const one = shown();
  assert.ok(!press(one.surface, "q").event.defaultPrevented);
  assert.ok(!press(one.surface, "1", { altKey: true }).event.defaultPrevented);
  assert.ok(!press(one.root, "ArrowLeft").event.defaultPrevented); // not on the pad itself
});
