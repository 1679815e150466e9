// Tools of the pad: add, spray, erase and move rows.
//
// Glossary
//   row       a point: [x, y, value]
//   change    pairs [old row, new row], in order: [null, row] adds a row, [row, null] drops one, as in
//             dtviz/data/drawing.py
//   gesture   one use of a tool, with the change that the tool makes
//   drag      a gesture of the pointer from press to release, with the change so far

import { pixelOf, positionAt, roundPosition } from "./view.js";

/** @import { Area, ValueRange, PadView, XY } from "./view.js" */

/**
 * @typedef {typeof TOOLS[number]} Tool
 * @typedef {[x: number, y: number, value: number]} Row
 * @typedef {[before: Row | null, after: Row | null]} RowChange
 * @typedef {{ tool: Tool, change: RowChange[] }} Gesture
 * @typedef {Gesture & { lastPixel: XY, reach: number, heldRow: Row | null }} Drag  `lastPixel`: of the pointer, up to which
 *   the change is made; `heldRow`: the row that the tool moves
 *
 * The drawing that a tool changes.
 * @typedef {object} ToolInput
 * @property {Row[]} rows
 * @property {PadView} view
 * @property {Area} area
 * @property {number} value  the value of new rows
 * @property {number} maxRows
 * @property {number} [reach]  pixels from the pointer to the rows that a tool takes
 */

export const TOOLS = /** @type {const} */ (["add", "spray", "erase", "move"]);
export const REACH = 13; // of a mouse, see ToolInput.reach
export const SPRAY_RADIUS = 24; // pixels; the spray puts most points inside of it
const POINTS_A_PRESS = 4; // that the spray adds where the pointer goes down
const PIXELS_A_POINT = 9; // that the pointer moves until the spray adds one more

/** Apply a change to rows.
 *  @param {Row[]} rows @param {RowChange[]} change */
export function applyChange(rows, change) {
  /** @type {Array<Row | null>} */
  const result = [...rows];
  /** @type {Map<string, number[]>} */
  const indices = new Map(); // of equal rows, in descending order: pop() takes the first of these rows
  /** @param {Row} row @param {number} index */
  const addIndex = (row, index) => {
    const rowIndices = indices.get(row.join());
    if (rowIndices) rowIndices.push(index);
    else indices.set(row.join(), [index]);
  };
  for (let i = rows.length - 1; i >= 0; i--) addIndex(rows[i], i);
  for (const [before, after] of change) {
    const index = before && indices.get(before.join())?.pop();
    if (index === undefined || index === null) {
      if (after) addIndex(after, result.push(after) - 1);
    } else {
      result[index] = after;
      if (after) addIndex(after, index);
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

/** Start the gesture of a tool at a pixel.
 *  @param {Tool} tool @param {XY} pixel @param {ToolInput} drawing */
export function startDrag(tool, pixel, drawing) {
  /** @type {Drag} */
  const drag = { tool, change: [], lastPixel: pixel, reach: drawing.reach ?? REACH, heldRow: null };
  if (tool === "add") drag.change = [[null, [...positionAt(pixel, drawing.view, drawing.area), drawing.value]]];
  if (tool === "spray") spray(drag, pixel, POINTS_A_PRESS, drawing);
  if (tool === "erase") erase(drag, pixel, drawing);
  if (tool === "move") drag.heldRow = nearestRow(drawing.rows, pixel, drawing.view, drawing.area, 1.5 * drag.reach); // one row, so it may be farther
  return drag;
}

/** Continue a gesture to a pixel.
 *  @param {Drag} drag @param {XY} pixel @param {ToolInput} drawing */
export function continueDrag(drag, pixel, drawing) {
  const position = positionAt(pixel, drawing.view, drawing.area);
  if (drag.tool === "add") drag.change = [[null, [...position, drawing.value]]];
  if (drag.tool === "move" && drag.heldRow) drag.change = [moveChange(drag.heldRow, position)];
  if (drag.tool === "erase") {
    for (const centre of pixelsBetween(drag.lastPixel, pixel, drag.reach)) erase(drag, centre, drawing);
    drag.lastPixel = pixel;
  }
  if (drag.tool === "spray") {
    const distance = Math.hypot(pixel[0] - drag.lastPixel[0], pixel[1] - drag.lastPixel[1]);
    if (distance < PIXELS_A_POINT) return;
    for (const centre of pixelsBetween(drag.lastPixel, pixel, PIXELS_A_POINT)) spray(drag, centre, 1, drawing);
    drag.lastPixel = pixel;
  }
}

/** The change that moves a row to a position.
 *  @param {Row} row @param {XY} position @returns {RowChange} */
export function moveChange(row, position) {
  return [row, [...position, row[2]]];
}

/** Drops the rows within reach of a pixel.
 *  @param {Drag} drag @param {XY} pixel @param {ToolInput} drawing */
function erase(drag, pixel, drawing) {
  const erased = new Set(drag.change.map(([row]) => row));
  for (const row of drawing.rows) {
    if (erased.has(row)) continue;
    const [px, py] = pixelOf(row, drawing.view, drawing.area);
    if (Math.hypot(px - pixel[0], py - pixel[1]) <= drag.reach) drag.change.push([row, null]);
  }
}

/** Add rows at random round a pixel, as far as there is room for more.
 *  @param {Drag} drag @param {XY} centre @param {number} count @param {ToolInput} drawing */
function spray(drag, centre, count, drawing) {
  const room = drawing.maxRows - drawing.rows.length - drag.change.length;
  for (let k = 0; k < Math.min(count, room); k++) {
    // the distance from the centre of a normal distribution in two dimensions
    const distance = 0.6 * SPRAY_RADIUS * Math.sqrt(-2 * Math.log(1 - Math.random()));
    const angle = 2 * Math.PI * Math.random();
    /** @type {XY} */
    const pixel = [centre[0] + distance * Math.cos(angle), centre[1] + distance * Math.sin(angle)];
    if (!isInArea(pixel, drawing.area)) continue;
    drag.change.push([null, [...positionAt(pixel, drawing.view, drawing.area), drawing.value]]);
  }
}

/** @param {XY} pixel @param {Area} area */
function isInArea([px, py], { left, top, width, height }) {
  return px >= left && px <= left + width && py >= top && py <= top + height;
}

/** Pixels on the line from one pixel to another, about `step` apart, without the first; at most 200.
 *  @param {XY} from @param {XY} to @param {number} step @returns {XY[]} */
function pixelsBetween([ax, ay], [bx, by], step) {
  const count = Math.max(1, Math.min(Math.round(Math.hypot(bx - ax, by - ay) / step), 200));
  return Array.from({ length: count }, (_, k) => {
    const share = (k + 1) / count;
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  });
}

/** @type {Record<string, [across: number, up: number]>} */
const KEY_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The crosshair's next position after an arrow key; with `isFar` five times as far.
 *  @param {XY} position @param {string} key @param {boolean} isFar @param {PadView} view */
export function moveCrosshair([x, y], key, isFar, view) {
  const [dx, dy] = KEY_STEPS[key];
  const stepsAView = isFar ? 10 : 50;
  /** @param {number} value @param {number} steps @param {ValueRange} range */
  const move = (value, steps, [low, high]) =>
    Math.max(low, Math.min(value + (steps * (high - low)) / stepsAView, high));
  return roundPosition([move(x, dx, view.x), move(y, dy, view.y)], view);
}
