import assert from "node:assert/strict";
import test from "node:test";

import { hosted } from "../hosts.js";
import { placed, use } from "../page.js";
import { createAxes } from "../../../dtviz/frontend/grow/axes.js";
import { createSwitches } from "../../../dtviz/frontend/grow/switches.js";

const SLIDER = { feature: 2, place: 1, values: [10, 20, 30], texts: ["ten", "twenty", "thirty"] };
const AXES = { features: ["a", "b", "c"], axes: [0, 1], is_pinned: false, sliders: [SLIDER] };

function axesOf(axes) {
  const frame = { kind: "grow", axes };
  const grow = hosted(undefined, placed(), frame);
  const section = createAxes(grow.host);
  section.show(frame);
  return { grow, section, find: (selector) => section.element.querySelector(selector) };
}

test("a choice puts a feature on its axis", () => {
  const { grow, section } = axesOf(AXES);
  const up = section.element.querySelectorAll("select")[1];
  assert.deepEqual([up.selectedIndex, up.children.map(({ textContent }) => textContent)], [1, ["a", "b", "c"]]);
  up.selectedIndex = 2;
  use(up, "change");
  assert.deepEqual(grow.sent, [{ what: "axis", place: 1, feature: 2 }]);
});

test("a slider pins its feature; a drag is one change for undo, and so are keys that are held", () => {
  const { grow, find } = axesOf(AXES);
  const input = find(".sliders input");
  assert.deepEqual([input.value, find(".value").textContent], ["1", "twenty"]);
  const move = (place, timeStamp) => {
    input.value = `${place}`;
    use(input, "input", { timeStamp });
  };
  use(input, "pointerdown");
  move(0, 100);
  move(2, 9000);
  use(input, "pointerup");
  move(1, 20_000);
  move(0, 20_500);
  assert.deepEqual(grow.sent.map(({ value, more }) => [value, more]), [[10, false], [30, true], [20, false], [10, true]]);
  assert.equal(find(".value").textContent, "ten");
});

test("a slider stays where keys moved it while older answers come, until the values are reset", () => {
  const { grow, section, find } = axesOf(AXES);
  const input = find(".sliders input");
  for (const place of [2, 0]) {
    input.value = `${place}`;
    use(input, "input");
  }
  const answer = (place, acknowledged) => {
    grow.show({ kind: "grow", axes: { ...AXES, is_pinned: true, sliders: [{ ...SLIDER, place }] } }, acknowledged);
    section.show(grow.host.frame);
    return [input.value, find(".value").textContent];
  };
  assert.deepEqual(answer(2, 1), ["0", "ten"]);
  find(".sliders button").click();
  assert.deepEqual(answer(1, 2), ["1", "twenty"]);
});

test("without a feature to pin the sliders are shut; without axes all is hidden", () => {
  const { find } = axesOf({ ...AXES, sliders: [] });
  assert.deepEqual([find("details").open, find("summary").title], [false, "The tree asks no feature but those on the axes"]);
  const click = (section) => use(section.find("summary"), "click").event.defaultPrevented; // the browser opens and shuts it
  assert.deepEqual([axesOf({ ...AXES, sliders: [] }), axesOf(AXES)].map(click), [true, false]);
  assert.equal(axesOf(undefined).section.element.hidden, true);
});

test("the switches choose the criterion, and whether a cut is asked for first", () => {
  const frame = { kind: "grow", asks: false, switches: { criteria: { values: ["entropy", "gini"], texts: ["Entropy", "Gini"], place: 1 } } };
  const grow = hosted(undefined, placed(), frame);
  const section = createSwitches(grow.host);
  section.show(frame);
  const [entropy, gini] = section.element.querySelectorAll("button");
  assert.deepEqual([entropy, gini].map((button) => button.getAttribute("aria-pressed")), ["false", "true"]);
  entropy.click();
  const input = section.element.querySelector("input");
  input.checked = true;
  use(input, "change");
  assert.deepEqual(grow.sent, [{ what: "rules", values: { criterion: "entropy" } }, { what: "ask", on: true }]);
  assert.equal(grow.posts.at(-1).events[0].picture, "settings");
  const show = (acknowledged) => {
    grow.show(frame, acknowledged);
    section.show(frame);
    return [input.checked, entropy.getAttribute("aria-pressed")];
  };
  assert.deepEqual(show(0), [true, "true"]); // an older answer comes first
  assert.deepEqual(show(2), [false, "false"]);
});
