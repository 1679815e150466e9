// The panels under the tree: their tabs, the table of the candidates, and the separator that sets their height.
//
// Streamlit draws the panels that have inputs or charts, over the empty place under the tabs. Their height in percent
// of the page, `--panels`, is a property of the document, which app/style.css reads as well.

import { button, element, write } from "../lib/dom.js";
import { hear } from "../lib/link.js";
import { loadPreference, savePreference } from "../lib/preferences.js";
import { create as createRanking } from "../ranking/ranking.js";

/** @import { Host, PageHost } from "../lib/channel.js" */
/** @import { FrameOf } from "../types.d.ts" */
/** @import { GrowFrame, Section } from "./grow.js" */

const PREFERENCE = "dtviz:panels";
/** Heights of the panels; a double-click sets the default or the large one. */
export const [MIN_PERCENT, DEFAULT_PERCENT, LARGE_PERCENT, MAX_PERCENT] = [15, 30, 57, 65];
/** Heights of the panels beside the small trees, by the most splits that the tree grows. @type {[number, number][]} */
const SMALL_TREES = [[4, 46], [12, 40]];
/** Percent by which a key makes the panels taller. @type {Record<string, number>} */
const SEPARATOR_KEYS = { ArrowUp: 4, ArrowDown: -4, PageUp: 15, PageDown: -15 };
/** Place of the tab that a key moves to. @type {Record<string, (place: number, last: number) => number>} */
const TAB_KEYS = {
  ArrowRight: (place, last) => (place < last ? place + 1 : 0),
  ArrowLeft: (place, last) => (place > 0 ? place - 1 : last),
  Home: () => 0,
  End: (_, last) => last,
};

/** @param {HTMLElement} body @param {PageHost} page @param {Host<GrowFrame>} host @returns {Section} */
export function createPanels(body, page, host) {
  const [panels, tabs, content, ranking, note] = [element("div", "panels"), element("div", "tabs"), element("div", "content"), element("div", "ranking"), element("p", "caption")];
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Panels");
  content.setAttribute("role", "tabpanel");
  content.append(ranking, note);
  panels.append(createSeparator(panels), tabs, content);
  body.append(panels);
  page.mountPart(ranking, ({ parts }) => parts.ranking, createRanking);
  tabs.addEventListener("keydown", (event) => moveInTabs(tabs, event));
  hear("panel", ({ name }) => {
    const tab = /** @type {HTMLElement[]} */ ([...tabs.children]).find(({ textContent }) => textContent === name);
    tab?.click();
    tab?.focus();
  }, panels);
  return {
    element: panels,
    show({ panels: names, panel, panel_note: text }) {
      showUsual(panels, /** @type {FrameOf<"line"> | undefined} */ (page.frame.parts.line)?.total);
      panels.hidden = !names.length;
      if (tabs.dataset.names !== names.join("\n")) tabs.replaceChildren(...names.map((name) => createTab(host, name)));
      tabs.dataset.names = names.join("\n");
      for (const tab of /** @type {Iterable<HTMLElement>} */ (tabs.children)) {
        const isOpen = tab.textContent === panel;
        tab.setAttribute("aria-selected", String(isOpen));
        tab.tabIndex = isOpen ? 0 : -1;
      }
      content.setAttribute("aria-label", panel);
      write(note, text);
      note.hidden = !text;
      content.hidden = ranking.hidden && note.hidden; // what Streamlit draws stands there
    },
  };
}

/** @param {Host<GrowFrame>} host @param {string} name */
function createTab(host, name) {
  const tab = button(name);
  tab.className = "tab";
  tab.setAttribute("role", "tab");
  tab.addEventListener("click", () => host.send({ what: "panel", name }));
  return tab;
}

/** @param {HTMLElement} tabs @param {KeyboardEvent} event */
function moveInTabs(tabs, event) {
  const all = /** @type {HTMLElement[]} */ ([...tabs.children]);
  const place = TAB_KEYS[event.key]?.(all.findIndex((tab) => tab === event.target), all.length - 1);
  if (place === undefined) return;
  event.preventDefault();
  all[place].focus();
  all[place].click();
}

// --- separator ------------------------------------------------------------------------------------

/** Style of the document: what Streamlit draws needs the height as well. */
const documentStyle = () => document.documentElement.style;

let usualPercent = DEFAULT_PERCENT; // of the tree that is shown

/** Height of the panels, in percent of the page. */
export const panelPercent = () => Number(documentStyle().getPropertyValue("--panels")) || DEFAULT_PERCENT;

/** Separator between the tree and the panels: pointer or keys move it, and the browser keeps its place.
 *  @param {HTMLElement} panels */
function createSeparator(panels) {
  const separator = element("div", "seam");
  for (const [name, value] of Object.entries({
    role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-label": "Height of the panels",
    title: "Drag for taller panels, or double-click",
  })) separator.setAttribute(name, value);
  separator.append(element("i", ""));
  separator.addEventListener("pointerdown", (event) => drag(separator, panels, event));
  separator.addEventListener("dblclick", () => toggle(separator));
  separator.addEventListener("keydown", (event) => {
    const step = SEPARATOR_KEYS[event.key];
    if (!step && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation(); // not a step of the time-line
    if (step) setPercent(separator, panelPercent() + step);
    else toggle(separator);
  });
  showPercent(separator, Number(loadPreference(PREFERENCE)) || DEFAULT_PERCENT);
  return separator;
}

/** Give the panels their usual height, unless the user has chosen one. It depends on the tree at the end of its growth, so
 *  that nothing moves from step to step.
 *  @param {HTMLElement} panels @param {number} [total]  splits of that tree */
function showUsual(panels, total = Infinity) {
  usualPercent = SMALL_TREES.find(([most]) => total <= most)?.[1] ?? DEFAULT_PERCENT;
  const separator = /** @type {HTMLElement | null} */ (panels.querySelector(".seam"));
  if (separator && !loadPreference(PREFERENCE)) showPercent(separator, usualPercent);
}

/** Give the panels a height in percent, within bounds.
 *  @param {HTMLElement} separator @param {number} percent */
function showPercent(separator, percent) {
  const bounded = Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent));
  documentStyle().setProperty("--panels", String(bounded));
  separator.setAttribute("aria-valuenow", String(Math.round(bounded)));
}

/** Give the panels a height, which the browser keeps.
 *  @param {HTMLElement} separator @param {number} percent */
function setPercent(separator, percent) {
  showPercent(separator, percent);
  savePreference(PREFERENCE, String(panelPercent()));
}

/** @param {HTMLElement} separator */
const toggle = (separator) => setPercent(separator, panelPercent() > usualPercent ? usualPercent : LARGE_PERCENT);

/** @param {HTMLElement} separator @param {HTMLElement} panels @param {PointerEvent} event */
function drag(separator, panels, event) {
  const page = panels.closest(".grow");
  if (!page || event.button) return;
  event.preventDefault();
  separator.setPointerCapture(event.pointerId);
  const { top, height } = page.getBoundingClientRect();
  const move = (/** @type {PointerEvent} */ { clientY }) => setPercent(separator, (100 * (top + height - clientY)) / height);
  const end = () => {
    separator.removeEventListener("pointermove", move);
    for (const type of ["pointerup", "pointercancel"]) separator.removeEventListener(type, end);
  };
  separator.addEventListener("pointermove", move);
  for (const type of ["pointerup", "pointercancel"]) separator.addEventListener(type, end);
}
