import assert from "node:assert/strict";
import test from "node:test";

import { quantityText } from "../../../dtviz/frontend/lib/clock.js";
import { expected } from "../expected.js";

test("dates and durations are written as in Python", () => {
  for (const [value, clock, text] of expected.clocks) {
    assert.equal(quantityText(value, clock), text, `${value} of ${JSON.stringify(clock)}`);
  }
});
