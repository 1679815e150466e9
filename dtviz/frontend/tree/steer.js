// Pointer and keys on the tree: which node is meant, and what is asked of it.

import { elementsOf } from "../lib/dom.js";

/** @import { Tree } from "./tree.js" */

/**
 * What the tree does.
 * @typedef {object} Acts
 * @property {(tree: Tree, id: string) => void} choose
 * @property {(tree: Tree, id: string) => void} fold
 * @property {(tree: Tree, id: string | null) => void} hover
 * @property {(tree: Tree, id: string | null | undefined) => void} go
 * @property {(tree: Tree) => void} fit
 */

/** Bind them.
 *  @param {Tree} tree @param {Acts} acts */
export function steer(tree, { choose, fold, hover, go, fit }) {
  const { box, viewer } = tree;

  box.addEventListener("pointerover", (event) => hover(tree, nodeOf(event)));
  box.addEventListener("pointerleave", () => hover(tree, null));
  box.addEventListener("click", (event) => {
    const id = nodeOf(event);
    if (!id || viewer.view.dragged) return;
    if (elementsOf(event).some((one) => one.classList.contains("fold"))) fold(tree, id);
    else choose(tree, id);
  });
  box.addEventListener("focusin", (event) => {
    const id = nodeOf(event);
    if (!id) return;
    tree.active = id;
    if (elementsOf(event)[0].matches(":focus-visible")) hover(tree, id);
  });
  box.addEventListener("focusout", (event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) hover(tree, null);
  });
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !nodeOf(event)) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own arrow keys step along the time-line
    act();
  });

  /** @type {Record<string, () => void>} */
  const keys = {
    Enter: () => choose(tree, tree.active),
    " ": () => fold(tree, tree.active),
    ArrowUp: () => go(tree, tree.nodes.get(tree.active).parent),
    ArrowDown: () => go(tree, tree.nodes.get(tree.active).children[0]),
    ArrowLeft: () => go(tree, beside(tree, -1)),
    ArrowRight: () => go(tree, beside(tree, 1)),
    Home: () => go(tree, "1"),
    "+": viewer.larger,
    "=": viewer.larger,
    "-": viewer.smaller,
    0: () => fit(tree),
  };
}

/** The node under an event, or null.
 *  @param {Event} event */
function nodeOf(event) {
  const group = elementsOf(event).find((one) => one.classList.contains("node"));
  return group ? group.id.slice(1) : null;
}

/** The neighbour on the same level.
 *  @param {Tree} given @param {number} by @returns {string | undefined} */
function beside({ nodes, ids, active }, by) {
  const { level } = nodes.get(active);
  const row = ids.filter((id) => nodes.get(id).level === level);
  return row[row.indexOf(active) + by];
}
