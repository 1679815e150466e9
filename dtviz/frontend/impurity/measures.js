// Curves of the impurities of two classes over the share of the first class, and a line that picks a share.
//
// Python sends each impurity at every whole percent, so that the line follows the pointer without a request. The
// end of a drag, a click, or a pause of the arrow keys sends the picked percent to Python.

import { element, penOf, positionIn } from "../lib/dom.js";
import { createFormula } from "../lib/formula.js";
import { ticks } from "../lib/format.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { font, size } from "../stage/paint.js";
import { dashOf, informationText, showChips, spokenValues } from "./readout.js";
import { listenToDrags, listenToKeys, Setting } from "./setting.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { FrameOf, Pen, Rect } from "../types.d.ts" */

const MAX_PERCENT = 100;
const MARGINS = { left: 44, top: 10, right: 12, foot: 40 }; // of the plane, in pixels

/**
 * @typedef {FrameOf<"measures">} MeasuresFrame
 * @typedef {{ width: number, height: number, plane: Rect, maxValue: number, X(percent: number): number, Y(value: number): number }} MeasuresLayout
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<MeasuresFrame>, frame: MeasuresFrame, layout: MeasuresLayout | null, family: string,
 *   percent: Setting<"percent">, impurity: Setting<"impurity">,
 * }} MeasuresView  `chips` has a button for each impurity, `arithmetic` the formula of the one that is looked at, `reading`
 *   the text on the picked share
 */

/** @param {HTMLElement} root @param {Host<MeasuresFrame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {MeasuresView} */
  const view = {
    root, host, frame: host.frame, layout: null, family: getComputedStyle(root).fontFamily, ...build(root),
    percent: new Setting(host, "percent", () => view.frame.percent, repaint),
    impurity: new Setting(host, "impurity", () => view.frame.impurity, repaint),
  };
  listenToDrags(view.slider, view.percent, (event) => percentAt(view, event));
  listenToKeys(view.slider, view.percent, nextPercent);
  root.append(saveMenu("curves", () => pictureSvg(view), () => view.frame.colours.paper));
  new ResizeObserver(repaint).observe(root);
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const elements = {
    area: element("div", "area"), canvas: element("canvas", ""), slider: element("div", "slider"),
    chips: element("div", "chips"), reading: element("div", "told"),
    arithmetic: createFormula(),
  };
  elements.slider.tabIndex = 0;
  elements.slider.setAttribute("role", "slider");
  elements.slider.setAttribute("aria-label", "Share of class 1 in percent; the arrow keys move it");
  elements.slider.setAttribute("aria-valuemin", "0");
  elements.slider.setAttribute("aria-valuemax", String(MAX_PERCENT));
  elements.canvas.setAttribute("aria-hidden", "true");
  elements.area.append(elements.canvas, elements.slider);
  root.append(elements.area, elements.chips, elements.arithmetic.element, elements.reading);
  return elements;
}

/** @param {MeasuresView} view @param {{ clientX: number, clientY: number }} event */
function percentAt({ layout, slider }, event) {
  if (!layout) return 0;
  const share = (positionIn(slider, event)[0] - layout.plane.x) / layout.plane.w;
  return clampPercent(Math.round(MAX_PERCENT * share));
}

/** @param {number} percent */
const clampPercent = (percent) => Math.max(0, Math.min(MAX_PERCENT, percent));

/** @param {number} percent @param {string} key @param {boolean} isLarge  true with the Shift key */
function nextPercent(percent, key, isLarge) {
  const step = isLarge ? 10 : 1;
  /** @type {Record<string, number>} */
  const next = {
    ArrowRight: percent + step, ArrowUp: percent + step, ArrowLeft: percent - step, ArrowDown: percent - step,
    PageUp: percent + 10, PageDown: percent - 10, Home: 0, End: MAX_PERCENT,
  };
  return key in next ? clampPercent(next[key]) : undefined;
}

// --- drawing --------------------------------------------------------------------------------------

/** @param {MeasuresView} view */
function paint(view) {
  const { frame, root, percent, slider, reading, chips } = view;
  const width = Math.floor(root.clientWidth);
  if (!width) return;
  view.layout = layOut(width, frame);
  const pen = size(view.canvas, view.layout);
  pen.clearRect(0, 0, view.layout.width, view.layout.height);
  draw(pen, view, view.layout);
  slider.style.height = `${view.layout.height}px`;
  const value = percent.value;
  showChips(chips, frame, value, view.impurity);
  view.arithmetic.show(frame.curves.find(({ name }) => name === view.impurity.value)?.arithmetic?.[value] ?? "");
  reading.textContent = `p₁ = ${value / MAX_PERCENT}, p₂ = ${(MAX_PERCENT - value) / MAX_PERCENT}\n${informationText(frame, value, [value, MAX_PERCENT - value])}`;
  slider.setAttribute("aria-valuenow", String(value));
  slider.setAttribute("aria-valuetext", `p ${value / MAX_PERCENT}: ${spokenValues(frame, value)}`);
  root.dataset.percent = String(value);
  root.dataset.impurity = view.impurity.value;
}

