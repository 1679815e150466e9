// Two splits of the same rows, A and B: a bar for each class that slides over the threshold, and a table with the
// verdict of every criterion. The table follows the pointer. The splits are sent to Python at the end of a drag, after
// a pause of the arrow keys, and when a number has been typed.

import { button, element } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { shapeIcon } from "../draw/shapes.js";
import { SPLIT_KEYS, verdictText, verdicts } from "./scores.js";
import { listenToDrags, listenToKeys, Setting } from "./setting.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { FrameOf, TwoSplits } from "../types.d.ts" */

const SPLIT_NAMES = ["A", "B"];
const [MIN_CLASSES, MAX_CLASSES] = [2, 4];
const ROWS_OF_NEW_CLASS = 4;
const MAX_ROWS_COUNTED = 24; // if a class has more rows, the bars have no lines between rows

/**
 * @typedef {FrameOf<"splits">} SplitsFrame
 * @typedef {{ input: HTMLInputElement, slider: HTMLElement, left: HTMLElement, right: HTMLElement, rightCount: HTMLElement }} ClassBar
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<SplitsFrame>, frame: SplitsFrame, bars: ClassBar[][], countFields: HTMLInputElement[], heads: HTMLElement[],
 *   splits: Setting<"splits">, opened: Setting<"opened">,
 * }} SplitsView  `bars` has a bar for each class of each split; `countFields` are the fields for the rows of each class, `heads` the
 *   titles of the splits; `opened` is the criterion whose arithmetic is shown
 */

/** @param {HTMLElement} root @param {Host<SplitsFrame>} host */
export function create(root, host) {
  const repaint = () => paint(view);
  /** @type {SplitsView} */
  const view = {
    root, host, frame: host.frame, bars: [], countFields: [], heads: [], ...build(root),
    splits: new Setting(host, "splits", () => splitsOf(view.frame), repaint),
    opened: new Setting(host, "opened", () => view.frame.opened, repaint),
  };
  view.removeButton.addEventListener("click", () => changeClasses(view, -1));
  view.addButton.addEventListener("click", () => changeClasses(view, 1));
  host.onFrame((frame) => {
    view.frame = frame;
    repaint();
  });
}

