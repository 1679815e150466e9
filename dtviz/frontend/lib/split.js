// Side of a split that a row goes to; dtviz/engine/splits/split.py has the same comparison.

/** True if a score goes left; a score exactly at the threshold does.
 *  @param {number} score @param {number} threshold */
export const goesLeft = (score, threshold) => score <= threshold;
