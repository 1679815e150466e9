// The tree: laid out by Graphviz, walked by pointer and keys, folded where it is large.
//
// Glossary
//   frame     nodes with their DOT lines and words, the focus and the next node to split
//   drawn     the SVG on the page, and the place of each node in it
//   folded    nodes whose subtree is hidden; `opened` and `closed` are those the user chose

import { keep, onStamp } from "./ahead.js";
import { hear, tell } from "./link.js";
import { saveMenu } from "./save.js";
import { childrenOf, foldedAtFirst, index, laidOut, parentOf, part, pathTo, visible } from "./tree-layout.js";
import { clean, grow, places, standalone } from "./tree-svg.js";
import { viewer } from "./tree-view.js";

export function create(root, send) {
  const tree = {
    root, send, frame: null, nodes: new Map(), ids: [], svg: null, places: new Map(),
    opened: new Set(), closed: new Set(), active: null, lit: null, asked: 0, ...build(root),
  };
  tree.viewer = viewer(tree.box, tree.sheet, ({ scale }) => {
    tree.box.classList.toggle("zoomed", scale > 1.2);
  });
  tools(tree);
  listen(tree);
  onStamp("tree", root, (frame) => show(tree, frame));
  hear("ahead", (frame) => frame.of === "tree" && prepare(tree, frame), root);
  hear("hover", ({ node, from }) => from !== "tree" && light(tree, node), root);
  return {
    show(frame) {
      keep("tree", frame);
      show(tree, frame);
    },
  };
}

function build(root) {
  const element = (name, parent) => {
    const made = document.createElement("div");
    made.className = name;
    parent.append(made);
    return made;
  };
  const bar = element("bar", root);
  const box = element("box", root);
  const sheet = element("sheet", box);
  const heard = element("heard", root);
  heard.setAttribute("aria-live", "polite");
  return { bar, box, sheet, heard };
}

function tools(tree) {
  const add = (text, label, act) => {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", className: "tool", textContent: text, title: label });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    tree.bar.append(made);
  };
  add("−", "Smaller", () => tree.viewer.zoom(1 / 1.25));
  add("+", "Larger", () => tree.viewer.zoom(1.25));
  add("fit", "Fit the tree", () => fit(tree));
  tree.bar.append(saveMenu("tree", () => standalone(tree.svg), () => tree.frame.paper));
}

// --- showing --------------------------------------------------------------------------------------

function show(tree, frame) {
  const before = tree.frame?.stamp;
  tree.frame = frame;
  tree.nodes = index(frame);
  if (frame.stamp !== before || !tree.svg) draw(tree);
}

/** Lay out what is likely to be asked for next. */
function prepare(tree, frame) {
  const nodes = index(frame);
  laidOut(part(frame, nodes, visible(nodes, folded(tree, frame, nodes)))).catch(() => {});
}

/** The folded nodes: at first those of a level, then as the user chose; never one on the way. */
function folded(tree, frame, nodes) {
  const out = foldedAtFirst(nodes);
  for (const id of tree.closed) if (nodes.get(id)?.below) out.add(id);
  for (const id of tree.opened) out.delete(id);
  for (const end of [frame.focus, frame.next]) {
    for (const id of pathTo(end).slice(0, -1)) if (!tree.closed.has(id)) out.delete(id);
  }
  return out;
}

async function draw(tree) {
  const { frame, nodes } = tree;
  const asked = ++tree.asked;
  const hidden = folded(tree, frame, nodes);
  const ids = visible(nodes, hidden);
  try {
    const text = await laidOut(part(frame, nodes, ids));
    if (asked === tree.asked) paint(tree, text, ids, hidden);
  } catch {
    if (asked === tree.asked) inWords(tree);
  }
}

function paint(tree, text, ids, hidden) {
  const before = tree.places;
  const svg = clean(text);
  tree.svg = svg;
  tree.ids = ids;
  tree.folded = hidden;
  tree.places = places(svg);
  label(tree);
  tree.sheet.replaceChildren(svg);
  if (!tree.viewer.view.own) fit(tree);
  else reveal(tree, tree.frame.focus);
  grow(svg, before, tree.places, parentOf);
  light(tree, tree.lit);
  tree.root.dataset.step = tree.frame.stamp ?? "";
  tree.root.dataset.nodes = ids.length;
}

function fit(tree) {
  const { x, y, w } = tree.places.get(tree.frame.focus) ?? { x: 0, y: 0, w: 0 };
  const { width, height } = tree.svg.viewBox.baseVal;
  tree.viewer.fit({ w: width, h: height }, { x: x + w / 2, y });
}

function reveal(tree, id) {
  const place = tree.places.get(id);
  if (place) tree.viewer.reveal(place);
}

