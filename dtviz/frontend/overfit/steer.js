// What is looked at, by pointer, finger and keys, and when it becomes the setting.
//
// Glossary
//   preview  { of, rule, value }: a value of a rule, on the curve or on the rule's slider
//   wanted   the preview that becomes the setting if no key follows
//   hold     the line that the pointer has hold of; frames that come meanwhile wait

import { placeIn } from "../lib/dom.js";
import { placeAt } from "./curve.js";

/** @import { Curve, LineName, Preview } from "../types.d.ts" */
/** @import { View } from "./overfit.js" */

const PATIENCE = 350; // milliseconds after the last arrow key

/** The curve answers to the pointer and to keys.
 *  @param {View} view */
export function steer(view) {
  const { curve, slider } = view;
  /** @param {PointerEvent} event */
  const there = (event) => {
    const { at, frame } = view;
    if (!at?.curve || !frame.curve) return null;
    return onCurve(frame.curve, placeAt(at.curve, placeIn(curve, event)[0]));
  };
  curve.addEventListener("pointermove", (event) => {
    const seen = there(event);
    if (seen && (!view.hold || view.hold === "curve")) look(view, seen);
  });
  curve.addEventListener("pointerdown", (event) => {
    const seen = there(event);
    if (!seen || event.button > 0) return;
    view.hold = "curve";
    curve.setPointerCapture(event.pointerId);
    look(view, seen);
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false });
  });
  curve.addEventListener("pointerup", (event) => {
    if (view.hold !== "curve") return;
    const seen = there(event);
    if (seen) stay(view, seen);
    letGo(view);
  });
  curve.addEventListener("pointercancel", () => {
    if (view.hold !== "curve") return;
    lookAway(view);
    letGo(view);
  });
  curve.addEventListener("pointerleave", () => {
    if (!view.hold) lookAway(view);
  });
  slider.addEventListener("keydown", (event) => {
    const own = view.frame.curve;
    if (!own) return;
    const place = keyed(own, view.preview, event);
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (place === null) giveUp(view);
    else settle(view, onCurve(own, place), event.key === "Enter" ? 0 : PATIENCE);
  });
}

/** The place that a key asks for; null for the tree as it is, undefined if the key is not ours.
 *  @param {Curve} curve @param {Preview | null} preview @param {KeyboardEvent} event
 *  @returns {number | null | undefined} */
function keyed(curve, preview, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return undefined;
  const now = preview?.rule === curve.rule ? curve.values.indexOf(preview.value) : curve.at;
  const last = curve.values.length - 1;
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  if (key in steps) return Math.max(0, Math.min(last, (now < 0 ? 0 : now) + steps[key]));
  /** @type {Record<string, number | null | undefined>} */
  const places = { Home: 0, End: last, Escape: null, Enter: now < 0 ? undefined : now };
  return places[key];
}

/** @param {Curve} curve @param {number} place @returns {Preview} */
const onCurve = (curve, place) => ({ of: "curve", rule: curve.rule, value: curve.values[place] });

/** @param {LineName | null} one @param {LineName | null} other */
const alike = (one, other) => one?.of === other?.of && one?.rule === other?.rule;

/** Draw another tree, or (null) the one as it is, without telling Python.
 *  @param {View} view @param {Preview | null} preview */
export function look(view, preview) {
  if (alike(view.preview, preview) && view.preview?.value === preview?.value) return;
  view.preview = preview;
  view.repaint();
}

/** Draw what will be the setting, or is.
 *  @param {View} view */
export function lookAway(view) {
  look(view, view.wanted ?? asked(view));
}

/** Take back what was asked by keys.
 *  @param {View} view */
export function giveUp(view) {
  stopWaiting(view);
  lookAway(view);
}

/** Look at it, and keep it unless another key comes before that.
 *  @param {View} view @param {Preview} preview */
export function settle(view, preview, wait = PATIENCE) {
  leave(view, preview);
  look(view, preview);
  view.wanted = preview;
  view.timer = setTimeout(() => stay(view, preview), wait);
}

/** Tell Python; the picture stays until it answers.
 *  @param {View} view @param {Preview} preview */
export function stay(view, preview) {
  leave(view, preview);
  tell(view, preview);
  look(view, preview);
}

/** The pointer lets go; a frame that waited is shown.
 *  @param {View} view */
export function letGo(view) {
  view.hold = null;
  view.wake();
}

/** What was asked by keys is the setting, unless it is another value of the same line that comes.
 *  @param {View} view @param {LineName} next */
export function leave(view, next) {
  const { wanted } = view;
  stopWaiting(view);
  if (wanted && !alike(wanted, next)) tell(view, wanted);
}

/** @param {View} view */
function stopWaiting(view) {
  clearTimeout(view.timer);
  view.wanted = null;
}

/** @param {View} view @param {Preview} preview */
function tell(view, preview) {
  const { of, rule, value } = preview;
  view.host.send({ what: of === "curve" ? "place" : "slider", rule, value });
}

/** The preview told last, while Python has not answered.
 *  @param {View} view @returns {Preview | null} */
function asked({ host }) {
  const last = host.pending.at(-1);
  if (last?.what !== "place" && last?.what !== "slider") return null;
  return { of: last.what === "place" ? "curve" : "dial", rule: last.rule, value: last.value };
}
