// Presentation: the pictures and sentences of a page alone, in large type, with a halo around the pointer; the button
// that splits is there once a cut is chosen. A bar at the foot tells the keys.
//
// While the root element has the class, the style sheet of the page hides all else and enlarges what is left by
// `--large`. Python does not take part.
//
// Glossary
//   dial   what the keys of a presenter move on a page, with the words that tell them

import { button, elementsOf, write, zoomOf } from "./dom.js";
import { tellAll } from "./link.js";

/** Dial of the picture of an element. `step` moves it by 1 or -1; without it the keys belong to the page. `enter` does
 *  what the Enter key does where no control has the focus.
 *  @typedef {{ root: Node, words: string, step?: (by: 1 | -1) => void, enter?: () => void }} Dial */

const CLASS = "presenting";
const HALO = "dtviz-halo";
const EXIT = "dtviz-leave";
const KEYS = "dtviz-keys";
const DESIGN_SIZE = { w: 1280, h: 720 }; // pixels of the window that the pages are designed for
const SHARE_OF_WINDOW = 0.54; // of a picture with words and controls below
const FOOT = 42; // pixels kept free below a picture, for the bar
/** Steps by the key that a presenter's clicker sends. @type {Record<string, 1 | -1>} */
const CLICKER_STEPS = { PageDown: 1, PageUp: -1 };
const TOUR_BUTTONS = { [1]: ".st-key-tour_next button", [-1]: ".st-key-tour_back button" };
const CARDS = "[class*=st-key-card_data_] button";
const LESSONS = ".st-key-reading h2";
/** Selector of the elements in which letters are typed; Streamlit's tables are grids within a canvas. */
export const TYPING_ELEMENTS = "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable],"
  + " [role=option], [role=combobox], canvas [role=grid], [role=menuitem], [role=dialog] *";

/** @type {Dial[]} */
let dials = [];

/** True if the page is being presented. */
export const isPresenting = () => document.documentElement.classList.contains(CLASS);

/** Begin or end the presentation, which fills the screen if the browser allows that.
 *  @param {boolean} [on] */
export function present(on = !isPresenting()) {
  if (on === isPresenting()) return;
  document.documentElement.classList.toggle(CLASS, on);
  enlarge();
  for (const addition of document.body.querySelectorAll(`.${HALO}, .${EXIT}, .${KEYS}`)) addition.remove();
  if (on) {
    addHalo();
    addExitButton();
    addKeys();
    document.documentElement.requestFullscreen?.().catch(() => {}); // refused: the presentation stays in the window
  } else if (document.fullscreenElement) exitFullscreen();
}

/** Enlarge the page as much as the window is larger than the one it is designed for, and have the pictures drawn. */
function enlarge() {
  const { innerWidth, innerHeight } = window;
  const factor = Math.max(1, Math.min(innerWidth / DESIGN_SIZE.w, innerHeight / DESIGN_SIZE.h)) || 1;
  document.documentElement.style.setProperty("--large", factor.toFixed(3));
  tellAll("present", {});
}

/** Height of a picture: what the window leaves to it while presenting, else the usual height.
 *  @param {HTMLElement} root  of the page's component @param {HTMLElement} picture  in it @param {number} usual */
export function presentedHeight(root, picture, usual) {
  if (!isPresenting()) return usual;
  const zoom = zoomOf(root);
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
  const { top, height } = root.getBoundingClientRect();
  const others = (top + scrolled + height - picture.getBoundingClientRect().height) / zoom;
  return Math.max(usual, Math.floor(window.innerHeight / zoom - FOOT - others));
}

/** Height of a picture that has words and controls below: about half of the window while presenting, else the usual height.
 *  @param {HTMLElement} picture @param {number} usual */
export const presentedPart = (picture, usual) => (isPresenting() ? Math.max(usual, (SHARE_OF_WINDOW * window.innerHeight) / zoomOf(picture)) : usual);

const exitFullscreen = () => document.exitFullscreen().catch(() => {});

