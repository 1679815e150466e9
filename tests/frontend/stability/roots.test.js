import assert from "node:assert/strict";
import test from "node:test";

import { placed } from "../page.js";
import { calls } from "../pen.js";
import { framesOf, NAMES } from "../stabilities.js";
import { fillRoots } from "../../../dtviz/frontend/stability/roots.js";

const WIDTH = 400;

/** Fills a panel with the roots of a frame. */
function fillPanel(frame) {
  const panel = placed();
  panel.clientWidth = WIDTH;
  fillRoots(panel, frame);
  return panel;
}

test("the bars of a histogram stand on its axis, and the axis with its numbers is inside the picture", () => {
  for (const name of NAMES) {
    const { frame } = framesOf(name);
    const panel = fillPanel(frame);
    frame.roots.filter((root) => root.axis).slice(0, 2).forEach((root, k) => {
      const canvas = panel.querySelectorAll("canvas")[k];
      const high = parseFloat(canvas.style.height);
      const bars = calls(canvas.pen, "fillRect").map(({ args }) => args);
      const feet = bars.map(([, y, , h]) => y + h);
      assert.equal(bars.length, root.bins.filter((share) => share > 0).length);
      assert.ok(feet.every((foot) => Math.abs(foot - feet[0]) < 1e-9));
      const largest = Math.max(...root.bins);
      const highest = Math.max(...bars.map(([, , , h]) => h));
      const filledBins = [...root.bins].filter((share) => share > 0);
      bars.forEach(([, , , h], i) => assert.ok(Math.abs(h / highest - filledBins[i] / largest) < 1e-9));
      const numbers = calls(canvas.pen, "fillText").filter(({ args }) => /\d/.test(args[0]));
      assert.ok(numbers.length >= 2);
      for (const { args } of numbers) {
        assert.ok(args[2] > feet[0] && args[2] + 12 <= high, `${args[0]} at ${args[2]} of ${high}`);
        const place = Number(args[0].replace("−", "-"));
        if (!Number.isNaN(place)) assert.ok(place >= root.axis.low && place <= root.axis.high);
      }
    });
  }
});
