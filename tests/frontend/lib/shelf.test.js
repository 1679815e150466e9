import assert from "node:assert/strict";
import test from "node:test";

import { hosted } from "../hosts.js";
import { use } from "../page.js";
import { base64, create, storageNotice, watchFiles, statusText } from "../../../dtviz/frontend/lib/shelf.js";

const cuts = [];
watchFiles({ send: (...event) => cuts.push(event) });
const notices = [];
window.addEventListener("dtviz:notice", ({ detail }) => notices.push(detail));

/** A store of the browser in memory; where it is not `able` it refuses all. */
function storeOf(files = {}, able = true) {
  const kept = new Map(Object.entries(files));
  const may = (value) => (able ? Promise.resolve(value) : Promise.reject(new Error("private")));
  return {
    kept,
    put: (mark, content) => may(able && kept.set(mark, content)),
    get: (mark) => may(kept.get(mark)),
    sizes: () => may([...kept.values()].map(({ length }) => length)),
    clear: () => may(able && kept.clear()),
  };
}

const bytes = (many, value = 7) => new Uint8Array(many).fill(value);
const frame = (own) => ({ kind: "shelf", keep: [], wants: [], piece: 4, ...own });
const handed = (mark, content, size = content.length) => ({ mark, name: `${mark}.csv`, size, content });
const settled = () => new Promise((done) => { setTimeout(done, 5); });

/** The shelf on a page with that store, given a frame. */
async function shelved(store, first = {}) {
  const one = hosted(undefined, undefined, frame(first));
  create(one.root, one.host, store);
  await settled();
  const [said, forget] = one.root.children;
  return { ...one, store, said, forget, unheard: () => one.channel.unacknowledged.map(({ event }) => event) };
}

test("a file that comes is kept, which is told with what is done next", async () => {
  const one = await shelved(storeOf(), { keep: [handed("a", bytes(9))] });
  assert.deepEqual(one.store.kept.get("a"), bytes(9));
  assert.deepEqual(one.posts, []);
  one.host.send({ what: "undo" });
  assert.deepEqual(one.posts[0].events.map(({ event }) => event), [{ what: "kept", mark: "a" }, { what: "undo" }]);
});

test("a large file is told of at once, so that it is not sent again", async () => {
  const one = await shelved(storeOf(), { keep: [handed("a", bytes(200_000))] });
  assert.deepEqual(one.unheard(), [{ what: "kept", mark: "a" }]);
  assert.equal(one.posts.length, 1);
});

test("it is kept once, however often it comes until that is heard", async () => {
  const one = await shelved(storeOf(), { keep: [handed("a", bytes(9))] });
  one.store.kept.set("a", bytes(1)); // as nobody else would
  one.show(frame({ keep: [handed("a", bytes(9))] }));
  await settled();
  assert.equal(one.store.kept.get("a").length, 1);
  assert.deepEqual(one.unheard(), [{ what: "kept", mark: "a" }]);
});

test("a file that does not come is the one that was chosen on the page", async () => {
  const files = [new File([bytes(3)], "a.csv"), new File([bytes(5, 1)], "a.csv"), new File([bytes(5)], "b.csv")];
  use(window, "change", { target: { files } });
  const one = await shelved(storeOf(), { keep: [handed("a", bytes(0), 5)] });
  assert.deepEqual(one.store.kept.get("a"), bytes(5, 1));
  assert.deepEqual(one.unheard(), [{ what: "kept", mark: "a" }]);
});

test("it is the one that was dropped there, too", async () => {
  use(window, "drop", { dataTransfer: { files: [new File([bytes(6)], "d.csv")] } });
  const one = await shelved(storeOf(), { keep: [handed("d", bytes(0), 6)] });
  assert.deepEqual(one.store.kept.get("d"), bytes(6));
});

test("one that is not at hand is asked for, and kept when it comes", async () => {
  const one = await shelved(storeOf(), { keep: [handed("x", bytes(0), 9)] });
  assert.deepEqual(one.posts[0].events.map(({ event }) => event), [{ what: "send", mark: "x" }]);
  one.show(frame({ keep: [handed("x", bytes(9))] }), 1);
  await settled();
  assert.equal(one.store.kept.get("x").length, 9);
});

test("a file that is asked for is given piece by piece", async () => {
  const one = await shelved(storeOf({ a: Uint8Array.of(1, 2, 3, 4, 5, 6) }), { wants: [{ mark: "a", at: 0 }] });
  const piece = (at, ...own) => ({ what: "piece", mark: "a", at, size: 6, bytes: base64(Uint8Array.from(own)) });
  assert.deepEqual(one.unheard(), [piece(0, 1, 2, 3, 4)]);
  one.show(frame({ wants: [{ mark: "a", at: 0 }] }));
  await settled();
  assert.deepEqual(one.unheard(), [piece(0, 1, 2, 3, 4)]); // it is on its way
  one.show(frame({ wants: [{ mark: "a", at: 4 }] }), 1);
  await settled();
  assert.deepEqual(one.unheard(), [piece(4, 5, 6)]);
});

test("one that is not here lacks, and so does each where nothing may be kept", async () => {
  for (const store of [storeOf(), storeOf({ a: bytes(3) }, false)]) {
    const one = await shelved(store, { wants: [{ mark: "a", at: 0 }] });
    assert.deepEqual(one.unheard(), [{ what: "lacks", mark: "a" }]);
  }
});

test("where nothing may be kept the server hears that it was, and who reads the page that it was not", async () => {
  notices.length = 0;
  await shelved(storeOf(), { keep: [handed("a", bytes(9))] });
  assert.deepEqual(notices, []);
  const one = await shelved(storeOf({}, false), { keep: [handed("a", bytes(9))] });
  assert.deepEqual(one.unheard(), [{ what: "kept", mark: "a" }]);
  assert.ok(one.root.hidden);
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
  const one = await shelved(storeOf({ a: bytes(1500), b: bytes(600) }));
  assert.ok(!one.root.hidden);
  assert.match(one.said.textContent, /^2 files of yours \(3 kB\) are kept in this browser/);
  one.forget.click();
  await settled();
  assert.equal(one.store.kept.size, 0);
  assert.ok(one.root.hidden);
});

test("how much is kept is told in kB and MB", () => {
  assert.match(statusText([1]), /^A file of yours \(1 kB\) is kept/);
  assert.match(statusText([2_000_000, 150_000]), /^2 files of yours \(2\.1 MB\)|\(2\.2 MB\) are kept/);
});

test("bytes are what Python makes of them again", () => {
  const all = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  assert.deepEqual(Uint8Array.from(atob(base64(all)), (one) => one.charCodeAt(0)), all);
});
