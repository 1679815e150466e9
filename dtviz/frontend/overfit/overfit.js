// The cockpit of Overfit: training and held-out rows over the same rectangles, the error curve
// beside them, and a slider a rule below.
//
// Python sends one whole tree, and for every place on a line which of its splits stay; moving along
// the curve or a slider redraws the rectangles at once, here. A click, the end of a drag or a rest
// of the arrow keys tells Python, and the setting stays.
//
// Glossary
//   line     the values of one rule, and the tree at each: the curve is one, each slider another
//   place    on a line: the index of a value
//   preview  what is looked at, by pointer or keys, see overfit/steer.js; null: the tree as it is
//   panel    a picture of the rectangles with some of the rows: training, or held out

import { cloudNamed } from "../lib/cloud.js";
import { element, penOf, placeIn, write } from "../lib/dom.js";
import { fillHoles, formula, latexNumber } from "../lib/formula.js";
import { hear } from "../lib/link.js";
import { curveLayout, drawCurve, drawPlace } from "./curve.js";
import { fillDials, showDials } from "./dials.js";
import { drawPanel, legendOf, panelOf, stays } from "./panel.js";
import { steer } from "./steer.js";
import { looked, panelWords, told } from "./words.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { layoutOf } from "../stage/layout.js";
import { font, size } from "../stage/paint.js";
import { orderCategories, pointNear, spots } from "../stage/points.js";

const GAP = 16;
const LEGEND = 22;

/** @import { Host } from "../lib/channel.js" */
/** @import { Cockpit, CurveLayout, Layout, Of, PanelRows, Panels, Points, Preview, Seen } from "../types.d.ts" */

/**
 * @typedef {Of<"overfit">} Frame
 * @typedef {{ figure: HTMLElement, title: HTMLElement, canvas: HTMLCanvasElement }} Figure
 * @typedef {{ each: number, height: number, panels: Layout[], curve: CurveLayout | null }} Layouts
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Panels, cloud: Points | null, rows: PanelRows[],
 *   figures: Figure[], at: Layouts | null, preview: Preview | null, wanted: Preview | null,
 *   timer: number, hold: string | null, later: Panels | null, saver: HTMLElement | null,
 *   repaint: () => void, wake: () => void,
 * }} View  `later` is a frame that waits
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {View} */
  const view = {
    root, host, frame: drawnOf(host.frame, root), cloud: null, rows: [], figures: [], at: null,
    preview: null, wanted: null, timer: 0, hold: null, later: null, saver: null, ...build(root),
    repaint: () => repaint(view),
    wake: () => { if (view.later) show(view, view.later); },
  };
  new ResizeObserver(() => paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame.cloud === name && !view.cloud) show(view, view.frame);
  }, root);
  steer(view);
  view.panels.addEventListener("pointermove", (event) => tipAt(view, event));
  view.panels.addEventListener("pointerleave", () => { view.tip.hidden = true; });
  host.onFrame((frame) => show(view, drawnOf(frame, root)));
}

/** @param {Frame} frame @param {HTMLElement} root */
function drawnOf(frame, root) {
  return /** @type {Panels} */ ({ ...frame, family: getComputedStyle(root).fontFamily });
}

/** @param {HTMLElement} root */
function build(root) {
  const made = {
    told: element("div", "told"), grown: element("div", "grown"), legend: element("canvas", "key"), panels: element("div", "panels"),
    curve: element("div", "curve"), still: element("canvas", "still"), moving: element("canvas", "moving"),
    slider: element("div", "slider"), dials: element("div", "dials"), tip: element("div", "tip"), heard: element("div", "heard"),
    worked: formula(),
  };
  made.told.setAttribute("aria-hidden", "true");
  made.heard.setAttribute("aria-live", "polite");
  made.slider.tabIndex = 0;
  made.slider.setAttribute("role", "slider");
  made.tip.hidden = true;
  for (const canvas of [made.legend, made.still, made.moving]) canvas.setAttribute("aria-hidden", "true");
  made.curve.append(made.still, made.moving, made.slider);
  const pictures = element("div", "pictures");
  const left = element("div", "left");
  left.append(made.legend, made.panels);
  pictures.append(left, made.curve);
  const head = element("div", "head");
  head.append(made.told, made.grown);
  root.append(head, pictures, made.worked.element, made.dials, made.tip, made.heard);
  return { ...made, head, left };
}

