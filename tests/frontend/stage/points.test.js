import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { number } from "../../../dtviz/frontend/lib/format.js";
import { orderCategories, pointNear, spots } from "../../../dtviz/frontend/stage/points.js";
import { eachScene, near, sceneOf } from "../scenes.js";

test("rows that stand alone are drawn where their values are", () => {
  for (const { layout, cloud, name } of eachScene().filter((example) => example.name !== "rows at thresholds")) {
    layout.spots[0].forEach((x, i) => assert.ok(near(x, layout.X(cloud.x[i])) && near(layout.spots[1][i], layout.Y(cloud.y[i])), name));
  }
});

/** A plane of 100 pixels for values from 0 to 10, y upwards. */
const layout = { X: (v) => 10 * v, Y: (v) => 100 - 10 * v, spread: [0, 0] };

test("rows at one place are spread round it, and never to a neighbour's", () => {
  const cloud = { x: Float64Array.from([2, 2, 2, 2, 3]), y: Float64Array.from([5, 5, 5, 5, 5]) };
  const [xs, ys] = spots(layout, cloud);
  const places = [0, 1, 2, 3].map((i) => `${xs[i]} ${ys[i]}`);
  assert.equal(new Set(places).size, 4);
  assert.ok(new Set(xs.slice(0, 4)).size === 4 && new Set(ys.slice(0, 4)).size === 4);
  for (let i = 0; i < 4; i++) assert.ok(Math.hypot(xs[i] - 20, ys[i] - 50) <= 4.001); // 0.4 of the gap
  assert.deepEqual([xs[4], ys[4]], [30, 50]);
});

test("rows of a whole number that cover each other are moved along its axis, within its spread and by their own offset", () => {
  const spreadLayout = { ...layout, spread: [3, 0] };
  const cloud = { x: Float64Array.from([2, 2, 2, 2, 4, 4]), y: Float64Array.from([5, 5.1, 5, 9, 1, 1.5]) };
  const [xs, ys] = spots(spreadLayout, cloud);
  assert.deepEqual([...ys], [...cloud.y].map(layout.Y));
  const offsets = [...xs].map((x, i) => x - layout.X(cloud.x[i]));
  assert.ok(offsets.every((offset) => Math.abs(offset) <= 3));
  assert.equal(offsets[3], 0); // nothing covers it
  assert.equal(new Set(offsets.slice(0, 3)).size, 3);
  const held = { x: cloud.x.slice(1, 3), y: cloud.y.slice(1, 3), row: Int32Array.from([1, 2]) }; // as Overfit parts them
  assert.deepEqual([...spots(spreadLayout, held)[0]], [...xs.slice(1, 3)]);
});

test("very many rows are not spread", () => {
  const cloud = { x: new Float64Array(5001), y: new Float64Array(5001) };
  const [xs, ys] = spots(layout, cloud);
  assert.ok(xs.every((x) => x === 0) && ys.every((y) => y === 100));
});

test("the text of the point under the pointer has its class and values", () => {
  const example = sceneOf("three classes");
  const { facts, scene } = example;
  for (const row of facts.points) {
    const point = pointNear(example.layout, example.scene, example.cloud, example.layout.X(row.x) + 1, example.layout.Y(row.y) - 1);
    const [name] = facts.classes.find(([, colour]) => colour === row.colour);
    assert.equal(point.text, `${name}: ${scene.across.name} ${number(row.x, 5)}, ${scene.up.name} ${number(row.y, 5)}`);
    assert.ok(near(point.x, example.layout.X(row.x)) && near(point.y, example.layout.Y(row.y)));
  }
});

test("where no point is near there is no text", () => {
  const example = sceneOf("three classes");
  assert.equal(pointNear(example.layout, example.scene, example.cloud, example.layout.plane.x, example.layout.plane.y), null);
});

test("the text of several rows at a place counts them by class", () => {
  const example = sceneOf("rows at thresholds");
  const texts = [...example.cloud.x.keys()].map((i) => pointNear(example.layout, example.scene, example.cloud, example.layout.spots[0][i], example.layout.spots[1][i]).text);
  assert.equal(texts[1], "2 rows (birch 2): leaf 1, bark 6");
  assert.equal(texts[0], "ash: leaf 1, bark 5");
});

test("the text of a point with a number has the number", () => {
  const example = sceneOf("a surface");
  const i = 3;
  const text = pointNear(example.layout, example.scene, example.cloud, example.layout.spots[0][i], example.layout.spots[1][i]).text;
  assert.equal(text, `${number(example.cloud.value[i], 5)}: leaf ${number(example.cloud.x[i], 5)}, bark ${number(example.cloud.y[i], 5)}`);
  const line = sceneOf("a curve");
  assert.equal(
    pointNear(line.layout, line.scene, line.cloud, line.layout.spots[0][4], line.layout.spots[1][4]).text,
    `x ${number(line.cloud.x[4], 5)}, y ${number(line.cloud.y[4], 5)}`,
  );
  const lanes = sceneOf("lanes");
  assert.equal(pointNear(lanes.layout, lanes.scene, lanes.cloud, lanes.layout.spots[0][3], lanes.layout.spots[1][3]).text, "B: x 3");
});

test("the text of a point has dates and durations in their formats", () => {
  const example = sceneOf("dates");
  const text = pointNear(example.layout, example.scene, example.cloud, example.layout.spots[0][3], example.layout.spots[1][3]).text;
  assert.match(text, /^(ash|birch): leaf 2024-03-11, bark 04:30:00$/);
  const line = sceneOf("a date alone");
  assert.equal(pointNear(line.layout, line.scene, line.cloud, line.layout.spots[0][0], line.layout.spots[1][0]).text, "A: x 2023-11-14 22:13:20Z");
});

test("several numbers at a place are counted", () => {
  const example = sceneOf("a surface");
  example.cloud.x[1] = example.cloud.x[0];
  example.cloud.y[1] = example.cloud.y[0];
  const { text } = pointNear(example.layout, example.scene, example.cloud, example.layout.spots[0][0], example.layout.spots[1][0]);
  assert.match(text, new RegExp(`^2 rows, this one ${number(example.cloud.value[0], 5)}: `));
});

test("a category's codes stand where the axis orders them, and the text has their names", () => {
  const example = sceneOf("two");
  const { facts, scene, cloud } = example;
  const names = [scene.across, scene.up].map(({ lanes }) => lanes);
  facts.points.forEach(({ x, y, colour }, i) => {
    const place = [Math.round(cloud.x[i]) + 0, Math.round(cloud.y[i]) + 0]; // -0 is 0
    assert.deepEqual(place, [scene.across.places[x], scene.up.places[y]]);
    assert.ok(names[0][place[0]].startsWith(facts.levels[0][x].slice(0, 50)));
    const [name] = facts.classes.find((entry) => entry[1] === colour);
    const point = pointNear(example.layout, example.scene, example.cloud, example.layout.spots[0][i], example.layout.spots[1][i]);
    assert.equal(point.text, `${name}: ${scene.across.name} ${names[0][place[0]]}, ${scene.up.name} ${names[1][place[1]]}`);
  });
  const plain = { x: Float64Array.of(1.2), y: Float64Array.of(0), code: Int32Array.of(0) };
  assert.deepEqual(orderCategories(plain, { across: {}, up: {} }), plain);
});
