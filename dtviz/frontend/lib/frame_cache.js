// Cache of the last frames that Python sent, by number. Of a frame whose older version the browser has, Python
// sends only a patch; of a frame that is in the cache itself, only the number.

import { applyPatch } from "./patch.js";
import { unpack } from "./frame.js";

/** @import { Frame } from "../frames.d.ts" */
/** @import { FrameOf, Patch } from "../types.d.ts" */

const MAX_FRAMES = 24;
const MAX_RECENT_FRAMES = 12; // of those announced to Python, besides the newest of each kind

export class FrameCache {
  constructor() {
    /** Frames by number, the oldest first. @type {Map<number, Frame>} */
    this.frames = new Map();
    /** Numbers of the frames that the last message announced: the answer of Python may patch them. @type {Set<number>} */
    this.announced = new Set();
  }

  /** Frame of a letter; null if the letter is a patch of a frame that is not in the cache.
   *  @param {Uint8Array<ArrayBuffer>} letter @returns {Frame | null} */
  open(letter) {
    const { $number: number = 0, ...content } = unpack(letter); // 0: not for the cache
    const frame = this.frames.get(number) ?? (content.kind === "change" ? this.patchFrame(content) : content);
    if (frame?.kind === "page") return this.openPage(frame);
    if (!frame || !number) return frame;
    this.frames.delete(number);
    this.frames.set(number, frame);
    if (this.frames.size > MAX_FRAMES) this.evict();
    return frame;
  }

  /** Page with the letters of its parts and of the next step opened; null if a part patches a frame that is not in the
   *  cache. The letters are opened in the order in which Python packed them, since one may patch the frame of an earlier one.
   *  @param {FrameOf<"page">} packed @returns {Frame | null} */
  openPage({ parts, frames, ...page }) {
    /** @param {Record<string, Uint8Array>} letters */
    const openAll = (letters) => Object.entries(letters).map(([name, letter]) => [name, this.open(/** @type {Uint8Array<ArrayBuffer>} */ (letter))]);
    const [opened, ahead] = [openAll(parts), openAll(frames)];
    if (opened.some(([, frame]) => !frame)) return null;
    const content = { ...page, parts: Object.fromEntries(opened), ahead: ahead.map(([, frame]) => frame) };
    return /** @type {Frame} */ (/** @type {unknown} */ (content));
  }

  /** Announce the frames that the answer may patch, and return their numbers: the recent frames, and the newest of
   *  each kind, which the page may still show. */
  announce() {
    this.announced = new Set([...this.newestNumbers().values(), ...[...this.frames.keys()].slice(-MAX_RECENT_FRAMES)]);
    return [...this.announced];
  }

  /** Number of the newest frame of each kind. */
  newestNumbers() {
    return new Map([...this.frames].map(([number, { kind }]) => [kind, number]));
  }

  /** Drop the oldest frame that is neither announced nor the newest of its kind. */
  evict() {
    const needed = this.announced.union(new Set(this.newestNumbers().values()));
    const oldest = [...this.frames.keys()].find((number) => !needed.has(number));
    if (oldest !== undefined) this.frames.delete(oldest);
  }

  /** Frame that a patch makes of a base frame; null if the base is not in the cache.
   *  @param {{ base: number, change: Patch }} letter @returns {Frame | null} */
  patchFrame({ base, change }) {
    const frame = this.frames.get(base);
    return frame ? applyPatch(frame, change) : null;
  }
}
