import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { drawCut } from "../../../dtviz/frontend/stage/cut.js";
import { draw } from "../../../dtviz/frontend/stage/draw.js";
import { fillRing, drawRim, parts } from "../../../dtviz/frontend/draw/marks.js";
import { chord, ringContains, divideRing, spanOf } from "../../../dtviz/frontend/stage/rings.js";
import { drawTint } from "../../../dtviz/frontend/stage/tint.js";
import { expected } from "../expected.js";
import { calls, recorder, texts } from "../pen.js";
import { bandedScenes, cutsOf, fillsAt, sceneOf } from "../scenes.js";

const NAMES = Object.keys(expected.slanted);
const pairs = (ring) => Array.from({ length: ring.length / 2 }, (_, k) => [ring[2 * k], ring[2 * k + 1]]);

/** A slanted scene drawn without its points. */
function drawn({ layout, scene }) {
  const none = { x: new Float64Array(), y: new Float64Array(), code: new Int32Array() };
  const pen = recorder();
  draw(pen, { ...layout, spots: [[], []] }, scene, none);
  return pen;
}

test("a ring is divided as in Python, to the last bit", () => {
  assert.ok(expected.parts.length > 40);
  for (const { ring, axis, limit, halves } of expected.parts) {
    assert.deepEqual(divideRing(Float64Array.from(ring.flat()), axis, limit).map(pairs), halves, `${ring}: ${axis}, ${limit}`);
  }
});

test("the chord of a cut is the part of its line inside the ring", () => {
  const corner = Float64Array.from([0, 0, 4, 0, 0, 4]);
  assert.deepEqual(chord(corner, 0, 1), [0, 3]);
  assert.deepEqual(chord(corner, 1, 3), [0, 1]);
  assert.equal(chord(corner, 0, 5), null);
  assert.equal(chord(corner, 1, -1), null);
});

test("a ring holds its inside and its rim, and nothing beside it", () => {
  const arrow = Float64Array.from([0, 0, 4, 0, 4, 4, 2, 1, 0, 4]); // a notch from above
  for (const [x, y] of [[1, 1], [3, 1], [0, 0], [4, 2], [2, 1], [1, 2.5], [2, 0]]) assert.ok(ringContains(arrow, x, y), `${x}, ${y}`);
  for (const [x, y] of [[2, 1.1], [2, 3], [-0.1, 0], [4.1, 0], [5, 4], [2, -1]]) assert.ok(!ringContains(arrow, x, y), `${x}, ${y}`);
  assert.deepEqual([spanOf(arrow, 0), spanOf(arrow, 1)], [[0, 4], [0, 4]]);
});

test("an edge between two parts is no rim", () => {
  const pen = recorder();
  drawRim(pen, Float64Array.from([0, 0, 2, 0, 2, 2, 0, 2, NaN, NaN, 2, 0, 4, 0, 4, 2, 2, 2]), { stroke: "#000" });
  const [{ path }] = calls(pen, "stroke");
  const [from, to] = ["moveTo", "lineTo"].map((name) => path.filter(([what]) => what === name));
  assert.deepEqual([from.length, to.length], [6, 6]);
  assert.ok(from.every(([, x], k) => x !== 2 || to[k][1] !== 2));
});

test("only upright rectangles are drawn as rectangles", () => {
  const pen = recorder();
  fillRing(pen, Float64Array.from([1, 5, 4, 5, 4, 2, 1, 2]), { fill: "#000" });
  drawRim(pen, Float64Array.from([4, 5, 4, 2, 1, 2, 1, 5]), { stroke: "#000" });
  assert.deepEqual(pen.log.map(({ name, args }) => [name, args]), [["fillRect", [1, 2, 3, 3]], ["strokeRect", [1, 2, 3, 3]]]);
  for (const ring of [[1, 5, 4, 5, 4, 2, 1, 3], [1, 5, 4, 5, 4, 2], [1, 2, 2, 1, 3, 2, 2, 3], [1, 5, 4, 5, 4, 2, 1, 2, 0, 3]]) {
    fillRing(pen, Float64Array.from(ring), { fill: "#000" });
    assert.equal(pen.log.at(-1).name, "fill");
    drawRim(pen, Float64Array.from(ring), { stroke: "#000" });
    assert.equal(pen.log.at(-1).name, "stroke");
    assert.deepEqual(pen.log.at(-1).path.at(-1), ["closePath"]);
  }
});

