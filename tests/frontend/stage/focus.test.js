import assert from "node:assert/strict";
import test from "node:test";

import { isInFocus, opacities } from "../../../dtviz/frontend/stage/focus.js";
import { eachScene } from "../scenes.js";

test("the rows of the focus are those of the engine", () => {
  for (const { scene, facts, name } of eachScene()) {
    facts.points.forEach(({ inside }, i) => assert.equal(isInFocus(scene, i), inside, `${name}: ${i}`));
  }
  assert.ok(isInFocus({}, 3));
});

test("points of the focus are drawn over the others, those near the slice over those far from it", () => {
  for (const { scene } of eachScene()) {
    const fading = { ...scene, nearness: Uint8Array.from({ length: 8 * scene.in_focus.length }, (_, i) => i % 8) };
    const all = opacities(fading);
    const alphas = all.map(([alpha]) => alpha);
    assert.deepEqual(alphas, alphas.toSorted((a, b) => a - b));
    assert.ok(alphas[1] > alphas[0] && alphas[1] >= 0.4, "the palest of the focus is told from the others");
    assert.equal(alphas.at(-1), 0.92);
    for (let i = 0; i < 8 * scene.in_focus.length; i++) {
      const mine = all.flatMap(([, drawn], k) => (drawn(i) ? [k] : []));
      assert.deepEqual(mine, [isInFocus(scene, i) ? 1 + (i % 8) : 0], "each is drawn once");
    }
    assert.equal(opacities(scene).length, scene.nearness ? 9 : 2);
  }
});
