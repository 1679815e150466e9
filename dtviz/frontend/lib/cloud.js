// The rows of a data set, sent once and kept while the pictures that draw them change.

import { tell } from "./link.js";

/** @import { Of, Points } from "../types.d.ts" */
/** @import { Host } from "./channel.js" */

const MOST = 6;
/** @type {Map<string, Points>} */
const kept = new Map();

/** @param {string} name */
export function cloud(name) {
  return kept.get(name);
}

/** @param {HTMLElement} _ @param {Host<Of<"cloud">>} host */
export function create(_, host) {
  host.onFrame((frame) => {
    kept.delete(frame.name);
    kept.set(frame.name, frame);
    for (const old of kept.keys()) {
      if (kept.size > MOST) kept.delete(old);
    }
    tell("cloud", { name: frame.name });
  });
}
