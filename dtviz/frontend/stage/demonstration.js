// A demonstration on a first visit, shown once: the line of the cut moves along its gains and comes back.

import { element } from "../lib/dom.js";
import { isMotionReduced } from "../lib/motion.js";
import { hasCuts } from "./focus.js";

/** @import { Cut } from "../types.d.ts" */
/** @import { Stage } from "./stage.js" */

const SHOWN_KEY = "dtviz:seen"; // of localStorage
const MS_BEFORE = 900;
const MS_LONG = 3200; // there and back
const STOP_EVENTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

let begun = false;

/** True on a first visit where motion is allowed: the bare address, no demonstration shown before. */
function isFirstVisit() {
  if (begun || location.search || isMotionReduced()) return false;
  try {
    return !localStorage.getItem(SHOWN_KEY);
  } catch {
    return false; // without storage the demonstration would come back at each visit
  }
}

/** True if the page asks for the demonstration; with a table of the visitor it does not.
 *  @param {Stage} stage */
const isWanted = ({ area }) => area.closest(".grow.first") !== null;

/** Notes in the browser that the demonstration was shown; returns true if the browser could keep the note. */
function remember() {
  try {
    localStorage.setItem(SHOWN_KEY, "1");
    return true;
  } catch {
    return false;
  }
}

/** Drags the line once, until the visitor does anything.
 *  @param {Stage} stage @param {(stage: Stage, cut: Cut | null) => void} preview */
export function demonstrate(stage, preview) {
  const { scene, area } = stage;
  if (!hasCuts(scene) || !scene.can.cut || !stage.chosen || !isFirstVisit()) return;
  begun = true;
  const [axis, home] = stage.chosen;
  const count = scene.cuts[axis].threshold.length;
  const ring = element("div", "ghost");
  let [isRunning, isRemembered] = [true, false];
  const stop = () => {
    isRunning = false;
    ring.remove();
    preview(stage, null);
    for (const type of STOP_EVENTS) removeEventListener(type, onAction, true);
  };
  const onAction = () => {
    if (isWanted(stage)) remember();
    stop();
  };
  for (const type of STOP_EVENTS) addEventListener(type, onAction, { capture: true, passive: true });
  const start = performance.now() + MS_BEFORE;
  /** @param {number} time */
  const step = (time) => {
    if (!isRunning) return;
    const share = (time - start) / MS_LONG;
    isRemembered ||= share > 0 && isWanted(stage) && remember();
    if (share >= 1 || stage.scene !== scene || !area.isConnected || (share > 0 && !isRemembered)) {
      stop();
      begun = isRemembered;
      return;
    }
    if (share > 0) {
      const i = demonstratedCut(share, home, count);
      preview(stage, i === home ? null : [axis, i]);
      area.append(ring);
      const { left, top, width, height } = stage.handle.style;
      ring.style.left = `${parseFloat(left) + parseFloat(width) / 2}px`;
      ring.style.top = `${parseFloat(top) + parseFloat(height) / 2}px`;
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** The cut shown after a share of the time: from the chosen one to the middle of the longer half, and back.
 *  @param {number} share @param {number} home @param {number} count */
export function demonstratedCut(share, home, count) {
  const farthest = home < count / 2 ? count - 1 - Math.round(count / 4) : Math.round(count / 4);
  const progress = (1 - Math.cos(2 * Math.PI * share)) / 2;
  return Math.max(0, Math.min(count - 1, Math.round(home + (farthest - home) * progress)));
}
