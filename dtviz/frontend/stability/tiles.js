// Tiles of one tree of a layer, and the scene that draws tiles on the stage.
//
// Glossary
//   layer    many trees over one plane
//   tile     the index of a part of the plane that belongs to one leaf; trees share tiles
//   place    the index of a tree: -1 for the full tree, 0 for the tree that differs most from it

import { ringAt, spanOf } from "../stage/rings.js";

/** @import { Curves, Layer } from "../frames.d.ts" */
/** @import { Picture, Ring } from "../types.d.ts" */

/** Tiles that either a tree or the full tree has, but not both.
 *  @param {Layer} layer @param {number} place */
const togglesOf = ({ toggles, starts }, place) => (place < 0 ? [] : [...toggles.subarray(starts[place], starts[place + 1])]);

/** Tiles of a tree.
 *  @param {Layer} layer @param {number} place */
export function tilesOf(layer, place) {
  const tiles = new Set(layer.full);
  for (const tile of togglesOf(layer, place)) {
    if (!tiles.delete(tile)) tiles.add(tile);
  }
  return [...tiles];
}

/** Tiles of a tree that the full tree does not have.
 *  @param {Layer} layer @param {number} place */
export function changedTiles(layer, place) {
  const full = new Set(layer.full);
  return togglesOf(layer, place).filter((tile) => !full.has(tile));
}

/** Scene of tiles for the stage: a coloured region for each tile; over a strip with a numeric target also the line of
 *  its prediction.
 *  @param {Layer} layer @param {number[]} tiles @returns {Partial<Picture>} */
export function tileScene({ tiles: shapes }, tiles) {
  const rings = tiles.map((tile) => ringAt(shapes, tile));
  const { heights, code } = shapes;
  /** @type {Partial<Picture>} */
  const scene = { regions: { node: tiles, ...packShapes(rings) }, fills: Object.fromEntries(tiles.map((tile) => [tile, code[tile]])) };
  return heights ? { ...scene, curves: predictionLines(rings, tiles.map((tile) => heights.subarray(2 * tile, 2 * tile + 2))) } : scene;
}

/** Lines of the predictions, from the left end of each tile to its right end.
 *  @param {Ring[]} rings @param {Float64Array[]} heights  predictions at both ends of each tile @returns {Curves} */
function predictionLines(rings, heights) {
  const lines = rings.map((ring, k) => {
    const [left, right] = spanOf(ring, 0);
    return Float64Array.of(left, heights[k][0], right, heights[k][1]);
  });
  return { owner: Int32Array.from(lines.keys()), ...packShapes(lines) };
}

/** Packs rings or lines as Shapes of a frame.
 *  @param {Ring[]} rings */
function packShapes(rings) {
  const starts = new Int32Array(rings.length + 1);
  rings.forEach(({ length }, k) => { starts[k + 1] = starts[k] + length / 2; });
  return { corners: Float64Array.from(rings.flatMap((ring) => [...ring])), starts };
}
