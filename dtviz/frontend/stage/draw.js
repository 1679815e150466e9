// The stage's still part, from back to front: regions, points, split lines, axes, gain curves.
//
// Glossary
//   ground    the regions under the points, in the colours of their predictions
//   strength  of a node's colour: 1 in full, 0 only the rim, null not even the rim

import { drawLine, drawRim, drawText, fillRing, parts, textWidth } from "../draw/marks.js";
import { bitmapOf, colourOf, isStamper, radius, stampOf } from "../draw/points.js";
import { rectContains } from "../draw/pointer.js";
import { drawAxes, drawBands, drawGains, drawLegend } from "./axes.js";
import { hasCuts, opacities } from "./focus.js";
import { ringAt, spanOf, toPixels } from "./rings.js";

/** @import { Curves, Shades } from "../frames.d.ts" */
/** @import { Layout, Pen, Picture, Points, Ring, Stamper } from "../types.d.ts" */

/** @typedef {(node: string) => number | null} Strength  the strength of a node's colour, see above */

/** Draw the whole still picture; `pen` is a canvas context or an SvgPen.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud */
export function draw(pen, layout, scene, cloud) {
  drawGround(pen, layout, scene);
  drawFigures(pen, layout, scene, cloud);
}

/** Draw the bands of categories and the regions, under the points.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Strength} [strength] */
export function drawGround(pen, layout, scene, strength) {
  drawBands(pen, layout, scene);
  drawRegions(pen, layout, scene, strength);
}

/** Draw the points and all over them.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud */
export function drawFigures(pen, layout, scene, cloud) {
  drawPoints(pen, layout, scene, cloud);
  if (scene.lines) drawSplitLines(pen, layout, scene, scene.lines.rule, cloud);
  const { fills, form, curves, classes } = scene;
  if (fills && form === "strip" && (curves || !classes)) drawPrediction(pen, layout, scene, fills);
  const focus = scene.is_focus_drawn && layout.rings.get(scene.focus ?? "");
  if (focus) drawRim(pen, focus, { stroke: scene.colours.accent, width: 2 });
  drawAxes(pen, layout, scene);
  if (hasCuts(scene)) layout.gainStrips.forEach((strip, axis) => drawGains(pen, layout, scene, strip, axis));
  if (!scene.plain) drawLegend(pen, layout, scene);
}

/** True if the colour of a node is drawn as part of the tint, where a previewed cut replaces it.
 *  @param {Picture} scene @param {string} node */
export const isTinted = (scene, node) => Boolean(scene.classes && hasCuts(scene) && scene.is_focus_drawn) && node === scene.focus;

/** Draw the regions of the leaves.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Strength} [strength] */
export function drawRegions(pen, layout, scene, strength = (node) => (isTinted(scene, node) ? 0 : 1)) {
  const { fills, classes, shades } = scene;
  if (!fills || (scene.form === "strip" && !classes)) return;
  /** @param {string} node */
  const leafStrength = (node) => (fills[node] === undefined ? 0 : strength(node) ?? 0);
  const shadedNodes = shades ? drawShades(pen, layout, scene, shades, leafStrength) : new Set();
  const alpha = classes ? (scene.colours.dark ? 0.24 : 0.15) : 0.45;
  for (const [node, ring] of layout.rings) {
    const code = fills[node];
    if (code === undefined || strength(node) === null) continue;
    const opacity = alpha * leafStrength(node);
    if (opacity && !shadedNodes.has(node)) fillRing(pen, ring, { fill: colourOf(scene, code), opacity });
    drawRim(pen, ring, { stroke: scene.colours.muted, opacity: 0.55 });
  }
}

/** Draw the parts of leaves whose prediction, or its certainty, varies, each part in its colour; returns the
 *  nodes of these leaves.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Shades} shades
 *  @param {(node: string) => number} leafStrength @returns {Set<string>} */
function drawShades(pen, layout, scene, shades, leafStrength) {
  const nodes = new Set();
  const evenShare = 1 / (scene.classes?.length ?? 1); // a class with this share is no more certain than a guess
  shades.code.forEach((code, k) => {
    const node = ownerOf(scene, shades, k);
    if (!leafStrength(node)) return;
    nodes.add(node);
    const certainty = scene.classes ? (shades.share[k] - evenShare) / (1 - evenShare) : 0;
    const opacity = leafStrength(node) * (scene.classes ? 0.04 + (scene.colours.dark ? 0.4 : 0.3) * certainty : 0.45);
    fillRing(pen, toPixels(layout, ringAt(shades, k)), { fill: colourOf(scene, code), opacity });
  });
  return nodes;
}

/** The node to which a shade or a curve belongs.
 *  @param {Picture} scene @param {Curves} curves @param {number} k */
const ownerOf = (scene, curves, k) => String(scene.regions?.node[curves.owner[k]]);

// --- points ---------------------------------------------------------------------------------------

