import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { lineAt, progressAt, animateSplit, canvasStack, takeSnapshot, drawSides, sweepOf, zoneAt } from "../../../dtviz/frontend/stage/split_animation.js";
import { parts } from "../../../dtviz/frontend/draw/marks.js";
import { calls, recorder } from "../pen.js";
import { near } from "../scenes.js";

const BOX = Float64Array.of(100, 0, 300, 0, 300, 80, 100, 80); // in pixels
const AXIS = { low: 0, high: 40 };
const SCALE = { X: (x) => 10 * x, Y: (y) => 80 - 2 * y };
const SCENE = { colours: { accent: "blue", muted: "grey" }, classes: [["A", "red", "circle"], ["B", "green", "circle"]], form: "plane" };

/** The pictures before node 1 is split by these lines and after. */
function pair(lines, more = {}) {
  const layout = { plane: { x: 0, y: 0, w: 400, h: 80 }, width: 400, height: 80, ...SCALE };
  const small = { scene: { ...SCENE, across: AXIS, up: AXIS, focus: "1", fills: { 1: 0 }, ...more }, layout: { ...layout, rings: new Map([["1", BOX]]), lines: [] } };
  const scene = { ...SCENE, across: AXIS, up: AXIS, focus: "2", fills: { 2: 0, 3: 1 }, lines: { node: lines.map(() => "1") } };
  const large = { scene, layout: { ...layout, rings: new Map([["2", BOX], ["3", BOX]]), lines: lines.map((line) => Float64Array.from(line)) } };
  return { small, large, node: "1" };
}

const sweep = (lines, more) => {
  const { small, large } = pair(lines, more);
  return sweepOf(small, large, "1");
};
/** Times at which the line has run 0, 1/2 and all of its way, and the zone 0, 0, 1/2 and all; both run slower at their ends. */
const LINE_TIMES = [0, 0.275, 0.55, 1];
const ZONE_TIMES = [0, 0.4, 0.65, 0.9, 1];

const areaOf = (ring) => parts(Float64Array.from(ring)).reduce((sum, part) => {
  for (let k = 0; k < part.length; k += 2) {
    const next = (k + 2) % part.length;
    sum += (part[k] * part[next + 1] - part[next] * part[k + 1]) / 2;
  }
  return sum;
}, 0);
const edge = (lines) => lines.map((line) => [...line].map((number) => Math.round(number * 1e6) / 1e6).toSorted((a, b) => a - b));

test("an upright line comes from the edge that is farther away, half the way at half the time, to its place", () => {
  const movement = sweep([[240, 80, 240, 0]]);
  const xs = LINE_TIMES.map((p) => edge(lineAt(movement, progressAt(p))));
  assert.deepEqual(xs.slice(1), [[[0, 80, 170, 170]], [[0, 80, 240, 240]], [[0, 80, 240, 240]]]);
  assert.deepEqual(xs[0], [[0, 80, 100, 100]]);
  const fromRight = sweep([[160, 80, 160, 0]]);
  assert.deepEqual(edge(lineAt(fromRight, progressAt(0.275))), [[0, 80, 230, 230]]);
});

test("a level line comes from above or below", () => {
  const movement = sweep([[100, 20, 300, 20]]);
  assert.deepEqual(edge(lineAt(movement, progressAt(0.275))), [[50, 50, 100, 300]]);
  assert.deepEqual(edge(lineAt(movement, progressAt(1))), [[20, 20, 100, 300]]);
});

test("a slanted line comes in parallel, from outside the region", () => {
  const movement = sweep([[150, 80, 230, 0]]);
  assert.deepEqual(lineAt(movement, progressAt(0)), []); // it touches a corner
  for (const p of [0.1, 0.3, 0.5, 1]) {
    const [[ax, ay, bx, by]] = lineAt(movement, progressAt(p));
    assert.ok(near((by - ay) / (bx - ax), -1, 1e-9), String(p));
  }
  assert.deepEqual(edge(lineAt(movement, progressAt(1))), [[0, 80, 150, 230]]);
});

