// A split on its way, over the stage: the line sweeps across the node to its place, then both sides
// take their colours from it outward, and the picture of the tree after it comes up.
//
// The film runs over the frame before a split and the one after it, whichever is the newer; see
// lib/motion.js. Only the node that is split is drawn at every time, all else is there already: the
// sheets that showed the stage before are put aside, and it is painted on others.
//
// Glossary
//   small, large  the pictures before the split and after it
//   sweep         how the line runs: where the height of `form` is `limit` in the end, from `from` on,
//                 in a region of heights `low` to `high`, all in pixels, see slant.js
//   zone          the part of the region that has the colours of the children already
//   shot          the stage at one time, on the sheets that showed it

import { element, penOf } from "../lib/dom.js";
import { between, during, eased } from "../lib/motion.js";
import { drawGround, isTinted, drawRegions } from "./draw.js";
import { size } from "./paint.js";
import { parts, trace } from "./rings.js";
import { scoreAt, levelCurves, divideAtLevel } from "./level_curves.js";

/** @import { Change } from "../lib/motion.js" */
/** @import { Layout, Path, Pen, Picture, Ring } from "../types.d.ts" */
/** @import { Shown } from "./stage.js" */

/**
 * @typedef {{ scene: Picture, at: Layout }} Laid
 * @typedef {Laid & ReturnType<typeof canvasStack>} Shot
 * @typedef {{ form: number[], ring: Ring, limit: number, from: number, low: number, high: number }} Sweep
 * @typedef {ReturnType<typeof progressAt>} Moment
 * @typedef {{ small: Shot, large: Shot, node: string, sweep: Sweep | null }} Film  without a sweep the
 *   two pictures only change softly
 * @typedef {Pen & { clip(rule: CanvasFillRule): void }} Clipper
 */

const NAMES = /** @type {const} */ (["floor", "tint", "still", "moving"]);

// --- where things are -----------------------------------------------------------------------------

/** How far everything is: the cut on the small picture goes, the line comes, both sides take their
 *  colours, the large picture comes; where no line runs the one picture goes as the other comes.
 *  @param {number} p @param {boolean} [runs] */
export const progressAt = (p, runs = true) => ({
  before: 1 - (runs ? during(p, 0, 0.2) : eased(during(p, 0.65, 1))),
  place: eased(during(p, 0, 0.55)),
  spread: eased(during(p, 0.4, 0.9)),
  after: eased(during(p, 0.65, 1)),
});

/** How the line of a node's split sweeps across its region; null where it is not one line or circle,
 *  or where the pictures have other axes.
 *  @param {Laid} small @param {Laid} large @param {string} node @returns {Sweep | null} */
export function sweepOf(small, large, node) {
  const ring = small.at.rings.get(node);
  const pieces = large.at.lines.filter((_, k) => large.scene.lines?.node[k] === node);
  if (!ring || !pieces.length || !sameAxes(small, large)) return null;
  const line = Float64Array.from(pieces.flatMap((piece) => Array.from(piece)));
  return straight(ring, line) ?? (small.scene.focus === node ? round(small, ring, line) : null);
}

/** @param {Laid} one @param {Laid} other */
function sameAxes(one, other) {
  /** @param {Laid} given */
  const told = ({ scene: { across, up }, at: { plane } }) => [plane, [across, up].map(({ low, high, places, gutter }) => [low, high, gutter, places])];
  return JSON.stringify(told(one)) === JSON.stringify(told(other));
}

/** From the edge of the region that is farther away.
 *  @param {Ring} ring @param {Ring} line @returns {Sweep | null} */
function straight(ring, line) {
  const [ax, ay, bx, by] = line;
  const form = [0, by - ay, ax - bx, 0, 0, 0, 0];
  const [[least, limit], [low, high]] = [line, ring].map((one) => span(form, one));
  if (limit - least > 1e-6 * (high - low)) return null;
  return { form, ring, limit, low, high, from: limit - low > high - limit ? low : high };
}

/** From the middle outward, where the line is one of the small picture's circles.
 *  @param {Laid} small @param {Ring} ring @param {Ring} line @returns {Sweep | null} */