/** @param {HTMLElement} root */
function build(root) {
  const elements = {
    node: element("div", "node"), removeButton: button("−", "One class less"), addButton: button("+", "One class more"),
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
  if (view.countFields.length !== splits.parent.length) fillClasses(view, splits.parent.length);
  const largestClass = Math.max(...splits.parent, 1);
  view.pair.classList.toggle("many", largestClass > MAX_ROWS_COUNTED);
  splits.parent.forEach((rows, k) => {
    setField(view.countFields[k], rows, frame.max_rows);
    SPLIT_KEYS.forEach((key, s) => showBar(view.bars[s][k], splits[key][k], rows, largestClass));
  });
  SPLIT_KEYS.forEach((key, s) => {
    const left = sum(splits[key]);
    view.heads[s].textContent = `Split ${SPLIT_NAMES[s]}: ${left} left, ${sum(splits.parent) - left} right`;
  });
  view.removeButton.disabled = splits.parent.length <= MIN_CLASSES;
  view.addButton.disabled = splits.parent.length >= MAX_CLASSES;
  showTable(view, splits);
  view.root.dataset.splits = [splits.parent, splits.first, splits.second].map((rows) => rows.join(".")).join("_");
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// --- the bars -------------------------------------------------------------------------------------

/** Create the fields and bars for a number of classes.
 *  @param {SplitsView} view @param {number} count */
function fillClasses(view, count) {
  const classes = Array.from({ length: count }, (_, k) => k);
  view.countFields = classes.map((k) => createField(view, (rows) => changeSplits(view, ({ parent, first, second }) => ({
    parent: parent.with(k, rows),
    first: first.with(k, Math.min(first[k], rows)),
    second: second.with(k, Math.min(second[k], rows)),
  }))));
  const label = element("span", "name");
  label.textContent = "Rows in the node";
  view.node.replaceChildren(label, ...classes.map((k) => createClassField(view, k)), view.removeButton, view.addButton);
  view.heads = SPLIT_KEYS.map(() => element("div", "head"));
  view.bars = SPLIT_KEYS.map((_, s) => classes.map((k) => createBar(view, s, k)));
  view.pair.replaceChildren(...SPLIT_KEYS.map((_, s) => {
    const split = element("div", "split");
    split.append(view.heads[s], ...view.bars[s].map((bar, k) => createRow(view, bar, k)));
    return split;
  }));
}

/** Create a field for a number of rows. While the user types, no frame changes the text. `onRows` gets the number once
 *  the user has typed it.
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
  const input = view.countFields[k];
  input.setAttribute("aria-label", `Rows of ${view.frame.classes[k][0]} in the node`);
  label.append(createSymbol(view, k), input);
  return label;
}

/** Create the symbol of a class, as pictures of rows have it.
 *  @param {SplitsView} view @param {number} k */
function createSymbol(view, k) {
  const [name, colour, shape] = view.frame.classes[k];
  const icon = element("span", "symbol");
  icon.title = name;
  icon.append(shapeIcon(shape, colour));
  return icon;
}

/** Create the bar of class k for split s, with a field for the rows that go left.
 *  @param {SplitsView} view @param {number} s @param {number} k @returns {ClassBar} */
function createBar(view, s, k) {
  const [name, colour] = view.frame.classes[k];
  const splitKey = SPLIT_KEYS[s];
  /** @param {TwoSplits} splits @param {number} rows  of class k that go left */
  const withLeft = (splits, rows) => ({ ...splits, [splitKey]: splits[splitKey].with(k, Math.max(0, Math.min(rows, splits.parent[k]))) });
  const input = createField(view, (rows) => changeSplits(view, (splits) => withLeft(splits, rows)));
  const [slider, left, right] = [element("div", "bar"), element("div", "left"), element("div", "right")];
  input.setAttribute("aria-label", `Rows of ${name} that split ${SPLIT_NAMES[s]} sends left`);
  slider.tabIndex = 0;
  slider.setAttribute("role", "slider");
  slider.setAttribute("aria-label", `Split ${SPLIT_NAMES[s]}, ${name}: rows left; the arrow keys slide them`);
  slider.setAttribute("aria-valuemin", "0");
  slider.style.setProperty("--class", colour);
  slider.append(left, right);
  listenToDrags(slider, view.splits, ({ clientX }, { x, value }) => {
    const pixelsPerRow = slider.getBoundingClientRect().width / 2 / Math.max(...value.parent, 1);
    return withLeft(value, value[splitKey][k] - Math.round((clientX - x) / pixelsPerRow)); // a drag to the right sends rows right
  });
  listenToKeys(slider, view.splits, (splits, key, isLarge) => {
    const step = isLarge ? 5 : 1;
    const rows = splits[splitKey][k];
    /** @type {Record<string, number>} */
    const next = { ArrowLeft: rows + step, ArrowUp: rows + step, ArrowRight: rows - step, ArrowDown: rows - step, Home: 0, End: splits.parent[k] };
    return key in next ? withLeft(splits, next[key]) : undefined;
  });
  return { input, slider, left, right, rightCount: element("output", "count") };
}

/** @param {SplitsView} view @param {ClassBar} bar @param {number} k */
function createRow(view, { input, slider, rightCount }, k) {
  const row = element("div", "row");
  row.append(createSymbol(view, k), input, slider, rightCount);
  return row;
}

/** @param {ClassBar} bar @param {number} left  rows that go left @param {number} rows  of the class
 *  @param {number} largestClass  rows of the class that has most */
function showBar(bar, left, rows, largestClass) {
  setField(bar.input, left, rows);
  bar.rightCount.textContent = String(rows - left);
  for (const [part, count] of /** @type {Array<[HTMLElement, number]>} */ ([[bar.left, left], [bar.right, rows - left]])) {
    part.style.width = `${(50 * count) / largestClass}%`;
    part.style.setProperty("--rows", String(Math.max(count, 1)));
  }
  bar.slider.setAttribute("aria-valuemax", String(rows));
  bar.slider.setAttribute("aria-valuenow", String(left));
  bar.slider.setAttribute("aria-valuetext", `${left} left, ${rows - left} right`);
}

/** Show a number in a field, unless the user is typing there.
 *  @param {HTMLInputElement} input @param {number} value @param {number} max */
function setField(input, value, max) {
  input.max = String(max);
  if (!input.classList.contains("typing") && input.value !== String(value)) input.value = String(value);
}

/** Show changed splits, and sends them to Python.
 *  @param {SplitsView} view @param {(splits: TwoSplits) => TwoSplits} update */
function changeSplits(view, update) {
  view.splits.show(update(view.splits.value));
  view.splits.commit();
}

/** Add a class with half of its rows on each side, or removes the last class.
 *  @param {SplitsView} view @param {1 | -1} difference */
function changeClasses(view, difference) {
  changeSplits(view, ({ parent, first, second }) => (difference < 0
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
  const headRow = element("tr", "");
  for (const text of ["Measure", "A", "B", "Better"]) {
    const cell = element("th", "");
    cell.setAttribute("scope", "col");
    cell.textContent = text;
    headRow.append(cell);
  }
  const rows = view.frame.criteria.map(({ name, title, score_name: scoreName }) => {
    const row = element("tr", "");
    const head = element("th", "");
    head.setAttribute("scope", "row");
    const opener = button(title, `Open the arithmetic of ${title}`);
    opener.addEventListener("click", () => {
      view.opened.show(name);
      view.opened.commit();
    });
    const note = element("span", "what");
    note.textContent = scoreName === title.toLowerCase() || scoreName === title ? "" : scoreName;
    head.append(opener, note);
    row.append(head, element("td", ""), element("td", ""), element("td", ""));
    return row;
  });
  view.table.replaceChildren(headRow, ...rows);
}
