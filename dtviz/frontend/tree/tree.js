// Picture of the tree: laid out by Graphviz, walked by pointer and keys, folded if it is large.

import { keep, onStamp } from "../lib/prefetch.js";
import { button, element } from "../lib/dom.js";
import { hear, tell } from "../lib/link.js";
import { changeOf, Motion } from "../lib/motion.js";
import { saveMenu } from "../lib/save.js";
import { ancestors, foldedIds, nodesOf, dotText, visibleIds } from "./fold.js";
import { layOut } from "./layout.js";
import { variantsOf } from "./variants.js";
import { focusedGroup, listNodes, lightNode, lightPath, markState, nameNode, moveFocus, showTip } from "./mark.js";
import { isMovable, slide, spotsOf } from "./slide.js";
import { parseSvg, placesOf, sizeOf, standaloneSvg } from "./svg.js";
import { steer } from "./steer.js";
import { createToolbar } from "./tools.js";
import { fittingScale, createViewer } from "./view.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Nodes, FrameOf, NodePlaces } from "../types.d.ts" */
/** @import { Sieve } from "./fold.js" */
/** @import { Variant, Room } from "./variants.js" */

/**
 * @typedef {FrameOf<"tree">} Frame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, nodes: Nodes, ids: string[], drawnDot: string,
 *   svg: SVGSVGElement | null, places: NodePlaces, userFolds: Map<string, boolean>, folded: Set<string>,
 *   active: string, litNode: string | null, pathEnd: string | null, layoutCount: number, saveMenuElement: HTMLElement, drawnFrame: Frame | null,
 *   motion: Motion, sieve: Sieve | null, variant: Variant,
 * }} Tree  Picture of the tree:
 *   `places`: positions of the drawn nodes, see svg.js; `drawnFrame`, `drawnDot`: the frame that was drawn last,
 *   and the DOT texts of all variants it might have had; `variant`: the variant that it has;
 *   `folded`: nodes whose subtree is not drawn; `userFolds`: nodes that the user opened, true, or folded, false;
 *   `active`: node with the keyboard focus; `litNode`: node that is looked at, on this or another picture;
 *   `pathEnd`: last node of a row path that another picture lights, or null; `layoutCount`: layouts asked for
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {Tree} */
  const tree = {
    root, host, frame: host.frame, nodes: nodesOf(host.frame), ids: [], drawnDot: "", svg: null,
    places: new Map(), userFolds: new Map(), folded: new Set(), active: "1", litNode: null, pathEnd: null, layoutCount: 0, drawnFrame: null,
    sieve: null, variant: { dot: "", isLow: false, minScale: 0 }, motion: new Motion(root), ...build(root),
    saveMenuElement: saveMenu("tree", () => standaloneTree(tree), () => tree.frame.colours.paper),
  };
  const follow = createToolbar(tree, { choose, foldAll, fit: refit, sift });
  steer(tree, { choose, fold, hover, go: goTo, fit: fitView });
  const resized = new ResizeObserver(() => {
    if (tree.svg && !tree.viewer.view.isManual) refit(tree);
    follow();
  });
  for (const observed of [root, tree.box]) resized.observe(observed); // root too: the box has no size while the icicle is shown
  const { isSecondScreen: isSecond } = host;
  onStamp("tree", root, (frame) => {
    show(tree, frame);
    follow();
  }, isSecond);
  hear("prefetch", ({ frame }) => frame.kind === "tree" && !frame.is_second_screen === !isSecond && prepare(tree, frame), root);
  hear("hover", ({ node, from, way: isPath, beside: isOnSecond = false }) => {
    if (from === "tree" || isOnSecond !== isSecond) return;
    lightNode(tree, node);
    lightPath(tree, isPath ? node : null);
    follow();
  }, root);
  host.onFrame((frame) => {
    keep(frame);
    if (tree.layoutCount && frame === tree.frame) return; // shown already, from the prefetched frames
    show(tree, frame);
    follow();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const bar = element("div", "bar");
  const count = element("span", "count");
  const allButton = button("", "");
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
async function standaloneTree(tree) {
  const { frame, nodes, ids, variant } = tree;
  const text = variant.isLow ? await layOut(dotText(frame, nodes, ids), tree.saveMenuElement) : null;
  const svg = text === null ? tree.svg : parseSvg(text);
  if (!svg) return "";
  for (const [id, place] of text === null ? [] : placesOf(svg)) {
    nameNode(tree, id, place);
    place.group.classList.toggle("rows", place.brief?.hasStrip);
    place.group.classList.toggle("focus", id === frame.focus);
  }
  return standaloneSvg(svg, frame.colours);
}

// --- showing --------------------------------------------------------------------------------------

/** @param {Tree} tree @param {Frame} frame */
function show(tree, frame) {
  const nodes = nodesOf(frame);
  const oldFrame = tree.frame;
  Object.assign(tree, { frame, nodes });
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

/** Lay out the tree of a frame that is likely to be shown next.
 *  @param {Tree} tree @param {Frame} frame */
function prepare(tree, frame) {
  const nodes = nodesOf(frame);
  const variants = variantsIn(tree, frame, nodes, visibleIds(nodes, foldedIn(tree, frame, nodes)));
  firstReadable(variants, tree.viewer.room()).catch(() => {}); // fails again, with a message, once the frame is shown
}

/** @param {Tree} tree @param {Frame} frame @param {Nodes} nodes */
const foldedIn = (tree, frame, nodes) => foldedIds(nodes, tree.userFolds, [frame.focus, frame.next_node], tree.sieve);

/** Lay out and paint the visible nodes; if they are those already drawn, only marks change.
 *  @param {Tree} tree */
async function draw(tree, focusBefore = tree.frame.focus) {
  const layoutNumber = ++tree.layoutCount;
  const { frame, nodes } = tree;
  const folded = foldedIn(tree, frame, nodes);
  const ids = visibleIds(nodes, folded);
  const variants = variantsIn(tree, frame, nodes, ids);
  const dot = variants.map((variant) => variant.dot).join("");
  /** @type {LaidOutTree | null | undefined} */
  let laidOut;
  try {
    if (dot !== tree.drawnDot || !isDrawn(tree, tree.variant)) {
      setWaiting(tree, true);
      laidOut = await firstReadable(variants, tree.viewer.room(), tree, () => layoutNumber === tree.layoutCount);
    }
  } catch (error) {
    console.error(error);
    if (layoutNumber !== tree.layoutCount) return;
    setWaiting(tree, false);
    listNodes(tree);
    return;
  }
  if (layoutNumber !== tree.layoutCount || laidOut === null) return;
  setWaiting(tree, false);
  Object.assign(tree, { ids, folded, drawnDot: dot });
  if (laidOut && !isDrawn(tree, laidOut.variant)) {
    paint(tree, laidOut);
    tree.drawnFrame = frame;
  }
  markState(tree);
  if (frame.focus !== focusBefore) reveal(tree, frame.focus);
  tree.root.dataset.step = frame.stamp ?? "";
  tree.root.dataset.nodes = String(ids.length);
}

/** Variants that may be drawn; once the user moved the picture, only those of its kind, tall or low.
 *  @param {Tree} tree @param {Frame} frame @param {Nodes} nodes @param {string[]} ids */
function variantsIn({ viewer: { view, room }, svg }, frame, nodes, ids) {
  const variants = variantsOf(frame, nodes, ids, room());
  const sameKind = svg && view.isManual ? variants.filter((variant) => variant.isLow === view.isLow) : [];
  return sameKind.length ? sameKind : variants;
}

/** @typedef {{ variant: Variant, svg: string }} LaidOutTree */

/** Lay out variants until one is readable in a room, or the last; null once the requester wants another
 *  layout, so that no further variant takes its turn.
 *  @param {Variant[]} variants @param {Room} room @param {object} [requester] @param {() => boolean} [isWanted]
 *  @returns {Promise<LaidOutTree | null>} */
async function firstReadable(variants, room, requester, isWanted = () => true) {
  for (const variant of variants) {
    const svg = isWanted() ? await layOut(variant.dot, requester) : null;
    if (svg === null) break;
    if (variant === variants.at(-1) || fittingScale(sizeOf(svg), room, variant.isLow) >= variant.minScale) return { variant, svg };
  }
  return null;
}

/** True if a variant of the frame is drawn already: with the same rows, and in low boxes with the same focus.
 *  @param {Tree} tree @param {Variant} candidate */
function isDrawn({ drawnFrame, frame, variant: { dot } }, candidate) {
  return candidate.dot === dot && hasSameRows(drawnFrame, frame) && (!candidate.isLow || drawnFrame?.focus === frame.focus);
}

/** True if the strips of two frames are equal.
 *  @param {Frame | null} frame @param {Frame} other */
function hasSameRows(frame, { strips: { left, counts } }) {
  if (frame?.strips.counts === counts) return true;
  return frame?.strips.counts.length === counts.length && counts.every((count, k) => frame.strips.counts[k] === count)
    && left.every((bins, k) => frame.strips.left[k] === bins);
}

/** Tell the other pictures when the tree begins or ends to wait for a layout.
 *  @param {Tree} tree @param {boolean} isWaiting */
function setWaiting({ root, host }, isWaiting) {
  if ((root.dataset.waiting === "true") === isWaiting) return;
  root.dataset.waiting = String(isWaiting);
  tell("laying", { on: isWaiting, beside: host.isSecondScreen });
}

/** @param {Tree} tree @param {LaidOutTree} laidOut */
function paint(tree, { variant, svg: text }) {
  const { sheet, motion } = tree;
  motion.end();
  const focused = focusedGroup(tree);
  const change = changeIn(tree);
  const isMoving = change && motion.beginStep();
  const before = drawnTreeOf(tree, tree.drawnFrame ?? tree.frame);
  const transform = sheet.style.transform;
  const svg = parseSvg(text);
  Object.assign(tree, { svg, variant, places: placesOf(svg) });
  for (const [id, place] of tree.places) nameNode(tree, id, place);
  const groups = tree.ids.flatMap((id) => tree.places.get(id)?.group ?? []);
  svg.querySelector("g.graph")?.append(...groups); // so that screen readers read branch by branch
  svg.setAttribute("role", "tree");
  tree.box.classList.remove("words");
  tree.saveMenuElement.hidden = false;
  sheet.replaceChildren(svg);
  placeView(tree, svg, before.places);
  if (isMoving) startMotion(tree, before, transform, change);
  if (focused) moveFocus(tree, focused.id.slice(1));
}

/** The split that is new or undone, with null for its node if only folds changed; null if the tree is another.
 *  @param {Tree} tree @returns {{ node: string | null, forward: boolean } | null} */
function changeIn({ drawnFrame: drawn, nodes }) {
  if (!drawn) return null;
  const [before, after] = [nodesOf(drawn), nodes].map((nodesOfTree) => [...nodesOfTree].flatMap(([id, { descendants: below }]) => (below ? [] : [id])));
  return String(before) === String(after) ? { node: null, forward: true } : changeOf(before, after);
}

/** Drawn tree of a frame, with the spots of its nodes.
 *  @param {Tree} tree @param {Frame} frame */
const drawnTreeOf = ({ svg, places, viewer: { view } }, frame) => ({ svg, places, nodes: nodesOf(frame), spots: spotsOf(places, view), view: { ...view } });

/** Move from the tree drawn before to the one painted now; a tree that is undone moves on an overlay.
 *  @param {Tree} tree @param {ReturnType<typeof drawnTreeOf>} before @param {string} transform
 *  @param {{ node: string | null, forward: boolean }} change */
function startMotion(tree, before, transform, change) {
  const after = drawnTreeOf(tree, tree.frame);
  const [small, large] = change.forward ? [before, after] : [after, before];
  const { svg } = large;
  if (!svg || !isMovable(small.places) || !isMovable(large.places)) return;
  const overlay = element("div", "sheet film");
  if (!change.forward) {
    overlay.style.transform = transform;
    overlay.setAttribute("aria-hidden", "true");
    overlay.append(svg);
    tree.box.append(overlay);
  }
  slide(tree.motion, { ...large, svg }, small.spots, change, () => overlay.remove());
}

/** Fit the new picture into the box; a view that the user has moved stays where it is.
 *  @param {Tree} tree @param {SVGSVGElement} svg @param {NodePlaces} old */
function placeView(tree, svg, old) {
  const { width: w, height: h } = svg.viewBox.baseVal;
  Object.assign(tree.viewer.view, { size: { w, h }, isLow: tree.variant.isLow, nodes: [...tree.places.values()] });
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
  const drawn = draw(tree);
  fitView(tree, all);
  drawn.then(() => fitView(tree, all));
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
  tell("hover", { node: id, from: "tree", beside: tree.host.isSecondScreen });
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
  draw(tree).then(() => tree.places.has(id) && reveal(tree, id));
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
