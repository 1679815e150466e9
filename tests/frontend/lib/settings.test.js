import assert from "node:assert/strict";
import test from "node:test";

import { placed, use } from "../page.js";
import { createSettings } from "../../../dtviz/frontend/lib/settings.js";

const KIND = { name: "kind", label: "Ensemble", control: "menu", values: ["forest", "gradient"], texts: ["Random forest", "Gradient boosting"], place: 0 };
const WAY = { name: "way", label: "Which rows", control: "segments", values: ["one", "some"], texts: ["Leave one out", "Leave k % out"], place: 1 };
const PERCENT = { name: "percent", label: "Left out", control: "slider", values: [1, 2, 3], texts: ["1 %", "2 %", "3 %"], place: 2 };
const AGAIN = { label: "Draw again", description: "Other rows", seed: 5 };

/** Controls on a page, and the changes that they send. */
function shown(head, sent = {}) {
  const sends = [];
  const settings = createSettings((values) => sends.push(values));
  placed().append(settings.element);
  settings.show({ title: "Moons", ...head }, sent);
  const find = (selector) => settings.element.querySelector(selector);
  return { settings, sends, find, show: (next, values = {}) => settings.show({ title: "Moons", ...next }, values) };
}

test("a list, a row of buttons and a slider show the present value and send another", () => {
  const { sends, find, settings } = shown({ settings: [KIND, WAY, PERCENT] });
  const [select, input] = [find("select"), find("input")];
  assert.equal(find(".name").textContent, "Moons");
  assert.equal(select.selectedIndex, 0);
  assert.deepEqual(settings.element.querySelectorAll(".segments .tool").map((item) => item.getAttribute("aria-pressed")), ["false", "true"]);
  assert.deepEqual([input.value, find(".value").textContent], ["2", "3 %"]);
  select.selectedIndex = 1;
  use(select, "change");
  use(find(".segments .tool"), "click");
  input.value = "0";
  use(input, "input");
  assert.equal(find(".value").textContent, "1 %");
  assert.equal(sends.length, 2); // a slider sends when it is let go
  use(input, "change");
  assert.deepEqual(sends, [{ kind: "gradient" }, { way: "one" }, { percent: 1 }]);
});

test("values on their way stay shown, and controls that a frame lacks go", () => {
  const page = shown({ settings: [KIND, WAY] }, { kind: "gradient" });
  const select = page.find("select");
  assert.equal(select.selectedIndex, 1);
  page.show({ settings: [KIND, PERCENT], again: AGAIN });
  assert.equal(page.find("select"), select); // it keeps the focus
  assert.equal(select.selectedIndex, 0);
  assert.equal(page.find(".segments"), null);
  page.show({ settings: [KIND, WAY] });
  assert.deepEqual(page.settings.element.children.map(({ localName }) => localName), ["strong", "select", "div", "button"]);
  page.show({});
  assert.equal(page.settings.element.children.length, 2);
});

test("drawing again twice before an answer draws twice", () => {
  const { sends, settings, show } = shown({ settings: [KIND], again: AGAIN });
  const die = settings.element.lastChild;
  assert.deepEqual([die.getAttribute("aria-label"), die.title], ["Draw again", "Other rows"]);
  use(die, "click");
  use(die, "click");
  assert.deepEqual(sends, [{ seed: 5 }, { seed: 6 }]);
  show({ settings: [KIND] });
  assert.equal(die.hidden, true);
});
