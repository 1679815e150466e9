// How much of a node is drawn, by how large it is on the screen: its words, its rule and its bar, its
// colour.
//
// Glossary
//   near   all that Graphviz wrote; the least of it is then 8 px high
//   mid    what a box has room for in type of one size: its rule, its bar, its rows and impurity
//   rows   a node whose strip is drawn and not its class bar
//   far    a box in the colour of what the node predicts
//   brief  the words of a node as they are written in mid, and its bar

import { lettered, wordsOf } from "./lettering.js";
import { GAP, LINE, linesIn, LOW, NEAR, RIM, TYPE } from "./looks.js";
import { onto } from "./slide.js";
import { drawn } from "./strip.js";

/** @import { TreeColours } from "../frames.d.ts" */
/** @import { Brief, Place, RowStrip, TreeNode } from "../types.d.ts" */
/** @import { Ruler } from "./lettering.js" */
/** @import { View } from "./view.js" */

const MID = 0.16;
const LARGEST = 12; // units of type in a low tree that is seen larger
const TAG = 8.2; // and of the tag above a node
const STRIP = { w: 44, h: 1.1 }; // pixels that a strip takes at least, and em
const BAR = 0.9; // em of a class bar at most
const SVG = "http://www.w3.org/2000/svg";

/** Give a node what is seen of it from farther away.
 *  @param {Place} place @param {TreeNode} node @param {TreeColours} colours
 *  @param {{ isFocus: boolean, isNext: boolean }} is  the next one to split says so in its tag */
export function ready(place, { line, hue, strip, below }, { ink }, { isFocus, isNext }) {
  const { group, top } = place;
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of [["class", "brief"], ["aria-hidden", "true"], ["y", String(top)]]) text.setAttribute(name, value);
  group.style.setProperty("--hue", hue);
  const bar = barOf(group, strip, ink);
  group.append(...(bar ? [bar.group] : []), text);
  const { rule, more } = wordsOf(line, !below);
  place.brief = { rule, more: isNext ? more.slice(0, 1) : more, isFocus, text, bar, seen: null, hasStrip: strip !== null };
}

/** The class bar, or the strip of rows in its place, and where Graphviz put it.
 *  @param {Element} group @param {RowStrip | null} strip @param {string} ink @returns {Brief["bar"]} */
function barOf(group, strip, ink) {
  const parts = [...group.querySelectorAll("polygon")];
  if (!parts.length) return null;
  const points = parts.flatMap((one) => (one.getAttribute("points") ?? "").split(/[ ,]+/).map(Number));
  const [xs, ys] = [0, 1].map((odd) => points.filter((_, k) => k % 2 === odd));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [w, h] = [Math.max(...xs) - x, Math.max(...ys) - y];
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("class", "parts");
  made.append(...parts, ...(strip ? [drawn(strip, { x, y, w, h }, ink)] : []));
  return { group: made, x, y, w, h };
}

/** Show as much as can be read.
 *  @param {HTMLElement} box @param {View} view @param {number} unit  how large the page's type is
 *  @param {Ruler} wide */
export function show(box, { scale, nodes, low }, unit, wide) {
  const large = scale / unit;
  const seen = large >= NEAR && !low ? "near" : large >= MID ? "mid" : "far";
  const type = (low ? Math.min(Math.max(large, LOW / unit) * TYPE, LARGEST) : TYPE) / large; // in the tree's units
  box.dataset.detail = seen;
  box.style.setProperty("--type", `${type}px`);
  box.style.setProperty("--small", `${Math.max(seen === "mid" ? (TAG * type) / TYPE : TYPE, TAG / (low ? scale : large))}px`);
  box.style.setProperty("--tag", String(Math.max(1, 0.8 / large)));
  const hasGap = low ? GAP.low * scale >= TYPE : GAP.tall * large >= TYPE;
  for (const place of nodes) {
    const { group, brief, w } = place;
    if (!group || !brief) continue;
    const isWide = brief.hasStrip && w * scale >= STRIP.w * unit;
    brief.seen = seen === "far" ? null : brief.bar;
    const isTold = seen === "mid" && arrange(/** @type {Place} */ (place), brief, type, isWide, wide);
    group.classList.toggle("told", isTold);
    group.classList.toggle("tagged", isTold && hasGap);
    if (seen !== "mid") group.classList.toggle("rows", isWide);
  }
}

/** Write what a box has room for, its bar under it; whether that is the rule.
 *  @param {Place} place @param {Brief} brief @param {number} type  in the tree's units
 *  @param {boolean} isWide  enough for a strip @param {Ruler} wide */
function arrange(place, brief, type, isWide, wide) {
  const { rule, more, isFocus, bar, hasStrip } = brief;
  const [across, high] = [place.w / type - 2 * RIM.x, place.h / type];
  const most = linesIn(high);
  const lines = most ? lettered(rule, isFocus ? Math.max(most - 1, 1) : most, across, wide) : [];
  for (const [k, text] of lines.length ? more.entries() : []) {
    const least = hasStrip && !isFocus ? STRIP.h : k ? BAR : RIM.bar;
    if (high - 2 * RIM.y - (lines.length + 1) * LINE < least || wide(text) > across) break;
    lines.push(text);
  }
  write(brief.text, lines, place.left + place.w / 2);
  if (!bar) return lines.length > 0;
  const from = lines.length ? RIM.y + lines.length * LINE + 0.25 : 0.14 * high;
  const room = high - (lines.length ? RIM.y : from) - from;
  const isStrip = isWide && room >= STRIP.h;
  const tall = isStrip ? room : Math.min(room, lines.length ? BAR : 0.48 * high);
  place.group.classList.toggle("rows", isStrip);
  const to = brief.seen = { x: place.left + RIM.x * type, y: place.top + (from + (room - tall) / 2) * type, w: across * type, h: tall * type };
  bar.group.style.setProperty("--bar", `matrix(${onto(bar, to).join(", ")})`);
  return lines.length > 0;
}

/** @param {Element} text @param {string[]} lines @param {number} x */
function write(text, lines, x) {
  if (text.children.length === lines.length && lines.every((line, k) => text.children[k].textContent === line)) return;
  text.replaceChildren(...lines.map((line, k) => {
    const span = document.createElementNS(SVG, "tspan");
    for (const [name, value] of [["x", String(x)], ["dy", `${k ? LINE : 1.05}em`]]) span.setAttribute(name, value);
    span.textContent = line;
    return span;
  }));
}
