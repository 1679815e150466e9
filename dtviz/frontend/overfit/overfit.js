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

import { cloud as cloudNamed } from "../lib/cloud.js";
import { hear } from "../lib/link.js";
import { curveLayout, drawCurve, drawPlace } from "./curve.js";
import { fillDials, showDials } from "./dials.js";
import { drawPanel, legendOf, panelOf, stays } from "./panel.js";
import { steer } from "./steer.js";
import { looked, panelWords, told } from "./words.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { layout } from "../stage/layout.js";
import { font, size } from "../stage/paint.js";
import { pointNear, spots } from "../stage/points.js";

const GAP = 16;
const LEGEND = 22;

export function create(root, host) {
  const view = /** @type {any} */ ({
    root, host, frame: null, cloud: null, at: null,
    preview: null, wanted: null, timer: 0, hold: null, later: null, ...build(root),
    repaint: () => repaint(view),
    wake: () => view.later && show(view, view.later),
  });
  new ResizeObserver(() => view.frame && paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame?.cloud === name && !view.cloud) show(view, view.frame);
  }, root);
  steer(view);
  view.panels.addEventListener("pointermove", (event) => tipAt(view, event));
  view.panels.addEventListener("pointerleave", () => { view.tip.hidden = true; });
  host.onFrame((frame) => show(view, frame));
}

