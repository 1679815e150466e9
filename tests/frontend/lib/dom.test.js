import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { element, write } from "../../../dtviz/frontend/lib/dom.js";

test("an element is written into again and again, and keeps its text node", () => {
  const one = element("span", "words");
  write(one, "first");
  const words = one.firstChild;
  for (const text of ["second", "", "third"]) {
    write(one, text);
    assert.equal(one.textContent, text);
    assert.equal(one.firstChild, words);
  }
});
