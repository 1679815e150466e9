import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { bytesOf, expected } from "../expected.js";

const { bytes, frame: packed } = expected.frames;

test("a frame is read as it was packed", () => {
  const frame = unpack(bytesOf(bytes));
  const listed = JSON.parse(JSON.stringify(frame, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value)));
  assert.deepEqual(listed, packed);
});

test("arrays come in their own types", () => {
  const { a, b, d, deep, narrow } = unpack(bytesOf(bytes));
  assert.ok(a instanceof Float64Array);
  assert.ok(b instanceof Int32Array);
  assert.ok(d instanceof Uint8Array);
  assert.ok(deep.e[0] instanceof Int32Array);
  assert.deepEqual(narrow.map((array) => array.constructor), [Float64Array, Int32Array, Int32Array]);
});

test("a frame that comes deflated is the frame that it was", () => {
  const raw = bytesOf(bytes);
  const small = deflateRawSync(raw);
  const letter = new Uint8Array(8 + 4 + small.length);
  letter.set(small, 12);
  assert.deepEqual(unpack(letter.subarray(8)), unpack(raw));
});

test("bytes in the middle of a buffer are read too", () => {
  const raw = bytesOf(bytes);
  const wide = new Uint8Array(raw.length + 24);
  wide.set(raw, 16);
  const { a } = unpack(wide.subarray(16, 16 + raw.length));
  assert.deepEqual([...a], packed.a);
});