/** Add a ring that follows the pointer until the presentation ends. */
function addHalo() {
  const halo = document.createElement("div");
  halo.className = HALO;
  halo.hidden = true;
  document.body.append(halo);
  /** @param {PointerEvent} event */
  const follow = ({ clientX, clientY }) => {
    if (!halo.isConnected) {
      window.removeEventListener("pointermove", follow);
      return;
    }
    halo.hidden = false;
    halo.style.left = `${clientX}px`;
    halo.style.top = `${clientY}px`;
  };
  window.addEventListener("pointermove", follow);
}

/** Add a faint button that ends the presentation, for people without a keyboard. */
function addExitButton() {
  const exitButton = button("×", "End the presentation (F)");
  exitButton.className = EXIT;
  exitButton.addEventListener("click", () => present(false));
  document.body.append(exitButton);
}

/** Add the bar that tells the keys. */
function addKeys() {
  const bar = document.createElement("div");
  bar.className = KEYS;
  document.body.append(bar);
  tellKeys();
}

function tellKeys() {
  const bar = document.body.querySelector(`.${KEYS}`);
  if (bar) write(bar, `${keyWords()} · F or Esc ends`);
}

// --- keys -----------------------------------------------------------------------------------------

/** Add the dial of a picture that is on the page; it goes with the picture.
 *  @param {Dial} dial */
export function addDial(dial) {
  dials = [...dials.filter(({ root }) => root.isConnected), dial];
  tellKeys();
}

/** The dial that was added last, of those on the page. */
const dialOnPage = () => dials.findLast(({ root }) => root.isConnected);

/** Words for the keys of the page. */
function keyWords() {
  if (document.querySelector(TOUR_BUTTONS[1])) return "Page Up and Page Down: another screen of the tour";
  const dial = dialOnPage();
  if (dial) return dial.words;
  if (document.querySelector(CARDS)) return "Page Up and Page Down: another example";
  return "Page Up and Page Down: another section";
}

/** Listen to the keys of presenters on all pages from now on. */
export function watchPresentation() {
  window.addEventListener("resize", () => { if (isPresenting()) enlarge(); });
  document.addEventListener("keydown", onClicker, true); // before a slider that has the focus
  document.addEventListener("keydown", onKey);
}

/** @param {KeyboardEvent} event */
const isWithControl = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

/** @param {KeyboardEvent} event */
function onClicker(event) {
  const by = CLICKER_STEPS[event.key];
  if (!by || !isPresenting() || isWithControl(event) || elementsOf(event)[0]?.closest(TYPING_ELEMENTS)) return;
  const dial = dialOnPage();
  const tourButton = /** @type {HTMLElement | null} */ (document.querySelector(TOUR_BUTTONS[by]));
  if (!tourButton && dial && !dial.step) return; // the time-line steps
  event.preventDefault();
  event.stopPropagation();
  if (tourButton) tourButton.click();
  else if (dial?.step) dial.step(by);
  else stepPage(by);
}

/** Step on a page without a dial: to the next example on Data, to the next section on Learn.
 *  @param {1 | -1} by */
function stepPage(by) {
  const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(CARDS)]);
  const shown = cards.findIndex(({ dataset }) => dataset.testid?.endsWith("primary"));
  if (cards.length) cards[Math.max(0, Math.min(cards.length - 1, shown + by))].click();
  const lessons = [...document.querySelectorAll(LESSONS)];
  const isBeyond = (/** @type {Element} */ lesson) => by * (lesson.getBoundingClientRect().top - FOOT) > 2 * FOOT;
  (by > 0 ? lessons.find(isBeyond) : lessons.findLast(isBeyond))?.scrollIntoView();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const [target] = elementsOf(event);
  if (event.defaultPrevented || isWithControl(event) || target?.closest(TYPING_ELEMENTS)) return;
  if (event.key === "f" || event.key === "F") present();
  else if (event.key === "Escape" && isPresenting()) present(false);
  else if (event.key === "Enter" && isIdle(target)) dialOnPage()?.enter?.();
  else return;
  event.preventDefault();
}

/** True if the Enter key has no meaning of its own in an element: the page itself, and sliders.
 *  @param {Element | undefined} target */
const isIdle = (target) => !target || target.matches("body, html, [role=slider], input[type=range]");

document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement) present(false);
  // the browser may grant full screen only after the presentation ended
  else if (document.fullscreenElement === document.documentElement && !isPresenting()) exitFullscreen();
});
