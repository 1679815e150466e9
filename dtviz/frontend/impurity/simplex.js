// Impurity of three classes as colours of a triangle, and a point that picks a triple of shares.
//
// Python sends every measure at each triple, so that the point follows the pointer without a request.

import { blank, svgOf } from "../draw/canvas.js";
import { drawCircle, drawColourScale, drawPath, drawSymbol, drawText, textWidth } from "../draw/marks.js";
import { saveMenu } from "../draw/save.js";
import { hear } from "../lib/link.js";
import { presentedPart } from "../lib/presentation.js";
import { element, positionIn } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { HEIGHT_OF_SIDE, gridOf, nearestTriple, positionOf, traceBand, tripleIndex } from "./lattice.js";
import { informationText, showChips, spokenValues } from "./readout.js";
import { listenToDrags, listenToKeys, Setting } from "./setting.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { FrameOf, Pen } from "../types.d.ts" */
/** @import { Triangle } from "./lattice.js" */

const [TOP, FOOT, SCALE_WIDTH, SLIDER_MARGIN] = [26, 26, 90, 18];

/**
 * @typedef {FrameOf<"simplex">} SimplexFrame
 * @typedef {{ width: number, height: number, triangle: Triangle }} SimplexLayout
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<SimplexFrame>, frame: SimplexFrame, layout: SimplexLayout | null, family: string, paintedKey: string,
 *   indexOf: (triple: number[]) => number, shares: Setting<"shares">, impurity: Setting<"impurity">,
 * }} SimplexView  `bands` is the canvas of what no drag changes and `paintedKey` says what it shows; `point` is the
 *   canvas over it; `reading` has the text at the picked shares
 */

/** @param {HTMLElement} root @param {Host<SimplexFrame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {SimplexView} */
  const view = {
    root, host, frame: host.frame, layout: null, family: getComputedStyle(root).fontFamily, paintedKey: "", ...build(root),
    indexOf: tripleIndex(host.frame.total),
    shares: new Setting(host, "shares", () => view.frame.shares, repaint),
    impurity: new Setting(host, "impurity", () => view.frame.impurity, repaint),
  };
  listenToDrags(view.slider, view.shares, (event) => sharesAt(view, event));
  listenToKeys(view.slider, view.shares, step);
  root.append(saveMenu("triangle", () => pictureSvg(view), () => view.frame.colours.paper));
  new ResizeObserver(repaint).observe(root);
  hear("present", repaint, root);
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const elements = {
    area: element("div", "area"), bands: element("canvas", "still"), point: element("canvas", "moving"),
    slider: element("div", "slider"), chips: element("div", "chips"), reading: element("div", "told"),
  };
  elements.slider.tabIndex = 0;
  elements.slider.setAttribute("role", "slider");
  elements.slider.setAttribute("aria-label", "Shares of three classes; the arrow keys move the point");
  elements.slider.setAttribute("aria-valuemin", "0");
  for (const canvas of [elements.bands, elements.point]) canvas.setAttribute("aria-hidden", "true");
  elements.area.append(elements.bands, elements.point, elements.slider);
  root.append(elements.area, elements.chips, elements.reading);
  return elements;
}

/** @param {SimplexView} view @param {PointerEvent} event */
function sharesAt({ layout, frame, bands: canvas }, event) {
  if (!layout) return frame.shares;
  const [x, y] = positionIn(canvas, event);
  return nearestTriple(layout.triangle, frame.total, { x, y });
}

/** Shares after a key: up gives parts to the first class, left to the second, right to the third.
 *  @param {number[]} shares @param {string} key @param {boolean} isLarge  with the Shift key */
function step([a, b, c], key, isLarge) {
  const change = isLarge ? 5 : 1;
  /** @param {number} share  that gives parts away */
  const loss = (share) => Math.min(change, share);
  if (key === "ArrowLeft") return [a, b + loss(c), c - loss(c)];
  if (key === "ArrowRight") return [a, b - loss(b), c + loss(b)];
  if (key === "ArrowUp") return b >= c ? [a + loss(b), b - loss(b), c] : [a + loss(c), b, c - loss(c)];
  if (key === "ArrowDown") return b <= c ? [a - loss(a), b + loss(a), c] : [a - loss(a), b, c + loss(a)];
  return undefined;
}

// --- drawing --------------------------------------------------------------------------------------

/** @param {SimplexView} view */
function paint(view) {
  const { frame, root, shares, slider, chips, reading } = view;
  const width = Math.floor(root.clientWidth);
  if (!width) return;
  view.layout = layOut(width, view);
  paintBands(view, view.layout);
  drawPoint(blank(view.point, view.layout), view, view.layout);
  placeSlider(slider, view.layout);
  const index = view.indexOf(shares.value);
  showChips(chips, frame, index, view.impurity);
  reading.textContent = `${shareText(view)}\n${informationText(frame, index, shares.value)}`;
  slider.setAttribute("aria-valuemax", String(frame.total));
  slider.setAttribute("aria-valuenow", String(shares.value[0]));
  slider.setAttribute("aria-valuetext", `${shareText(view)}: ${spokenValues(frame, index)}`);
  root.dataset.shares = shares.value.join(" ");
  root.dataset.impurity = view.impurity.value;
}

