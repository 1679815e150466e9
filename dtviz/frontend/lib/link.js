// Events between pictures, as CustomEvents. Those between the pictures of one component are events of its root node:
// the shadow root that each host gives a component. So two instruments in one document never speak to one another.
// `beside` is true for a picture of the second of two screens side by side: a node is lit only on the screen of its
// picture.
//
//   hover    { node, from, way, beside }   node under the pointer, or null; with `way`, the row path to it is lit
//   row      { row, beside }  id of the row under the pointer, or null; the row is lit on both screens
//   stamp    { stamp }        a state is asked for: the picture shows its frame if it is kept
//   panel    { name }         a panel of the page is asked for
//
// Those of the whole document are events of the window:
//
//   cloud    { name }         the points of a name have arrived
//   present  {}               a presentation has begun or ended
//   notice   { name, text }   a text for the foot of the page, see notices.js

/** @import { DocumentEvents, PageEvents } from "../types.d.ts" */

/** @type {Set<keyof PageEvents>} */
const DOCUMENT_EVENTS = new Set(["cloud", "present", "notice"]);

/** Send an event to all pictures of the component of an element.
 *  @template {Exclude<keyof PageEvents, keyof DocumentEvents>} K @param {Node} root @param {K} name @param {PageEvents[K]} detail */
export function tell(root, name, detail) {
  root.getRootNode().dispatchEvent(eventOf(name, detail));
}

/** Send an event to all pictures of the document.
 *  @template {keyof DocumentEvents} K @param {K} name @param {DocumentEvents[K]} detail */
export function tellAll(name, detail) {
  window.dispatchEvent(eventOf(name, detail));
}

/** @param {string} name @param {unknown} detail */
const eventOf = (name, detail) => new CustomEvent(`dtviz:${name}`, { detail });

/** Listeners, each with the element that must be on the page.
 *  @type {{ root: Node, target: EventTarget, type: string, handler: (event: globalThis.Event) => void }[]} */
let listeners = [];

/** Listen until `root`, the element of the listener's picture, has left the page. It must be on the page by now.
 *  @template {keyof PageEvents} K @param {K} name @param {(detail: PageEvents[K]) => void} listener
 *  @param {Node} root */
export function hear(name, listener, root) {
  removeListeners();
  const [type, target] = [`dtviz:${name}`, DOCUMENT_EVENTS.has(name) ? window : root.getRootNode()];
  /** @param {globalThis.Event} event */
  const handler = (event) => root.isConnected && listener(/** @type {CustomEvent<PageEvents[K]>} */ (event).detail);
  listeners.push({ root, target, type, handler });
  target.addEventListener(type, handler);
}

/** Remove the listeners whose element has left the page: each would keep its whole picture in memory. */
function removeListeners() {
  const [connected, removed] = [true, false].map((on) => listeners.filter(({ root }) => root.isConnected === on));
  for (const { target, type, handler } of removed) target.removeEventListener(type, handler);
  listeners = connected;
}
