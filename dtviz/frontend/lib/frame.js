// A frame as bytes: the length of a JSON header, the header, then the arrays it speaks of, each at a
// multiple of 8 bytes. dtviz/pictures/packing.py writes it, and says how an array may be shortened. Where the
// length is 0, what follows is another frame, deflated.

// @ts-types="../vendor/inflate.d.ts"
import { inflateSync } from "../vendor/inflate.js";

const TYPES = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array,
};

/** @typedef {keyof typeof TYPES} Type */

/** A frame, the number it is known by, or what is new in it since another.
 *  @typedef {import("../frames.d.ts").Frame & { $number?: number }} Whole
 *  @typedef {{ kind: "change", $number: number, base: number, change: import("../types.d.ts").Change }} News */

/** What it holds; tests/frontend/frame_types.py holds what is written to these types.
 *  @param {Uint8Array<ArrayBuffer>} bytes @returns {Whole | News} */
export function unpack(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  if (!size) return unpack(inflateSync(bytes.subarray(4)));
  const first = bytes.byteOffset + 4 + size;
  return JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)), (_, value) => {
    if (!value?.$array) return value;
    /** @type {[type: Type, at: number, count: number, sent?: Type, places?: number, steps?: number]} */
    const [type, at, count, sent = type, places = 0, steps = 0] = value.$array;
    const Sent = TYPES[sent];
    const array = new Sent(bytes.buffer.slice(first + at, first + at + count * Sent.BYTES_PER_ELEMENT));
    return sent === type && !steps ? array : whole(new TYPES[type](array), places, steps);
  });
}

/** The values of whole numbers over a power of ten, where there are `steps` each told by what it adds.
 *  @param {InstanceType<typeof TYPES[Type]>} array @param {number} places @param {number} steps */
function whole(array, places, steps) {
  const power = Number(`1e${places}`);
  let last = 0;
  for (let k = 0; k < array.length; k++) {
    last = steps ? last + array[k] : array[k];
    array[k] = last / power;
  }
  return array;
}
