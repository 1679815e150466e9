// Frames that are sent once and kept by their names while the pictures that draw them change.

import { tell } from "./link.js";

/** @import { Host } from "./channel.js" */
/** @import { Of } from "../types.d.ts" */

/** The newest frames, at most so many: how to get one, and the picture that takes them in.
 *  @template {Of<"cloud"> | Of<"layer">} F
 *  @param {number} most */
export function keeper(most) {
  /** @type {Map<string, F>} */
  const kept = new Map();
  return {
    /** @param {string} name */
    named: (name) => kept.get(name),
    /** @param {HTMLElement} _ @param {Host<F>} host */
    create(_, host) {
      host.onFrame((frame) => {
        if (kept.get(frame.name) === frame) return;
        kept.delete(frame.name);
        kept.set(frame.name, frame);
        for (const old of kept.keys()) {
          if (kept.size > most) kept.delete(old);
        }
        tell(frame.kind, { name: frame.name });
      });
    },
  };
}
