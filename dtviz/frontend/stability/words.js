// Texts of the page Stability: the name of a tree, and how much the tree differs from the full tree.

import { number } from "../lib/format.js";

/** @import { StabilityPicture } from "../types.d.ts" */

/** Name of a tree.
 *  @param {StabilityPicture} frame @param {number} place */
export const nameOf = ({ is_leave_one_out: isLeaveOneOut, tree_number: names }, place) => `${isLeaveOneOut ? "without row" : "tree"} ${names[place] + 1}`;

/** Text of a change: in per cent where it is a share.
 *  @param {StabilityPicture} frame @param {number} value */
export const changeText = ({ percent }, value) => (percent ? `${number(100 * value, 3)}\u00a0%` : number(value, 3));

/** True if a tree has the cuts and the predictions of the full tree.
 *  @param {StabilityPicture} frame @param {number} place */
const isFullTree = ({ has_same_cuts: hasSameCuts, change, row_change: rowChange }, place) => hasSameCuts[place] && !change[place] && !rowChange[place];

/** Label of a tree in the list: its change over the picture.
 *  @param {StabilityPicture} frame @param {number} place */
export const changeLabel = (frame, place) => (isFullTree(frame, place) ? "the same" : changeText(frame, frame.change[place]));

/** Headline on a tree; a hint for the full tree.
 *  @param {StabilityPicture} frame @param {number} place */
export function headline(frame, place) {
  if (place < 0) return frame.is_leave_one_out ? "Point at a row, or tap it: the tree without it." : "Point at a tree of the list, or tap it.";
  const name = nameOf(frame, place);
  const subject = name[0].toUpperCase() + name.slice(1);
  if (isFullTree(frame, place)) return `${subject}: the same tree, cut for cut.`;
  const [plane, rows] = [frame.change[place], frame.row_change[place]].map((value) => changeText(frame, value));
  const cuts = frame.has_same_cuts[place] ? " The cuts are the same." : "";
  const root = frame.has_other_root[place] ? " Even the first cut changes." : cuts;
  return frame.percent
    ? `${subject}: ${plane} of the picture and ${rows} of the rows get another class.${root}`
    : `${subject}: the prediction moves by ${plane} over the picture and ${rows} at the rows, on average.${root}`;
}

/** Text on a point in its tip, below its values.
 *  @param {StabilityPicture} frame @param {number} i */
export function pointText(frame, i) {
  const place = frame.tree[i];
  if (frame.is_leave_one_out && place >= 0) return `${nameOf(frame, place)}: ${isFullTree(frame, place) ? "the same tree" : `${changeText(frame, frame.change[place])} changes`}`;
  const change = changeText(frame, frame.point_change[i]);
  return frame.percent ? `${change} of the trees say another class` : `the trees differ by ${change} on average`;
}