function round({ scene: { slant }, at: { X, Y } }, ring, line) {
  if (!slant?.form[3] || !slant.form[4]) return null;
  const [wide, high] = [X(1) - X(0), Y(1) - Y(0)];
  const [, , , p, q, u, v] = slant.form;
  const form = [0, 0, 0, p / wide ** 2, q / high ** 2, X(u), Y(v)];
  const [least, limit] = span(form, line);
  if (least < 0.99 * limit) return null; // of another circle, or no circle
  return { form, ring, limit, low: 0, high: span(form, ring)[1], from: 0 };
}

/** The least and the largest height on the corners of a ring.
 *  @param {number[]} form @param {Ring} ring */
function span(form, ring) {
  const heights = parts(ring).flatMap((part) => Array.from({ length: part.length / 2 }, (_, k) => scoreAt(form, part[2 * k], part[2 * k + 1])));
  return [Math.min(...heights), Math.max(...heights)];
}

/** The height a share of the way between two; of a circle's the radius goes that share.
 *  @param {number[]} form @param {number} from @param {number} to @param {number} share */
const level = (form, from, to, share) => (form[3] ? between(Math.sqrt(from), Math.sqrt(to), share) ** 2 : between(from, to, share));

/** The line at a time.
 *  @param {Sweep} sweep @param {Moment} now */
export const lineAt = ({ form, ring, from, limit }, { place }) => levelCurves(form, ring, level(form, from, limit, place));

/** What has the children's colours at a time: from its line outward to both sides.
 *  @param {Sweep} sweep @param {Moment} now @returns {number[]} */
export function zoneAt({ form, ring, limit, low, high }, { spread }) {
  if (spread % 1 === 0) return spread ? [...ring] : [];
  const [inside] = divideAtLevel(form, ring, level(form, limit, high, spread));
  return divideAtLevel(form, Float64Array.from(inside), level(form, limit, low, spread))[1];
}

// --- the film --------------------------------------------------------------------------------------

/** What a stage is drawn on: its canvases, from back to front. */
export function canvasStack() {
  const whole = element("div", "sheets");
  const sheets = NAMES.map((name) => element("canvas", name));
  for (const canvas of sheets) canvas.setAttribute("aria-hidden", "true");
  whole.append(...sheets);
  const [floor, tint, still, moving] = sheets;
  return { whole, floor, tint, still, moving };
}

/** What the stage showed, on the sheets that show it: the stage is painted on others, not to be seen yet.
 *  @param {Shown} stage @param {Picture} scene @returns {Shot} */
export function takeSnapshot(stage, scene) {
  const { at, sheets, spare } = stage;
  Object.assign(stage, { sheets: spare, spare: sheets });
  return { scene, at, ...sheets };
}

/** Show on its way what the stage shows now, from a shot of before: this stays for one frame, so that
 *  a step is answered before its film is made ready.
 *  @param {Shown} stage @param {Shot} older @param {Change} change */
export function animateSplit({ film: canvas, sheets, scene, at, motion }, older, change) {
  const pen = size(canvas, at);
  const end = () => {
    pen.clearRect(0, 0, at.width, at.height);
    older.whole.classList.add("unseen");
    sheets.whole.classList.remove("unseen");
    for (const name of NAMES) penOf(older[name]).clearRect(0, 0, at.width, at.height); // not when a step waits for it
  };
  if (older.at.width !== at.width || older.at.height !== at.height) {
    end();
    return;
  }
  let frames = 0;
  /** @type {Film | null} */
  let film = null;
  motion.run(change.forward, (p) => {
    frames += 1;
    if (frames < 3) return; // the first is at once, the second before anything is painted
    film ??= filmed(older, { scene, at, ...sheets, still: copied(sheets.still) }, change);
    older.whole.classList.add("unseen");
    play(pen, film, p);
  }, end);
}

