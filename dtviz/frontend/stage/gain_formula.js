// The gain of the cut looked at, worked out with its own numbers under the picture.

import { filled, formula, written } from "../lib/formula.js";
import { hasCuts } from "./paint.js";

/** @import { Cut, Picture } from "../types.d.ts" */

/** The formula of a cut's gain: an element, and what shows it; empty where it is not sent. */
export function gainFormula() {
  const { element, show } = formula();
  return {
    element,
    /** @param {Picture} scene @param {Cut | null} cut */
    say: (scene, cut) => show(cut && hasCuts(scene) && scene.worked ? gainOf(scene.worked, cut) : ""),
  };
}

/** @param {import("../frames.d.ts").Worked} worked @param {Cut} given */
function gainOf({ sides }, [axis, i]) {
  const { formula: line, left, right, ileft, iright, gain } = sides[axis];
  return filled(line, {
    left: written(left[i]), right: written(right[i]), whole: written(left[i] + right[i]),
    ileft: written(ileft[i]), iright: written(iright[i]), gain: written(gain[i]),
  });
}
