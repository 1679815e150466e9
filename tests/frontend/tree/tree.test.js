import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { press, use } from "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { create } from "../../../dtviz/frontend/tree/tree.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** Wait until something holds, but not for ever. */
async function until(holds) {
  for (let k = 0; k < 10_000 && !holds(); k += 1) await new Promise((done) => { setImmediate(done); });
  assert.ok(holds());
}

/** Wait until so many nodes are drawn. */
const untilDrawn = (root, nodes) => until(() => Number(root.dataset.nodes) === nodes);

/** A tree on the page, laid out. */
async function showTree(name, fields = {}) {
  const { frame, nodes: engineNodes } = expected.trees[name];
  const read = { ...unpack(bytesOf(frame)), stamp: "now", ...fields };
  const picture = pictured(create, "tree", read);
  const { root, sent } = picture;
  await untilDrawn(root, engineNodes.length);
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

test("every node is drawn with its words, its level and its state", async () => {
  const tree = await showTree("small");
  assert.deepEqual(tree.ids(), SMALL.map(({ id }) => id));
  for (const [id, , , words] of tree.frame.nodes) {
    const { level, leaf } = SMALL.find((node) => node.id === id);
    const group = tree.group(id);
    assert.equal(group.getAttribute("aria-label"), words);
    assert.equal(group.getAttribute("aria-level"), String(level));
    assert.equal(group.getAttribute("aria-expanded"), leaf ? null : "true");
    assert.equal(group.getAttribute("role"), "treeitem");
  }
});

test("from farther away a node has its rule in short, its bar and its colour", async () => {
  const tree = await showTree("small");
  const { colour_index: hue, node_colours: hues } = tree.frame.shape;
  for (const [k, { id, leaf }] of SMALL.entries()) {
    const group = tree.group(id);
    assert.equal(group.style["--hue"], hues[hue[k]]);
    const texts = group.querySelectorAll("text").filter((text) => text.getAttribute("font-weight") === "bold");
    const fullText = texts.map((text) => text.textContent).join(" ").replaceAll("\u00a0", " ");
    const brief = group.querySelector(".brief").querySelectorAll("tspan")[0].textContent.replaceAll("\u00a0", " ");
    assert.equal(brief, leaf ? fullText.replace(/^.*?: /, "") : fullText.replace("<=", "≤"));
    const parts = group.querySelector(".parts");
    assert.equal(parts.querySelectorAll("polygon").length, group.querySelectorAll("polygon").length);
    assert.equal(parts.querySelectorAll(".strip-cut").length, leaf ? 0 : 1);
    assert.ok(parts.querySelectorAll("polygon").length > 0); // a class bar
  }
});

test("a node that is too small for its words says them beside it while it is looked at", async () => {
  const tree = await showTree("small");
  const tip = tree.root.querySelector(".tip");
  const words = () => tip.children.map(({ textContent }) => textContent).join("; ");
  tree.box.dataset.detail = "near";
  use(tree.group("2"), "pointerover");
  assert.ok(tip.hidden);
  tree.box.dataset.detail = "mid";
  use(tree.group("3"), "pointerover");
  assert.ok(!tip.hidden);
  assert.equal(words(), tree.frame.nodes.find(([id]) => id === "3")[3]);
  use(tree.box, "pointerleave");
  assert.ok(tip.hidden);
});

test("left children stand left of right ones, parents above both, and the edges say which is yes", async () => {
  const tree = await showTree("small");
  const place = (id) => {
    const shape = tree.group(id).querySelector("path, polygon");
    const numbers = (shape.getAttribute("d") ?? shape.getAttribute("points")).match(/-?[\d.]+/g).map(Number);
    return [0, 1].map((odd) => numbers.filter((_, k) => k % 2 === odd)).map((side) => (Math.min(...side) + Math.max(...side)) / 2);
  };
  for (const { id } of inner) {
    const [left, right] = [String(2 * id), String(2 * id + 1)];
    assert.ok(place(left)[0] < place(right)[0]);
    assert.ok(place(id)[1] < place(left)[1] && place(id)[1] < place(right)[1]);
    const labelOf = (child) => tree.root.querySelectorAll("g.edge").find((edge) => edge.id === `e${child}`).querySelector("text");
    assert.deepEqual([labelOf(left).textContent, labelOf(right).textContent], ["yes", "no"]);
    assert.deepEqual([labelOf(left).getAttribute("text-anchor"), labelOf(right).getAttribute("text-anchor")], ["end", "start"]);
    assert.ok(Number(labelOf(left).getAttribute("x")) < Number(labelOf(right).getAttribute("x")));
  }
});

test("the arrows walk the tree: up, down to the left child, and along a level", async () => {
  const tree = await showTree("small");
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

test("keys with Ctrl are the page's, and other keys too", async () => {
  const tree = await showTree("small");
  for (const fields of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!press(tree.group("1"), "ArrowDown", fields).event.defaultPrevented);
  }
  assert.ok(!press(tree.group("1"), "q").event.defaultPrevented);
  assert.ok(!press(tree.box, "ArrowDown").event.defaultPrevented);
  assert.equal(tree.active(), "1");
});

test("Enter and a click ask for a node", async () => {
  const tree = await showTree("small");
  press(tree.group("1"), "Enter");
  use(tree.group("3").querySelector("text"), "click");
  assert.deepEqual(tree.sent, [{ what: "focus", node: "1" }, { what: "focus", node: "3" }]);
});

test("the focus is marked, and is where Tab goes", async () => {
  const tree = await showTree("small", { focus: "3" });
  assert.ok(tree.group("3").classList.contains("focus"));
  assert.equal(tree.group("3").getAttribute("aria-selected"), "true");
  assert.equal(tree.groups().filter((group) => group.classList.contains("focus")).length, 1);
});

test("Space folds what is below a node and says how much that is; Space again opens it", async () => {
  const tree = await showTree("small");
  const folds = inner.find(({ id, below }) => id !== "1" && below > 1);
  use(tree.group(folds.id), "focusin");
  press(tree.group(folds.id), " ");
  await untilDrawn(tree.root, SMALL.length - folds.below);
  assert.equal(tree.ids().length, SMALL.length - folds.below);
  assert.match(tree.group(folds.id).textContent, new RegExp(`\\+ ${folds.below} nodes$`));
  assert.equal(tree.group(folds.id).getAttribute("aria-expanded"), "false");
  assert.match(tree.root.querySelector(".count").textContent, new RegExp(`^${SMALL.length - folds.below} of ${SMALL.length} nodes`));
  press(tree.group(folds.id), " ");
  await untilDrawn(tree.root, SMALL.length);
  assert.equal(tree.ids().length, SMALL.length);
});

test("nodes that were not sent are told of the tree, and not of the icicle, which has them", async () => {
  const tree = await showTree("small", { unsent_descendants: { [SMALL.at(-1).id]: 1200 } });
  const line = tree.root.querySelector(".count");
  assert.equal(line.textContent, `${SMALL.length} of ${(SMALL.length + 1200).toLocaleString("en")} nodes; ${tree.frame.summary}; the icicle shows them all`);
  for (const part of line.querySelectorAll(".part")) part.remove(); // as in the icicle
  assert.equal(line.textContent, tree.frame.summary);
});

test("what others light is lit, or what it is folded into", async () => {
  const tree = await showTree("small");
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "stage" } }));
  assert.ok(tree.group("2").classList.contains("lit"));
  use(tree.group("3"), "pointerover");
  assert.ok(tree.group("3").classList.contains("lit") && !tree.group("2").classList.contains("lit"));
  use(tree.box, "pointerleave");
  assert.equal(tree.groups().filter((group) => group.classList.contains("lit")).length, 0);
});

