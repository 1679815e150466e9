// The gain of the cut that is previewed or chosen, as a formula with its numbers, under the picture.

import { fillHoles, createFormula, latexNumber } from "../lib/formula.js";
import { hasCuts } from "./focus.js";

/** @import { GainArithmetic } from "../frames.d.ts" */
/** @import { Cut, Picture } from "../types.d.ts" */

/** Create the formula of a cut's gain: an element and `show(scene, cut)`; empty where Python sent no formula. */
export function formulaPanel() {
  const { element, show } = createFormula();
  return {
    element,
    /** @param {Picture} scene @param {Cut | null} cut */
    show: (scene, cut) => show(cut && hasCuts(scene) && scene.gain_arithmetic ? gainOf(scene.gain_arithmetic, cut) : ""),
  };
}

/** @param {GainArithmetic} worked @param {Cut} cut */
function gainOf({ sides }, [axis, i]) {
  const { formula: line, left, right, ileft, iright, gain } = sides[axis];
  return fillHoles(line, {
    left: latexNumber(left[i]), right: latexNumber(right[i]), whole: latexNumber(left[i] + right[i]),
    ileft: latexNumber(ileft[i]), iright: latexNumber(iright[i]), gain: latexNumber(gain[i]),
  });
}
