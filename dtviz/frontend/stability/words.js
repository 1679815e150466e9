// What the page says of a tree: its name, and how much it changes.

import { number } from "../lib/format.js";

/** @import { StabilityPicture } from "../types.d.ts" */

/** What a tree is called.
 *  @param {StabilityPicture} frame @param {number} place */
export const nameOf = ({ each, number: names }, place) => `${each ? "without row" : "tree"} ${names[place] + 1}`;

/** A change as it is told: a share, or a number.
 *  @param {StabilityPicture} frame @param {number} value */
export const changeText = ({ percent }, value) => (percent ? `${number(100 * value, 3)}\u00a0%` : number(value, 3));

/** Whether a tree is the full one: it has the same cuts, and predicts the same.
 *  @param {StabilityPicture} frame @param {number} place */
const alike = ({ same, change, moved }, place) => same[place] && !change[place] && !moved[place];

/** How much a tree changes, in a word or two.
 *  @param {StabilityPicture} frame @param {number} place */
export const briefly = (frame, place) => (alike(frame, place) ? "the same" : changeText(frame, frame.change[place]));

/** A tree in a sentence; what to do where none is looked at.
 *  @param {StabilityPicture} frame @param {number} place */
export function told(frame, place) {
  if (place < 0) return frame.each ? "Point at a row, or tap it: the tree without it." : "Point at a tree of the list, or tap it.";
  const name = nameOf(frame, place);
  const head = name[0].toUpperCase() + name.slice(1);
  if (alike(frame, place)) return `${head}: the same tree, cut for cut.`;
  const [plane, rows] = [frame.change[place], frame.moved[place]].map((value) => changeText(frame, value));
  const cuts = frame.same[place] ? "; the cuts are the same" : "";
  const root = frame.root[place] ? "; its first cut is another" : cuts;
  return frame.percent
    ? `${head}: ${plane} of the picture and ${rows} of the rows are predicted otherwise${root}.`
    : `${head}: predicts ${plane} otherwise over the picture, ${rows} at the rows, on average${root}.`;
}

/** What is said of a point beside its values.
 *  @param {StabilityPicture} frame @param {number} i */
export function ofPoint(frame, i) {
  const place = frame.tree[i];
  if (frame.each && place >= 0) return `${nameOf(frame, place)}: ${alike(frame, place) ? "the same tree" : `${changeText(frame, frame.change[place])} changes`}`;
  const waver = changeText(frame, frame.wavers[i]);
  return frame.percent ? `${waver} of the trees predict otherwise` : `the trees predict ${waver} otherwise`;
}
