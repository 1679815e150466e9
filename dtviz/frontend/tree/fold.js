// Folding of trees: large trees open with their deep parts folded.
//
// Glossary
//   folded   a node whose subtree is not drawn
//   sieve    a rule that folds nodes with a small share of the rows, or with pure rows

import { nodeAbove } from "../lib/split.js";
import { wordsOf } from "./words.js";

/** @import { TreeFrame } from "../frames.d.ts" */
/** @import { Nodes, RowStrip } from "../types.d.ts" */

const MAX_NODES = 79; // drawn by default
const MAX_NODES_A_LEVEL = 16; // drawn by default

/** Sieve that leaves a node open if its share of the rows is `minShare` or more and its purity is below `maxPurity`,
 *  both in percent.
 *  @typedef {{ name: string, minShare: number, maxPurity: number }} Sieve */

/** Sieves that a user can choose.
 *  @type {Sieve[]} */
export const SIEVES = [
  ...[1, 2, 5, 10].map((minShare) => ({ name: `open from ${minShare} % of rows`, minShare, maxPurity: 101 })), // any purity
  ...[99, 95, 90, 80].map((maxPurity) => ({ name: `open below ${maxPurity} % pure`, minShare: 0, maxPurity })),
];

/** @type {WeakMap<TreeFrame, Nodes>} */
const nodesByFrame = new WeakMap();

/** Nodes of a frame by id, each after its parent; computed on the first call for a frame.
 *  @param {TreeFrame} frame @returns {Nodes} */
export function nodesOf(frame) {
  const nodes = nodesByFrame.get(frame) ?? readNodes(frame);
  nodesByFrame.set(frame, nodes);
  return nodes;
}

/** @param {TreeFrame} frame @returns {Nodes} */
function readNodes(frame) {
  const nodes = /** @type {Nodes} */ (new Map());
  const { depth, rows, purity: purities, colour_index: colourIndexes, node_colours: nodeColours } = frame.shape;
  /** @type {Map<string, number>} */
  const levels = new Map();
  for (const [id] of frame.nodes) levels.set(id, id === "1" ? 1 : Number(levels.get(nodeAbove(levels, id))) + 1);
  const deepest = Math.max(...levels.values());
  const strips = stripsOf(frame);
  const classCount = frame.bars.length / frame.nodes.length;
  let index = 0; // in the shape, which also has the nodes that were not sent
  for (const [k, texts] of frame.nodes.entries()) {
    const [id] = texts;
    const parent = id === "1" ? null : nodeAbove(levels, id);
    const level = Number(levels.get(id));
    while (depth[index] >= deepest) index += 1; // nodes of levels that were not sent
    nodes.set(id, {
      ...wordsOf(texts, frame), level, parent, isRight: false, children: [], descendants: frame.unsent_descendants[id] ?? 0,
      classShares: frame.bars.subarray(k * classCount, (k + 1) * classCount), strip: strips.get(id) ?? null,
      hue: nodeColours[colourIndexes[index]], share: (100 * rows[index]) / rows[0], purity: purities[index],
    });
    index += 1;
    if (parent) nodes.get(parent).children.push(id);
  }
  for (const { children } of nodes.values()) {
    for (const [k, child] of children.entries()) nodes.get(child).isRight = 2 * k >= children.length;
  }
  for (const { descendants, parent } of [...nodes.values()].toReversed()) { // children before their parent
    if (parent) nodes.get(parent).descendants += descendants + 1;
  }
  return nodes;
}

/** Strips of the nodes that have one, by id.
 *  @param {TreeFrame} frame */
function stripsOf({ strips: { nodes, left, counts, kinds, classes }, shape: { node_colours: nodeColours } }) {
  const size = counts.length / Math.max(nodes.length, 1);
  const step = classes ? 1 : (nodeColours.length - 1) / (kinds - 1);
  const colours = Array.from({ length: kinds }, (_, k) => nodeColours[Math.round(k * step)]);
  /** @type {Map<string, RowStrip>} */
  const strips = new Map();
  for (const [k, id] of nodes.entries()) {
    strips.set(id, { left: left[k], counts: counts.subarray(k * size, (k + 1) * size), colours, classes });
  }
  return strips;
}

/** Ids of the nodes above a node, from its parent up.
 *  @param {Nodes} nodes @param {string} id @returns {string[]} */
export function ancestors(nodes, id) {
  const ids = [];
  for (let parent = nodes.get(id)?.parent; parent; parent = nodes.get(parent).parent) ids.push(parent);
  return ids;
}

/** Ids of the nodes that are folded by default: those with children on the last level that is drawn. A level is
 *  drawn if it, and all levels down to it, have few nodes.
 *  @param {Nodes} nodes @returns {Set<string>} */
export function foldedByDefault(nodes) {
  /** @type {string[][]} */
  const levels = [];
  for (const [id, { level }] of nodes) (levels[level - 1] ??= []).push(id);
  let drawnCount = 0;
  for (const [level, levelIds] of levels.entries()) {
    drawnCount += levelIds.length;
    if (level && (drawnCount > MAX_NODES || levelIds.length > MAX_NODES_A_LEVEL)) {
      return new Set(levels[level - 1].filter((id) => nodes.get(id).children.length));
    }
  }
  return new Set();
}

/** Ids of the nodes that a sieve folds.
 *  @param {Nodes} nodes @param {Sieve} sieve */
const siftedIds = (nodes, { minShare, maxPurity }) => new Set(
  [...nodes].filter(([, node]) => node.children.length && (node.share < minShare || node.purity >= maxPurity)).map(([id]) => id),
);

/** Ids of the folded nodes: by a sieve or by default, but not on the paths to `shownIds`. What the user did to a node
 *  comes first: `userFolds` has true for the id of a node that the user opened, false for one that the user folded.
 *  @param {Nodes} nodes @param {Map<string, boolean>} userFolds @param {string[]} shownIds @param {Sieve | null} [sieve] */
export function foldedIds(nodes, userFolds, shownIds, sieve = null) {
  const result = sieve ? siftedIds(nodes, sieve) : foldedByDefault(nodes);
  for (const id of shownIds) for (const ancestor of ancestors(nodes, id)) result.delete(ancestor);
  for (const [id, isOpen] of userFolds) {
    if (isOpen) result.delete(id);
    else if (nodes.get(id)?.children.length) result.add(id);
  }
  return result;
}

/** Ids of the nodes that are drawn, those below no folded node; a parent comes before its children.
 *  @param {Nodes} nodes @param {Set<string>} folded */
export function visibleIds(nodes, folded) {
  const result = new Set();
  for (const [id, { parent }] of nodes) {
    if (!parent || (result.has(parent) && !folded.has(parent))) result.add(id);
  }
  return [...result];
}
