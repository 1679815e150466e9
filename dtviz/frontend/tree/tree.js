// The tree: laid out by Graphviz, walked by pointer and keys, folded where it is large.
//
// Glossary
//   frame     what Python sends: DOT lines and words of each node, the focus, the next to split
//   places    where each node is drawn (see tree/svg.js)
//   shut      the nodes whose subtree is folded away; `wishes` those the user opened or folded
//   active    the node the keyboard stands on; `lit` the one that is looked at, here or elsewhere
//   way       where the way of a row ends that is lit from elsewhere, or null

import { keep, onStamp } from "../lib/prefetch.js";
import { button, element } from "../lib/dom.js";
import { hear, tell } from "../lib/link.js";
import { changeOf, Motion } from "../lib/motion.js";
import { saveMenu } from "../lib/save.js";
import { above, folded, nodesOf, part, visible } from "./fold.js";
import { laidOut } from "./layout.js";
import { looksOf } from "./looks.js";
import { heldIn, inWords, light, lightWay, mark, name, step, tell as tip } from "./mark.js";
import { isMovable, slide, spotsOf } from "./slide.js";
import { clean, places, sizeOf, standalone } from "./svg.js";
import { steer } from "./steer.js";
import { tools } from "./tools.js";
import { scaleIn, viewer } from "./view.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Nodes, Of, Places } from "../types.d.ts" */
/** @import { Sieve } from "./fold.js" */
/** @import { Look, Room } from "./looks.js" */

