import assert from "node:assert/strict";
import test from "node:test";

import { Element, placed } from "../page.js";
import { areaOf, showArrows, draw, markerOf } from "../../../dtviz/frontend/pad/draw.js";
import { pixelOf } from "../../../dtviz/frontend/pad/view.js";
import { expected } from "../expected.js";
import { calls, recorder, texts } from "../pen.js";
import { middleOf, near } from "../scenes.js";

const { palettes } = expected;
const COLOURS = { ink: "#111", paper: "#fff", grid: "#ddd", accent: "#00f", font: "Sans" };
const CLASSES = {
  target: "classes", axes: ["x1", "x2"], range: [0, 10], scale: palettes.scale,
  palette: palettes.classes.map(([colour, symbol], value) => ({ name: "ABCDEF"[value], value, colour, symbol })),
};
const NUMBERS = { ...CLASSES, target: "colour", palette: [{ name: "0", value: 0, colour: "#000", symbol: "circle" }] };

test("a class has the colour and shape that it has on every picture", () => {
  const marker = markerOf(CLASSES, []);
  palettes.classes.forEach(([colour, symbol], value) => {
    assert.deepEqual([marker(value).colour, marker(value).symbol], [colour, symbol]);
  });
});

test("a number has the colour that the engine's pictures give it", () => {
  const marker = markerOf(NUMBERS, []);
  for (const [value, colour] of palettes.numbers) assert.equal(marker(value).colour, colour, `${value}`);
});

test("numbers beyond the range stretch the scale", () => {
  const marker = markerOf(NUMBERS, [[0, 0, -10], [0, 0, 30]]);
  assert.equal(marker(-10).colour, palettes.scale[0]);
  assert.equal(marker(30).colour, palettes.scale.at(-1));
  assert.equal(marker(10).colour, palettes.scale[7]);
});

/** A drawing of rows, and its pen. */
function drawn(frame, rows, more = {}) {
  const pen = recorder();
  const pad = { frame, rows, area: areaOf(400, 300), view: { x: [0, 10], y: [0, 10] }, hint: "Click to add points", ...more };
  draw(pen, pad, COLOURS);
  return { pen, pad };
}

test("every row in view is drawn at its place in its colour", () => {
  const rows = [[1, 2, 0], [3, 9, 1], [9, 1, 4], [12, 1, 0]];
  const { pen, pad } = drawn(CLASSES, rows);
  const marks = calls(pen, "fill");
  assert.equal(marks.length, 3);
  marks.forEach(({ path, fillStyle }, k) => {
    const [x, y] = middleOf(path);
    const spot = pixelOf(rows[k], pad.view, pad.area);
    assert.ok(near(x, spot[0], 2) && near(y, spot[1], 2));
    assert.equal(fillStyle, palettes.classes[rows[k][2]][0]);
  });
});

test("ticks are written where their values are drawn", () => {
  const { pen, pad } = drawn(CLASSES, [[1, 1, 0]]);
  for (const { args: [text, x, y] } of calls(pen, "fillText")) {
    if (!/^\d+$/.test(text)) continue;
    const [px, py] = pixelOf([Number(text), Number(text)], pad.view, pad.area);
    assert.ok(near(x, px) || near(y, py), text);
  }
  assert.ok(texts(pen).includes("x1") && texts(pen).includes("x2"));
});

test("an empty pad has a hint", () => {
  assert.ok(texts(drawn(CLASSES, []).pen).includes("Click to add points"));
  assert.ok(!texts(drawn(CLASSES, [[1, 1, 0]]).pen).includes("Click to add points"));
});

test("the crosshair, the row held and the reach of a tool are drawn at their places", () => {
  const { pen, pad } = drawn(CLASSES, [], { cross: [5, 5], heldRow: [2, 2, 0], hoverPixel: [100, 90], tool: "erase" });
  const rings = calls(pen, "stroke").filter(({ path }) => path[0]?.[0] === "arc").map(({ path }) => path[0].slice(1, 4));
  const [hx, hy] = pixelOf([2, 2], pad.view, pad.area);
  const [cx, cy] = pixelOf([5, 5], pad.view, pad.area);
  assert.deepEqual(rings, [[hx, hy, 10], [100, 90, 13], [cx, cy, 7]]);
  const idle = drawn(CLASSES, [], { hoverPixel: [100, 90], tool: "add" });
  assert.ok(!calls(idle.pen, "stroke").some(({ path }) => path[0]?.[0] === "arc"));
});

test("arrows count the rows beyond each edge and lead to them", () => {
  const holder = placed();
  const rows = [[-1, 5, 0], [-2, 5, 0], [11, 5, 0], [5, 12, 0]];
  const reached = [];
  showArrows(holder, { view: { x: [0, 10], y: [0, 10] }, rows }, (beyond) => reached.push(beyond));
  const words = Object.fromEntries(holder.children.map((button) => [button.className.split("to-")[1], button]));
  assert.equal(words.left.textContent, "← 2");
  assert.equal(words.right.textContent, "1 →");
  assert.equal(words.above.textContent, "↑ 1");
  assert.ok(words.below.hidden && !words.above.hidden);
  assert.equal(words.left.getAttribute("aria-label"), "Show 2 points to the left");
  words.right.click();
  assert.deepEqual(reached, [[[11, 5, 0]]]);
  showArrows(holder, { view: { x: [0, 10], y: [0, 10] }, rows: [] }, () => {});
  assert.equal(holder.children.length, 4);
  assert.ok(holder.children.every((button) => button instanceof Element && button.hidden));
});
