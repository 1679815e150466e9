// A slider for each rule. What it stands on is looked at; let go, or left alone by the keys, it stays.

import { element } from "../lib/dom.js";
import { giveUp, leave, letGo, look, lookAway, settle, stay } from "./steer.js";

/** @import { RuleLine } from "../frames.d.ts" */
/** @import { Preview } from "../types.d.ts" */
/** @import { View } from "./overfit.js" */

/** As many sliders as the frame has rules; those that are there are kept.
 *  @param {View} view */
export function fillDials(view) {
  const { dials, frame } = view;
  const lines = frame.dials ?? [];
  const shown = [...dials.querySelectorAll("label")].map(({ dataset }) => dataset.rule);
  if (lines.map(({ rule }) => rule).join() === shown.join()) return;
  dials.replaceChildren(...lines.map((line) => dial(view, line)));
}

/** In plain words; the rule's own name and what it does on demand.
 *  @param {View} view @param {RuleLine} line */
function dial(view, { rule, words, about }) {
  const [made, name, value] = [element("label", "dial"), element("span", ""), element("span", "value")];
  const input = document.createElement("input");
  made.dataset.rule = rule;
  made.title = `${rule}: ${about}`;
  name.textContent = words;
  value.setAttribute("aria-hidden", "true"); // the slider itself says it
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: words });
  made.append(name, value, input);
  steer(view, rule, input);
  return made;
}

/** @param {View} view @param {string} rule @param {HTMLInputElement} input */
function steer(view, rule, input) {
  let keys = false;
  let cancelled = false;
  /** @returns {Preview | null} */
  const there = () => {
    const line = view.frame.dials?.find((one) => one.rule === rule);
    const place = Number(input.value);
    if (!line || (place === line.at && !view.host.pending.length)) return null;
    return { of: "dial", rule, value: line.values[place] };
  };
  const release = () => {
    if (view.hold === rule) setTimeout(() => letGo(view), 0); // after `change`
  };
  input.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    [keys, cancelled, view.hold] = [false, false, rule];
    window.addEventListener("pointerup", release, { capture: true, once: true });
  });
  input.addEventListener("pointercancel", () => { // a finger scrolls the page
    cancelled = true;
    lookAway(view);
    release();
  });
  input.addEventListener("keydown", (event) => {
    keys = true;
    event.stopPropagation();
    if (event.key === "Escape") giveUp(view);
  });
  input.addEventListener("input", () => {
    leave(view, { of: "dial", rule });
    look(view, there());
  });
  input.addEventListener("change", () => {
    const preview = cancelled ? null : there();
    cancelled = false;
    if (preview && keys) settle(view, preview);
    else if (preview) stay(view, preview);
  });
}

/** Every slider at the place looked at, else at its own.
 *  @param {View} view */
export function showDials({ dials, frame, preview }) {
  (frame.dials ?? []).forEach(({ rule, labels, values, at }, k) => {
    const input = dials.children[k].querySelector("input");
    const value = dials.children[k].querySelector(".value");
    if (!input || !value) return;
    const seen = preview?.rule === rule ? values.indexOf(preview.value) : -1;
    const place = seen < 0 ? at : seen;
    input.max = String(Math.max(labels.length - 1, 1));
    input.disabled = labels.length < 2; // a slider needs two ends
    input.value = String(place);
    if (value.textContent === labels[place]) return;
    value.textContent = labels[place];
    input.setAttribute("aria-valuetext", labels[place]);
  });
}
