import assert from "node:assert/strict";
import test from "node:test";

import { isBeyond, visibleRect } from "../../../dtviz/frontend/tree/map.js";

test("the map shows when a view is the user's own and goes on, and what of it is in sight", () => {
  const view = { x: -100, y: 0, scale: 2, size: { w: 300, h: 100 }, isManual: true };
  assert.ok(isBeyond(view, 400, 400));
  assert.ok(!isBeyond(view, 600, 400));
  assert.ok(!isBeyond({ ...view, isManual: false }, 400, 400));
  assert.deepEqual(visibleRect(view, 400, 400), { x: 50, y: 0, w: 200, h: 100 });
});