/** Place the slider over the triangle alone, so that a finger beside the triangle scrolls the page.
 *  @param {HTMLElement} slider @param {SimplexLayout} layout */
function placeSlider(slider, { height, triangle }) {
  const left = triangle.x - triangle.side / 2 - SLIDER_MARGIN;
  Object.assign(slider.style, { left: `${left}px`, width: `${triangle.side + 2 * SLIDER_MARGIN}px`, height: `${height}px` });
}

/** @param {SimplexView} view */
const shareText = ({ frame, shares }) => shares.value.map((part, k) => `p${"₁₂₃"[k]} = ${number(part / frame.total, 3)}`).join(", ");

/** @param {number} width @param {SimplexView} view @returns {SimplexLayout} */
function layOut(width, { root }) {
  const height = Math.round(presentedPart(root, Math.max(210, Math.min(0.5 * width, 290))));
  const side = Math.min((height - TOP - FOOT) / HEIGHT_OF_SIDE, width - 60);
  return { width, height, triangle: { x: width / 2, y: TOP, side } };
}

/** Paints what no drag changes, unless the canvas shows it already.
 *  @param {SimplexView} view @param {SimplexLayout} layout */
function paintBands(view, layout) {
  const { colours } = view.frame;
  const key = JSON.stringify([layout, view.impurity.value, colours]);
  if (view.paintedKey === key) return;
  view.paintedKey = key;
  drawBands(blank(view.bands, layout), view, layout);
}

/** @param {Pen} pen @param {SimplexView} view @param {SimplexLayout} layout */
function drawBands(pen, view, layout) {
  const { frame, indexOf, impurity } = view;
  const curve = frame.curves.find(({ name }) => name === impurity.value) ?? frame.curves[0];
  const top = Math.max(...curve.values);
  const grid = gridOf(frame.total, (triple) => curve.values[indexOf(triple)]);
  frame.scale.forEach((colour, k) => {
    drawPath(pen, (path) => traceBand(path, layout.triangle, frame.total, grid, (top * k) / frame.scale.length), { fill: colour });
  });
  drawCorners(pen, view, layout);
  drawScale(pen, view, layout, `${number(top, 4)} ${curve.unit}`.trim());
}

/** @param {Pen} pen @param {SimplexView} view @param {SimplexLayout} layout */
function drawCorners(pen, view, layout) {
  const { frame } = view;
  const scene = { family: view.family, colours: frame.colours };
  const measure = textWidth(pen, scene);
  frame.classes.forEach(([name, colour, shape], k) => {
    const { x, y } = positionOf(layout.triangle, frame.total, [0, 1, 2].map((j) => (j === k ? frame.total : 0)));
    const width = measure(name) + 14;
    const left = Math.max(2, Math.min(x - width / 2, layout.width - width - 2));
    const middle = y + (k ? 15 : -14);
    drawSymbol(pen, shape, left + 5, middle, 5, { fill: colour });
    drawText(pen, scene, name, left + 14, middle);
  });
}

/** Draw the colour scale from 0 to the top value, in the corner that the triangle leaves free.
 *  @param {Pen} pen @param {SimplexView} view @param {SimplexLayout} layout @param {string} top */
function drawScale(pen, view, layout, top) {
  const { frame: { scale, colours }, family } = view;
  const room = layout.triangle.x - layout.triangle.side / 4 - 20; // left of the middle of the left side
  if (room < SCALE_WIDTH) return;
  const scene = { family, colours };
  drawColourScale(pen, scale, { x: 2, y: 8, w: SCALE_WIDTH, h: 9 });
  drawText(pen, scene, "0", 2, 27, { colour: colours.muted });
  drawText(pen, scene, top, 2 + SCALE_WIDTH, 27, { colour: colours.muted, align: "right" });
}

/** @param {Pen} pen @param {SimplexView} view @param {SimplexLayout} layout */
function drawPoint(pen, { frame, shares }, layout) {
  const { x, y } = positionOf(layout.triangle, frame.total, shares.value);
  for (const style of [{ stroke: "#ffffff", width: 5 }, { stroke: "#111418", width: 2 }]) drawCircle(pen, x, y, 8, style);
}

/** SVG of the picture with the text on the picked shares; "" before it has a size.
 *  @param {SimplexView} view */
function pictureSvg(view) {
  const { layout, frame: { colours }, family, bands, reading } = view;
  if (!layout) return "";
  return svgOf(layout, { family, colours }, bands, (pen) => {
    drawBands(pen, view, layout);
    drawPoint(pen, view, layout);
  }, reading.textContent ?? "");
}
