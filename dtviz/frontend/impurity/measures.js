// The impurities of two classes over the share of the first, read off at a line that is dragged.
//
// Python sends every measure at each hundredth: the line follows the hand at once, here, and the
// end of a drag, a click or a rest of the arrow keys is told.

import { element, penOf, placeIn } from "../lib/dom.js";
import { formula } from "../lib/formula.js";
import { ticks } from "../lib/format.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { font, size } from "../stage/paint.js";
import { dragged, Hand, keyed } from "./hand.js";
import { dashOf, information, showChips, spoken } from "./readout.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Of, Pen, Rect } from "../types.d.ts" */

const WHOLE = 100;
const [LEFT, TOP, RIGHT, FOOT] = [44, 10, 12, 40];

/**
 * @typedef {Of<"measures">} Frame
 * @typedef {{ width: number, height: number, plane: Rect, top: number, X(percent: number): number, Y(value: number): number }} At
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, at: At | null, family: string,
 *   percent: Hand<"percent">, impurity: Hand<"impurity">,
 * }} View
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {View} */
  const view = {
    root, host, frame: host.frame, at: null, family: getComputedStyle(root).fontFamily, ...build(root),
    percent: new Hand(host, "percent", () => view.frame.percent, repaint),
    impurity: new Hand(host, "impurity", () => view.frame.impurity, repaint),
  };
  dragged(view.slider, view.percent, (event) => percentAt(view, event));
  keyed(view.slider, view.percent, step);
  root.append(saveMenu("curves", () => svg(view), () => view.frame.colours.paper));
  new ResizeObserver(repaint).observe(root);
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const made = {
    area: element("div", "area"), canvas: element("canvas", ""), slider: element("div", "slider"),
    chips: element("div", "chips"), told: element("div", "told"),
    worked: formula(),
  };
  made.slider.tabIndex = 0;
  made.slider.setAttribute("role", "slider");
  made.slider.setAttribute("aria-label", "Share of class 1 in percent; the arrow keys move it");
  made.slider.setAttribute("aria-valuemin", "0");
  made.slider.setAttribute("aria-valuemax", String(WHOLE));
  made.canvas.setAttribute("aria-hidden", "true");
  made.area.append(made.canvas, made.slider);
  root.append(made.area, made.chips, made.worked.element, made.told);
  return made;
}

/** @param {View} view @param {{ clientX: number, clientY: number }} event */
function percentAt({ at, slider }, event) {
  if (!at) return 0;
  const share = (placeIn(slider, event)[0] - at.plane.x) / at.plane.w;
  return bounded(Math.round(WHOLE * share));
}

/** @param {number} percent */
const bounded = (percent) => Math.max(0, Math.min(WHOLE, percent));

/** @param {number} percent @param {string} key @param {boolean} far */
function step(percent, key, far) {
  const by = far ? 10 : 1;
  /** @type {Record<string, number>} */
  const next = {
    ArrowRight: percent + by, ArrowUp: percent + by, ArrowLeft: percent - by, ArrowDown: percent - by,
    PageUp: percent + 10, PageDown: percent - 10, Home: 0, End: WHOLE,
  };
  return key in next ? bounded(next[key]) : undefined;
}

// --- drawing --------------------------------------------------------------------------------------

/** @param {View} view */
function paint(view) {
  const { frame, root, percent, slider, told, chips } = view;
  const width = Math.floor(root.clientWidth);
  if (!width) return;
  view.at = layout(width, frame);
  const pen = size(view.canvas, view.at);
  pen.clearRect(0, 0, view.at.width, view.at.height);
  draw(pen, view, view.at);
  slider.style.height = `${view.at.height}px`;
  const now = percent.value;
  showChips(chips, frame, now, view.impurity);
  view.worked.show(frame.curves.find(({ name }) => name === view.impurity.value)?.worked?.[now] ?? "");
  told.textContent = `p₁ = ${now / WHOLE}, p₂ = ${(WHOLE - now) / WHOLE}\n${information(frame, now, [now, WHOLE - now])}`;
  slider.setAttribute("aria-valuenow", String(now));
  slider.setAttribute("aria-valuetext", `p ${now / WHOLE}: ${spoken(frame, now)}`);
  root.dataset.percent = String(now);
  root.dataset.impurity = view.impurity.value;
}

