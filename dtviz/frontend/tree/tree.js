// The tree: laid out by Graphviz, walked by pointer and keys, folded where it is large.
//
// Glossary
//   frame     what Python sends: DOT lines and words of each node, the focus, the next to split
//   places    where each node is drawn (see tree/svg.js)
//   shut      the nodes whose subtree is folded away; `wishes` those the user opened or folded
//   active    the node the keyboard stands on; `lit` the one that is looked at, here or elsewhere

import { keep, onStamp } from "../lib/ahead.js";
import { hear, tell } from "../lib/link.js";
import { saveMenu } from "../lib/save.js";
import { above, folded, foldedAtFirst, nodesOf, part, visible } from "./fold.js";
import { laidOut } from "./layout.js";
import { clean, grow, handle, places, seen, standalone } from "./svg.js";
import { steer } from "./steer.js";
import { viewer } from "./view.js";

export function create(root, host) {
  const tree = /** @type {any} */ ({
    root, host, frame: null, nodes: new Map(), ids: [], text: "", svg: null, places: new Map(),
    wishes: new Map(), shut: new Set(), active: "1", lit: null, asked: 0, ...build(root),
  });
  tree.viewer = viewer(tree.box, tree.sheet);
  tools(tree);
  steer(tree, { choose, fold, hover, go, fit });
  new ResizeObserver(() => tree.svg && !tree.viewer.view.own && fit(tree)).observe(root);
  onStamp("tree", root, (frame) => show(tree, frame));
  hear("ahead", ({ frame }) => frame.kind === "tree" && prepare(tree, frame), root);
  hear("hover", ({ node, from }) => from !== "tree" && light(tree, node), root);
  host.onFrame((frame) => {
    keep(frame);
    show(tree, frame);
  });
}

function build(root) {
  const element = (called, parent, tag = "div") => {
    const made = document.createElement(tag);
    made.className = called;
    parent.append(made);
    return made;
  };
  const bar = element("bar", root);
  const count = element("count", bar, "span");
  const box = element("box", root);
  const sheet = element("sheet", box);
  const heard = element("heard", root);
  heard.setAttribute("aria-live", "polite");
  return { bar, count, box, sheet, heard };
}

function tools(tree) {
  const add = (text, label, act) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: "tool", textContent: text, title: label });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    tree.bar.append(made);
    return made;
  };
  tree.all = add("", "", () => foldAll(tree));
  tree.all.hidden = true;
  add("−", "Smaller", tree.viewer.smaller);
  add("+", "Larger", tree.viewer.larger);
  add("fit", "Show the whole tree", () => fit(tree, true));
  const colours = () => tree.frame.colours;
  tree.bar.append(saveMenu("tree", () => standalone(tree.svg, colours()), () => colours().paper));
}

// --- showing --------------------------------------------------------------------------------------

function show(tree, frame) {
  const nodes = nodesOf(frame);
  const before = tree.frame;
  Object.assign(tree, { frame, nodes });
  for (const node of ["focus", "next"]) {
    if (frame[node] !== before?.[node]) for (const id of above(nodes, frame[node])) unwish(tree, id);
  }
  draw(tree, before?.focus);
}

/** The way to a new focus opens, though its user folded it before. */
function unwish(tree, id) {
  if (tree.wishes.get(id) === false) tree.wishes.delete(id);
}

/** Lay out what is likely to be asked for next. */
function prepare(tree, frame) {
  const nodes = nodesOf(frame);
  const text = part(frame, nodes, visible(nodes, shutIn(tree, frame, nodes)));
  laidOut(text).catch(() => {}); // shown, it will say so itself
}

const shutIn = (tree, frame, nodes) => folded(nodes, tree.wishes, [frame.focus, frame.next]);

/** Lay out and paint what is to be seen; only marks change where that is the same as before. */
async function draw(tree, focusBefore = tree.frame.focus) {
  const asked = ++tree.asked;
  const { frame, nodes } = tree;
  const shut = shutIn(tree, frame, nodes);
  const ids = visible(nodes, shut);
  const text = part(frame, nodes, ids);
  let svg;
  try {
    if (text !== tree.text) svg = await laidOut(text, tree);
  } catch (error) {
    console.error(error);
    if (asked === tree.asked) inWords(tree);
    return;
  }
  if (asked !== tree.asked || svg === null) return;
  Object.assign(tree, { ids, shut });
  if (svg) {
    paint(tree, svg);
    tree.text = text;
  }
  mark(tree);
  if (frame.focus !== focusBefore) reveal(tree, frame.focus);
  tree.root.dataset.step = frame.stamp ?? "";
  tree.root.dataset.nodes = ids.length;
}

function paint(tree, text) {
  const { viewer: { view }, nodes } = tree;
  const held = tree.root.getRootNode().activeElement?.closest?.("g.node");
  const [before, old] = [seen(tree.places, view), tree.places];
  const svg = clean(text);
  Object.assign(tree, { svg, places: places(svg) });
  for (const [id, place] of tree.places) name(tree, id, place);
  const graph = /** @type {SVGGElement} */ (svg.querySelector("g.graph"));
  for (const id of tree.ids) graph.append(tree.places.get(id).group); // read branch by branch
  svg.setAttribute("role", "tree");
  tree.box.classList.remove("words");
  tree.sheet.replaceChildren(svg);
  settle(tree, old);
  grow(svg, before, tree.places, view, (id) => nodes.get(id)?.parent);
  if (held) step(tree, held.id.slice(1));
}

