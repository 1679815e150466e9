// The actions of the pad, by pointer, by keys or by its buttons: each changes the rows and announces the change.

import { applyChange } from "./tools.js";
import { gestureText, pointsText } from "./texts.js";

/** @import { PadState } from "./pad.js" */
/** @import { Gesture, RowChange } from "./tools.js" */

/** The pad with its draft applied: the input of drawing and of the tools.
 *  @param {PadState} pad */
export function currentDrawing(pad) {
  const { sync, frame, draft, carriedRow, drag, choice } = pad;
  const rows = draft.length ? applyChange(sync.rows, draft) : sync.rows;
  const movingRow = carriedRow ?? drag?.heldRow;
  const heldRow = movingRow ? draft[0]?.[1] ?? movingRow : null;
  return { ...pad, rows, value: frame.palette[choice].value, heldRow, maxRows: frame.max_points, hint: "Click to add points" };
}

/** Announces a text to screen readers.
 *  @param {PadState} pad @param {string} text */
export function announce({ announcer }, text) {
  announcer.textContent = text;
}

/** Change the rows, as far as there is room for more.
 *  @param {PadState} pad @param {RowChange[]} change @param {string} text */
export function changeRows(pad, change, text) {
  const { sync, frame } = pad;
  pad.draft = [];
  const room = frame.max_points - sync.rows.length;
  const fitting = change.filter(([before], k) => before || k < room);
  const limitText = fitting.length < change.length ? `; at most ${frame.max_points} points` : "";
  if (fitting.length) sync.change(fitting, frame.target, pad.wait);
  pad.wait = 0;
  announce(pad, `${text}; ${pointsText(sync.rows.length)}${limitText}`);
  pad.paint();
}

/** Apply the change of a gesture to the rows.
 *  @param {PadState} pad @param {Gesture} gesture */
export function finishGesture(pad, gesture) {
  const text = gestureText(gesture, pad.frame);
  if (gesture.change.length) changeRows(pad, gesture.change, text);
  else announce(pad, text);
}

/** Choose a value of the palette, with a tool that draws it.
 *  @param {PadState} pad @param {number} index */
export function chooseValue(pad, index) {
  pad.choice = index;
  if (pad.tool !== "spray") pad.tool = "add";
  announce(pad, `${pad.frame.palette[index].spoken} chosen`);
  pad.paint();
}

/** Undo or redoes a change.
 *  @param {PadState} pad @param {"undo" | "redo"} direction */
export function stepHistory(pad, direction) {
  cancelCarry(pad);
  pad.sync[direction]();
  announce(pad, `${direction === "undo" ? "undone" : "done again"}; ${pointsText(pad.sync.rows.length)}`);
  pad.paint();
}

/** Puts down the row that is carried, at the crosshair.
 *  @param {PadState} pad */
export function putDown(pad) {
  const { carriedRow, draft: [change] } = pad;
  cancelCarry(pad);
  if (carriedRow && change) finishGesture(pad, { tool: "move", change: [change] });
  else if (carriedRow) announce(pad, "put down where it was");
}

/** Releases the row that is carried, which stays at its old position.
 *  @param {PadState} pad */
export function cancelCarry(pad) {
  pad.carriedRow = null;
  pad.draft = [];
}
