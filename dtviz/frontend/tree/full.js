// Full window for a picture: it lies above everything else on the page, until Escape or its button.

import { button } from "../lib/dom.js";

/** Create the button that lets a picture fill the window, and ends that.
 *  @param {HTMLElement} root @param {() => void} onResize  called once the picture has its new size */
export function fullWindowButton(root, onResize) {
  const toggle = button("");
  /** @param {boolean} isFull */
  const set = (isFull) => {
    if (isFull) {
      root.popover = "manual"; // above the page, whatever elements the picture is in
      root.showPopover();
    } else root.removeAttribute("popover");
    showState(isFull);
    window[isFull ? "addEventListener" : "removeEventListener"]("keydown", leave, true);
    onResize();
    toggle.focus();
  };
  /** @param {boolean} isFull */
  const showState = (isFull) => {
    toggle.textContent = isFull ? "close" : "full";
    toggle.title = isFull ? "Leave the full window" : "Fill the window";
    toggle.setAttribute("aria-label", toggle.title);
    toggle.setAttribute("aria-expanded", String(isFull));
  };
  /** @param {globalThis.Event} event */
  const leave = (event) => {
    if (!("key" in event) || event.key !== "Escape") return;
    event.stopPropagation();
    set(false);
  };
  toggle.addEventListener("click", () => set(toggle.getAttribute("aria-expanded") !== "true"));
  showState(false);
  return toggle;
}
