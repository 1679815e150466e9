// Stability: the full tree with the trees of other rows as ghosts; one of them under the hand at once.
//
// Python sends all trees as the tiles they share: a row that is pointed at, or a tree of the list,
// is drawn here without asking. A click tells Python, and the tree stays.
//
// Glossary
//   place    of a tree in the order of the frame, those that change most first; -1 the full tree
//   preview  the place under the pointer or the keys; null: the one that stays is shown

import { cloud as cloudNamed } from "../lib/cloud.js";
import { button, element, penOf, placeIn, write } from "../lib/dom.js";
import { layer as layerNamed } from "../lib/layer.js";
import { hear } from "../lib/link.js";
import { markPath } from "../lib/marks.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { draw } from "../stage/draw.js";
import { layout } from "../stage/layout.js";
import { font, size } from "../stage/paint.js";
import { ordered, pointNear, spots } from "../stage/points.js";
import { drawPlane } from "./draw.js";
import { fillRoots } from "./roots.js";
import { briefly, nameOf, ofPoint, told } from "./words.js";

/** @import { Layer } from "../frames.d.ts" */
/** @import { Host } from "../lib/channel.js" */
/** @import { Layout, Of, Points, StabilityPicture } from "../types.d.ts" */

const MOST_LISTED = 8;
const WIDE = 860;
const PART = 0.64; // of the width that the plane has, where the panels stand beside it
const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Of<"stability">} Frame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: StabilityPicture, cloud: Points | null, layer: Layer | null, at: Layout | null,
 *   preview: number | null, items: HTMLButtonElement[],
 * }} View
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {View} */
  const view = {
    root, host, frame: drawnOf(host.frame, root), cloud: null, layer: null, at: null, preview: null, items: [], ...build(root),
  };
  steer(view);
  root.append(saveMenu("trees", () => svg(view), () => view.frame.colours.paper));
  new ResizeObserver(() => paint(view)).observe(root);
  for (const news of /** @type {const} */ (["cloud", "layer"])) {
    hear(news, ({ name }) => { if (view.frame[news] === name && !view[news]) show(view, view.frame); }, root);
  }
  host.onFrame((frame) => show(view, drawnOf(frame, root)));
}

/** @param {Frame} frame @param {HTMLElement} root @returns {StabilityPicture} */
function drawnOf(frame, root) {
  return /** @type {StabilityPicture} */ ({ number: new Int32Array(), layer: "", ...frame, family: getComputedStyle(root).fontFamily });
}

/** @param {HTMLElement} root */
function build(root) {
  const made = {
    area: element("div", "area"), canvas: element("canvas", "plane"), slider: element("div", "slider"), tip: element("div", "tip"),
    beside: element("div", "beside"), told: element("div", "told"), roots: element("div", "roots"), list: element("div", "list"), title: element("div", "title"),
  };
  made.slider.tabIndex = 0;
  made.slider.setAttribute("role", "slider");
  made.slider.setAttribute("aria-label", "The trees, those that change most first; the arrow keys go through them");
  made.slider.setAttribute("aria-valuemin", "0");
  made.canvas.setAttribute("aria-hidden", "true");
  made.told.setAttribute("aria-live", "polite");
  made.tip.hidden = true;
  made.area.append(made.canvas, made.slider, made.tip);
  made.beside.append(made.told, titled(element("div", "title"), made.roots, "Which feature is cut first"), titled(made.title, made.list));
  root.append(made.area, made.beside);
  return made;
}

/** @param {HTMLElement} head @param {HTMLElement} panel */
function titled(head, panel, title = "") {
  const section = element("div", "section");
  head.textContent = title;
  section.append(head, panel);
  return section;
}

// --- what is looked at ----------------------------------------------------------------------------

/** The tree that stays: the one told last, while Python has not answered.
 *  @param {View} view */
function stays({ host, frame }) {
  for (const act of host.pending.toReversed()) {
    if (act.what === "set" && "shown" in act.values) return act.values.shown === null ? -1 : frame.number.indexOf(Number(act.values.shown));
  }
  return frame.number.length ? frame.shown : -1;
}

/** @param {View} view */
const lookedAt = (view) => view.preview ?? stays(view);

/** @param {View} view @param {number | null} place */
function look(view, place) {
  if (view.preview === place) return;
  view.preview = place;
  repaint(view);
}

/** Have the tree at a place stay, or none if it does already.
 *  @param {View} view @param {number} place */
function stay(view, place) {
  const shown = place < 0 || place === stays(view) ? null : view.frame.number[place];
  view.preview = null;
  view.host.send({ what: "set", values: { shown } });
  repaint(view);
}

