// Sliders of the rules. Moving a slider previews a value of its rule; the end of a drag or a pause of the keys sends the
// value to Python.
//
// Glossary
//   dial    the slider of one rule, with its name and its value
//   line    the values of a rule, with a label for each
//   place   the index of a value on its line

import { element } from "../lib/dom.js";
import { commit, commitLater, commitOther, discard, endDrag, endPreview, show } from "./steer.js";

/** @import { RuleLine } from "../frames.d.ts" */
/** @import { Preview } from "../types.d.ts" */
/** @import { OverfitView } from "./overfit.js" */

/** Create a dial for each rule of the frame; dials are kept while the rules are the same.
 *  @param {OverfitView} view */
export function fillDials(view) {
  const { dials, frame } = view;
  const lines = frame.dials ?? [];
  const rules = [...dials.querySelectorAll("label")].map(({ dataset }) => dataset.rule);
  if (lines.map(({ rule }) => rule).join() === rules.join()) return;
  dials.replaceChildren(...lines.map((line) => createDial(view, line)));
}

/** Create a dial with the rule's name in words; the tooltip has the name in code and a description.
 *  @param {OverfitView} view @param {RuleLine} line */
function createDial(view, { rule, name, description }) {
  const [dial, label, value] = [element("label", "dial"), element("span", ""), element("span", "value")];
  const input = document.createElement("input");
  dial.dataset.rule = rule;
  dial.title = `${rule}: ${description}`;
  label.textContent = name;
  value.setAttribute("aria-hidden", "true"); // the slider has it as aria-valuetext
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: name });
  dial.append(label, value, input);
  steerDial(view, rule, input);
  return dial;
}

/** Let pointer and keys move a slider.
 *  @param {OverfitView} view @param {string} rule @param {HTMLInputElement} input */
function steerDial(view, rule, input) {
  let isByKeys = false;
  let isCancelled = false;
  /** Preview of the slider's value; null if the frame has it and no event is on its way to Python.
   *  @returns {Preview | null} */
  const currentPreview = () => {
    const line = view.frame.dials?.find((dial) => dial.rule === rule);
    const place = Number(input.value);
    if (!line || (place === line.place && !view.host.pending.length)) return null;
    return { control: "dial", rule, value: line.values[place] };
  };
  const release = () => {
    if (view.dragged === rule) setTimeout(() => endDrag(view), 0); // after the event `change`: a frame that waits may move the slider
  };
  input.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    [isByKeys, isCancelled, view.dragged] = [false, false, rule];
    window.addEventListener("pointerup", release, { capture: true, once: true });
  });
  input.addEventListener("pointercancel", () => { // a finger scrolls the page
    isCancelled = true;
    endPreview(view);
    release();
  });
  input.addEventListener("keydown", (event) => {
    isByKeys = true;
    event.stopPropagation();
    if (event.key === "Escape") discard(view);
  });
  input.addEventListener("input", () => {
    commitOther(view, { control: "dial", rule });
    show(view, currentPreview());
  });
  input.addEventListener("change", () => {
    const preview = isCancelled ? null : currentPreview();
    isCancelled = false;
    if (preview && isByKeys) commitLater(view, preview);
    else if (preview) commit(view, preview);
  });
}

/** Move each slider to the place of its preview, or to that of the frame.
 *  @param {OverfitView} view */
export function showDials({ dials, frame, preview }) {
  (frame.dials ?? []).forEach(({ rule, labels, values, place: framePlace }, k) => {
    const input = dials.children[k].querySelector("input");
    const text = dials.children[k].querySelector(".value");
    if (!input || !text) return;
    const previewPlace = preview?.rule === rule ? values.indexOf(preview.value) : -1;
    const place = previewPlace < 0 ? framePlace : previewPlace;
    input.max = String(Math.max(labels.length - 1, 1));
    input.disabled = labels.length < 2; // there is no other value to choose
    input.value = String(place);
    if (text.textContent === labels[place]) return;
    text.textContent = labels[place];
    input.setAttribute("aria-valuetext", labels[place]);
  });
}
