import assert from "node:assert/strict";
import test from "node:test";

import { rectContains } from "../../../dtviz/frontend/draw/pointer.js";
import { layoutOf } from "../../../dtviz/frontend/stage/layout.js";
import { eachScene, near, sceneOf } from "../scenes.js";

const WIDTHS = [250, 400, 640, 1100];

test("values stand across from left to right and up from bottom to top", () => {
  for (const width of WIDTHS) {
    for (const { scene: { across, up }, layout: { X, Y, plane } } of eachScene(width)) {
      assert.ok(near(X(across.low), plane.x) && near(X(across.high), plane.x + plane.w));
      assert.ok(near(Y(up.low), plane.y + plane.h) && near(Y(up.high), plane.y));
      assert.ok(near(X(across.low / 2 + across.high / 2), plane.x + plane.w / 2));
      assert.ok(near(Y(up.low / 4 + (3 * up.high) / 4), plane.y + plane.h / 4));
    }
  }
});

test("the largest floats have their places too", () => {
  const { scene } = sceneOf("three classes");
  const { MAX_VALUE: largest } = Number;
  const { X, plane } = sceneOfMore(scene, { across: { name: "x", low: -largest, high: largest } });
  assert.ok(near(X(-largest), plane.x) && near(X(0), plane.x + plane.w / 2) && near(X(largest), plane.x + plane.w));
});

test("a higher gain stands further from the base, the highest near the other end", () => {
  for (const { scene, layout } of eachScene()) {
    layout.gainStrips.forEach((strip, axis) => {
      const [base, top] = [strip.pixelOf(0), strip.pixelOf(scene.top > 0 ? scene.top : 1)];
      if (axis === 0) {
        assert.ok(near(base, strip.y + strip.h, 1.01) && top < base && top > strip.y);
        assert.ok((base - top) / strip.h > 0.8);
      } else {
        assert.ok(near(base, strip.x, 1.01) && top > base && top < strip.x + strip.w);
        assert.ok((top - base) / strip.w > 0.8);
      }
    });
  }
});

test("the strips stand along their axes and beside the plane", () => {
  for (const { scene, layout: { plane, gainStrips: strips } } of eachScene()) {
    assert.equal(strips.length, scene.form === "plane" ? 2 : 1);
    const [first, second] = strips;
    assert.deepEqual([first.x, first.w], [plane.x, plane.w]);
    if (scene.form === "strip") assert.ok(first.y > plane.y + plane.h);
    else {
      assert.ok(first.y + first.h < plane.y);
      assert.deepEqual([second.y, second.h], [plane.y, plane.h]);
      assert.ok(second.x > plane.x + plane.w);
    }
  }
});

test("without gains there are no strips and the plane takes their room", () => {
  const { scene, layout } = sceneOf("three classes");
  for (const more of [{ gains: false }, { bare: true }]) {
    const other = sceneOfMore(scene, more);
    assert.equal(other.gainStrips.length, 0);
    assert.ok(other.plane.w > layout.plane.w && other.plane.h > layout.plane.h);
  }
});

test("everything stands inside the picture", () => {
  for (const width of WIDTHS) {
    for (const { layout } of eachScene(width)) {
      for (const { x, y, w, h } of [layout.plane, ...layout.gainStrips]) {
        assert.ok(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= width && y + h <= layout.height);
      }
      assert.ok(layout.foot <= layout.height && layout.foot >= layout.plane.y + layout.plane.h - 0.01);
    }
  }
});

test("ticks are those of the axes; lanes are the classes", () => {
  const { layout, scene } = sceneOf("lanes");
  assert.deepEqual(layout.yTicks.map(({ text }) => text), scene.up.lanes);
  assert.deepEqual(layout.yTicks.map(({ value }) => value), [0, 1]);
  for (const { layout: { xTicks }, scene: { across } } of eachScene()) {
    assert.ok(xTicks.length >= 2 || across.high - across.low < 1e-9);
    for (const { value } of xTicks) assert.ok(value >= across.low && value <= across.high);
  }
});

