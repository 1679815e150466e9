// The stage's moving part: the cut looked at, its line and what is said of it; its tint lies under
// the points, see tint.js.
//
// Glossary
//   cut      [axis, i]: the i-th cut of the feature across (0) or up (1), or of the slant (2)
//   readout  the line above the picture that says what the cut does

import { element, write } from "../lib/dom.js";
import { exact, grouped, number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { peak } from "./axes.js";
import { colourOf, fitText, font, hasCuts } from "./paint.js";
import { outline, parts, toPixels, spanOf, trace } from "./rings.js";
import { surrogateRows, subsetBits, cutEdges, focusOf, halves, predictionAt, thresholdOf, cutLine, sideStatistics } from "./sides.js";
import { drawnCutEdges } from "./grips.js";

/** @import { FrameAxis } from "../frames.d.ts" */
/** @import { Cut, CutPicture, DrawnCut, Layout, Pen, Picture, Points, Ring, SideSummary, CutSummary } from "../types.d.ts" */

const NAME = 24; // pixels beside the plane that the name of its axis takes

/** @param {CutPicture} scene @param {Cut} given */
function ruleOf(scene, [axis, i]) {
  const { name } = axisOf(scene, [axis, i]);
  return scene.cuts[axis].rule[i] ?? `${name} ≤ ${exact(scene.cuts[axis].threshold[i])}`;
}

/** The axis that a cut stands on; the slant's has a name and a range alone.
 *  @param {CutPicture} scene @param {Cut} given @returns {FrameAxis} */
const axisOf = (scene, [axis]) => [scene.across, scene.up, scene.slant ?? scene.across][axis];

// --- drawing --------------------------------------------------------------------------------------

/** Draw the cut, its peak and the node that is lit.
 *  @param {Pen} pen @param {Layout} at @param {Picture} scene @param {Points} cloud
 *  @param {{ cut: Cut | null, lit: string | null, drawn: DrawnCut | null }} given */
export function drawCut(pen, at, scene, cloud, { cut, lit, drawn }) {
  pen.clearRect(0, 0, at.width, at.height);
  const shone = lit !== null && at.rings.get(lit);
  if (shone) light(pen, scene, shone);
  if (!cut || !hasCuts(scene) || !scene.seen) return;
  if (!scene.classes && scene.form === "strip") predicted(pen, at, scene, cloud, cut);
  line(pen, at, scene, cut);
  if (at.strips.length) top(pen, at, scene, cut);
  pill(pen, at, scene, cut);
  if (drawn) held(pen, at, scene, drawn);
}

/** What a hand turns, before Python has answered.
 *  @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {DrawnCut} drawn */
function held(pen, at, scene, drawn) {
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 1.6;
  pen.setLineDash([6, 4]);
  for (const edge of drawnCutEdges(scene, drawn)) {
    trace(pen, toPixels(at, edge));
    pen.stroke();
  }
}

/** Where a cut runs inside the focus, in pixels: its upper or left end, then the other; or null.
 *  @param {Layout} at @param {CutPicture} scene @param {Cut} cut */
export function lineInFocus(at, scene, cut) {
  const ends = cutLine(scene, focusOf(scene), cut);
  return ends && toPixels(at, ends);
}

/** @param {Pen} pen @param {Picture} scene @param {Ring} ring */
function light(pen, scene, ring) {
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 2.5;
  pen.setLineDash([]);
  outline(pen, ring);
}

/** What each side of the cut would predict, over a strip of a number.
 *  @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Points} cloud
 *  @param {Cut} cut */
function predicted(pen, at, scene, cloud, cut) {
  const found = sideStatistics(scene, cloud, cut);
  if (!found) return;
  pen.strokeStyle = scene.colours.accent;
  pen.lineWidth = 2.5;
  pen.setLineDash([5, 4]);
  halves(scene, focusOf(scene), cut).forEach((half, k) => {
    if (!half.length) return;
    pen.beginPath();
    for (const part of parts(Float64Array.from(half))) {
      const [left, right] = spanOf(part, 0);
      const [from, to] = [left, right].map((x) => at.Y(predictionAt(scene, k === 0 ? found.left : found.right, x)));
      const seen = cropToPlane([at.X(left), from, at.X(right), to], at.plane);
      if (!seen) continue;
      pen.moveTo(seen[0], seen[1]);
      pen.lineTo(seen[2], seen[3]);
    }
    pen.stroke();
  });
}

/** What of a line from left to right lies in the height of the plane, or null.
 *  @param {[number, number, number, number]} line @param {{ y: number, h: number }} plane
 *  @returns {[number, number, number, number] | null} */
export function cropToPlane([x, y, right, foot], plane) {
  const [wide, high] = [right - x, foot - y];
  const [a, b] = [plane.y, plane.y + plane.h].map((limit) => (limit - y) / (high || Number.MIN_VALUE));
  const [first, last] = [Math.max(0, Math.min(a, b)), Math.min(1, Math.max(a, b))];
  return first < last ? [x + first * wide, y + first * high, x + last * wide, y + last * high] : null;
}

/** From the peak through the plane to the axis, thick inside the focus.
 *  @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Cut} cut */
function line(pen, at, scene, cut) {
  const [px, py] = peak(at, scene, ...cut);
  pen.strokeStyle = scene.colours.accent;
  /** @param {number} width @param {number[]} dash @param {ArrayLike<number>} ends */
  const draw = (width, dash, ends) => {
    pen.lineWidth = width;
    pen.setLineDash(dash);
    trace(pen, ends);
    pen.stroke();
  };
  const foot = at.strips[2] ? at.strips[2].y + at.strips[2].h : py;
  const down = [[px, py, px, at.foot], [at.plane.x, py, px, py], [px, py, px, foot]][cut[0]];
  if (!subsetBits(scene, cut)) draw(1.2, [2, 3], down); // bands are beside it, no line is under it
  for (const edge of cutEdges(scene, focusOf(scene), cut)) draw(2.8, [], toPixels(at, edge));
}

/** @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Cut} cut */
function top(pen, at, scene, cut) {
  const isBest = scene.best && scene.best[0] === cut[0] && scene.best[1] === cut[1];
  const [x, y] = peak(at, scene, ...cut);
  pen.setLineDash([]);
  pen.beginPath();
  mark(pen, isBest ? "star" : "diamond", x, y, isBest ? 10 : 7);
  pen.fillStyle = scene.colours.accent;
  pen.fill();
  pen.strokeStyle = scene.colours.paper;
  pen.lineWidth = 1.2;
  pen.stroke();
}

/** The threshold, written on the axis, where it covers no point; of a category under it.
 *  @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Cut} cut */
function pill(pen, at, scene, cut) {
  pen.font = font(scene, 12, "bold");
  const text = marked(pen, at, scene, cut);
  const w = pen.measureText(text).width + 12;
  const h = 19;
  const limit = thresholdOf(scene, cut);
  if (cut[0] === 2 && !at.strips[2]) return; // it has no axis to stand on
  const place = cut[0] === 0 ? at.X(limit) : at.S(limit);
  const x = cut[0] === 1
    ? Math.max(at.plane.x - w - 1, at.tiny ? 0 : NAME)
    : Math.min(Math.max(place - w / 2, 0), at.width - w);
  const { lanes, clock } = axisOf(scene, cut);
  const named = (lanes ?? clock?.names) && !at.tiny; // these names stay
  const foot = cut[0] === 0 ? at.foot : at.strips[2]?.y + at.strips[2]?.h;
  const y = cut[0] === 1 ? at.Y(limit) - h / 2 : foot + (named ? 20 : 3);
  pen.fillStyle = scene.colours.accent;
  pen.fillRect(x, y, w, h);
  pen.fillStyle = scene.colours.paper;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x + w / 2, y + h / 2 + 0.5);
}

