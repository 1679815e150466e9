// What wins the roots: a bar a feature, and how often each threshold does on the feature's own axis.

import { element } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { axes } from "../stage/axes.js";
import { layout } from "../stage/layout.js";
import { size } from "../stage/paint.js";

/** @import { RootCut } from "../frames.d.ts" */
/** @import { Layout, Pen, Picture, StabilityPicture } from "../types.d.ts" */

const HIGH = 92;
const MOST = 2; // histograms: a third feature is a bar

/** Fill the panel anew.
 *  @param {HTMLElement} panel @param {StabilityPicture} frame */
export function fillRoots(panel, frame) {
  panel.replaceChildren(...frame.roots.map((root, k) => one(root, k < MOST)), ...others(frame.roots));
  frame.roots.forEach((root, k) => {
    const canvas = panel.children[k].querySelector("canvas");
    if (canvas && root.axis && root.bins) histogram(canvas, panel.clientWidth, frame, root, root.bins);
  });
}

/** What the roots that are not listed come to, if there are any.
 *  @param {RootCut[]} roots */
function others(roots) {
  const rest = 1 - roots.reduce((sum, { share }) => sum + share, 0);
  if (rest < 1e-9) return [];
  const made = element("div", "cut");
  made.textContent = `others: ${number(100 * rest, 3)}\u00a0%`;
  return [made];
}

/** @param {RootCut} root @param {boolean} whole */
function one(root, whole) {
  const made = element("div", "root");
  const [head, name, share, bar] = [element("div", "head"), element("span", "name"), element("span", "share"), element("div", "bar")];
  name.textContent = root.name;
  share.textContent = `${number(100 * root.share, 3)}\u00a0%${root.own ? ", as in the full tree" : ""}`;
  bar.style.setProperty("--share", String(root.share));
  bar.classList.toggle("own", root.own);
  head.append(name, share);
  made.append(head, bar);
  if (root.axis && whole) {
    const canvas = element("canvas", "bins");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", spoken(root));
    made.append(canvas);
  }
  for (const [text, part] of root.cuts) {
    const cut = element("div", "cut");
    cut.textContent = `${text}: ${number(100 * part, 3)}\u00a0%`;
    made.append(cut);
  }
  return made;
}

/** @param {RootCut} root */
function spoken({ axis, bins, at }) {
  if (!axis || !bins) return "";
  const places = Array.from(bins, (part, k) => ({ part, from: edge(axis, k, bins.length), to: edge(axis, k + 1, bins.length) }));
  const most = places.filter(({ part }) => part > 0).toSorted((a, b) => b.part - a.part).slice(0, 3);
  const said = most.map(({ part, from, to }) => `${number(100 * part, 3)} % from ${number(from, 3)} to ${number(to, 3)}`);
  const full = at === undefined ? "" : `; the full tree cuts at ${number(at)}`;
  return `Thresholds on ${axis.name}: ${said.join(", ")}${full}`;
}

/** Where the k-th of so many bins begins.
 *  @param {{ low: number, high: number }} axis @param {number} k @param {number} many */
const edge = ({ low, high }, k, many) => low + ((high - low) * k) / many;

/** @param {HTMLCanvasElement} canvas @param {number} width @param {StabilityPicture} frame
 *  @param {RootCut} root @param {Float64Array} bins */
function histogram(canvas, width, frame, root, bins) {
  const { axis } = root;
  if (!axis || width < 2 * HIGH) return;
  const pen = size(canvas, { width, height: HIGH });
  const { family, colours } = frame;
  /** @type {Picture} */
  const scene = {
    family, colours, cloud: "", form: "strip", across: axis, target: "", whole: true, bare: true, plain: true,
    up: { name: "", low: 0, high: Math.max(...bins, 0.01) },
  };
  pen.font = `12px ${family}`;
  const at = layout(width, scene, (text) => pen.measureText(text).width, HIGH);
  drawBins(pen, { ...at, yTicks: [], tiny: true }, scene, root, bins);
}

/** @param {Pen} pen @param {Layout} at @param {Picture} scene @param {RootCut} root @param {Float64Array} bins */
function drawBins(pen, at, scene, { axis, at: own }, bins) {
  if (!axis) return;
  pen.clearRect(0, 0, at.width, at.height);
  pen.fillStyle = scene.colours.accent;
  bins.forEach((part, k) => {
    if (!part) return;
    const [left, right] = [at.X(edge(axis, k, bins.length)), at.X(edge(axis, k + 1, bins.length))];
    pen.fillRect(left, at.Y(part), Math.max(right - left - 1, 1), at.Y(0) - at.Y(part));
  });
  if (own !== undefined) {
    pen.strokeStyle = scene.colours.ink;
    pen.lineWidth = 2;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(at.X(own), at.plane.y);
    pen.lineTo(at.X(own), at.foot);
    pen.stroke();
    pen.setLineDash([]);
  }
  axes(pen, at, scene);
}
