// The gain of the cut that is previewed or chosen, as a formula with its numbers, under the picture.

import { filled, formula, written } from "../lib/formula.js";
import { hasCuts } from "./paint.js";

/** @import { Worked } from "../frames.d.ts" */
/** @import { Cut, Picture } from "../types.d.ts" */

/** Creates the formula of a cut's gain: an element and `show(scene, cut)`; empty where Python sent no formula. */
export function formulaPanel() {
  const { element, show } = formula();
  return {
    element,
    /** @param {Picture} scene @param {Cut | null} cut */
    show: (scene, cut) => show(cut && hasCuts(scene) && scene.worked ? gainOf(scene.worked, cut) : ""),
  };
}

/** @param {Worked} worked @param {Cut} cut */
function gainOf({ sides }, [axis, i]) {
  const { formula: line, left, right, ileft, iright, gain } = sides[axis];
  return filled(line, {
    left: written(left[i]), right: written(right[i]), whole: written(left[i] + right[i]),
    ileft: written(ileft[i]), iright: written(iright[i]), gain: written(gain[i]),
  });
}
