import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { placed, use } from "../page.js";
import { isPageLeft, leavePage, watchLinks } from "../../../dtviz/frontend/lib/page_exit.js";

mock.timers.enable({ apis: ["setTimeout"] });

const SOON = 1000;
const ORIGIN = "https://dtviz.example";
let title = "Overfit";
let isIdle = false;
globalThis.location = { origin: ORIGIN, pathname: "/overfit" };
globalThis.getComputedStyle = (element) => ({
  getPropertyValue: (name) => (element === document.documentElement && name === "--page" ? title : ""),
});
document.querySelector = (selector) => (selector === "[data-test-script-state=notRunning]" && isIdle ? {} : null);
watchLinks();

/** Pass time in short ticks, since a new timer counts from the end of a tick. */
function wait(ms) {
  for (let k = 0; k < ms / 50; k++) mock.timers.tick(50);
}

/** Click on the content of a link on the page. */
function clickLink(path, { origin = ORIGIN, target = "", ...keys } = {}) {
  const link = placed("a");
  link.setAttribute("href", origin + path);
  const words = placed("span");
  link.append(words);
  use(words, "click", keys, Object.assign(link, { origin, pathname: path, target }));
}

beforeEach(() => {
  title = "another";
  isPageLeft();
  [title, isIdle] = ["Overfit", true];
});

test("a page is left once a link leads to another, until that one stands", () => {
  assert.equal(isPageLeft(), false);
  clickLink("/grow");
  wait(SOON);
  assert.equal(isPageLeft(), true);
  title = "Grow";
  assert.equal(isPageLeft(), false);
  title = "Overfit";
  assert.equal(isPageLeft(), false, "and is no more once it did");
});

test("a page is not left any more once the app has run, under the same title too", () => {
  leavePage();
  isIdle = false;
  wait(60 * SOON);
  assert.equal(isPageLeft(), true, "the app still runs");
  isIdle = true;
  wait(SOON);
  assert.equal(isPageLeft(), false);
});

test("a page that the app does not run for is not waited for long", () => {
  leavePage();
  wait(4 * SOON);
  assert.equal(isPageLeft(), true);
  wait(2 * SOON);
  assert.equal(isPageLeft(), false);
});

test("a page that is left again is waited for from then on", () => {
  leavePage();
  wait(4 * SOON);
  leavePage();
  wait(4 * SOON);
  assert.equal(isPageLeft(), true);
});

test("a link to this page, to another site or to another tab leaves nothing", () => {
  clickLink("/overfit");
  clickLink("/grow", { origin: "https://else.example" });
  clickLink("/grow", { target: "_blank" });
  for (const key of ["ctrlKey", "metaKey", "shiftKey"]) clickLink("/grow", { [key]: true });
  use(placed(), "click");
  assert.equal(isPageLeft(), false);
});

test("without a style that has the title of the page, no page is left", () => {
  title = "";
  leavePage();
  assert.equal(isPageLeft(), false);
});
