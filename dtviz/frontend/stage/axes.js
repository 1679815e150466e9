// Round the plane: the two axes, the gain of every cut, the legend.

import { grouped, number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { fitText, font, drawPoint } from "./paint.js";
import { subsetBits } from "./sides.js";

/** @import { CutPicture, Ground, Layout, Pen, Picture, Strip } from "../types.d.ts" */

const ADMISSIBLE = 1;
const BOUNDARY = 2;
const TIED = 4;
const ALONE = 16;
const NARROW = 8; // pixels of a band that has no rim

/** @param {Pen} pen @param {Layout} at @param {Picture} scene */
export function drawAxes(pen, at, scene) {
  const { plane } = at;
  pen.font = font(scene, 12);
  pen.fillStyle = scene.colours.muted;
  pen.strokeStyle = scene.colours.muted;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const foot = at.foot;
  for (const { value, text, room } of at.xTicks) {
    const x = at.X(value);
    if (x < plane.x - 1 || x > plane.x + plane.w + 1) continue;
    pen.moveTo(x, foot);
    pen.lineTo(x, foot + 4);
    pen.fillText(room === undefined ? text : fitText(pen, text, room), x, foot + 7);
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of at.yTicks) {
    const y = at.Y(value);
    if (y < plane.y - 1 || y > plane.y + plane.h + 1) continue;
    pen.moveTo(plane.x - 4, y);
    pen.lineTo(plane.x, y);
    pen.fillText(fitText(pen, text, at.left - (at.tiny ? 12 : 34)), plane.x - 7, y);
  }
  pen.moveTo(plane.x, plane.y);
  pen.lineTo(plane.x, plane.y + plane.h);
  pen.moveTo(plane.x, foot);
  pen.lineTo(plane.x + plane.w, foot);
  pen.stroke();
  titles(pen, at, scene);
}

/** Lines between the bands of categories, and where a gutter ends.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene */
export function drawBands(pen, at, scene) {
  const { plane } = at;
  const across = scene.across.lanes?.length ?? 0;
  const up = (scene.form === "plane" && scene.up.lanes?.length) || 0;
  pen.strokeStyle = scene.colours.grid;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  for (let k = 1; k < across && plane.w / across > NARROW; k++) {
    pen.moveTo(at.X(k - 0.5), plane.y);
    pen.lineTo(at.X(k - 0.5), plane.y + plane.h);
  }
  for (let k = 1; k < up && plane.h / up > NARROW; k++) {
    pen.moveTo(plane.x, at.Y(k - 0.5));
    pen.lineTo(plane.x + plane.w, at.Y(k - 0.5));
  }
  if (scene.across.gutter !== undefined) {
    pen.moveTo(at.X(scene.across.gutter), plane.y);
    pen.lineTo(at.X(scene.across.gutter), plane.y + plane.h);
  }
  if (scene.up.gutter !== undefined) {
    pen.moveTo(plane.x, at.Y(scene.up.gutter));
    pen.lineTo(plane.x + plane.w, at.Y(scene.up.gutter));
  }
  pen.stroke();
}

/** @param {Pen} pen @param {Layout} at @param {Picture} scene */
function titles(pen, at, scene) {
  const { plane } = at;
  if (at.tiny) return;
  pen.font = font(scene, 13);
  pen.fillStyle = scene.colours.ink;
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  const middle = plane.x + plane.w / 2;
  pen.fillText(fitText(pen, scene.across.name, plane.w), middle, at.foot + 38);
  pen.save();
  pen.translate(11, plane.y + plane.h / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = "middle";
  pen.fillText(fitText(pen, scene.up.name, plane.h), 0, 0);
  pen.restore();
  pen.font = font(scene, 12);
}

/** The place of cut i of an axis on its gain curve.
 *  @param {Layout} at @param {CutPicture} scene @param {number} axis @param {number} i
 *  @returns {[x: number, y: number]} */
export function peak(at, scene, axis, i) {
  const limit = scene.cuts[axis].threshold[i];
  const strip = at.strips[axis];
  if (!strip) return axis === 1 ? [at.plane.x + at.plane.w, at.Y(limit)] : [at.X(limit), at.plane.y];
  const gain = strip.gain(scene.cuts[axis].score?.[i] ?? 0);
  return axis === 1 ? [gain, at.Y(limit)] : [axis === 0 ? at.X(limit) : at.S(limit), gain];
}

/** The axis of the slant under its gains: ticks and its formula.
 *  @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Strip} strip */
function slantAxis(pen, at, scene, strip) {
  const foot = strip.y + strip.h;
  pen.font = font(scene, 12);
  pen.fillStyle = pen.strokeStyle = scene.colours.muted;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  pen.beginPath();
  for (const { value, text } of at.sTicks) {
    pen.moveTo(at.S(value), foot);
    pen.lineTo(at.S(value), foot + 4);
    pen.fillText(text, at.S(value), foot + 7);
  }
  pen.stroke();
  if (at.tiny) return;
  pen.font = font(scene, 13);
  pen.fillStyle = scene.colours.ink;
  pen.textBaseline = "bottom";
  pen.fillText(fitText(pen, scene.slant?.name ?? "", strip.w), strip.x + strip.w / 2, foot + 38);
  pen.font = font(scene, 12);
}

/** @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Strip} strip
 *  @param {number} axis */
export function drawGains(pen, at, scene, strip, axis) {
  baseline(pen, scene, strip, axis);
  if (axis === 2) slantAxis(pen, at, scene, strip);
  const flags = scene.cuts[axis].flags;
  const spots = Array.from(flags, (_, i) => peak(at, scene, axis, i));
  const apart = spots.map((_, i) => subsetBits(scene, [axis, i]) > 0);
  pen.strokeStyle = scene.colours.accent;
  if (!scene.asking && !(flags[0] & ALONE)) {
    pen.globalAlpha = 0.45;
    pen.lineWidth = 1.2;
    pen.beginPath();
    const { gutter } = [scene.across, scene.up][axis] ?? {};
    const { threshold } = scene.cuts[axis];
    const curve = spots.filter((_, i) => threshold[i] !== gutter && !apart[i]); // known from missing apart
    curve.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
    pen.globalAlpha = 1;
  }
  const own = apart.filter((it) => !it).length;
  const r = own > 400 ? 1.4 : own > 150 ? 2.2 : 3.2;
  const [small, faint] = flags.length > 150 ? [1.2, 0.35] : [2, 0.5];
  spots.forEach(([x, y], i) => dot(pen, scene, x, y, apart[i] ? small : r, flags[i], apart[i] ? faint : 0.95));
  marked(pen, scene, axis, spots, flags);
}

/** @param {Pen} pen @param {CutPicture} scene @param {Strip} strip @param {number} axis */
function baseline(pen, scene, strip, axis) {
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
    pen.fillText(fitText(pen, heightsTold(scene), strip.w), strip.x + strip.w - 2, strip.y);
    pen.textBaseline = "middle";
    if (scene.top > 0) {
      const y = strip.gain(scene.top);
      pen.fillText(number(scene.top, 3), strip.x - 7, y);
      pen.beginPath();
      pen.moveTo(strip.x - 4, y);
      pen.lineTo(strip.x, y);
      pen.stroke();
    }
  }
  pen.font = font(scene, 12);
}

/** How many cuts are drawn of how many, '' where all are: of those beside one another the highest are.
 *  @param {CutPicture} given */
export function omittedCuts({ cuts, candidates }) {
  const drawn = cuts.reduce((sum, { threshold }) => sum + threshold.length, 0);
  return drawn < candidates ? `${grouped(drawn)} of ${grouped(candidates)} cuts` : "";
}

/** What the heights of the dots are, and how many there are where some are left out.
 *  @param {CutPicture} scene */
function heightsTold(scene) {
  const { asking, measure, unit } = scene;
  const left = omittedCuts(scene);
  const word = asking ? "cuts" : unit ? `${measure} (${unit})` : measure;
  return asking && left ? left : [word, left].filter(Boolean).join(" · ");
}

/** @param {Pen} pen @param {CutPicture} scene @param {number} x @param {number} y
 *  @param {number} r @param {number} flag @param {number} alpha */
function dot(pen, scene, x, y, r, flag, alpha) {
  pen.globalAlpha = scene.asking || flag & BOUNDARY ? alpha : 0.3;
  pen.beginPath();
  pen.arc(x, y, flag & ADMISSIBLE ? r : r + 0.4, 0, 2 * Math.PI);
  if (flag & ADMISSIBLE) {
    pen.fillStyle = scene.colours.accent;
    pen.fill();
  } else {
    pen.lineWidth = 1.2;
    pen.setLineDash([]);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Rings round the ties, a star on the best.
 *  @param {Pen} pen @param {CutPicture} scene @param {number} axis @param {number[][]} spots
 *  @param {Uint8Array} flags */
function marked(pen, scene, axis, spots, flags) {
  const [on, best] = scene.best ?? [-1, -1];
  pen.lineWidth = 1.5;
  if (scene.top > 0) {
    spots.forEach(([x, y], i) => {
      if (!(flags[i] & TIED) || (on === axis && i === best)) return;
      pen.beginPath();
      pen.arc(x, y, 6.5, 0, 2 * Math.PI);
      pen.stroke();
    });
  }
  if (on !== axis) return;
  pen.beginPath();
  mark(pen, "star", spots[best][0], spots[best][1], 8.5);
  pen.fillStyle = scene.colours.accent;
  pen.fill();
  pen.strokeStyle = scene.colours.paper;
  pen.lineWidth = 1;
  pen.stroke();
}

/** @param {Pen} pen @param {Layout} at @param {Picture} scene */
export function drawLegend(pen, at, scene) {
  if (scene.classes) classLegend(pen, scene, scene.classes, at.plane.x, at.width);
  else scaleBar(pen, at, scene);
}

/** The classes on one line, from a place across to another; those without room are counted.
 *  @param {Pen} pen @param {Ground} scene @param {Array<[name: string, ...unknown[]]>} classes
 *  @param {number} from @param {number} to */
export function classLegend(pen, scene, classes, from, to) {
  pen.font = font(scene, 12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  let x = from + 4;
  for (const [code, [name]] of classes.entries()) {
    const text = fitText(pen, name, Math.max(60, (to - from) / classes.length - 30));
    const w = pen.measureText(text).width + 30;
    const left = classes.length - code;
    if (x + w > to - (left > 1 ? 20 : -12)) {
      pen.fillStyle = scene.colours.muted;
      pen.fillText(`+${left}`, x, 9.5);
      break;
    }
    drawPoint(pen, scene, code, x + 5, 9, 5);
    pen.fillStyle = scene.colours.ink;
    pen.fillText(text, x + 15, 9.5);
    x += w;
  }
}

/** The colours of a number, in the corner between the two strips.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene */
function scaleBar(pen, at, scene) {
  if (scene.form !== "plane" || at.strips.length < 2) return;
  const { x, w } = at.strips[1];
  const { y, h } = at.strips[0];
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
