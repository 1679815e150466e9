// What one picture says and the others hear, as CustomEvents on the window. `beside` says that it is
// of the other of two screens side by side: what is lit is lit on its own.
//
//   hover   { node, from, way, beside }   the node under the pointer, or null; `way`: with a row's way to it
//   row     { row, beside }  the row under the pointer by its number, or null: lit on both screens
//   cloud   { name }         the points of that name have come
//   layer   { name }         the trees of that name have come
//   ahead   { frame }        of a state that is likely to be asked for next
//   stamp   { stamp }        that state is asked for: show it if its frame is kept
//   laying  { on, beside }   the tree is being laid out; or it stands
//   panel   { name }         that panel of the page is asked for
//   notice  { name, text }   a text to be told at the foot of the page, see notices.js

/** @import { News } from "../types.d.ts" */

/** @template {keyof News} K @param {K} name @param {News[K]} detail */
export function tell(name, detail) {
  window.dispatchEvent(new CustomEvent(`dtviz:${name}`, { detail }));
}

/** Whoever listens to the window, by the element that must be on the page.
 *  @type {{ root: Node, type: string, heard: (event: globalThis.Event) => void }[]} */
let listening = [];

/** Listen until `root`, the element of the one who listens, has left the page.
 *  @template {keyof News} K @param {K} name @param {(detail: News[K]) => void} listener
 *  @param {Node} root */
export function hear(name, listener, root) {
  sweep();
  const type = `dtviz:${name}`;
  /** @param {globalThis.Event} event */
  const heard = (event) => root.isConnected && listener(/** @type {CustomEvent<News[K]>} */ (event).detail);
  listening.push({ root, type, heard });
  window.addEventListener(type, heard);
}

/** Let go of those that have left the page: each would keep all that stood around it. */
function sweep() {
  const [here, gone] = [true, false].map((on) => listening.filter(({ root }) => root.isConnected === on));
  for (const { type, heard } of gone) window.removeEventListener(type, heard);
  listening = here;
}
