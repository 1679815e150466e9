// What is read off a picture of shares: a button a measure with its value, surprise, KL and entropy.

import { button, element } from "../lib/dom.js";
import { number } from "../lib/format.js";

/** @import { Shares } from "../frames.d.ts" */
/** @import { Hand } from "./hand.js" */

const SVG = "http://www.w3.org/2000/svg";
/** The dashes of the measures, in their order. */
export const DASHES = [[], [8, 4], [2, 4], [8, 3, 2, 3], [4, 4], [1, 2]];

/** The dashes of the k-th measure.
 *  @param {number} k */
export const dashOf = (k) => DASHES[k % DASHES.length];

/** Fill the row with a chip a measure; those that are there are kept.
 *  @param {HTMLElement} row @param {Shares} frame @param {number} at @param {Hand<"impurity">} hand */
export function showChips(row, frame, at, hand) {
  if (row.childElementCount !== frame.curves.length) {
    row.replaceChildren(...frame.curves.map(({ name }, k) => chip(name, k, hand)));
  }
  frame.curves.forEach(({ name, unit, values }, k) => {
    const own = row.children[k];
    const value = own.querySelector(".value");
    if (value) value.textContent = `${number(values[at])} ${unit}`.trim();
    own.setAttribute("aria-pressed", String(name === hand.value));
  });
}

/** @param {string} name @param {number} k @param {Hand<"impurity">} hand */
function chip(name, k, hand) {
  const made = button("", `Look at ${name}`);
  made.removeAttribute("aria-label"); // its own words say more
  made.className = "tool chip";
  const [words, value] = [element("span", "name"), element("span", "value")];
  words.textContent = name;
  made.append(swatch(k), words, value);
  made.addEventListener("click", () => {
    hand.look(name);
    hand.stay();
  });
  return made;
}

/** @param {number} k */
function swatch(k) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 26 6");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", "M1 3H25");
  line.setAttribute("stroke-dasharray", dashOf(k).join(" "));
  svg.append(line);
  return svg;
}

/** Every measure with its value, for those who listen.
 *  @param {Shares} frame @param {number} at */
export function spoken({ curves }, at) {
  return curves.map(({ name, unit, values }) => `${name} ${number(values[at])} ${unit}`.trim()).join(", ");
}

/** The surprise of each class, and the entropy as what KL leaves of log2 K.
 *  @param {Shares} frame @param {number} at @param {number[]} parts  of each class */
export function information({ surprise, apart, bits, curves, entropy }, at, parts) {
  const own = curves.find(({ name }) => name === entropy);
  const each = parts.map((part) => number(surprise[part])).join(", ");
  const lines = [`Surprise −log₂ p of each class: ${each} bit`];
  if (own) lines.push(`H = log₂ K − KL to uniform = ${number(bits)} − ${number(apart[at])} = ${number(own.values[at])} bit`);
  return lines.join("\n");
}
