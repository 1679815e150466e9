// Two grips that move a line or a circle: the ends of a line, or the centre and the rim of a circle.
//
// While a grip is held the line follows the pointer at once. Each time Python has answered, it is sent the newest
// line, and its frames bring the gains.
//
// Glossary
//   grips      two handles: the ends of a line, or the centre (0) and the rim (1) of a circle
//   form       the polynomial of a slant, [base, a, b, p, q, u, v], see level_curves.js: with p or q it is round,
//              about the centre (u, v)
//   drawn cut  { kind, corners }: a line or a circle, given by the values at its two grips

import { positionIn } from "../lib/dom.js";
import { hasCuts } from "./focus.js";
import { ringAt, toPixels } from "./rings.js";
import { cutLine, thresholdOf } from "./sides.js";
import { levelCurves } from "./level_curves.js";

/** @import { PictureEvent, PlanePoint, Cut, CutPicture, DrawnCut, Layout } from "../types.d.ts" */
/** @import { ShownStage, Stage } from "./stage.js" */

/** The drawn cut of a cut, with a corner for each grip; null where grips cannot move the cut.
 *  @param {CutPicture} scene @param {Cut} cut @returns {DrawnCut | null} */
export function drawnCutOf(scene, cut) {
  if (!scene.is_focus_drawn || scene.form !== "plane") return null;
  const ring = ringAt(scene.regions, scene.regions.node.indexOf(scene.focus));
  const slant = cut[0] === 2 ? scene.slant : undefined;
  const threshold = thresholdOf(scene, cut);
  if (slant && (slant.form[3] || slant.form[4])) return scene.can.circle ? circleOf(slant.form, ring, threshold) : null;
  if (!scene.can.line) return null;
  const ends = slant ? levelCurves(slant.form, ring, threshold)[0] : cutLine(scene, ring, cut);
  return ends ? { kind: "line", corners: [[ends[0], ends[1]], [ends[ends.length - 2], ends[ends.length - 1]]] } : null;
}

/** The circle of a slant: its rim grip is at the middle of the longest level curve in the ring.
 *  @param {number[]} form @param {Float64Array} ring @param {number} threshold @returns {DrawnCut | null} */
function circleOf(form, ring, threshold) {
  const [longestCurve] = levelCurves(form, ring, threshold).toSorted((a, b) => b.length - a.length);
  if (!longestCurve) return null;
  const middleIndex = 2 * Math.floor(longestCurve.length / 4);
  return { kind: "circle", corners: [[form[5], form[6]], [longestCurve[middleIndex], longestCurve[middleIndex + 1]]] };
}

/** The drawn cut with one grip moved. Moving the centre of a circle moves the rim by as much.
 *  @param {DrawnCut} drawnCut @param {number} grip @param {PlanePoint} to @returns {DrawnCut} */
export function moveCorner({ kind, corners: [first, second] }, grip, to) {
  if (grip === 1) return { kind, corners: [first, to] };
  const rim = /** @type {PlanePoint} */ ([second[0] + to[0] - first[0], second[1] + to[1] - first[1]]);
  return { kind, corners: [to, kind === "circle" ? rim : second] };
}

/** A drawn line rotated about its middle, by an angle in radians on the screen.
 *  @param {DrawnCut} drawnCut @param {Layout} layout @param {number} angle @returns {DrawnCut} */
export function rotate({ kind, corners }, layout, angle) {
  const [ax, ay, bx, by] = toPixels(layout, corners.flat());
  const [x, y, dx, dy] = [(ax + bx) / 2, (ay + by) / 2, (bx - ax) / 2, (by - ay) / 2];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [rx, ry] = [cos * dx - sin * dy, sin * dx + cos * dy];
  return { kind, corners: [valueAt(layout, x - rx, y - ry), valueAt(layout, x + rx, y + ry)] };
}

/** The values at a pixel.
 *  @param {Pick<Layout, "X" | "Y">} scales @param {number} px @param {number} py @returns {PlanePoint} */
