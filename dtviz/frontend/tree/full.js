// The tree in all of the window: above everything else on the page, until Escape or the button.

import { button } from "../lib/dom.js";

/** The button that lets a picture fill the window and gives its place back.
 *  @param {HTMLElement} root @param {() => void} moved  called once it has its new size */
export function filler(root, moved) {
  const made = button("", "");
  /** @param {boolean} full */
  const set = (full) => {
    if (full) {
      root.popover = "manual"; // above the page whatever it stands in; without it, as it was
      root.showPopover();
    } else root.removeAttribute("popover");
    say(full);
    window[full ? "addEventListener" : "removeEventListener"]("keydown", leave, true);
    moved();
    made.focus();
  };
  /** @param {boolean} full */
  const say = (full) => {
    made.textContent = full ? "close" : "full";
    made.title = full ? "Leave the full window" : "Fill the window";
    made.setAttribute("aria-label", made.title);
    made.setAttribute("aria-expanded", String(full));
  };
  /** @param {globalThis.Event} event */
  const leave = (event) => {
    if (!("key" in event) || event.key !== "Escape") return;
    event.stopPropagation();
    set(false);
  };
  made.addEventListener("click", () => set(made.getAttribute("aria-expanded") !== "true"));
  say(false);
  return made;
}
