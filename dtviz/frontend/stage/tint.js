// The stage's tint: both sides of the cut looked at, in the colour each would be, or the colour of the
// leaf where none is. It lies under the points, which keep their own.

import { isTinted, drawRegions } from "./draw.js";
import { colourOf, hasCuts } from "./paint.js";
import { fill, toPixels } from "./rings.js";
import { focusOf, halves, sideStatistics } from "./sides.js";

/** @import { Cut, CutPicture, Layout, Pen, Picture, Points, SideStatistics } from "../types.d.ts" */

/** @param {number[]} counts */
const majority = (counts) => counts.indexOf(Math.max(...counts));

/** Both sides of the cut of a leaf in the colour of the class each would predict, in place of the
 *  leaf's own; where none is known the left one is darker.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud
 *  @param {Cut | null} cut */
export function drawTint(pen, at, scene, cloud, cut) {
  pen.clearRect(0, 0, at.width, at.height);
  if (!hasCuts(scene) || !scene.seen || scene.fills[scene.focus] === undefined) return;
  if (cut) parts(pen, at, scene, cut, scene.classes ? sideStatistics(scene, cloud, cut) : null);
  else if (isTinted(scene, scene.focus)) drawRegions(pen, at, scene, (node) => (node === scene.focus ? 1 : null));
}

/** @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Cut} cut @param {SideStatistics | null} found */
function parts(pen, at, scene, cut, found) {
  const shade = scene.colours.dark ? 0.26 : 0.17;
  halves(scene, focusOf(scene), cut).forEach((half, k) => {
    if (!half.length) return;
    pen.fillStyle = found ? colourOf(scene, majority(k === 0 ? found.left : found.right)) : scene.colours.ink;
    pen.globalAlpha = found ? shade : k === 0 ? 0.12 : 0.02;
    fill(pen, toPixels(at, half));
  });
  pen.globalAlpha = 1;
}
