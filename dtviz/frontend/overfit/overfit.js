// Cockpit of the page Overfit: the regions with training rows and with held-out rows, the error curve beside them,
// and a slider for each rule below.
//
// Python sends one full tree, and the splits of it that are kept at each place of a line. So the regions are redrawn
// without a request while the user moves along the curve or a slider. A click, the end of a drag, or a pause of the
// arrow keys sends the value to Python as the setting.
//
// Glossary
//   line     the values of one rule, with the tree at each value; the curve has one, and each slider
//   place    the index of a value on a line
//   preview  the value of a rule whose tree is shown, see overfit/steer.js; null while the tree of the frame is shown
//   panel    a picture of the regions with some of the rows: training, or held-out

import { blank, clear, size, svgOf } from "../draw/canvas.js";
import { drawText, moved, textWidth } from "../draw/marks.js";
import { showTip } from "../draw/pointer.js";
import { saveMenu } from "../draw/save.js";
import { cloudNamed } from "../lib/cloud.js";
import { element, penOf, positionIn } from "../lib/dom.js";
import { fillHoles, createFormula, latexNumber } from "../lib/formula.js";
import { hear } from "../lib/link.js";
import { addDial, presentedHeight } from "../lib/presentation.js";
import { drawCurve, drawPlace, layOutCurve } from "./curve.js";
import { fillDials, showDials } from "./dials.js";
import { drawLegend, drawPanel, panelRows, splitMask } from "./panel.js";
import { steerCurve, stepAlong } from "./steer.js";
import { headline, panelTitle, shownTree } from "./words.js";
import { layoutOf } from "../stage/layout.js";
import { orderCategories, pointNear, spots } from "../stage/points.js";

const GAP = 16;
const LEGEND_HEIGHT = 22;
const MIN_PANEL_HEIGHT = 180;
const HEIGHT_OF_DIALS = 200; // pixels of a low window that the panels leave to the sliders
const ROW_FIELDS = /** @type {const} */ (["leaf", "held_out", "across", "up", "panels"]); // of a frame: the rows of the panels depend on these

/** @import { Host } from "../lib/channel.js" */
/** @import { CockpitPicture, CurveChart, Layout, FrameOf, OverfitPicture, PanelRows, Points, Preview, ShownTree } from "../types.d.ts" */

/**
 * @typedef {FrameOf<"overfit">} OverfitFrame
 * @typedef {{ figure: HTMLElement, title: HTMLElement, canvas: HTMLCanvasElement }} PanelFigure
 * @typedef {{ panelWidth: number, height: number, panels: Layout[], curve: CurveChart | null }} CockpitLayouts
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<OverfitFrame>, frame: OverfitPicture, cloudFrame: Points | null, rows: PanelRows[],
 *   figures: PanelFigure[], layouts: CockpitLayouts | null, preview: Preview | null, keyPreview: Preview | null,
 *   timer: number, dragged: string | null, waitingFrame: OverfitPicture | null, saveMenuElement: HTMLElement | null,
 *   repaint: () => void, showWaitingFrame: () => void,
 * }} OverfitView  for `keyPreview`, `dragged` and `timer` see overfit/steer.js. `cloudFrame` has the points as they were sent,
 *   and `waitingFrame` is a frame that came during a drag. Of the elements, `costs` has the formula of risk and leaves;
 *   `background` has the part of the curve that no preview changes, and `foreground` is over it
 */

/** @param {HTMLElement} root @param {Host<OverfitFrame>} host */
export function create(root, host) {
  /** @type {OverfitView} */
  const view = {
    root, host, frame: pictureOf(host.frame, root), cloudFrame: null, rows: [], figures: [], layouts: null,
    preview: null, keyPreview: null, timer: 0, dragged: null, waitingFrame: null, saveMenuElement: null, ...build(root),
    repaint: () => repaint(view),
    showWaitingFrame: () => { if (view.waitingFrame) show(view, view.waitingFrame); },
  };
  new ResizeObserver(() => paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame.cloud === name && !view.cloudFrame) show(view, view.frame);
  }, root);
  hear("present", () => paint(view), root);
  steerCurve(view);
  if (root.parentElement?.matches(".judging")) addDial({ root, words: "Page Up and Page Down: along the curve", step: (by) => stepAlong(view, by) });
  view.panels.addEventListener("pointermove", (event) => pointAt(view, event));
  view.panels.addEventListener("pointerleave", () => { view.tip.hidden = true; });
  host.onFrame((frame) => show(view, pictureOf(frame, root)));
}

/** @param {OverfitFrame} frame @param {HTMLElement} root */
function pictureOf(frame, root) {
  return /** @type {OverfitPicture} */ ({ ...frame, family: getComputedStyle(root).fontFamily });
}

