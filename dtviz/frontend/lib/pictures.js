// Pictures by the kind of their frame: each is a module whose create(root, host) shows the frames of a host.

import { Host } from "./channel.js";
import { element } from "./dom.js";
import { inForcedColours } from "./forced_colours.js";

/** @import { Frame } from "../frames.d.ts" */
/** @import { PictureModule } from "../types.d.ts" */
/** @import { Channel, PageHost, Shell } from "./channel.js" */

const PICTURES = /** @type {Partial<Record<Frame["kind"], () => Promise<PictureModule>>>} */ ({
  cloud: () => import("./cloud.js"),
  line: () => import("../timeline/timeline.js"),
  stage: () => import("../stage/stage.js"),
  tree: () => import("../tree/tree.js"),
  pad: () => import("../pad/pad.js"),
  overfit: () => import("../overfit/overfit.js"),
  impurity: () => import("../impurity/impurity.js"),
  measures: () => import("../impurity/measures.js"),
  regions: () => import("../learn/regions.js"),
  ranking: () => import("../ranking/ranking.js"),
  shelf: () => import("./shelf.js"),
});
/** Modules that lay out the pages that are one component, see LAYOUTS of dtviz/pictures/frames.py. */
const LAYOUTS = /** @type {Record<string, () => Promise<PictureModule>>} */ (/** @type {unknown} */ ({
  grow: () => import("../grow/grow.js"),
  forest: () => import("../forest/forest.js"),
  stability: () => import("../stability/stability.js"),
  overfit: () => import("../overfit/page.js"),
}));
/** @type {Set<Frame["kind"]>} */
const UNSEEN = new Set(["cloud", "shelf"]); // the document's first paint outlasts these
const BYTES_OF_NUMBER = 8; // of the number of the last event that Python has handled
const BYTES_OF_HEAD = BYTES_OF_NUMBER + 16; // of that number and the mark of the data, see dtviz/session/events.py

/** Put a picture into `parent`, of the kind of the frame in its first letter. Returns its host, or null if
 *  the letter patches a frame that is not in the cache; Python then sends another letter.
 *  @param {HTMLElement} parent @param {Channel} channel @param {Shell} shell
 *  @param {Uint8Array<ArrayBuffer>} letter */
export function mount(parent, channel, shell, letter) {
  const { frame, acknowledged, dataMark } = openLetter(channel, shell, letter);
  if (!frame) return null;
  const root = document.createElement("div");
  root.className = frame.kind;
  parent.appendChild(root);
  const host = new Host(channel, shell, root, frame);
  [host.acknowledged, host.dataMark] = [acknowledged, dataMark];
  channel.acknowledge(acknowledged);
  const load = frame.kind === "page" ? LAYOUTS[frame.layout] ?? (() => Promise.resolve({ create: createParts })) : PICTURES[frame.kind];
  load?.().then((module) => {
    module.create(root, host);
    if (!UNSEEN.has(frame.kind)) requestAnimationFrame(() => document.querySelector(".dtviz-first")?.remove());
  });
  return host;
}

/** Show the pictures of a page that has no layout of its own, one below the other.
 *  @param {HTMLElement} root @param {Host} host */
function createParts(root, host) {
  const page = /** @type {PageHost} */ (/** @type {unknown} */ (host));
  for (const [name, part] of Object.entries(page.frame.parts)) {
    if (!part) continue;
    const place = element("div", part.kind);
    root.append(place);
    PICTURES[part.kind]?.().then(({ create }) => page.mountPart(place, ({ parts }) => /** @type {Frame | undefined} */ (parts[name]), create));
  }
}

/** Hand a later letter from Python to a picture.
 *  @param {Host} host @param {Uint8Array<ArrayBuffer>} letter */
export function feed(host, letter) {
  const { frame, acknowledged, dataMark } = openLetter(host.channel, host.shell, letter);
  if (!frame) return;
  host.dataMark = dataMark;
  host.receive(frame, acknowledged);
}

/** Read the frame of a letter, the number of the last event handled, and the mark of the data. If the letter
 *  patches a frame that is not in the cache, the frame is null, and Python is asked for a full frame.
 *  @param {Channel} channel @param {Shell} shell @param {Uint8Array<ArrayBuffer>} letter */
function openLetter({ frames }, shell, letter) {
  const acknowledged = new DataView(letter.buffer, letter.byteOffset).getFloat64(0, true);
  const dataMark = String.fromCharCode(...letter.subarray(BYTES_OF_NUMBER, BYTES_OF_HEAD));
  const frame = inForcedColours(frames.open(letter.subarray(BYTES_OF_HEAD)));
  if (!frame) shell.post({ events: [], has: [] }); // no frame is announced, so none can be patched
  return { frame, acknowledged, dataMark };
}
