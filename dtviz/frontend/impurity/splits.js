// Two splits of the same rows: a bar for each class that slides over the threshold, and a table with the
// verdict of every criterion. The table follows the pointer; the end of a drag, and a typed number, are sent to Python.

import { button, element } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { markPath } from "../lib/marks.js";
import { SIDES, verdictText, verdicts } from "./scores.js";
import { listenToDrags, listenToKeys, Setting } from "./setting.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { FrameOf, TwoSplits } from "../types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";
const NAMES = ["A", "B"];
const [MIN_CLASSES, MAX_CLASSES] = [2, 4];
const ROWS_OF_NEW_CLASS = 4;
const MAX_ROWS_COUNTED = 24; // bars of larger classes have no lines between rows

/**
 * @typedef {FrameOf<"splits">} SplitsFrame
 * @typedef {{ input: HTMLInputElement, slider: HTMLElement, left: HTMLElement, right: HTMLElement, rightCount: HTMLElement }} ClassBar
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<SplitsFrame>, frame: SplitsFrame, bars: ClassBar[][], counts: HTMLInputElement[], heads: HTMLElement[],
 *   splits: Setting<"splits">, opened: Setting<"opened">,
 * }} SplitsView  `counts` are the fields of the rows of each class, `heads` the titles of the splits
 */

/** @param {HTMLElement} root @param {Host<SplitsFrame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {SplitsView} */
  const view = {
    root, host, frame: host.frame, bars: [], counts: [], heads: [], ...build(root),
    splits: new Setting(host, "splits", () => splitsOf(view.frame), repaint),
    opened: new Setting(host, "opened", () => view.frame.opened, repaint),
  };
  view.fewer.addEventListener("click", () => changeClasses(view, -1));
  view.more.addEventListener("click", () => changeClasses(view, 1));
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const elements = {
    node: element("div", "node"), fewer: button("−", "One class less"), more: button("+", "One class more"),
    pair: element("div", "pair"), table: element("table", "verdicts"), verdict: element("div", "told"),
  };
  elements.verdict.setAttribute("aria-live", "polite");
  root.append(elements.node, elements.pair, elements.verdict, elements.table);
  return elements;
}

/** @param {SplitsFrame} frame @returns {TwoSplits} */
const splitsOf = ({ parent, first, second }) => ({ parent, first, second });

