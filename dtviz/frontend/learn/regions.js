// The regions of a tree and a point x that a hand moves: which region holds it, and what f(x) is.
//
// Glossary
//   probe   the point x, as a place on the plane in values
//   box     a leaf: the number of its region, what it says, its rule in words

import { cloud as cloudNamed } from "../lib/cloud.js";
import { element, penOf, placeIn } from "../lib/dom.js";
import { filled, formula } from "../lib/formula.js";
import { number } from "../lib/format.js";
import { hear } from "../lib/link.js";
import { draw } from "../stage/draw.js";
import { layoutOf } from "../stage/layout.js";
import { font, size } from "../stage/paint.js";
import { orderCategories, spots } from "../stage/points.js";
import { ringContains, outline } from "../stage/rings.js";

/** @import { FrameAxis } from "../frames.d.ts" */
/** @import { Host } from "../lib/channel.js" */
/** @import { Corner, Layout, Of, Points } from "../types.d.ts" */

/**
 * @typedef {Of<"regions">} Frame
 * @typedef {Frame & { family: string }} Scene
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, frame: Scene, cloud: Points | null, at: Layout | null, probe: Corner,
 * }} View
 */

const [STEP, FAR] = [0.02, 0.1]; // of a range, by an arrow key

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {View} */
  const view = { root, frame: sceneOf(host.frame, root), cloud: null, at: null, probe: [0, 0], ...build(root) };
  view.probe = [middle(view.frame.across), middle(view.frame.up)];
  steer(view);
  new ResizeObserver(() => paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame.cloud === name && !view.cloud) show(view);
  }, root);
  host.onFrame((frame) => {
    const own = sceneOf(frame, root);
    if (own.cloud !== view.frame.cloud) view.probe = [middle(own.across), middle(own.up)];
    view.frame = own;
    show(view);
  });
}

/** @param {Frame} frame @param {HTMLElement} root @returns {Scene} */
const sceneOf = (frame, root) => ({ ...frame, family: getComputedStyle(root).fontFamily });

/** @param {FrameAxis} axis */
const middle = ({ low, high }) => low / 2 + high / 2;

/** @param {HTMLElement} root */
function build(root) {
  const own = formula();
  const made = {
    area: element("div", "area"), still: element("canvas", "still"), moving: element("canvas", "moving"),
    slider: element("div", "slider"), where: element("div", "told"), worked: own,
  };
  made.slider.tabIndex = 0;
  made.slider.setAttribute("role", "slider");
  made.slider.setAttribute("aria-label", "A point x among the regions; the arrow keys move it");
  made.slider.setAttribute("aria-valuemin", "1");
  for (const canvas of [made.still, made.moving]) canvas.setAttribute("aria-hidden", "true");
  made.area.append(made.still, made.moving, made.slider);
  root.append(made.area, own.element, made.where);
  return made;
}

// --- the hand -------------------------------------------------------------------------------------

/** @param {View} view */
function steer(view) {
  const { slider, area } = view;
  let held = false;
  /** @param {PointerEvent} event */
  const follow = (event) => {
    if (!view.at) return;
    const [x, y] = placeIn(area, event);
    const { plane } = view.at;
    const { across, up } = view.frame;
    move(view, [
      across.low + ((x - plane.x) / plane.w) * (across.high - across.low),
      up.high - ((y - plane.y) / plane.h) * (up.high - up.low),
    ]);
  };
  slider.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    held = true;
    slider.setPointerCapture(event.pointerId);
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false });
    follow(event);
  });
  slider.addEventListener("pointermove", (event) => { if (held) follow(event); });
  slider.addEventListener("pointerup", () => { held = false; });
  slider.addEventListener("pointercancel", () => { held = false; });
  slider.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const by = stepOf(key);
    if (!by || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { across, up } = view.frame;
    const far = shiftKey ? FAR : STEP;
    move(view, [view.probe[0] + by[0] * far * (across.high - across.low), view.probe[1] + by[1] * far * (up.high - up.low)]);
  });
}

/** @param {string} key @returns {Corner | undefined} */
function stepOf(key) {
  /** @type {Record<string, Corner>} */
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  return steps[key];
}

/** @param {View} view @param {Corner} probe */
function move(view, [x, y]) {
  const { across, up } = view.frame;
  view.probe = [bounded(x, across), bounded(y, up)];
  repaint(view);
}

/** @param {number} value @param {FrameAxis} axis */
const bounded = (value, { low, high }) => Math.max(low, Math.min(high, value));

// --- drawing --------------------------------------------------------------------------------------

/** @param {View} view */
function show(view) {
  const cloud = cloudNamed(view.frame.cloud);
  view.cloud = cloud ? orderCategories(cloud, view.frame) : null;
  paint(view);
}

/** @param {View} view */
function paint(view) {
  const { frame, cloud, root, still, area, moving, slider } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const measure = penOf(still);
  measure.font = font(frame, 12);
  const at = layoutOf(width, frame, (text) => measure.measureText(text).width);
  at.spots = spots(at, cloud);
  view.at = at;
  const pen = size(still, at);
  pen.clearRect(0, 0, at.width, at.height);
  draw(pen, at, frame, cloud);
  size(moving, at);
  area.style.height = `${at.height}px`;
  const { x, y, w, h } = at.plane;
  Object.assign(slider.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  repaint(view);
}

/** @param {View} view */
function repaint(view) {
  const { frame, at, probe, root, slider, where, worked } = view;
  if (!at) return;
  const [x, y] = [at.X(probe[0]), at.Y(probe[1])];
  const node = holder(at, frame, x, y);
  cross(view, at, node, x, y);
  const box = frame.boxes.find((one) => one.node === node);
  worked.show(box ? filled(frame.formula, { x: xOf(view), ...box, region: String(box.region) }) : "");
  where.textContent = box ? box.where : "No region drawn here holds x.";
  slider.setAttribute("aria-valuemax", String(frame.boxes.length));
  slider.setAttribute("aria-valuenow", String(box?.region ?? 1));
  slider.setAttribute("aria-valuetext", where.textContent);
  root.dataset.region = String(box?.region ?? "");
}

/** The leaf whose region holds a pixel, or null.
 *  @param {Layout} at @param {Frame} frame @param {number} x @param {number} y */
function holder({ rings }, { fills }, x, y) {
  for (const [node, ring] of rings) if (fills[node] !== undefined && ringContains(ring, x, y)) return node;
  return null;
}

/** The coordinates of x, where both axes have plain numbers; its name alone where not.
 *  @param {View} view */
function xOf({ frame: { across, up, form, more }, probe }) {
  const plain = [across, up].every(({ lanes, clock }) => !lanes && !clock);
  if (!plain) return "x";
  const shown = (form === "plane" ? probe : probe.slice(0, 1)).map((value) => number(value, 3));
  return [...shown, ...(more ? ["\\dots"] : [])].join(", \\ ");
}

/** The region that holds x outlined, and x.
 *  @param {View} view @param {Layout} at @param {string | null} node @param {number} x @param {number} y */
function cross({ frame: { colours }, moving }, at, node, x, y) {
  const pen = penOf(moving);
  pen.clearRect(0, 0, at.width, at.height);
  const ring = node === null ? undefined : at.rings.get(node);
  pen.setLineDash([]);
  pen.strokeStyle = colours.accent;
  pen.lineWidth = 2.5;
  if (ring) outline(pen, ring);
  pen.beginPath();
  pen.arc(x, y, 7, 0, 2 * Math.PI);
  pen.fillStyle = colours.accent;
  pen.fill();
  pen.strokeStyle = colours.paper;
  pen.lineWidth = 2;
  pen.stroke();
}
