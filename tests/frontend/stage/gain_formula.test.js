import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { mathml } from "../../../dtviz/frontend/lib/formula.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { formulaPanel } from "../../../dtviz/frontend/stage/gain_formula.js";
import { bytesOf, expected } from "../expected.js";
import { sceneOf } from "../scenes.js";

const { frame, told } = expected.lessons.gains;

test("the formula of every cut has the engine's numbers", () => {
  const [scene, { element, show }] = [unpack(bytesOf(frame)), formulaPanel()];
  told.forEach((cuts, axis) => {
    assert.equal(scene.cuts[axis].left.length, cuts.length);
    cuts.forEach((latex, i) => {
      show(scene, [axis, i]);
      assert.deepEqual(element.children.map((line) => line.textContent), latex.split("\n").map((line) => mathml(line).textContent));
    });
  });
});

test("without a cut, and on Grow, there is no formula", () => {
  const { element, show } = formulaPanel();
  show(unpack(bytesOf(frame)), [0, 0]);
  assert.ok(element.children.length);
  show(unpack(bytesOf(frame)), null);
  assert.equal(element.children.length, 0);
  show(sceneOf("three classes").scene, [0, 0]);
  assert.equal(element.children.length, 0);
});
