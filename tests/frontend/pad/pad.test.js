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
  name: "ABCDEF"[value], spoken: `class ${"ABCDEF"[value]}`, value, colour, symbol,
}));

/** A pad on the page with rows. */
function shown(rows = [], more = {}) {
  const frame = {
    target: "classes", axes: ["x1", "x2"], palette: SWATCHES, scale: expected.palettes.scale, range: [0, 10],
    max_points: 9, can_undo: false, can_redo: false, fit: 0, ...columns(rows), ...more,
  };
  const picture = pictured(create, "pad", frame);
  const { root, posts } = picture;
  const surface = root.querySelector(".pad-surface");
  return {
    ...picture, surface,
    heard: () => root.querySelector("[role=status]").textContent,
    steps: () => (posts.at(-1)?.events ?? []).map(({ event }) => event),
    button: (text) => root.querySelectorAll("button").find((button) => button.textContent === text || button.title.startsWith(text)),
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

/** Presses and releases the pointer at a row. */
function click({ surface, spot }, row, more = {}) {
  use(surface, "pointerdown", { ...spot(row), ...more });
  use(surface, "pointerup", { ...spot(row), ...more });
}

test("a click adds a point of the chosen class where it is", () => {
  const pad = shown();
  click(pad, [4, 6]);
  assert.deepEqual(pad.steps(), [{ what: "points", target: "classes", change: [[null, [4, 6, 0]]] }]);
  assert.equal(pad.heard(), "A added at 4, 6; 1 point");
  press(pad.root, "3");
  click(pad, [2, 2]);
  assert.deepEqual(pad.steps().at(-1).change, [[null, [2, 2, 2]]]);
});

test("a point waits for the cell that its click closes", () => {
  const pad = shown();
  const cell = placed("textarea");
  const closes = () => {
    cell.remove();
    document.activeElement = document.body;
  };
  cell.focus();
  document.addEventListener("pointerdown", closes, { capture: true, once: true });
  click(pad, [4, 6]);
  mock.timers.tick(399);
  assert.deepEqual(pad.steps(), []);
  mock.timers.tick(1);
  assert.equal(pad.steps().length, 1);
  click(pad, [2, 2]);
  assert.equal(pad.steps().length, 2, "none waits where nobody was typing");
});

test("the tools erase and move what stands under the pointer", () => {
  const pad = shown([[4, 6, 1], [8, 2, 0]]);
  pad.button("Erase").click();
  click(pad, [4, 6]);
  assert.deepEqual(pad.steps().at(-1).change, [[[4, 6, 1], null]]);
  assert.equal(pad.heard(), "B at 4, 6 erased; 1 point");
  pad.button("Move").click();
  use(pad.surface, "pointerdown", pad.spot([8, 2]));
  use(pad.surface, "pointermove", pad.spot([7, 3]));
  use(pad.surface, "pointerup", pad.spot([7, 3]));
  assert.deepEqual(pad.steps().at(-1).change, [[[8, 2, 0], [7, 3, 0]]]);
});

test("Ctrl+Z takes back what the pad did, Ctrl+Y and Ctrl+Shift+Z do it again", () => {
  const pad = shown();
  click(pad, [4, 6]);
  click(pad, [5, 5]);
  press(pad.root, "z", { ctrlKey: true });
  assert.equal(pad.heard(), "undone; 1 point");
  press(pad.root, "z", { metaKey: true });
  assert.equal(pad.heard(), "undone; 0 points");
  press(pad.root, "y", { ctrlKey: true });
  assert.equal(pad.heard(), "done again; 1 point");
  press(pad.root, "Z", { ctrlKey: true, shiftKey: true });
  assert.equal(pad.heard(), "done again; 2 points");
  assert.deepEqual(pad.steps().map(({ what }) => what), ["points", "points", "undo", "undo", "redo", "redo"]);
});

test("undo and redo can be pressed where there is something to undo, here or in Python", () => {
  const able = (pad, name) => pad.button(name).getAttribute("aria-disabled") === "false";
  const pad = shown();
  assert.ok(!able(pad, "Undo") && !able(pad, "Redo"));
  click(pad, [4, 6]);
  assert.ok(able(pad, "Undo") && !able(pad, "Redo"));
  pad.button("Undo").click();
  assert.ok(able(pad, "Redo"));
  assert.ok(able(shown([], { can_undo: true }), "Undo") && able(shown([], { can_redo: true }), "Redo"));
  const none = shown();
  none.button("Undo").click();
  assert.deepEqual(none.sent, []);
});

test("Clear takes all points away, and one undo brings them back", () => {
  const pad = shown([[4, 6, 1], [8, 2, 0]]);
  pad.button("Clear").click();
  assert.deepEqual(pad.steps()[0].change, [[[4, 6, 1], null], [[8, 2, 0], null]]);
  assert.equal(pad.heard(), "all points are gone; 0 points");
  pad.button("Undo").click();
  assert.equal(pad.heard(), "undone; 2 points");
});

test("the keys draw too: a crosshair, Enter, Delete, and M to carry", () => {
  const pad = shown([[5, 5, 1]]);
  press(pad.surface, "ArrowRight");
  assert.equal(pad.heard(), "5.2, 5: B");
  press(pad.surface, "ArrowUp", { shiftKey: true });
  assert.equal(pad.heard(), "5.2, 6");
  press(pad.surface, "Enter");
  assert.deepEqual(pad.steps().at(-1).change, [[null, [5.2, 6, 0]]]);
  press(pad.surface, "m");
  assert.equal(pad.heard(), "A at 5.2, 6 picked up");
  press(pad.surface, "ArrowLeft", { shiftKey: true });
  press(pad.surface, "m");
  assert.deepEqual(pad.steps().at(-1).change, [[[5.2, 6, 0], [4.2, 6, 0]]]);
  press(pad.surface, "Delete");
  assert.deepEqual(pad.steps().at(-1).change, [[[4.2, 6, 0], null]]);
});

test("Escape leaves a carried point where it was", () => {
  const pad = shown([[5, 5, 1]]);
  press(pad.surface, "M");
  press(pad.surface, "ArrowLeft");
  press(pad.surface, "Escape");
  assert.equal(pad.heard(), "left where it was");
  assert.deepEqual(pad.sent, []);
});

test("no more points are added than there is room for", () => {
  const rows = Array.from({ length: 9 }, (_, k) => [k, k, 0]);
  const pad = shown(rows);
  click(pad, [4, 6]);
  assert.deepEqual(pad.sent, []);
  assert.match(pad.heard(), /at most 9 points$/);
});

test("a gesture that changed nothing is announced", () => {
  const pad = shown();
  pad.button("Erase").click();
  click(pad, [4, 6]);
  assert.equal(pad.heard(), "no point here");
  press(pad.surface, "m");
  assert.equal(pad.heard(), "no point here to move");
  assert.deepEqual(pad.sent, []);
});

test("a row that has no class of the palette is announced as a point", () => {
  const pad = shown([[4, 6, 17]]);
  pad.button("Erase").click();
  click(pad, [4, 6]);
  assert.equal(pad.heard(), "Point at 4, 6 erased; 0 points");
});

test("only the main button adds a point", () => {
  const pad = shown();
  click(pad, [4, 6], { button: 2 });
  assert.deepEqual(pad.steps(), []);
});

test("an interrupted press adds nothing", () => {
  const pad = shown();
  use(pad.surface, "pointerdown", pad.spot([4, 6]));
  use(pad.surface, "pointercancel", pad.spot([4, 6]));
  assert.deepEqual(pad.sent, []);
});

test("other keys are left to the page", () => {
  const pad = shown();
  assert.ok(!press(pad.surface, "q").event.defaultPrevented);
  assert.ok(!press(pad.surface, "1", { altKey: true }).event.defaultPrevented);
  assert.ok(!press(pad.root, "ArrowLeft").event.defaultPrevented); // not on the pad itself
});
