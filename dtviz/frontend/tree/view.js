// Zoom and pan of the tree, and the height it takes.
//
// Glossary
//   size    the tree's own size in its units; at scale 1 its text is 12 px high
//   view    scale and the place of the tree in the frame, in pixels; `own` once the user chose it
//   nodes   where the nodes stand in the tree: one of them always stays in sight
//   fitted  the scale at which it was fitted last

import { hasPageHeight, placeIn } from "../lib/dom.js";
import { show } from "./detail.js";
import { rulerOf } from "./lettering.js";
import { mapOn } from "./map.js";

/** @import { Place, Rect, Spot } from "../types.d.ts" */
/** @import { Room } from "./looks.js" */

/**
 * @typedef {object} View
 * @property {number} scale
 * @property {number} x
 * @property {number} y
 * @property {{ w: number, h: number }} size
 * @property {Iterable<Rect & Partial<Place>>} nodes
 * @property {boolean} own
 * @property {boolean} low  laid out in low boxes
 * @property {number} fitted
 * @property {boolean} dragged  since the pointer went down: the click that follows is none
 *
 * @typedef {object} Moves
 * @property {(dx: number, dy: number) => void} pan
 * @property {(factor: number, x?: number, y?: number) => void} zoom
 */

const NATURAL = 1.1; // never larger than this when fitted
const READABLE = 0.7; // nor smaller, unless the page gives the height: 12 units of text are then 8.4 px
const STEP = 1.25;
const FOOT = 10; // pixels for the tags under the lowest nodes, where the page gives the height
const EDGE = 8; // pixels between what is revealed and the rim
const PART = 120; // pixels of a node that is in sight
const FADE = 20; // pixels in which the tree fades where it goes on beyond the rim
const PHONE = 520;
const HIGH = { phone: [150, 380], desk: [190, 460] };

/** The view of a sheet in its box, and what moves it.
 *  @param {HTMLElement} box @param {HTMLElement} sheet */