/** Draw the points, the faintest first.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud */
function drawPoints(pen, layout, scene, cloud) {
  const [[faintOpacity, isFaint], ...layers] = opacities(scene);
  if (isStamper(pen) && cloud.x.length >= MIN_POINTS_ON_SHEET) {
    const [sheet, ratio] = [sheetOf(pen, layout, scene, cloud, faintOpacity), pen.getTransform().a];
    pen.drawImage(sheet, 0, 0, sheet.width / ratio, sheet.height / ratio);
  } else drawLayer(pen, layout, scene, cloud, faintOpacity, isFaint);
  for (const [opacity, hasPoint] of layers) drawLayer(pen, layout, scene, cloud, opacity, hasPoint);
}

/** Draw those points of a cloud that pass a test.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud @param {number} opacity
 *  @param {(i: number) => boolean} hasPoint */
function drawLayer(pen, layout, scene, cloud, opacity, hasPoint) {
  const r = radius(scene.many ?? cloud.x.length);
  const rows = Array.from(cloud.x.keys()).filter(hasPoint);
  if (isStamper(pen) && rows.length >= MIN_POINTS_ON_SHEET) {
    const bitmap = bitmapOf(pen, layout, scene, { ...cloud, spots: layout.spots }, (i) => (hasPoint(i) ? r : 0), opacity);
    pen.drawImage(bitmap, 0, 0, layout.width, layout.height);
    return;
  }
  const [xs, ys] = layout.spots;
  /** @type {Map<number, (x: number, y: number) => void>} */
  const stamps = new Map();
  for (const i of rows) {
    const code = cloud.code[i];
    const stamp = stamps.get(code) ?? stampOf(pen, scene, code, r, opacity);
    if (!stamps.has(code)) stamps.set(code, stamp);
    stamp(xs[i], ys[i]);
  }
}

const MIN_POINTS_ON_SHEET = 2000;
/** Sheets with all points of a cloud by its pixels across, each with what else it depends on.
 *  @type {WeakMap<Float64Array, { key: string, sheet: OffscreenCanvas }>} */
const sheets = new WeakMap();

/** A sheet with all points, faint: it is drawn once, since only the points of the focus change from step to step. They
 *  are drawn over it.
 *  @param {Stamper} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud @param {number} opacity */
function sheetOf(pen, layout, scene, cloud, opacity) {
  const { width, height, spots: [xs] } = layout;
  const ratio = pen.getTransform().a;
  const key = JSON.stringify([opacity, ratio, width, height, scene.classes, scene.scale, scene.colours, scene.many, scene.hollow]);
  const kept = sheets.get(xs);
  if (kept?.key === key) return kept.sheet;
  const r = radius(scene.many ?? cloud.x.length);
  const sheet = bitmapOf(pen, layout, scene, { ...cloud, spots: layout.spots }, () => r, opacity);
  sheets.set(xs, { key, sheet });
  return sheet;
}

// --- lines of the tree ----------------------------------------------------------------------------

/** @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {string[]} rules
 *  @param {Points} cloud */
function drawSplitLines(pen, layout, scene, rules, cloud) {
  const occupied = occupancyOf(layout, cloud, [...layout.lines, ...chosenLine(layout, scene)]);
  layout.lines.forEach((line, k) => {
    drawLine(pen, line, { stroke: scene.colours.ink, width: 1.4, opacity: 0.75 });
    drawRule(pen, layout, scene, line, rules[k], occupied);
  });
}

const CELL = 3; // pixels of a side of a cell

/** Corners of a box: left, top, right, bottom.
 *  @typedef {[x0: number, y0: number, x1: number, y1: number]} PixelBox */

/** The line of the chosen cut through the plane, else of the best; none if the cut is slanted.
 *  @param {Layout} layout @param {Picture} scene @returns {Ring[]} */
function chosenLine({ plane, X, Y }, scene) {
  const cut = hasCuts(scene) && (scene.chosen ?? scene.best);
  if (!cut || cut[0] > 1) return [];
  const threshold = scene.cuts[cut[0]].threshold[cut[1]];
  const [x, y] = [X(threshold), Y(threshold)];
  const line = cut[0] ? [plane.x, y, plane.x + plane.w, y] : [x, plane.y, x, plane.y + plane.h];
  return [Float64Array.from(line)];
}

/** A coarse grid of the cells that points, lines and labels cover.
 *  @param {Layout} layout @param {Points} cloud @param {Ring[]} lines */
