// The menu of a phone covers the page: it goes once a page is chosen, and by Escape. Streamlit, whose
// menu it is, leaves it open.

import { elementsOf } from "./dom.js";

const LINK = "[data-testid=stSidebarNavLink]";
const OPEN = "[data-testid=stSidebar][data-collapsed=false]";
const SHUT = `${OPEN} [data-testid=stSidebarCollapseButton] button`;

/** Have the menu shut by what is done. */
export function watchMenu() {
  document.addEventListener("click", (event) => {
    if (elementsOf(event)[0]?.closest(LINK)) shut();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") shut();
  });
}

function shut() {
  const button = document.querySelector(SHUT);
  if (button instanceof HTMLElement) button.click();
}
