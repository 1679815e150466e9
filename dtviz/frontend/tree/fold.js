// Which nodes of a tree are drawn: large trees open with their deep parts folded.
//
// Glossary
//   node     { line, edge, words, hue, strip, below, parent, children, level }: its DOT lines, what is
//            said of it, its colour, its rows along what it asks, its share of all rows and how pure
//            it is (percent), how many nodes there are below it, those that were not sent too
//   folded   a node whose subtree is not drawn
//   sieve    what is folded of any tree: nodes of a smaller share, or as pure

/** @import { TreeFrame } from "../frames.d.ts" */
/** @import { Nodes, RowStrip } from "../types.d.ts" */

const MOST_NODES = 79; // more are folded at first, and levels wider than WIDEST
const WIDEST = 16;

/** @typedef {{ name: string, share: number, pure: number }} Sieve */

/** What can be asked for, in percent.
 *  @type {Sieve[]} */
export const SIEVES = [
  ...[1, 2, 5, 10].map((share) => ({ name: `open from ${share} % of rows`, share, pure: 101 })),
  ...[99, 95, 90, 80].map((pure) => ({ name: `open below ${pure} % pure`, share: 0, pure })),
];

/** @type {WeakMap<TreeFrame, Nodes>} */
const read = new WeakMap();

/** The nodes of a frame by id, each after its parent; read once a frame.
 *  @param {TreeFrame} frame @returns {Nodes} */
export function nodesOf(frame) {
  const nodes = read.get(frame) ?? index(frame);
  read.set(frame, nodes);
  return nodes;
}

/** @param {TreeFrame} frame @returns {Nodes} */
function index(frame) {
  const nodes = /** @type {Nodes} */ (new Map());
  const { depth, rows, pure, hue, hues } = frame.shape;
  const deepest = frame.nodes.reduce((most, [id]) => Math.max(most, BigInt(id).toString(2).length), 0);
  const strips = stripsOf(frame);
  let at = 0; // in the shape, which has those that were not sent too
  for (const [id, line, edge, words] of frame.nodes) {
    const parent = id === "1" ? null : (BigInt(id) >> 1n).toString();
    const level = parent ? nodes.get(parent).level + 1 : 1;
    while (depth[at] >= deepest) at += 1;
    const strip = strips.get(id) ?? null;
    const [share, clean] = [(100 * rows[at]) / rows[0], pure[at]];
    nodes.set(id, { line, edge, words, hue: hues[hue[at]], strip, share, pure: clean, below: frame.missing[id] ?? 0, parent, level, children: [] });
    at += 1;
    if (parent) nodes.get(parent).children.push(id);
  }
  for (const { below, parent } of [...nodes.values()].toReversed()) {
    if (parent) nodes.get(parent).below += below + 1;
  }
  return nodes;
}

/** The strip of each node that has one.
 *  @param {TreeFrame} frame */
function stripsOf({ strips: { nodes, left, counts, kinds, classes }, shape: { hues } }) {
  const size = counts.length / Math.max(nodes.length, 1);
  const step = classes ? 1 : (hues.length - 1) / (kinds - 1);
  const colours = Array.from({ length: kinds }, (_, k) => hues[Math.round(k * step)]);
  /** @type {Map<string, RowStrip>} */
  const out = new Map();
  for (const [k, id] of nodes.entries()) {
    out.set(id, { left: left[k], counts: counts.subarray(k * size, (k + 1) * size), colours, classes });
  }
  return out;
}

/** The nodes above a node, from its parent up.
 *  @param {Nodes} nodes @param {string} id @returns {string[]} */
export function above(nodes, id) {
  const out = [];
  for (let one = nodes.get(id)?.parent; one; one = nodes.get(one).parent) out.push(one);
  return out;
}

/** The folded nodes when nobody has chosen: those at the last level that stays readable.
 *  @param {Nodes} nodes @returns {Set<string>} */
export function foldedAtFirst(nodes) {
  /** @type {string[][]} */
  const levels = [];
  for (const [id, { level }] of nodes) (levels[level - 1] ??= []).push(id);
  let drawn = 0;
  for (const [level, here] of levels.entries()) {
    drawn += here.length;
    if (level && (drawn > MOST_NODES || here.length > WIDEST)) {
      return new Set(levels[level - 1].filter((id) => nodes.get(id).children.length));
    }
  }
  return new Set();
}

/** What a sieve folds.
 *  @param {Nodes} nodes @param {Sieve} sieve */
const sifted = (nodes, { share, pure }) => new Set(
  [...nodes].filter(([, one]) => one.children.length && (one.share < share || one.pure >= pure)).map(([id]) => id),
);

/** The folded nodes: `wishes` (id -> open?) come first, then the ways to these ids are open.
 *  @param {Nodes} nodes @param {Map<string, boolean>} wishes @param {string[]} ids @param {Sieve | null} [sieve] */
export function folded(nodes, wishes, ids, sieve = null) {
  const out = sieve ? sifted(nodes, sieve) : foldedAtFirst(nodes);
  for (const id of ids) for (const one of above(nodes, id)) out.delete(one);
  for (const [id, open] of wishes) {
    if (open) out.delete(id);
    else if (nodes.get(id)?.children.length) out.add(id);
  }
  return out;
}

/** The ids that are drawn, from left to right, when these are folded.
 *  @param {Nodes} nodes @param {Set<string>} shut */
export function visible(nodes, shut) {
  const out = new Set();
  for (const [id, { parent }] of nodes) {
    if (!parent || (out.has(parent) && !shut.has(parent))) out.add(id);
  }
  return [...out];
}

/** The DOT text of these nodes.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids */
export function part(frame, nodes, ids) {
  return `${frame.head}${ids.map((id) => nodes.get(id).line + nodes.get(id).edge).join("")}}\n`;
}
