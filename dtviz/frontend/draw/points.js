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

/** True for the pen of a canvas, which can copy an image.
 *  @param {Pen} pen @returns {pen is Stamper} */
export const isStamper = (pen) => "drawImage" in pen;
