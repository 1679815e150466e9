// One comparison: on which side of a split a score stands; dtviz/engine/splits/split.py has its twin.

/** Whether a score goes left; one exactly at the threshold does.
 *  @param {number} score @param {number} threshold */
export const goesLeft = (score, threshold) => score <= threshold;
