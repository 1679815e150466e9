// What goes left of a cut and what goes right: rows, parts of the plane, the edges between them.
//
// Glossary
//   runs     the places that a cut holds, of each run beyond the first number and up to the second:
//            all up to the threshold, of a cut that stands alone the band of one value of a category,
//            of a scattered subset the bands of all its values
//   turned   what a cut holds goes right, and all else left
//   gutter   the part of an axis where rows without a value stand: all of it goes left where the
//            cut is lost, else right, but where surrogates send each row: then it is on no side;
//            a cut at its end parts all that are known from these
//   sides    what the rows of the focus left and right of a cut weigh, by class (or that, their mean
//            and, over a strip, what their regression is made of: see heightOf), counted from the
//            points; where not all rows are drawn Python says it, or nothing: then they are null

import { goesLeft } from "../lib/split.js";
import { isInFocus } from "./paint.js";
import { chord, joinRings, divideRing, ringAt } from "./rings.js";
import { levelCurves, divideAtLevel } from "./level_curves.js";

/** @import { Cut, CutPicture, Points, Ring, SideStatistics } from "../types.d.ts" */

const [TURNED, ALONE, LOST] = [8, 16, 32];

/** @param {CutPicture} scene @param {Cut} given */
export function thresholdOf(scene, [axis, i]) {
  return scene.cuts[axis].threshold[i];
}

/** The region of the focus in values.
 *  @param {CutPicture} given */
export const focusOf = ({ regions, focus }) => ringAt(regions, regions.node.indexOf(focus));

/** @param {CutPicture} scene @param {Cut} given @param {number} flag */
const has = (scene, [axis, i], flag) => Boolean(scene.cuts[axis].flags[i] & flag);

/** The values of a scattered subset as bits of their places, 0 for any other cut.
 *  @param {CutPicture} scene @param {Cut} given */
export const subsetBits = (scene, [axis, i]) => scene.cuts[axis].scattered[i] ?? 0;

/** @param {CutPicture} scene @param {Cut} cut @returns {Array<[after: number, upTo: number]>} */
function runs(scene, cut) {
  const [limit, bits] = [thresholdOf(scene, cut), subsetBits(scene, cut)];
  if (bits) return bands(bits);
  if (limit === gutterOf(scene, cut)) return [[-Infinity, has(scene, cut, LOST) ? -Infinity : Infinity]];
  return has(scene, cut, ALONE) ? [[limit - 0.5, limit + 0.5]] : [[-Infinity, limit]];
}

/** The runs of places that a number has as bits.
 *  @param {number} bits */
function bands(bits) {
  /** @type {Array<[after: number, upTo: number]>} */
  const found = [];
  for (let place = 0; bits >> place; place++) {
    if (!((bits >> place) & 1)) continue;
    const last = found.at(-1);
    if (last?.[1] === place - 0.5) last[1] = place + 0.5;
    else found.push([place - 0.5, place + 0.5]);
  }
  return found;
}

/** Where the gutter of a cut's axis ends; nothing is below it where there is none.
 *  @param {CutPicture} scene @param {Cut} given */
const gutterOf = (scene, [axis]) => [scene.across, scene.up][axis]?.gutter ?? -Infinity;

/** @param {CutPicture} scene @param {Points} cloud @param {Cut} cut @returns {SideStatistics | null} */
export function sideStatistics(scene, cloud, cut) {
  if (!scene.whole) return weighed(scene, cut);
  const [held, turned] = [runs(scene, cut), has(scene, cut, TURNED)];
  const [gutter, lost] = [gutterOf(scene, cut), has(scene, cut, LOST)];
  const { x, y, code, value, weight } = cloud;
  const values = [x, y, scene.slant?.score ?? x][cut[0]];
  const size = scene.classes ? scene.classes.length : 5;
  const out = { left: zeros(size), right: zeros(size) };
  const away = surrogateRows(scene, cut);
  for (let i = 0; i < values.length; i++) {
    if (!isInFocus(scene, i) || (away && (values[i] < gutter || Number.isNaN(values[i])))) continue;
    const own = isHeld(held, values[i]);
    const left = values[i] < gutter || Number.isNaN(values[i]) ? lost : own !== turned;
    const side = left ? out.left : out.right;
    const heavy = weight ? weight[i] : 1;
    if (scene.classes) side[code[i]] += heavy;
    else if (value) {
      side[0] += heavy;
      const [apart, off] = [x[i] - side[2], value[i] - side[1]];
      side[1] += (heavy * off) / side[0];
      side[2] += (heavy * apart) / side[0];
      side[3] += heavy * apart * (x[i] - side[2]);
      side[4] += heavy * apart * (value[i] - side[1]);
    }
  }
  return out;
}

