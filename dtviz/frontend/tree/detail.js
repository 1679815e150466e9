// How much of a node is drawn, by how large it is on the screen: its words, its rule and its bar, its
// colour.
//
// Glossary
//   near   all that Graphviz wrote; the least of it is then 8 px high
//   mid    the class bar and, where it fits, the rule in one size of type whatever the zoom
//   rows   a node whose strip is drawn and not its class bar
//   far    a box in the colour of what the node predicts
//   brief  the pixels that the rule takes in that type

import { drawn } from "./strip.js";

/** @import { TreeColours } from "../frames.d.ts" */
/** @import { Place, RowStrip, TreeNode } from "../types.d.ts" */
/** @import { View } from "./view.js" */

const NEAR = 0.73;
const MID = 0.16;
const TYPE = 9; // pixels
const WIDE = 0.52 * TYPE; // of a letter, about
const HIGH = 1.2 * TYPE;
const STRIP = 44; // pixels that a strip takes at least
const ONE_LINE = 12; // letters
const SVG = "http://www.w3.org/2000/svg";

/** Give a node what is seen of it from farther away.
 *  @param {Place} place @param {TreeNode} node @param {TreeColours} colours */
export function ready(place, { hue, strip, below }, { ink }) {
  const { group, left, top, w } = place;
  const lines = rule(group, !below);
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("class", "brief");
  text.setAttribute("aria-hidden", "true");
  for (const [k, line] of lines.entries()) {
    const span = document.createElementNS(SVG, "tspan");
    for (const [name, value] of [["x", left + w / 2], ["dy", `${k ? 1.15 : 1.2}em`]]) span.setAttribute(String(name), String(value));
    span.textContent = line;
    text.append(span);
  }
  text.setAttribute("y", String(top));
  group.style.setProperty("--hue", hue);
  const bar = barOf(group, place, strip, ink);
  group.append(...bar, text);
  place.brief = { w: Math.max(...lines.map((line) => line.length)) * WIDE + 6, h: lines.length * HIGH / (strip ? 0.6 : 0.7) };
}

/** The rule of a node, or what it predicts, in one line or two.
 *  @param {Element} group @param {boolean} leaf */
function rule(group, leaf) {
  const bold = [...group.querySelectorAll("text")].filter((one) => one.getAttribute("font-weight") === "bold");
  const whole = bold.map((one) => one.textContent).join(" ").replaceAll("\u00a0", " ");
  const said = (leaf ? whole.slice(whole.indexOf(": ") + 1) : whole).trim();
  const at = said.lastIndexOf(" ", said.lastIndexOf(" ") - 1);
  return said.length <= ONE_LINE || at < 0 ? [said] : [said.slice(0, at), said.slice(at + 1)];
}

/** The class bar, or the strip of rows in its place, that knows where it stands from farther away.
 *  @param {Element} group @param {Place} place @param {RowStrip | null} strip @param {string} ink */
function barOf(group, { left, top, w, h }, strip, ink) {
  const parts = [...group.querySelectorAll("polygon")];
  if (!parts.length) return [];
  const points = parts.flatMap((part) => (part.getAttribute("points") ?? "").split(/[ ,]+/).map(Number));
  const [xs, ys] = [0, 1].map((odd) => points.filter((_, k) => k % 2 === odd));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - x, Math.max(...ys) - y];
  /** @param {number} from @param {number} to */
  const placed = (from, to) => {
    const [across, up] = [(w - 12) / wide, ((to - from) * h) / high];
    return `matrix(${across}, 0, 0, ${up}, ${left + 6 - x * across}, ${top + from * h - y * up})`;
  };
  const bar = document.createElementNS(SVG, "g");
  bar.setAttribute("class", "parts");
  bar.style.setProperty("--under", placed(strip ? 0.62 : 0.74, 0.92));
  bar.style.setProperty("--alone", placed(strip ? 0.14 : 0.26, strip ? 0.86 : 0.74));
  bar.append(...parts, ...(strip ? [drawn(strip, { x, y, w: wide, h: high }, ink)] : []));
  return [bar];
}

/** Show as much as can be read.
 *  @param {HTMLElement} box @param {View} view @param {number} unit  how large the page's type is */
export function show(box, { scale, nodes }, unit) {
  const seen = scale >= NEAR * unit ? "near" : scale >= MID * unit ? "mid" : "far";
  box.dataset.detail = seen;
  box.style.setProperty("--type", `${(TYPE * unit) / scale}px`);
  box.style.setProperty("--tag", String(Math.max(1, (0.8 * unit) / scale)));
  for (const { group, brief, w, h } of nodes) {
    if (!brief) continue;
    group?.classList.toggle("rows", group.querySelector(".strip") !== null && w * scale >= STRIP);
    group?.classList.toggle("told", brief.w * unit <= w * scale && brief.h * unit <= h * scale);
  }
}
