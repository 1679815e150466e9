// The pictures by their kinds: each a module with create(root, host), which shows what the host gives.

import { Host } from "./channel.js";

/** @import { Frame } from "../frames.d.ts" */
/** @import { Kind } from "../types.d.ts" */
/** @import { Channel, Shell } from "./channel.js" */

const PICTURES = /** @type {Record<Frame["kind"], () => Promise<Kind>>} */ ({
  cloud: () => import("./cloud.js"),
  ahead: () => import("./ahead.js"),
  moved: () => import("./moved.js"),
  line: () => import("../timeline/timeline.js"),
  stage: () => import("../stage/stage.js"),
  tree: () => import("../tree/tree.js"),
  pad: () => import("../pad/pad.js"),
  overfit: () => import("../overfit/overfit.js"),
  forest: () => import("../forest/forest.js"),
  measures: () => import("../impurity/measures.js"),
  simplex: () => import("../impurity/simplex.js"),
  splits: () => import("../impurity/splits.js"),
  layer: () => import("./layer.js"),
  regions: () => import("../learn/regions.js"),
  stability: () => import("../stability/stability.js"),
  ranking: () => import("../ranking/ranking.js"),
  shelf: () => import("./shelf.js"),
});
const NUMBER = 8; // bytes: the number of the last event that was done
const HEAD = NUMBER + 16; // and the mark of the data, see dtviz/session/channel.py

/** Put a picture into `parent` and have it fed; the first letter says its kind. Null where that
 *  tells of a frame that is not here: another will come.
 *  @param {HTMLElement} parent @param {Channel} channel @param {Shell} shell
 *  @param {Uint8Array<ArrayBuffer>} letter */
export function mount(parent, channel, shell, letter) {
  const { frame, heard, data } = opened(channel, shell, letter);
  if (!frame) return null;
  const root = document.createElement("div");
  root.className = frame.kind;
  parent.appendChild(root);
  const host = new Host(channel, shell, root, frame);
  [host.heard, host.data] = [heard, data];
  channel.hear(heard);
  PICTURES[frame.kind]().then((kind) => kind.create(root, host));
  return host;
}

/** Hand a letter from Python on to a picture.
 *  @param {Host} host @param {Uint8Array<ArrayBuffer>} letter */
export function feed(host, letter) {
  const { frame, heard, data } = opened(host.channel, host.shell, letter);
  if (!frame) return;
  host.data = data;
  host.take(frame, heard);
}

/** Reads a letter: the frame, the number of the last event done, the mark of the data. A frame that
 *  cannot be told is asked for.
 *  @param {Channel} channel @param {Shell} shell @param {Uint8Array<ArrayBuffer>} letter */
function opened({ letters }, shell, letter) {
  const heard = new DataView(letter.buffer, letter.byteOffset).getFloat64(0, true);
  const data = String.fromCharCode(...letter.subarray(NUMBER, HEAD));
  const frame = letters.open(letter.subarray(HEAD));
  if (!frame) shell.post({ events: [], has: [] });
  return { frame, heard, data };
}
