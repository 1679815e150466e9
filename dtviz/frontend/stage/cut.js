// Moving sheet of the stage, with the cut that is previewed or chosen: its line and its summary. The tint of the
// cut's sides is on a sheet under the points, see tint.js.
//
// Glossary
//   cut       [axis, i]: the i-th cut of the feature across (0) or up (1), or of the slant (2)
//   readout   the summary above the picture: rule, score and sides
//   focus     the node whose cuts are shown; also its region
//   lit node  the node that is pointed at in any picture

import { drawLine, drawLines, drawRect, drawRim, drawSymbol, drawText, fitText, parts, textWidth } from "../draw/marks.js";
import { colourOf } from "../draw/points.js";
import { element, write } from "../lib/dom.js";
import { exact, grouped, number } from "../lib/format.js";
import { ADMISSIBLE, peakPixel, TIED } from "./axes.js";
import { hasCuts } from "./focus.js";
import { spanOf, toPixels } from "./rings.js";
import {
  branchesOf, cutEdges, cutLine, focusOf, partsOf, predictionAt, sideNames, sideStatistics, subsetBits, surrogateRows, thresholdOf,
} from "./sides.js";
import { drawnCutEdges } from "./grips.js";

/** @import { FrameAxis } from "../frames.d.ts" */
/** @import { Cut, CutPicture, CutSummary, DrawnCut, Layout, Pen, Picture, Points, SideSummary } from "../types.d.ts" */

const CLICK_HINT = "Click in the plane, or a dot beside it.";
const MAX_SIDES_SHOWN = 6; // branches in the readout
const NAME_WIDTH = 24; // pixels beside the plane that the name of its axis takes

/** Rule of a cut in words, with the threshold where Python sends no words.
 *  @param {CutPicture} scene @param {Cut} cut */
export function ruleOf(scene, [axis, i]) {
  const { name } = axisOf(scene, [axis, i]);
  return scene.cuts[axis].rule[i] ?? `${name} ≤ ${exact(scene.cuts[axis].threshold[i])}`;
}

/** The axis of a cut; the axis of the slant has a name and a range alone.
 *  @param {CutPicture} scene @param {Cut} cut @returns {FrameAxis} */
const axisOf = (scene, [axis]) => [scene.across, scene.up, scene.slant ?? scene.across][axis];

// --- drawing --------------------------------------------------------------------------------------

/** Draw the cut, its peak on the gain curve, and the region of the lit node.
 *  @param {Pen} pen @param {Layout} layout @param {Picture} scene @param {Points} cloud
 *  @param {{ cut: Cut | null, litNode: string | null, drawnCut: DrawnCut | null }} state */
export function drawCut(pen, layout, scene, cloud, { cut, litNode, drawnCut }) {
  pen.clearRect(0, 0, layout.width, layout.height);
  const litRing = litNode !== null && layout.rings.get(litNode);
  if (litRing) drawRim(pen, litRing, { stroke: scene.colours.accent, width: 2.5 });
  if (!cut || !hasCuts(scene) || !scene.is_focus_drawn) return;
  if (!scene.classes && scene.form === "strip") drawPredictions(pen, layout, scene, cloud, cut);
  drawCutLine(pen, layout, scene, cut);
  if (layout.gainStrips.length) drawPeak(pen, layout, scene, cut);
  drawThreshold(pen, layout, scene, cut);
  if (drawnCut) drawDrawnCut(pen, layout, scene, drawnCut);
}

/** Draw the line or circle that a grip moves, until Python answers.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {DrawnCut} drawnCut */
function drawDrawnCut(pen, layout, scene, drawnCut) {
  const style = { stroke: scene.colours.accent, width: 1.6, dash: [6, 4] };
  for (const edge of drawnCutEdges(scene, drawnCut)) drawLine(pen, toPixels(layout, edge), style);
}

/** The line of a cut inside the focus, in pixels: its upper or left end, then the other; null for a cut without one line.
 *  @param {Layout} layout @param {CutPicture} scene @param {Cut} cut */