export const valueAt = ({ X, Y }, px, py) => [X.invert(px), Y.invert(py)];

/** The event of a drawn cut; with `more` Python makes one change of it and the previous event.
 *  @param {DrawnCut} drawnCut @param {boolean} [more] @returns {PictureEvent} */
export const eventOf = ({ kind, corners: [first, second] }, more = false) => (kind === "line"
  ? { what: "line", start: first, end: second, more }
  : { what: "circle", centre: first, rim: second, more });

/** The edges of a drawn cut through the plane, in values.
 *  @param {CutPicture} scene @param {DrawnCut} drawnCut @returns {number[][]} */
export function drawnCutEdges(scene, { kind, corners: [[ax, ay], [bx, by]] }) {
  const { across, up, slant } = scene;
  const plane = Float64Array.of(across.low, up.low, across.high, up.low, across.high, up.high, across.low, up.high);
  const [, , , p = 1, q = 1] = slant?.form ?? [];
  const form = kind === "line" ? [0, by - ay, ax - bx, 0, 0, 0, 0] : [0, 0, 0, p, q, ax, ay];
  const level = kind === "line" ? (by - ay) * ax + (ax - bx) * ay : p * (bx - ax) ** 2 + q * (by - ay) ** 2;
  return levelCurves(form, plane, level);
}

/** Bind the grips. `redraw` draws the stage with its drawn cut, which is null once the grip is released.
 *  @param {Stage} stage @param {() => void} redraw */
export function bindGrips(stage, redraw) {
  const { grips, area, host } = stage;
  grips.forEach((grip, k) => {
    grip.addEventListener("pointerdown", (event) => {
      const { scene, chosen } = stage;
      const drawnCut = hasCuts(scene) && chosen && drawnCutOf(scene, chosen);
      if (!drawnCut || event.button !== 0) return;
      [stage.drawnCut, stage.isDrawnSent] = [drawnCut, false];
      grip.setPointerCapture(event.pointerId);
      event.preventDefault();
      event.stopPropagation();
    });
    grip.addEventListener("pointermove", (event) => {
      if (!stage.drawnCut || !stage.layout) return;
      event.stopPropagation(); // no region is lit during the move
      stage.drawnCut = moveCorner(stage.drawnCut, k, valueAt(stage.layout, ...positionIn(area, event)));
      redraw();
      sendDrawnCut(stage);
    });
    for (const endType of /** @type {const} */ (["pointerup", "pointercancel"])) {
      grip.addEventListener(endType, () => {
        if (!stage.drawnCut) return;
        if (endType === "pointerup" && stage.isDrawnSent) host.send(eventOf(stage.drawnCut, true));
        stage.drawnCut = null;
        redraw();
      });
    }
  });
}

/** Send Python the drawn cut, unless Python has yet to answer the last one.
 *  @param {Pick<Stage, "drawnCut" | "isDrawnSent" | "host">} stage */
export function sendDrawnCut(stage) {
  const { drawnCut, host } = stage;
  const isPending = host.pending.some(({ what }) => what === "line" || what === "circle");
  if (!drawnCut || isPending) return;
  host.send(eventOf(drawnCut, stage.isDrawnSent));
  stage.isDrawnSent = true;
}

/** Place the grips on the drawn cut, or else on the cut that is previewed or chosen.
 *  @param {ShownStage} stage @param {Cut | null} cut */
export function placeGrips({ grips, scene, layout, drawnCut }, cut) {
  const shape = drawnCut ?? (cut && hasCuts(scene) && scene.can.cut ? drawnCutOf(scene, cut) : null);
  grips.forEach((grip, k) => {
    grip.hidden = !shape;
    if (!shape) return;
    const [x, y] = toPixels(layout, shape.corners[k]);
    grip.style.left = `${x}px`;
    grip.style.top = `${y}px`;
    grip.dataset.kind = shape.kind;
  });
}
