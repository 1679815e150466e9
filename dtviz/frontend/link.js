// What one picture says and the others hear, as CustomEvents on the window.
//
//   hover   { node, from }   the node under the pointer, or null

export function tell(name, detail) {
  window.dispatchEvent(new CustomEvent(`dtviz:${name}`, { detail }));
}

export function hear(name, listener) {
  window.addEventListener(`dtviz:${name}`, (event) => listener(event.detail));
}