test("what is lit stays lit, and so does a way, where the tree is drawn after that", async () => {
  const tree = await showTree("small");
  const { id } = SMALL.findLast(({ leaf }) => leaf);
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: id, from: "stage", way: true } }));
  const lit = () => tree.root.querySelectorAll("g.node.way").length;
  const before = lit();
  const counts = tree.frame.strips.counts.map((count) => count + 1); // other strips: it is painted again
  tree.picture.show({ ...tree.frame, strips: { ...tree.frame.strips, counts } });
  const drawn = tree.group(id);
  assert.equal(tree.root.dataset.waiting, "true");
  await until(() => tree.group(id) !== drawn);
  assert.equal(tree.root.dataset.waiting, "false");
  await new Promise((done) => { setImmediate(done); });
  assert.ok(before > 1 && tree.group(id).classList.contains("lit"));
  assert.deepEqual([lit(), tree.root.dataset.way], [before, id]);
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: null, from: "stage" } }));
  assert.deepEqual([lit(), tree.root.dataset.way], [0, ""]);
});

test("a layout that is no longer wanted, since what is drawn is asked for again, is waited for no longer", async () => {
  const tree = await showTree("small");
  const states = [];
  const note = ({ detail }) => states.push(detail.on);
  window.addEventListener("dtviz:laying", note);
  const strips = { ...tree.frame.strips, counts: tree.frame.strips.counts.map((count) => count + 1) };
  tree.picture.show({ ...tree.frame, stamp: "other", strips });
  assert.equal(tree.root.dataset.waiting, "true");
  tree.picture.show({ ...tree.frame, stamp: "again" });
  await until(() => tree.root.dataset.step === "again");
  window.removeEventListener("dtviz:laying", note);
  assert.deepEqual([states, tree.root.dataset.waiting], [[true, false], "false"]);
});

