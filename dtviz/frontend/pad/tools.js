// What the tools of the pad do to its rows.
//
// Glossary
//   row       a point: [x, y, value]
//   change    pairs [old row, new row], in order; null adds or drops (dtviz/data/drawing.py has the same)
//   drag      one gesture from press to release: its tool, its change so far, where it was last

import { roundPlace, pixel, place } from "./view.js";

/** @import { Area, Place, Span, View } from "./view.js" */

/**
 * @typedef {typeof TOOLS[number]} Tool
 * @typedef {[x: number, y: number, value: number]} Row
 * @typedef {[before: Row | null, after: Row | null]} Pair
 * @typedef {{ tool: Tool, change: Pair[] }} Gesture
 * @typedef {Gesture & { last: Place, reach: number, held: Row | null }} Drag
 *
 * What a tool works on, and the value that it draws.
 * @typedef {object} Ground
 * @property {Row[]} rows
 * @property {View} view
 * @property {Area} area
 * @property {number} value
 * @property {number} most  rows that there may be
 * @property {number} [reach]
 */

export const TOOLS = /** @type {const} */ (["add", "spray", "erase", "move"]);
export const REACH = 13; // pixels
export const SPREAD = 24;
const DROPS = 4; // points of one press of the spray, and then one every so many pixels:
const APART = 9;

/** The rows after a change.
 *  @param {Row[]} rows @param {Pair[]} change */
export function applyChange(rows, change) {
  /** @type {Array<Row | null>} */
  const out = [...rows];
  /** @type {Map<string, number[]>} */
  const places = new Map();
  /** @param {Row} row @param {number} at */
  const keep = (row, at) => {
    const same = places.get(row.join());
    if (same) same.push(at);
    else places.set(row.join(), [at]);
  };
  for (let at = rows.length - 1; at >= 0; at--) keep(rows[at], at);
  for (const [before, after] of change) {
    const at = before && places.get(before.join())?.pop();
    if (at === undefined || at === null) {
      if (after) keep(after, out.push(after) - 1);
    } else {
      out[at] = after;
      if (after) keep(after, at);
    }
  }
  return out.filter((row) => row !== null);
}

/** The row seen nearest to a spot of the canvas, within reach; else null.
 *  @param {Row[]} rows @param {Place} spot @param {View} view @param {Area} area
 *  @param {number} reach */
export function nearestRow(rows, spot, view, area, reach) {
  let best = /** @type {Row | null} */ (null);
  let least = reach;
  for (const row of rows) {
    const [px, py] = pixel(row, view, area);
    const far = Math.hypot(px - spot[0], py - spot[1]);
    if (far <= least) [best, least] = [row, far];
  }
  return best;
}

/** @param {Tool} tool @param {Place} spot @param {Ground} pad */
export function startDrag(tool, spot, pad) {
  /** @type {Drag} */
  const drag = { tool, change: [], last: spot, reach: pad.reach ?? REACH, held: null };
  if (tool === "add") drag.change = [[null, [...place(spot, pad.view, pad.area), pad.value]]];
  if (tool === "spray") spray(drag, spot, DROPS, pad);
  if (tool === "erase") erase(drag, spot, pad);
  if (tool === "move") drag.held = nearestRow(pad.rows, spot, pad.view, pad.area, 1.5 * drag.reach);
  return drag;
}

/** @param {Drag} drag @param {Place} spot @param {Ground} pad */
export function continueDrag(drag, spot, pad) {
  const here = place(spot, pad.view, pad.area);
  if (drag.tool === "add") drag.change = [[null, [...here, pad.value]]];
  if (drag.tool === "move" && drag.held) drag.change = [movePair(drag.held, here)];
  if (drag.tool === "erase") {
    for (const at of between(drag.last, spot, drag.reach)) erase(drag, at, pad);
    drag.last = spot;
  }
  if (drag.tool === "spray") {
    const far = Math.hypot(spot[0] - drag.last[0], spot[1] - drag.last[1]);
    if (far < APART) return;
    for (const at of between(drag.last, spot, APART)) spray(drag, at, 1, pad);
    drag.last = spot;
  }
}

/** The pair that moves a row to a place.
 *  @param {Row} row @param {Place} here @returns {Pair} */
export function movePair(row, here) {
  return [row, [...here, row[2]]];
}

/** @param {Drag} drag @param {Place} spot @param {Ground} pad */
function erase(drag, spot, pad) {
  const gone = new Set(drag.change.map(([row]) => row));
  for (const row of pad.rows) {
    if (gone.has(row)) continue;
    const [px, py] = pixel(row, pad.view, pad.area);
    if (Math.hypot(px - spot[0], py - spot[1]) <= drag.reach) drag.change.push([row, null]);
  }
}

/** @param {Drag} drag @param {Place} spot @param {number} count @param {Ground} pad */
function spray(drag, spot, count, pad) {
  const room = pad.most - pad.rows.length - drag.change.length;
  for (let k = 0; k < Math.min(count, room); k++) {
    const far = SPREAD * Math.sqrt(-2 * Math.log(1 - Math.random())) * 0.6;
    const angle = 2 * Math.PI * Math.random();
    /** @type {Place} */
    const at = [spot[0] + far * Math.cos(angle), spot[1] + far * Math.sin(angle)];
    if (!within(at, pad.area)) continue;
    drag.change.push([null, [...place(at, pad.view, pad.area), pad.value]]);
  }
}

/** @param {Place} given @param {Area} given */
function within([px, py], { left, top, width, height }) {
  return px >= left && px <= left + width && py >= top && py <= top + height;
}

/** Spots from one to the other, at most `step` apart.
 *  @param {Place} given @param {Place} given @param {number} step @returns {Place[]} */
function between([ax, ay], [bx, by], step) {
  const count = Math.max(1, Math.min(Math.round(Math.hypot(bx - ax, by - ay) / step), 200));
  return Array.from({ length: count }, (_, k) => {
    const share = (k + 1) / count;
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  });
}

/** @type {Record<string, [across: number, up: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The crosshair's next place after an arrow key.
 *  @param {Place} given @param {string} key @param {boolean} far @param {View} view */
export function moveCrosshair([x, y], key, far, view) {
  const [dx, dy] = STEPS[key];
  const part = far ? 10 : 50;
  /** @param {number} at @param {number} d @param {Span} given */
  const go = (at, d, [low, high]) =>
    Math.max(low, Math.min(at + (d * (high - low)) / part, high));
  return roundPlace([go(x, dx, view.x), go(y, dy, view.y)], view);
}