function build(root) {
  const made = {
    told: element("div", "told"), legend: element("canvas", "key"), panels: element("div", "panels"),
    curve: element("div", "curve"), still: element("canvas", "still"), moving: element("canvas", "moving"),
    slider: element("div", "slider"), dials: element("div", "dials"), tip: element("div", "tip"), heard: element("div", "heard"),
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
  head.append(made.told);
  root.append(head, pictures, made.dials, made.tip, made.heard);
  return { ...made, head, left };
}

function element(tag, name) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

// --- showing --------------------------------------------------------------------------------------

function show(view, frame) {
  view.later = view.hold ? frame : null; // what the pointer holds must not jump
  if (view.hold) return;
  frame.family = getComputedStyle(view.root).fontFamily;
  view.frame = frame;
  view.cloud = cloudNamed(frame.cloud) ?? null;
  if (!view.wanted && !view.host.pending.length) view.preview = null; // else it outlives an earlier one's answer
  if (!view.cloud) return;
  view.rows = frame.panels.map(({ held }) => panelOf(frame, view.cloud, held));
  fill(view);
  fillDials(view);
  paint(view);
  if (!view.saver) {
    view.saver = saveMenu("pictures", () => svg(view), () => view.frame.colours.paper);
    view.head.append(view.saver);
  }
}

/** A figure for each panel; they are kept as long as their number is right. */
function fill({ panels, frame, root }) {
  while (panels.childElementCount > frame.panels.length) panels.lastChild.remove();
  while (panels.childElementCount < frame.panels.length) {
    const figure = element("figure", "panel");
    figure.append(element("figcaption", "title"), element("canvas", ""));
    figure.lastChild.setAttribute("role", "img");
    panels.append(figure);
  }
  root.classList.toggle("alone", !frame.curve);
}

function paint(view) {
  const { frame, cloud, root, panels, left, curve } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const many = frame.panels.length;
  const beside = frame.curve && width >= 900;
  const room = beside ? Math.floor((width * many) / (many + 1)) : width;
  const each = Math.floor((room - GAP * (many - 1)) / many);
  const height = Math.round(Math.max(Math.min(each * 0.9, 380), Math.min(each * 1.15, 300)));
  root.classList.toggle("beside", Boolean(beside));
  root.classList.toggle("tiny", each < 280);
  left.style.width = `${room}px`;
  view.at = { each, height, panels: [] };
  [...panels.children].forEach((figure, k) => {
    const canvas = figure.lastChild;
    const pen = canvas.getContext("2d");
    pen.font = font(frame, 12);
    const at = layout(each, { ...frame, plain: true }, (text) => pen.measureText(text).width, height);
    at.spots = spots(at, view.rows[k].cloud);
    size(canvas, at);
    figure.style.width = `${each}px`;
    view.at.panels.push(at);
  });
  size(view.legend, { width: room, height: LEGEND });
  legendOf(fresh(view.legend), room, frame);
  curve.hidden = !frame.curve;
  if (frame.curve) {
    const title = panels.firstChild.firstChild.offsetHeight;
    const own = beside
      ? { width: width - room - GAP, height: height + LEGEND + title }
      : { width, height: Math.round(Math.max(240, Math.min(0.4 * width, 330))) };
    Object.assign(curve.style, { width: `${own.width}px`, height: `${own.height}px` });
    view.at.curve = curveLayout(own, frame, size(view.still, own));
    size(view.moving, own);
    drawCurve(fresh(view.still), view.at.curve, frame);
  }
  repaint(view);
}

function fresh(canvas) {
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  return pen;
}

/** Draw what depends on the place: the rectangles, the mistakes, the line on the curve. */
function repaint(view) {
  const { frame, at, panels, rows, root } = view;
  const seen = looked(view);
  const mask = stays(frame, seen.line, seen.place);
  [...panels.children].forEach((figure, k) => {
    drawPanel(fresh(figure.lastChild), at.panels[k], frame, rows[k], mask);
    const words = panelWords(frame, k, seen.drawn);
    figure.firstChild.textContent = words;
    figure.lastChild.setAttribute("aria-label", words);
  });
  if (frame.curve) {
    drawPlace(fresh(view.moving), at.curve, frame, seen.at, seen.drawn.errors);
    view.told.textContent = told(frame, seen);
    speak(view, seen);
  }
  showDials(view);
  root.dataset.leaves = seen.drawn.leaves;
  root.dataset.at = seen.at;
  root.dataset.step = frame.stamp;
}

function speak({ slider, heard, frame }, seen) {
  const words = `${told(frame, seen)}. ${frame.panels.map((_, k) => panelWords(frame, k, seen.now)).join(". ")}`;
  slider.setAttribute("aria-label", `${frame.curve.title}; the arrow keys move along the error curve`);
  slider.setAttribute("aria-valuemin", "1");
  slider.setAttribute("aria-valuemax", String(frame.curve.labels.length));
  if (seen.at >= 0) slider.setAttribute("aria-valuenow", String(seen.at + 1));
  else slider.removeAttribute("aria-valuenow");
  slider.setAttribute("aria-valuetext", words);
  if (heard.textContent !== frame.say) heard.textContent = frame.say;
}

/** Say what point is under the pointer. */
function tipAt(view, event) {
  const { panels, tip, root, frame } = view;
  const k = [...panels.children].findIndex((figure) => event.composedPath().includes(figure.lastChild));
  tip.hidden = true;
  if (k < 0 || !view.at?.panels[k]) return;
  const canvas = panels.children[k].lastChild.getBoundingClientRect();
  const panel = { scene: frame, cloud: view.rows[k].cloud, at: view.at.panels[k] };
  const near = pointNear(panel, event.clientX - canvas.left, event.clientY - canvas.top);
  if (!near) return;
  const own = root.getBoundingClientRect();
  tip.hidden = false;
  tip.textContent = near.text;
  tip.style.left = `${Math.max(Math.min(canvas.left - own.left + near.x + 10, own.width - tip.offsetWidth), 0)}px`;
  tip.style.top = `${canvas.top - own.top + near.y - tip.offsetHeight - 8}px`;
}

// --- saving ---------------------------------------------------------------------------------------

/** The pictures one beside the other, with their titles. */
function svg(view) {
  const { frame, at, rows } = view;
  const seen = looked(view);
  const tall = at.height + 2 * LEGEND;
  const wide = frame.curve ? at.curve.width + GAP : 0;
  const width = at.panels.length * (at.each + GAP) - GAP + wide;
  const height = frame.curve ? Math.max(tall, at.curve.height) : tall;
  const pen = new SvgPen(width, height, view.still.getContext("2d"));
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
  if (frame.curve) {
    pen.save();
    pen.translate(width - at.curve.width, 0);
    drawCurve(pen, at.curve, frame);
    drawPlace(pen, at.curve, frame, seen.at, seen.drawn.errors);
    pen.restore();
  }
  return pen.text();
}