/**
 * @typedef {Of<"tree">} Frame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, nodes: Nodes, ids: string[], text: string,
 *   svg: SVGSVGElement | null, places: Places, wishes: Map<string, boolean>, shut: Set<string>,
 *   active: string, lit: string | null, way: string | null, asked: number, saver: HTMLElement, drawn: Frame | null,
 *   motion: Motion, sieve: Sieve | null, look: Look,
 * }} Tree  `asked` counts the layouts that were asked for, `drawn` is the frame that was, `text` all
 *   looks it might have had, `look` the one it has
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {Tree} */
  const tree = {
    root, host, frame: host.frame, nodes: nodesOf(host.frame), ids: [], text: "", svg: null,
    places: new Map(), wishes: new Map(), shut: new Set(), active: "1", lit: null, way: null, asked: 0, drawn: null,
    sieve: null, look: { text: "", low: false, least: 0 }, motion: new Motion(root), ...build(root),
    saver: saveMenu("tree", () => saved(tree), () => tree.frame.colours.paper),
  };
  const follow = tools(tree, { choose, foldAll, fit: refit, sift });
  steer(tree, { choose, fold, hover, go, fit });
  const resized = new ResizeObserver(() => {
    if (tree.svg && !tree.viewer.view.own) refit(tree);
    follow();
  });
  for (const one of [root, tree.box]) resized.observe(one); // the box has no size beneath the icicle
  const { isSecondScreen: mine } = host;
  onStamp("tree", root, (frame) => {
    show(tree, frame);
    follow();
  }, mine);
  hear("ahead", ({ frame }) => frame.kind === "tree" && !frame.beside === !mine && prepare(tree, frame), root);
  hear("hover", ({ node, from, way, beside = false }) => {
    if (from === "tree" || beside !== mine) return;
    light(tree, node);
    lightWay(tree, way ? node : null);
    follow();
  }, root);
  host.onFrame((frame) => {
    keep(frame);
    if (tree.asked && frame === tree.frame) return; // it came ahead
    show(tree, frame);
    follow();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const bar = element("div", "bar");
  const count = element("span", "count");
  const all = button("", "");
  all.classList.add("all");
  const box = element("div", "box");
  const sheet = element("div", "sheet");
  const heard = element("div", "heard");
  heard.setAttribute("aria-live", "polite");
  const tipped = element("div", "tip");
  tipped.setAttribute("aria-hidden", "true"); // a node is named by the same words
  all.hidden = tipped.hidden = true;
  bar.append(count, all);
  box.append(sheet);
  root.append(bar, box, tipped, heard);
  return { bar, count, all, box, sheet, tip: tipped, heard, viewer: viewer(box, sheet) };
}

/** The tree as a document of its own: with all its words, also where they are seen in brief.
 *  @param {Tree} tree */
async function saved(tree) {
  const { frame, nodes, ids, look } = tree;
  const text = look.low ? await laidOut(part(frame, nodes, ids), tree.saver) : null;
  const svg = text === null ? tree.svg : clean(text);
  if (!svg) return "";
  for (const [id, place] of text === null ? [] : places(svg)) {
    name(tree, id, place);
    place.group.classList.toggle("rows", place.brief?.hasStrip);
    place.group.classList.toggle("focus", id === frame.focus);
  }
  return standalone(svg, frame.colours);
}

// --- showing --------------------------------------------------------------------------------------

/** @param {Tree} tree @param {Frame} frame */
function show(tree, frame) {
  const nodes = nodesOf(frame);
  const before = tree.frame;
  Object.assign(tree, { frame, nodes });
  for (const node of /** @type {const} */ (["focus", "next"])) {
    if (frame[node] !== before[node]) for (const id of above(nodes, frame[node])) unwish(tree, id);
  }
  draw(tree, before.focus);
}

/** The way to a new focus opens, though its user folded it before.
 *  @param {Tree} tree @param {string} id */
function unwish(tree, id) {
  if (tree.wishes.get(id) === false) tree.wishes.delete(id);
}

/** Lay out what is likely to be asked for next.
 *  @param {Tree} tree @param {Frame} frame */
function prepare(tree, frame) {
  const nodes = nodesOf(frame);
  const looks = looksIn(tree, frame, nodes, visible(nodes, shutIn(tree, frame, nodes)));
  best(looks, tree.viewer.room()).catch(() => {}); // shown, it will say so itself
}

/** @param {Tree} tree @param {Frame} frame @param {Nodes} nodes */
const shutIn = (tree, frame, nodes) => folded(nodes, tree.wishes, [frame.focus, frame.next], tree.sieve);

/** Lay out and paint what is to be seen; only marks change where that is the same as before.
 *  @param {Tree} tree */
async function draw(tree, focusBefore = tree.frame.focus) {
  const asked = ++tree.asked;
  const { frame, nodes } = tree;
  const shut = shutIn(tree, frame, nodes);
  const ids = visible(nodes, shut);
  const looks = looksIn(tree, frame, nodes, ids);
  const text = looks.map((one) => one.text).join("");
  /** @type {Found | null | undefined} */
  let found;
  try {
    if (text !== tree.text || !isDrawn(tree, tree.look)) {
      laying(tree, true);
      found = await best(looks, tree.viewer.room(), tree, () => asked === tree.asked);
    }
  } catch (error) {
    console.error(error);
    if (asked !== tree.asked) return;
    laying(tree, false);
    inWords(tree);
    return;
  }
  if (asked !== tree.asked || found === null) return;
  laying(tree, false);
  Object.assign(tree, { ids, shut, text });
  if (found && !isDrawn(tree, found.look)) {
    paint(tree, found);
    tree.drawn = frame;
  }
  mark(tree);
  if (frame.focus !== focusBefore) reveal(tree, frame.focus);
  tree.root.dataset.step = frame.stamp ?? "";
  tree.root.dataset.nodes = String(ids.length);
}

/** The looks that may be taken; once its user moved the picture, of the kind that it has.
 *  @param {Tree} tree @param {Frame} frame @param {Nodes} nodes @param {string[]} ids */
function looksIn({ viewer: { view, room }, svg }, frame, nodes, ids) {
  const looks = looksOf(frame, nodes, ids, room());
  const alike = svg && view.own ? looks.filter((one) => one.low === view.low) : [];
  return alike.length ? alike : looks;
}

/** @typedef {{ look: Look, svg: string }} Found */

/** The first look that is read in a room, laid out, or the last; null once the asker wanted another:
 *  no further look is then laid out in its place.
 *  @param {Look[]} looks @param {Room} room @param {object} [asker] @param {() => boolean} [isWanted]
 *  @returns {Promise<Found | null>} */
async function best(looks, room, asker, isWanted = () => true) {
  for (const look of looks) {
    const svg = isWanted() ? await laidOut(look.text, asker) : null;
    if (svg === null) break;
    if (look === looks.at(-1) || scaleIn(sizeOf(svg), room, look.low) >= look.least) return { look, svg };
  }
  return null;
}

/** Whether a look of the frame is what is drawn: the same rows, and in low boxes the same focus.
 *  @param {Tree} tree @param {Look} look */
function isDrawn({ drawn, frame, look: { text } }, look) {
  return look.text === text && sameRows(drawn, frame) && (!look.low || drawn?.focus === frame.focus);
}

/** Whether the strips of two frames are the same.
 *  @param {Frame | null} one @param {Frame} other */
function sameRows(one, { strips: { left, counts } }) {
  if (one?.strips.counts === counts) return true;
  return one?.strips.counts.length === counts.length && counts.every((count, k) => one.strips.counts[k] === count)
    && left.every((bins, k) => one.strips.left[k] === bins);
}

/** All hear that a layout is waited for, and when none is any more.
 *  @param {Tree} tree @param {boolean} on */
function laying({ root, host: { isSecondScreen: beside } }, on) {
  if ((root.dataset.waiting === "true") === on) return;
  root.dataset.waiting = String(on);
  tell("laying", { on, beside });
}

/** @param {Tree} tree @param {Found} found */
function paint(tree, { look, svg: text }) {
  const { sheet, motion } = tree;
  motion.end();
  const held = heldIn(tree);
  const change = changeIn(tree);
  const moves = change && motion.step();
  const old = sightOf(tree, tree.drawn ?? tree.frame);
  const placed = sheet.style.transform;
  const svg = clean(text);
  Object.assign(tree, { svg, look, places: places(svg) });
  for (const [id, place] of tree.places) name(tree, id, place);
  const groups = tree.ids.flatMap((id) => tree.places.get(id)?.group ?? []);
  svg.querySelector("g.graph")?.append(...groups); // read branch by branch
  svg.setAttribute("role", "tree");
  tree.box.classList.remove("words");
  tree.saver.hidden = false;
  sheet.replaceChildren(svg);
  settle(tree, svg, old.places);
  if (moves) move(tree, old, placed, change);
  if (held) step(tree, held.id.slice(1));
}

/** The split that is new or undone, or null in place of its node where a part was folded; null where
 *  the tree is another.
 *  @param {Tree} tree @returns {{ node: string | null, forward: boolean } | null} */
function changeIn({ drawn, nodes }) {
  if (!drawn) return null;
  const [before, after] = [nodesOf(drawn), nodes].map((all) => [...all].flatMap(([id, { below }]) => (below ? [] : [id])));
  return String(before) === String(after) ? { node: null, forward: true } : changeOf(before, after);
}

/** What is drawn of a frame, and where it is seen.
 *  @param {Tree} tree @param {Frame} frame */
const sightOf = ({ svg, places: at, viewer: { view } }, frame) => ({ svg, places: at, nodes: nodesOf(frame), spots: spotsOf(at, view), view: { ...view } });

/** Show on its way what was painted; what is undone, over it.
 *  @param {Tree} tree @param {ReturnType<typeof sightOf>} old @param {string} placed
 *  @param {{ node: string | null, forward: boolean }} change */
function move(tree, old, placed, change) {
  const now = sightOf(tree, tree.frame);
  const [small, large] = change.forward ? [old, now] : [now, old];
  const { svg } = large;
  if (!svg || !isMovable(small.places) || !isMovable(large.places)) return;
  const over = element("div", "sheet film");
  if (!change.forward) {
    over.style.transform = placed;
    over.setAttribute("aria-hidden", "true");
    over.append(svg);
    tree.box.append(over);
  }
  slide(tree.motion, { ...large, svg }, small.spots, change, () => over.remove());
}

/** Fit the new picture, or leave the user's own view where it is.
 *  @param {Tree} tree @param {SVGSVGElement} svg @param {Places} old */
function settle(tree, svg, old) {
  const { width: w, height: h } = svg.viewBox.baseVal;
  Object.assign(tree.viewer.view, { size: { w, h }, low: tree.look.low, nodes: [...tree.places.values()] });
  if (!tree.viewer.view.own) return fit(tree);
  for (const id of [tree.frame.focus, tree.active, "1"]) {
    const [from, to] = [old.get(id), tree.places.get(id)];
    if (from && to) return tree.viewer.hold(from, to);
  }
  return undefined;
}

/** @param {Tree} tree */
function fit(tree, all = false) {
  const anchor = tree.places.get(tree.frame.focus) ?? tree.places.get("1");
  if (anchor) tree.viewer.fit(anchor, all);
}

/** Fit what there is, and draw the tree as its room has it now.
 *  @param {Tree} tree */
function refit(tree, all = false) {
  tree.viewer.view.own = false;
  tree.viewer.changed();
  const drawn = draw(tree);
  fit(tree, all);
  drawn.then(() => fit(tree, all));
}

/** @param {Tree} tree @param {string} id */
function reveal(tree, id) {
  const place = tree.places.get(id);
  if (place) tree.viewer.reveal(place);
}

// --- what the user does ---------------------------------------------------------------------------

/** @param {Tree} tree @param {string | null} id */
function hover(tree, id) {
  tip(tree, id);
  if (tree.lit === id) return;
  light(tree, id);
  tell("hover", { node: id, from: "tree", beside: tree.host.isSecondScreen });
}

/** @param {Tree} tree @param {string} id */
function choose(tree, id) {
  tree.host.send({ what: "focus", node: id });
}

/** @param {Tree} tree @param {string} id */
function fold(tree, id) {
  if (!tree.nodes.get(id)?.children.length) return;
  const open = tree.shut.has(id);
  tree.wishes.set(id, open);
  tree.heard.textContent = open ? "unfolded" : "folded";
  step(tree, id);
  draw(tree).then(() => tree.places.has(id) && reveal(tree, id));
}

/** Unfold everything, or go back to what is folded in a large tree.
 *  @param {Tree} tree */
function foldAll(tree) {
  const open = tree.shut.size > 0;
  tree.wishes.clear();
  tree.sieve = null;
  if (open) for (const [id, { children }] of tree.nodes) if (children.length) tree.wishes.set(id, true);
  tree.heard.textContent = open ? "unfolded" : "folded";
  refit(tree, open);
}

/** Open what another sieve lets through.
 *  @param {Tree} tree */
function sift(tree) {
  tree.wishes.clear();
  refit(tree);
}

/** Move the keyboard's place to a node that is drawn, and have it in sight.
 *  @param {Tree} tree @param {string | null | undefined} id */
function go(tree, id) {
  if (!id || !tree.places.has(id)) return;
  step(tree, id);
  reveal(tree, id);
}