export function lineInFocus(layout, scene, cut) {
  const ends = cutLine(scene, focusOf(scene), cut);
  return ends && toPixels(layout, ends);
}

/** Draw the predictions of the sides of the cut, over a strip with a numeric target.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Points} cloud
 *  @param {Cut} cut */
function drawPredictions(pen, layout, scene, cloud, cut) {
  const statistics = sideStatistics(scene, cloud, cut);
  if (!statistics) return;
  partsOf(scene, focusOf(scene), cut).forEach((ring, k) => {
    if (!ring.length) return;
    const side = statistics[k];
    const lines = parts(Float64Array.from(ring)).flatMap((part) => {
      const [left, right] = spanOf(part, 0);
      const [leftY, rightY] = [left, right].map((x) => layout.Y(predictionAt(scene, side, x)));
      const line = cropToPlane([layout.X(left), leftY, layout.X(right), rightY], layout.plane);
      return line ? [line] : [];
    });
    drawLines(pen, lines, { stroke: scene.colours.accent, width: 2.5, dash: [5, 4] });
  });
}

/** The part of a line, given from left to right, between the heights of the plane; or null.
 *  @param {[number, number, number, number]} line @param {{ y: number, h: number }} plane
 *  @returns {[number, number, number, number] | null} */
export function cropToPlane([x, y, endX, endY], plane) {
  const [width, height] = [endX - x, endY - y];
  // the shares of the line at the top and at the foot of the plane; MIN_VALUE, since a level line has height 0
  const [atTop, atFoot] = [plane.y, plane.y + plane.h].map((edge) => (edge - y) / (height || Number.MIN_VALUE));
  const [first, last] = [Math.max(0, Math.min(atTop, atFoot)), Math.min(1, Math.max(atTop, atFoot))];
  return first < last ? [x + first * width, y + first * height, x + last * width, y + last * height] : null;
}

/** Draw the line from the peak through the plane to the axis, thick inside the focus.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Cut} cut */
function drawCutLine(pen, layout, scene, cut) {
  const [px, py] = peakPixel(layout, scene, ...cut);
  const stroke = scene.colours.accent;
  const foot = layout.gainStrips[2] ? layout.gainStrips[2].y + layout.gainStrips[2].h : py;
  const dashedLine = [[px, py, px, layout.foot], [layout.plane.x, py, px, py], [px, py, px, foot]][cut[0]];
  // the threshold of a scattered subset or a multi-way cut is no number on the axis
  if (!subsetBits(scene, cut) && !branchesOf(scene, cut)) drawLine(pen, dashedLine, { stroke, width: 1.2, dash: [2, 3] });
  for (const edge of cutEdges(scene, focusOf(scene), cut)) drawLine(pen, toPixels(layout, edge), { stroke, width: 2.8 });
}

/** Draw the mark of the cut on its gain curve, a star on the best.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Cut} cut */
function drawPeak(pen, layout, scene, cut) {
  const isBest = scene.best && scene.best[0] === cut[0] && scene.best[1] === cut[1];
  const [x, y] = peakPixel(layout, scene, ...cut);
  const { accent: fill, paper: stroke } = scene.colours;
  drawSymbol(pen, isBest ? "star" : "diamond", x, y, isBest ? 10 : 7, { fill, stroke, width: 1.2 });
}

