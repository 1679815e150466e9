import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { nodesOf, dotText } from "../../../dtviz/frontend/tree/fold.js";
import { instance } from "../../../dtviz/frontend/tree/graphviz.js";
import { linesIn, variantsOf } from "../../../dtviz/frontend/tree/variants.js";
import { bytesOf, expected } from "../expected.js";

const frame = unpack(bytesOf(expected.trees.small.frame));
const nodes = nodesOf(frame);
const ids = [...nodes.keys()];
const levels = Math.max(...[...nodes.values()].map(({ level }) => level));
const measure = (text) => text.length / 2;
const variants = (w, h, unit = 1) => variantsOf(frame, nodes, ids, { w, h, unit, measure: measure });
const viz = await instance();

/** The boxes that Graphviz makes of a look: [width, height] in units by the id. */
function boxes({ dot }) {
  const svg = viz.renderString(dot, { format: "json" });
  return new Map(JSON.parse(svg).objects.filter(({ id }) => id).map(({ id, width, height }) => [id.slice(1), [72 * width, 72 * height]]));
}

test("a tree that is read as Python wrote it is laid out so; one that cannot be seen otherwise, too", () => {
  const tall = dotText(frame, nodes, ids);
  const [first] = variants(2000, 2000);
  assert.deepEqual([first.dot, first.isLow], [tall, false]);
  for (const [w, h] of [[2000, 100], [60, 400], [600, 36 * levels], [600, 5], [600, -20]]) {
    const last = variants(w, h).at(-1);
    assert.deepEqual([last.dot, last.isLow, last.minScale], [tall, false, 0]);
  }
  assert.deepEqual(variants(2000, 60).map(({ isLow }) => isLow), [false]); // no line of type on each level
  assert.deepEqual(variants(60, 36 * levels).map(({ isLow }) => isLow), [false]); // nor beside one another
});

test("in low boxes of one height the levels fill the room, however many there are", () => {
  const h = 38 * levels;
  const [low] = variants(2000, h);
  assert.ok(low.isLow);
  const heights = new Set([...boxes(low).values()].map(([, high]) => Math.round(high)));
  assert.equal(heights.size, 1);
  const size = viz.renderString(low.dot, { format: "svg" });
  const [, high] = /viewBox="\S+ \S+ \S+ (\S+)"/.exec(size);
  assert.ok(high <= h && high > h - levels - 4, `${high} of ${h}`);
});

test("low boxes are as wide as their rules, in two lines where one has no room; the focus keeps one", () => {
  const all = variantsOf({ ...frame, focus: "1" }, nodes, ids, { w: 3000, h: 60 * levels, unit: 1, measure: (text) => text.length });
  const width = (variant) => [...boxes(variant).values()].reduce((sum, [boxWidth]) => sum + boxWidth, 0);
  const low = all.filter((variant) => variant.isLow);
  assert.ok(low.length > 1);
  assert.ok(width(low[0]) > width(low.at(-1)));
  const split = ids.find((id) => id !== "1" && nodes.get(id).descendants);
  const [root, splitWidth] = ["1", split].map((id) => boxes(low.at(-1)).get(id)[0]);
  assert.ok(root > splitWidth);
  assert.ok(low.every(({ dot }) => dot.includes("dir=none")));
});

test("where enlarged type has no room it is as large as elsewhere, before nothing is read", () => {
  const [w, h] = [2000, 20 * levels];
  assert.ok(variants(w, h).every(({ isLow }) => !isLow));
  const [low] = variants(w, h, 1.5);
  assert.deepEqual([low.isLow, low.minScale], [true, 0.9 / 1.5]);
  assert.equal(low.dot, variants(1.5 * w, 1.5 * h)[0].dot);
});

test("where the room is wide boxes stand farther apart", () => {
  const gapOf = ({ dot }) => Number([...dot.matchAll(/nodesep=(\S+)/g)].at(-1)[1]); // over that of Python
  const high = 38 * levels;
  const minWidth = Array.from({ length: 300 }, (_, k) => 10 * k).find((w) => variants(w, high)[0].isLow);
  assert.ok(gapOf(variants(3 * minWidth, high)[0]) > gapOf(variants(minWidth, high)[0]));
});

test("a box has room for lines of type over its bar", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(linesIn), [0, 0, 1, 2, 3]);
});
