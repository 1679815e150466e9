// The tools of the pad, which change its rows.
//
// Glossary
//   row       a point: [x, y, value]
//   change    pairs [old row, new row], in order; null adds or drops a row, as in dtviz/data/drawing.py
//   drag      one gesture from press to release: its tool, its change so far, its last pixel

import { pixelOf, positionAt, roundPosition } from "./view.js";

/** @import { Area, ValueRange, PadView, XY } from "./view.js" */

/**
 * @typedef {typeof TOOLS[number]} Tool
 * @typedef {[x: number, y: number, value: number]} Row
 * @typedef {[before: Row | null, after: Row | null]} RowChange
 * @typedef {{ tool: Tool, change: RowChange[] }} Gesture
 * @typedef {Gesture & { last: XY, reach: number, held: Row | null }} Drag
 *
 * The drawing that a tool changes.
 * @typedef {object} ToolInput
 * @property {Row[]} rows
 * @property {PadView} view
 * @property {Area} area
 * @property {number} value  that new rows get
 * @property {number} maxRows
 * @property {number} [reach]  pixels
 */

export const TOOLS = /** @type {const} */ (["add", "spray", "erase", "move"]);
export const REACH = 13; // pixels
export const SPREAD = 24; // pixels of the spray
const POINTS_A_PRESS = 4; // of the spray, and then one point every so many pixels:
const PIXELS_A_POINT = 9;

/** Applies a change to rows.
 *  @param {Row[]} rows @param {RowChange[]} change */
export function applyChange(rows, change) {
  /** @type {Array<Row | null>} */
  const result = [...rows];
  /** @type {Map<string, number[]>} */
  const indices = new Map(); // of equal rows, the first last: a change takes the first
  /** @param {Row} row @param {number} index */
  const keep = (row, index) => {
    const equal = indices.get(row.join());
    if (equal) equal.push(index);
    else indices.set(row.join(), [index]);
  };
  for (let i = rows.length - 1; i >= 0; i--) keep(rows[i], i);
  for (const [before, after] of change) {
    const index = before && indices.get(before.join())?.pop();
    if (index === undefined || index === null) {
      if (after) keep(after, result.push(after) - 1);
    } else {
      result[index] = after;
      if (after) keep(after, index);
    }
  }
  return result.filter((row) => row !== null);
}

/** The row nearest to a pixel, within reach; else null.
 *  @param {Row[]} rows @param {XY} pixel @param {PadView} view @param {Area} area
 *  @param {number} reach */
export function nearestRow(rows, pixel, view, area, reach) {
  let nearest = /** @type {Row | null} */ (null);
  let nearestDistance = reach;
  for (const row of rows) {
    const [px, py] = pixelOf(row, view, area);
    const distance = Math.hypot(px - pixel[0], py - pixel[1]);
    if (distance <= nearestDistance) [nearest, nearestDistance] = [row, distance];
  }
  return nearest;
}

/** Starts the gesture of a tool at a pixel.
 *  @param {Tool} tool @param {XY} pixel @param {ToolInput} pad */
export function startDrag(tool, pixel, pad) {
  /** @type {Drag} */
  const drag = { tool, change: [], last: pixel, reach: pad.reach ?? REACH, held: null };
  if (tool === "add") drag.change = [[null, [...positionAt(pixel, pad.view, pad.area), pad.value]]];
  if (tool === "spray") spray(drag, pixel, POINTS_A_PRESS, pad);
  if (tool === "erase") erase(drag, pixel, pad);
  if (tool === "move") drag.held = nearestRow(pad.rows, pixel, pad.view, pad.area, 1.5 * drag.reach);
  return drag;
}

/** Continues a gesture to a pixel.
 *  @param {Drag} drag @param {XY} pixel @param {ToolInput} pad */
export function continueDrag(drag, pixel, pad) {
  const position = positionAt(pixel, pad.view, pad.area);
  if (drag.tool === "add") drag.change = [[null, [...position, pad.value]]];
  if (drag.tool === "move" && drag.held) drag.change = [moveChange(drag.held, position)];
  if (drag.tool === "erase") {
    for (const step of stepsBetween(drag.last, pixel, drag.reach)) erase(drag, step, pad);
    drag.last = pixel;
  }
  if (drag.tool === "spray") {
    const distance = Math.hypot(pixel[0] - drag.last[0], pixel[1] - drag.last[1]);
    if (distance < PIXELS_A_POINT) return;
    for (const step of stepsBetween(drag.last, pixel, PIXELS_A_POINT)) spray(drag, step, 1, pad);
    drag.last = pixel;
  }
}

/** The change that moves a row to a position.
 *  @param {Row} row @param {XY} position @returns {RowChange} */
export function moveChange(row, position) {
  return [row, [...position, row[2]]];
}

/** @param {Drag} drag @param {XY} pixel @param {ToolInput} pad */
function erase(drag, pixel, pad) {
  const erased = new Set(drag.change.map(([row]) => row));
  for (const row of pad.rows) {
    if (erased.has(row)) continue;
    const [px, py] = pixelOf(row, pad.view, pad.area);
    if (Math.hypot(px - pixel[0], py - pixel[1]) <= drag.reach) drag.change.push([row, null]);
  }
}

/** @param {Drag} drag @param {XY} centre @param {number} count @param {ToolInput} pad */
function spray(drag, centre, count, pad) {
  const room = pad.maxRows - pad.rows.length - drag.change.length;
  for (let k = 0; k < Math.min(count, room); k++) {
    const distance = SPREAD * Math.sqrt(-2 * Math.log(1 - Math.random())) * 0.6; // of a normal distribution
    const angle = 2 * Math.PI * Math.random();
    /** @type {XY} */
    const pixel = [centre[0] + distance * Math.cos(angle), centre[1] + distance * Math.sin(angle)];
    if (!isInArea(pixel, pad.area)) continue;
    drag.change.push([null, [...positionAt(pixel, pad.view, pad.area), pad.value]]);
  }
}

/** @param {XY} pixel @param {Area} area */
function isInArea([px, py], { left, top, width, height }) {
  return px >= left && px <= left + width && py >= top && py <= top + height;
}

/** Pixels on the line from one to another, about `step` apart, without the first.
 *  @param {XY} from @param {XY} to @param {number} step @returns {XY[]} */
function stepsBetween([ax, ay], [bx, by], step) {
  const count = Math.max(1, Math.min(Math.round(Math.hypot(bx - ax, by - ay) / step), 200));
  return Array.from({ length: count }, (_, k) => {
    const share = (k + 1) / count;
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  });
}

/** @type {Record<string, [across: number, up: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The crosshair's next position after an arrow key; with `isFar` five times as far.
 *  @param {XY} position @param {string} key @param {boolean} isFar @param {PadView} view */
export function moveCrosshair([x, y], key, isFar, view) {
  const [dx, dy] = STEPS[key];
  const stepsAView = isFar ? 10 : 50;
  /** @param {number} value @param {number} steps @param {ValueRange} range */
  const move = (value, steps, [low, high]) =>
    Math.max(low, Math.min(value + (steps * (high - low)) / stepsAView, high));
  return roundPosition([move(x, dx, view.x), move(y, dy, view.y)], view);
}
