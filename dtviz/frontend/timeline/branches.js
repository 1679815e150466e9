// The branches under the time-line: each leaves the time-line where the two part, and ends in a tip.
//
// Glossary
//   tip     a label with the error of the last tree of a time-line; that of a branch is a button that leads there
//   forks   the branches as Python sends them: the step after which each leaves the time-line, and its tip

import { SVG, element } from "../lib/dom.js";
import { tell } from "../lib/link.js";

/** @import { BranchTip, BranchTips } from "../frames.d.ts" */

const GAP = 4; // pixels between tips
const TRACK_MARGIN = 8; // pixels from an end of the rail to that of the track
const [TRACK_Y, DOT_Y] = [8, 31]; // pixels from the top of the rail to the track, and to the dots of the tips
const DOT_X = 6; // pixels from the left of a tip to its dot
const UNKNOWN_ERROR = "…"; // until the error is computed
const LENGTH_NOTE = "How long its fork is means nothing";

/** @typedef {{ x: number, width: number }} TipBox  where a branch leaves the track, and the width of its tip, in pixels */

/** Create the tips below a rail, the element of the track. A tip that is pressed calls `go` with the number of its
 *  branch; `show` shows the branches of a frame.
 *  @param {HTMLElement} rail @param {(branch: number) => void} go */
export function createBranchTips(rail, go) {
  const root = element("div", "forks");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Branches");
  const lines = document.createElementNS(SVG, "svg");
  lines.setAttribute("aria-hidden", "true");
  const endTip = element("span", "tip");
  endTip.setAttribute("role", "img");
  const moreTip = tipButton(() => tell(root, "panel", { name: "Branches" }));
  root.append(lines, moreTip, endTip);
  rail.append(root);
  /** @type {Branches} */
  const branches = { rail, root, lines, endTip, moreTip, go, tips: [], frame: { forks: [] }, total: 0 };
  new ResizeObserver(() => placeTips(branches)).observe(rail);
  return {
    /** @param {BranchTips} frame @param {number} total */
    show(frame, total) {
      Object.assign(branches, { frame, total });
      labelTips(branches);
      placeTips(branches);
    },
  };
}

/** @typedef {ReturnType<typeof tipButton>} TipButton
 *  @typedef {{ rail: HTMLElement, root: HTMLElement, lines: SVGElement, endTip: HTMLElement, moreTip: TipButton,
 *    go: (branch: number) => void, tips: TipButton[], frame: BranchTips, total: number }} Branches  `endTip` is the tip
 *    of the time-line, `moreTip` opens the panel with all branches */

/** @param {() => void} onClick */
function tipButton(onClick) {
  const button = element("button", "tip");
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}

/** Label the tips. Tips are added and removed at the end, so that the focus of the keyboard stays on its tip.
 *  @param {Branches} branches */
function labelTips({ rail, root, endTip, tips, frame: { forks, tip: end }, go }) {
  rail.classList.toggle("forked", forks.length > 0);
  while (tips.length > forks.length) tips.pop()?.remove();
  while (tips.length < forks.length) {
    const branch = tips.length;
    const tip = tipButton(() => go(branch));
    tips.push(tip);
    root.append(tip);
  }
  forks.forEach(({ branch, start_step: step, error, text: errorText }, k) => {
    label(tips[k], error, `Branch ${branch + 1}, which leaves after step ${step}: ${errorText}. Go there`);
    tips[k].title += `. ${LENGTH_NOTE}`;
  });
  label(endTip, end?.error ? `held out ${end.error}` : "", `This line: ${end?.text ?? ""}`); // for all tips
}

/** @param {HTMLElement} tip @param {string} text @param {string} title */
function label(tip, text, title) {
  tip.textContent = text || UNKNOWN_ERROR;
  tip.title = title;
  tip.setAttribute("aria-label", title);
}

/** Place the newest tips, as many as there is room for, below the track, each right of where its branch leaves.
 *  @param {Branches} branches */
function placeTips({ rail, lines, endTip, moreTip, tips, frame: { forks }, total }) {
  moreTip.hidden = true;
  if (!forks.length) return;
  const width = rail.clientWidth;
  if (!width) return;
  for (const tip of [...tips, moreTip]) tip.hidden = false; // a hidden tip has no width
  /** @param {BranchTip} fork */
  const forkX = ({ start_step: step }) => TRACK_MARGIN + ((width - 2 * TRACK_MARGIN) * Math.min(step, total)) / (total || 1);
  const boxes = forks.map((fork, k) => ({ x: forkX(fork), width: tips[k].offsetWidth }));
  const room = width - endTip.offsetWidth - GAP;
  const first = firstTip(boxes, room, moreTip.offsetWidth);
  moreTip.hidden = !first;
  label(moreTip, `+${first}`, `${first} more in the panel Branches`);
  const from = first ? moreTip.offsetWidth + GAP : 0;
  const lefts = spreadTips(boxes.slice(first), from, room);
  tips.forEach((tip, k) => {
    tip.hidden = k < first;
    tip.style.left = `${lefts[k - first] ?? 0}px`;
  });
  const curves = lefts.map((left, k) => curvePath(boxes[first + k].x, left + DOT_X));
  lines.innerHTML = `<path d="${curves.join("")}"/>`
    + lefts.map((left) => `<circle cx="${left + DOT_X}" cy="${DOT_Y}" r="3"/>`).join("");
}

/** Index of the first tip that is shown: the newest tips, which come last, are shown as far as there is room.
 *  The tip with the number of the others, `moreWidth` wide, needs room too.
 *  @param {TipBox[]} boxes @param {number} room @param {number} moreWidth */
export function firstTip(boxes, room, moreWidth) {
  const widths = boxes.map(({ width }) => width + GAP);
  /** @param {number} first */
  const widthFrom = (first) => widths.slice(first).reduce((sum, width) => sum + width, first ? moreWidth + GAP : 0);
  let first = 0;
  while (first < boxes.length && widthFrom(first) > room) first += 1;
  return first;
}

/** Left of each tip, between `from` and `to`: near to where its branch leaves the track, and no tip over another.
 *  @param {TipBox[]} boxes @param {number} from @param {number} to @returns {number[]} */
export function spreadTips(boxes, from, to) {
  const order = boxes.map((_, k) => k).toSorted((a, b) => boxes[a].x - boxes[b].x);
  /** @type {number[]} */
  const lefts = [];
  let next = from; // least left of the next tip: each stands at its branch or right of the tip before
  for (const k of order) {
    lefts[k] = Math.max(boxes[k].x, next);
    next = lefts[k] + boxes[k].width + GAP;
  }
  let end = to; // largest right of the tip before: tips beyond the end move back
  for (const k of order.toReversed()) {
    lefts[k] = Math.min(lefts[k], end - boxes[k].width);
    end = lefts[k] - GAP;
  }
  return lefts;
}

/** Path of the curve from the track down to the dot of a tip.
 *  @param {number} from @param {number} to */
const curvePath = (from, to) => `M${from} ${TRACK_Y}C${from} ${DOT_Y - 6} ${to} ${TRACK_Y + 6} ${to} ${DOT_Y - 3}`;
