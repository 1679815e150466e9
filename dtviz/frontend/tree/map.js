// The map in the corner of a tree that goes on beyond its frame: all of it, and what is in sight.

import { element, placeIn } from "../lib/dom.js";
import { size } from "../stage/paint.js";

/** @import { Rect } from "../types.d.ts" */
/** @import { Moves, View } from "./view.js" */

const MOST = { w: 132, h: 84 };

/** A map on a box; `draw(wide, high)` shows what a view has in sight, and a press on it goes there.
 *  @param {HTMLElement} box @param {View} view @param {Moves["pan"]} pan */
export function mapOn(box, view, pan) {
  const canvas = element("canvas", "map");
  canvas.setAttribute("aria-hidden", "true"); // the keyboard walks the tree itself
  canvas.hidden = true;
  box.append(canvas);

  /** @param {number} wide @param {number} high */
  function draw(wide, high) {
    canvas.hidden = !goesOn(view, wide, high);
    if (canvas.hidden) return;
    const scale = scaleOf(view);
    const { w, h } = view.size;
    const pen = size(canvas, { width: w * scale, height: h * scale });
    pen.clearRect(0, 0, w * scale, h * scale);
    const ink = getComputedStyle(box).color;
    for (const node of view.nodes) {
      pen.fillStyle = node.group?.style.getPropertyValue("--hue") || ink;
      pen.fillRect(node.x * scale, node.y * scale, Math.max(node.w * scale, 1), Math.max(node.h * scale, 1));
    }
    const seen = inSight(view, wide, high);
    pen.strokeStyle = ink;
    pen.lineWidth = 1.5;
    pen.strokeRect(seen.x * scale, seen.y * scale, seen.w * scale, seen.h * scale);
  }

  /** Have what is under the pointer in the middle.
   *  @param {PointerEvent} event */
  function go(event) {
    event.stopPropagation(); // the tree itself is not dragged
    if (event.type !== "pointerdown" && !event.buttons) return;
    canvas.setPointerCapture(event.pointerId);
    const [x, y] = placeIn(canvas, event).map((one) => one / scaleOf(view));
    pan(box.clientWidth / 2 - view.x - x * view.scale, box.clientHeight / 2 - view.y - y * view.scale);
  }
  for (const name of /** @type {const} */ (["pointerdown", "pointermove"])) canvas.addEventListener(name, go);
  canvas.addEventListener("click", (event) => event.stopPropagation());
  return draw;
}

/** Whether a tree goes on beyond a frame.
 *  @param {View} view @param {number} wide @param {number} high */
export const goesOn = ({ size: { w, h }, scale, own }, wide, high) => own && (w * scale > wide + 1 || h * scale > high + 1);

/** @param {View} view */
const scaleOf = ({ size: { w, h } }) => Math.min(MOST.w / w, MOST.h / h);

/** What of a tree is in sight, in its own units.
 *  @param {View} view @param {number} wide @param {number} high @returns {Rect} */
export function inSight({ x, y, scale, size: { w, h } }, wide, high) {
  const [left, top] = [Math.max(-x / scale, 0), Math.max(-y / scale, 0)];
  return {
    x: left, y: top,
    w: Math.min((wide - x) / scale, w) - left, h: Math.min((high - y) / scale, h) - top,
  };
}
