import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { press, use } from "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { nodesOf } from "../../../dtviz/frontend/tree/fold.js";
import { create } from "../../../dtviz/frontend/tree/tree.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** A tree on the page. */
function showTree(name, fields = {}) {
  const { frame, nodes: engineNodes } = expected.trees[name];
  const read = { ...unpack(bytesOf(frame)), stamp: "now", ...fields };
  const picture = pictured(create, "tree", read);
  const { root, sent } = picture;
  const groups = () => root.querySelectorAll("g.node");
  const group = (id) => groups().find((node) => node.id === `n${id}`);
  return {
    root, sent, picture, frame: read, engineNodes, groups, group, ids: () => groups().map(({ id }) => id.slice(1)),
    active: () => groups().find((node) => node.getAttribute("tabindex") === "0")?.id.slice(1),
    box: root.querySelector(".box"),
  };
}

const SMALL = expected.trees.small.nodes;
const inner = SMALL.filter(({ leaf }) => !leaf);

test("every node is drawn with its words, its level and its state", () => {
  const tree = showTree("small");
  assert.deepEqual(tree.ids(), SMALL.map(({ id }) => id));
  for (const [id, { words }] of nodesOf(tree.frame)) {
    const { level, leaf } = SMALL.find((node) => node.id === id);
    const group = tree.group(id);
    assert.equal(group.getAttribute("aria-label"), words);
    assert.equal(group.getAttribute("aria-level"), String(level));
    assert.equal(group.getAttribute("aria-expanded"), leaf ? null : "true");
    assert.equal(group.getAttribute("role"), "treeitem");
  }
});

test("from farther away a node has its rule in short, its bar and its colour", () => {
  const tree = showTree("small");
  const { colour_index: hue, node_colours: hues } = tree.frame.shape;
  for (const [k, { id, leaf }] of SMALL.entries()) {
    const group = tree.group(id);
    assert.equal(group.style["--hue"], hues[hue[k]]);
    const brief = group.querySelector(".brief").querySelectorAll("tspan")[0].textContent;
    assert.equal(brief, nodesOf(tree.frame).get(id).rule);
    const parts = group.querySelector(".parts");
    assert.equal(parts.querySelectorAll(".strip-cut").length, leaf ? 0 : 1);
    const shares = [...nodesOf(tree.frame).get(id).classShares];
    const bars = parts.querySelectorAll("rect").map((rect) => [rect.getAttribute("fill"), Number(rect.getAttribute("width"))]);
    const [width, total] = [bars.map(([, w]) => w), shares].map((values) => values.reduce((sum, part) => sum + part, 0));
    assert.deepEqual(bars.map(([fill, w]) => [fill, Math.round((total * w) / width)]), shares.flatMap((share, number) => (share ? [[hues[number], share]] : [])));
  }
});

test("a node that is too small for its words says them beside it while it is looked at", () => {
  const tree = showTree("small");
  const tip = tree.root.querySelector(".tip");
  const words = () => tip.children.map(({ textContent }) => textContent).join("; ");
  tree.box.dataset.detail = "near";
  use(tree.group("2"), "pointerover");
  assert.ok(tip.hidden);
  tree.box.dataset.detail = "mid";
  use(tree.group("3"), "pointerover");
  assert.ok(!tip.hidden);
  assert.equal(words(), nodesOf(tree.frame).get("3").words);
  use(tree.box, "pointerleave");
  assert.ok(tip.hidden);
});

test("left children stand left of right ones, parents above both, and the edges say which is yes", () => {
  const tree = showTree("one split");
  const middleOf = (id) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(tree.group(id).querySelector(".outline").getAttribute(name)));
    return [x + width / 2, y + height / 2];
  };
  assert.ok(middleOf("2")[0] < middleOf("3")[0]);
  assert.ok(middleOf("1")[1] < middleOf("2")[1] && middleOf("1")[1] < middleOf("3")[1]);
  const labels = ["e2", "e3"].map((edge) => tree.root.querySelectorAll("g.edge").find(({ id }) => id === edge).querySelector("text"));
  assert.deepEqual(labels.map((label) => [label.textContent, label.getAttribute("text-anchor")]), [["yes", "end"], ["no", "start"]]);
  assert.ok(Number(labels[0].getAttribute("x")) < Number(labels[1].getAttribute("x")));
});