test("every place of a slanted tree has the colour and the leaf that the engine gives it", () => {
  const example = sceneOf("1");
  const pen = drawn(example);
  assert.ok([...example.layout.rings.values()].some((ring) => ring.length !== 8));
  const leaves = new Set();
  for (const { x, y, leaf, colour } of example.facts.witnesses) {
    const spot = [example.layout.X(x), example.layout.Y(y)];
    const containing = [...example.layout.rings].filter(([node, ring]) => example.scene.fills[node] !== undefined && ringContains(ring, ...spot));
    assert.deepEqual(containing.map(([node]) => node), [leaf], `${x}, ${y}`);
    assert.deepEqual(fillsAt(pen, ...spot).map(({ fillStyle }) => fillStyle), [colour]);
    leaves.add(leaf);
  }
  assert.ok(leaves.size > 2);
});

test("a slanted split has its slanted line, and its rule beside it", () => {
  const example = sceneOf("1");
  const pen = drawn(example);
  const lines = calls(pen, "stroke").filter(({ lineWidth, globalAlpha }) => lineWidth === 1.4 && globalAlpha === 0.75);
  assert.equal(lines.length, example.scene.lines.node.length);
  assert.ok(lines.some(({ path: [[, ax, ay], [, bx, by]] }) => Math.abs(ax - bx) > 5 && Math.abs(ay - by) > 5));
  const slanted = example.scene.lines.rule.find((rule) => rule.includes(" + "));
  assert.ok(texts(pen).includes(slanted));
});

test("each row of a slanted focus stands on the colour of the side that the engine sends it to", () => {
  let slanted = 0;
  for (const name of NAMES.filter((each) => sceneOf(each).scene.fills[each] !== undefined)) {
    const example = sceneOf(name);
    slanted += example.layout.rings.get(name).length !== 8 ? 1 : 0;
    for (const { cut, left, right, threshold } of cutsOf(example)) {
      const pen = recorder();
      drawTint(pen, example.layout, example.scene, example.cloud, cut);
      for (const row of example.facts.points.filter(({ inside }) => inside)) {
        const value = cut[0] === 0 ? row.x : row.y;
        if (value === threshold) continue;
        const [cover] = fillsAt(pen, example.layout.X(row.x), example.layout.Y(row.y));
        assert.equal(cover.fillStyle, (value <= threshold ? left : right).colour, `${name}: ${cut}`);
      }
    }
  }
  assert.ok(slanted);
});

test("a ring in two parts is filled, searched and divided part by part", () => {
  const two = Float64Array.from([0, 0, 1, 0, 1, 2, 0, 2, NaN, NaN, 3, 0, 4, 0, 4, 2, 3, 2]);
  assert.deepEqual(parts(two).map(pairs), [[[0, 0], [1, 0], [1, 2], [0, 2]], [[3, 0], [4, 0], [4, 2], [3, 2]]]);
  const pen = recorder();
  fillRing(pen, two, { fill: "#000" });
  assert.deepEqual(calls(pen, "fillRect").map(({ args }) => args), [[0, 0, 1, 2], [3, 0, 1, 2]]);
  assert.ok(ringContains(two, 0.5, 1) && ringContains(two, 3.5, 1) && !ringContains(two, 2, 1));
  assert.deepEqual(chord(two, 0, 3.5), [0, 2]);
  assert.deepEqual(chord(two, 1, 1), [0, 4]);
  assert.equal(chord(two, 0, 2), null);
  const [left, right] = divideRing(two, 0, 3.5);
  assert.deepEqual(parts(Float64Array.from(left)).map((part) => spanOf(part, 0)), [[0, 1], [3, 3.5]]);
  assert.deepEqual(spanOf(Float64Array.from(right), 0), [3.5, 4]);
});

test("each row of categories stands in the region of its leaf, and no seam is drawn", () => {
  let several = 0;
  for (const example of bandedScenes()) {
    const leaves = [...example.layout.rings].filter(([node]) => example.scene.fills[node] !== undefined);
    several += [...example.layout.rings.values()].filter((ring) => parts(ring).length > 1).length;
    example.facts.points.forEach(({ leaf }, i) => {
      const containing = leaves.filter(([, ring]) => ringContains(ring, example.layout.spots[0][i], example.layout.spots[1][i]));
      assert.deepEqual(containing.map(([node]) => node), [leaf]);
    });
    const pen = drawn(example);
    for (const { cut } of cutsOf(example)) {
      drawTint(pen, example.layout, example.scene, example.cloud, cut);
      drawCut(pen, example.layout, example.scene, example.cloud, { cut, litNode: example.scene.focus });
    }
    for (const { path, args } of pen.log) {
      assert.ok([...path.flat(), ...args].every((value) => typeof value !== "number" || Number.isFinite(value)));
    }
  }
  assert.ok(several > 1);
});
