// The gain of the cut looked at, worked out with its own numbers under the picture.

import { filled, formula, written } from "../lib/formula.js";
import { hasCuts } from "./paint.js";

/** @import { Cut, Picture } from "../types.d.ts" */

/** The formula of a cut's gain: an element, and what shows it; empty where it is not sent. */
export function working() {
  const { element, show } = formula();
  return {
    element,
    /** @param {Picture} scene @param {Cut | null} cut */
    say: (scene, cut) => show(cut && hasCuts(scene) && scene.worked ? gainOf(scene, scene.worked, cut) : ""),
  };
}

/** @param {import("../types.d.ts").CutPicture} scene @param {import("../frames.d.ts").Worked} worked @param {Cut} given */
function gainOf(scene, { formula: line, sides }, [axis, i]) {
  const { left, right, gain } = sides[axis];
  const { impurity_left, impurity_right } = scene.cuts[axis];
  if (!impurity_left || !impurity_right) return "";
  return filled(line, {
    left: written(left[i]), right: written(right[i]), whole: written(left[i] + right[i]),
    ileft: written(impurity_left[i]), iright: written(impurity_right[i]), gain: written(gain[i]),
  });
}
