import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { ancestors, foldedIds, foldedByDefault, nodesOf, SIEVES, visibleIds } from "../../../dtviz/frontend/tree/fold.js";
import { bytesOf, expected } from "../expected.js";

const TREES = Object.entries(expected.trees).map(([name, { frame, nodes }]) => {
  const read = unpack(bytesOf(frame));
  return { name, frame: read, engineNodes: nodes, nodes: nodesOf(read) };
});
const treeOf = (wanted) => TREES.find(({ name }) => name === wanted);

test("each node has the engine's level, parent, children and number of nodes below", () => {
  for (const { nodes, engineNodes } of TREES) {
    assert.deepEqual([...nodes.keys()], engineNodes.map(({ id }) => id));
    for (const { id, level, parent, below, children } of engineNodes) {
      const node = nodes.get(id);
      assert.deepEqual([node.level, node.parent, node.descendants, node.children], [level, parent, below, children]);
    }
  }
});

test("the answers of a cut with three branches are its values, on the outer side of the edges", () => {
  const { nodes } = treeOf("branches");
  const { children } = nodes.get("1");
  assert.deepEqual(children.map((id) => [id, nodes.get(id).answer, nodes.get(id).isRight]), [["2", "Full", false], ["6", "None", false], ["7", "Some", true]]);
  assert.ok(nodes.get("6").words.startsWith("Node 6, None: WillWait: No"));
});

/** A frame of these ids, each after its parent. */
const bare = (ids) => ({ nodes: ids.map((id) => [id, "", "", "", "", "", null]), bars: new Uint8Array(), unsent_descendants: {}, shape: { depth: [], rows: [], purity: [], colour_index: [], node_colours: [] }, strips: { nodes: [], counts: [] } });

test("each node has its own colour, whether deeper ones are sent or not", () => {
  const { frame, nodes, engineNodes } = treeOf("small");
  const { colour_index: hue, node_colours: hues } = frame.shape;
  const wanted = new Map(engineNodes.map(({ id }, k) => [id, hues[hue[k]]]));
  assert.ok(new Set(wanted.values()).size > 1);
  for (const [id, node] of nodes) assert.equal(node.hue, wanted.get(id));
  const high = frame.nodes.filter((_, k) => engineNodes[k].level <= 3);
  assert.ok(high.length < engineNodes.length);
  for (const [id, node] of nodesOf({ ...frame, nodes: high })) assert.equal(node.hue, wanted.get(id));
});

test("nodes that were not sent are counted below", () => {
  const { frame, engineNodes } = treeOf("small");
  const leaf = engineNodes.findLast((node) => node.leaf && node.level === 3) ?? engineNodes.findLast((node) => node.leaf);
  const nodes = nodesOf({ ...frame, unsent_descendants: { [leaf.id]: 10 } });
  assert.equal(nodes.get(leaf.id).descendants, 10);
  assert.equal(nodes.get("1").descendants, engineNodes.length - 1 + 10);
});

test("a frame is read once", () => {
  const { frame, nodes } = treeOf("small");
  assert.equal(nodesOf(frame), nodes);
});

test("the way up goes from the parent to the root", () => {
  const { nodes, engineNodes } = treeOf("deep");
  const deepest = engineNodes.reduce((a, b) => (b.level > a.level ? b : a));
  const path = ancestors(nodes, deepest.id);
  assert.equal(path.length, deepest.level - 1);
  assert.equal(path.at(-1), "1");
  assert.deepEqual(ancestors(nodes, "1"), []);
  assert.deepEqual(ancestors(nodes, "999"), []);
});

test("a small tree is whole", () => {
  for (const name of ["small", "one split"]) {
    const { nodes, engineNodes } = treeOf(name);
    assert.equal(foldedByDefault(nodes).size, 0);
    const ids = visibleIds(nodes, new Set());
    assert.deepEqual(ids, engineNodes.map(({ id }) => id));
  }
});

test("a large tree opens with few enough nodes, whole levels of them", () => {
  for (const name of ["large", "deep"]) {
    const { nodes, engineNodes } = treeOf(name);
    const shut = foldedByDefault(nodes);
    const ids = visibleIds(nodes, shut);
    assert.ok(shut.size > 0, name);
    assert.ok(ids.length <= 79 && ids.length > 15, name);
    const last = Math.max(...ids.map((id) => nodes.get(id).level));
    assert.deepEqual(ids, engineNodes.filter(({ level }) => level <= last).map(({ id }) => id));
    const widest = Math.max(...ids.map((id) => ids.filter((other) => nodes.get(other).level === nodes.get(id).level).length));
    assert.ok(widest <= 16);
    const next = engineNodes.filter(({ level }) => level === last + 1).length;
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
  assert.equal(foldedByDefault(line(79)).size, 0);
  assert.ok(foldedByDefault(line(81)).size > 0);
});

test("a level as wide as may be is drawn, a wider one is folded", () => {
  const levels = (...widths) => {
    const ids = widths.flatMap((width, level) => Array.from({ length: width }, (_, k) => String(2 ** level + k)));
    return nodesOf(bare(ids));
  };
  assert.equal(foldedByDefault(levels(1, 2, 4, 8, 16)).size, 0);
  const shut = foldedByDefault(levels(1, 2, 4, 8, 16, 18));
  assert.deepEqual([...shut], ["16", "17", "18", "19", "20", "21", "22", "23", "24"]);
});

test("what is folded hides just what is below it", () => {
  const { nodes, engineNodes } = treeOf("small");
  const inner = engineNodes.find(({ leaf, id }) => !leaf && id !== "1");
  const ids = visibleIds(nodes, new Set([inner.id]));
  assert.equal(ids.length, engineNodes.length - inner.below);
  assert.ok(ids.includes(inner.id));
  assert.ok(!ids.some((id) => ancestors(nodes, id).includes(inner.id)));
});

test("the ways to the focus and to the next split are open, and wishes come before that", () => {
  const { nodes } = treeOf("large");
  const first = foldedByDefault(nodes);
  const under = [...nodes].find(([id]) => ancestors(nodes, id).some((ancestor) => first.has(ancestor)) && nodes.get(id).level === nodes.get([...first][0]).level + 2)[0];
  const shutAbove = ancestors(nodes, under).find((id) => first.has(id));
  const open = foldedIds(nodes, new Map(), [under]);
  assert.ok(!open.has(shutAbove));
  assert.ok(visibleIds(nodes, open).includes(under));
  assert.ok(foldedIds(nodes, new Map([[shutAbove, false]]), [under]).has(shutAbove));
  const [id] = first;
  assert.ok(!foldedIds(nodes, new Map([[id, true]]), []).has(id));
  const leaf = [...nodes].find(([, { children }]) => !children.length)[0];
  assert.ok(!foldedIds(nodes, new Map([[leaf, false]]), []).has(leaf));
});

test("a sieve opens only what has so many rows, or is not yet so pure", () => {
  for (const { frame } of TREES) {
    const nodes = nodesOf(frame);
    for (const sieve of SIEVES) {
      const drawn = visibleIds(nodes, foldedIds(nodes, new Map(), [], sieve));
      for (const [id, { parent }] of nodes) {
        let opens = true;
        for (let up = parent; up; up = nodes.get(up).parent) {
          const { share, purity: pure } = nodes.get(up);
          opens &&= share >= sieve.minShare && pure < sieve.maxPurity;
        }
        assert.equal(drawn.includes(id), opens);
      }
    }
  }
});
