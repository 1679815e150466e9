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
const settled = (root, nodes) => until(() => Number(root.dataset.nodes) === nodes);

/** A tree on the page, laid out. */
async function shown(name, more = {}) {
  const { frame, nodes: told } = expected.trees[name];
  const read = { ...unpack(bytesOf(frame)), stamp: "now", ...more };
  const picture = pictured(create, "tree", read);
  const { root, sent } = picture;
  await settled(root, told.length);
  const groups = () => root.querySelectorAll("g.node");
  const group = (id) => groups().find((one) => one.id === `n${id}`);
  return {
    root, sent, picture, frame: read, told, groups, group, ids: () => groups().map(({ id }) => id.slice(1)),
    active: () => groups().find((one) => one.getAttribute("tabindex") === "0")?.id.slice(1),
    box: root.querySelector(".box"),
  };
}

const { told: SMALL } = { told: expected.trees.small.nodes };
const inner = SMALL.filter(({ leaf }) => !leaf);

test("every node is drawn with its words, its level and its state", async () => {
  const one = await shown("small");
  assert.deepEqual(one.ids(), SMALL.map(({ id }) => id));
  for (const [id, , , words] of one.frame.nodes) {
    const { level, leaf } = SMALL.find((node) => node.id === id);
    const group = one.group(id);
    assert.equal(group.getAttribute("aria-label"), words);
    assert.equal(group.getAttribute("aria-level"), String(level));
    assert.equal(group.getAttribute("aria-expanded"), leaf ? null : "true");
    assert.equal(group.getAttribute("role"), "treeitem");
  }
});

test("from farther away a node has its rule in short, its bar and its colour", async () => {
  const one = await shown("small");
  const { hue, hues } = one.frame.shape;
  for (const [k, { id, leaf }] of SMALL.entries()) {
    const group = one.group(id);
    assert.equal(group.style["--hue"], hues[hue[k]]);
    const texts = group.querySelectorAll("text").filter((text) => text.getAttribute("font-weight") === "bold");
    const whole = texts.map((text) => text.textContent).join(" ").replaceAll("\u00a0", " ");
    const brief = group.querySelector(".brief").querySelectorAll("tspan")[0].textContent.replaceAll("\u00a0", " ");
    assert.equal(brief, leaf ? whole.replace(/^.*?: /, "") : whole.replace("<=", "≤"));
    const parts = group.querySelector(".parts");
    assert.equal(parts.querySelectorAll("polygon").length, group.querySelectorAll("polygon").length);
    assert.equal(parts.querySelectorAll(".strip-cut").length, leaf ? 0 : 1);
    assert.ok(parts.querySelectorAll("polygon").length > 0); // a class bar
  }
});

test("a node that is too small for its words says them beside it while it is looked at", async () => {
  const one = await shown("small");
  const tip = one.root.querySelector(".tip");
  const words = () => tip.children.map(({ textContent }) => textContent).join("; ");
  one.box.dataset.detail = "near";
  use(one.group("2"), "pointerover");
  assert.ok(tip.hidden);
  one.box.dataset.detail = "mid";
  use(one.group("3"), "pointerover");
  assert.ok(!tip.hidden);
  assert.equal(words(), one.frame.nodes.find(([id]) => id === "3")[3]);
  use(one.box, "pointerleave");
  assert.ok(tip.hidden);
});

test("left children stand left of right ones, parents above both, and the edges say which is yes", async () => {
  const one = await shown("small");
  const place = (id) => {
    const shape = one.group(id).querySelector("path, polygon");
    const numbers = (shape.getAttribute("d") ?? shape.getAttribute("points")).match(/-?[\d.]+/g).map(Number);
    return [0, 1].map((odd) => numbers.filter((_, k) => k % 2 === odd)).map((side) => (Math.min(...side) + Math.max(...side)) / 2);
  };
  for (const { id } of inner) {
    const [left, right] = [String(2 * id), String(2 * id + 1)];
    assert.ok(place(left)[0] < place(right)[0]);
    assert.ok(place(id)[1] < place(left)[1] && place(id)[1] < place(right)[1]);
    const said = (child) => one.root.querySelectorAll("g.edge").find((edge) => edge.id === `e${child}`).querySelector("text");
    assert.deepEqual([said(left).textContent, said(right).textContent], ["yes", "no"]);
    assert.deepEqual([said(left).getAttribute("text-anchor"), said(right).getAttribute("text-anchor")], ["end", "start"]);
    assert.ok(Number(said(left).getAttribute("x")) < Number(said(right).getAttribute("x")));
  }
});

