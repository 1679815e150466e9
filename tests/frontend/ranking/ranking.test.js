import assert from "node:assert/strict";
import test from "node:test";

import { pictured } from "../hosts.js";
import { press } from "../page.js";
import { columnsOf, create, orderOf } from "../../../dtviz/frontend/ranking/ranking.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { bytesOf, expected } from "../expected.js";

const { rankings } = expected;
const frameOf = ({ frame }) => unpack(bytesOf(frame));
const cellsOf = (table) => table.querySelectorAll("tr").slice(1).map((row) => row.querySelectorAll("td").map(({ textContent }) => textContent));
const texts = (frame, order) => order.map((i) => columnsOf(frame).map(({ text }) => text(i)));
const tableOf = ({ root }) => root.querySelector("table");
const titleOf = (picture, name) => tableOf(picture).querySelectorAll(".sort").find(({ textContent }) => textContent === name);

test("every number of the table is Python's to the last digit", () => {
  for (const wanted of rankings) {
    const frame = frameOf(wanted);
    const order = orderOf(columnsOf(frame), frame.index.length, "", false);
    assert.deepEqual(columnsOf(frame).map(({ title }) => title), wanted.titles);
    assert.deepEqual(texts(frame, order), wanted.rows);
  }
});

test("the table shows the rows as they come, and which cut is looked at", () => {
  const frame = frameOf(rankings[0]);
  const picture = pictured(create, "ranking", frame);
  assert.deepEqual(cellsOf(tableOf(picture)), rankings[0].rows);
  const looked = tableOf(picture).querySelectorAll("tr").slice(1).map((row) => row.getAttribute("aria-selected"));
  assert.deepEqual(looked.flatMap((on, position) => (on === "true" ? [position] : [])), [frame.chosen_place]);
});

test("a click and Enter look at the cut of their row, however it is sorted", () => {
  const frame = frameOf(rankings[0]);
  const picture = pictured(create, "ranking", frame);
  const rows = () => tableOf(picture).querySelectorAll("tr").slice(1);
  rows()[2].querySelector("td").click();
  titleOf(picture, "rows left").click();
  const [largest] = orderOf(columnsOf(frame), frame.index.length, "rows left", false);
  assert.equal(frame.left[largest], Math.max(...frame.left));
  press(rows()[0], "Enter");
  assert.deepEqual(picture.sent, [2, largest].map((position) => ({ what: "cut", stamp: frame.stamp, index: frame.index[position] })));
  assert.equal(picture.posts[0].events[0].picture, "stage");
});

test("a title sorts the largest first, then the least, then as they came; texts from their beginning", () => {
  const frame = frameOf(rankings[0]);
  const picture = pictured(create, "ranking", frame);
  const shown = (title) => {
    titleOf(picture, title).click();
    const head = tableOf(picture).querySelectorAll("th").find((cell) => cell.getAttribute("aria-sort"));
    return [cellsOf(tableOf(picture)), head?.getAttribute("aria-sort") ?? "none"];
  };
  const sorted = (title, up) => texts(frame, orderOf(columnsOf(frame), frame.index.length, title, up));
  assert.deepEqual(shown("impurity left"), [sorted("impurity left", false), "descending"]);
  assert.deepEqual(shown("impurity left"), [sorted("impurity left", true), "ascending"]);
  assert.deepEqual(shown("impurity left"), [rankings[0].rows, "none"]);
  const [byName, direction] = shown("cut");
  assert.equal(direction, "ascending");
  assert.deepEqual(byName.map(([, cut]) => cut), rankings[0].rows.map(([, cut]) => cut).toSorted());
});

test("cuts that tie stay as they came", () => {
  const column = { title: "a", value: (i) => [1, 2, 1, 2, 1][i], text: String, count: true };
  assert.deepEqual(orderOf([column], 5, "a", false), [1, 3, 0, 2, 4]);
  assert.deepEqual(orderOf([column], 5, "a", true), [0, 2, 4, 1, 3]);
});

test("the arrows go from row to row, one of which Tab comes to", () => {
  const picture = pictured(create, "ranking", frameOf(rankings[0]));
  const rows = tableOf(picture).querySelectorAll("tr").slice(1);
  const last = rows.length - 1;
  const tabbed = () => rows.flatMap(({ tabIndex }, position) => (tabIndex === 0 ? [position] : []));
  for (const [key, from, to] of [["ArrowDown", 0, 1], ["ArrowUp", 1, 0], ["ArrowUp", 0, 0], ["End", 0, last], ["ArrowDown", last, last], ["Home", last, 0]]) {
    press(rows[from], key);
    assert.deepEqual(tabbed(), [to], key);
  }
  press(rows[0], "ArrowDown", { ctrlKey: true });
  press(rows[0], "x");
  assert.deepEqual([tabbed(), picture.sent], [[0], []]);
});

test("the next frame takes the place of the rows, in the order that was asked for", () => {
  const [first, second] = rankings.map(frameOf);
  const picture = pictured(create, "ranking", first);
  titleOf(picture, "rows right").click();
  picture.show({ ...second, kind: "ranking" });
  const columns = columnsOf(second);
  assert.deepEqual(cellsOf(tableOf(picture)), texts(second, orderOf(columns, second.index.length, "rows right", false)));
});
