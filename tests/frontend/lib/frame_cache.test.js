import assert from "node:assert/strict";
import test from "node:test";

import { FrameCache } from "../../../dtviz/frontend/lib/frame_cache.js";
import { bytesOf, expected } from "../expected.js";
import { hosted, packed } from "../hosts.js";

const { letters: sent, frames } = expected.changes;
const listed = (frame) => JSON.parse(JSON.stringify(frame, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
const stageLetter = (number) => packed({ kind: "stage", $number: number, at: number });

test("a patch makes each frame of the last one, which stays as it was", () => {
  const cache = new FrameCache();
  const opened = sent.map((letter) => cache.open(bytesOf(letter)));
  assert.deepEqual(opened.map(listed), frames);
  assert.equal(opened[1].nodes[3], opened[0].nodes[3], "what is not new is shared");
  assert.ok(opened[1].cuts[0].rows instanceof Uint8Array);
});

test("a letter that is opened again gives the same frame, whatever came since", () => {
  const cache = new FrameCache();
  const [, second] = sent.map((letter) => cache.open(bytesOf(letter)));
  assert.equal(cache.open(bytesOf(sent[1])), second);
});

test("a frame in the cache need not be sent again: its number is enough", () => {
  const cache = new FrameCache();
  const first = cache.open(stageLetter(4));
  assert.equal(cache.open(packed({ kind: "change", $number: 4, base: 4, change: {} })), first);
});

test("a patch of a frame that is not in the cache cannot be opened", () => {
  assert.equal(new FrameCache().open(bytesOf(sent[1])), null);
});

test("the newest frames are kept, and the last twelve announced; those without a number are not", () => {
  const cache = new FrameCache();
  for (let number = 1; number <= 25; number++) cache.open(stageLetter(number));
  cache.open(packed({ kind: "cloud" }));
  cache.open(stageLetter(14));
  assert.deepEqual(cache.announce(), [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  const patch = (base) => cache.open(packed({ kind: "change", $number: 90 + base, base, change: {} }));
  assert.equal(patch(1), null);
  assert.equal(patch(3).at, 3);
});

test("the newest frame of each kind is kept however many of others come: it is on the page still", () => {
  const cache = new FrameCache();
  for (let number = 1; number <= 3; number++) cache.open(packed({ kind: "cloud", $number: number }));
  for (let number = 4; number <= 60; number++) cache.open(stageLetter(number));
  assert.ok(cache.announce().includes(3) && !cache.announce().includes(2));
  assert.deepEqual(cache.open(packed({ kind: "change", $number: 61, base: 3, change: {} })).kind, "cloud");
  assert.equal(cache.frames.size, 24);
});

test("an announced frame stays until the next announcement, though one of its kind came since", () => {
  const cache = new FrameCache();
  cache.open(packed({ kind: "cloud", $number: 1 }));
  for (let number = 2; number <= 24; number++) cache.open(stageLetter(number));
  assert.ok(cache.announce().includes(1));
  cache.open(packed({ kind: "cloud", $number: 25 }));
  assert.equal(cache.open(packed({ kind: "change", $number: 26, base: 1, change: {} }))?.kind, "cloud");
  assert.ok(!cache.announce().includes(1));
});

test("a message announces the frames in the cache", () => {
  const picture = hosted();
  picture.channel.frames.open(stageLetter(7));
  picture.host.send({ what: "cut" });
  assert.deepEqual(picture.posts[0].has, [7]);
});

/** Pack the letter of a page as Python does, its parts in arrays behind the header. */
function pageLetter(parts, ahead) {
  const arrays = [];
  let offset = 0;
  const listedLetters = (letters) => Object.fromEntries(Object.entries(letters).map(([name, bytes]) => {
    const entry = { $array: ["u1", offset, bytes.length] };
    arrays.push([offset, bytes]);
    offset += bytes.length + (-bytes.length & 7);
    return [name, entry];
  }));
  const header = packed({ kind: "page", layout: "grow", parts: listedLetters(parts), frames: listedLetters(ahead) });
  const letter = new Uint8Array(header.length + offset);
  letter.set(header);
  for (const [from, array] of arrays) letter.set(array, header.length + from);
  return letter;
}

test("the parts of a page are opened in the order in which they are packed: one may patch another", () => {
  const patch = packed({ kind: "change", $number: 2, base: 1, change: { $in: { at: { $to: 2 } }, $out: [] } });
  const { kind, layout, parts, ahead } = new FrameCache().open(pageLetter({ stage: stageLetter(1) }, { stage: patch }));
  assert.deepEqual([kind, layout, parts.stage.at, ahead[0].at], ["page", "grow", 1, 2]);
});

test("a page cannot be opened if one of its parts cannot; a frame of the next step is left out", () => {
  const patch = packed({ kind: "change", $number: 9, base: 8, change: {} });
  assert.equal(new FrameCache().open(pageLetter({ stage: patch }, {})), null);
  assert.deepEqual(new FrameCache().open(pageLetter({ stage: stageLetter(2) }, { stage: patch })).ahead, [null]);
});
