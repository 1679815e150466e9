// Zoom and pan of the tree in its box, and the height of the box.
//
// Glossary
//   box     the element in which part of the tree is in sight
//   sheet   the element of the whole tree, which is scaled and moved inside the box
//   fit     to choose scale, position and height of the box for a tree

import { hasPageHeight, positionIn } from "../lib/dom.js";
import { showDetail } from "./detail.js";
import { rulerOf } from "./lettering.js";
import { mapOn } from "./map.js";

/** @import { NodePlace, Rect, Spot } from "../types.d.ts" */
/** @import { Room } from "./variants.js" */

/**
 * @typedef {object} TreeView
 * @property {number} scale  pixels of a unit; at scale 1 the text of the tree is 12 px high
 * @property {number} x  left end of the tree in the box, in pixels
 * @property {number} y  top of the tree in the box, in pixels
 * @property {{ w: number, h: number }} size  of the tree in its units
 * @property {Iterable<Rect & Partial<NodePlace>>} nodes  places of the nodes; part of a node is always in sight
 * @property {boolean} isManual  true once the user has zoomed or moved the tree
 * @property {boolean} isLow  true if the tree is laid out in low boxes
 * @property {number} fittedScale  scale at which the tree was fitted last
 * @property {boolean} wasDragged  true if the pointer moved since it went down: the next click chooses nothing
 *
 * @typedef {object} PanAndZoom
 * @property {(dx: number, dy: number) => void} pan
 * @property {(factor: number, x?: number, y?: number) => void} zoom
 */

const MAX_FITTED_SCALE = 1.1;
const MIN_FITTED_SCALE = 0.7; // unless the page sets the height: text of 12 units is then 8.4 px high
const ZOOM_STEP = 1.25;
const MAX_SCALE = 4; // of a user's zoom
const MIN_DRAG_PX = 4; // a shorter path of the pointer is a click
const TAG_ROOM = 10; // pixels for the tags under the lowest nodes, if the page sets the height
const HANDLE_ROOM = 14; // units for the handle under a node
const REVEAL_MARGIN = 8; // pixels between a revealed node and the edge of the box
const MIN_PX_IN_SIGHT = 120; // of some node
const FADE_PX = 20; // at an edge of the box beyond which the tree goes on
const MAX_PHONE_WIDTH = 520; // pixels
const HEIGHT_BOUNDS = { phone: [150, 380], desk: [190, 460] }; // least and largest pixels of the box

/** Create the view of a sheet in its box, and the functions that change the view.
 *  @param {HTMLElement} box @param {HTMLElement} sheet */
