// Marks on a drawn tree: accessible names, the focus, the lit node and path, the keyboard focus, the words above.

import { element } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { pathTo } from "../lib/row_path.js";
import { ancestors, foldedByDefault } from "./fold.js";
import { addBrief } from "./detail.js";
import { foldHandle, numberTag } from "./svg.js";

/** @import { NodePlace, NodePlaces } from "../types.d.ts" */
/** @import { Tree } from "./tree.js" */

const MAX_OVERHANG = 6; // units that a count may be wider than its node, on each side

/** Give a node its accessible name, level and state, its number, and a handle if it is a split; `places` are those of all
 *  nodes of the picture.
 *  @param {Tree} tree @param {string} id @param {NodePlace} place @param {NodePlaces} places */
export function nameNode(tree, id, place, places) {
  const node = tree.nodes.get(id);
  const { words, level, children, descendants } = node;
  const { group } = place;
  const isFolded = !children.length || tree.folded.has(id);
  group.setAttribute("role", "treeitem");
  group.setAttribute("aria-label", words);
  group.setAttribute("aria-level", String(level));
  addBrief(place, node, tree.frame.colours, tree.drawn?.variant.isLow === true && id === tree.frame.focus);
  group.append(numberTag(place, id, node, tree.frame.colours));
  if (!descendants) return;
  if (children.length) group.setAttribute("aria-expanded", String(!isFolded));
  group.append(foldHandle(place, node.isRight, isFolded ? descendants : 0, tree.frame.colours, isFolded && hasRoomBelow(places, place)));
}

/** True if no node of the next level is in the place of the words below a node.
 *  @param {NodePlaces} places @param {NodePlace} place */
function hasRoomBelow(places, { x, y, w, h }) {
  const overlaps = (/** @type {NodePlace} */ other) => other.y > y + h && other.y < y + 3 * h && other.x < x + w + MAX_OVERHANG && other.x + other.w > x - MAX_OVERHANG;
  return ![...places.values()].some(overlaps);
}

/** Mark what a new focus changes: its outline, the node that Tab leads to, the words above the tree.
 *  @param {Tree} tree */
export function markState(tree) {
  const { frame, nodes, ids, places } = tree;
  for (const [id, { group }] of places) {
    group.classList.toggle("focus", id === frame.focus);
    group.setAttribute("aria-selected", String(id === frame.focus));
  }
  if (!focusedGroup(tree)) tree.active = places.has(frame.focus) ? frame.focus : "1";
  for (const [id, { group }] of places) group.setAttribute("tabindex", id === tree.active ? "0" : "-1");
  lightNode(tree, tree.litNode);
  lightPath(tree, tree.pathEnd);
  const all = nodes.get("1").descendants + 1;
  const missingCount = Object.values(frame.unsent_descendants).reduce((sum, below) => sum + below, 0);
  tree.count.replaceChildren(
    noteElement(ids.length < all ? `${ids.length} of ${grouped(all)} nodes; ` : ""), frame.summary,
    noteElement(missingCount ? "; the icicle shows them all" : ""),
  );
  tree.count.title = tree.count.textContent ?? ""; // the text is truncated if it has no room
  const label = "Decision tree; arrow keys walk it, Enter chooses a node, Space folds it";
  tree.drawn?.svg.setAttribute("aria-label", [label, tree.count.textContent].filter(Boolean).join("; "));
  tree.allButton.hidden = !tree.folded.size && !foldedByDefault(nodes).size;
  tree.allButton.textContent = tree.folded.size ? "unfold all" : "fold";
  tree.allButton.title = tree.folded.size ? "Unfold the whole tree" : "Fold what is deep";
  tree.allButton.setAttribute("aria-label", tree.allButton.title);
}

/** Create an element for words about the drawn part of a tree, which are not said of the whole tree.
 *  @param {string} text */
function noteElement(text) {
  const note = element("span", "part");
  note.textContent = text;
  return note;
}

/** Light a node; if it is folded away, the node that it is folded into.
 *  @param {Tree} tree @param {string | null} node */
export function lightNode(tree, node) {
  tree.drawn?.svg.querySelector("g.lit")?.classList.remove("lit");
  if (node) visiblePlace(tree, node)?.group.classList.add("lit");
  tree.litNode = node;
  tree.root.dataset.lit = node ?? "";
}

/** Light the row path from the root to a node; for null, the path of the row that the frame shows.
 *  @param {Tree} tree @param {string | null} node */
export function lightPath(tree, node) {
  const end = node ?? tree.frame.row_node ?? "";
  tree.pathEnd = node;
  const path = new Set(pathTo(end));
  for (const figure of tree.drawn?.svg.querySelectorAll("g.node, g.edge") ?? []) {
    figure.classList.toggle("way", path.has(figure.id.slice(1)));
  }
  tree.root.dataset.way = end;
}

/** Show the words of a node beside it, unless all of them are written in it.
 *  @param {Tree} tree @param {string | null} id */
export function showTip({ tip, box, nodes, places, viewer: { view } }, id) {
  const place = id && places.get(id);
  tip.hidden = !place || box.dataset.detail === "near";
  if (!place || tip.hidden) return;
  fillTip(tip, nodes.get(id).words);
  const { x, y, scale } = view;
  const below = y + (place.y + place.h) * scale + 6;
  const hasRoom = below + tip.offsetHeight <= box.clientHeight;
  const top = hasRoom ? below : y + place.y * scale - 6 - tip.offsetHeight;
  const left = x + (place.x + place.w / 2) * scale - tip.offsetWidth / 2;
  tip.style.left = `${Math.max(0, Math.min(left, box.clientWidth - tip.offsetWidth))}px`;
  tip.style.top = `${box.offsetTop + Math.max(top, -box.offsetTop)}px`;
}

/** Fill the tip with words: the rule, the other words under it.
 *  @param {HTMLElement} tip @param {string} words */
export function fillTip(tip, words) {
  const [head, ...details] = words.split("; ");
  tip.replaceChildren(...[head, details.join("; ")].map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }));
}

/** Place of a node, or of its nearest ancestor that is drawn.
 *  @param {Tree} tree @param {string} id */
function visiblePlace({ nodes, places }, id) {
  return [id, ...ancestors(nodes, id)].map((ancestor) => places.get(ancestor)).find(Boolean);
}

// --- keyboard -------------------------------------------------------------------------------------

/** Group of the node that has the keyboard focus, if any.
 *  @param {Tree} tree */
export function focusedGroup({ root }) {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (root.getRootNode());
  return activeElement?.closest("g.node");
}

/** Move the keyboard focus to a node, or to its nearest ancestor that is drawn.
 *  @param {Tree} tree @param {string} id */
export function moveFocus(tree, id) {
  const group = (visiblePlace(tree, id) ?? tree.places.get("1"))?.group;
  tree.places.get(tree.active)?.group.setAttribute("tabindex", "-1");
  tree.active = group?.id.slice(1) ?? "1";
  group?.setAttribute("tabindex", "0");
  group?.focus({ preventScroll: true });
}
