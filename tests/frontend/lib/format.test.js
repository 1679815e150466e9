import assert from "node:assert/strict";
import test from "node:test";

import { grouped, number, ticks } from "../../../dtviz/frontend/lib/format.js";
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

const SPANS = [
  [0, 1], [-1e8, 1e8], [1e8, 1e8 + 1], [-0.5, 2.5], [0, 5e-324], [-1.7e308, 1.7e308], [-0.3, 0.3],
  ...Array.from({ length: 60 }, (_, k) => [k / 7 - 4, k / 7 - 4 + 10 ** (k / 5 - 6)]),
];

test("ticks stand inside the range, say where, and are not many", () => {
  for (const [low, high] of SPANS) {
    const numbers = ticks(low, high, 6);
    assert.ok(numbers.length <= 14);
    if (high - low > 1e-6 && high - low < 1e7) assert.ok(numbers.length >= 3, `${low} to ${high}`);
    for (const { value, text } of numbers) {
      assert.ok(low <= value && value <= high);
      const tolerance = (high / 2 - low / 2) * 1e-5 + Math.abs(value) * 1e-5;
      assert.ok(Math.abs(Number(text.replace("∞", "Infinity")) - value) <= tolerance, `${text} at ${value}`);
    }
  }
});

test("ticks stand at round places, at equal distances", () => {
  assert.deepEqual(ticks(0, 10, 5).map(({ text }) => text), ["0", "2", "4", "6", "8", "10"]);
  assert.deepEqual(ticks(-0.25, 1.1, 7).map(({ text }) => text), ["-0.2", "0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
  assert.deepEqual(ticks(99, 101.2, 4).map(({ text }) => text), ["99", "100", "101"]);
  assert.deepEqual(ticks(0, 45, 5).map(({ value }) => value), [0, 10, 20, 30, 40]);
});

test("an empty range has no ticks", () => {
  assert.deepEqual(ticks(3, 3, 6), []);
  assert.deepEqual(ticks(Number.NaN, 3, 6), []);
});
