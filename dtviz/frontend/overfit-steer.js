// Moving along the curve by pointer, finger and keys; what is looked at, and when it becomes the setting.

import { placeAt } from "./overfit-curve.js";
import { lineOf } from "./overfit-words.js";

const PATIENCE = 350; // milliseconds after the last arrow key

/** The curve answers to the pointer and to keys. */
export function steer(view) {
  const { curve, slider } = view;
  const there = (event) => onCurve(view, placeAt(view.at.curve, event.clientX - curve.getBoundingClientRect().left));
  curve.addEventListener("pointermove", (event) => {
    if (view.at?.curve) look(view, there(event));
  });
  curve.addEventListener("pointerdown", (event) => {
    if (!view.at?.curve || event.button > 0) return;
    view.drag = true;
    curve.setPointerCapture(event.pointerId);
    look(view, there(event));
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false });
  });
  curve.addEventListener("pointerup", (event) => {
    if (!view.drag) return;
    view.drag = false;
    stay(view, there(event));
  });
  curve.addEventListener("pointercancel", () => {
    view.drag = false;
    look(view, null);
  });
  curve.addEventListener("pointerleave", () => {
    if (!view.drag) look(view, view.asked.at(-1)?.preview ?? null);
  });
  slider.addEventListener("keydown", (event) => {
    const wanted = keyed(view, event);
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    rest(view);
    look(view, wanted === null ? null : onCurve(view, wanted));
    if (wanted !== null) settle(view, event.key === "Enter" ? 0 : PATIENCE);
  });
}

function keyed({ frame, preview }, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return undefined;
  const now = preview?.of === "curve" ? preview.place : frame.curve.at;
  const last = frame.curve.labels.length - 1;
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  if (key in steps) return Math.max(0, Math.min(last, (now < 0 ? 0 : now) + steps[key]));
  return { Home: 0, End: last, Escape: null, Enter: now < 0 ? undefined : now }[key];
}

const onCurve = ({ frame }, place) => ({ of: "curve", place, label: frame.curve.labels[place] });

/** Draw another tree, or the one as it is, without telling Python. */
export function look(view, preview) {
  if (view.preview?.of === preview?.of && view.preview?.place === preview?.place) return;
  view.preview = preview;
  view.repaint();
}

/** What was asked by keys is asked no more. */
export function rest(view) {
  clearTimeout(view.timer);
  view.timer = 0;
}

/** Keep what is looked at unless another key comes before that. */
export function settle(view, wait = PATIENCE) {
  rest(view);
  const wanted = view.preview;
  view.timer = setTimeout(() => stay(view, wanted), wait);
}

/** Tell Python; the picture stays until it answers. */
export function stay(view, preview) {
  rest(view);
  const { rule, values } = lineOf(view.frame, preview);
  const value = values[preview.place];
  view.preview = preview;
  view.asked.push({ preview, rule, value });
  view.repaint();
  view.send({ what: preview.of === "curve" ? "place" : "slider", rule, value });
}
