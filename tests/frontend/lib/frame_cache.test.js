import assert from "node:assert/strict";
import test from "node:test";

import { FrameCache } from "../../../dtviz/frontend/lib/frame_cache.js";
import { bytesOf, expected } from "../expected.js";
import { hosted, packed } from "../hosts.js";

const { letters: sent, frames } = expected.changes;
const listed = (frame) => JSON.parse(JSON.stringify(frame, (_, one) => (ArrayBuffer.isView(one) ? [...one] : one)));
const whole = (number) => packed({ kind: "stage", $number: number, at: number });

test("each frame comes out of the one before, which stays as it was", () => {
  const cache = new FrameCache();
  const opened = sent.map((one) => cache.open(bytesOf(one)));
  assert.deepEqual(opened.map(listed), frames);
  assert.equal(opened[1].nodes[3], opened[0].nodes[3], "what is not new is shared");
  assert.ok(opened[1].cuts[0].rows instanceof Uint8Array);
});

test("a letter that is opened again gives the same frame, whatever came since", () => {
  const cache = new FrameCache();
  const [, second] = sent.map((one) => cache.open(bytesOf(one)));
  assert.equal(cache.open(bytesOf(sent[1])), second);
});

test("a frame that is here need not be told: its number is enough", () => {
  const cache = new FrameCache();
  const first = frames.open(whole(4));
  assert.equal(cache.open(packed({ kind: "change", $number: 4, base: 4, change: {} })), first);
});

test("what builds on a frame that is not here cannot be told", () => {
  assert.equal(new FrameCache().open(bytesOf(sent[1])), null);
});

test("the newest are held, and of these the last twelve told; those without a number are not", () => {
  const cache = new FrameCache();
  for (let number = 1; number <= 25; number++) cache.open(whole(number));
  cache.open(packed({ kind: "cloud" }));
  cache.open(whole(14));
  assert.deepEqual(cache.announce(), [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  const on = (base) => cache.open(packed({ kind: "change", $number: 90 + base, base, change: {} }));
  assert.equal(on(1), null);
  assert.equal(on(3).at, 3);
});

test("the newest of each kind is held however many of others come: it is on the page still", () => {
  const cache = new FrameCache();
  for (let number = 1; number <= 3; number++) cache.open(packed({ kind: "cloud", $number: number }));
  for (let number = 4; number <= 60; number++) cache.open(whole(number));
  assert.ok(cache.announce().includes(3) && !letters.heldNumbers.includes(2));
  assert.deepEqual(cache.open(packed({ kind: "change", $number: 61, base: 3, change: {} })).kind, "cloud");
  assert.equal(cache.frames.size, 24);
});

test("what was told to be here stays until it is told anew, though one of its kind came since", () => {
  const cache = new FrameCache();
  cache.open(packed({ kind: "cloud", $number: 1 }));
  for (let number = 2; number <= 24; number++) cache.open(whole(number));
  assert.ok(cache.announce().includes(1));
  cache.open(packed({ kind: "cloud", $number: 25 }));
  assert.equal(cache.open(packed({ kind: "change", $number: 26, base: 1, change: {} }))?.kind, "cloud");
  assert.ok(!cache.announce().includes(1));
});

test("a message says which frames are here", () => {
  const one = hosted();
  one.channel.frames.open(whole(7));
  one.host.send({ what: "cut" });
  assert.deepEqual(one.posts[0].has, [7]);
});
