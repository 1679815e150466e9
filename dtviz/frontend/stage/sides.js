// The sides of a cut, two or one for each branch: their rows, their parts of the plane, the edges between them.
//
// Glossary
//   intervals  the values that a cut holds, in each interval beyond the first number and up to the second:
//              all up to the threshold; of a cut that is ALONE the band of one value of a category; of a
//              scattered subset the bands of all its values
//   TURNED     flag of a cut whose held values go right, and all others left
//   gutter     the part of an axis where the rows without a value stand. The gutter goes left where the cut
//              is flagged MISSING_LEFT, else right; where surrogates send each of its rows it is on no
//              side. A cut at the end of the gutter parts known values from missing ones
//   statistics of a side of the focus, counted from the points: the weight of each class; of a number the
//              weight, the mean and, over a strip, the sums of a regression, see predictionAt. Where not all
//              rows are drawn Python sends them, or nothing: then they are null

import { goesLeft } from "../lib/split.js";
import { isInFocus } from "./focus.js";
import { chord, divideRing, joinRings, ringAt } from "./rings.js";
import { divideAtLevel, levelCurves } from "./level_curves.js";

/** @import { CutBranches } from "../frames.d.ts" */
/** @import { Cut, CutPicture, Points, Ring } from "../types.d.ts" */

const [TURNED, ALONE, MISSING_LEFT] = [8, 16, 32]; // bits of AxisCuts.flags, see pictures/stage_cuts.py

/** @param {CutPicture} scene @param {Cut} cut */
export function thresholdOf(scene, [axis, i]) {
  return scene.cuts[axis].threshold[i];
}

/** The region of the focus in values.
 *  @param {CutPicture} scene */
export const focusOf = ({ regions, focus }) => ringAt(regions, regions.node.indexOf(focus));

/** @param {CutPicture} scene @param {Cut} cut @param {number} flag */
const hasFlag = (scene, [axis, i], flag) => Boolean(scene.cuts[axis].flags[i] & flag);

/** The values of a scattered subset as bits of their places, 0 for any other cut.
 *  @param {CutPicture} scene @param {Cut} cut */
export const subsetBits = (scene, [axis, i]) => scene.cuts[axis].scattered[i] ?? 0;

/** The branches of a multi-way cut, whose values stand one after the other from 0 on; null for any other cut.
 *  @param {CutPicture} scene @param {Cut} cut @returns {CutBranches | null} */
export const branchesOf = (scene, [axis]) => scene.cuts[axis].branches ?? null;

/** @param {CutPicture} scene @param {Cut} cut @returns {Array<[after: number, upTo: number]>} */
function intervalsOf(scene, cut) {
  const [threshold, bits] = [thresholdOf(scene, cut), subsetBits(scene, cut)];
  if (bits) return bandsOf(bits);
  if (threshold === gutterOf(scene, cut)) return [[-Infinity, hasFlag(scene, cut, MISSING_LEFT) ? -Infinity : Infinity]];
  return hasFlag(scene, cut, ALONE) ? [[threshold - 0.5, threshold + 0.5]] : [[-Infinity, threshold]];
}

/** The bands of the places given as bits; neighbouring bands are one interval.
 *  @param {number} bits */
function bandsOf(bits) {
  /** @type {Array<[after: number, upTo: number]>} */
  const bands = [];
  for (let place = 0; bits >> place; place++) {
    if (!((bits >> place) & 1)) continue;
    const last = bands.at(-1);
    if (last?.[1] === place - 0.5) last[1] = place + 0.5;
    else bands.push([place - 0.5, place + 0.5]);
  }
  return bands;
}

/** The end of the gutter of a cut's axis; -Infinity where there is no gutter.
 *  @param {CutPicture} scene @param {Cut} cut */
const gutterOf = (scene, [axis]) => [scene.across, scene.up][axis]?.gutter ?? -Infinity;

/** The names of the sides of a cut: the values of its branches, or yes and no where it names categories or missing values.
 *  These have no order, so that those on the side left in the tree may stand on the right here.
 *  @param {CutPicture} scene @param {Cut} cut */
