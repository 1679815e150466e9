// Values that the units expect: tests/frontend/expected.py writes them for each run, one file a part. A part is
// read on first use, because most files of units need one or two parts.

import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(`${process.env.DTVIZ_EXPECTED}/${name}.json`, "latin1"));

export const expected = new Proxy({}, { get: (parts, name) => (parts[name] ??= read(name)) });

/** Bytes of a packed frame, from base64. */
export const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
