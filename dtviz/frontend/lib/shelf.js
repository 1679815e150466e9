// Shelf: the files that this browser keeps, so that they come back after the server has lost them.
//
// Python lists the files to keep and the files that it lacks; dtviz/session/browser_files.py reads the
// answers. The files go to nobody else, and a button deletes all of them from the browser.
//
// Glossary
//   mark   the fingerprint of a file

import { button, element } from "./dom.js";
import { tellAll } from "./link.js";
import * as browserStore from "./store.js";

const MAX_FILES_CHOSEN = 8;
const MAX_BYTES_RESENT = 100_000; // Python sends such a file with every run until it knows that the file is kept
const BYTES_A_CHUNK = 0x8000; // String.fromCharCode takes a limited number of arguments

/** @import { FrameOf } from "../types.d.ts" */
/** @import { Channel, Host } from "./channel.js" */
/** @typedef {FrameOf<"shelf">} ShelfFrame */
/** @typedef {Pick<typeof browserStore, "put" | "get" | "sizes" | "clear">} Store */

/** @typedef {object} ShelfState
 *  @property {HTMLElement} root
 *  @property {Host<ShelfFrame>} host
 *  @property {Store} store
 *  @property {HTMLElement} status
 *  @property {Set<string>} runningActions  names of the actions that run */

/** Files chosen on this page: Python need not send them back to be kept. */
let chosenFiles = /** @type {File[]} */ ([]);

/** Remember the files that are chosen or dropped on the page. Send an event if Streamlit reports a failed upload.
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
export function create(root, host, store = /** @type {Store} */ (browserStore)) {
  const status = element("span", "said");
  const forgetButton = button("Forget my files", "Forget my files: this browser keeps them no longer");
  /** @type {ShelfState} */
  const shelf = { root, host, store, status, runningActions: new Set() };
  root.hidden = true;
  status.setAttribute("role", "status");
  root.append(status, forgetButton);
  forgetButton.addEventListener("click", () => {
    chosenFiles = [];
    store.clear().catch(() => {}).then(() => showStatus(shelf));
  });
  host.onFrame(({ files_to_keep: files, wanted_files: wantedFiles, bytes_a_piece: piece }) => {
    for (const file of files) runOnce(shelf, `keep ${file.mark}`, () => keepFile(shelf, file));
    for (const { mark, offset } of wantedFiles) runOnce(shelf, `give ${mark}`, () => sendPiece(shelf, mark, offset, piece));
  });
  showStatus(shelf);
}

/** Start an action unless an action of that name is running.
 *  @param {ShelfState} shelf @param {string} name @param {() => Promise<void>} action */
function runOnce({ runningActions }, name, action) {
  if (runningActions.has(name)) return;
  runningActions.add(name);
  action().finally(() => runningActions.delete(name));
}

/** Store a file in the browser, with the content that Python sent or that of a file chosen on this page. Ask Python for
 *  the content if there is neither.
 *  @param {ShelfState} shelf @param {ShelfFrame["files_to_keep"][number]} file */
async function keepFile(shelf, { mark, name, size, content }) {
  if (isUnacknowledged(shelf, "kept", mark)) return;
  const file = content.length === size ? content : await chosenContent(name, size);
  if (!file) {
    shelf.host.send({ what: "send", mark });
    return;
  }
  await shelf.store.put(mark, file).catch(() => { tellAll("notice", { name: "storage", text: storageNotice(name) }); });
  // at once, so that the next run does not send a large file again; else with the next event
  if (content.length > MAX_BYTES_RESENT) shelf.host.send({ what: "kept", mark });
  else shelf.host.sendLater({ what: "kept", mark });
  showStatus(shelf);
}

/** Send a piece of a file to Python, if this browser has the file.
 *  @param {ShelfState} shelf @param {string} mark @param {number} offset @param {number} pieceSize */
async function sendPiece(shelf, mark, offset, pieceSize) {
  if (isUnacknowledged(shelf, "piece", mark, offset)) return;
  const file = await shelf.store.get(mark).catch(() => undefined);
  if (!file) shelf.host.send({ what: "lacks", mark });
  else shelf.host.send({ what: "piece", mark, at: offset, size: file.length, bytes: base64(file.subarray(offset, offset + pieceSize)) });
}

/** True if an event of a kind about a file, or about a piece of the file, is on its way to Python.
 *  @param {ShelfState} shelf @param {string} kind @param {string} mark @param {number} [offset] */
const isUnacknowledged = ({ host }, kind, mark, offset) => host.channel.unacknowledged.some(({ event }) =>
  event.what === kind && "mark" in event && event.mark === mark && (offset === undefined || "at" in event && event.at === offset));

/** Content of a file chosen here, by name and size; null if there is none.
 *  @param {string} name @param {number} size */
async function chosenContent(name, size) {
  const file = chosenFiles.find((candidate) => candidate.name === name && candidate.size === size);
  const bytes = await file?.arrayBuffer().catch(() => null);
  return bytes ? new Uint8Array(bytes) : null;
}

/** Show how many files are kept and their size; hide the shelf if no file is kept.
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
  const countText = sizes.length === 1 ? "A file" : `${sizes.length} files`;
  const sizeText = total < 1e6 ? `${Math.ceil(total / 1e3)} kB` : `${(total / 1e6).toFixed(1)} MB`;
  return `${countText} of yours (${sizeText}) ${sizes.length === 1 ? "is" : "are"} kept in this browser, to be here when you come back.`;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export function base64(bytes) {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += BYTES_A_CHUNK) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + BYTES_A_CHUNK));
  }
  return btoa(text);
}
