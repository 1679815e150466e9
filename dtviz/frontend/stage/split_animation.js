// The animation of a split on the stage: its line sweeps across the node to its place, then both sides
// take their colours outward from the line, and the picture of the larger tree fades in.
//
// The animation runs between the pictures before and after a split, forward or backward, see lib/motion.js.
// Only the node that is split is drawn at each time; all else is copied from the sheets that showed the
// pictures. The stage is painted on spare sheets meanwhile.
//
// Glossary
//   small, large  the pictures of the tree before the split and after it
//   sweep         the movement of the line: it is the level curve of `form` at a level that runs from `start`
//                 to `end`, in a region of levels `low` to `high`; all in pixels, see level_curves.js
//   zone          the part of the region that has the colours of the children already
//   snapshot      the stage at one time, with the sheets that show it

import { size } from "../draw/canvas.js";
import { drawLine as strokeLine, parts, trace } from "../draw/marks.js";
import { element, penOf } from "../lib/dom.js";
import { interpolate, phase, ease } from "../lib/motion.js";
import { drawGround, drawRegions, isTinted } from "./draw.js";
import { divideAtLevel, levelCurves, scoreAt } from "./level_curves.js";

/** @import { TreeChange } from "../lib/motion.js" */
/** @import { Layout, Pen, Picture, Ring } from "../types.d.ts" */
/** @import { ShownStage } from "./stage.js" */

/**
 * @typedef {{ scene: Picture, layout: Layout }} StagePicture
 * @typedef {StagePicture & ReturnType<typeof canvasStack>} Snapshot
 * @typedef {{ form: number[], ring: Ring, end: number, start: number, low: number, high: number }} Sweep
 * @typedef {ReturnType<typeof progressAt>} Progress
 * @typedef {{ small: Snapshot, large: Snapshot, node: string, sweep: Sweep | null }} SplitAnimation  without a
 *   sweep one picture fades into the other
 * @typedef {Pen & { clip(rule: CanvasFillRule): void }} Clipper
 */

const NAMES = /** @type {const} */ (["floor", "tint", "still", "moving"]);

// --- geometry -------------------------------------------------------------------------------------

/** The progress of each part of the animation at a time p: the cut of the small picture fades out, the line
 *  sweeps, the zone spreads, the large picture fades in. Without a line only the pictures fade.
 *  @param {number} p @param {boolean} [hasLine] */
export const progressAt = (p, hasLine = true) => ({
  smallOpacity: 1 - (hasLine ? phase(p, 0, 0.2) : ease(phase(p, 0.65, 1))),
  line: ease(phase(p, 0, 0.55)),
  zone: ease(phase(p, 0.4, 0.9)),
  largeOpacity: ease(phase(p, 0.65, 1)),
});

/** The sweep of a node's split across its region; null where the split is not one line or circle, or where
 *  the pictures have different axes.
 *  @param {StagePicture} small @param {StagePicture} large @param {string} node @returns {Sweep | null} */
export function sweepOf(small, large, node) {
  const ring = small.layout.rings.get(node);
  const pieces = large.layout.lines.filter((_, k) => large.scene.lines?.node[k] === node);
  if (!ring || !pieces.length || !haveEqualAxes(small, large)) return null;
  const line = Float64Array.from(pieces.flatMap((piece) => Array.from(piece)));
  return straightSweep(ring, line) ?? (small.scene.focus === node ? circleSweep(small, ring, line) : null);
}

/** @param {StagePicture} first @param {StagePicture} second */
function haveEqualAxes(first, second) {
  /** @param {StagePicture} picture */
  const axesOf = ({ scene: { across, up }, layout: { plane } }) =>
    [plane, [across, up].map(({ low, high, places, gutter }) => [low, high, gutter, places])];
  return JSON.stringify(axesOf(first)) === JSON.stringify(axesOf(second));
}

/** A sweep of a straight line, from the farther edge of the region; null if the line is not straight.
 *  @param {Ring} ring @param {Ring} line @returns {Sweep | null} */
function straightSweep(ring, line) {
  const [ax, ay, bx, by] = line;
  const form = [0, by - ay, ax - bx, 0, 0, 0, 0];
  const [[lowest, end], [low, high]] = [line, ring].map((corners) => levelRange(form, corners));
  if (end - lowest > 1e-6 * (high - low)) return null;
  return { form, ring, end, low, high, start: end - low > high - end ? low : high };
}

