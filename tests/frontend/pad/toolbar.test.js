import assert from "node:assert/strict";
import test from "node:test";

import { placed } from "../page.js";
import { markPath } from "../../../dtviz/frontend/draw/shapes.js";
import { createToolbar } from "../../../dtviz/frontend/pad/toolbar.js";
import { TOOLS } from "../../../dtviz/frontend/pad/tools.js";
import { expected } from "../expected.js";

const PALETTE = expected.palettes.classes.slice(0, 3).map(([colour, symbol], value) => ({
  name: "ABC"[value], spoken: `class ${"ABC"[value]}`, value, colour, symbol,
}));
const STATE = {
  frame: { target: "classes", palette: PALETTE }, tool: "add", choice: 0, rows: [[1, 2, 0]], canUndo: true, canRedo: true,
};

/** A toolbar that shows a state, and the actions that its buttons called. */
function shown(more = {}) {
  const calls = [];
  const actions = ["chooseTool", "chooseValue", "undo", "redo", "clear", "fit"];
  const { element, update } = createToolbar(TOOLS, Object.fromEntries(actions.map((action) => [action, (...args) => calls.push([action, ...args])])));
  placed().append(element);
  const show = (state) => update({ ...STATE, ...state });
  show(more);
  const [palette, tools, others] = element.children;
  return { calls, show, palette, tools, others };
}

const isPressed = ({ children }) => children.map((button) => button.getAttribute("aria-pressed") === "true");
const isEnabled = ({ children }) => children.map((button) => button.getAttribute("aria-disabled") === "false");
const labels = ({ children }) => children.map((button) => button.getAttribute("aria-label") ?? button.textContent);

test("a button chooses its tool, and that of the chosen tool is pressed", () => {
  const { calls, show, tools } = shown();
  for (const button of tools.children) button.click();
  assert.deepEqual(calls, TOOLS.map((tool) => ["chooseTool", tool]));
  assert.deepEqual(labels(tools), ["Add", "Spray", "Erase", "Move"]);
  TOOLS.forEach((tool, index) => {
    show({ tool });
    assert.deepEqual(isPressed(tools), TOOLS.map((_, k) => k === index));
  });
});

test("the palette has each class in its colour and shape, and the chosen one is pressed", () => {
  const { calls, show, palette } = shown({ choice: 1 });
  assert.equal(palette.getAttribute("aria-label"), "Class");
  assert.deepEqual(labels(palette), ["class A", "class B", "class C"]);
  palette.children.forEach((button, index) => {
    const path = button.querySelector("path");
    const { colour, symbol } = PALETTE[index];
    assert.deepEqual([path.getAttribute("fill"), path.getAttribute("d")], [colour, markPath(symbol, 6.5)]);
    assert.match(button.title, new RegExp(`key ${index + 1}`));
    button.click();
  });
  assert.deepEqual(calls, [["chooseValue", 0], ["chooseValue", 1], ["chooseValue", 2]]);
  assert.deepEqual(isPressed(palette), [false, true, false]);
  show({ choice: 2 });
  assert.deepEqual(isPressed(palette), [false, false, true]);
});

test("the buttons of the palette stay while it is the same, so that none loses the keyboard", () => {
  const { show, palette } = shown();
  const before = palette.children;
  show({ frame: { target: "classes", palette: structuredClone(PALETTE) }, choice: 1 });
  assert.ok(palette.children.every((button, index) => button === before[index]));
  show({ frame: { target: "classes", palette: PALETTE.slice(0, 2) } });
  assert.deepEqual(labels(palette), ["class A", "class B"]);
});

test("a palette of one value is hidden", () => {
  const { show, palette } = shown({ frame: { target: "height", palette: PALETTE.slice(0, 1) } });
  assert.ok(palette.hidden);
  show({ frame: { target: "colour", palette: PALETTE } });
  assert.ok(!palette.hidden);
  assert.equal(palette.getAttribute("aria-label"), "Value");
});

test("Undo, Redo, Clear and Fit are enabled only where they change something", () => {
  const { calls, show, others } = shown();
  assert.deepEqual(labels(others), ["Undo", "Redo", "Clear", "Fit"]);
  for (const button of others.children) button.click();
  assert.deepEqual(calls, [["undo"], ["redo"], ["clear"], ["fit"]]);
  for (const [state, wanted] of [
    [{ canUndo: false }, [false, true, true, true]],
    [{ canRedo: false }, [true, false, true, true]],
    [{ rows: [] }, [true, true, false, false]],
  ]) {
    show(state);
    assert.deepEqual(isEnabled(others), wanted);
  }
  calls.length = 0;
  show({ canUndo: false, canRedo: false, rows: [] });
  for (const button of others.children) button.click();
  assert.deepEqual(calls, []);
});

test("names are shown as they are", () => {
  const { palette } = shown({ frame: { target: "classes", palette: [{ ...PALETTE[0], name: "<b>A</b>" }, PALETTE[1]] } });
  assert.equal(palette.children[0].textContent, "<b>A</b>");
  assert.equal(palette.querySelector("b"), null);
});
