// A setting of the page Impurity: previews that the user drags or steps by keys, and the value sent to Python.
//
// Glossary
//   preview   a value that is drawn but not sent yet
//   pending   the value sent last, while Python has not answered

/** @import { Host } from "../lib/channel.js" */
/** @import { Lab, Spot } from "../types.d.ts" */

const MS_AFTER_KEY = 350; // several key presses in a row are sent once

/** Setting that a picture changes: the field `name` of the page's state.
 *  @template {keyof Lab} K */
export class Setting {
  /** @param {Pick<Host, "send" | "pending">} host @param {K} name @param {() => Lab[K]} valueOfFrame
   *  @param {() => void} repaint */
  constructor(host, name, valueOfFrame, repaint) {
    this.host = host;
    this.name = name;
    this.valueOfFrame = valueOfFrame;
    this.repaint = repaint;
    this.preview = /** @type {Lab[K] | null} */ (null);
    this.timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  }

  /** Value that is drawn: the preview, else the pending value, else the value of the frame. */
  get value() { return this.preview ?? this.pending ?? this.valueOfFrame(); }

  /** Pending value, or null if Python has answered. */
  get pending() {
    for (const event of this.host.pending.toReversed()) {
      if (event.what !== "set") continue;
      const values = /** @type {Partial<Lab>} */ (event.values);
      if (values[this.name] !== undefined) return /** @type {Lab[K]} */ (values[this.name]);
    }
    return null;
  }

  /** Draw a preview, without sending it.
   *  @param {Lab[K]} value */
  show(value) {
    clearTimeout(this.timer);
    if (isEqual(value, this.value)) return;
    this.preview = value;
    this.repaint();
  }

  /** Send the preview to Python; it stays drawn until the answer. */
  commit() {
    clearTimeout(this.timer);
    const { preview } = this;
    this.preview = null;
    if (preview !== null && !isEqual(preview, this.value)) this.host.send({ what: "set", values: { [this.name]: preview } });
    this.repaint();
  }

  /** Draw a preview, and sends it if no key comes for a while.
   *  @param {Lab[K]} value */
  commitLater(value) {
    this.show(value);
    this.timer = setTimeout(() => this.commit(), MS_AFTER_KEY);
  }

  /** Discard the preview. */
  discard() {
    clearTimeout(this.timer);
    this.preview = null;
    this.repaint();
  }
}

/** @param {unknown} a @param {unknown} b */
const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Let the pointer drag an element. `valueAt` computes the value at the pointer of an event; `start` is where the
 *  drag began, in pixels of the window, and the value before it.
 *  @template {keyof Lab} K @param {HTMLElement} element @param {Setting<K>} setting
 *  @param {(event: PointerEvent, start: Spot & { value: Lab[K] }) => Lab[K]} valueAt */
export function listenToDrags(element, setting, valueAt) {
  let start = /** @type {Spot & { value: Lab[K] } | null} */ (null);
  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    start = { x: event.clientX, y: event.clientY, value: setting.value };
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
    element.focus({ preventScroll: true, focusVisible: false }); // the default, which is prevented, would do so
    setting.show(valueAt(event, start));
  });
  element.addEventListener("pointermove", (event) => {
    if (start) setting.show(valueAt(event, start));
  });
  element.addEventListener("pointerup", (event) => {
    if (!start) return;
    setting.show(valueAt(event, start));
    start = null;
    setting.commit();
  });
  element.addEventListener("pointercancel", () => { // for example, the finger scrolls the page
    start = null;
    setting.discard();
  });
}

/** Let keys change the setting of an element. `step` gives the value after a key, undefined if the key does not
 *  change it; `isLarge` is true with Shift.
 *  @template {keyof Lab} K @param {HTMLElement} element @param {Setting<K>} setting
 *  @param {(value: Lab[K], key: string, isLarge: boolean) => Lab[K] | undefined} step */
export function listenToKeys(element, setting, step) {
  element.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const value = step(setting.value, key, shiftKey);
    if (value !== undefined) setting.commitLater(value);
    else if (key === "Escape") setting.discard();
    else if (key === "Enter") setting.commit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener("blur", () => setting.commit());
}
