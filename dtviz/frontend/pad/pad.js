// The pad: a plane to draw points on, by pointer, finger or keys.
//
// Glossary
//   frame     the points as Python has them, the palette, whether there is more to undo
//   sync      the rows shown and the steps on their way to Python, see sync.js
//   draft     the change of a gesture that is not finished; it is drawn but not sent
//   cross     the crosshair of the keys; carried, the row it drags along

import { element, elementsOf, penOf } from "../lib/dom.js";
import { bar } from "./bar.js";
import { areaOf, arrows, draw, inks } from "./draw.js";
import { Sync } from "./sync.js";
import { applied, moved, nearest, press, pull, REACH, stepped, TOOLS } from "./tools.js";
import { fit, grown, HOME, neat, pixel } from "./view.js";
import { count, name, said, spot } from "./words.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Of } from "../types.d.ts" */
/** @import { Drag, Gesture, Pair, Row, Tool } from "./tools.js" */
/** @import { Area, Place, Span, View } from "./view.js" */

const HELP = "Arrow keys move a crosshair, with Shift further. Enter uses the tool, Delete erases "
  + "the nearest point, M picks it up and puts it down, digits choose, Ctrl+Z undoes.";
const SETTLE = 400; // ms: a cell of the table that was being typed in reaches Python first
const FINGER = 22;

