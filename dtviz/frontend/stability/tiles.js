// What a layer says of one of its trees: the tiles that it is made of, and which of them are its own.
//
// Glossary
//   place    of a tree in the order of the frame: 0 is the one that changes most; -1 the full tree

import { ringAt, spanOf } from "../stage/rings.js";

/** @import { Curves, Layer } from "../frames.d.ts" */
/** @import { Picture, Ring } from "../types.d.ts" */

/** The toggles of a tree.
 *  @param {Layer} layer @param {number} place */
const togglesOf = ({ toggles, starts }, place) => (place < 0 ? [] : [...toggles.subarray(starts[place], starts[place + 1])]);

/** The tiles of a tree.
 *  @param {Layer} layer @param {number} place */
export function tilesOf(layer, place) {
  const tiles = new Set(layer.full);
  for (const tile of togglesOf(layer, place)) {
    if (!tiles.delete(tile)) tiles.add(tile);
  }
  return [...tiles];
}

/** Its tiles that the full tree does not have.
 *  @param {Layer} layer @param {number} place */
export function ownTiles(layer, place) {
  const full = new Set(layer.full);
  return togglesOf(layer, place).filter((tile) => !full.has(tile));
}

/** What the stage draws of these tiles: their regions, filled; over a strip of numbers their lines.
 *  @param {Layer} layer @param {number[]} tiles @returns {Partial<Picture>} */
export function sceneOf({ tiles: all }, tiles) {
  const rings = tiles.map((tile) => ringAt(all, tile));
  const { heights } = all;
  /** @type {Partial<Picture>} */
  const scene = { regions: { node: tiles, ...shapesOf(rings) }, fills: Object.fromEntries(tiles.map((tile) => [tile, all.code[tile]])) };
  return heights ? { ...scene, curves: treads(rings, tiles.map((tile) => heights.subarray(2 * tile, 2 * tile + 2))) } : scene;
}

/** @param {Ring[]} rings @param {Ring[]} heights @returns {Curves} */
function treads(rings, heights) {
  const lines = rings.map((ring, k) => {
    const [left, right] = spanOf(ring, 0);
    return Float64Array.of(left, heights[k][0], right, heights[k][1]);
  });
  return { owner: Int32Array.from(lines.keys()), ...shapesOf(lines) };
}

/** Rings or lines as they travel.
 *  @param {Ring[]} some */
function shapesOf(some) {
  const starts = new Int32Array(some.length + 1);
  some.forEach((one, k) => { starts[k + 1] = starts[k] + one.length / 2; });
  return { corners: Float64Array.from(some.flatMap((one) => [...one])), starts };
}
