import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { create } from "../../../dtviz/frontend/overfit/overfit.js";
import { cockpitOf } from "../cockpits.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** A cockpit on the page: its parts, what it sent and what Python says. */
function shown(name) {
  const one = cockpitOf(name);
  pictured(cloudPicture, "cloud", { ...one.raw, name: "points" });
  const root = placed();
  root.clientWidth = 1000;
  const picture = pictured(create, "overfit", one.frame, root);
  const { sent } = picture;
  const find = (selector) => root.querySelector(selector);
  const dial = (rule) => find(".dials").children.find(({ dataset }) => dataset.rule === rule);
  const value = (place) => one.frame.curve.values[place];
  return {
    ...one, root, sent, picture, dial, value, slider: find(".slider"), curve: find(".curve"),
    at: () => Number(root.dataset.at), leaves: () => Number(root.dataset.leaves),
    titles: () => root.querySelectorAll("figcaption").map(({ textContent }) => textContent),
  };
}

const place = ({ slider }, key, more) => press(slider, key, more);

test("the tree on screen is the one that Python has", () => {
  for (const name of ["by depth", "by alpha", "of a line", "pruned", "by leaf size"]) {
    const one = shown(name);
    assert.equal(one.leaves(), one.told.now.leaves);
    assert.deepEqual(one.titles(), one.told.now.said);
    assert.equal(one.at(), one.frame.curve.at);
  }
});

test("the arrows go along the curve, and the engine's tree of each place is told", () => {
  const one = shown("by depth");
  place(one, "Home");
  for (const [k, tree] of one.told.curve.entries()) {
    assert.deepEqual([one.at(), one.leaves(), one.titles()], [k, tree.leaves, tree.said]);
    place(one, k % 2 ? "ArrowRight" : "ArrowUp");
  }
  assert.equal(one.at(), one.told.curve.length - 1);
  place(one, "ArrowLeft");
  place(one, "ArrowDown");
  assert.equal(one.at(), one.told.curve.length - 3);
});

test("End is the last place, Home the first, PageUp and PageDown five on", () => {
  const one = shown("by leaves");
  place(one, "End");
  assert.equal(one.at(), one.told.curve.length - 1);
  place(one, "PageDown");
  assert.equal(one.at(), one.told.curve.length - 6);
  place(one, "Home");
  assert.equal(one.at(), 0);
  place(one, "PageUp");
  assert.equal(one.at(), 5);
  assert.equal(one.leaves(), one.told.curve[5].leaves);
});

test("keys that rest become the setting, once", () => {
  const one = shown("by depth");
  place(one, "ArrowRight");
  place(one, "ArrowRight");
  assert.deepEqual(one.sent, []);
  mock.timers.tick(1000);
  const at = one.frame.curve.at + 2;
  assert.deepEqual(one.sent, [{ what: "place", rule: "max_depth", value: one.value(at) }]);
  assert.equal(one.at(), at); // it stays until Python answers
});

test("Enter is the setting at once", () => {
  const one = shown("by depth");
  place(one, "ArrowRight");
  place(one, "Enter");
  mock.timers.tick(0);
  assert.deepEqual(one.sent, [{ what: "place", rule: "max_depth", value: one.value(one.frame.curve.at + 1) }]);
});

test("Escape takes back what the keys asked for", () => {
  const one = shown("by depth");
  place(one, "End");
  place(one, "Escape");
  mock.timers.tick(1000);
  assert.deepEqual(one.sent, []);
  assert.equal(one.at(), one.frame.curve.at);
  assert.equal(one.leaves(), one.told.now.leaves);
});

test("keys of the page stay the page's", () => {
  const one = shown("by depth");
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!place(one, "ArrowRight", more).event.defaultPrevented);
  }
  assert.ok(!place(one, "q").event.defaultPrevented);
  assert.equal(one.at(), one.frame.curve.at);
});

/** The pixel of a place on the curve that is drawn. */
const over = (one, k) => {
  const width = parseFloat(one.curve.style.width);
  const left = 42; // about; the places are wider apart than the guess is wrong
  return { clientX: left + ((k + 0.5) * (width - left - 14)) / one.told.curve.length };
};

test("under the pointer the engine's tree of each place is shown, and away from it the setting", () => {
  const one = shown("by depth");
  one.told.curve.forEach((tree, k) => {
    use(one.curve, "pointermove", over(one, k));
    assert.deepEqual([one.at(), one.leaves()], [k, tree.leaves]);
  });
  use(one.curve, "pointerleave");
  assert.equal(one.leaves(), one.told.now.leaves);
  assert.deepEqual(one.sent, []);
});

