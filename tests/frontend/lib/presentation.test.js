import assert from "node:assert/strict";
import test from "node:test";

import { use } from "../page.js";
import { present, isPresenting } from "../../../dtviz/frontend/lib/presentation.js";

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
