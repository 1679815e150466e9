// Picture of the regions of a tree with a point x to move: the region that holds x, and f(x).
//
// Glossary
//   probe   the point x, in values of the axes
//   box     a leaf: the number of its region, its prediction, its rule in words

import { blank, clear, size } from "../draw/canvas.js";
import { drawCircle, drawRim, textWidth } from "../draw/marks.js";
import { cloudNamed } from "../lib/cloud.js";
import { element, penOf, positionIn } from "../lib/dom.js";
import { fillHoles, createFormula } from "../lib/formula.js";
import { number } from "../lib/format.js";
import { hear } from "../lib/link.js";
import { draw } from "../stage/draw.js";
import { layoutOf } from "../stage/layout.js";
import { orderCategories, spots } from "../stage/points.js";
import { ringContains } from "../stage/rings.js";

/** @import { FrameAxis } from "../frames.d.ts" */
/** @import { Host } from "../lib/channel.js" */
/** @import { PlanePoint, Layout, FrameOf, Points } from "../types.d.ts" */

/**
 * @typedef {FrameOf<"regions">} RegionsFrame
 * @typedef {RegionsFrame & { family: string }} RegionsScene
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, frame: RegionsScene, cloud: Points | null, plot: Layout | null, probe: PlanePoint,
 * }} RegionsView
 */

const [STEP_SHARE, LARGE_STEP_SHARE] = [0.02, 0.1]; // of a range, for an arrow key without and with Shift

/** @param {HTMLElement} root @param {Host<RegionsFrame>} host */
export function create(root, host) {
  /** @type {RegionsView} */
  const view = { root, frame: sceneOf(host.frame, root), cloud: null, plot: null, probe: [0, 0], ...build(root) };
  view.probe = [middle(view.frame.across), middle(view.frame.up)];
  steer(view);
  new ResizeObserver(() => paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame.cloud === name && !view.cloud) show(view);
  }, root);
  host.onFrame((frame) => {
    const scene = sceneOf(frame, root);
    if (scene.cloud !== view.frame.cloud) view.probe = [middle(scene.across), middle(scene.up)];
    view.frame = scene;
    show(view);
  });
}

/** @param {RegionsFrame} frame @param {HTMLElement} root @returns {RegionsScene} */
const sceneOf = (frame, root) => ({ ...frame, family: getComputedStyle(root).fontFamily });

/** @param {FrameAxis} axis */
const middle = ({ low, high }) => low / 2 + high / 2;

/** @param {HTMLElement} root */
function build(root) {
  const formulaView = createFormula();
  const parts = {
    area: element("div", "area"), still: element("canvas", "still"), moving: element("canvas", "moving"),
    slider: element("div", "slider"), where: element("div", "told"), worked: formulaView,
  };
  parts.slider.tabIndex = 0;
  parts.slider.setAttribute("role", "slider");
  parts.slider.setAttribute("aria-label", "A point x among the regions; the arrow keys move it");
  parts.slider.setAttribute("aria-valuemin", "1");
  for (const canvas of [parts.still, parts.moving]) canvas.setAttribute("aria-hidden", "true");
  parts.area.append(parts.still, parts.moving, parts.slider);
  root.append(parts.area, formulaView.element, parts.where);
  return parts;
}

// --- input ----------------------------------------------------------------------------------------

/** @param {RegionsView} view */
function steer(view) {
  const { slider, area } = view;
  let isHeld = false;
  /** @param {PointerEvent} event */
  const follow = (event) => {
    if (!view.plot) return;
    const [x, y] = positionIn(area, event);
    move(view, [view.plot.X.invert(x), view.plot.Y.invert(y)]);
  };
  slider.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    isHeld = true;
    slider.setPointerCapture(event.pointerId);
    event.preventDefault();
    slider.focus({ preventScroll: true, focusVisible: false });
    follow(event);
  });
  slider.addEventListener("pointermove", (event) => { if (isHeld) follow(event); });
  slider.addEventListener("pointerup", () => { isHeld = false; });
  slider.addEventListener("pointercancel", () => { isHeld = false; });
  slider.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const direction = directionOf(key);
    if (!direction || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { across, up } = view.frame;
    const distance = shiftKey ? LARGE_STEP_SHARE : STEP_SHARE;
    move(view, [view.probe[0] + direction[0] * distance * (across.high - across.low), view.probe[1] + direction[1] * distance * (up.high - up.low)]);
  });
}

