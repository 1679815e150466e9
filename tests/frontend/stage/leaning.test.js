import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { draw } from "../../../dtviz/frontend/stage/draw.js";
import { layout } from "../../../dtviz/frontend/stage/layout.js";
import { bytesOf, expected } from "../expected.js";
import { calls, recorder } from "../pen.js";
import { fillsAt, near } from "../scenes.js";

/** A scene of leaves that vary, drawn without its points. */
function drawn(name) {
  const told = expected.leaning[name];
  const scene = { ...unpack(bytesOf(told.frame)), family: "Sans" };
  const at = { ...layout(640, scene, (text) => 6 * text.length), spots: [[], []] };
  const pen = recorder();
  draw(pen, at, scene, { x: new Float64Array(), y: new Float64Array(), code: new Int32Array() });
  return { told, scene, at, pen };
}

test("every place of a surface has the colour of what is predicted there", () => {
  const { told, scene, at, pen } = drawn("a surface");
  const wide = (scene.high - scene.low) / scene.scale.length;
  const colours = new Set();
  let seen = 0;
  for (const { x, y, value, colour } of told.witnesses) {
    const share = (value - scene.low) / wide;
    if (Math.abs(share - Math.round(share)) < 0.01) continue; // between two shades
    const fills = fillsAt(pen, at.X(x), at.Y(y)).filter(({ globalAlpha }) => globalAlpha === 0.45);
    assert.deepEqual(fills.map(({ fillStyle }) => fillStyle), [colour], `${x}, ${y}: ${value}`);
    seen += 1;
    colours.add(colour);
  }
  assert.ok(seen > 100 && colours.size > 6);
});

test("over a strip each leaf has its own line", () => {
  const { told, at, pen } = drawn("a curve");
  const line = calls(pen, "stroke").find(({ lineWidth }) => lineWidth === 3);
  const corners = line.path.map(([, x, y]) => [x, y]);
  for (const { x, value } of told.witnesses) {
    const here = at.X(x);
    const k = corners.findIndex(([left], at_) => at_ && corners[at_ - 1][0] <= here && here <= left);
    const [[ax, ay], [bx, by]] = [corners[k - 1], corners[k]];
    assert.ok(near(ay + ((by - ay) * (here - ax)) / (bx - ax), at.Y(value), 0.5), `${x}`);
  }
});
