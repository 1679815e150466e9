// Axes of a plane, with ticks and titles, and legends.

import { drawLine, drawLines, drawText, textWidth, fitText } from "./marks.js";

/** @import { AcrossAxis, Ink, LegendEntry, Pen, Rect, UpAxis } from "../types.d.ts" */

const TICK_LENGTH = 4;
const TEXT_DISTANCE = 7; // pixels from an axis to the texts of its ticks
const TITLE_DISTANCE = 38; // pixels from an axis to the foot of the title under it
const LEGEND_ROW = 18;

/** Draw an axis along the foot of a plane: its line if `hasLine`, ticks from `foot` down, the title under them. Ticks
 *  beyond the plane are left out.
 *  @param {Pen} pen @param {Ink} scene @param {AcrossAxis} axis */
export function drawAcross(pen, scene, { x, w, foot, scale, ticks, title, hasLine = false, hasMarks = hasLine }) {
  const colour = scene.colours.muted;
  const visible = ticks.map((tick) => ({ ...tick, px: scale(tick.value) })).filter(({ px }) => px >= x - 1 && px <= x + w + 1);
  for (const { text, room, px } of visible) {
    drawText(pen, scene, text, px, foot + TEXT_DISTANCE, { colour, align: "center", baseline: "top", ...(room === undefined ? {} : { room }) });
  }
  const marks = hasMarks ? visible.map(({ px }) => [px, foot, px, foot + TICK_LENGTH]) : [];
  drawLines(pen, hasLine ? [...marks, [x, foot, x + w, foot]] : marks, { stroke: colour });
  if (title) drawText(pen, scene, title, x + w / 2, foot + TITLE_DISTANCE, { size: 13, align: "center", baseline: "bottom", room: w });
}

/** Draw an axis along the left edge of a plane: either a line with ticks, or a grid line over the plane at each tick.
 *  @param {Pen} pen @param {Ink} scene @param {UpAxis} axis */
export function drawUp(pen, scene, { plane: { x, y, w, h }, scale, ticks, title, room = x, hasGrid = false }) {
  const colour = scene.colours.muted;
  const visible = ticks.map(({ value, text }) => ({ text, py: scale(value) })).filter(({ py }) => py >= y - 1 && py <= y + h + 1);
  if (hasGrid) drawLines(pen, visible.map(({ py }) => [x, py, x + w, py]), { stroke: scene.colours.grid });
  else drawLines(pen, [...visible.map(({ py }) => [x - TICK_LENGTH, py, x, py]), [x, y, x, y + h]], { stroke: colour });
  for (const { text, py } of visible) drawText(pen, scene, text, x - TEXT_DISTANCE, py, { colour, align: "right", room });
  if (title) drawText(pen, scene, title, 11, y + h / 2, { size: 13, align: "center", room: h, upright: true });
}

/** Draw a line through the plane at a pixel across.
 *  @param {Pen} pen @param {Rect} plane @param {number} x @param {import("../types.d.ts").MarkStyle} style */
export const drawHairline = (pen, { y, h }, x, style) => drawLine(pen, [x, y, x, y + h], style);

/** Draw entries in rows from `left` to `right`; those that have no room in the last row are counted.
 *  @param {Pen} pen @param {Ink} scene @param {LegendEntry[]} entries
 *  @param {{ left: number, right: number, y: number, rows?: number }} box */
export function drawLegend(pen, scene, entries, { left, right, y, rows = 1 }) {
  const width = textWidth(pen, scene);
  let [x, row] = [left, 1];
  for (const [k, { text, symbolWidth = 10, room, draw }] of entries.entries()) {
    const words = room === undefined ? text : fitText(width, text, room);
    const remaining = entries.length - k;
    const end = x + symbolWidth + 5 + width(words);
    // of the last entry nothing follows, so that it may end at the edge
    if (end > right - (remaining > 1 && row === rows ? 22 : 0) && x > left) {
      if (row === rows) {
        drawText(pen, scene, `+${remaining}`, x, y + (row - 1) * LEGEND_ROW + 0.5, { colour: scene.colours.muted });
        return;
      }
      [x, row] = [left, row + 1];
    }
    draw(x + symbolWidth / 2, y + (row - 1) * LEGEND_ROW);
    drawText(pen, scene, words, x + symbolWidth + 5, y + (row - 1) * LEGEND_ROW + 0.5);
    x += symbolWidth + 5 + width(words) + 15;
  }
}
