// Canvases: their size, their pens, and the picture on them as SVG.

import { penOf, zoomOf } from "../lib/dom.js";
import { SvgPen } from "./svg_pen.js";
import { drawRect, drawText, textWidth } from "./marks.js";

/** @import { Ink, Pen } from "../types.d.ts" */

const LINE_HEIGHT = 18; // pixels between two lines of words

/** Give a canvas its size on the page, with as many pixels as the screen has there, and returns its pen.
 *  @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} layout */
export function size(canvas, { width, height }) {
  const ratio = (window.devicePixelRatio || 1) * zoomOf(canvas);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  for (const [side, length] of /** @type {const} */ ([["width", `${width}px`], ["height", `${height}px`]])) {
    if (canvas.style[side] !== length) canvas.style[side] = length; // writing an equal length costs a page layout
  }
  const pen = penOf(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

/** Clear a canvas and returns its pen.
 *  @param {HTMLCanvasElement} canvas */
export function clear(canvas) {
  const pen = penOf(canvas);
  const { a: ratio } = pen.getTransform(); // below 1 where the browser is zoomed out
  pen.clearRect(0, 0, canvas.width / ratio, canvas.height / ratio);
  return pen;
}

/** Give a canvas its size, clears it, and returns its pen.
 *  @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} layout */
export function blank(canvas, layout) {
  size(canvas, layout);
  return clear(canvas);
}

/** The picture that `draw` draws as SVG, on paper, with words under it.
 *  @param {{ width: number, height: number }} layout @param {Ink} scene @param {HTMLCanvasElement} canvas  that measures texts
 *  @param {(pen: Pen) => void} draw @param {string} [words] */
export function svgOf({ width, height }, scene, canvas, draw, words = "") {
  const measuringPen = penOf(canvas);
  const lines = words ? wordLines(textWidth(measuringPen, scene), words, width - 12) : [];
  const pen = new SvgPen(width, height + lines.length * LINE_HEIGHT + (lines.length && 8), measuringPen);
  drawRect(pen, { x: 0, y: 0, w: pen.width, h: pen.height }, { fill: scene.colours.paper });
  draw(pen);
  lines.forEach((line, k) => drawText(pen, scene, line, 6, height + 10 + k * LINE_HEIGHT));
  return pen.text();
}

/** Lines of words that are no wider than `room` pixels; a longer word has a line of its own.
 *  @param {(text: string) => number} width @param {string} words @param {number} room */
function wordLines(width, words, room) {
  /** @type {string[]} */
  const lines = [];
  for (const text of words.split("\n")) {
    let line = "";
    for (const word of text.split(" ")) {
      const longer = line ? `${line} ${word}` : word;
      if (line && width(longer) > room) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}
