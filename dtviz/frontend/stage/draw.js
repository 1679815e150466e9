// The stage's still part, from back to front: regions, points, split lines, axes, gain curves.
//
// Glossary
//   ground    what lies under the points: the regions, in the colour of what they predict
//   strength  of a node's colour: 1 in full, 0 none but its rim, null not even that

import { drawAxes, drawBands, drawGains, drawLegend } from "./axes.js";
import { rectContains } from "./layout.js";
import { colourOf, font, hasCuts, drawPoint, radius, opacities } from "./paint.js";
import { fill, outline, parts, toPixels, ringAt, spanOf, trace } from "./rings.js";

/** @import { Curves, Shades } from "../frames.d.ts" */
/** @import { Layout, Pen, Picture, Points, Ring, Stamper } from "../types.d.ts" */

/** Draw the whole still picture; `pen` is a canvas context or an SvgPen.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud */
export function draw(pen, at, scene, cloud) {
  drawGround(pen, at, scene);
  drawFigures(pen, at, scene, cloud);
}

/** Draw what lies under the points.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Strength} [strength] */
export function drawGround(pen, at, scene, strength) {
  drawBands(pen, at, scene);
  drawRegions(pen, at, scene, strength);
}

/** Draw the points and what stands over them.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud */
export function drawFigures(pen, at, scene, cloud) {
  pen.font = font(scene, 12);
  points(pen, at, scene, cloud);
  if (scene.lines) splitLines(pen, at, scene, scene.lines.rule, cloud);
  if (scene.fills && scene.form === "strip" && (scene.curves || !scene.classes)) steps(pen, at, scene, scene.fills);
  const focus = scene.seen && at.rings.get(scene.focus ?? "");
  if (focus) frame(pen, scene, focus);
  drawAxes(pen, at, scene);
  if (hasCuts(scene)) at.strips.forEach((strip, axis) => drawGains(pen, at, scene, strip, axis));
  if (!scene.plain) drawLegend(pen, at, scene);
}

/** How strong the colour of a node is, see above.
 *  @typedef {(node: string) => number | null} Strength */

/** Whether the colour of a node is part of the tint: a cut that is looked at takes its place.
 *  @param {Picture} scene @param {string} node */
export const isTinted = (scene, node) => Boolean(scene.classes && hasCuts(scene) && scene.seen) && node === scene.focus;

/** Draw the regions of the leaves.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Strength} [strength] */
export function drawRegions(pen, at, scene, strength = (node) => (isTinted(scene, node) ? 0 : 1)) {
  const { fills, classes, shades: given } = scene;
  if (!fills || (scene.form === "strip" && !classes)) return;
  /** @param {string} node */
  const strong = (node) => (fills[node] === undefined ? 0 : strength(node) ?? 0);
  const shaded = given ? shades(pen, at, scene, given, strong) : new Set();
  const shade = classes ? (scene.colours.dark ? 0.24 : 0.15) : 0.45;
  for (const [node, ring] of at.rings) {
    const code = fills[node];
    if (code === undefined || strength(node) === null) continue;
    pen.fillStyle = colourOf(scene, code);
    pen.globalAlpha = shade * strong(node);
    if (pen.globalAlpha && !shaded.has(node)) fill(pen, ring);
    pen.globalAlpha = 0.55;
    pen.strokeStyle = scene.colours.muted;
    pen.lineWidth = 1;
    pen.setLineDash([]);
    outline(pen, ring);
  }
  pen.globalAlpha = 1;
}

/** The parts of leaves whose prediction varies, or that are more or less sure of it, each in its
 *  colour, as `strong` as its node is; and which nodes have some.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Shades} given
 *  @param {(node: string) => number} strong @returns {Set<string>} */
function shades(pen, at, scene, given, strong) {
  const found = new Set();
  const none = 1 / (scene.classes?.length ?? 1); // nothing is known of a class with such a share
  given.code.forEach((code, k) => {
    const node = ownerOf(scene, given, k);
    if (!strong(node)) return;
    found.add(node);
    const sure = scene.classes ? (given.share[k] - none) / (1 - none) : 0;
    pen.globalAlpha = strong(node) * (scene.classes ? 0.04 + (scene.colours.dark ? 0.4 : 0.3) * sure : 0.45);
    pen.fillStyle = colourOf(scene, code);
    fill(pen, toPixels(at, ringAt(given, k)));
  });
  pen.globalAlpha = 1;
  return found;
}

/** The node that a shade or a line is of.
 *  @param {Picture} scene @param {Curves} given @param {number} k */
const ownerOf = (scene, given, k) => String(scene.regions?.node[given.owner[k]]);

// --- points ---------------------------------------------------------------------------------------

