// Shares of three classes in whole parts: the points of a triangular lattice, and the values at these points.
//
// Glossary
//   triple   three whole numbers, the parts of each class, that add up to `total`
//   row      the triples with the same part a of the first class; row 0 is the lower side of the triangle
//   grid     the values of all triples: the value of (a, b, c) has the index a (total + 1) + b
//   band     the region of the triangle where the value is at least a level; a higher band lies on a lower one

/** @import { Path, Spot } from "../types.d.ts" */

/** Triangle in pixels: position of the upper corner, and length of a side.
 *  @typedef {{ x: number, y: number, side: number }} Triangle */

/** Height of an equilateral triangle whose sides are 1. */
export const HEIGHT_OF_SIDE = Math.sqrt(3) / 2;

/** Make the function that finds the index of a triple's value among the values that Python sends: those of the
 *  triples with a >= b >= c, sorted by falling a, then by falling b. The order of the classes changes no impurity,
 *  so the triple is sorted first.
 *  @param {number} total @returns {(triple: number[]) => number} */
export function tripleIndex(total) {
  const indices = new Map();
  for (let a = total; a > 0; a--) {
    for (let b = Math.min(a, total - a); b >= total - a - b; b--) indices.set(a * (total + 1) + b, indices.size);
  }
  return (triple) => {
    const [a, b] = triple.toSorted((x, y) => y - x);
    return indices.get(a * (total + 1) + b);
  };
}

/** Position of a triple: the first class has the upper corner, the second the left one.
 *  @param {Triangle} triangle @param {number} total @param {number[]} triple */
export const positionOf = (triangle, total, [a, b]) => position(triangle, total, a, b);

/** @param {Triangle} triangle @param {number} total @param {number} a @param {number} b @returns {Spot} */
function position({ x, y, side }, total, a, b) {
  return { x: x + (side * (total - a - 2 * b)) / (2 * total), y: y + side * HEIGHT_OF_SIDE * (1 - a / total) };
}

/** Triple nearest to a point; for a point outside the triangle, a triple on its edge.
 *  @param {Triangle} triangle @param {number} total @param {Spot} point */
export function nearestTriple({ x, y, side }, total, point) {
  const first = 1 - (point.y - y) / (side * HEIGHT_OF_SIDE);
  const difference = (2 * (point.x - x)) / side; // third share less second share
  return roundShares(projectShares([first, (1 - first - difference) / 2, (1 - first + difference) / 2]), total);
}

/** Projects numbers that add up to 1 onto the simplex, that is onto the nearest shares: each number loses the same
 *  loss, but none falls below 0.
 *  @param {number[]} shares @returns {number[]} */
function projectShares(shares) {
  const falling = shares.toSorted((x, y) => y - x);
  let loss = 0;
  let sum = 0;
  falling.forEach((share, k) => {
    sum += share;
    if (share > (sum - 1) / (k + 1)) loss = (sum - 1) / (k + 1); // if only the k + 1 largest shares stay above 0
  });
  return shares.map((share) => Math.max(share - loss, 0));
}

/** Rounds shares to whole parts; those with the largest remainders get the parts that are left over.
 *  @param {number[]} shares @param {number} total */
function roundShares(shares, total) {
  const parts = shares.map((share) => Math.floor(share * total));
  const remainders = shares.map((share, k) => share * total - parts[k]);
  for (let missing = total - parts[0] - parts[1] - parts[2]; missing > 0; missing--) {
    const k = remainders.indexOf(Math.max(...remainders));
    parts[k] += 1;
    remainders[k] = -1; // one more part at most
  }
  return parts;
}

/** Compute the grid of a function of triples.
 *  @param {number} total @param {(triple: number[]) => number} valueOf */
export function gridOf(total, valueOf) {
  const grid = new Float64Array((total + 1) ** 2);
  for (let a = 0; a <= total; a++) {
    for (let b = 0; a + b <= total; b++) grid[a * (total + 1) + b] = valueOf([a, b, total - a - b]);
  }
  return grid;
}

/** Add the band of a level to a path. Inside a small triangle of the lattice, values are interpolated linearly.
 *  @param {Path} path @param {Triangle} triangle @param {number} total @param {Float64Array} grid
 *  @param {number} level */
export function traceBand(path, triangle, total, grid, level) {
  const columns = total + 1;
  for (let a = 0; a < total; a++) {
    let start = -1; // first small triangle of a run that lies in the band as a whole: one polygon a run is faster
    const last = 2 * (total - a - 1);
    for (let j = 0; j <= last; j++) { // an even j points up, an odd one down
      const base = a * columns + (j >> 1);
      const corners = [j % 2 ? base + columns + 1 : base, base + columns, base + 1];
      const count = corners.filter((corner) => grid[corner] >= level).length;
      if (count === 3 && start < 0) start = j;
      if (count < 3 && start >= 0) {
        traceRun(path, triangle, total, a, start, j - 1);
        start = -1;
      }
      if (count === 1 || count === 2) tracePart(path, triangle, total, grid, level, corners);
    }
    if (start >= 0) traceRun(path, triangle, total, a, start, last);
  }
}

/** Add the small triangles between row a and the row above, from the `first` to the `last`, as one polygon.
 *  @param {Path} path @param {Triangle} triangle @param {number} total @param {number} a
 *  @param {number} first @param {number} last */
function traceRun(path, triangle, total, a, first, last) {
  const corners = [
    [a, Math.ceil(first / 2)], [a, (last >> 1) + 1], [a + 1, Math.ceil(last / 2)], [a + 1, first >> 1],
  ];
  corners.forEach(([u, v], k) => {
    const { x, y } = position(triangle, total, u, v);
    if (k) path.lineTo(x, y);
    else path.moveTo(x, y);
  });
  path.closePath();
}

/** Add the part of a small triangle that lies in the band.
 *  @param {Path} path @param {Triangle} triangle @param {number} total @param {Float64Array} grid
 *  @param {number} level @param {number[]} corners  as indices of the grid */
function tracePart(path, triangle, total, grid, level, corners) {
  const columns = total + 1;
  let isFirst = true;
  /** Continue the path at a share of the way from a corner to the next.
   *  @param {number} corner @param {number} share @param {number} next */
  const lineTo = (corner, share, next) => {
    const [a, b] = [Math.floor(corner / columns), corner % columns];
    const [u, v] = [Math.floor(next / columns), next % columns];
    const { x, y } = position(triangle, total, a + share * (u - a), b + share * (v - b));
    if (isFirst) path.moveTo(x, y);
    else path.lineTo(x, y);
    isFirst = false;
  };
  corners.forEach((corner, k) => {
    const next = corners[(k + 1) % 3];
    const [excess, nextExcess] = [grid[corner] - level, grid[next] - level];
    if (excess >= 0) lineTo(corner, 0, corner);
    if (excess >= 0 !== nextExcess >= 0) lineTo(corner, excess / (excess - nextExcess), next);
  });
  path.closePath();
}
