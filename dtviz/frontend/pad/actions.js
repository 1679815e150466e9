// What is done on the pad, by pointer, by keys or by its buttons: the rows change, and it says so.

import { applied } from "./tools.js";
import { count, said } from "./texts.js";

/** @import { State } from "./pad.js" */
/** @import { Gesture, Pair } from "./tools.js" */

/** The pad as it is seen, with a gesture that is not finished: what is drawn, and what tools work on.
 *  @param {State} pad */
export function now(pad) {
  const { sync, frame, draft, carried, drag, choice } = pad;
  const rows = draft.length ? applied(sync.rows, draft) : sync.rows;
  const taken = carried ?? drag?.held;
  const held = taken ? draft[0]?.[1] ?? taken : null;
  return { ...pad, rows, value: frame.palette[choice].value, held, most: frame.most, hint: "Click to add points" };
}

/** @param {State} pad @param {string} text */
export function say({ heard }, text) {
  heard.textContent = text;
}

/** Change the rows, as far as there is room for more.
 *  @param {State} pad @param {Pair[]} pairs @param {string} words */
export function change(pad, pairs, words) {
  const { sync, frame } = pad;
  pad.draft = [];
  const room = frame.most - sync.rows.length;
  const fits = pairs.filter(([before], k) => before || k < room);
  const full = fits.length < pairs.length ? `; at most ${frame.most} points` : "";
  if (fits.length) sync.points(fits, frame.target, pad.wait);
  pad.wait = 0;
  say(pad, `${words}; ${count(sync.rows.length)}${full}`);
  pad.paint();
}

/** What a gesture did becomes the rows.
 *  @param {State} pad @param {Gesture} gesture */
export function finish(pad, gesture) {
  const words = said(gesture, pad.frame);
  if (gesture.change.length) change(pad, gesture.change, words);
  else say(pad, words);
}

/** Take a value of the palette, and a tool that draws it.
 *  @param {State} pad @param {number} k */
export function choose(pad, k) {
  pad.choice = k;
  if (pad.tool !== "spray") pad.tool = "add";
  say(pad, `${pad.frame.palette[k].said} chosen`);
  pad.paint();
}

/** @param {State} pad @param {"undo" | "redo"} what */
export function turn(pad, what) {
  drop(pad);
  pad.sync[what]();
  say(pad, `${what === "undo" ? "undone" : "done again"}; ${count(pad.sync.rows.length)}`);
  pad.paint();
}

/** Put down the row that is carried.
 *  @param {State} pad */
export function lay(pad) {
  const { carried, draft: [pair] } = pad;
  drop(pad);
  if (carried && pair) finish(pad, { tool: "move", change: [pair] });
  else if (carried) say(pad, "put down where it was");
}

/** Let go of the row that is carried: it is where it was.
 *  @param {State} pad */
export function drop(pad) {
  pad.carried = null;
  pad.draft = [];
}
