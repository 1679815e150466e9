// From DOT text to SVG, in a worker; what was laid out is kept.
//
// Glossary
//   asker    who wants a layout: of its requests that wait only the newest counts
//   AHEAD    stands for all who ask for what may be wanted later: served when nobody else waits
//   running  the request the worker has; there is never more than one

/** @import { instance } from "./graphviz.js" */

/**
 * @typedef {object} Request
 * @property {string} text
 * @property {Promise<string | null>} promise
 * @property {(svg: string | null) => void} done
 * @property {(error: Error) => void} fail
 */

const MOST_KEPT = 8_000_000; // characters of SVG
const AHEAD = Symbol("ahead");

/** @type {Map<string, string>} */
const kept = new Map();
/** @type {Map<object | symbol, Request>} */
const waiting = new Map();
let running = /** @type {Request | null} */ (null);
let worker = /** @type {Pick<Worker, "postMessage"> | null} */ (null);
let viz = /** @type {Awaited<ReturnType<typeof instance>> | null} */ (null);

/** The SVG text of a DOT text, or null if the same asker wanted another before it was begun.
 *  @param {string} text @param {object | symbol} [asker] @returns {Promise<string | null>} */
export function laidOut(text, asker = AHEAD) {
  const known = kept.get(text);
  if (known !== undefined) return Promise.resolve(touched(text, known));
  if (running?.text === text) return running.promise;
  const request = /** @type {Request} */ ({ text });
  request.promise = new Promise((done, fail) => Object.assign(request, { done, fail }));
  waiting.get(asker)?.done(null);
  waiting.delete(asker);
  waiting.set(asker, request);
  next();
  return request.promise;
}

/** @param {string} text @param {string} svg */
function touched(text, svg) {
  kept.delete(text);
  kept.set(text, svg);
  return svg;
}

/** @param {string} text @param {string} svg */
function keep(text, svg) {
  kept.set(text, svg);
  let size = 0;
  for (const one of kept.values()) size += one.length;
  for (const [oldest, one] of kept) {
    if (size <= MOST_KEPT || oldest === text) break;
    kept.delete(oldest);
    size -= one.length;
  }
}

function next() {
  if (running || !waiting.size) return;
  const asker = [...waiting.keys()].find((one) => one !== AHEAD) ?? AHEAD;
  running = /** @type {Request} */ (waiting.get(asker));
  waiting.delete(asker);
  worker ??= begin();
  worker.postMessage(running.text);
}

/** @param {{ svg: string } | { error: string }} found */
function answer(found) {
  if (!running) return;
  const { text, done, fail } = running;
  running = null;
  if ("error" in found) fail(new Error(found.error));
  else {
    keep(text, found.svg);
    done(found.svg);
  }
  next();
}

function begin() {
  try {
    const made = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    made.onmessage = ({ data }) => answer(data);
    made.onerror = () => {
      worker = { postMessage: onThePage };
      if (running) onThePage(running.text);
    };
    return made;
  } catch {
    return { postMessage: onThePage };
  }
}

/** Where no worker can be had, lay out here.
 *  @param {string} text */
async function onThePage(text) {
  try {
    const apart = await import(new URL("./graphviz.js", import.meta.url).href);
    viz ??= await /** @type {{ instance: typeof instance }} */ (apart).instance();
    answer({ svg: viz.renderString(text, { format: "svg" }) });
  } catch (error) {
    answer({ error: String(error) });
  }
}

worker = begin(); // Graphviz starts while the first frame is on its way
