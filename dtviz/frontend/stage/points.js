// The points: where each is drawn, and the text of the point under the pointer.
//
// Rows at the same place are spread round it, so that their number and classes are seen; never so far
// that a point would cross to a neighbouring value. Rows of a whole number that cover each other are moved along
// its axis, by an offset that depends on the row alone: it is the same at every step and on every page.

import { radius } from "../draw/points.js";
import { nearestPoint } from "../draw/pointer.js";
import { quantityText } from "../lib/clock.js";
import { number } from "../lib/format.js";

/** @import { FrameAxis } from "../frames.d.ts" */
/** @import { Ground, Layout, Points } from "../types.d.ts" */

const MAX_ROWS_SPREAD = 5000;
const MAX_SPREAD = 13; // pixels from the place of a row
const ROW_STEPS = [0.7548776662, 0.6180339887]; // of the offsets, across and up, as dtviz/pictures/scales.py has them
const GOLDEN_ANGLE = 2.399963; // at steps of this angle no point hides its neighbours

/** The points of a cloud, each category's code replaced by its place on the axis.
 *  @param {Points} cloud @param {{ across: FrameAxis, up: FrameAxis }} axes @returns {Points} */
export function orderCategories(cloud, { across, up }) {
  return { ...cloud, x: placesOf(cloud.x, across), y: placesOf(cloud.y, up) };
}

/** @param {Float64Array<ArrayBuffer>} values @param {FrameAxis} axis */
function placesOf(values, { places }) {
  if (!places) return values;
  // the offset of a row within its band stays
  return values.map((value) => (places[Math.round(value)] ?? -1) + value - Math.round(value));
}

/** The last result of `spots` by the values across, with the values up and the scales of both axes.
 *  @type {WeakMap<Float64Array, { y: Float64Array, scales: string, spots: [Float64Array, Float64Array] }>} */
const cache = new WeakMap();

/** The pixels of every point, [across, up]; the same arrays again while points and scales are the same.
 *  @param {Layout} layout @param {Points} cloud @returns {[Float64Array, Float64Array]} */
export function spots(layout, cloud) {
  const { x, y } = cloud;
  const scales = String([layout.X(0), layout.X(1), layout.Y(0), layout.Y(1), ...layout.spread]);
  const cached = cache.get(x);
  if (cached?.y === y && cached.scales === scales) return cached.spots;
  const computed = spread(layout, cloud);
  cache.set(x, { y, scales, spots: computed });
  return computed;
}

/** @param {Layout} layout @param {Points} cloud @returns {[Float64Array, Float64Array]} */
function spread(layout, cloud) {
  const xs = Float64Array.from(cloud.x, layout.X);
  const ys = Float64Array.from(cloud.y, layout.Y);
  if (layout.spread.some(Boolean)) return jitter(layout, cloud, [xs, ys]);
  if (xs.length > MAX_ROWS_SPREAD) return [xs, ys];
  const room = Math.min(MAX_SPREAD, 0.4 * leastDistance(xs), 0.4 * leastDistance(ys));
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (let i = 0; i < xs.length; i++) {
    const key = `${cloud.x[i]} ${cloud.y[i]}`;
    const rows = places.get(key) ?? [];
    places.set(key, rows);
    rows.push(i);
  }
  for (const rows of places.values()) {
    if (rows.length > 1) {
      const width = Math.min(room, 2.2 * Math.sqrt(rows.length) * radius(xs.length));
      rows.forEach((i, k) => {
        const distance = width * Math.sqrt((k + 0.5) / rows.length);
        xs[i] += distance * Math.cos(k * GOLDEN_ANGLE);
        ys[i] += distance * Math.sin(k * GOLDEN_ANGLE);
      });
    }
  }
  return [xs, ys];
}

/** Move the rows of whole numbers that cover each other, see ROW_STEPS: no farther than they need, and within the
 *  spread of the axis.
 *  @param {Layout} layout @param {Points} cloud @param {[Float64Array, Float64Array]} pixels
 *  @returns {[Float64Array, Float64Array]} */
