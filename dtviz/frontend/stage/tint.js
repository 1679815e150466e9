// The stage's tint: both sides of the cut that is previewed or chosen, in the colours they would have, or
// the colour of the leaf where there is no cut. The tint lies under the points, which keep their colours.

import { fillRing } from "../draw/marks.js";
import { colourOf } from "../draw/points.js";
import { drawRegions, isTinted } from "./draw.js";
import { hasCuts } from "./focus.js";
import { toPixels } from "./rings.js";
import { focusOf, halves, sideStatistics } from "./sides.js";

/** @import { Cut, CutPicture, Layout, Pen, Picture, Points, SideStatistics } from "../types.d.ts" */

/** @param {number[]} counts */
const majority = (counts) => counts.indexOf(Math.max(...counts));

/** Draw both sides of the cut of a leaf in the colour of the class each would predict, in place of the
 *  leaf's colour; where no class is known the left side is darker.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud
 *  @param {Cut | null} cut */
export function drawTint(pen, layout, scene, cloud, cut) {
  pen.clearRect(0, 0, layout.width, layout.height);
  if (!hasCuts(scene) || !scene.is_focus_drawn || scene.fills[scene.focus] === undefined) return;
  if (cut) drawHalves(pen, layout, scene, cut, scene.classes ? sideStatistics(scene, cloud, cut) : null);
  else if (isTinted(scene, scene.focus)) drawRegions(pen, layout, scene, (node) => (node === scene.focus ? 1 : null));
}

/** @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Cut} cut
 *  @param {SideStatistics | null} counts */
function drawHalves(pen, layout, scene, cut, counts) {
  const alpha = scene.colours.dark ? 0.26 : 0.17;
  halves(scene, focusOf(scene), cut).forEach((half, k) => {
    if (!half.length) return;
    const fill = counts ? colourOf(scene, majority(k === 0 ? counts.left : counts.right)) : scene.colours.ink;
    fillRing(pen, toPixels(layout, half), { fill, opacity: counts ? alpha : k === 0 ? 0.12 : 0.02 });
  });
}