test("a circle's radius grows from nothing to its own, about its middle", () => {
  const form = [0, 0, 0, 1, 0.04, 20, 20]; // in pixels a circle about (200, 40)
  const round = Array.from({ length: 97 }, (_, k) => [200 + 30 * Math.cos((2 * Math.PI * k) / 96), 40 + 30 * Math.sin((2 * Math.PI * k) / 96)]);
  const movement = sweep([round.flat()], { slant: { form } });
  assert.deepEqual(lineAt(movement, progressAt(0)), []);
  for (const [p, r] of [[0.275, 15], [0.55, 30], [1, 30]]) {
    const [line] = lineAt(movement, progressAt(p));
    for (let k = 0; k < line.length; k += 2) assert.ok(near(Math.hypot(line[k] - 200, line[k + 1] - 40), r, 1e-6));
  }
  assert.equal(sweep([round.flat()], { slant: { form: [0, 0, 0, 1, 0.04, 25, 20] } }), null); // another circle
  assert.equal(sweep([round.flat()]), null);
});

test("a circle in several arcs, and a line in several pieces, sweeps as one", () => {
  const form = [0, 0, 0, 1, 0.04, 20, 20];
  const arc = (from, to) => Array.from({ length: 9 }, (_, k) => from + ((to - from) * k) / 8).flatMap((a) => [200 + 60 * Math.cos(a), 40 + 60 * Math.sin(a)]);
  assert.ok(near(sweep([arc(-0.5, 0.5), arc(2.8, 3.5)], { slant: { form } }).end, 3600 / 100 / 100 * 100, 1e-6));
  assert.deepEqual(edge(lineAt(sweep([[240, 80, 240, 50], [240, 30, 240, 0]]), progressAt(0.275))), [[0, 80, 170, 170]]);
});

test("no line sweeps where there are two, none, or other axes", () => {
  assert.equal(sweep([[160, 80, 160, 0], [240, 80, 240, 0]]), null);
  assert.equal(sweep([]), null);
  assert.equal(sweep([[240, 80, 240, 0]], { across: { low: 0, high: 41 } }), null);
  assert.equal(sweep([[240, 80, 240, 0]], { up: { ...AXIS, places: Int32Array.of(1, 0) } }), null);
});

test("the colours spread from the line to both edges, which they reach at the same time", () => {
  const movement = sweep([[240, 80, 240, 0]]);
  const spans = ZONE_TIMES.map((p) => {
    const xs = zoneAt(movement, progressAt(p)).filter((_, k) => k % 2 === 0);
    return xs.length ? [Math.min(...xs), Math.max(...xs)] : null;
  });
  const [before, begun, half, end, after] = spans;
  assert.deepEqual([before, begun], [null, null]);
  assert.ok(near(half[0], 170, 1e-6) && near(half[1], 270, 1e-6));
  assert.deepEqual([end, after], [[100, 300], [100, 300]]);
});

test("the zone of a circle is a ring, in the end the whole region", () => {
  const form = [0, 0, 0, 1, 0.04, 20, 20];
  const round = Array.from({ length: 97 }, (_, k) => [200 + 30 * Math.cos((2 * Math.PI * k) / 96), 40 + 30 * Math.sin((2 * Math.PI * k) / 96)]);
  const movement = sweep([round.flat()], { slant: { form } });
  const areas = [0, 0.5, 0.65, 0.8, 1].map((p) => areaOf(zoneAt(movement, progressAt(p))));
  assert.ok(areas.every((area, k) => !k || area > areas[k - 1]));
  assert.ok(near(areas.at(-1), 16_000, 1e-6));
});

test("at first the node has its own colour, then its zone has the children's, in the end all of it", () => {
  const pictures = pair([[240, 80, 240, 0]]);
  const movement = sweepOf(pictures.small, pictures.large, "1");
  const drawn = (p) => {
    const pen = recorder();
    drawSides(pen, pictures, movement, progressAt(p));
    const fills = calls(pen, "fillRect").map(({ fillStyle, globalAlpha }) => [fillStyle, globalAlpha]);
    return { fills, clips: calls(pen, "clip").map(({ path }) => path) };
  };
  for (const p of [0, 0.5, 1]) assert.deepEqual(drawn(p).fills, [["red", 0.15], ["green", 0.15], ["red", 0.15]]);
  const [, allOutside] = drawn(0).clips;
  assert.deepEqual(drawn(0).clips[0], []); // nothing
  assert.deepEqual(allOutside, [["rect", 0, 0, 400, 80]]); // all
  const [inside, outside] = drawn(1).clips;
  assert.deepEqual(outside, [["rect", 0, 0, 400, 80], ...inside]);
  assert.equal(inside.length, 5); // the whole region
});

