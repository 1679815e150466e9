// The pictures by their kinds: each a module with create(root, host), which shows what the host gives.

import { unpack } from "./frame.js";
import { Host } from "./channel.js";

const PICTURES = {
  cloud: () => import("./cloud.js"),
  ahead: () => import("./ahead.js"),
  line: () => import("../line/line.js"),
  stage: () => import("../stage/stage.js"),
  tree: () => import("../tree/tree.js"),
  pad: () => import("../pad/pad.js"),
  overfit: () => import("../overfit/overfit.js"),
};
const HEAD = 8; // bytes: the number of the last event that was done

/** Put a picture into `parent` and have it fed; the first letter says its kind. */
export function mount(parent, channel, shell, letter) {
  const root = document.createElement("div");
  const host = new Host(channel, shell, root);
  feed(host, letter);
  root.className = host.frame.kind;
  parent.appendChild(root);
  PICTURES[host.frame.kind]().then(({ create }) => create(root, host));
  return host;
}

/** Hand a letter from Python on to a picture: what it has heard, and the frame. */
export function feed(host, letter) {
  const heard = new DataView(letter.buffer, letter.byteOffset).getFloat64(0, true);
  host.take(unpack(letter.subarray(HEAD)), heard);
}
