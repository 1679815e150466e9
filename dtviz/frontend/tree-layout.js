// From DOT text to SVG, in a worker; what was laid out is kept.
//
// Glossary
//   folded   a node whose subtree is not drawn
//   part     the DOT text of the nodes that are drawn

const MOST_KEPT = 30;
const MOST_NODES = 79; // more are folded at first, and levels wider than WIDEST
const WIDEST = 16;

const kept = new Map();
const waiting = new Map();
let worker = null;
let last = 0;

/** The SVG text of a DOT text; rejects with what the layout said. */
export function laidOut(text) {
  if (!kept.has(text)) {
    kept.set(text, ask(text));
    kept.get(text).catch(() => kept.delete(text));
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  }
  return kept.get(text);
}

function ask(text) {
  worker ??= begin();
  const id = ++last;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail, text });
    worker.postMessage({ id, text });
  });
}

function begin() {
  try {
    const made = new Worker(new URL("./tree-worker.js", import.meta.url), { type: "module" });
    made.onmessage = ({ data }) => answer(data);
    made.onerror = () => onThePage();
    return made;
  } catch {
    return { postMessage: onThePage };
  }
}

function answer({ id, svg, error }) {
  const { done, fail } = waiting.get(id) ?? {};
  waiting.delete(id);
  if (error) fail?.(new Error(error));
  else done?.(svg);
}

/** Where no worker can be had, lay out here. */
async function onThePage() {
  worker = { postMessage: onThePage };
  const { instance } = await import("./vendor/viz.js");
  const viz = await instance();
  for (const [id, { text }] of [...waiting]) {
    try {
      answer({ id, svg: viz.renderString(text, { format: "svg" }) });
    } catch (error) {
      answer({ id, error: String(error) });
    }
  }
}

// --- which nodes are drawn ------------------------------------------------------------------------

export const parentOf = (id) => (BigInt(id) >> 1n).toString();

export const childrenOf = (id) => [(2n * BigInt(id)).toString(), (2n * BigInt(id) + 1n).toString()];

/** The nodes on the way from the root to a node, and the node. */
export function pathTo(id) {
  const path = [];
  for (let node = id; node && node !== "0"; node = parentOf(node)) path.push(node);
  return path.reverse();
}

/** Maps of the frame's nodes: lines, words, and the number of nodes under each. */
export function index(frame) {
  const nodes = new Map(frame.nodes.map(([id, line, edge, words]) => [id, { line, edge, words, below: 0 }]));
  for (const [id] of [...frame.nodes].reverse()) {
    const parent = nodes.get(parentOf(id));
    if (parent) parent.below += nodes.get(id).below + 1;
  }
  return nodes;
}

/** The nodes folded at first: those at the last level that stays readable. */
export function foldedAtFirst(nodes) {
  const levels = [];
  for (const id of nodes.keys()) {
    const level = pathTo(id).length - 1;
    (levels[level] ??= []).push(id);
  }
  let drawn = 0;
  for (const [level, here] of levels.entries()) {
    drawn += here.length;
    if (drawn > MOST_NODES || here.length > WIDEST) {
      return new Set(levels[level - 1].filter((id) => nodes.get(id).below));
    }
  }
  return new Set();
}

/** The ids that are drawn, from left to right, when these are folded. */
export function visible(nodes, folded) {
  const hidden = new Set();
  return [...nodes.keys()].filter((id) => {
    const parent = parentOf(id);
    if (hidden.has(parent) || folded.has(parent)) hidden.add(id);
    return !hidden.has(id);
  });
}

/** The DOT text of these nodes. */
export function part(frame, nodes, ids) {
  return `${frame.head}${ids.map((id) => nodes.get(id).line + nodes.get(id).edge).join("")}}\n`;
}
