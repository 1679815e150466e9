import assert from "node:assert/strict";
import test from "node:test";

import { framesOf, NAMES } from "../stabilities.js";
import { changedTiles, tileScene, tilesOf } from "../../../dtviz/frontend/stability/tiles.js";
import { orderCategories } from "../../../dtviz/frontend/stage/points.js";
import { parts } from "../../../dtviz/frontend/draw/marks.js";
import { ringContains, ringAt } from "../../../dtviz/frontend/stage/rings.js";

const CLASSES = NAMES.filter((name) => framesOf(name).frame.classes);

test("each tree has a tile of its prediction under each row", () => {
  for (const name of CLASSES) {
    const { frame, layer, cloud, predictions } = framesOf(name);
    const { x, y } = orderCategories(cloud, frame);
    predictions.forEach((predicted, k) => {
      const tiles = tilesOf(layer, k - 1);
      predicted.forEach((code, row) => {
        const hits = tiles.filter((tile) => ringContains(ringAt(layer.tiles, tile), x[row], y[row]));
        assert.ok(hits.length > 0, `${name}: row ${row} stands on no tile of tree ${k}`);
        assert.ok(hits.some((tile) => layer.tiles.code[tile] === code), `${name}: row ${row} of tree ${k}`);
      });
    });
  }
});

test("over a strip of numbers the lines have the heights of the predictions", () => {
  const { layer, cloud, predictions } = framesOf("sine");
  predictions.forEach((predicted, k) => {
    const tiles = tilesOf(layer, k - 1);
    const { curves, regions } = tileScene(layer, tiles);
    assert.equal(curves.owner.length, tiles.length);
    assert.deepEqual(regions.node, tiles);
    predicted.forEach((value, row) => {
      const heights = tiles.map((_, i) => ringAt(curves, i)).filter(([left, , right]) => left <= cloud.x[row] && cloud.x[row] <= right);
      assert.ok(heights.some((line) => Math.abs(line[1] - value) < 1e-9 && Math.abs(line[3] - value) < 1e-9));
    });
  });
});

test("the full tree has no changed tiles, any other tree those that the full tree lacks", () => {
  for (const name of NAMES) {
    const { frame, layer } = framesOf(name);
    assert.deepEqual(changedTiles(layer, -1), []);
    assert.deepEqual(tilesOf(layer, -1), [...layer.full]);
    frame.has_same_cuts.forEach((isSame, place) => {
      const changed = changedTiles(layer, place);
      const all = tilesOf(layer, place);
      if (isSame && frame.classes) assert.deepEqual(changed, []);
      assert.ok(changed.every((tile) => all.includes(tile) && !layer.full.includes(tile)));
      assert.deepEqual(new Set(all.filter((tile) => !layer.full.includes(tile))), new Set(changed));
      assert.equal(new Set(all).size, all.length);
    });
  }
});

/** Area of a ring, over all of its parts. */
function area(ring) {
  return parts(ring).reduce((sum, part) => {
    let twice = 0;
    for (let k = 0, last = part.length - 2; k < part.length; last = k, k += 2) twice += part[last] * part[k + 1] - part[k] * part[last + 1];
    return sum + Math.abs(twice) / 2;
  }, 0);
}

test("the tiles of every tree cover the window once", () => {
  for (const name of NAMES) {
    const { frame, layer } = framesOf(name);
    const window = (frame.across.high - frame.across.low) * (frame.up.high - frame.up.low);
    for (let place = -1; place < frame.tree_number.length; place++) {
      const covered = tilesOf(layer, place).reduce((sum, tile) => sum + area(ringAt(layer.tiles, tile)), 0);
      assert.ok(Math.abs(covered / window - 1) < 1e-9, `${name}: ${covered / window} of the window by tree ${place}`);
    }
  }
});
