// The candidates as a table: a click on a row, or Enter, looks at its cut; a click on a title sorts.
//
// Glossary
//   column   a title, and of each cut its value and text; those of numbers say the largest first
//   order    the cuts as the rows stand
//   sorted   the title that was clicked last, and whether the least are first; "" as they came

import { element, elementsOf, write } from "../lib/dom.js";
import { number } from "../lib/format.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Of } from "../types.d.ts" */

/** @typedef {Of<"ranking">} Frame */
/** @typedef {{ title: string, value: (i: number) => string | number, text: (i: number) => string, count: boolean }} Column */
/** @typedef {{ frame: Frame, host: Host<Frame>, table: HTMLTableElement, head: HTMLElement, body: HTMLElement, said: HTMLElement, sorted: string, up: boolean, order: number[] }} Ranking */

const COUNT = new Intl.NumberFormat("en-US");
const MOVES = /** @type {Record<string, (at: number, last: number) => number>} */ ({
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
});

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const table = element("table", "cuts");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", "Candidate cuts of the node");
  const said = element("div", "said");
  const [head, body] = [element("thead", ""), element("tbody", "")];
  table.append(head, body);
  root.append(table, said);
  /** @type {Ranking} */
  const ranking = { frame: host.frame, host, table, head, body, said, sorted: "", up: false, order: [] };
  table.addEventListener("click", (event) => clicked(ranking, event));
  table.addEventListener("keydown", (event) => pressed(ranking, event));
  host.onFrame((frame) => {
    const isSame = ranking.frame === frame && ranking.order.length > 0;
    ranking.frame = frame;
    if (!isSame) draw(ranking);
  });
}

/** @param {Frame} frame @returns {Column[]} */
export function columnsOf(frame) {
  /** @param {string} title @param {ArrayLike<number>} values */
  const counted = (title, values) => ({
    title, value: (/** @type {number} */ i) => values[i], text: (/** @type {number} */ i) => COUNT.format(values[i]), count: true,
  });
  /** @param {string} title @param {ArrayLike<number>} values */
  const measured = (title, values, digits = 4) => ({ ...counted(title, values), text: (/** @type {number} */ i) => number(values[i], digits) });
  /** @param {string} title @param {(i: number) => string} text */
  const worded = (title, text) => ({ title, value: text, text, count: false });
  const { weight_left: left, weight_right: right } = frame;
  return [
    worded("", (i) => frame.words[frame.mark[i]]),
    worded("cut", (i) => frame.cut[i]),
    measured(frame.measure, frame.score),
    measured("%\u00a0of best", frame.share, 3),
    counted("rows left", frame.left),
    counted("rows right", frame.right),
    measured("impurity left", frame.impurity_left),
    measured("impurity right", frame.impurity_right),
    ...(left && right ? [measured("weight left", left), measured("weight right", right)] : []),
  ];
}

/** The rows in the order asked for; those that tie stay as they came.
 *  @param {Column[]} columns @param {number} count @param {string} sorted @param {boolean} up */
export function orderOf(columns, count, sorted, up) {
  const order = Array.from({ length: count }, (_, i) => i);
  const column = columns.find(({ title }) => title === sorted);
  if (!sorted || !column) return order;
  const by = up === column.count ? 1 : -1; // texts begin with the first, numbers with the largest
  const values = order.map(column.value);
  return order.toSorted((a, b) => (values[a] === values[b] ? 0 : values[a] < values[b] ? -by : by));
}

/** @param {Ranking} ranking */
function draw(ranking) {
  const { frame, head, body, said, sorted, up } = ranking;
  const columns = columnsOf(frame);
  ranking.order = orderOf(columns, frame.index.length, sorted, up);
  const rows = ranking.order.map((i, at) => fill(body.children[at] ?? element("tr", ""), frame, columns, i, at));
  const wrong = rows.length !== body.children.length || rows.some((row, at) => row !== body.children[at]);
  if (wrong) body.replaceChildren(...rows);
  head.replaceChildren(headOf(ranking, columns));
  said.replaceChildren(...frame.said.map((text) => {
    const line = element("p", "");
    line.textContent = text;
    return line;
  }));
}

/** @param {Ranking} ranking @param {Column[]} columns */
function headOf({ sorted, up }, columns) {
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

/** Write a cut into a row, which may have another.
 *  @param {Element} one @param {Frame} frame @param {Column[]} columns @param {number} i @param {number} at */
function fill(one, frame, columns, i, at) {
  const row = /** @type {HTMLElement} */ (one);
  row.className = i === frame.row ? "looked" : "";
  row.setAttribute("aria-selected", String(i === frame.row));
  row.tabIndex = at === 0 ? 0 : -1;
  row.dataset.at = String(at);
  if (row.children.length !== columns.length) row.replaceChildren(...columns.map(({ count }) => element("td", count ? "count" : "")));
  columns.forEach(({ text }, k) => {
    const told = text(i);
    write(row.children[k], told);
  });
  return row;
}

/** The row of a cut that an event is on.
 *  @param {globalThis.Event} event */
function rowUnder(event) {
  const row = elementsOf(event)[0].closest("tr");
  return row?.dataset.at === undefined ? null : row;
}

/** @param {Ranking} ranking @param {globalThis.Event} event */
function clicked(ranking, event) {
  const title = elementsOf(event)[0].closest(".sort")?.textContent;
  const row = rowUnder(event);
  if (title) sortBy(ranking, title);
  else if (row) choose(ranking, Number(row.dataset.at));
}

/** By that title; once more the other way round, then as they came.
 *  @param {Ranking} ranking @param {string} title */
function sortBy(ranking, title) {
  const again = ranking.sorted === title;
  Object.assign(ranking, again && ranking.up ? { sorted: "", up: false } : { sorted: title, up: again });
  draw(ranking);
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (ranking.table.querySelectorAll(".sort"));
  [...buttons].find(({ textContent }) => textContent === title)?.focus();
}

/** @param {Ranking} ranking @param {number} at */
function choose({ frame, host, order }, at) {
  host.send({ what: "cut", stamp: frame.stamp, index: frame.index[order[at]] });
}

/** @param {Ranking} ranking @param {KeyboardEvent} event */
function pressed(ranking, event) {
  const row = rowUnder(event);
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  const at = Number(row.dataset.at);
  if (event.key === "Enter" || event.key === " ") choose(ranking, at);
  else if (event.key in MOVES) turnTo(ranking, row, MOVES[event.key](at, ranking.order.length - 1));
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Have the keys on another row.
 *  @param {Ranking} ranking @param {HTMLElement} from @param {number} at */
function turnTo({ table }, from, at) {
  const rows = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("tbody tr"));
  from.tabIndex = -1;
  rows[at].tabIndex = 0;
  rows[at].focus();
}
