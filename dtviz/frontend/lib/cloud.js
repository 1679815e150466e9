// The rows of a data set, sent once and kept while the pictures that draw them change.

import { tell } from "./link.js";

const MOST = 6;
const kept = new Map();

export function cloud(name) {
  return kept.get(name);
}

export function create(root, host) {
  host.onFrame((frame) => {
    kept.delete(frame.name);
    kept.set(frame.name, frame);
    for (const old of kept.keys()) {
      if (kept.size > MOST) kept.delete(old);
    }
    tell("cloud", { name: frame.name });
  });
}