export function createViewer(box, sheet) {
  /** @type {TreeView} */
  const view = { scale: 1, x: 0, y: 0, size: { w: 1, h: 1 }, nodes: [], isManual: false, isLow: false, fittedScale: 1, wasDragged: false };
  /** Scale and nodes for which the details of the nodes were drawn last. @type {[scale: number, nodes: TreeView["nodes"]]} */
  let shownDetail = [0, []];
  /** Room measured last, with the least and the largest height of the box. @type {Room & { heights: number[] } | null} */
  let lastRoom = null;

  let boxSize = [0, 0]; // width and height of the box when they were measured last

  /** Show the view, with part of some node in sight. */
  function apply() {
    const { scale, size } = view;
    const [width, height] = isMeasured ? boxSize : [box.clientWidth, box.clientHeight];
    /** @param {number} start @param {number} length @param {number} room */
    const clamp = (start, length, room) => Math.min(Math.max(start, Math.min(0, room / 2 - length)), Math.max(room - length, room / 2));
    view.x = clamp(view.x, size.w * scale, width);
    view.y = clamp(view.y, size.h * scale, height);
    const [dx, dy] = shiftIntoSight(view, width, height);
    view.x += dx;
    view.y += dy;
    sheet.style.transform = `translate(${view.x}px, ${view.y}px) scale(${scale})`;
    if (shownDetail[0] !== scale || shownDetail[1] !== view.nodes) showDetail(box, view, measureRoom().unit, measureRoom().measure);
    shownDetail = [scale, view.nodes];
    map(width, height);
    box.classList.toggle("zoomed", view.isManual && scale > view.fittedScale * 1.05);
    const beyond = {
      left: -view.x, right: view.x + size.w * scale - width,
      top: -view.y, foot: view.y + size.h * scale - height,
    };
    for (const [side, length] of Object.entries(beyond)) box.style.setProperty(`--${side}`, `${length > 1 ? FADE_PX : 0}px`);
  }

  const resizeObserver = new ResizeObserver(() => { isMeasured = false; });
  let isMeasured = false; // true while the last measures hold: to measure again makes the browser lay out the page

  /** Measure the room again at its next use, since something has just changed the page. */
  function remeasure() {
    isMeasured = false;
  }

  /** Room that the tree is fitted into; while the tree is not in sight, the room measured last. */
  function measureRoom() {
    if (lastRoom && (isMeasured || !box.clientWidth)) return lastRoom;
    [isMeasured, boxSize] = [true, [box.clientWidth, box.clientHeight]];
    const root = box.parentElement;
    for (const element of root ? [root, ...root.children] : [box]) resizeObserver.observe(element); // elements that share the room of the box
    const [unit, heights] = [unitOf(box), heightsOf(box)];
    lastRoom = { w: box.clientWidth / unit, h: heights[1] / unit, heights, unit, measure: lastRoom?.measure ?? rulerOf(getComputedStyle(box).fontFamily) };
    return lastRoom;
  }

  /** Fit the tree into the box: the whole tree if `all` is true or the page sets the height of the box, else with
   *  readable text and with the place `anchor` in sight.
   *  @param {Rect} anchor @param {boolean} [all] */
  function fit(anchor, all = false) {
    const { size } = view;
    const { unit, heights: [minHeight, maxHeight] } = measureRoom();
    const width = isMeasured ? boxSize[0] : box.clientWidth;
    if (!width) return; // the tree is not in sight
    const isFixed = minHeight === maxHeight;
    const minScale = all || isFixed ? 0 : MIN_FITTED_SCALE;
    view.isManual = all && !isFixed;
    const freeHeight = isFixed && !view.isLow ? maxHeight - TAG_ROOM : maxHeight;
    const scale = Math.max(minScale * unit, Math.min(MAX_FITTED_SCALE * unit, width / size.w, freeHeight / size.h));
    const boxHeight = Math.min(Math.max(Math.ceil(size.h * scale), minHeight), maxHeight);
    if (box.style.height !== `${boxHeight}px`) {
      box.style.height = `${boxHeight}px`;
      remeasure();
    }
    view.scale = view.fittedScale = scale;
    view.x = fittedStart(size.w * scale, width, (anchor.x + anchor.w / 2) * scale);
    view.y = size.h * scale <= boxHeight ? 0 : fittedStart(size.h * scale, boxHeight, (anchor.y + anchor.h / 2) * scale);
    apply();
  }

  /** Move another tree in the box so that a node stays where it is on screen: its spot was `from` in the last tree
   *  and is `to` in this one.
   *  @param {Spot} from @param {Spot} to */
  function hold(from, to) {
    view.x += (from.x - to.x) * view.scale;
    view.y += (from.y - to.y) * view.scale;
    apply();
  }

  /** @type {PanAndZoom["zoom"]} */
  function zoom(factor, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const room = measureRoom();
    const minScale = Math.min(view.fittedScale, fittingScale(view.size, room, view.isLow) * room.unit); // at which the whole tree is in sight
    const scale = Math.min(Math.max(view.scale * factor, minScale), MAX_SCALE);
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    view.isManual = true;
    apply();
  }

  /** @type {PanAndZoom["pan"]} */
  function pan(dx, dy) {
    view.x += dx;
    view.y += dy;
    view.isManual = true;
    apply();
  }

  /** Move the tree just as far as needed to bring a place into sight.
   *  @param {Rect} place */
  function reveal({ x, y, w, h }) {
    /** @param {number} start @param {number} length @param {number} room */
    const shift = (start, length, room) => Math.max(REVEAL_MARGIN - start, 0) + Math.min(room - REVEAL_MARGIN - start - length, 0);
    const { size, scale } = view;
    /** @param {number} start @param {number} length @param {number} room */
    const isInside = (start, length, room) => start > -1 && start + length < room + 1; // the whole tree is in sight
    const [width, height] = isMeasured ? boxSize : [box.clientWidth, box.clientHeight];
    const dx = isInside(view.x, size.w * scale, width) ? 0 : shift(view.x + x * scale, w * scale, width);
    const dy = isInside(view.y, size.h * scale, height) ? 0 : shift(view.y + y * scale, (h + HANDLE_ROOM) * scale, height);
    view.x += dx;
    view.y += dy;
    if (dx || dy) apply();
  }

  const map = mapOn(box, view, pan);
  bindPointers(box, view, { pan, zoom });
  return { view, room: measureRoom, remeasure, fit, hold, reveal, zoomIn: () => zoom(ZOOM_STEP), zoomOut: () => zoom(1 / ZOOM_STEP) };
}

