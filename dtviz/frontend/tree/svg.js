// SVG of Graphviz: cleaned, measured, given handles, saved.
//
// Glossary
//   place    rectangle of a node in units of the picture, its group, and left, top in units of the group
//   handle   the tag under a split, which folds and unfolds its subtree

import { grouped } from "../lib/format.js";

/** @import { TreeColours } from "../frames.d.ts" */
/** @import { NodePlace, NodePlaces } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const ALLOWED = new Set(["g", "path", "polygon", "polyline", "ellipse", "rect", "text"]);
const MAX_DIGITS = 6;
const DASH_LENGTH = 10; // units of the dash that marks a folded node in a very small picture, see tree.css
const LABEL_OFFSET = 15; // units from a node to the words on its edges

/** Parse the SVG text of Graphviz, without anything that could run or load.
 *  @param {string} text */
export function parseSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") throw new Error("the layout gave no picture");
  for (const element of [...parsed.querySelectorAll("*")]) {
    if (!ALLOWED.has(element.localName)) {
      const inside = element.localName === "a" ? [...element.childNodes] : []; // a tooltip's
      element.replaceWith(...inside);
    }
  }
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (name.startsWith("on") || name.includes("href")) element.removeAttribute(name);
    }
  }
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
  for (const edge of svg.querySelectorAll("g.edge")) {
    placeLabel(edge);
    edge.setAttribute("aria-hidden", "true"); // the words and levels of the nodes say the same
  }
  const { width, height } = svg.viewBox.baseVal;
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  return svg;
}

/** Size of the picture in Graphviz's SVG text, in its units.
 *  @param {string} text */
export function sizeOf(text) {
  const [, w, h] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(text) ?? [];
  return { w: Number(w), h: Number(h) };
}

/** @param {string} text */
const numbersOf = (text) => (text.match(/-?[\d.]+/g) ?? []).map(Number);

/** Place the label of an edge, yes left of it and no right of it, just below the parent and off its handle.
 *  @param {Element} edge */
function placeLabel(edge) {
  const text = edge.querySelector("text");
  if (!text) return;
  const [x0, y0, x1, y1, x2, y2, x3, y3] = numbersOf(edge.querySelector("path")?.getAttribute("d") ?? "");
  /** @param {number} t @param {number} a @param {number} b @param {number} c @param {number} d */
  const curve = (t, a, b, c, d) => (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d;
  let t = 0;
  while (t < 1 && curve(t, y0, y1, y2, y3) < y0 + LABEL_OFFSET - 4) t += 0.05;
  const x = curve(t, x0, x1, x2, x3);
  const isYes = text.textContent === "yes";
  text.setAttribute("text-anchor", isYes ? "end" : "start");
  text.setAttribute("x", String(isYes ? Math.min(x - 4, x0 - 11) : Math.max(x + 4, x0 + 11)));
  text.setAttribute("y", String(y0 + LABEL_OFFSET));
}

/** Places of the nodes, by id.
 *  @param {SVGSVGElement} svg @returns {NodePlaces} */
export function placesOf(svg) {
  const transform = svg.querySelector("g.graph")?.getAttribute("transform") ?? "";
  const [dx, dy] = numbersOf(/translate\([^)]*\)/.exec(transform)?.[0] ?? "0 0");
  /** @type {NodePlaces} */
  const places = new Map();
  for (const group of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("g.node"))) {
    const box = group.querySelector("path, polygon");
    const numbers = numbersOf(box?.getAttribute("d") ?? box?.getAttribute("points") ?? "");
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, k) => k % 2 === odd));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const size = { w: Math.max(...xs) - left, h: Math.max(...ys) - top };
    places.set(group.id.slice(1), { ...size, group, left, top, x: left + dx, y: top + dy });
    for (const text of group.querySelectorAll("text")) centre(text, left + size.w / 2);
  }
  return places;
}

/** Centre a line of text in its box, since Graphviz only guesses the width of a font.
 *  @param {Element} text @param {number} x */
