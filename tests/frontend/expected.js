// What Python says: tests/frontend/expected.py writes it anew for every run, a part a file. A part is
// read when it is asked for: most files of units ask for one or two of them.

import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(`${process.env.DTVIZ_EXPECTED}/${name}.json`, "latin1"));

export const expected = new Proxy({}, { get: (parts, name) => (parts[name] ??= read(name)) });

/** A frame as the browser has it, out of its packed bytes in base64. */
export const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
