// A button that is made anew, as one is that now stands out, has the focus again: by keys one goes on
// from where one was. What is done meanwhile, by a key or a pointer, means that one is elsewhere.

import { elementsOf } from "./dom.js";

const KEYED = ".stElementContainer[class*=st-key-]";

/** @type {{ button: HTMLElement, place: string } | null} */
let held = null;

/** Have the focus come back to a button that is made anew. */
export function watchFocus() {
  document.addEventListener("focusin", (event) => {
    const button = elementsOf(event)[0];
    const place = button?.closest(KEYED)?.className.match(/st-key-\S+/)?.[0];
    held = button instanceof HTMLButtonElement && place ? { button, place } : null;
  });
  for (const done of ["keydown", "pointerdown"]) document.addEventListener(done, leaves, true);
  new MutationObserver(comeBack).observe(document.body, { childList: true, subtree: true });
}

/** @param {globalThis.Event} event */
function leaves(event) {
  if (held && !elementsOf(event).includes(held.button)) held = null;
}

function comeBack() {
  if (!held || held.button.isConnected || document.activeElement !== document.body) return;
  const button = document.querySelector(`.${CSS.escape(held.place)} button:not(:disabled)`);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
}
