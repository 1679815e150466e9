// The demonstration: the line moves from its place towards the far end and back, never off the gains.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placed } from "../page.js";
import { demonstrate, demonstratedCut } from "../../../dtviz/frontend/stage/demonstration.js";

test("the demonstration starts and ends at the chosen cut and goes to the far side in between", () => {
  for (const count of [1, 2, 3, 10, 40]) {
    for (let home = 0; home < count; home++) {
      assert.equal(demonstratedCut(0, home, count), home);
      assert.equal(demonstratedCut(1, home, count), home);
      const places = Array.from({ length: 21 }, (_, k) => demonstratedCut(k / 20, home, count));
      assert.ok(places.every((example) => Number.isInteger(example) && example >= 0 && example < count));
      if (count > 3) assert.notEqual(demonstratedCut(0.5, home, count), home);
    }
  }
});

test("the demonstration runs only where the page asks for it, once for all visits", () => {
  const storage = new Map();
  const frames = [];
  Object.assign(globalThis, {
    localStorage: { getItem: (name) => storage.get(name) ?? null, setItem: (name, value) => storage.set(name, value) },
    location: { search: "" },
    requestAnimationFrame: (act) => frames.push(act),
    addEventListener() {},
    removeEventListener() {},
  });
  window.matchMedia = () => ({ matches: false });
  const area = placed();
  const handle = placed();
  Object.assign(handle.style, { left: "0px", top: "0px", width: "24px", height: "24px" });
  const scene = { cuts: [{ threshold: [1, 2, 3, 4, 5, 6] }], can: { cut: true } };
  const stage = { scene, area, handle, chosen: [0, 1] };
  const previews = [];
  const preview = (_, cut) => previews.push(cut);
  const later = (ms) => frames.pop()(performance.now() + ms);
  const rings = () => area.querySelectorAll(".ghost").length;
  demonstrate(stage, preview);
  later(2500);
  assert.deepEqual([previews, rings(), storage.size, frames.length], [[null], 0, 0, 0]);
  area.className = "grow first";
  demonstrate(stage, preview);
  later(2500);
  assert.ok(previews.at(-1)[1] > 1);
  assert.deepEqual([rings(), storage.size], [1, 1]);
  later(5000);
  assert.deepEqual([previews.at(-1), rings()], [null, 0]);
  demonstrate(stage, preview);
  assert.equal(frames.length, 0);
});
