// Frames of the step that is likely next, and those seen before: a step is shown before Python
// answers. Each picture keeps its own, by their stamp.

import { hear, tell } from "./link.js";

const MOST = 40;

/** What the page's hidden elements hold: a frame of the picture named in `of`. */
export function create() {
  return { show: (frame) => tell("ahead", frame) };
}

/** Keep the frames of a picture and show one when its stamp is told; returns `keep(frame)`. */
export function keeper(kind, root, show) {
  const kept = new Map();
  const keep = (frame) => {
    if (!frame.stamp) return;
    kept.delete(frame.stamp);
    kept.set(frame.stamp, frame);
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
  };
  hear("ahead", (frame) => frame.of === kind && keep(frame), root);
  hear("stamp", ({ stamp }) => kept.has(stamp) && show(kept.get(stamp)), root);
  return keep;
}
