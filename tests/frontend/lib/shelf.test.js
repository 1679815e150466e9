import assert from "node:assert/strict";
import test from "node:test";

import { hosted } from "../hosts.js";
import { use } from "../page.js";
import { base64, create, storageNotice, watchFiles, statusText } from "../../../dtviz/frontend/lib/shelf.js";

const cuts = [];
watchFiles({ send: (...event) => cuts.push(event) });
const notices = [];
window.addEventListener("dtviz:notice", ({ detail }) => notices.push(detail));

/** Create a store in memory; unless it is allowed to keep files, its promises reject. */
function storeOf(files = {}, isAllowed = true) {
  const stored = new Map(Object.entries(files));
  const answer = (value) => (isAllowed ? Promise.resolve(value) : Promise.reject(new Error("private")));
  return {
    stored,
    put: (mark, content) => answer(isAllowed && stored.set(mark, content)),
    get: (mark) => answer(stored.get(mark)),
    sizes: () => answer([...stored.values()].map(({ length }) => length)),
    clear: () => answer(isAllowed && stored.clear()),
  };
}

const bytes = (count, value = 7) => new Uint8Array(count).fill(value);
const frame = (fields) => ({ kind: "shelf", files_to_keep: [], wanted_files: [], bytes_a_piece: 4, ...fields });
const fileOf = (mark, content, size = content.length) => ({ mark, name: `${mark}.csv`, size, content });
const settle = () => new Promise((done) => { setTimeout(done, 5); });

/** Create a shelf on the page with a store and a frame. */
async function createShelf(store, first = {}) {
  const shelf = hosted(undefined, undefined, frame(first));
  create(shelf.root, shelf.host, store);
  await settle();
  const [status, forget] = shelf.root.children;
  return { ...shelf, store, status, forget, unacknowledged: () => shelf.channel.unacknowledged.map(({ event }) => event) };
}

test("a file that comes is kept, which is told with what is done next", async () => {
  const shelf = await createShelf(storeOf(), { files_to_keep: [fileOf("a", bytes(9))] });
  assert.deepEqual(shelf.store.stored.get("a"), bytes(9));
  assert.deepEqual(shelf.posts, []);
  shelf.host.send({ what: "undo" });
  assert.deepEqual(shelf.posts[0].events.map(({ event }) => event), [{ what: "kept", mark: "a" }, { what: "undo" }]);
});

test("a large file is told of at once, so that it is not sent again", async () => {
  const shelf = await createShelf(storeOf(), { files_to_keep: [fileOf("a", bytes(200_000))] });
  assert.deepEqual(shelf.unacknowledged(), [{ what: "kept", mark: "a" }]);
  assert.equal(shelf.posts.length, 1);
});

test("it is kept once, however often it comes until that is heard", async () => {
  const shelf = await createShelf(storeOf(), { files_to_keep: [fileOf("a", bytes(9))] });
  shelf.store.stored.set("a", bytes(1)); // as nobody else would
  shelf.show(frame({ files_to_keep: [fileOf("a", bytes(9))] }));
  await settle();
  assert.equal(shelf.store.stored.get("a").length, 1);
  assert.deepEqual(shelf.unacknowledged(), [{ what: "kept", mark: "a" }]);
});

test("a file that does not come is the one that was chosen on the page", async () => {
  const files = [new File([bytes(3)], "a.csv"), new File([bytes(5, 1)], "a.csv"), new File([bytes(5)], "b.csv")];
  use(window, "change", { target: { files } });
  const shelf = await createShelf(storeOf(), { files_to_keep: [fileOf("a", bytes(0), 5)] });
  assert.deepEqual(shelf.store.stored.get("a"), bytes(5, 1));
  assert.deepEqual(shelf.unacknowledged(), [{ what: "kept", mark: "a" }]);
});

test("a file that does not come may be one that was dropped on the page", async () => {
  use(window, "drop", { dataTransfer: { files: [new File([bytes(6)], "d.csv")] } });
  const shelf = await createShelf(storeOf(), { files_to_keep: [fileOf("d", bytes(0), 6)] });
  assert.deepEqual(shelf.store.stored.get("d"), bytes(6));
});

