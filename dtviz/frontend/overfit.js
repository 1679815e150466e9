// The cockpit of Overfit: training and held-out rows over the same rectangles, and the error curve
// beside them.
//
// Python sends one whole tree, and for every place on the curve which of its splits stay; moving
// along the curve redraws the rectangles at once, here. A click, the end of a drag or a rest of the
// arrow keys tells Python, and the setting stays.
//
// Glossary
//   place    on the curve: the index of a value of the rule that is varied
//   preview  the place under the pointer or the arrow keys; null shows the tree as it is
//   asked    the places told to Python that it has not answered yet
//   panel    a picture of the rectangles with some of the rows: training, or held out

import { cloud as cloudNamed } from "./cloud.js";
import { number } from "./format.js";
import { hear } from "./link.js";
import { curveLayout, drawCurve, drawPlace, placeAt } from "./overfit-curve.js";
import { drawPanel, legendOf, panelOf, stays } from "./overfit-panel.js";
import { SvgPen } from "./pen.js";
import { saveMenu } from "./save.js";
import { layout } from "./stage-layout.js";
import { font, size } from "./stage-paint.js";
import { pointNear, spots } from "./stage-points.js";

const GAP = 16;
const LEGEND = 22;
const PATIENCE = 350; // milliseconds after the last arrow key

export function create(root, send) {
  const view = {
    root, send, frame: null, cloud: null, preview: null, drag: false, timer: 0, asked: [], at: null, ...build(root),
  };
  new ResizeObserver(() => view.frame && paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame?.cloud === name && !view.cloud) show(view, view.frame);
  }, root);
  steer(view);
  return { show: (frame) => show(view, frame) };
}

function build(root) {
  const made = {
    told: element("div", "told"), legend: element("canvas", "key"), panels: element("div", "panels"),
    curve: element("div", "curve"), still: element("canvas", "still"), moving: element("canvas", "moving"),
    slider: element("div", "slider"), tip: element("div", "tip"), heard: element("div", "heard"),
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
  root.append(head, pictures, made.tip, made.heard);
  return { ...made, head, left };
}

function element(tag, name) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

// --- showing --------------------------------------------------------------------------------------

function show(view, frame) {
  const same = view.frame?.axis?.rule === frame.axis?.rule && view.frame?.labels?.length === frame.labels?.length;
  frame.family = getComputedStyle(view.root).fontFamily;
  view.frame = frame;
  if (!same) rest(view);
  const answered = view.asked.indexOf(frame.at);
  view.asked = same && answered >= 0 ? view.asked.slice(answered + 1) : [];
  const underWay = view.drag || view.timer || view.asked.length; // outlives an earlier one's answer
  if (!same || !underWay) view.preview = null;
  view.cloud = cloudNamed(frame.cloud) ?? null;
  if (!view.cloud) return;
  view.rows = frame.panels.map(({ held }) => panelOf(frame, view.cloud, held));
  fill(view);
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
  root.classList.toggle("alone", !frame.axis);
}

function paint(view) {
  const { frame, cloud, root, panels, left, curve } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const many = frame.panels.length;
  const beside = frame.axis && width >= 900;
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
  curve.hidden = !frame.axis;
  if (frame.axis) {
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
  const { frame, at, panels, preview, rows, root } = view;
  const now = preview ?? -1;
  const drawn = frame.masks?.length ? now : -1; // trees of their own are drawn once they are chosen
  const mask = stays(frame, drawn);
  [...panels.children].forEach((figure, k) => {
    drawPanel(fresh(figure.lastChild), at.panels[k], frame, rows[k], mask);
    const words = panelWords(frame, k, drawn);
    figure.firstChild.textContent = words;
    figure.lastChild.setAttribute("aria-label", words);
  });
  if (frame.axis) {
    drawPlace(fresh(view.moving), at.curve, frame, preview ?? frame.at);
    view.told.textContent = told(frame, now);
    speak(view, preview ?? frame.at, now);
  }
  root.dataset.leaves = figures(frame, now).leaves;
  root.dataset.at = preview ?? frame.at;
  root.dataset.step = frame.stamp;
}

/** The figures of a place on the curve; of the tree as it is for -1. */
function figures(frame, place) {
  if (place < 0) return frame.now;
  const [leaves, height] = [frame.leaves[place], frame.height[place]];
  return { leaves, height, errors: [frame.training[place], frame.held_error[place]] };
}

const errorText = (frame, error) => (frame.classes ? `${number(100 * error, 3)} %` : number(error, 4));

function panelWords(frame, k, place) {
  const { title, rows } = frame.panels[k];
  const error = figures(frame, place).errors[k];
  if (!rows) return `${title}: no rows`;
  if (!frame.classes) return `${title}, ${plural(rows, "row", "rows")}: squared error ${number(error, 4)}`;
  const wrong = Math.round(error * rows).toLocaleString("en");
  return `${title}: ${wrong} of ${rows.toLocaleString("en")} wrong, ${errorText(frame, error)}`;
}

function told(frame, place) {
  const { leaves, height } = figures(frame, place);
  const at = place < 0 ? frame.at : place;
  const rule = place < 0 ? frame.axis.now : `${frame.axis.rule} ${frame.labels[place]}`;
  const tree = `${plural(leaves, "leaf", "leaves")}, height ${height}, ${plural(2 * leaves - 1, "node", "nodes")}`;
  const folded = frame.mean && at >= 0
    ? `; ${frame.folds} ${errorText(frame, frame.mean[at])} ± ${errorText(frame, frame.spread[at])}`
    : "";
  const undrawn = place >= 0 && !frame.masks.length
    ? `; ${frame.panels.map((_, k) => panelWords(frame, k, place)).join("; ")}; click to see it`
    : "";
  return `${rule}: ${tree}${folded}${undrawn}`;
}

const plural = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

function speak({ slider, heard, frame }, at, place) {
  const words = `${told(frame, place)}. ${frame.panels.map((_, k) => panelWords(frame, k, place)).join(". ")}`;
  slider.setAttribute("aria-label", `${frame.axis.title}; the arrow keys move along the error curve`);
  slider.setAttribute("aria-valuemin", "1");
  slider.setAttribute("aria-valuemax", String(frame.labels.length));
  if (at >= 0) slider.setAttribute("aria-valuenow", String(at + 1));
  else slider.removeAttribute("aria-valuenow");
  slider.setAttribute("aria-valuetext", words);
  if (heard.textContent !== frame.say) heard.textContent = frame.say;
}

// --- what the user does ---------------------------------------------------------------------------

function steer(view) {
  const { curve, slider, panels } = view;
  const there = (event) => placeAt(view.at.curve, view.frame, event.clientX - curve.getBoundingClientRect().left);
  curve.addEventListener("pointermove", (event) => {
    if (view.at?.curve) look(view, there(event));
  });
  curve.addEventListener("pointerdown", (event) => {
    if (!view.at?.curve || event.button > 0) return;
    view.drag = true;
    curve.setPointerCapture(event.pointerId);
    look(view, there(event));
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false });
  });
  curve.addEventListener("pointerup", (event) => {
    if (!view.drag) return;
    view.drag = false;
    stay(view, there(event));
  });
  curve.addEventListener("pointercancel", () => {
    view.drag = false;
    look(view, null);
  });
  curve.addEventListener("pointerleave", () => {
    if (!view.drag) look(view, view.asked.at(-1) ?? null);
  });
  slider.addEventListener("keydown", (event) => {
    const wanted = keyed(view, event);
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    rest(view);
    look(view, wanted);
    if (wanted !== null) view.timer = setTimeout(() => stay(view, wanted), event.key === "Enter" ? 0 : PATIENCE);
  });
  panels.addEventListener("pointermove", (event) => tipAt(view, event));
  panels.addEventListener("pointerleave", () => { view.tip.hidden = true; });
}