// --- showing --------------------------------------------------------------------------------------

/** @param {View} view @param {Panels} frame */
function show(view, frame) {
  view.later = view.hold ? frame : null; // what the pointer holds must not jump
  if (view.hold) return;
  view.frame = frame;
  const named = cloudNamed(frame.cloud);
  const cloud = named ? orderCategories(named, frame) : null;
  view.cloud = cloud;
  if (!view.wanted && !view.host.pending.length) view.preview = null; // else it outlives an earlier one's answer
  if (!cloud) return;
  view.rows = frame.panels.map(({ held }) => panelOf(frame, cloud, held));
  view.grown.textContent = frame.grown ?? "";
  fill(view);
  fillDials(view);
  paint(view);
  if (!view.saver) {
    view.saver = saveMenu("pictures", () => svg(view), () => view.frame.colours.paper);
    view.head.append(view.saver);
  }
}

/** A figure for each panel; they are kept as long as their number is right.
 *  @param {View} view */
function fill({ panels, figures, frame, root }) {
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

/** @param {View} view */
function paint(view) {
  const { frame, cloud, root, figures, left, curve } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const many = frame.panels.length;
  const beside = isCockpit(frame) && width >= 900;
  const room = beside ? Math.floor((width * many) / (many + 1)) : width;
  const each = Math.floor((room - GAP * (many - 1)) / many);
  const height = Math.round(Math.max(Math.min(each * 0.9, 380), Math.min(each * 1.15, 300)));
  root.classList.toggle("beside", beside);
  root.classList.toggle("tiny", each < 280);
  left.style.width = `${room}px`;
  const laid = figures.map(({ figure, canvas }, k) => {
    const pen = penOf(canvas);
    pen.font = font(frame, 12);
    const own = layoutOf(each, { ...frame, plain: true }, (text) => pen.measureText(text).width, height);
    own.spots = spots(own, view.rows[k].cloud);
    size(canvas, own);
    figure.style.width = `${each}px`;
    return own;
  });
  /** @type {Layouts} */
  const at = { each, height, panels: laid, curve: null };
  view.at = at;
  size(view.legend, { width: room, height: LEGEND });
  legendOf(fresh(view.legend), room, frame);
  curve.hidden = !isCockpit(frame);
  view.slider.hidden = !hasCurve(frame);
  if (!curve.hidden) {
    const title = figures[0].title.offsetHeight;
    const own = beside
      ? { width: width - room - GAP, height: height + LEGEND + title }
      : { width, height: Math.round(Math.max(240, Math.min(0.4 * width, 330))) };
    Object.assign(curve.style, { width: `${own.width}px`, height: `${own.height}px` });
    size(view.moving, own);
    size(view.still, own);
    const pen = fresh(view.still);
    if (hasCurve(frame)) {
      at.curve = curveLayout(own, frame, pen);
      drawCurve(pen, at.curve, frame);
    }
  }
  repaint(view);
}

/** Whether a curve stands beside the pictures, or will once it is worked out: it keeps its room.
 *  @param {Panels} frame */
const isCockpit = (frame) => hasCurve(frame) || frame.grown !== undefined;

/** @param {Panels} frame @returns {frame is Cockpit} */
const hasCurve = (frame) => frame.curve !== undefined;

/** @param {HTMLCanvasElement} canvas */
function fresh(canvas) {
  const pen = penOf(canvas);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  return pen;
}

/** Draw what depends on the place: the rectangles, the mistakes, the line on the curve.
 *  @param {View} view */
function repaint(view) {
  const { frame, at, figures, rows, root } = view;
  if (!at) return;
  const seen = looked(view);
  const mask = stays(frame, seen.line, seen.place);
  figures.forEach(({ title, canvas }, k) => {
    drawPanel(fresh(canvas), at.panels[k], frame, rows[k], mask);
    const words = panelWords(frame, k, seen.drawn);
    title.textContent = words;
    canvas.setAttribute("aria-label", words);
  });
  const pen = fresh(view.moving);
  if (at.curve && hasCurve(frame)) {
    drawPlace(pen, at.curve, frame, seen.at, seen.drawn.errors);
    view.told.textContent = told(frame, seen);
    view.worked.show(costOf(frame, seen));
    speak(view, frame, seen);
  } else {
    view.told.textContent = "";
    view.worked.show("");
  }
  showDials(view);
  root.dataset.leaves = String(seen.drawn.leaves);
  root.dataset.at = String(seen.at);
  root.dataset.step = frame.stamp;
}

/** Risk and size of the tree at a place of the curve, worked out to what pruning weighs.
 *  @param {Cockpit} frame @param {Seen} seen */
function costOf({ weighed, curve }, { at }) {
  if (!weighed || at < 0 || !curve.leaves) return "";
  return fillHoles(weighed.formula, {
    risk: latexNumber(weighed.risk[at]), alpha: latexNumber(Number(curve.values[at])), leaves: String(curve.leaves[at]),
    cost: latexNumber(weighed.cost[at]),
  });
}

/** @param {View} view @param {Cockpit} frame @param {Seen} seen */
function speak({ slider, heard }, frame, seen) {
  const words = `${told(frame, seen)}. ${frame.panels.map((_, k) => panelWords(frame, k, seen.now)).join(". ")}`;
  slider.setAttribute("aria-label", `${frame.curve.title}; the arrow keys move along the error curve`);
  slider.setAttribute("aria-valuemin", "1");
  slider.setAttribute("aria-valuemax", String(frame.curve.labels.length));
  if (seen.at >= 0) slider.setAttribute("aria-valuenow", String(seen.at + 1));
  else slider.removeAttribute("aria-valuenow");
  slider.setAttribute("aria-valuetext", words);
  if (frame.say) write(heard, frame.say);
}

/** Say what point is under the pointer.
 *  @param {View} view @param {PointerEvent} event */
function tipAt(view, event) {
  const { figures, tip, root, frame } = view;
  const k = figures.findIndex((one) => event.composedPath().includes(one.canvas));
  tip.hidden = true;
  if (k < 0 || !view.at?.panels[k]) return;
  const canvas = figures[k].canvas.getBoundingClientRect();
  const panel = { scene: frame, cloud: view.rows[k].cloud, at: view.at.panels[k] };
  const near = pointNear(panel.at, panel.scene, panel.cloud, ...placeIn(figures[k].canvas, event));
  if (!near) return;
  const own = root.getBoundingClientRect();
  tip.hidden = false;
  tip.textContent = near.text;
  tip.style.left = `${Math.max(Math.min(canvas.left - own.left + near.x + 10, own.width - tip.offsetWidth), 0)}px`;
  tip.style.top = `${canvas.top - own.top + near.y - tip.offsetHeight - 8}px`;
}

// --- saving ---------------------------------------------------------------------------------------

/** The pictures one beside the other, with their titles.
 *  @param {View} view */
function svg(view) {
  const { frame, at, rows } = view;
  if (!at) return "";
  const { curve } = at;
  const seen = looked(view);
  const tall = at.height + 2 * LEGEND;
  const wide = curve ? curve.width + GAP : 0;
  const width = at.panels.length * (at.each + GAP) - GAP + wide;
  const height = Math.max(tall, curve?.height ?? 0);
  const pen = new SvgPen(width, height, penOf(view.still));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, width, height);
  legendOf(pen, width, frame);
  const mask = stays(frame, seen.line, seen.place);
  at.panels.forEach((own, k) => {
    pen.save();
    pen.translate(k * (at.each + GAP), LEGEND);
    pen.font = font(frame, 13, "600");
    pen.fillStyle = frame.colours.ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(panelWords(frame, k, seen.drawn), own.plane.x, 10);
    pen.translate(0, LEGEND);
    drawPanel(pen, own, frame, rows[k], mask);
    pen.restore();
  });
  if (curve && hasCurve(frame)) {
    pen.save();
    pen.translate(width - curve.width, 0);
    drawCurve(pen, curve, frame);
    drawPlace(pen, curve, frame, seen.at, seen.drawn.errors);
    pen.restore();
  }
  return pen.text();
}
