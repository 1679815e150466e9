// Shares of three classes in whole parts: the places of a triangular lattice, and their values.
//
// Glossary
//   triple   three whole numbers that add up to `whole`, one a class
//   band     where a value is at least so much; bands lie one on the other

/** @import { Path } from "../types.d.ts" */

/** @typedef {{ x: number, y: number, side: number }} Triangle  its upper corner's place, and the length of a side */

const TALL = Math.sqrt(3) / 2;

/** The place of a triple's value: those of a >= b >= c stand in a row, a and then b falling.
 *  @param {number} whole @returns {(triple: number[]) => number} */
export function placesOf(whole) {
  const places = new Map();
  for (let a = whole; a > 0; a--) {
    for (let b = Math.min(a, whole - a); b >= whole - a - b; b--) places.set(a * (whole + 1) + b, places.size);
  }
  return (triple) => {
    const [a, b] = triple.toSorted((one, other) => other - one);
    return places.get(a * (whole + 1) + b);
  };
}

/** Where a triple is drawn: the first class has the upper corner, the second the left one.
 *  @param {Triangle} at @param {number} whole @param {number[]} triple */
export function spotOf({ x, y, side }, whole, [a, b, c]) {
  return { x: x + (side * (c - b)) / (2 * whole), y: y + side * TALL * (1 - a / whole) };
}

/** The triple nearest to a place, on the rim for one outside.
 *  @param {Triangle} at @param {number} whole @param {{ x: number, y: number }} place */
export function tripleAt({ x, y, side }, whole, place) {
  const first = 1 - (place.y - y) / (side * TALL);
  const apart = (2 * (place.x - x)) / side;
  return rounded(inside([first, (1 - first - apart) / 2, (1 - first + apart) / 2]), whole);
}

/** The nearest shares that are none below 0: what is taken from others is shared by all that are left.
 *  @param {number[]} shares @returns {number[]} */
function inside(shares) {
  const falling = shares.toSorted((one, other) => other - one);
  let taken = 0;
  let sum = 0;
  falling.forEach((share, k) => {
    sum += share;
    if (share > (sum - 1) / (k + 1)) taken = (sum - 1) / (k + 1);
  });
  return shares.map((share) => Math.max(share - taken, 0));
}

/** Shares as whole parts: those that were cut most get the parts that are left.
 *  @param {number[]} shares @param {number} whole */
function rounded(shares, whole) {
  const parts = shares.map((share) => Math.floor(share * whole));
  const left = shares.map((share, k) => share * whole - parts[k]);
  for (let rest = whole - parts[0] - parts[1] - parts[2]; rest > 0; rest--) {
    const k = left.indexOf(Math.max(...left));
    parts[k] += 1;
    left[k] = -1;
  }
  return parts;
}

/** Add the part of the triangle where the value is at least `level` to a path.
 *  @param {Path} path @param {Triangle} at @param {number} whole
 *  @param {(triple: number[]) => number} value @param {number} level */
export function band(path, at, whole, value, level) {
  for (let a = 0; a < whole; a++) {
    for (let b = 0; b < whole - a; b++) {
      const c = whole - a - b;
      cell(path, at, whole, value, level, [[a, b, c], [a + 1, b, c - 1], [a, b + 1, c - 1]]);
      if (c > 1) cell(path, at, whole, value, level, [[a + 1, b + 1, c - 2], [a + 1, b, c - 1], [a, b + 1, c - 1]]);
    }
  }
}

/** Add the part of a small triangle, with values along its sides as straight lines have them.
 *  @param {Path} path @param {Triangle} at @param {number} whole
 *  @param {(triple: number[]) => number} value @param {number} level @param {number[][]} corners */
function cell(path, at, whole, value, level, corners) {
  const over = corners.map((corner) => value(corner) - level);
  if (over.every((one) => one < 0)) return;
  let first = true;
  /** @param {number[]} triple */
  const to = (triple) => {
    const { x, y } = spotOf(at, whole, triple);
    if (first) path.moveTo(x, y);
    else path.lineTo(x, y);
    first = false;
  };
  corners.forEach((corner, k) => {
    const next = (k + 1) % 3;
    if (over[k] >= 0) to(corner);
    if (over[k] >= 0 === over[next] >= 0) return;
    const share = over[k] / (over[k] - over[next]);
    to(corner.map((part, j) => part + share * (corners[next][j] - part)));
  });
  path.closePath();
}
