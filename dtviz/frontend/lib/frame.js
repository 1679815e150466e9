// A frame as bytes: the length of a JSON header, the header, then the arrays it speaks of, each at a
// multiple of 8 bytes. dtviz/figures/frame.py writes it; an array may be sent as a narrower type.

const TYPES = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u2: Uint16Array, u1: Uint8Array };

/** A frame, the number it is known by, or what is new in it since another.
 *  @typedef {import("../frames.d.ts").Frame & { $number?: number }} Whole
 *  @typedef {{ kind: "change", $number: number, base: number, change: import("../types.d.ts").Change }} News */

/** What it holds; tests/frontend/frame_types.py holds what is written to these types.
 *  @param {Uint8Array<ArrayBuffer>} bytes @returns {Whole | News} */
export function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const first = bytes.byteOffset + 4 + size;
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)), (_, value) => {
    if (!value?.$array) return value;
    /** @type {[type: keyof typeof TYPES, at: number, count: number, sent?: keyof typeof TYPES]} */
    const [type, at, count, sent = type] = value.$array;
    const Sent = TYPES[sent];
    const array = new Sent(bytes.buffer.slice(first + at, first + at + count * Sent.BYTES_PER_ELEMENT));
    return sent === type ? array : new TYPES[type](array);
  });
}
