// The plane of Stability: the full tree over the split lines of all other trees (ghosts), or one of the other trees.

import { drawCircle, drawLine, drawRim } from "../draw/marks.js";
import { radius } from "../draw/points.js";
import { draw } from "../stage/draw.js";
import { ringAt, spanOf, toPixels } from "../stage/rings.js";
import { changedTiles, tileScene, tilesOf } from "./tiles.js";

/** @import { Ghosts, Layer } from "../frames.d.ts" */
/** @import { Layout, Pen, StabilityPicture, Points } from "../types.d.ts" */

const MIN_OPACITY = 0.12;
const MAX_RING_PIXELS = 13; // between a point and the ring of the largest change
const MAX_BOLD_LINES = 80; // of the full tree; more lines are thin, else they hide the regions
const MAX_RINGS = 40;
const MIN_RING_SHARE = 0.15; // of the largest change

/** Draw the tree at a place, or (-1) the full tree with all ghosts.
 *  @param {Pen} pen @param {Layout} layout @param {StabilityPicture} frame @param {Layer} layer @param {Points} cloud
 *  @param {number} place */
export function drawPlane(pen, layout, frame, layer, cloud, place) {
  const tiles = tilesOf(layer, place);
  const scene = { ...frame, ...tileScene(layer, tiles) };
  const rings = new Map(tiles.map((tile) => [String(tile), toPixels(layout, ringAt(layer.tiles, tile))]));
  if (place < 0) drawGhosts(pen, layout, frame, layer);
  draw(pen, { ...layout, rings }, scene, cloud);
  if (frame.form === "plane" || frame.classes) drawSplitLines(pen, layout, frame, layer.ghosts, place < 0);
  if (place < 0) drawChangeRings(pen, layout, frame);
  else drawChanges(pen, layout, frame, layer, place);
}

/** Draw the split lines of the other trees: the more trees have a line, the darker it is.
 *  @param {Pen} pen @param {Layout} layout @param {StabilityPicture} frame @param {Layer} layer */
function drawGhosts(pen, layout, frame, { ghosts, tiles }) {
  const { heights, share } = tiles;
  const hasHeights = heights && share;
  (hasHeights ? share : ghosts.share).forEach((part, k) => {
    if (!hasHeights && ghosts.in_first_tree[k]) return;
    const ring = toPixels(layout, ringAt(hasHeights ? tiles : ghosts, k));
    const [left, right] = hasHeights ? spanOf(ring, 0) : [];
    const line = hasHeights ? [left, layout.Y(heights[2 * k]), right, layout.Y(heights[2 * k + 1])] : ring;
    drawLine(pen, line, { stroke: frame.colours.accent, width: 1.2, opacity: opacityOf(part) });
  });
}

/** @param {number} share */
const opacityOf = (share) => MIN_OPACITY + (0.7 - MIN_OPACITY) * share;

/** Draw the split lines of the full tree, dashed while another tree is shown.
 *  @param {Pen} pen @param {Layout} layout @param {StabilityPicture} frame @param {Ghosts} ghosts @param {boolean} isSolid */
function drawSplitLines(pen, layout, frame, ghosts, isSolid) {
  const width = isSolid && ghosts.in_first_tree.filter(Boolean).length <= MAX_BOLD_LINES ? 1.8 : 1.2;
  const style = { stroke: frame.colours.ink, width, dash: isSolid ? [] : [4, 4], opacity: isSolid ? 0.85 : 0.45 };
  ghosts.in_first_tree.forEach((isOfFullTree, k) => { if (isOfFullTree) drawLine(pen, toPixels(layout, ringAt(ghosts, k)), style); });
}

/** Draw rings around the points without which the tree changes most, or at which the trees differ most.
 *  @param {Pen} pen @param {Layout} layout @param {StabilityPicture} frame */
function drawChangeRings(pen, layout, frame) {
  const changes = Array.from(frame.point_change, (waver, i) => (frame.is_leave_one_out ? frame.change[frame.tree[i]] ?? 0 : waver));
  const largest = Math.max(...changes, 0);
  const rows = [...changes.keys()].filter((i) => changes[i] > MIN_RING_SHARE * largest).toSorted((a, b) => changes[b] - changes[a]);
  const r = radius(changes.length);
  const [xs, ys] = layout.spots;
  for (const i of rows.slice(0, MAX_RINGS)) {
    const part = changes[i] / largest;
    const ring = r + 2 + (layout.isNarrow ? 0.7 : 1) * MAX_RING_PIXELS * Math.sqrt(part);
    drawCircle(pen, xs[i], ys[i], ring, { stroke: frame.colours.ink, width: 1.4, opacity: 0.25 + 0.6 * part });
  }
}

/** Outlines the tiles of a tree that the full tree does not have, and strikes out the row that the tree was grown without.
 *  @param {Pen} pen @param {Layout} layout @param {StabilityPicture} frame @param {Layer} layer @param {number} place */
function drawChanges(pen, layout, frame, layer, place) {
  const { accent, ink } = frame.colours;
  if (frame.form === "plane" || frame.classes) {
    for (const tile of changedTiles(layer, place)) drawRim(pen, toPixels(layout, ringAt(layer.tiles, tile)), { stroke: accent, width: 1.8 });
  }
  const i = frame.is_leave_one_out ? frame.tree.indexOf(place) : -1;
  if (i < 0) return;
  const [x, y, r] = [layout.spots[0][i], layout.spots[1][i], radius(frame.tree.length) + 5];
  drawCircle(pen, x, y, r, { stroke: ink, width: 2.4 });
  drawLine(pen, [x - r, y + r, x + r, y - r], { stroke: ink, width: 2.4 });
}
