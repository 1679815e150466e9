// Pointer and keys on the pad, and the gestures of the chosen tool.

import { elementsOf, positionIn } from "../lib/dom.js";
import { announce, cancelCarry, chooseValue, currentDrawing, finishGesture, putDown, stepHistory } from "./actions.js";
import { continueDrag, moveChange, moveCrosshair, nearestRow, REACH, startDrag } from "./tools.js";
import { pixelOf, roundPosition } from "./view.js";
import { positionText, rowName } from "./texts.js";

/** @import { PadState } from "./pad.js" */
/** @import { ValueRange, XY } from "./view.js" */

const MS_AFTER_TYPING = 400; // so that a cell of the table that was being typed in reaches Python first
const FINGER_REACH = 22;

let wasTyping = false; // true if a field had the keys as the pointer went down, which may have closed the field
window.addEventListener("pointerdown", () => {
  wasTyping = Boolean(document.activeElement?.matches("input, textarea"));
}, true);

// --- by pointer -----------------------------------------------------------------------------------

/** Bind the pointer.
 *  @param {PadState} pad */
export function bindPointer(pad) {
  const { surface } = pad;
  /** @param {PointerEvent} event @returns {XY} */
  const pixelAt = (event) => positionIn(surface, event);

  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pad.drag) return;
    event.preventDefault();
    pad.wait = wasTyping ? MS_AFTER_TYPING : 0;
    putDown(pad);
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    pad.cross = null;
    const reach = event.pointerType === "touch" ? FINGER_REACH : REACH;
    pad.drag = { pointerId: event.pointerId, ...startDrag(pad.tool, pixelAt(event), { ...currentDrawing(pad), reach }) };
    pad.draft = pad.drag.change;
    pad.paint();
  });

  surface.addEventListener("pointermove", (event) => {
    pad.hoverPixel = event.pointerType === "touch" ? null : pixelAt(event);
    if (pad.drag?.pointerId === event.pointerId) {
      continueDrag(pad.drag, pixelAt(event), { ...currentDrawing(pad), rows: pad.sync.rows });
      pad.draft = pad.drag.change;
    }
    if (pad.drag || pad.tool === "erase" || pad.tool === "spray") pad.paint();
  });

  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    surface.addEventListener(type, (event) => endDrag(pad, event));
  }
  surface.addEventListener("pointerleave", () => {
    pad.hoverPixel = null;
    pad.host.flush();
    pad.paint();
  });
}

/** End a gesture; if the browser broke it off, nothing is added or moved.
 *  @param {PadState} pad @param {PointerEvent} event */
function endDrag(pad, event) {
  const { drag } = pad;
  if (!drag || drag.pointerId !== event.pointerId) return;
  pad.drag = null;
  pad.draft = [];
  const isDropped = event.type !== "pointerup" && ["add", "move"].includes(drag.tool);
  if (!isDropped) finishGesture(pad, drag);
  pad.paint();
}

// --- by keys --------------------------------------------------------------------------------------

/** @type {Record<string, (pad: PadState, event: KeyboardEvent) => void>} */
const KEYS = {
  Enter: useTool, " ": useTool, Delete: eraseNearest, Backspace: eraseNearest, m: carry, M: carry,
  ArrowLeft: moveCross, ArrowRight: moveCross, ArrowUp: moveCross, ArrowDown: moveCross,
};

/** Bind the keys.
 *  @param {PadState} pad */
export function bindKeys(pad) {
  const { root, surface } = pad;
  root.addEventListener("keydown", (event) => {
    if (handleKey(pad, event)) event.preventDefault();
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
  });
  surface.addEventListener("focus", () => {
    if (surface.matches(":focus-visible")) crossOf(pad);
    pad.paint();
  });
  surface.addEventListener("blur", () => {
    putDown(pad);
    pad.host.flush();
    pad.cross = null;
    pad.paint();
  });
}

/** Handles a key; returns false for a key of the page.
 *  @param {PadState} pad @param {KeyboardEvent} event */
function handleKey(pad, event) {
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
  if (key === "Escape" && pad.carriedRow) {
    cancelCarry(pad);
    announce(pad, "left where it was");
  } else if (!(key in KEYS)) return false;
  else if (!event.repeat || KEYS[key] === moveCross) KEYS[key](pad, event);
  pad.paint();
  return true;
}

/** @param {PadState} pad @param {KeyboardEvent} event */
function moveCross(pad, event) {
  const { sync, frame, carriedRow } = pad;
  const cross = moveCrosshair(crossOf(pad), event.key, event.shiftKey, pad.view);
  pad.cross = cross;
  if (carriedRow) pad.draft = [moveChange(carriedRow, cross)];
  const row = carriedRow ? null : nearestRow(sync.rows, crossPixel(pad), pad.view, pad.area, REACH);
  announce(pad, positionText(cross) + (row ? `: ${rowName(row, frame)}` : ""));
}

/** @param {PadState} pad */
function useTool(pad) {
  if (pad.carriedRow || pad.tool === "move") carry(pad);
  else finishGesture(pad, startDrag(pad.tool, crossPixel(pad), currentDrawing(pad)));
}

/** @param {PadState} pad */
function eraseNearest(pad) {
  const row = nearestRow(pad.sync.rows, crossPixel(pad), pad.view, pad.area, Infinity);
  finishGesture(pad, { tool: "erase", change: row ? [[row, null]] : [] });
}

/** Pick the nearest row up, or puts down the row that is carried.
 *  @param {PadState} pad */
function carry(pad) {
  if (pad.carriedRow) return putDown(pad);
  const row = nearestRow(pad.sync.rows, crossPixel(pad), pad.view, pad.area, Infinity);
  pad.carriedRow = row;
  if (!row) return announce(pad, "no point here to move");
  pad.cross = [row[0], row[1]];
  return announce(pad, `${rowName(row, pad.frame)} at ${positionText(row)} picked up`);
}

/** The position of the crosshair; a new crosshair starts in the middle.
 *  @param {PadState} pad */
function crossOf(pad) {
  pad.cross ??= roundPosition([middle(pad.view.x), middle(pad.view.y)], pad.view);
  return pad.cross;
}

/** @param {PadState} pad */
const crossPixel = (pad) => pixelOf(crossOf(pad), pad.view, pad.area);

/** @param {ValueRange} range */
const middle = ([low, high]) => low / 2 + high / 2;
