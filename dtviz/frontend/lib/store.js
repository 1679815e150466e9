// Store of the files that this browser keeps for the pages of this server, by mark, in IndexedDB. Its
// promises reject where the browser refuses to store, as in a private window or on a full disk.
//
// Glossary
//   mark   the fingerprint of a file

const NAME = "dtviz";
const [FILES, RECORDS] = ["files", "about"];
const MAX_BYTES = 200e6; // of all files: the one that was not read for the longest time is deleted first
const MIN_BYTES_COUNTED = 1000; // of each file, so that small files are bounded in number
const MAX_MS_OPENING = 3000;

/** Size of a file, and the time when it was stored or read last.
 *  @typedef {{ size: number, at: number }} FileRecord */

let storage = /** @type {Promise<IDBDatabase> | null} */ (null);

/** Store a file; old files are deleted if all together exceed `maxBytes`.
 *  @param {string} mark @param {Uint8Array<ArrayBuffer>} content */
export const put = (mark, content, maxBytes = MAX_BYTES) => transact("readwrite", async (files, records) => {
  files.put(content, mark);
  records.put({ size: content.length, at: Date.now() }, mark);
  const all = await entries(records);
  let total = all.reduce((sum, [, { size }]) => sum + Math.max(size, MIN_BYTES_COUNTED), 0);
  for (const [oldMark, { size }] of all.toSorted(([, a], [, b]) => a.at - b.at)) {
    if (total <= maxBytes || oldMark === mark) break;
    total -= Math.max(size, MIN_BYTES_COUNTED);
    files.delete(oldMark);
    records.delete(oldMark);
  }
});

/** File of a mark; undefined if there is none.
 *  @param {string} mark @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} */
export const get = (mark) => transact("readwrite", async (files, records) => {
  const content = await answer(files.get(mark));
  if (content) records.put({ size: content.length, at: Date.now() }, mark);
  return content;
});

/** Sizes of all files. */
export const sizes = () => transact("readonly", async (_, records) =>
  (await entries(records)).map(([, { size }]) => size));

/** Forget all files. */
export const clear = () => transact("readwrite", async (files, records) => {
  files.clear();
  records.clear();
});

/** @param {IDBObjectStore} records @returns {Promise<[mark: IDBValidKey, FileRecord][]>} */
async function entries(records) {
  const [marks, values] = await Promise.all([answer(records.getAllKeys()), answer(records.getAll())]);
  return marks.map((mark, index) => [mark, values[index]]);
}

/** Result of an action in one transaction, once that is complete.
 *  @template T @param {IDBTransactionMode} mode
 *  @param {(files: IDBObjectStore, records: IDBObjectStore) => Promise<T>} act */
async function transact(mode, act) {
  const transaction = (await open()).transaction([FILES, RECORDS], mode);
  const completion = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => { reject(transaction.error); };
  });
  const [result] = await Promise.all([act(transaction.objectStore(FILES), transaction.objectStore(RECORDS)), completion]);
  return result;
}

/** Open the storage, again if that failed or if the browser has closed it.
 *  @returns {Promise<IDBDatabase>} */
function open() {
  storage ??= new Promise((resolve, reject) => {
    setTimeout(() => { reject(new Error("the browser does not open its storage")); }, MAX_MS_OPENING);
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const name of [FILES, RECORDS]) request.result.createObjectStore(name);
    };
    request.onsuccess = () => {
      request.result.onclose = () => { storage = null; };
      resolve(request.result);
    };
    request.onerror = () => { reject(request.error); };
  });
  storage.catch(() => { storage = null; });
  return storage;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => { resolve(request.result); };
    request.onerror = () => { reject(request.error); };
  });
}
