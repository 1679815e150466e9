// Whether the page is being left: another is asked for, of which nothing stands yet.
//
// What the pictures of the last one say meanwhile Streamlit would take for a wish to stay, and then
// show neither page. So it waits for the pictures of the next.
//
// Glossary
//   left   the title of the page that is being left, else empty
//   stood  of which page the style stands: app.py sets it with the first thing that it draws
//   ran    whether the app has been seen to run since

import { elementsOf } from "./dom.js";

const LOOK = 100; // ms
const LOOKS = 50; // after which a page that was asked for will never come
const AT_REST = "[data-test-script-state=notRunning]";

let left = "";
let ran = false;
let timer = 0;

/** Have it noted that a link leads to another page, before anybody does anything about it. */
export function watchLinks() {
  window.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (elementsOf(event)[0]?.closest("a[href]") ?? null);
    if (!link || link.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.origin === location.origin && link.pathname !== location.pathname) leave();
  }, true);
}

/** Another page is asked for. */
export function leave() {
  [left, ran] = [stood(), false];
  look(LOOKS);
}

/** Whether another page is asked for, and this one still stands. */
export function isLeft() {
  if (left !== stood()) left = "";
  return left !== "";
}

const stood = () => getComputedStyle(document.documentElement).getPropertyValue("--page");

/** A page that the app has run for since has the same title; one that it does not run for is none.
 *  @param {number} looks */
function look(looks) {
  clearTimeout(timer);
  const rests = Boolean(document.querySelector(AT_REST));
  if ((rests && ran) || !looks) left = "";
  ran ||= !rests;
  if (isLeft()) timer = setTimeout(look, LOOK, rests ? looks - 1 : looks);
}
