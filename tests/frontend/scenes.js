// The scenes that Python made, laid out and ready to be drawn, with the facts of the engine on each.

import "./page.js";
import { unpack } from "../../dtviz/frontend/lib/frame.js";
import { mark } from "../../dtviz/frontend/draw/shapes.js";
import { layoutOf } from "../../dtviz/frontend/stage/layout.js";
import { orderCategories, spots } from "../../dtviz/frontend/stage/points.js";
import { bytesOf, expected } from "./expected.js";
import { recorder } from "./pen.js";

export const NAMES = Object.keys(expected.scenes);
const measured = (text) => 6 * text.length;

/** A scene by name: { name, scene, cloud, layout, pen, facts }, where `facts` come from the engine. */
export function sceneOf(name, width = 640) {
  const facts = expected.scenes[name] ?? expected.slanted[name] ?? expected.drawable[name] ?? expected.lacking[name] ?? expected.banded[name] ?? expected.branched[name] ?? expected.leaning[name];
  return laid(name, facts, width);
}

function laid(name, facts, width) {
  const scene = unpack(bytesOf(facts.frame));
  scene.family = "Sans";
  const cloud = orderCategories(unpack(bytesOf(facts.cloud)), scene);
  const layout = layoutOf(width, scene, measured);
  layout.spots = spots(layout, cloud);
  return { name, scene, cloud, layout, pen: recorder(), facts };
}

/** Scenes of more rows than are drawn, each with the same where all are drawn. */
export const crowdedScenes = () => Object.entries(expected.crowded).map(([name, both]) => both.map((facts) => laid(name, facts, 640)));

/** The scenes whose axes are categories. */
export const bandedScenes = () => Object.keys(expected.banded).map((name) => sceneOf(name));

/** The scenes of a multi-way cut. */
export const branchedScenes = () => Object.keys(expected.branched).map((name) => sceneOf(name));

/** The scenes whose cuts looked at stand on neither axis. */
export const drawableScenes = () => Object.keys(expected.drawable).map((name) => sceneOf(name));

/** Every scene, one after the other. */
export const eachScene = (width) => NAMES.map((name) => sceneOf(name, width));

/** Left, right, bottom and top of a node's region, which is a rectangle. */
export function boxOf({ regions: { node, corners, starts } }, id) {
  const k = node.indexOf(id);
  const numbers = [...corners.subarray(2 * starts[k], 2 * starts[k + 1])];
  const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, i) => i % 2 === axis));
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

/** Every cut of a scene, with the facts of the engine: { cut: [axis, i], ...facts }. */
export function cutsOf({ facts }) {
  return facts.cuts.flatMap((cuts, axis) => cuts.map((cut, i) => ({ ...cut, cut: [axis, i] })));
}

/** The text of a cut beside its axis. */
export const thresholdText = ({ rule }) => (rule.includes(" before ") ? `< ${rule.split(" before ")[1]}` : `≤ ${rule.split(" ≤ ")[1]}`);

/** The fills of one pen that cover a pixel. */
export const fillsAt = (pen, x, y) => pen.log.filter((call) => covers(call, x, y));

function covers({ name, args, path }, x, y) {
  if (name === "fillRect") return x >= args[0] && x <= args[0] + args[2] && y >= args[1] && y <= args[1] + args[3];
  return name === "fill" && inside(path, x, y);
}

/** True if a pixel lies inside a path, even-odd. */
function inside(path, x, y) {
  let crossed = 0;
  for (const ring of ringsOf(path)) {
    ring.forEach(([ax, ay], k) => {
      const [bx, by] = ring[(k + 1) % ring.length];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) crossed += 1;
    });
  }
  return crossed % 2 === 1;
}

/** The corners of each part of a path; a circle has many. */
export function ringsOf(path) {
  const rings = [];
  for (const [what, a, b, c, d] of path) {
    if (what === "moveTo") rings.push([[a, b]]);
    if (what === "lineTo") rings.at(-1).push([a, b]);
    if (what === "rect") rings.push([[a, b], [a + c, b], [a + c, b + d], [a, b + d]]);
    if (what === "arc") {
      rings.push(Array.from({ length: 24 }, (_, k) => [a + c * Math.cos((k * Math.PI) / 12), b + c * Math.sin((k * Math.PI) / 12)]));
    }
  }
  return rings;
}

/** The middle of what a path encloses. */
export function middleOf(path) {
  const corners = ringsOf(path).flat();
  return [0, 1].map((k) => {
    const side = corners.map((corner) => corner[k]);
    return (Math.min(...side) + Math.max(...side)) / 2;
  });
}

/** The kinds of segments of a path, by which a shape is known. */
export const shapeOf = (path) => path.map(([what]) => what);

/** The same of a shape by its name. */
export function shapeNamed(name) {
  const pen = recorder();
  mark(pen, name, 0, 0, 5);
  pen.fill();
  return shapeOf(pen.log[0].path);
}

export const near = (a, b, far = 0.01) => Math.abs(a - b) <= far;
