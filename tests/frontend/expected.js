// What Python says: tests/frontend/expected.py writes it anew for every run, a part a line. A part is
// read when it is asked for: most files of units ask for one or two of them.

import { readFileSync } from "node:fs";

const lines = readFileSync(process.env.DTVIZ_EXPECTED, "utf8").trimEnd().split("\n");
const parts = new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line]));

export const expected = {};
for (const [name, line] of parts) {
  let value;
  Object.defineProperty(expected, name, { get: () => (value ??= JSON.parse(line.slice(name.length))) });
}

/** A frame as the browser has it, out of its packed bytes in base64. */
export const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
