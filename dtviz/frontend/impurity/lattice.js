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
export const spotOf = (at, whole, [a, b]) => placed(at, whole, a, b);

/** @param {Triangle} at @param {number} whole @param {number} a @param {number} b */
function placed({ x, y, side }, whole, a, b) {
  return { x: x + (side * (whole - a - 2 * b)) / (2 * whole), y: y + side * TALL * (1 - a / whole) };
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

/** The value of every triple, the one of a and b at a (whole + 1) + b.
 *  @param {number} whole @param {(triple: number[]) => number} value */
export function gridOf(whole, value) {
  const grid = new Float64Array((whole + 1) ** 2);
  for (let a = 0; a <= whole; a++) {
    for (let b = 0; a + b <= whole; b++) grid[a * (whole + 1) + b] = value([a, b, whole - a - b]);
  }
  return grid;
}

/** Add the part of the triangle where the value is at least `level` to a path, with values along the
 *  sides of small triangles as straight lines have them; those wholly in it are joined along a row.
 *  @param {Path} path @param {Triangle} at @param {number} whole @param {Float64Array} grid  see gridOf
 *  @param {number} level */
export function band(path, at, whole, grid, level) {
  const row = whole + 1;
  for (let a = 0; a < whole; a++) {
    let from = -1; // the first of the small triangles that are to be joined
    const last = 2 * (whole - a - 1);
    for (let j = 0; j <= last; j++) {
      const here = a * row + (j >> 1);
      const corners = [j % 2 ? here + row + 1 : here, here + row, here + 1];
      const many = corners.filter((corner) => grid[corner] >= level).length;
      if (many === 3 && from < 0) from = j;
      if (many < 3 && from >= 0) {
        joined(path, at, whole, a, from, j - 1);
        from = -1;
      }
      if (many === 1 || many === 2) part(path, at, whole, grid, level, corners);
    }
    if (from >= 0) joined(path, at, whole, a, from, last);
  }
}

/** Add the small triangles of row a from the `first` to the `last`, which stand on base and tip in turn.
 *  @param {Path} path @param {Triangle} at @param {number} whole @param {number} a
 *  @param {number} first @param {number} last */
function joined(path, at, whole, a, first, last) {
  const corners = [
    [a, Math.ceil(first / 2)], [a, (last >> 1) + 1], [a + 1, Math.ceil(last / 2)], [a + 1, first >> 1],
  ];
  corners.forEach(([u, v], k) => {
    const { x, y } = placed(at, whole, u, v);
    if (k) path.lineTo(x, y);
    else path.moveTo(x, y);
  });
  path.closePath();
}

/** Add the part of a small triangle.
 *  @param {Path} path @param {Triangle} at @param {number} whole @param {Float64Array} grid
 *  @param {number} level @param {number[]} corners  by their places in the grid */
function part(path, at, whole, grid, level, corners) {
  const row = whole + 1;
  let first = true;
  /** @param {number} corner @param {number} share @param {number} next */
  const to = (corner, share, next) => {
    const [a, b] = [Math.floor(corner / row), corner % row];
    const [u, v] = [Math.floor(next / row), next % row];
    const { x, y } = placed(at, whole, a + share * (u - a), b + share * (v - b));
    if (first) path.moveTo(x, y);
    else path.lineTo(x, y);
    first = false;
  };
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % 3];
    const [over, beyond] = [grid[corner] - level, grid[next] - level];
    if (over >= 0) to(corner, 0, corner);
    if (over >= 0 !== beyond >= 0) to(corner, over / (over - beyond), next);
  });
  path.closePath();
}
