// Makes a unit that asserts nothing fail: its loops may run over empty lists, so that it would pass whatever the module does.

import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";

let assertionCount = 0;
for (const [name, check] of Object.entries(assert)) {
  if (typeof check !== "function" || /^[A-Z]|^strict$/.test(name)) continue;
  assert[name] = (...values) => {
    assertionCount += 1;
    return check(...values);
  };
}
beforeEach(() => { assertionCount = 0; });
afterEach(({ name }) => {
  if (!assertionCount) throw new Error(`"${name}" asserts nothing`);
});
