// Motion from one picture to the next, with a clock from 0 to 1; any input of the user ends it.
//
// A split runs its clock forward, an undone split backward, over the same pictures. The last picture is
// the one drawn without motion: a motion only covers or moves it while it lasts.
//
// Glossary
//   p   time of the clock: 0 is the tree before the split, 1 the tree after it

/** Node that only one of two trees splits; `forward` is true if the newer tree splits it.
 *  @typedef {{ node: string, forward: boolean }} TreeChange */

export const MS_A_STEP = 500; // at most half of Play's tick
const STOPS = ["pointerdown", "keydown", "wheel"];

/** Share of the time between `from` and `to` that is over at time `p`.
 *  @param {number} p @param {number} from @param {number} to */
export const phase = (p, from, to) => Math.min(1, Math.max(0, (p - from) / (to - from)));

/** Ease a time, slow at both ends alike.
 *  @param {number} p */
export const ease = (p) => p * p * (3 - 2 * p);

/** @param {number} from @param {number} to @param {number} p */
export const interpolate = (from, to, p) => (1 - p) * from + p * to;

/** True if the user asks the system for less motion. */
export const isMotionReduced = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The one split by which the leaves of two trees differ; null if they differ by more. A child of the
 *  split may be missing among the leaves, since it is not drawn.
 *  @param {Iterable<string>} before @param {Iterable<string>} after @returns {TreeChange | null} */
export function changeOf(before, after) {
  const [oldIds, newIds] = [new Set(before), new Set(after)];
  const [removed, added] = [[...oldIds].filter((id) => !newIds.has(id)), [...newIds].filter((id) => !oldIds.has(id))];
  for (const [forward, [node, ...others], children] of /** @type {const} */ ([[true, removed, added], [false, added, removed]])) {
    if (node && !others.length && children.length && children.every((id) => parentOf(id) === node)) return { node, forward };
  }
  return null;
}

/** @param {string} id */
const parentOf = (id) => (BigInt(id) >> 1n).toString();

/** Motion of a picture from step to step: one at a time, and none for steps that follow faster than a
 *  motion takes. While it runs, `data-moving` of the root is "on", or "back" for a step undone. */
export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.lastStepTime = -Infinity;
    this.onEnd = /** @type {(() => void) | null} */ (null);
  }

  /** Begin a step and end the motion of the last one; returns true if this step may move. */
  step() {
    this.end();
    const now = performance.now();
    const isSoon = now - this.lastStepTime < MS_A_STEP;
    this.lastStepTime = now;
    return !isSoon && !document.hidden && !isMotionReduced();
  }

  /** Call `draw` with every time of the clock, then `onEnd` once.
   *  @param {boolean} forward @param {(p: number) => void} draw @param {() => void} onEnd */
  run(forward, draw, onEnd) {
    this.end();
    const end = () => this.end();
    const startTime = performance.now();
    this.onEnd = () => {
      for (const type of STOPS) window.removeEventListener(type, end, true);
      onEnd();
    };
    for (const type of STOPS) window.addEventListener(type, end, { capture: true, passive: true });
    const thisEnd = this.onEnd;
    const tick = () => {
      if (this.onEnd !== thisEnd) return;
      const share = Math.min(1, (performance.now() - startTime) / MS_A_STEP);
      if (share === 1 || !this.root.isConnected) this.end();
      else {
        draw(forward ? share : 1 - share);
        requestAnimationFrame(tick);
      }
    };
    this.root.dataset.moving = forward ? "on" : "back";
    tick();
  }

  end() {
    const { onEnd } = this;
    this.onEnd = null;
    delete this.root.dataset.moving;
    onEnd?.();
  }
}
