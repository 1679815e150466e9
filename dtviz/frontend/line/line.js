// The time-line: start, back, forward, end, play, undo, redo, every step on one track, and its forks.
//
// A step whose picture is known is shown at once, before Python answers: the line tells its stamp,
// and the stage and the tree show the frame they keep under it.
//
// Glossary
//   made     steps made so far; `total` steps on the line; `own` the steps you chose yourself
//   more     the line goes on beyond its last step: of a large table no more than that is grown yet
//   stamp    the name of a state of the screen; frames are kept by it
//   behind   a frame that has not heard all that was asked for
//   laying   the tree is being laid out: Play waits; `due` once its next step only waits for that

import { element, elementsOf } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { hear, tell } from "../lib/link.js";
import { present, presenting } from "../lib/present.js";
import { recall, remember } from "../lib/recall.js";
import { forks } from "./forks.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Act, Of } from "../types.d.ts" */

export const MS_A_STEP = 1200; // milliseconds
const SPEEDS = [1, 2, 4, 0.5]; // times as fast, each after the one before
const SPEED = "dtviz:speed"; // the browser keeps it
const MOST_MARKS = 80;
const ALL_STEPS = 1e9; // more than any line has
const ICONS = {
  start: "M6 5v14M19 5l-9 7 9 7z",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  end: "M18 5v14M5 5l9 7-9 7z",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  redo: "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h4",
  present: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
};
/** @type {Record<string, Name>} */
const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end", p: "play", P: "play",
  f: "present", F: "present",
};
/** What a presenter's clicker sends. @type {Record<string, Name>} */
const CLICKER = { PageUp: "back", PageDown: "next" };
const NAMES = /** @type {const} */ (["start", "back", "next", "end", "play", "undo", "redo", "present"]);
/** Where letters are typed; and where arrows have a meaning of their own. */
const TYPED = "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable],"
  + " [role=option], [role=combobox], [role=grid], [role=menuitem], [role=dialog] *";
const WALKED = `${TYPED}, input, [role=tab], [role=slider], [role=tree], [role=radio]`;

/**
 * @typedef {typeof NAMES[number]} Name
 * @typedef {Of<"line">} Frame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, made: number, timer: number,
 *   laying: Set<boolean>, due: boolean, forks: ReturnType<typeof forks>,
 * }} Line
 */

let live = /** @type {Line | null} */ (null); // the line whose keys work: there is one on a page

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const parts = build(root);
  /** @type {Line} */
  const line = {
    root, host, frame: host.frame, made: 0, timer: 0, laying: new Set(), due: false, ...parts,
    forks: forks(parts.rail, (branch) => bringBack(line, branch)),
  };
  for (const name of NAMES) line.buttons[name].addEventListener("click", () => press(line, name));
  line.pace.addEventListener("click", () => hurry(line));
  nameSpeed(line);
  line.track.addEventListener("input", () => go(line, Number(line.track.value)));
  hear("laying", ({ on, beside = false }) => {
    if (on) line.laying.add(beside);
    else line.laying.delete(beside);
    if (!on && line.due) tick(line);
  }, root);
  if (!live) {
    document.addEventListener("keydown", (event) => live?.root.isConnected && keyed(live, event));
    document.addEventListener("pointerdown", (event) => live?.root.isConnected && hold(live, event), true);
  }
  live = line;
  host.onFrame((frame) => show(line, frame));
}

/** @param {HTMLElement} root */
function build(root) {
  const buttons = /** @type {Record<Name, HTMLButtonElement>} */ ({});
  /** @param {Name[]} names */
  const group = (...names) => {
    const made = element("div", "group");
    for (const name of names) made.append((buttons[name] = button(name)));
    return made;
  };
  const track = element("input", "track");
  Object.assign(track, { type: "range", min: 0, step: 1 });
  const marks = element("div", "marks");
  const rail = element("div", "rail");
  rail.append(track, marks);
  const counter = element("span", "counter");
  counter.setAttribute("role", "status");
  const pace = element("button", "tool pace");
  pace.type = "button";
  const steps = group("start", "back", "next", "end", "play");
  steps.append(pace);
  root.append(steps, rail, counter, group("undo", "redo"), group("present"));
  return { buttons, pace, track, marks, rail, counter };
}

