// Pointer and keys on the stage: they preview a cut, choose it, or select a row or a leaf.

// @ts-types="../vendor/d3.d.ts"
import { bisectCenter, leastIndex } from "../vendor/d3.js";
import { rectContains } from "../draw/pointer.js";
import { elementsOf, positionIn } from "../lib/dom.js";
import { isPresenting } from "../lib/presentation.js";
import { peakPixel } from "./axes.js";
import { isProposing, withCut, withPlace } from "./proposal.js";
import { ringContains } from "./rings.js";
import { hasCuts } from "./focus.js";

/** @import { Cut, CutPicture, Layout, Proposal } from "../types.d.ts" */
/** @import { ShownStage, Stage } from "./stage.js" */

/**
 * The actions of a stage.
 * @typedef {object} StageActions
 * @property {(stage: Stage, cut: Cut | null) => void} preview
 * @property {(stage: Stage, proposal: Proposal) => void} propose
 * @property {(stage: Stage, cut: Cut) => void} choose
 * @property {(stage: ShownStage, x: number, y: number, reach?: number) => void} point
 * @property {(stage: ShownStage) => void} select  selects the row or leaf at the pointer
 * @property {(stage: Stage, angle: number) => void} rotate
 */

const CUTS_A_PAGE = 10; // cuts that PageUp and PageDown move by
const FINGER_REACH = 8; // more pixels that count as near to a finger
/** @type {Record<string, number>} */
const ANGLES = { ArrowLeft: -Math.PI / 36, ArrowRight: Math.PI / 36 };
/** @type {Record<string, number>} */
const PAGES = { PageUp: CUTS_A_PAGE, PageDown: -CUTS_A_PAGE };

/** True if the points of a stage have come.
 *  @param {Stage} stage @returns {stage is ShownStage} */
export const isShown = (stage) => stage.layout !== null && stage.cloud !== null;

/** Bind the pointer and the keys.
 *  @param {Stage} stage @param {StageActions} actions */
export function bindInput(stage, { preview, propose, choose, point, select, rotate }) {
  const { area, slider } = stage;
  let drag = /** @type {{ axis: number | null, onHandle: boolean, moved: boolean } | null} */ (null); // its axis is null while it proposes a place of the plane
  let pressed = false; // true from the main button's press here to its release

  area.addEventListener("pointermove", (event) => {
    if (!isShown(stage)) return;
    const { layout, scene } = stage;
    const [x, y] = positionIn(area, event);
    if (!hasCuts(scene)) {
      point(stage, x, y);
      return;
    }
    stage.isByFinger &&= event.pointerType !== "mouse";
    if (isProposing(scene, stage.isByFinger)) {
      if (drag) propose(stage, proposalAt({ layout, scene, proposal: stage.proposal }, drag.axis, x, y));
      return;
    }
    const axis = drag ? drag.axis : axisAt(stage, x, y);
    if (drag) drag.moved = true;
    area.style.cursor = axis !== null || isOnHandle(event) ? "pointer" : "";
    if (axis !== null && scene.can.cut) {
      point(stage, -1, -1);
      const nearest = drag?.onHandle ? nearestThreshold : nearestCut;
      preview(stage, nearest(layout, scene, axis, x, y));
    } else if (!drag) {
      preview(stage, null);
      point(stage, x, y);
    }
  });

  area.addEventListener("pointerdown", (event) => {
    const { layout, scene } = stage;
    pressed = event.button === 0;
    if (!layout || !hasCuts(scene) || !pressed) return;
    stage.isByFinger = event.pointerType === "touch";
    const proposing = isProposing(scene, stage.isByFinger);
    const [x, y] = positionIn(area, event);
    const onHandle = isOnHandle(event) && !proposing;
    const axis = onHandle ? Number(stage.handle.dataset.axis) : axisAt(stage, x, y);
    if (axis === null || !scene.can.cut) return;
    drag = { axis: proposing ? stripAt(layout, scene, x, y) : axis, onHandle, moved: !onHandle || stage.preview !== null }; // a click on a previewed cut chooses it
    area.setPointerCapture(event.pointerId);
    if (proposing) propose(stage, proposalAt({ layout, scene, proposal: stage.proposal }, drag.axis, x, y));
    else if (!onHandle) preview(stage, nearestCut(layout, scene, axis, x, y));
    event.preventDefault();
    if (!isPresenting() && !proposing) slider.focus({ preventScroll: true }); // while presenting the keys step, whatever was clicked
  });

  area.addEventListener("pointerup", (event) => {
    const { scene } = stage;
    const clicked = pressed;
    pressed = false;
    if (!isShown(stage) || !hasCuts(scene)) return;
    if (drag) {
      const { moved } = drag;
      drag = null;
      if (isProposing(scene, stage.isByFinger)) return;
      if (moved && stage.preview) choose(stage, stage.preview);
      return;
    }
    const [x, y] = positionIn(area, event);
    point(stage, x, y, event.pointerType === "touch" ? FINGER_REACH : 0);
    if (clicked) select(stage);
  });

  area.addEventListener("pointercancel", () => {
    [drag, pressed] = [null, false];
    if (!isProposing(stage.scene, stage.isByFinger)) preview(stage, null);
  });

  area.addEventListener("pointerleave", () => {
    pressed = false;
    if (drag || !isShown(stage) || isProposing(stage.scene, stage.isByFinger)) return;
    preview(stage, null);
    point(stage, -1, -1);
  });

  slider.addEventListener("keydown", (event) => {
    const { layout, scene } = stage;
    if (!layout || !hasCuts(scene) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && event.key in ANGLES) {
      event.preventDefault();
      event.stopPropagation();
      rotate(stage, ANGLES[event.key]);
      return;
    }
    if (event.key === "Escape" && !stage.preview) return; // Escape belongs to the page
    if (event.key in PAGES && isPresenting()) return; // a clicker's keys belong to the time-line
    const wanted = cutOfKey(scene, stage.preview ?? stage.chosen ?? scene.best, event.key);
    if (wanted === undefined || (event.key === "Enter" && !stage.preview)) return; // Enter splits at the cut chosen
    event.preventDefault();
    event.stopPropagation();
    if (wanted === "choose") {
      if (stage.preview) choose(stage, stage.preview);
    } else if (scene.can.cut) preview(stage, wanted);
  });
}