/** A sweep of a circle from its centre outward; null if the line is no circle of the small picture's slant.
 *  @param {StagePicture} small @param {Ring} ring @param {Ring} line @returns {Sweep | null} */
function circleSweep({ scene: { slant }, layout: { X, Y } }, ring, line) {
  if (!slant?.form[3] || !slant.form[4]) return null;
  const [unitX, unitY] = [X(1) - X(0), Y(1) - Y(0)];
  const [, , , p, q, u, v] = slant.form;
  const form = [0, 0, 0, p / unitX ** 2, q / unitY ** 2, X(u), Y(v)];
  const [lowest, end] = levelRange(form, line);
  if (lowest < 0.99 * end) return null;
  return { form, ring, end, low: 0, high: levelRange(form, ring)[1], start: 0 };
}

/** The lowest and the highest level of the corners of a ring.
 *  @param {number[]} form @param {Ring} ring */
function levelRange(form, ring) {
  const levels = parts(ring).flatMap((part) =>
    Array.from({ length: part.length / 2 }, (_, k) => scoreAt(form, part[2 * k], part[2 * k + 1])));
  return [Math.min(...levels), Math.max(...levels)];
}

/** The level at a share of the way between two; of a circle the radius grows evenly, whose square is the level.
 *  @param {number[]} form @param {number} from @param {number} to @param {number} share */
const levelBetween = (form, from, to, share) =>
  (form[3] ? interpolate(Math.sqrt(from), Math.sqrt(to), share) ** 2 : interpolate(from, to, share));

/** The line at a time, in pieces.
 *  @param {Sweep} sweep @param {Progress} progress */
export const lineAt = ({ form, ring, start, end }, { line }) => levelCurves(form, ring, levelBetween(form, start, end, line));

/** The zone at a time: from the line outward to both sides.
 *  @param {Sweep} sweep @param {Progress} progress @returns {number[]} */
export function zoneAt({ form, ring, end, low, high }, { zone }) {
  if (zone % 1 === 0) return zone ? [...ring] : [];
  const [below] = divideAtLevel(form, ring, levelBetween(form, end, high, zone));
  return divideAtLevel(form, Float64Array.from(below), levelBetween(form, end, low, zone))[1];
}

// --- the animation --------------------------------------------------------------------------------

/** Create the canvases that a stage is drawn on, from back to front. */
export function canvasStack() {
  const stack = element("div", "sheets");
  const sheets = NAMES.map((name) => element("canvas", name));
  for (const canvas of sheets) canvas.setAttribute("aria-hidden", "true");
  stack.append(...sheets);
  const [floor, tint, still, moving] = sheets;
  return { element: stack, floor, tint, still, moving };
}

/** Take the stage's sheets with what they show; the stage is painted on the spare ones, unseen so far.
 *  @param {ShownStage} stage @param {Picture} scene  the scene that the sheets show @returns {Snapshot} */
export function takeSnapshot(stage, scene) {
  const { layout, sheets, spare } = stage;
  Object.assign(stage, { sheets: spare, spare: sheets });
  return { scene, layout, ...sheets };
}

/** Animates the step from a snapshot to the present scene.
 *  @param {ShownStage} stage @param {Snapshot} older @param {TreeChange} change */
export function animateSplit({ animationCanvas, sheets, scene, layout, motion }, older, change) {
  const pen = size(animationCanvas, layout);
  const end = () => {
    pen.clearRect(0, 0, layout.width, layout.height);
    older.element.classList.add("unseen");
    sheets.element.classList.remove("unseen");
    // cleared now, so that the next step need not wait for it
    for (const name of NAMES) penOf(older[name]).clearRect(0, 0, layout.width, layout.height);
  };
  if (older.layout.width !== layout.width || older.layout.height !== layout.height) {
    end();
    return;
  }
  let frames = 0;
  /** @type {SplitAnimation | null} */
  let animation = null;
  motion.run(change.forward, (p) => {
    frames += 1;
    if (frames < 3) return; // the older picture stays for a frame: the step is answered before the animation is prepared
    animation ??= prepare(older, { scene, layout, ...sheets, still: copyOf(sheets.still) }, change);
    older.element.classList.add("unseen");
    drawAnimation(pen, animation, p);
  }, end);
}

/** Draw under each still sheet all regions but those of the split node and its children.
 *  @param {Snapshot} older @param {Snapshot} newer @param {TreeChange} change @returns {SplitAnimation} */