/** @param {Shot} older @param {Shot} newer @param {Change} change @returns {Film} */
function filmed(older, newer, { node, forward }) {
  const [small, large] = forward ? [older, newer] : [newer, older];
  const sweep = sweepOf(small, large, node);
  for (const one of [small, large]) {
    const pen = penOf(one.still); // it is painted anew before it is seen again
    /** @param {string} id */
    const strength = (id) => (isTinted(one.scene, id) ? 0 : 1);
    pen.globalCompositeOperation = "destination-over";
    drawGround(pen, one.at, one.scene, sweep ? (id) => (isOf(node, id) ? null : strength(id)) : strength);
    pen.globalCompositeOperation = "source-over";
  }
  return { small, large, node, sweep };
}

/** Whether a node is the one that is split, or one of its children.
 *  @param {string} node @param {string} id */
const isOf = (node, id) => id === node || BigInt(id) >> 1n === BigInt(node);

/** @param {HTMLCanvasElement} canvas */
function copied(canvas) {
  const sheet = document.createElement("canvas");
  Object.assign(sheet, { width: canvas.width, height: canvas.height });
  const pen = penOf(sheet);
  pen.drawImage(canvas, 0, 0);
  pen.setTransform(penOf(canvas).getTransform());
  return sheet;
}

/** Draw a time of the film.
 *  @param {CanvasRenderingContext2D} pen @param {Film} film @param {number} p */
function play(pen, film, p) {
  const { small, large, sweep } = film;
  const now = progressAt(p, sweep !== null);
  /** @param {CanvasImageSource} sheet @param {number} strength @param {GlobalCompositeOperation} how */
  const put = (sheet, strength, how) => {
    if (!strength) return;
    pen.globalAlpha = strength;
    pen.globalCompositeOperation = how;
    pen.drawImage(sheet, 0, 0, large.at.width, large.at.height);
  };
  pen.clearRect(0, 0, large.at.width, large.at.height);
  put(small.still, 1 - now.after, "source-over");
  put(large.still, now.after, "lighter"); // so that what is the same in both stays as it is
  put(small.tint, now.before, "destination-over");
  put(large.tint, now.after, "destination-over");
  if (sweep) {
    pen.globalCompositeOperation = "destination-over";
    drawSides(pen, film, sweep, now);
  }
  put(small.moving, now.before, "source-over");
  put(large.moving, now.after, "source-over");
  pen.globalCompositeOperation = "source-over";
  if (sweep) drawLine(pen, large.scene, sweep, now);
  pen.globalAlpha = 1;
}

/** The children's colours in their zone, and the node's own beside it.
 *  @param {Clipper} pen @param {Film} film @param {Sweep} sweep @param {Moment} now */
export function drawSides(pen, { small, large, node }, sweep, now) {
  const zone = Float64Array.from(zoneAt(sweep, now));
  const both = [
    { of: large, strong: 1 - now.after, own: (/** @type {string} */ id) => id !== node, beside: false },
    { of: small, strong: 1 - now.before, own: (/** @type {string} */ id) => id === node, beside: true },
  ];
  for (const { of: { at, scene }, strong, own, beside } of both) {
    pen.save();
    pen.beginPath();
    if (beside) pen.rect(0, 0, at.width, at.height);
    parts(zone).forEach((part) => enclose(pen, part));
    pen.clip("evenodd");
    drawRegions(pen, at, scene, (id) => (!isOf(node, id) || !own(id) ? null : isTinted(scene, id) ? strong : 1));
    pen.restore();
  }
}

/** @param {Path} pen @param {Ring} part */
function enclose(pen, part) {
  for (let k = 0; k < part.length; k += 2) {
    if (k) pen.lineTo(part[k], part[k + 1]);
    else pen.moveTo(part[k], part[k + 1]);
  }
  if (part.length) pen.closePath();
}

/** @param {Pen} pen @param {Picture} scene @param {Sweep} sweep @param {Moment} now */
function drawLine(pen, { colours: { accent } }, sweep, now) {
  pen.globalAlpha = Math.min(1, 8 * now.place, 1 - now.after);
  pen.strokeStyle = accent;
  pen.lineWidth = between(2.8, 1.4, now.after);
  pen.setLineDash([]);
  for (const edge of lineAt(sweep, now)) {
    trace(pen, edge);
    pen.stroke();
  }
}
