// Menu of a phone, which covers the page: it closes once a page is chosen, and by Escape. The menu is
// Streamlit's, which leaves it open over the page that was chosen.

import { elementsOf } from "./dom.js";

const LINK = "[data-testid=stSidebarNavLink]";
const OPEN_MENU = "[data-testid=stSidebar][data-collapsed=false]";
const CLOSE_BUTTON = `${OPEN_MENU} [data-testid=stSidebarCollapseButton] button`;

/** Close the menu by a link and by Escape from now on. */
export function watchMenu() {
  document.addEventListener("click", (event) => {
    if (elementsOf(event)[0]?.closest(LINK)) closeMenu();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeMenu();
  });
}

function closeMenu() {
  const button = document.querySelector(CLOSE_BUTTON);
  if (button instanceof HTMLElement) button.click();
}