function prepare(older, newer, { node, forward }) {
  const [small, large] = forward ? [older, newer] : [newer, older];
  const sweep = sweepOf(small, large, node);
  for (const { still, scene, layout } of [small, large]) {
    const pen = penOf(still); // the sheet is painted anew before it is seen again
    /** @param {string} id */
    const strength = (id) => (isTinted(scene, id) ? 0 : 1);
    pen.globalCompositeOperation = "destination-over";
    drawGround(pen, layout, scene, sweep ? (id) => (isInSplit(node, id) ? null : strength(id)) : strength);
    pen.globalCompositeOperation = "source-over";
  }
  return { small, large, node, sweep };
}

/** True for the node that is split and for its children.
 *  @param {string} node @param {string} id */
const isInSplit = (node, id) => id === node || BigInt(id) >> 1n === BigInt(node);

/** @param {HTMLCanvasElement} canvas */
function copyOf(canvas) {
  const copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const pen = penOf(copy);
  pen.drawImage(canvas, 0, 0);
  pen.setTransform(penOf(canvas).getTransform());
  return copy;
}

/** Draw the animation at a time p.
 *  @param {CanvasRenderingContext2D} pen @param {SplitAnimation} animation @param {number} p */
function drawAnimation(pen, animation, p) {
  const { small, large, sweep } = animation;
  const progress = progressAt(p, sweep !== null);
  const { smallOpacity, largeOpacity } = progress;
  /** @param {CanvasImageSource} sheet @param {number} opacity @param {GlobalCompositeOperation} operation */
  const drawSheet = (sheet, opacity, operation) => {
    if (!opacity) return;
    pen.globalAlpha = opacity;
    pen.globalCompositeOperation = operation;
    pen.drawImage(sheet, 0, 0, large.layout.width, large.layout.height);
  };
  pen.clearRect(0, 0, large.layout.width, large.layout.height);
  drawSheet(small.still, 1 - largeOpacity, "source-over");
  drawSheet(large.still, largeOpacity, "lighter"); // opacities add up to 1 where both pictures are the same
  drawSheet(small.tint, smallOpacity, "destination-over");
  drawSheet(large.tint, largeOpacity, "destination-over");
  if (sweep) {
    pen.globalCompositeOperation = "destination-over";
    drawSides(pen, animation, sweep, progress);
  }
  drawSheet(small.moving, smallOpacity, "source-over");
  drawSheet(large.moving, largeOpacity, "source-over");
  pen.globalCompositeOperation = "source-over";
  if (sweep) drawLine(pen, large.scene, sweep, progress);
  pen.globalAlpha = 1;
}

/** Draw the colours of the children in the zone, and that of their parent outside it.
 *  @param {Clipper} pen @param {SplitAnimation} animation @param {Sweep} sweep @param {Progress} progress */
export function drawSides(pen, { small, large, node }, sweep, progress) {
  const zone = Float64Array.from(zoneAt(sweep, progress));
  const areas = [
    { picture: large, tinted: 1 - progress.largeOpacity, hasNode: (/** @type {string} */ id) => id !== node, isOutside: false },
    { picture: small, tinted: 1 - progress.smallOpacity, hasNode: (/** @type {string} */ id) => id === node, isOutside: true },
  ];
  for (const { picture: { layout, scene }, tinted, hasNode, isOutside } of areas) {
    pen.save();
    pen.beginPath();
    if (isOutside) pen.rect(0, 0, layout.width, layout.height);
    for (const part of parts(zone)) {
      trace(pen, part);
      if (part.length) pen.closePath();
    }
    pen.clip("evenodd"); // with the rectangle around it the zone is a hole
    drawRegions(pen, layout, scene, (id) => (!isInSplit(node, id) || !hasNode(id) ? null : isTinted(scene, id) ? tinted : 1));
    pen.restore();
  }
}

/** @param {Pen} pen @param {Picture} scene @param {Sweep} sweep @param {Progress} progress */
function drawLine(pen, { colours: { accent } }, sweep, progress) {
  const style = {
    stroke: accent, width: interpolate(2.8, 1.4, progress.largeOpacity), opacity: Math.min(1, 8 * progress.line, 1 - progress.largeOpacity),
  };
  for (const edge of lineAt(sweep, progress)) strokeLine(pen, edge, style);
}
