// What every criterion makes of two splits, also of those that a drag of one class has just made.
//
// Glossary
//   reached   the splits that Python sent scores for: its own two, and each with one class dragged

/** @import { Compared, Splits } from "../frames.d.ts" */
/** @import { TwoSplits } from "../types.d.ts" */

/** A criterion's scores of both splits; `better` is 1 for the first, -1 for the second, 0 for none.
 *  @typedef {{ scores: [number, number], better: number }} Verdict */

export const SIDES = /** @type {const} */ (["first", "second"]);

/** The verdict of each criterion, or null where Python has not sent what these splits score.
 *  @param {Splits} frame @param {TwoSplits} now @returns {Verdict[] | null} */
export function verdicts(frame, now) {
  if (String(frame.parent) !== String(now.parent)) return null;
  const changed = SIDES.flatMap((side, s) => frame.parent.flatMap((_, k) => (frame[side][k] === now[side][k] ? [] : [[s, k]])));
  if (changed.length > 1) return null;
  const [s, k] = changed[0] ?? [0, 0];
  /** @param {number} side */
  const at = (side) => place(frame, side, side === s ? k : 0, now);
  return frame.criteria.map((one) => verdict(one, at(0), at(1), s));
}

/** @param {Compared} criterion @param {number} first @param {number} second @param {number} dragged */
function verdict({ score, better }, first, second, dragged) {
  const sign = dragged ? -better[second] : better[first];
  return { scores: /** @type {[number, number]} */ ([score[first], score[second]]), better: sign || 0 };
}

/** Where the scores of a split stand, as class k has been dragged.
 *  @param {Splits} frame @param {number} side @param {number} k @param {TwoSplits} now */
function place({ parent }, side, k, now) {
  const sizes = parent.map((rows) => rows + 1);
  /** @param {number[]} some */
  const sum = (some) => some.reduce((one, other) => one + other, 0);
  return side * sum(sizes) + sum(sizes.slice(0, k)) + now[SIDES[side]][k];
}

/** Who prefers which: 'Entropy, Gini prefer A. Error scores both the same.'
 *  @param {Splits} frame @param {Verdict[]} found */
export function told({ criteria }, found) {
  /** @param {(one: Verdict) => boolean} suits */
  const some = (suits) => criteria.filter((_, k) => suits(found[k])).map(({ title }) => title);
  const whole = (/** @type {Verdict} */ { scores }) => scores.every((score) => !Number.isNaN(score));
  /** @type {Array<[names: string[], words: (many: boolean) => string]>} */
  const parts = [
    [some((one) => whole(one) && one.better > 0), (many) => (many ? "prefer A" : "prefers A")],
    [some((one) => whole(one) && one.better < 0), (many) => (many ? "prefer B" : "prefers B")],
    [some((one) => whole(one) && one.better === 0), (many) => (many ? "score both the same" : "scores both the same")],
  ];
  const words = parts.filter(([names]) => names.length).map(([names, say]) => `${names.join(", ")} ${say(names.length > 1)}.`);
  return words.join(" ") || "A side is empty: that is no split.";
}
