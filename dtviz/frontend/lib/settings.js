// Head of a page: the title of the data, a control for each of the page's settings, and the button that draws again.

import { atSent, createDrawAgain, createMenu, createSegments, createSlider } from "./choices.js";
import { element, write } from "./dom.js";

/** @import { Choice, PageHead } from "../frames.d.ts" */
/** @import { PictureEvent, SettingValues } from "../types.d.ts" */

const CONTROLS = { menu: createMenu, segments: createSegments, slider: createSlider };

/** Settings of a page that are on their way to Python: the values of its events `what`, of two the later.
 *  @param {{ pending: PictureEvent[] }} host @param {"plan" | "set" | "judge" | "rules"} what
 *  @returns {Partial<SettingValues>} */
export const sentValues = ({ pending }, what) => Object.assign({}, ...pending.map((act) => (act.what === what ? act.values : {})));

/** Create the title with the controls after it; a change calls `send` with the new value by the name of its setting.
 *  @param {(values: SettingValues) => void} send */
export function createSettings(send) {
  const [bar, title] = [element("div", "settings"), element("strong", "name")];
  /** @type {Map<string, { element: HTMLElement, show: (choice: Choice) => void }>} */
  const controls = new Map();
  let seed = 0;
  const die = createDrawAgain("", () => {
    send({ seed });
    seed += 1; // a click that comes before the next frame draws again as well
  });
  bar.append(title, die);
  return {
    element: bar,
    /** Show the settings of a frame, at the values that are on their way to Python.
     *  @param {PageHead} head @param {Partial<SettingValues>} sent */
    show({ title: name, settings = [], again }, sent) {
      write(title, name);
      for (const [key, control] of controls) {
        if (!settings.some((setting) => setting.name === key)) control.element.remove();
      }
      settings.forEach((setting, k) => {
        const control = controls.get(setting.name) ?? CONTROLS[setting.control](setting.label, (value) => send({ [setting.name]: value }));
        controls.set(setting.name, control);
        // a control that stays where it is keeps the focus
        if (bar.children[k + 1] !== control.element) bar.insertBefore(control.element, bar.children[k + 1]);
        control.show(atSent(setting, sent[setting.name]));
      });
      die.hidden = !again;
      if (!again) return;
      [seed, die.title] = [again.seed, again.description];
      die.setAttribute("aria-label", again.label);
    },
  };
}
