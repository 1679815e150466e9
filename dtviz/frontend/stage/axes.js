// Surroundings of the plane: the two axes, the gain curves of their cuts, and the legend.

import { drawAcross, drawLegend as drawEntries, drawUp } from "../draw/axes.js";
import { drawCircle, drawColourScale, drawLine, drawLines, drawSymbol, drawText } from "../draw/marks.js";
import { drawPoint } from "../draw/points.js";
import { grouped, number } from "../lib/format.js";
import { subsetBits } from "./sides.js";

/** @import { CutPicture, GainStrip, Ground, Layout, Pen, Picture } from "../types.d.ts" */

// bits of AxisCuts.flags, see pictures/stage_cuts.py
export const ADMISSIBLE = 1; // both sides meet the minimum
const BOUNDARY = 2; // the threshold is a boundary point
export const TIED = 4; // no cut has a higher score
const ALONE = 16; // the cut parts one value of a category from all others

const MIN_BAND_WIDTH = 8; // pixels; between narrower bands are no lines

/** Draw both axes with ticks and titles; a very narrow stage has no titles.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
export function drawAxes(pen, { plane, foot, left, isVeryNarrow, X, Y, xTicks, yTicks }, scene) {
  const [across, up] = isVeryNarrow ? ["", ""] : [scene.across.name, scene.up.name];
  drawAcross(pen, scene, { x: plane.x, w: plane.w, foot, scale: X, ticks: xTicks, title: across, hasLine: true });
  drawUp(pen, scene, { plane, scale: Y, ticks: yTicks, title: up, room: left - (isVeryNarrow ? 12 : 34) });
}

/** Draw lines between the bands of categories and at the end of a gutter.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
export function drawBands(pen, { plane: { x, y, w, h }, X, Y }, { across, up, form, colours }) {
  /** @param {number} count @param {number} length @param {number} [gutter] */
  const edges = (count, length, gutter) => [
    ...Array.from({ length: length / count > MIN_BAND_WIDTH ? Math.max(count - 1, 0) : 0 }, (_, k) => k + 0.5),
    ...(gutter === undefined ? [] : [gutter]),
  ];
  const upright = edges(across.lanes?.length ?? 0, w, across.gutter).map((value) => [X(value), y, X(value), y + h]);
  const level = edges((form === "plane" && up.lanes?.length) || 0, h, up.gutter).map((value) => [x, Y(value), x + w, Y(value)]);
  drawLines(pen, [...upright, ...level], { stroke: colours.grid });
}

/** Pixel of cut i of an axis on its gain curve; without gains the pixel on the rim of the plane.
 *  @param {Layout} layout @param {CutPicture} scene @param {number} axis @param {number} i
 *  @returns {[x: number, y: number]} */
export function peakPixel(layout, scene, axis, i) {
  const threshold = scene.cuts[axis].threshold[i];
  const strip = layout.gainStrips[axis];
  const { plane } = layout;
  if (!strip) return axis === 1 ? [plane.x + plane.w, layout.Y(threshold)] : [layout.X(threshold), plane.y];
  const height = strip.pixelOf(scene.cuts[axis].score?.[i] ?? 0);
  return axis === 1 ? [height, layout.Y(threshold)] : [axis === 0 ? layout.X(threshold) : layout.S(threshold), height];
}

const HATCH = 4; // pixels between two lines of a hatch

/** Draw the bands of an axis: inside each no cut was counted, and its gain is somewhere in what is hatched.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {GainStrip} strip @param {number} axis */
function drawHatch(pen, layout, scene, strip, axis) {
  const { bands } = scene.cuts[axis];
  if (!bands) return;
  const scale = [layout.X, layout.Y, layout.S][axis];
  const lines = Array.from(bands.lower, (_, k) => {
    const [from, to] = [scale(bands.lower[k]), scale(bands.upper[k])].toSorted((a, b) => a - b);
    const [low, high] = [strip.pixelOf(bands.least[k]), strip.pixelOf(Math.min(bands.most[k], scene.top))].toSorted((a, b) => a - b);
    return hatchLines(from, to, low, high).map(([x1, y1, x2, y2]) => (axis === 1 ? [y1, x1, y2, x2] : [x1, y1, x2, y2]));
  });
  drawLines(pen, lines.flat(), { stroke: scene.colours.accent, width: 0.8, opacity: 0.4 });
}

