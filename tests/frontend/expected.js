// What Python says: tests/frontend/expected.py writes it anew for every run.

import { readFileSync } from "node:fs";

export const expected = JSON.parse(readFileSync(process.env.DTVIZ_EXPECTED, "utf8"));

/** A frame as the browser has it, out of its packed bytes in base64. */
export const bytesOf = (text) => new Uint8Array(Buffer.from(text, "base64"));
