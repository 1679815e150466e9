import assert from "node:assert/strict";
import test from "node:test";

import { colourOf, drawPoint, radius } from "../../../dtviz/frontend/draw/points.js";
import { recorder } from "../pen.js";
import { sceneOf } from "../scenes.js";

test("a code has the colour of its class, or of its step on the scale", () => {
  const { scene, facts } = sceneOf("three classes");
  facts.classes.forEach(([, colour], code) => assert.equal(colourOf(scene, code), colour));
  const { scene: surface } = sceneOf("a surface");
  assert.equal(colourOf(surface, 13), surface.scale[13]);
});

test("more points are smaller", () => {
  const sizes = [10, 60, 61, 600, 601, 2500, 2501, 8000, 8001].map(radius);
  assert.deepEqual(sizes, [5.2, 5.2, 3.8, 3.8, 2.7, 2.7, 2, 2, 1.5]);
});

test("a row held out is hollow, one trained on is filled and has a rim on light paper", () => {
  const { scene } = sceneOf("three classes");
  const [filled, hollow, tiny] = [recorder(), recorder(), recorder()];
  drawPoint(filled, scene, 1, 5, 5, 4);
  drawPoint(hollow, { ...scene, hollow: true }, 1, 5, 5, 4);
  drawPoint(tiny, scene, 1, 5, 5, 2);
  const what = (pen) => pen.log.map(({ name, fillStyle, strokeStyle }) => [name, name === "fill" ? fillStyle : strokeStyle]);
  assert.deepEqual(what(filled), [["fill", scene.classes[1][1]], ["stroke", scene.colours.paper]]);
  assert.deepEqual(what(hollow), [["stroke", scene.classes[1][1]]]);
  assert.deepEqual(what(tiny), [["fill", scene.classes[1][1]]]);
});
