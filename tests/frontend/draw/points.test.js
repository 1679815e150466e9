import assert from "node:assert/strict";
import test from "node:test";

import { bitmapOf, colourOf, drawPoint, radius } from "../../../dtviz/frontend/draw/points.js";
import { recorder } from "../pen.js";
import { sceneOf } from "../scenes.js";

test("a code has the colour of its class, or of its step on the scale", () => {
  const { scene, facts } = sceneOf("three classes");
  facts.classes.forEach(([, colour], code) => assert.equal(colourOf(scene, code), colour));
  const { scene: surface } = sceneOf("a surface");
  assert.equal(colourOf(surface, 13), surface.scale[13]);
});

test("more points are smaller", () => {
  const sizes = [10, 60, 61, 600, 601, 2500, 2501, 8000, 8001].map(radius);
  assert.deepEqual(sizes, [5.2, 5.2, 3.8, 3.8, 2.7, 2.7, 2, 2, 1.5]);
});

test("a row held out is hollow, one trained on is filled and has a rim on light paper", () => {
  const { scene } = sceneOf("three classes");
  const [filled, hollow, tiny] = [recorder(), recorder(), recorder()];
  drawPoint(filled, scene, 1, 5, 5, 4);
  drawPoint(hollow, { ...scene, hollow: true }, 1, 5, 5, 4);
  drawPoint(tiny, scene, 1, 5, 5, 2);
  const what = (pen) => pen.log.map(({ name, fillStyle, strokeStyle }) => [name, name === "fill" ? fillStyle : strokeStyle]);
  assert.deepEqual(what(filled), [["fill", scene.classes[1][1]], ["stroke", scene.colours.paper]]);
  assert.deepEqual(what(hollow), [["stroke", scene.classes[1][1]]]);
  assert.deepEqual(what(tiny), [["fill", scene.classes[1][1]]]);
});

test("a bitmap has the pixels of each point's look where the point is, one over the other", () => {
  const { scene } = sceneOf("three classes");
  const looks = [];
  globalThis.OffscreenCanvas = class {
    constructor(width, height) { Object.assign(this, { width, height }); }
    getContext() {
      const { width, height } = this;
      const data = (w, h) => ({ width: w, height: h, data: new Uint8ClampedArray(4 * w * h) });
      return Object.assign(recorder(this), {
        createImageData: data,
        putImageData: (bitmap) => { this.bitmap = bitmap; },
        getImageData: () => { // red, half as opaque for each look that was made before
          const look = data(width, height);
          for (let k = 0; k < look.data.length; k += 4) look.data.set([200 / (looks.length + 1), 0, 0, 255 / (looks.length + 1)], k);
          looks.push(width);
          return look;
        },
      });
    }
  };
  const pen = { getTransform: () => ({ a: 1 }) };
  const points = { spots: [[10, 14, NaN, 39], [10, 10, 5, 19]], code: [0, 1, 0, 1] };
  const { bitmap } = bitmapOf(pen, { width: 40, height: 20 }, scene, points, () => 2, 0.9);
  const at = (x, y) => [...bitmap.data.subarray(4 * (40 * y + x), 4 * (40 * y + x) + 4)];
  assert.equal(looks.length, 2); // one a class, of equal radii
  assert.deepEqual(at(0, 0), [0, 0, 0, 0]);
  assert.deepEqual(at(7, 10), [200, 0, 0, 255]);
  assert.deepEqual(at(12, 10), [150, 0, 0, 255]); // half of the second over the first
  assert.deepEqual(at(17, 10), [100, 0, 0, 128]);
  assert.deepEqual(at(39, 19), [100, 0, 0, 128]); // a point at the edge is cut
});
