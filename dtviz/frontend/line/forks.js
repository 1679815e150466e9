// The branches under the time-line: each leaves it where they part, and its tip says how good it is.
//
// Glossary
//   tip    what says how good the end of a line is; that of a branch is a button that leads there
//   room   how many pixels there are for the tips, and which of them has how many

import { element } from "../lib/dom.js";
import { tell } from "../lib/link.js";

/** @import { Fork, Forks } from "../frames.d.ts" */

/** @typedef {{ at: number, wide: number }} Wanted  where a fork leaves, in pixels, and its tip's width */

const GAP = 4;
const SIDE = 8; // the track begins and ends so far within the rail
const [TOP, DOT] = [8, 31]; // where the line runs, and the dots of the tips
const HANG = 6; // a tip's dot stands so far within it, and to the right of where its fork leaves
const WAITS = "…";
const LENGTH = "How long its fork is means nothing";

/** The forks of a rail; a tip that is pressed calls `go` with its branch.
 *  @param {HTMLElement} rail @param {(branch: number) => void} go */
export function forks(rail, go) {
  const root = element("div", "forks");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Branches");
  const lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  lines.setAttribute("aria-hidden", "true");
  const own = element("span", "tip");
  own.setAttribute("role", "img");
  const more = tipButton(() => tell("panel", { name: "Branches" }));
  root.append(lines, more, own);
  rail.append(root);
  const made = { rail, root, lines, own, more, go, tips: /** @type {HTMLButtonElement[]} */ ([]), shown: /** @type {Forks} */ ({ forks: [] }), total: 0 };
  new ResizeObserver(() => place(made)).observe(rail);
  return {
    /** @param {Forks} frame @param {number} total */
    show(frame, total) {
      Object.assign(made, { shown: frame, total });
      name(made);
      place(made);
    },
  };
}

/** @typedef {ReturnType<typeof tipButton>} Tip
 *  @typedef {{ rail: HTMLElement, root: HTMLElement, lines: SVGElement, own: HTMLElement, more: Tip,
 *    go: (branch: number) => void, tips: Tip[], shown: Forks, total: number }} Made */

/** @param {() => void} press */
function tipButton(press) {
  const made = element("button", "tip");
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** Say what the tips say; those that stay keep their elements, and with them the keyboard its place.
 *  @param {Made} made */
function name({ rail, root, own, tips, shown, go }) {
  rail.classList.toggle("forked", shown.forks.length > 0);
  while (tips.length > shown.forks.length) tips.pop()?.remove();
  while (tips.length < shown.forks.length) {
    const branch = tips.length;
    const tip = tipButton(() => go(branch));
    tips.push(tip);
    root.append(tip);
  }
  shown.forks.forEach(({ branch, at, held, said }, k) => {
    label(tips[k], held, `Branch ${branch + 1}, which leaves after step ${at}: ${said}. Go there`);
    tips[k].title += `. ${LENGTH}`;
  });
  label(own, shown.tip?.held ?? "", `This line: ${shown.tip?.said ?? ""}`);
}

/** @param {HTMLElement} one @param {string} text @param {string} words */
function label(one, text, words) {
  one.textContent = text || WAITS;
  one.title = words;
  one.setAttribute("aria-label", words);
}

/** Put the newest tips, as many as there is room for, below the line, each right of its fork.
 *  @param {Made} made */
function place({ rail, lines, own, more, tips, shown, total }) {
  more.hidden = true;
  if (!shown.forks.length) return;
  const width = rail.clientWidth;
  if (!width) return;
  for (const one of [...tips, more]) one.hidden = false;
  /** @param {Fork} fork */
  const leaves = ({ at }) => SIDE + ((width - 2 * SIDE) * Math.min(at, total)) / (total || 1);
  const wanted = shown.forks.map((fork, k) => ({ at: leaves(fork), wide: tips[k].offsetWidth }));
  const room = width - own.offsetWidth - GAP;
  const first = firstTip(wanted, room, more.offsetWidth);
  more.hidden = !first;
  label(more, `+${first}`, `${first} more in the panel Branches`);
  const from = first ? more.offsetWidth + GAP : 0;
  const lefts = spreadTips(wanted.slice(first), from, room);
  tips.forEach((tip, k) => {
    tip.hidden = k < first;
    tip.style.left = `${lefts[k - first] ?? 0}px`;
  });
  const ways = lefts.map((left, k) => way(wanted[first + k].at, left + HANG));
  lines.innerHTML = `<path d="${ways.join("")}"/>`
    + lefts.map((left) => `<circle cx="${left + HANG}" cy="${DOT}" r="3"/>`).join("");
}

/** The first of the tips that are shown: the newest are, which stand last.
 *  @param {Wanted[]} wanted @param {number} room @param {number} more */
export function firstTip(wanted, room, more) {
  const wides = wanted.map(({ wide }) => wide + GAP);
  /** @param {number} first */
  const takes = (first) => wides.slice(first).reduce((sum, wide) => sum + wide, first ? more + GAP : 0);
  let first = 0;
  while (first < wanted.length && takes(first) > room) first += 1;
  return first;
}

/** Where each tip begins: right of its fork, none over another, all between two places.
 *  @param {Wanted[]} wanted @param {number} from @param {number} to @returns {number[]} */
export function spreadTips(wanted, from, to) {
  const order = wanted.map((_, k) => k).toSorted((a, b) => wanted[a].at - wanted[b].at);
  /** @type {number[]} */
  const lefts = [];
  let free = from;
  for (const k of order) {
    lefts[k] = Math.max(wanted[k].at, free);
    free = lefts[k] + wanted[k].wide + GAP;
  }
  let end = to;
  for (const k of order.toReversed()) {
    lefts[k] = Math.min(lefts[k], end - wanted[k].wide);
    end = lefts[k] - GAP;
  }
  return lefts;
}

/** The way from the line down to a tip.
 *  @param {number} from @param {number} to */
const way = (from, to) => `M${from} ${TOP}C${from} ${DOT - 6} ${to} ${TOP + 6} ${to} ${DOT - 3}`;
