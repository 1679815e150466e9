// Separator between the tree and the panels under it: pointer or keys move it, and the browser keeps its place.
//
// The page draws the separator; its style sheet gives the panels `--below` of PARTS_OF_COLUMN.

import { loadPreference, savePreference } from "./preferences.js";

const NAME = "seam";
const PREFERENCE = "dtviz:below";
const PARTS_OF_COLUMN = 11;
export const [MIN_PARTS, DEFAULT_PARTS, LARGE_PARTS, MAX_PARTS] = [2, 4, 7.5, 8.5];
/** @type {Record<string, number>} */
const KEYS = { ArrowUp: 0.5, ArrowDown: -0.5, PageUp: 2, PageDown: -2 };

const root = () => document.documentElement;

/** Parts of the column that the panels have. */
export const panelParts = () => Number(root().style.getPropertyValue("--below")) || DEFAULT_PARTS;

/** Give the panels a number of parts of the column, within bounds.
 *  @param {number} parts @param {Element} [separator] */
function setPanelParts(parts, separator) {
  const bounded = Math.min(MAX_PARTS, Math.max(MIN_PARTS, parts));
  root().style.setProperty("--below", String(bounded));
  separator?.setAttribute("aria-valuenow", String(Math.round((100 * bounded) / PARTS_OF_COLUMN)));
  savePreference(PREFERENCE, String(bounded));
}

/** @param {Event} event */
const separatorOf = ({ target }) => (target instanceof Element ? target.closest(`.${NAME}`) : null);

/** @param {PointerEvent} event */
function drag(event) {
  const separator = separatorOf(event);
  const column = separator?.closest(".st-key-beside");
  if (!separator || !column || event.button) return;
  event.preventDefault();
  separator.setPointerCapture(event.pointerId);
  const { bottom, height } = column.getBoundingClientRect();
  /** @param {PointerEvent} to */
  const move = (to) => setPanelParts((PARTS_OF_COLUMN * (bottom - to.clientY)) / height, separator);
  const end = () => {
    for (const type of ["pointerup", "pointercancel"]) separator.removeEventListener(type, end);
    separator.removeEventListener("pointermove", /** @type {EventListener} */ (move));
  };
  separator.addEventListener("pointermove", /** @type {EventListener} */ (move));
  for (const type of ["pointerup", "pointercancel"]) separator.addEventListener(type, end);
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const separator = separatorOf(event);
  const step = KEYS[event.key];
  if (!separator || (!step && event.key !== "Enter")) return;
  event.preventDefault();
  if (step) setPanelParts(panelParts() + step, separator);
  else toggle(separator);
}

/** Switch between large panels and the default.
 *  @param {Element} separator */
const toggle = (separator) => setPanelParts(panelParts() > DEFAULT_PARTS ? DEFAULT_PARTS : LARGE_PARTS, separator);

/** Listen to the separator, also where the page draws it anew. */
export function watchSeparator() {
  document.addEventListener("pointerdown", drag);
  document.addEventListener("keydown", pressKey, true);
  document.addEventListener("dblclick", (event) => {
    const separator = separatorOf(event);
    if (separator) toggle(separator);
  });
  const parts = Number(loadPreference(PREFERENCE));
  if (parts) setPanelParts(parts);
}
