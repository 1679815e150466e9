// Where each point is drawn, and what is said of the ones under the pointer.
//
// Rows that stand at the same place are spread round it, so that their number and classes are seen;
// never so far that one would cross to a neighbouring value.

import { clocked } from "../lib/clock.js";
import { number } from "../lib/format.js";
import { radius } from "./paint.js";

/** @import { FrameAxis } from "../frames.d.ts" */
/** @import { Ground, Layout, Points } from "../types.d.ts" */

const MOST = 5000; // more rows are not spread
const FAR = 13; // pixels from their place at most
const TURN = 2.399963; // the golden angle: neighbours do not hide one another

/** The points with the places of their categories' codes, as the axes order them.
 *  @param {Points} cloud @param {{ across: FrameAxis, up: FrameAxis }} axes @returns {Points} */
export function orderCategories(cloud, { across, up }) {
  return { ...cloud, x: inPlaces(cloud.x, across), y: inPlaces(cloud.y, up) };
}

/** @param {Float64Array<ArrayBuffer>} values @param {FrameAxis} axis */
function inPlaces(values, { places }) {
  if (!places) return values;
  return values.map((value) => (places[Math.round(value)] ?? -1) + value - Math.round(value));
}

/** By the values across, where they stood last: those up, where axes begin and end, and their pixels.
 *  @type {WeakMap<Float64Array, { y: Float64Array, ends: string, spots: [Float64Array, Float64Array] }>} */
const last = new WeakMap();

/** The pixels of every point: two arrays, [across, up]; the same again while nothing moves.
 *  @param {Layout} at @param {Points} cloud @returns {[Float64Array, Float64Array]} */
export function spots(at, cloud) {
  const { x, y } = cloud;
  const ends = String([at.X(0), at.X(1), at.Y(0), at.Y(1)]);
  const before = last.get(x);
  if (before?.y === y && before.ends === ends) return before.spots;
  const made = spread(at, cloud);
  last.set(x, { y, ends, spots: made });
  return made;
}

/** @param {Layout} at @param {Points} cloud @returns {[Float64Array, Float64Array]} */
function spread(at, cloud) {
  const xs = Float64Array.from(cloud.x, at.X);
  const ys = Float64Array.from(cloud.y, at.Y);
  if (xs.length > MOST) return [xs, ys];
  const room = Math.min(FAR, 0.4 * gap(xs), 0.4 * gap(ys));
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (let i = 0; i < xs.length; i++) {
    const key = `${cloud.x[i]} ${cloud.y[i]}`;
    const same = places.get(key) ?? [];
    places.set(key, same);
    same.push(i);
  }
  for (const rows of places.values()) {
    if (rows.length > 1) {
      const wide = Math.min(room, 2.2 * Math.sqrt(rows.length) * radius(xs.length));
      rows.forEach((i, k) => {
        const far = wide * Math.sqrt((k + 0.5) / rows.length);
        xs[i] += far * Math.cos(k * TURN);
        ys[i] += far * Math.sin(k * TURN);
      });
    }
  }
  return [xs, ys];
}

/** The least distance between different values.
 *  @param {Float64Array} values */
function gap(values) {
  const sorted = Float64Array.from(values).toSorted();
  let least = Infinity;
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] > sorted[i - 1]) least = Math.min(least, sorted[i] - sorted[i - 1]);
  }
  return least;
}

/** The nearest point within a few pixels: which it is, where it is drawn and its text; null if there is none.
 *  @param {{ scene: Ground, cloud: Points, at: Layout }} given @param {number} x
 *  @param {number} y @param {number} [more] pixels farther */
export function pointNear({ scene, cloud, at }, x, y, more = 0) {
  const [xs, ys] = at.spots;
  const reach = radius(xs.length) + 3 + more;
  let best = -1;
  let least = reach * reach;
  for (let i = 0; i < xs.length; i++) {
    const [dx, dy] = [xs[i] - x, ys[i] - y];
    const distance = dx * dx + dy * dy;
    if (distance <= least) [best, least] = [i, distance];
  }
  return best < 0 ? null : { i: best, x: xs[best], y: ys[best], text: textOf(scene, cloud, best) };
}

/** @param {Ground} scene @param {Points} cloud @param {number} i */
function textOf(scene, cloud, i) {
  const place = `${scene.across.name} ${valueOf(scene.across, cloud.x[i])}`;
  if (scene.form === "strip") {
    if (scene.classes) return `${scene.classes[cloud.code[i]][0]}: ${place}`;
    return `${place}, ${scene.up.name} ${number(cloud.y[i], 5)}`;
  }
  return `${there(scene, cloud, i)}: ${place}, ${scene.up.name} ${valueOf(scene.up, cloud.y[i])}`;
}

/** A value of an axis as text.
 *  @param {FrameAxis} axis @param {number} value */
function valueOf({ lanes, clock, gutter = -Infinity }, value) {
  if (value < gutter) return "missing";
  if (lanes) return lanes[Math.round(value)];
  return clock ? clocked(value, clock) : number(value, 5);
}

/** What stands at a point's place: its class or number, or how many of each.
 *  @param {Ground} scene @param {Points} cloud @param {number} i */
function there(scene, cloud, i) {
  /** @type {number[]} */
  const same = [];
  for (let k = 0; k < cloud.x.length; k++) {
    if (cloud.x[k] === cloud.x[i] && cloud.y[k] === cloud.y[i]) same.push(k);
  }
  const { classes } = scene;
  if (!classes) {
    const mine = number(cloud.value?.[i] ?? Number.NaN, 5);
    return same.length > 1 ? `${same.length} rows, this one ${mine}` : mine;
  }
  if (same.length === 1) return classes[cloud.code[i]][0];
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const k of same) counts.set(cloud.code[k], (counts.get(cloud.code[k]) ?? 0) + 1);
  const each = [...counts].map(([code, rows]) => `${classes[code][0]} ${rows}`);
  return `${same.length} rows (${each.join(", ")})`;
}
