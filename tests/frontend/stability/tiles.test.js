import assert from "node:assert/strict";
import test from "node:test";

import { framesOf, NAMES } from "../shaken.js";
import { ownTiles, sceneOf, tilesOf } from "../../../dtviz/frontend/stability/tiles.js";
import { orderCategories } from "../../../dtviz/frontend/stage/points.js";
import { ringContains, parts, ringAt } from "../../../dtviz/frontend/stage/rings.js";

const CLASSES = NAMES.filter((name) => framesOf(name).frame.classes);

test("under each row every tree has the tile of what it predicts there", () => {
  for (const name of CLASSES) {
    const { frame, layer, cloud, told } = framesOf(name);
    const { x, y } = orderCategories(cloud, frame);
    told.forEach((predicted, k) => {
      const tiles = tilesOf(layer, k - 1);
      predicted.forEach((code, row) => {
        const here = tiles.filter((tile) => ringContains(ringAt(layer.tiles, tile), x[row], y[row]));
        assert.ok(here.length > 0, `${name}: row ${row} stands on no tile of tree ${k}`);
        assert.ok(here.some((tile) => layer.tiles.code[tile] === code), `${name}: row ${row} of tree ${k}`);
      });
    });
  }
});

test("over a strip of numbers the lines stand where the trees predict", () => {
  const { layer, cloud, told } = framesOf("sine");
  told.forEach((predicted, k) => {
    const tiles = tilesOf(layer, k - 1);
    const { curves, regions } = sceneOf(layer, tiles);
    assert.equal(curves.owner.length, tiles.length);
    assert.deepEqual(regions.node, tiles);
    predicted.forEach((value, row) => {
      const heights = tiles.map((_, i) => ringAt(curves, i)).filter(([left, , right]) => left <= cloud.x[row] && cloud.x[row] <= right);
      assert.ok(heights.some((line) => Math.abs(line[1] - value) < 1e-9 && Math.abs(line[3] - value) < 1e-9));
    });
  });
});

test("the full tree has no tiles of its own, any other those that the full tree lacks", () => {
  for (const name of NAMES) {
    const { frame, layer } = framesOf(name);
    assert.deepEqual(ownTiles(layer, -1), []);
    assert.deepEqual(tilesOf(layer, -1), [...layer.full]);
    frame.same.forEach((same, place) => {
      const own = ownTiles(layer, place);
      const all = tilesOf(layer, place);
      if (same && frame.classes) assert.deepEqual(own, []);
      assert.ok(own.every((tile) => all.includes(tile) && !layer.full.includes(tile)));
      assert.deepEqual(new Set(all.filter((tile) => !layer.full.includes(tile))), new Set(own));
      assert.equal(new Set(all).size, all.length);
    });
  }
});

/** How much the parts of a ring enclose. */
function area(ring) {
  return parts(ring).reduce((whole, part) => {
    let twice = 0;
    for (let k = 0, last = part.length - 2; k < part.length; last = k, k += 2) twice += part[last] * part[k + 1] - part[k] * part[last + 1];
    return whole + Math.abs(twice) / 2;
  }, 0);
}

test("the tiles of every tree cover the window once", () => {
  for (const name of NAMES) {
    const { frame, layer } = framesOf(name);
    const window = (frame.across.high - frame.across.low) * (frame.up.high - frame.up.low);
    for (let place = -1; place < frame.number.length; place++) {
      const covered = tilesOf(layer, place).reduce((sum, tile) => sum + area(ringAt(layer.tiles, tile)), 0);
      assert.ok(Math.abs(covered / window - 1) < 1e-9, `${name}: ${covered / window} of the window by tree ${place}`);
    }
  }
});
