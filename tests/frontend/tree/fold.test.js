import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { above, folded, foldedAtFirst, nodesOf, part, SIEVES, visible } from "../../../dtviz/frontend/tree/fold.js";
import { bytesOf, expected } from "../expected.js";

const TREES = Object.entries(expected.trees).map(([name, { frame, nodes }]) => {
  const read = unpack(bytesOf(frame));
  return { name, frame: read, told: nodes, nodes: nodesOf(read) };
});
const treeOf = (wanted) => TREES.find(({ name }) => name === wanted);

test("each node has the engine's level, parent, children and number of nodes below", () => {
  for (const { nodes, told } of TREES) {
    assert.deepEqual([...nodes.keys()], told.map(({ id }) => id));
    for (const { id, level, parent, below, leaf } of told) {
      const node = nodes.get(id);
      assert.deepEqual([node.level, node.parent, node.below], [level, parent, below]);
      assert.equal(node.children.length, leaf ? 0 : 2);
      const twice = BigInt(id) * 2n;
      if (!leaf) assert.deepEqual(node.children, [String(twice), String(twice + 1n)]);
    }
  }
});

/** A frame of these ids, each after its parent. */
const bare = (ids) => ({ nodes: ids.map((id) => [id, "", "", ""]), missing: {}, shape: { depth: [], rows: [], pure: [], hue: [], hues: [] }, strips: { nodes: [], counts: [] } });

test("each node has its own colour, whether deeper ones are sent or not", () => {
  const { frame, nodes, told } = treeOf("small");
  const { hue, hues } = frame.shape;
  const wanted = new Map(told.map(({ id }, k) => [id, hues[hue[k]]]));
  assert.ok(new Set(wanted.values()).size > 1);
  for (const [id, node] of nodes) assert.equal(node.hue, wanted.get(id));
  const high = frame.nodes.filter((_, k) => told[k].level <= 3);
  assert.ok(high.length < told.length);
  for (const [id, node] of nodesOf({ ...frame, nodes: high })) assert.equal(node.hue, wanted.get(id));
});

test("nodes that were not sent are counted below", () => {
  const { frame, told } = treeOf("small");
  const leaf = told.findLast((node) => node.leaf && node.level === 3) ?? told.findLast((node) => node.leaf);
  const nodes = nodesOf({ ...frame, missing: { [leaf.id]: 10 } });
  assert.equal(nodes.get(leaf.id).below, 10);
  assert.equal(nodes.get("1").below, told.length - 1 + 10);
});

test("a frame is read once", () => {
  const { frame, nodes } = treeOf("small");
  assert.equal(nodesOf(frame), nodes);
});

test("the way up goes from the parent to the root", () => {
  const { nodes, told } = treeOf("deep");
  const deepest = told.reduce((a, b) => (b.level > a.level ? b : a));
  const way = above(nodes, deepest.id);
  assert.equal(way.length, deepest.level - 1);
  assert.equal(way.at(-1), "1");
  assert.deepEqual(above(nodes, "1"), []);
  assert.deepEqual(above(nodes, "999"), []);
});

test("a small tree is whole, and its text is Python's", () => {
  for (const name of ["small", "one split"]) {
    const { frame, nodes, told } = treeOf(name);
    assert.equal(foldedAtFirst(nodes).size, 0);
    const ids = visible(nodes, new Set());
    assert.deepEqual(ids, told.map(({ id }) => id));
    const text = part(frame, nodes, ids);
    assert.equal(text, `${frame.head}${frame.nodes.map(([, line, edge]) => line + edge).join("")}}\n`);
    assert.equal(text.match(/->/g).length, told.length - 1);
  }
});

test("a large tree opens with few enough nodes, whole levels of them", () => {
  for (const name of ["large", "deep"]) {
    const { nodes, told } = treeOf(name);
    const shut = foldedAtFirst(nodes);
    const ids = visible(nodes, shut);
    assert.ok(shut.size > 0, name);
    assert.ok(ids.length <= 79 && ids.length > 15, name);
    const last = Math.max(...ids.map((id) => nodes.get(id).level));
    assert.deepEqual(ids, told.filter(({ level }) => level <= last).map(({ id }) => id));
    const widest = Math.max(...ids.map((id) => ids.filter((one) => nodes.get(one).level === nodes.get(id).level).length));
    assert.ok(widest <= 16);
    const next = told.filter(({ level }) => level === last + 1).length;
    assert.ok(next > 16 || ids.length + next > 79, name); // no level more would do
    for (const id of shut) assert.equal(nodes.get(id).level, last);
  }
});

test("as many nodes as may be are all drawn", () => {
  const line = (count) => {
    const ids = ["1"];
    for (let id = 1n; ids.length < count; id = 2n * id + 1n) ids.push(String(2n * id), String(2n * id + 1n));
    return nodesOf(bare(ids));
  };
  assert.equal(foldedAtFirst(line(79)).size, 0);
  assert.ok(foldedAtFirst(line(81)).size > 0);
});

test("a level as wide as may be is drawn, a wider one is folded", () => {
  const levels = (...widths) => {
    const ids = widths.flatMap((width, level) => Array.from({ length: width }, (_, k) => String(2 ** level + k)));
    return nodesOf(bare(ids));
  };
  assert.equal(foldedAtFirst(levels(1, 2, 4, 8, 16)).size, 0);
  const shut = foldedAtFirst(levels(1, 2, 4, 8, 16, 18));
  assert.deepEqual([...shut], ["16", "17", "18", "19", "20", "21", "22", "23", "24"]);
});

test("what is folded hides just what is below it", () => {
  const { nodes, told } = treeOf("small");
  const inner = told.find(({ leaf, id }) => !leaf && id !== "1");
  const ids = visible(nodes, new Set([inner.id]));
  assert.equal(ids.length, told.length - inner.below);
  assert.ok(ids.includes(inner.id));
  assert.ok(!ids.some((id) => above(nodes, id).includes(inner.id)));
});

test("the ways to the focus and to the next split are open, and wishes come before that", () => {
  const { nodes } = treeOf("large");
  const first = foldedAtFirst(nodes);
  const under = [...nodes].find(([id]) => above(nodes, id).some((one) => first.has(one)) && nodes.get(id).level === nodes.get([...first][0]).level + 2)[0];
  const shutAbove = above(nodes, under).find((one) => first.has(one));
  const open = folded(nodes, new Map(), [under]);
  assert.ok(!open.has(shutAbove));
  assert.ok(visible(nodes, open).includes(under));
  assert.ok(folded(nodes, new Map([[shutAbove, false]]), [under]).has(shutAbove));
  const [one] = first;
  assert.ok(!folded(nodes, new Map([[one, true]]), []).has(one));
  const leaf = [...nodes].find(([, { children }]) => !children.length)[0];
  assert.ok(!folded(nodes, new Map([[leaf, false]]), []).has(leaf));
});

test("a sieve opens only what has so many rows, or is not yet so pure", () => {
  for (const { frame } of TREES) {
    const nodes = nodesOf(frame);
    for (const sieve of SIEVES) {
      const drawn = visible(nodes, folded(nodes, new Map(), [], sieve));
      for (const [id, { parent }] of nodes) {
        let opens = true;
        for (let up = parent; up; up = nodes.get(up).parent) {
          const { share, pure } = nodes.get(up);
          opens &&= share >= sieve.share && pure < sieve.pure;
        }
        assert.equal(drawn.includes(id), opens);
      }
    }
  }
});
