// The buttons above the pad: palette, tools, history.

import { element } from "../lib/dom.js";
import { markPath } from "../draw/shapes.js";

/** @import { Pad } from "../frames.d.ts" */
/** @import { Row, Tool } from "./tools.js" */

/**
 * The actions of the buttons. `clear` erases all points, `fit` brings all points into sight.
 * @typedef {object} ToolbarActions
 * @property {(tool: Tool) => void} chooseTool
 * @property {(index: number) => void} chooseValue  chooses a value of the palette by its index
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} clear
 * @property {() => void} fit
 *
 * The state that the buttons show.
 * @typedef {object} ToolbarState
 * @property {Pad} frame
 * @property {Tool} tool
 * @property {number} choice  index of the chosen value in the palette
 * @property {Row[]} rows  rows of the drawing, one a point
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 *
 * @typedef {ReturnType<typeof createToolbar>} Toolbar
 */

const TOOL_NAMES = { add: "Add", spray: "Spray", erase: "Erase", move: "Move" };
const TOOL_HELP = {
  add: "Click to add a point",
  spray: "Drag to scatter points",
  erase: "Click or drag over points to erase them",
  move: "Drag a point to move it",
};
const SVG_ATTRIBUTES = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"';
const LINE_ATTRIBUTES = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
const ICONS = {
  undo: `<svg ${SVG_ATTRIBUTES}><path ${LINE_ATTRIBUTES} d="M8 4 4 8l4 4M4 8h10a6 6 0 0 1 0 12h-3"/></svg>`,
  redo: `<svg ${SVG_ATTRIBUTES}><path ${LINE_ATTRIBUTES} d="m16 4 4 4-4 4M20 8H10a6 6 0 0 0 0 12h3"/></svg>`,
};

/** Create the toolbar: its element, and `update`, which shows a state on the buttons.
 *  @param {readonly Tool[]} tools @param {ToolbarActions} actions */
export function createToolbar(tools, actions) {
  const bar = element("div", "pad-bar");
  const palette = addGroup(bar, "");
  const toolGroup = addGroup(bar, "Tool");
  const drawingGroup = addGroup(bar, "Drawing");
  for (const tool of tools) addButton(toolGroup, TOOL_NAMES[tool], TOOL_HELP[tool], () => actions.chooseTool(tool)).dataset.tool = tool;
  const undo = addButton(drawingGroup, "", "Undo (Ctrl+Z)", actions.undo, ICONS.undo);
  const redo = addButton(drawingGroup, "", "Redo (Ctrl+Y)", actions.redo, ICONS.redo);
  undo.setAttribute("aria-label", "Undo");
  redo.setAttribute("aria-label", "Redo");
  const clear = addButton(drawingGroup, "Clear", "Take all points away; Undo brings them back", actions.clear);
  const fit = addButton(drawingGroup, "Fit", "Show all points", actions.fit);
  let shownPalette = ""; // as JSON: an equal palette keeps its buttons, and so the keyboard its focus

  /** @param {ToolbarState} state */
  function update({ frame, tool, choice, rows, canUndo, canRedo }) {
    const json = JSON.stringify(frame.palette);
    if (json !== shownPalette) fillPalette(palette, frame, actions.chooseValue);
    shownPalette = json;
    tools.forEach((name, k) => setPressed(toolGroup.children[k], name === tool));
    [...palette.children].forEach((button, k) => setPressed(button, k === choice));
    setEnabled(undo, canUndo);
    setEnabled(redo, canRedo);
    setEnabled(clear, rows.length > 0);
    setEnabled(fit, rows.length > 0);
  }
  return { element: bar, update };
}

/** @param {HTMLElement} palette @param {Pad} frame @param {ToolbarActions["chooseValue"]} chooseValue */
function fillPalette(palette, frame, chooseValue) {
  palette.replaceChildren();
  palette.hidden = frame.palette.length < 2;
  palette.setAttribute("aria-label", frame.target === "classes" ? "Class" : "Value");
  frame.palette.forEach(({ name, spoken: spokenName, colour, symbol }, index) => {
    const rim = frame.target === "colour" ? 'stroke="currentColor" stroke-opacity=".6"' : ""; // colours of numbers may be pale
    const swatch = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-9 -9 18 18" width="16" height="16"
      aria-hidden="true"><path d="${markPath(symbol, 6.5)}" fill="${colour}" ${rim}/></svg>`;
    const button = addButton(palette, name, `${spokenName} (key ${index + 1})`, () => chooseValue(index), swatch);
    button.setAttribute("aria-label", spokenName);
  });
}

/** @param {HTMLElement} parent @param {string} label */
function addGroup(parent, label) {
  const group = element("div", "pad-group");
  group.setAttribute("role", "group");
  if (label) group.setAttribute("aria-label", label);
  parent.append(group);
  return group;
}

/** @param {HTMLElement} parent @param {string} text @param {string} title @param {() => void} onPress */
function addButton(parent, text, title, onPress, icon = "") {
  const button = element("button", "tool");
  button.type = "button";
  button.innerHTML = icon; // safe: drawn from numbers and from colours of the palette
  button.append(text);
  button.title = title;
  button.onclick = () => button.getAttribute("aria-disabled") === "true" || onPress();
  parent.append(button);
  return button;
}

/** @param {Element} button @param {boolean} isPressed */
function setPressed(button, isPressed) {
  button.setAttribute("aria-pressed", String(isPressed));
}

/** Enables or disables a button. With `disabled` the button just pressed would lose the focus of the keyboard.
 *  @param {Element} button @param {boolean} isEnabled */
function setEnabled(button, isEnabled) {
  button.setAttribute("aria-disabled", String(!isEnabled));
}
