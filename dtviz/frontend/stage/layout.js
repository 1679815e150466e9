// The layout of the stage: the places of plane, gain strips, ticks, regions and lines, in pixels.
//
// Glossary
//   plane       the rectangle with the points
//   gain strip  the rectangle of the gains of one axis: [0] of the feature across, beside the plane;
//               [1] of the feature up; [2] of the slant. `pixelOf(score)` is the pixel of a score in it
//   X, Y, S     functions from a value across, a value up, a score of the slant to a pixel
//   slant       a projection on neither axis
//   rings       the regions, by node; lines: those of the splits

import { linear, ticks } from "../draw/scales.js";
import { ringAt, toPixels } from "./rings.js";

/** @import { FrameAxis, Rung, Shapes } from "../frames.d.ts" */
/** @import { Layout, Picture, Rect, Ring, GainStrip, Tick } from "../types.d.ts" */

/** @typedef {(text: string) => number} TextWidth  the width of a text in pixels */

const LOW_HEIGHT = 340; // pixels; a stage that is less high has thinner gain strips
const MIN_HEIGHT = 220; // pixels of a stage, although a small window may give less, or none
const LEGEND_HEIGHT = 22;
const GAP = 8;
const LANE_HEIGHT = 14; // pixels that the name of a lane needs on the axis up
const MAX_LANE_WIDTH = 48; // pixels of the name of a lane on the axis across; a longer name is cut
const TEXT_GAP = 6;
const MISSING = "missing"; // the name of the gutter

/** Lay out a scene in a width.
 *  @param {number} width @param {Picture} scene @param {TextWidth} textWidth
 *  @param {number | false} [givenHeight]  the height that the page sets, raised to MIN_HEIGHT unless the picture
 *    is plain; false where the layout chooses the height @returns {Layout} */
export function layoutOf(width, scene, textWidth, givenHeight = false) {
  const isNarrow = width < 520;
  const isVeryNarrow = width < 280; // without room for the names of the axes
  const isPlane = scene.form === "plane";
  const headHeight = scene.classes && !scene.plain ? LEGEND_HEIGHT : 6;
  const hasGains = !scene.bare && scene.gains !== false;
  const isLow = givenHeight && givenHeight < LOW_HEIGHT;
  const thickness = hasGains ? (isLow ? 44 : isNarrow ? 62 : 92) : 0;
  const footHeight = isVeryNarrow ? 22 : 40;
  const slantHeight = hasGains && isPlane && scene.slant ? thickness + footHeight + GAP : 0;
  const height = givenHeight ? Math.max(givenHeight - slantHeight, scene.plain ? 0 : MIN_HEIGHT) : defaultHeight(width);
  const above = headHeight + (isPlane && hasGains ? thickness + GAP : 0);
  const below = footHeight + (!isPlane && hasGains ? thickness + 2 * GAP : 0);
  const h = height - above - below;
  const yTicks = ticksOf(scene.up, h, LANE_HEIGHT, isVeryNarrow ? 4 : isNarrow ? 5 : 6, () => LANE_HEIGHT);
  const tickWidth = Math.min(Math.max(...yTicks.map((tick) => textWidth(tick.text)), 10), width / 4);
  const left = tickWidth + (isVeryNarrow ? 12 : isNarrow ? 34 : 46); // ticks, and the name of the axis unless very narrow
  const right = isPlane && hasGains ? thickness + GAP + 4 : 8;
  const plane = { x: left, y: above, w: width - left - right, h };
  const X = linear(scene.across.low, scene.across.high, plane.x, plane.x + plane.w);
  const Y = linear(scene.up.low, scene.up.high, plane.y + plane.h, plane.y);
  /** @param {Shapes & { node: ArrayLike<string | number> }} shapes @returns {[node: string, ring: Ring][]} */
  const ringsInPixels = (shapes) => Array.from(shapes.node, (node, k) => [String(node), toPixels({ X, Y }, ringAt(shapes, k))]);
  const longestLane = Math.max(...(scene.across.lanes ?? []).map((text) => textWidth(text)));
  const laneWidth = Math.min(MAX_LANE_WIDTH, longestLane + TEXT_GAP);
  const xTicks = ticksOf(scene.across, plane.w, laneWidth, isVeryNarrow ? 3 : isNarrow ? 4 : 7, textWidth);
  const S = linear(scene.slant?.low ?? 0, scene.slant?.high ?? 1, plane.x, plane.x + plane.w);
  const slant = slantHeight ? { x: plane.x, y: height + GAP, w: plane.w, h: thickness } : null;
  return {
    width, height: height + slantHeight, isNarrow, isVeryNarrow, left, foot: height - footHeight, plane, X, Y, S,
    xTicks, yTicks, sTicks: scene.slant ? ticks(scene.slant.low, scene.slant.high, isNarrow ? 4 : 7) : [],
    gainStrips: hasGains ? gainStripsOf(scene, isPlane, plane, thickness, slant) : [],
    rings: new Map(scene.regions && ringsInPixels(scene.regions)),
    lines: scene.lines ? ringsInPixels(scene.lines).map(([, ring]) => ring) : [],
    spread: [Math.abs(X(scene.across.spread ?? 0) - X(0)), Math.abs(Y(scene.up.spread ?? 0) - Y(0))],
    spots: [new Float64Array(), new Float64Array()], // until the points are placed, see points.js
  };
}