/** @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud */
function points(pen, at, scene, cloud) {
  const r = radius(scene.many ?? cloud.x.length);
  const stamper = isStamper(pen) ? pen : null;
  for (const [alpha, drawn] of opacities(scene)) {
    /** @type {Map<number, (x: number, y: number) => void>} */
    const stamps = new Map();
    for (let i = 0; i < cloud.x.length; i++) {
      if (!drawn(i)) continue;
      const code = cloud.code[i];
      const [x, y] = [at.spots[0][i], at.spots[1][i]];
      if (stamper) {
        const put = stamps.get(code) ?? stamp(stamper, scene, code, r, alpha);
        if (!stamps.has(code)) stamps.set(code, put);
        put(x, y);
      } else {
        pen.globalAlpha = alpha;
        drawPoint(pen, scene, code, x, y, r);
      }
    }
  }
  pen.globalAlpha = 1;
}

/** @param {Pen} pen @returns {pen is Stamper} */
const isStamper = (pen) => "drawImage" in pen;

/** A function that puts the marker of a class on the canvas, drawn once and copied.
 *  @param {Stamper} pen @param {Picture} scene @param {number} code @param {number} r
 *  @param {number} alpha @returns {(x: number, y: number) => void} */
function stamp(pen, scene, code, r, alpha) {
  const ratio = pen.getTransform().a;
  const size = Math.ceil((2.6 * r + 2) * ratio);
  const sheet = new OffscreenCanvas(size, size);
  const own = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext("2d"));
  own.scale(ratio, ratio);
  own.globalAlpha = alpha;
  drawPoint(own, scene, code, size / ratio / 2, size / ratio / 2, r);
  return (x, y) => {
    const [px, py] = [Math.round(x * ratio - size / 2), Math.round(y * ratio - size / 2)];
    pen.drawImage(sheet, px / ratio, py / ratio, size / ratio, size / ratio);
  };
}

// --- lines of the tree ----------------------------------------------------------------------------

/** @param {Pen} pen @param {Layout} at @param {Picture} scene @param {string[]} rules
 *  @param {Points} cloud */
function splitLines(pen, at, scene, rules, cloud) {
  const taken = occupied(at, cloud, [...at.lines, ...ownCut(at, scene)]);
  pen.setLineDash([]);
  at.lines.forEach((line, k) => {
    pen.strokeStyle = scene.colours.ink;
    pen.globalAlpha = 0.75;
    pen.lineWidth = 1.4;
    trace(pen, line);
    pen.stroke();
    pen.globalAlpha = 1;
    label(pen, at, scene, line, rules[k], taken);
  });
}

const CELL = 3;

/** Corners of a box: left, top, right, bottom.
 *  @typedef {[x0: number, y0: number, x1: number, y1: number]} Box */

/** Where the cut that stays runs through the plane, unless it is slanted.
 *  @param {Layout} at @param {Picture} scene @returns {Ring[]} */
function ownCut({ plane, X, Y }, scene) {
  const cut = hasCuts(scene) && (scene.chosen ?? scene.best);
  if (!cut || cut[0] > 1) return [];
  const limit = scene.cuts[cut[0]].threshold[cut[1]];
  const line = cut[0] ? [plane.x, Y(limit), plane.x + plane.w, Y(limit)] : [X(limit), plane.y, X(limit), plane.y + plane.h];
  return [Float64Array.from(line)];
}

/** A coarse grid of what points, lines and labels cover already.
 *  @param {Layout} at @param {Points} cloud @param {Ring[]} lines */
function occupied(at, cloud, lines) {
  const wide = Math.ceil(at.width / CELL) + 1;
  const cells = new Uint8Array(wide * (Math.ceil(at.height / CELL) + 1));
  /** @param {Box} box @param {(from: number, to: number) => void} visit */
  const rows = ([x0, y0, x1, y1], visit) => {
    const [left, right] = [Math.max(0, Math.floor(x0 / CELL)), Math.min(wide - 1, Math.floor(x1 / CELL))];
    for (let row = Math.max(0, Math.floor(y0 / CELL)); row <= y1 / CELL; row++) {
      visit(row * wide + left, row * wide + right + 1);
    }
  };
  /** @param {Box} box */
  const take = (...box) => rows(box, (from, to) => cells.fill(1, from, to));
  /** @param {Box} box */
  const free = (...box) => {
    let found = true;
    rows(box, (from, to) => { found &&= !cells.subarray(from, to).includes(1); });
    return found;
  };
  const r = radius(cloud.x.length) + 1;
  for (let i = 0; i < cloud.x.length; i++) {
    const [x, y] = [at.spots[0][i], at.spots[1][i]];
    take(x - r, y - r, x + r, y + r);
  }
  for (const line of lines) {
    for (let k = 2; k < line.length; k += 2) {
      const { low, high, over } = leaning(line.subarray(k - 2, k + 2), 1);
      for (let y = low; y <= high; y += CELL) {
        const below = Math.min(y + CELL, high);
        const [left, right] = over(y, below);
        take(left, y, right, below);
      }
    }
  }
  return { take, free };
}

