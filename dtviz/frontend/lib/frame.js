// Frames as bytes: the length of a JSON header, the header, then the arrays that it names, each at a
// multiple of 8 bytes. A length of 0 is followed by another frame, deflated. dtviz/pictures/packing.py
// writes frames, and documents how arrays are shortened.

// @ts-types="../vendor/inflate.d.ts"
import { inflateSync } from "../vendor/inflate.js";

const TYPES = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array,
};

/** @typedef {keyof typeof TYPES} Type */

/** Frame with its number, or a patch that makes it of the frame with number `base`.
 *  @typedef {import("../frames.d.ts").Frame & { $number?: number }} FullFrame
 *  @typedef {{ kind: "change", $number: number, base: number, change: import("../types.d.ts").Patch }} FrameChange */

/** Read a frame from bytes; tests/frontend/frame_types.py checks that the frames that Python writes have these types.
 *  @param {Uint8Array<ArrayBuffer>} bytes @returns {FullFrame | FrameChange} */
export function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  if (!size) return unpack(inflateSync(bytes.subarray(4)));
  const first = bytes.byteOffset + 4 + size;
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)), (_, value) => {
    if (!value?.$array) return value;
    /** @type {[type: Type, offset: number, count: number, storedType?: Type, places?: number, steps?: number]} */
    const [type, offset, count, storedType = type, places = 0, steps = 0] = value.$array;
    const StoredArray = TYPES[storedType];
    const array = new StoredArray(bytes.buffer.slice(first + offset, first + offset + count * StoredArray.BYTES_PER_ELEMENT));
    return storedType === type && !steps ? array : decoded(new TYPES[type](array), places, steps);
  });
}

/** Divide integers by 10 to the power of `places`, in place; with `steps` each is first added to those before it.
 *  @param {InstanceType<typeof TYPES[Type]>} array @param {number} places @param {number} steps */
function decoded(array, places, steps) {
  const power = Number(`1e${places}`);
  let last = 0;
  for (let k = 0; k < array.length; k++) {
    last = steps ? last + array[k] : array[k];
    array[k] = last / power;
  }
  return array;
}
