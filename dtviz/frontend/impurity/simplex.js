// The impurities of three classes: a triangle filled by one of them, and a point that is dragged.
//
// Python sends every measure at each triple of shares: the point follows the hand at once, here.

import { element, penOf, placeIn } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { mark } from "../lib/marks.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { font, size } from "../stage/paint.js";
import { dragged, Hand, keyed } from "./hand.js";
import { band, gridOf, placesOf, spotOf, tripleAt } from "./lattice.js";
import { information, showChips, spoken } from "./readout.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Of, Pen } from "../types.d.ts" */
/** @import { Triangle } from "./lattice.js" */

const TALL = Math.sqrt(3) / 2;
const [TOP, FOOT, SCALE, AROUND] = [26, 26, 90, 18];

/**
 * @typedef {Of<"simplex">} Frame
 * @typedef {{ width: number, height: number, triangle: Triangle }} At
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, at: At | null, family: string, painted: string,
 *   place: (triple: number[]) => number, shares: Hand<"shares">, impurity: Hand<"impurity">,
 * }} View  `painted` says what the still canvas shows
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {View} */
  const view = {
    root, host, frame: host.frame, at: null, family: getComputedStyle(root).fontFamily, painted: "", ...build(root),
    place: placesOf(host.frame.whole),
    shares: new Hand(host, "shares", () => view.frame.shares, repaint),
    impurity: new Hand(host, "impurity", () => view.frame.impurity, repaint),
  };
  dragged(view.slider, view.shares, (event) => sharesAt(view, event));
  keyed(view.slider, view.shares, step);
  root.append(saveMenu("triangle", () => svg(view), () => view.frame.colours.paper));
  new ResizeObserver(repaint).observe(root);
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const made = {
    area: element("div", "area"), still: element("canvas", "still"), moving: element("canvas", "moving"),
    slider: element("div", "slider"), chips: element("div", "chips"), told: element("div", "told"),
  };
  made.slider.tabIndex = 0;
  made.slider.setAttribute("role", "slider");
  made.slider.setAttribute("aria-label", "Shares of three classes; the arrow keys move the point");
  made.slider.setAttribute("aria-valuemin", "0");
  for (const canvas of [made.still, made.moving]) canvas.setAttribute("aria-hidden", "true");
  made.area.append(made.still, made.moving, made.slider);
  root.append(made.area, made.chips, made.told);
  return made;
}

/** @param {View} view @param {PointerEvent} event */
function sharesAt({ at, frame, still: canvas }, event) {
  if (!at) return frame.shares;
  const [x, y] = placeIn(canvas, event);
  return tripleAt(at.triangle, frame.whole, { x, y });
}

/** Up is more of the first class, left of the second, right of the third.
 *  @param {number[]} shares @param {string} key @param {boolean} far */
function step([a, b, c], key, far) {
  const by = far ? 5 : 1;
  /** @param {number} from */
  const some = (from) => Math.min(by, from);
  if (key === "ArrowLeft") return [a, b + some(c), c - some(c)];
  if (key === "ArrowRight") return [a, b - some(b), c + some(b)];
  if (key === "ArrowUp") return b >= c ? [a + some(b), b - some(b), c] : [a + some(c), b, c - some(c)];
  if (key === "ArrowDown") return b <= c ? [a - some(a), b + some(a), c] : [a - some(a), b, c + some(a)];
  return undefined;
}

// --- drawing --------------------------------------------------------------------------------------

/** @param {View} view */
function paint(view) {
  const { frame, root, shares, slider, chips, told } = view;
  const width = Math.floor(root.clientWidth);
  if (!width) return;
  view.at = layout(width);
  still(view, view.at);
  const pen = size(view.moving, view.at);
  pen.clearRect(0, 0, view.at.width, view.at.height);
  point(pen, view, view.at);
  grip(slider, view.at);
  const now = view.place(shares.value);
  showChips(chips, frame, now, view.impurity);
  told.textContent = `${words(view)}\n${information(frame, now, shares.value)}`;
  slider.setAttribute("aria-valuemax", String(frame.whole));
  slider.setAttribute("aria-valuenow", String(shares.value[0]));
  slider.setAttribute("aria-valuetext", `${words(view)}: ${spoken(frame, now)}`);
  root.dataset.shares = shares.value.join(" ");
  root.dataset.impurity = view.impurity.value;
}

