// The stage's still part, from back to front: regions, points, split lines, axes, gain curves.

import { number } from "./format.js";
import { pixels, within } from "./stage-layout.js";
import { mark } from "./marks.js";

/** The page's own font in a size. */
export function font(scene, size, weight = "") {
  return `${weight} ${size}px ${scene.family}`.trim();
}

const ADMISSIBLE = 1;
const BOUNDARY = 2;
const TIED = 4;

/** Draw the whole still picture; `pen` is a canvas context or an SvgPen. */
export function draw(pen, at, scene, cloud) {
  pen.font = font(scene, 12);
  if (scene.boxes) regions(pen, at, scene);
  points(pen, at, scene, cloud);
  if (scene.lines) splitLines(pen, at, scene, cloud);
  if (scene.values && scene.form === "strip" && !scene.classes) steps(pen, at, scene);
  if (scene.seen) outline(pen, at, scene);
  axes(pen, at, scene);
  at.strips.forEach((strip, axis) => gains(pen, at, scene, strip, axis));
  legend(pen, at, scene);
}

export function boxOf(scene, node) {
  return scene.boxes?.find((box) => box[0] === node);
}

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

export function colourOf(scene, code) {
  return scene.classes ? scene.classes[code][1] : scene.scale[code];
}

// --- points ---------------------------------------------------------------------------------------

export function radius(count) {
  return count <= 60 ? 5.2 : count <= 600 ? 3.8 : count <= 2500 ? 2.7 : count <= 8000 ? 2 : 1.5;
}

