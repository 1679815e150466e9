// The seam between the tree and the panels under it: a hand or keys move it, and the browser keeps it.
//
// The page draws it, and its style sheet parts the column: the panels have `--below` of its PARTS.

import { recall, remember } from "./preferences.js";

const NAME = "seam";
const KEPT = "dtviz:below";
const PARTS = 11;
export const [LEAST, USUAL, TALL, MOST] = [2, 4, 7.5, 8.5];
/** @type {Record<string, number>} */
const KEYS = { ArrowUp: 0.5, ArrowDown: -0.5, PageUp: 2, PageDown: -2 };

const root = () => document.documentElement;

/** The parts that the panels have. */
export const below = () => Number(root().style.getPropertyValue("--below")) || USUAL;

/** Give the panels so many parts, as far as the tree keeps some.
 *  @param {number} parts @param {Element} [seam] */
function give(parts, seam) {
  const given = Math.min(MOST, Math.max(LEAST, parts));
  root().style.setProperty("--below", String(given));
  seam?.setAttribute("aria-valuenow", String(Math.round((100 * given) / PARTS)));
  remember(KEPT, String(given));
}

/** @param {Event} event */
const seamOf = ({ target }) => (target instanceof Element ? target.closest(`.${NAME}`) : null);

/** @param {PointerEvent} event */
function drag(event) {
  const seam = seamOf(event);
  const column = seam?.closest(".st-key-beside");
  if (!seam || !column || event.button) return;
  event.preventDefault();
  seam.setPointerCapture(event.pointerId);
  const { bottom, height } = column.getBoundingClientRect();
  /** @param {PointerEvent} moved */
  const move = (moved) => give((PARTS * (bottom - moved.clientY)) / height, seam);
  const end = () => {
    for (const type of ["pointerup", "pointercancel"]) seam.removeEventListener(type, end);
    seam.removeEventListener("pointermove", /** @type {EventListener} */ (move));
  };
  seam.addEventListener("pointermove", /** @type {EventListener} */ (move));
  for (const type of ["pointerup", "pointercancel"]) seam.addEventListener(type, end);
}

/** @param {KeyboardEvent} event */
function key(event) {
  const seam = seamOf(event);
  const by = KEYS[event.key];
  if (!seam || (!by && event.key !== "Enter")) return;
  event.preventDefault();
  if (by) give(below() + by, seam);
  else turn(seam);
}

/** Much for the panels, or as usual.
 *  @param {Element} seam */
const turn = (seam) => give(below() > USUAL ? USUAL : TALL, seam);

/** Hear what is done on the seam, wherever the page draws it. */
export function watchSeam() {
  document.addEventListener("pointerdown", drag);
  document.addEventListener("keydown", key, true);
  document.addEventListener("dblclick", (event) => {
    const seam = seamOf(event);
    if (seam) turn(seam);
  });
  const kept = Number(recall(KEPT));
  if (kept) give(kept);
}
