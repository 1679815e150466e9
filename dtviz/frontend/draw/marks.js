// Marks: every line, area, circle and text of a picture. A mark takes its whole style with each call and leaves the pen
// opaque and without dashes, so that no mark depends on those drawn before it.
//
// Glossary
//   corners  x and y in turn, in pixels
//   ring     the corners of a polygon; NaN for both stands between the parts of one in several

import { mark } from "./shapes.js";

/** @import { MarkStyle, Path, Pen, Rect, Ring, TextStyle } from "../types.d.ts" */

/** Fill and strokes the path that `addPath` adds to the pen.
 *  @param {Pen} pen @param {(path: Pen) => void} addPath @param {MarkStyle} style */
export function drawPath(pen, addPath, style) {
  pen.beginPath();
  addPath(pen);
  paint(pen, style, () => pen.fill(), () => pen.stroke());
}

/** @param {Pen} pen @param {MarkStyle} style @param {() => void} fill @param {() => void} stroke */
function paint(pen, { fill: fillColour, stroke: strokeColour, width = 1, dash = [], opacity = 1 }, fill, stroke) {
  pen.globalAlpha = opacity;
  if (fillColour !== undefined) {
    pen.fillStyle = fillColour;
    fill();
  }
  if (strokeColour !== undefined) {
    pen.strokeStyle = strokeColour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    stroke();
    if (dash.length) pen.setLineDash([]);
  }
  pen.globalAlpha = 1;
}

/** Add lines through corners to a path.
 *  @param {Path} path @param {ArrayLike<number>} corners */
export function trace(path, corners) {
  for (let k = 0; k < corners.length; k += 2) {
    if (k) path.lineTo(corners[k], corners[k + 1]);
    else path.moveTo(corners[k], corners[k + 1]);
  }
}

/** Draw a line through corners.
 *  @param {Pen} pen @param {ArrayLike<number>} corners @param {MarkStyle} style */
export const drawLine = (pen, corners, style) => drawPath(pen, (path) => trace(path, corners), style);

/** Draw many lines at once, which is faster than one by one.
 *  @param {Pen} pen @param {Iterable<ArrayLike<number>>} lines @param {MarkStyle} style */
export function drawLines(pen, lines, style) {
  drawPath(pen, (path) => { for (const corners of lines) trace(path, corners); }, style);
}

/** Draw a rectangle.
 *  @param {Pen} pen @param {Rect} rect @param {MarkStyle} style */
export function drawRect(pen, { x, y, w, h }, style) {
  paint(pen, style, () => pen.fillRect(x, y, w, h), () => pen.strokeRect(x, y, w, h));
}

/** Draw many rectangles at once, which is faster than one by one.
 *  @param {Pen} pen @param {Iterable<Rect>} rects @param {MarkStyle} style */
export function drawRects(pen, rects, style) {
  drawPath(pen, (path) => { for (const { x, y, w, h } of rects) path.rect(x, y, w, h); }, style);
}

/** Draw a circle.
 *  @param {Pen} pen @param {number} x @param {number} y @param {number} r @param {MarkStyle} style */
export const drawCircle = (pen, x, y, r, style) => drawPath(pen, (path) => path.arc(x, y, r, 0, 2 * Math.PI), style);

/** Draw a shape of shapes.js.
 *  @param {Pen} pen @param {string} shape @param {number} x @param {number} y @param {number} r @param {MarkStyle} style */
export const drawSymbol = (pen, shape, x, y, r, style) => drawPath(pen, (path) => mark(path, shape, x, y, r), style);

/** Draw cells of equal width in a row, one in each colour.
 *  @param {Pen} pen @param {string[]} colours @param {Rect} rect */
export function drawColourScale(pen, colours, { x, y, w, h }) {
  const cell = w / colours.length;
  // half a pixel more, so that no gap is seen between cells
  colours.forEach((fill, k) => drawRect(pen, { x: x + k * cell, y, w: cell + 0.5, h }, { fill }));
}

/** Draw with the pen moved across and down.
 *  @param {Pen} pen @param {number} x @param {number} y @param {() => void} draw */
export function moved(pen, x, y, draw) {
  pen.save();
  pen.translate(x, y);
  draw();
  pen.restore();
}

// --- polygons -------------------------------------------------------------------------------------

