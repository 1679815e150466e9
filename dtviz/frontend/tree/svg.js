// The SVG that Graphviz wrote: made harmless, measured, given its handles, saved.
//
// Glossary
//   place    where a node is drawn: x, y, w, h in the picture's units, its group, and left, top
//            in the units of the group
//   handle   the tag under a split: what is folded away, or a sign to fold it

import { grouped } from "../lib/format.js";

/** @import { TreeColours } from "../frames.d.ts" */
/** @import { Place, Places } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const ALLOWED = new Set(["g", "path", "polygon", "polyline", "ellipse", "rect", "text"]);
const MOST_DIGITS = 6;
const DASH = 10; // units of what says from very far that a node is folded, see tree.css
const BELOW = 15; // from a node to the words on its edges

/** The SVG element of Graphviz's text, without anything that could act or load.
 *  @param {string} text */
export function clean(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (read.localName !== "svg") throw new Error("the layout gave no picture");
  for (const element of [...read.querySelectorAll("*")]) {
    if (!ALLOWED.has(element.localName)) {
      const inside = element.localName === "a" ? [...element.childNodes] : []; // a tooltip's
      element.replaceWith(...inside);
    }
  }
  for (const element of [read, ...read.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || name.includes("href")) element.removeAttribute(name);
    }
  }
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(read, true)));
  for (const edge of svg.querySelectorAll("g.edge")) {
    label(edge);
    edge.setAttribute("aria-hidden", "true"); // the nodes' own words and levels say it
  }
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  return svg;
}

/** How large the picture of Graphviz's text is, in its units.
 *  @param {string} text */
export function sizeOf(text) {
  const [, w, h] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(text) ?? [];
  return { w: Number(w), h: Number(h) };
}

/** @param {string} text */
const numbersOf = (text) => (text.match(/-?[\d.]+/g) ?? []).map(Number);

/** Write yes left of its edge and no right of it, just below the parent and off its handle.
 *  @param {Element} edge */
function label(edge) {
  const text = edge.querySelector("text");
  if (!text) return;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = numbersOf(edge.querySelector("path")?.getAttribute("d") ?? "");
  /** @param {number} t @param {number} a @param {number} b @param {number} c @param {number} d */
  const curve = (t, a, b, c, d) => (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d;
  let t = 0;
  while (t < 1 && curve(t, y0, y1, y2, y3) < y0 + BELOW - 4) t += 0.05;
  const x = curve(t, x0, x1, x2, x3);
  const isYes = text.textContent === "yes";
  text.setAttribute("text-anchor", isYes ? "end" : "start");
  text.setAttribute("x", String(isYes ? Math.min(x - 4, x0 - 11) : Math.max(x + 4, x0 + 11)));
  text.setAttribute("y", String(y0 + BELOW));
}

/** The place of each node by id.
 *  @param {SVGSVGElement} svg @returns {Places} */
export function places(svg) {
  const moved = svg.querySelector("g.graph")?.getAttribute("transform") ?? "";
  const [dx, dy] = numbersOf(/translate\([^)]*\)/.exec(moved)?.[0] ?? "0 0");
  /** @type {Places} */
  const out = new Map();
  for (const group of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("g.node"))) {
    const box = group.querySelector("path, polygon");
    const numbers = numbersOf(box?.getAttribute("d") ?? box?.getAttribute("points") ?? "");
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, k) => k % 2 === odd));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const size = { w: Math.max(...xs) - left, h: Math.max(...ys) - top };
    out.set(group.id.slice(1), { ...size, group, left, top, x: left + dx, y: top + dy });
    for (const text of group.querySelectorAll("text")) centre(text, left + size.w / 2);
  }
  return out;
}

/** Graphviz only guesses how wide a font runs: a line written from its middle stays in its box.
 *  @param {Element} text @param {number} x */
