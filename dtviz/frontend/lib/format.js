// Numbers as text, as dtviz/base/text.py writes them.

/** Text of a number with at most `digits` significant digits, without trailing zeros: 0.9183, 12000.
 *  @param {number} value @param {number} [digits] */
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "-" : value > 0 ? "∞" : "-∞";
  if (value === 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e15)) {
    const digitText = String(value); // fast: most numbers lose no digit
    if (digitText.replace(/^-?0*\.?0*/, "").replace(".", "").length <= digits) return digitText;
  }
  const text = rounded(value, digits);
  const short = Number(text);
  if (short === 0) return "0";
  const size = Math.abs(short);
  if (size >= 1e-4 && size < 1e15) return plain(short);
  const [mantissa, exponent] = text.split("e");
  const power = Math.abs(Number(exponent)).toString().padStart(2, "0");
  const significand = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${significand}e${exponent.startsWith("-") ? "-" : "+"}${power}`;
}

/** @type {Intl.NumberFormat | undefined} */
let groups; // created at first use: that takes longer than loading this module

/** Text of a count, with a comma between thousands: 12,000.
 *  @param {number} count */
export const grouped = (count) => (groups ??= new Intl.NumberFormat("en")).format(count);

/** Text of a number with 15 significant digits, all of which a float holds of any decimal number.
 *  @param {number} value */
export const exact = (value) => number(value, 15);

/** Text in exponent notation, where a value exactly half-way is rounded to the even digit, as in Python.
 *  @param {number} value @param {number} digits */
function rounded(value, digits) {
  const text = value.toExponential(digits - 1);
  const [mantissa, exponent] = value.toExponential(60).split("e");
  const [, head, tail] = /^(-?\d\.?\d*?)(50*)$/.exec(mantissa) ?? [];
  const digitCount = head?.replace(/[-.]/g, "").length;
  if (tail === undefined || digitCount !== digits || Number(head.at(-1)) % 2) return text;
  return `${head}e${exponent}`;
}

/** @param {number} value */
function plain(value) {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text;
}
