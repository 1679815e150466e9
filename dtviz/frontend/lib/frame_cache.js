// The frames that Python sent last, by their numbers: of one that is here only what is new comes again.

import { changed } from "./patch.js";
import { unpack } from "./frame.js";

/** @import { Frame } from "../frames.d.ts" */
/** @import { Of } from "../types.d.ts" */

const MOST = 24;
const TOLD = 12; // more come in before the answer: those told are here until then

export class Letters {
  constructor() {
    /** The oldest first. @type {Map<number, Frame>} */
    this.frames = new Map();
    /** Those that Python was told of last. @type {Set<number>} */
    this.told = new Set();
  }

  /** The frame in a letter; null where it is told by one that is not here.
   *  @param {Uint8Array<ArrayBuffer>} bytes @returns {Frame | null} */
  open(bytes) {
    const { $number: number = 0, ...told } = unpack(bytes);
    const frame = this.frames.get(number) ?? (told.kind === "change" ? this.next(told) : told);
    if (frame?.kind === "moved") return this.brought(frame);
    if (!frame || !number) return frame;
    this.frames.delete(number);
    this.frames.set(number, frame);
    if (this.frames.size > MOST) this.forget();
    return frame;
  }

  /** What a letter brings for others, opened in the order in which it was told; null where one of
   *  those to show is told by one that is not here.
   *  @param {Of<"moved">} told @returns {Frame | null} */
  brought({ kind, shown, frames }) {
    /** @param {Record<string, Uint8Array>} packed */
    const opened = (packed) => Object.values(packed).map((one) => this.open(/** @type {Uint8Array<ArrayBuffer>} */ (one)));
    const both = { shown: opened(shown), frames: opened(frames).filter((one) => one !== null) };
    return both.shown.includes(null) ? null : /** @type {Frame} */ (/** @type {unknown} */ ({ kind, ...both }));
  }

  /** The numbers of the newest; of each kind the newest is among them, as long as it may be shown. */
  get held() {
    this.told = new Set([...this.newest().values(), ...[...this.frames.keys()].slice(-TOLD)]);
    return [...this.told];
  }

  /** The number of the newest frame of each kind. */
  newest() {
    return new Map([...this.frames].map(([number, { kind }]) => [kind, number]));
  }

  /** Let the oldest go that is not the newest of its kind, and that no answer may build on. */
  forget() {
    const kept = this.told.union(new Set(this.newest().values()));
    const old = [...this.frames.keys()].find((number) => !kept.has(number));
    if (old !== undefined) this.frames.delete(old);
  }

  /** @param {{ base: number, change: import("../types.d.ts").Change }} told @returns {Frame | null} */
  next({ base, change }) {
    const before = this.frames.get(base);
    return before ? changed(before, change) : null;
  }
}
