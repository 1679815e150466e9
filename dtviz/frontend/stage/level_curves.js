// Cuts that stand on neither axis: straight lines, ellipses, and bands.
//
// Glossary
//   form    how a score stands over the plane, [base, a, b, p, q, u, v]: at (x, y) it is
//           base + a x + b y + p (x - u)² + q (y - v)²; see Form in engine/splits/family.py
//   height  the score at a place of the plane

import { joinRings, parts } from "./rings.js";

/** @import { Corner, Ring } from "../types.d.ts" */

const CORNERS = 96; // of an ellipse, as Python draws it
const SLACK = 2 * (Math.PI / CORNERS) ** 2; // a chord of it runs so far inside, as a share of the limit

/** @param {number[]} form @param {number} x @param {number} y */
export const scoreAt = ([base, a, b, p, q, u, v], x, y) => base + a * x + b * y + p * (x - u) ** 2 + q * (y - v) ** 2;

/** What of a ring of values is at most at a limit, and the rest of it, each corner by corner.
 *
 *  Where the limit is an ellipse the rest is the ring with the first part as a hole in it.
 *  @param {number[]} form @param {Ring} ring @param {number} limit @returns {[number[], number[]]} */
export function divideAtLevel(form, ring, limit) {
  const [, , , p, q] = form;
  const found = parts(ring).map((part) => (p || q ? round(form, part, limit) : straight(form, part, limit)));
  return [joinRings(found.map(([left]) => left)), joinRings(found.map(([, right]) => right))];
}

/** @param {number[]} form @param {Ring} part @param {number} limit @returns {[number[], number[]]} */
const straight = (form, part, limit) => [below(part, form, limit), below(part, form.map((one) => -one), -limit)];

/** @param {number[]} form @param {Ring} part @param {number} limit @returns {[number[], number[]]} */
function round(form, part, limit) {
  const reach = limit - form[0];
  if (reach < 0) return [[], [...part]];
  const left = bounds(form, reach).reduce((rest, [at, most]) => below(rest, at, most), [...part]);
  if (!left.length) return [[], [...part]];
  const whole = part.every((x, k) => k % 2 || scoreAt(form, x, part[k + 1]) <= limit);
  return [left, whole ? [] : holed([...part], left)];
}

/** The line of a limit inside a ring of values, in pieces from end to end.
 *  @param {number[]} form @param {Ring} ring @param {number} limit @returns {number[][]} */
export function levelCurves(form, ring, limit) {
  const [left] = divideAtLevel(form, ring, limit);
  const bent = form[3] || form[4];
  const far = bent ? SLACK * (limit - form[0]) : 1e-9 * Math.max(...form.map(Math.abs), Math.abs(limit));
  /** @type {number[][]} */
  const out = [];
  for (const part of parts(Float64Array.from(left))) {
    const many = part.length / 2;
    /** @param {number} k @returns {Corner} */
    const corner = (k) => [part[2 * (k % many)], part[2 * (k % many) + 1]];
    /** @param {number} k */
    const on = (k) => Math.abs(scoreAt(form, ...corner(k)) - limit) <= far;
    const first = Array.from({ length: many }, (_, k) => k).find((k) => !(on(k) && on(k + 1))) ?? 0;
    let run = /** @type {number[]} */ ([]);
    for (let k = first; k < first + many; k++) {
      if (on(k) && on(k + 1)) run.push(...(run.length ? corner(k + 1) : [...corner(k), ...corner(k + 1)]));
      else if (run.length) [run] = [[], out.push(run)];
    }
    if (run.length) out.push(run);
  }
  return out;
}

/** The lines that bound what is inside: of an ellipse its sides, of a band two.
 *  @param {number[]} form @param {number} reach @returns {[form: number[], limit: number][]} */
function bounds([, , , p, q, u, v], reach) {
  const [wide, high] = [Math.sqrt(reach / p), Math.sqrt(reach / q)];
  if (!q) return [[[0, 1, 0, 0, 0, 0, 0], u + wide], [[0, -1, 0, 0, 0, 0, 0], wide - u]];
  if (!p) return [[[0, 0, 1, 0, 0, 0, 0], v + high], [[0, 0, -1, 0, 0, 0, 0], high - v]];
  return Array.from({ length: CORNERS }, (_, k) => {
    const [from, to] = [k, k + 1].map((at) => (2 * Math.PI * at) / CORNERS);
    const [ax, ay, bx, by] = [u + wide * Math.cos(from), v + high * Math.sin(from), u + wide * Math.cos(to), v + high * Math.sin(to)];
    const [a, b] = [by - ay, ax - bx]; // outward: the corners run counter-clockwise
    return [[0, a, b, 0, 0, 0, 0], a * ax + b * ay];
  });
}

/** What of a ring of one part stands at most at the limit of a straight form.
 *  @param {ArrayLike<number>} ring @param {number[]} form @param {number} limit */
function below(ring, form, limit) {
  const out = [];
  for (let k = 0; k < ring.length; k += 2) {
    const next = (k + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[k], ring[k + 1], ring[next], ring[next + 1]];
    const [a, b] = [scoreAt(form, ax, ay) - limit, scoreAt(form, bx, by) - limit];
    if (a <= 0) out.push(ax, ay);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      const share = a / (a - b);
      out.push((1 - share) * ax + share * bx, (1 - share) * ay + share * by);
    }
  }
  return out.length > 4 ? out : [];
}

/** A ring of one part with another as a hole in it: out along one edge, round it, and back.
 *  @param {number[]} ring @param {number[]} hole */
function holed(ring, hole) {
  const out = [...ring, ring[0], ring[1]];
  for (let k = hole.length; k >= 0; k -= 2) out.push(hole[k % hole.length], hole[(k + 1) % hole.length]);
  return [...out, ring[0], ring[1]];
}