test("a layout that is no longer wanted asks for nothing in place of the one that is", async () => {
  const [tree, otherTree] = [await showTree("small"), await showTree("small")];
  const named = (stamp) => ({ ...tree.frame, stamp, head: tree.frame.head.replace("{", `{\n\tcomment=${stamp}\n`) });
  tree.picture.show(named("first"));
  otherTree.picture.show(named("other"));
  tree.picture.show(named("last"));
  await until(() => tree.root.dataset.step === "last" && otherTree.root.dataset.step === "other");
  assert.equal(tree.root.dataset.waiting, "false");
});

test("a tree that its user moved is drawn on where none of its looks can be read", async () => {
  const { ResizeObserver } = globalThis;
  const acts = [];
  globalThis.ResizeObserver = class { constructor(act) { acts.push(act); } observe() {} };
  const tree = await showTree("small");
  globalThis.ResizeObserver = ResizeObserver;
  use(tree.box, "wheel", { clientX: 9, clientY: 9, deltaY: -300, deltaX: 0, ctrlKey: true });
  const narrow = [260, tree.box.clientHeight]; // room for boxes side by side, as Graphviz sets them not
  for (const [w, h] of [narrow, [600, 5], [600, 0]]) {
    Object.assign(tree.box, { clientWidth: w, clientHeight: h });
    for (const act of acts) act();
    tree.picture.show({ ...tree.frame, head: `${tree.frame.head}\n`, stamp: `${w}x${h}` });
    await until(() => tree.root.dataset.step === `${w}x${h}`);
    assert.equal(tree.root.dataset.waiting, "false");
  }
});

test("what is lit on the other of two screens is not lit here", async () => {
  const tree = await showTree("small");
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "stage", beside: true } }));
  assert.ok(!tree.group("2").classList.contains("lit"));
});

const files = [];
mock.method(URL, "createObjectURL", (file) => `blob:${files.push(file)}`);
mock.method(URL, "revokeObjectURL", () => {});

