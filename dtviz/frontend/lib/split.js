// Side of a split that a row goes to; dtviz/engine/splits/split.py has the same comparison.

/** True if a score goes left; a score exactly at the threshold does.
 *  @param {number} score @param {number} threshold */
export const goesLeft = (score, threshold) => score <= threshold;

/** The next of some nodes above a node: half its id, or half of that, where the parts of a multi-way cut lie between.
 *  As BigInt, since ids of deep nodes exceed 2 ** 53.
 *  @param {{ has(id: string): boolean }} nodes  with the root among them, unless any id is @param {string} id */
export function nodeAbove(nodes, id) {
  let above = BigInt(id) >> 1n;
  while (above > 1n && !nodes.has(above.toString())) above >>= 1n;
  return above.toString();
}