/**
 * A line from its low to its high end along an axis, and, `over` a piece of that, its least and its
 * largest number on the other axis.
 * @param {Ring} line @param {number} axis
 */
function leaning(line, axis) {
  const ends = [line.slice(0, 2), line.slice(-2)].toSorted((a, b) => a[axis] - b[axis]);
  const [[low, from], [high, to]] = ends.map((end) => [end[axis], end[1 - axis]]);
  /** @param {number} place */
  const at = (place) => from + ((to - from) * (place - low)) / (high - low);
  /** @param {number} a @param {number} b */
  const over = (a, b) => {
    const both = low < high ? [at(a), at(b)] : [from, to];
    return [Math.min(...both), Math.max(...both)];
  };
  return { low, high, over };
}

/** The rule of a split beside its line, where no point and no other label stands; else nowhere.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Ring} line
 *  @param {string} text @param {ReturnType<typeof occupied>} taken */
function label(pen, at, scene, line, text, taken) {
  if (!text) return;
  pen.font = font(scene, 11);
  const [w, h] = [pen.measureText(text).width + 6, 15];
  const upright = isUpright(line);
  const length = upright ? h : w;
  const { low, high, over } = leaning(line, upright ? 1 : 0);
  const isTrue = text.includes(" ≤ ") && isStraight(line); // the rule stands where it holds
  for (let along = low + 2; along + length < high - 1; along += 2 * CELL) {
    const [least, most] = over(along, along + length);
    const spots = upright
      ? [[least - w - 4, along], [most + 4, along]]
      : [[along, most + 4], [along, least - h - 4]];
    for (const [x, y] of isTrue ? spots.slice(0, 1) : spots) {
      if (!rectContains(at.plane, x, y) || !rectContains(at.plane, x + w, y + h)) continue;
      if (!taken.free(x, y, x + w, y + h)) continue;
      pen.fillStyle = scene.colours.ink;
      pen.textAlign = "left";
      pen.textBaseline = "middle";
      pen.fillText(text, x + 3, y + h / 2);
      taken.take(x, y, x + w, y + h);
      pen.font = font(scene, 12);
      return;
    }
  }
  pen.font = font(scene, 12);
}

/** Whether a line runs along an axis.
 *  @param {Ring} line */
const isStraight = (line) => line[line.length - 1] === line[1] || line[line.length - 2] === line[0];

/** @param {Ring} line */
const isUpright = (line) => Math.abs(line[line.length - 1] - line[1]) > Math.abs(line[line.length - 2] - line[0]);

/** The lines of leaves over a strip in pixels, by node: what each predicts from its left to its right.
 *  @param {Layout} at @param {Picture} scene @returns {Map<string, Ring[]>} */
export function treads(at, scene) {
  /** @type {Map<string, Ring[]>} */
  const found = new Map();
  const given = scene.curves;
  given?.owner.forEach((_, k) => {
    const node = ownerOf(scene, given, k);
    found.set(node, [...(found.get(node) ?? []), toPixels(at, ringAt(given, k))]);
  });
  for (const [node, ring] of at.rings) {
    const value = scene.values?.[node];
    if (found.has(node) || value === undefined) continue;
    found.set(node, parts(ring).map((part) => {
      const [left, right] = spanOf(part, 0);
      return Float64Array.of(left, at.Y(value), right, at.Y(value));
    }));
  }
  return found;
}

/** f(x), the mean of each region or its line, as a step line; of two classes the second's share.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Record<string, number>} fills */
function steps(pen, at, scene, fills) {
  pen.strokeStyle = scene.colours.dark ? "#f0a35e" : "#b34e00";
  pen.lineWidth = 3;
  pen.setLineDash([]);
  pen.beginPath();
  const lines = [...treads(at, scene)].flatMap(([node, some]) => (fills[node] === undefined ? [] : some));
  lines.toSorted((a, b) => a[0] - b[0]).forEach((line, which) => {
    for (let k = 0; k < line.length; k += 2) {
      if (which || k) pen.lineTo(line[k], line[k + 1]);
      else pen.moveTo(line[k], line[k + 1]);
    }
  });
  pen.stroke();
}

/** @param {Pen} pen @param {Picture} scene @param {Ring} ring */
function frame(pen, scene, ring) {
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 2;
  pen.setLineDash([]);
  outline(pen, ring);
}
