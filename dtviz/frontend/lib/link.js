// Events between the pictures of a page, as CustomEvents on the window. `beside` is true for a picture of
// the second of two screens side by side: a node is lit only on the screen of its picture.
//
//   hover    { node, from, way, beside }   node under the pointer, or null; with `way`, the row path to it is lit
//   row      { row, beside }  id of the row under the pointer, or null; the row is lit on both screens
//   cloud    { name }         the points of a name have arrived
//   stamp    { stamp }        a state is asked for: the picture shows its frame if it is kept
//   panel    { name }         a panel of the page is asked for
//   present  {}               a presentation has begun or ended
//   notice   { name, text }   a text for the foot of the page, see notices.js

/** @import { PageEvents } from "../types.d.ts" */

/** Send an event to all pictures of the page.
 *  @template {keyof PageEvents} K @param {K} name @param {PageEvents[K]} detail */
export function tell(name, detail) {
  window.dispatchEvent(new CustomEvent(`dtviz:${name}`, { detail }));
}

/** Listeners of the window, each with the element that must be on the page.
 *  @type {{ root: Node, type: string, handler: (event: globalThis.Event) => void }[]} */
let listeners = [];

/** Listen until `root`, the element of the listener's picture, has left the page.
 *  @template {keyof PageEvents} K @param {K} name @param {(detail: PageEvents[K]) => void} listener
 *  @param {Node} root */
export function hear(name, listener, root) {
  removeListeners();
  const type = `dtviz:${name}`;
  /** @param {globalThis.Event} event */
  const handler = (event) => root.isConnected && listener(/** @type {CustomEvent<PageEvents[K]>} */ (event).detail);
  listeners.push({ root, type, handler });
  window.addEventListener(type, handler);
}

/** Remove the listeners whose element has left the page: each would keep its whole picture in memory. */
function removeListeners() {
  const [connected, removed] = [true, false].map((on) => listeners.filter(({ root }) => root.isConnected === on));
  for (const { type, handler } of removed) window.removeEventListener(type, handler);
  listeners = connected;
}
