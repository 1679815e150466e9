// A frame as bytes: the length of a JSON header, the header, then the arrays it speaks of, each at a
// multiple of 8 bytes. dtviz/figures/frame.py writes it.

const TYPES = { f8: Float64Array, i4: Int32Array, u1: Uint8Array };

/** What it holds; tests/frontend/frame_types.py holds what is written to these types.
 *  @param {Uint8Array<ArrayBuffer>} bytes @returns {import("../frames.d.ts").Frame} */
export function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const first = bytes.byteOffset + 4 + size;
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)), (_, value) => {
    if (!value?.$array) return value;
    /** @type {[type: keyof typeof TYPES, at: number, count: number]} */
    const [type, at, count] = value.$array;
    const Type = TYPES[type];
    return new Type(bytes.buffer.slice(first + at, first + at + count * Type.BYTES_PER_ELEMENT));
  });
}