/** Slanted lines across a rectangle, [x1, y1, x2, y2] each; those that two rectangles side by side have meet.
 *  @param {number} left @param {number} right @param {number} top @param {number} bottom */
function hatchLines(left, right, top, bottom) {
  const lines = [];
  for (let sum = Math.ceil((left + top) / HATCH) * HATCH; sum < right + bottom; sum += HATCH) {
    const [x1, x2] = [Math.max(left, sum - bottom), Math.min(right, sum - top)];
    if (x1 < x2) lines.push([x1, sum - x1, x2, sum - x2]);
  }
  return lines;
}

/** Draw the gain curve of an axis, with a dot for each cut.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {GainStrip} strip
 *  @param {number} axis */
export function drawGains(pen, layout, scene, strip, axis) {
  drawGainBase(pen, layout, scene, strip, axis);
  drawHatch(pen, layout, scene, strip, axis);
  const flags = scene.cuts[axis].flags;
  const peaks = Array.from(flags, (_, i) => peakPixel(layout, scene, axis, i));
  const isScattered = peaks.map((_, i) => subsetBits(scene, [axis, i]) > 0); // of each cut
  // cuts of one value each have no order, and so no curve
  if (!scene.is_asking && !(flags[0] & ALONE)) {
    const { gutter } = [scene.across, scene.up][axis] ?? {};
    const { threshold } = scene.cuts[axis];
    // neither the cut between known and missing values nor a scattered subset is a point of the curve
    const curve = peaks.filter((_, i) => threshold[i] !== gutter && !isScattered[i]);
    drawLine(pen, curve.flat(), { stroke: scene.colours.accent, width: 1.2, opacity: 0.45 });
  }
  const nOrdered = isScattered.filter((scattered) => !scattered).length;
  const r = nOrdered > 400 ? 1.4 : nOrdered > 150 ? 2.2 : 3.2;
  const [subsetR, subsetAlpha] = flags.length > 150 ? [1.2, 0.35] : [2, 0.5];
  peaks.forEach(([x, y], i) => drawDot(pen, scene, x, y, isScattered[i] ? subsetR : r, flags[i], isScattered[i] ? subsetAlpha : 0.95));
  markBest(pen, scene, axis, peaks, flags);
}

/** Draw the line of gain 0; over the plane also the name of the score, and a tick at the highest score; beside it the
 *  feature; under the slant its axis.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {GainStrip} strip @param {number} axis */
function drawGainBase(pen, { isVeryNarrow, S, sTicks }, scene, strip, axis) {
  const { x, y, w, h } = strip;
  const { grid: stroke, muted: colour } = scene.colours;
  drawLine(pen, axis === 1 ? [x, y, x, y + h] : [x, y + h, x + w, y + h], { stroke });
  // the curve beside the plane belongs to the feature up, whose name stands at the other side of the plane
  if (axis === 1) {
    drawText(pen, scene, scene.is_asking ? "cuts on" : `${scene.measure} by`, x, y - 19, { size: 11, colour, baseline: "bottom", room: w });
    drawText(pen, scene, scene.up.name, x, y - 5, { size: 11, colour, baseline: "bottom", room: w });
  }
  if (axis === 0) {
    drawText(pen, scene, scoreTitle(scene), x + w - 2, y, { size: 11, colour, align: "right", baseline: "top", room: w });
    if (!(scene.top > 0)) return;
    const top = strip.pixelOf(scene.top);
    drawText(pen, scene, number(scene.top, 3), x - 7, top, { size: 11, colour, align: "right" });
    drawLine(pen, [x - 4, top, x, top], { stroke });
  }
  if (axis === 2) {
    const title = isVeryNarrow ? "" : scene.slant?.name ?? "";
    drawAcross(pen, scene, { x, w, foot: y + h, scale: S, ticks: sTicks, title, hasMarks: true });
  }
}

