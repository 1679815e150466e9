// Pointer and keys on the stage: which cut is meant, and whether it is to stay.

import { elementsOf, placeIn } from "../lib/dom.js";
import { presenting } from "../lib/present.js";
import { peak } from "./axes.js";
import { thresholdOf } from "./sides.js";
import { rectContains } from "./layout.js";
import { ringContains } from "./rings.js";
import { hasCuts } from "./paint.js";

/** @import { Cut, CutPicture, Layout } from "../types.d.ts" */
/** @import { Shown, Stage } from "./stage.js" */

/**
 * What the stage does.
 * @typedef {object} Acts
 * @property {(stage: Stage, cut: Cut | null) => void} look
 * @property {(stage: Stage, cut: Cut) => void} keep
 * @property {(stage: Shown, x: number, y: number, more?: number) => void} point
 * @property {(stage: Shown) => void} choose
 * @property {(stage: Stage, angle: number) => void} turn
 */

const FAR = 10;
const FINGER = 8; // pixels farther that a finger reaches
/** @type {Record<string, number>} */
const TURNS = { ArrowLeft: -Math.PI / 36, ArrowRight: Math.PI / 36 };
/** @type {Record<string, number>} */
const PAGES = { PageUp: FAR, PageDown: -FAR };

/** @param {Stage} stage @returns {stage is Shown} */
export const isShown = (stage) => stage.at !== null && stage.cloud !== null;

/** Bind the pointer and the keys.
 *  @param {Stage} stage @param {Acts} acts */
export function steer(stage, { look, keep, point, turn, choose }) {
  const { area, slider } = stage;
  let drag = /** @type {{ axis: number, line: boolean, moved: boolean } | null} */ (null);
  let pressed = false; // the main button went down here, and is not up yet

  area.addEventListener("pointermove", (event) => {
    if (!isShown(stage)) return;
    const { at, scene } = stage;
    const [x, y] = placeIn(area, event);
    if (!hasCuts(scene)) {
      point(stage, x, y);
      return;
    }
    const axis = drag ? drag.axis : meant(stage, x, y);
    if (drag) drag.moved = true;
    area.style.cursor = axis !== null || gripped(event) ? "pointer" : "";
    if (axis !== null && scene.can.cut) {
      point(stage, -1, -1);
      look(stage, drag?.line ? nearest(at, scene, axis, axis === 1 ? y : x) : aimed(at, scene, axis, x, y));
    } else if (!drag) {
      look(stage, null);
      point(stage, x, y);
    }
  });

  area.addEventListener("pointerdown", (event) => {
    const { at, scene } = stage;
    pressed = event.button === 0;
    if (!at || !hasCuts(scene) || !pressed) return;
    const [x, y] = placeIn(area, event);
    const axis = gripped(event) ? Number(stage.handle.dataset.axis) : meant(stage, x, y);
    if (axis === null || !scene.can.cut) return;
    const line = gripped(event);
    drag = { axis, line, moved: !line || stage.preview !== null }; // a click on the cut looked at keeps it
    area.setPointerCapture(event.pointerId);
    if (!line) look(stage, aimed(at, scene, axis, x, y));
    event.preventDefault();
    if (!presenting()) slider.focus({ preventScroll: true }); // there the keys step, whatever was clicked
  });

  area.addEventListener("pointerup", (event) => {
    const { scene } = stage;
    const clicked = pressed;
    pressed = false;
    if (!isShown(stage) || !hasCuts(scene)) return;
    if (drag) {
      const dragged = drag.moved;
      drag = null;
      if (dragged && stage.preview) keep(stage, stage.preview);
      return;
    }
    const [x, y] = placeIn(area, event);
    point(stage, x, y, event.pointerType === "touch" ? FINGER : 0);
    if (clicked) choose(stage);
  });

  area.addEventListener("pointercancel", () => {
    [drag, pressed] = [null, false];
    look(stage, null);
  });

  area.addEventListener("pointerleave", () => {
    pressed = false;
    if (drag || !isShown(stage)) return;
    look(stage, null);
    point(stage, -1, -1);
  });

  slider.addEventListener("keydown", (event) => {
    const { at, scene } = stage;
    if (!at || !hasCuts(scene) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey && event.key in TURNS) {
      event.preventDefault();
      event.stopPropagation();
      turn(stage, TURNS[event.key]);
      return;
    }
    if (event.key === "Escape" && !stage.preview) return; // the page's own
    if (event.key in PAGES && presenting()) return; // a clicker's: the line's own
    const wanted = keyed(scene, stage.preview ?? stage.held ?? scene.best, event.key);
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (wanted === "keep") {
      if (stage.preview) keep(stage, stage.preview);
    } else if (scene.can.cut) look(stage, wanted);
  });
}

