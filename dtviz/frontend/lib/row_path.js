// The way of a row down a tree: node k has the children 2k and 2k + 1, so that the last tells all.

/** The nodes from the root to a node, the root being 1; none to "".
 *  @param {string} node @returns {string[]} */
export function wayTo(node) {
  const way = [];
  for (let one = BigInt(node); one > 0n; one >>= 1n) way.push(String(one));
  return way.toReversed();
}
