// Pointer and keys on the tree.

import { elementsOf } from "../lib/dom.js";

/** @import { Tree } from "./tree.js" */

/**
 * Actions of the tree that pointer and keys call.
 * @typedef {object} PointerActions
 * @property {(tree: Tree, id: string) => void} choose
 * @property {(tree: Tree, id: string) => void} fold
 * @property {(tree: Tree, id: string | null) => void} hover
 * @property {(tree: Tree, id: string | null | undefined) => void} go
 * @property {(tree: Tree) => void} fit
 */

/** Bind pointer and keys to a tree.
 *  @param {Tree} tree @param {PointerActions} pointerActions */
export function steer(tree, { choose, fold, hover, go, fit }) {
  const { box, viewer } = tree;
  let pressed = /** @type {TreeTarget | null} */ (null); // a new layout may remove it before the pointer goes up

  box.addEventListener("pointerover", (event) => hover(tree, nodeOf(event)));
  box.addEventListener("pointerleave", () => hover(tree, null));
  /** @param {TreeTarget | null} target */
  const act = (target) => {
    if (!target || viewer.view.wasDragged) return;
    if (target.fold) fold(tree, target.id);
    else choose(tree, target.id);
  };
  box.addEventListener("pointerdown", (event) => { pressed = targetOf(event); });
  box.addEventListener("pointerup", () => {
    if (pressed && !pressed.group.isConnected) act(pressed); // the browser sends no click for a removed element
  });
  box.addEventListener("click", (event) => act(targetOf(event)));
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
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation(); // the page's own arrow keys step along the time-line
    action();
  });

  /** @type {Record<string, () => void>} */
  const actions = {
    Enter: () => choose(tree, tree.active),
    " ": () => fold(tree, tree.active),
    ArrowUp: () => go(tree, tree.nodes.get(tree.active).parent),
    ArrowDown: () => go(tree, tree.nodes.get(tree.active).children[0]),
    ArrowLeft: () => go(tree, neighbour(tree, -1)),
    ArrowRight: () => go(tree, neighbour(tree, 1)),
    Home: () => go(tree, "1"),
    "+": viewer.zoomIn,
    "=": viewer.zoomIn,
    "-": viewer.zoomOut,
    0: () => fit(tree),
  };
}

/** Node under an event; `fold` is true for the handle that folds it.
 *  @typedef {{ id: string, group: Element, fold: boolean }} TreeTarget */

/** @param {globalThis.Event} event @returns {TreeTarget | null} */
function targetOf(event) {
  const [fold, group] = ["fold", "node"].map((name) => elementsOf(event).find((candidate) => candidate.classList.contains(name)));
  return group ? { id: group.id.slice(1), group, fold: fold !== undefined } : null;
}

/** Id of the node under an event, or null.
 *  @param {globalThis.Event} event */
const nodeOf = (event) => targetOf(event)?.id ?? null;

/** Id of a neighbour of the active node on its level.
 *  @param {Tree} tree @param {number} offset @returns {string | undefined} */
function neighbour({ nodes, ids, active }, offset) {
  const { level } = nodes.get(active);
  const row = ids.filter((id) => nodes.get(id).level === level);
  return row[row.indexOf(active) + offset];
}