/** What is written of a cut on its axis: its threshold; its values, as far as there is room.
 *  @param {Pen} pen @param {Layout} at @param {CutPicture} scene @param {Cut} given */
function marked(pen, at, scene, [axis, i]) {
  const { rule, threshold } = scene.cuts[axis];
  if (!rule.length) return `≤ ${exact(threshold[i])}`;
  const { name, clock } = axisOf(scene, [axis, i]);
  const values = rule[i].startsWith(`${name} `) ? rule[i].slice(name.length + 1) : rule[i];
  const written = clock ? values.replace(/^before/, "<") : values;
  if (clock && !clock.names) return written;
  return fitText(pen, written, axis === 0 ? at.plane.w / 2 : at.plane.x - 14);
}

// --- words ----------------------------------------------------------------------------------------

/** What is said of a cut: its rule, its score, and each side.
 *  @param {CutPicture} scene @param {Points} cloud @param {Cut} cut @returns {CutSummary} */
export function summaryOf(scene, cloud, cut) {
  const [axis, i] = cut;
  const nLeft = scene.cuts[axis].left[i];
  const counts = sideStatistics(scene, cloud, cut);
  const away = surrogateRows(scene, cut);
  /** @param {string} name @param {number} n @param {number | null} impurity @param {number[]} [rows]
   *  @returns {SideSummary} */
  const side = (name, n, impurity, rows) => ({
    name,
    n,
    impurity,
    weight: cloud.weight && rows ? (scene.classes ? rows : [rows[0]]).reduce((sum, one) => sum + one) : null,
    shares: scene.classes && rows,
    mean: scene.classes || !rows ? null : rows[1],
  });
  /** @param {number | null} left @param {number | null} right */
  const both = (left, right) => ({
    rule: ruleOf(scene, cut),
    left: side("left", nLeft, left, counts?.left),
    right: side("right", scene.n - nLeft - away, right, counts?.right),
    away,
  });
  const { score, impurity_left, impurity_right } = scene.cuts[axis];
  if (!score || !impurity_left || !impurity_right) return both(null, null); // that is asked
  return {
    ...both(impurity_left[i], impurity_right[i]),
    score: `${scene.measure} ${number(score[i])}${scene.unit ? ` ${scene.unit}` : ""}`,
    share: shareOf(scene, axis, i),
  };
}

