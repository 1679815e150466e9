// The ghost's way: from the line's place towards the far end and back, never off the gains.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAt } from "../../../dtviz/frontend/stage/ghost.js";

test("the line starts and ends at home and goes to the far side between", () => {
  for (const many of [1, 2, 3, 10, 40]) {
    for (let home = 0; home < many; home++) {
      assert.equal(placeAt(0, home, many), home);
      assert.equal(placeAt(1, home, many), home);
      const places = Array.from({ length: 21 }, (_, k) => placeAt(k / 20, home, many));
      assert.ok(places.every((one) => Number.isInteger(one) && one >= 0 && one < many));
      if (many > 3) assert.notEqual(placeAt(0.5, home, many), home);
    }
  }
});