/** What answers to the hand is about as wide as the triangle: beside it a finger scrolls the page.
 *  @param {HTMLElement} slider @param {At} at */
function grip(slider, { height, triangle }) {
  const left = triangle.x - triangle.side / 2 - AROUND;
  Object.assign(slider.style, { left: `${left}px`, width: `${triangle.side + 2 * AROUND}px`, height: `${height}px` });
}

/** @param {View} view */
const words = ({ frame, shares }) => shares.value.map((part, k) => `p${"₁₂₃"[k]} = ${number(part / frame.whole, 3)}`).join(", ");

/** @param {number} width @returns {At} */
function layout(width) {
  const height = Math.round(Math.max(210, Math.min(0.5 * width, 290)));
  const side = Math.min((height - TOP - FOOT) / TALL, width - 60);
  return { width, height, triangle: { x: width / 2, y: TOP, side } };
}

/** Paint what no drag changes, unless it stands there.
 *  @param {View} view @param {At} at */
function still(view, at) {
  const { colours } = view.frame;
  const shown = JSON.stringify([at, view.impurity.value, colours]);
  if (view.painted === shown) return;
  view.painted = shown;
  const pen = size(view.still, at);
  pen.clearRect(0, 0, at.width, at.height);
  drawStill(pen, view, at);
}

/** @param {Pen} pen @param {View} view @param {At} at */
function drawStill(pen, view, at) {
  const { frame, place, impurity } = view;
  const own = frame.curves.find(({ name }) => name === impurity.value) ?? frame.curves[0];
  const top = Math.max(...own.values);
  const grid = gridOf(frame.whole, (triple) => own.values[place(triple)]);
  frame.scale.forEach((colour, k) => {
    pen.beginPath();
    band(pen, at.triangle, frame.whole, grid, (top * k) / frame.scale.length);
    pen.fillStyle = colour;
    pen.fill();
  });
  corners(pen, view, at);
  scale(pen, view, at, `${number(top, 4)} ${own.unit}`.trim());
}

/** @param {Pen} pen @param {View} view @param {At} at */
function corners(pen, view, at) {
  const { frame } = view;
  pen.font = font(view, 12);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  frame.classes.forEach(([name, colour, shape], k) => {
    const { x, y } = spotOf(at.triangle, frame.whole, [0, 1, 2].map((j) => (j === k ? frame.whole : 0)));
    const width = pen.measureText(name).width + 14;
    const left = Math.max(2, Math.min(x - width / 2, at.width - width - 2));
    const down = y + (k ? 15 : -14);
    pen.beginPath();
    mark(pen, shape, left + 5, down, 5);
    pen.fillStyle = colour;
    pen.fill();
    pen.fillStyle = frame.colours.ink;
    pen.fillText(name, left + 14, down);
  });
}

/** From 0 to the top, in the corner that the triangle leaves free.
 *  @param {Pen} pen @param {View} view @param {At} at @param {string} top */
function scale(pen, view, at, top) {
  const { frame } = view;
  const cell = SCALE / frame.scale.length;
  const free = at.triangle.x - at.triangle.side / 4 - 20; // left of the middle of the left side
  if (free < SCALE) return;
  frame.scale.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(2 + k * cell, 8, cell + 0.5, 9);
  });
  pen.fillStyle = frame.colours.muted;
  pen.textAlign = "left";
  pen.fillText("0", 2, 27);
  pen.textAlign = "right";
  pen.fillText(top, 2 + SCALE, 27);
}

/** @param {Pen} pen @param {View} view @param {At} at */
function point(pen, { frame, shares }, at) {
  const { x, y } = spotOf(at.triangle, frame.whole, shares.value);
  pen.setLineDash([]);
  for (const [r, colour, width] of /** @type {Array<[number, string, number]>} */ ([[8, "#ffffff", 5], [8, "#111418", 2]])) {
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
}

/** @param {View} view */
function svg(view) {
  const { at, frame } = view;
  if (!at) return "";
  const pen = new SvgPen(at.width, at.height, penOf(view.still));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, at.width, at.height);
  drawStill(pen, view, at);
  point(pen, view, at);
  return pen.text();
}
