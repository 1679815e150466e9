// Icicle: all nodes of a tree at once, however many, as bands on a canvas, see bands.js.

import { blank } from "../draw/canvas.js";
import { drawRect, drawRects, drawText } from "../draw/marks.js";
import { element, positionIn } from "../lib/dom.js";
import { layOutBands, nodeIdOf, pieceAt, pieceOf, nextPiece } from "./bands.js";

/** @import { FrameOf, Spot } from "../types.d.ts" */
/** @import { Bands } from "./bands.js" */

/**
 * @typedef {object} IcicleActions
 * @property {(id: string) => void} choose
 * @property {(id: string | null, spot: Spot | null, rows: number) => void} hover  `spot`: below the piece
 *
 * @typedef {object} IcicleScene
 * @property {FrameOf<"tree">} frame
 * @property {number} width
 * @property {number} height
 * @property {(id: string) => string} textOf  the rule of a node, or what it predicts
 * @property {string} family
 */

const MAX_LEVEL_HEIGHT = 30; // pixels
const SPLIT_OPACITY = 0.3;
const LEAF_OPACITY = 0.65;
const MIN_TEXT_SIZE = [44, 13]; // width and height in pixels of a piece with words
const MIN_SIZE_WITH_GAP = 3; // pixels of a piece that is drawn apart from its neighbours

/** Create a canvas that draws bands and answers to pointer and keys; `draw` shows a frame, `light` marks a node.
 *  @param {IcicleActions} actions */
export function createIcicle({ choose, hover }) {
  const canvas = element("canvas", "icicle");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  /** @type {IcicleScene | null} */
  let scene = null;
  /** @type {Bands} */
  let bands = layOutBands({ depth: new Int32Array(), rows: new Int32Array() });
  let activePiece = -1; // the piece under the pointer or reached by keys, -1 for none

  /** @param {IcicleScene} newScene */
  function draw(newScene) {
    if (newScene.frame.shape !== scene?.frame.shape) bands = layOutBands(newScene.frame.shape);
    scene = newScene;
    canvas.setAttribute("aria-label", `Icicle of the tree, ${newScene.frame.summary}; arrow keys walk it, Enter chooses a node`);
    canvas.dataset.nodes = String(newScene.frame.shape.depth.length);
    paint();
  }

  function paint() {
    if (!scene) return;
    const { frame: { focus, colours }, width, height } = scene;
    const pen = blank(canvas, { width, height });
    fill(pen, bands, scene);
    write(pen, bands, scene);
    for (const [piece, colour] of /** @type {const} */ ([[pieceOf(bands, focus), colours.accent], [activePiece, colours.ink]])) {
      if (piece < 0) continue;
      const { x, y, w, h } = rectOf(bands, scene, piece);
      drawRect(pen, { x: x + 1, y: y + 1, w: Math.max(w - 2, 1), h: h - 2 }, { stroke: colour, width: 2 });
    }
  }

  /** @param {number} piece */
  function activate(piece) {
    if (piece === activePiece) return;
    activePiece = piece;
    paint();
    const rect = piece < 0 || !scene ? null : rectOf(bands, scene, piece);
    const rows = piece < 0 || !scene ? 0 : scene.frame.shape.rows[piece];
    hover(piece < 0 ? null : nodeIdOf(bands, piece), rect && { x: rect.x + rect.w / 2, y: rect.y + rect.h }, rows);
  }

  /** @param {{ clientX: number, clientY: number }} event */
  function pieceUnder(event) {
    if (!scene) return -1;
    const [x, y] = positionIn(canvas, event);
    return pieceAt(bands, Math.floor(y / levelHeight(bands, scene)), x / scene.width);
  }

  canvas.addEventListener("pointermove", (event) => activate(pieceUnder(event)));
  canvas.addEventListener("pointerleave", () => activate(-1));
  canvas.addEventListener("blur", () => activate(-1));
  canvas.addEventListener("click", (event) => {
    const piece = pieceUnder(event);
    if (piece >= 0) choose(nodeIdOf(bands, piece));
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !scene) return;
    if (event.key === "Enter" && activePiece >= 0) choose(nodeIdOf(bands, activePiece));
    else if (event.key.startsWith("Arrow")) {
      const target = activePiece < 0 ? Math.max(pieceOf(bands, scene.frame.focus), 0) : nextPiece(bands, activePiece, event.key);
      if (target >= 0) activate(target);
    } else return;
    event.preventDefault();
    event.stopPropagation(); // the page's own arrow keys step along the time-line
  });

  /** Mark a node that is looked at on another picture.
   *  @param {string | null} id */
  const light = (id) => {
    activePiece = pieceOf(bands, id ?? "");
    paint();
  };
  return { canvas, draw, light };
}

/** Height of a level in pixels.
 *  @param {Bands} bands @param {IcicleScene} scene */
const levelHeight = ({ levels }, { height }) => Math.min(MAX_LEVEL_HEIGHT, height / Math.max(levels.length, 1));

/** @param {Bands} bands @param {IcicleScene} scene @param {number} piece */
function rectOf(bands, scene, piece) {
  const h = levelHeight(bands, scene);
  const { width, frame: { shape } } = scene;
  return { x: bands.start[piece] * width, y: shape.depth[piece] * h, w: bands.width[piece] * width, h };
}

/** Fill every piece with the colour of what its node predicts, one colour after the other for speed.
 *  @param {CanvasRenderingContext2D} pen @param {Bands} bands @param {IcicleScene} scene */
function fill(pen, bands, scene) {
  const { colour_index: colourIndexes, node_colours: nodeColours } = scene.frame.shape;
  for (const isLeaf of [false, true]) {
    for (const [code, colour] of [...nodeColours].entries()) {
      const rects = [];
      for (let k = 0; k < colourIndexes.length; k += 1) {
        if (colourIndexes[k] !== code || !bands.children[k].length !== isLeaf) continue;
        const { x, y, w, h } = rectOf(bands, scene, k);
        rects.push({ x, y, w: w > MIN_SIZE_WITH_GAP ? w - 1 : w, h: h > MIN_SIZE_WITH_GAP ? h - 1 : h });
      }
      drawRects(pen, rects, { fill: colour, opacity: isLeaf ? LEAF_OPACITY : SPLIT_OPACITY });
    }
  }
}

/** Write the words of the pieces that have room for them.
 *  @param {CanvasRenderingContext2D} pen @param {Bands} bands @param {IcicleScene} scene */
function write(pen, bands, scene) {
  const [minWidth, minHeight] = MIN_TEXT_SIZE;
  const h = levelHeight(bands, scene);
  if (h < minHeight) return;
  const { family, frame: { colours, shape } } = scene;
  for (let k = 0; k < shape.depth.length; k += 1) {
    const { x, y, w } = rectOf(bands, scene, k);
    if (w < minWidth) continue;
    drawText(pen, { family, colours }, scene.textOf(nodeIdOf(bands, k)), x + w / 2, y + h / 2, { size: Math.min(12, h * 0.5), weight: "600", align: "center", room: w - 6 });
  }
}
