// Bands of a tree, one a level: each node is a piece as wide as its share of the rows, under its parent.
//
// Glossary
//   piece   the index of a node in the shape of the frame, which also has the nodes that were not sent

/** @import { TreeShape } from "../frames.d.ts" */

/**
 * @typedef {object} Bands
 * @property {Float64Array} start  left end of each piece, as a share of the width
 * @property {Float64Array} size  width of each piece, as a share of the width
 * @property {Int32Array} parent  -1 of the root
 * @property {Int32Array} children  two a piece, left and right; -1 of a leaf
 * @property {number[][]} levels  the pieces of each level, from left to right
 */

/** Bands of the nodes of a tree.
 *  @param {Pick<TreeShape, "depth" | "rows">} shape @returns {Bands} */
export function bandsOf({ depth, rows }) {
  const count = depth.length;
  const [start, size] = [new Float64Array(count), new Float64Array(count)];
  const [parent, children] = [new Int32Array(count).fill(-1), new Int32Array(2 * count).fill(-1)];
  /** @type {number[][]} */
  const levels = [];
  const nextStart = [0]; // left end of the next piece of each level
  for (let k = 0; k < count; k += 1) {
    const level = depth[k];
    start[k] = nextStart[level];
    size[k] = rows[k] / rows[0];
    if (level) {
      parent[k] = levels[level - 1][levels[level - 1].length - 1];
      children[2 * parent[k] + (children[2 * parent[k]] < 0 ? 0 : 1)] = k;
    }
    nextStart[level] += size[k];
    nextStart[level + 1] = start[k];
    (levels[level] ??= []).push(k);
  }
  return { start, size, parent, children, levels };
}

/** Node id of a piece.
 *  @param {Bands} bands @param {number} piece */
export function idOf({ parent, children }, piece) {
  let sides = "";
  for (let k = piece; parent[k] >= 0; k = parent[k]) sides = `${children[2 * parent[k]] === k ? 0 : 1}${sides}`;
  return BigInt(`0b1${sides}`).toString();
}

/** Piece of a node id, or -1.
 *  @param {Bands} bands @param {string} id */
export function pieceOf({ children }, id) {
  let k = id ? 0 : -1;
  for (const side of id ? BigInt(id).toString(2).slice(1) : "") k = k < 0 ? -1 : children[2 * k + Number(side)];
  return k;
}

/** Piece at a share of the width on a level, or -1.
 *  @param {Bands} bands @param {number} level @param {number} share */
export function pieceAt({ levels, start, size }, level, share) {
  const pieces = levels[level] ?? [];
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[pieces[middle]] <= share) low = middle + 1;
    else high = middle;
  }
  const k = low ? pieces[low - 1] : -1;
  return k >= 0 && share < start[k] + size[k] ? k : -1;
}

/** Piece that a key leads to from another: the parent, the left child, or a neighbour on the level; or -1.
 *  @param {Bands} bands @param {number} piece @param {string} key */
export function nextPiece({ parent, children, levels }, piece, key) {
  if (key === "ArrowUp") return parent[piece];
  if (key === "ArrowDown") return children[2 * piece];
  const pieces = levels.find((level) => level.includes(piece)) ?? [];
  return pieces[pieces.indexOf(piece) + (key === "ArrowLeft" ? -1 : 1)] ?? -1;
}
