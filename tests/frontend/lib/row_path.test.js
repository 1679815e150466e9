import assert from "node:assert/strict";
import test from "node:test";

import { pathTo } from "../../../dtviz/frontend/lib/row_path.js";

test("the way to a node leads from the root through all above it", () => {
  assert.deepEqual(pathTo("1"), ["1"]);
  assert.deepEqual(pathTo("13"), ["1", "3", "6", "13"]);
  assert.deepEqual(pathTo(""), []);
});

test("a node so deep that no number holds its id has its way too", () => {
  const deep = (2n ** 70n + 1n).toString();
  assert.equal(pathTo(deep).length, 71);
  assert.equal(pathTo(deep).at(-1), deep);
});
