// A slider for each rule. What it stands on is looked at; let go, or left alone by the keys, it stays.

import { look, rest, settle, stay } from "./overfit-steer.js";

/** As many sliders as the frame has rules; those that are there are kept. */
export function fillDials(view) {
  const { dials, frame } = view;
  const rules = (frame.dials ?? []).map(({ rule }) => rule);
  if (rules.join() === [...dials.children].map(({ dataset }) => dataset.rule).join()) return;
  dials.replaceChildren(...rules.map((rule) => dial(view, rule)));
}

function dial(view, rule) {
  const [made, name, value, input] = ["label", "span", "output", "input"].map((tag) => document.createElement(tag));
  made.className = "dial";
  made.dataset.rule = rule;
  name.textContent = rule;
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: rule });
  made.append(name, value, input);
  let keys = false;
  const there = () => {
    const { labels, at } = view.frame.dials.find((one) => one.rule === rule);
    const place = Number(input.value);
    return place === at && !view.asked.length ? null : { of: rule, place, label: labels[place] };
  };
  input.addEventListener("pointerdown", () => { [keys, view.drag] = [false, true]; });
  for (const end of ["pointerup", "pointercancel"]) input.addEventListener(end, () => { view.drag = false; });
  input.addEventListener("keydown", (event) => {
    keys = true;
    event.stopPropagation();
    if (event.key !== "Escape") return;
    rest(view);
    look(view, null);
  });
  input.addEventListener("input", () => {
    rest(view);
    look(view, there());
  });
  input.addEventListener("change", () => {
    const preview = there();
    if (preview && keys) settle(view);
    else if (preview) stay(view, preview);
  });
  return made;
}

/** Every slider at the place looked at, else at its own. */
export function showDials({ dials, frame, preview }) {
  [...dials.children].forEach((made, k) => {
    const [, value, input] = made.children;
    const { rule, labels, values, at } = frame.dials[k];
    const place = placeOf(frame, preview, rule, values) ?? at;
    input.max = Math.max(labels.length - 1, 1);
    input.disabled = labels.length < 2; // a slider needs two ends
    input.value = place;
    value.textContent = labels[place];
    input.setAttribute("aria-valuetext", labels[place]);
  });
}

/** Where a preview puts the slider of a rule, if it does. */
function placeOf({ curve }, preview, rule, values) {
  if (preview?.of === rule) return preview.place;
  if (preview?.of !== "curve" || curve.rule !== rule) return null;
  const place = values.indexOf(curve.values[preview.place]);
  return place < 0 ? null : place;
}
