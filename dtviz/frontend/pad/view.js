// The part of the plane that the pad shows, and its position on the canvas.
//
// Glossary
//   view      the part of the plane that is shown: { x: [low, high], y: [low, high] }
//   area      the rectangle of the plane on the canvas, in pixels: { left, top, width, height }
//   position  [x, y] on the plane; `pixelOf` and `positionAt` turn positions into pixels and back

/** @import { Row } from "./tools.js" */

/**
 * @typedef {[x: number, y: number]} XY  a position of the plane, or a pixel of the canvas
 * @typedef {[low: number, high: number]} ValueRange
 * @typedef {{ x: ValueRange, y: ValueRange }} PadView
 * @typedef {{ left: number, top: number, width: number, height: number }} Area
 */

/** @type {PadView} */
export const HOME = { x: [0, 10], y: [0, 10] };
const MARGIN = 0.07; // of a view, as a share of its rows' range
const MIN_SHARE_OF_HOME = 0.25; // rows that fill less of HOME are shown larger

/** The pixel of a position.
 *  @param {readonly number[]} position @param {PadView} view @param {Area} area
 *  @returns {XY} */
export function pixelOf([x, y], view, area) {
  const across = (x - view.x[0]) / (view.x[1] - view.x[0]);
  const up = (y - view.y[0]) / (view.y[1] - view.y[0]);
  return [area.left + across * area.width, area.top + (1 - up) * area.height];
}

/** The position at a pixel; outside the area the nearest position of the view.
 *  @param {XY} pixel @param {PadView} view @param {Area} area */
export function positionAt([px, py], view, area) {
  const across = (px - area.left) / area.width;
  const up = 1 - (py - area.top) / area.height;
  /** @param {ValueRange} range @param {number} share */
  const valueAt = ([low, high], share) => low + Math.max(0, Math.min(share, 1)) * (high - low);
  return roundPosition([valueAt(view.x, across), valueAt(view.y, up)], view);
}

/** A position with no more digits than a hand can mean: three decimals in a view 10 wide.
 *  @returns {XY}
 *  @param {readonly number[]} position @param {PadView} view */
export function roundPosition([x, y], view) {
  return [round(x, view.x), round(y, view.y)];
}

/** @param {number} value @param {ValueRange} range */
function round(value, [low, high]) {
  const decimals = 3 - Math.round(Math.log10((high - low) / 10));
  const rounded = decimals >= 0
    ? Number(value.toFixed(Math.min(decimals, 20)))
    : Math.round(value / 10 ** -decimals) * 10 ** -decimals;
  return rounded + 0; // 0 in place of -0
}

/** True if a view shows a position.
 *  @param {PadView} view @param {readonly number[]} position */
export function isInView(view, [x, y]) {
  return x >= view.x[0] && x <= view.x[1] && y >= view.y[0] && y <= view.y[1];
}

/** The view that shows all rows: HOME if the rows fill it well enough.
 *  @returns {PadView}
 *  @param {Row[]} rows */
export function fitView(rows) {
  if (!rows.length) return HOME;
  const [x, y] = [rangeOf(rows, 0), rangeOf(rows, 1)];
  const size = Math.max(x[1] - x[0], y[1] - y[0]);
  const isInHome = rows.every((row) => isInView(HOME, row));
  if (isInHome && (rows.length < 3 || size >= MIN_SHARE_OF_HOME * (HOME.x[1] - HOME.x[0]))) return HOME;
  return { x: withMargins(x, size), y: withMargins(y, size) };
}

/** The rows beyond each edge of a view.
 *  @param {PadView} view @param {Row[]} rows */
export function rowsOutside(view, rows) {
  /** @type {Record<"left" | "right" | "below" | "above", Row[]>} */
  const outside = { left: [], right: [], below: [], above: [] };
  for (const row of rows) {
    if (row[0] < view.x[0]) outside.left.push(row);
    else if (row[0] > view.x[1]) outside.right.push(row);
    else if (row[1] < view.y[0]) outside.below.push(row);
    else if (row[1] > view.y[1]) outside.above.push(row);
  }
  return outside;
}

/** A view extended until it shows these rows too.
 *  @returns {PadView}
 *  @param {PadView} view @param {Row[]} rows */
export function extendView(view, rows) {
  return { x: extend(view.x, rangeOf(rows, 0)), y: extend(view.y, rangeOf(rows, 1)) };
}

/** @returns {ValueRange}
 *  @param {ValueRange} range @param {ValueRange} rowRange */
function extend([low, high], [rowLow, rowHigh]) {
  const margin = MARGIN * (Math.max(high, rowHigh) - Math.min(low, rowLow));
  return [rowLow < low ? rowLow - margin : low, rowHigh > high ? rowHigh + margin : high];
}

/** A range with margins; a range of one number gets the size of the other axis, or 10.
 *  @returns {ValueRange}
 *  @param {ValueRange} range @param {number} size */
function withMargins([low, high], size) {
  const smallest = Math.max(Math.abs(low), Math.abs(high)) * 1e-9; // so that rounding leaves a range
  const half = Math.max((high - low) / 2, low === high ? size / 2 || 5 : 0, smallest);
  const middle = low / 2 + high / 2;
  return [middle - half * (1 + 2 * MARGIN), middle + half * (1 + 2 * MARGIN)];
}

/** The range of the rows, across (0) or up (1).
 *  @returns {ValueRange}
 *  @param {Row[]} rows @param {number} axis */
function rangeOf(rows, axis) {
  let [low, high] = [Infinity, -Infinity];
  for (const row of rows) {
    low = Math.min(low, row[axis]);
    high = Math.max(high, row[axis]);
  }
  return [low, high];
}