test("the saved picture has every node's words on the page's colour, and nothing of the page", async () => {
  const tree = await showTree("small");
  tree.root.querySelectorAll("button").find(({ textContent }) => textContent === "SVG").click();
  while (!files.length) await new Promise((done) => { setImmediate(done); }); // in low boxes it is laid out for that
  const text = await files.at(-1).text();
  const rows = tree.groups().map((group) => group.querySelector("text").textContent);
  for (const words of rows) assert.ok(text.includes(words.replace("<", "&lt;")), words);
  assert.ok(text.includes(`fill="${tree.frame.colours.paper}"`));
  assert.ok(text.includes(`stroke="${tree.frame.colours.accent}"`)); // the focus
  assert.doesNotMatch(text, /aria-|tabindex|role=|class="(node|hit)/);
});

test("a tree that cannot be laid out is told in words, with nothing to fit or to save, until one can", async () => {
  const failed = mock.method(console, "error", () => {});
  const { frame } = expected.trees.small;
  const good = { ...unpack(bytesOf(frame)), kind: "tree" };
  const { root, show } = pictured(create, "tree", { ...good, head: "no graph " });
  const box = root.querySelector(".box");
  const saver = root.querySelector(".save");
  while (!box.classList.contains("words")) await new Promise((done) => { setImmediate(done); });
  assert.deepEqual(root.querySelectorAll("li").map(({ textContent }) => textContent), good.nodes.map(([, , , words]) => words));
  root.querySelectorAll("button").find(({ textContent }) => textContent === "fit").click();
  assert.ok(saver.hidden);
  assert.equal(failed.mock.callCount(), 1);
  show(good);
  await untilDrawn(root, good.nodes.length);
  assert.ok(!saver.hidden && !box.classList.contains("words"));
  show({ ...good, head: "no graph ", stamp: "bad" });
  await until(() => box.classList.contains("words"));
  show(good); // as it was drawn before
  await until(() => !box.classList.contains("words"));
  assert.equal(root.querySelectorAll("g.node").length, good.nodes.length);
});

test("nothing that could act or load comes through", async () => {
  const { parseSvg: clean } = await import("../../../dtviz/frontend/tree/svg.js");
  const svg = clean('<svg viewBox="0 0 10 20"><g class="graph" transform="translate(1 2)"><script>x</script><a href="evil"><text onclick="x">kept</text></a><image href="evil"></image></g></svg>');
  assert.equal(svg.textContent, "kept");
  assert.deepEqual(svg.querySelectorAll("*").map(({ localName }) => localName), ["g", "text"]);
  assert.equal(svg.querySelector("text").getAttribute("onclick"), null);
  assert.equal(svg.getAttribute("width"), "10");
});

test("a click means the node it was pressed on, whatever is laid out until it is let go", async () => {
  const tree = await showTree("small");
  const pressed = tree.group("2");
  use(pressed, "pointerdown", { clientX: 40, clientY: 40 });
  tree.picture.show({ ...tree.frame, head: `${tree.frame.head}\n`, stamp: "later" });
  await until(() => !pressed.isConnected);
  use(tree.box, "pointerup", { clientX: 40, clientY: 40 }); // of what is gone the browser tells no click
  assert.deepEqual(tree.sent, [{ what: "focus", node: "2" }]);
  for (const type of ["pointerdown", "pointerup", "click"]) use(tree.group("3"), type, { clientX: 40, clientY: 40 });
  assert.deepEqual(tree.sent.slice(1), [{ what: "focus", node: "3" }]);
  for (const type of ["pointerdown", "pointerup", "click"]) use(tree.box, type, { clientX: 40, clientY: 40 });
  assert.equal(tree.sent.length, 2);
});

test("a layout that begins is told, and that it stands, in words too", async () => {
  const states = [];
  const engineNodes = ({ detail }) => states.push(detail.on);
  window.addEventListener("dtviz:laying", engineNodes);
  const tree = await showTree("small");
  assert.deepEqual(states, [true, false]);
  tree.picture.show({ ...tree.frame, focus: tree.frame.focus, stamp: "as it was" });
  await untilDrawn(tree.root, tree.engineNodes.length);
  assert.deepEqual(states.slice(2), []); // only marks change
  const error = mock.method(console, "error", () => {});
  tree.picture.show({ ...tree.frame, head: "no graph {", stamp: "broken" });
  for (let k = 0; k < 2000 && states.length < 4; k++) await new Promise((done) => { setImmediate(done); });
  assert.deepEqual(states, [true, false, true, false]);
  error.mock.restore();
  window.removeEventListener("dtviz:laying", engineNodes);
});

test("a way that another picture tells lights its nodes and edges; without one the row that is shown", async () => {
  const ends = SMALL.filter(({ leaf }) => leaf).map(({ id }) => id);
  const tree = await showTree("small", { row_node: ends[0] });
  const lit = () => tree.root.querySelectorAll("g.way").map(({ id }) => id.slice(1));
  const wanted = (end) => new Set(SMALL.map(({ id }) => id).filter((id) => {
    const [low, high] = [id, end].map((text) => BigInt(text).toString(2));
    return high.startsWith(low);
  }));
  assert.deepEqual(new Set(lit()), wanted(ends[0]));
  const tell = (detail) => window.dispatchEvent(new CustomEvent("dtviz:hover", { detail }));
  tell({ node: ends.at(-1), from: "stage", way: true });
  assert.deepEqual(new Set(lit()), wanted(ends.at(-1)));
  assert.equal(tree.root.querySelectorAll("g.edge.way").length, wanted(ends.at(-1)).size - 1);
  tell({ node: ends.at(-1), from: "stage" });
  assert.deepEqual(new Set(lit()), wanted(ends[0]));
  assert.equal(tree.root.dataset.way, ends[0]);
});
