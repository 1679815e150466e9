// The files that this browser keeps, so that they come back after the server has lost them.
//
// Python says which it has (to be kept) and which it lacks (to be given), dtviz/session/browser_files.py what
// it is told in return. Nobody else is told, and a click forgets them all.
//
// Glossary
//   mark    the fingerprint of a file
//   chosen  the files chosen on this page: they need not be sent here to be kept

import { button, element } from "./dom.js";
import { tell } from "./link.js";
import * as browser from "./store.js";

const MOST_CHOSEN = 8;
const LARGE = 100_000; // bytes: what is larger is not sent again with every run
const STRIDE = 0x8000; // bytes made text at once

/** @import { Of } from "../types.d.ts" */
/** @import { Channel, Host } from "./channel.js" */
/** @typedef {Of<"shelf">} Frame */
/** @typedef {Pick<typeof browser, "put" | "get" | "sizes" | "clear">} Store */

/** @typedef {object} State
 *  @property {HTMLElement} root
 *  @property {Host<Frame>} host
 *  @property {Store} store
 *  @property {HTMLElement} said
 *  @property {Set<string>} busy  what is under way */

let chosen = /** @type {File[]} */ ([]);

/** Remember the files that are chosen on the page, or dropped there; tell of those that Streamlit says
 *  did not arrive.
 *  @param {Pick<Channel, "did">} channel */
export function watchFiles(channel) {
  /** @param {FileList | null | undefined} files */
  const add = (files) => { chosen = [...(files ?? []), ...chosen].slice(0, MOST_CHOSEN); };
  window.addEventListener("change", ({ target }) => {
    if (target && "files" in target) add(/** @type {HTMLInputElement} */ (target).files);
  }, true);
  window.addEventListener("drop", ({ dataTransfer }) => { add(dataTransfer?.files); }, true);
  window.addEventListener("message", ({ source, data }) => {
    const streamlit = source === window && data?.stCommVersion === 1;
    if (streamlit && data.type === "CLIENT_ERROR" && data.error === "Error uploading file") channel.did("shelf", { what: "cut" });
  });
}

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host, store = /** @type {Store} */ (browser)) {
  const said = element("span", "said");
  const forget = button("Forget my files", "Forget my files: this browser keeps them no longer");
  /** @type {State} */
  const shelf = { root, host, store, said, busy: new Set() };
  root.hidden = true;
  said.setAttribute("role", "status");
  root.append(said, forget);
  forget.addEventListener("click", () => {
    chosen = [];
    store.clear().catch(() => {}).then(() => say(shelf));
  });
  host.onFrame(({ keep, wants, piece }) => {
    for (const file of keep) once(shelf, `keep ${file.mark}`, () => take(shelf, file));
    for (const { mark, at } of wants) once(shelf, `give ${mark}`, () => give(shelf, mark, at, piece));
  });
  say(shelf);
}

/** Do what is not under way already.
 *  @param {State} shelf @param {string} name @param {() => Promise<void>} act */
function once({ busy }, name, act) {
  if (busy.has(name)) return;
  busy.add(name);
  act().finally(() => busy.delete(name));
}

/** Keep a file: what came, else what was chosen here, else have it sent.
 *  @param {State} shelf @param {Frame["keep"][number]} file */
async function take(shelf, { mark, name, size, content }) {
  if (tells(shelf, "kept", mark)) return;
  const file = content.length === size ? content : await chosenOf(name, size);
  if (!file) {
    shelf.host.send({ what: "send", mark });
    return;
  }
  await shelf.store.put(mark, file).catch(() => { tell("notice", { name: "storage", text: unkept(name) }); });
  if (content.length > LARGE) shelf.host.send({ what: "kept", mark });
  else shelf.host.note({ what: "kept", mark });
  say(shelf);
}

/** Give a piece of a file, if it is here.
 *  @param {State} shelf @param {string} mark @param {number} at @param {number} piece */
async function give(shelf, mark, at, piece) {
  if (tells(shelf, "piece", mark, at)) return;
  const file = await shelf.store.get(mark).catch(() => undefined);
  if (!file) shelf.host.send({ what: "lacks", mark });
  else shelf.host.send({ what: "piece", mark, at, size: file.length, bytes: base64(file.subarray(at, at + piece)) });
}

/** Whether that is on its way to Python.
 *  @param {State} shelf @param {string} what @param {string} mark @param {number} [at] */
const tells = ({ host }, what, mark, at) => host.channel.unheard.some(({ event }) =>
  event.what === what && "mark" in event && event.mark === mark && (at === undefined || "at" in event && event.at === at));

/** The bytes of a file chosen here, of that name and size; null where there is none.
 *  @param {string} name @param {number} size */
async function chosenOf(name, size) {
  const file = chosen.find((one) => one.name === name && one.size === size);
  const bytes = await file?.arrayBuffer().catch(() => null);
  return bytes ? new Uint8Array(bytes) : null;
}

/** Say how much is kept; nothing where none is.
 *  @param {State} shelf */
async function say({ root, store, said }) {
  const sizes = await store.sizes().catch(() => []);
  root.hidden = sizes.length === 0;
  said.textContent = words(sizes);
}

/** What is told of a file that this browser cannot keep.
 *  @param {string} name */
export const unkept = (name) => `This browser cannot keep ${name}: its storage is full, or blocked as in a private window. `
  + "Before you refresh or close this page, save the screen (Share), or be ready to give the file again.";

/** @param {number[]} sizes */
export function words(sizes) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const many = sizes.length === 1 ? "A file" : `${sizes.length} files`;
  const much = total < 1e6 ? `${Math.ceil(total / 1e3)} kB` : `${(total / 1e6).toFixed(1)} MB`;
  return `${many} of yours (${much}) ${sizes.length === 1 ? "is" : "are"} kept in this browser, to be here when you come back.`;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += STRIDE) {
    text += String.fromCharCode(...bytes.subarray(at, at + STRIDE));
  }
  return btoa(text);
}
