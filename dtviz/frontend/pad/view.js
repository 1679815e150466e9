// Where the plane of the pad stands on the screen, and what part of it is seen.
//
// Glossary
//   view      the part of the plane that is seen: { x: [low, high], y: [low, high] }
//   area      where the plane stands on the canvas, in pixels: { left, top, width, height }
//   place     a spot of the plane, [x, y]; `pixel` and `place` turn one into the other
//   outside   the rows beyond each edge of the view

/** @import { Row } from "./tools.js" */

/**
 * @typedef {[x: number, y: number]} Place
 * @typedef {[low: number, high: number]} Span
 * @typedef {{ x: Span, y: Span }} View
 * @typedef {{ left: number, top: number, width: number, height: number }} Area
 */

/** @type {View} */
export const HOME = { x: [0, 10], y: [0, 10] };
const MARGIN = 0.07;
const SMALL = 0.25; // points that fill less of HOME are looked at from nearer

/** @param {readonly number[]} given @param {View} view @param {Area} area
 *  @returns {Place} in pixels */
export function pixel([x, y], view, area) {
  const across = (x - view.x[0]) / (view.x[1] - view.x[0]);
  const up = (y - view.y[0]) / (view.y[1] - view.y[0]);
  return [area.left + across * area.width, area.top + (1 - up) * area.height];
}

/** @param {Place} given @param {View} view @param {Area} area */
export function place([px, py], view, area) {
  const across = (px - area.left) / area.width;
  const up = 1 - (py - area.top) / area.height;
  /** @param {Span} given @param {number} share */
  const at = ([low, high], share) => low + Math.max(0, Math.min(share, 1)) * (high - low);
  return roundPlace([at(view.x, across), at(view.y, up)], view);
}

/** The place, with no more digits than a hand can mean: three decimals where 10 are seen.
 *  @returns {Place}
 *  @param {readonly number[]} given @param {View} view */
export function roundPlace([x, y], view) {
  return [short(x, view.x), short(y, view.y)];
}

/** @param {number} value @param {Span} given */
function short(value, [low, high]) {
  const decimals = 3 - Math.round(Math.log10((high - low) / 10));
  const near = decimals >= 0
    ? Number(value.toFixed(Math.min(decimals, 20)))
    : Math.round(value / 10 ** -decimals) * 10 ** -decimals;
  return near + 0;
}

/** @param {View} view @param {readonly number[]} given */
export function isInView(view, [x, y]) {
  return x >= view.x[0] && x <= view.x[1] && y >= view.y[0] && y <= view.y[1];
}

/** The view that holds all rows: HOME if they fill it well enough.
 *  @returns {View}
 *  @param {Row[]} rows */
export function fitView(rows) {
  if (!rows.length) return HOME;
  const [x, y] = [span(rows, 0), span(rows, 1)];
  const wide = Math.max(x[1] - x[0], y[1] - y[0]);
  const home = rows.every((row) => isInView(HOME, row));
  if (home && (rows.length < 3 || wide >= SMALL * (HOME.x[1] - HOME.x[0]))) return HOME;
  return { x: around(x, wide), y: around(y, wide) };
}

/** @param {View} view @param {Row[]} rows */
export function rowsOutside(view, rows) {
  /** @type {Record<"left" | "right" | "below" | "above", Row[]>} */
  const beyond = { left: [], right: [], below: [], above: [] };
  for (const row of rows) {
    if (row[0] < view.x[0]) beyond.left.push(row);
    else if (row[0] > view.x[1]) beyond.right.push(row);
    else if (row[1] < view.y[0]) beyond.below.push(row);
    else if (row[1] > view.y[1]) beyond.above.push(row);
  }
  return beyond;
}

/** The view, grown until it holds these rows too.
 *  @returns {View}
 *  @param {View} view @param {Row[]} rows */
export function extendView(view, rows) {
  return { x: stretched(view.x, span(rows, 0)), y: stretched(view.y, span(rows, 1)) };
}

/** @returns {Span}
 *  @param {Span} given @param {Span} given */
function stretched([low, high], [least, most]) {
  const spare = MARGIN * (Math.max(high, most) - Math.min(low, least));
  return [least < low ? least - spare : low, most > high ? most + spare : high];
}

/** @returns {Span}
 *  @param {Span} given @param {number} wide */
function around([low, high], wide) {
  const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-9;
  const half = Math.max((high - low) / 2, low === high ? wide / 2 || 5 : 0, least);
  const middle = low / 2 + high / 2;
  return [middle - half * (1 + 2 * MARGIN), middle + half * (1 + 2 * MARGIN)];
}

/** @returns {Span}
 *  @param {Row[]} rows @param {number} at */
function span(rows, at) {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    low = Math.min(low, row[at]);
    high = Math.max(high, row[at]);
  }
  return [low, high];
}
