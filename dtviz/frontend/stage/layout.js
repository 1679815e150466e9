// Where everything of the stage stands, in pixels.
//
// Glossary
//   plane     the rectangle with the points
//   strips    the gains beside it: strips[0] of the feature across, strips[1] of the one up;
//             in each, `gain(score)` is a place between its base and its top
//   X, Y, S   from a value of the data to a place across and up; from a score of the slant across
//   slant     a line of cuts on neither axis: its gains stand under the plane, strips[2]
//   rings     of the regions, by node; lines: those of the splits

import { ticks } from "../lib/format.js";
import { toPixels, ringAt } from "./rings.js";

/** @import { FrameAxis, Rung, Shapes } from "../frames.d.ts" */
/** @import { Layout, Picture, Rect, Ring, Strip, Tick } from "../types.d.ts" */

const LOW = 290; // pixels of a stage below which its gains take less of them
const LEAST = 220; // pixels of a stage: a window that is drawn small may give less, or none
const LEGEND = 22;
const GAP = 8;
const LINE = 14; // pixels that a lane's name needs upwards,
const WORD = 48; // and across, if it is long: it is cut to what there is
const BESIDE = 6;
const MISSING = "missing";

/** The layout of a scene in a width; `measured` gives the width of a text.
 *  @param {number} width @param {Picture} scene @param {(text: string) => number} measured
 *  @param {number | false} [given]  the height there is, at least LEAST but for a plain picture @returns {Layout} */
export function layoutOf(width, scene, measured, given = false) {
  const small = width < 520;
  const tiny = width < 280; // room for the picture, none for the names of the axes
  const plane = scene.form === "plane";
  const head = scene.classes && !scene.plain ? LEGEND : 6;
  const gains = !scene.bare && scene.gains !== false;
  const low = given && given < LOW;
  const thick = gains ? (low ? 44 : small ? 62 : 92) : 0;
  const foot = tiny ? 22 : 40;
  const under = gains && plane && scene.slant ? thick + foot + GAP : 0;
  const height = given ? Math.max(given - under, scene.plain ? 0 : LEAST) : usualHeight(width);
  const above = head + (plane && gains ? thick + GAP : 0);
  const below = foot + (!plane && gains ? thick + 2 * GAP : 0);
  const h = height - above - below;
  const yTicks = ticksOf(scene.up, h, LINE, tiny ? 4 : small ? 5 : 6, () => LINE);
  const widest = Math.min(Math.max(...yTicks.map((tick) => measured(tick.text)), 10), width / 4);
  const left = widest + (tiny ? 12 : small ? 34 : 46); // ticks and, but where all is tiny, the name
  const right = plane && gains ? thick + GAP + 4 : 8;
  const box = { x: left, y: above, w: width - left - right, h };
  const X = scale(scene.across.low, scene.across.high, box.x, box.x + box.w);
  const Y = scale(scene.up.low, scene.up.high, box.y + box.h, box.y);
  /** @param {Shapes & { node: ArrayLike<string | number> }} some @returns {[node: string, ring: Ring][]} */
  const shapes = (some) => Array.from(some.node, (node, k) => [String(node), toPixels({ X, Y }, ringAt(some, k))]);
  const long = Math.max(...(scene.across.lanes ?? []).map((text) => measured(text)));
  const least = Math.min(WORD, long + BESIDE);
  const across = ticksOf(scene.across, box.w, least, tiny ? 3 : small ? 4 : 7, measured);
  const S = scale(scene.slant?.low ?? 0, scene.slant?.high ?? 1, box.x, box.x + box.w);
  const slant = under ? { x: box.x, y: height + GAP, w: box.w, h: thick } : null;
  return {
    width, height: height + under, small, tiny, left, foot: height - foot, plane: box, X, Y, S,
    xTicks: across, yTicks, sTicks: scene.slant ? ticks(scene.slant.low, scene.slant.high, small ? 4 : 7) : [],
    strips: gains ? strips(scene, plane, box, thick, slant) : [],
    rings: new Map(scene.regions && shapes(scene.regions)),
    lines: scene.lines ? shapes(scene.lines).map(([, ring]) => ring) : [],
    spots: [new Float64Array(), new Float64Array()], // until the points are placed, see points.js
  };
}