function centre(text, x) {
  text.setAttribute("x", String(x));
  text.setAttribute("text-anchor", "middle");
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function createShape(name, attributes, text = "") {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.textContent = text;
  return created;
}

/** True for a right child, whose number is over its right corner.
 *  @param {string} id */
const isRightChild = (id) => id !== "1" && Number(id.at(-1)) % 2 === 1;

/** Tag with the number of a node, as sentences call it, above the outer corner of its box; a long number is
 *  left out. In a small picture the tag also has the side of the node, and marks the node that splits next.
 *  @param {NodePlace} place @param {string} id @param {boolean} isNext @param {TreeColours} colours */
export function numberTag({ left, top, w }, id, isNext, { ink, accent }) {
  const isRight = isRightChild(id);
  const tag = createShape("text", {
    class: "number", x: isRight ? left + w - 1 : left + 1, y: top - 3, "text-anchor": isRight ? "end" : "start",
    "font-size": 9, fill: ink, "fill-opacity": 0.75, "aria-hidden": "true", "font-family": "Helvetica,Arial,sans-serif",
  }, id.length > MAX_DIGITS ? "" : id);
  const suffixes = [[id === "1" ? "" : isRight ? " no" : " yes", ink], [isNext ? " next" : "", accent]];
  tag.append(...suffixes.filter(([words]) => words).map(([words, fill]) => createShape("tspan", { class: "afar", fill, "fill-opacity": 1 }, words)));
  return tag;
}

/** Handle under a node: "+ 34 nodes" if `count` nodes are folded away, else a minus. In a small picture it is
 *  "+ 34", under the node if that place `isFree`, else over the corner without the number; in a very small
 *  picture a dash.
 *  @param {NodePlace} place @param {string} id @param {number} count @param {TreeColours} colours
 *  @param {boolean} isFree */
export function foldHandle({ left, top, w, h }, id, count, { ink, paper }, isFree) {
  const [words, noun] = count ? [`+ ${grouped(count)}`, ` node${count === 1 ? "" : "s"}`] : ["−", ""];
  const width = count ? 12 + 6 * (words.length + noun.length) : 18;
  const [cx, cy] = [left + w / 2, top + h];
  const tag = createShape("g", { class: `fold${count ? " shut" : ""}${isFree ? " free" : ""}`, "aria-hidden": "true" });
  tag.style.transformOrigin = `${cx}px ${cy}px`;
  const anchor = isFree ? "middle" : isRightChild(id) ? "start" : "end";
  const short = 24 + 6 * words.length;
  const properties = {
    aside: `${isRightChild(id) ? -w / 2 : w / 2}px`, above: `${-h - 3}px`, anchor, short: `${short}px`,
    hit: `${{ start: cx - 8, middle: cx - short / 2, end: cx + 8 - short }[anchor]}px`, dash: `${cx - DASH_LENGTH / 2}px`, long: `${DASH_LENGTH}px`,
  };
  for (const [name, value] of Object.entries(properties)) tag.style.setProperty(`--${name}`, value);
  const text = createShape("text", {
    x: cx, y: cy + 12.5, "text-anchor": "middle", "font-size": 11, fill: ink,
    "font-family": "Helvetica,Arial,sans-serif",
  }, words);
  if (noun) text.append(createShape("tspan", {}, noun));
  tag.append(
    createShape("rect", { class: "hit", x: cx - width / 2 - 6, y: cy - 4, width: width + 12, height: 24, fill: "none" }),
    createShape("rect", { x: cx - width / 2, y: cy + 1, width, height: 15, rx: 7.5, fill: paper, stroke: "#888888" }),
    text,
  );
  return tag;
}

// --- saving ---------------------------------------------------------------------------------------

/** Picture as a document of its own, as it is shown.
 *  @param {SVGSVGElement} svg @param {TreeColours} colours */
export function standaloneSvg(svg, { paper, accent }) {
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
  copy.prepend(createShape("rect", { width: "100%", height: "100%", fill: paper }));
  copy.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copy);
}
