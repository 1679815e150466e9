// What a step changes, in one letter: a frame for each picture that is there, and those of the next step.
// What is done is told to the one who brings it, so that nothing else of the page need be made anew.

import { foreseen } from "./prefetch.js";

/** @import { Brought, Of } from "../types.d.ts" */
/** @import { Host } from "./channel.js" */

/** @param {HTMLElement} _ @param {Host<Of<"moved">>} host */
export function create(_, host) {
  const { channel, shell } = host;
  channel.way = shell;
  host.onFrame((opened) => {
    const { shown, frames } = /** @type {Brought} */ (/** @type {unknown} */ (opened));
    channel.show(shown);
    frames.forEach(foreseen);
  });
}
