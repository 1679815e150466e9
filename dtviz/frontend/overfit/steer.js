// Preview of another tree by pointer, finger and keys, and the moment when a preview becomes the setting.
//
// Glossary
//   preview      the value of a rule whose tree is shown, on the curve or on the rule's slider
//   keyPreview   the preview that becomes the setting if no key follows soon
//   dragged      the control that the pointer holds: the curve, or the rule of a slider; frames wait meanwhile

import { positionIn } from "../lib/dom.js";

/** @import { Curve, Preview, RuleControl } from "../types.d.ts" */
/** @import { OverfitView } from "./overfit.js" */

const MS_AFTER_KEY = 350; // several key presses in a row are sent once

/** Let pointer and keys move along the curve.
 *  @param {OverfitView} view */
export function steerCurve(view) {
  const { curve: element, slider } = view;
  /** @param {PointerEvent} event */
  const previewAt = (event) => {
    const { layouts, frame } = view;
    if (!layouts?.curve || !frame.curve) return null;
    return curvePreview(frame.curve, layouts.curve.X.invert(positionIn(element, event)[0]));
  };
  element.addEventListener("pointermove", (event) => {
    const preview = previewAt(event);
    if (preview && (!view.dragged || view.dragged === "curve")) show(view, preview);
  });
  element.addEventListener("pointerdown", (event) => {
    const preview = previewAt(event);
    if (!preview || event.button > 0) return;
    view.dragged = "curve";
    element.setPointerCapture(event.pointerId);
    show(view, preview);
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false }); // preventDefault took it
  });
  element.addEventListener("pointerup", (event) => {
    if (view.dragged !== "curve") return;
    const preview = previewAt(event);
    if (preview) commit(view, preview);
    endDrag(view);
  });
  element.addEventListener("pointercancel", () => {
    if (view.dragged !== "curve") return;
    endPreview(view);
    endDrag(view);
  });
  element.addEventListener("pointerleave", () => {
    if (!view.dragged) endPreview(view);
  });
  slider.addEventListener("keydown", (event) => {
    const { curve } = view.frame;
    if (!curve) return;
    const place = placeOfKey(curve, view.preview, event);
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (place === null) discard(view);
    else commitLater(view, curvePreview(curve, place), event.key === "Enter" ? 0 : MS_AFTER_KEY);
  });
}

/** Step along the curve.
 *  @param {OverfitView} view @param {1 | -1} by */
export function stepAlong(view, by) {
  const { curve } = view.frame;
  const place = curve && placeOfKey(curve, view.preview, { key: by > 0 ? "ArrowRight" : "ArrowLeft" });
  if (curve && typeof place === "number") commitLater(view, curvePreview(curve, place));
}

/** Place that a key leads to; null for the tree of the frame, undefined for a key without a meaning here.
 *  @param {Curve} curve @param {Preview | null} preview @param {Pick<KeyboardEvent, "key"> & Partial<KeyboardEvent>} event
 *  @returns {number | null | undefined} */
function placeOfKey(curve, preview, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return undefined;
  const place = preview?.rule === curve.rule ? curve.values.indexOf(preview.value) : curve.place;
  const last = curve.values.length - 1;
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  if (key in steps) return Math.max(0, Math.min(last, (place < 0 ? 0 : place) + steps[key]));
  /** @type {Record<string, number | null | undefined>} */
  const places = { Home: 0, End: last, Escape: null, Enter: place < 0 ? undefined : place };
  return places[key];
}

/** @param {Curve} curve @param {number} place @returns {Preview} */
const curvePreview = (curve, place) => ({ control: "curve", rule: curve.rule, value: curve.values[place] });

/** @param {RuleControl | null} a @param {RuleControl | null} b */
const isSameControl = (a, b) => a?.control === b?.control && a?.rule === b?.rule;

/** Show the tree of a preview, or (null) that of the frame, without sending anything to Python.
 *  @param {OverfitView} view @param {Preview | null} preview */
export function show(view, preview) {
  if (isSameControl(view.preview, preview) && view.preview?.value === preview?.value) return;
  view.preview = preview;
  view.repaint();
}

/** Show the tree of the setting: one that will be sent, one that Python has not answered, or that of the frame.
 *  @param {OverfitView} view */
export function endPreview(view) {
  show(view, view.keyPreview ?? pendingPreview(view));
}

/** Discard the preview of the keys.
 *  @param {OverfitView} view */
export function discard(view) {
  clearKeyPreview(view);
  endPreview(view);
}

/** Show the tree of a preview, and sends the preview unless another key comes before that.
 *  @param {OverfitView} view @param {Preview} preview */
export function commitLater(view, preview, delay = MS_AFTER_KEY) {
  commitOther(view, preview);
  show(view, preview);
  view.keyPreview = preview;
  view.timer = setTimeout(() => commit(view, preview), delay);
}

/** Send a preview to Python as the setting; its tree is shown until Python answers.
 *  @param {OverfitView} view @param {Preview} preview */
export function commit(view, preview) {
  commitOther(view, preview);
  send(view, preview);
  show(view, preview);
}

/** End a drag, and shows a frame that came meanwhile.
 *  @param {OverfitView} view */
export function endDrag(view) {
  view.dragged = null;
  view.showWaitingFrame();
}

/** Send the preview of the keys, unless it is a value of the control that is used next.
 *  @param {OverfitView} view @param {RuleControl} next */
export function commitOther(view, next) {
  const { keyPreview } = view;
  clearKeyPreview(view);
  if (keyPreview && !isSameControl(keyPreview, next)) send(view, keyPreview);
}

/** @param {OverfitView} view */
function clearKeyPreview(view) {
  clearTimeout(view.timer);
  view.keyPreview = null;
}

/** @param {OverfitView} view @param {Preview} preview */
function send(view, { control, rule, value }) {
  view.host.send({ what: control === "curve" ? "place" : "slider", rule, value });
}

/** Preview sent last, while Python has not answered.
 *  @param {OverfitView} view @returns {Preview | null} */
function pendingPreview({ host }) {
  const last = host.pending.at(-1);
  if (last?.what !== "place" && last?.what !== "slider") return null;
  return { control: last.what === "place" ? "curve" : "dial", rule: last.rule, value: last.value };
}
