// The pad on its canvas: grid, points, and the marks of the pointer and the crosshair.

import { drawCircle, drawLine, drawLines, drawRect, drawSymbol, drawText } from "../draw/marks.js";
import { ticks } from "../draw/scales.js";
import { grouped } from "../lib/format.js";
import { element } from "../lib/dom.js";
import { isInView, pixelOf, rowsOutside } from "./view.js";
import { REACH, SPRAY_RADIUS } from "./tools.js";
import { forcedColours } from "../lib/forced_colours.js";

/** @import { Pad } from "../frames.d.ts" */
/** @import { Host } from "../lib/channel.js" */
/** @import { PadFrame } from "./sync.js" */
/** @import { Row, Tool } from "./tools.js" */
/** @import { Area, PadView, XY } from "./view.js" */

/**
 * The state that is drawn.
 * @typedef {object} Drawing
 * @property {Pad} frame
 * @property {Row[]} rows
 * @property {PadView} view
 * @property {Area} area
 * @property {Tool} tool
 * @property {XY | null} cross
 * @property {Row | null} heldRow  the row that is moved
 * @property {XY | null} hoverPixel  the pixel of the pointer
 * @property {string} hint  a text in place of rows, while there are none
 *
 * @typedef {ReturnType<typeof pageColours>} PageColours
 * @typedef {CanvasRenderingContext2D} Canvas
 */

const EDGE = { left: 44, right: 10, top: 10, bottom: 38 };

/** The area of the plane on a canvas of a size.
 *  @param {number} width @param {number} height @returns {Area} */
export function areaOf(width, height) {
  return {
    left: EDGE.left,
    top: EDGE.top,
    width: Math.max(width - EDGE.left - EDGE.right, 10),
    height: Math.max(height - EDGE.top - EDGE.bottom, 10),
  };
}

/** The present colours and font of the page.
 *  @param {Host<PadFrame>} host */
export function pageColours(host) {
  return {
    ink: host.colour("text") || "#111418",
    paper: host.colour("background") || "#ffffff",
    grid: host.colour("border") || "#d5dae0",
    accent: host.colour("primary") || "#00588a",
    font: getComputedStyle(host.root).fontFamily || "sans-serif",
    ...forcedColours(),
  };
}

/** A function from a value to its marker, a colour and a shape.
 *  @param {Pad} frame @param {Row[]} rows @returns {(value: number) => { colour: string, symbol: string }} */
export function markerOf(frame, rows) {
  if (frame.target === "classes") {
    return (value) => frame.palette[value] ?? frame.palette[0];
  }
  if (frame.target === "height") return () => frame.palette[0];
  let [low, high] = frame.range;
  for (const row of rows) [low, high] = [Math.min(low, row[2]), Math.max(high, row[2])];
  const last = frame.scale.length - 1;
  return (value) => {
    const step = Math.floor(((value - low) / (high - low)) * frame.scale.length);
    return { colour: frame.scale[Math.max(0, Math.min(step, last))], symbol: "circle" };
  };
}

/** Draw the pad.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
export function draw(ctx, drawing, colours) {
  const { area } = drawing;
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  drawAxes(ctx, drawing, colours);
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.left - 1, area.top - 1, area.width + 2, area.height + 2);
  ctx.clip();
  drawRows(ctx, drawing, colours);
  drawPointer(ctx, drawing, colours);
  ctx.restore();
}

/** @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
function drawAxes(ctx, { view, area, frame, rows, hint }, { ink, grid, font: family }) {
  const { left, top, width, height } = area;
  const [right, bottom] = [left + width, top + height];
  const scene = { family, colours: { ink } };
  const columns = ticks(view.x[0], view.x[1], width / 70).map(({ value, text }) => ({ text, x: pixelOf([value, view.y[0]], view, area)[0] }));
  const levels = ticks(view.y[0], view.y[1], height / 60).map(({ value, text }) => ({ text, y: pixelOf([view.x[0], value], view, area)[1] }));
  const lines = [...columns.map(({ x }) => [sharp(x), top, sharp(x), bottom]), ...levels.map(({ y }) => [left, sharp(y), right, sharp(y)])];
  drawLines(ctx, lines, { stroke: grid, opacity: 0.5 });
  for (const { text, x } of columns) drawText(ctx, scene, text, x, bottom + 5, { align: "center", baseline: "top", opacity: 0.75 });
  for (const { text, y } of levels) drawText(ctx, scene, text, left - 6, y, { align: "right", opacity: 0.75 });
  drawText(ctx, scene, frame.axes[0], left + width / 2, bottom + 21, { align: "center", baseline: "top" });
  drawText(ctx, scene, frame.axes[1], 2, top - 4, { baseline: "top" });
  drawRect(ctx, { x: left, y: top, w: width, h: height }, { stroke: grid });
  if (!rows.length && hint) drawText(ctx, scene, hint, left + width / 2, top + height / 2, { size: 15, align: "center", opacity: 0.75 });
}

/** Middle of a row or column of pixels, so that a line there is sharp.
 *  @param {number} pixel */