/** The proposal of a pixel: of a strip the nearest cut of its axis, in the plane the nearest of either axis.
 *  @param {{ layout: Layout, scene: CutPicture, proposal: Proposal }} stage @param {number | null} axis  of the strip, null in the plane
 *  @param {number} x @param {number} y @returns {Proposal} */
export function proposalAt({ layout, scene, proposal }, axis, x, y) {
  if (axis === null) return withPlace(proposal, (k) => nearestThreshold(layout, scene, k, x, y));
  const cut = nearestCut(layout, scene, axis, x, y);
  return cut ? withCut(proposal, cut) : proposal;
}

/** @param {PointerEvent} event */
const isOnHandle = (event) => elementsOf(event)[0].className === "handle";

/** The axis whose cuts the pointer reaches: that of the strip at the pointer; inside the focus, where the page
 *  asks for a cut, the axis of the cut previewed or chosen, else the first with cuts; null for none.
 *  @param {Stage} stage @param {number} x @param {number} y */
function axisAt({ layout, scene, preview, chosen }, x, y) {
  if (!layout || !hasCuts(scene)) return null;
  const strip = stripAt(layout, scene, x, y);
  const focus = strip === null && scene.is_asking && layout.rings.get(scene.focus);
  if (!focus || !ringContains(focus, x, y)) return strip;
  const axes = scene.cuts.flatMap(({ threshold }, axis) => (threshold.length ? [axis] : []));
  const current = (preview ?? chosen)?.[0];
  return axes.find((axis) => axis === current) ?? axes[0] ?? null;
}

/** The axis of the strip under the pointer, or null.
 *  @param {Layout} layout @param {CutPicture} scene @param {number} x @param {number} y */
function stripAt(layout, scene, x, y) {
  const index = layout.gainStrips.findIndex((strip, axis) =>
    scene.cuts[axis]?.threshold.length && rectContains(strip, x, y, 4));
  return index < 0 ? null : index;
}

/** The cut of an axis whose dot is nearest to a pixel, where the axis has scattered subsets, whose dots stand
 *  over one another; else the cut with the nearest threshold.
 *  @param {Layout} layout @param {CutPicture} scene @param {number} axis @param {number} x
 *  @param {number} y @returns {Cut | null} */
export function nearestCut(layout, scene, axis, x, y) {
  const count = scene.cuts[axis]?.scattered.length;
  if (!count) return nearestThreshold(layout, scene, axis, x, y);
  const dots = Array.from({ length: count }, (_, i) => peakPixel(layout, scene, axis, i));
  return [axis, leastIndex(dots, ([dotX, dotY]) => Math.hypot(dotX - x, dotY - y))];
}

/** The cut of an axis, but no scattered subset, whose threshold is nearest to a pixel along the axis; null if the
 *  axis has no cuts.
 *  @param {Layout} layout @param {CutPicture} scene @param {number} axis @param {number} x
 *  @param {number} y @returns {Cut | null} */
function nearestThreshold(layout, scene, axis, x, y) {
  const thresholds = scene.cuts[axis]?.threshold ?? [];
  if (!thresholds.length) return null; // the focus changed since the drag began
  const value = axis === 1 ? layout.Y.invert(y) : [layout.X, layout.Y, layout.S][axis].invert(x);
  const firstScattered = scene.cuts[axis].scattered.findIndex((bits) => bits > 0);
  return [axis, bisectCenter(thresholds, value, 0, firstScattered < 0 ? thresholds.length : firstScattered)];
}

/** The cut that a key previews; null to show the chosen cut, "choose", or undefined for a key of the page.
 *  @param {CutPicture} scene @param {Cut | null} current @param {string} key
 *  @returns {Cut | "choose" | null | undefined} */
function cutOfKey(scene, current, key) {
  if (key === "Escape") return null;
  if (key === "Enter" || key === " ") return "choose";
  if (key === "b" || key === "B") return scene.best ?? undefined;
  if (key === "ArrowRight" || key === "ArrowLeft") {
    return neighbour(scene, current, current?.[0] === 2 ? 2 : 0, key === "ArrowRight" ? 1 : -1);
  }
  if (key === "ArrowUp" || key === "ArrowDown") {
    const axis = scene.form === "plane" ? 1 : 0;
    return neighbour(scene, current, axis, key === "ArrowUp" ? 1 : -1);
  }
  if (key in PAGES) return neighbour(scene, current, current ? current[0] : 0, PAGES[key]);
  if (key === "Home" || key === "End") {
    const axis = current ? current[0] : 0;
    const last = scene.cuts[axis].threshold.length - 1;
    return last < 0 ? null : [axis, key === "Home" ? 0 : last];
  }
  return undefined;
}

/** The cut some steps on; the middle of an axis that the current cut is not on.
 *  @param {CutPicture} scene @param {Cut | null} current @param {number} axis @param {number} steps
 *  @returns {Cut | null} */
function neighbour(scene, current, axis, steps) {
  const count = scene.cuts[axis].threshold.length;
  if (!count) return null;
  if (!current || current[0] !== axis) return [axis, Math.floor((count - 1) / 2)];
  return [axis, Math.max(0, Math.min(count - 1, current[1] + steps))];
}
