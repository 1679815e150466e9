// Drawing that every part of the stage shares: canvas sizes, fonts, colours, points and their opacity.

import { zoomOf } from "../lib/dom.js";
import { mark } from "../lib/marks.js";

/** @import { CutPicture, Ground, Pen, Picture } from "../types.d.ts" */

/** Gives a canvas its size on the page, with as many pixels as the screen has there, and returns its pen.
 *  @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} layout */
export function size(canvas, { width, height }) {
  const ratio = (window.devicePixelRatio || 1) * zoomOf(canvas);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  for (const [side, length] of /** @type {const} */ ([["width", `${width}px`], ["height", `${height}px`]])) {
    if (canvas.style[side] !== length) canvas.style[side] = length; // writing an equal length costs a page layout
  }
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

/** The font of the page in a size.
 *  @param {{ family: string }} scene @param {number} pixels @param {string} [weight] */
export function font(scene, pixels, weight = "") {
  return `${weight} ${pixels}px ${scene.family}`.trim();
}

/** The text, cut so that it is no wider than `room` pixels.
 *  @param {Pen} pen @param {string} text @param {number} room */
export function fitText(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let start = text;
  while (start.length > 1 && pen.measureText(`${start}…`).width > room) start = start.slice(0, -1);
  return `${start}…`;
}

/** The colour of a class, or of a step of the scale.
 *  @param {Ground} scene @param {number} code */
export function colourOf(scene, code) {
  return scene.classes ? scene.classes[code][1] : (scene.scale ?? [])[code];
}

const FULL_OPACITY = 0.92;
const FAR_OPACITY = 0.4; // of a point of the focus that is far from the slice
const MAX_NEARNESS = 7; // the value of `nearness` for the points in the slice

/** The radius of a point where so many are drawn.
 *  @param {number} count */
export function radius(count) {
  return count <= 60 ? 5.2 : count <= 600 ? 3.8 : count <= 2500 ? 2.7 : count <= 8000 ? 2 : 1.5;
}

/** True if a picture has cuts; a bare picture has none.
 *  @type {(scene: Picture) => scene is CutPicture} */
export const hasCuts = (scene) => scene.cuts !== undefined;

/** True if point i belongs to the focus; the points are packed as bits, the first one highest.
 *  @param {Picture} scene @param {number} i */
export function isInFocus(scene, i) {
  return !scene.in_focus || Boolean(scene.in_focus[i >> 3] & (128 >> (i & 7)));
}

/** The opacities of points, the faintest first, each with a test for its points: points of the focus are drawn
 *  over the others, and among the former the points near the slice over those far from it.
 *  @param {Picture} scene @returns {Array<[opacity: number, hasPoint: (i: number) => boolean]>} */
export function opacities(scene) {
  if (!scene.in_focus) return [[FULL_OPACITY, () => true]];
  const faint = scene.classes && !scene.colours.dark ? 0.16 : 0.3;
  /** @type {Array<[number, (i: number) => boolean]>} */
  const layers = [[faint, (i) => !isInFocus(scene, i)]];
  const { nearness } = scene;
  if (!nearness) return [...layers, [FULL_OPACITY, (i) => isInFocus(scene, i)]];
  for (let k = 0; k <= MAX_NEARNESS; k++) {
    layers.push([FAR_OPACITY + ((FULL_OPACITY - FAR_OPACITY) * k) / MAX_NEARNESS, (i) => nearness[i] === k && isInFocus(scene, i)]);
  }
  return layers;
}

/** Draws one point, with a rim if the point is large enough; a held-out row is hollow.
 *  @param {Pen} pen @param {Picture} scene @param {number} code @param {number} x
 *  @param {number} y @param {number} r */
export function drawPoint(pen, scene, code, x, y, r) {
  pen.beginPath();
  mark(pen, scene.classes ? scene.classes[code][2] : "circle", x, y, r);
  const { dark, ink, paper, muted } = scene.colours;
  pen.setLineDash([]);
  if (scene.hollow) {
    rim(pen, colourOf(scene, code), r < 2.5 ? 1.2 : dark ? 2.2 : 1.7);
    return;
  }
  pen.fillStyle = colourOf(scene, code);
  pen.fill();
  if (r >= 2.5) rim(pen, !scene.classes ? muted : dark ? ink : paper, 0.6);
}

/** @param {Pen} pen @param {string} colour @param {number} width */
function rim(pen, colour, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke();
}
