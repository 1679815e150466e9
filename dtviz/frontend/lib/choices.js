// Choices of one of several values: a menu, buttons side by side, or a slider; and the button that draws again at random.

import { button, element, write } from "./dom.js";

const DIE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3zM8 8h.01M16 8h.01M12 12h.01M8 16h.01M16 16h.01"/></svg>';

/** @import { Choice } from "../frames.d.ts" */
/** @typedef {(value: Choice["values"][number]) => void} Choose */

/** Choice at the value that is on its way to Python, if the choice has that value.
 *  @template {Choice | undefined} C @param {C} choice @param {string | number | undefined} sent */
export function atSent(choice, sent) {
  const place = sent === undefined || !choice ? -1 : choice.values.indexOf(sent);
  return place < 0 ? choice : { ...choice, place };
}

/** Menu of the values of a choice; `choose` is called with the value that the user chooses.
 *  @param {string} label @param {Choose} choose */
export function createMenu(label, choose) {
  const select = element("select", "tool");
  select.setAttribute("aria-label", label);
  let choice = /** @type {Choice | undefined} */ (undefined);
  select.addEventListener("change", () => choice && choose(choice.values[select.selectedIndex]));
  return {
    element: select,
    /** @param {Choice | undefined} frame  undefined for no choice */
    show(frame) {
      choice = frame;
      select.hidden = !frame;
      if (!frame) return;
      fill(select, frame, (text) => new Option(text));
      select.selectedIndex = frame.place;
    },
  };
}

/** Buttons of the values of a choice; `choose` is called with the value that the user chooses.
 *  @param {string} label @param {Choose} choose */
export function createSegments(label, choose) {
  const segments = element("div", "segments");
  segments.setAttribute("role", "group");
  segments.setAttribute("aria-label", label);
  let choice = /** @type {Choice | undefined} */ (undefined);
  /** @param {string} text @param {number} place */
  const createSegment = (text, place) => {
    const segment = element("button", "tool");
    segment.type = "button";
    segment.textContent = text;
    segment.addEventListener("click", () => choice && choose(choice.values[place]));
    return segment;
  };
  return {
    element: segments,
    /** @param {Choice | undefined} frame  undefined for no choice */
    show(frame) {
      choice = frame;
      segments.hidden = !frame;
      if (!frame) return;
      fill(segments, frame, createSegment);
      [...segments.children].forEach((segment, place) => segment.setAttribute("aria-pressed", String(place === frame.place)));
    },
  };
}

/** Slider of the values of a choice; `choose` is called with the value at which the user lets it go.
 *  @param {string} label @param {Choose} choose */
export function createSlider(label, choose) {
  const [slider, text, input] = [element("label", "slide"), element("span", "value"), element("input", "")];
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: label });
  slider.append(text, input);
  let choice = /** @type {Choice | undefined} */ (undefined);
  let isHeld = false; // a frame that comes meanwhile does not move the slider
  const tell = () => {
    const words = choice?.texts[Number(input.value)] ?? "";
    write(text, words);
    input.setAttribute("aria-valuetext", words);
  };
  input.addEventListener("input", () => {
    isHeld = true;
    tell();
  });
  input.addEventListener("change", () => {
    isHeld = false;
    if (choice) choose(choice.values[Number(input.value)]);
  });
  return {
    element: slider,
    /** @param {Choice | undefined} frame  undefined for no choice */
    show(frame) {
      choice = frame;
      slider.hidden = !frame;
      if (!frame) return;
      input.max = String(frame.texts.length - 1);
      if (!isHeld) input.value = String(frame.place);
      tell();
    },
  };
}

/** Fill an element with one child a value; equal texts keep their children, and with them the focus.
 *  @param {HTMLElement} target @param {Choice} choice @param {(text: string, place: number) => HTMLElement} create */
function fill(target, { texts }, create) {
  const names = texts.join("\n");
  if (target.dataset.names !== names) target.replaceChildren(...texts.map(create));
  target.dataset.names = names;
}

/** Button that draws again at random: a die. Its tooltip says what is drawn.
 *  @param {string} help @param {() => void} draw */
export function createDrawAgain(help, draw) {
  const die = button("", "Draw again");
  die.classList.add("die");
  die.title = help;
  die.innerHTML = DIE;
  die.addEventListener("click", draw);
  return die;
}
