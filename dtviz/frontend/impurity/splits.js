// Two splits of the same rows: each class a bar that slides over the cut, and the verdict of every
// criterion. The table follows the hand at once; the end of a drag or a typed number is told.

import { button, element } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { markPath } from "../lib/marks.js";
import { dragged, Hand, keyed } from "./hand.js";
import { SIDES, told, verdicts } from "./scores.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Of, TwoSplits } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const NAMES = ["A", "B"];
const [FEWEST, MOST] = [2, 4]; // classes
const NEW = 4; // rows of a class that is added
const COUNTED = 24; // rows that can be told one by one

/**
 * @typedef {Of<"splits">} Frame
 * @typedef {{ input: HTMLInputElement, bar: HTMLElement, left: HTMLElement, right: HTMLElement, rest: HTMLElement }} Bar
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame, bars: Bar[][], counts: HTMLInputElement[], heads: HTMLElement[],
 *   splits: Hand<"splits">, opened: Hand<"opened">,
 * }} View
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {View} */
  const view = {
    root, host, frame: host.frame, bars: [], counts: [], heads: [], ...build(root),
    splits: new Hand(host, "splits", () => ownOf(view.frame), repaint),
    opened: new Hand(host, "opened", () => view.frame.opened, repaint),
  };
  view.fewer.addEventListener("click", () => resize(view, -1));
  view.more.addEventListener("click", () => resize(view, 1));
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const made = {
    node: element("div", "node"), fewer: button("−", "One class less"), more: button("+", "One class more"),
    pair: element("div", "pair"), table: element("table", "verdicts"), said: element("div", "told"),
  };
  made.said.setAttribute("aria-live", "polite");
  root.append(made.node, made.pair, made.said, made.table);
  return made;
}

/** @param {Frame} frame @returns {TwoSplits} */
const ownOf = ({ parent, first, second }) => ({ parent, first, second });

/** @param {View} view */
function paint(view) {
  const { frame, splits } = view;
  const now = splits.value;
  if (view.counts.length !== now.parent.length) fill(view, now.parent.length);
  const longest = Math.max(...now.parent, 1);
  view.pair.classList.toggle("many", longest > COUNTED);
  now.parent.forEach((rows, k) => {
    typed(view.counts[k], rows, frame.most);
    SIDES.forEach((side, s) => showBar(view.bars[s][k], now[side][k], rows, longest));
  });
  SIDES.forEach((side, s) => {
    const left = sum(now[side]);
    view.heads[s].textContent = `Split ${NAMES[s]}: ${left} left, ${sum(now.parent) - left} right`;
  });
  view.fewer.disabled = now.parent.length <= FEWEST;
  view.more.disabled = now.parent.length >= MOST;
  showTable(view, now);
  view.root.dataset.splits = [now.parent, now.first, now.second].map((some) => some.join(".")).join("_");
}

/** @param {number[]} some */
const sum = (some) => some.reduce((one, other) => one + other, 0);

// --- the bars -------------------------------------------------------------------------------------

/** The elements for so many classes.
 *  @param {View} view @param {number} many */
function fill(view, many) {
  const classes = Array.from({ length: many }, (_, k) => k);
  view.counts = classes.map((k) => counter(view, (rows) => put(view, (two) => ({
    parent: two.parent.with(k, rows),
    first: two.first.with(k, Math.min(two.first[k], rows)),
    second: two.second.with(k, Math.min(two.second[k], rows)),
  }))));
  const label = element("span", "name");
  label.textContent = "Rows in the node";
  view.node.replaceChildren(label, ...classes.map((k) => named(view, k)), view.fewer, view.more);
  view.heads = SIDES.map(() => element("div", "head"));
  view.bars = SIDES.map((_, s) => classes.map((k) => bar(view, s, k)));
  view.pair.replaceChildren(...SIDES.map((_, s) => {
    const split = element("div", "split");
    split.append(view.heads[s], ...view.bars[s].map((one, k) => row(view, one, k)));
    return split;
  }));
}

/** A field for a number; `done` is given what was typed once that is done, until then it stays.
 *  @param {View} view @param {(rows: number) => void} done */
function counter(view, done) {
  const input = element("input", "count");
  Object.assign(input, { type: "number", min: "0", step: "1" });
  const typing = (/** @type {boolean} */ on) => input.classList.toggle("typing", on);
  input.addEventListener("input", () => typing(true));
  input.addEventListener("change", () => {
    typing(false);
    const rows = Math.round(Number(input.value));
    if (input.value !== "" && !Number.isNaN(rows)) done(Math.max(0, Math.min(rows, Number(input.max))));
    paint(view);
  });
  input.addEventListener("blur", () => {
    typing(false);
    paint(view);
  });
  return input;
}

/** @param {View} view @param {number} k */
function named(view, k) {
  const made = element("label", "class");
  const input = view.counts[k];
  input.setAttribute("aria-label", `Rows of ${view.frame.classes[k][0]} in the node`);
  made.append(symbol(view, k), input);
  return made;
}

/** @param {View} view @param {number} k */
function symbol(view, k) {
  const [name, colour, shape] = view.frame.classes[k];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-8 -8 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", markPath(shape, 6));
  path.setAttribute("fill", colour);
  svg.append(path);
  const made = element("span", "symbol");
  made.title = name;
  made.append(svg);
  return made;
}

