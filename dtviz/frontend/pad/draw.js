// The pad on its canvas: grid, points, and the marks of the pointer and the crosshair.

import { ticks } from "../draw/scales.js";
import { grouped } from "../lib/format.js";
import { mark } from "../draw/shapes.js";
import { element } from "../lib/dom.js";
import { isInView, pixelOf, rowsOutside } from "./view.js";
import { REACH, SPRAY_RADIUS } from "./tools.js";

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

/** Draws the pad.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
export function draw(ctx, drawing, colours) {
  const { area } = drawing;
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  ctx.lineWidth = 1;
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
function drawAxes(ctx, { view, area, frame, rows, hint }, { ink, grid, font }) {
  const right = area.left + area.width;
  const bottom = area.top + area.height;
  ctx.font = `12px ${font}`;
  ctx.strokeStyle = grid;
  /** @param {XY} from @param {XY} to */
  const drawLine = (from, to) => {
    ctx.globalAlpha = 0.5;
    stroke(ctx, from, to);
    ctx.globalAlpha = 1;
  };
  /** @param {string} text @param {number} x @param {number} y */
  const write = (text, x, y, alpha = 0.75) => {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = ink;
    ctx.fillText(text, x, y);
    ctx.globalAlpha = 1;
  };
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  for (const tick of ticks(view.x[0], view.x[1], area.width / 70)) {
    const [x] = pixelOf([tick.value, view.y[0]], view, area);
    drawLine([x, area.top], [x, bottom]);
    write(tick.text, x, bottom + 5);
  }
  write(frame.axes[0], area.left + area.width / 2, bottom + 21, 1);
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const tick of ticks(view.y[0], view.y[1], area.height / 60)) {
    const [, y] = pixelOf([view.x[0], tick.value], view, area);
    drawLine([area.left, y], [right, y]);
    write(tick.text, area.left - 6, y);
  }
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  write(frame.axes[1], 2, area.top - 4, 1);
  ctx.strokeRect(area.left, area.top, area.width, area.height);
  if (!rows.length && hint) {
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `15px ${font}`;
    write(hint, area.left + area.width / 2, area.top + area.height / 2);
  }
}

/** Draws the rows in view, each with a rim that parts it from its neighbours; on the scale of a number the rim
 *  has the colour of text, since a pale point would not stand out from the page.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
function drawRows(ctx, { view, area, frame, rows }, { paper, ink }) {
  const marker = markerOf(frame, rows);
  const radius = rows.length > 600 ? 4 : 5.5;
  ctx.strokeStyle = frame.target === "colour" ? ink : paper;
  for (const row of rows) {
    if (!isInView(view, row)) continue;
    const { colour, symbol } = marker(row[2]);
    ctx.beginPath();
    mark(ctx, symbol, ...pixelOf(row, view, area), radius);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.globalAlpha = frame.target === "colour" ? 0.6 : 1;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

/** Draws the ring around the row that is moved, the reach of the tool, and the crosshair.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {PageColours} colours */
function drawPointer(ctx, { view, area, cross, heldRow, hoverPixel, tool }, { accent, ink }) {
  ctx.strokeStyle = accent;
  ctx.lineWidth = 2;
  if (heldRow) ring(ctx, pixelOf(heldRow, view, area), 10);
  ctx.lineWidth = 1;
  if (hoverPixel && (tool === "erase" || tool === "spray")) {
    ctx.strokeStyle = ink;
    ctx.globalAlpha = 0.5;
    ring(ctx, hoverPixel, tool === "erase" ? REACH : SPRAY_RADIUS);
    ctx.globalAlpha = 1;
  }
  if (!cross) return;
  const [x, y] = pixelOf(cross, view, area);
  ctx.strokeStyle = accent;
  stroke(ctx, [x, area.top], [x, area.top + area.height]);
  stroke(ctx, [area.left, y], [area.left + area.width, y]);
  ctx.lineWidth = 2;
  ring(ctx, [x, y], 7);
}

/** @param {Canvas} ctx @param {XY} centre @param {number} radius */
function ring(ctx, [x, y], radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.stroke();
}

/** Draws an upright or level line, sharp: in the middle of a row or column of pixels.
 *  @param {Canvas} ctx @param {XY} from @param {XY} to */
function stroke(ctx, [ax, ay], [bx, by]) {
  /** @param {number} pixel */
  const sharp = (pixel) => Math.round(pixel) + 0.5;
  ctx.beginPath();
  if (ax === bx) {
    ctx.moveTo(sharp(ax), ay);
    ctx.lineTo(sharp(ax), by);
  } else {
    ctx.moveTo(ax, sharp(ay));
    ctx.lineTo(bx, sharp(ay));
  }
  ctx.stroke();
}

const ARROWS = /** @type {const} */ ([
  ["left", "← ", "", "to the left"],
  ["right", "", " →", "to the right"],
  ["above", "↑ ", "", "above"],
  ["below", "↓ ", "", "below"],
]);

/** Shows an arrow at each edge beyond which rows lie; when pressed, it calls `reach` with those rows.
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