/** @param {ReturnType<typeof runs>} held @param {number} value */
function isHeld(held, value) {
  for (let k = 0; k < held.length; k++) if (goesLeft(value, held[k][1]) && !goesLeft(value, held[k][0])) return true;
  return false;
}

/** What Python says of the sides of a cut.
 *  @param {CutPicture} scene @param {Cut} given @returns {SideStatistics | null} */
function weighed(scene, [axis, i]) {
  const { weighed: told, index } = scene.cuts[axis];
  if (!told) return null;
  const size = told.left.length / index.length;
  /** @param {Int32Array | Float64Array} all */
  const own = (all) => Array.from(all.subarray(i * size, (i + 1) * size));
  return { left: own(told.left), right: own(told.right) };
}

/** What a leaf of one side of a cut over a strip would predict at a place across: the mean, or its
 *  regression where leaves are such.
 *  @param {CutPicture} scene @param {number[]} side @param {number} x */
export function predictionAt(scene, side, x) {
  const { clock, gutter, lanes } = scene.across;
  const [, mean, middle, squares, products] = side;
  const leans = scene.curves && !clock && !lanes && gutter === undefined && squares > 0;
  return leans ? mean + (products / squares) * (x - middle) : mean;
}

/** How many rows of the focus a surrogate sends, since they lack the value.
 *  @param {CutPicture} scene @param {Cut} cut */
export const surrogateRows = (scene, cut) => (thresholdOf(scene, cut) === gutterOf(scene, cut) ? 0 : scene.cuts[cut[0]].away);

/** @param {number} size */
const zeros = (size) => Array.from({ length: size }, () => 0);

/** What of a ring of values goes left and right of a cut: [left, right], either may be empty.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut */
export function halves(scene, ring, cut) {
  if (cut[0] === 2 && scene.slant) return divideAtLevel(scene.slant.form, ring, thresholdOf(scene, cut));
  const [gutter, known] = beside(ring, cut[0], gutterOf(scene, cut));
  let rest = known;
  const [own, others] = [/** @type {number[][]} */ ([]), /** @type {number[][]} */ ([])];
  for (const [after, upTo] of runs(scene, cut)) {
    const [before, behind] = divideRing(rest, cut[0], after);
    const [held, beyond] = divideRing(Float64Array.from(behind), cut[0], upTo);
    own.push(held);
    others.push(before);
    rest = Float64Array.from(beyond);
  }
  const found = [joinRings(own), joinRings([...others, Array.from(rest)])];
  const [left, right] = has(scene, cut, TURNED) ? found.toReversed() : found;
  if (surrogateRows(scene, cut)) return [left, right];
  return has(scene, cut, LOST) ? [joinRings([gutter, left]), right] : [left, joinRings([gutter, right])];
}

/** What of a ring stands in a gutter, and the rest of it.
 *  @param {Ring} ring @param {number} axis @param {number} end @returns {[number[], Ring]} */
function beside(ring, axis, end) {
  if (end === -Infinity) return [[], ring];
  const [gutter, rest] = divideRing(ring, axis, end);
  return [gutter, Float64Array.from(rest)];
}

/** The edges of a cut in a ring of values, each from end to end, one or two.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut */
export function cutEdges(scene, ring, cut) {
  if (cut[0] === 2 && scene.slant) return levelCurves(scene.slant.form, ring, thresholdOf(scene, cut));
  const limit = thresholdOf(scene, cut);
  const limits = limit === gutterOf(scene, cut) ? [limit] : runs(scene, cut).flat();
  const found = limits.map((one) => chordAt(ring, cut[0], one));
  return found.filter((ends) => ends !== null);
}

/** The line of a cut in a ring of values: its upper or left end, then the other; or null.
 *  @param {CutPicture} scene @param {Ring} ring @param {Cut} cut */
export const cutLine = (scene, ring, cut) =>
  (cut[0] === 2 || subsetBits(scene, cut) ? null : chordAt(ring, cut[0], thresholdOf(scene, cut)));

/** @param {Ring} ring @param {number} axis @param {number} limit */
function chordAt(ring, axis, limit) {
  const ends = Number.isFinite(limit) ? chord(ring, axis, limit) : null;
  if (!ends) return null;
  const [low, high] = ends;
  return axis === 0 ? [limit, high, limit, low] : [low, limit, high, limit];
}