/** Write the threshold on the axis, where the text covers no point; under the names of categories.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Cut} cut */
function drawThreshold(pen, layout, scene, cut) {
  const width = textWidth(pen, scene, 12, "bold");
  const text = thresholdText(width, layout, scene, cut);
  const w = width(text) + 12;
  const h = 19;
  const threshold = thresholdOf(scene, cut);
  // without gains the slant has no axis; a multi-way cut has no threshold on its axis
  if ((cut[0] === 2 && !layout.gainStrips[2]) || branchesOf(scene, cut)) return;
  const middle = cut[0] === 0 ? layout.X(threshold) : layout.S(threshold);
  const x = cut[0] === 1
    ? Math.max(layout.plane.x - w - 1, layout.isVeryNarrow ? 0 : NAME_WIDTH)
    : Math.min(Math.max(middle - w / 2, 0), layout.width - w);
  const { lanes, clock } = axisOf(scene, cut);
  const isBelowNames = (lanes ?? clock?.names) && !layout.isVeryNarrow;
  const foot = cut[0] === 0 ? layout.foot : layout.gainStrips[2]?.y + layout.gainStrips[2]?.h;
  const y = cut[0] === 1 ? layout.Y(threshold) - h / 2 : foot + (isBelowNames ? 20 : 3);
  drawRect(pen, { x, y, w, h }, { fill: scene.colours.accent });
  drawText(pen, scene, text, x + w / 2, y + h / 2 + 0.5, { weight: "bold", colour: scene.colours.paper, align: "center" });
}

/** The text of a cut on its axis: the threshold, or the rule without the name of the feature, as far as there is room.
 *  @param {(text: string) => number} width @param {Layout} layout @param {CutPicture} scene @param {Cut} cut */
function thresholdText(width, layout, scene, [axis, i]) {
  const { rule, threshold } = scene.cuts[axis];
  if (!rule.length) return `≤ ${exact(threshold[i])}`;
  const { name, clock } = axisOf(scene, [axis, i]);
  const condition = rule[i].startsWith(`${name} `) ? rule[i].slice(name.length + 1) : rule[i];
  const text = clock ? condition.replace(/^before/, "<") : condition;
  if (clock && !clock.names) return text;
  return fitText(width, text, axis === 0 ? layout.plane.w / 2 : layout.plane.x - 14);
}

// --- words ----------------------------------------------------------------------------------------

/** The summary of a cut: its rule, its score, and each side.
 *  @param {CutPicture} scene @param {Points} cloud @param {Cut} cut @returns {CutSummary} */
export function summaryOf(scene, cloud, cut) {
  const [axis, i] = cut;
  const statistics = sideStatistics(scene, cloud, cut);
  const nSurrogate = surrogateRows(scene, cut);
  const { left, score, impurity_left, impurity_right } = scene.cuts[axis];
  const branches = branchesOf(scene, cut);
  const rows = branches?.rows ?? [left[i], scene.n - left[i] - nSurrogate];
  const impurities = branches ? branches.impurity : impurity_left && impurity_right && [impurity_left[i], impurity_right[i]];
  /** @param {string} name @param {number} k @returns {SideSummary} */
  const sideSummary = (name, k) => {
    const side = statistics?.[k];
    return {
      name,
      n: rows[k],
      impurity: impurities?.[k] ?? null,
      weight: cloud.weight && side ? (scene.classes ? side : [side[0]]).reduce((sum, weight) => sum + weight) : null,
      shares: scene.classes && side,
      mean: scene.classes || !side ? null : side[1],
    };
  };
  const summary = { rule: ruleOf(scene, cut), sides: sideNames(scene, cut).map(sideSummary), surrogateRows: nSurrogate };
  if (!score || !impurities) return summary; // the user is to find the best cut
  return {
    ...summary,
    score: `${scene.measure} ${number(score[i])}${scene.unit ? ` ${scene.unit}` : ""}`,
    share: shareText(scene, axis, i),
  };
}

/** Text on the score of cut i of an axis as a share of the best score.
 *  @param {CutPicture} scene @param {number} axis @param {number} i */
function shareText(scene, axis, i) {
  if (!(scene.cuts[axis].flags[i] & ADMISSIBLE)) return "leaves too little on a side";
  if (!(scene.top > 0)) return "";
  if (scene.cuts[axis].flags[i] & TIED) return "the best";
  const share = number(scene.cuts[axis].share?.[i] ?? 0, 3);
  return share === "100" ? "just below the best" : `${share} % of the best`;
}

/** The number of rows of a side, with their weight where rows have weights.
 *  @param {SideSummary} side */
