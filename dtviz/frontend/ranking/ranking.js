// Table of the candidates: a click on a row, or Enter, chooses its cut; a click on a title sorts.

import { element, elementsOf, write } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { keep, onStamp } from "../lib/prefetch.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { FrameOf } from "../types.d.ts" */

/** @typedef {FrameOf<"ranking">} RankingFrame */
/** Column with the value and the text of each cut; `count` is true for numbers, which are sorted the largest first.
 *  @typedef {{ title: string, value: (i: number) => string | number, text: (i: number) => string, count: boolean }} Column */
/** Table as it is shown; `sorted` is the title it is sorted by, "" for the order of the frame; `up` is true if
 *  the least values come first; `order` has the index of the cut in each row.
 *  @typedef {{ frame: RankingFrame, host: Host<RankingFrame>, table: HTMLTableElement, head: HTMLElement, body: HTMLElement, notes: HTMLElement, sorted: string, up: boolean, order: number[] }} RankingTable */

const COUNT = new Intl.NumberFormat("en-US");
const KEY_MOVES = /** @type {Record<string, (position: number, last: number) => number>} */ ({
  ArrowDown: (position, last) => Math.min(position + 1, last),
  ArrowUp: (position) => Math.max(position - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
});

/** @param {HTMLElement} root @param {Host<RankingFrame>} host */
export function create(root, host) {
  const table = element("table", "cuts");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", "Candidate cuts of the node");
  const notes = element("div", "said");
  const [head, body] = [element("thead", ""), element("tbody", "")];
  table.append(head, body);
  root.append(table, notes);
  /** @type {RankingTable} */
  const ranking = { frame: host.frame, host, table, head, body, notes, sorted: "", up: false, order: [] };
  table.addEventListener("click", (event) => onClick(ranking, event));
  table.addEventListener("keydown", (event) => onKeyDown(ranking, event));
  /** @param {RankingFrame} frame */
  const show = (frame) => {
    const isSame = ranking.frame === frame && ranking.order.length > 0;
    ranking.frame = frame;
    if (!isSame) redraw(ranking);
  };
  host.onFrame((frame) => {
    keep(frame);
    show(frame);
  });
  onStamp("ranking", root, show);
}

/** @param {RankingFrame} frame @returns {Column[]} */
export function columnsOf(frame) {
  /** @param {string} title @param {ArrayLike<number>} values */
  const countColumn = (title, values) => ({
    title, value: (/** @type {number} */ i) => values[i], text: (/** @type {number} */ i) => COUNT.format(values[i]), count: true,
  });
  /** @param {string} title @param {ArrayLike<number>} values */
  const numberColumn = (title, values, digits = 4) => ({ ...countColumn(title, values), text: (/** @type {number} */ i) => number(values[i], digits) });
  /** @param {string} title @param {(i: number) => string} text */
  const textColumn = (title, text) => ({ title, value: text, text, count: false });
  /** Figures of all sides, sorted by the first.
   *  @param {string} title @param {string[]} texts @param {ArrayLike<number>} values */
  const sidesColumn = (title, texts, values) => ({ ...countColumn(title, values), text: (/** @type {number} */ i) => texts[i] });
  const { weight_left: left, weight_right: right, sides: [first, second] } = frame;
  const columns = [
    textColumn("", (i) => frame.marks[frame.mark_index[i]]),
    textColumn("cut", (i) => frame.cut[i]),
    numberColumn(frame.measure, frame.score),
    numberColumn("%\u00a0of best", frame.share, 3),
  ];
  const { row_texts: rowTexts, impurity_texts: impurityTexts, weight_texts: weightTexts } = frame;
  if (rowTexts && impurityTexts) { // cuts with many branches have no column a side
    return [
      ...columns,
      sidesColumn("rows", rowTexts, frame.left),
      sidesColumn("impurity", impurityTexts, frame.impurity_left),
      ...(left && weightTexts ? [sidesColumn("weight", weightTexts, left)] : []),
    ];
  }
  return [
    ...columns,
    countColumn(`rows ${first}`, frame.left),
    countColumn(`rows ${second}`, frame.right),
    numberColumn(`impurity ${first}`, frame.impurity_left),
    numberColumn(`impurity ${second}`, frame.impurity_right),
    ...(left && right ? [numberColumn(`weight ${first}`, left), numberColumn(`weight ${second}`, right)] : []),
  ];
}

/** Indices of the cuts in sorted order; cuts that tie keep the order of the frame.
 *  @param {Column[]} columns @param {number} count @param {string} sorted @param {boolean} up */
export function orderOf(columns, count, sorted, up) {
  const order = Array.from({ length: count }, (_, i) => i);
  const column = columns.find(({ title }) => title === sorted);
  if (!sorted || !column) return order;
  const direction = up === column.count ? 1 : -1; // texts are sorted from the first, numbers from the largest
  const values = order.map(column.value);
  return order.toSorted((a, b) => (values[a] === values[b] ? 0 : values[a] < values[b] ? -direction : direction));
}

/** @param {RankingTable} ranking */
function redraw(ranking) {
  const { frame, head, body, notes, sorted, up } = ranking;
  const columns = columnsOf(frame);
  ranking.order = orderOf(columns, frame.index.length, sorted, up);
  const rows = ranking.order.map((i, position) => fillRow(body.children[position] ?? element("tr", ""), frame, columns, i, position));
  const isOutdated = rows.length !== body.children.length || rows.some((row, position) => row !== body.children[position]);
  if (isOutdated) body.replaceChildren(...rows);
  head.replaceChildren(headRowOf(ranking, columns));
  notes.replaceChildren(...frame.notes.map((text) => {
    const line = element("p", "");
    line.textContent = text;
    return line;
  }));
}

/** @param {RankingTable} ranking @param {Column[]} columns */
function headRowOf({ sorted, up }, columns) {
  const row = element("tr", "");
  row.append(...columns.map(({ title, count }) => {
    const cell = element("th", count ? "count" : "");
    cell.scope = "col";
    if (title) {
      const sort = element("button", "sort");
      Object.assign(sort, { type: "button", textContent: title });
      cell.append(sort);
    } else cell.setAttribute("aria-label", "mark");
    if (title && title === sorted) cell.setAttribute("aria-sort", up === count ? "ascending" : "descending");
    return cell;
  }));
  return row;
}

/** Write a cut into a row, which may hold another cut.
 *  @param {Element} oldRow @param {RankingFrame} frame @param {Column[]} columns @param {number} i @param {number} position */
function fillRow(oldRow, frame, columns, i, position) {
  const row = /** @type {HTMLElement} */ (oldRow);
  row.className = i === frame.chosen_place ? "looked" : "";
  row.setAttribute("aria-selected", String(i === frame.chosen_place));
  row.tabIndex = position === 0 ? 0 : -1;
  row.dataset.at = String(position);
  if (row.children.length !== columns.length) row.replaceChildren(...columns.map(({ count }) => element("td", count ? "count" : "")));
  columns.forEach(({ text }, k) => write(row.children[k], text(i)));
  return row;
}

/** Row of a cut under an event, or null.
 *  @param {globalThis.Event} event */
function rowUnder(event) {
  const row = elementsOf(event)[0].closest("tr");
  return row?.dataset.at === undefined ? null : row;
}

/** @param {RankingTable} ranking @param {globalThis.Event} event */
function onClick(ranking, event) {
  const title = elementsOf(event)[0].closest(".sort")?.textContent;
  const row = rowUnder(event);
  if (title) sortBy(ranking, title);
  else if (row) choose(ranking, Number(row.dataset.at));
}

/** Sort by a title; the second time in the opposite order, the third time in the order of the frame.
 *  @param {RankingTable} ranking @param {string} title */
function sortBy(ranking, title) {
  const isSame = ranking.sorted === title;
  Object.assign(ranking, isSame && ranking.up ? { sorted: "", up: false } : { sorted: title, up: isSame });
  redraw(ranking);
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (ranking.table.querySelectorAll(".sort"));
  [...buttons].find(({ textContent }) => textContent === title)?.focus();
}

/** @param {RankingTable} ranking @param {number} position */
function choose({ frame, host, order }, position) {
  host.send({ what: "cut", stamp: frame.stamp, index: frame.index[order[position]] });
}

/** @param {RankingTable} ranking @param {KeyboardEvent} event */
function onKeyDown(ranking, event) {
  const row = rowUnder(event);
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  const position = Number(row.dataset.at);
  if (event.key === "Enter" || event.key === " ") choose(ranking, position);
  else if (event.key in KEY_MOVES) focusRow(ranking, row, KEY_MOVES[event.key](position, ranking.order.length - 1));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Move the keyboard focus to another row.
 *  @param {RankingTable} ranking @param {HTMLElement} from @param {number} position */
function focusRow({ table }, from, position) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("tbody tr"));
  from.tabIndex = -1;
  rows[position].tabIndex = 0;
  rows[position].focus();
}
