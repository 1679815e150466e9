// Many trees over one plane, sent once and kept while the picture that draws them changes.

import { tell } from "./link.js";

/** @import { Host } from "./channel.js" */
/** @import { Of } from "../types.d.ts" */

const MOST = 2;
/** @type {Map<string, Of<"layer">>} */
const kept = new Map();

/** @param {string} name */
export function layer(name) {
  return kept.get(name);
}

/** @param {HTMLElement} _ @param {Host<Of<"layer">>} host */
export function create(_, host) {
  host.onFrame((frame) => {
    kept.delete(frame.name);
    kept.set(frame.name, frame);
    for (const old of kept.keys()) {
      if (kept.size > MOST) kept.delete(old);
    }
    tell("layer", { name: frame.name });
  });
}
