// A tree as SVG: its edges and nodes, the handles and tags of the nodes, the picture that is saved.
//
// Glossary
//   place    rectangle of a node in units of the picture, with its group
//   handle   the tag under a split, which folds and unfolds its subtree

import { SVG } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { truncate } from "./lettering.js";
import { TYPE } from "./variants.js";
import { hasShortNumber } from "./words.js";

/** @import { TreeColours, TreeFrame } from "../frames.d.ts" */
/** @import { NodePlace, NodePlaces, Nodes, Rect, TreeNode } from "../types.d.ts" */
/** @import { Layout } from "./layout.js" */
/** @import { Box, Variant } from "./variants.js" */

const DASH_LENGTH = 10; // units of the dash that marks a folded node in a very small picture, see tree.css
const ARROW = { w: 5, h: 7 }; // units of the head of an edge
const RADIUS = 8; // units of the corners of a box
const MAX_ANSWER = 14; // letters of an answer beside an edge or a tag

/** Draw a tree that is laid out; the groups stand in the order in which a screen reader reads them.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {Variant} variant @param {Layout} layout
 *  @returns {{ svg: SVGSVGElement, places: NodePlaces }} */
export function drawTree(frame, nodes, { boxes, isLow }, { places: rects, size: { w, h } }) {
  const svg = /** @type {SVGSVGElement} */ (createShape("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: "tree" }));
  const graph = createShape("g", { class: "graph" });
  /** @type {NodePlaces} */
  const places = new Map();
  for (const [id, box] of boxes) places.set(id, drawNode(id, nodes.get(id), box, /** @type {Rect} */ (rects.get(id)), frame));
  for (const [id, child] of places) {
    const parent = places.get(nodes.get(id).parent ?? "");
    if (parent) graph.append(drawEdge(id, nodes.get(id), parent, child, isLow, frame.colours));
  }
  graph.append(...Array.from(places.values(), ({ group }) => group));
  svg.append(graph);
  return { svg, places };
}

/** @param {string} id @param {TreeNode} node @param {Box} box @param {Rect} rect @param {TreeFrame} frame @returns {NodePlace} */
function drawNode(id, { classShares, isNext, isOpen, hue }, box, { x, y, w, h }, { colours, shape: { node_colours: palette } }) {
  const { ink, paper, muted, accent } = colours;
  const group = /** @type {SVGGElement} */ (createShape("g", { class: "node", id: `n${id}` }));
  const bar = { group: /** @type {SVGGElement} */ (createShape("g", { class: "parts" })), x: x + box.bar.x, y: y + box.bar.y, w: box.bar.w, h: box.bar.h };
  bar.group.append(...barParts(bar, classShares.length ? [...classShares] : [1], classShares.length ? palette : [hue]));
  const outline = createShape("rect", { class: "outline", x, y, width: w, height: h, rx: RADIUS, fill: paper, stroke: isNext ? accent : muted, "stroke-width": isNext ? 1.8 : 1 });
  if (isOpen) outline.setAttribute("stroke-dasharray", "5 2");
  const fills = { title: ink, numbers: ink, reason: muted, next: accent };
  const texts = box.lines.map(({ kind, text, y: baseline }) => createShape("text", {
    x: x + w / 2, y: y + baseline, "text-anchor": "middle", "font-size": TYPE[kind], fill: fills[kind], ...(kind === "title" ? { "font-weight": "bold" } : {}),
  }, text));
  group.append(outline, bar.group, ...texts);
  return { x, y, w, h, group, bar };
}

/** Parts of a bar, side by side, as wide as their shares.
 *  @param {Rect} rect @param {number[]} shares @param {readonly string[]} palette */
function barParts({ x, y, w, h }, shares, palette) {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let start = x;
  return shares.flatMap((share, k) => {
    const width = (w * share) / total;
    start += width;
    return share ? [createShape("rect", { x: start - width, y, width, height: h, fill: palette[k % palette.length] })] : [];
  });
}

/** Edge from a parent to a child. Above tall boxes it has a head, and a word beside that, where no other edge comes
 *  near: the answer that leads to the child, of the first children left of the head, of the others right of it.
 *  @param {string} id @param {TreeNode} node @param {Rect} parent @param {Rect} child @param {boolean} isLow @param {TreeColours} colours */
function drawEdge(id, { answer, isRight }, parent, child, isLow, { ink, muted }) {
  const group = createShape("g", { class: "edge", id: `e${id}`, "aria-hidden": "true" }); // the words and levels of the nodes say the same
  const [x0, y0] = [parent.x + parent.w / 2, parent.y + parent.h];
  const [x1, y1] = [child.x + child.w / 2, child.y];
  const end = isLow ? y1 : y1 - ARROW.h;
  const middle = (y0 + end) / 2;
  group.append(createShape("path", { d: `M${x0},${y0}C${x0},${middle},${x1},${middle},${x1},${end}`, fill: "none", stroke: muted }));
  if (isLow) return group;
  group.append(
    createShape("polygon", { points: `${x1},${y1} ${x1 - ARROW.w / 2},${end} ${x1 + ARROW.w / 2},${end}`, fill: muted, stroke: muted }),
    createShape("text", { x: x1 + (isRight ? 6 : -6), y: y1 - 4, "text-anchor": isRight ? "start" : "end", "font-size": 11, fill: ink }, shortAnswer(answer)),
  );
  return group;
}

/** @param {string} answer  that leads to a node */
function shortAnswer(answer) {
  return truncate(answer, MAX_ANSWER, (text) => [...text].length);
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function createShape(name, attributes, text = "") {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  created.textContent = text;
  return created;
}

/** Tag with the number of a node, as sentences call it, above the outer corner of its box; a long number is
 *  left out. In a small picture the tag also has the answer that leads to the node, and marks the node that splits next.
 *  @param {NodePlace} place @param {string} id @param {TreeNode} node @param {TreeColours} colours */
export function numberTag({ x, y, w }, id, { isNext, isRight, answer }, { ink, accent }) {
  const tag = createShape("text", {
    class: "number", x: isRight ? x + w - 1 : x + 1, y: y - 3, "text-anchor": isRight ? "end" : "start",
    "font-size": 9, fill: ink, "fill-opacity": 0.75, "aria-hidden": "true",
  }, hasShortNumber(id) ? id : "");
  const suffixes = [[answer && ` ${shortAnswer(answer)}`, ink], [isNext ? " next" : "", accent]];
  tag.append(...suffixes.filter(([words]) => words).map(([words, fill]) => createShape("tspan", { class: "afar", fill, "fill-opacity": 1 }, words)));
  return tag;
}

/** Handle under a node: "+ 34 nodes" if `count` nodes are folded away, else a minus. In a small picture it is
 *  "+ 34", under the node if that place `isFree`, else over the corner without the number; in a very small
 *  picture a dash.
 *  @param {NodePlace} place @param {boolean} isRight  of the node @param {number} count @param {TreeColours} colours
 *  @param {boolean} isFree */
export function foldHandle({ x, y, w, h }, isRight, count, { ink, paper }, isFree) {
  const [words, noun] = count ? [`+ ${grouped(count)}`, ` node${count === 1 ? "" : "s"}`] : ["−", ""];
  const width = count ? 12 + 6 * (words.length + noun.length) : 18;
  const [cx, cy] = [x + w / 2, y + h];
  const tag = createShape("g", { class: `fold${count ? " shut" : ""}${isFree ? " free" : ""}`, "aria-hidden": "true" });
  tag.style.transformOrigin = `${cx}px ${cy}px`;
  const anchor = isFree ? "middle" : isRight ? "start" : "end";
  const short = 24 + 6 * words.length;
  const properties = {
    aside: `${isRight ? -w / 2 : w / 2}px`, above: `${-h - 3}px`, anchor, short: `${short}px`,
    hit: `${{ start: cx - 8, middle: cx - short / 2, end: cx + 8 - short }[anchor]}px`, dash: `${cx - DASH_LENGTH / 2}px`, long: `${DASH_LENGTH}px`,
  };
  for (const [name, value] of Object.entries(properties)) tag.style.setProperty(`--${name}`, value);
  const text = createShape("text", {
    x: cx, y: cy + 12.5, "text-anchor": "middle", "font-size": 11, fill: ink,
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

/** Picture as a document of its own, as it is shown, in type of a family.
 *  @param {SVGSVGElement} svg @param {TreeColours} colours @param {string} family */
export function standaloneSvg(svg, { paper, accent }, family) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  for (const tag of copy.querySelectorAll(".fold:not(.shut), .hit, .brief, .afar, g.rows .parts > rect, g.node:not(.rows) .strip")) tag.remove();
  const box = copy.querySelector("g.focus > .outline");
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
  copy.setAttribute("font-family", family);
  return new XMLSerializer().serializeToString(copy);
}