/** Text with the number of cuts drawn and of all cuts; "" if all are drawn. Of neighbouring cuts those with the highest scores
 *  are drawn.
 *  @param {CutPicture} scene */
export function drawnCutsText({ cuts, candidates }) {
  const drawn = cuts.reduce((sum, { threshold }) => sum + threshold.length, 0);
  return drawn < candidates ? `${grouped(drawn)} of ${grouped(candidates)} cuts` : "";
}

/** Title of the heights of the dots: the name of the score, and the number of cuts if some are not drawn.
 *  @param {CutPicture} scene */
function scoreTitle(scene) {
  const { is_asking: isAsking, measure, unit } = scene;
  const cutsText = drawnCutsText(scene);
  const name = isAsking ? "cuts" : unit ? `${measure} (${unit})` : measure;
  return isAsking && cutsText ? cutsText : [name, cutsText].filter(Boolean).join(" · ");
}

/** Draw the dot of a cut: hollow if not admissible, faint if its threshold is no boundary point.
 *  @param {Pen} pen @param {CutPicture} scene @param {number} x @param {number} y
 *  @param {number} r @param {number} flags  of the cut @param {number} alpha */
function drawDot(pen, { is_asking: isAsking, colours: { accent } }, x, y, r, flags, alpha) {
  const opacity = isAsking || flags & BOUNDARY ? alpha : 0.3;
  if (flags & ADMISSIBLE) drawCircle(pen, x, y, r, { fill: accent, opacity });
  else drawCircle(pen, x, y, r + 0.4, { stroke: accent, width: 1.2, opacity });
}

/** Draw rings round the ties and a star on the best cut.
 *  @param {Pen} pen @param {CutPicture} scene @param {number} axis @param {number[][]} peaks
 *  @param {Uint8Array} flags */
function markBest(pen, { best, top, colours: { accent, paper } }, axis, peaks, flags) {
  const bestIndex = best?.[0] === axis ? best[1] : -1;
  peaks.forEach(([x, y], i) => {
    if (top > 0 && flags[i] & TIED && i !== bestIndex) drawCircle(pen, x, y, 6.5, { stroke: accent, width: 1.5 });
  });
  if (bestIndex >= 0) drawSymbol(pen, "star", peaks[bestIndex][0], peaks[bestIndex][1], 8.5, { fill: accent, stroke: paper });
}

/** Draw the legend of the classes, or the colour scale of a numeric target.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
export function drawLegend(pen, layout, scene) {
  if (scene.classes) drawClassLegend(pen, scene, scene.classes, layout.plane.x, layout.width);
  else drawScaleBar(pen, layout, scene);
}

/** Draw the classes in one row between two edges, in pixels; classes that have no room are counted.
 *  @param {Pen} pen @param {Ground} scene @param {Array<[name: string, ...unknown[]]>} classes
 *  @param {number} left @param {number} right */
export function drawClassLegend(pen, scene, classes, left, right) {
  const room = Math.max(60, (right - left) / classes.length - 30);
  const entries = classes.map(([text], code) => ({ text, room, draw: (/** @type {number} */ x, /** @type {number} */ y) => drawPoint(pen, scene, code, x, y, 5) }));
  drawEntries(pen, scene, entries, { left: left + 4, right, y: 9 });
}

/** Draw the colour scale of a numeric target, in the corner between the two gain strips.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
function drawScaleBar(pen, { gainStrips: [across, up] }, scene) {
  if (scene.form !== "plane" || !up) return;
  const [{ x, w }, foot] = [up, across.y + across.h];
  const { scale = [], low = Number.NaN, high = Number.NaN, colours: { muted: colour } } = scene;
  drawColourScale(pen, scale, { x, y: foot - 30, w, h: 9 });
  drawText(pen, scene, number(low, 3), x, foot - 17, { size: 11, colour, baseline: "top" });
  drawText(pen, scene, number(high, 3), x + w, foot - 17, { size: 11, colour, align: "right", baseline: "top" });
  drawText(pen, scene, scene.target, x, foot - 34, { size: 11, baseline: "bottom", room: w });
}
