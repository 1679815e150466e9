// The pad on its canvas: grid, points, and what the hand or the keys are about to do.

import { grouped, ticks } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { element } from "../lib/dom.js";
import { rowsOutside, pixel, isInView } from "./view.js";
import { REACH, SPREAD } from "./tools.js";

/** @import { Pad } from "../frames.d.ts" */
/** @import { Host } from "../lib/channel.js" */
/** @import { Of } from "../types.d.ts" */
/** @import { Row, Tool } from "./tools.js" */
/** @import { Area, Place, View } from "./view.js" */

/**
 * What is drawn.
 * @typedef {object} Drawing
 * @property {Pad} frame
 * @property {Row[]} rows
 * @property {View} view
 * @property {Area} area
 * @property {Tool} tool
 * @property {Place | null} cross
 * @property {Row | null} held
 * @property {Place | null} hover  in pixels
 * @property {string} hint  what is said where there are no rows
 *
 * @typedef {ReturnType<typeof pageColours>} Inks
 * @typedef {CanvasRenderingContext2D} Canvas
 */

const EDGE = { left: 44, right: 10, top: 10, bottom: 38 };

/** Where the plane stands on a canvas of a size.
 *  @param {number} width @param {number} height @returns {Area} */
export function areaOf(width, height) {
  return {
    left: EDGE.left,
    top: EDGE.top,
    width: Math.max(width - EDGE.left - EDGE.right, 10),
    height: Math.max(height - EDGE.top - EDGE.bottom, 10),
  };
}

/** The colours of the page as they are now.
 *  @param {Host<Of<"pad">>} host */
export function pageColours(host) {
  return {
    ink: host.colour("text") || "#111418",
    paper: host.colour("background") || "#ffffff",
    grid: host.colour("border") || "#d5dae0",
    accent: host.colour("primary") || "#00588a",
    font: getComputedStyle(host.root).fontFamily || "sans-serif",
  };
}

/** What a value looks like: its colour and marker shape.
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

/** Draw all of it.
 *  @param {Canvas} ctx @param {Drawing} pad @param {Inks} colours */
export function draw(ctx, pad, colours) {
  const { area } = pad;
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  ctx.lineWidth = 1;
  axes(ctx, pad, colours);
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.left - 1, area.top - 1, area.width + 2, area.height + 2);
  ctx.clip();
  points(ctx, pad, colours);
  hand(ctx, pad, colours);
  ctx.restore();
}

/** @param {Canvas} ctx @param {Drawing} drawing @param {Inks} inks */
function axes(ctx, { view, area, frame, rows, hint }, { ink, grid, font }) {
  const right = area.left + area.width;
  const bottom = area.top + area.height;
  ctx.font = `12px ${font}`;
  ctx.strokeStyle = grid;
  /** @param {Place} from @param {Place} to */
  const line = (from, to) => {
    ctx.globalAlpha = 0.5;
    stroke(ctx, from, to);
    ctx.globalAlpha = 1;
  };
  /** @param {string} said @param {number} x @param {number} y */
  const text = (said, x, y, alpha = 0.75) => {
    ctx.globalAlpha = alpha;
    ctx.fillStyle = ink;
    ctx.fillText(said, x, y);
    ctx.globalAlpha = 1;
  };
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  for (const tick of ticks(view.x[0], view.x[1], area.width / 70)) {
    const [x] = pixel([tick.value, view.y[0]], view, area);
    line([x, area.top], [x, bottom]);
    text(tick.text, x, bottom + 5);
  }
  text(frame.axes[0], area.left + area.width / 2, bottom + 21, 1);
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  for (const tick of ticks(view.y[0], view.y[1], area.height / 60)) {
    const [, y] = pixel([view.x[0], tick.value], view, area);
    line([area.left, y], [right, y]);
    text(tick.text, area.left - 6, y);
  }
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  text(frame.axes[1], 2, area.top - 4, 1);
  ctx.strokeRect(area.left, area.top, area.width, area.height);
  if (!rows.length && hint) {
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `15px ${font}`;
    text(hint, area.left + area.width / 2, area.top + area.height / 2);
  }
}

/** Each point has a rim that parts it from its neighbours; on the scale, from the page too.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {Inks} inks */
function points(ctx, { view, area, frame, rows }, { paper, ink }) {
  const look = markerOf(frame, rows);
  const radius = rows.length > 600 ? 4 : 5.5;
  ctx.strokeStyle = frame.target === "colour" ? ink : paper;
  for (const row of rows) {
    if (!isInView(view, row)) continue;
    const { colour, symbol } = look(row[2]);
    ctx.beginPath();
    mark(ctx, symbol, ...pixel(row, view, area), radius);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.globalAlpha = frame.target === "colour" ? 0.6 : 1;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
}

/** The ring around what is held, the reach of the tool, and the crosshair of the keys.
 *  @param {Canvas} ctx @param {Drawing} drawing @param {Inks} inks */
function hand(ctx, { view, area, cross, held, hover, tool }, { accent, ink }) {
  ctx.strokeStyle = accent;
  ctx.lineWidth = 2;
  if (held) ring(ctx, pixel(held, view, area), 10);
  ctx.lineWidth = 1;
  if (hover && (tool === "erase" || tool === "spray")) {
    ctx.strokeStyle = ink;
    ctx.globalAlpha = 0.5;
    ring(ctx, hover, tool === "erase" ? REACH : SPREAD);
    ctx.globalAlpha = 1;
  }
  if (!cross) return;
  const [x, y] = pixel(cross, view, area);
  ctx.strokeStyle = accent;
  stroke(ctx, [x, area.top], [x, area.top + area.height]);
  stroke(ctx, [area.left, y], [area.left + area.width, y]);
  ctx.lineWidth = 2;
  ring(ctx, [x, y], 7);
}

/** @param {Canvas} ctx @param {Place} given @param {number} radius */
function ring(ctx, [x, y], radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.stroke();
}

/** @param {Canvas} ctx @param {Place} from @param {Place} to */
function stroke(ctx, [ax, ay], [bx, by]) {
  /** @param {number} v */
  const sharp = (v) => Math.round(v) + 0.5;
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

const WAYS = /** @type {const} */ ([
  ["left", "← ", "", "to the left"],
  ["right", "", " →", "to the right"],
  ["above", "↑ ", "", "above"],
  ["below", "↓ ", "", "below"],
]);

/** An arrow at each edge beyond which rows lie; pressed, it calls `reach` with those rows.
 *  @param {HTMLElement} holder @param {Pick<Drawing, "view" | "rows">} pad
 *  @param {(rows: Row[]) => void} reach */
export function showArrows(holder, pad, reach) {
  const beyond = rowsOutside(pad.view, pad.rows);
  for (const [side, before, after, where] of WAYS) {
    const rows = beyond[side];
    const button = arrowIn(holder, side);
    button.hidden = !rows.length;
    button.textContent = before + grouped(rows.length) + after;
    const many = rows.length === 1 ? "1 point" : `${rows.length} points`;
    button.setAttribute("aria-label", `Show ${many} ${where}`);
    button.title = `Show ${many} ${where}`;
    button.onclick = () => reach(rows);
  }
}

/** The arrow of a side, which is made once.
 *  @param {HTMLElement} holder @param {string} side */
function arrowIn(holder, side) {
  const there = /** @type {HTMLButtonElement | null} */ (holder.querySelector(`.to-${side}`));
  if (there) return there;
  const made = element("button", `tool arrow to-${side}`);
  made.type = "button";
  holder.append(made);
  return made;
}
