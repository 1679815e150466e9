// Regions as rings, polygons of any shape: dividing them, and finding the ring at a place.
//
// Glossary
//   shapes   rings or lines as Python sends them, see Shapes in pictures/frame_types.py
//   ring     the corners of a polygon, x and y in turn, in values or in pixels; NaN for both stands
//            between the parts of one in several
//   chord    the part of a cut's line inside a ring, from the least to the largest number on the other axis

import { parts } from "../draw/marks.js";
import { goesLeft } from "../lib/split.js";

/** @import { Shapes } from "../frames.d.ts" */
/** @import { Layout, Ring } from "../types.d.ts" */

/** The corners of the k-th ring or line of the shapes.
 *  @param {Shapes} shapes @param {number} k @returns {Ring} */
export const ringAt = ({ corners, starts }, k) => corners.subarray(2 * starts[k], 2 * starts[k + 1]);

/** A ring of values in pixels.
 *  @param {Pick<Layout, "X" | "Y">} scales @param {ArrayLike<number>} ring @returns {Ring} */
export function toPixels({ X, Y }, ring) {
  return Float64Array.from(ring, (value, k) => (k % 2 ? Y(value) : X(value)));
}

/** The least and the largest number of a ring of one part, across (0) or up (1).
 *  @param {Ring} ring @param {number} axis */
export function spanOf(ring, axis) {
  const numbers = ring.filter((_, k) => k % 2 === axis);
  return [Math.min(...numbers), Math.max(...numbers)];
}

/**
 * True if a place lies in a ring or on its rim.
 *
 * Of neighbouring leaves the first from the left is found, so that a place on a cut goes left.
 * @param {Ring} ring @param {number} x @param {number} y
 */
export const ringContains = (ring, x, y) => parts(ring).some((part) => partContains(part, x, y));

/** @param {Ring} ring @param {number} x @param {number} y */
function partContains(ring, x, y) {
  let inside = false;
  for (let k = 0, last = ring.length - 2; k < ring.length; last = k, k += 2) {
    const [ax, ay, bx, by] = [ring[last], ring[last + 1], ring[k], ring[k + 1]];
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (turn === 0 && isBetween(ax, x, bx) && isBetween(ay, y, by)) return true;
    if (ay > y !== by > y && turn > 0 === by > ay) inside = !inside;
  }
  return inside;
}

/** @param {number} a @param {number} value @param {number} b */
const isBetween = (a, value, b) => Math.min(a, b) <= value && value <= Math.max(a, b);

/** Divide a ring of values at a limit: [left, right], either may be empty.
 *  @param {Ring} ring @param {number} axis @param {number} limit */
export function divideRing(ring, axis, limit) {
  const divided = parts(ring).map((part) => dividePart(part, axis, limit));
  return [0, 1].map((side) => joinRings(divided.map((halves) => halves[side])));
}

/** Joins rings as the parts of one.
 *  @param {number[][]} rings */
export function joinRings(rings) {
  const filled = rings.filter((ring) => ring.length);
  return filled.flatMap((ring, k) => (k ? [NaN, NaN].concat(ring) : ring));
}

/** @param {Ring} ring @param {number} axis @param {number} limit */
function dividePart(ring, axis, limit) {
  const [left, right] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  let isBeyond = false; // true once a corner lies right of the limit, not on it
  for (let k = 0; k < ring.length; k += 2) {
    const next = (k + 2) % ring.length;
    const [start, end] = [ring.slice(k, k + 2), ring.slice(next, next + 2)];
    const [a, b] = [start[axis], end[axis]];
    if (goesLeft(a, limit)) left.push(...start);
    if (goesLeft(limit, a)) right.push(...start);
    isBeyond ||= !goesLeft(a, limit);
    if (goesLeft(a, limit) === goesLeft(b, limit) || a === limit || b === limit) continue;
    const crossing = crossingOf(start, end, axis, limit);
    left.push(...crossing);
    right.push(...crossing);
  }
  return [left, isBeyond ? right : []];
}

/** The place where the edge between two corners meets the line of a limit.
 *  @param {Ring} start @param {Ring} end @param {number} axis @param {number} limit */
function crossingOf(start, end, axis, limit) {
  const share = shareOf(start[axis], end[axis], limit);
  const [a, b] = [start[1 - axis], end[1 - axis]];
  const other = a === b ? a : (1 - share) * a + share * b;
  return axis === 0 ? [limit, other] : [other, limit];
}

/** The position of a number between start and end, 0 to 1; numbers are halved where their difference overflows.
 *  @param {number} start @param {number} end @param {number} value */
function shareOf(start, end, value) {
  if (Number.isFinite(end - start)) return (value - start) / (end - start);
  return (value / 2 - start / 2) / (end / 2 - start / 2);
}

/** The chord of a limit in a ring of values; null where the line of the limit misses the ring.
 *  @param {Ring} ring @param {number} axis @param {number} limit */
export function chord(ring, axis, limit) {
  const [left] = divideRing(ring, axis, limit);
  const crossings = left.filter((_, k) => k % 2 !== axis && left[k - 1 + 2 * axis] === limit);
  return crossings.length > 1 ? [Math.min(...crossings), Math.max(...crossings)] : null;
}
