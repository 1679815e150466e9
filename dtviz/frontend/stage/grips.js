// A line or a circle grabbed by hand: the ends of the cut, or its centre and its rim.
//
// While a grip is held the line follows it here; Python is told where it is as fast as it answers,
// and its frames bring the gains.
//
// Glossary
//   grips   two handles: the ends of a line, or the centre (0) and the rim (1) of a circle
//   drawn   { kind, corners }: what a hand holds, the corners being where the two grips are, in values

import { placeIn } from "../lib/dom.js";
import { hasCuts } from "./paint.js";
import { toPixels, ringAt } from "./rings.js";
import { thresholdOf, cutLine } from "./sides.js";
import { levelCurves } from "./level_curves.js";

/** @import { Act, Corner, Cut, CutPicture, DrawnCut, Layout } from "../types.d.ts" */
/** @import { Shown, Stage } from "./stage.js" */

/** What the grips of a cut hold; null where it cannot be turned.
 *  @param {CutPicture} scene @param {Cut} cut @returns {DrawnCut | null} */
export function drawnCutOf(scene, cut) {
  if (!scene.seen || scene.form !== "plane") return null;
  const ring = ringAt(scene.regions, scene.regions.node.indexOf(scene.focus));
  const slant = cut[0] === 2 ? scene.slant : undefined;
  if (slant && (slant.form[3] || slant.form[4])) return scene.can.circle ? circleOf(slant.form, ring, thresholdOf(scene, cut)) : null;
  if (!scene.can.line) return null;
  const ends = slant ? levelCurves(slant.form, ring, thresholdOf(scene, cut))[0] : cutLine(scene, ring, cut);
  return ends ? { kind: "line", corners: [[ends[0], ends[1]], [ends[ends.length - 2], ends[ends.length - 1]]] } : null;
}

/** @param {number[]} form @param {Float64Array} ring @param {number} limit @returns {DrawnCut | null} */
function circleOf(form, ring, limit) {
  const [edge] = levelCurves(form, ring, limit).toSorted((a, b) => b.length - a.length);
  if (!edge) return null;
  const k = 2 * Math.floor(edge.length / 4);
  return { kind: "circle", corners: [[form[5], form[6]], [edge[k], edge[k + 1]]] };
}

/** What a hand holds once one grip is at another corner; a centre takes its rim along.
 *  @param {DrawnCut} drawn @param {number} grip @param {Corner} to @returns {DrawnCut} */
export function moveCorner({ kind, corners: [first, second] }, grip, to) {
  if (grip === 1) return { kind, corners: [first, to] };
  const rim = /** @type {Corner} */ ([second[0] + to[0] - first[0], second[1] + to[1] - first[1]]);
  return { kind, corners: [to, kind === "circle" ? rim : second] };
}

/** The same turned about its middle by an angle on the screen: a line alone.
 *  @param {DrawnCut} drawn @param {Layout} at @param {number} angle @returns {DrawnCut} */
export function rotate({ kind, corners }, at, angle) {
  const [ax, ay, bx, by] = toPixels(at, corners.flat());
  const [x, y, dx, dy] = [(ax + bx) / 2, (ay + by) / 2, (bx - ax) / 2, (by - ay) / 2];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [tx, ty] = [c * dx - s * dy, s * dx + c * dy];
  return { kind, corners: [valueAt(at, x - tx, y - ty), valueAt(at, x + tx, y + ty)] };
}

/** The values at a pixel.
 *  @param {Pick<Layout, "X" | "Y">} at @param {number} px @param {number} py @returns {Corner} */
export function valueAt({ X, Y }, px, py) {
  return [(px - X(0)) / (X(1) - X(0)), (py - Y(0)) / (Y(1) - Y(0))];
}

/** What Python is told; `more` of what it was told before, as one change.
 *  @param {DrawnCut} drawn @param {boolean} [more] @returns {Act} */
export const eventOf = ({ kind, corners: [one, other] }, more = false) => (kind === "line"
  ? { what: "line", start: one, end: other, more }
  : { what: "circle", centre: one, rim: other, more });

/** Where what a hand holds runs through the plane, in values.
 *  @param {CutPicture} scene @param {DrawnCut} drawn @returns {number[][]} */
export function drawnCutEdges(scene, { kind, corners: [[ax, ay], [bx, by]] }) {
  const { across, up, slant } = scene;
  const plane = Float64Array.of(across.low, up.low, across.high, up.low, across.high, up.high, across.low, up.high);
  const [, , , p = 1, q = 1] = slant?.form ?? [];
  const form = kind === "line" ? [0, by - ay, ax - bx, 0, 0, 0, 0] : [0, 0, 0, p, q, ax, ay];
  const limit = kind === "line" ? (by - ay) * ax + (ax - bx) * ay : p * (bx - ax) ** 2 + q * (by - ay) ** 2;
  return levelCurves(form, plane, limit);
}

/** Bind the grips. `show` draws what the hand holds, null once it has let go.
 *  @param {Stage} stage @param {() => void} show */
export function bindGrips(stage, show) {
  const { grips, area, host } = stage;
  grips.forEach((grip, k) => {
    grip.addEventListener("pointerdown", (event) => {
      const { scene, held } = stage;
      const from = hasCuts(scene) && held && drawnCutOf(scene, held);
      if (!from || event.button !== 0) return;
      [stage.drawn, stage.asked] = [from, false];
      grip.setPointerCapture(event.pointerId);
      event.preventDefault();
      event.stopPropagation();
    });
    grip.addEventListener("pointermove", (event) => {
      if (!stage.drawn || !stage.at) return;
      event.stopPropagation(); // the region under the hand is not lit
      stage.drawn = moveCorner(stage.drawn, k, valueAt(stage.at, ...placeIn(area, event)));
      show();
      sendDrawnCut(stage);
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      grip.addEventListener(end, () => {
        if (!stage.drawn) return;
        if (end === "pointerup" && stage.asked) host.send(eventOf(stage.drawn, true));
        stage.drawn = null;
        show();
      });
    }
  });
}

/** Tell Python where the hand is, unless it has not answered yet.
 *  @param {Pick<Stage, "drawn" | "asked" | "host">} stage */
export function sendDrawnCut(stage) {
  const { drawn, host } = stage;
  const waits = host.pending.some(({ what }) => what === "line" || what === "circle");
  if (!drawn || waits) return;
  host.send(eventOf(drawn, stage.asked));
  stage.asked = true;
}

/** The places of the grips, in pixels.
 *  @param {Shown} stage @param {Cut | null} cut */
export function placeGrips({ grips, scene, at, drawn }, cut) {
  const there = drawn ?? (cut && hasCuts(scene) && scene.can.cut ? drawnCutOf(scene, cut) : null);
  grips.forEach((grip, k) => {
    grip.hidden = !there;
    if (!there) return;
    const [x, y] = toPixels(at, there.corners[k]);
    grip.style.left = `${x}px`;
    grip.style.top = `${y}px`;
    grip.dataset.kind = there.kind;
  });
}