test("pressed and let go, the place under the pointer is the setting", () => {
  const one = shown("by depth");
  use(one.curve, "pointerdown", over(one, 1));
  use(one.curve, "pointermove", over(one, 4));
  use(one.curve, "pointerup", over(one, 5));
  assert.deepEqual(one.sent, [{ what: "place", rule: "max_depth", value: one.value(5) }]);
  assert.equal(one.leaves(), one.told.curve[5].leaves);
});

test("a slider shows where the rule stands, and the words of its value", () => {
  const one = shown("by depth");
  for (const { rule, words, about, labels, at, values } of one.frame.dials) {
    const [name, value, input] = one.dial(rule).children;
    assert.notEqual(words, rule);
    assert.equal(one.dial(rule).title, `${rule}: ${about}`);
    assert.deepEqual([name.textContent, value.textContent, Number(input.value)], [words, labels[at], at]);
    assert.equal(input.getAttribute("aria-valuetext"), labels[at]);
    assert.equal(Number(input.max), values.length - 1);
  }
});

test("a slider that is moved shows the engine's tree of each value before it is let go", () => {
  const one = shown("by depth");
  const [, label, input] = one.dial("ccp_alpha").children;
  one.told.dial.forEach((tree, k) => {
    input.value = k;
    use(input, "input");
    assert.equal(one.leaves(), tree.leaves, `${k}`);
    assert.deepEqual(one.titles(), tree.said);
    assert.equal(label.textContent, tree.label);
  });
  assert.deepEqual(one.sent, []);
  const k = one.told.dial.length - 1;
  use(input, "change");
  assert.deepEqual(one.sent, [{ what: "slider", rule: "ccp_alpha", value: one.frame.dials.find(({ rule }) => rule === "ccp_alpha").values[k] }]);
});

test("Escape on a slider shows the tree as it is", () => {
  const one = shown("by depth");
  const [, , input] = one.dial("ccp_alpha").children;
  const before = one.leaves();
  input.value = one.told.dial.length - 1;
  use(input, "input");
  assert.notEqual(one.leaves(), before);
  press(input, "Escape");
  assert.equal(one.leaves(), before);
  assert.deepEqual(one.sent, []);
});

test("keys on a slider that rest become the setting, once", () => {
  const one = shown("by depth");
  const [, , input] = one.dial("ccp_alpha").children;
  const { values, at } = one.frame.dials.find(({ rule }) => rule === "ccp_alpha");
  for (const value of [at + 1, at + 2]) {
    press(input, "ArrowRight");
    input.value = value;
    for (const type of ["input", "change"]) use(input, type);
    assert.deepEqual(one.sent, []);
  }
  mock.timers.tick(1000);
  assert.deepEqual(one.sent, [{ what: "slider", rule: "ccp_alpha", value: values[at + 2] }]);
});

test("a slider that is pulled away and back to where it stood asks for nothing", () => {
  const one = shown("by depth");
  const [, , input] = one.dial("ccp_alpha").children;
  const { at } = one.frame.dials.find(({ rule }) => rule === "ccp_alpha");
  const before = [one.leaves(), ...one.titles()];
  use(input, "pointerdown");
  for (const value of [one.told.dial.length - 1, at]) {
    input.value = value;
    use(input, "input");
    assert.equal(one.leaves() === before[0], value === at);
  }
  use(input, "change");
  use(window, "pointerup");
  mock.timers.tick(1000);
  assert.deepEqual([one.leaves(), ...one.titles()], before);
  assert.deepEqual(one.sent, []);
});

test("a slider that is held keeps an answer waiting, but not under a right press", () => {
  for (const button of [0, 2]) {
    const one = shown("by depth");
    const [, , input] = one.dial("ccp_alpha").children;
    use(input, "pointerdown", { button });
    one.picture.show({ kind: "overfit", ...cockpitOf("without folds").frame });
    assert.equal(one.leaves() === one.told.now.leaves, button === 0);
    use(input, "pointerup", { button });
    mock.timers.tick(1);
    assert.equal(one.leaves(), cockpitOf("without folds").frame.now.leaves);
  }
});

test("the slider of the curve's rule goes with the place that is looked at", () => {
  const one = shown("by depth");
  const [, label, input] = one.dial("max_depth").children;
  const before = Number(input.value);
  place(one, "Home");
  const { labels } = one.frame.dials.find(({ rule }) => rule === "max_depth");
  assert.deepEqual([Number(input.value), label.textContent, input.getAttribute("aria-valuetext")], [0, labels[0], labels[0]]);
  place(one, "Escape");
  assert.deepEqual([Number(input.value), label.textContent], [before, labels[before]]);
});

test("a slider whose rule is gone asks for nothing any more", () => {
  const one = shown("by depth");
  const [, , input] = one.dial("ccp_alpha").children;
  one.picture.show({ ...one.frame, dials: [] });
  input.value = 1;
  use(input, "change");
  assert.deepEqual(one.sent, []);
});

