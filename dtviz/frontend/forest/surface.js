// Predictions of trees over the plane, cell by cell: classes in shades of their share, or numbers on the colour scale.

// @ts-types="../vendor/d3.d.ts"
import { curveStepAfter, line } from "../vendor/d3.js";
import { drawPath, drawRect } from "../draw/marks.js";
import { bitmapOf, colourOf, drawPoint, isStamper, radius } from "../draw/points.js";

/** @import { Surface } from "../frames.d.ts" */
/** @import { Layout, Pen, Picture, Points, Rect } from "../types.d.ts" */

const OPACITY = 0.92; // of points
const SHADES = 12; // of the colour of a class, paler where its share is small

/** Fill a rectangle with the k-th picture of a surface.
 *  @param {Pen} pen @param {Rect} box @param {Picture} scene @param {Surface} surface @param {number} k */
export function fillCells(pen, box, scene, { cells_across: columns, cells_up: rows, code, share }, k) {
  const start = k * columns * rows;
  /** @param {number} column */
  const X = (column) => Math.round(box.x + (box.w * column) / columns);
  /** @param {number} row */
  const Y = (row) => Math.round(box.y + box.h * (1 - row / rows)); // whole pixels: no seams between neighbours
  /** @param {number} i */
  const shadeOf = (i) => Math.round((share[i] / 255) * SHADES);
  /** Key that is equal for cells which look alike. @param {number} i */
  const colourKey = (i) => code[i] * 256 + shadeOf(i);
  const opacity = scene.classes && !scene.colours.dark ? 0.5 : 0.62;
  for (let row = 0; row < rows; row++) {
    const [top, bottom] = [Y(row + 1), Y(row)];
    for (let first = 0; first < columns;) { // first cell of a run of cells that look alike
      const i = start + row * columns + first;
      let end = first + 1;
      while (end < columns && colourKey(start + row * columns + end) === colourKey(i)) end += 1; // one rectangle a run is faster
      const shade = scene.classes ? 0.1 + (opacity - 0.1) * (shadeOf(i) / SHADES) : opacity;
      drawRect(pen, { x: X(first), y: top, w: X(end) - X(first), h: bottom - top }, { fill: colourOf(scene, code[i]), opacity: shade });
      first = end;
    }
  }
}

/** Draw predicted numbers over a strip as a line of steps: a step a value, all equally wide.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Float64Array} values */
export function drawPredictions(pen, { plane, Y }, scene, values) {
  drawSteps(pen, plane, scene, 2.6, Array.from(values, Y));
}

/** Draw the k-th picture of a surface over a strip, small and without an axis.
 *  @param {Pen} pen @param {Rect} box @param {Picture} scene @param {Surface} surface @param {number} k */
export function drawSmallPredictions(pen, box, scene, { cells_across: columns, share }, k) {
  const shares = share.subarray(k * columns, (k + 1) * columns);
  drawSteps(pen, box, scene, 1.8, Array.from(shares, (part) => box.y + 4 + (box.h - 8) * (1 - part / 255)));
}

/** @param {Pen} pen @param {Rect} box @param {Picture} scene @param {number} lineWidth @param {number[]} ys */
function drawSteps(pen, box, scene, lineWidth, ys) {
  const steps = line().x((k) => box.x + (box.w * k) / ys.length).y((k) => ys[Math.min(k, ys.length - 1)]).curve(curveStepAfter);
  drawPath(pen, (path) => steps.context(path)(Array(ys.length + 1).keys()), { stroke: scene.colours.accent, width: lineWidth });
}

/** Draw the rows as points, each as large as its weight in the k-th picture.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud
 *  @param {Uint8Array} mass  size of each point, 255 the largest, picture by picture @param {number} k */
export function drawWeightedPoints(pen, layout, scene, cloud, mass, k) {
  const count = cloud.x.length;
  const largest = (1.9 * radius(count)) / 255;
  /** @param {number} i */
  const radiusOf = (i) => Math.max(1.1, largest * mass[k * count + i]);
  const { width, height, spots: [xs, ys] } = layout;
  if (isStamper(pen)) pen.drawImage(bitmapOf(pen, layout, scene, { ...cloud, spots: [xs, ys] }, radiusOf, OPACITY), 0, 0, width, height);
  else for (let i = 0; i < count; i++) drawPoint(pen, scene, cloud.code[i], xs[i], ys[i], radiusOf(i), OPACITY);
}
