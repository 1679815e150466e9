// Pointer and keys on the stage: which cut is meant, and whether it is to stay.

import { limitOf } from "./cut.js";
import { within } from "./layout.js";
import { tell } from "../lib/link.js";

/** @import { Cut, Layout, Picture } from "../types.d.ts" */

const FAR = 10;

/** Bind the pointer and the keys; `look`, `keep` and `point` are what the stage does.
 *  @param {any} stage @param {any} given */
export function steer(stage, { look, keep, point }) {
  const { area, slider } = stage;
  let drag = null;

  area.addEventListener("pointermove", (event) => {
    if (!stage.at || stage.scene.bare) return stage.at && point(stage, ...place(stage, event));
    const [x, y] = place(stage, event);
    const axis = drag ? drag.axis : stripAt(stage, x, y);
    if (drag) drag.moved = true;
    area.style.cursor = axis !== null || gripped(event) ? "pointer" : "";
    if (axis !== null && stage.scene.can.cut) {
      point(stage, -1, -1);
      return look(stage, nearest(stage, axis, axis === 0 ? x : y));
    }
    if (!drag) {
      look(stage, null);
      point(stage, x, y);
    }
    return undefined;
  });

  area.addEventListener("pointerdown", (event) => {
    if (!stage.at || stage.scene.bare || event.button > 0) return;
    const [x, y] = place(stage, event);
    const axis = gripped(event) ? Number(stage.handle.dataset.axis) : stripAt(stage, x, y);
    if (axis === null || !stage.scene.can.cut) return;
    drag = { axis, moved: !gripped(event) };
    area.setPointerCapture(event.pointerId);
    if (!gripped(event)) look(stage, nearest(stage, axis, axis === 0 ? x : y));
    event.preventDefault();
    slider.focus({ preventScroll: true });
  });

  area.addEventListener("pointerup", (event) => {
    if (!stage.at || stage.scene.bare) return;
    if (drag) {
      const dragged = drag.moved;
      drag = null;
      if (dragged && stage.preview) keep(stage, stage.preview);
      return;
    }
    const [x, y] = place(stage, event);
    point(stage, x, y);
    if (stage.under && stage.scene.can.focus) stage.host.send({ what: "focus", node: stage.under });
  });

  area.addEventListener("pointercancel", () => {
    drag = null;
    look(stage, null);
  });

  area.addEventListener("pointerleave", () => {
    if (drag || !stage.at) return;
    if (!stage.scene.bare) look(stage, null);
    stage.tip.hidden = true;
    stage.under = null;
    tell("hover", { node: null, from: "stage" });
    stage.lit = null;
    if (stage.preview === null) look(stage, undefined);
  });

  slider.addEventListener("keydown", (event) => {
    if (!stage.at || stage.scene.bare || event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = keyed(stage, event.key);
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (wanted === "keep") {
      if (stage.preview) keep(stage, stage.preview);
    } else if (stage.scene.can.cut) look(stage, wanted);
  });
}

const gripped = (event) => event.composedPath()[0].className === "handle";

/** @param {any} given @param {PointerEvent} event */
function place({ area }, event) {
  const box = area.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The strip under the pointer, 0 or 1, or null.
 *  @param {{ at: Layout, scene: Picture }} given @param {number} x @param {number} y */
function stripAt({ at, scene }, x, y) {
  const found = at.strips.findIndex((strip, axis) => scene.cuts[axis].threshold.length && within(strip, x, y, 4));
  return found < 0 ? null : found;
}

/** The cut of an axis that is drawn nearest to a pixel; none if it is far from all of them.
 *  @param {{ at: Layout, scene: Picture }} given @param {number} axis @param {number} pixel
 *  @returns {Cut} */
function nearest({ at, scene }, axis, pixel) {
  const rules = scene.cuts[axis].threshold;
  const scale = axis === 0 ? at.X : at.Y;
  const gap = (i) => Math.abs(scale(limitOf(scene, [axis, i])) - pixel);
  let [low, high] = [0, rules.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const before = axis === 0
      ? scale(limitOf(scene, [0, middle])) <= pixel
      : scale(limitOf(scene, [1, middle])) >= pixel;
    if (before) low = middle;
    else high = middle;
  }
  return [axis, gap(low) <= gap(high) ? low : high];
}

/** What a key asks for: a cut to look at, null for the one that stays, "keep", or nothing of ours.
 *  @param {any} stage @param {string} key */
function keyed(stage, key) {
  const { scene } = stage;
  const now = stage.preview ?? stage.held ?? scene.best;
  const page = { PageUp: FAR, PageDown: -FAR };
  if (key === "Escape") return null;
  if (key === "Enter" || key === " ") return "keep";
  if (key === "b" || key === "B") return scene.best ?? undefined;
  if (key === "ArrowRight" || key === "ArrowLeft") return moved(scene, now, 0, key === "ArrowRight" ? 1 : -1);
  if (key === "ArrowUp" || key === "ArrowDown") {
    const axis = scene.form === "plane" ? 1 : 0;
    return moved(scene, now, axis, key === "ArrowUp" ? 1 : -1);
  }
  if (key in page) return moved(scene, now, now ? now[0] : 0, page[key]);
  if (key === "Home" || key === "End") {
    const axis = now ? now[0] : 0;
    const last = scene.cuts[axis].threshold.length - 1;
    return last < 0 ? null : [axis, key === "Home" ? 0 : last];
  }
  return undefined;
}

/** The cut so many places on; the middle of an axis that was not looked at before.
 *  @param {Picture} scene @param {Cut | null} now @param {number} axis @param {number} by
 *  @returns {Cut | null} */
function moved(scene, now, axis, by) {
  const count = scene.cuts[axis].threshold.length;
  if (!count) return null;
  if (!now || now[0] !== axis) return [axis, Math.floor((count - 1) / 2)];
  return [axis, Math.max(0, Math.min(count - 1, now[1] + by))];
}
