// Features that win the roots: a bar for each, and a histogram of its thresholds on its axis.

import { drawAcross, drawHairline } from "../draw/axes.js";
import { blank } from "../draw/canvas.js";
import { drawRect, textWidth } from "../draw/marks.js";
import { linear } from "../draw/scales.js";
import { element } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { ticksOf } from "../stage/layout.js";

/** @import { RootCut } from "../frames.d.ts" */
/** @import { StabilityPicture } from "../types.d.ts" */

const HEIGHT = 92;
const [MARGIN, FOOT] = [8, 22]; // pixels beside the bars and under them
const TICKS = 4;
const MAX_HISTOGRAMS = 2; // more do not fit beside the plane

/** Fill the panel anew.
 *  @param {HTMLElement} panel @param {StabilityPicture} frame */
export function fillRoots(panel, frame) {
  panel.replaceChildren(...frame.roots.map((root, k) => createRoot(root, k < MAX_HISTOGRAMS)), ...otherRoots(frame.roots));
  frame.roots.forEach((root, k) => {
    const canvas = panel.children[k].querySelector("canvas");
    if (canvas && root.axis && root.bins) paintHistogram(canvas, panel.clientWidth, frame, root, root.bins);
  });
}

/** Create the line of the roots that are not listed, if there are any.
 *  @param {RootCut[]} roots */
function otherRoots(roots) {
  const share = 1 - roots.reduce((sum, root) => sum + root.share, 0);
  if (share < 1e-9) return [];
  const line = element("div", "cut");
  line.textContent = `others: ${number(100 * share, 3)}\u00a0%`;
  return [line];
}

/** @param {RootCut} root @param {boolean} hasHistogram */
function createRoot(root, hasHistogram) {
  const entry = element("div", "root");
  const [head, name, percent, bar] = [element("div", "head"), element("span", "name"), element("span", "share"), element("div", "bar")];
  name.textContent = root.name;
  percent.textContent = `${number(100 * root.share, 3)}\u00a0%${root.in_full_tree ? ", as in the full tree" : ""}`;
  bar.style.setProperty("--share", String(root.share));
  bar.classList.toggle("own", root.in_full_tree);
  head.append(name, percent);
  entry.append(head, bar);
  if (root.axis && hasHistogram) {
    const canvas = element("canvas", "bins");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", histogramText(root));
    entry.append(canvas);
  }
  for (const [text, share] of root.cuts) {
    const cut = element("div", "cut");
    cut.textContent = `${text}: ${number(100 * share, 3)}\u00a0%`;
    entry.append(cut);
  }
  return entry;
}

/** @param {RootCut} root */
function histogramText({ axis, bins, threshold }) {
  if (!axis || !bins) return "";
  const ranges = Array.from(bins, (share, k) => ({ share, from: edge(axis, k, bins.length), to: edge(axis, k + 1, bins.length) }));
  const largest = ranges.filter(({ share }) => share > 0).toSorted((a, b) => b.share - a.share).slice(0, 3);
  const texts = largest.map(({ share, from, to }) => `${number(100 * share, 3)} % from ${number(from, 3)} to ${number(to, 3)}`);
  const full = threshold === undefined ? "" : `; the full tree cuts at ${number(threshold)}`;
  return `Thresholds on ${axis.name}: ${texts.join(", ")}${full}`;
}

/** Left edge of the k-th bin of a histogram.
 *  @param {{ low: number, high: number }} axis @param {number} k @param {number} count */
const edge = ({ low, high }, k, count) => low + ((high - low) * k) / count;

/** @param {HTMLCanvasElement} canvas @param {number} width @param {StabilityPicture} frame
 *  @param {RootCut} root @param {Float64Array} bins */
function paintHistogram(canvas, width, frame, { axis, threshold }, bins) {
  if (!axis || width < 2 * HEIGHT) return;
  const pen = blank(canvas, { width, height: HEIGHT });
  const plane = { x: MARGIN, y: MARGIN, w: width - 2 * MARGIN, h: HEIGHT - MARGIN - FOOT };
  const foot = plane.y + plane.h;
  const [X, Y] = [linear(axis.low, axis.high, plane.x, plane.x + plane.w), linear(0, Math.max(...bins, 0.01), foot, plane.y)];
  bins.forEach((share, k) => {
    const [left, right] = [X(edge(axis, k, bins.length)), X(edge(axis, k + 1, bins.length))];
    if (share) drawRect(pen, { x: left, y: Y(share), w: Math.max(right - left - 1, 1), h: foot - Y(share) }, { fill: frame.colours.accent });
  });
  if (threshold !== undefined) drawHairline(pen, plane, X(threshold), { stroke: frame.colours.ink, width: 2, dash: [3, 3] });
  const ticks = ticksOf(axis, plane.w, 0, TICKS, textWidth(pen, frame));
  drawAcross(pen, frame, { ...plane, foot, scale: X, ticks, hasLine: true });
}
