// Layout of a tree: levels from the top down, boxes of one level side by side, a parent over the middle of its
// children, by the tidy-tree algorithm of d3-hierarchy.

// @ts-types="../vendor/d3.d.ts"
import { hierarchy, tree as tidyTree } from "../vendor/d3.js";

/** @import { Nodes, Rect } from "../types.d.ts" */

/** Free units between boxes and between levels, and around the tree.
 *  @typedef {{ node: number, level: number, marginX: number, marginY: number, foot?: number }} Gaps  `foot`: units below, marginY without it */
/** Places of the boxes by node id, and the size of the whole, in units.
 *  @typedef {{ places: Map<string, Rect>, size: { w: number, h: number } }} Layout */

/** Lay out boxes of these sizes.
 *  @param {Nodes} nodes @param {Map<string, { w: number, h: number }>} boxes  by node id
 *  @param {Gaps} gaps @returns {Layout} */
export function layOut(nodes, boxes, gaps) {
  const sizeOf = (/** @type {string} */ id) => boxes.get(id) ?? { w: 0, h: 0 };
  const root = hierarchy("1", (id) => nodes.get(id).children.filter((child) => boxes.has(child)));
  const arrange = /** @type {import("../vendor/d3.d.ts").TreeLayout<string>} */ (tidyTree());
  const points = [...arrange.nodeSize([1, 1]).separation((a, b) => (sizeOf(a.data).w + sizeOf(b.data).w) / 2 + gaps.node)(root)];
  const tops = topsOf(points, (id) => sizeOf(id).h, gaps);
  const left = Math.min(...points.map(({ data, x }) => x - sizeOf(data).w / 2)) - gaps.marginX;
  const places = new Map(points.map(({ data: id, x, depth }) => {
    const { w, h } = sizeOf(id);
    return [id, { x: x - w / 2 - left, y: tops[depth], w, h }];
  }));
  const right = Math.max(...Array.from(places.values(), ({ x, w }) => x + w));
  return { places, size: { w: right + gaps.marginX, h: (tops.at(-1) ?? 0) - gaps.level + (gaps.foot ?? gaps.marginY) } };
}

/** Top of each level, and where one more would begin.
 *  @param {{ data: string, depth: number }[]} points @param {(id: string) => number} heightOf @param {Gaps} gaps */
function topsOf(points, heightOf, { level: gap, marginY }) {
  /** @type {number[]} */
  const heights = [];
  for (const { data, depth } of points) heights[depth] = Math.max(heights[depth] ?? 0, heightOf(data));
  const tops = [marginY];
  for (const [depth, height] of heights.entries()) tops.push(tops[depth] + height + gap);
  return tops;
}