test("ticks of dates and durations are the narrowest step that has room", () => {
  const [narrow, broad] = [250, 640].map((width) => sceneOf("dates", width).layout);
  assert.deepEqual(narrow.xTicks.map(({ text }) => text), ["2024-01", "2024-07"]);
  assert.deepEqual(broad.xTicks.map(({ text }) => text), ["2024-01", "2024-04", "2024-07", "2024-10"]);
  assert.deepEqual(broad.yTicks.map(({ text }) => text), ["0", "3 h", "6 h", "9 h", "12 h", "15 h"]);
  for (const { xTicks, X } of [narrow, broad]) {
    for (let k = 1; k < xTicks.length; k++) {
      assert.ok(X(xTicks[k].value) - X(xTicks[k - 1].value) > 6 * xTicks[k].text.length);
    }
  }
  const { scene } = sceneOf("dates");
  assert.deepEqual(layoutOf(640, { ...scene, across: { ...scene.across, ladder: [] } }, () => 9).xTicks, []);
});

test("every node that is sent has the ring of its region in pixels", () => {
  for (const { layout, scene: { regions } } of eachScene()) {
    assert.deepEqual([...layout.rings.keys()], regions.node);
    [...layout.rings.values()].forEach((ring, k) => {
      const corners = regions.corners.slice(2 * regions.starts[k], 2 * regions.starts[k + 1]);
      assert.ok(corners.length >= 8);
      assert.deepEqual([...ring], [...corners].map((value, i) => (i % 2 ? layout.Y(value) : layout.X(value))));
    });
  }
});

test("a rectangle contains its rim, and with a margin a little beside it", () => {
  const rect = { x: 10, y: 20, w: 30, h: 40 };
  for (const [x, y] of [[10, 20], [40, 60], [25, 30]]) assert.ok(rectContains(rect, x, y));
  for (const [x, y] of [[9.9, 30], [40.1, 30], [20, 19.9], [20, 60.1]]) {
    assert.ok(!rectContains(rect, x, y));
    assert.ok(rectContains(rect, x, y, 1));
  }
});

const sceneOfMore = (scene, more) => layoutOf(640, { ...scene, ...more }, (text) => 6 * text.length);

test("the names of two hundred values do not cover one another, and a few names are all written", () => {
  const { scene } = sceneOf("two");
  const lanes = Array.from({ length: 200 }, (_, k) => `value number ${k}`);
  const axis = { name: "many", low: -0.5, high: 199.5, lanes };
  for (const width of WIDTHS) {
    const layout = layoutOf(width, { ...scene, across: axis, up: axis }, (text) => 6 * text.length);
    for (const [ticks, place, room] of [[layout.xTicks, layout.X, 40], [layout.yTicks, layout.Y, 14]]) {
      assert.ok(ticks.length > 1 && ticks.length < 60);
      for (let k = 1; k < ticks.length; k++) {
        const distance = Math.abs(place(ticks[k].value) - place(ticks[k - 1].value));
        assert.ok(distance >= room && ticks[k].room < distance, `${distance}`);
      }
    }
  }
  const wide = layoutOf(640, scene, (text) => 6 * text.length);
  assert.deepEqual(wide.xTicks.map(({ text }) => text), scene.across.lanes);
});

test("a gutter is named in full, however narrow, and no other name touches that name", () => {
  const { scene } = sceneOf("two");
  const measured = (text) => 6 * text.length;
  const lanes = Array.from({ length: 30 }, (_, k) => `value ${k}`);
  for (const width of WIDTHS) {
    for (const axis of [
      { name: "number", low: -1, high: 10, gutter: 0 },
      { name: "many", low: -1.5, high: 29.5, gutter: -0.5, lanes },
    ]) {
      const layout = layoutOf(width, { ...scene, across: axis, up: axis }, measured);
      for (const [ticks, place, size] of [[layout.xTicks, layout.X, measured], [layout.yTicks, layout.Y, () => 14]]) {
        assert.deepEqual([ticks[0].text, ticks[0].room], ["missing", undefined]);
        assert.ok(ticks.length > 1);
        for (const { value, text, room = Infinity } of ticks.slice(1)) {
          const distance = Math.abs(place(value) - place(ticks[0].value));
          assert.ok(distance > size("missing") / 2 + Math.min(size(text), room) / 2, text);
        }
      }
    }
  }
});

test("where the page gives too little height the stage takes the least that can be drawn", () => {
  const { scene } = sceneOf("three classes");
  for (const height of [-4000, -1, 1, 100, 300, 900]) {
    const layout = layoutOf(640, scene, (text) => 6 * text.length, height);
    assert.ok(layout.plane.h > 0 && layout.height > 0, String(height));
    if (height >= 300) assert.equal(layout.height, height);
  }
});
