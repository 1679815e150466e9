// Frames of the likely next step, and frames that were shown before: a step is shown before Python
// answers. They are kept by picture and stamp.

import { hear } from "./link.js";

/** @import { Frame } from "../frames.d.ts" */
/** @import { FrameOf, StampedFrame } from "../types.d.ts" */

const MAX_FRAMES_A_PICTURE = 12;
/** Frames by picture, then by stamp, the oldest first. @type {Map<string, Map<string, StampedFrame>>} */
const framesByPicture = new Map();

let paper = ""; // background of the kept frames: a frame of another theme takes their place

/** Keep a frame of the next step, if its picture shows such frames.
 *  @param {Frame | null} frame */
export function prefetch(frame) {
  if (frame?.kind === "stage" || frame?.kind === "tree" || frame?.kind === "grow" || frame?.kind === "ranking") keep(frame);
}

/** Keep a frame until the colours of the page change.
 *  @param {StampedFrame} frame */
export function keep(frame) {
  if (!("stamp" in frame) || !frame.stamp) return;
  if ("colours" in frame && frame.colours.paper !== paper) {
    framesByPicture.clear();
    ({ paper } = frame.colours);
  }
  const picture = pictureOf(frame.kind, "is_second_screen" in frame && frame.is_second_screen);
  const frames = framesByPicture.get(picture) ?? new Map();
  framesByPicture.set(picture, frames);
  frames.delete(frame.stamp);
  frames.set(frame.stamp, frame);
  if (frames.size > MAX_FRAMES_A_PICTURE) frames.delete(frames.keys().next().value);
}

/** @param {StampedFrame["kind"]} kind @param {boolean} [isSecond] */
const pictureOf = (kind, isSecond) => (isSecond ? `${kind} beside` : kind);

/** Show the kept frame of a picture whenever its stamp is asked for; `isSecond` is true for a picture of
 *  the second of two screens.
 *  @template {StampedFrame["kind"]} K @param {K} kind @param {HTMLElement} root
 *  @param {(frame: FrameOf<K>) => void} show @param {boolean} [isSecond] */
export function onStamp(kind, root, show, isSecond) {
  hear("stamp", ({ stamp }) => {
    const frame = framesByPicture.get(pictureOf(kind, isSecond))?.get(stamp);
    if (frame) show(/** @type {FrameOf<K>} */ (frame));
  }, root);
}
