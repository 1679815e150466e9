// The buttons above the pad: palette, tools, history.

import { element } from "../lib/dom.js";
import { markPath } from "../lib/marks.js";

/** @import { Pad } from "../frames.d.ts" */
/** @import { Row, Tool } from "./tools.js" */

/**
 * What the buttons do.
 * @typedef {object} Acts
 * @property {(tool: Tool) => void} tool
 * @property {(at: number) => void} choose  a place on the palette
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} clear
 * @property {() => void} fit
 *
 * What they show.
 * @typedef {object} Shown
 * @property {Pad} frame
 * @property {Tool} tool
 * @property {number} choice
 * @property {Row[]} rows
 * @property {boolean} undoes  whether there is something to undo
 * @property {boolean} redoes
 *
 * @typedef {ReturnType<typeof toolbar>} Bar
 */

const NAMES = { add: "Add", spray: "Spray", erase: "Erase", move: "Move" };
const HELP = {
  add: "Click to add a point",
  spray: "Drag to scatter points",
  erase: "Click or drag over points to erase them",
  move: "Drag a point to move it",
};
const SVG = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"';
const LINE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
const ICONS = {
  undo: `<svg ${SVG}><path ${LINE} d="M8 4 4 8l4 4M4 8h10a6 6 0 0 1 0 12h-3"/></svg>`,
  redo: `<svg ${SVG}><path ${LINE} d="m16 4 4 4-4 4M20 8H10a6 6 0 0 0 0 12h3"/></svg>`,
};

/** The bar and `update(state)`, which presses, enables and fills its buttons.
 *  @param {readonly Tool[]} tools @param {Acts} act */
export function toolbar(tools, act) {
  const whole = element("div", "pad-bar");
  const palette = group(whole, "");
  const kinds = group(whole, "Tool");
  const others = group(whole, "Drawing");
  for (const tool of tools) button(kinds, NAMES[tool], HELP[tool], () => act.tool(tool)).dataset.tool = tool;
  const undo = button(others, "", "Undo (Ctrl+Z)", act.undo, ICONS.undo);
  const redo = button(others, "", "Redo (Ctrl+Y)", act.redo, ICONS.redo);
  undo.setAttribute("aria-label", "Undo");
  redo.setAttribute("aria-label", "Redo");
  const clear = button(others, "Clear", "Take all points away; Undo brings them back", act.clear);
  const fit = button(others, "Fit", "Show all points", act.fit);
  let made = "";

  /** @param {Shown} state */
  function update({ frame, tool, choice, rows, undoes, redoes }) {
    const wanted = JSON.stringify(frame.palette);
    if (wanted !== made) fill(palette, frame, act.choose);
    made = wanted;
    tools.forEach((one, at) => press(kinds.children[at], one === tool));
    [...palette.children].forEach((one, at) => press(one, at === choice));
    allow(undo, undoes);
    allow(redo, redoes);
    allow(clear, rows.length > 0);
    allow(fit, rows.length > 0);
  }
  return { element: whole, update };
}

/** @param {HTMLElement} palette @param {Pad} frame @param {Acts["choose"]} choose */
function fill(palette, frame, choose) {
  palette.replaceChildren();
  palette.hidden = frame.palette.length < 2;
  palette.setAttribute("aria-label", frame.target === "classes" ? "Class" : "Value");
  frame.palette.forEach((one, at) => {
    const shape = `<path d="${markPath(one.symbol, 6.5)}"`;
    const rim = frame.target === "colour" ? 'stroke="currentColor" stroke-opacity=".6"' : "";
    const swatch = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-9 -9 18 18" width="16" height="16"
      aria-hidden="true">${shape} fill="${one.colour}" ${rim}/></svg>`;
    const made = button(palette, one.name, `${one.said} (key ${at + 1})`, () => choose(at), swatch);
    made.setAttribute("aria-label", one.said);
  });
}

/** @param {HTMLElement} parent @param {string} label */
function group(parent, label) {
  const made = element("div", "pad-group");
  made.setAttribute("role", "group");
  if (label) made.setAttribute("aria-label", label);
  parent.append(made);
  return made;
}

/** @param {HTMLElement} parent @param {string} text @param {string} title @param {() => void} pressed */
function button(parent, text, title, pressed, icon = "") {
  const made = element("button", "tool");
  made.type = "button";
  made.innerHTML = icon; // ours: a drawing out of numbers and colours of the palette
  made.append(text);
  made.title = title;
  made.onclick = () => made.getAttribute("aria-disabled") === "true" || pressed();
  parent.append(made);
  return made;
}

/** @param {Element} one @param {boolean} on */
function press(one, on) {
  one.setAttribute("aria-pressed", String(on));
}

/** Not `disabled`: the keyboard would lose its place on the button just pressed.
 *  @param {Element} one @param {boolean} on */
function allow(one, on) {
  one.setAttribute("aria-disabled", String(!on));
}
