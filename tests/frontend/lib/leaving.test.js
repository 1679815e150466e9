import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { placed, use } from "../page.js";
import { isLeft, leave, watchLinks } from "../../../dtviz/frontend/lib/leaving.js";

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

/** A link on the page, clicked on what is in it. */
function clicked(path, { origin = HERE, target = "", ...keys } = {}) {
  const link = placed("a");
  link.setAttribute("href", origin + path);
  const words = placed("span");
  link.append(words);
  use(words, "click", keys, Object.assign(link, { origin, pathname: path, target }));
}

beforeEach(() => {
  [stands, atRest] = ["Overfit", true];
  mock.timers.tick(SOON);
  atRest = false;
});

test("a page is left once a link leads to another, until that one stands", () => {
  assert.equal(isLeft(), false);
  clicked("/grow");
  assert.equal(isLeft(), true);
  stands = "Grow";
  assert.equal(isLeft(), false);
  stands = "Overfit";
  assert.equal(isLeft(), false, "and is no more once it did");
});

test("a page that never comes is not waited for once the app is at rest", () => {
  leave();
  mock.timers.tick(5 * SOON);
  assert.equal(isLeft(), true, "the app still runs");
  atRest = true;
  mock.timers.tick(SOON);
  assert.equal(isLeft(), false);
});

test("a link to this page, to another site or to another tab leaves nothing", () => {
  clicked("/overfit");
  clicked("/grow", { origin: "https://else.example" });
  clicked("/grow", { target: "_blank" });
  for (const key of ["ctrlKey", "metaKey", "shiftKey"]) clicked("/grow", { [key]: true });
  use(placed(), "click");
  assert.equal(isLeft(), false);
});

test("where no style says which page stands, none is left", () => {
  stands = "";
  leave();
  assert.equal(isLeft(), false);
});
