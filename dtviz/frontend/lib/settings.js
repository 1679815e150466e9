// Controls of a page's settings at hand: lists, buttons in a row, sliders, and the button that draws again at random.

import { button, element, write } from "./dom.js";

/** @import { PageHead, SettingChoice } from "../frames.d.ts" */
/** @import { SettingValues } from "../types.d.ts" */

/** Control of a setting. @typedef {{ element: HTMLElement, show: (choice: SettingChoice, place: number) => void }} SettingControl */
/** Function that is told the place of the chosen value. @typedef {(place: number) => void} Choose */

const DIE = '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3" width="18" height="18" rx="3"/><path d="M8 8h0M16 8h0M12 12h0M8 16h0M16 16h0"/></svg>';
const CONTROLS = /** @type {const} */ ({ list: createList, row: createRow, slider: createSlider });

/** Create the title of the data with the controls after it; `send` is told the values of a change.
 *  @param {(values: SettingValues) => void} send */
export function createSettings(send) {
  const [bar, title, again] = [element("div", "settings"), element("strong", "name"), button("", "")];
  /** @type {Map<string, SettingControl>} */
  const controls = new Map();
  let seed = 0;
  again.innerHTML = DIE;
  again.addEventListener("click", () => {
    send({ seed });
    seed += 1; // a click that comes before the next frame draws again as well
  });
  bar.append(title, again);
  return {
    element: bar,
    /** Show the controls of a frame, at the values that are on their way to Python.
     *  @param {PageHead} head @param {SettingValues} sent */
    show({ title: name, choices = [], again: die }, sent) {
      write(title, name);
      for (const [key, { element: control }] of controls) {
        if (!choices.some((choice) => choice.name === key)) control.remove();
      }
      choices.forEach((choice, k) => {
        const control = controls.get(choice.name) ?? createControl(choice, send);
        controls.set(choice.name, control);
        // a control that stays where it is keeps the focus
        if (bar.children[k + 1] !== control.element) bar.insertBefore(control.element, bar.children[k + 1]);
        const place = choice.values.indexOf(sent[choice.name]);
        control.show(choice, place < 0 ? choice.place : place);
      });
      again.hidden = !die;
      if (!die) return;
      seed = die.seed;
      again.title = die.description;
      again.setAttribute("aria-label", die.label);
    },
  };
}

/** @param {SettingChoice} first  the control as it is at first @param {(values: SettingValues) => void} send @returns {SettingControl} */
function createControl(first, send) {
  let shown = first;
  const { element: control, show } = CONTROLS[first.control](first.label, (place) => send({ [shown.name]: shown.values[place] }));
  return {
    element: control,
    show(choice, place) {
      shown = choice;
      show(choice, place);
    },
  };
}

/** @param {string} label @param {Choose} choose @returns {SettingControl} */
function createList(label, choose) {
  const select = element("select", "");
  select.setAttribute("aria-label", label);
  select.addEventListener("change", () => choose(select.selectedIndex));
  return {
    element: select,
    show({ texts }, place) {
      const names = texts.join("\n");
      if (select.dataset.names !== names) select.replaceChildren(...texts.map((text) => new Option(text)));
      select.dataset.names = names;
      select.selectedIndex = place;
    },
  };
}

/** @param {string} label @param {Choose} choose @returns {SettingControl} */
function createRow(label, choose) {
  const row = element("div", "segments");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", label);
  return {
    element: row,
    show({ texts }, place) {
      const names = texts.join("\n");
      if (row.dataset.names !== names) row.replaceChildren(...texts.map((text, k) => segment(text, () => choose(k))));
      row.dataset.names = names;
      texts.forEach((_, k) => row.children[k].setAttribute("aria-pressed", String(k === place)));
    },
  };
}

/** Button of an option.
 *  @param {string} text @param {() => void} choose */
function segment(text, choose) {
  const created = button(text, "");
  created.removeAttribute("aria-label"); // its text says it
  created.addEventListener("click", choose);
  return created;
}

/** Slider whose value is chosen when it is let go: its trees take long to grow.
 *  @param {string} label @param {Choose} choose @returns {SettingControl} */
function createSlider(label, choose) {
  const [slider, value, input] = [element("label", "slide"), element("span", "value"), element("input", "")];
  let texts = /** @type {string[]} */ ([]);
  Object.assign(input, { type: "range", min: 0, step: 1, ariaLabel: label });
  slider.append(value, input);
  const tell = () => {
    write(value, texts[Number(input.value)]);
    input.setAttribute("aria-valuetext", texts[Number(input.value)]);
  };
  let isHeld = false; // a frame that comes while the slider is held does not move it
  input.addEventListener("input", () => {
    isHeld = true;
    tell();
  });
  input.addEventListener("change", () => {
    isHeld = false;
    choose(Number(input.value));
  });
  return {
    element: slider,
    show({ texts: names }, place) {
      texts = names;
      input.max = String(names.length - 1);
      if (!isHeld) input.value = String(place);
      tell();
    },
  };
}