test("the arrows walk the tree: up, down to the left child, and along a level", async () => {
  const one = await shown("small");
  const split = inner.find(({ id }) => id === "2" || id === "3");
  press(one.group("1"), "ArrowDown");
  assert.equal(one.active(), "2");
  press(one.group("2"), "ArrowRight");
  assert.equal(one.active(), "3");
  press(one.group("3"), "ArrowRight");
  assert.equal(one.active(), "3");
  press(one.group("3"), "ArrowLeft");
  assert.equal(one.active(), "2");
  press(one.group("2"), "ArrowUp");
  assert.equal(one.active(), "1");
  press(one.group("1"), "ArrowUp");
  assert.equal(one.active(), "1");
  press(one.group(split.id), "Home");
  assert.equal(one.active(), "1");
});

test("keys with Ctrl are the page's, and other keys too", async () => {
  const one = await shown("small");
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!press(one.group("1"), "ArrowDown", more).event.defaultPrevented);
  }
  assert.ok(!press(one.group("1"), "q").event.defaultPrevented);
  assert.ok(!press(one.box, "ArrowDown").event.defaultPrevented);
  assert.equal(one.active(), "1");
});

test("Enter and a click ask for a node", async () => {
  const one = await shown("small");
  press(one.group("1"), "Enter");
  use(one.group("3").querySelector("text"), "click");
  assert.deepEqual(one.sent, [{ what: "focus", node: "1" }, { what: "focus", node: "3" }]);
});

test("the focus is marked, and is where Tab goes", async () => {
  const one = await shown("small", { focus: "3" });
  assert.ok(one.group("3").classList.contains("focus"));
  assert.equal(one.group("3").getAttribute("aria-selected"), "true");
  assert.equal(one.groups().filter((group) => group.classList.contains("focus")).length, 1);
});

test("Space folds what is below a node and says how much that is; Space again opens it", async () => {
  const one = await shown("small");
  const folds = inner.find(({ id, below }) => id !== "1" && below > 1);
  use(one.group(folds.id), "focusin");
  press(one.group(folds.id), " ");
  await settled(one.root, SMALL.length - folds.below);
  assert.equal(one.ids().length, SMALL.length - folds.below);
  assert.match(one.group(folds.id).textContent, new RegExp(`\\+ ${folds.below} nodes$`));
  assert.equal(one.group(folds.id).getAttribute("aria-expanded"), "false");
  assert.match(one.root.querySelector(".count").textContent, new RegExp(`^${SMALL.length - folds.below} of ${SMALL.length} nodes`));
  press(one.group(folds.id), " ");
  await settled(one.root, SMALL.length);
  assert.equal(one.ids().length, SMALL.length);
});

test("nodes that were not sent are told of the tree, and not of the icicle, which has them", async () => {
  const one = await shown("small", { missing: { [SMALL.at(-1).id]: 1200 } });
  const line = one.root.querySelector(".count");
  assert.equal(line.textContent, `${SMALL.length} of ${(SMALL.length + 1200).toLocaleString("en")} nodes; ${one.frame.line}; the icicle shows them all`);
  for (const part of line.querySelectorAll(".part")) part.remove(); // as in the icicle
  assert.equal(line.textContent, one.frame.line);
});

test("what others light is lit, or what it is folded into", async () => {
  const one = await shown("small");
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "stage" } }));
  assert.ok(one.group("2").classList.contains("lit"));
  use(one.group("3"), "pointerover");
  assert.ok(one.group("3").classList.contains("lit") && !one.group("2").classList.contains("lit"));
  use(one.box, "pointerleave");
  assert.equal(one.groups().filter((group) => group.classList.contains("lit")).length, 0);
});

