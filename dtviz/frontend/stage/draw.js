// The stage's still part, from back to front: regions, points, split lines, axes, gain curves.

import { axes, gains, legend } from "./axes.js";
import { pixels, within } from "./layout.js";
import { boxOf, colourOf, font, isInside, one, radius } from "./paint.js";

/** @import { Layout, Pen, Picture, Points } from "../types.d.ts" */

/** Draw the whole still picture; `pen` is a canvas context or an SvgPen.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud */
export function draw(pen, at, scene, cloud) {
  pen.font = font(scene, 12);
  if (scene.boxes) regions(pen, at, scene);
  points(pen, at, scene, cloud);
  if (scene.lines) splitLines(pen, at, scene, cloud);
  if (scene.values && scene.form === "strip" && !scene.classes) steps(pen, at, scene);
  if (scene.seen) outline(pen, at, scene);
  axes(pen, at, scene);
  at.strips.forEach((strip, axis) => gains(pen, at, scene, strip, axis));
  if (!scene.plain) legend(pen, at, scene);
}

/** @param {Pen} pen @param {Layout} at @param {Picture} scene */
function regions(pen, at, scene) {
  if (scene.form === "strip" && !scene.classes) return;
  const shade = scene.classes ? (scene.colours.dark ? 0.24 : 0.15) : 0.45;
  for (const box of scene.boxes) {
    const fill = scene.fills[box[0]];
    if (fill === undefined) continue;
    const { x, y, w, h } = pixels(at, box);
    pen.fillStyle = colourOf(scene, fill);
    pen.globalAlpha = shade;
    const tinted = scene.classes && scene.chosen && box[0] === scene.focus;
    if (!tinted) pen.fillRect(x, y, w, h); // else the cut tints both sides
    pen.globalAlpha = 0.55;
    pen.strokeStyle = scene.colours.muted;
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.strokeRect(x, y, w, h);
  }
  pen.globalAlpha = 1;
}

// --- points ---------------------------------------------------------------------------------------

/** @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud */
function points(pen, at, scene, cloud) {
  const r = radius(scene.many ?? cloud.x.length);
  const faint = scene.classes && !scene.colours.dark ? 0.16 : 0.3;
  for (const inside of scene.inside ? [false, true] : [true]) {
    const alpha = inside ? 0.92 : faint;
    const stamps = new Map();
    for (let i = 0; i < cloud.x.length; i++) {
      if (isInside(scene, i) !== inside) continue;
      const code = cloud.code[i];
      const [x, y] = [at.spots[0][i], at.spots[1][i]];
      if (pen.drawImage) {
        if (!stamps.has(code)) stamps.set(code, stamp(pen, scene, code, r, alpha));
        stamps.get(code)(x, y);
      } else {
        pen.globalAlpha = alpha;
        one(pen, scene, code, x, y, r);
      }
    }
  }
  pen.globalAlpha = 1;
}

/** A function that puts the marker of a class on the canvas, drawn once and copied.
 *  @param {Pen} pen @param {Picture} scene @param {number} code @param {number} r
 *  @param {number} alpha */
function stamp(pen, scene, code, r, alpha) {
  const ratio = pen.getTransform().a;
  const size = Math.ceil((2.6 * r + 2) * ratio);
  const sheet = new OffscreenCanvas(size, size);
  const own = /** @type {OffscreenCanvasRenderingContext2D} */ (sheet.getContext("2d"));
  own.scale(ratio, ratio);
  own.globalAlpha = alpha;
  one(own, scene, code, size / ratio / 2, size / ratio / 2, r);
  return (x, y) => {
    const [px, py] = [Math.round(x * ratio - size / 2), Math.round(y * ratio - size / 2)];
    pen.drawImage(sheet, px / ratio, py / ratio, size / ratio, size / ratio);
  };
}

// --- lines of the tree ----------------------------------------------------------------------------

