// The features on the two axes of the stage, and sliders that pin the other features that the tree asks.

import { createMenu } from "../lib/choices.js";
import { button, element, write } from "../lib/dom.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { GrowAxes, PinSlider } from "../frames.d.ts" */
/** @import { GrowFrame, Section } from "./grow.js" */

const AXES = [["→", "Across"], ["↑", "Up"]]; // sign and name
const MS_A_HOLD = 1500; // between two moves by keys that undo takes back together

/** @param {Host<GrowFrame>} host @returns {Section} */
export function createAxes(host) {
  const [axes, slice, summary, sliders] = [element("div", "axes"), element("details", "slice"), element("summary", "tool"), element("div", "sliders")];
  const choices = AXES.map((_, place) => createChoice(host, place));
  const reset = button("As usual", "At the middle of each, or where the node looked at has its rows");
  reset.addEventListener("click", () => host.send({ what: "unpin" }));
  summary.append("Slice");
  summary.addEventListener("click", (event) => { if (summary.getAttribute("aria-disabled") === "true") event.preventDefault(); }); // keys click too
  slice.append(summary, sliders);
  axes.append(...choices.map((choice) => choice.element), slice);
  return {
    element: axes,
    show({ axes: frame }) {
      axes.hidden = !frame;
      if (!frame) return;
      for (const { show } of choices) show(frame);
      const isEmpty = !frame.sliders.length;
      summary.title = isEmpty ? "The tree asks no feature but those on the axes" : "Where the features on no axis are pinned";
      summary.setAttribute("aria-disabled", String(isEmpty));
      if (isEmpty) slice.open = false;
      const features = frame.sliders.map(({ feature }) => feature).join();
      if (sliders.dataset.features !== features) sliders.replaceChildren(...frame.sliders.map(({ feature }) => createPinSlider(host, feature, frame.features[feature])), reset);
      sliders.dataset.features = features;
      frame.sliders.forEach((slider, k) => showSlider(sliders.children[k], slider, sentPlace(host, slider)));
      reset.disabled = !frame.is_pinned;
    },
  };
}

/** Choice of the feature on an axis.
 *  @param {Host<GrowFrame>} host @param {number} place  0 for across, 1 for up @returns {Section<GrowAxes>} */
function createChoice(host, place) {
  const [text, name] = AXES[place];
  const label = element("label", "axis");
  const menu = createMenu(name, (feature) => host.send({ what: "axis", place, feature: Number(feature) }));
  label.append(text, menu.element);
  return {
    element: label,
    show({ features, axes }) {
      menu.show({ values: [...features.keys()], texts: features, place: axes[place] });
    },
  };
}

/** Slider of the values of a feature; a drag is one change for undo, and so are keys that are held.
 *  @param {Host<GrowFrame>} host @param {number} feature @param {string} name */
function createPinSlider(host, feature, name) {
  const [label, value, input] = [element("label", ""), element("span", "value"), element("input", "")];
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: name });
  label.append(name, value, input);
  let lastTime = -Infinity; // of the last move, in ms
  let isDragged = false;
  input.addEventListener("pointerdown", () => { [isDragged, lastTime] = [true, -Infinity]; });
  for (const type of ["pointerup", "pointercancel"]) input.addEventListener(type, () => { isDragged = false; });
  input.addEventListener("input", (event) => {
    const slider = host.frame.axes?.sliders.find((other) => other.feature === feature);
    if (!slider) return;
    // more of the change before: any later move of a drag, or a move soon after one
    const [place, isMore] = [Number(input.value), isDragged ? lastTime > 0 : event.timeStamp - lastTime < MS_A_HOLD];
    lastTime = event.timeStamp;
    write(value, slider.texts[place]);
    host.send({ what: "pin", feature, value: slider.values[place], more: isMore });
  });
  return label;
}

/** Place of the value of a slider that is on its way to Python, else that of the frame: a slider that moves does not jump back.
 *  @param {Host<GrowFrame>} host @param {PinSlider} slider */
function sentPlace({ pending }, { feature, values, place }) {
  const sent = pending.findLast((act) => act.what === "unpin" || (act.what === "pin" && act.feature === feature));
  const found = sent?.what === "pin" ? values.indexOf(sent.value) : -1;
  return found < 0 ? place : found;
}

/** @param {Element} label @param {PinSlider} slider @param {number} place */
function showSlider(label, { texts }, place) {
  const [value, input] = [label.querySelector(".value"), label.querySelector("input")];
  if (!value || !input) return;
  input.max = String(texts.length - 1);
  input.value = String(place);
  input.setAttribute("aria-valuetext", texts[place]);
  write(value, texts[place]);
}
