// Pointer and keys on the pad: where they are, and what the tool in the hand does there.

import { elementsOf, placeIn } from "../lib/dom.js";
import { chooseValue, cancelCarry, finishGesture, putDown, currentDrawing, announce, stepHistory } from "./actions.js";
import { movePair, nearestRow, startDrag, continueDrag, REACH, moveCrosshair } from "./tools.js";
import { roundPlace, pixel } from "./view.js";
import { rowName, placeText } from "./texts.js";

/** @import { State } from "./pad.js" */
/** @import { Place, Span } from "./view.js" */

const SETTLE = 400; // ms: a cell of the table that was being typed in reaches Python first
const FINGER = 22;

let typing = false; // whether a field had the keys as the pointer went down: it may have closed since
window.addEventListener("pointerdown", () => {
  typing = Boolean(document.activeElement?.matches("input, textarea"));
}, true);

// --- by pointer -----------------------------------------------------------------------------------

/** Bind the pointer.
 *  @param {State} pad */
export function bindPointer(pad) {
  const { surface } = pad;
  /** @param {PointerEvent} event @returns {Place} in pixels */
  const at = (event) => placeIn(surface, event);

  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pad.drag) return;
    event.preventDefault();
    pad.wait = typing ? SETTLE : 0;
    putDown(pad);
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    pad.cross = null;
    const reach = event.pointerType === "touch" ? FINGER : REACH;
    pad.drag = { id: event.pointerId, ...startDrag(pad.tool, at(event), { ...currentDrawing(pad), reach }) };
    pad.draft = pad.drag.change;
    pad.paint();
  });

  surface.addEventListener("pointermove", (event) => {
    pad.hover = event.pointerType === "touch" ? null : at(event);
    if (pad.drag?.id === event.pointerId) {
      continueDrag(pad.drag, at(event), { ...currentDrawing(pad), rows: pad.sync.rows });
      pad.draft = pad.drag.change;
    }
    if (pad.drag || pad.tool === "erase" || pad.tool === "spray") pad.paint();
  });

  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    surface.addEventListener(type, (event) => release(pad, event));
  }
  surface.addEventListener("pointerleave", () => {
    pad.hover = null;
    pad.host.hurry();
    pad.paint();
  });
}

/** The end of a gesture; one that is broken off adds and moves nothing.
 *  @param {State} pad @param {PointerEvent} event */
function release(pad, event) {
  const { drag } = pad;
  if (!drag || drag.id !== event.pointerId) return;
  pad.drag = null;
  pad.draft = [];
  const broken = event.type !== "pointerup" && ["add", "move"].includes(drag.tool);
  if (!broken) finishGesture(pad, drag);
  pad.paint();
}

// --- by keys --------------------------------------------------------------------------------------

/** @type {Record<string, (pad: State, event: KeyboardEvent) => void>} */
const KEYS = {
  Enter: use, " ": use, Delete: erase, Backspace: erase, m: carry, M: carry,
  ArrowLeft: step, ArrowRight: step, ArrowUp: step, ArrowDown: step,
};

/** Bind the keys.
 *  @param {State} pad */
export function bindKeys(pad) {
  const { root, surface } = pad;
  root.addEventListener("keydown", (event) => {
    if (keyed(pad, event)) event.preventDefault();
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
  });
  surface.addEventListener("focus", () => {
    if (surface.matches(":focus-visible")) crossOf(pad);
    pad.paint();
  });
  surface.addEventListener("blur", () => {
    putDown(pad);
    pad.host.hurry();
    pad.cross = null;
    pad.paint();
  });
}

/** Do what a key asks for; whether it is one of ours.
 *  @param {State} pad @param {KeyboardEvent} event */
function keyed(pad, event) {
  const { key } = event;
  const { palette } = pad.frame;
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    const letter = key.toLowerCase();
    if (letter !== "z" && letter !== "y") return false;
    stepHistory(pad, letter === "y" || event.shiftKey ? "redo" : "undo");
    return true;
  }
  if (event.altKey) return false;
  if (/^[1-9]$/.test(key) && Number(key) <= palette.length && palette.length > 1) {
    chooseValue(pad, Number(key) - 1);
    return true;
  }
  if (!pad.surface.contains(elementsOf(event)[0])) return false;
  if (key === "Escape" && pad.carried) {
    cancelCarry(pad);
    announce(pad, "left where it was");
  } else if (!(key in KEYS)) return false;
  else if (!event.repeat || KEYS[key] === step) KEYS[key](pad, event);
  pad.paint();
  return true;
}

/** @param {State} pad @param {KeyboardEvent} event */
function step(pad, event) {
  const { sync, frame, carried } = pad;
  const cross = moveCrosshair(crossOf(pad), event.key, event.shiftKey, pad.view);
  pad.cross = cross;
  if (carried) pad.draft = [movePair(carried, cross)];
  const here = carried ? null : nearestRow(sync.rows, seen(pad), pad.view, pad.area, REACH);
  announce(pad, placeText(cross) + (here ? `: ${rowName(here, frame)}` : ""));
}

/** @param {State} pad */
function use(pad) {
  if (pad.carried || pad.tool === "move") carry(pad);
  else finishGesture(pad, startDrag(pad.tool, seen(pad), currentDrawing(pad)));
}

/** @param {State} pad */
function erase(pad) {
  const row = nearestRow(pad.sync.rows, seen(pad), pad.view, pad.area, Infinity);
  finishGesture(pad, { tool: "erase", change: row ? [[row, null]] : [] });
}

/** Pick the nearest point up, or put down the one that is carried.
 *  @param {State} pad */
function carry(pad) {
  if (pad.carried) return putDown(pad);
  const row = nearestRow(pad.sync.rows, seen(pad), pad.view, pad.area, Infinity);
  pad.carried = row;
  if (!row) return announce(pad, "no point here to move");
  pad.cross = [row[0], row[1]];
  return announce(pad, `${rowName(row, pad.frame)} at ${placeText(row)} picked up`);
}

/** The crosshair; where there was none it is in the middle from now on.
 *  @param {State} pad */
function crossOf(pad) {
  pad.cross ??= roundPlace([half(pad.view.x), half(pad.view.y)], pad.view);
  return pad.cross;
}

/** The crosshair in pixels.
 *  @param {State} pad */
const seen = (pad) => pixel(crossOf(pad), pad.view, pad.area);

/** @param {Span} given */
const half = ([low, high]) => low / 2 + high / 2;
