// What the pointer is near, and the tip beside it.

/** @import { Rect } from "../types.d.ts" */

/** True if a pixel lies in a rectangle, or at most `margin` pixels beside it.
 *  @param {Rect} rect @param {number} x @param {number} y @param {number} [margin] */
export function rectContains(rect, x, y, margin = 0) {
  return x >= rect.x - margin && x <= rect.x + rect.w + margin
    && y >= rect.y - margin && y <= rect.y + rect.h + margin;
}

/** The index of the point nearest to a pixel, the last of several; -1 if none is within `reach` pixels.
 *  @param {ArrayLike<number>[]} points  [across, up] @param {number} x @param {number} y @param {number} reach */
export function nearestPoint([xs, ys], x, y, reach) {
  let nearest = -1;
  let nearestDistance = reach * reach;
  for (let i = 0; i < xs.length; i++) {
    const [dx, dy] = [xs[i] - x, ys[i] - y];
    const distance = dx * dx + dy * dy;
    if (distance <= nearestDistance) [nearest, nearestDistance] = [i, distance];
  }
  return nearest;
}

/** Show a tip above a pixel of a box that is `width` pixels wide, below it where there is no room above; hides it without a text.
 *  @param {HTMLElement} tip @param {{ x: number, y: number, text: string } | null | undefined} point @param {number} width */
export function showTip(tip, point, width) {
  tip.hidden = !point;
  if (!point) return;
  tip.textContent = point.text;
  const top = point.y - tip.offsetHeight - 8;
  tip.style.left = `${Math.max(Math.min(point.x + 10, width - tip.offsetWidth), 0)}px`;
  tip.style.top = `${top < 0 ? point.y + 16 : top}px`;
}