test("the arrows walk the tree: up, down to the left child, and along a level", () => {
  const tree = showTree("small");
  const split = inner.find(({ id }) => id === "2" || id === "3");
  press(tree.group("1"), "ArrowDown");
  assert.equal(tree.active(), "2");
  press(tree.group("2"), "ArrowRight");
  assert.equal(tree.active(), "3");
  press(tree.group("3"), "ArrowRight");
  assert.equal(tree.active(), "3");
  press(tree.group("3"), "ArrowLeft");
  assert.equal(tree.active(), "2");
  press(tree.group("2"), "ArrowUp");
  assert.equal(tree.active(), "1");
  press(tree.group("1"), "ArrowUp");
  assert.equal(tree.active(), "1");
  press(tree.group(split.id), "Home");
  assert.equal(tree.active(), "1");
});

test("keys with Ctrl are the page's, and other keys too", () => {
  const tree = showTree("small");
  for (const fields of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!press(tree.group("1"), "ArrowDown", fields).event.defaultPrevented);
  }
  assert.ok(!press(tree.group("1"), "q").event.defaultPrevented);
  assert.ok(!press(tree.box, "ArrowDown").event.defaultPrevented);
  assert.equal(tree.active(), "1");
});

test("Enter and a click ask for a node", () => {
  const tree = showTree("small");
  press(tree.group("1"), "Enter");
  use(tree.group("3").querySelector("text"), "click");
  assert.deepEqual(tree.sent, [{ what: "focus", node: "1" }, { what: "focus", node: "3" }]);
});

test("the focus is marked, and is where Tab goes", () => {
  const tree = showTree("small", { focus: "3" });
  assert.ok(tree.group("3").classList.contains("focus"));
  assert.equal(tree.group("3").getAttribute("aria-selected"), "true");
  assert.equal(tree.groups().filter((group) => group.classList.contains("focus")).length, 1);
});

test("Space folds what is below a node and says how much that is; Space again opens it", () => {
  const tree = showTree("small");
  const folds = inner.find(({ id, below }) => id !== "1" && below > 1);
  use(tree.group(folds.id), "focusin");
  press(tree.group(folds.id), " ");
  assert.equal(tree.root.dataset.nodes, String(SMALL.length - folds.below));
  assert.equal(tree.ids().length, SMALL.length - folds.below);
  assert.match(tree.group(folds.id).textContent, new RegExp(`\\+ ${folds.below} nodes$`));
  assert.equal(tree.group(folds.id).getAttribute("aria-expanded"), "false");
  assert.match(tree.root.querySelector(".count").textContent, new RegExp(`^${SMALL.length - folds.below} of ${SMALL.length} nodes`));
  press(tree.group(folds.id), " ");
  assert.equal(tree.root.dataset.nodes, String(SMALL.length));
  assert.equal(tree.ids().length, SMALL.length);
});

test("what was folded stays so from step to step, and is open again in another table", () => {
  const tree = showTree("small");
  const folds = inner.find(({ id, below }) => id !== "1" && below > 1);
  use(tree.group(folds.id), "focusin");
  press(tree.group(folds.id), " ");
  tree.picture.show({ ...tree.frame, stamp: "step" });
  assert.equal(tree.ids().length, SMALL.length - folds.below);
  tree.picture.host.dataMark = "another";
  tree.picture.show({ ...tree.frame, stamp: "table" });
  assert.equal(tree.ids().length, SMALL.length);
});

test("nodes that were not sent are told of the tree, and not of the icicle, which has them", () => {
  const tree = showTree("small", { unsent_descendants: { [SMALL.at(-1).id]: 1200 } });
  const line = tree.root.querySelector(".count");
  assert.equal(line.textContent, `${SMALL.length} of ${(SMALL.length + 1200).toLocaleString("en")} nodes; ${tree.frame.summary}; the icicle shows them all`);
  for (const part of line.querySelectorAll(".part")) part.remove(); // as in the icicle
  assert.equal(line.textContent, tree.frame.summary);
});

test("what others light is lit, or what it is folded into", () => {
  const tree = showTree("small");
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "stage" } }));
  assert.ok(tree.group("2").classList.contains("lit"));
  use(tree.group("3"), "pointerover");
  assert.ok(tree.group("3").classList.contains("lit") && !tree.group("2").classList.contains("lit"));
  use(tree.box, "pointerleave");
  assert.equal(tree.groups().filter((group) => group.classList.contains("lit")).length, 0);
});

test("what is lit stays lit, and so does a way, where the tree is drawn after that", () => {
  const tree = showTree("small");
  const { id } = SMALL.findLast(({ leaf }) => leaf);
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: id, from: "stage", way: true } }));
  const lit = () => tree.root.querySelectorAll("g.node.way").length;
  const before = lit();
  const counts = tree.frame.strips.counts.map((count) => count + 1); // other strips: it is painted again
  const drawn = tree.group(id);
  tree.picture.show({ ...tree.frame, strips: { ...tree.frame.strips, counts } });
  assert.notEqual(tree.group(id), drawn);
  assert.ok(before > 1 && tree.group(id).classList.contains("lit"));
  assert.deepEqual([lit(), tree.root.dataset.way], [before, id]);
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: null, from: "stage" } }));
  assert.deepEqual([lit(), tree.root.dataset.way], [0, ""]);
});