/** @param {number} width @param {MeasuresFrame} frame @returns {MeasuresLayout} */
function layOut(width, frame) {
  const height = Math.round(Math.max(210, Math.min(0.5 * width, 290)));
  const plane = {
    x: MARGINS.left, y: MARGINS.top, w: width - MARGINS.left - MARGINS.right, h: height - MARGINS.top - MARGINS.foot,
  };
  const maxValue = Math.max(...frame.curves.flatMap(({ values }) => [...values])) || 1;
  return {
    width, height, plane, maxValue,
    X: (percent) => plane.x + (plane.w * percent) / MAX_PERCENT,
    Y: (value) => plane.y + plane.h * (1 - value / maxValue),
  };
}

/** @param {Pen} pen @param {MeasuresView} view @param {MeasuresLayout} layout */
function draw(pen, view, layout) {
  const { frame } = view;
  const pickedCurve = frame.curves.findIndex(({ name }) => name === view.impurity.value);
  drawAxes(pen, view, layout);
  const background = frame.curves.map((_, k) => k).filter((k) => k !== pickedCurve);
  for (const k of [...background, pickedCurve]) if (k >= 0) drawCurve(pen, view, layout, k, k === pickedCurve);
  drawReading(pen, view, layout, pickedCurve);
}

/** @param {Pen} pen @param {MeasuresView} view @param {MeasuresLayout} layout */
function drawAxes(pen, view, layout) {
  const { colours } = view.frame;
  const { plane } = layout;
  pen.font = font(view, 12);
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of ticks(0, layout.maxValue, 4)) {
    drawLine(pen, colours.grid, [[plane.x, layout.Y(value)], [plane.x + plane.w, layout.Y(value)]]);
    pen.fillStyle = colours.muted;
    pen.fillText(text, plane.x - 7, layout.Y(value));
  }
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const percent of [0, 25, 50, 75, 100]) {
    pen.fillText(String(percent / MAX_PERCENT), Math.min(layout.X(percent), layout.width - 12), plane.y + plane.h + 6);
  }
  pen.fillStyle = colours.ink;
  pen.fillText("share p of class 1", plane.x + plane.w / 2, plane.y + plane.h + 22);
}

/** @param {Pen} pen @param {string} colour @param {number[][]} points */
function drawLine(pen, colour, points) {
  pen.strokeStyle = colour;
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

/** @param {Pen} pen @param {MeasuresView} view @param {MeasuresLayout} layout @param {number} k @param {boolean} isPicked */
function drawCurve(pen, { frame }, layout, k, isPicked) {
  pen.lineWidth = isPicked ? 2.6 : 1.6;
  pen.setLineDash(dashOf(k));
  const points = Array.from(frame.curves[k].values, (value, percent) => [layout.X(percent), layout.Y(value)]);
  drawLine(pen, isPicked ? frame.colours.accent : frame.colours.muted, points);
  pen.setLineDash([]);
}

/** Draws the line at the picked share, a dot on each curve, and, if the entropy is looked at, the KL divergence.
 *  @param {Pen} pen @param {MeasuresView} view @param {MeasuresLayout} layout @param {number} pickedCurve  its index, or -1 */
function drawReading(pen, view, layout, pickedCurve) {
  const { frame } = view;
  const { colours, curves } = frame;
  const percent = view.percent.value;
  const x = layout.X(percent);
  pen.lineWidth = 1.4;
  drawLine(pen, colours.ink, [[x, layout.plane.y + layout.plane.h], [x, layout.plane.y]]);
  if (curves[pickedCurve]?.name === frame.entropy) drawDivergence(pen, view, layout, percent, curves[pickedCurve].values[percent]);
  curves.forEach(({ values }, k) => {
    pen.beginPath();
    pen.arc(x, layout.Y(values[percent]), k === pickedCurve ? 5 : 3.6, 0, 2 * Math.PI);
    pen.fillStyle = k === pickedCurve ? colours.accent : colours.muted;
    pen.fill();
    pen.strokeStyle = colours.paper;
    pen.stroke();
  });
}

/** Draws the KL divergence from the even shares as a line on top of the entropy: both add up to 1 bit.
 *  @param {Pen} pen @param {MeasuresView} view @param {MeasuresLayout} layout @param {number} percent @param {number} entropy */
function drawDivergence(pen, view, layout, percent, entropy) {
  const { colours, divergence } = view.frame;
  const [low, high] = [layout.Y(entropy), layout.Y(entropy + divergence[percent])];
  const x = layout.X(percent);
  pen.lineWidth = 4;
  pen.globalAlpha = 0.35;
  drawLine(pen, colours.accent, [[x, low], [x, high]]);
  pen.globalAlpha = 1;
  pen.lineWidth = 1.4;
  const direction = percent <= MAX_PERCENT / 2 ? -1 : 1; // of the label, to the side where the curve falls
  const room = direction < 0 ? x - layout.plane.x : layout.plane.x + layout.plane.w - x;
  if (low - high < 18 || room < 30) return; // no room for the label
  pen.font = font(view, 12);
  pen.textAlign = direction < 0 ? "right" : "left";
  pen.textBaseline = "middle";
  pen.fillStyle = colours.ink;
  pen.fillText("KL", x + 8 * direction, (low + high) / 2);
}

/** SVG of the picture; "" before it has a size.
 *  @param {MeasuresView} view */
function pictureSvg(view) {
  const { layout, frame } = view;
  if (!layout) return "";
  const pen = new SvgPen(layout.width, layout.height, penOf(view.canvas));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, layout.width, layout.height);
  draw(pen, view, layout);
  return pen.text();
}
