// The pad: a plane to draw points on, by pointer, finger or keys.
//
// Glossary
//   frame     the points as Python has them, the palette, and whether there is more to undo or redo
//   sync      the rows shown and the events on their way to Python, see sync.js
//   draft     the change of a gesture that is not finished; the draft is drawn but not sent
//   cross     the crosshair that the arrow keys move; `carriedRow` is the row that moves with it

import { element, penOf } from "../lib/dom.js";
import { announce, changeRows, chooseValue, currentDrawing, putDown, stepHistory } from "./actions.js";
import { createToolbar } from "./toolbar.js";
import { areaOf, draw, pageColours, showArrows } from "./draw.js";
import { bindKeys, bindPointer } from "./steer.js";
import { Sync } from "./sync.js";
import { TOOLS } from "./tools.js";
import { extendView, fitView, HOME } from "./view.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { PadFrame } from "./sync.js" */
/** @import { Toolbar } from "./toolbar.js" */
/** @import { Drag, Row, RowChange, Tool } from "./tools.js" */
/** @import { Area, PadView, XY } from "./view.js" */

const HELP = "Arrow keys move a crosshair, with Shift further. Enter uses the tool, Delete erases "
  + "the nearest point, M picks it up and puts it down, digits choose, Ctrl+Z undoes.";

/**
 * @typedef {ReturnType<typeof build> & PadFields} PadState
 *
 * @typedef {object} PadFields
 * @property {HTMLElement} root
 * @property {Host<PadFrame>} host
 * @property {Sync} sync
 * @property {PadFrame} frame
 * @property {number | null} handledFit  the last `fit` of a frame, the number of calls to show all rows, that the view has followed
 * @property {PadView} view
 * @property {Area} area
 * @property {Tool} tool
 * @property {number} choice  the index of the chosen value on the palette
 * @property {XY | null} cross
 * @property {Row | null} carriedRow
 * @property {Drag & { pointerId: number } | null} drag
 * @property {XY | null} hoverPixel  the pixel under the pointer; null for a finger
 * @property {RowChange[]} draft
 * @property {number} wait  ms until the next change is sent
 * @property {() => void} paint  paints the pad in the next animation frame
 */

/** Create the pad of a host.
 *  @param {HTMLElement} root @param {Host<PadFrame>} host */
export function create(root, host) {
  let animationRequest = 0; // its id, 0 for none
  /** @type {PadState} */
  const pad = {
    root, host, sync: new Sync(host), frame: host.frame, handledFit: null, view: HOME, area: areaOf(400, 400),
    tool: "add", choice: 0, cross: null, carriedRow: null, drag: null, hoverPixel: null, draft: [], wait: 0, ...build(root),
    paint() {
      animationRequest ||= requestAnimationFrame(() => {
        animationRequest = 0;
        paint(pad, buttons);
      });
    },
  };
  const buttons = createPadToolbar(pad);
  root.prepend(buttons.element);
  bindPointer(pad);
  bindKeys(pad);
  new ResizeObserver(pad.paint).observe(pad.surface);
  host.onFrame((frame) => show(pad, frame));
}

/** @param {PadState} pad @returns {Toolbar} */
function createPadToolbar(pad) {
  const { sync } = pad;
  return createToolbar(TOOLS, {
    chooseTool: (tool) => {
      putDown(pad);
      pad.tool = tool;
      pad.paint();
    },
    chooseValue: (index) => chooseValue(pad, index),
    undo: () => stepHistory(pad, "undo"),
    redo: () => stepHistory(pad, "redo"),
    clear: () => changeRows(pad, sync.rows.map((row) => [row, null]), "all points are gone"),
    fit: () => {
      pad.view = fitView(sync.rows);
      announce(pad, "all points are shown");
      pad.paint();
    },
  });
}

/** Show a frame.
 *  @param {PadState} pad @param {PadFrame} frame */
function show(pad, frame) {
  const hasNewTarget = pad.frame.target !== frame.target;
  pad.frame = frame;
  const hasNewRows = pad.sync.receive(frame);
  if (hasNewRows && !pad.sync.rows.length) pad.view = HOME;
  if (hasNewTarget || pad.choice >= frame.palette.length) pad.choice = 0;
  if (pad.handledFit !== frame.fit) pad.view = fitView(pad.sync.rows);
  pad.handledFit = frame.fit;
  pad.paint();
}

/** @param {PadState} pad @param {Toolbar} buttons */
function paint(pad, buttons) {
  const { sync, frame } = pad;
  resize(pad);
  const drawing = currentDrawing(pad);
  draw(pad.ctx, drawing, pageColours(pad.host));
  showArrows(pad.field, { ...drawing, rows: sync.rows }, (rows) => {
    pad.view = extendView(pad.view, rows);
    pad.surface.focus();
    pad.paint();
  });
  buttons.update({
    ...drawing,
    canUndo: frame.can_undo || sync.past.length > 0,
    canRedo: frame.can_redo || sync.future.length > 0,
  });
}

/** Give the canvas its size on the page, with as many pixels as the screen has there.
 *  @param {PadState} pad */
function resize(pad) {
  const { clientWidth: width, clientHeight: height } = pad.surface;
  const ratio = window.devicePixelRatio || 1;
  const { canvas } = pad.ctx;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  pad.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  pad.area = areaOf(width, height);
}

/** Build the elements of a pad.
 *  @param {HTMLElement} root */
function build(root) {
  const field = element("div", "pad-field");
  field.innerHTML = `<div class="pad-surface" tabindex="0" role="application" aria-label="Drawing pad"
    aria-describedby="pad-help"><canvas aria-hidden="true"></canvas></div>
    <p class="heard" id="pad-help">${HELP}</p><p class="heard" role="status" aria-live="polite"></p>`;
  root.append(field);
  /** @param {string} selector */
  const part = (selector) => /** @type {HTMLElement} */ (field.querySelector(selector));
  return {
    field,
    surface: part(".pad-surface"),
    announcer: part("[role=status]"),
    ctx: penOf(/** @type {HTMLCanvasElement} */ (part("canvas"))),
  };
}
