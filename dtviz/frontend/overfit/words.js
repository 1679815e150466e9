// What the cockpit says: the figures of the tree that is looked at, in words.

import { grouped } from "../lib/format.js";
import { errorText, isFolded } from "./curve.js";

/** @import { Figures, RuleLine } from "../frames.d.ts" */
/** @import { Cockpit, LineName, Panels, Preview, Seen } from "../types.d.ts" */

/** The line a preview is on, if it is still there: the curve's, or that of a rule's slider.
 *  @param {Panels} given @param {LineName} given */
const lineOf = ({ curve, dials }, { of, rule }) =>
  (of === "curve" ? [curve] : dials ?? []).find((line) => line?.rule === rule);

/**
 * What is looked at: line and place of the preview, where that is on the curve (-1: nowhere), and
 * the figures of that tree, `now`, and of the tree in the pictures, `drawn`.
 *
 * They differ where every value grows a tree of its own: that is drawn once it is chosen.
 *  @param {{ frame: Panels, preview: Preview | null }} given @returns {Seen} */
export function looked({ frame, preview }) {
  const { curve } = frame;
  let line = /** @type {RuleLine | null} */ ((preview && lineOf(frame, preview)) ?? null);
  let place = line && preview ? line.values.indexOf(preview.value) : -1;
  if (place < 0) line = null;
  const at = onCurve(frame, line, place);
  if (curve && line && !line.leaves && at >= 0) [line, place] = [curve, at]; // the curve knows its trees
  const now = (line && figures(line, place)) ?? frame.now;
  return { line, place, at, now, drawn: line?.masks?.length ? now : frame.now };
}

/** The figures of the tree at a place, if they are known.
 *  @param {RuleLine} line @param {number} place @returns {Figures | null} */
const figures = ({ leaves, height, training, held }, place) => (leaves && height && training && held
  ? { leaves: leaves[place], height: height[place], errors: [training[place], held[place]] }
  : null);

/** The place on the curve of a place on any line; above its last value nothing changes.
 *  @param {Panels} given @param {RuleLine | null} line @param {number} place */
function onCurve({ curve }, line, place) {
  if (!curve) return -1;
  if (!line) return curve.at;
  if (line === curve) return place;
  if (line.rule !== curve.rule) return -1;
  const value = line.values[place];
  const at = value === null || value > /** @type {number} */ (curve.values.at(-1)) ? curve.values.length - 1 : curve.values.indexOf(value);
  // a slider keeps the prunes, the curve has none
  const same = line.leaves ? line.leaves[place] === curve.leaves[at] : curve.at >= 0;
  return same ? at : -1;
}

/** The title of a panel, for the figures of a tree.
 *  @param {Panels} frame @param {number} k @param {Figures} given */
export function panelWords(frame, k, { errors }) {
  const { title, rows } = frame.panels[k];
  const error = errors[k] ?? Number.NaN;
  if (!rows) return `${title}: no rows`;
  if (frame.measured) return `${title}, ${plural(rows, "row", "rows")}: ${frame.measured} ${errorText(frame, error)}`;
  const wrong = grouped(Math.round(error * rows));
  return `${title}: ${wrong} of ${grouped(rows)} wrong, ${errorText(frame, error)}`;
}

/** What is looked at, on one line: rule and value, the size of the tree, the mean of the folds.
 *  @param {Cockpit} frame @param {Seen} given */
export function told(frame, { line, place, at, now, drawn }) {
  const { curve } = frame;
  const rule = line ? ruleWords(line, place) : curve.now;
  if (line && !line.leaves) return `${rule}: another tree, drawn once you choose it`;
  const { leaves, height } = now;
  const tree = `${plural(leaves, "leaf", "leaves")}, height ${height}, ${plural(2 * leaves - 1, "node", "nodes")}`;
  const folded = isFolded(curve) && at >= 0
    ? `; ${curve.folds} ${errorText(frame, curve.mean[at])} ± ${errorText(frame, curve.spread[at])}`
    : "";
  const alone = frame.baseline === undefined ? "" : `; ${frame.one_answer} ${errorText(frame, frame.baseline)}`;
  const undrawn = now === drawn
    ? ""
    : `; ${frame.panels.map((_, k) => panelWords(frame, k, now)).join("; ")}; drawn once you choose it`;
  return `${rule}: ${tree}${folded}${alone}${undrawn}`;
}

/** @param {RuleLine} line @param {number} place */
const ruleWords = ({ words, free, values, labels }, place) => (values[place] === null ? free : `${words} ${labels[place]}`);

/** @param {number} count @param {string} one @param {string} more */
const plural = (count, one, more) => `${grouped(count)} ${count === 1 ? one : more}`;
