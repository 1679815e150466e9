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

/** @import { News } from "../types.d.ts" */

/** @template {keyof News} K @param {K} name @param {News[K]} detail */
export function tell(name, detail) {
  window.dispatchEvent(new CustomEvent(`dtviz:${name}`, { detail }));
}

/** Listen until `root`, the element of the one who listens, has left the page.
 *  @template {keyof News} K @param {K} name @param {(detail: News[K]) => void} listener
 *  @param {Node} root */
export function hear(name, listener, root) {
  /** @param {globalThis.Event} event */
  const heard = (event) => {
    if (root.isConnected) listener(/** @type {CustomEvent<News[K]>} */ (event).detail);
    else window.removeEventListener(`dtviz:${name}`, heard);
  };
  window.addEventListener(`dtviz:${name}`, heard);
}
