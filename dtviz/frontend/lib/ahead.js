// Frames of the step that is likely next, and those seen before: a step is shown before Python
// answers. They are kept by the picture they are for and their stamp.

import { hear, tell } from "./link.js";

const MOST = 12;
const kept = new Map(); // picture -> stamp -> frame, the oldest first

/** What the page's hidden elements hold: a frame of the picture named in `of`. */
export function create() {
  return {
    show(frame) {
      keep(frame.of, frame);
      tell("ahead", frame);
    },
  };
}

/** Keep a frame of a picture. */
export function keep(picture, frame) {
  if (!frame.stamp) return;
  if (!kept.has(picture)) kept.set(picture, new Map());
  const frames = kept.get(picture);
  frames.delete(frame.stamp);
  frames.set(frame.stamp, frame);
  if (frames.size > MOST) frames.delete(frames.keys().next().value);
}

/** Show the kept frame of a picture whenever its stamp is told. */
export function onStamp(picture, root, show) {
  hear("stamp", ({ stamp }) => {
    const frame = kept.get(picture)?.get(stamp);
    if (frame) show(frame);
  }, root);
}
