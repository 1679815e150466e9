// The icicle: all of a tree at once, however large, as bands on a canvas.
//
// Glossary
//   bands    where each node lies, see bands.js
//   at       the piece that the pointer or the keys are at, -1 for none

import { element, placeIn } from "../lib/dom.js";
import { fitText, size } from "../stage/paint.js";
import { bandsOf, idOf, pieceAt, pieceOf, toward } from "./bands.js";

/** @import { Of, Spot } from "../types.d.ts" */
/** @import { Bands } from "./bands.js" */

/**
 * @typedef {object} Acts
 * @property {(id: string) => void} choose
 * @property {(id: string | null, spot: Spot | null, rows: number) => void} look
 *
 * @typedef {object} Shown
 * @property {Of<"tree">} frame
 * @property {number} width
 * @property {number} height
 * @property {(id: string) => string} words  the rule of a node, or what it predicts
 * @property {string} family
 */

const HIGH = 30; // pixels of a level at most
const INNER = 0.3; // how strong the colour of a split is, and of a leaf
const LEAF = 0.65;
const WRITTEN = [44, 13]; // pixels of a piece that has its words in it
const GAP = 3; // pixels from which on neighbours are set apart

/** A canvas that draws bands and answers to pointer and keys; `draw` shows a frame, `lit` a node.
 *  @param {Acts} acts */
export function icicle({ choose, look }) {
  const canvas = element("canvas", "icicle");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  /** @type {Shown | null} */
  let shown = null;
  /** @type {Bands} */
  let bands = bandsOf({ depth: new Int32Array(), rows: new Int32Array() });
  let at = -1;

  /** @param {Shown} given */
  function draw(given) {
    if (given.frame.shape !== shown?.frame.shape) bands = bandsOf(given.frame.shape);
    shown = given;
    canvas.setAttribute("aria-label", `Icicle of the tree, ${given.frame.line}; arrow keys walk it, Enter chooses a node`);
    canvas.dataset.nodes = String(given.frame.shape.depth.length);
    paint();
  }

  function paint() {
    if (!shown) return;
    const { frame: { focus, colours }, width, height } = shown;
    const pen = size(canvas, { width, height });
    pen.clearRect(0, 0, width, height);
    fill(pen, bands, shown);
    write(pen, bands, shown);
    for (const [piece, colour] of /** @type {const} */ ([[pieceOf(bands, focus), colours.accent], [at, colours.ink]])) {
      if (piece < 0) continue;
      const { x, y, w, h } = rectOf(bands, shown, piece);
      pen.strokeStyle = colour;
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, Math.max(w - 2, 1), h - 2);
    }
  }

  /** @param {number} piece */
  function turn(piece) {
    if (piece === at) return;
    at = piece;
    paint();
    const rect = piece < 0 || !shown ? null : rectOf(bands, shown, piece);
    const rows = piece < 0 || !shown ? 0 : shown.frame.shape.rows[piece];
    look(piece < 0 ? null : idOf(bands, piece), rect && { x: rect.x + rect.w / 2, y: rect.y + rect.h }, rows);
  }

  /** @param {{ clientX: number, clientY: number }} event */
  function under(event) {
    if (!shown) return -1;
    const [x, y] = placeIn(canvas, event);
    return pieceAt(bands, Math.floor(y / highOf(bands, shown)), x / shown.width);
  }

  canvas.addEventListener("pointermove", (event) => turn(under(event)));
  canvas.addEventListener("pointerleave", () => turn(-1));
  canvas.addEventListener("blur", () => turn(-1));
  canvas.addEventListener("click", (event) => {
    const piece = under(event);
    if (piece >= 0) choose(idOf(bands, piece));
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !shown) return;
    if (event.key === "Enter" && at >= 0) choose(idOf(bands, at));
    else if (event.key.startsWith("Arrow")) {
      const to = at < 0 ? Math.max(pieceOf(bands, shown.frame.focus), 0) : toward(bands, at, event.key);
      if (to >= 0) turn(to);
    } else return;
    event.preventDefault();
    event.stopPropagation(); // the page's own arrow keys step along the time-line
  });

  /** Mark a node that is looked at elsewhere.
   *  @param {string | null} id */
  const lit = (id) => {
    at = pieceOf(bands, id ?? "");
    paint();
  };
  return { canvas, draw, lit };
}

/** How high a level is.
 *  @param {Bands} bands @param {Shown} shown */
const highOf = ({ levels }, { height }) => Math.min(HIGH, height / Math.max(levels.length, 1));

/** @param {Bands} bands @param {Shown} shown @param {number} piece */
function rectOf(bands, shown, piece) {
  const h = highOf(bands, shown);
  const { width, frame: { shape } } = shown;
  return { x: bands.from[piece] * width, y: shape.depth[piece] * h, w: bands.size[piece] * width, h };
}

/** Every piece in the colour of what its node predicts; one colour after the other.
 *  @param {CanvasRenderingContext2D} pen @param {Bands} bands @param {Shown} shown */
function fill(pen, bands, shown) {
  const { hue, hues } = shown.frame.shape;
  for (const leaf of [false, true]) {
    pen.globalAlpha = leaf ? LEAF : INNER;
    for (const [code, colour] of [...hues].entries()) {
      pen.fillStyle = colour;
      pen.beginPath();
      for (let k = 0; k < hue.length; k += 1) {
        if (hue[k] !== code || (bands.children[2 * k] < 0) !== leaf) continue;
        const { x, y, w, h } = rectOf(bands, shown, k);
        pen.rect(x, y, w > GAP ? w - 1 : w, h > GAP ? h - 1 : h);
      }
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
}

/** The words of the pieces that have room for them.
 *  @param {CanvasRenderingContext2D} pen @param {Bands} bands @param {Shown} shown */
function write(pen, bands, shown) {
  const [wide, high] = WRITTEN;
  const h = highOf(bands, shown);
  if (h < high) return;
  pen.font = `600 ${Math.min(12, h * 0.5)}px ${shown.family}`;
  pen.fillStyle = shown.frame.colours.ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let k = 0; k < shown.frame.shape.depth.length; k += 1) {
    const { x, y, w } = rectOf(bands, shown, k);
    if (w >= wide) pen.fillText(fitText(pen, shown.words(idOf(bands, k)), w - 6), x + w / 2, y + h / 2);
  }
}
