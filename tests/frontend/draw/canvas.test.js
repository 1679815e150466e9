import assert from "node:assert/strict";
import test from "node:test";

import { Element } from "../page.js";
import { calls } from "../pen.js";
import { clear, size, svgOf } from "../../../dtviz/frontend/draw/canvas.js";

test("a canvas is as sharp as the screen", () => {
  const canvas = new Element("canvas");
  window.devicePixelRatio = 1.5;
  size(canvas, { width: 301, height: 200 });
  window.devicePixelRatio = 1;
  assert.deepEqual([canvas.width, canvas.height], [452, 300]);
  assert.deepEqual([canvas.style.width, canvas.style.height], ["301px", "200px"]);
});

test("all of a canvas is cleared, also where the browser is zoomed out", () => {
  const canvas = Object.assign(new Element("canvas"), { width: 268, height: 134 });
  const pen = canvas.getContext("2d");
  pen.getTransform = () => ({ a: 0.5 });
  clear(canvas);
  assert.deepEqual(calls(pen, "clearRect").at(-1).args, [0, 0, 536, 268]);
});

test("a saved picture has paper under it, and words in lines as wide as it is", () => {
  const scene = { family: "Serif", colours: { paper: "#fed", ink: "#111", muted: "#777" } };
  const svg = svgOf({ width: 80, height: 50 }, scene, new Element("canvas"), (pen) => pen.fillRect(1, 2, 3, 4), "one two three\nfour");
  assert.match(svg, /^<svg [^>]*height="112" [^>]*><rect x="0" y="0" width="80" height="112" fill="#fed"><\/rect><rect x="1"/);
  const lines = [...svg.matchAll(/y="([\d.]+)"[^>]*font-family="Serif"[^>]*>([^<]+)</g)].map(([, y, text]) => [Math.round(y), text]);
  assert.deepEqual(lines, [[64, "one two"], [82, "three"], [100, "four"]]);
});
