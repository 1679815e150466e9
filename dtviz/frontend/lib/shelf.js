// Shelf: the files that this browser keeps, so that they come back after the server has lost them.
//
// Python lists the files to keep and the files that it lacks; dtviz/session/browser_files.py reads the
// answers. Nobody else gets the files, and a click forgets all of them.
//
// Glossary
//   mark   the fingerprint of a file

import { button, element } from "./dom.js";
import { tell } from "./link.js";
import * as browser from "./store.js";

const MAX_FILES_CHOSEN = 8;
const MAX_BYTES_RESENT = 100_000; // Python sends larger files once, smaller ones with every run
const BYTES_A_CHUNK = 0x8000; // String.fromCharCode takes no unlimited number of arguments

/** @import { FrameOf } from "../types.d.ts" */
/** @import { Channel, Host } from "./channel.js" */
/** @typedef {FrameOf<"shelf">} ShelfFrame */
/** @typedef {Pick<typeof browser, "put" | "get" | "sizes" | "clear">} Store */

/** @typedef {object} ShelfState
 *  @property {HTMLElement} root
 *  @property {Host<ShelfFrame>} host
 *  @property {Store} store
 *  @property {HTMLElement} status
 *  @property {Set<string>} busy  names of the actions that run */

/** Files chosen on this page: Python need not send them back to be kept. */
let chosenFiles = /** @type {File[]} */ ([]);

/** Remember the files that are chosen or dropped on the page; send an event if Streamlit says that an
 *  upload failed.
 *  @param {Pick<Channel, "send">} channel */
export function watchFiles(channel) {
  /** @param {FileList | null | undefined} files */
  const add = (files) => { chosenFiles = [...(files ?? []), ...chosenFiles].slice(0, MAX_FILES_CHOSEN); };
  window.addEventListener("change", ({ target }) => {
    if (target && "files" in target) add(/** @type {HTMLInputElement} */ (target).files);
  }, true);
  window.addEventListener("drop", ({ dataTransfer }) => { add(dataTransfer?.files); }, true);
  window.addEventListener("message", ({ source, data }) => {
    const isStreamlit = source === window && data?.stCommVersion === 1;
    if (isStreamlit && data.type === "CLIENT_ERROR" && data.error === "Error uploading file") channel.send("shelf", { what: "cut" });
  });
}

/** @param {HTMLElement} root @param {Host<ShelfFrame>} host */
export function create(root, host, store = /** @type {Store} */ (browser)) {
  const status = element("span", "said");
  const forget = button("Forget my files", "Forget my files: this browser keeps them no longer");
  /** @type {ShelfState} */
  const shelf = { root, host, store, status, busy: new Set() };
  root.hidden = true;
  status.setAttribute("role", "status");
  root.append(status, forget);
  forget.addEventListener("click", () => {
    chosenFiles = [];
    store.clear().catch(() => {}).then(() => showStatus(shelf));
  });
  host.onFrame(({ keep, wants, piece }) => {
    for (const file of keep) runOnce(shelf, `keep ${file.mark}`, () => keepFile(shelf, file));
    for (const { mark, offset } of wants) runOnce(shelf, `give ${mark}`, () => sendPiece(shelf, mark, offset, piece));
  });
  showStatus(shelf);
}

/** Start an action unless one of its name runs already.
 *  @param {ShelfState} shelf @param {string} name @param {() => Promise<void>} act */
function runOnce({ busy }, name, act) {
  if (busy.has(name)) return;
  busy.add(name);
  act().finally(() => busy.delete(name));
}

/** Keep a file, with the content that Python sent or that was chosen here; else ask Python for it.
 *  @param {ShelfState} shelf @param {ShelfFrame["keep"][number]} file */
async function keepFile(shelf, { mark, name, size, content }) {
  if (isUnacknowledged(shelf, "kept", mark)) return;
  const file = content.length === size ? content : await chosenContent(name, size);
  if (!file) {
    shelf.host.send({ what: "send", mark });
    return;
  }
  await shelf.store.put(mark, file).catch(() => { tell("notice", { name: "storage", text: storageNotice(name) }); });
  if (content.length > MAX_BYTES_RESENT) shelf.host.send({ what: "kept", mark });
  else shelf.host.note({ what: "kept", mark });
  showStatus(shelf);
}

/** Send a piece of a file to Python, if this browser has the file.
 *  @param {ShelfState} shelf @param {string} mark @param {number} offset @param {number} piece */
async function sendPiece(shelf, mark, offset, piece) {
  if (isUnacknowledged(shelf, "piece", mark, offset)) return;
  const file = await shelf.store.get(mark).catch(() => undefined);
  if (!file) shelf.host.send({ what: "lacks", mark });
  else shelf.host.send({ what: "piece", mark, at: offset, size: file.length, bytes: base64(file.subarray(offset, offset + piece)) });
}

/** True if such an event is on its way to Python.
 *  @param {ShelfState} shelf @param {string} what @param {string} mark @param {number} [offset] */
const isUnacknowledged = ({ host }, what, mark, offset) => host.channel.unacknowledged.some(({ event }) =>
  event.what === what && "mark" in event && event.mark === mark && (offset === undefined || "at" in event && event.at === offset));

/** Content of a file chosen here, by name and size; null if there is none.
 *  @param {string} name @param {number} size */
async function chosenContent(name, size) {
  const file = chosenFiles.find((candidate) => candidate.name === name && candidate.size === size);
  const bytes = await file?.arrayBuffer().catch(() => null);
  return bytes ? new Uint8Array(bytes) : null;
}

/** Show how much is kept; nothing if no file is.
 *  @param {ShelfState} shelf */
async function showStatus({ root, store, status }) {
  const sizes = await store.sizes().catch(() => []);
  root.hidden = sizes.length === 0;
  status.textContent = statusText(sizes);
}

/** Notice about a file that this browser cannot keep.
 *  @param {string} name */
export const storageNotice = (name) => `This browser cannot keep ${name}: its storage is full, or blocked as in a private window. `
  + "Before you refresh or close this page, save the screen (Share), or be ready to give the file again.";

/** @param {number[]} sizes */
export function statusText(sizes) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const count = sizes.length === 1 ? "A file" : `${sizes.length} files`;
  const size = total < 1e6 ? `${Math.ceil(total / 1e3)} kB` : `${(total / 1e6).toFixed(1)} MB`;
  return `${count} of yours (${size}) ${sizes.length === 1 ? "is" : "are"} kept in this browser, to be here when you come back.`;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export function base64(bytes) {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += BYTES_A_CHUNK) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + BYTES_A_CHUNK));
  }
  return btoa(text);
}
