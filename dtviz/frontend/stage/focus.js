// The node in focus: whether a picture has its cuts, and which points it has.

/** @import { CutPicture, Picture } from "../types.d.ts" */

const FULL_OPACITY = 0.92;
const FAR_OPACITY = 0.4; // of a point of the focus that is far from the slice
const MAX_NEARNESS = 7; // the value of `nearness` for the points in the slice

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
