import assert from "node:assert/strict";
import test from "node:test";

import { drawLine, drawText, fitText, font } from "../../../dtviz/frontend/draw/marks.js";
import { recorder } from "../pen.js";

const SCENE = { family: "Sans", colours: { ink: "#111", muted: "#777" } };

test("a mark has its own style, and leaves the pen opaque and without dashes", () => {
  const pen = recorder();
  drawLine(pen, [0, 1, 2, 3], { stroke: "red", width: 2, dash: [4, 2], opacity: 0.5 });
  drawLine(pen, [0, 1, 2, 3], { fill: "blue", stroke: "red" });
  const [dashed, fill, plain] = pen.log;
  assert.deepEqual([dashed.name, dashed.strokeStyle, dashed.lineWidth, dashed.dash, dashed.globalAlpha], ["stroke", "red", 2, [4, 2], 0.5]);
  assert.deepEqual([fill.name, fill.fillStyle, fill.globalAlpha], ["fill", "blue", 1]);
  assert.deepEqual([plain.name, plain.lineWidth, plain.dash, plain.path], ["stroke", 1, [], [["moveTo", 0, 1], ["lineTo", 2, 3]]]);
});

test("a text is in ink to the right of its place, cut to its room", () => {
  const pen = recorder();
  drawText(pen, SCENE, "abcdef", 1, 2);
  drawText(pen, SCENE, "abcdef", 1, 2, { size: 13, weight: "bold", colour: "red", align: "center", baseline: "top", room: 35 });
  const style = ({ args, fillStyle, font: textFont, textAlign, textBaseline }) => [...args, fillStyle, textFont, textAlign, textBaseline];
  assert.deepEqual(pen.log.map(style), [
    ["abcdef", 1, 2, "#111", "12px Sans", "left", "middle"], ["abcd…", 1, 2, "red", "bold 13px Sans", "center", "top"],
  ]);
});

test("a text that runs up is turned about its place", () => {
  const pen = recorder();
  drawText(pen, SCENE, "up", 5, 6, { upright: true });
  assert.deepEqual(pen.log.map(({ name, args }) => [name].concat(args)), [["translate", 5, 6], ["rotate", -Math.PI / 2], ["fillText", "up", 0, 0]]);
});

test("a text that is too wide is cut at its end, and no further than needed", () => {
  const width = (text) => 6 * text.length;
  assert.equal(fitText(width, "abcdef", 36), "abcdef");
  assert.equal(fitText(width, "abcdef", 35), "abcd…");
  assert.equal(fitText(width, "abcdef", 0), "a…");
});

test("the page's font comes in a size and a weight", () => {
  assert.equal(font({ family: "Sans" }, 12), "12px Sans");
  assert.equal(font({ family: "Sans" }, 13, "bold"), "bold 13px Sans");
});
