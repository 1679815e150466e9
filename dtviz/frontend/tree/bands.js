// The tree as bands: each node a piece of its level as wide as its share of the rows, under its parent.
//
// Glossary
//   piece    a node by its place in the frame's shape, where those are too that were not sent
//   from     where a piece begins, as a share of the width; `size` how much of it is its own

/** @import { TreeShape } from "../frames.d.ts" */

/**
 * @typedef {object} Bands
 * @property {Float64Array} from
 * @property {Float64Array} size
 * @property {Int32Array} parent  -1 of the root
 * @property {Int32Array} children  two a piece, left and right; -1 of a leaf
 * @property {number[][]} levels  the pieces of each level, from left to right
 */

/** Where every node of a tree lies.
 *  @param {Pick<TreeShape, "depth" | "rows">} shape @returns {Bands} */
export function bandsOf({ depth, rows }) {
  const many = depth.length;
  const [from, size] = [new Float64Array(many), new Float64Array(many)];
  const [parent, children] = [new Int32Array(many).fill(-1), new Int32Array(2 * many).fill(-1)];
  /** @type {number[][]} */
  const levels = [];
  const free = [0]; // where the next piece of a level begins
  for (let k = 0; k < many; k += 1) {
    const level = depth[k];
    from[k] = free[level];
    size[k] = rows[k] / rows[0];
    if (level) {
      parent[k] = levels[level - 1][levels[level - 1].length - 1];
      children[2 * parent[k] + (children[2 * parent[k]] < 0 ? 0 : 1)] = k;
    }
    free[level] += size[k];
    free[level + 1] = from[k];
    (levels[level] ??= []).push(k);
  }
  return { from, size, parent, children, levels };
}

/** The id of a piece.
 *  @param {Bands} bands @param {number} piece */
export function idOf({ parent, children }, piece) {
  let sides = "";
  for (let k = piece; parent[k] >= 0; k = parent[k]) sides = `${children[2 * parent[k]] === k ? 0 : 1}${sides}`;
  return BigInt(`0b1${sides}`).toString();
}

/** The piece of an id, or -1.
 *  @param {Bands} bands @param {string} id */
export function pieceOf({ children }, id) {
  let k = id ? 0 : -1;
  for (const side of id ? BigInt(id).toString(2).slice(1) : "") k = k < 0 ? -1 : children[2 * k + Number(side)];
  return k;
}

/** The piece at a share of the width on a level, or -1.
 *  @param {Bands} bands @param {number} level @param {number} share */
export function pieceAt({ levels, from, size }, level, share) {
  const pieces = levels[level] ?? [];
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[pieces[middle]] <= share) low = middle + 1;
    else high = middle;
  }
  const k = low ? pieces[low - 1] : -1;
  return k >= 0 && share < from[k] + size[k] ? k : -1;
}

/** The piece that a key leads to from another: up, down, or beside it on its level; or -1.
 *  @param {Bands} bands @param {number} piece @param {string} key */
export function toward({ parent, children, levels }, piece, key) {
  if (key === "ArrowUp") return parent[piece];
  if (key === "ArrowDown") return children[2 * piece];
  const pieces = levels.find((some) => some.includes(piece)) ?? [];
  return pieces[pieces.indexOf(piece) + (key === "ArrowLeft" ? -1 : 1)] ?? -1;
}