test("a region under the tint has its own colour only while the tint is not shown", () => {
  const pictures = pair([[240, 80, 240, 0]], { cuts: [], is_focus_drawn: true });
  Object.assign(pictures.large.scene, { cuts: [], is_focus_drawn: true });
  const strong = (p) => {
    const pen = recorder();
    drawSides(pen, pictures, sweepOf(pictures.small, pictures.large, "1"), progressAt(p));
    return calls(pen, "fillRect").map(({ globalAlpha }) => globalAlpha);
  };
  assert.deepEqual(strong(0), [0.15, 0.15]); // both children, clipped away; the node has the cut's tint
  assert.deepEqual(strong(0.5), [0.15, 0.15, 0.15]);
  assert.deepEqual(strong(1), [0.15, 0.15]); // node 3 and, clipped away, the node
});

test("without a line the small picture fades out as the large one fades in", () => {
  for (const p of [0, 0.3, 0.7, 0.8, 1]) {
    const { smallOpacity, largeOpacity } = progressAt(p, false);
    assert.ok(near(smallOpacity + largeOpacity, 1, 1e-12));
  }
  assert.deepEqual(progressAt(0), { smallOpacity: 1, line: 0, zone: 0, largeOpacity: 0 });
  assert.deepEqual(progressAt(1), { smallOpacity: 0, line: 1, zone: 1, largeOpacity: 1 });
});

/** A canvas that records the canvases drawn on it. */
function drawable(canvas) {
  const pen = canvas.getContext("2d");
  pen.drawImage = (...args) => pen.log.push({ name: "drawImage", args });
  return canvas;
}
const { createElement } = document;
document.createElement = (tag) => (tag === "canvas" ? drawable(createElement.call(document, tag)) : createElement.call(document, tag));

/** A stage whose animation is run by hand: its sheets, and which of them are shown. */
function staged(more = {}) {
  const { small, large } = pair([[240, 80, 240, 0]], { cuts: [], is_focus_drawn: true });
  const [sheets, spare, animationCanvas] = [canvasStack(), canvasStack(), document.createElement("canvas")];
  spare.element.classList.add("unseen");
  const run = { draw: null, over: null };
  const motion = { run: (forward, draw, over) => { Object.assign(run, { draw, over }); draw(0); } };
  const stage = { ...small, sheets, spare, animationCanvas, motion };
  const older = takeSnapshot(stage, small.scene);
  const layout = { ...large.layout, ...more };
  Object.assign(stage, { layout, scene: large.scene });
  animateSplit(stage, older, { node: "1", forward: true });
  const shown = () => [sheets, spare].map(({ element }) => !element.classList.contains("unseen"));
  return { stage, sheets, spare, animationCanvas, run, shown };
}
const images = ({ animationCanvas }) => calls(animationCanvas.getContext("2d"), "drawImage").length;

test("the older picture stays for one frame, then the animation alone is shown, in the end the newer picture", () => {
  const movement = staged();
  assert.equal(movement.stage.sheets, movement.spare);
  assert.deepEqual([movement.shown(), images(movement)], [[true, false], 0]);
  movement.run.draw(0.02);
  assert.deepEqual([movement.shown(), images(movement)], [[true, false], 0]); // before anything is painted
  movement.run.draw(0.05);
  assert.deepEqual(movement.shown(), [false, false]);
  assert.ok(images(movement) > 0);
  movement.run.over();
  assert.deepEqual(movement.shown(), [false, true]);
  assert.equal(movement.sheets.still.getContext("2d").globalCompositeOperation, "source-over"); // for the next step
  assert.equal(calls(movement.sheets.still.getContext("2d"), "clearRect").length, 1);
});

test("an animation that ends before it began shows the newer picture, and so does one between two sizes", () => {
  const soon = staged();
  soon.run.over();
  assert.deepEqual([soon.shown(), images(soon)], [[false, true], 0]);
  const fromRight = staged({ width: 500 });
  assert.equal(fromRight.run.over, null);
  assert.deepEqual([fromRight.shown(), images(fromRight)], [[false, true], 0]);
});