test("a tree that its user moved is drawn on where none of its looks can be read", () => {
  const { ResizeObserver } = globalThis;
  const acts = [];
  globalThis.ResizeObserver = class { constructor(act) { acts.push(act); } observe() {} };
  const tree = showTree("small");
  globalThis.ResizeObserver = ResizeObserver;
  use(tree.box, "wheel", { clientX: 9, clientY: 9, deltaY: -300, deltaX: 0, ctrlKey: true });
  const narrow = [260, tree.box.clientHeight];
  for (const [w, h] of [narrow, [600, 5], [600, 0]]) {
    Object.assign(tree.box, { clientWidth: w, clientHeight: h });
    for (const act of acts) act();
    tree.picture.show({ ...tree.frame, summary: `${w}`, stamp: `${w}x${h}` });
    assert.equal(tree.root.dataset.step, `${w}x${h}`);
    assert.equal(tree.groups().length, SMALL.length);
  }
});

test("what is lit on the other of two screens is not lit here", () => {
  const tree = showTree("small");
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "stage", beside: true } }));
  assert.ok(!tree.group("2").classList.contains("lit"));
});

const files = [];
mock.method(URL, "createObjectURL", (file) => `blob:${files.push(file)}`);
mock.method(URL, "revokeObjectURL", () => {});

test("the saved picture has every node's words on the page's colour, and nothing of the page", async () => {
  const tree = showTree("small");
  tree.root.querySelectorAll("button").find(({ textContent }) => textContent === "SVG").click();
  while (!files.length) await new Promise((done) => { setImmediate(done); });
  const text = await files.at(-1).text();
  for (const { title, numbers } of nodesOf(tree.frame).values()) {
    for (const words of [...title.split(" "), numbers]) assert.ok(text.includes(words.replace("<", "&lt;")), words);
  }
  assert.ok(text.includes(`fill="${tree.frame.colours.paper}"`));
  assert.ok(text.includes(`stroke="${tree.frame.colours.accent}"`)); // the focus
  assert.doesNotMatch(text, /aria-|tabindex|role=|class="(node|hit)/);
});

test("a click means the node it was pressed on, whatever is laid out until it is let go", () => {
  const tree = showTree("small");
  const pressed = tree.group("2");
  use(pressed, "pointerdown", { clientX: 40, clientY: 40 });
  tree.picture.show({ ...tree.frame, target: "other", stamp: "later" });
  assert.ok(!pressed.isConnected);
  use(tree.box, "pointerup", { clientX: 40, clientY: 40 }); // of what is gone the browser tells no click
  assert.deepEqual(tree.sent, [{ what: "focus", node: "2" }]);
  for (const type of ["pointerdown", "pointerup", "click"]) use(tree.group("3"), type, { clientX: 40, clientY: 40 });
  assert.deepEqual(tree.sent.slice(1), [{ what: "focus", node: "3" }]);
  for (const type of ["pointerdown", "pointerup", "click"]) use(tree.box, type, { clientX: 40, clientY: 40 });
  assert.equal(tree.sent.length, 2);
});

test("a way that another picture tells lights its nodes and edges; without one the row that is shown", () => {
  const ends = SMALL.filter(({ leaf }) => leaf).map(({ id }) => id);
  const tree = showTree("small", { row_node: ends[0] });
  const lit = () => tree.root.querySelectorAll("g.way").map(({ id }) => id.slice(1));
  const wanted = (end) => new Set(SMALL.map(({ id }) => id).filter((id) => {
    const [low, high] = [id, end].map((text) => BigInt(text).toString(2));
    return high.startsWith(low);
  }));
  assert.deepEqual(new Set(lit()), wanted(ends[0]));
  const tell = (detail) => document.dispatchEvent(new CustomEvent("dtviz:hover", { detail }));
  tell({ node: ends.at(-1), from: "stage", way: true });
  assert.deepEqual(new Set(lit()), wanted(ends.at(-1)));
  assert.equal(tree.root.querySelectorAll("g.edge.way").length, wanted(ends.at(-1)).size - 1);
  tell({ node: ends.at(-1), from: "stage" });
  assert.deepEqual(new Set(lit()), wanted(ends[0]));
  assert.equal(tree.root.dataset.way, ends[0]);
});
