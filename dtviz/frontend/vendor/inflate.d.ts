// What frames use of fflate.

/** The bytes of a raw deflate stream. */
export function inflateSync(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