/** Pixels of a unit: larger than 1 if the type of the page is enlarged.
 *  @param {HTMLElement} box */
const unitOf = (box) => Number(getComputedStyle(box).getPropertyValue("--unit")) || 1;

/** Least and largest height of the box; they are equal if the page sets the height.
 *  @param {HTMLElement} box @returns {number[]} */
function heightsOf(box) {
  const root = box.parentElement;
  const pageHeight = root && hasPageHeight(root) ? root.clientHeight - box.offsetTop : 0;
  return pageHeight ? [pageHeight, pageHeight] : HEIGHT_BOUNDS[box.clientWidth < MAX_PHONE_WIDTH ? "phone" : "desk"];
}

/** Scale at which a whole tree fits into a room, both in units.
 *  @param {{ w: number, h: number }} size @param {Room} room @param {boolean} isLow */
export const fittingScale = ({ w, h }, room, isLow) => Math.min(room.w / w, (isLow ? room.h : room.h - TAG_ROOM) / h);

/** Shortest shift of the tree that brings part of some node into sight.
 *  @param {TreeView} view @param {number} width @param {number} height @returns {[dx: number, dy: number]} */
function shiftIntoSight({ x, y, scale, nodes }, width, height) {
  /** @param {number} start @param {number} length @param {number} room */
  const distance = (start, length, room) => {
    const minPart = Math.min(MIN_PX_IN_SIGHT, length);
    return Math.max(minPart - start - length, 0) + Math.min(room - minPart - start, 0);
  };
  /** @type {[number, number]} */
  let best = [Infinity, Infinity];
  for (const node of nodes) {
    const dx = distance(x + node.x * scale, node.w * scale, width);
    const dy = distance(y + node.y * scale, node.h * scale, height);
    if (Math.hypot(dx, dy) < Math.hypot(...best)) best = [dx, dy];
    if (!dx && !dy) break;
  }
  return best[0] === Infinity ? [0, 0] : best;
}

/** Left or top of a tree in the box, from its length and that of the box: centred if the tree is shorter, else with
 *  the anchor near the middle.
 *  @param {number} length @param {number} room @param {number} anchor */
function fittedStart(length, room, anchor) {
  if (length <= room) return (room - length) / 2;
  return Math.min(0, Math.max(room - length, room / 2 - anchor));
}

/** Let wheel, mouse and fingers move and zoom the tree. The wheel without a key scrolls the page, and so does one
 *  finger up and down.
 *  @param {HTMLElement} box @param {TreeView} view @param {PanAndZoom} panAndZoom */
function bindPointers(box, view, { pan, zoom }) {
  /** Last spots of pressed pointers by their ids, each with the pixels of its path. @type {Map<number, Spot & { path: number }>} */
  const fingers = new Map();
  /** @param {Spot} spot */
  const spotInBox = ({ x, y }) => positionIn(box, { clientX: x, clientY: y });

  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(-event.deltaY / 300), ...positionIn(box, event));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && view.size.w * view.scale > box.clientWidth) {
      pan(-event.deltaX, 0);
    } else return;
    event.preventDefault();
  }, { passive: false });

  // Two fingers zoom: without this the browser takes the first of them to scroll.
  for (const name of /** @type {const} */ (["touchstart", "touchmove"])) {
    box.addEventListener(name, (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  }

  /** Drag the tree. A finger drags a tree that is not zoomed in only sideways: up and down it scrolls the page.
   *  @param {PointerEvent} event @param {number} dx @param {number} dy */
  const drag = ({ pointerType }, dx, dy) => {
    if (pointerType !== "touch" || box.classList.contains("zoomed")) pan(dx, dy);
    else if (Math.abs(dx) > Math.abs(dy)) pan(dx, 0);
  };

  box.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    if (!fingers.size) view.wasDragged = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, path: 0 });
  });
  box.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const to = { x: event.clientX, y: event.clientY };
    const otherFinger = [...fingers.values()].find((candidate) => candidate !== finger);
    if (otherFinger) {
      const [distanceBefore, distanceAfter] = [finger, to].map(({ x, y }) => Math.hypot(x - otherFinger.x, y - otherFinger.y));
      if (distanceBefore > 0) zoom(distanceAfter / distanceBefore, ...spotInBox(otherFinger));
    } else if (finger.path > MIN_DRAG_PX) drag(event, to.x - finger.x, to.y - finger.y);
    finger.path += Math.hypot(to.x - finger.x, to.y - finger.y);
    Object.assign(finger, to);
    if (finger.path <= MIN_DRAG_PX) return;
    view.wasDragged = true;
    if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    box.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }
}