const rowsText = ({ n, weight }) =>
  `${grouped(n)} row${n === 1 ? "" : "s"}${weight === null ? "" : `, weight ${number(weight)}`}`;

/** The summary of a cut in one line, for screen readers.
 *  @param {CutSummary} summary */
export function summaryText(summary) {
  /** @param {SideSummary} side */
  const sideLine = (side) =>
    `${side.name} ${rowsText(side)}${side.impurity === null ? "" : `, impurity ${number(side.impurity)}`}`;
  const surrogates = surrogateText(summary);
  const score = summary.score ? `; ${summary.score}${summary.share ? `, ${summary.share}` : ""}` : "";
  return `${summary.rule}; ${summary.sides.map(sideLine).join("; ")}${surrogates && `; ${surrogates}`}${score}`;
}

/** Text on the rows that surrogates send; "" if there are none.
 *  @param {CutSummary} summary */
const surrogateText = ({ surrogateRows: n }) => (n ? `${grouped(n)} without the value by surrogates` : "");

/** Create the readout above the picture: an element and `show(scene, summary)`. */
export function createReadout() {
  const panel = element("div", "readout");
  const firstLine = element("div", "what");
  const rule = element("b", "rule");
  const score = element("span", "score");
  const secondLine = element("div", "both");
  const sides = [createSideReadout(), createSideReadout()];
  const more = element("span", "more");
  firstLine.append(rule, score);
  secondLine.append(...sides.map((side) => side.element), more);
  panel.append(firstLine, secondLine);
  return {
    element: panel,
    /** @param {CutPicture} scene @param {CutSummary | null} summary @param {string} [hintText]  shown while a cut is asked for */
    show(scene, summary, hintText = CLICK_HINT) {
      panel.classList.toggle("empty", !summary);
      const hint = scene.is_asking && !summary ? hintText : "";
      const scoreText = summary && [summary.score, summary.share, surrogateText(summary)].filter(Boolean).join(" · ");
      write(rule, summary?.rule ?? "");
      write(score, scoreText ?? hint);
      const count = Math.min(summary?.sides.length ?? 2, MAX_SIDES_SHOWN);
      while (sides.length < count) {
        const side = createSideReadout();
        secondLine.insertBefore(side.element, more);
        sides.push(side);
      }
      for (const [k, side] of sides.entries()) {
        side.element.hidden = k >= count;
        side.show(scene, summary?.sides[k] ?? null);
      }
      write(more, summary && summary.sides.length > count ? `and ${summary.sides.length - count} more` : "");
    },
  };
}

/** Create the readout of one side of a cut: an element and `show(scene, side)`. */
function createSideReadout() {
  const panel = element("span", "side");
  const [name, bar, count] = ["name", "bar", "count"].map((className) => element("span", className));
  panel.append(name, bar, count);
  let barColours = "";
  return {
    element: panel,
    /** @param {CutPicture} scene @param {SideSummary | null} side */
    show(scene, side) {
      write(name, side ? side.name : "");
      write(count, side ? sideText(scene, side) : "");
      const shares = (side?.shares ?? []).flatMap((rows, code) => (rows ? [{ rows, colour: colourOf(scene, code) }] : []));
      const colours = shares.map(({ colour }) => colour).join();
      bar.hidden = !shares.length;
      if (colours !== barColours) bar.replaceChildren(...shares.map(({ colour }) => createBarPart(colour)));
      barColours = colours;
      shares.forEach(({ rows }, k) => { /** @type {HTMLElement} */ (bar.children[k]).style.flexGrow = String(rows); });
    },
  };
}

/** @param {string} colour */
function createBarPart(colour) {
  const part = element("span", "piece");
  part.style.background = colour;
  return part;
}

/** @param {CutPicture} scene @param {SideSummary} side */
function sideText(scene, side) {
  const texts = [rowsText(side)];
  if (side.mean !== null) texts.push(`mean ${number(side.mean)}`);
  if (side.impurity !== null) texts.push(`${scene.impurity} ${number(side.impurity)}`);
  return texts.join(", ");
}