/** Names, levels and states for those who listen, and a handle under each split. */
function label(tree) {
  const { svg, frame, nodes } = tree;
  svg.setAttribute("role", "tree");
  svg.setAttribute("aria-label", "Decision tree; arrow keys walk it, Enter chooses a node, Space folds it");
  tree.active = tree.places.has(frame.focus) ? frame.focus : "1";
  for (const [id, { group }] of tree.places) {
    const known = nodes.get(id);
    group.setAttribute("role", "treeitem");
    group.setAttribute("tabindex", id === tree.active ? "0" : "-1");
    group.setAttribute("aria-label", known.words);
    group.setAttribute("aria-level", String(pathTo(id).length));
    group.setAttribute("aria-selected", String(id === frame.focus));
    if (known.below) {
      group.setAttribute("aria-expanded", String(!tree.folded.has(id)));
      handle(tree, id);
    }
  }
}

/** A small tag under a node: what is folded away, or a sign to fold it. */
function handle(tree, id) {
  const { left, top, w, h, group } = tree.places.get(id); // in the units of the group
  const shut = tree.folded.has(id);
  const count = tree.nodes.get(id).below;
  const words = shut ? `+ ${count.toLocaleString("en")} nodes` : "−";
  const wide = shut ? 11 + 6 * words.length : 18;
  const made = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const tag = made("g", { class: shut ? "fold shut" : "fold", "aria-hidden": "true" });
  const [cx, cy] = [left + w / 2, top + h];
  const style = { fill: tree.frame.paper, stroke: "#888888", rx: 7 };
  tag.append(made("rect", { x: cx - wide / 2, y: cy - 7, width: wide, height: 15, ...style }));
  const text = made("text", { x: cx, y: cy + 4.5, "text-anchor": "middle", "font-size": 11 });
  text.setAttribute("fill", "currentColor");
  text.textContent = words;
  tag.append(text);
  group.append(tag);
}

/** The layout failed: the words of the nodes as a list. */
function inWords(tree) {
  const list = document.createElement("ul");
  for (const { words } of tree.nodes.values()) {
    const item = document.createElement("li");
    item.textContent = words;
    list.append(item);
  }
  tree.sheet.replaceChildren(list);
  tree.box.classList.add("words");
  tree.root.dataset.step = tree.frame.stamp ?? "";
}

function light(tree, node) {
  tree.lit = node;
  for (const [id, { group }] of tree.places) group.classList.toggle("lit", id === node);
  tree.root.dataset.lit = node ?? "";
}

// --- what the user does ---------------------------------------------------------------------------

function nodeOf(event) {
  const group = event.composedPath().find((one) => one.classList?.contains("node"));
  return group ? group.id.slice(1) : null;
}

function listen(tree) {
  const { box } = tree;
  box.addEventListener("pointerover", (event) => hover(tree, nodeOf(event)));
  box.addEventListener("pointerleave", () => hover(tree, null));
  box.addEventListener("click", (event) => {
    const id = nodeOf(event);
    if (!id || tree.viewer.view.dragged) return;
    if (event.composedPath().some((one) => one.classList?.contains("fold"))) fold(tree, id);
    else choose(tree, id);
  });
  box.addEventListener("focusin", (event) => {
    const id = nodeOf(event);
    if (id) hover(tree, id);
  });
  box.addEventListener("focusout", () => hover(tree, null));
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (keyed(tree, event.key)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

function hover(tree, id) {
  if (tree.lit === id) return;
  light(tree, id);
  tell("hover", { node: id, from: "tree" });
}

function choose(tree, id) {
  tree.send({ what: "focus", node: id });
}

function fold(tree, id) {
  if (!tree.nodes.get(id)?.below) return;
  const [into, from] = tree.folded.has(id) ? [tree.opened, tree.closed] : [tree.closed, tree.opened];
  into.add(id);
  from.delete(id);
  tree.heard.textContent = into === tree.closed ? "folded" : "unfolded";
  draw(tree).then(() => go(tree, id));
}

/** Do what a key asks for; whether it was one of ours. */
function keyed(tree, key) {
  const now = tree.active;
  const acts = {
    Enter: () => choose(tree, now),
    " ": () => fold(tree, now),
    ArrowUp: () => go(tree, parentOf(now)),
    ArrowDown: () => go(tree, childrenOf(now)[0]),
    ArrowLeft: () => go(tree, beside(tree, now, -1)),
    ArrowRight: () => go(tree, beside(tree, now, 1)),
    Home: () => go(tree, "1"),
    "+": () => tree.viewer.zoom(1.25),
    "-": () => tree.viewer.zoom(1 / 1.25),
    0: () => fit(tree),
  };
  if (!(key in acts)) return false;
  acts[key]();
  return true;
}

/** The neighbour on the same level. */
function beside(tree, id, by) {
  const level = pathTo(id).length;
  const row = tree.ids.filter((one) => pathTo(one).length === level);
  return row[row.indexOf(id) + by];
}

/** Move the keyboard's place to a node, if it is drawn. */
function go(tree, id) {
  const place = tree.places.get(id);
  if (!place) return;
  tree.places.get(tree.active)?.group.setAttribute("tabindex", "-1");
  tree.active = id;
  place.group.setAttribute("tabindex", "0");
  place.group.focus({ preventScroll: true });
  reveal(tree, id);
}
