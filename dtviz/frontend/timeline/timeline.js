// The time-line: start, back, forward, end, play, undo, redo, every step on one track, and its branches.
//
// A step whose frames are kept is shown at once, before Python answers: the time-line sends the stamp of the
// step to the stage and the tree, and these show the frames that they keep under the stamp.
//
// Glossary
//   stamp    the name of a state of the screen; frames are kept by their stamps
//   behind   a frame that does not show yet what the pending events do
//   due      a step of Play whose time has come: it waits until the tree is laid out

import { element, elementsOf } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { tell } from "../lib/link.js";
import { isPresenting, present, TYPING_ELEMENTS } from "../lib/presentation.js";
import { loadPreference, savePreference } from "../lib/preferences.js";
import { createBranchTips } from "./branches.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { PictureEvent, FrameOf } from "../types.d.ts" */

export const MS_A_PLAY_STEP = 1200;
const SPEEDS = [1, 2, 4, 0.5]; // of Play, in the order in which a button goes through them
const SPEED_KEY = "dtviz:speed"; // of localStorage
const MAX_STEPS_MARKED = 80;
const NEXT_TEXT = "Next split";
const ALL_STEPS = 1e9; // more than any time-line has
const ICONS = { // paths of an SVG
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
/** Buttons by the key that presses them. @type {Record<string, ButtonName>} */
const KEY_BUTTONS = {
  ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end", p: "play", P: "play",
  f: "present", F: "present",
};
/** Buttons by the key that a presenter's clicker sends. @type {Record<string, ButtonName>} */
const CLICKER_BUTTONS = { PageUp: "back", PageDown: "next" };
const BUTTON_NAMES = /** @type {const} */ (["start", "back", "next", "end", "play", "undo", "redo", "present"]);
/** Selector of the elements in which arrow keys, Home and End have another meaning. */
const ARROW_KEY_ELEMENTS = `${TYPING_ELEMENTS}, input:not([type=checkbox]), [role=tab], [role=slider], [role=tree], [role=radio]`;

/**
 * @typedef {typeof BUTTON_NAMES[number]} ButtonName
 * @typedef {FrameOf<"line">} TimelineFrame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<TimelineFrame>, frame: TimelineFrame, step: number, timer: number,
 *   branches: ReturnType<typeof createBranchTips>,
 * }} Timeline  `step` is the step shown, which the frame may not have reached yet
 */

/** Time-lines of the document, one a component; the last gets the keys: that of the component that was used last. */
let timelines = /** @type {Timeline[]} */ ([]);
let isListening = false;

/** Create the time-line of a host.
 *  @param {HTMLElement} root @param {Host<TimelineFrame>} host */
export function create(root, host) {
  const parts = build(root);
  /** @type {Timeline} */
  const timeline = {
    root, host, frame: host.frame, step: 0, timer: 0, ...parts,
    branches: createBranchTips(parts.rail, (branch) => bringBack(timeline, branch)),
  };
  for (const name of BUTTON_NAMES) timeline.buttons[name].addEventListener("click", () => press(timeline, name));
  timeline.speedButton.addEventListener("click", () => nextSpeed(timeline));
  showSpeed(timeline);
  timeline.track.addEventListener("input", () => goToStep(timeline, Number(timeline.track.value)));
  if (!isListening) {
    document.addEventListener("keydown", (event) => handle(onKey, event));
    document.addEventListener("pointerdown", (event) => handle(pauseAt, event), true);
  }
  isListening = true;
  timelines = [...onPage(), timeline];
  host.onFrame((frame) => show(timeline, frame));
}

/** Time-lines that have not left the page. */
const onPage = () => timelines.filter(({ root }) => root.isConnected);

/** Handle an event with the time-line of the component in which it happened, else with that of the component used last.
 *  @template {globalThis.Event} E @param {(timeline: Timeline, event: E) => void} act @param {E} event */
function handle(act, event) {
  const path = event.composedPath();
  timelines = onPage();
  const timeline = timelines.findLast(({ root }) => path.includes(root.getRootNode())) ?? timelines.at(-1);
  if (!timeline) return;
  timelines = [...timelines.filter((other) => other !== timeline), timeline];
  act(timeline, event);
}

/** Build the elements of a time-line.
 *  @param {HTMLElement} root */
function build(root) {
  const buttons = /** @type {Record<ButtonName, HTMLButtonElement>} */ ({});
  /** @param {ButtonName[]} names */
  const group = (...names) => {
    const div = element("div", "group");
    for (const name of names) div.append((buttons[name] = createButton(name)));
    return div;
  };
  const track = element("input", "track");
  Object.assign(track, { type: "range", min: 0, step: 1 });
  const marks = element("div", "marks");
  const rail = element("div", "rail");
  rail.append(track, marks);
  const counter = element("span", "counter");
  counter.setAttribute("role", "status");
  const speedButton = element("button", "tool pace");
  speedButton.type = "button";
  const steps = group("start", "back", "next", "end", "play");
  steps.append(speedButton);
  root.append(steps, rail, counter, group("undo", "redo"), group("present"));
  return { buttons, speedButton, track, marks, rail, counter };
}

/** @param {ButtonName} name */
function createButton(name) {
  const button = element("button", name === "next" ? "tool main" : "tool");
  button.type = "button";
  button.dataset.name = name;
  button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d=""/></svg>`;
  if (name === "next") button.append(element("span", "word"));
  return button;
}

/** @param {HTMLButtonElement} button @param {string} text @param {string} key
 *  @param {keyof typeof ICONS} icon */
function label(button, text, key, icon) {
  button.title = `${text} (${key})`;
  button.setAttribute("aria-label", text);
  button.querySelector("path")?.setAttribute("d", ICONS[icon]);
}

// --- showing --------------------------------------------------------------------------------------

/** Show a frame, and sets the timer of the next step while Play is on.
 *  @param {Timeline} timeline @param {TimelineFrame} frame */
function show(timeline, frame) {
  clearTimeout(timeline.timer);
  timeline.frame = frame;
  const isBehind = timeline.host.pending.length > 0;
  if (!isBehind) timeline.step = frame.step;
  timeline.step = Math.min(timeline.step, frame.total);
  paint(timeline);
  timeline.root.dataset.waiting = String(isBehind);
  if (!isBehind && frame.playing && frame.step < frame.total) {
    timeline.timer = setTimeout(() => timeline.root.isConnected && goToStep(timeline, frame.step + 1, true), MS_A_PLAY_STEP / speed());
  }
}

/** Speed of Play, 1 by default. */
const speed = () => SPEEDS.find((value) => String(value) === loadPreference(SPEED_KEY)) ?? 1;

/** Choose the next of the speeds; it counts from the next step of Play on.
 *  @param {Timeline} timeline */
function nextSpeed(timeline) {
  savePreference(SPEED_KEY, String(SPEEDS[(SPEEDS.indexOf(speed()) + 1) % SPEEDS.length]));
  showSpeed(timeline);
}

/** @param {Timeline} timeline */
function showSpeed({ speedButton }) {
  const text = speed() < 1 ? "½×" : `${speed()}×`;
  speedButton.textContent = text;
  speedButton.title = "How fast Play goes on";
  speedButton.setAttribute("aria-label", `Speed of Play: ${text}`);
}

/** @param {Timeline} timeline */
function paint(timeline) {
  const { frame, step, buttons, track, counter } = timeline;
  const { total } = frame;
  /** @type {Record<ButtonName, boolean>} */
  const enabled = {
    start: step > 0, back: step > 0, next: step < total, end: step < total, play: step < total,
    undo: frame.can_undo, redo: frame.can_redo, present: true,
  };
  // not `disabled`: the keyboard would lose its place on the button just pressed
  for (const name of BUTTON_NAMES) buttons[name].setAttribute("aria-disabled", String(!enabled[name]));
  label(buttons.start, "Start", "Home", "start");
  label(buttons.back, "Back", "left arrow key", "back");
  labelNext(buttons.next, frame);
  label(buttons.end, frame.has_more_steps ? "Grow the tree to its end" : "End", "End", "end");
  label(buttons.play, frame.playing ? "Pause" : "Play", "P", frame.playing ? "pause" : "play");
  label(buttons.undo, "Undo", "Ctrl+Z", "undo");
  label(buttons.redo, "Redo", "Ctrl+Y", "redo");
  label(buttons.present, "Present", "F", "present");
  Object.assign(track, { max: total, value: step, disabled: !total });
  track.setAttribute("aria-label", "Step");
  track.setAttribute("aria-valuetext", `step ${step} of ${frame.has_more_steps ? "many" : total}`);
  track.style.setProperty("--share", String(total ? step / total : 0));
  counter.textContent = `step ${grouped(step)} of ${frame.has_more_steps ? "many" : grouped(total)}`;
  showMarks(timeline);
  timeline.branches.show(frame, total);
  timeline.root.dataset.made = String(step);
  timeline.root.dataset.step = frame.stamp;
}

/** Label the button of the next split. Where a cut is chosen, or the page asks for one, it is not the main button.
 *  @param {HTMLButtonElement} button @param {TimelineFrame} frame */
function labelNext(button, { is_asking: isAsking, is_cut_chosen: isCutChosen }) {
  label(button, NEXT_TEXT, "right arrow key", "next");
  button.classList.toggle("main", !isCutChosen && !isAsking);
  const word = button.querySelector(".word");
  if (word) word.textContent = NEXT_TEXT;
}

/** Show a dot for each step; of many steps, only for each step chosen by hand. The dots of these stand out.
 *  @param {Timeline} timeline */
function showMarks({ frame, marks, step: current }) {
  const { total, chosen_steps: chosenSteps } = frame;
  marks.replaceChildren();
  const steps = total <= MAX_STEPS_MARKED ? Array.from({ length: total }, (_, k) => k + 1) : chosenSteps;
  for (const step of steps) {
    const dot = element("i", chosenSteps.includes(step) ? "own" : "");
    dot.classList.toggle("done", step <= current);
    dot.style.left = `${(100 * step) / total}%`;
    marks.append(dot);
  }
}

// --- acting ---------------------------------------------------------------------------------------

/** Carries out the action of a button, unless the button is disabled.
 *  @param {Timeline} timeline @param {ButtonName} name */
function press(timeline, name) {
  const { frame, step } = timeline;
  if (timeline.buttons[name].getAttribute("aria-disabled") === "true") return;
  if (name === "start") goToStep(timeline, 0);
  if (name === "back") goToStep(timeline, step - 1);
  if (name === "next") goToStep(timeline, step + 1);
  if (name === "end" && frame.has_more_steps) send(timeline, { what: "goto", step: ALL_STEPS, playing: false });
  else if (name === "end") goToStep(timeline, frame.total);
  if (name === "play") send(timeline, { what: "play", on: !frame.playing });
  if (name === "present") present();
  if (name === "undo" || name === "redo") send(timeline, { what: name });
}

/** Send Python an event; the time-line is marked as waiting until the answer.
 *  @param {Timeline} timeline @param {PictureEvent} event */
function send(timeline, event) {
  timeline.root.dataset.waiting = "true";
  timeline.host.send(event);
}

/** Ask Python to exchange a branch with the time-line. A second press before the answer does nothing: it would
 *  exchange them back.
 *  @param {Timeline} timeline @param {number} branch */
function bringBack(timeline, branch) {
  if (timeline.host.pending.some(({ what }) => what === "bring_back")) return;
  send(timeline, { what: "bring_back", branch });
}

/** Ask Python for a step, and until the answer shows the frames that are kept of the step.
 *  @param {Timeline} timeline @param {number} step */
function goToStep(timeline, step, playing = false) {
  const { frame } = timeline;
  if (step === timeline.step) return;
  const [stamp, secondStamp] = [frame.stamps, frame.second_stamps].map((stamps) => stamps?.[step - frame.step]);
  for (const name of [stamp, secondStamp]) if (name) tell(timeline.root, "stamp", { stamp: name });
  timeline.step = step;
  paint(timeline);
  timeline.root.dataset.step = stamp ?? "";
  send(timeline, { what: "goto", step, playing });
}

/** Pauses Play as soon as the pointer is pressed, so that nothing moves under the pointer. Two buttons are left out:
 *  Pause, which pauses by itself, and the speed, which Play goes on with.
 *  @param {Timeline} timeline @param {PointerEvent} event */
function pauseAt(timeline, event) {
  const { frame, buttons: { play }, speedButton } = timeline;
  if (!frame.playing || [play, speedButton].some((button) => elementsOf(event).includes(button))) return;
  clearTimeout(timeline.timer);
  timeline.frame = { ...frame, playing: false };
  paint(timeline);
  send(timeline, { what: "play", on: false });
}

/** True if the page is longer than the window, so that Home and End scroll it. */
function canScroll() {
  const page = document.body.querySelector("[data-testid=stMain]");
  return page !== null && page.scrollHeight > page.clientHeight;
}

/** Presses the button of a key, unless the element in focus or the page uses the key.
 *  @param {Timeline} timeline @param {KeyboardEvent} event */
function onKey(timeline, event) {
  const [target] = elementsOf(event);
  const isArrow = event.key.startsWith("Arrow");
  const isArrowOrJump = isArrow || event.key === "Home" || event.key === "End";
  if (event.defaultPrevented || target?.closest(isArrowOrJump ? ARROW_KEY_ELEMENTS : TYPING_ELEMENTS)) return;
  const isControl = event.ctrlKey || event.metaKey;
  const letter = event.key.toLowerCase();
  const isRedo = letter === "y" || (letter === "z" && event.shiftKey);
  /** @type {ButtonName | undefined} */
  let name;
  if (isControl && (letter === "z" || isRedo)) name = isRedo ? "redo" : "undo";
  else if (!isControl && !event.altKey) name = KEY_BUTTONS[event.key] ?? (isPresenting() ? CLICKER_BUTTONS[event.key] : undefined);
  if (event.key === "Escape" && isPresenting()) name = "present";
  const isJump = name === "start" || name === "end";
  const worksAnywhere = isArrow || event.key in CLICKER_BUTTONS || isControl || name === "present" || (isJump && !canScroll());
  if (!name || (!worksAnywhere && !timeline.root.contains(target))) return; // the key belongs to the page
  event.preventDefault();
  press(timeline, name);
}
