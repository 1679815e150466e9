// The values at the shares that are picked: a button for each measure, and a text with surprise, KL and entropy.

import { SVG, button, element } from "../lib/dom.js";
import { number } from "../lib/format.js";

/** @import { Shares } from "../frames.d.ts" */
/** @import { Setting } from "./setting.js" */

/** Dash patterns of the measures, in their order. */
const DASHES = [[], [8, 4], [2, 4], [8, 3, 2, 3], [4, 4], [1, 2]];

/** Dash pattern of the k-th measure.
 *  @param {number} k */
export const dashOf = (k) => DASHES[k % DASHES.length];

/** Fill a row with a chip for each measure; chips that exist are kept, so that one with the focus keeps it.
 *  @param {HTMLElement} row @param {Shares} frame @param {number} index  of the picked shares in the values of a curve
 *  @param {Setting<"impurity">} impurity */
export function showChips(row, frame, index, impurity) {
  if (row.childElementCount !== frame.curves.length) {
    row.replaceChildren(...frame.curves.map(({ name }, k) => createChip(name, k, impurity)));
  }
  frame.curves.forEach(({ name, unit, values }, k) => {
    const chip = row.children[k];
    const value = chip.querySelector(".value");
    if (value) value.textContent = `${number(values[index])} ${unit}`.trim();
    chip.setAttribute("aria-pressed", String(name === impurity.value));
  });
}

/** @param {string} name @param {number} k @param {Setting<"impurity">} impurity */
function createChip(name, k, impurity) {
  const chip = button("", `Look at ${name}`);
  chip.removeAttribute("aria-label"); // its own words say more
  chip.className = "tool chip";
  const [label, value] = [element("span", "name"), element("span", "value")];
  label.textContent = name;
  chip.append(swatch(k), label, value);
  chip.addEventListener("click", () => {
    impurity.show(name);
    impurity.commit();
  });
  return chip;
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

/** Text for a screen reader: every measure with its value.
 *  @param {Shares} frame @param {number} index  of the picked shares */
export function spokenValues({ curves }, index) {
  return curves.map(({ name, unit, values }) => `${name} ${number(values[index])} ${unit}`.trim()).join(", ");
}

/** Text with the surprise of each class, and with the entropy as log2 K less the KL divergence.
 *  @param {Shares} frame @param {number} index  of the picked shares @param {number[]} parts  of each class */
export function informationText({ surprise, divergence, bits, curves, entropy }, index, parts) {
  const curve = curves.find(({ name }) => name === entropy);
  const surprises = parts.map((part) => number(surprise[part])).join(", ");
  const lines = [`Surprise −log₂ p of each class: ${surprises} bit`];
  if (curve) lines.push(`H = log₂ K − KL to uniform = ${number(bits)} − ${number(divergence[index])} = ${number(curve.values[index])} bit`);
  return lines.join("\n");
}
