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
  let pressed = /** @type {Meant | null} */ (null); // a layout may take it away before it is let go

  box.addEventListener("pointerover", (event) => hover(tree, nodeOf(event)));
  box.addEventListener("pointerleave", () => hover(tree, null));
  /** @param {Meant | null} found */
  const act = (found) => {
    if (!found || viewer.view.dragged) return;
    if (found.fold) fold(tree, found.id);
    else choose(tree, found.id);
  };
  box.addEventListener("pointerdown", (event) => { pressed = meant(event); });
  box.addEventListener("pointerup", () => {
    if (pressed && !pressed.group.isConnected) act(pressed); // the browser tells no click of what is gone
  });
  box.addEventListener("click", (event) => act(meant(event)));
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
    const wanted = keys[event.key];
    if (!wanted) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own arrow keys step along the time-line
    wanted();
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

/** What is under an event: a node, or the handle that folds it.
 *  @typedef {{ id: string, group: Element, fold: boolean }} Meant */

/** @param {globalThis.Event} event @returns {Meant | null} */
function meant(event) {
  const [fold, group] = ["fold", "node"].map((name) => elementsOf(event).find((one) => one.classList.contains(name)));
  return group ? { id: group.id.slice(1), group, fold: fold !== undefined } : null;
}

/** The node under an event, or null.
 *  @param {globalThis.Event} event */
const nodeOf = (event) => meant(event)?.id ?? null;

/** The neighbour on the same level.
 *  @param {Tree} given @param {number} by @returns {string | undefined} */
function beside({ nodes, ids, active }, by) {
  const { level } = nodes.get(active);
  const row = ids.filter((id) => nodes.get(id).level === level);
  return row[row.indexOf(active) + by];
}
