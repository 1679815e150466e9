// A unit that asserts nothing fails: a loop over nothing would hold whatever the module does.

import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";

let asserted = 0;
for (const [name, act] of Object.entries(assert)) {
  if (typeof act !== "function" || /^[A-Z]|^strict$/.test(name)) continue;
  assert[name] = (...given) => {
    asserted += 1;
    return act(...given);
  };
}
beforeEach(() => { asserted = 0; });
afterEach(({ name }) => {
  if (!asserted) throw new Error(`"${name}" asserts nothing`);
});
