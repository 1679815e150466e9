import assert from "node:assert/strict";
import test from "node:test";

import { wayTo } from "../../../dtviz/frontend/lib/row_path.js";

test("the way to a node leads from the root through all above it", () => {
  assert.deepEqual(wayTo("1"), ["1"]);
  assert.deepEqual(wayTo("13"), ["1", "3", "6", "13"]);
  assert.deepEqual(wayTo(""), []);
});

test("a node so deep that no number holds its id has its way too", () => {
  const deep = (2n ** 70n + 1n).toString();
  assert.equal(wayTo(deep).length, 71);
  assert.equal(wayTo(deep).at(-1), deep);
});