/** @param {HTMLElement} root */
function build(root) {
  const elements = {
    headline: element("div", "told"), trainingNote: element("div", "grown"), legend: element("canvas", "key"), panels: element("div", "panels"),
    curve: element("div", "curve"), background: element("canvas", "still"), foreground: element("canvas", "moving"),
    slider: element("div", "slider"), dials: element("div", "dials"), tip: element("div", "tip"),
    costs: createFormula(),
  };
  elements.headline.setAttribute("aria-hidden", "true");
  elements.slider.tabIndex = 0;
  elements.slider.setAttribute("role", "slider");
  elements.tip.hidden = true;
  for (const canvas of [elements.legend, elements.background, elements.foreground]) canvas.setAttribute("aria-hidden", "true");
  elements.curve.append(elements.background, elements.foreground, elements.slider);
  const pictures = element("div", "pictures");
  const left = element("div", "left");
  left.append(elements.legend, elements.panels);
  pictures.append(left, elements.curve);
  const head = element("div", "head");
  head.append(elements.headline, elements.trainingNote);
  root.append(head, pictures, elements.costs.element, elements.dials, elements.tip);
  return { ...elements, head, left };
}

// --- showing --------------------------------------------------------------------------------------

/** @param {OverfitView} view @param {OverfitPicture} frame */
function show(view, frame) {
  view.waitingFrame = view.dragged ? frame : null; // what is dragged must not jump
  if (view.dragged) return;
  const [{ frame: before, cloudFrame: cloudBefore }, cloudFrame] = [view, cloudNamed(frame.cloud) ?? null];
  Object.assign(view, { frame, cloudFrame });
  if (!view.keyPreview && !view.host.pending.length) view.preview = null; // a later preview outlives the answer to an earlier one
  if (!cloudFrame) return;
  if (cloudFrame !== cloudBefore || ROW_FIELDS.some((name) => before[name] !== frame[name])) { // equal rows keep their drawn points
    const cloud = orderCategories(cloudFrame, frame);
    view.rows = frame.panels.map(({ is_held_out: held }) => panelRows(frame, cloud, held));
  }
  view.trainingNote.textContent = frame.training_rows_text ?? "";
  fillFigures(view);
  fillDials(view);
  paint(view);
  if (!view.saveMenuElement) {
    view.saveMenuElement = saveMenu("pictures", () => pictureSvg(view), () => view.frame.colours.paper);
    view.head.append(view.saveMenuElement);
  }
}

/** Create the figures of panels that have none, and removes figures without a panel.
 *  @param {OverfitView} view */
function fillFigures({ panels, figures, frame, root }) {
  while (figures.length > frame.panels.length) figures.pop()?.figure.remove();
  while (figures.length < frame.panels.length) {
    const [figure, title, canvas] = [element("figure", "panel"), element("figcaption", "title"), element("canvas", "")];
    canvas.setAttribute("role", "img");
    figure.append(title, canvas);
    panels.append(figure);
    figures.push({ figure, title, canvas });
  }
  root.classList.toggle("alone", !isCockpit(frame));
}

/** @param {OverfitView} view */
function paint(view) {
  const { frame, cloudFrame, root, figures, left, curve } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloudFrame) return;
  const panelCount = frame.panels.length;
  const isWide = isCockpit(frame) && width >= 900;
  const panelsWidth = isWide ? Math.floor((width * panelCount) / (panelCount + 1)) : width;
  const panelWidth = Math.floor((panelsWidth - GAP * (panelCount - 1)) / panelCount);
  const heightOfWidth = Math.max(Math.min(panelWidth * 0.9, 380), Math.min(panelWidth * 1.15, 300));
  const usualHeight = Math.round(Math.min(heightOfWidth, Math.max(MIN_PANEL_HEIGHT, window.innerHeight - HEIGHT_OF_DIALS)));
  const height = isWide ? presentedHeight(root.parentElement ?? root, figures[0].canvas, usualHeight) : usualHeight;
  root.classList.toggle("beside", isWide);
  root.classList.toggle("tiny", panelWidth < 280);
  left.style.width = `${panelsWidth}px`;
  const panels = figures.map(({ figure, canvas }, k) => {
    const layout = layoutOf(panelWidth, { ...frame, plain: true }, textWidth(penOf(canvas), frame), height);
    layout.spots = spots(layout, view.rows[k].cloud);
    size(canvas, layout);
    figure.style.width = `${panelWidth}px`;
    return layout;
  });
  /** @type {CockpitLayouts} */
  const layouts = { panelWidth, height, panels, curve: null };
  view.layouts = layouts;
  drawLegend(blank(view.legend, { width: panelsWidth, height: LEGEND_HEIGHT }), panelsWidth, frame);
  curve.hidden = !isCockpit(frame);
  view.slider.hidden = !hasCurve(frame);
  if (!curve.hidden) {
    const box = isWide
      ? { width: width - panelsWidth - GAP, height: height + LEGEND_HEIGHT + figures[0].title.offsetHeight }
      : { width, height: Math.round(Math.max(240, Math.min(0.4 * width, 330))) };
    Object.assign(curve.style, { width: `${box.width}px`, height: `${box.height}px` });
    size(view.foreground, box);
    const pen = blank(view.background, box);
    if (hasCurve(frame)) {
      layouts.curve = layOutCurve(box, frame, pen);
      drawCurve(pen, layouts.curve, frame);
    }
  }
  repaint(view);
}

