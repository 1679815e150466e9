// Map in the corner of a tree that is larger than its frame: the whole tree, and the part in sight.

import { blank } from "../draw/canvas.js";
import { drawRect } from "../draw/marks.js";
import { element, positionIn } from "../lib/dom.js";

/** @import { Rect } from "../types.d.ts" */
/** @import { PanAndZoom, TreeView } from "./view.js" */

const MAX_SIZE = { w: 132, h: 84 };

/** Put a map on a box; the function it returns draws the part that a view has in sight. A press on the map
 *  moves the view there.
 *  @param {HTMLElement} box @param {TreeView} view @param {PanAndZoom["pan"]} pan */
export function mapOn(box, view, pan) {
  const canvas = element("canvas", "map");
  canvas.setAttribute("aria-hidden", "true"); // the keyboard walks the tree itself
  canvas.hidden = true;
  box.append(canvas);

  /** @param {number} width @param {number} height */
  function draw(width, height) {
    canvas.hidden = !isBeyond(view, width, height);
    if (canvas.hidden) return;
    const scale = scaleOf(view);
    const { w, h } = view.size;
    const pen = blank(canvas, { width: w * scale, height: h * scale });
    const ink = getComputedStyle(box).color;
    for (const node of view.nodes) {
      const rect = { x: node.x * scale, y: node.y * scale, w: Math.max(node.w * scale, 1), h: Math.max(node.h * scale, 1) };
      drawRect(pen, rect, { fill: node.group?.style.getPropertyValue("--hue") || ink });
    }
    const visible = visibleRect(view, width, height);
    drawRect(pen, { x: visible.x * scale, y: visible.y * scale, w: visible.w * scale, h: visible.h * scale }, { stroke: ink, width: 1.5 });
  }

  /** Move the view so that the point under the pointer is in its middle.
   *  @param {PointerEvent} event */
  function go(event) {
    event.stopPropagation(); // so that the tree itself is not dragged
    if (event.type !== "pointerdown" && !event.buttons) return;
    canvas.setPointerCapture(event.pointerId);
    const [x, y] = positionIn(canvas, event).map((coordinate) => coordinate / scaleOf(view));
    pan(box.clientWidth / 2 - view.x - x * view.scale, box.clientHeight / 2 - view.y - y * view.scale);
  }
  for (const name of /** @type {const} */ (["pointerdown", "pointermove"])) canvas.addEventListener(name, go);
  canvas.addEventListener("click", (event) => event.stopPropagation());
  return draw;
}

/** True if a tree that the user has zoomed or moved is larger than its frame.
 *  @param {TreeView} view @param {number} width @param {number} height */
export const isBeyond = ({ size: { w, h }, scale, isManual }, width, height) => isManual && (w * scale > width + 1 || h * scale > height + 1);

/** @param {TreeView} view */
const scaleOf = ({ size: { w, h } }) => Math.min(MAX_SIZE.w / w, MAX_SIZE.h / h);

/** Part of a tree that is in sight, in units of the tree.
 *  @param {TreeView} view @param {number} width @param {number} height @returns {Rect} */
export function visibleRect({ x, y, scale, size: { w, h } }, width, height) {
  const [left, top] = [Math.max(-x / scale, 0), Math.max(-y / scale, 0)];
  return {
    x: left, y: top,
    w: Math.min((width - x) / scale, w) - left, h: Math.min((height - y) / scale, h) - top,
  };
}