/** @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud */
function splitLines(pen, at, scene, cloud) {
  const taken = occupied(at, scene, cloud);
  pen.setLineDash([]);
  for (const line of scene.lines) {
    const [, axis, place, from, to] = line;
    pen.strokeStyle = scene.colours.ink;
    pen.globalAlpha = 0.75;
    pen.lineWidth = 1.4;
    pen.beginPath();
    if (axis === 0) {
      pen.moveTo(at.X(place), at.Y(from));
      pen.lineTo(at.X(place), at.Y(to));
    } else {
      pen.moveTo(at.X(from), at.Y(place));
      pen.lineTo(at.X(to), at.Y(place));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    label(pen, at, scene, line, taken);
  }
}

const CELL = 3;

/** A coarse grid of what points, lines and labels cover already.
 *  @param {Layout} at @param {Picture} scene @param {Points} cloud */
function occupied(at, scene, cloud) {
  const wide = Math.ceil(at.width / CELL) + 1;
  const cells = new Uint8Array(wide * (Math.ceil(at.height / CELL) + 1));
  const rows = (x0, y0, x1, y1, visit) => {
    const [left, right] = [Math.max(0, Math.floor(x0 / CELL)), Math.min(wide - 1, Math.floor(x1 / CELL))];
    for (let row = Math.max(0, Math.floor(y0 / CELL)); row <= y1 / CELL; row++) {
      visit(row * wide + left, row * wide + right + 1);
    }
  };
  const take = (...box) => rows(...box, (from, to) => cells.fill(1, from, to));
  const free = (...box) => {
    let found = true;
    rows(...box, (from, to) => { found &&= !cells.subarray(from, to).includes(1); });
    return found;
  };
  const r = radius(cloud.x.length) + 1;
  for (let i = 0; i < cloud.x.length; i++) {
    const [x, y] = [at.spots[0][i], at.spots[1][i]];
    take(x - r, y - r, x + r, y + r);
  }
  for (const [, axis, place, from, to] of scene.lines) {
    if (axis === 0) take(at.X(place), at.Y(to), at.X(place), at.Y(from));
    else take(at.X(from), at.Y(place), at.X(to), at.Y(place));
  }
  return { take, free };
}

/** The rule of a split beside its line, where no point and no other label stands; else nowhere.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene
 *  @param {[any, number, number, number, number, string]} given @param {any} taken */
function label(pen, at, scene, [, axis, place, from, to, text], taken) {
  if (!text) return;
  pen.font = font(scene, 11);
  const [w, h] = [pen.measureText(text).width + 6, 15];
  const [across, up] = [at.X(place), at.Y(place)]; // the one of its own axis counts
  const [low, high] = axis === 0 ? [at.Y(to), at.Y(from)] : [at.X(from), at.X(to)];
  const length = axis === 0 ? h : w;
  for (let along = low + 2; along + length < high - 1; along += 2 * CELL) {
    const spots = axis === 0
      ? [[across + 4, along], [across - w - 4, along]]
      : [[along, up - h - 4], [along, up + 4]];
    for (const [x, y] of spots) {
      if (!within(at.plane, x, y) || !within(at.plane, x + w, y + h)) continue;
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

/** f(x), the mean of each region, as a step line.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene */
function steps(pen, at, scene) {
  pen.strokeStyle = scene.colours.dark ? "#f0a35e" : "#b34e00";
  pen.lineWidth = 3;
  pen.setLineDash([]);
  pen.beginPath();
  let begun = false;
  for (const box of scene.boxes) {
    const value = scene.values[box[0]];
    if (value === undefined) continue;
    const y = at.Y(value);
    if (begun) pen.lineTo(at.X(box[1]), y);
    else pen.moveTo(at.X(box[1]), y);
    begun = true;
    pen.lineTo(at.X(box[2]), y);
  }
  pen.stroke();
}

/** @param {Pen} pen @param {Layout} at @param {Picture} scene */
function outline(pen, at, scene) {
  const { x, y, w, h } = pixels(at, boxOf(scene, scene.focus));
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 2;
  pen.setLineDash([]);
  pen.strokeRect(x, y, w, h);
}