/** True if the frame has the curve, or Python still computes it: its room is kept free.
 *  @param {OverfitPicture} frame */
const isCockpit = (frame) => hasCurve(frame) || frame.training_rows_text !== undefined;

/** @param {OverfitPicture} frame @returns {frame is CockpitPicture} */
const hasCurve = (frame) => frame.curve !== undefined;

/** Draw all that a preview changes: the regions, the mistakes, the line on the curve.
 *  @param {OverfitView} view */
function repaint(view) {
  const { frame, layouts, figures, rows, root } = view;
  if (!layouts) return;
  const tree = shownTree(view);
  const mask = splitMask(frame, tree.line, tree.place);
  figures.forEach(({ title, canvas }, k) => {
    drawPanel(clear(canvas), layouts.panels[k], frame, rows[k], mask);
    const text = panelTitle(frame, k, tree.drawnFigures);
    title.textContent = text;
    canvas.setAttribute("aria-label", text);
  });
  const pen = clear(view.foreground);
  if (layouts.curve && hasCurve(frame)) {
    drawPlace(pen, layouts.curve, frame, tree.curvePlace, tree.drawnFigures.errors);
    view.headline.textContent = headline(frame, tree);
    view.costs.show(costFormula(frame, tree));
    describe(view, frame, tree);
  } else {
    view.headline.textContent = "";
    view.costs.show("");
  }
  showDials(view);
  root.dataset.leaves = String(tree.drawnFigures.leaves);
  root.dataset.at = String(tree.curvePlace);
  root.dataset.step = frame.stamp;
}

/** LaTeX of the cost that pruning compares: risk, alpha and leaves of the tree at a place of the curve.
 *  @param {CockpitPicture} frame @param {ShownTree} tree */
function costFormula({ costs, curve }, { curvePlace: place }) {
  if (!costs || place < 0 || !curve.leaves) return "";
  return fillHoles(costs.formula, {
    risk: latexNumber(costs.risk[place]), alpha: latexNumber(Number(curve.values[place])), leaves: String(curve.leaves[place]),
    cost: latexNumber(costs.cost[place]),
  });
}

/** Describe the tree that is shown to screen readers, as a value of the slider.
 *  @param {OverfitView} view @param {CockpitPicture} frame @param {ShownTree} tree */
function describe({ slider }, frame, tree) {
  const text = `${headline(frame, tree)}. ${frame.panels.map((_, k) => panelTitle(frame, k, tree.figures)).join(". ")}`;
  slider.setAttribute("aria-label", `${frame.curve.title}; the arrow keys move along the error curve`);
  slider.setAttribute("aria-valuemin", "1");
  slider.setAttribute("aria-valuemax", String(frame.curve.labels.length));
  if (tree.curvePlace >= 0) slider.setAttribute("aria-valuenow", String(tree.curvePlace + 1));
  else slider.removeAttribute("aria-valuenow");
  slider.setAttribute("aria-valuetext", text);
}

/** Show the tip of the point near the pointer, if there is one.
 *  @param {OverfitView} view @param {PointerEvent} event */
function pointAt({ figures, tip, root, frame, layouts, rows }, event) {
  const k = figures.findIndex(({ canvas }) => event.composedPath().includes(canvas));
  const layout = layouts?.panels[k];
  const point = layout && pointNear(layout, frame, rows[k].cloud, ...positionIn(figures[k].canvas, event));
  const { left, top } = (figures[Math.max(k, 0)]?.canvas ?? root).getBoundingClientRect();
  const [x, y] = positionIn(root, { clientX: left, clientY: top });
  showTip(tip, point && { text: point.text, x: x + point.x, y: y + point.y }, root.clientWidth);
}

// --- saving ---------------------------------------------------------------------------------------

/** SVG of the panels in a row with their titles, the curve beside them, and the headline under them.
 *  @param {OverfitView} view */
function pictureSvg(view) {
  const { frame, layouts, rows } = view;
  if (!layouts) return "";
  const { curve } = layouts;
  const tree = shownTree(view);
  const width = layouts.panels.length * (layouts.panelWidth + GAP) - GAP + (curve ? curve.width + GAP : 0);
  const height = Math.max(layouts.height + 2 * LEGEND_HEIGHT, curve?.height ?? 0);
  const mask = splitMask(frame, tree.line, tree.place);
  return svgOf({ width, height }, frame, view.background, (pen) => {
    drawLegend(pen, width, frame);
    layouts.panels.forEach((layout, k) => moved(pen, k * (layouts.panelWidth + GAP), 2 * LEGEND_HEIGHT, () => {
      drawText(pen, frame, panelTitle(frame, k, tree.drawnFigures), layout.plane.x, 10 - LEGEND_HEIGHT, { size: 13, weight: "600" });
      drawPanel(pen, layout, frame, rows[k], mask);
    }));
    if (!curve || !hasCurve(frame)) return;
    moved(pen, width - curve.width, 0, () => {
      drawCurve(pen, curve, frame);
      drawPlace(pen, curve, frame, tree.curvePlace, tree.drawnFigures.errors);
    });
  }, view.headline.textContent ?? "");
}
