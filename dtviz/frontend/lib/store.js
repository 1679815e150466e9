// The files that this browser keeps for the pages of this server, by their marks, in IndexedDB. What
// is refused there (a private window, a full disk) rejects.
//
// Glossary
//   mark   the fingerprint of a file
//   about  of each file its size, and when it was kept or asked for last

const NAME = "dtviz";
const [FILES, ABOUT] = ["files", "about"];
const MOST = 200e6; // bytes of all files: the one that was not asked for the longest goes first
const LEAST = 1000; // bytes that each counts for
const PATIENCE = 3000; // ms

/** @typedef {{ size: number, at: number }} About */

let opened = /** @type {Promise<IDBDatabase> | null} */ (null);

/** Keep a file; others go where all are larger than `most`.
 *  @param {string} mark @param {Uint8Array<ArrayBuffer>} content */
export const put = (mark, content, most = MOST) => within("readwrite", async (files, about) => {
  files.put(content, mark);
  about.put({ size: content.length, at: Date.now() }, mark);
  const all = await entries(about);
  let total = all.reduce((sum, [, { size }]) => sum + Math.max(size, LEAST), 0);
  for (const [old, { size }] of all.toSorted(([, one], [, other]) => one.at - other.at)) {
    if (total <= most || old === mark) break;
    total -= Math.max(size, LEAST);
    files.delete(old);
    about.delete(old);
  }
});

/** The file of a mark; undefined where there is none.
 *  @param {string} mark @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} */
export const get = (mark) => within("readwrite", async (files, about) => {
  const content = await answer(files.get(mark));
  if (content) about.put({ size: content.length, at: Date.now() }, mark);
  return content;
});

/** The sizes of all files. */
export const sizes = () => within("readonly", async (_, about) =>
  (await entries(about)).map(([, { size }]) => size));

/** Forget all files. */
export const clear = () => within("readwrite", async (files, about) => {
  files.clear();
  about.clear();
});

/** @param {IDBObjectStore} about @returns {Promise<[mark: IDBValidKey, About][]>} */
async function entries(about) {
  const [marks, values] = await Promise.all([answer(about.getAllKeys()), answer(about.getAll())]);
  return marks.map((mark, at) => [mark, values[at]]);
}

/** What is done in one transaction, once it is done.
 *  @template T @param {IDBTransactionMode} mode
 *  @param {(files: IDBObjectStore, about: IDBObjectStore) => Promise<T>} act */
async function within(mode, act) {
  const deal = (await open()).transaction([FILES, ABOUT], mode);
  const done = new Promise((resolve, reject) => {
    deal.oncomplete = resolve;
    deal.onabort = () => { reject(deal.error); };
  });
  const [found] = await Promise.all([act(deal.objectStore(FILES), deal.objectStore(ABOUT)), done]);
  return found;
}

/** The storage; opened anew where that failed, or the browser has closed it.
 *  @returns {Promise<IDBDatabase>} */
function open() {
  opened ??= new Promise((resolve, reject) => {
    setTimeout(() => { reject(new Error("the browser does not open its storage")); }, PATIENCE);
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const name of [FILES, ABOUT]) request.result.createObjectStore(name);
    };
    request.onsuccess = () => {
      request.result.onclose = () => { opened = null; };
      resolve(request.result);
    };
    request.onerror = () => { reject(request.error); };
  });
  opened.catch(() => { opened = null; });
  return opened;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => { resolve(request.result); };
    request.onerror = () => { reject(request.error); };
  });
}