export function viewer(box, sheet) {
  /** @type {View} */
  const view = { scale: 1, x: 0, y: 0, size: { w: 1, h: 1 }, nodes: [], own: false, low: false, fitted: 1, dragged: false };
  /** @type {[scale: number, nodes: View["nodes"]]} */
  let told = [0, []];
  /** @type {Room & { heights: number[] } | null} */
  let seen = null;

  let inside = [0, 0]; // how wide and high the box was when that was read last

  function apply() {
    const { scale, size } = view;
    const [wide, high] = isNow ? inside : [box.clientWidth, box.clientHeight];
    /** @param {number} at @param {number} length @param {number} room */
    const keep = (at, length, room) => Math.min(Math.max(at, Math.min(0, room / 2 - length)), Math.max(room - length, room / 2));
    view.x = keep(view.x, size.w * scale, wide);
    view.y = keep(view.y, size.h * scale, high);
    const [dx, dy] = toNearest(view, wide, high);
    view.x += dx;
    view.y += dy;
    sheet.style.transform = `translate(${view.x}px, ${view.y}px) scale(${scale})`;
    if (told[0] !== scale || told[1] !== view.nodes) show(box, view, roomNow().unit, roomNow().wide);
    told = [scale, view.nodes];
    map(wide, high);
    box.classList.toggle("zoomed", view.own && scale > view.fitted * 1.05);
    const beyond = {
      left: -view.x, right: view.x + size.w * scale - wide,
      top: -view.y, foot: view.y + size.h * scale - high,
    };
    for (const [side, length] of Object.entries(beyond)) box.style.setProperty(`--${side}`, `${length > 1 ? FADE : 0}px`);
  }

  const resized = new ResizeObserver(() => { isNow = false; });
  let isNow = false; // whether all is still as it was measured: to measure once more lays the page out

  /** Have all measured again: something was just done that changes it. */
  function changed() {
    isNow = false;
  }

  /** What a tree is fitted into; while it is not in sight, what it was. */
  function roomNow() {
    if (seen && (isNow || !box.clientWidth)) return seen;
    [isNow, inside] = [true, [box.clientWidth, box.clientHeight]];
    const root = box.parentElement;
    for (const one of root ? [root, ...root.children] : [box]) resized.observe(one); // these share its room
    const [unit, heights] = [unitOf(box), heightsOf(box)];
    seen = { w: box.clientWidth / unit, h: heights[1] / unit, heights, unit, wide: seen?.wide ?? rulerOf(getComputedStyle(box).fontFamily) };
    return seen;
  }

  /** Fit the tree into the box: all of it where the page gives the height or it is asked for, else
   *  text stays readable and `anchor` is shown.
   *  @param {Rect} anchor @param {boolean} [all] */
  function fit(anchor, all = false) {
    const { size } = view;
    const { unit, heights: [low, high] } = roomNow();
    const wide = isNow ? inside[0] : box.clientWidth;
    if (!wide) return; // it is not in sight
    const isGiven = low === high;
    const least = all || isGiven ? 0 : READABLE;
    view.own = all && !isGiven;
    const free = isGiven && !view.low ? high - FOOT : high;
    const scale = Math.max(least * unit, Math.min(NATURAL * unit, wide / size.w, free / size.h));
    const tall = Math.min(Math.max(Math.ceil(size.h * scale), low), high);
    if (box.style.height !== `${tall}px`) {
      box.style.height = `${tall}px`;
      changed();
    }
    view.scale = view.fitted = scale;
    view.x = placed(size.w * scale, wide, (anchor.x + anchor.w / 2) * scale);
    view.y = size.h * scale <= tall ? 0 : placed(size.h * scale, tall, (anchor.y + anchor.h / 2) * scale);
    apply();
  }

  /** Another tree in the same view: what stood at `from` now stands at `to`, and is not moved.
   *  @param {Spot} from @param {Spot} to */
  function hold(from, to) {
    view.x += (from.x - to.x) * view.scale;
    view.y += (from.y - to.y) * view.scale;
    apply();
  }

  /** @type {Moves["zoom"]} */
  function zoom(factor, x = box.clientWidth / 2, y = box.clientHeight / 2) {
    const room = roomNow();
    const least = Math.min(view.fitted, scaleIn(view.size, room, view.low) * room.unit); // all is seen
    const scale = Math.min(Math.max(view.scale * factor, least), 4);
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    view.own = true;
    apply();
  }

  /** @type {Moves["pan"]} */
  function pan(dx, dy) {
    view.x += dx;
    view.y += dy;
    view.own = true;
    apply();
  }

  /** Move just as far as it takes to have a place in sight.
   *  @param {Rect} place */
  function reveal({ x, y, w, h }) {
    /** @param {number} low @param {number} length @param {number} room */
    const shift = (low, length, room) => Math.max(EDGE - low, 0) + Math.min(room - EDGE - low - length, 0);
    const { size, scale } = view;
    /** @param {number} low @param {number} length @param {number} room */
    const whole = (low, length, room) => low > -1 && low + length < room + 1; // nothing is out of sight
    const [wide, high] = isNow ? inside : [box.clientWidth, box.clientHeight];
    const dx = whole(view.x, size.w * scale, wide) ? 0 : shift(view.x + x * scale, w * scale, wide);
    const dy = whole(view.y, size.h * scale, high) ? 0 : shift(view.y + y * scale, (h + 14) * scale, high);
    view.x += dx;
    view.y += dy;
    if (dx || dy) apply();
  }

  const map = mapOn(box, view, pan);
  drags(box, view, { pan, zoom });
  return { view, room: roomNow, changed, fit, hold, reveal, larger: () => zoom(STEP), smaller: () => zoom(1 / STEP) };
}

/** How large the page's type is.
 *  @param {HTMLElement} box */
