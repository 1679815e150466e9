// State of a page that is being left: another page is asked for, and none of it is drawn yet.
//
// Streamlit would take an event of the old page's pictures for a wish to stay, and then show neither
// page. So events wait for the pictures of the new page.

import { elementsOf } from "./dom.js";

const MS_A_CHECK = 100;
const MAX_CHECKS = 50; // after which a page that was asked for will never come
const IDLE = "[data-test-script-state=notRunning]";

/** Title of the page that is being left, else empty. */
let titleLeft = "";
/** True once the app has been seen to run since. */
let hasRun = false;
let timer = 0;

/** Notice each click on a link to another page, before any other listener acts on it. */
export function watchLinks() {
  window.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (elementsOf(event)[0]?.closest("a[href]") ?? null);
    if (!link || link.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.origin === location.origin && link.pathname !== location.pathname) leavePage();
  }, true);
}

/** Note that another page is asked for. */
export function leavePage() {
  [titleLeft, hasRun] = [pageTitle(), false];
  check(MAX_CHECKS);
}

/** True if another page is asked for, and the old page is still drawn. */
export function isPageLeft() {
  if (titleLeft !== pageTitle()) titleLeft = "";
  return titleLeft !== "";
}

/** Title of the page that is drawn: app.py sets it with the first element of a page. */
const pageTitle = () => getComputedStyle(document.documentElement).getPropertyValue("--page");

/** Check until the new page is drawn. If the app has run since, that page has the same title; if the app
 *  does not run within `checks` checks, no page will come.
 *  @param {number} checks */
function check(checks) {
  clearTimeout(timer);
  const isIdle = Boolean(document.querySelector(IDLE));
  if ((isIdle && hasRun) || !checks) titleLeft = "";
  hasRun ||= !isIdle;
  if (isPageLeft()) timer = setTimeout(check, MS_A_CHECK, isIdle ? checks - 1 : checks);
}
