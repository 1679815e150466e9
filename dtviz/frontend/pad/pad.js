// The pad: a plane to draw points on, by pointer, finger or keys.
//
// Glossary
//   frame     the points as Python has them, the palette, whether there is more to undo
//   sync      the rows shown and the steps on their way to Python, see sync.js
//   draft     the change of a gesture that is not finished; it is drawn but not sent
//   cross     the crosshair of the keys; carried, the row it drags along

import { element, penOf } from "../lib/dom.js";
import { changeRows, chooseValue, putDown, currentDrawing, announce, stepHistory } from "./actions.js";
import { toolbar } from "./toolbar.js";
import { areaOf, showArrows, draw, pageColours } from "./draw.js";
import { bindKeys, bindPointer } from "./steer.js";
import { Sync } from "./sync.js";
import { TOOLS } from "./tools.js";
import { fitView, extendView, HOME } from "./view.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Of } from "../types.d.ts" */
/** @import { Bar } from "./toolbar.js" */
/** @import { Drag, Pair, Row, Tool } from "./tools.js" */
/** @import { Area, Place, View } from "./view.js" */

const HELP = "Arrow keys move a crosshair, with Shift further. Enter uses the tool, Delete erases "
  + "the nearest point, M picks it up and puts it down, digits choose, Ctrl+Z undoes.";

/**
 * @typedef {Of<"pad">} Frame
 * @typedef {ReturnType<typeof build> & Own} State
 *
 * @typedef {object} Own
 * @property {HTMLElement} root
 * @property {Host<Frame>} host
 * @property {Sync} sync
 * @property {Frame} frame
 * @property {number | null} fitted  the call to fit that the view has followed
 * @property {View} view
 * @property {Area} area
 * @property {Tool} tool
 * @property {number} choice  the place on the palette
 * @property {Place | null} cross
 * @property {Row | null} carried
 * @property {Drag & { id: number } | null} drag
 * @property {Place | null} hover  in pixels
 * @property {Pair[]} draft
 * @property {number} wait
 * @property {() => void} paint
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  let waiting = 0;
  /** @type {State} */
  const pad = {
    root, host, sync: new Sync(host), frame: host.frame, fitted: null, view: HOME, area: areaOf(400, 400),
    tool: "add", choice: 0, cross: null, carried: null, drag: null, hover: null, draft: [], wait: 0, ...build(root),
    paint() {
      waiting ||= requestAnimationFrame(() => {
        waiting = 0;
        paint(pad, buttons);
      });
    },
  };
  const buttons = buttonsOf(pad);
  root.prepend(buttons.element);
  bindPointer(pad);
  bindKeys(pad);
  new ResizeObserver(pad.paint).observe(pad.surface);
  host.onFrame((frame) => show(pad, frame));
}

/** @param {State} pad @returns {Bar} */
function buttonsOf(pad) {
  const { sync } = pad;
  return toolbar(TOOLS, {
    tool: (tool) => {
      putDown(pad);
      pad.tool = tool;
      pad.paint();
    },
    choose: (k) => chooseValue(pad, k),
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

/** @param {State} pad @param {Frame} frame */
function show(pad, frame) {
  const other = pad.frame.target !== frame.target;
  pad.frame = frame;
  const news = pad.sync.hear(frame);
  if (news && !pad.sync.rows.length) pad.view = HOME;
  if (other || pad.choice >= frame.palette.length) pad.choice = 0;
  if (pad.fitted !== frame.fit) pad.view = fitView(pad.sync.rows);
  pad.fitted = frame.fit;
  pad.paint();
}

/** @param {State} pad @param {Bar} buttons */
function paint(pad, buttons) {
  const { sync, frame } = pad;
  size(pad);
  const state = currentDrawing(pad);
  draw(pad.ctx, state, pageColours(pad.host));
  showArrows(pad.field, { ...state, rows: sync.rows }, (rows) => {
    pad.view = extendView(pad.view, rows);
    pad.surface.focus();
    pad.paint();
  });
  buttons.update({
    ...state,
    undoes: frame.past || sync.past.length > 0,
    redoes: frame.ahead || sync.ahead.length > 0,
  });
}

/** Give the canvas its size on the page, as sharp as the screen is.
 *  @param {State} pad */
function size(pad) {
  const { clientWidth: width, clientHeight: height } = pad.surface;
  const ratio = window.devicePixelRatio || 1;
  const { canvas } = pad.ctx;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  pad.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  pad.area = areaOf(width, height);
}

/** @param {HTMLElement} root */
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
    heard: part("[role=status]"),
    ctx: penOf(/** @type {HTMLCanvasElement} */ (part("canvas"))),
  };
}
