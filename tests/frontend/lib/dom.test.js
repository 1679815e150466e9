import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { element, write } from "../../../dtviz/frontend/lib/dom.js";

test("an element is written into again and again, and keeps its text node", () => {
  const span = element("span", "words");
  write(span, "first");
  const words = span.firstChild;
  for (const text of ["second", "", "third"]) {
    write(span, text);
    assert.equal(span.textContent, text);
    assert.equal(span.firstChild, words);
  }
});
