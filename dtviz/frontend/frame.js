// A frame as bytes: the length of a JSON header, the header, then the arrays it names, each at a
// multiple of 8 bytes. dtviz/figures/frame.py writes it.

const TYPES = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array };

export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const { arrays, ...frame } = header;
  let at = 4 + size;
  for (const [name, type, count] of arrays) {
    const Type = TYPES[type];
    const start = bytes.byteOffset + at;
    frame[name] = new Type(bytes.buffer.slice(start, start + count * Type.BYTES_PER_ELEMENT));
    at += Math.ceil((count * Type.BYTES_PER_ELEMENT) / 8) * 8;
  }
  return frame;
}