/** @param {number} width @param {Frame} frame @returns {At} */
function layout(width, frame) {
  const height = Math.round(Math.max(210, Math.min(0.5 * width, 290)));
  const plane = { x: LEFT, y: TOP, w: width - LEFT - RIGHT, h: height - TOP - FOOT };
  const top = Math.max(...frame.curves.flatMap(({ values }) => [...values])) || 1;
  return {
    width, height, plane, top,
    X: (percent) => plane.x + (plane.w * percent) / WHOLE,
    Y: (value) => plane.y + plane.h * (1 - value / top),
  };
}

/** @param {Pen} pen @param {View} view @param {At} at */
function draw(pen, view, at) {
  const { frame } = view;
  const chosen = frame.curves.findIndex(({ name }) => name === view.impurity.value);
  axes(pen, view, at);
  const order = frame.curves.map((_, k) => k).filter((k) => k !== chosen);
  for (const k of [...order, chosen]) if (k >= 0) curve(pen, view, at, k, k === chosen);
  reading(pen, view, at, chosen);
}

/** @param {Pen} pen @param {View} view @param {At} at */
function axes(pen, view, at) {
  const { colours } = view.frame;
  const { plane } = at;
  pen.font = font(view, 12);
  pen.lineWidth = 1;
  pen.setLineDash([]);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { value, text } of ticks(0, at.top, 4)) {
    line(pen, colours.grid, [[plane.x, at.Y(value)], [plane.x + plane.w, at.Y(value)]]);
    pen.fillStyle = colours.muted;
    pen.fillText(text, plane.x - 7, at.Y(value));
  }
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const percent of [0, 25, 50, 75, 100]) {
    pen.fillText(String(percent / WHOLE), Math.min(at.X(percent), at.width - 12), plane.y + plane.h + 6);
  }
  pen.fillStyle = colours.ink;
  pen.fillText("share p of class 1", plane.x + plane.w / 2, plane.y + plane.h + 22);
}

/** @param {Pen} pen @param {string} colour @param {number[][]} points */
function line(pen, colour, points) {
  pen.strokeStyle = colour;
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}

/** @param {Pen} pen @param {View} view @param {At} at @param {number} k @param {boolean} chosen */
function curve(pen, { frame }, at, k, chosen) {
  pen.lineWidth = chosen ? 2.6 : 1.6;
  pen.setLineDash(dashOf(k));
  const points = Array.from(frame.curves[k].values, (value, percent) => [at.X(percent), at.Y(value)]);
  line(pen, chosen ? frame.colours.accent : frame.colours.muted, points);
  pen.setLineDash([]);
}

/** The line at the share, what each curve has there, and, over the entropy, what KL adds.
 *  @param {Pen} pen @param {View} view @param {At} at @param {number} chosen */
function reading(pen, view, at, chosen) {
  const { frame } = view;
  const { colours, curves } = frame;
  const percent = view.percent.value;
  const x = at.X(percent);
  pen.lineWidth = 1.4;
  line(pen, colours.ink, [[x, at.plane.y + at.plane.h], [x, at.plane.y]]);
  if (curves[chosen]?.name === frame.entropy) between(pen, view, at, percent, curves[chosen].values[percent]);
  curves.forEach(({ values }, k) => {
    pen.beginPath();
    pen.arc(x, at.Y(values[percent]), k === chosen ? 5 : 3.6, 0, 2 * Math.PI);
    pen.fillStyle = k === chosen ? colours.accent : colours.muted;
    pen.fill();
    pen.strokeStyle = colours.paper;
    pen.stroke();
  });
}

/** @param {Pen} pen @param {View} view @param {At} at @param {number} percent @param {number} value */
function between(pen, view, at, percent, value) {
  const { colours, apart } = view.frame;
  const [low, high] = [at.Y(value), at.Y(value + apart[percent])];
  const x = at.X(percent);
  pen.lineWidth = 4;
  pen.globalAlpha = 0.35;
  line(pen, colours.accent, [[x, low], [x, high]]);
  pen.globalAlpha = 1;
  pen.lineWidth = 1.4;
  const outwards = percent <= WHOLE / 2 ? -1 : 1; // there it is free above the curve
  const room = outwards < 0 ? x - at.plane.x : at.plane.x + at.plane.w - x;
  if (low - high < 18 || room < 30) return;
  pen.font = font(view, 12);
  pen.textAlign = outwards < 0 ? "right" : "left";
  pen.textBaseline = "middle";
  pen.fillStyle = colours.ink;
  pen.fillText("KL", x + 8 * outwards, (low + high) / 2);
}

/** @param {View} view */
function svg(view) {
  const { at, frame } = view;
  if (!at) return "";
  const pen = new SvgPen(at.width, at.height, penOf(view.canvas));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, at.width, at.height);
  draw(pen, view, at);
  return pen.text();
}