/** @param {View} view @param {number} s @param {number} k @returns {Bar} */
function bar(view, s, k) {
  const [name, colour] = view.frame.classes[k];
  const side = SIDES[s];
  /** @param {TwoSplits} two @param {number} rows */
  const sent = (two, rows) => ({ ...two, [side]: two[side].with(k, Math.max(0, Math.min(rows, two.parent[k]))) });
  const made = {
    input: counter(view, (rows) => put(view, (two) => sent(two, rows))), bar: element("div", "bar"), left: element("div", "left"), right: element("div", "right"),
    rest: element("output", "count"),
  };
  made.input.setAttribute("aria-label", `Rows of ${name} that split ${NAMES[s]} sends left`);
  made.bar.tabIndex = 0;
  made.bar.setAttribute("role", "slider");
  made.bar.setAttribute("aria-label", `Split ${NAMES[s]}, ${name}: rows left; the arrow keys slide them`);
  made.bar.setAttribute("aria-valuemin", "0");
  made.bar.style.setProperty("--class", colour);
  made.bar.append(made.left, made.right);
  dragged(made.bar, view.splits, ({ clientX }, from) => {
    const each = made.bar.getBoundingClientRect().width / 2 / Math.max(...from.value.parent, 1);
    return sent(from.value, from.value[side][k] - Math.round((clientX - from.x) / each));
  });
  keyed(made.bar, view.splits, (two, key, far) => {
    const by = far ? 5 : 1;
    const own = two[side][k];
    /** @type {Record<string, number>} */
    const next = { ArrowLeft: own + by, ArrowUp: own + by, ArrowRight: own - by, ArrowDown: own - by, Home: 0, End: two.parent[k] };
    return key in next ? sent(two, next[key]) : undefined;
  });
  return made;
}

/** @param {View} view @param {Bar} made @param {number} k */
function row(view, made, k) {
  const own = element("div", "row");
  own.append(symbol(view, k), made.input, made.bar, made.rest);
  return own;
}

/** @param {Bar} made @param {number} left @param {number} rows @param {number} longest */
function showBar(made, left, rows, longest) {
  typed(made.input, left, rows);
  made.rest.textContent = String(rows - left);
  for (const [part, count] of /** @type {Array<[HTMLElement, number]>} */ ([[made.left, left], [made.right, rows - left]])) {
    part.style.width = `${(50 * count) / longest}%`;
    part.style.setProperty("--rows", String(Math.max(count, 1)));
  }
  made.bar.setAttribute("aria-valuemax", String(rows));
  made.bar.setAttribute("aria-valuenow", String(left));
  made.bar.setAttribute("aria-valuetext", `${left} left, ${rows - left} right`);
}

/** @param {HTMLInputElement} input @param {number} value @param {number} most */
function typed(input, value, most) {
  input.max = String(most);
  if (!input.classList.contains("typing") && input.value !== String(value)) input.value = String(value);
}

/** @param {View} view @param {(two: TwoSplits) => TwoSplits} change */
function put(view, change) {
  view.splits.look(change(view.splits.value));
  view.splits.stay();
}

/** One class more, half of it on each side, or the last one less.
 *  @param {View} view @param {1 | -1} by */
function resize(view, by) {
  put(view, ({ parent, first, second }) => (by < 0
    ? { parent: parent.slice(0, -1), first: first.slice(0, -1), second: second.slice(0, -1) }
    : { parent: [...parent, NEW], first: [...first, NEW / 2], second: [...second, NEW / 2] }));
}

// --- the table ------------------------------------------------------------------------------------

/** @param {View} view @param {TwoSplits} now */
function showTable(view, now) {
  const { table, frame, said } = view;
  if (table.querySelectorAll("tr").length !== frame.criteria.length + 1) fillTable(view);
  const found = verdicts(frame, now);
  const rows = [...table.querySelectorAll("tr")].slice(1);
  frame.criteria.forEach(({ name, unit }, k) => {
    const cells = [...rows[k].querySelectorAll("td")];
    const better = found?.[k].better ?? 0;
    [0, 1].forEach((s) => {
      const score = found?.[k].scores[s];
      const text = score === undefined ? "…" : number(score);
      cells[s].textContent = Number.isNaN(score) || score === undefined ? text : `${text} ${unit}`.trim();
      cells[s].classList.toggle("best", better === (s ? -1 : 1));
    });
    cells[2].textContent = !found ? "…" : found[k].scores.some(Number.isNaN) ? "-" : better > 0 ? "A" : better < 0 ? "B" : "same";
    rows[k].querySelector("button")?.setAttribute("aria-pressed", String(name === view.opened.value));
  });
  if (found) said.textContent = told(frame, found);
}

/** @param {View} view */
function fillTable(view) {
  const head = element("tr", "");
  for (const words of ["Measure", "A", "B", "Better"]) {
    const cell = element("th", "");
    cell.setAttribute("scope", "col");
    cell.textContent = words;
    head.append(cell);
  }
  const rows = view.frame.criteria.map(({ name, title, measured }) => {
    const own = element("tr", "");
    const first = element("th", "");
    first.setAttribute("scope", "row");
    const opener = button(title, `Open the arithmetic of ${title}`);
    opener.addEventListener("click", () => {
      view.opened.look(name);
      view.opened.stay();
    });
    const what = element("span", "what");
    what.textContent = measured === title.toLowerCase() || measured === title ? "" : measured;
    first.append(opener, what);
    own.append(first, element("td", ""), element("td", ""), element("td", ""));
    return own;
  });
  view.table.replaceChildren(head, ...rows);
}