/** The parts of a ring, each a ring.
 *  @param {Ring} ring @returns {Ring[]} */
export function parts(ring) {
  const gap = ring.findIndex(Number.isNaN);
  return gap < 0 ? [ring] : [ring.subarray(0, gap), ...parts(ring.subarray(gap + 2))];
}

/** Fill a ring.
 *  @param {Pen} pen @param {Ring} ring @param {MarkStyle} style */
export function fillRing(pen, ring, style) {
  for (const part of parts(ring)) drawPart(pen, part, style);
}

/** Draw the rim of a ring.
 *  @param {Pen} pen @param {Ring} ring @param {MarkStyle} style */
export function drawRim(pen, ring, style) {
  const rings = parts(ring);
  if (rings.length > 1) drawLines(pen, rimOfUnion(rings), style);
  else drawPart(pen, ring, style);
}

/** @param {Pen} pen @param {Ring} part @param {MarkStyle} style */
function drawPart(pen, part, style) {
  const rect = rectOf(part);
  if (rect) drawRect(pen, rect, style);
  else drawPath(pen, (path) => { trace(path, part); path.closePath(); }, style);
}

/** The edges that only one of the parts has: an edge between two parts is no rim.
 *  @param {Ring[]} rings */
function rimOfUnion(rings) {
  const edges = rings.flatMap((part) => Array.from({ length: part.length / 2 }, (_, k) => {
    const next = (2 * k + 2) % part.length;
    return [part[2 * k], part[2 * k + 1], part[next], part[next + 1]];
  }));
  const keys = new Set(edges.map(String));
  return edges.filter(([ax, ay, bx, by]) => !keys.has(String([bx, by, ax, ay])));
}

/** A ring that is an upright rectangle as a rectangle, else null: a canvas draws rectangles faster than paths, and with
 *  sharper corners.
 *  @param {Ring} ring @returns {Rect | null} */
function rectOf([ax, ay, bx, by, cx, cy, dx, dy, ...more]) {
  const isUpright = (ax === bx && by === cy && cx === dx && dy === ay) || (ay === by && bx === cx && cy === dy && dx === ax);
  return isUpright && !more.length ? { x: Math.min(ax, cx), y: Math.min(ay, cy), w: Math.abs(cx - ax), h: Math.abs(cy - ay) } : null;
}

// --- texts ----------------------------------------------------------------------------------------

/** The font of the page in a size.
 *  @param {{ family: string }} scene @param {number} pixels @param {string} [weight] */
export const font = (scene, pixels, weight = "") => `${weight} ${pixels}px ${scene.family}`.trim();

/** Make the function that measures the width of a text in pixels.
 *  @param {Pick<Pen, "font" | "measureText">} pen @param {{ family: string }} scene @param {number} [pixels] @param {string} [weight]
 *  @returns {(text: string) => number} */
export function textWidth(pen, scene, pixels = 12, weight = "") {
  const textFont = font(scene, pixels, weight);
  return (text) => {
    pen.font = textFont;
    return pen.measureText(text).width;
  };
}

/** The text, cut so that it is no wider than `room` pixels.
 *  @param {(text: string) => number} width @param {string} text @param {number} room */
export function fitText(width, text, room) {
  if (width(text) <= room) return text;
  const letters = [...text]; // an emoji is one letter
  while (letters.length > 1 && width(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** Write a text, by default in ink, 12 pixels high, to the right of (x, y), its middle at y; cut to `room` if that is given.
 *  @param {Pen} pen @param {{ family: string, colours: { ink: string } }} scene @param {string} text @param {number} x @param {number} y
 *  @param {TextStyle} [style] */
export function drawText(pen, scene, text, x, y, style = {}) {
  const { size = 12, weight = "", colour = scene.colours.ink, align = "left", baseline = "middle", room, upright = false, opacity = 1 } = style;
  const words = room === undefined ? text : fitText(textWidth(pen, scene, size, weight), text, room);
  pen.font = font(scene, size, weight);
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.textBaseline = baseline;
  pen.globalAlpha = opacity;
  if (upright) {
    moved(pen, x, y, () => {
      pen.rotate(-Math.PI / 2);
      pen.fillText(words, 0, 0);
    });
  } else pen.fillText(words, x, y);
  pen.globalAlpha = 1;
}