/** @param {View} view */
function steer(view) {
  const { slider, tip } = view;
  slider.addEventListener("pointermove", (event) => {
    const near = nearTo(view, event);
    if (!view.frame.number.length) return;
    look(view, near && view.frame.each ? placeAt(view, near.i) : null);
    tipAt(view, near);
  });
  slider.addEventListener("pointerleave", (event) => {
    tip.hidden = true;
    if (event.pointerType === "mouse") look(view, null);
  });
  slider.addEventListener("click", (event) => {
    const near = nearTo(view, event);
    const place = near && view.frame.each ? placeAt(view, near.i) : null;
    if (place !== null) stay(view, place);
    else if (stays(view) >= 0) stay(view, -1);
  });
  slider.addEventListener("keydown", (event) => {
    const place = keyed(view, event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter" || event.key === " ") stay(view, lookedAt(view));
    else look(view, place);
  });
  slider.addEventListener("blur", () => look(view, null));
}

/** The place that a key leads to; null is the one that stays, undefined for a key that is not ours.
 *  @param {View} view @param {string} key */
function keyed(view, key) {
  const [now, last] = [lookedAt(view), view.frame.number.length - 1];
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(now + 1, last);
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(now - 1, -1);
  if (key === "Home") return Math.min(0, last);
  if (key === "End") return last;
  if (key === "Escape") return null;
  return key === "Enter" || key === " " ? now : undefined;
}

/** The tree without a row, if there is one.
 *  @param {View} view @param {number} i */
const placeAt = ({ frame }, i) => (frame.tree[i] >= 0 ? frame.tree[i] : null);

/** @param {View} view @param {MouseEvent} event */
function nearTo({ slider, frame, cloud, at }, event) {
  return cloud && at ? pointNear({ scene: frame, cloud, at }, ...placeIn(slider, event)) : null;
}

/** @param {View} view @param {ReturnType<typeof pointNear>} near */
function tipAt({ tip, frame, at }, near) {
  tip.hidden = !near;
  if (!near || !at) return;
  tip.textContent = `${near.text}\n${ofPoint(frame, near.i)}`;
  tip.style.left = `${Math.max(Math.min(near.x + 12, at.width - tip.offsetWidth), 0)}px`;
  tip.style.top = `${near.y > tip.offsetHeight + 12 ? near.y - tip.offsetHeight - 12 : near.y + 16}px`;
}

// --- showing --------------------------------------------------------------------------------------

/** @param {View} view @param {StabilityPicture} frame */
function show(view, frame) {
  if (frame.layer !== view.frame.layer) view.preview = null;
  view.frame = frame;
  const named = cloudNamed(frame.cloud);
  view.cloud = named ? ordered(named, frame) : null;
  view.layer = layerNamed(frame.layer) ?? null;
  view.beside.hidden = !frame.number.length;
  if (frame.number.length) fill(view);
  paint(view);
}

/** A button for each of the trees that change most.
 *  @param {View} view */
function fill(view) {
  const { frame, list, title } = view;
  title.textContent = `Trees that change most, ${frame.percent ? "in shares of the picture" : "on average over the picture"}`;
  view.items = Array.from(frame.number.subarray(0, MOST_LISTED), (_, place) => item(view, place));
  list.replaceChildren(...view.items);
}

/** @param {View} view @param {number} place */
function item(view, place) {
  const { frame } = view;
  const made = button("", `Show the tree ${nameOf(frame, place)}`);
  made.removeAttribute("aria-label"); // its own words say more
  made.className = "tool tree-item";
  const [name, change, root] = [element("span", "name"), element("span", "change"), element("span", "other")];
  name.textContent = nameOf(frame, place);
  change.textContent = briefly(frame, place);
  root.textContent = frame.root[place] ? "another first cut" : "";
  made.append(symbol(view, place), name, change, root);
  made.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") look(view, place); });
  made.addEventListener("pointerleave", () => look(view, null));
  made.addEventListener("focus", () => { if (made.matches(":focus-visible")) look(view, place); });
  made.addEventListener("blur", () => look(view, null));
  made.addEventListener("click", () => stay(view, place));
  return made;
}

/** The marker of the row that a tree is without.
 *  @param {View} view @param {number} place */
function symbol({ frame, cloud }, place) {
  const made = element("span", "symbol");
  const i = frame.each ? frame.tree.indexOf(place) : -1;
  if (i < 0 || !cloud) return made;
  const own = frame.classes?.[cloud.code[i]];
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "-8 -8 16 16");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", markPath(own ? own[2] : "circle", 6));
  path.setAttribute("fill", own ? own[1] : frame.scale?.[cloud.code[i]] ?? "");
  icon.append(path);
  made.append(icon);
  return made;
}

/** @param {View} view */
function paint(view) {
  const { frame, cloud, root, canvas, area, roots, layer } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const beside = width >= WIDE;
  root.classList.toggle("wide", beside);
  const own = beside ? Math.floor(PART * width) : width;
  const pen = penOf(canvas);
  pen.font = font(frame, 12);
  const scene = { ...frame, bare: true };
  const at = layout(own, scene, (text) => pen.measureText(text).width);
  at.spots = spots(at, cloud);
  view.at = at;
  size(canvas, at);
  area.style.width = `${own}px`;
  area.style.height = `${at.height}px`;
  repaint(view);
  if (layer && frame.number.length) fillRoots(roots, frame);
}

/** @param {View} view */
function repaint(view) {
  const { frame, canvas, at, cloud, layer, slider, root, items } = view;
  if (!at || !cloud) return;
  const place = lookedAt(view);
  const pen = penOf(canvas);
  pen.clearRect(0, 0, at.width, at.height);
  if (layer) drawPlane(pen, at, frame, layer, cloud, place);
  else draw(pen, at, { ...frame, bare: true }, cloud);
  if (frame.number.length) {
    const words = told(frame, place);
    write(view.told, words);
    slider.setAttribute("aria-valuemax", String(frame.number.length));
    slider.setAttribute("aria-valuenow", String(place + 1));
    slider.setAttribute("aria-valuetext", words);
    items.forEach((one, k) => {
      one.setAttribute("aria-pressed", String(k === stays(view)));
      one.classList.toggle("looked", k === place);
    });
  }
  root.dataset.tree = place < 0 ? "full" : String(frame.number[place]);
  root.dataset.trees = layer ? String(frame.number.length) : "";
  root.dataset.step = frame.stamp ?? "";
}

/** @param {View} view */
function svg(view) {
  const { at, frame, canvas, cloud, layer } = view;
  if (!at || !cloud || !layer) return "";
  const pen = new SvgPen(at.width, at.height, penOf(canvas));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, at.width, at.height);
  drawPlane(pen, at, frame, layer, cloud, lookedAt(view));
  return pen.text();
}
