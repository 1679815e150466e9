// A popover that a key opens takes the focus: its content stands at the end of the page, as many
// Tabs away as there are controls. Streamlit closes it by Escape, and the focus is on its button.

import { elementsOf } from "./dom.js";

const BUTTON = "[data-testid=stPopoverButton]";
const INSIDE = "[data-testid=stPopoverBody] :is(input, button, textarea, select, a[href], [tabindex='0'])";
const PATIENCE = 10_000; // milliseconds: what stands in it may come from the server first

/** Have the focus go into a popover that Enter or Space opens. */
export function watchPopovers() {
  document.addEventListener("keydown", (event) => {
    const button = elementsOf(event)[0]?.closest(BUTTON);
    const opens = button instanceof HTMLElement && button.getAttribute("aria-expanded") === "false";
    if (opens && (event.key === "Enter" || event.key === " ")) follow(button);
  });
}

/** The focus goes in as soon as there is something, unless it went elsewhere.
 *  @param {HTMLElement} button */
function follow(button) {
  const observer = new MutationObserver(() => {
    const first = document.querySelector(INSIDE);
    if (document.activeElement === button && !(first instanceof HTMLElement)) return;
    observer.disconnect();
    if (document.activeElement === button && first instanceof HTMLElement) first.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), PATIENCE);
}
