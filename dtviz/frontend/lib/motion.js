// Motion: a step from one picture to the next, run as a clock from 0 to 1 that anything done ends.
//
// A split runs its clock forward, an undone one backward, over the same pictures. What is shown in the
// end is what is drawn without motion: a motion only covers it, or moves it, while it lasts.
//
// Glossary
//   p        how far the clock is, 0 to 1; 0 is the tree before the split, 1 the one after it
//   change   the node that one tree splits and the other does not; `forward` where the newer splits it

/** @typedef {{ node: string, forward: boolean }} Change */

export const LONG = 500; // milliseconds, at most half of Play's tick
const STOPS = ["pointerdown", "keydown", "wheel"];

/** How much of the part of the clock from one time to another is over.
 *  @param {number} p @param {number} from @param {number} to */
export const during = (p, from, to) => Math.min(1, Math.max(0, (p - from) / (to - from)));

/** Slowly off, slowly in; from the end it looks the same.
 *  @param {number} p */
export const eased = (p) => p * p * (3 - 2 * p);

/** @param {number} from @param {number} to @param {number} p */
export const between = (from, to, p) => (1 - p) * from + p * to;

/** Whether nothing may move. */
export const reduced = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The one split by which the leaves of two trees differ, where that is all; a child may be unseen.
 *  @param {Iterable<string>} before @param {Iterable<string>} after @returns {Change | null} */
export function changeOf(before, after) {
  const [old, now] = [new Set(before), new Set(after)];
  const [gone, come] = [[...old].filter((id) => !now.has(id)), [...now].filter((id) => !old.has(id))];
  for (const [forward, [node, ...more], children] of /** @type {const} */ ([[true, gone, come], [false, come, gone]])) {
    if (node && !more.length && children.length && children.every((id) => parentOf(id) === node)) return { node, forward };
  }
  return null;
}

/** @param {string} id */
const parentOf = (id) => (BigInt(id) >> 1n).toString();

/** The steps of a picture that are shown on their way: one at a time, and none of those that come
 *  faster than one takes. While one is, `data-moving` of the root says "on", or "back" where it is undone. */
export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.last = -Infinity;
    this.over = /** @type {(() => void) | null} */ (null);
  }

  /** A step is taken: end the one before; whether this one may be shown on its way. */
  step() {
    this.end();
    const now = performance.now();
    const soon = now - this.last < LONG;
    this.last = now;
    return !soon && !document.hidden && !reduced();
  }

  /** Call `draw` with every time of the clock, then `over`, once.
   *  @param {boolean} forward @param {(p: number) => void} draw @param {() => void} over */
  run(forward, draw, over) {
    this.end();
    const end = () => this.end();
    const begin = performance.now();
    this.over = () => {
      for (const type of STOPS) window.removeEventListener(type, end, true);
      over();
    };
    for (const type of STOPS) window.addEventListener(type, end, { capture: true, passive: true });
    const mine = this.over;
    const tick = () => {
      if (this.over !== mine) return;
      const share = Math.min(1, (performance.now() - begin) / LONG);
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
    const { over } = this;
    this.over = null;
    delete this.root.dataset.moving;
    over?.();
  }
}