const unitOf = (box) => Number(getComputedStyle(box).getPropertyValue("--unit")) || 1;

/** The least and the most height of the box; both the same where the page gives it.
 *  @param {HTMLElement} box @returns {number[]} */
function heightsOf(box) {
  const root = box.parentElement;
  const given = root && hasPageHeight(root) ? root.clientHeight - box.offsetTop : 0;
  return given ? [given, given] : HIGH[box.clientWidth < PHONE ? "phone" : "desk"];
}

/** How large all of a picture can be seen in a room, in its units.
 *  @param {{ w: number, h: number }} size @param {Room} room @param {boolean} low */
export const scaleIn = ({ w, h }, room, low) => Math.min(room.w / w, (low ? room.h : room.h - FOOT) / h);

/** The least way that the tree has to go until a part of some node is in sight.
 *  @param {View} view @param {number} wide @param {number} high @returns {[dx: number, dy: number]} */
function toNearest({ x, y, scale, nodes }, wide, high) {
  /** @param {number} low @param {number} length @param {number} room */
  const away = (low, length, room) => {
    const part = Math.min(PART, length);
    return Math.max(part - low - length, 0) + Math.min(room - part - low, 0);
  };
  /** @type {[number, number]} */
  let best = [Infinity, Infinity];
  for (const one of nodes) {
    const dx = away(x + one.x * scale, one.w * scale, wide);
    const dy = away(y + one.y * scale, one.h * scale, high);
    if (Math.hypot(dx, dy) < Math.hypot(...best)) best = [dx, dy];
    if (!dx && !dy) break;
  }
  return best[0] === Infinity ? [0, 0] : best;
}

/** Where a length starts in a room: in its middle, or so that the anchor is seen.
 *  @param {number} length @param {number} room @param {number} anchor */
function placed(length, room, anchor) {
  if (length <= room) return (room - length) / 2;
  return Math.min(0, Math.max(room - length, room / 2 - anchor));
}

/** Bind wheel, mouse and fingers. The wheel alone scrolls the page, and so does one finger.
 *  @param {HTMLElement} box @param {View} view @param {Moves} moves */
function drags(box, view, { pan, zoom }) {
  /** @type {Map<number, Spot & { far: number }>} */
  const fingers = new Map();
  /** @param {Spot} given */
  const inside = ({ x, y }) => placeIn(box, { clientX: x, clientY: y });

  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(-event.deltaY / 300), ...placeIn(box, event));
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && view.size.w * view.scale > box.clientWidth) {
      pan(-event.deltaX, 0);
    } else return;
    event.preventDefault();
  }, { passive: false });

  // Two fingers are ours: else the browser takes the first of them to scroll.
  for (const name of /** @type {const} */ (["touchstart", "touchmove"])) {
    box.addEventListener(name, (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  }

  /** A finger moves a tree that is not zoomed in sideways only: up and down it scrolls the page.
   *  @param {PointerEvent} event @param {number} dx @param {number} dy */
  const drag = ({ pointerType }, dx, dy) => {
    if (pointerType !== "touch" || box.classList.contains("zoomed")) pan(dx, dy);
    else if (Math.abs(dx) > Math.abs(dy)) pan(dx, 0);
  };

  box.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    if (!fingers.size) view.dragged = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, far: 0 });
  });
  box.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const to = { x: event.clientX, y: event.clientY };
    const other = [...fingers.values()].find((one) => one !== finger);
    if (other) {
      const [before, after] = [finger, to].map(({ x, y }) => Math.hypot(x - other.x, y - other.y));
      if (before > 0) zoom(after / before, ...inside(other));
    } else if (finger.far > 4) drag(event, to.x - finger.x, to.y - finger.y);
    finger.far += Math.hypot(to.x - finger.x, to.y - finger.y);
    Object.assign(finger, to);
    if (finger.far <= 4) return;
    view.dragged = true; // the click that follows is none
    if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    box.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }
}