export const sideNames = (scene, cut) =>
  branchesOf(scene, cut)?.name ?? ([scene.across, scene.up][cut[0]]?.lanes || thresholdOf(scene, cut) === gutterOf(scene, cut) ? ["yes", "no"] : ["left", "right"]);

/** Compute the statistics of each side of a cut of the focus.
 *  @param {CutPicture} scene @param {Points} cloud @param {Cut} cut @returns {number[][] | null} */
export function sideStatistics(scene, cloud, cut) {
  const branches = branchesOf(scene, cut);
  if (branches) return branchStatistics(branches);
  if (!scene.has_all_rows) return sentStatistics(scene, cut);
  const [intervals, isTurned] = [intervalsOf(scene, cut), hasFlag(scene, cut, TURNED)];
  const [gutter, missingLeft] = [gutterOf(scene, cut), hasFlag(scene, cut, MISSING_LEFT)];
  const { x, y, code, value, weight } = cloud;
  const values = [x, y, scene.slant?.score ?? x][cut[0]];
  const size = scene.classes ? scene.classes.length : 5;
  const statistics = { left: zeros(size), right: zeros(size) };
  const hasSurrogates = surrogateRows(scene, cut) > 0;
  for (let i = 0; i < values.length; i++) {
    if (!isInFocus(scene, i)) continue;
    const isMissing = values[i] < gutter || Number.isNaN(values[i]);
    if (isMissing && hasSurrogates) continue;
    const left = isMissing ? missingLeft : isHeld(intervals, values[i]) !== isTurned;
    const side = left ? statistics.left : statistics.right;
    const rowWeight = weight ? weight[i] : 1;
    if (scene.classes) side[code[i]] += rowWeight;
    else if (value) {
      // running means and products, so that sums of large numbers do not cancel
      side[0] += rowWeight;
      const [dx, dValue] = [x[i] - side[2], value[i] - side[1]];
      side[1] += (rowWeight * dValue) / side[0];
      side[2] += (rowWeight * dx) / side[0];
      side[3] += rowWeight * dx * (x[i] - side[2]);
      side[4] += rowWeight * dx * (value[i] - side[1]);
    }
  }
  return [statistics.left, statistics.right];
}

/** The statistics of each branch as Python sent them.
 *  @param {CutBranches} branches @returns {number[][] | null} */
function branchStatistics({ name, statistics }) {
  const size = (statistics?.length ?? 0) / name.length;
  return statistics ? Array.from(name, (_, k) => Array.from(statistics.subarray(k * size, (k + 1) * size))) : null;
}

/** @param {ReturnType<typeof intervalsOf>} intervals @param {number} value */
function isHeld(intervals, value) {
  for (let k = 0; k < intervals.length; k++) { // by index, which is faster than taking pairs apart for each row
    if (goesLeft(value, intervals[k][1]) && !goesLeft(value, intervals[k][0])) return true;
  }
  return false;
}

/** The statistics of both sides of a cut as Python sent them.
 *  @param {CutPicture} scene @param {Cut} cut @returns {number[][] | null} */
function sentStatistics(scene, [axis, i]) {
  const { statistics, index } = scene.cuts[axis];
  if (!statistics) return null;
  const size = statistics.left.length / index.length;
  /** @param {Int32Array | Float64Array} all */
  const ofCut = (all) => Array.from(all.subarray(i * size, (i + 1) * size));
  return [ofCut(statistics.left), ofCut(statistics.right)];
}

/** The prediction of a leaf with the rows of one side of a cut over a strip, at x: the mean, or the
 *  regression where leaves are regressions.
 *  @param {CutPicture} scene @param {number[]} side @param {number} x */
export function predictionAt(scene, side, x) {
  const { clock, gutter, lanes } = scene.across;
  const [, mean, meanX, squares, products] = side;
  const isRegression = scene.curves && !clock && !lanes && gutter === undefined && squares > 0;
  return isRegression ? mean + (products / squares) * (x - meanX) : mean;
}

