// What the pad shows at once and what Python has heard of: a gesture is never lost on the way.
//
// Glossary
//   rows      what Python's last frame had, with the pending events done to it
//   guess     the rows an undo brings back, as far as this pad remembers them

import { applyChange } from "./tools.js";

const REMEMBERED = 100;

/** @import { Host } from "../lib/channel.js" */
/** @import { Act, Of } from "../types.d.ts" */
/** @import { Pair, Row } from "./tools.js" */
/** @typedef {Of<"pad">} Frame */

export class Sync {
  /** @param {Host<Frame>} host */
  constructor(host) {
    this.host = host;
    this.rows = /** @type {Row[]} */ ([]);
    this.past = /** @type {Row[][]} */ ([]);
    this.ahead = /** @type {Row[][]} */ ([]);
    this.guesses = /** @type {WeakMap<Act, Row[]>} */ (new WeakMap());
  }

  /** Take a frame in; true if its rows were not what the pad showed.
   *  @param {Frame} frame */
  hear(frame) {
    const before = this.rows;
    this.rows = Array.from(frame.x, (x, at) => /** @type {Row} */ ([x, frame.y[at], frame.value[at]]));
    for (const event of this.host.pending) this.rows = this.after(event);
    const news = before.length !== this.rows.length
      || before.some((row, at) => row.join() !== this.rows[at].join());
    if (news) [this.past, this.ahead] = [[], []];
    return news;
  }

  /** @param {Pair[]} change @param {Frame["target"]} target @param {number} wait */
  points(change, target, wait) {
    this.past = [...this.past, this.rows].slice(-REMEMBERED);
    this.ahead = [];
    this.did({ what: "points", target, change }, wait);
  }

  undo() { this.turn("undo", this.past, this.ahead); }
  redo() { this.turn("redo", this.ahead, this.past); }

  /** @param {"undo" | "redo"} what @param {Row[][]} from @param {Row[][]} to */
  turn(what, from, to) {
    /** @type {Act} */
    const event = { what };
    const guess = from.pop();
    if (guess) {
      to.push(this.rows);
      this.guesses.set(event, guess);
    }
    this.did(event, 0);
  }

  /** @param {Act} event @param {number} wait */
  did(event, wait) {
    this.rows = this.after(event);
    this.host.send(event, wait);
  }

  /** @param {Act} event */
  after(event) {
    return event.what === "points" ? applyChange(this.rows, event.change) : this.guesses.get(event) ?? this.rows;
  }
}