function centre(text, x) {
  text.setAttribute("x", String(x));
  text.setAttribute("text-anchor", "middle");
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function shape(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** Whether the number of a node stands over its right corner.
 *  @param {string} id */
const onRight = (id) => id !== "1" && Number(id.at(-1)) % 2 === 1;

/** The number of a node, as sentences call it, above the outer corner of its box; too long a one is not
 *  told. From farther away its side stands there too, and whether it splits next.
 *  @param {Place} given @param {string} id @param {boolean} isNext @param {TreeColours} given */
export function numbered({ left, top, w }, id, isNext, { ink, accent }) {
  const isRight = onRight(id);
  const tag = shape("text", {
    class: "number", x: isRight ? left + w - 1 : left + 1, y: top - 3, "text-anchor": isRight ? "end" : "start",
    "font-size": 9, fill: ink, "fill-opacity": 0.75, "aria-hidden": "true", "font-family": "Helvetica,Arial,sans-serif",
  }, id.length > MOST_DIGITS ? "" : id);
  const more = [[id === "1" ? "" : isRight ? " no" : " yes", ink], [isNext ? " next" : "", accent]];
  tag.append(...more.filter(([words]) => words).map(([words, fill]) => shape("tspan", { class: "afar", fill, "fill-opacity": 1 }, words)));
  return tag;
}

/** The handle under a node: "+ 34 nodes" where `count` are folded away, else a minus. From farther away
 *  "+ 34" stands there if it `isFree`, else over the corner that its number leaves free; from very far
 *  a dash.
 *  @param {Place} given @param {string} id @param {number} count @param {TreeColours} given
 *  @param {boolean} isFree */
export function handle({ left, top, w, h }, id, count, { ink, paper }, isFree) {
  const [words, what] = count ? [`+ ${grouped(count)}`, ` node${count === 1 ? "" : "s"}`] : ["−", ""];
  const wide = count ? 12 + 6 * (words.length + what.length) : 18;
  const [cx, cy] = [left + w / 2, top + h];
  const tag = shape("g", { class: `fold${count ? " shut" : ""}${isFree ? " free" : ""}`, "aria-hidden": "true" });
  tag.style.transformOrigin = `${cx}px ${cy}px`;
  const anchor = isFree ? "middle" : onRight(id) ? "start" : "end";
  const short = 24 + 6 * words.length;
  const told = {
    aside: `${onRight(id) ? -w / 2 : w / 2}px`, above: `${-h - 3}px`, anchor, short: `${short}px`,
    hit: `${{ start: cx - 8, middle: cx - short / 2, end: cx + 8 - short }[anchor]}px`, dash: `${cx - DASH / 2}px`, long: `${DASH}px`,
  };
  for (const [name, value] of Object.entries(told)) tag.style.setProperty(`--${name}`, value);
  const text = shape("text", {
    x: cx, y: cy + 12.5, "text-anchor": "middle", "font-size": 11, fill: ink,
    "font-family": "Helvetica,Arial,sans-serif",
  }, words);
  if (what) text.append(shape("tspan", {}, what));
  tag.append(
    shape("rect", { class: "hit", x: cx - wide / 2 - 6, y: cy - 4, width: wide + 12, height: 24, fill: "none" }),
    shape("rect", { x: cx - wide / 2, y: cy + 1, width: wide, height: 15, rx: 7.5, fill: paper, stroke: "#888888" }),
    text,
  );
  return tag;
}

// --- saving ---------------------------------------------------------------------------------------

/** The picture as a document of its own, as it is shown.
 *  @param {SVGSVGElement} svg @param {TreeColours} given */
export function standalone(svg, { paper, accent }) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  for (const tag of copy.querySelectorAll(".fold:not(.shut), .hit, .brief, .afar, g.rows .parts > polygon, g.node:not(.rows) .strip")) tag.remove();
  const box = copy.querySelector("g.focus > path");
  box?.setAttribute("stroke", accent);
  box?.setAttribute("stroke-width", "3");
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (["tabindex", "role", "class", "style"].includes(name) || name.startsWith("aria-")) {
        element.removeAttribute(name);
      }
    }
  }
  copy.prepend(shape("rect", { width: "100%", height: "100%", fill: paper }));
  copy.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copy);
}
