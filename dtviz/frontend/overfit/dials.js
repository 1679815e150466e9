// A slider for each rule. What it stands on is looked at; let go, or left alone by the keys, it stays.

import { giveUp, leave, letGo, look, lookAway, settle, stay } from "./steer.js";

/** As many sliders as the frame has rules; those that are there are kept. */
export function fillDials(view) {
  const { dials, frame } = view;
  const rules = (frame.dials ?? []).map(({ rule }) => rule);
  if (rules.join() === [...dials.children].map(({ dataset }) => dataset.rule).join()) return;
  dials.replaceChildren(...rules.map((rule) => dial(view, rule)));
}

function dial(view, rule) {
  const [made, name, value, input] = ["label", "span", "span", "input"].map((tag) => document.createElement(tag));
  made.className = "dial";
  made.dataset.rule = rule;
  name.textContent = rule;
  value.className = "value";
  value.setAttribute("aria-hidden", "true"); // the slider itself says it
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: rule });
  made.append(name, value, input);
  steer(view, rule, input);
  return made;
}

function steer(view, rule, input) {
  let keys = false;
  let cancelled = false;
  const there = () => {
    const { values, at } = view.frame.dials.find((one) => one.rule === rule);
    const place = Number(input.value);
    return place === at && !view.host.pending.length ? null : { of: "dial", rule, value: values[place] };
  };
  const release = () => {
    if (view.hold === rule) setTimeout(() => letGo(view)); // after `change`
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

/** Every slider at the place looked at, else at its own. */
export function showDials({ dials, frame, preview }) {
  [...dials.children].forEach((made, k) => {
    const [, value, input] = made.children;
    const { rule, labels, values, at } = frame.dials[k];
    const seen = preview?.rule === rule ? values.indexOf(preview.value) : -1;
    const place = seen < 0 ? at : seen;
    input.max = Math.max(labels.length - 1, 1);
    input.disabled = labels.length < 2; // a slider needs two ends
    input.value = place;
    if (value.textContent === labels[place]) return;
    value.textContent = labels[place];
    input.setAttribute("aria-valuetext", labels[place]);
  });
}
