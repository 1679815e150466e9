// Curves of the impurities of two classes over the share of the first class, and a line that picks a share.
//
// Python sends each impurity at every whole percent, so that the line follows the pointer without a request. The
// end of a drag, a click, or a pause of the arrow keys sends the picked percent to Python.

import { drawHairline } from "../draw/axes.js";
import { blank, svgOf } from "../draw/canvas.js";
import { drawChart, layOutChart } from "../draw/chart.js";
import { drawCircle, drawLine, drawText, textWidth } from "../draw/marks.js";
import { saveMenu } from "../draw/save.js";
import { linear } from "../draw/scales.js";
import { element, penOf, positionIn } from "../lib/dom.js";
import { hear } from "../lib/link.js";
import { addDial, presentedPart } from "../lib/presentation.js";
import { createFormula } from "../lib/formula.js";
import { dashOf, informationText, showChips, spokenValues } from "./readout.js";
import { listenToDrags, listenToKeys, Setting } from "./setting.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Chart, FrameOf, Pen } from "../types.d.ts" */

const MAX_PERCENT = 100;
const KL_LABELS = ["KL divergence to uniform", "KL to uniform", "KL"]; // the first that has room is shown
const MARGINS = { left: 44, top: 10, right: 12, foot: 40 }; // of the plane, in pixels

/**
 * @typedef {FrameOf<"measures">} MeasuresFrame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<MeasuresFrame>, frame: MeasuresFrame, layout: Chart | null, family: string,
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
  hear("present", repaint, root);
  if (root.closest(".impurity")) addDial({ root, words: "Page Up and Page Down: move the line", step: (by) => view.percent.commitLater(clampPercent(view.percent.value + 5 * by)) });
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
  return clampPercent(Math.round(layout.X.invert(positionIn(slider, event)[0])));
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
  view.layout = layOut(width, view);
  draw(blank(view.canvas, view.layout), view, view.layout);
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

/** @param {number} width @param {MeasuresView} view @returns {Chart} */
function layOut(width, { root, frame: { curves, colours }, family, canvas }) {
  const height = Math.round(presentedPart(root, Math.max(210, Math.min(0.5 * width, 290))));
  return layOutChart({ width, height }, { family, colours }, penOf(canvas), {
    values: curves.flatMap(({ values }) => [...values]), head: 1, tickCount: 4, margins: MARGINS, title: "share p of class 1",
    across: (from, to) => linear(0, MAX_PERCENT, from, to),
    ticksOf: () => [0, 25, 50, 75, MAX_PERCENT].map((value) => ({ value, text: String(value / MAX_PERCENT) })),
  });
}

/** Draw the curves, the one that is looked at over the others, the line at the picked share, a dot on each curve, and, if the
 *  entropy is looked at, the KL divergence.
 *  @param {Pen} pen @param {MeasuresView} view @param {Chart} layout */
function draw(pen, view, layout) {
  const { frame: { curves, colours, entropy }, family, percent: { value: percent } } = view;
  const scene = { family, colours };
  const drawn = curves.map(({ name, values }, k) => {
    const isPicked = name === view.impurity.value;
    return { values, dash: dashOf(k), isPicked, colour: isPicked ? colours.accent : colours.muted, width: isPicked ? 2.6 : 1.6 };
  }).toSorted((a, b) => Number(a.isPicked) - Number(b.isPicked));
  drawChart(pen, layout, scene, drawn);
  const x = layout.X(percent);
  drawHairline(pen, layout.plane, x, { stroke: colours.ink, width: 1.4 });
  const picked = curves.find(({ name }) => name === view.impurity.value);
  if (picked?.name === entropy) drawDivergence(pen, view, layout, percent, picked.values[percent]);
  for (const { values, colour, isPicked } of drawn) {
    drawCircle(pen, x, layout.Y(values[percent]), isPicked ? 5 : 3.6, { fill: colour, stroke: colours.paper, width: 1.4 });
  }
}

/** Draw the KL divergence from the even shares as a line on top of the entropy: both add up to 1 bit.
 *  @param {Pen} pen @param {MeasuresView} view @param {Chart} layout @param {number} percent @param {number} entropy */
function drawDivergence(pen, view, layout, percent, entropy) {
  const { colours, divergence } = view.frame;
  const [low, high] = [layout.Y(entropy), layout.Y(entropy + divergence[percent])];
  const x = layout.X(percent);
  drawLine(pen, [x, low, x, high], { stroke: colours.accent, width: 4, opacity: 0.35 });
  const direction = percent <= MAX_PERCENT / 2 ? -1 : 1; // of the label, to the side where the curve falls
  const room = direction < 0 ? x - layout.plane.x : layout.plane.x + layout.plane.w - x;
  const scene = { family: view.family, colours };
  const widthOf = textWidth(pen, scene);
  const label = KL_LABELS.find((text) => widthOf(text) + 12 < room);
  if (low - high < 18 || !label) return;
  drawText(pen, scene, label, x + 8 * direction, (low + high) / 2, { align: direction < 0 ? "right" : "left" });
}

/** SVG of the picture with the text on the picked share; "" before it has a size.
 *  @param {MeasuresView} view */
function pictureSvg(view) {
  const { layout, frame: { colours }, family, canvas, reading } = view;
  return layout ? svgOf(layout, { family, colours }, canvas, (pen) => draw(pen, view, layout), reading.textContent ?? "") : "";
}
