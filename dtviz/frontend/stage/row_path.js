// A row path on the stage: the lines of the splits on the path, the region of the leaf, and the row itself.
//
// Glossary
//   point   a row that is drawn; its index is its place in the cloud, which may have only some of the rows

import { number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { pathTo } from "../lib/row_path.js";
import { radius } from "./paint.js";
import { outline, trace } from "./rings.js";

/** @import { Layout, Pen, Picture, Points } from "../types.d.ts" */

/** The leaf that a point ends in, or null where Python did not send it.
 *  @param {Picture} scene @param {number} i */
export const leafOf = ({ point_leaves: pointLeaves }, i) => (pointLeaves && i >= 0 ? pointLeaves.node[pointLeaves.leaf[i]] : null);

/** The number of a point's row in the dataset, from 1 on.
 *  @param {Points} cloud @param {number} i */
export const rowNumber = ({ row }, i) => (row ? row[i] : i) + 1;

/** The index of the point of a row, from the row's number; -1 if the row is not drawn.
 *  @param {Points} cloud @param {number} wantedNumber */
export const pointOfRow = ({ row, x }, wantedNumber) => (row ? row.indexOf(wantedNumber - 1) : wantedNumber <= x.length ? wantedNumber - 1 : -1);

/** The prediction for a point's row in words; empty where Python did not send it.
 *  @param {Picture} scene @param {number} i */
export function predictionText({ point_leaves: pointLeaves, classes }, i) {
  const value = pointLeaves?.value?.[pointLeaves.leaf[i]];
  if (value === undefined) return "";
  return `: the tree says ${classes ? classes[value][0] : number(value, 4)}`;
}

/** The last node of the row path that is drawn: of the point at the pointer, else of the selected row; null for none.
 *  @param {Picture} scene @param {number} pointIndex */
export const pathEnd = (scene, pointIndex) => leafOf(scene, pointIndex) ?? scene.row?.node ?? null;

/** Draws the path of the point at the pointer, else of the selected row, and a star on the selected row.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud
 *  @param {number} pointIndex the point at the pointer, or -1 */
export function drawRowPath(pen, layout, scene, cloud, pointIndex) {
  const node = pathEnd(scene, pointIndex);
  pen.strokeStyle = scene.colours.ink;
  if (node) drawPath(pen, layout, scene, node);
  if (pointIndex >= 0) drawRing(pen, cloud, [layout.spots[0][pointIndex], layout.spots[1][pointIndex]]);
  const pixel = rowPixel(layout, scene, cloud);
  if (pixel) drawStar(pen, scene, pixel);
}

/** Draws the lines of the splits on the path to a node, and the rim of that node's region.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {string} node */
function drawPath(pen, layout, { lines }, node) {
  const ancestors = new Set(pathTo(node).slice(0, -1));
  pen.lineWidth = 1.8;
  pen.setLineDash([7, 3]);
  lines?.node.forEach((parent, k) => {
    if (!ancestors.has(parent)) return;
    trace(pen, layout.lines[k]);
    pen.stroke();
  });
  pen.setLineDash([]);
  pen.lineWidth = 2.2;
  const ring = layout.rings.get(node);
  if (ring) outline(pen, ring);
}

/** The pixel of the selected row: that of its point, else of its values on the axes; null if one of these is unknown.
 *  @param {Layout} layout @param {Picture} scene @param {Points} cloud */
export function rowPixel(layout, { row }, cloud) {
  if (!row) return null;
  const rowId = row.number === null ? -1 : row.number - 1; // a row that the user typed has no number
  const i = cloud.row && rowId >= 0 ? cloud.row.indexOf(rowId) : rowId;
  if (i >= 0) return [layout.spots[0][i], layout.spots[1][i]];
  const [x, y] = row.place;
  return x === null || y === null ? null : [layout.X(x), layout.Y(y)];
}

/** @param {Pen} pen @param {Points} cloud @param {number[]} pixel */
function drawRing(pen, cloud, [x, y]) {
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.arc(x, y, radius(cloud.x.length) + 3, 0, 2 * Math.PI);
  pen.stroke();
}

/** @param {Pen} pen @param {Picture} scene @param {number[]} pixel */
function drawStar(pen, { colours: { paper, ink } }, [x, y]) {
  for (const line of [{ colour: paper, width: 5 }, { colour: ink, width: 2 }]) { // ink on wider paper is seen on any ground
    pen.strokeStyle = line.colour;
    pen.lineWidth = line.width;
    pen.beginPath();
    mark(pen, "star", x, y, 11);
    pen.stroke();
  }
}
