import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { nodesOf } from "../../../dtviz/frontend/tree/fold.js";
import { layOut } from "../../../dtviz/frontend/tree/layout.js";
import { linesIn, tallVariant, variantsOf, widenIntoGaps } from "../../../dtviz/frontend/tree/variants.js";
import { bytesOf, expected } from "../expected.js";

const frame = unpack(bytesOf(expected.trees.small.frame));
const nodes = nodesOf(frame);
const ids = [...nodes.keys()];
const levels = Math.max(...[...nodes.values()].map(({ level }) => level));
const measure = (text) => text.length / 2;
const variants = (w, h, unit = 1) => variantsOf(frame, nodes, ids, { w, h, unit, measure });

test("the first variant has all words, and the last too, for a room in which nothing is readable", () => {
  const tall = tallVariant(nodes, ids, measure);
  assert.deepEqual(variants(2000, 2000)[0], tall);
  for (const [w, h] of [[2000, 100], [60, 400], [600, 36 * levels], [600, 5], [600, -20]]) {
    assert.deepEqual(variants(w, h).at(-1), { ...tall, minScale: 0 });
  }
  for (const [w, h] of [[2000, 60], [60, 36 * levels]]) { // no line of type on each level, no room beside one another
    assert.deepEqual(variants(w, h).map(({ isLow }) => isLow), [false, false]);
  }
});

test("a tall box has room for its widest line and for all lines; a bar of rows is higher than one of classes", () => {
  const { boxes } = tallVariant(nodes, ids, measure);
  for (const [id, { w, h, lines, bar }] of boxes) {
    const { title, numbers, children } = nodes.get(id);
    assert.deepEqual([lines.filter(({ kind }) => kind === "title").map(({ text }) => text).join(" "), lines.at(-1).text], [title, numbers]);
    assert.ok(lines.every(({ text }) => 12 * measure(text) + 16 <= w + 1));
    assert.ok(lines.every(({ y }, k) => y < h && (!k || y > lines[k - 1].y)));
    assert.equal(bar.h, children.length ? 18 : 8);
    assert.ok(bar.y > lines[0].y && bar.y + bar.h < lines.at(-1).y && bar.x >= 8);
  }
});

test("in low boxes of one height the levels fill the room, however many there are", () => {
  const h = 38 * levels;
  const low = variants(2000, h).find(({ isLow }) => isLow);
  assert.equal(new Set(Array.from(low.boxes.values(), (box) => box.h)).size, 1);
  const { size } = layOut(nodes, low.boxes, low.gaps);
  assert.ok(size.h <= h && size.h > h - levels - 4, `${size.h} of ${h}`);
});

test("low boxes are as wide as their rules, in two lines where one has no room; the focus keeps one", () => {
  const low = variantsOf({ ...frame, focus: "1" }, nodes, ids, { w: 3000, h: 60 * levels, unit: 1, measure: (text) => text.length }).filter(({ isLow }) => isLow);
  const width = ({ boxes }) => [...boxes.values()].reduce((sum, { w }) => sum + w, 0);
  assert.ok(low.length > 1);
  assert.ok(width(low[0]) > width(low.at(-1)));
  const split = ids.find((id) => id !== "1" && nodes.get(id).descendants);
  assert.ok(low.at(-1).boxes.get("1").w > low.at(-1).boxes.get(split).w);
});

test("where enlarged type has no room it is as large as elsewhere, before nothing is read", () => {
  const [w, h] = [2000, 20 * levels];
  assert.ok(variants(w, h).every(({ isLow }) => !isLow));
  const low = variants(w, h, 1.5).find(({ isLow }) => isLow);
  assert.equal(low.minScale, 0.9 / 1.5);
  assert.deepEqual(low.boxes, variants(1.5 * w, 1.5 * h).find(({ isLow }) => isLow).boxes);
});

test("where the room is wide boxes stand farther apart", () => {
  const gapIn = (w) => variants(w, 38 * levels).find(({ isLow }) => isLow)?.gaps.node;
  const minWidth = Array.from({ length: 300 }, (_, k) => 10 * k).find((w) => gapIn(w));
  assert.ok(gapIn(3 * minWidth) > gapIn(minWidth));
});

test("a box has room for lines of type over its bar", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(linesIn), [0, 0, 1, 2, 3]);
});

test("low boxes take the free room beside them, as far as their rules need, and come no nearer to another", () => {
  const [variant] = variants(500, 36 * levels).filter(({ isLow }) => isLow).slice(-1);
  const layout = layOut(nodes, variant.boxes, variant.gaps);
  const { variant: wider, layout: { places, size } } = widenIntoGaps(nodes, variant, layout, measure, 9);
  assert.deepEqual(size, layout.size);
  let widened = 0;
  for (const [id, rect] of places) {
    const before = layout.places.get(id);
    assert.ok(rect.w >= before.w && rect.x >= 0 && rect.x + rect.w <= size.w);
    assert.equal(rect.x + rect.w / 2, before.x + before.w / 2);
    assert.equal(wider.boxes.get(id).w, rect.w);
    widened += Number(rect.w > before.w);
    const { level, rule, numbers } = nodes.get(id);
    assert.ok(rect.w === before.w || rect.w <= 9 * (Math.max(measure(rule), measure(numbers)) + 1.1) + 2);
    for (const [other, { x, w }] of places) {
      if (other !== id && nodes.get(other).level === level) assert.ok(x >= rect.x + rect.w + 5.9 || x + w <= rect.x - 5.9, `${id} ${other}`);
    }
  }
  assert.ok(widened > 0);
});
