// A button that a key pressed and that is made anew for it, as one that now stands out, has the focus
// again: by keys one goes on from where one was. A pointer or another key says that one is elsewhere.

import { elementsOf } from "./dom.js";

const KEYED = ".stElementContainer[class*=st-key-]";
const PATIENCE = 10_000; // milliseconds: what is made anew may come from the server first

/** @typedef {{ button: HTMLButtonElement, place: string, at: number }} Held */

let pressed = /** @type {Held | null} */ (null);
let observer = /** @type {MutationObserver | null} */ (null);
let timer = 0;

/** Have the focus come back to a button that is made anew. */
export function watchFocus() {
  document.addEventListener("keydown", (event) => {
    hold(event.key === "Enter" || event.key === " " ? held(elementsOf(event)[0]) : null);
  }, true);
  document.addEventListener("pointerdown", () => hold(null), true);
}

/** Look at the page for as long as a button may be made anew.
 *  @param {Held | null} one */
function hold(one) {
  clearTimeout(timer);
  observer?.disconnect();
  pressed = one;
  if (!one) return;
  observer ??= new MutationObserver(comeBack);
  observer.observe(document.body, { childList: true, subtree: true });
  timer = setTimeout(() => hold(null), PATIENCE);
}

/** A button of a place that has a name, and which of its buttons it is.
 *  @param {Element | undefined} button @returns {Held | null} */
function held(button) {
  const around = button?.closest(KEYED);
  const place = around?.className.match(/st-key-\S+/)?.[0];
  if (!(button instanceof HTMLButtonElement) || !around || !place) return null;
  return { button, place, at: [...around.querySelectorAll("button")].indexOf(button) };
}

function comeBack() {
  if (!pressed || pressed.button.isConnected || document.activeElement !== document.body) return;
  const button = document.querySelectorAll(`.${CSS.escape(pressed.place)} button`)[pressed.at];
  if (!(button instanceof HTMLButtonElement)) return;
  button.focus({ preventScroll: true }); // one that rests takes none
  hold(null);
}
