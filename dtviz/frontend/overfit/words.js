// Texts of the page Overfit: the size and the errors of the tree that is shown.
//
// Glossary
//   line     the values of a rule, of the error curve or of a slider, with the figures of their trees if Python sent them
//   place    the index of a value on a line, -1 for none

import { grouped } from "../lib/format.js";
import { errorText, hasFolds } from "./curve.js";

/** @import { Figures, RuleLine } from "../frames.d.ts" */
/** @import { CockpitPicture, OverfitPicture, Preview, RuleControl, ShownTree } from "../types.d.ts" */

/** Line of a control: of the error curve, or of the slider of a rule; undefined if the frame has no such control.
 *  @param {OverfitPicture} frame @param {RuleControl} ruleControl */
const lineOf = ({ curve, dials }, { control, rule }) =>
  (control === "curve" ? [curve] : dials ?? []).find((line) => line?.rule === rule);

/**
 * Finds the tree that is shown: that of the preview, else that of the frame.
 *
 * `figures` and `drawnFigures` differ where each value of a rule grows a tree of its own: the pictures show such a
 * tree only once its value is the setting. A line without figures gives way to the error curve, which has them, if
 * the value is on the curve.
 *  @param {{ frame: OverfitPicture, preview: Preview | null }} view @returns {ShownTree} */
export function shownTree({ frame, preview }) {
  const { curve } = frame;
  let line = /** @type {RuleLine | null} */ ((preview && lineOf(frame, preview)) ?? null);
  let place = line && preview ? line.values.indexOf(preview.value) : -1;
  if (place < 0) line = null;
  const curvePlace = curvePlaceOf(frame, line, place);
  if (curve && line && !line.leaves && curvePlace >= 0) [line, place] = [curve, curvePlace]; // the curve knows its trees
  const figures = (line && figuresAt(line, place)) ?? frame.figures;
  return { line, place, curvePlace, figures, drawnFigures: line?.masks?.length ? figures : frame.figures };
}

/** Figures of the tree at a place, or null if the frame does not have them.
 *  @param {RuleLine} line @param {number} place @returns {Figures | null} */
const figuresAt = ({ leaves, height, training_error: training, held_out_error: held }, place) => (leaves && height && training && held
  ? { leaves: leaves[place], height: height[place], errors: [training[place], held[place]] }
  : null);

/** Place on the curve with the same tree as a place on a line, or -1. Values above the last one of the curve give the
 *  tree of the last one.
 *  @param {OverfitPicture} frame @param {RuleLine | null} line @param {number} place */
function curvePlaceOf({ curve }, line, place) {
  if (!curve) return -1;
  if (!line) return curve.place;
  if (line === curve) return place;
  if (line.rule !== curve.rule) return -1;
  const value = line.values[place];
  const isBeyond = value === null || value > /** @type {number} */ (curve.values.at(-1));
  const curvePlace = isBeyond ? curve.values.length - 1 : curve.values.indexOf(value);
  // a tree of a slider is pruned if the tree on screen is, a tree of the curve is not: so their leaves are compared
  const isSameTree = line.leaves ? line.leaves[place] === curve.leaves[curvePlace] : curve.place >= 0;
  return isSameTree ? curvePlace : -1;
}

/** Title of the k-th panel, with the error of a tree on the rows of the panel.
 *  @param {OverfitPicture} frame @param {number} k @param {Figures} figures */
export function panelTitle(frame, k, { errors }) {
  const { title, rows } = frame.panels[k];
  const error = errors[k] ?? Number.NaN;
  if (!rows) return `${title}: no rows`;
  if (frame.error_name) return `${title}, ${countText(rows, "row", "rows")}: ${frame.error_name} ${errorText(frame, error)}`;
  const wrong = grouped(Math.round(error * rows));
  return `${title}: ${wrong} of ${grouped(rows)} wrong, ${errorText(frame, error)}`;
}

/** Headline of the tree that is shown: rule and value, size of the tree, mean of the folds.
 *  @param {CockpitPicture} frame @param {ShownTree} tree */
export function headline(frame, { line, place, curvePlace, figures, drawnFigures }) {
  const { curve } = frame;
  const rule = line ? ruleText(line, place) : curve.setting_text;
  if (line && !line.leaves) return `${rule}: another tree, drawn once you choose it`;
  const { leaves, height } = figures;
  const size = `${countText(leaves, "leaf", "leaves")}, height ${height}`;
  const folds = hasFolds(curve) && curvePlace >= 0
    ? `; ${curve.fold_text} ${errorText(frame, curve.mean[curvePlace])} ± ${errorText(frame, curve.standard_error[curvePlace])}`
    : "";
  const baseline = frame.baseline === undefined ? "" : `; ${frame.baseline_name} ${errorText(frame, frame.baseline)}`;
  const undrawn = figures === drawnFigures
    ? ""
    : `; ${frame.panels.map((_, k) => panelTitle(frame, k, figures)).join("; ")}; drawn once you choose it`;
  return `${rule}: ${size}${folds}${baseline}${undrawn}`;
}

/** @param {RuleLine} line @param {number} place */
const ruleText = ({ name, no_limit_text: free, values, labels }, place) => (values[place] === null ? free : `${name} ${labels[place]}`);

/** @param {number} count @param {string} singular @param {string} plural */
const countText = (count, singular, plural) => `${grouped(count)} ${count === 1 ? singular : plural}`;
