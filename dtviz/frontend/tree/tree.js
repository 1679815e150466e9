// Picture of the tree: walked by pointer and keys, folded if it is large.

import { keep, onStamp } from "../lib/prefetch.js";
import { button, element } from "../lib/dom.js";
import { hear, tell } from "../lib/link.js";
import { changeOf, Motion } from "../lib/motion.js";
import { saveMenu } from "../draw/save.js";
import { ancestors, foldedIds, nodesOf, visibleIds } from "./fold.js";
import { layOut } from "./layout.js";
import { FONT_SIZE, MIN_SCALE_TALL, tallVariant, variantsOf, widenIntoGaps } from "./variants.js";
import { focusedGroup, lightNode, lightPath, markState, nameNode, moveFocus, showTip } from "./mark.js";
import { isMovable, slide, spotsOf } from "./slide.js";
import { drawTree, standaloneSvg } from "./svg.js";
import { steer } from "./steer.js";
import { createToolbar } from "./tools.js";
import { fittingScale, createViewer } from "./view.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Nodes, FrameOf, NodePlaces } from "../types.d.ts" */
/** @import { Sieve } from "./fold.js" */
/** @import { Layout } from "./layout.js" */
/** @import { Variant } from "./variants.js" */

/** Tree with its variant and layout; `key`: equal keys, equal pictures.
 *  @typedef {{ variant: Variant, layout: Layout, key: string }} LaidOutTree */

