// A first visit shows once what a hand can do here: the line goes along its gains and comes back.

import { element } from "../lib/dom.js";
import { reduced } from "../lib/motion.js";
import { hasCuts } from "./paint.js";

/** @import { Cut } from "../types.d.ts" */
/** @import { Stage } from "./stage.js" */

const SEEN = "dtviz:seen";
const WAIT = 900;
const LONG = 3200; // milliseconds there and back
const STOPS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

let begun = false;

/** Whether this is a first visit, of which motion may be made: the bare address, never seen here. */
function isFirst() {
  if (begun || location.search || reduced()) return false;
  try {
    return !localStorage.getItem(SEEN);
  } catch {
    return false; // where nothing can be kept it would come back each time
  }
}

/** Whether the page asks what the ghost shows: of one's own table it does not. */
const isWanted = () => document.querySelector(".st-key-first") !== null;

/** Note that it was seen; whether that could be kept. */
function remember() {
  try {
    localStorage.setItem(SEEN, "1");
    return true;
  } catch {
    return false;
  }
}

/** Drag the line once, until anything is done.
 *  @param {Stage} stage @param {(stage: Stage, cut: Cut | null) => void} look */
export function demonstrate(stage, look) {
  const { scene, area } = stage;
  if (!hasCuts(scene) || !scene.can.cut || !stage.held || !isFirst()) return;
  begun = true;
  const [axis, home] = stage.held;
  const many = scene.cuts[axis].threshold.length;
  const ring = element("div", "ghost");
  let [on, shown] = [true, false];
  const stop = () => {
    on = false;
    ring.remove();
    look(stage, null);
    for (const type of STOPS) removeEventListener(type, leave, true);
  };
  const leave = () => {
    if (isWanted()) remember();
    stop();
  };
  for (const type of STOPS) addEventListener(type, leave, { capture: true, passive: true });
  const start = performance.now() + WAIT;
  /** @param {number} now */
  const step = (now) => {
    if (!on) return;
    const share = (now - start) / LONG;
    shown ||= share > 0 && isWanted() && remember();
    if (share >= 1 || stage.scene !== scene || !area.isConnected || (share > 0 && !shown)) {
      stop();
      begun = shown;
      return;
    }
    if (share > 0) {
      const k = demonstratedCut(share, home, many);
      look(stage, k === home ? null : [axis, k]);
      area.append(ring);
      ring.style.left = `${parseFloat(stage.handle.style.left) + parseFloat(stage.handle.style.width) / 2}px`;
      ring.style.top = `${parseFloat(stage.handle.style.top) + parseFloat(stage.handle.style.height) / 2}px`;
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Where the line is after a share of the time: from its place to the far end's middle, and back.
 *  @param {number} share @param {number} home @param {number} many */
export function demonstratedCut(share, home, many) {
  const far = home < many / 2 ? many - 1 - Math.round(many / 4) : Math.round(many / 4);
  const way = (1 - Math.cos(2 * Math.PI * share)) / 2;
  return Math.max(0, Math.min(many - 1, Math.round(home + (far - home) * way)));
}
