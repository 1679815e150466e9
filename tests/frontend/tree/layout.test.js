import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { nodesOf } from "../../../dtviz/frontend/tree/fold.js";
import { layOut } from "../../../dtviz/frontend/tree/layout.js";
import { bytesOf, expected } from "../expected.js";

const GAPS = { node: 7, level: 20, marginX: 3, marginY: 5 };

for (const [name, { frame }] of Object.entries(expected.trees)) {
  test(`boxes of all widths and heights overlap nowhere, and a parent is over the middle of its children: ${name}`, () => {
    const nodes = nodesOf(unpack(bytesOf(frame)));
    const boxes = new Map(Array.from(nodes.keys(), (id, k) => [id, { w: 30 + ((37 * k) % 90), h: 20 + ((11 * k) % 30) }]));
    const { places, size } = layOut(nodes, boxes, GAPS);
    assert.deepEqual([...places.keys()].toSorted(), [...nodes.keys()].toSorted());
    const levels = Map.groupBy(places, ([id]) => nodes.get(id).level);
    let bottom = GAPS.marginY - GAPS.level;
    for (const [, onLevel] of [...levels].toSorted(([a], [b]) => a - b)) {
      const rects = onLevel.map(([, rect]) => rect).toSorted((a, b) => a.x - b.x);
      for (const [k, { x, y }] of rects.entries()) {
        assert.ok(Math.abs(y - bottom - GAPS.level) < 1e-9);
        if (k) assert.ok(x >= rects[k - 1].x + rects[k - 1].w + GAPS.node - 1e-9);
      }
      bottom += GAPS.level + Math.max(...rects.map(({ h }) => h));
    }
    for (const [id, { x, w }] of places) {
      const middles = nodes.get(id).children.map((child) => places.get(child).x + places.get(child).w / 2);
      if (middles.length) assert.ok(Math.abs((middles[0] + middles.at(-1)) / 2 - x - w / 2) < 1e-6 && middles[0] < middles[1]);
    }
    assert.ok(Math.abs(Math.min(...Array.from(places.values(), ({ x }) => x)) - GAPS.marginX) < 1e-9);
    assert.ok(Math.abs(Math.max(...Array.from(places.values(), ({ x, w }) => x + w)) + GAPS.marginX - size.w) < 1e-9);
    assert.ok(Math.abs(bottom + GAPS.marginY - size.h) < 1e-9);
  });
}

test("of a folded tree the boxes alone are placed", () => {
  const nodes = nodesOf(unpack(bytesOf(expected.trees.small.frame)));
  const boxes = new Map(["1", "2", "3"].map((id) => [id, { w: 10, h: 10 }]));
  assert.deepEqual(new Set(layOut(nodes, boxes, GAPS).places.keys()), new Set(["1", "2", "3"]));
});
