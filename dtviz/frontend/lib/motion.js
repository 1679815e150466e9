// Motion from one picture to the next, with a clock from 0 to 1; any input of the user ends it.
//
// A split runs its clock forward, an undone split runs it backward over the same pictures. The picture after the
// motion is drawn beforehand: a motion only covers that picture, or moves its parts.
//
// Glossary
//   p   time of the clock: 0 is the tree before the split, 1 the tree after it

import { nodeAbove } from "./split.js";

/** Node that one of two trees splits and the other does not; `forward` is true if the newer tree splits it.
 *  @typedef {{ node: string, forward: boolean }} TreeChange */

export const MS_OF_MOTION = 500; // at most half the time between two steps of Play
const STOP_EVENTS = ["pointerdown", "keydown", "wheel"];

/** Share of the time between `from` and `to` that has passed at time `p`.
 *  @param {number} p @param {number} from @param {number} to */
export const phase = (p, from, to) => Math.min(1, Math.max(0, (p - from) / (to - from)));

/** Ease a time: slow at the start and at the end.
 *  @param {number} p */
export const ease = (p) => p * p * (3 - 2 * p);

/** @param {number} from @param {number} to @param {number} p */
export const interpolate = (from, to, p) => (1 - p) * from + p * to;

/** True if the user asks the system for less motion. */
export const isMotionReduced = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The one split by which the leaves of two trees differ; null if they differ by more. A child of the
 *  split may be missing among the leaves, since it is not drawn.
 *  @param {Iterable<string>} before @param {Iterable<string>} after
 *  @param {{ has(id: string): boolean }} nodes  nodes of both trees @returns {TreeChange | null} */
export function changeOf(before, after, nodes) {
  const [oldIds, newIds] = [new Set(before), new Set(after)];
  const [removed, added] = [[...oldIds].filter((id) => !newIds.has(id)), [...newIds].filter((id) => !oldIds.has(id))];
  for (const [forward, [node, ...others], children] of /** @type {const} */ ([[true, removed, added], [false, added, removed]])) {
    if (node && !others.length && children.length && children.every((id) => nodeAbove(nodes, id) === node)) return { node, forward };
  }
  return null;
}

/** Motion of a picture from step to step: one motion at a time, and none for a step that comes sooner after the
 *  last one than a motion takes. While it runs, `data-moving` of the root is "on", or "back" for a step that is undone. */
export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.lastStepTime = -Infinity;
    /** Called when the motion ends; null while nothing moves. */
    this.onEnd = /** @type {(() => void) | null} */ (null);
  }

  /** End the motion of the last step and begin a step; returns true if this step may be animated. */
  beginStep() {
    this.end();
    const now = performance.now();
    const isSoon = now - this.lastStepTime < MS_OF_MOTION;
    this.lastStepTime = now;
    return !isSoon && !document.hidden && !isMotionReduced();
  }

  /** Call `draw` with the time at each repaint of the browser, then `onEnd` once.
   *  @param {boolean} forward @param {(p: number) => void} draw @param {() => void} onEnd */
  run(forward, draw, onEnd) {
    this.end();
    const end = () => this.end();
    const startTime = performance.now();
    this.onEnd = () => {
      for (const type of STOP_EVENTS) window.removeEventListener(type, end, true);
      onEnd();
    };
    for (const type of STOP_EVENTS) window.addEventListener(type, end, { capture: true, passive: true });
    const endOfRun = this.onEnd;
    const tick = () => {
      if (this.onEnd !== endOfRun) return; // this run ended
      const share = Math.min(1, (performance.now() - startTime) / MS_OF_MOTION);
      if (share === 1 || !this.root.isConnected) this.end();
      else {
        draw(forward ? share : 1 - share);
        requestAnimationFrame(tick);
      }
    };
    this.root.dataset.moving = forward ? "on" : "back";
    tick();
  }

  /** End the motion, if one runs. */
  end() {
    const { onEnd } = this;
    this.onEnd = null;
    delete this.root.dataset.moving;
    onEnd?.();
  }
}