const sharp = (pixel) => Math.round(pixel) + 0.5;

/** Draw the rows in view, each with a rim that parts it from its neighbours; on the scale of a number the rim
 *  has the colour of text, since a pale point would not stand out from the page.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
function drawRows(ctx, { view, area, frame, rows }, { paper, ink }) {
  const marker = markerOf(frame, rows);
  const radius = rows.length > 600 ? 4 : 5.5;
  const rim = frame.target === "colour" ? { stroke: ink, opacity: 0.6 } : { stroke: paper };
  for (const row of rows) {
    if (!isInView(view, row)) continue;
    const { colour, symbol } = marker(row[2]);
    const [x, y] = pixelOf(row, view, area);
    drawSymbol(ctx, symbol, x, y, radius, { fill: colour });
    drawSymbol(ctx, symbol, x, y, radius, rim);
  }
}

/** Draw the ring around the row that is moved, the reach of the tool, and the crosshair.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
function drawPointer(ctx, { view, area, cross, heldRow, hoverPixel, tool }, { accent: stroke, ink }) {
  /** @param {XY} centre @param {number} r @param {import("../types.d.ts").MarkStyle} style */
  const drawRing = ([x, y], r, style) => drawCircle(ctx, x, y, r, style);
  if (heldRow) drawRing(pixelOf(heldRow, view, area), 10, { stroke, width: 2 });
  if (hoverPixel && (tool === "erase" || tool === "spray")) {
    drawRing(hoverPixel, tool === "erase" ? REACH : SPRAY_RADIUS, { stroke: ink, opacity: 0.5 });
  }
  if (!cross) return;
  const [x, y] = pixelOf(cross, view, area);
  drawLine(ctx, [sharp(x), area.top, sharp(x), area.top + area.height], { stroke });
  drawLine(ctx, [area.left, sharp(y), area.left + area.width, sharp(y)], { stroke });
  drawRing([x, y], 7, { stroke, width: 2 });
}

const ARROWS = /** @type {const} */ ([
  ["left", "← ", "", "to the left"],
  ["right", "", " →", "to the right"],
  ["above", "↑ ", "", "above"],
  ["below", "↓ ", "", "below"],
]);

/** Show an arrow at each edge beyond which rows lie; when pressed, it calls `reach` with those rows.
 *  @param {HTMLElement} parent @param {Pick<Drawing, "view" | "rows">} drawing
 *  @param {(rows: Row[]) => void} reach */
export function showArrows(parent, drawing, reach) {
  const outside = rowsOutside(drawing.view, drawing.rows);
  for (const [side, before, after, direction] of ARROWS) {
    const rows = outside[side];
    const button = arrowOf(parent, side);
    button.hidden = !rows.length;
    button.textContent = before + grouped(rows.length) + after;
    const points = rows.length === 1 ? "1 point" : `${rows.length} points`;
    button.setAttribute("aria-label", `Show ${points} ${direction}`);
    button.title = `Show ${points} ${direction}`;
    button.onclick = () => reach(rows);
  }
}

/** The arrow of a side, which is created once.
 *  @param {HTMLElement} parent @param {string} side */
function arrowOf(parent, side) {
  const existing = /** @type {HTMLButtonElement | null} */ (parent.querySelector(`.to-${side}`));
  if (existing) return existing;
  const button = element("button", `tool arrow to-${side}`);
  button.type = "button";
  parent.append(button);
  return button;
}
