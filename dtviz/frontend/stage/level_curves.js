// Level curves of projections on neither axis: straight lines, ellipses, and bands.
//
// Glossary
//   form    a projection over the plane, [base, a, b, p, q, u, v]: its score at (x, y) is
//           base + a x + b y + p (x - u)² + q (y - v)²; see Form in engine/splits/family.py
//   level   the score that the places of a level curve have

import { parts } from "../draw/marks.js";
import { joinRings } from "./rings.js";

/** @import { PlanePoint, Ring } from "../types.d.ts" */

const CORNERS = 96; // of an ellipse, as Python draws it
const SLACK = 2 * (Math.PI / CORNERS) ** 2; // a chord of an ellipse runs so far inside, as a share of the level

/** The score of a place.
 *  @param {number[]} form @param {number} x @param {number} y */
export const scoreAt = ([base, a, b, p, q, u, v], x, y) => base + a * x + b * y + p * (x - u) ** 2 + q * (y - v) ** 2;

/** Divide a ring of values at a level: the part with scores at most the level, and the part above it.
 *
 *  Where the level curve is an ellipse the second part is the ring with the first part as a hole in it.
 *  @param {number[]} form @param {Ring} ring @param {number} level @returns {[number[], number[]]} */
export function divideAtLevel(form, ring, level) {
  const [, , , p, q] = form;
  const divided = parts(ring).map((part) => (p || q ? divideRound(form, part, level) : divideStraight(form, part, level)));
  return [joinRings(divided.map(([left]) => left)), joinRings(divided.map(([, right]) => right))];
}

/** @param {number[]} form @param {Ring} part @param {number} level @returns {[number[], number[]]} */
const divideStraight = (form, part, level) => [clip(part, form, level), clip(part, form.map((factor) => -factor), -level)];

/** @param {number[]} form @param {Ring} part @param {number} level @returns {[number[], number[]]} */
function divideRound(form, part, level) {
  const reach = level - form[0];
  if (reach < 0) return [[], [...part]];
  const left = edgesOf(form, reach).reduce((ring, [edgeForm, edgeLevel]) => clip(ring, edgeForm, edgeLevel), [...part]);
  if (!left.length) return [[], [...part]];
  const isAllInside = part.every((x, k) => k % 2 || scoreAt(form, x, part[k + 1]) <= level);
  return [left, isAllInside ? [] : withHole([...part], left)];
}

/** The level curve inside a ring of values, in pieces from end to end.
 *  @param {number[]} form @param {Ring} ring @param {number} level @returns {number[][]} */
export function levelCurves(form, ring, level) {
  const [left] = divideAtLevel(form, ring, level);
  const isRound = form[3] || form[4];
  const tolerance = isRound ? SLACK * (level - form[0]) : 1e-9 * Math.max(...form.map(Math.abs), Math.abs(level));
  /** @type {number[][]} */
  const curves = [];
  for (const part of parts(Float64Array.from(left))) {
    const count = part.length / 2;
    /** @param {number} k @returns {PlanePoint} */
    const corner = (k) => [part[2 * (k % count)], part[2 * (k % count) + 1]];
    /** @param {number} k */
    const isOnCurve = (k) => Math.abs(scoreAt(form, ...corner(k)) - level) <= tolerance;
    // the first edge off the curve, so that no piece of the curve is broken at the start of the ring
    const first = Array.from({ length: count }, (_, k) => k).find((k) => !(isOnCurve(k) && isOnCurve(k + 1))) ?? 0;
    let curve = /** @type {number[]} */ ([]);
    for (let k = first; k < first + count; k++) {
      if (isOnCurve(k) && isOnCurve(k + 1)) curve.push(...(curve.length ? corner(k + 1) : [...corner(k), ...corner(k + 1)]));
      else if (curve.length) [curve] = [[], curves.push(curve)];
    }
    if (curve.length) curves.push(curve);
  }
  return curves;
}

/** The lines around the inside of a level curve, each as a straight form and its level: the edges of an
 *  ellipse, or the two of a band.
 *  @param {number[]} form @param {number} reach @returns {[form: number[], level: number][]} */
function edgesOf([, , , p, q, u, v], reach) {
  const [width, height] = [Math.sqrt(reach / p), Math.sqrt(reach / q)];
  if (!q) return [[[0, 1, 0, 0, 0, 0, 0], u + width], [[0, -1, 0, 0, 0, 0, 0], width - u]];
  if (!p) return [[[0, 0, 1, 0, 0, 0, 0], v + height], [[0, 0, -1, 0, 0, 0, 0], height - v]];
  return Array.from({ length: CORNERS }, (_, k) => {
    const [from, to] = [k, k + 1].map((corner) => (2 * Math.PI * corner) / CORNERS);
    const [ax, ay] = [u + width * Math.cos(from), v + height * Math.sin(from)];
    const [bx, by] = [u + width * Math.cos(to), v + height * Math.sin(to)];
    const [a, b] = [by - ay, ax - bx]; // outward: the corners run counter-clockwise
    return [[0, a, b, 0, 0, 0, 0], a * ax + b * ay];
  });
}

/** The part of a ring of one part with scores at most the level of a straight form.
 *  @param {ArrayLike<number>} ring @param {number[]} form @param {number} level */
function clip(ring, form, level) {
  const corners = [];
  for (let k = 0; k < ring.length; k += 2) {
    const next = (k + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[k], ring[k + 1], ring[next], ring[next + 1]];
    const [a, b] = [scoreAt(form, ax, ay) - level, scoreAt(form, bx, by) - level];
    if (a <= 0) corners.push(ax, ay);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      const share = a / (a - b);
      corners.push((1 - share) * ax + share * bx, (1 - share) * ay + share * by);
    }
  }
  return corners.length > 4 ? corners : [];
}

/** A ring of one part with another as a hole in it: out along one edge, round the hole, and back.
 *  @param {number[]} ring @param {number[]} hole */
function withHole(ring, hole) {
  const corners = [...ring, ring[0], ring[1]];
  for (let k = hole.length; k >= 0; k -= 2) corners.push(hole[k % hole.length], hole[(k + 1) % hole.length]);
  return [...corners, ring[0], ring[1]];
}
