import assert from "node:assert/strict";
import test from "node:test";

import { press, use } from "../page.js";
import { addDial, isPresenting, present, watchPresentation } from "../../../dtviz/frontend/lib/presentation.js";

const root = document.documentElement;
let left = 0;
root.requestFullscreen = async () => {};
document.exitFullscreen = async () => { left += 1; };

/** The browser fills its screen with an element, or with none. */
function filled(element) {
  document.fullscreenElement = element;
  use(document, "fullscreenchange");
}

test("the window is filled while one presents, and leaving either leaves both", () => {
  present();
  filled(root);
  assert.deepEqual([isPresenting(), left], [true, 0]);
  present(false);
  assert.deepEqual([isPresenting(), left], [false, 1]);
  filled(null);
  present();
  filled(root);
  filled(null);
  assert.equal(isPresenting(), false);
});

test("a window that is filled once one has done presenting is so no longer", () => {
  left = 0;
  present();
  present(false);
  assert.equal(left, 0);
  filled(root);
  assert.equal(left, 1);
  filled(document.body);
  assert.equal(left, 1, "what others fill it with is theirs");
  filled(null);
});

watchPresentation();

/** A dial on the page that notes what the keys of a presenter do. */
function dialOnPage() {
  const moves = [];
  const picture = document.createElement("div");
  document.body.append(picture);
  addDial({ root: picture, words: "Page Down: more", step: (by) => moves.push(by), enter: () => moves.push("enter") });
  return { moves, picture };
}

test("F presents on any page, a clicker moves its dial then, and a bar tells it", () => {
  const { moves, picture } = dialOnPage();
  press(document.body, "PageDown");
  assert.deepEqual(moves, []);
  press(document.body, "f");
  assert.equal(isPresenting(), true);
  assert.match(document.body.querySelector(".dtviz-keys").textContent, /^Page Down: more/);
  press(document.body, "PageDown");
  press(document.body, "PageUp");
  press(document.body, "Enter");
  assert.deepEqual(moves, [1, -1, "enter"]);
  const field = document.createElement("textarea");
  document.body.append(field);
  press(field, "f");
  assert.equal(isPresenting(), true, "letters are typed");
  press(document.body, "Escape");
  assert.equal(isPresenting(), false);
  assert.equal(document.body.querySelector(".dtviz-keys"), null);
  field.remove();
  picture.remove();
});

test("a clicker moves a slider's page no further than its dial, and leaves a time-line its keys", () => {
  const { moves, picture } = dialOnPage();
  const slider = document.createElement("div");
  const pages = [];
  slider.addEventListener("keydown", ({ key }) => pages.push(key));
  picture.append(slider);
  present();
  press(slider, "PageDown");
  assert.deepEqual([moves, pages], [[1], []]);
  addDial({ root: picture, words: "steps" });
  press(slider, "PageDown");
  assert.deepEqual([moves, pages], [[1], ["PageDown"]]);
  present(false);
  picture.remove();
});