function jitter({ spread: rooms }, { x, y, row }, pixels) {
  const reach = 1.6 * radius(x.length); // points nearer than this cover each other
  const values = [x, y];
  const [xs, ys] = pixels.map((places, axis) => {
    const others = pixels[1 - axis];
    const moved = Float64Array.from(places);
    for (const group of rooms[axis] ? groupsOf(values[axis]) : []) {
      group.sort((a, b) => others[a] - others[b]);
      let [first, end] = [0, 0];
      for (const i of group) {
        while (others[i] - others[group[first]] > reach) first += 1;
        while (end < group.length && others[group[end]] - others[i] <= reach) end += 1;
        const offset = 2 * (((row ? row[i] : i) * ROW_STEPS[axis]) % 1) - 1;
        moved[i] += offset * Math.min(rooms[axis], (end - first - 1) * reach);
      }
    }
    return moved;
  });
  return [xs, ys];
}

/** The indices of equal values.
 *  @param {Float64Array} values */
function groupsOf(values) {
  /** @type {Map<number, number[]>} */
  const groups = new Map();
  values.forEach((value, i) => {
    const group = groups.get(value);
    if (group) group.push(i);
    else groups.set(value, [i]);
  });
  return groups.values();
}

/** The least distance between different values.
 *  @param {Float64Array} values */
function leastDistance(values) {
  const sorted = Float64Array.from(values).toSorted();
  let distance = Infinity;
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] > sorted[i - 1]) distance = Math.min(distance, sorted[i] - sorted[i - 1]);
  }
  return distance;
}

/** The point nearest to a pixel, if it is a few pixels away at most: its index, its pixel and its text; else null.
 *  @param {Layout} layout @param {Ground} scene @param {Points} cloud @param {number} x
 *  @param {number} y @param {number} [margin] more pixels that count as near */
export function pointNear(layout, scene, cloud, x, y, margin = 0) {
  const [xs, ys] = layout.spots;
  const nearest = nearestPoint([xs, ys], x, y, radius(xs.length) + 3 + margin);
  return nearest < 0 ? null : { i: nearest, x: xs[nearest], y: ys[nearest], text: textOf(scene, cloud, nearest) };
}

/** @param {Ground} scene @param {Points} cloud @param {number} i */
function textOf(scene, cloud, i) {
  const place = `${scene.across.name} ${valueOf(scene.across, cloud.x[i])}`;
  if (scene.form === "strip") {
    if (scene.classes) return `${scene.classes[cloud.code[i]][0]}: ${place}`;
    return `${place}, ${scene.up.name} ${number(cloud.y[i], 5)}`;
  }
  return `${targetsText(scene, cloud, i)}: ${place}, ${scene.up.name} ${valueOf(scene.up, cloud.y[i])}`;
}

/** A value of an axis as text.
 *  @param {FrameAxis} axis @param {number} value */
function valueOf({ lanes, clock, gutter = -Infinity }, value) {
  if (value < gutter) return "missing";
  if (lanes) return lanes[Math.round(value)];
  return clock ? quantityText(value, clock) : number(value, 5);
}

/** The target of a point: its class or number, or the number of rows of each class at its place.
 *  @param {Ground} scene @param {Points} cloud @param {number} i */
function targetsText(scene, cloud, i) {
  /** @type {number[]} */
  const rows = [];
  for (let k = 0; k < cloud.x.length; k++) {
    if (cloud.x[k] === cloud.x[i] && cloud.y[k] === cloud.y[i]) rows.push(k);
  }
  const { classes } = scene;
  if (!classes) {
    const target = number(cloud.value?.[i] ?? Number.NaN, 5);
    return rows.length > 1 ? `${rows.length} rows, this one ${target}` : target;
  }
  if (rows.length === 1) return classes[cloud.code[i]][0];
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const k of rows) counts.set(cloud.code[k], (counts.get(cloud.code[k]) ?? 0) + 1);
  const texts = [...counts].map(([code, count]) => `${classes[code][0]} ${count}`);
  return `${rows.length} rows (${texts.join(", ")})`;
}
