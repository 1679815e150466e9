import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { Element, placed } from "../page.js";
import { hear, tell, tellAll } from "../../../dtviz/frontend/lib/link.js";

/** An element on the page in a shadow root of its own, or in that of another element. */
function shadowed(neighbour) {
  const root = placed();
  const shadow = neighbour?.getRootNode() ?? new Element("shadow");
  root.getRootNode = () => shadow;
  return root;
}

test("an event reaches all listeners of its component, and none of another", () => {
  const details = [];
  const [first, second] = [shadowed(), shadowed()];
  for (const [name, root] of Object.entries({ first, neighbour: shadowed(first), second })) {
    hear("row", ({ row }) => details.push([name, row]), root);
  }
  tell(first, "row", { row: 7 });
  tell(first, "panel", { name: "Rows" });
  assert.deepEqual(details, [["first", 7], ["neighbour", 7]]);
});

test("that points have arrived reaches all components", () => {
  const names = [];
  for (const root of [shadowed(), shadowed()]) hear("cloud", ({ name }) => names.push(name), root);
  tellAll("cloud", { name: "moons" });
  assert.deepEqual(names, ["moons", "moons"]);
});

test("a listener that has left the page gets nothing, and is removed when the next one is added", () => {
  const details = [];
  const root = shadowed();
  const [on, off] = [mock.method(root.getRootNode(), "addEventListener"), mock.method(root.getRootNode(), "removeEventListener")];
  hear("row", ({ row }) => details.push(row), root);
  root.remove();
  tell(shadowed(root), "row", { row: 1 });
  assert.deepEqual(details, []);
  hear("row", () => {}, placed());
  assert.deepEqual(off.mock.calls.map((call) => call.arguments), on.mock.calls.map((call) => call.arguments));
});