/** Names, levels and states for those who listen, and a handle under each split. */
function name(tree, id, place) {
  const { words, level, children, below } = tree.nodes.get(id);
  const { group } = place;
  const shut = !children.length || tree.shut.has(id);
  group.setAttribute("role", "treeitem");
  group.setAttribute("aria-label", words);
  group.setAttribute("aria-level", String(level));
  if (!below) return;
  if (children.length) group.setAttribute("aria-expanded", String(!shut));
  group.append(handle(place, shut ? below : 0, tree.frame.colours));
}

/** Fit the new picture, or leave the user's own view where it is. */
function settle(tree, old) {
  const { width: w, height: h } = tree.svg.viewBox.baseVal;
  tree.viewer.view.size = { w, h };
  if (!tree.viewer.view.own) return fit(tree);
  const anchor = [tree.frame.focus, tree.active, "1"].find((id) => old.has(id) && tree.places.has(id));
  if (anchor) tree.viewer.hold(old.get(anchor), tree.places.get(anchor));
  return undefined;
}

function fit(tree, all = false) {
  tree.viewer.fit(tree.places.get(tree.frame.focus) ?? tree.places.get("1"), all);
}

function reveal(tree, id) {
  const place = tree.places.get(id);
  if (place) tree.viewer.reveal(place);
}

/** What a new focus changes: its frame, where Tab goes, the words above the tree. */
function mark(tree) {
  const { frame, nodes, ids, places: at } = tree;
  for (const [id, { group }] of at) {
    group.classList.toggle("focus", id === frame.focus);
    group.setAttribute("aria-selected", String(id === frame.focus));
  }
  const held = tree.root.getRootNode().activeElement?.closest?.("g.node");
  if (!held) tree.active = at.has(frame.focus) ? frame.focus : "1";
  for (const [id, { group }] of at) group.setAttribute("tabindex", id === tree.active ? "0" : "-1");
  light(tree, tree.lit);
  const all = nodes.get("1").below + 1;
  const shown = ids.length < all ? `${ids.length} of ${all.toLocaleString("en")} nodes` : "";
  tree.count.textContent = [shown, frame.line].filter(Boolean).join("; ");
  const about = "Decision tree; arrow keys walk it, Enter chooses a node, Space folds it";
  tree.svg.setAttribute("aria-label", [about, tree.count.textContent].filter(Boolean).join("; "));
  tree.all.hidden = !foldedAtFirst(nodes).size;
  tree.all.textContent = tree.shut.size ? "unfold all" : "fold";
  tree.all.title = tree.shut.size ? "Unfold the whole tree" : "Fold what is deep";
  tree.all.setAttribute("aria-label", tree.all.title);
}

/** The layout failed: the words of the nodes as a list. */
function inWords(tree) {
  const list = document.createElement("ul");
  for (const { words } of tree.nodes.values()) {
    const item = document.createElement("li");
    item.textContent = words;
    list.append(item);
  }
  Object.assign(tree, { text: "", svg: null, places: new Map() });
  tree.sheet.replaceChildren(list);
  tree.sheet.style.transform = "";
  tree.box.classList.add("words");
  tree.root.dataset.step = tree.frame.stamp ?? "";
}

/** Light a node; where it is folded away, the one it is folded into. */
function light(tree, node) {
  const shown = tree.places.has(node) ? node : above(tree.nodes, node).find((id) => tree.places.has(id));
  tree.svg?.querySelector("g.lit")?.classList.remove("lit");
  tree.places.get(shown)?.group.classList.add("lit");
  tree.lit = node;
  tree.root.dataset.lit = node ?? "";
}

// --- what the user does ---------------------------------------------------------------------------

function hover(tree, id) {
  if (tree.lit === id) return;
  light(tree, id);
  tell("hover", { node: id, from: "tree" });
}

function choose(tree, id) {
  tree.host.send({ what: "focus", node: id });
}

function fold(tree, id) {
  if (!tree.nodes.get(id)?.children.length) return;
  const open = tree.shut.has(id);
  tree.wishes.set(id, open);
  tree.heard.textContent = open ? "unfolded" : "folded";
  step(tree, id);
  draw(tree).then(() => tree.places.has(id) && reveal(tree, id));
}

/** Unfold everything, or go back to what is folded in a large tree. */
function foldAll(tree) {
  const open = tree.shut.size > 0;
  tree.wishes.clear();
  if (open) for (const [id, { children }] of tree.nodes) if (children.length) tree.wishes.set(id, true);
  tree.heard.textContent = open ? "unfolded" : "folded";
  draw(tree);
}

/** Move the keyboard's place to a node that is drawn, and have it in sight. */
function go(tree, id) {
  if (!tree.places.has(id)) return;
  step(tree, id);
  reveal(tree, id);
}

/** Move the keyboard's place to a node, or to the nearest above it. */
function step(tree, id) {
  const to = [id, ...above(tree.nodes, id), "1"].find((one) => tree.places.has(one));
  tree.places.get(tree.active)?.group.setAttribute("tabindex", "-1");
  tree.active = to;
  tree.places.get(to)?.group.setAttribute("tabindex", "0");
  tree.places.get(to)?.group.focus({ preventScroll: true });
}
