import assert from "node:assert/strict";
import test from "node:test";

import { Letters } from "../../../dtviz/frontend/lib/frame_cache.js";
import { bytesOf, expected } from "../expected.js";
import { hosted, packed } from "../hosts.js";

const { letters: sent, frames } = expected.changes;
const listed = (frame) => JSON.parse(JSON.stringify(frame, (_, one) => (ArrayBuffer.isView(one) ? [...one] : one)));
const whole = (number) => packed({ kind: "stage", $number: number, at: number });

test("each frame comes out of the one before, which stays as it was", () => {
  const letters = new Letters();
  const opened = sent.map((one) => letters.open(bytesOf(one)));
  assert.deepEqual(opened.map(listed), frames);
  assert.equal(opened[1].nodes[3], opened[0].nodes[3], "what is not new is shared");
  assert.ok(opened[1].cuts[0].rows instanceof Uint8Array);
});

test("a letter that is opened again gives the same frame, whatever came since", () => {
  const letters = new Letters();
  const [, second] = sent.map((one) => letters.open(bytesOf(one)));
  assert.equal(letters.open(bytesOf(sent[1])), second);
});

test("a frame that is here need not be told: its number is enough", () => {
  const letters = new Letters();
  const first = letters.open(whole(4));
  assert.equal(letters.open(packed({ kind: "change", $number: 4, base: 4, change: {} })), first);
});

test("what builds on a frame that is not here cannot be told", () => {
  assert.equal(new Letters().open(bytesOf(sent[1])), null);
});

test("the newest are held, and of these the last twelve told; those without a number are not", () => {
  const letters = new Letters();
  for (let number = 1; number <= 25; number++) letters.open(whole(number));
  letters.open(packed({ kind: "cloud" }));
  letters.open(whole(14));
  assert.deepEqual(letters.held, [14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  const on = (base) => letters.open(packed({ kind: "change", $number: 90 + base, base, change: {} }));
  assert.equal(on(1), null);
  assert.equal(on(3).at, 3);
});

test("the newest of each kind is held however many of others come: it is on the page still", () => {
  const letters = new Letters();
  for (let number = 1; number <= 3; number++) letters.open(packed({ kind: "cloud", $number: number }));
  for (let number = 4; number <= 60; number++) letters.open(whole(number));
  assert.ok(letters.held.includes(3) && !letters.held.includes(2));
  assert.deepEqual(letters.open(packed({ kind: "change", $number: 61, base: 3, change: {} })).kind, "cloud");
  assert.equal(letters.frames.size, 24);
});

test("what was told to be here stays until it is told anew, though one of its kind came since", () => {
  const letters = new Letters();
  letters.open(packed({ kind: "cloud", $number: 1 }));
  for (let number = 2; number <= 24; number++) letters.open(whole(number));
  assert.ok(letters.held.includes(1));
  letters.open(packed({ kind: "cloud", $number: 25 }));
  assert.equal(letters.open(packed({ kind: "change", $number: 26, base: 1, change: {} }))?.kind, "cloud");
  assert.ok(!letters.held.includes(1));
});

test("a message says which frames are here", () => {
  const one = hosted();
  one.channel.letters.open(whole(7));
  one.host.send({ what: "cut" });
  assert.deepEqual(one.posts[0].has, [7]);
});