/** The number of rows of the focus that surrogates send, since the rows lack the value.
 *  @param {CutPicture} scene @param {Cut} cut */
export const surrogateRows = (scene, cut) => (thresholdOf(scene, cut) === gutterOf(scene, cut) ? 0 : scene.cuts[cut[0]].surrogate_rows);

/** @param {number} size */
const zeros = (size) => Array.from({ length: size }, () => 0);

/** Divide a ring of values by a cut into its sides, [left, right] or one for each branch; any may be empty.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut */
export function partsOf(scene, ring, cut) {
  const branches = branchesOf(scene, cut);
  if (branches) return branchParts(scene, ring, cut, branches);
  if (cut[0] === 2 && scene.slant) return divideAtLevel(scene.slant.form, ring, thresholdOf(scene, cut));
  const [gutter, values] = divideAtGutter(ring, cut[0], gutterOf(scene, cut));
  let remainder = values;
  const [inner, outer] = [/** @type {number[][]} */ ([]), /** @type {number[][]} */ ([])];
  for (const [after, upTo] of intervalsOf(scene, cut)) {
    const [below, above] = divideRing(remainder, cut[0], after);
    const [inside, beyond] = divideRing(Float64Array.from(above), cut[0], upTo);
    inner.push(inside);
    outer.push(below);
    remainder = Float64Array.from(beyond);
  }
  const sides = [joinRings(inner), joinRings([...outer, Array.from(remainder)])];
  const [left, right] = hasFlag(scene, cut, TURNED) ? sides.toReversed() : sides;
  if (surrogateRows(scene, cut)) return [left, right];
  return hasFlag(scene, cut, MISSING_LEFT) ? [joinRings([gutter, left]), right] : [left, joinRings([gutter, right])];
}

/** The part of a ring that each branch has: a band. Values without a branch stand behind those with one; they, and rows
 *  without a value, go with the default branch.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut @param {CutBranches} branches */
function branchParts(scene, ring, cut, { name, default: place }) {
  const [gutter, values] = divideAtGutter(ring, cut[0], gutterOf(scene, cut));
  let remainder = values;
  const bands = name.map((_, k) => {
    const [band, others] = divideRing(remainder, cut[0], k + 0.5);
    remainder = Float64Array.from(others);
    return band;
  });
  return bands.map((band, k) => (k === place ? joinRings([gutter, band, Array.from(remainder)]) : band));
}

/** Divide a ring at the end of a gutter: the part in the gutter, and the part of known values.
 *  @param {Ring} ring @param {number} axis @param {number} end @returns {[number[], Ring]} */
function divideAtGutter(ring, axis, end) {
  if (end === -Infinity) return [[], ring];
  const [gutter, remainder] = divideRing(ring, axis, end);
  return [gutter, Float64Array.from(remainder)];
}

/** The edges of a cut in a ring of values, each from end to end: one or two, or those between its branches.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut */
export function cutEdges(scene, ring, cut) {
  const threshold = thresholdOf(scene, cut);
  if (cut[0] === 2 && scene.slant) return levelCurves(scene.slant.form, ring, threshold);
  const branchLimits = branchesOf(scene, cut)?.name.slice(1).map((_, k) => k + 0.5);
  const limits = branchLimits ?? (threshold === gutterOf(scene, cut) ? [threshold] : intervalsOf(scene, cut).flat());
  return limits.map((limit) => chordLine(ring, cut[0], limit)).filter((ends) => ends !== null);
}

/** The line of a cut in a ring of values: its upper or left end, then the other; or null.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut */
export const cutLine = (scene, ring, cut) =>
  (cut[0] === 2 || subsetBits(scene, cut) || branchesOf(scene, cut) ? null : chordLine(ring, cut[0], thresholdOf(scene, cut)));

/** @param {Ring} ring @param {number} axis @param {number} limit */
function chordLine(ring, axis, limit) {
  const ends = Number.isFinite(limit) ? chord(ring, axis, limit) : null;
  if (!ends) return null;
  const [low, high] = ends;
  return axis === 0 ? [limit, high, limit, low] : [low, limit, high, limit];
}
