// Numbers as text, as dtviz/base/text.py writes them.

/** @import { Tick } from "../types.d.ts" */

/** value with at most `digits` significant digits, without trailing zeros: 0.9183, 12000.
 *  @param {number} value @param {number} [digits] */
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "-" : value > 0 ? "∞" : "-∞";
  if (value === 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e15)) {
    const whole = String(value); // of most numbers no digit goes
    if (whole.replace(/^-?0*\.?0*/, "").replace(".", "").length <= digits) return whole;
  }
  const text = rounded(value, digits);
  const short = Number(text);
  if (short === 0) return "0";
  const size = Math.abs(short);
  if (size >= 1e-4 && size < 1e15) return plain(short);
  const [mantissa, exponent] = text.split("e");
  const power = Math.abs(Number(exponent)).toString().padStart(2, "0");
  const kept = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${kept}e${exponent.startsWith("-") ? "-" : "+"}${power}`;
}

/** @type {Intl.NumberFormat | undefined} */
let groups; // made once, and not before it is asked for: that takes longer than all of the module

/** How many there are, with a comma between thousands: 12,000.
 *  @param {number} count */
export const grouped = (count) => (groups ??= new Intl.NumberFormat("en")).format(count);

/** value with all digits that a float holds of any.
 *  @param {number} value */
export const exact = (value) => number(value, 15);

/** toPrecision, but a value exactly half-way goes to the even digit, as in Python.
 *  @param {number} value @param {number} digits */
function rounded(value, digits) {
  const up = value.toExponential(digits - 1);
  const [mantissa, exponent] = value.toExponential(60).split("e");
  const [, head, tail] = /^(-?\d\.?\d*?)(50*)$/.exec(mantissa) ?? [];
  const kept = head?.replace(/[-.]/g, "").length;
  if (tail === undefined || kept !== digits || Number(head.at(-1)) % 2) return up;
  return `${head}e${exponent}`;
}

/** @param {number} value */
function plain(value) {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text;
}

/** Round numbers from low to high, about `most` of them, with the text of each.
 *  @param {number} low @param {number} high @param {number} most @returns {Tick[]} */
export function ticks(low, high, most) {
  const span = high / 2 - low / 2;
  if (!(span > 0)) return [];
  const rough = (span / most) * 2;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const out = [];
  for (let k = Math.ceil(low / step); k * step <= high && out.length < 2 * most + 2; k++) {
    out.push({ value: k * step, text: tickText(k * step, step) });
  }
  return out;
}

/** @param {number} value @param {number} step */
function tickText(value, step) {
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e15 || step < 1e-9) return number(value, 6);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1");
}
