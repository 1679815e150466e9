// A row's way on the stage: the cuts that it passed, the region of its leaf, and its own place.

import { number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { wayTo } from "../lib/way.js";
import { radius } from "./paint.js";
import { outline, trace } from "./rings.js";

/** @import { Layout, Pen, Picture, Points } from "../types.d.ts" */

/** The leaf that a point ends in, or null where it is not known.
 *  @param {Picture} scene @param {number} i */
export const leafOf = ({ ends }, i) => (ends && i >= 0 ? ends.node[ends.of[i]] : null);

/** The number of a point's row, from 1 on.
 *  @param {Points} cloud @param {number} i */
export const rowNumber = ({ row }, i) => (row ? row[i] : i) + 1;

/** The point of the row of that number, from 1 on; -1 where it is not drawn.
 *  @param {Points} cloud @param {number} wanted */
export const pointOfRow = ({ row, x }, wanted) => (row ? row.indexOf(wanted - 1) : wanted <= x.length ? wanted - 1 : -1);

/** What the tree says of a point's row; nothing where that is not known.
 *  @param {Picture} scene @param {number} i */
export function predictionText({ ends, classes }, i) {
  const value = ends?.value?.[ends.of[i]];
  if (value === undefined) return "";
  return `: the tree says ${classes ? classes[value][0] : number(value, 4)}`;
}

/** The node to which a way is lit: that of the point at the pointer, else that of the row shown.
 *  @param {Picture} scene @param {number} near */
export const pathEnd = (scene, near) => leafOf(scene, near) ?? scene.row?.node ?? null;

/** Draw the way of the point at the pointer, else of the row that is shown, and where that stands.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud
 *  @param {number} near the point at the pointer, or -1 */
export function drawRowPath(pen, at, scene, cloud, near) {
  const node = pathEnd(scene, near);
  pen.strokeStyle = scene.colours.ink;
  if (node) passed(pen, at, scene, node);
  if (near >= 0) around(pen, cloud, [at.spots[0][near], at.spots[1][near]]);
  const star = rowPixel(at, scene, cloud);
  if (star) starred(pen, scene, star);
}

/** The lines of the cuts on the way to a node, and that node's region.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {string} node */
function passed(pen, at, { lines }, node) {
  const way = new Set(wayTo(node).slice(0, -1));
  pen.lineWidth = 1.8;
  pen.setLineDash([7, 3]);
  lines?.node.forEach((one, k) => {
    if (!way.has(one)) return;
    trace(pen, at.lines[k]);
    pen.stroke();
  });
  pen.setLineDash([]);
  pen.lineWidth = 2.2;
  const ring = at.rings.get(node);
  if (ring) outline(pen, ring);
}

/** Where the row that is shown stands, in pixels; null where nothing says so.
 *  @param {Layout} at @param {Picture} scene @param {Points} cloud */
export function rowPixel(at, { row }, cloud) {
  if (!row) return null;
  const of = row.number === null ? -1 : row.number - 1;
  const i = cloud.row && of >= 0 ? cloud.row.indexOf(of) : of;
  if (i >= 0) return [at.spots[0][i], at.spots[1][i]];
  const [x, y] = row.place;
  return x === null || y === null ? null : [at.X(x), at.Y(y)];
}

/** @param {Pen} pen @param {Points} cloud @param {number[]} place */
function around(pen, cloud, [x, y]) {
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.arc(x, y, radius(cloud.x.length) + 3, 0, 2 * Math.PI);
  pen.stroke();
}

/** @param {Pen} pen @param {Picture} scene @param {number[]} place */
function starred(pen, { colours: { paper, ink } }, [x, y]) {
  for (const rim of [{ colour: paper, width: 5 }, { colour: ink, width: 2 }]) {
    pen.strokeStyle = rim.colour;
    pen.lineWidth = rim.width;
    pen.beginPath();
    mark(pen, "star", x, y, 11);
    pen.stroke();
  }
}