test("a file that was not chosen here is asked for, and kept when it comes", async () => {
  const shelf = await createShelf(storeOf(), { files_to_keep: [fileOf("x", bytes(0), 9)] });
  assert.deepEqual(shelf.posts[0].events.map(({ event }) => event), [{ what: "send", mark: "x" }]);
  shelf.show(frame({ files_to_keep: [fileOf("x", bytes(9))] }), 1);
  await settle();
  assert.equal(shelf.store.stored.get("x").length, 9);
});

test("a file that is asked for is given piece by piece", async () => {
  const shelf = await createShelf(storeOf({ a: Uint8Array.of(1, 2, 3, 4, 5, 6) }), { wanted_files: [{ mark: "a", offset: 0 }] });
  const piece = (offset, ...values) => ({ what: "piece", mark: "a", at: offset, size: 6, bytes: base64(Uint8Array.from(values)) });
  assert.deepEqual(shelf.unacknowledged(), [piece(0, 1, 2, 3, 4)]);
  shelf.show(frame({ wanted_files: [{ mark: "a", offset: 0 }] }));
  await settle();
  assert.deepEqual(shelf.unacknowledged(), [piece(0, 1, 2, 3, 4)]); // it is on its way
  shelf.show(frame({ wanted_files: [{ mark: "a", offset: 4 }] }), 1);
  await settle();
  assert.deepEqual(shelf.unacknowledged(), [piece(4, 5, 6)]);
});

test("one that is not here lacks, and so does each where nothing may be kept", async () => {
  for (const store of [storeOf(), storeOf({ a: bytes(3) }, false)]) {
    const shelf = await createShelf(store, { wanted_files: [{ mark: "a", offset: 0 }] });
    assert.deepEqual(shelf.unacknowledged(), [{ what: "lacks", mark: "a" }]);
  }
});

test("where the browser keeps nothing Python is told that it did, and a notice says that it did not", async () => {
  notices.length = 0;
  await createShelf(storeOf(), { files_to_keep: [fileOf("a", bytes(9))] });
  assert.deepEqual(notices, []);
  const shelf = await createShelf(storeOf({}, false), { files_to_keep: [fileOf("a", bytes(9))] });
  assert.deepEqual(shelf.unacknowledged(), [{ what: "kept", mark: "a" }]);
  assert.ok(shelf.root.hidden);
  assert.deepEqual(notices, [{ name: "storage", text: storageNotice("a.csv") }]);
});

test("an upload that Streamlit says was cut is told to Python; what others say is not", () => {
  const cut = { stCommVersion: 1, type: "CLIENT_ERROR", component: "File Uploader", error: "Error uploading file" };
  for (const [source, data] of [[{}, cut], [window, { ...cut, error: "Error deleting file" }], [window, null], [window, "cut"]]) {
    window.hear({ type: "message", source, data });
  }
  assert.deepEqual(cuts, []);
  window.hear({ type: "message", source: window, data: cut });
  assert.deepEqual(cuts, [["shelf", { what: "cut" }]]);
});

test("what is kept is said, and a click forgets it", async () => {
  const shelf = await createShelf(storeOf({ a: bytes(1500), b: bytes(600) }));
  assert.ok(!shelf.root.hidden);
  assert.match(shelf.status.textContent, /^2 files of yours \(3 kB\) are kept in this browser/);
  shelf.forget.click();
  await settle();
  assert.equal(shelf.store.stored.size, 0);
  assert.ok(shelf.root.hidden);
});

test("how much is kept is told in kB and MB", () => {
  assert.match(statusText([1]), /^A file of yours \(1 kB\) is kept/);
  assert.match(statusText([2_000_000, 150_000]), /^2 files of yours \(2\.1 MB\)|\(2\.2 MB\) are kept/);
});

test("bytes are what Python makes of them again", () => {
  const all = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
  assert.deepEqual(Uint8Array.from(atob(base64(all)), (char) => char.charCodeAt(0)), all);
});
