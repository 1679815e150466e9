// What every part of the stage draws with: font, colours, one point, the rows of the focus.

import { zoomOf } from "../lib/dom.js";
import { mark } from "../lib/marks.js";

/** @import { CutPicture, Ground, Pen, Picture } from "../types.d.ts" */

/** Give a canvas its size on the page, as sharp as the screen is; its pen.
 *  @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} given */
export function size(canvas, { width, height }) {
  const ratio = (window.devicePixelRatio || 1) * zoomOf(canvas);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  for (const [side, length] of /** @type {const} */ ([["width", `${width}px`], ["height", `${height}px`]])) {
    if (canvas.style[side] !== length) canvas.style[side] = length; // to write the same costs a new layout
  }
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

/** The page's own font in a size.
 *  @param {{ family: string }} scene @param {number} pixels @param {string} [weight] */
export function font(scene, pixels, weight = "") {
  return `${weight} ${pixels}px ${scene.family}`.trim();
}

/** The text, cut so that it is no wider than `room`.
 *  @param {Pen} pen @param {string} text @param {number} room */
export function fitText(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 1 && pen.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** @param {Ground} scene @param {number} code */
export function colourOf(scene, code) {
  return scene.classes ? scene.classes[code][1] : (scene.scale ?? [])[code];
}

const STRONG = 0.92;
const FAR = 0.4; // of a point of the focus that is far from the slice
const NEAREST = 7;

/** @param {number} count */
export function radius(count) {
  return count <= 60 ? 5.2 : count <= 600 ? 3.8 : count <= 2500 ? 2.7 : count <= 8000 ? 2 : 1.5;
}

/** Whether there are cuts: a bare picture has none.
 *  @type {(scene: Picture) => scene is CutPicture} */
export const hasCuts = (scene) => scene.cuts !== undefined;

/** Whether point i belongs to the focus (bits are packed, the first one highest).
 *  @param {Picture} scene @param {number} i */
export function isInFocus(scene, i) {
  return !scene.inside || Boolean(scene.inside[i >> 3] & (128 >> (i & 7)));
}

/** How strong points are drawn, the faintest first, and which: those of the focus over the others, and
 *  of these the ones near the slice over those far from it.
 *  @param {Picture} scene @returns {Array<[alpha: number, drawn: (i: number) => boolean]>} */
export function opacities(scene) {
  if (!scene.inside) return [[STRONG, () => true]];
  const faint = scene.classes && !scene.colours.dark ? 0.16 : 0.3;
  /** @type {Array<[number, (i: number) => boolean]>} */
  const found = [[faint, (i) => !isInFocus(scene, i)]];
  const { near } = scene;
  if (!near) return [...found, [STRONG, (i) => isInFocus(scene, i)]];
  for (let k = 0; k <= NEAREST; k++) {
    found.push([FAR + ((STRONG - FAR) * k) / NEAREST, (i) => near[i] === k && isInFocus(scene, i)]);
  }
  return found;
}

/** One point, with its rim where it is large enough; a row held out is hollow.
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
