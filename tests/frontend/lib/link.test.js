import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed } from "../page.js";
import { hear, tell } from "../../../dtviz/frontend/lib/link.js";

const on = mock.method(window, "addEventListener");
const off = mock.method(window, "removeEventListener");

test("an event reaches all listeners on the page", () => {
  const details = [];
  for (const name of ["one", "other"]) hear("row", ({ row }) => details.push([name, row]), placed());
  tell("row", { row: 7 });
  tell("cloud", { name: "moons" });
  assert.deepEqual(details, [["one", 7], ["other", 7]]);
});

test("a listener that has left the page gets nothing, and is removed when the next one is added", () => {
  const details = [];
  const root = placed();
  on.mock.resetCalls();
  hear("cloud", ({ name }) => details.push(name), root);
  root.remove();
  tell("cloud", { name: "trees" });
  assert.deepEqual(details, []);
  off.mock.resetCalls();
  hear("row", () => {}, placed());
  const removed = off.mock.calls.map((call) => call.arguments);
  assert.deepEqual(removed.filter(([type]) => type === "dtviz:cloud"), [on.mock.calls[0].arguments]);
});
