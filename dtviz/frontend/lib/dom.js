// The page's elements: made, drawn on, met by events.

/** A new element of a class.
 *  @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} name */
export function element(tag, name) {
  const made = document.createElement(tag);
  made.className = name;
  return made;
}

/** Write a text into an element that holds nothing else; the same again costs nothing.
 *  @param {Element} one @param {string} text */
export function write(one, text) {
  const words = one.firstChild ?? one;
  if (words.textContent !== text) words.textContent = text;
}

/** A new button with a text, and a label for those who listen or point at it.
 *  @param {string} text @param {string} label */
export function button(text, label) {
  const made = element("button", "tool");
  made.type = "button";
  made.textContent = text;
  made.title = label;
  made.setAttribute("aria-label", label);
  return made;
}

/** The pen of a canvas.
 *  @param {HTMLCanvasElement} canvas */
export const penOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** Whether the page gives a picture its height, rather than the picture itself.
 *  @param {HTMLElement} root */
export const heightGiven = (root) => getComputedStyle(root).getPropertyValue("--high") !== "";

/** How many times larger than it was drawn for an element is shown.
 *  @param {Element} one */
export const zoomOf = (one) => one.currentCSSZoom ?? 1;

/** Where an event is in an element, in the element's own pixels.
 *  @param {Element} one @param {{ clientX: number, clientY: number }} event
 *  @returns {[x: number, y: number]} */
export function placeIn(one, { clientX, clientY }) {
  const { left, top } = one.getBoundingClientRect();
  return [(clientX - left) / zoomOf(one), (clientY - top) / zoomOf(one)];
}

/** The elements an event goes through, the innermost first.
 *  @param {globalThis.Event} event */
export const elementsOf = (event) => event.composedPath().filter((one) => one instanceof Element);
