// Focus of buttons: Streamlit replaces the element of a button whose type changes, as that of Settings does
// when it is pressed, and the focus is lost. So the new button gets it, and people who use keys go on from there.
// A pointer or another key moves the person elsewhere.

import { elementsOf } from "./dom.js";

const KEYED = ".stElementContainer[class*=st-key-]";
const MAX_MS_WATCHED = 10_000; // long: the new button may have to come from the server first

/** Button that a key pressed: the class of its container, and its index among the container's buttons.
 *  @typedef {{ button: HTMLButtonElement, containerClass: string, index: number }} PressedButton */

let pressed = /** @type {PressedButton | null} */ (null);
let observer = /** @type {MutationObserver | null} */ (null);
let timer = 0;

/** Give the focus to each button that replaces a pressed one from now on. */
export function watchFocus() {
  document.addEventListener("keydown", (event) => {
    watchButton(event.key === "Enter" || event.key === " " ? describeButton(elementsOf(event)[0]) : null);
  }, true);
  document.addEventListener("pointerdown", () => watchButton(null), true);
}

/** Watch the page for as long as a pressed button may be replaced; null ends that.
 *  @param {PressedButton | null} next */
function watchButton(next) {
  clearTimeout(timer);
  observer?.disconnect();
  pressed = next;
  if (!next) return;
  observer ??= new MutationObserver(restoreFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  timer = setTimeout(() => watchButton(null), MAX_MS_WATCHED);
}

/** Describe a button whose container has a key, so that the button that replaces it can be found.
 *  @param {Element | undefined} button @returns {PressedButton | null} */
function describeButton(button) {
  const container = button?.closest(KEYED);
  const containerClass = container?.className.match(/st-key-\S+/)?.[0];
  if (!(button instanceof HTMLButtonElement) || !container || !containerClass) return null;
  return { button, containerClass, index: [...container.querySelectorAll("button")].indexOf(button) };
}

function restoreFocus() {
  if (!pressed || pressed.button.isConnected || document.activeElement !== document.body) return;
  const button = document.querySelectorAll(`.${CSS.escape(pressed.containerClass)} button`)[pressed.index];
  if (!(button instanceof HTMLButtonElement)) return;
  button.focus({ preventScroll: true }); // a disabled button takes no focus
  watchButton(null);
}