test("what is lit stays lit, and so does a way, where the tree is drawn after that", async () => {
  const one = await shown("small");
  const { id } = SMALL.findLast(({ leaf }) => leaf);
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: id, from: "stage", way: true } }));
  const lit = () => one.root.querySelectorAll("g.node.way").length;
  const before = lit();
  const counts = one.frame.strips.counts.map((count) => count + 1); // other strips: it is painted again
  one.picture.show({ ...one.frame, strips: { ...one.frame.strips, counts } });
  const drawn = one.group(id);
  assert.equal(one.root.dataset.waiting, "true");
  await until(() => one.group(id) !== drawn);
  assert.equal(one.root.dataset.waiting, "false");
  await new Promise((done) => { setImmediate(done); });
  assert.ok(before > 1 && one.group(id).classList.contains("lit"));
  assert.deepEqual([lit(), one.root.dataset.way], [before, id]);
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: null, from: "stage" } }));
  assert.deepEqual([lit(), one.root.dataset.way], [0, ""]);
});

test("a layout that is no longer wanted, since what is drawn is asked for again, is waited for no longer", async () => {
  const one = await shown("small");
  const heard = [];
  const note = ({ detail }) => heard.push(detail.on);
  window.addEventListener("dtviz:laying", note);
  const strips = { ...one.frame.strips, counts: one.frame.strips.counts.map((count) => count + 1) };
  one.picture.show({ ...one.frame, stamp: "other", strips });
  assert.equal(one.root.dataset.waiting, "true");
  one.picture.show({ ...one.frame, stamp: "again" });
  await until(() => one.root.dataset.step === "again");
  window.removeEventListener("dtviz:laying", note);
  assert.deepEqual([heard, one.root.dataset.waiting], [[true, false], "false"]);
});

test("a layout that is no longer wanted asks for nothing in place of the one that is", async () => {
  const [one, other] = [await shown("small"), await shown("small")];
  const named = (stamp) => ({ ...one.frame, stamp, head: one.frame.head.replace("{", `{\n\tcomment=${stamp}\n`) });
  one.picture.show(named("first"));
  other.picture.show(named("other"));
  one.picture.show(named("last"));
  await until(() => one.root.dataset.step === "last" && other.root.dataset.step === "other");
  assert.equal(one.root.dataset.waiting, "false");
});

test("a tree that its user moved is drawn on where none of its looks can be read", async () => {
  const { ResizeObserver } = globalThis;
  const acts = [];
  globalThis.ResizeObserver = class { constructor(act) { acts.push(act); } observe() {} };
  const one = await shown("small");
  globalThis.ResizeObserver = ResizeObserver;
  use(one.box, "wheel", { clientX: 9, clientY: 9, deltaY: -300, deltaX: 0, ctrlKey: true });
  const narrow = [260, one.box.clientHeight]; // room for boxes side by side, as Graphviz sets them not
  for (const [w, h] of [narrow, [600, 5], [600, 0]]) {
    Object.assign(one.box, { clientWidth: w, clientHeight: h });
    for (const act of acts) act();
    one.picture.show({ ...one.frame, head: `${one.frame.head}\n`, stamp: `${w}x${h}` });
    await until(() => one.root.dataset.step === `${w}x${h}`);
    assert.equal(one.root.dataset.waiting, "false");
  }
});

test("what is lit on the other of two screens is not lit here", async () => {
  const one = await shown("small");
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "stage", beside: true } }));
  assert.ok(!one.group("2").classList.contains("lit"));
});

const files = [];
mock.method(URL, "createObjectURL", (file) => `blob:${files.push(file)}`);
mock.method(URL, "revokeObjectURL", () => {});

test("the saved picture has every node's words on the page's colour, and nothing of the page", async () => {
  const one = await shown("small");
  one.root.querySelectorAll("button").find(({ textContent }) => textContent === "SVG").click();
  while (!files.length) await new Promise((done) => { setImmediate(done); }); // in low boxes it is laid out for that
  const text = await files.at(-1).text();
  const rows = one.groups().map((group) => group.querySelector("text").textContent);
  for (const words of rows) assert.ok(text.includes(words.replace("<", "&lt;")), words);
  assert.ok(text.includes(`fill="${one.frame.colours.paper}"`));
  assert.ok(text.includes(`stroke="${one.frame.colours.accent}"`)); // the focus
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
  await settled(root, good.nodes.length);
  assert.ok(!saver.hidden && !box.classList.contains("words"));
  show({ ...good, head: "no graph ", stamp: "bad" });
  await until(() => box.classList.contains("words"));
  show(good); // as it was drawn before
  await until(() => !box.classList.contains("words"));
  assert.equal(root.querySelectorAll("g.node").length, good.nodes.length);
});

