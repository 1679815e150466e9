// What stands on a drawn tree: its names, the focus, what is lit, the keyboard's place, the words above.

import { element } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { pathTo } from "../lib/row_path.js";
import { above, foldedAtFirst } from "./fold.js";
import { ready } from "./detail.js";
import { handle, numbered } from "./svg.js";

/** @import { Place } from "../types.d.ts" */
/** @import { Tree } from "./tree.js" */

const ASIDE = 6; // units that a count may be wider than its node, on each side

/** Names, levels and states for those who listen, and a handle under each split.
 *  @param {Tree} tree @param {string} id @param {Place} place */
export function name(tree, id, place) {
  const node = tree.nodes.get(id);
  const { words, level, children, below } = node;
  const { group } = place;
  const shut = !children.length || tree.shut.has(id);
  group.setAttribute("role", "treeitem");
  group.setAttribute("aria-label", words);
  group.setAttribute("aria-level", String(level));
  const isNext = id === tree.frame.next;
  ready(place, node, tree.frame.colours, { isFocus: tree.look.low && id === tree.frame.focus, isNext });
  group.append(numbered(place, id, isNext, tree.frame.colours));
  if (!below) return;
  if (children.length) group.setAttribute("aria-expanded", String(!shut));
  group.append(handle(place, id, shut ? below : 0, tree.frame.colours, shut && hasRoomBelow(tree, place)));
}

/** Whether nothing is drawn on the next level where what is said below a node stands.
 *  @param {Tree} given @param {Place} place */
function hasRoomBelow({ places }, { x, y, w, h }) {
  const overlaps = (/** @type {Place} */ one) => one.y > y + h && one.y < y + 3 * h && one.x < x + w + ASIDE && one.x + one.w > x - ASIDE;
  return ![...places.values()].some(overlaps);
}

/** What a new focus changes: its frame, where Tab goes, the words above the tree.
 *  @param {Tree} tree */
export function mark(tree) {
  const { frame, nodes, ids, places: at } = tree;
  for (const [id, { group }] of at) {
    group.classList.toggle("focus", id === frame.focus);
    group.setAttribute("aria-selected", String(id === frame.focus));
  }
  if (!heldIn(tree)) tree.active = at.has(frame.focus) ? frame.focus : "1";
  for (const [id, { group }] of at) group.setAttribute("tabindex", id === tree.active ? "0" : "-1");
  light(tree, tree.lit);
  lightWay(tree, tree.way);
  const all = nodes.get("1").below + 1;
  const out = Object.values(frame.missing).reduce((sum, below) => sum + below, 0);
  tree.count.replaceChildren(
    part(ids.length < all ? `${ids.length} of ${grouped(all)} nodes; ` : ""), frame.line,
    part(out ? "; the icicle shows them all" : ""),
  );
  tree.count.title = tree.count.textContent ?? ""; // it is cut off where there is no room
  const about = "Decision tree; arrow keys walk it, Enter chooses a node, Space folds it";
  tree.svg?.setAttribute("aria-label", [about, tree.count.textContent].filter(Boolean).join("; "));
  tree.all.hidden = !tree.shut.size && !foldedAtFirst(nodes).size;
  tree.all.textContent = tree.shut.size ? "unfold all" : "fold";
  tree.all.title = tree.shut.size ? "Unfold the whole tree" : "Fold what is deep";
  tree.all.setAttribute("aria-label", tree.all.title);
}

/** What is said of the drawn part of a tree, and not of all of it.
 *  @param {string} text */
function part(text) {
  const made = element("span", "part");
  made.textContent = text;
  return made;
}

/** The layout failed: the words of the nodes as a list.
 *  @param {Tree} tree */
export function inWords(tree) {
  const list = document.createElement("ul");
  for (const { words } of tree.nodes.values()) {
    const item = document.createElement("li");
    item.textContent = words;
    list.append(item);
  }
  Object.assign(tree, { text: "", svg: null, places: new Map(), drawn: null });
  tree.sheet.replaceChildren(list);
  tree.sheet.style.transform = "";
  tree.box.classList.add("words");
  tree.saver.hidden = true;
  tree.root.dataset.step = tree.frame.stamp ?? "";
}

/** Light a node; where it is folded away, the one it is folded into.
 *  @param {Tree} tree @param {string | null} node */
export function light(tree, node) {
  tree.svg?.querySelector("g.lit")?.classList.remove("lit");
  if (node) shownOf(tree, node)?.group.classList.add("lit");
  tree.lit = node;
  tree.root.dataset.lit = node ?? "";
}

/** Light the way of a row from the root to a node; of none, that of the row that is shown.
 *  @param {Tree} tree @param {string | null} node */
export function lightWay(tree, node) {
  const end = node ?? tree.frame.row ?? "";
  tree.way = node;
  const way = new Set(pathTo(end));
  for (const one of tree.svg?.querySelectorAll("g.node, g.edge") ?? []) {
    one.classList.toggle("way", way.has(one.id.slice(1)));
  }
  tree.root.dataset.way = end;
}

/** The words of a node beside it, where they are not written in it.
 *  @param {Tree} tree @param {string | null} id */
export function tell({ tip, box, nodes, places: at, viewer: { view } }, id) {
  const place = id && at.get(id);
  tip.hidden = !place || box.dataset.detail === "near";
  if (!place || tip.hidden) return;
  said(tip, nodes.get(id).words);
  const { x, y, scale } = view;
  const below = y + (place.y + place.h) * scale + 6;
  const fits = below + tip.offsetHeight <= box.clientHeight;
  const top = fits ? below : y + place.y * scale - 6 - tip.offsetHeight;
  const left = x + (place.x + place.w / 2) * scale - tip.offsetWidth / 2;
  tip.style.left = `${Math.max(0, Math.min(left, box.clientWidth - tip.offsetWidth))}px`;
  tip.style.top = `${box.offsetTop + Math.max(top, -box.offsetTop)}px`;
}

/** Fill the tip: the rule first, the rest under it.
 *  @param {HTMLElement} tip @param {string} words */
export function said(tip, words) {
  const [head, ...more] = words.split("; ");
  tip.replaceChildren(...[head, more.join("; ")].map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }));
}

/** The place of a node, or of the nearest above it that is drawn.
 *  @param {Tree} tree @param {string} id */
function shownOf({ nodes, places: at }, id) {
  return [id, ...above(nodes, id)].map((one) => at.get(one)).find(Boolean);
}

// --- the keyboard ---------------------------------------------------------------------------------

/** The group that has the keyboard, or none.
 *  @param {Tree} tree */
export function heldIn({ root }) {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (root.getRootNode());
  return activeElement?.closest("g.node");
}

/** Move the keyboard's place to a node, or to the nearest above it.
 *  @param {Tree} tree @param {string} id */
export function step(tree, id) {
  const group = (shownOf(tree, id) ?? tree.places.get("1"))?.group;
  tree.places.get(tree.active)?.group.setAttribute("tabindex", "-1");
  tree.active = group?.id.slice(1) ?? "1";
  group?.setAttribute("tabindex", "0");
  group?.focus({ preventScroll: true });
}
