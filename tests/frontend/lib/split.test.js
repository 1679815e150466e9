import assert from "node:assert/strict";
import test from "node:test";

import { goesLeft } from "../../../dtviz/frontend/lib/split.js";

test("a score at the threshold goes left, the next larger number does not", () => {
  assert.ok(goesLeft(1, 1) && goesLeft(-3, 1) && goesLeft(0, -0) && goesLeft(-Infinity, 1));
  assert.ok(!goesLeft(1 + Number.EPSILON, 1) && !goesLeft(Infinity, 1) && !goesLeft(NaN, 1));
});
