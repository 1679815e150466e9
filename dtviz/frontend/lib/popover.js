// Focus of popovers: one that a key opens takes the focus, since its content is at the end of the page,
// many Tabs away, and Streamlit leaves the focus on the button. By Escape Streamlit closes a popover, and moves
// the focus to its button.

import { elementsOf } from "./dom.js";

const BUTTON = "[data-testid=stPopoverButton]";
const CONTROLS = "[data-testid=stPopoverBody] :is(input, button, textarea, select, a[href], [tabindex='0'])";
const MAX_MS_WAITED = 10_000; // long: the content may have to come from the server first

/** Move the focus into each popover that Enter or Space opens. */
export function watchPopovers() {
  document.addEventListener("keydown", (event) => {
    const button = elementsOf(event)[0]?.closest(BUTTON);
    const opens = button instanceof HTMLElement && button.getAttribute("aria-expanded") === "false";
    if (opens && (event.key === "Enter" || event.key === " ")) moveFocus(button);
  });
}

/** Move the focus from a button into its popover as soon as that has a control, unless the focus went elsewhere.
 *  @param {HTMLElement} button */
function moveFocus(button) {
  const observer = new MutationObserver(() => {
    const first = document.querySelector(CONTROLS);
    if (document.activeElement === button && !(first instanceof HTMLElement)) return;
    observer.disconnect();
    if (document.activeElement === button && first instanceof HTMLElement) first.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), MAX_MS_WAITED);
}
