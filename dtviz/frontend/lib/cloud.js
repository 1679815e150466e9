// Clouds, the rows of datasets as points: sent once and kept while the pictures that draw them change.

import { tellAll } from "./link.js";

/** @import { Host } from "./channel.js" */
/** @import { FrameOf } from "../types.d.ts" */

const MAX_CLOUDS = 6; // the newest
/** @type {Map<string, FrameOf<"cloud">>} */
const clouds = new Map();

/** @param {string} name */
export const cloudNamed = (name) => clouds.get(name);

/** @param {HTMLElement} _ @param {Host<FrameOf<"cloud">>} host */
export function create(_, host) {
  host.onFrame((frame) => {
    if (clouds.get(frame.name) === frame) return;
    clouds.delete(frame.name);
    clouds.set(frame.name, frame);
    for (const oldName of clouds.keys()) {
      if (clouds.size > MAX_CLOUDS) clouds.delete(oldName);
    }
    tellAll("cloud", { name: frame.name });
  });
}