/** The ticks of an axis of `length` pixels: about `count` numbers, or the names of lanes with `minRoom` pixels each.
 *  A gutter has a tick too, and ticks that the name of the gutter would touch are left out.
 *  @param {FrameAxis} axis @param {number} length @param {number} minRoom @param {number} count
 *  @param {TextWidth} textWidth @returns {Tick[]} */
export function ticksOf(axis, length, minRoom, count, textWidth) {
  const { gutter, ...inner } = axis;
  const { low, high, lanes } = inner;
  if (gutter === undefined) {
    return lanes ? laneTicks(lanes, length / lanes.length, minRoom) : numberTicks(axis, count, textWidth, length);
  }
  // halved, so that the largest floats do not overflow
  const gutterLength = (gutter / 2 - low / 2) / (high / 2 - low / 2) * length;
  const pixel = linear(low, high, 0, length);
  const nameEnd = gutterLength / 2 + textWidth(MISSING) / 2 + (lanes ? TEXT_GAP / 2 : TEXT_GAP);
  const valueTicks = ticksOf({ ...inner, low: gutter }, length - gutterLength, minRoom, count, textWidth)
    .filter(({ value, text, room = Infinity }) => pixel(value) - Math.min(textWidth(text), room) / 2 >= nameEnd);
  return [{ value: low / 2 + gutter / 2, text: MISSING }, ...valueTicks];
}

/** The ticks of lanes of `width` pixels each. Where that is less than `minRoom`, only every second or third lane
 *  has one, and so on.
 *  @param {string[]} lanes @param {number} width @param {number} minRoom @returns {Tick[]} */
function laneTicks(lanes, width, minRoom) {
  const step = Math.max(1, Math.ceil(minRoom / width));
  const named = lanes.map((text, value) => ({ value, text, room: step * width - TEXT_GAP }));
  return named.filter(({ value }) => value % step === 0);
}

/** About `count` ticks of an axis of `length` pixels; of a ladder, those of the narrowest step that have room.
 *  @param {FrameAxis} axis @param {number} count @param {TextWidth} textWidth
 *  @param {number} length @returns {Tick[]} */
function numberTicks({ low, high, ladder }, count, textWidth, length) {
  if (!ladder) return ticks(low, high, count);
  /** @param {Rung} rung */
  const fits = ({ text: texts }) => texts.length <= count + 1
    && texts.every((text) => textWidth(text) + 2 * TEXT_GAP <= length / texts.length);
  const rung = ladder.findLast(fits) ?? ladder[0];
  return rung ? Array.from(rung.value, (value, k) => ({ value, text: rung.text[k] })) : [];
}

/** @param {number} width */
function defaultHeight(width) {
  return Math.round(Math.max(width < 520 ? 400 : 430, Math.min(0.74 * width, 490)));
}

/** The gain strips: over and beside a plane, and one of the slant under it; of one feature, a strip below.
 *  @param {Picture} scene @param {boolean} isPlane @param {Rect} plane @param {number} thickness
 *  @param {Rect | null} slant @returns {GainStrip[]} */
function gainStripsOf(scene, isPlane, plane, thickness, slant) {
  // a margin keeps the largest score off the edge
  const maxScore = 1.12 * (scene.top && scene.top > 0 ? scene.top : 1);
  if (!isPlane) {
    const y = plane.y + plane.h + GAP;
    const strip = { x: plane.x, y, w: plane.w, h: thickness + GAP };
    return [{ ...strip, pixelOf: linear(0, maxScore, strip.y + strip.h - 1, strip.y) }];
  }
  const across = { x: plane.x, y: plane.y - GAP - thickness, w: plane.w, h: thickness };
  const up = { x: plane.x + plane.w + GAP, y: plane.y, w: thickness, h: plane.h };
  return [
    { ...across, pixelOf: linear(0, maxScore, across.y + across.h - 1, across.y) },
    { ...up, pixelOf: linear(0, maxScore, up.x + 1, up.x + up.w) },
    ...(slant ? [{ ...slant, pixelOf: linear(0, maxScore, slant.y + slant.h - 1, slant.y) }] : []),
  ];
}
