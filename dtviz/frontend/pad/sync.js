// What the pad shows at once and what Python has heard of: a gesture is never lost on the way.
//
// Glossary
//   step      one thing done: { n, what: "points", target, change }, or what: "undo" or "redo"
//   unheard   the steps no frame has confirmed; every message carries all of them
//   rows      what Python's last frame had, with the unheard steps done to it
//   guess     the rows an undo brings back, as far as this pad remembers them

import { applied } from "./tools.js";

const AGAIN = 5000; // ms without an answer until the steps are sent once more
const REMEMBERED = 100;

/** @typedef {import("./tools.js").Row} Row */

export class Sync {
  /** `there` says whether the pad still stands on the page. */
  constructor(send, there) {
    this.send = send;
    this.there = there;
    this.n = 0;
    this.unheard = /** @type {any[]} */ ([]);
    this.rows = /** @type {Row[]} */ ([]);
    this.past = /** @type {Row[][]} */ ([]);
    this.ahead = /** @type {Row[][]} */ ([]);
    this.timer = 0;
    this.until = 0;
  }

  /** Take a frame in; true if its rows were not what the pad showed.
   *  @param {import("../frames.d.ts").Pad} frame */
  hear(frame) {
    const before = this.rows;
    this.n = Math.max(this.n, frame.seen);
    this.unheard = this.unheard.filter((step) => step.n > frame.seen);
    this.rows = Array.from(frame.x, (x, at) => /** @type {Row} */ ([x, frame.y[at], frame.value[at]]));
    for (const step of this.unheard) this.rows = this.after(step);
    const news = before.length !== this.rows.length
      || before.some((row, at) => row.join() !== this.rows[at].join());
    if (news) [this.past, this.ahead] = [[], []];
    if (!this.unheard.length) clearTimeout(this.timer);
    return news;
  }

  points(change, target, wait) {
    this.past = [...this.past, this.rows].slice(-REMEMBERED);
    this.ahead = [];
    this.did({ what: "points", target, change }, wait);
  }

  undo() { this.turn("undo", this.past, this.ahead); }
  redo() { this.turn("redo", this.ahead, this.past); }

  turn(what, from, to) {
    const guess = from.pop();
    if (guess) to.push(this.rows);
    this.did({ what, guess }, 0);
  }

  did(step, wait) {
    this.n += 1;
    this.unheard.push({ n: this.n, ...step });
    this.rows = this.after(step);
    if (wait) this.until = Date.now() + wait;
    this.tell(Math.max(0, this.until - Date.now()));
  }

  after(step) {
    return step.what === "points" ? applied(this.rows, step.change) : step.guess ?? this.rows;
  }

  /** Wait no longer: the hand leaves the pad, perhaps for a button that leaves the page. */
  hurry() {
    if (this.until > Date.now()) this.tell(this.until = 0);
  }

  tell(wait) {
    clearTimeout(this.timer);
    if (!this.unheard.length || !this.there()) return;
    if (!wait) this.send({ what: "steps", steps: this.unheard.map(({ guess, ...step }) => step) });
    this.timer = setTimeout(() => this.tell(0), wait || AGAIN);
  }
}
