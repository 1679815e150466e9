// A row path on the stage: the lines of the splits on the path, the region of the leaf, and the row itself.
//
// Glossary
//   point   a row that is drawn; its index is its place in the cloud, which may have only some of the rows

import { drawCircle, drawLine, drawRim, drawSymbol } from "../draw/marks.js";
import { radius } from "../draw/points.js";
import { number } from "../lib/format.js";
import { pathTo } from "../lib/row_path.js";

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

/** Draw the path of the point at the pointer, else of the selected row, and a star on the selected row.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud
 *  @param {number} pointIndex the point at the pointer, or -1 */
export function drawRowPath(pen, layout, scene, cloud, pointIndex) {
  const { ink: stroke, paper } = scene.colours;
  const node = pathEnd(scene, pointIndex);
  if (node) drawPath(pen, layout, scene, node);
  const [xs, ys] = layout.spots;
  if (pointIndex >= 0) drawCircle(pen, xs[pointIndex], ys[pointIndex], radius(cloud.x.length) + 3, { stroke, width: 1.6 });
  const pixel = rowPixel(layout, scene, cloud);
  // ink on wider paper is seen on any ground
  if (pixel) for (const style of [{ stroke: paper, width: 5 }, { stroke, width: 2 }]) drawSymbol(pen, "star", pixel[0], pixel[1], 11, style);
}

/** Draw the lines of the splits on the path to a node, and the rim of that node's region.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {string} node */
function drawPath(pen, layout, { lines, colours: { ink: stroke } }, node) {
  const ancestors = new Set(pathTo(node).slice(0, -1));
  lines?.node.forEach((parent, k) => {
    if (ancestors.has(parent)) drawLine(pen, layout.lines[k], { stroke, width: 1.8, dash: [7, 3] });
  });
  const ring = layout.rings.get(node);
  if (ring) drawRim(pen, ring, { stroke, width: 2.2 });
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