/**
 * The pad's own state.
 *
 * @typedef {Of<"pad">} Frame
 * @typedef {object} State
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
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const sync = new Sync(host);
  /** @type {State} */
  const pad = {
    frame: host.frame, fitted: null, view: HOME, area: areaOf(400, 400), tool: "add", choice: 0,
    cross: null, carried: null, drag: null, hover: null, draft: [], wait: 0,
  };
  const parts = build(root);
  const buttons = bar(TOOLS, {
    tool: (tool) => { lay(); pad.tool = tool; paint(); },
    choose,
    undo: () => turn("undo"),
    redo: () => turn("redo"),
    clear: () => change(sync.rows.map((row) => [row, null]), "all points are gone"),
    fit: () => { pad.view = fit(sync.rows); say("all points are shown"); paint(); },
  });
  root.prepend(buttons.element);

  /** @param {Frame} frame */
  function show(frame) {
    const other = pad.frame.target !== frame.target;
    pad.frame = frame;
    const news = sync.hear(frame);
    if (news && !sync.rows.length) pad.view = HOME;
    if (other || pad.choice >= frame.palette.length) pad.choice = 0;
    if (pad.fitted !== frame.fit) pad.view = fit(sync.rows);
    pad.fitted = frame.fit;
    paint();
  }

  // --- drawing it

  function now() {
    const rows = pad.draft.length ? applied(sync.rows, pad.draft) : sync.rows;
    const value = pad.frame.palette[pad.choice].value;
    const taken = pad.carried ?? pad.drag?.held;
    const held = taken ? pad.draft[0]?.[1] ?? taken : null;
    return { ...pad, rows, value, held, most: pad.frame.most, hint: "Click to add points" };
  }

  let waiting = 0;
  function paint() {
    if (waiting) return;
    waiting = requestAnimationFrame(() => {
      waiting = 0;
      const state = now();
      size();
      draw(parts.ctx, { ...state, area: pad.area }, inks(host));
      arrows(parts.field, { ...state, rows: sync.rows }, (rows) => {
        pad.view = grown(pad.view, rows);
        parts.surface.focus();
        paint();
      });
      buttons.update({
        ...state,
        undoes: pad.frame.past || sync.past.length > 0,
        redoes: pad.frame.ahead || sync.ahead.length > 0,
      });
    });
  }

  function size() {
    const { clientWidth: width, clientHeight: height } = parts.surface;
    const ratio = window.devicePixelRatio || 1;
    const { canvas } = parts.ctx;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    parts.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    pad.area = areaOf(width, height);
  }

  /** @param {string} text */
  function say(text) {
    parts.heard.textContent = text;
  }

  // --- changing it

  /** @param {Pair[]} pairs @param {string} words */
  function change(pairs, words) {
    pad.draft = [];
    const room = pad.frame.most - sync.rows.length;
    const fits = pairs.filter(([before], k) => before || k < room);
    const full = fits.length < pairs.length ? `; at most ${pad.frame.most} points` : "";
    if (fits.length) sync.points(fits, pad.frame.target, pad.wait);
    pad.wait = 0;
    say(`${words}; ${count(sync.rows.length)}${full}`);
    paint();
  }

  /** @param {number} k */
  function choose(k) {
    pad.choice = k;
    if (pad.tool !== "spray") pad.tool = "add";
    say(`${pad.frame.palette[k].said} chosen`);
    paint();
  }

  /** @param {"undo" | "redo"} what */
  function turn(what) {
    drop();
    sync[what]();
    say(`${what === "undo" ? "undone" : "done again"}; ${count(sync.rows.length)}`);
    paint();
  }

  /** @param {Gesture} gesture */
  function finish(gesture) {
    const words = said(gesture, pad.frame);
    if (gesture.change.length) change(gesture.change, words);
    else say(words);
  }

  // --- by pointer

  /** @param {PointerEvent} event @returns {Place} in pixels */
  function at(event) {
    const box = parts.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  parts.surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pad.drag) return;
    event.preventDefault();
    pad.wait = document.activeElement?.matches("input, textarea") ? SETTLE : 0;
    lay();
    parts.surface.focus({ preventScroll: true });
    parts.surface.setPointerCapture(event.pointerId);
    pad.cross = null;
    const reach = event.pointerType === "touch" ? FINGER : REACH;
    pad.drag = { id: event.pointerId, ...press(pad.tool, at(event), { ...now(), reach }) };
    pad.draft = pad.drag.change;
    paint();
  });

  parts.surface.addEventListener("pointermove", (event) => {
    pad.hover = event.pointerType === "touch" ? null : at(event);
    if (pad.drag?.id === event.pointerId) {
      pull(pad.drag, at(event), { ...now(), rows: sync.rows });
      pad.draft = pad.drag.change;
    }
    if (pad.drag || pad.tool === "erase" || pad.tool === "spray") paint();
  });

  /** @param {PointerEvent} event */
  function release(event) {
    const drag = pad.drag;
    if (!drag || drag.id !== event.pointerId) return;
    pad.drag = null;
    pad.draft = [];
    const broken = event.type !== "pointerup" && ["add", "move"].includes(drag.tool);
    if (!broken) finish(drag);
    paint();
  }
  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    parts.surface.addEventListener(type, release);
  }
  parts.surface.addEventListener("pointerleave", () => { pad.hover = null; host.hurry(); paint(); });

  // --- by keys

  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const KEYS = {
    Enter: use, " ": use, Delete: erase, Backspace: erase, m: carry, M: carry,
    ArrowLeft: step, ArrowRight: step, ArrowUp: step, ArrowDown: step,
  };

  /** Do what a key asks for; whether it is one of ours.
   *  @param {KeyboardEvent} event */
  function key(event) {
    const pressed = event.key;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const letter = pressed.toLowerCase();
      if (letter !== "z" && letter !== "y") return false;
      turn(letter === "y" || event.shiftKey ? "redo" : "undo");
      return true;
    }
    if (event.altKey) return false;
    const place = /^[1-9]$/.test(pressed) ? Number(pressed) - 1 : Infinity;
    if (place < pad.frame.palette.length && pad.frame.palette.length > 1) {
      choose(place);
      return true;
    }
    if (!parts.surface.contains(elementsOf(event)[0])) return false;
    if (pressed === "Escape" && pad.carried) {
      drop();
      say("left where it was");
      return true;
    }
    if (!(pressed in KEYS)) return false;
    if (!event.repeat || KEYS[pressed] === step) KEYS[pressed](event);
    paint();
    return true;
  }

  root.addEventListener("keydown", (event) => {
    if (key(event)) event.preventDefault();
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
  });

  /** @param {KeyboardEvent} event */
  function step(event) {
    pad.cross = pad.cross ?? middle();
    pad.cross = stepped(pad.cross, event.key, event.shiftKey, pad.view);
    if (pad.carried) pad.draft = [moved(pad.carried, pad.cross)];
    const here = pad.carried ? null : nearest(sync.rows, seen(), pad.view, pad.area, REACH);
    say(spot(pad.cross) + (here ? `: ${name(here, pad.frame)}` : ""));
  }

  function use() {
    if (pad.carried || pad.tool === "move") return carry();
    pad.cross = pad.cross ?? middle();
    return finish(press(pad.tool, seen(), now()));
  }

  function erase() {
    pad.cross = pad.cross ?? middle();
    const row = nearest(sync.rows, seen(), pad.view, pad.area, Infinity);
    finish({ tool: "erase", change: row ? [[row, null]] : [] });
  }

  /** Pick the nearest point up, or put down the one that is carried. */
  function carry() {
    if (pad.carried) return lay();
    pad.cross = pad.cross ?? middle();
    pad.carried = nearest(sync.rows, seen(), pad.view, pad.area, Infinity);
    if (!pad.carried) return say("no point here to move");
    pad.cross = [pad.carried[0], pad.carried[1]];
    return say(`${name(pad.carried, pad.frame)} at ${spot(pad.cross)} picked up`);
  }

  function lay() {
    const [pair] = pad.draft;
    const carried = pad.carried;
    drop();
    if (carried && pair) finish({ tool: "move", change: [pair] });
    else if (carried) say("put down where it was");
  }

  function drop() {
    pad.carried = null;
    pad.draft = [];
  }

  /** @param {Span} given */
  const half = ([low, high]) => low / 2 + high / 2;
  const middle = () => neat([half(pad.view.x), half(pad.view.y)], pad.view);
  const seen = () => pixel(pad.cross ?? middle(), pad.view, pad.area);

  parts.surface.addEventListener("focus", () => {
    if (parts.surface.matches(":focus-visible")) pad.cross = pad.cross ?? middle();
    paint();
  });
  parts.surface.addEventListener("blur", () => { lay(); host.hurry(); pad.cross = null; paint(); });
  new ResizeObserver(paint).observe(parts.surface);
  host.onFrame(show);
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
