// Paths of rows down a tree: node k has the children 2k and 2k + 1, so that its id tells the path to it.

/** Ids of the nodes from the root, which is 1, to a node; none for "".
 *  @param {string} node @returns {string[]} */
export function pathTo(node) {
  const path = [];
  for (let id = BigInt(node); id > 0n; id >>= 1n) path.push(String(id));
  return path.toReversed();
}
