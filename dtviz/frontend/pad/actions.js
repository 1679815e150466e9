// What is done on the pad, by pointer, by keys or by its buttons: the rows change, and it says so.

import { applyChange } from "./tools.js";
import { pointsText, gestureText } from "./texts.js";

/** @import { State } from "./pad.js" */
/** @import { Gesture, Pair } from "./tools.js" */

/** The pad as it is seen, with a gesture that is not finished: what is drawn, and what tools work on.
 *  @param {State} pad */
export function currentDrawing(pad) {
  const { sync, frame, draft, carried, drag, choice } = pad;
  const rows = draft.length ? applyChange(sync.rows, draft) : sync.rows;
  const taken = carried ?? drag?.held;
  const held = taken ? draft[0]?.[1] ?? taken : null;
  return { ...pad, rows, value: frame.palette[choice].value, held, most: frame.most, hint: "Click to add points" };
}

/** @param {State} pad @param {string} text */
export function announce({ heard }, text) {
  heard.textContent = text;
}

/** Change the rows, as far as there is room for more.
 *  @param {State} pad @param {Pair[]} pairs @param {string} words */
export function changeRows(pad, pairs, words) {
  const { sync, frame } = pad;
  pad.draft = [];
  const room = frame.most - sync.rows.length;
  const fits = pairs.filter(([before], k) => before || k < room);
  const full = fits.length < pairs.length ? `; at most ${frame.most} points` : "";
  if (fits.length) sync.points(fits, frame.target, pad.wait);
  pad.wait = 0;
  announce(pad, `${words}; ${pointsText(sync.rows.length)}${full}`);
  pad.paint();
}

/** What a gesture did becomes the rows.
 *  @param {State} pad @param {Gesture} gesture */
export function finishGesture(pad, gesture) {
  const words = gestureText(gesture, pad.frame);
  if (gesture.change.length) changeRows(pad, gesture.change, words);
  else announce(pad, words);
}

/** Take a value of the palette, and a tool that draws it.
 *  @param {State} pad @param {number} k */
export function chooseValue(pad, k) {
  pad.choice = k;
  if (pad.tool !== "spray") pad.tool = "add";
  announce(pad, `${pad.frame.palette[k].said} chosen`);
  pad.paint();
}

/** @param {State} pad @param {"undo" | "redo"} what */
export function stepHistory(pad, what) {
  cancelCarry(pad);
  pad.sync[what]();
  announce(pad, `${what === "undo" ? "undone" : "done again"}; ${pointsText(pad.sync.rows.length)}`);
  pad.paint();
}

/** Put down the row that is carried.
 *  @param {State} pad */
export function putDown(pad) {
  const { carried, draft: [pair] } = pad;
  cancelCarry(pad);
  if (carried && pair) finishGesture(pad, { tool: "move", change: [pair] });
  else if (carried) announce(pad, "put down where it was");
}

/** Let go of the row that is carried: it is where it was.
 *  @param {State} pad */
export function cancelCarry(pad) {
  pad.carried = null;
  pad.draft = [];
}