/** @param {PointerEvent} event */
const gripped = (event) => elementsOf(event)[0].className === "handle";

/** The axis whose cuts are meant at a place: that of the strip there; and where a cut is asked for,
 *  in the focus, that of the cut looked at, else of any. Null for none.
 *  @param {Stage} stage @param {number} x @param {number} y */
function meant({ at, scene, preview, held }, x, y) {
  if (!at || !hasCuts(scene)) return null;
  const strip = stripAt(at, scene, x, y);
  const focus = strip === null && scene.asking && at.rings.get(scene.focus);
  if (!focus || !ringContains(focus, x, y)) return strip;
  const axes = scene.cuts.flatMap(({ threshold }, axis) => (threshold.length ? [axis] : []));
  const own = (preview ?? held)?.[0];
  return axes.find((axis) => axis === own) ?? axes[0] ?? null;
}

/** The strip under the pointer, 0 or 1, or null.
 *  @param {Layout} at @param {CutPicture} scene @param {number} x @param {number} y */
function stripAt(at, scene, x, y) {
  const found = at.strips.findIndex((strip, axis) => scene.cuts[axis]?.threshold.length && rectContains(strip, x, y, 4));
  return found < 0 ? null : found;
}

/** The cut of an axis that is drawn nearest to a place in its strip, where scattered subsets stand
 *  over one another; else nearest along it.
 *  @param {Layout} at @param {CutPicture} scene @param {number} axis @param {number} x
 *  @param {number} y @returns {Cut | null} */
export function aimed(at, scene, axis, x, y) {
  const count = scene.cuts[axis]?.scattered.length;
  if (!count) return nearest(at, scene, axis, axis === 1 ? y : x);
  const far = Array.from({ length: count }, (_, i) => {
    const spot = peak(at, scene, axis, i);
    return Math.hypot(spot[0] - x, spot[1] - y);
  });
  return [axis, far.indexOf(Math.min(...far))];
}

/** The cut of an axis, but no scattered subset, that is drawn nearest to a pixel; null if it has none.
 *  @param {Layout} at @param {CutPicture} scene @param {number} axis @param {number} pixel
 *  @returns {Cut | null} */
function nearest(at, scene, axis, pixel) {
  const rules = scene.cuts[axis]?.threshold ?? [];
  if (!rules.length) return null; // the node in focus is another than where the drag began
  const scale = [at.X, at.Y, at.S][axis];
  /** @param {number} i */
  const gap = (i) => Math.abs(scale(thresholdOf(scene, [axis, i])) - pixel);
  const first = scene.cuts[axis].scattered.findIndex((bits) => bits > 0);
  let [low, high] = [0, (first < 0 ? rules.length : first) - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const spot = scale(thresholdOf(scene, [axis, middle]));
    const before = axis === 1 ? spot >= pixel : spot <= pixel;
    if (before) low = middle;
    else high = middle;
  }
  return [axis, gap(low) <= gap(high) ? low : high];
}

/** What a key asks for: a cut to look at, null for the one that stays, "keep", or nothing of ours.
 *  @param {CutPicture} scene @param {Cut | null} now @param {string} key
 *  @returns {Cut | "keep" | null | undefined} */
function keyed(scene, now, key) {
  if (key === "Escape") return null;
  if (key === "Enter" || key === " ") return "keep";
  if (key === "b" || key === "B") return scene.best ?? undefined;
  if (key === "ArrowRight" || key === "ArrowLeft") {
    return moved(scene, now, now?.[0] === 2 ? 2 : 0, key === "ArrowRight" ? 1 : -1);
  }
  if (key === "ArrowUp" || key === "ArrowDown") {
    const axis = scene.form === "plane" ? 1 : 0;
    return moved(scene, now, axis, key === "ArrowUp" ? 1 : -1);
  }
  if (key in PAGES) return moved(scene, now, now ? now[0] : 0, PAGES[key]);
  if (key === "Home" || key === "End") {
    const axis = now ? now[0] : 0;
    const last = scene.cuts[axis].threshold.length - 1;
    return last < 0 ? null : [axis, key === "Home" ? 0 : last];
  }
  return undefined;
}

/** The cut so many places on; the middle of an axis that was not looked at before.
 *  @param {CutPicture} scene @param {Cut | null} now @param {number} axis @param {number} by
 *  @returns {Cut | null} */
function moved(scene, now, axis, by) {
  const count = scene.cuts[axis].threshold.length;
  if (!count) return null;
  if (!now || now[0] !== axis) return [axis, Math.floor((count - 1) / 2)];
  return [axis, Math.max(0, Math.min(count - 1, now[1] + by))];
}
