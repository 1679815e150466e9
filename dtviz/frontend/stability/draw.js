// The plane of Stability: the full tree with the lines of all others as ghosts, or one of the others.

import { draw } from "../stage/draw.js";
import { placed, ringAt, trace, outline } from "../stage/rings.js";
import { radius } from "../stage/paint.js";
import { ownTiles, sceneOf, tilesOf } from "./tiles.js";

/** @import { Ghosts, Layer } from "../frames.d.ts" */
/** @import { Layout, Pen, StabilityPicture, Points } from "../types.d.ts" */

const FAINTEST = 0.12;
const WIDEST = 13; // pixels that the widest ring stands off its point
const MOST_BOLD = 80; // lines of the full tree; more are thin
const MOST_RINGS = 40;
const LEAST_RING = 0.15; // of the largest change

/** Draw the tree at a place, -1: the full one with all ghosts; `pen` is a canvas context or an SvgPen.
 *  @param {Pen} pen @param {Layout} at @param {StabilityPicture} frame @param {Layer} layer @param {Points} cloud
 *  @param {number} place */
export function drawPlane(pen, at, frame, layer, cloud, place) {
  const tiles = tilesOf(layer, place);
  const scene = { ...frame, ...sceneOf(layer, tiles) };
  const rings = new Map(tiles.map((tile) => [String(tile), placed(at, ringAt(layer.tiles, tile))]));
  if (place < 0) ghosts(pen, at, frame, layer);
  draw(pen, { ...at, rings }, scene, cloud);
  if (frame.form === "plane" || frame.classes) lines(pen, at, frame, layer.ghosts, place < 0);
  if (place < 0) changes(pen, at, frame);
  else changed(pen, at, frame, layer, place);
}

/** The lines of the other trees, as dark as many have them.
 *  @param {Pen} pen @param {Layout} at @param {StabilityPicture} frame @param {Layer} layer */
function ghosts(pen, at, frame, { ghosts: some, tiles }) {
  pen.strokeStyle = frame.colours.accent;
  pen.lineWidth = 1.2;
  pen.setLineDash([]);
  const { heights, share } = tiles;
  if (heights && share) {
    share.forEach((part, k) => {
      const ring = placed(at, ringAt(tiles, k)).filter((_, i) => i % 2 === 0);
      pen.globalAlpha = faint(part);
      trace(pen, [Math.min(...ring), at.Y(heights[2 * k]), Math.max(...ring), at.Y(heights[2 * k + 1])]);
      pen.stroke();
    });
  } else {
    some.share.forEach((part, k) => {
      if (some.own[k]) return;
      pen.globalAlpha = faint(part);
      trace(pen, placed(at, ringAt(some, k)));
      pen.stroke();
    });
  }
  pen.globalAlpha = 1;
}

/** @param {number} share */
const faint = (share) => FAINTEST + (0.7 - FAINTEST) * share;

/** The full tree's own cuts; dashed where another tree stands there.
 *  @param {Pen} pen @param {Layout} at @param {StabilityPicture} frame @param {Ghosts} some @param {boolean} solid */
function lines(pen, at, frame, some, solid) {
  pen.strokeStyle = frame.colours.ink;
  pen.lineWidth = solid && some.own.filter(Boolean).length <= MOST_BOLD ? 1.8 : 1.2;
  pen.globalAlpha = solid ? 0.85 : 0.45;
  pen.setLineDash(solid ? [] : [4, 4]);
  some.own.forEach((own, k) => {
    if (!own) return;
    trace(pen, placed(at, ringAt(some, k)));
    pen.stroke();
  });
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** A ring round the points without which the tree changes most, or at which the trees differ most.
 *  @param {Pen} pen @param {Layout} at @param {StabilityPicture} frame */
function changes(pen, at, frame) {
  const each = Array.from(frame.wavers, (waver, i) => (frame.each ? frame.change[frame.tree[i]] ?? 0 : waver));
  const top = Math.max(...each, 0);
  const rows = [...each.keys()].filter((i) => each[i] > LEAST_RING * top).toSorted((a, b) => each[b] - each[a]);
  const r = radius(each.length);
  pen.strokeStyle = frame.colours.ink;
  pen.lineWidth = 1.4;
  for (const i of rows.slice(0, MOST_RINGS)) {
    pen.globalAlpha = 0.25 + 0.6 * (each[i] / top);
    pen.beginPath();
    pen.arc(at.spots[0][i], at.spots[1][i], r + 2 + (at.small ? 0.7 : 1) * WIDEST * Math.sqrt(each[i] / top), 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** What a tree has that the full one has not, and the row that it is without.
 *  @param {Pen} pen @param {Layout} at @param {StabilityPicture} frame @param {Layer} layer @param {number} place */
function changed(pen, at, frame, layer, place) {
  pen.strokeStyle = frame.colours.accent;
  pen.lineWidth = 1.8;
  if (frame.form === "plane" || frame.classes) {
    for (const tile of ownTiles(layer, place)) outline(pen, placed(at, ringAt(layer.tiles, tile)));
  }
  const i = frame.each ? frame.tree.indexOf(place) : -1;
  if (i < 0) return;
  const [x, y, r] = [at.spots[0][i], at.spots[1][i], radius(frame.tree.length) + 5];
  pen.lineWidth = 2.4;
  pen.strokeStyle = frame.colours.ink;
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.moveTo(x - r, y + r);
  pen.lineTo(x + r, y - r);
  pen.stroke();
}
