import assert from "node:assert/strict";
import test from "node:test";

import { bands, linear, points, ticks } from "../../../dtviz/frontend/draw/scales.js";
import { near } from "../scenes.js";

test("a linear scale has an inverse, and the largest floats have a place on it", () => {
  const scale = linear(-Number.MAX_VALUE, Number.MAX_VALUE, 10, 210);
  assert.deepEqual([-Number.MAX_VALUE, 0, Number.MAX_VALUE].map(scale), [10, 110, 210]);
  assert.ok(near(scale.invert(110), 0));
  assert.ok(Number.isNaN(scale(Number.NaN)));
});

test("bands stand at the middle of equal parts, points at both ends", () => {
  const [band, point] = [bands(4, 100, 180), points(5, 100, 180)];
  assert.deepEqual([0, 1, 3].map(band), [110, 130, 170]);
  assert.deepEqual([0, 1, 4].map(point), [100, 120, 180]);
  assert.deepEqual([99, 119.9, 120.1, 999].map(band.invert), [0, 0, 1, 3]);
  assert.deepEqual([0, 109.9, 110.1, 999].map(point.invert), [0, 0, 1, 4]);
  assert.deepEqual([points(1, 0, 80)(0), points(1, 0, 80).invert(70)], [40, 0]);
});

const SPANS = [
  [0, 1], [-1e8, 1e8], [1e8, 1e8 + 1], [-0.5, 2.5], [0, 5e-324], [-1.7e308, 1.7e308], [-0.3, 0.3],
  ...Array.from({ length: 60 }, (_, k) => [k / 7 - 4, k / 7 - 4 + 10 ** (k / 5 - 6)]),
];

test("a tick stands at an end that is a round number, whatever its sums round to", () => {
  const ends = [[0, 0.3, 3], [0, 0.6, 5], [-0.3, 0.3, 6]].map((span) => [ticks(...span)[0], ticks(...span).at(-1)].map(({ text }) => text));
  assert.deepEqual(ends, [["0.0", "0.3"], ["0.0", "0.6"], ["-0.3", "0.3"]]);
});

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
