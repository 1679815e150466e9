// Surroundings of the plane: the two axes, the gain curves of their cuts, and the legend.

import { grouped, number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { drawPoint, fitText, font } from "./paint.js";
import { subsetBits } from "./sides.js";

/** @import { CutPicture, GainStrip, Ground, Layout, Pen, Picture } from "../types.d.ts" */

// bits of AxisCuts.flags, see pictures/stage_cuts.py
export const ADMISSIBLE = 1; // both sides meet the minimum
const BOUNDARY = 2; // the threshold is a boundary point
export const TIED = 4; // no cut has a higher score
const ALONE = 16; // the cut parts one value of a category from all others

const MIN_BAND_WIDTH = 8; // pixels; between narrower bands are no lines

/** Draws both axes with ticks and titles.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
export function drawAxes(pen, layout, scene) {
  const { plane } = layout;
  pen.font = font(scene, 12);
  pen.fillStyle = scene.colours.muted;
  pen.strokeStyle = scene.colours.muted;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const foot = layout.foot;
  for (const { value, text, room } of layout.xTicks) {
    const x = layout.X(value);
    if (x < plane.x - 1 || x > plane.x + plane.w + 1) continue;
    pen.moveTo(x, foot);
    pen.lineTo(x, foot + 4);
    pen.fillText(room === undefined ? text : fitText(pen, text, room), x, foot + 7);
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of layout.yTicks) {
    const y = layout.Y(value);
    if (y < plane.y - 1 || y > plane.y + plane.h + 1) continue;
    pen.moveTo(plane.x - 4, y);
    pen.lineTo(plane.x, y);
    pen.fillText(fitText(pen, text, layout.left - (layout.isVeryNarrow ? 12 : 34)), plane.x - 7, y);
  }
  pen.moveTo(plane.x, plane.y);
  pen.lineTo(plane.x, plane.y + plane.h);
  pen.moveTo(plane.x, foot);
  pen.lineTo(plane.x + plane.w, foot);
  pen.stroke();
  drawTitles(pen, layout, scene);
}

/** Draws lines between the bands of categories and at the end of a gutter.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
export function drawBands(pen, layout, scene) {
  const { plane } = layout;
  const nAcross = scene.across.lanes?.length ?? 0;
  const nUp = (scene.form === "plane" && scene.up.lanes?.length) || 0;
  pen.strokeStyle = scene.colours.grid;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  for (let k = 1; k < nAcross && plane.w / nAcross > MIN_BAND_WIDTH; k++) {
    pen.moveTo(layout.X(k - 0.5), plane.y);
    pen.lineTo(layout.X(k - 0.5), plane.y + plane.h);
  }
  for (let k = 1; k < nUp && plane.h / nUp > MIN_BAND_WIDTH; k++) {
    pen.moveTo(plane.x, layout.Y(k - 0.5));
    pen.lineTo(plane.x + plane.w, layout.Y(k - 0.5));
  }
  if (scene.across.gutter !== undefined) {
    pen.moveTo(layout.X(scene.across.gutter), plane.y);
    pen.lineTo(layout.X(scene.across.gutter), plane.y + plane.h);
  }
  if (scene.up.gutter !== undefined) {
    pen.moveTo(plane.x, layout.Y(scene.up.gutter));
    pen.lineTo(plane.x + plane.w, layout.Y(scene.up.gutter));
  }
  pen.stroke();
}

/** @param {Pen} pen @param {Layout} layout @param {Picture} scene */
function drawTitles(pen, layout, scene) {
  const { plane } = layout;
  if (layout.isVeryNarrow) return;
  pen.font = font(scene, 13);
  pen.fillStyle = scene.colours.ink;
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  const middle = plane.x + plane.w / 2;
  pen.fillText(fitText(pen, scene.across.name, plane.w), middle, layout.foot + 38);
  pen.save();
  pen.translate(11, plane.y + plane.h / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = "middle";
  pen.fillText(fitText(pen, scene.up.name, plane.h), 0, 0);
  pen.restore();
  pen.font = font(scene, 12);
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

/** Draws the axis of the slant under its gains: ticks and the name.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {GainStrip} strip */
function drawSlantAxis(pen, layout, scene, strip) {
  const foot = strip.y + strip.h;
  pen.font = font(scene, 12);
  pen.fillStyle = pen.strokeStyle = scene.colours.muted;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.beginPath();
  for (const { value, text } of layout.sTicks) {
    pen.moveTo(layout.S(value), foot);
    pen.lineTo(layout.S(value), foot + 4);
    pen.fillText(text, layout.S(value), foot + 7);
  }
  pen.stroke();
  if (layout.isVeryNarrow) return;
  pen.font = font(scene, 13);
  pen.fillStyle = scene.colours.ink;
  pen.textBaseline = "bottom";
  pen.fillText(fitText(pen, scene.slant?.name ?? "", strip.w), strip.x + strip.w / 2, foot + 38);
  pen.font = font(scene, 12);
}

/** Draws the gain curve of an axis, with a dot for each cut.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {GainStrip} strip
 *  @param {number} axis */
export function drawGains(pen, layout, scene, strip, axis) {
  drawGainBase(pen, scene, strip, axis);
  if (axis === 2) drawSlantAxis(pen, layout, scene, strip);
  const flags = scene.cuts[axis].flags;
  const peaks = Array.from(flags, (_, i) => peakPixel(layout, scene, axis, i));
  const isScattered = peaks.map((_, i) => subsetBits(scene, [axis, i]) > 0); // of each cut
  pen.strokeStyle = scene.colours.accent;
  // cuts of one value each have no order, and so no curve
  if (!scene.is_asking && !(flags[0] & ALONE)) {
    pen.globalAlpha = 0.45;
    pen.lineWidth = 1.2;
    pen.beginPath();
    const { gutter } = [scene.across, scene.up][axis] ?? {};
    const { threshold } = scene.cuts[axis];
    // neither the cut between known and missing values nor a scattered subset is a point of the curve
    const curve = peaks.filter((_, i) => threshold[i] !== gutter && !isScattered[i]);
    curve.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
    pen.globalAlpha = 1;
  }
  const nOrdered = isScattered.filter((scattered) => !scattered).length;
  const r = nOrdered > 400 ? 1.4 : nOrdered > 150 ? 2.2 : 3.2;
  const [subsetR, subsetAlpha] = flags.length > 150 ? [1.2, 0.35] : [2, 0.5];
  peaks.forEach(([x, y], i) => drawDot(pen, scene, x, y, isScattered[i] ? subsetR : r, flags[i], isScattered[i] ? subsetAlpha : 0.95));
  markBest(pen, scene, axis, peaks, flags);
}

/** Draws the line of gain 0; over the plane also the name of the score, and a tick at the highest score.
 *  @param {Pen} pen @param {CutPicture} scene @param {GainStrip} strip @param {number} axis */
function drawGainBase(pen, scene, strip, axis) {
  pen.strokeStyle = scene.colours.grid;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  if (axis !== 1) {
    pen.moveTo(strip.x, strip.y + strip.h);
    pen.lineTo(strip.x + strip.w, strip.y + strip.h);
  } else {
    pen.moveTo(strip.x, strip.y);
    pen.lineTo(strip.x, strip.y + strip.h);
  }
  pen.stroke();
  pen.font = font(scene, 11);
  pen.fillStyle = scene.colours.muted;
  if (axis === 0) {
    pen.textAlign = "right";
    pen.textBaseline = "top";
    pen.fillText(fitText(pen, scoreTitle(scene), strip.w), strip.x + strip.w - 2, strip.y);
    pen.textBaseline = "middle";
    if (scene.top > 0) {
      const y = strip.pixelOf(scene.top);
      pen.fillText(number(scene.top, 3), strip.x - 7, y);
      pen.beginPath();
      pen.moveTo(strip.x - 4, y);
      pen.lineTo(strip.x, y);
      pen.stroke();
    }
  }
  pen.font = font(scene, 12);
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

/** Draws the dot of a cut: hollow if not admissible, faint if its threshold is no boundary point.
 *  @param {Pen} pen @param {CutPicture} scene @param {number} x @param {number} y
 *  @param {number} r @param {number} flags  of the cut @param {number} alpha */
function drawDot(pen, scene, x, y, r, flags, alpha) {
  pen.globalAlpha = scene.is_asking || flags & BOUNDARY ? alpha : 0.3;
  pen.beginPath();
  pen.arc(x, y, flags & ADMISSIBLE ? r : r + 0.4, 0, 2 * Math.PI);
  if (flags & ADMISSIBLE) {
    pen.fillStyle = scene.colours.accent;
    pen.fill();
  } else {
    pen.lineWidth = 1.2;
    pen.setLineDash([]);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Draws rings round the ties and a star on the best cut.
 *  @param {Pen} pen @param {CutPicture} scene @param {number} axis @param {number[][]} peaks
 *  @param {Uint8Array} flags */
function markBest(pen, scene, axis, peaks, flags) {
  const [bestAxis, best] = scene.best ?? [-1, -1];
  pen.lineWidth = 1.5;
  if (scene.top > 0) {
    peaks.forEach(([x, y], i) => {
      if (!(flags[i] & TIED) || (bestAxis === axis && i === best)) return;
      pen.beginPath();
      pen.arc(x, y, 6.5, 0, 2 * Math.PI);
      pen.stroke();
    });
  }
  if (bestAxis !== axis) return;
  pen.beginPath();
  mark(pen, "star", peaks[best][0], peaks[best][1], 8.5);
  pen.fillStyle = scene.colours.accent;
  pen.fill();
  pen.strokeStyle = scene.colours.paper;
  pen.lineWidth = 1;
  pen.stroke();
}

/** Draws the legend of the classes, or the colour scale of a numeric target.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
export function drawLegend(pen, layout, scene) {
  if (scene.classes) drawClassLegend(pen, scene, scene.classes, layout.plane.x, layout.width);
  else drawScaleBar(pen, layout, scene);
}

/** Draws the classes in one row between two edges, in pixels; classes that have no room are counted.
 *  @param {Pen} pen @param {Ground} scene @param {Array<[name: string, ...unknown[]]>} classes
 *  @param {number} left @param {number} right */
export function drawClassLegend(pen, scene, classes, left, right) {
  pen.font = font(scene, 12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  let x = left + 4;
  for (const [code, [name]] of classes.entries()) {
    const text = fitText(pen, name, Math.max(60, (right - left) / classes.length - 30));
    const w = pen.measureText(text).width + 30;
    const remaining = classes.length - code;
    // the count needs room; after the last class its gap may lie beyond the edge
    if (x + w > right - (remaining > 1 ? 20 : -12)) {
      pen.fillStyle = scene.colours.muted;
      pen.fillText(`+${remaining}`, x, 9.5);
      break;
    }
    drawPoint(pen, scene, code, x + 5, 9, 5);
    pen.fillStyle = scene.colours.ink;
    pen.fillText(text, x + 15, 9.5);
    x += w;
  }
}

/** Draws the colour scale of a numeric target, in the corner between the two gain strips.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene */
function drawScaleBar(pen, layout, scene) {
  if (scene.form !== "plane" || layout.gainStrips.length < 2) return;
  const { x, w } = layout.gainStrips[1];
  const { y, h } = layout.gainStrips[0];
  const { scale = [], low = Number.NaN, high = Number.NaN } = scene;
  const cell = w / scale.length;
  scale.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(x + k * cell, y + h - 30, cell + 0.5, 9);
  });
  pen.fillStyle = scene.colours.muted;
  pen.font = font(scene, 11);
  pen.textAlign = "left";
  pen.textBaseline = "top";
  pen.fillText(number(low, 3), x, y + h - 17);
  pen.textAlign = "right";
  pen.fillText(number(high, 3), x + w, y + h - 17);
  pen.textAlign = "left";
  pen.textBaseline = "bottom";
  pen.fillStyle = scene.colours.ink;
  pen.fillText(fitText(pen, scene.target, w), x, y + h - 34);
  pen.font = font(scene, 12);
}
