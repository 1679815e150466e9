// The pad: a plane to draw points on, by pointer, finger or keys.
//
// Glossary
//   frame     the points as Python has them, the palette, whether there is more to undo
//   sync      the rows shown and the steps on their way to Python, see sync.js
//   draft     the change of a gesture that is not finished; it is drawn but not sent
//   cross     the crosshair of the keys; carried, the row it drags along

import { number } from "../lib/format.js";
import { bar } from "./bar.js";
import { areaOf, arrows, draw, inks } from "./draw.js";
import { Sync } from "./sync.js";
import { applied, moved, nearest, press, pull, REACH, stepped, TOOLS } from "./tools.js";
import { fit, grown, HOME, neat, pixel } from "./view.js";

const HELP = "Arrow keys move a crosshair, with Shift further. Enter uses the tool, Delete erases "
  + "the nearest point, M picks it up and puts it down, digits choose, Ctrl+Z undoes.";
const SETTLE = 400; // ms: a cell of the table that was being typed in reaches Python first
const FINGER = 22;
const NOTHING = {
  add: () => "nothing added",
  spray: (most) => `nothing added; at most ${most} points, inside the axes`,
  erase: () => "no point here",
  move: () => "no point here to move",
};

/**
 * The pad's own state; before its first frame nothing but `paint` and the keys may run.
 *
 * @typedef {import("./tools.js").Row} Row
 * @typedef {import("./tools.js").Drag & { id: number }} Held
 * @typedef {import("./view.js").Place} Place
 * @typedef {object} State
 * @property {import("../frames.d.ts").Pad} frame
 * @property {import("./view.js").View} view
 * @property {import("./view.js").Area} area
 * @property {string} tool
 * @property {number} choice  the place on the palette
 * @property {Place | null} cross
 * @property {Row | null} carried
 * @property {Held | null} drag
 * @property {Place | null} hover  in pixels
 * @property {import("./tools.js").Pair[]} draft
 * @property {number} wait
 */

/** @param {HTMLElement} root  @param {import("../lib/channel.js").Host} host */
export function create(root, host) {
  const sync = new Sync(host);
  const pad = /** @type {State} */ (/** @type {unknown} */ ({
    frame: null, view: HOME, area: areaOf(400, 400), tool: "add", choice: 0,
    cross: null, carried: null, drag: null, hover: null, draft: [], wait: 0,
  }));
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

  function show(frame) {
    const first = !pad.frame;
    const other = !first && pad.frame.target !== frame.target;
    const refit = first || pad.frame.fit !== frame.fit;
    pad.frame = frame;
    const news = sync.hear(frame);
    if (news && !sync.rows.length) pad.view = HOME;
    if (other || pad.choice >= frame.palette.length) pad.choice = 0;
    if (refit) pad.view = fit(sync.rows);
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
    if (!pad.frame || waiting) return;
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
        undoes: pad.frame.past || sync.past.length,
        redoes: pad.frame.ahead || sync.ahead.length,
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

  function say(text) {
    parts.heard.textContent = text;
  }

  // --- changing it

  function change(pairs, said) {
    pad.draft = [];
    const room = pad.frame.most - sync.rows.length;
    const fits = pairs.filter(([before], k) => before || k < room);
    const full = fits.length < pairs.length ? `; at most ${pad.frame.most} points` : "";
    if (fits.length) sync.points(fits, pad.frame.target, pad.wait);
    pad.wait = 0;
    say(`${said}; ${count(sync.rows.length)}${full}`);
    paint();
  }

  function choose(k) {
    pad.choice = k;
    if (pad.tool !== "spray") pad.tool = "add";
    say(`${pad.frame.palette[k].said} chosen`);
    paint();
  }

  function turn(what) {
    drop();
    sync[what]();
    say(`${what === "undo" ? "undone" : "done again"}; ${count(sync.rows.length)}`);
    paint();
  }

  function finish(drag) {
    const [pair] = drag.change;
    if (!pair) return say(NOTHING[drag.tool](pad.frame.most));
    const many = drag.change.length;
    const said = {
      add: () => `${name(pair[1])} added at ${spot(pair[1])}`,
      spray: () => `${count(many)} added`,
      erase: () => (many === 1 ? `${name(pair[0])} at ${spot(pair[0])} erased` : `${count(many)} erased`),
      move: () => `${name(pair[1])} moved to ${spot(pair[1])}`,
    };
    change(drag.change, said[drag.tool]());
  }

  const spot = ([x, y]) => `${number(x)}, ${number(y)}`;
  const count = (many) => (many === 1 ? "1 point" : `${many.toLocaleString("en")} points`);
  const name = (row) => (pad.frame.target === "classes" ? pad.frame.palette[row[2]]?.name : "Point");

  // --- by pointer

  /** @param {PointerEvent} event @returns {Place} in pixels */
  function at(event) {
    const box = parts.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  parts.surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pad.drag || !pad.frame) return;
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

  function release(event) {
    const drag = pad.drag;
    if (!drag || drag.id !== event.pointerId) return;
    pad.drag = null;
    pad.draft = [];
    const broken = event.type !== "pointerup" && ["add", "move"].includes(drag.tool);
    if (!broken) finish(drag);
    paint();
  }
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    parts.surface.addEventListener(type, release);
  }
  parts.surface.addEventListener("pointerleave", () => { pad.hover = null; host.hurry(); paint(); });

  // --- by keys

  const KEYS = {
    Enter: use, " ": use, Delete: erase, Backspace: erase, m: carry, M: carry,
    ArrowLeft: step, ArrowRight: step, ArrowUp: step, ArrowDown: step,
  };

  function key(event) {
    if (!pad.frame) return false;
    const pressed = event.key;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const what = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[pressed.toLowerCase()];
      if (what) turn(what);
      return Boolean(what);
    }
    if (event.altKey) return false;
    if (/^[1-9]$/.test(pressed) && pad.frame.palette[pressed - 1] && pad.frame.palette.length > 1) {
      choose(pressed - 1);
      return true;
    }
    if (!parts.surface.contains(event.composedPath()[0])) return false;
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

  function step(event) {
    pad.cross = pad.cross ?? middle();
    pad.cross = stepped(pad.cross, event.key, event.shiftKey, pad.view);
    if (pad.carried) pad.draft = [moved(pad.carried, pad.cross)];
    const here = pad.carried ? null : nearest(sync.rows, seen(), pad.view, pad.area, REACH);
    say(spot(pad.cross) + (here ? `: ${name(here)}` : ""));
  }

  function use() {
    if (pad.carried || pad.tool === "move") return carry();
    pad.cross = pad.cross ?? middle();
    finish(press(pad.tool, seen(), now()));
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
    say(`${name(pad.carried)} at ${spot(pad.cross)} picked up`);
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

function build(root) {
  const field = document.createElement("div");
  field.className = "pad-field";
  field.innerHTML = `<div class="pad-surface" tabindex="0" role="application" aria-label="Drawing pad"
    aria-describedby="pad-help"><canvas aria-hidden="true"></canvas></div>
    <p class="heard" id="pad-help">${HELP}</p><p class="heard" role="status" aria-live="polite"></p>`;
  root.append(field);
  const part = (name) => /** @type {HTMLElement} */ (field.querySelector(name));
  const canvas = /** @type {HTMLCanvasElement} */ (part("canvas"));
  return {
    field,
    surface: part(".pad-surface"),
    heard: part("[role=status]"),
    ctx: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
  };
}
