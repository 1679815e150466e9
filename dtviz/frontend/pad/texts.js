// The texts that the pad announces on rows and gestures.

import { grouped, number } from "../lib/format.js";

/** @import { Pad } from "../frames.d.ts" */
/** @import { Gesture, Row, Tool } from "./tools.js" */

/** The texts of gestures that changed nothing. @type {Record<Tool, (maxRows: number) => string>} */
const NOTHING = {
  add: () => "nothing added",
  spray: (maxRows) => `nothing added; at most ${maxRows} points, inside the axes`,
  erase: () => "no point here",
  move: () => "no point here to move",
};

/** The change of a gesture in words.
 *  @param {Gesture} gesture @param {Pad} frame */
export function gestureText({ tool, change }, frame) {
  if (!change.length) return NOTHING[tool](frame.max_points);
  if (tool === "spray") return `${pointsText(change.length)} added`;
  if (change.length > 1) return `${pointsText(change.length)} erased`;
  const [[before, after]] = change;
  const row = /** @type {Row} */ (after ?? before);
  const [name, position] = [rowName(row, frame), positionText(row)];
  if (tool === "erase") return `${name} at ${position} erased`;
  return tool === "add" ? `${name} added at ${position}` : `${name} moved to ${position}`;
}

/** @param {readonly number[]} position */
export const positionText = ([x, y]) => `${number(x)}, ${number(y)}`;

/** @param {number} count */
export const pointsText = (count) => (count === 1 ? "1 point" : `${grouped(count)} points`);

/** The name of a row's class; of a row without one of the palette, "Point".
 *  @param {Row} row @param {Pad} frame */
export const rowName = (row, { target, palette }) => (target === "classes" && palette[row[2]]?.name) || "Point";
