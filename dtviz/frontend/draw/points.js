// Points of rows: the shape and the colour of each class, or the colour of a number.

import { drawSymbol } from "./marks.js";

/** @import { Ground, MarkStyle, Pen, Stamper } from "../types.d.ts" */

/** The colour of a class, or of a step of the scale.
 *  @param {Pick<Ground, "classes" | "scale">} scene @param {number} code */
export function colourOf(scene, code) {
  return scene.classes ? scene.classes[code][1] : (scene.scale ?? [])[code];
}

/** The radius of a point where so many are drawn.
 *  @param {number} count */
export function radius(count) {
  return count <= 60 ? 5.2 : count <= 600 ? 3.8 : count <= 2500 ? 2.7 : count <= 8000 ? 2 : 1.5;
}

/** Draw one point, with a rim if the point is large enough; a held-out row is hollow.
 *  @param {Pen} pen @param {Ground & { hollow?: boolean }} scene @param {number} code @param {number} x
 *  @param {number} y @param {number} r @param {number} [opacity] */
export function drawPoint(pen, scene, code, x, y, r, opacity = 1) {
  const { dark, ink, paper, muted } = scene.colours;
  const colour = colourOf(scene, code);
  /** @type {MarkStyle} */
  const style = { opacity };
  if (scene.hollow) Object.assign(style, { stroke: colour, width: r < 2.5 ? 1.2 : dark ? 2.2 : 1.7 });
  else {
    style.fill = colour;
    if (r >= 2.5) Object.assign(style, { stroke: !scene.classes ? muted : dark ? ink : paper, width: 0.6 });
  }
  drawSymbol(pen, scene.classes ? scene.classes[code][2] : "circle", x, y, r, style);
}

/** A function that draws the point of a class at a pixel: on a canvas the point is drawn once and copied, which is faster.
 *  @param {Pen} pen @param {Ground & { hollow?: boolean }} scene @param {number} code @param {number} r @param {number} opacity
 *  @returns {(x: number, y: number) => void} */
export function stampOf(pen, scene, code, r, opacity) {
  if (!isStamper(pen)) return (x, y) => drawPoint(pen, scene, code, x, y, r, opacity);
  const ratio = pen.getTransform().a;
  const size = Math.ceil((2.6 * r + 2) * ratio);
  const sheet = new OffscreenCanvas(size, size);
  const sheetPen = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext("2d"));
  sheetPen.scale(ratio, ratio);
  drawPoint(sheetPen, scene, code, size / ratio / 2, size / ratio / 2, r, opacity);
  return (x, y) => {
    const [px, py] = [Math.round(x * ratio - size / 2), Math.round(y * ratio - size / 2)];
    pen.drawImage(sheet, px / ratio, py / ratio, size / ratio, size / ratio);
  };
}

const RADII_A_PIXEL = 10; // radii that a bitmap tells apart

/** Bitmap of many points, each with its own radius, 0 for no point. Pixels are copied from one drawing of each look: a drawing call a point takes
 *  many times as long.
 *  @param {Stamper} pen  whose pixels the bitmap has @param {{ width: number, height: number }} size @param {Ground} scene
 *  @param {{ spots: ArrayLike<number>[], code: ArrayLike<number> }} points @param {(i: number) => number} radiusOf @param {number} opacity */
export function bitmapOf(pen, { width, height }, scene, { spots: [xs, ys], code: codes }, radiusOf, opacity) {
  const ratio = pen.getTransform().a;
  const sheet = new OffscreenCanvas(Math.round(width * ratio), Math.round(height * ratio));
  const sheetPen = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext("2d"));
  const bitmap = sheetPen.createImageData(sheet.width, sheet.height);
  /** @type {Map<number, ImageData>} */
  const looks = new Map();
  for (let i = 0; i < xs.length; i++) {
    const [code, radii] = [codes[i], Math.round(radiusOf(i) * RADII_A_PIXEL)];
    if (!radii) continue;
    const key = 256 * radii + code;
    const look = looks.get(key) ?? lookOf(scene, code, radii / RADII_A_PIXEL, ratio, opacity);
    if (!looks.has(key)) looks.set(key, look);
    copyLook(bitmap, look, Math.round(xs[i] * ratio - look.width / 2), Math.round(ys[i] * ratio - look.width / 2));
  }
  sheetPen.putImageData(bitmap, 0, 0);
  return sheet;
}

/** Pixels of one point.
 *  @param {Ground} scene @param {number} code @param {number} r @param {number} ratio @param {number} opacity */
function lookOf(scene, code, r, ratio, opacity) {
  const size = Math.ceil((2.6 * r + 2) * ratio);
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(size, size).getContext("2d", { willReadFrequently: true }));
  pen.scale(ratio, ratio);
  drawPoint(pen, scene, code, size / ratio / 2, size / ratio / 2, r, opacity);
  return pen.getImageData(0, 0, size, size);
}

/** Copy a look over a bitmap, with its left upper corner at a pixel.
 *  @param {ImageData} bitmap @param {ImageData} look @param {number} left @param {number} top */
function copyLook({ data: under, width, height }, { data: over, width: size }, left, top) {
  const [first, last] = [Math.max(0, -left), Math.min(size, width - left)];
  for (let y = Math.max(0, -top); y < Math.min(size, height - top); y++) {
    for (let x = first; x < last; x++) {
      const [from, to] = [4 * (y * size + x), 4 * ((top + y) * width + left + x)];
      const alpha = over[from + 3] / 255;
      if (!alpha) continue;
      const rest = (under[to + 3] / 255) * (1 - alpha);
      const sum = alpha + rest;
      for (let k = 0; k < 3; k++) under[to + k] = (over[from + k] * alpha + under[to + k] * rest) / sum;
      under[to + 3] = 255 * sum;
    }
  }
}

/** True for the pen of a canvas, which can copy an image.
 *  @param {Pen} pen @returns {pen is Stamper} */
export const isStamper = (pen) => "drawImage" in pen;
