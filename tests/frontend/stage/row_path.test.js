import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { drawRowPath, leafOf, rowNumber, pathEnd, rowPixel, predictionText } from "../../../dtviz/frontend/stage/row_path.js";
import { calls, recorder } from "../pen.js";
import { near, sceneOf } from "../scenes.js";

const example = sceneOf("a node in focus");

test("the leaf of a point is the region it lies in", () => {
  const [layout, { scene, cloud }] = [example.layout, example];
  for (let i = 0; i < cloud.x.length; i++) {
    const ring = layout.rings.get(leafOf(scene, i));
    const [xs, ys] = [0, 1].map((odd) => ring.filter((_, k) => k % 2 === odd));
    const [x, y] = [layout.X(cloud.x[i]), layout.Y(cloud.y[i])];
    assert.ok(x >= Math.min(...xs) - 1e-6 && x <= Math.max(...xs) + 1e-6);
    assert.ok(y >= Math.min(...ys) - 1e-6 && y <= Math.max(...ys) + 1e-6);
  }
});

test("a row path has the lines of the cuts on it, its leaf's rim and a ring round the point", () => {
  const pen = recorder();
  drawRowPath(pen, example.layout, example.scene, example.cloud, 0);
  const leaf = leafOf(example.scene, 0);
  const passed = example.scene.lines.node.filter((node) => node !== leaf && BigInt(leaf).toString(2).startsWith(BigInt(node).toString(2)));
  assert.ok(passed.length > 0);
  assert.equal(calls(pen, "stroke").length + calls(pen, "strokeRect").length, passed.length + 2);
  assert.deepEqual(calls(pen, "stroke").at(-1).path[0].slice(0, 3), ["arc", ...example.layout.spots.map((pixels) => pixels[0])]);
});

test("without a point at the pointer the row path is that of the selected row, with a star at its place", () => {
  const scene = { ...example.scene, row: { node: "2", number: null, place: [example.cloud.x[0], example.cloud.y[0]] } };
  assert.equal(pathEnd(scene, -1), "2");
  assert.equal(pathEnd(scene, 0), leafOf(scene, 0));
  const [x, y] = rowPixel(example.layout, scene, example.cloud);
  assert.ok(near(x, example.layout.X(example.cloud.x[0])) && near(y, example.layout.Y(example.cloud.y[0])));
  assert.equal(rowPixel(example.layout, { ...scene, row: { ...scene.row, place: [null, 1] } }, example.cloud), null);
  const pen = recorder();
  drawRowPath(pen, example.layout, example.scene, example.cloud, -1);
  assert.equal(calls(pen, "stroke").length + calls(pen, "strokeRect").length, 0);
});

test("a row has its number, also where not all rows are drawn, and its prediction in words", () => {
  assert.equal(rowNumber(example.cloud, 3), 4);
  assert.equal(rowNumber({ ...example.cloud, row: Int32Array.of(0, 7) }, 1), 8);
  const { point_leaves: ends, classes } = example.scene;
  assert.equal(predictionText(example.scene, 3), `: the tree says ${classes[ends.value[ends.leaf[3]]][0]}`);
  assert.equal(predictionText({ ...example.scene, point_leaves: undefined }, 3), "");
});
