// The stage's tint: the sides of the cut that is previewed or chosen, in the colours they would have, or
// the colour of the leaf where there is no cut. The tint lies under the points, which keep their colours.

import { fillRing } from "../draw/marks.js";
import { colourOf } from "../draw/points.js";
import { drawRegions, isTinted } from "./draw.js";
import { hasCuts } from "./focus.js";
import { toPixels } from "./rings.js";
import { focusOf, partsOf, sideStatistics } from "./sides.js";

/** @import { Cut, CutPicture, Layout, Pen, Picture, Points } from "../types.d.ts" */

/** @param {number[]} counts */
const majority = (counts) => counts.indexOf(Math.max(...counts));

/** Draw the sides of the cut of a leaf in the colour of the class each would predict, in place of the
 *  leaf's colour; where no class is known the left side, and each second branch, is darker.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud
 *  @param {Cut | null} cut */
export function drawTint(pen, layout, scene, cloud, cut) {
  pen.clearRect(0, 0, layout.width, layout.height);
  if (!hasCuts(scene) || !scene.is_focus_drawn || scene.fills[scene.focus] === undefined) return;
  if (cut) drawSides(pen, layout, scene, cut, scene.classes ? sideStatistics(scene, cloud, cut) : null);
  else if (isTinted(scene, scene.focus)) drawRegions(pen, layout, scene, (node) => (node === scene.focus ? 1 : null));
}

/** @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Cut} cut
 *  @param {number[][] | null} counts  of the classes on each side */
function drawSides(pen, layout, scene, cut, counts) {
  const alpha = scene.colours.dark ? 0.26 : 0.17;
  partsOf(scene, focusOf(scene), cut).forEach((part, k) => {
    if (!part.length) return;
    const fill = counts ? colourOf(scene, majority(counts[k])) : scene.colours.ink;
    fillRing(pen, toPixels(layout, part), { fill, opacity: counts ? alpha : k % 2 ? 0.02 : 0.12 });
  });
}
