import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { placed, use } from "../page.js";
import { isPageLeft, leavePage, watchLinks } from "../../../dtviz/frontend/lib/page_exit.js";

mock.timers.enable({ apis: ["setTimeout"] });

const SOON = 1000;
const HERE = "https://dtviz.example";
let stands = "Overfit";
let atRest = false;
globalThis.location = { origin: HERE, pathname: "/overfit" };
globalThis.getComputedStyle = (one) => ({
  getPropertyValue: (name) => (one === document.documentElement && name === "--page" ? stands : ""),
});
document.querySelector = (selector) => (selector === "[data-test-script-state=notRunning]" && atRest ? {} : null);
watchLinks();

/** Time goes by: what a timer sets counts from the end of a tick. */
function wait(ms) {
  for (let k = 0; k < ms / 50; k++) mock.timers.tick(50);
}

/** A link on the page, clicked on what is in it. */
function clicked(path, { origin = HERE, target = "", ...keys } = {}) {
  const link = placed("a");
  link.setAttribute("href", origin + path);
  const words = placed("span");
  link.append(words);
  use(words, "click", keys, Object.assign(link, { origin, pathname: path, target }));
}

beforeEach(() => {
  stands = "another";
  isPageLeft();
  [stands, atRest] = ["Overfit", true];
});

test("a page is left once a link leads to another, until that one stands", () => {
  assert.equal(isPageLeft(), false);
  clicked("/grow");
  wait(SOON);
  assert.equal(isPageLeft(), true);
  stands = "Grow";
  assert.equal(isPageLeft(), false);
  stands = "Overfit";
  assert.equal(isPageLeft(), false, "and is no more once it did");
});

test("a page that the app has run for stands, under the same title too", () => {
  leavePage();
  atRest = false;
  wait(60 * SOON);
  assert.equal(isPageLeft(), true, "the app still runs");
  atRest = true;
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
  clicked("/overfit");
  clicked("/grow", { origin: "https://else.example" });
  clicked("/grow", { target: "_blank" });
  for (const key of ["ctrlKey", "metaKey", "shiftKey"]) clicked("/grow", { [key]: true });
  use(placed(), "click");
  assert.equal(isPageLeft(), false);
});

test("where no style says which page stands, none is left", () => {
  stands = "";
  leavePage();
  assert.equal(isPageLeft(), false);
});
