import assert from "node:assert/strict";
import test from "node:test";

import { grouped, number } from "../../../dtviz/frontend/lib/format.js";
import { expected } from "../expected.js";

test("numbers are written as in Python", () => {
  for (const [value, digits, text] of expected.numbers) {
    assert.equal(number(Number(value), digits), text, `${value} with ${digits} digits`);
  }
});

test("four digits are usual", () => {
  assert.equal(number(1 / 3), "0.3333");
});

test("thousands are parted by commas", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
});
