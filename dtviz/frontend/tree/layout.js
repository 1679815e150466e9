// Layout of trees, from DOT text to SVG text, by Graphviz in a worker. Layouts are kept in a cache.
//
// Glossary
//   requester   the object that a layout is for; a new request of it replaces its request that still waits
//   PREFETCH    the requester of layouts that may be needed later; its request is run when no other waits

/** @import { instance } from "./graphviz.js" */

/**
 * @typedef {object} LayoutRequest
 * @property {string} dot
 * @property {Promise<string | null>} promise
 * @property {(svg: string | null) => void} resolve
 * @property {(error: Error) => void} reject
 */

const MAX_CHARACTERS_KEPT = 8_000_000; // of SVG
const PREFETCH = Symbol("prefetch");

/** @type {Map<string, string>} */
const svgByDot = new Map(); // in order of use, the newest last
/** @type {Map<object | symbol, LayoutRequest>} */
const waiting = new Map(); // requests by requester
let running = /** @type {LayoutRequest | null} */ (null); // the worker has one request at a time
let worker = /** @type {Pick<Worker, "postMessage"> | null} */ (null);
let viz = /** @type {Awaited<ReturnType<typeof instance>> | null} */ (null); // Graphviz on the page, without a worker

/** SVG text of a DOT text; null if the requester replaced this request before its layout began.
 *  @param {string} dot @param {object | symbol} [requester] @returns {Promise<string | null>} */
export function layOut(dot, requester = PREFETCH) {
  const svg = svgByDot.get(dot);
  if (svg !== undefined) return Promise.resolve(refresh(dot, svg));
  if (running?.dot === dot) return running.promise;
  const request = /** @type {LayoutRequest} */ ({ dot });
  request.promise = new Promise((resolve, reject) => Object.assign(request, { resolve, reject }));
  waiting.get(requester)?.resolve(null);
  waiting.delete(requester);
  waiting.set(requester, request);
  startNext();
  return request.promise;
}

/** Mark a layout as the newest in use.
 *  @param {string} dot @param {string} svg */
function refresh(dot, svg) {
  svgByDot.delete(dot);
  svgByDot.set(dot, svg);
  return svg;
}

/** Keep a layout, and drop those that were not used for longest while the cache is too large.
 *  @param {string} dot @param {string} svg */
function keep(dot, svg) {
  svgByDot.set(dot, svg);
  let size = 0;
  for (const { length } of svgByDot.values()) size += length;
  for (const [oldest, { length }] of svgByDot) {
    if (size <= MAX_CHARACTERS_KEPT || oldest === dot) break;
    svgByDot.delete(oldest);
    size -= length;
  }
}

function startNext() {
  if (running || !waiting.size) return;
  const requester = [...waiting.keys()].find((key) => key !== PREFETCH) ?? PREFETCH;
  running = /** @type {LayoutRequest} */ (waiting.get(requester));
  waiting.delete(requester);
  worker ??= startWorker();
  worker.postMessage(running.dot);
}

/** @param {{ svg: string } | { error: string }} result */
function answer(result) {
  if (!running) return;
  const { dot, resolve, reject } = running;
  running = null;
  if ("error" in result) reject(new Error(result.error));
  else {
    keep(dot, result.svg);
    resolve(result.svg);
  }
  startNext();
}

function startWorker() {
  try {
    const newWorker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    newWorker.onmessage = ({ data }) => answer(data);
    newWorker.onerror = () => {
      worker = { postMessage: layOutOnPage };
      if (running) layOutOnPage(running.dot);
    };
    return newWorker;
  } catch {
    return { postMessage: layOutOnPage };
  }
}

/** Lay out a tree on the page itself, where the browser cannot run the worker.
 *  @param {string} dot */
async function layOutOnPage(dot) {
  try {
    const module = await import(new URL("./graphviz.js", import.meta.url).href);
    viz ??= await /** @type {{ instance: typeof instance }} */ (module).instance();
    answer({ svg: viz.renderString(dot, { format: "svg" }) });
  } catch (error) {
    answer({ error: String(error) });
  }
}

worker = startWorker(); // so that Graphviz starts while the first frame is on its way
