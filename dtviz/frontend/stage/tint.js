// The stage's tint: both sides of the cut looked at, in the colour each would be. It lies under the
// points, which keep their own.

import { isParted } from "./draw.js";
import { colourOf, hasCuts } from "./paint.js";
import { fill, placed } from "./rings.js";
import { focusOf, halves, sides } from "./sides.js";

/** @import { Cut, Layout, Pen, Picture, Points } from "../types.d.ts" */

/** @param {number[]} counts */
const majority = (counts) => counts.indexOf(Math.max(...counts));

/** Both sides of the cut of a leaf in the colour of the class each would predict, in place of the
 *  leaf's own; where none is known the left one is darker.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud
 *  @param {Cut | null} cut */
export function drawTint(pen, at, scene, cloud, cut) {
  pen.clearRect(0, 0, at.width, at.height);
  if (!cut || !hasCuts(scene) || !scene.seen || scene.fills[scene.focus] === undefined) return;
  const found = scene.classes && sides(scene, cloud, cut);
  const shade = scene.colours.dark ? 0.26 : 0.17;
  halves(scene, focusOf(scene), cut).forEach((half, k) => {
    if (!half.length) return;
    if (found && !isParted(scene, scene.focus)) {
      [pen.fillStyle, pen.globalAlpha] = [scene.colours.paper, 1];
      fill(pen, placed(at, half));
    }
    pen.fillStyle = found ? colourOf(scene, majority(k === 0 ? found.left : found.right)) : scene.colours.ink;
    pen.globalAlpha = found ? shade : k === 0 ? 0.12 : 0.02;
    fill(pen, placed(at, half));
  });
  pen.globalAlpha = 1;
}
