// The rows that the pad shows, while the events that changed them are on their way to Python: no gesture is lost.
//
// Glossary
//   rows      the rows of Python's last frame, with the pending events applied to them
//   guess     the rows that an undo brings back, as far as this pad remembers them

import { applyChange } from "./tools.js";

const MAX_STEPS_REMEMBERED = 100;

/** @import { Host } from "../lib/channel.js" */
/** @import { PictureEvent, FrameOf } from "../types.d.ts" */
/** @import { Row, RowChange } from "./tools.js" */
/** @typedef {FrameOf<"pad">} PadFrame */

export class Sync {
  /** @param {Host<PadFrame>} host */
  constructor(host) {
    this.host = host;
    this.rows = /** @type {Row[]} */ ([]);
    this.past = /** @type {Row[][]} */ ([]); // rows that undo brings back
    this.future = /** @type {Row[][]} */ ([]); // rows that redo brings back
    this.guesses = /** @type {WeakMap<PictureEvent, Row[]>} */ (new WeakMap());
  }

  /** Take the rows of a frame; returns true if the pad showed others.
   *  @param {PadFrame} frame */
  receive(frame) {
    const before = this.rows;
    this.rows = Array.from(frame.x, (x, i) => /** @type {Row} */ ([x, frame.y[i], frame.value[i]]));
    for (const event of this.host.pending) this.rows = this.rowsAfter(event);
    const hasNews = before.length !== this.rows.length
      || before.some((row, i) => row.join() !== this.rows[i].join());
    if (hasNews) [this.past, this.future] = [[], []];
    return hasNews;
  }

  /** Change the rows, here and in Python after `wait` ms.
   *  @param {RowChange[]} change @param {PadFrame["target"]} target @param {number} wait */
  change(change, target, wait) {
    this.past = [...this.past, this.rows].slice(-MAX_STEPS_REMEMBERED);
    this.future = [];
    this.send({ what: "points", target, change }, wait);
  }

  undo() { this.step("undo", this.past, this.future); }
  redo() { this.step("redo", this.future, this.past); }

  /** @param {"undo" | "redo"} what @param {Row[][]} from @param {Row[][]} to */
  step(what, from, to) {
    /** @type {PictureEvent} */
    const event = { what };
    const guess = from.pop();
    if (guess) {
      to.push(this.rows);
      this.guesses.set(event, guess);
    }
    this.send(event, 0);
  }

  /** @param {PictureEvent} event @param {number} wait */
  send(event, wait) {
    this.rows = this.rowsAfter(event);
    this.host.send(event, wait);
  }

  /** The rows with an event applied.
   *  @param {PictureEvent} event */
  rowsAfter(event) {
    return event.what === "points" ? applyChange(this.rows, event.change) : this.guesses.get(event) ?? this.rows;
  }
}