test("an answer is shown as Python has it", () => {
  const one = shown("by depth");
  place(one, "ArrowRight");
  place(one, "Enter");
  mock.timers.tick(0);
  const next = cockpitOf("without folds").frame; // depth 1
  one.picture.show({ kind: "overfit", ...next }, 1);
  assert.equal(one.leaves(), next.now.leaves);
});

test("a row of a category is drawn in the band of its value", () => {
  const one = shown("of categories");
  assert.notDeepEqual([...one.frame.across.places].toSorted(), [...one.frame.across.places]);
  const canvas = one.root.querySelectorAll("canvas").find(({ parentNode }) => parentNode.classList.contains("panel"));
  const said = new Set();
  for (let x = 40; x < 320; x += 4) {
    for (let y = 5; y < 290; y += 5) {
      use(canvas, "pointermove", { clientX: x, clientY: y });
      if (!one.root.querySelector(".tip").hidden) said.add(one.root.querySelector(".tip").textContent.split(",")[0]);
    }
  }
  const values = ["fir", "ash", "oak", "elm", "yew"];
  const { x: codes, code: classes } = one.raw;
  const rows = new Set(Array.from(codes, (code, row) => `${["ash", "birch"][classes[row]]}: leaf ${values[Math.round(code)]}`));
  assert.ok(said.size > 5 && rows.size < 10);
  for (const text of said) assert.ok(rows.has(text), text);
});

test("the slider of the curve says in words where it stands", () => {
  const one = shown("by depth");
  place(one, "Home");
  const said = (name) => one.slider.getAttribute(`aria-${name}`);
  assert.deepEqual([said("valuemin"), said("valuenow"), said("valuemax")], ["1", "1", String(one.told.curve.length)]);
  for (const words of one.told.curve[0].said) assert.ok(said("valuetext").includes(words));
});

const files = [];
mock.method(URL, "createObjectURL", (file) => `blob:${files.push(file)}`);
mock.method(URL, "revokeObjectURL", () => {});

test("the saved pictures have both titles, every row, the curve and the classes", async () => {
  const one = shown("by depth");
  one.root.querySelectorAll("button").find(({ textContent }) => textContent === "SVG").click();
  while (!files.length) await Promise.resolve();
  const text = await files.at(-1).text();
  for (const words of [...one.told.now.said, "ash", "birch", "elm", "training", "4-fold mean"]) assert.ok(text.includes(`>${words}</text>`), words);
  for (const colour of new Set(one.told.truth)) {
    const filled = one.told.truth.filter((own, row) => own === colour && !one.told.held[row]).length;
    const hollow = one.told.truth.filter((own, row) => own === colour && one.told.held[row]).length;
    assert.ok(text.split(`Z" fill="${colour}"`).length - 1 >= filled + 1); // one in the legend
    assert.ok(text.split(`Z" fill="none" stroke="${colour}"`).length - 1 === hollow);
  }
});

test("a setting of Overfit alone has neither curve nor sliders", () => {
  const one = cockpitOf("by depth");
  pictured(cloudPicture, "cloud", { ...one.raw, name: "points" });
  const root = placed();
  delete one.frame.curve;
  delete one.frame.dials;
  delete one.frame.grown;
  pictured(create, "overfit", one.frame, root);
  assert.ok(root.classList.contains("alone"));
  assert.ok(root.querySelector(".curve").hidden);
  assert.equal(root.querySelector(".dials").children.length, 0);
  assert.deepEqual(root.querySelectorAll("figcaption").map(({ textContent }) => textContent), one.told.now.said);
});

test("while the curve is worked out it keeps its room, the pictures theirs, and nothing is told of the last one", () => {
  const one = shown("by leaf size");
  const told = () => one.root.querySelector(".told").textContent;
  const last = (name) => one.root.querySelector(name).getContext().log.at(-1).name;
  const rooms = () => [".left", ".curve"].map((name) => one.root.querySelector(name)).map(({ style, hidden }) =>
    [style.width, style.height, hidden ?? false]);
  const before = rooms();
  const { curve, ...pending } = one.frame;
  one.picture.show({ ...pending, stamp: "the curve is worked out" });
  assert.equal(one.root.dataset.step, "the curve is worked out");
  assert.deepEqual(rooms(), before);
  assert.deepEqual([last(".still"), last(".moving"), told(), one.slider.hidden], ["clearRect", "clearRect", "", true]);
  place(one, "ArrowRight");
  mock.timers.tick(1000);
  assert.deepEqual([one.sent, one.at()], [[], -1]);
  one.picture.show({ ...pending, curve });
  assert.deepEqual(rooms(), before);
  assert.notEqual(last(".still"), "clearRect");
  assert.deepEqual([told() !== "", one.slider.hidden], [true, false]);
  assert.equal(one.at(), curve.at);
});