function occupancyOf(layout, cloud, lines) {
  const columns = Math.ceil(layout.width / CELL) + 1;
  const cells = new Uint8Array(columns * (Math.ceil(layout.height / CELL) + 1));
  /** @param {PixelBox} box @param {(from: number, to: number) => void} visit */
  const visitRows = ([x0, y0, x1, y1], visit) => {
    const [left, right] = [Math.max(0, Math.floor(x0 / CELL)), Math.min(columns - 1, Math.floor(x1 / CELL))];
    for (let row = Math.max(0, Math.floor(y0 / CELL)); row <= y1 / CELL; row++) {
      visit(row * columns + left, row * columns + right + 1);
    }
  };
  /** @param {PixelBox} box */
  const take = (...box) => visitRows(box, (from, to) => cells.fill(1, from, to));
  /** @param {PixelBox} box */
  const isFree = (...box) => {
    let free = true;
    visitRows(box, (from, to) => { free &&= !cells.subarray(from, to).includes(1); });
    return free;
  };
  const r = radius(cloud.x.length) + 1;
  for (let i = 0; i < cloud.x.length; i++) {
    const [x, y] = [layout.spots[0][i], layout.spots[1][i]];
    take(x - r, y - r, x + r, y + r);
  }
  for (const line of lines) {
    for (let k = 2; k < line.length; k += 2) {
      const { low, high, rangeOver } = slopeOf(line.subarray(k - 2, k + 2), 1);
      for (let y = low; y <= high; y += CELL) {
        const bottom = Math.min(y + CELL, high);
        const [left, right] = rangeOver(y, bottom);
        take(left, y, right, bottom);
      }
    }
  }
  return { take, isFree };
}

/**
 * The ends of a line along an axis, low and high, and `rangeOver(a, b)`: the least and the largest number
 * on the other axis over a piece of the line.
 * @param {Ring} line @param {number} axis
 */
function slopeOf(line, axis) {
  const ends = [line.slice(0, 2), line.slice(-2)].toSorted((a, b) => a[axis] - b[axis]);
  const [[low, from], [high, to]] = ends.map((end) => [end[axis], end[1 - axis]]);
  /** @param {number} position */
  const crossing = (position) => from + ((to - from) * (position - low)) / (high - low);
  /** @param {number} a @param {number} b */
  const rangeOver = (a, b) => {
    const numbers = low < high ? [crossing(a), crossing(b)] : [from, to];
    return [Math.min(...numbers), Math.max(...numbers)];
  };
  return { low, high, rangeOver };
}

/** Write the rule of a split beside its line, where the text covers no point and no other label; else nowhere.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Ring} line
 *  @param {string} text @param {ReturnType<typeof occupancyOf>} occupied */
function drawRule(pen, layout, scene, line, text, occupied) {
  if (!text) return;
  const [w, h] = [textWidth(pen, scene, 11)(text) + 6, 15];
  const upright = isUpright(line);
  const length = upright ? h : w;
  const { low, high, rangeOver } = slopeOf(line, upright ? 1 : 0);
  const isOneSided = text.includes(" ≤ ") && isStraight(line); // a rule is written on the side where it holds
  for (let start = low + 2; start + length < high - 1; start += 2 * CELL) {
    const [from, to] = rangeOver(start, start + length);
    const corners = upright
      ? [[from - w - 4, start], [to + 4, start]]
      : [[start, to + 4], [start, from - h - 4]];
    for (const [x, y] of isOneSided ? corners.slice(0, 1) : corners) {
      if (!rectContains(layout.plane, x, y) || !rectContains(layout.plane, x + w, y + h)) continue;
      if (!occupied.isFree(x, y, x + w, y + h)) continue;
      drawText(pen, scene, text, x + 3, y + h / 2, { size: 11 });
      occupied.take(x, y, x + w, y + h);
      return;
    }
  }
}

/** True if a line runs along an axis.
 *  @param {Ring} line */
const isStraight = (line) => line[line.length - 1] === line[1] || line[line.length - 2] === line[0];

/** @param {Ring} line */
const isUpright = (line) => Math.abs(line[line.length - 1] - line[1]) > Math.abs(line[line.length - 2] - line[0]);

/** The predictions of leaves over a strip as lines in pixels, by node, each line from left to right.
 *  @param {Layout} layout @param {Picture} scene @returns {Map<string, Ring[]>} */
export function predictionLines(layout, scene) {
  /** @type {Map<string, Ring[]>} */
  const lines = new Map();
  const { curves } = scene;
  curves?.owner.forEach((_, k) => {
    const node = ownerOf(scene, curves, k);
    lines.set(node, [...(lines.get(node) ?? []), toPixels(layout, ringAt(curves, k))]);
  });
  for (const [node, ring] of layout.rings) {
    const value = scene.values?.[node];
    if (lines.has(node) || value === undefined) continue;
    lines.set(node, parts(ring).map((part) => {
      const [left, right] = spanOf(part, 0);
      return Float64Array.of(left, layout.Y(value), right, layout.Y(value));
    }));
  }
  return lines;
}

/** Draw the prediction over a strip as one step line: the mean or regression of each leaf, or of two classes the
 *  share of the second.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Record<string, number>} fills */
function drawPrediction(pen, layout, scene, fills) {
  const lines = [...predictionLines(layout, scene)].flatMap(([node, leafLines]) => (fills[node] === undefined ? [] : leafLines));
  const corners = lines.toSorted((a, b) => a[0] - b[0]).flatMap((line) => Array.from(line));
  drawLine(pen, corners, { stroke: scene.colours.dark ? "#f0a35e" : "#b34e00", width: 3 });
}