function points(pen, at, scene, cloud) {
  const r = radius(cloud.x.length);
  const faint = scene.classes ? 0.16 : 0.3;
  for (const inside of scene.inside ? [false, true] : [true]) {
    const alpha = inside ? 0.92 : faint;
    const stamps = new Map();
    for (let i = 0; i < cloud.x.length; i++) {
      if (isInside(scene, i) !== inside) continue;
      const code = cloud.code[i];
      const [x, y] = [at.X(cloud.x[i]), at.Y(cloud.y[i])];
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

/** Whether point i belongs to the focus (bits are packed, the first one highest). */
export function isInside(scene, i) {
  return !scene.inside || Boolean(scene.inside[i >> 3] & (128 >> (i & 7)));
}

/** A function that puts the marker of a class on the canvas, drawn once and copied. */
function stamp(pen, scene, code, r, alpha) {
  const ratio = pen.getTransform().a;
  const size = Math.ceil((2.6 * r + 2) * ratio);
  const sheet = new OffscreenCanvas(size, size);
  const own = sheet.getContext("2d");
  own.scale(ratio, ratio);
  own.globalAlpha = alpha;
  one(own, scene, code, size / ratio / 2, size / ratio / 2, r);
  return (x, y) => {
    const [px, py] = [Math.round(x * ratio - size / 2), Math.round(y * ratio - size / 2)];
    pen.drawImage(sheet, px / ratio, py / ratio, size / ratio, size / ratio);
  };
}

function one(pen, scene, code, x, y, r) {
  pen.beginPath();
  mark(pen, scene.classes ? scene.classes[code][2] : "circle", x, y, r);
  pen.fillStyle = colourOf(scene, code);
  pen.fill();
  if (r < 2.5) return;
  pen.strokeStyle = scene.classes ? scene.colours.paper : scene.colours.muted;
  pen.lineWidth = 0.6;
  pen.setLineDash([]);
  pen.stroke();
}

// --- lines of the tree ----------------------------------------------------------------------------

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

/** A coarse grid of what points, lines and labels cover already. */
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
    const [x, y] = [at.X(cloud.x[i]), at.Y(cloud.y[i])];
    take(x - r, y - r, x + r, y + r);
  }
  for (const [, axis, place, from, to] of scene.lines) {
    if (axis === 0) take(at.X(place), at.Y(to), at.X(place), at.Y(from));
    else take(at.X(from), at.Y(place), at.X(to), at.Y(place));
  }
  return { take, free };
}

/** The rule of a split beside its line, where no point and no other label stands; else nowhere. */
function label(pen, at, scene, [, axis, place, from, to, text], taken) {
  if (!text) return;
  pen.font = font(scene, 11);
  const [w, h] = [pen.measureText(text).width + 6, 15];
  const [across, up] = axis === 0 ? [at.X(place), null] : [null, at.Y(place)];
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

/** f(x), the mean of each region, as a step line. */
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

function outline(pen, at, scene) {
  const { x, y, w, h } = pixels(at, boxOf(scene, scene.focus));
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 2;
  pen.setLineDash([]);
  pen.strokeRect(x, y, w, h);
}

// --- axes, gains, legend --------------------------------------------------------------------------

function axes(pen, at, scene) {
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
  for (const { value, text } of at.xTicks) {
    const x = at.X(value);
    if (x < plane.x - 1 || x > plane.x + plane.w + 1) continue;
    pen.moveTo(x, foot);
    pen.lineTo(x, foot + 4);
    pen.fillText(text, x, foot + 7);
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of at.yTicks) {
    const y = at.Y(value);
    if (y < plane.y - 1 || y > plane.y + plane.h + 1) continue;
    pen.moveTo(plane.x - 4, y);
    pen.lineTo(plane.x, y);
    pen.fillText(fitted(pen, text, at.left - 34), plane.x - 7, y);
  }
  pen.moveTo(plane.x, plane.y);
  pen.lineTo(plane.x, plane.y + plane.h);
  pen.moveTo(plane.x, foot);
  pen.lineTo(plane.x + plane.w, foot);
  pen.stroke();
  titles(pen, at, scene);
}

function titles(pen, at, scene) {
  const { plane } = at;
  pen.font = font(scene, 13);
  pen.fillStyle = scene.colours.ink;
  pen.textAlign = "center";
  pen.textBaseline = "bottom";
  const middle = plane.x + plane.w / 2;
  pen.fillText(fitted(pen, scene.across.name, plane.w), middle, at.height - 2);
  pen.save();
  pen.translate(11, plane.y + plane.h / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = "middle";
  pen.fillText(fitted(pen, scene.up.name, plane.h), 0, 0);
  pen.restore();
  pen.font = font(scene, 12);
}

/** The text, cut so that it is no wider than `room`. */
function fitted(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  let cut = text;
  while (cut.length > 1 && pen.measureText(`${cut}…`).width > room) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** The place of cut i of an axis on its gain curve. */
export function peak(at, scene, axis, i) {
  const limit = Number(scene[`rule${axis}`][i]);
  const strip = at.strips[axis];
  const gain = strip.gain(scene.asking ? 0 : scene[`score${axis}`][i]);
  return axis === 0 ? [at.X(limit), gain] : [gain, at.Y(limit)];
}

function gains(pen, at, scene, strip, axis) {
  baseline(pen, scene, strip, axis);
  const flags = scene[`flags${axis}`];
  const spots = Array.from(flags, (_, i) => peak(at, scene, axis, i));
  pen.strokeStyle = scene.colours.accent;
  if (!scene.asking) {
    pen.globalAlpha = 0.45;
    pen.lineWidth = 1.2;
    pen.beginPath();
    spots.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
    pen.globalAlpha = 1;
  }
  const r = flags.length > 400 ? 1.4 : flags.length > 150 ? 2.2 : 3.2;
  spots.forEach(([x, y], i) => dot(pen, scene, x, y, r, flags[i]));
  marked(pen, scene, axis, spots, flags);
}

function baseline(pen, scene, strip, axis) {
  pen.strokeStyle = scene.colours.grid;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.beginPath();
  if (axis === 0) {
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
    const word = scene.unit ? `${scene.measure} (${scene.unit})` : scene.measure;
    pen.textAlign = "right";
    pen.textBaseline = "top";
    pen.fillText(scene.asking ? "cuts" : word, strip.x + strip.w - 2, strip.y);
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

function dot(pen, scene, x, y, r, flag) {
  pen.globalAlpha = scene.asking || flag & BOUNDARY ? 0.95 : 0.3;
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

/** Rings round the ties, a star on the best. */
function marked(pen, scene, axis, spots, flags) {
  const best = scene.best?.[0] === axis ? scene.best[1] : -1;
  pen.lineWidth = 1.5;
  if (scene.top > 0) {
    spots.forEach(([x, y], i) => {
      if (!(flags[i] & TIED) || i === best) return;
      pen.beginPath();
      pen.arc(x, y, 6.5, 0, 2 * Math.PI);
      pen.stroke();
    });
  }
  if (best < 0) return;
  pen.beginPath();
  mark(pen, "star", spots[best][0], spots[best][1], 8.5);
  pen.fillStyle = scene.colours.accent;
  pen.fill();
  pen.strokeStyle = scene.colours.paper;
  pen.lineWidth = 1;
  pen.stroke();
}

function legend(pen, at, scene) {
  pen.font = font(scene, 12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  if (!scene.classes) return scaleBar(pen, at, scene);
  if (scene.classes.length > 8) return undefined;
  let x = at.plane.x + 4;
  for (const [code, [name]] of scene.classes.entries()) {
    const text = fitted(pen, name, Math.max(60, (at.width - at.plane.x) / scene.classes.length - 30));
    const w = pen.measureText(text).width + 30;
    if (x + w > at.width + 12) break;
    one(pen, scene, code, x + 5, 9, 5);
    pen.fillStyle = scene.colours.ink;
    pen.fillText(text, x + 15, 9.5);
    x += w;
  }
  return undefined;
}

/** The colours of a number, in the corner between the two strips. */
function scaleBar(pen, at, scene) {
  if (scene.form !== "plane" || at.strips.length < 2) return;
  const { x, w } = at.strips[1];
  const { y, h } = at.strips[0];
  const cell = w / scene.scale.length;
  scene.scale.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(x + k * cell, y + h - 30, cell + 0.5, 9);
  });
  pen.fillStyle = scene.colours.muted;
  pen.font = font(scene, 11);
  pen.textBaseline = "top";
  pen.fillText(number(scene.low, 3), x, y + h - 17);
  pen.textAlign = "right";
  pen.fillText(number(scene.high, 3), x + w, y + h - 17);
  pen.textAlign = "left";
  pen.textBaseline = "bottom";
  pen.fillStyle = scene.colours.ink;
  pen.fillText(fitted(pen, scene.target, w), x, y + h - 34);
  pen.font = font(scene, 12);
}
