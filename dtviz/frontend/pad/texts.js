// What the pad says of rows and of what was done to them.

import { grouped, number } from "../lib/format.js";

/** @import { Pad } from "../frames.d.ts" */
/** @import { Gesture, Row, Tool } from "./tools.js" */

/** @type {Record<Tool, (most: number) => string>} */
const NOTHING = {
  add: () => "nothing added",
  spray: (most) => `nothing added; at most ${most} points, inside the axes`,
  erase: () => "no point here",
  move: () => "no point here to move",
};

/** What a gesture did, or that it did nothing.
 *  @param {Gesture} gesture @param {Pad} frame */
export function gestureText({ tool, change }, frame) {
  if (!change.length) return NOTHING[tool](frame.most);
  if (tool === "spray") return `${pointsText(change.length)} added`;
  if (change.length > 1) return `${pointsText(change.length)} erased`;
  const [[before, after]] = change;
  const row = /** @type {Row} */ (after ?? before);
  const [what, where] = [rowName(row, frame), placeText(row)];
  if (tool === "erase") return `${what} at ${where} erased`;
  return tool === "add" ? `${what} added at ${where}` : `${what} moved to ${where}`;
}

/** @param {readonly number[]} place */
export const placeText = ([x, y]) => `${number(x)}, ${number(y)}`;

/** @param {number} many */
export const pointsText = (many) => (many === 1 ? "1 point" : `${grouped(many)} points`);

/** A row's class, as far as it has one of the palette.
 *  @param {Row} row @param {Pad} frame */
export const rowName = (row, { target, palette }) => (target === "classes" && palette[row[2]]?.name) || "Point";