function keyed({ frame, preview }, { key, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return undefined;
  const now = preview ?? frame.at;
  const last = frame.labels.length - 1;
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  if (key in steps) return Math.max(0, Math.min(last, (now < 0 ? 0 : now) + steps[key]));
  return { Home: 0, End: last, Escape: null, Enter: now < 0 ? undefined : now }[key];
}

function look(view, place) {
  if (view.preview === place) return;
  view.preview = place;
  repaint(view);
}

/** What was asked by keys is asked no more. */
function rest(view) {
  clearTimeout(view.timer);
  view.timer = 0;
}

/** Tell Python; the picture stays until it answers. */
function stay(view, place) {
  rest(view);
  view.preview = place;
  view.asked.push(place);
  repaint(view);
  view.send({ what: "setting", stamp: view.frame.curve, index: place });
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
  const place = view.preview ?? -1;
  const tall = at.height + 2 * LEGEND;
  const wide = frame.axis ? at.curve.width + GAP : 0;
  const width = at.panels.length * (at.each + GAP) - GAP + wide;
  const height = frame.axis ? Math.max(tall, at.curve.height) : tall;
  const pen = new SvgPen(width, height, view.still.getContext("2d"));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, width, height);
  legendOf(pen, width, frame);
  const mask = stays(frame, place);
  at.panels.forEach((own, k) => {
    pen.save();
    pen.translate(k * (at.each + GAP), LEGEND);
    pen.font = font(frame, 13, "600");
    pen.fillStyle = frame.colours.ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(panelWords(frame, k, place), own.plane.x, 10);
    pen.translate(0, LEGEND);
    drawPanel(pen, own, frame, rows[k], mask);
    pen.restore();
  });
  if (frame.axis) {
    pen.save();
    pen.translate(width - at.curve.width, 0);
    drawCurve(pen, at.curve, frame);
    drawPlace(pen, at.curve, frame, view.preview ?? frame.at);
    pen.restore();
  }
  return pen.text();
}
