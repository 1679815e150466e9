// Helpers for elements of the page: create them, draw on them, locate events in them.

export const SVG = "http://www.w3.org/2000/svg"; // namespace of the elements of SVG

/** Create an element of a class.
 *  @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} className */
export function element(tag, className) {
  const created = document.createElement(tag);
  created.className = className;
  return created;
}

/** Write a text into an element that holds nothing else. The page does not change if the text is there already.
 *  @param {Element} target @param {string} text */
export function write(target, text) {
  const textNode = target.firstChild ?? target;
  if (textNode.textContent !== text) textNode.textContent = text;
}

/** Create a button that shows a text; its label, if it has one, is the accessible name and the tooltip.
 *  @param {string} text @param {string} [label] */
export function button(text, label) {
  const created = element("button", "tool");
  created.type = "button";
  created.textContent = text;
  if (label) {
    created.title = label;
    created.setAttribute("aria-label", label);
  }
  return created;
}

/** Drawing context of a canvas.
 *  @param {HTMLCanvasElement} canvas */
export const penOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** True if the page sets the height of a picture; else the picture chooses its height.
 *  @param {HTMLElement} root */
export const hasPageHeight = (root) => getComputedStyle(root).getPropertyValue("--high") !== "";

/** Factor by which the page enlarges an element.
 *  @param {Element} target */
export const zoomOf = (target) => target.currentCSSZoom ?? 1;

/** Position of an event in an element, in pixels of the element as it is before the page enlarges it.
 *  @param {Element} target @param {{ clientX: number, clientY: number }} event
 *  @returns {[x: number, y: number]} */
export function positionIn(target, { clientX, clientY }) {
  const { left, top } = target.getBoundingClientRect();
  return [(clientX - left) / zoomOf(target), (clientY - top) / zoomOf(target)];
}

/** Elements on the path of an event, the innermost first.
 *  @param {globalThis.Event} event */
export const elementsOf = (event) => event.composedPath().filter((target) => target instanceof Element);