/** @param {CutPicture} scene @param {number} axis @param {number} i */
function shareOf(scene, axis, i) {
  if (!(scene.cuts[axis].flags[i] & 1)) return "leaves too little on a side";
  if (!(scene.top > 0)) return "";
  if (scene.cuts[axis].flags[i] & 4) return "the best";
  const share = number(scene.cuts[axis].share?.[i] ?? 0, 3);
  return share === "100" ? "just below the best" : `${share} % of the best`;
}

/** How many rows, and what they weigh where they have weights.
 *  @param {SideSummary} side */
const rowsOf = ({ n, weight }) =>
  `${grouped(n)} row${n === 1 ? "" : "s"}${weight === null ? "" : `, weight ${number(weight)}`}`;

/** The same in one line, for those who listen.
 *  @param {CutSummary} told */
export function summaryText(told) {
  /** @param {SideSummary} s */
  const side = (s) => `${s.name} ${rowsOf(s)}${s.impurity === null ? "" : `, impurity ${number(s.impurity)}`}`;
  const away = awayWords(told);
  const score = told.score ? `; ${told.score}${told.share ? `, ${told.share}` : ""}` : "";
  return `${told.rule}; ${side(told.left)}; ${side(told.right)}${away && `; ${away}`}${score}`;
}

/** @param {CutSummary} told */
const awayWords = ({ away }) => (away ? `${grouped(away)} without the value by surrogates` : "");

/** The readout above the picture: an element and `say(scene, told)`. */
export function readout() {
  const whole = element("div", "readout");
  const first = element("div", "what");
  const rule = element("b", "rule");
  const score = element("span", "score");
  const both = element("div", "both");
  const each = [sideOf(), sideOf()];
  first.append(rule, score);
  both.append(...each.map((side) => side.element));
  whole.append(first, both);
  return {
    element: whole,
    /** @param {CutPicture} scene @param {CutSummary | null} told */
    say(scene, told) {
      whole.classList.toggle("empty", !told);
      const asked = scene.asking ? ["Where would you cut?", "Click in the plane, or a dot beside it."] : ["", ""];
      const scored = told && [told.score, told.share, awayWords(told)].filter(Boolean).join(" · ");
      write(rule, told?.rule ?? asked[0]);
      write(score, scored ?? asked[1]);
      each.forEach((side, k) => side.say(scene, told && [told.left, told.right][k]));
    },
  };
}

/** What is said of one side of a cut: an element and `say(scene, side)`. */
function sideOf() {
  const part = element("span", "side");
  const [name, bar, count] = ["name", "bar", "count"].map((own) => element("span", own));
  part.append(name, bar, count);
  let drawn = "";
  return {
    element: part,
    /** @param {CutPicture} scene @param {SideSummary | null} side */
    say(scene, side) {
      write(name, side ? side.name : "");
      write(count, side ? wordsOf(scene, side) : "");
      const shares = (side?.shares ?? []).flatMap((rows, code) => (rows ? [{ rows, colour: colourOf(scene, code) }] : []));
      const colours = shares.map(({ colour }) => colour).join();
      bar.hidden = !shares.length;
      if (colours !== drawn) bar.replaceChildren(...shares.map(({ colour }) => pieceOf(colour)));
      drawn = colours;
      shares.forEach(({ rows }, k) => { /** @type {HTMLElement} */ (bar.children[k]).style.flexGrow = String(rows); });
    },
  };
}

/** @param {string} colour */
function pieceOf(colour) {
  const piece = element("span", "piece");
  piece.style.background = colour;
  return piece;
}

/** @param {CutPicture} scene @param {SideSummary} side */
function wordsOf(scene, side) {
  const words = [rowsOf(side)];
  if (side.mean !== null) words.push(`mean ${number(side.mean)}`);
  if (side.impurity !== null) words.push(`${scene.impurity} ${number(side.impurity)}`);
  return words.join(", ");
}