/** @param {Name} name */
function button(name) {
  const made = element("button", name === "next" ? "tool main" : "tool");
  made.type = "button";
  made.dataset.name = name;
  made.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d=""/></svg>`;
  if (name === "next") made.append(element("span", "word"));
  return made;
}

/** @param {HTMLButtonElement} made @param {string} text @param {string} key
 *  @param {keyof typeof ICONS} icon */
function label(made, text, key, icon) {
  made.title = `${text} (${key})`;
  made.setAttribute("aria-label", text);
  made.querySelector("path")?.setAttribute("d", ICONS[icon]);
}

// --- showing --------------------------------------------------------------------------------------

/** @param {Line} line @param {Frame} frame */
function show(line, frame) {
  rest(line);
  line.frame = frame;
  const behind = line.host.pending.length > 0;
  if (!behind) line.made = frame.made;
  line.made = Math.min(line.made, frame.total);
  paint(line);
  line.root.dataset.waiting = String(behind);
  if (!behind && frame.playing && frame.made < frame.total) {
    line.timer = setTimeout(() => line.root.isConnected && tick(line), MS_A_STEP / speed());
  }
}

/** The next step of Play, once the tree shows this one.
 *  @param {Line} line */
function tick(line) {
  line.due = line.laying.size > 0;
  if (!line.due) go(line, line.frame.made + 1, true);
}

/** How many times as fast as usual Play goes on. */
const speed = () => SPEEDS.find((one) => String(one) === recall(SPEED)) ?? 1;

/** The next speed; Play goes on with it from its next step.
 *  @param {Line} line */
function hurry(line) {
  remember(SPEED, String(SPEEDS[(SPEEDS.indexOf(speed()) + 1) % SPEEDS.length]));
  nameSpeed(line);
}

/** @param {Line} given */
function nameSpeed({ pace }) {
  const text = speed() < 1 ? "½×" : `${speed()}×`;
  pace.textContent = text;
  pace.title = "How fast Play goes on";
  pace.setAttribute("aria-label", `Speed of Play: ${text}`);
}

/** @param {Line} line */
function rest(line) {
  clearTimeout(line.timer);
  line.due = false;
}

/** @param {Line} line */
function paint(line) {
  const { frame, made, buttons, track, counter } = line;
  const { total } = frame;
  /** @type {Record<Name, boolean>} */
  const able = {
    start: made > 0, back: made > 0, next: made < total, end: made < total, play: made < total,
    undo: frame.undo, redo: frame.redo, present: true,
  };
  // not `disabled`: the keyboard would lose its place on the button just pressed
  for (const name of NAMES) buttons[name].setAttribute("aria-disabled", String(!able[name]));
  label(buttons.start, "Start", "Home", "start");
  label(buttons.back, "Back", "left arrow key", "back");
  nameNext(buttons.next, frame);
  label(buttons.end, frame.more ? "Grow the tree to its end" : "End", "End", "end");
  label(buttons.play, frame.playing ? "Pause" : "Play", "P", frame.playing ? "pause" : "play");
  label(buttons.undo, "Undo", "Ctrl+Z", "undo");
  label(buttons.redo, "Redo", "Ctrl+Y", "redo");
  label(buttons.present, "Present", "F", "present");
  Object.assign(track, { max: total, value: made, disabled: !total });
  track.setAttribute("aria-label", "Step");
  track.setAttribute("aria-valuetext", `step ${made} of ${frame.more ? "many" : total}`);
  track.style.setProperty("--share", String(total ? made / total : 0));
  counter.textContent = `step ${grouped(made)} of ${frame.more ? "many" : grouped(total)}`;
  markOwn(line);
  line.forks.show(frame, total);
  line.root.dataset.made = String(made);
  line.root.dataset.step = frame.stamp;
}

/** Where a cut was chosen the next split is the rival of it, and where one is asked for it passes over
 *  the question: then it is not what is offered first.
 *  @param {HTMLButtonElement} next @param {Frame} frame */
function nameNext(next, { asking, chosen, rival }) {
  const named = asking ? "Skip" : chosen ? "Take the best" : "Next split";
  const text = rival ? named : "Next split";
  label(next, text, "right arrow key", "next");
  next.classList.toggle("main", !chosen && !asking);
  const word = next.querySelector(".word");
  if (word) word.textContent = text;
}

/** A dot for every step, if they are few; those chosen by hand stand out.
 *  @param {Line} given */
function markOwn({ frame, marks, made }) {
  const { total, own } = frame;
  marks.replaceChildren();
  const steps = total <= MOST_MARKS ? Array.from({ length: total }, (_, k) => k + 1) : own;
  for (const step of steps) {
    const dot = element("i", own.includes(step) ? "own" : "");
    dot.classList.toggle("done", step <= made);
    dot.style.left = `${(100 * step) / total}%`;
    marks.append(dot);
  }
}

// --- acting ---------------------------------------------------------------------------------------

/** @param {Line} line @param {Name} name */
function press(line, name) {
  const { frame, made } = line;
  if (line.buttons[name].getAttribute("aria-disabled") === "true") return;
  if (name === "start") go(line, 0);
  if (name === "back") go(line, made - 1);
  if (name === "next") go(line, made + 1);
  if (name === "end" && frame.more) ask(line, { what: "goto", step: ALL_STEPS, playing: false });
  else if (name === "end") go(line, frame.total);
  if (name === "play") ask(line, { what: "play", on: !frame.playing });
  if (name === "present") present();
  if (name === "undo" || name === "redo") ask(line, { what: name });
}

/** Tell Python; until it answers, the line is behind.
 *  @param {Line} line @param {Act} event */
function ask(line, event) {
  line.root.dataset.waiting = "true";
  line.host.send(event);
}

/** Go to a branch, which takes the place of the line: once, since that makes the line the branch.
 *  @param {Line} line @param {number} branch */
function bringBack(line, branch) {
  if (line.host.pending.some(({ what }) => what === "bring_back")) return;
  ask(line, { what: "bring_back", branch });
}

/** Go to a step: at once where its picture is kept, and in Python.
 *  @param {Line} line @param {number} step */
function go(line, step, playing = false) {
  const { frame } = line;
  if (step === line.made) return;
  const [stamp, beside] = [frame.stamps, frame.beside].map((all) => all?.[step - frame.made]);
  for (const one of [stamp, beside]) if (one) tell("stamp", { stamp: one });
  line.made = step;
  paint(line);
  line.root.dataset.step = stamp ?? "";
  ask(line, { what: "goto", step, playing });
}

/** A pressed pointer pauses Play at once, so that nothing moves under it; Pause does so itself, and
 *  another speed goes on.
 *  @param {Line} line @param {PointerEvent} event */
function hold(line, event) {
  if (!line.frame.playing || [line.buttons.play, line.pace].some((one) => elementsOf(event).includes(one))) return;
  rest(line);
  line.frame = { ...line.frame, playing: false };
  paint(line);
  ask(line, { what: "play", on: false });
}

/** Whether Home and End have somewhere to scroll to. */
function scrolls() {
  const page = document.body.querySelector("[data-testid=stMain]");
  return page !== null && page.scrollHeight > page.clientHeight;
}

/** @param {Line} line @param {KeyboardEvent} event */
function keyed(line, event) {
  const [target] = elementsOf(event);
  const walks = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  if (event.defaultPrevented || target?.closest(walks ? WALKED : TYPED)) return;
  const control = event.ctrlKey || event.metaKey;
  const letter = event.key.toLowerCase();
  const redo = letter === "y" || (letter === "z" && event.shiftKey);
  /** @type {Name | undefined} */
  let name;
  if (control && (letter === "z" || redo)) name = redo ? "redo" : "undo";
  else if (!control && !event.altKey) name = KEYS[event.key] ?? (presenting() ? CLICKER[event.key] : undefined);
  if (event.key === "Escape" && presenting()) name = "present";
  const jumps = name === "start" || name === "end";
  const anywhere = event.key.startsWith("Arrow") || event.key in CLICKER || control || name === "present" || (jumps && !scrolls());
  if (!name || (!anywhere && !line.root.contains(target))) return; // the page's own
  event.preventDefault();
  press(line, name);
}
