// Frames for pictures that are on the page, of this step and of the one that is likely next: those, and
// what was seen before, are kept by the picture they are for and their stamp, so that a step is shown
// before Python answers.

import { hear, tell } from "./link.js";

/** @import { Brought, Kept, Of } from "../types.d.ts" */
/** @import { Host } from "./channel.js" */

const MOST = 12;
/** By kind and side, then by stamp, the oldest first. @type {Map<string, Map<string, Kept>>} */
const kept = new Map();

let paper = "";

/** What the page's hidden element holds: frames, opened.
 *  @param {HTMLElement} _ @param {Host<Of<"ahead">>} host */
export function create(_, host) {
  const { channel, shell } = host;
  host.onFrame((opened) => {
    const { shown, frames, alone } = /** @type {Brought} */ (/** @type {unknown} */ (opened));
    channel.way = alone ? shell : null;
    channel.show(shown);
    for (const frame of frames) {
      if (frame.kind !== "stage" && frame.kind !== "tree") continue;
      keep(frame);
      tell("ahead", { frame });
    }
  });
}

/** Keep a frame, as long as the page has its colours.
 *  @param {Kept} frame */
export function keep(frame) {
  if (!("stamp" in frame) || !frame.stamp) return;
  if (frame.colours.paper !== paper) kept.clear();
  ({ paper } = frame.colours);
  const place = placeOf(frame.kind, frame.beside);
  const frames = kept.get(place) ?? new Map();
  kept.set(place, frames);
  frames.delete(frame.stamp);
  frames.set(frame.stamp, frame);
  if (frames.size > MOST) frames.delete(frames.keys().next().value);
}

/** @param {Kept["kind"]} kind @param {boolean} [beside] */
const placeOf = (kind, beside) => (beside ? `${kind} beside` : kind);

/** Show the kept frame of a kind whenever its stamp is told; of two screens, of the same one.
 *  @template {Kept["kind"]} K @param {K} kind @param {HTMLElement} root
 *  @param {(frame: Of<K>) => void} show @param {boolean} [beside] */
export function onStamp(kind, root, show, beside) {
  hear("stamp", ({ stamp }) => {
    const frame = kept.get(placeOf(kind, beside))?.get(stamp);
    if (frame) show(/** @type {Of<K>} */ (frame));
  }, root);
}
