// Bands of a tree for the icicle, see tree/icicle.js: one a level, in which each node is a piece under its parent, as
// wide as its share of the rows.
//
// Glossary
//   piece   the index of a node in the frame's `shape`, which has all nodes, each before its children
//   share   of the width of the picture

/** @import { TreeShape } from "../frames.d.ts" */

/**
 * @typedef {object} Bands
 * @property {Float64Array} start  share at the left end of each piece
 * @property {Float64Array} width  share that each piece takes
 * @property {Int32Array} parent  parent of each piece, -1 for the root
 * @property {readonly (readonly number[])[]} children  children of each piece, from left to right
 * @property {number[][]} levels  the pieces of each level, from left to right
 */

/** @type {readonly number[]} */
const NO_CHILDREN = [];

/** Lay the nodes of a tree out in bands.
 *  @param {Pick<TreeShape, "depth" | "rows">} shape @returns {Bands} */
export function layOutBands({ depth, rows }) {
  const count = depth.length;
  const [start, width] = [new Float64Array(count), new Float64Array(count)];
  const parent = new Int32Array(count).fill(-1);
  /** @type {number[][]} */
  const children = Array.from({ length: count });
  /** @type {number[][]} */
  const levels = [];
  const nextStart = [0]; // left end of the next piece of each level
  for (let k = 0; k < count; k += 1) {
    const level = depth[k];
    start[k] = nextStart[level];
    width[k] = rows[k] / rows[0];
    if (level) {
      parent[k] = levels[level - 1][levels[level - 1].length - 1]; // the last piece above, since parents come first
      (children[parent[k]] ??= []).push(k);
    }
    nextStart[level] += width[k];
    nextStart[level + 1] = start[k]; // the children begin where their parent does
    (levels[level] ??= []).push(k);
  }
  return { start, width, parent, children: children.map((pieces) => pieces ?? NO_CHILDREN), levels };
}

/** Node id of a piece: in binary a 1, then the digits of each piece on the path from the root, see `digitsOf`.
 *  @param {Bands} bands @param {number} piece */
export function nodeIdOf({ parent, children }, piece) {
  let digits = "";
  for (let k = piece; parent[k] >= 0; k = parent[k]) {
    const siblings = children[parent[k]];
    digits = digitsOf(siblings.indexOf(k), siblings.length) + digits;
  }
  return BigInt(`0b1${digits}`).toString();
}

/** Binary digits by which a child differs from its parent: 0 is the left side of a split and 1 the right one. Child j
 *  of a cut with more than two branches is on the left of the j-th of several splits, each on the right of the last.
 *  @param {number} place @param {number} count  of the children */
const digitsOf = (place, count) => (place < count - 1 ? `${"1".repeat(place)}0` : "1".repeat(place));

/** Piece of a node id; -1 if the tree has no such node.
 *  @param {Bands} bands @param {string} id */
export function pieceOf({ children }, id) {
  if (!id) return -1;
  let digits = BigInt(id).toString(2).slice(1);
  let piece = 0;
  while (digits) {
    const pieces = children[piece] ?? NO_CHILDREN;
    const place = Array.from(pieces.keys()).findIndex((k) => digits.startsWith(digitsOf(k, pieces.length)));
    if (place < 0) return -1;
    digits = digits.slice(digitsOf(place, pieces.length).length);
    piece = pieces[place];
  }
  return children.length ? piece : -1;
}

/** Piece at a share on a level; -1 if there is none.
 *  @param {Bands} bands @param {number} level @param {number} share */
export function pieceAt({ levels, start, width }, level, share) {
  const pieces = levels[level] ?? [];
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start[pieces[middle]] <= share) low = middle + 1;
    else high = middle;
  }
  const k = low ? pieces[low - 1] : -1;
  return k >= 0 && share < start[k] + width[k] ? k : -1;
}

/** Piece that an arrow key leads to: the parent, the first child, or a neighbour on the level; -1 if there is none.
 *  @param {Bands} bands @param {number} piece @param {string} key */
export function nextPiece({ parent, children, levels }, piece, key) {
  if (key === "ArrowUp") return parent[piece];
  if (key === "ArrowDown") return children[piece][0] ?? -1;
  const pieces = levels.find((level) => level.includes(piece)) ?? [];
  return pieces[pieces.indexOf(piece) + (key === "ArrowLeft" ? -1 : 1)] ?? -1;
}
