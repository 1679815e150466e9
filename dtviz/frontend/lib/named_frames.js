// Registers of frames that are sent once and kept by name while the pictures that draw them change.

import { tell } from "./link.js";

/** @import { Host } from "./channel.js" */
/** @import { FrameOf } from "../types.d.ts" */

/** Create a register of at most `maxFrames` frames, the newest: the function that finds a frame by
 *  name, and the picture that adds the frames it receives.
 *  @template {FrameOf<"cloud"> | FrameOf<"layer">} F
 *  @param {number} maxFrames */
export function frameRegister(maxFrames) {
  /** @type {Map<string, F>} */
  const frames = new Map();
  return {
    /** @param {string} name */
    named: (name) => frames.get(name),
    /** @param {HTMLElement} _ @param {Host<F>} host */
    create(_, host) {
      host.onFrame((frame) => {
        if (frames.get(frame.name) === frame) return;
        frames.delete(frame.name);
        frames.set(frame.name, frame);
        for (const oldName of frames.keys()) {
          if (frames.size > maxFrames) frames.delete(oldName);
        }
        tell(frame.kind, { name: frame.name });
      });
    },
  };
}