test("nothing that could act or load comes through", async () => {
  const { clean } = await import("../../../dtviz/frontend/tree/svg.js");
  const svg = clean('<svg viewBox="0 0 10 20"><g class="graph" transform="translate(1 2)"><script>x</script><a href="evil"><text onclick="x">kept</text></a><image href="evil"></image></g></svg>');
  assert.equal(svg.textContent, "kept");
  assert.deepEqual(svg.querySelectorAll("*").map(({ localName }) => localName), ["g", "text"]);
  assert.equal(svg.querySelector("text").getAttribute("onclick"), null);
  assert.equal(svg.getAttribute("width"), "10");
});

test("a click means the node it was pressed on, whatever is laid out until it is let go", async () => {
  const one = await shown("small");
  const pressed = one.group("2");
  use(pressed, "pointerdown", { clientX: 40, clientY: 40 });
  one.picture.show({ ...one.frame, head: `${one.frame.head}\n`, stamp: "later" });
  await until(() => !pressed.isConnected);
  use(one.box, "pointerup", { clientX: 40, clientY: 40 }); // of what is gone the browser tells no click
  assert.deepEqual(one.sent, [{ what: "focus", node: "2" }]);
  for (const type of ["pointerdown", "pointerup", "click"]) use(one.group("3"), type, { clientX: 40, clientY: 40 });
  assert.deepEqual(one.sent.slice(1), [{ what: "focus", node: "3" }]);
  for (const type of ["pointerdown", "pointerup", "click"]) use(one.box, type, { clientX: 40, clientY: 40 });
  assert.equal(one.sent.length, 2);
});

test("a layout that begins is told, and that it stands, in words too", async () => {
  const said = [];
  const told = ({ detail }) => said.push(detail.on);
  window.addEventListener("dtviz:laying", told);
  const one = await shown("small");
  assert.deepEqual(said, [true, false]);
  one.picture.show({ ...one.frame, focus: one.frame.focus, stamp: "as it was" });
  await settled(one.root, one.told.length);
  assert.deepEqual(said.slice(2), []); // only marks change
  const error = mock.method(console, "error", () => {});
  one.picture.show({ ...one.frame, head: "no graph {", stamp: "broken" });
  for (let k = 0; k < 2000 && said.length < 4; k++) await new Promise((done) => { setImmediate(done); });
  assert.deepEqual(said, [true, false, true, false]);
  error.mock.restore();
  window.removeEventListener("dtviz:laying", told);
});

test("a way that another picture tells lights its nodes and edges; without one the row that is shown", async () => {
  const ends = SMALL.filter(({ leaf }) => leaf).map(({ id }) => id);
  const one = await shown("small", { row: ends[0] });
  const lit = () => one.root.querySelectorAll("g.way").map(({ id }) => id.slice(1));
  const wanted = (end) => new Set(SMALL.map(({ id }) => id).filter((id) => {
    const [low, high] = [id, end].map((text) => BigInt(text).toString(2));
    return high.startsWith(low);
  }));
  assert.deepEqual(new Set(lit()), wanted(ends[0]));
  const tell = (detail) => window.dispatchEvent(new CustomEvent("dtviz:hover", { detail }));
  tell({ node: ends.at(-1), from: "stage", way: true });
  assert.deepEqual(new Set(lit()), wanted(ends.at(-1)));
  assert.equal(one.root.querySelectorAll("g.edge.way").length, wanted(ends.at(-1)).size - 1);
  tell({ node: ends.at(-1), from: "stage" });
  assert.deepEqual(new Set(lit()), wanted(ends[0]));
  assert.equal(one.root.dataset.way, ends[0]);
});