/** @param {string} key @returns {PlanePoint | undefined} */
function directionOf(key) {
  /** @type {Record<string, PlanePoint>} */
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  return directions[key];
}

/** @param {RegionsView} view @param {PlanePoint} probe */
function move(view, [x, y]) {
  const { across, up } = view.frame;
  view.probe = [clamp(x, across), clamp(y, up)];
  repaint(view);
}

/** @param {number} value @param {FrameAxis} axis */
const clamp = (value, { low, high }) => Math.max(low, Math.min(high, value));

// --- drawing --------------------------------------------------------------------------------------

/** @param {RegionsView} view */
function show(view) {
  const cloud = cloudNamed(view.frame.cloud);
  view.cloud = cloud ? orderCategories(cloud, view.frame) : null;
  paint(view);
}

/** @param {RegionsView} view */
function paint(view) {
  const { frame, cloud, root, still, area, moving, slider } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const plot = layoutOf(width, frame, textWidth(penOf(still), frame));
  plot.spots = spots(plot, cloud);
  view.plot = plot;
  draw(blank(still, plot), plot, frame, cloud);
  size(moving, plot);
  area.style.height = `${plot.height}px`;
  const { x, y, w, h } = plot.plane;
  Object.assign(slider.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  repaint(view);
}

/** @param {RegionsView} view */
function repaint(view) {
  const { frame, plot, probe, root, slider, where, worked } = view;
  if (!plot) return;
  const [x, y] = [plot.X(probe[0]), plot.Y(probe[1])];
  const node = leafUnder(plot, frame, x, y);
  drawProbe(view, plot, node, x, y);
  const box = frame.boxes.find((candidate) => candidate.node === node);
  worked.show(box ? fillHoles(frame.formula, { x: probeText(view), ...box, region: String(box.region) }) : "");
  where.textContent = box ? box.rule : "No region drawn here holds x.";
  slider.setAttribute("aria-valuemax", String(frame.boxes.length));
  slider.setAttribute("aria-valuenow", String(box?.region ?? 1));
  slider.setAttribute("aria-valuetext", where.textContent);
  root.dataset.region = String(box?.region ?? "");
}

/** Leaf whose region ringContains a pixel, or null.
 *  @param {Layout} plot @param {RegionsFrame} frame @param {number} x @param {number} y */
function leafUnder({ rings }, { fills }, x, y) {
  for (const [node, ring] of rings) if (fills[node] !== undefined && ringContains(ring, x, y)) return node;
  return null;
}

/** Coordinates of x if both axes have plain numbers, else its name.
 *  @param {RegionsView} view */
function probeText({ frame: { across, up, form, has_more_features: hasMore }, probe }) {
  const isPlain = [across, up].every(({ lanes, clock }) => !lanes && !clock);
  if (!isPlain) return "x";
  const texts = (form === "plane" ? probe : probe.slice(0, 1)).map((value) => number(value, 3));
  return [...texts, ...(hasMore ? ["\\dots"] : [])].join(", \\ ");
}

/** Draw x and the outline of the region that ringContains it.
 *  @param {RegionsView} view @param {Layout} plot @param {string | null} node @param {number} x @param {number} y */
function drawProbe({ frame: { colours }, moving }, plot, node, x, y) {
  const pen = clear(moving);
  const ring = node === null ? undefined : plot.rings.get(node);
  if (ring) drawRim(pen, ring, { stroke: colours.accent, width: 2.5 });
  drawCircle(pen, x, y, 7, { fill: colours.accent, stroke: colours.paper, width: 2 });
}
