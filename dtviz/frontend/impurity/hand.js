// What a hand does to one value of the page Impurity, and when it becomes the setting.
//
// Glossary
//   draft   the value under the hand, not told yet
//   asked   the value told last, while Python has not answered

/** @import { Host } from "../lib/channel.js" */
/** @import { Lab } from "../types.d.ts" */

const PATIENCE = 350; // milliseconds after the last arrow key

/** @template {keyof Lab} K */
export class Hand {
  /** @param {Pick<Host, "send" | "pending">} host @param {K} name @param {() => Lab[K]} own  what the frame says
   *  @param {() => void} repaint */
  constructor(host, name, own, repaint) {
    this.host = host;
    this.name = name;
    this.own = own;
    this.repaint = repaint;
    this.draft = /** @type {Lab[K] | null} */ (null);
    this.timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  }

  /** What is shown. */
  get value() { return this.draft ?? this.asked ?? this.own(); }

  get asked() {
    for (const act of this.host.pending.toReversed()) {
      if (act.what !== "set") continue;
      const values = /** @type {Partial<Lab>} */ (act.values);
      if (values[this.name] !== undefined) return /** @type {Lab[K]} */ (values[this.name]);
    }
    return null;
  }

  /** Draw it, without telling Python.
   *  @param {Lab[K]} value */
  look(value) {
    clearTimeout(this.timer);
    if (same(value, this.value)) return;
    this.draft = value;
    this.repaint();
  }

  /** Tell Python what is drawn; it stays until the answer. */
  stay() {
    clearTimeout(this.timer);
    const { draft } = this;
    this.draft = null;
    if (draft !== null && !same(draft, this.value)) this.host.send({ what: "set", values: { [this.name]: draft } });
    this.repaint();
  }

  /** Draw it, and keep it unless another key comes before that.
   *  @param {Lab[K]} value */
  settle(value) {
    this.look(value);
    this.timer = setTimeout(() => this.stay(), PATIENCE);
  }

  /** Take back what was not told. */
  giveUp() {
    clearTimeout(this.timer);
    this.draft = null;
    this.repaint();
  }
}

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Have an element dragged: `at` gives the value under the pointer, from where it was taken hold of.
 *  @template {keyof Lab} K @param {HTMLElement} element @param {Hand<K>} hand
 *  @param {(event: PointerEvent, from: { x: number, y: number, value: Lab[K] }) => Lab[K]} at */
export function dragged(element, hand, at) {
  let from = /** @type {{ x: number, y: number, value: Lab[K] } | null} */ (null);
  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    from = { x: event.clientX, y: event.clientY, value: hand.value };
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
    element.focus({ preventScroll: true, focusVisible: false });
    hand.look(at(event, from));
  });
  element.addEventListener("pointermove", (event) => {
    if (from) hand.look(at(event, from));
  });
  element.addEventListener("pointerup", (event) => {
    if (!from) return;
    hand.look(at(event, from));
    from = null;
    hand.stay();
  });
  element.addEventListener("pointercancel", () => {
    from = null;
    hand.giveUp();
  });
}

/** Have it stepped by keys: `step` gives the value after one, undefined for a key that is not ours.
 *  @template {keyof Lab} K @param {HTMLElement} element @param {Hand<K>} hand
 *  @param {(value: Lab[K], key: string, far: boolean) => Lab[K] | undefined} step */
export function keyed(element, hand, step) {
  element.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const next = step(hand.value, key, shiftKey);
    if (next !== undefined) hand.settle(next);
    else if (key === "Escape") hand.giveUp();
    else if (key === "Enter") hand.stay();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener("blur", () => hand.stay());
}
