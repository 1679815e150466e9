// Verdict of every criterion on two splits: those of the frame, and those that a drag of one class makes of these.
//
// Python sends the scores of the two splits, and of each with one class dragged to any number of rows.

/** @import { CriterionScores, Splits } from "../frames.d.ts" */
/** @import { TwoSplits } from "../types.d.ts" */

/** Scores of both splits under a criterion; `better` is 1 for the first, -1 for the second, 0 for neither.
 *  @typedef {{ scores: [number, number], better: number }} Verdict */

export const SPLIT_KEYS = /** @type {const} */ (["first", "second"]);

/** Verdict of each criterion, or null where Python has not sent the scores of these splits.
 *  @param {Splits} frame @param {TwoSplits} splits @returns {Verdict[] | null} */
export function verdicts(frame, splits) {
  if (String(frame.parent) !== String(splits.parent)) return null;
  const changes = SPLIT_KEYS.flatMap((side, s) => frame.parent.flatMap((_, k) => (frame[side][k] === splits[side][k] ? [] : [[s, k]])));
  if (changes.length > 1) return null;
  const [s, k] = changes[0] ?? [0, 0];
  const [first, second] = [0, 1].map((side) => scoreIndex(frame, side, side === s ? k : 0, splits));
  return frame.criteria.map((criterion) => verdict(criterion, first, second, s));
}

/** @param {CriterionScores} criterion @param {number} first  index of its score @param {number} second
 *  @param {number} dragged  0 if the first split was dragged, 1 if the second */
function verdict({ score, better }, first, second, dragged) {
  const sign = dragged ? -better[second] : better[first];
  return { scores: /** @type {[number, number]} */ ([score[first], score[second]]), better: sign || 0 };
}

/** Index of the score of a split whose class k was dragged.
 *  @param {Splits} frame @param {number} side @param {number} k @param {TwoSplits} splits */
function scoreIndex({ parent }, side, k, splits) {
  const sizes = parent.map((rows) => rows + 1);
  /** @param {number[]} numbers */
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  return side * sum(sizes) + sum(sizes.slice(0, k)) + splits[SPLIT_KEYS[side]][k];
}

/** Text of the verdicts: 'Entropy, Gini prefer A. Error scores both the same.'
 *  @param {Splits} frame @param {Verdict[]} results */
export function verdictText({ criteria }, results) {
  /** @param {(better: number) => boolean} suits */
  const titlesOf = (suits) => criteria
    .filter((_, k) => results[k].scores.every((score) => !Number.isNaN(score)) && suits(results[k].better))
    .map(({ title }) => title);
  /** @type {Array<[titles: string[], singular: string, plural: string]>} */
  const parts = [
    [titlesOf((better) => better > 0), "prefers A", "prefer A"],
    [titlesOf((better) => better < 0), "prefers B", "prefer B"],
    [titlesOf((better) => better === 0), "scores both the same", "score both the same"],
  ];
  const sentences = parts.filter(([titles]) => titles.length)
    .map(([titles, singular, plural]) => `${titles.join(", ")} ${titles.length > 1 ? plural : singular}.`);
  return sentences.join(" ") || "A side is empty: that is no split.";
}