/**
 * @typedef {FrameOf<"tree">} Frame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, nodes: Nodes, ids: string[],
 *   drawn: LaidOutTree & { frame: Frame, svg: SVGSVGElement } | null, places: NodePlaces, userFolds: Map<string, boolean>, folded: Set<string>,
 *   active: string, litNode: string | null, pathEnd: string | null, saveMenuElement: HTMLElement, motion: Motion, sieve: Sieve | null, dataMark: string,
 * }} Tree  Picture of the tree:
 *   `drawn`: tree that is drawn, and the frame that it was drawn for; `places`: positions of the drawn nodes, see svg.js;
 *   `folded`: nodes whose subtree is not drawn; `userFolds`: nodes that the user opened, true, or folded, false;
 *   `active`: node with the keyboard focus; `litNode`: node that is looked at, on this or another picture;
 *   `pathEnd`: last node of a row path that another picture lights, or null; `dataMark`: mark of the data of the folds
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {Tree} */
  const tree = {
    root, host, frame: host.frame, nodes: nodesOf(host.frame), ids: [], drawn: null, places: new Map(), userFolds: new Map(), folded: new Set(),
    active: "1", litNode: null, pathEnd: null, sieve: null, dataMark: host.dataMark, motion: new Motion(root), ...build(root),
    saveMenuElement: saveMenu("tree", () => standaloneTree(tree), () => tree.frame.colours.paper),
  };
  const follow = createToolbar(tree, { choose, foldAll, fit: refit, sift });
  steer(tree, { choose, fold, hover, go: goTo, fit: fitView });
  const resized = new ResizeObserver(() => {
    if (tree.drawn && !tree.viewer.view.isManual) refit(tree);
    follow();
  });
  for (const observed of [root, tree.box]) resized.observe(observed); // root too: the box has no size while the icicle is shown
  const { isSecondScreen: isSecond } = host;
  onStamp("tree", root, (frame) => {
    show(tree, frame);
    follow();
  }, isSecond);
  hear("hover", ({ node, from, way: isPath, beside: isOnSecond = false }) => {
    if (from === "tree" || isOnSecond !== isSecond) return;
    lightNode(tree, node);
    lightPath(tree, isPath ? node : null);
    follow();
  }, root);
  host.onFrame((frame) => {
    keep(frame);
    if (tree.drawn && frame === tree.frame) return; // shown already, from the prefetched frames
    show(tree, frame);
    follow();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const bar = element("div", "bar");
  const count = element("span", "count");
  const allButton = button("");
  allButton.classList.add("all");
  const box = element("div", "box");
  const sheet = element("div", "sheet");
  const liveRegion = element("div", "heard");
  liveRegion.setAttribute("aria-live", "polite");
  const tip = element("div", "tip");
  tip.setAttribute("aria-hidden", "true"); // a node is named by the same words
  allButton.hidden = tip.hidden = true;
  bar.append(count, allButton);
  box.append(sheet);
  root.append(bar, box, tip, liveRegion);
  return { bar, count, allButton, box, sheet, tip, liveRegion, viewer: createViewer(box, sheet) };
}

/** Tree as an SVG document, with all words of its nodes, even if the page shows them in brief.
 *  @param {Tree} tree */
function standaloneTree(tree) {
  const { frame, nodes, ids, viewer, root } = tree;
  const variant = tallVariant(nodes, ids, viewer.room().measure);
  const { svg, places } = drawTree(frame, nodes, variant, layOut(nodes, variant.boxes, variant.gaps));
  for (const [id, place] of places) {
    nameNode(tree, id, place, places);
    place.group.classList.toggle("rows", nodes.get(id).strip !== null);
    place.group.classList.toggle("focus", id === frame.focus);
  }
  return standaloneSvg(svg, frame.colours, getComputedStyle(root).fontFamily);
}

// --- showing --------------------------------------------------------------------------------------

/** @param {Tree} tree @param {Frame} frame */
function show(tree, frame) {
  const nodes = nodesOf(frame);
  const oldFrame = tree.frame;
  Object.assign(tree, { frame, nodes });
  if (tree.dataMark !== tree.host.dataMark) { // folds are those of one table
    tree.userFolds.clear();
    [tree.sieve, tree.dataMark] = [null, tree.host.dataMark];
  }
  for (const node of /** @type {const} */ (["focus", "next_node"])) {
    if (frame[node] !== oldFrame[node]) for (const id of ancestors(nodes, frame[node])) forgetFold(tree, id);
  }
  draw(tree, oldFrame.focus);
}

/** Forget that the user folded a node, since it is on the path to a new focus.
 *  @param {Tree} tree @param {string} id */
function forgetFold(tree, id) {
  if (tree.userFolds.get(id) === false) tree.userFolds.delete(id);
}

/** Lay out and paint the visible nodes; if they are those already drawn, only marks change.
 *  @param {Tree} tree */
function draw(tree, focusBefore = tree.frame.focus) {
  const { frame, nodes } = tree;
  tree.folded = foldedIds(nodes, tree.userFolds, [frame.focus, frame.next_node], tree.sieve);
  tree.ids = visibleIds(nodes, tree.folded);
  const laidOut = firstReadable(tree);
  if (laidOut.key !== tree.drawn?.key || !hasSameRows(tree.drawn.frame, frame)) paint(tree, laidOut);
  else tree.drawn.frame = frame;
  markState(tree);
  if (frame.focus !== focusBefore) reveal(tree, frame.focus);
  tree.root.dataset.step = frame.stamp ?? "";
  tree.root.dataset.nodes = String(tree.ids.length);
}

/** Lay out variants until one is readable in the room, or the last. Once the user moved the picture, only those of its
 *  kind, tall or low.
 *  @param {Tree} tree @returns {LaidOutTree} */
function firstReadable({ frame, nodes, ids, folded, drawn, viewer: { view, room } }) {
  const variants = variantsOf(frame, nodes, ids, room());
  const sameKind = drawn && view.isManual ? variants.filter((variant) => variant.isLow === view.isLow) : [];
  const candidates = sameKind.length ? sameKind : variants;
  let layout = /** @type {Layout | null} */ (null);
  const readable = candidates.find(({ boxes, gaps, isLow, minScale }) => {
    layout = layOut(nodes, boxes, gaps);
    return fittingScale(layout.size, room(), isLow) >= minScale;
  }) ?? candidates[candidates.length - 1];
  layout ??= layOut(nodes, readable.boxes, readable.gaps); // never needed: there is one candidate at least
  const scale = fittingScale(layout.size, room(), readable.isLow);
  const isBrief = readable.isLow || scale < MIN_SCALE_TALL; // boxes whose words may be truncated
  const laidOut = isBrief ? widenIntoGaps(nodes, readable, layout, room().measure, readable.isLow ? FONT_SIZE : FONT_SIZE / scale) : { variant: readable, layout };
  const looks = Array.from(laidOut.layout.places, ([id, rect]) => {
    const { title, words, classShares, descendants } = nodes.get(id);
    return [id, rect.x, rect.y, title, words, classShares.join(), folded.has(id) ? descendants : 0];
  });
  return { ...laidOut, key: JSON.stringify([readable.isLow && frame.focus, layout.size, frame.colours, looks]) };
}

/** True if the strips of two frames are equal.
 *  @param {Frame | null} frame @param {Frame} other */
function hasSameRows(frame, { strips: { left, counts } }) {
  if (frame?.strips.counts === counts) return true;
  return frame?.strips.counts.length === counts.length && counts.every((count, k) => frame.strips.counts[k] === count)
    && left.every((bins, k) => frame.strips.left[k] === bins);
}

/** @param {Tree} tree @param {LaidOutTree} laidOut */
function paint(tree, laidOut) {
  const { sheet, motion, frame, nodes } = tree;
  motion.end();
  const focused = focusedGroup(tree);
  const change = changeIn(tree);
  const isMoving = change && motion.beginStep();
  const before = tree.drawn && drawnTreeOf(tree, tree.drawn);
  const transform = sheet.style.transform;
  const { svg, places } = drawTree(frame, nodes, laidOut.variant, laidOut.layout);
  Object.assign(tree, { places, drawn: { ...laidOut, frame, svg } });
  for (const [id, place] of places) nameNode(tree, id, place, places);
  tree.saveMenuElement.hidden = false;
  sheet.replaceChildren(svg);
  placeView(tree, laidOut, before?.places);
  if (isMoving && before) startMotion(tree, before, transform, change);
  if (focused) moveFocus(tree, focused.id.slice(1));
}

/** The split that is new or undone, with null for its node if only folds changed; null if the tree is another.
 *  @param {Tree} tree @returns {{ node: string | null, forward: boolean } | null} */
function changeIn({ drawn, nodes }) {
  if (!drawn) return null;
  const oldNodes = nodesOf(drawn.frame);
  const [before, after] = [oldNodes, nodes].map((nodesOfTree) => [...nodesOfTree].flatMap(([id, { descendants: below }]) => (below ? [] : [id])));
  return String(before) === String(after) ? { node: null, forward: true } : changeOf(before, after, new Set([...oldNodes.keys(), ...nodes.keys()]));
}

/** Drawn tree with the spots of its nodes.
 *  @param {Tree} tree @param {NonNullable<Tree["drawn"]>} drawn */
const drawnTreeOf = ({ places, viewer: { view } }, { svg, frame }) => ({ svg, places, nodes: nodesOf(frame), spots: spotsOf(places, view), view: { ...view } });

/** Move from the tree drawn before to the one painted now; a tree that is undone moves on an overlay.
 *  @param {Tree} tree @param {ReturnType<typeof drawnTreeOf>} before @param {string} transform
 *  @param {{ node: string | null, forward: boolean }} change */
function startMotion(tree, before, transform, change) {
  const after = tree.drawn && drawnTreeOf(tree, tree.drawn);
  if (!after || !isMovable(before.places) || !isMovable(after.places)) return;
  const [small, large] = change.forward ? [before, after] : [after, before];
  const overlay = element("div", "sheet film");
  if (!change.forward) {
    overlay.style.transform = transform;
    overlay.setAttribute("aria-hidden", "true");
    overlay.append(large.svg);
    tree.box.append(overlay);
  }
  slide(tree.motion, large, small.spots, change, () => overlay.remove());
}

/** Fit the new picture into the box; a view that the user has moved stays where it is.
 *  @param {Tree} tree @param {LaidOutTree} laidOut @param {NodePlaces} [old] */
function placeView(tree, { variant, layout: { size } }, old = new Map()) {
  Object.assign(tree.viewer.view, { size, isLow: variant.isLow, nodes: [...tree.places.values()] });
  if (!tree.viewer.view.isManual) return fitView(tree);
  for (const id of [tree.frame.focus, tree.active, "1"]) {
    const [from, to] = [old.get(id), tree.places.get(id)];
    if (from && to) return tree.viewer.hold(from, to);
  }
  return undefined;
}

/** @param {Tree} tree */
function fitView(tree, all = false) {
  const anchor = tree.places.get(tree.frame.focus) ?? tree.places.get("1");
  if (anchor) tree.viewer.fit(anchor, all);
}

/** Fit the picture, and draw the tree again for the room that it has now.
 *  @param {Tree} tree */
function refit(tree, all = false) {
  tree.viewer.view.isManual = false;
  tree.viewer.remeasure();
  draw(tree);
  fitView(tree, all);
}

/** @param {Tree} tree @param {string} id */
function reveal(tree, id) {
  const place = tree.places.get(id);
  if (place) tree.viewer.reveal(place);
}

// --- input ----------------------------------------------------------------------------------------

/** @param {Tree} tree @param {string | null} id */
function hover(tree, id) {
  showTip(tree, id);
  if (tree.litNode === id) return;
  lightNode(tree, id);
  tell(tree.root, "hover", { node: id, from: "tree", beside: tree.host.isSecondScreen });
}

/** @param {Tree} tree @param {string} id */
function choose(tree, id) {
  tree.host.send({ what: "focus", node: id });
}

/** @param {Tree} tree @param {string} id */
function fold(tree, id) {
  if (!tree.nodes.get(id)?.children.length) return;
  const open = tree.folded.has(id);
  tree.userFolds.set(id, open);
  tree.liveRegion.textContent = open ? "unfolded" : "folded";
  moveFocus(tree, id);
  draw(tree);
  reveal(tree, id);
}

/** Unfold all nodes, or fold those that are folded by default.
 *  @param {Tree} tree */
function foldAll(tree) {
  const open = tree.folded.size > 0;
  tree.userFolds.clear();
  tree.sieve = null;
  if (open) for (const [id, { children }] of tree.nodes) if (children.length) tree.userFolds.set(id, true);
  tree.liveRegion.textContent = open ? "unfolded" : "folded";
  refit(tree, open);
}

/** Open the nodes that the chosen sieve opens.
 *  @param {Tree} tree */
function sift(tree) {
  tree.userFolds.clear();
  refit(tree);
}

/** Move the keyboard focus to a node that is drawn, and bring it into sight.
 *  @param {Tree} tree @param {string | null | undefined} id */
function goTo(tree, id) {
  if (!id || !tree.places.has(id)) return;
  moveFocus(tree, id);
  reveal(tree, id);
}