/** The ticks of an axis so many pixels long: about `most` numbers, or lanes that have `least` room;
 *  and one of the gutter, in full: what it would touch is not named.
 *  @param {FrameAxis} axis @param {number} length @param {number} least @param {number} most
 *  @param {(text: string) => number} measured @returns {Tick[]} */
function ticksOf(axis, length, least, most, measured) {
  const { gutter, ...inner } = axis;
  const { low, high, lanes } = inner;
  if (gutter === undefined) {
    return lanes ? laneTicks(lanes, length / lanes.length, least) : numberTicks(axis, most, measured, length);
  }
  const beside = (gutter / 2 - low / 2) / (high / 2 - low / 2) * length;
  const place = scale(low, high, 0, length);
  const clear = beside / 2 + measured(MISSING) / 2 + (lanes ? BESIDE / 2 : BESIDE);
  const apart = ticksOf({ ...inner, low: gutter }, length - beside, least, most, measured)
    .filter(({ value, text, room = Infinity }) => place(value) - Math.min(measured(text), room) / 2 >= clear);
  return [{ value: low / 2 + gutter / 2, text: MISSING }, ...apart];
}

/** The names of lanes of so many pixels each; where one has less room than `least`, only every so
 *  many are named.
 *  @param {string[]} lanes @param {number} each @param {number} least @returns {Tick[]} */
function laneTicks(lanes, each, least) {
  const every = Math.max(1, Math.ceil(least / each));
  const named = lanes.map((text, value) => ({ value, text, room: every * each - BESIDE }));
  return named.filter(({ value }) => value % every === 0);
}

/** About `most` ticks of an axis so many pixels long; of a clock the narrowest step that has room,
 *  where `measured` gives what a text takes.
 *  @param {FrameAxis} axis @param {number} most @param {(text: string) => number} measured
 *  @param {number} length @returns {Tick[]} */
function numberTicks({ low, high, ladder }, most, measured, length) {
  if (!ladder) return ticks(low, high, most);
  /** @param {Rung} rung */
  const fits = ({ text }) => text.length <= most + 1
    && text.every((one) => measured(one) + 2 * BESIDE <= length / text.length);
  const rung = ladder.findLast(fits) ?? ladder[0];
  return rung ? Array.from(rung.value, (value, k) => ({ value, text: rung.text[k] })) : [];
}

/** @param {number} width */
function usualHeight(width) {
  return Math.round(Math.max(width < 520 ? 400 : 430, Math.min(0.74 * width, 490)));
}

/** @param {Picture} scene @param {boolean} plane @param {Rect} box @param {number} thick
 *  @param {Rect | null} slant @returns {Strip[]} */
function strips(scene, plane, box, thick, slant) {
  const top = 1.12 * (scene.top && scene.top > 0 ? scene.top : 1);
  if (!plane) {
    const y = box.y + box.h + GAP;
    const strip = { x: box.x, y, w: box.w, h: thick + GAP };
    return [{ ...strip, gain: scale(0, top, strip.y + strip.h - 1, strip.y) }];
  }
  const over = { x: box.x, y: box.y - GAP - thick, w: box.w, h: thick };
  const beside = { x: box.x + box.w + GAP, y: box.y, w: thick, h: box.h };
  return [
    { ...over, gain: scale(0, top, over.y + over.h - 1, over.y) },
    { ...beside, gain: scale(0, top, beside.x + 1, beside.x + beside.w) },
    ...(slant ? [{ ...slant, gain: scale(0, top, slant.y + slant.h - 1, slant.y) }] : []),
  ];
}

/** From values to pixels; halves are taken first, so that the largest floats do not overflow.
 *  @param {number} low @param {number} high @param {number} from @param {number} to
 *  @returns {(value: number) => number} */
function scale(low, high, from, to) {
  const span = high / 2 - low / 2;
  return (value) => from + (to - from) * ((value / 2 - low / 2) / span);
}

/** Whether a place lies in a rectangle, or no more than `more` pixels beside it.
 *  @param {Rect} rect @param {number} x @param {number} y @param {number} [more] */
export function rectContains(rect, x, y, more = 0) {
  return x >= rect.x - more && x <= rect.x + rect.w + more
    && y >= rect.y - more && y <= rect.y + rect.h + more;
}
