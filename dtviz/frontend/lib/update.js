// Update of all pictures in one letter: the frames that a step changes, and those of the next step. Events
// are sent through the update's own component, so that its run redraws nothing else of the page.

import { prefetch } from "./prefetch.js";

/** @import { FrameOf, Update } from "../types.d.ts" */
/** @import { Host } from "./channel.js" */

/** @param {HTMLElement} _ @param {Host<FrameOf<"update">>} host */
export function create(_, host) {
  const { channel, shell } = host;
  channel.updateShell = shell;
  host.onFrame((frame) => {
    const { shown, frames } = /** @type {Update} */ (/** @type {unknown} */ (frame));
    channel.show(shown);
    frames.forEach(prefetch);
  });
}
