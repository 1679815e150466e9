import assert from "node:assert/strict";
import test from "node:test";

import { Element } from "../page.js";
import { colourOf, fitText, font, isInFocus, drawPoint, radius, size, opacities } from "../../../dtviz/frontend/stage/paint.js";
import { recorder } from "../pen.js";
import { eachScene, sceneOf } from "../scenes.js";

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

test("a code has the colour of its class, or of its step on the scale", () => {
  const { scene, facts } = sceneOf("three classes");
  facts.classes.forEach(([, colour], code) => assert.equal(colourOf(scene, code), colour));
  const { scene: surface } = sceneOf("a surface");
  assert.equal(colourOf(surface, 13), surface.scale[13]);
});

test("a text that is too wide is cut at its end, and no further than needed", () => {
  const pen = recorder();
  assert.equal(fitText(pen, "abcdef", 36), "abcdef");
  assert.equal(fitText(pen, "abcdef", 35), "abcd…");
  assert.equal(fitText(pen, "abcdef", 0), "a…");
});

test("the page's font comes in a size and a weight", () => {
  assert.equal(font({ family: "Sans" }, 12), "12px Sans");
  assert.equal(font({ family: "Sans" }, 13, "bold"), "bold 13px Sans");
});

test("more points are smaller", () => {
  const sizes = [10, 60, 61, 600, 601, 2500, 2501, 8000, 8001].map(radius);
  assert.deepEqual(sizes, [5.2, 5.2, 3.8, 3.8, 2.7, 2.7, 2, 2, 1.5]);
});

test("a canvas is as sharp as the screen", () => {
  const canvas = new Element("canvas");
  window.devicePixelRatio = 1.5;
  size(canvas, { width: 301, height: 200 });
  window.devicePixelRatio = 1;
  assert.deepEqual([canvas.width, canvas.height], [452, 300]);
  assert.deepEqual([canvas.style.width, canvas.style.height], ["301px", "200px"]);
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
