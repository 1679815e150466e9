// The SVG that Graphviz wrote: made harmless, measured, animated, saved.

const SVG = "http://www.w3.org/2000/svg";
const ALLOWED = new Set([
  "svg", "g", "path", "polygon", "polyline", "ellipse", "rect", "text", "tspan", "title", "defs",
  "linearGradient", "stop", "style",
]);
const LONG = 250;

/** The SVG element of Graphviz's text, without anything that could act or load. */
export function clean(text) {
  const svg = document.importNode(
    new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true,
  );
  if (svg.localName !== "svg") throw new Error("the layout gave no picture");
  for (const element of [...svg.querySelectorAll("*")]) {
    if (element.localName === "a") element.replaceWith(...element.childNodes); // tooltips
    else if (!ALLOWED.has(element.localName) || ["title", "style"].includes(element.localName)) element.remove();
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || name.includes("href")) element.removeAttribute(name);
    }
  }
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  return svg;
}

/** Each node's group and its rectangle in the picture's units, by id. */
export function places(svg) {
  const [, dx, dy] = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/
    .exec(svg.querySelector("g.graph").getAttribute("transform")).map(Number);
  const out = new Map();
  for (const group of svg.querySelectorAll("g.node")) {
    const shape = group.querySelector("path, polygon");
    const numbers = (shape.getAttribute("d") ?? shape.getAttribute("points")).match(/-?[\d.]+/g).map(Number);
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, k) => k % 2 === odd));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const place = { w: Math.max(...xs) - left, h: Math.max(...ys) - top, group };
    out.set(group.id.slice(1), { ...place, x: left + dx, y: top + dy, left, top });
  }
  return out;
}

/** Let nodes go from their old place to the new one and new ones fade in; still where asked. */
export function grow(svg, before, after, parentOf) {
  if (!before.size || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const timing = { duration: LONG, easing: "ease-out" };
  for (const [id, { group, left, top, w }] of after) {
    const old = before.get(id);
    const from = old ?? before.get(parentOf(id));
    if (from) {
      const [dx, dy] = [from.left + from.w / 2 - left - w / 2, from.top - top];
      const start = { transform: `translate(${dx}px, ${dy}px)`, opacity: old ? 1 : 0 };
      if (dx || dy || !old) group.animate([start, { transform: "none", opacity: 1 }], timing);
    }
  }
  const moved = before.size !== after.size;
  if (!moved) return;
  for (const edge of svg.querySelectorAll("g.edge")) edge.animate([{ opacity: 0 }, { opacity: 1 }], timing);
}

/** The picture as a document of its own. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  for (const tag of copy.querySelectorAll(".fold:not(.shut)")) tag.remove();
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ["tabindex", "role", "class"]) element.removeAttribute(name);
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("aria-")) element.removeAttribute(name);
    }
  }
  copy.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copy);
}
