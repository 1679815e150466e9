import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { layOutBands, nodeIdOf, pieceAt, pieceOf, nextPiece } from "../../../dtviz/frontend/tree/bands.js";
import { bytesOf, expected } from "../expected.js";

const TREES = Object.entries(expected.trees).map(([name, { frame, nodes }]) => {
  const read = unpack(bytesOf(frame));
  return { name, frame: read, engineNodes: nodes, bands: layOutBands(read.shape) };
});

test("every piece is the engine's node: its id, its parent, its level", () => {
  for (const { bands, engineNodes, frame } of TREES) {
    const all = frame.shape.depth.length;
    assert.ok(all >= engineNodes.length);
    const ids = new Set(Array.from({ length: all }, (_, k) => nodeIdOf(bands, k)));
    assert.equal(ids.size, all);
    for (const { id, level, parent } of engineNodes) {
      const k = pieceOf(bands, id);
      assert.equal(nodeIdOf(bands, k), id);
      assert.equal(frame.shape.depth[k], level - 1);
      assert.equal(bands.parent[k], parent ? pieceOf(bands, parent) : -1);
    }
    assert.equal(pieceOf(bands, ""), -1);
    assert.equal(pieceOf(bands, String(2n ** 70n)), -1);
  }
});

test("children lie under their parent, side by side, as wide as their rows", () => {
  for (const { bands: { start, width: size, children }, frame: { shape } } of TREES) {
    for (let k = 0; k < size.length; k += 1) {
      assert.ok(Math.abs(size[k] - shape.rows[k] / shape.rows[0]) < 1e-12);
      if (!children[k].length) continue;
      assert.equal(children[k].reduce((sum, child) => sum + shape.rows[child], 0), shape.rows[k]);
      let end = start[k];
      for (const child of children[k]) {
        assert.ok(Math.abs(start[child] - end) < 1e-12);
        end += size[child];
      }
    }
  }
});

test("a place is in the piece that lies there, and beyond the leaves in none", () => {
  for (const { bands } of TREES) {
    for (const [level, pieces] of bands.levels.entries()) {
      for (const k of pieces) assert.equal(pieceAt(bands, level, bands.start[k] + bands.width[k] / 2), k);
    }
    assert.equal(pieceAt(bands, bands.levels.length, 0.5), -1);
    assert.equal(pieceAt(bands, 0, -0.1), -1);
    assert.equal(pieceAt(bands, 0, 1.1), -1);
  }
});

test("keys lead up, down and to the neighbour", () => {
  const { bands } = TREES.find(({ name }) => name === "small");
  const [left, right] = bands.levels[1];
  assert.equal(nextPiece(bands, 0, "ArrowDown"), left);
  assert.equal(nextPiece(bands, left, "ArrowRight"), right);
  assert.equal(nextPiece(bands, right, "ArrowLeft"), left);
  assert.equal(nextPiece(bands, right, "ArrowRight"), -1);
  assert.equal(nextPiece(bands, right, "ArrowUp"), 0);
  assert.equal(nextPiece(bands, 0, "ArrowUp"), -1);
});
