// Detail of the nodes by their size on screen: all words, or rule and bar, or a colour.
//
// Glossary
//   near   all words, in type of at least 8 px
//   mid    what a box has room for in type of one size: its rule, its bar, its rows and impurity
//   far    a box in the colour of what the node predicts
//   rows   class of a node whose strip is drawn instead of its class bar
//   brief  the words of a node as they are written in mid, and its bar

import { SVG } from "../lib/dom.js";
import { fitRule } from "./lettering.js";
import { GAP, LINE_HEIGHT, linesIn, MIN_SCALE_LOW, MIN_SCALE_TALL, PADDING, FONT_SIZE } from "./variants.js";
import { rectMatrix } from "./slide.js";
import { drawStrip } from "./strip.js";

/** @import { TreeColours } from "../frames.d.ts" */
/** @import { Brief, NodePlace, TreeNode } from "../types.d.ts" */
/** @import { Ruler } from "./lettering.js" */
/** @import { TreeView } from "./view.js" */

const MIN_SCALE_BRIEF = 0.16;
const MAX_FONT_SIZE = 12; // units of type in a low tree that is enlarged
const TAG_SIZE = 8.2; // units of type in the tag above a node
const MIN_STRIP = { w: 44, h: 1.1 }; // pixels across and em of the height of a strip
const MAX_BAR = 0.9; // em of a class bar

/** Add the elements of the brief to a node: its short words, and its strip of rows.
 *  @param {NodePlace} place @param {TreeNode} node @param {TreeColours} colours @param {boolean} isFocus */
export function addBrief(place, { hue, strip, rule, numbers, reason, isNext }, { ink }, isFocus) {
  const { group, bar, y } = place;
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of [["class", "brief"], ["aria-hidden", "true"], ["y", String(y)]]) text.setAttribute(name, value);
  group.style.setProperty("--hue", hue);
  if (strip) bar.group.append(drawStrip(strip, bar, ink));
  group.append(text);
  const details = reason && !isNext ? [numbers, reason] : [numbers]; // the tag of the node that splits next has a word of that
  place.brief = { rule, details, isFocus, text, barRect: null, hasStrip: strip !== null };
}

/** Show the detail of the nodes that is readable at the scale of a view.
 *  @param {HTMLElement} box @param {TreeView} view @param {number} unit  pixels of a unit
 *  @param {Ruler} measure */
export function showDetail(box, { scale, nodes, isLow: low }, unit, measure) {
  const pageScale = scale / unit;
  const detail = pageScale >= MIN_SCALE_TALL && !low ? "near" : pageScale >= MIN_SCALE_BRIEF ? "mid" : "far";
  const fontSize = (low ? Math.min(Math.max(pageScale, MIN_SCALE_LOW / unit) * FONT_SIZE, MAX_FONT_SIZE) : FONT_SIZE) / pageScale; // in the tree's units
  box.dataset.detail = detail;
  box.style.setProperty("--type", `${fontSize}px`);
  box.style.setProperty("--small", `${Math.max(detail === "mid" ? (TAG_SIZE * fontSize) / FONT_SIZE : FONT_SIZE, TAG_SIZE / (low ? scale : pageScale))}px`);
  box.style.setProperty("--tag", String(Math.max(1, 0.8 / pageScale)));
  const hasGap = low ? GAP.low * scale >= FONT_SIZE : GAP.tall * pageScale >= FONT_SIZE;
  for (const place of nodes) {
    const { group, brief, bar, w } = place;
    if (!group || !brief) continue;
    const isWide = brief.hasStrip && w * scale >= MIN_STRIP.w * unit;
    brief.barRect = detail === "far" ? null : bar ?? null;
    const hasRule = detail === "mid" && arrangeBrief(/** @type {NodePlace} */ (place), brief, fontSize, isWide, measure);
    group.classList.toggle("told", hasRule);
    group.classList.toggle("tagged", hasRule && hasGap);
    if (detail !== "mid") group.classList.toggle("rows", isWide);
  }
}

/** Write the lines that a box has room for, and place its bar under them; returns true if the rule has room.
 *  @param {NodePlace} place @param {Brief} brief @param {number} fontSize  in units of the tree
 *  @param {boolean} isWide  true if a strip has room @param {Ruler} measure */
function arrangeBrief(place, brief, fontSize, isWide, measure) {
  const { rule, details, isFocus, hasStrip } = brief;
  const { bar } = place;
  const [width, height] = [place.w / fontSize - 2 * PADDING.x, place.h / fontSize];
  const maxLines = linesIn(height);
  const lines = maxLines ? fitRule(rule, isFocus ? Math.max(maxLines - 1, 1) : maxLines, width, measure) : [];
  for (const [k, text] of lines.length ? details.entries() : []) {
    const minHeight = hasStrip && !isFocus ? MIN_STRIP.h : k ? MAX_BAR : PADDING.bar;
    if (height - 2 * PADDING.y - (lines.length + 1) * LINE_HEIGHT < minHeight || measure(text) > width) break;
    lines.push(text);
  }
  write(brief.text, lines, place.x + place.w / 2);
  const top = lines.length ? PADDING.y + lines.length * LINE_HEIGHT + 0.25 : 0.14 * height;
  const room = height - (lines.length ? PADDING.y : top) - top;
  const isStrip = isWide && room >= MIN_STRIP.h;
  const barHeight = isStrip ? room : Math.min(room, lines.length ? MAX_BAR : 0.48 * height);
  place.group.classList.toggle("rows", isStrip);
  const target = brief.barRect = { x: place.x + PADDING.x * fontSize, y: place.y + (top + (room - barHeight) / 2) * fontSize, w: width * fontSize, h: barHeight * fontSize };
  bar.group.style.setProperty("--bar", `matrix(${rectMatrix(bar, target).join(", ")})`);
  return lines.length > 0;
}

/** @param {Element} text @param {string[]} lines @param {number} x */
function write(text, lines, x) {
  if (text.children.length === lines.length && lines.every((line, k) => text.children[k].textContent === line)) return;
  text.replaceChildren(...lines.map((line, k) => {
    const span = document.createElementNS(SVG, "tspan");
    for (const [name, value] of [["x", String(x)], ["dy", `${k ? LINE_HEIGHT : 1.05}em`]]) span.setAttribute(name, value);
    span.textContent = line;
    return span;
  }));
}
