// Frames of the step that is likely next, and those seen before: a step is shown before Python
// answers. They are kept by the picture they are for and their stamp.

import { unpack } from "./frame.js";
import { hear, tell } from "./link.js";

const MOST = 12;
const kept = new Map(); // picture -> stamp -> frame, the oldest first

let paper = "";

/** What the page's hidden elements hold: the packed frames of pictures, by their names. */
export function create(root, host) {
  host.onFrame(({ frames }) => {
    for (const [picture, packed] of Object.entries(frames)) {
      const frame = unpack(packed);
      keep(picture, frame);
      tell("ahead", { picture, frame });
    }
  });
}

/** Keep a frame of a picture, as long as the page has its colours. */
export function keep(picture, frame) {
  if (!frame.stamp) return;
  if (frame.colours.paper !== paper) kept.clear();
  ({ paper } = frame.colours);
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
