// Scales from values to pixels, and the round numbers on an axis.

// @ts-types="../vendor/d3.d.ts"
import { scaleBand, scaleLinear, scalePoint } from "../vendor/d3.js";
import { number } from "../lib/format.js";

/** @import { PlaceScale, Scale, Tick } from "../types.d.ts" */

/** Linear scale from `low` at the pixel `from` to `high` at `to`. Numbers are halved first, so that the largest floats do
 *  not overflow.
 *  @param {number} low @param {number} high @param {number} from @param {number} to @returns {Scale} */
export function linear(low, high, from, to) {
  const halves = scaleLinear([low / 2, high / 2], [from, to]).unknown(Number.NaN);
  return Object.assign((/** @type {number} */ value) => halves(value / 2), {
    invert: (/** @type {number} */ pixel) => 2 * halves.invert(pixel),
  });
}

/** Scale of the places 0, 1, ... in bands of equal width, each at the middle of its band.
 *  @param {number} count @param {number} from @param {number} to */
export function bands(count, from, to) {
  const scale = scaleBand(places(count), [from, to]);
  return placeScale(count, (place) => (scale(place) ?? from) + scale.step() / 2, scale.step(), from);
}

/** Scale of the places 0, 1, ... at equal distances, the first and the last at the ends.
 *  @param {number} count @param {number} from @param {number} to */
export function points(count, from, to) {
  const scale = scalePoint(places(count), [from, to]);
  return placeScale(count, (place) => scale(place) ?? from, scale.step(), from - scale.step() / 2);
}

/** @param {number} count */
const places = (count) => Array.from({ length: count }, (_, place) => place);

/** @param {number} count @param {(place: number) => number} pixel @param {number} step  pixels from a place to the next
 *  @param {number} start  pixel at which the first place begins @returns {PlaceScale} */
const placeScale = (count, pixel, step, start) => Object.assign(pixel, {
  count, step,
  invert: (/** @type {number} */ x) => Math.max(0, Math.min(count - 1, Math.floor((x - start) / (step || 1)))),
});

const ROUNDING = 1e-9; // steps that a tick may lie beyond an end

/** Round numbers from low to high, about `count` of them, with the text of each.
 *  @param {number} low @param {number} high @param {number} count @returns {Tick[]} */
export function ticks(low, high, count) {
  const span = high / 2 - low / 2;
  if (!(span > 0)) return [];
  const rough = (span / count) * 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const result = [];
  for (let k = Math.ceil(low / step - ROUNDING); k <= high / step + ROUNDING && result.length < 2 * count + 2; k++) {
    const value = Math.min(Math.max(k * step, low), high); // 3 times 0.1 is a little more than 0.3
    result.push({ value, text: tickText(value, step) });
  }
  return result;
}

/** @param {number} value @param {number} step */
function tickText(value, step) {
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e15 || step < 1e-9) return number(value, 6);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1");
}
