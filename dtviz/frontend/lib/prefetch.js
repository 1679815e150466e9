// Frames of the step that is likely next, and those seen before: a step is shown before Python
// answers. They are kept by the picture they are for and their stamp.

import { hear, tell } from "./link.js";

/** @import { Frame } from "../frames.d.ts" */
/** @import { Kept, Of } from "../types.d.ts" */
/** @import { Host } from "./channel.js" */

const MOST = 12;
/** By kind and side, then by stamp, the oldest first. @type {Map<string, Map<string, Kept>>} */
const kept = new Map();

let paper = "";

/** What the page's hidden elements hold: the packed frames of pictures.
 *  @param {HTMLElement} _ @param {Host<Of<"ahead">>} host */
export function create(_, host) {
  host.onFrame(({ frames }) => {
    for (const packed of Object.values(frames)) foreseen(host.channel.letters.open(packed));
  });
}

/** A frame of the next step has come: keep it, and have its picture made ready.
 *  @param {Frame | null} frame */
export function foreseen(frame) {
  if (frame?.kind !== "stage" && frame?.kind !== "tree") return;
  keep(frame);
  tell("ahead", { frame });
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
