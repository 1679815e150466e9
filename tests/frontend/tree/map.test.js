import assert from "node:assert/strict";
import test from "node:test";

import { goesOn, inSight } from "../../../dtviz/frontend/tree/map.js";

test("the map shows when a view is the user's own and goes on, and what of it is in sight", () => {
  const view = { x: -100, y: 0, scale: 2, size: { w: 300, h: 100 }, own: true };
  assert.ok(goesOn(view, 400, 400));
  assert.ok(!goesOn(view, 600, 400));
  assert.ok(!goesOn({ ...view, own: false }, 400, 400));
  assert.deepEqual(inSight(view, 400, 400), { x: 50, y: 0, w: 200, h: 100 });
});
