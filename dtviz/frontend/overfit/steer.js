// What is looked at, by pointer, finger and keys, and when it becomes the setting.
//
// Glossary
//   preview  { of, rule, value }: a value of a rule, on the curve or on the rule's slider
//   wanted   the preview that becomes the setting if no key follows
//   hold     the line that the pointer has hold of; frames that come meanwhile wait

import { placeAt } from "./curve.js";

const PATIENCE = 350; // milliseconds after the last arrow key

/** The curve answers to the pointer and to keys. */
export function steer(view) {
  const { curve, slider } = view;
  const there = (event) => onCurve(view, placeAt(view.at.curve, event.clientX - curve.getBoundingClientRect().left));
  curve.addEventListener("pointermove", (event) => {
    if (view.at?.curve && (!view.hold || view.hold === "curve")) look(view, there(event));
  });
  curve.addEventListener("pointerdown", (event) => {
    if (!view.at?.curve || event.button > 0) return;
    view.hold = "curve";
    curve.setPointerCapture(event.pointerId);
    look(view, there(event));
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false });
  });
  curve.addEventListener("pointerup", (event) => {
    if (view.hold !== "curve") return;
    stay(view, there(event));
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
    const place = keyed(view, event);
    if (place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (place === null) giveUp(view);
    else settle(view, onCurve(view, place), event.key === "Enter" ? 0 : PATIENCE);
  });
}

function keyed({ frame: { curve }, preview }, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return undefined;
  const now = preview?.rule === curve.rule ? curve.values.indexOf(preview.value) : curve.at;
  const last = curve.values.length - 1;
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  if (key in steps) return Math.max(0, Math.min(last, (now < 0 ? 0 : now) + steps[key]));
  return { Home: 0, End: last, Escape: null, Enter: now < 0 ? undefined : now }[key];
}

const onCurve = ({ frame: { curve } }, place) => ({ of: "curve", rule: curve.rule, value: curve.values[place] });

const alike = (one, other) => one?.of === other?.of && one?.rule === other?.rule;

/** Draw another tree, or (null) the one as it is, without telling Python. */
export function look(view, preview) {
  if (alike(view.preview, preview) && view.preview?.value === preview?.value) return;
  view.preview = preview;
  view.repaint();
}

/** Draw what will be the setting, or is. */
export function lookAway(view) {
  look(view, view.wanted ?? asked(view) ?? null);
}

/** Take back what was asked by keys. */
export function giveUp(view) {
  stopWaiting(view);
  lookAway(view);
}

/** Look at it, and keep it unless another key comes before that. */
export function settle(view, preview, wait = PATIENCE) {
  leave(view, preview);
  look(view, preview);
  view.wanted = preview;
  view.timer = setTimeout(() => stay(view, preview), wait);
}

/** Tell Python; the picture stays until it answers. */
export function stay(view, preview) {
  leave(view, preview);
  tell(view, preview);
  look(view, preview);
}

/** The pointer lets go; a frame that waited is shown. */
export function letGo(view) {
  view.hold = null;
  view.wake();
}

/** What was asked by keys is the setting, unless it is another value of the same line that comes. */
export function leave(view, next) {
  const { wanted } = view;
  stopWaiting(view);
  if (wanted && !alike(wanted, next)) tell(view, wanted);
}

function stopWaiting(view) {
  clearTimeout(view.timer);
  view.wanted = null;
}

function tell(view, preview) {
  const { of, rule, value } = preview;
  view.host.send({ what: of === "curve" ? "place" : "slider", rule, value });
}

/** The preview told last, while Python has not answered. */
function asked({ host }) {
  const last = host.pending.at(-1);
  return last && { of: last.what === "place" ? "curve" : "dial", rule: last.rule, value: last.value };
}