/** @param {SplitsView} view */
function paint(view) {
  const { frame } = view;
  const splits = view.splits.value;
  if (view.counts.length !== splits.parent.length) fillNode(view, splits.parent.length);
  const longest = Math.max(...splits.parent, 1);
  view.pair.classList.toggle("many", longest > MAX_ROWS_COUNTED);
  splits.parent.forEach((rows, k) => {
    setField(view.counts[k], rows, frame.max_rows);
    SIDES.forEach((side, s) => showBar(view.bars[s][k], splits[side][k], rows, longest));
  });
  SIDES.forEach((side, s) => {
    const left = sum(splits[side]);
    view.heads[s].textContent = `Split ${NAMES[s]}: ${left} left, ${sum(splits.parent) - left} right`;
  });
  view.fewer.disabled = splits.parent.length <= MIN_CLASSES;
  view.more.disabled = splits.parent.length >= MAX_CLASSES;
  showTable(view, splits);
  view.root.dataset.splits = [splits.parent, splits.first, splits.second].map((rows) => rows.join(".")).join("_");
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// --- the bars -------------------------------------------------------------------------------------

/** Creates the fields and bars for a number of classes.
 *  @param {SplitsView} view @param {number} count */
function fillNode(view, count) {
  const classes = Array.from({ length: count }, (_, k) => k);
  view.counts = classes.map((k) => createField(view, (rows) => change(view, ({ parent, first, second }) => ({
    parent: parent.with(k, rows),
    first: first.with(k, Math.min(first[k], rows)),
    second: second.with(k, Math.min(second[k], rows)),
  }))));
  const label = element("span", "name");
  label.textContent = "Rows in the node";
  view.node.replaceChildren(label, ...classes.map((k) => createClassField(view, k)), view.fewer, view.more);
  view.heads = SIDES.map(() => element("div", "head"));
  view.bars = SIDES.map((_, s) => classes.map((k) => createBar(view, s, k)));
  view.pair.replaceChildren(...SIDES.map((_, s) => {
    const split = element("div", "split");
    split.append(view.heads[s], ...view.bars[s].map((bar, k) => createRow(view, bar, k)));
    return split;
  }));
}

/** Creates a field for a number of rows. The typed text stays, whatever frame comes, until typing ends; then `onRows` gets
 *  the number.
 *  @param {SplitsView} view @param {(rows: number) => void} onRows */
function createField(view, onRows) {
  const input = element("input", "count");
  Object.assign(input, { type: "number", min: "0", step: "1" });
  const markTyping = (/** @type {boolean} */ isTyping) => input.classList.toggle("typing", isTyping);
  input.addEventListener("input", () => markTyping(true));
  input.addEventListener("change", () => {
    markTyping(false);
    const rows = Math.round(Number(input.value));
    if (input.value !== "" && !Number.isNaN(rows)) onRows(Math.max(0, Math.min(rows, Number(input.max))));
    paint(view);
  });
  input.addEventListener("blur", () => {
    markTyping(false);
    paint(view);
  });
  return input;
}

/** @param {SplitsView} view @param {number} k */
function createClassField(view, k) {
  const label = element("label", "class");
  const input = view.counts[k];
  input.setAttribute("aria-label", `Rows of ${view.frame.classes[k][0]} in the node`);
  label.append(symbol(view, k), input);
  return label;
}

/** @param {SplitsView} view @param {number} k */
function symbol(view, k) {
  const [name, colour, shape] = view.frame.classes[k];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-8 -8 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", markPath(shape, 6));
  path.setAttribute("fill", colour);
  svg.append(path);
  const icon = element("span", "symbol");
  icon.title = name;
  icon.append(svg);
  return icon;
}

/** @param {SplitsView} view @param {number} s @param {number} k @returns {ClassBar} */
function createBar(view, s, k) {
  const [name, colour] = view.frame.classes[k];
  const side = SIDES[s];
  /** @param {TwoSplits} splits @param {number} rows  of class k that go left */
  const withLeft = (splits, rows) => ({ ...splits, [side]: splits[side].with(k, Math.max(0, Math.min(rows, splits.parent[k]))) });
  const input = createField(view, (rows) => change(view, (splits) => withLeft(splits, rows)));
  const [slider, left, right] = [element("div", "bar"), element("div", "left"), element("div", "right")];
  input.setAttribute("aria-label", `Rows of ${name} that split ${NAMES[s]} sends left`);
  slider.tabIndex = 0;
  slider.setAttribute("role", "slider");
  slider.setAttribute("aria-label", `Split ${NAMES[s]}, ${name}: rows left; the arrow keys slide them`);
  slider.setAttribute("aria-valuemin", "0");
  slider.style.setProperty("--class", colour);
  slider.append(left, right);
  listenToDrags(slider, view.splits, ({ clientX }, { x, value }) => {
    const pixels = slider.getBoundingClientRect().width / 2 / Math.max(...value.parent, 1); // of a row
    return withLeft(value, value[side][k] - Math.round((clientX - x) / pixels));
  });
  listenToKeys(slider, view.splits, (splits, key, isLarge) => {
    const step = isLarge ? 5 : 1;
    const rows = splits[side][k];
    /** @type {Record<string, number>} */
    const next = { ArrowLeft: rows + step, ArrowUp: rows + step, ArrowRight: rows - step, ArrowDown: rows - step, Home: 0, End: splits.parent[k] };
    return key in next ? withLeft(splits, next[key]) : undefined;
  });
  return { input, slider, left, right, rightCount: element("output", "count") };
}

/** @param {SplitsView} view @param {ClassBar} bar @param {number} k */
function createRow(view, { input, slider, rightCount }, k) {
  const row = element("div", "row");
  row.append(symbol(view, k), input, slider, rightCount);
  return row;
}

/** @param {ClassBar} bar @param {number} left  rows that go left @param {number} rows  of the class
 *  @param {number} longest  rows of the largest class */
function showBar(bar, left, rows, longest) {
  setField(bar.input, left, rows);
  bar.rightCount.textContent = String(rows - left);
  for (const [part, count] of /** @type {Array<[HTMLElement, number]>} */ ([[bar.left, left], [bar.right, rows - left]])) {
    part.style.width = `${(50 * count) / longest}%`;
    part.style.setProperty("--rows", String(Math.max(count, 1)));
  }
  bar.slider.setAttribute("aria-valuemax", String(rows));
  bar.slider.setAttribute("aria-valuenow", String(left));
  bar.slider.setAttribute("aria-valuetext", `${left} left, ${rows - left} right`);
}

/** @param {HTMLInputElement} input @param {number} value @param {number} max */
function setField(input, value, max) {
  input.max = String(max);
  if (!input.classList.contains("typing") && input.value !== String(value)) input.value = String(value);
}

/** @param {SplitsView} view @param {(splits: TwoSplits) => TwoSplits} update */
function change(view, update) {
  view.splits.show(update(view.splits.value));
  view.splits.commit();
}

/** Adds a class with half of its rows on each side, or removes the last class.
 *  @param {SplitsView} view @param {1 | -1} difference */
function changeClasses(view, difference) {
  change(view, ({ parent, first, second }) => (difference < 0
    ? { parent: parent.slice(0, -1), first: first.slice(0, -1), second: second.slice(0, -1) }
    : { parent: [...parent, ROWS_OF_NEW_CLASS], first: [...first, ROWS_OF_NEW_CLASS / 2], second: [...second, ROWS_OF_NEW_CLASS / 2] }));
}

// --- the table ------------------------------------------------------------------------------------

/** @param {SplitsView} view @param {TwoSplits} splits */
function showTable(view, splits) {
  const { table, frame, verdict } = view;
  if (table.querySelectorAll("tr").length !== frame.criteria.length + 1) fillTable(view);
  const results = verdicts(frame, splits); // null until Python answers
  const rows = [...table.querySelectorAll("tr")].slice(1);
  frame.criteria.forEach(({ name, unit }, k) => {
    const cells = [...rows[k].querySelectorAll("td")];
    const better = results?.[k].better ?? 0;
    [0, 1].forEach((s) => {
      const score = results?.[k].scores[s];
      const text = score === undefined ? "…" : number(score);
      cells[s].textContent = Number.isNaN(score) || score === undefined ? text : `${text} ${unit}`.trim();
      cells[s].classList.toggle("best", better === (s ? -1 : 1));
    });
    cells[2].textContent = !results ? "…" : results[k].scores.some(Number.isNaN) ? "-" : better > 0 ? "A" : better < 0 ? "B" : "same";
    rows[k].querySelector("button")?.setAttribute("aria-pressed", String(name === view.opened.value));
  });
  if (results) verdict.textContent = verdictText(frame, results);
}

/** @param {SplitsView} view */
function fillTable(view) {
  const titles = element("tr", "");
  for (const text of ["Measure", "A", "B", "Better"]) {
    const cell = element("th", "");
    cell.setAttribute("scope", "col");
    cell.textContent = text;
    titles.append(cell);
  }
  const rows = view.frame.criteria.map(({ name, title, measured }) => {
    const row = element("tr", "");
    const head = element("th", "");
    head.setAttribute("scope", "row");
    const opener = button(title, `Open the arithmetic of ${title}`);
    opener.addEventListener("click", () => {
      view.opened.show(name);
      view.opened.commit();
    });
    const measure = element("span", "what");
    measure.textContent = measured === title.toLowerCase() || measured === title ? "" : measured;
    head.append(opener, measure);
    row.append(head, element("td", ""), element("td", ""), element("td", ""));
    return row;
  });
  view.table.replaceChildren(titles, ...rows);
}
