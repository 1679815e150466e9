import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { create } from "../../../dtviz/frontend/overfit/overfit.js";
import { cockpitOf } from "../cockpits.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** A cockpit on the page: its parts, the events that it sent, and what the engine says of its trees. */
function shown(name) {
  const cockpit = cockpitOf(name);
  pictured(cloudPicture, "cloud", { ...cockpit.raw, name: "points" });
  const root = placed();
  root.clientWidth = 1000;
  const picture = pictured(create, "overfit", cockpit.frame, root);
  const { sent } = picture;
  const find = (selector) => root.querySelector(selector);
  const dial = (rule) => find(".dials").children.find(({ dataset }) => dataset.rule === rule);
  const value = (place) => cockpit.frame.curve.values[place];
  return {
    ...cockpit, root, sent, picture, dial, value, slider: find(".slider"), curve: find(".curve"),
    curvePlace: () => Number(root.dataset.at), leaves: () => Number(root.dataset.leaves),
    titles: () => root.querySelectorAll("figcaption").map(({ textContent }) => textContent),
  };
}

const pressKey = ({ slider }, key, modifiers) => press(slider, key, modifiers);

test("the tree on screen is the one that Python has", () => {
  for (const name of ["by depth", "by alpha", "of a line", "pruned", "by leaf size"]) {
    const page = shown(name);
    assert.equal(page.leaves(), page.engine.now.leaves);
    assert.deepEqual(page.titles(), page.engine.now.said);
    assert.equal(page.curvePlace(), page.frame.curve.place);
  }
});

test("the arrow keys move along the curve, and show the engine's tree of each place", () => {
  const page = shown("by depth");
  pressKey(page, "Home");
  for (const [k, tree] of page.engine.curve.entries()) {
    assert.deepEqual([page.curvePlace(), page.leaves(), page.titles()], [k, tree.leaves, tree.said]);
    pressKey(page, k % 2 ? "ArrowRight" : "ArrowUp");
  }
  assert.equal(page.curvePlace(), page.engine.curve.length - 1);
  pressKey(page, "ArrowLeft");
  pressKey(page, "ArrowDown");
  assert.equal(page.curvePlace(), page.engine.curve.length - 3);
});

test("End is the last place, Home the first, PageUp and PageDown five on", () => {
  const page = shown("by leaves");
  pressKey(page, "End");
  assert.equal(page.curvePlace(), page.engine.curve.length - 1);
  pressKey(page, "PageDown");
  assert.equal(page.curvePlace(), page.engine.curve.length - 6);
  pressKey(page, "Home");
  assert.equal(page.curvePlace(), 0);
  pressKey(page, "PageUp");
  assert.equal(page.curvePlace(), 5);
  assert.equal(page.leaves(), page.engine.curve[5].leaves);
});

test("a pause of the keys sends the setting, once", () => {
  const page = shown("by depth");
  pressKey(page, "ArrowRight");
  pressKey(page, "ArrowRight");
  assert.deepEqual(page.sent, []);
  mock.timers.tick(1000);
  const place = page.frame.curve.place + 2;
  assert.deepEqual(page.sent, [{ what: "place", rule: "max_depth", value: page.value(place) }]);
  assert.equal(page.curvePlace(), place); // it stays until Python answers
});

test("Enter sends the setting at once", () => {
  const page = shown("by depth");
  pressKey(page, "ArrowRight");
  pressKey(page, "Enter");
  mock.timers.tick(0);
  assert.deepEqual(page.sent, [{ what: "place", rule: "max_depth", value: page.value(page.frame.curve.place + 1) }]);
});

test("Escape discards the preview of the keys", () => {
  const page = shown("by depth");
  pressKey(page, "End");
  pressKey(page, "Escape");
  mock.timers.tick(1000);
  assert.deepEqual(page.sent, []);
  assert.equal(page.curvePlace(), page.frame.curve.place);
  assert.equal(page.leaves(), page.engine.now.leaves);
});

test("keys of the browser are left to the browser", () => {
  const page = shown("by depth");
  for (const modifiers of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!pressKey(page, "ArrowRight", modifiers).event.defaultPrevented);
  }
  assert.ok(!pressKey(page, "q").event.defaultPrevented);
  assert.equal(page.curvePlace(), page.frame.curve.place);
});

/** The pixel of a place on the curve that is drawn. */
const pixelOf = (page, k) => {
  const width = parseFloat(page.curve.style.width);
  const left = 42; // about; the places are wider apart than the guess is wrong
  return { clientX: left + ((k + 0.5) * (width - left - 14)) / page.engine.curve.length };
};

test("the pointer shows the engine's tree of each place, and the setting after it leaves", () => {
  const page = shown("by depth");
  page.engine.curve.forEach((tree, k) => {
    use(page.curve, "pointermove", pixelOf(page, k));
    assert.deepEqual([page.curvePlace(), page.leaves()], [k, tree.leaves]);
  });
  use(page.curve, "pointerleave");
  assert.equal(page.leaves(), page.engine.now.leaves);
  assert.deepEqual(page.sent, []);
});

test("a drag sends the place where it ends", () => {
  const page = shown("by depth");
  use(page.curve, "pointerdown", pixelOf(page, 1));
  use(page.curve, "pointermove", pixelOf(page, 4));
  use(page.curve, "pointerup", pixelOf(page, 5));
  assert.deepEqual(page.sent, [{ what: "place", rule: "max_depth", value: page.value(5) }]);
  assert.equal(page.leaves(), page.engine.curve[5].leaves);
});

test("a slider shows the place of the rule, and the text of its value", () => {
  const page = shown("by depth");
  for (const { rule, name: words, description, labels, place, values } of page.frame.dials) {
    const [name, value, input] = page.dial(rule).children;
    assert.notEqual(words, rule);
    assert.equal(page.dial(rule).title, `${rule}: ${description}`);
    assert.deepEqual([name.textContent, value.textContent, Number(input.value)], [words, labels[place], place]);
    assert.equal(input.getAttribute("aria-valuetext"), labels[place]);
    assert.equal(Number(input.max), values.length - 1);
  }
});

test("a slider that is moved shows the engine's tree of each value before it is let go", () => {
  const page = shown("by depth");
  const [, label, input] = page.dial("ccp_alpha").children;
  page.engine.dial.forEach((tree, k) => {
    input.value = k;
    use(input, "input");
    assert.equal(page.leaves(), tree.leaves, `${k}`);
    assert.deepEqual(page.titles(), tree.said);
    assert.equal(label.textContent, tree.label);
  });
  assert.deepEqual(page.sent, []);
  const k = page.engine.dial.length - 1;
  use(input, "change");
  assert.deepEqual(page.sent, [{ what: "slider", rule: "ccp_alpha", value: page.frame.dials.find(({ rule }) => rule === "ccp_alpha").values[k] }]);
});

test("Escape on a slider shows the tree as it is", () => {
  const page = shown("by depth");
  const [, , input] = page.dial("ccp_alpha").children;
  const before = page.leaves();
  input.value = page.engine.dial.length - 1;
  use(input, "input");
  assert.notEqual(page.leaves(), before);
  press(input, "Escape");
  assert.equal(page.leaves(), before);
  assert.deepEqual(page.sent, []);
});

test("a pause of the keys on a slider sends the setting, once", () => {
  const page = shown("by depth");
  const [, , input] = page.dial("ccp_alpha").children;
  const { values, place } = page.frame.dials.find(({ rule }) => rule === "ccp_alpha");
  for (const value of [place + 1, place + 2]) {
    press(input, "ArrowRight");
    input.value = value;
    for (const type of ["input", "change"]) use(input, type);
    assert.deepEqual(page.sent, []);
  }
  mock.timers.tick(1000);
  assert.deepEqual(page.sent, [{ what: "slider", rule: "ccp_alpha", value: values[place + 2] }]);
});

test("a slider that is dragged away and back sends nothing", () => {
  const page = shown("by depth");
  const [, , input] = page.dial("ccp_alpha").children;
  const { place } = page.frame.dials.find(({ rule }) => rule === "ccp_alpha");
  const before = [page.leaves(), ...page.titles()];
  use(input, "pointerdown");
  for (const value of [page.engine.dial.length - 1, place]) {
    input.value = value;
    use(input, "input");
    assert.equal(page.leaves() === before[0], value === place);
  }
  use(input, "change");
  use(window, "pointerup");
  mock.timers.tick(1000);
  assert.deepEqual([page.leaves(), ...page.titles()], before);
  assert.deepEqual(page.sent, []);
});

test("an answer waits while a slider is dragged, but not while the right button is pressed", () => {
  for (const button of [0, 2]) {
    const page = shown("by depth");
    const [, , input] = page.dial("ccp_alpha").children;
    use(input, "pointerdown", { button });
    page.picture.show({ kind: "overfit", ...cockpitOf("without folds").frame });
    assert.equal(page.leaves() === page.engine.now.leaves, button === 0);
    use(input, "pointerup", { button });
    mock.timers.tick(1);
    assert.equal(page.leaves(), cockpitOf("without folds").frame.figures.leaves);
  }
});

test("the slider of the curve's rule follows the shown place", () => {
  const page = shown("by depth");
  const [, label, input] = page.dial("max_depth").children;
  const before = Number(input.value);
  pressKey(page, "Home");
  const { labels } = page.frame.dials.find(({ rule }) => rule === "max_depth");
  assert.deepEqual([Number(input.value), label.textContent, input.getAttribute("aria-valuetext")], [0, labels[0], labels[0]]);
  pressKey(page, "Escape");
  assert.deepEqual([Number(input.value), label.textContent], [before, labels[before]]);
});

test("a slider whose rule is gone sends nothing", () => {
  const page = shown("by depth");
  const [, , input] = page.dial("ccp_alpha").children;
  page.picture.show({ ...page.frame, dials: [] });
  input.value = 1;
  use(input, "change");
  assert.deepEqual(page.sent, []);
});

test("an answer is shown as Python has it", () => {
  const page = shown("by depth");
  pressKey(page, "ArrowRight");
  pressKey(page, "Enter");
  mock.timers.tick(0);
  const next = cockpitOf("without folds").frame; // depth 1
  page.picture.show({ kind: "overfit", ...next }, 1);
  assert.equal(page.leaves(), next.figures.leaves);
});

test("a row of a category is drawn in the band of its value", () => {
  const page = shown("of categories");
  assert.notDeepEqual([...page.frame.across.places].toSorted(), [...page.frame.across.places]);
  const canvas = page.root.querySelectorAll("canvas").find(({ parentNode }) => parentNode.classList.contains("panel"));
  const tips = new Set();
  for (let x = 40; x < 320; x += 4) {
    for (let y = 5; y < 290; y += 5) {
      use(canvas, "pointermove", { clientX: x, clientY: y });
      if (!page.root.querySelector(".tip").hidden) tips.add(page.root.querySelector(".tip").textContent.split(",")[0]);
    }
  }
  const values = ["fir", "ash", "oak", "elm", "yew"];
  const { x: codes, code: classes } = page.raw;
  const rows = new Set(Array.from(codes, (code, row) => `${["ash", "birch"][classes[row]]}: leaf ${values[Math.round(code)]}`));
  assert.ok(tips.size > 5 && rows.size < 10);
  for (const text of tips) assert.ok(rows.has(text), text);
});

test("the slider of the curve says its place in words", () => {
  const page = shown("by depth");
  pressKey(page, "Home");
  const attribute = (name) => page.slider.getAttribute(`aria-${name}`);
  assert.deepEqual([attribute("valuemin"), attribute("valuenow"), attribute("valuemax")], ["1", "1", String(page.engine.curve.length)]);
  for (const words of page.engine.curve[0].said) assert.ok(attribute("valuetext").includes(words));
});

const files = [];
mock.method(URL, "createObjectURL", (file) => `blob:${files.push(file)}`);
mock.method(URL, "revokeObjectURL", () => {});

test("the saved pictures have both titles, every row, the curve and the classes", async () => {
  const page = shown("by depth");
  page.root.querySelectorAll("button").find(({ textContent }) => textContent === "SVG").click();
  while (!files.length) await Promise.resolve();
  const text = await files.at(-1).text();
  for (const words of [...page.engine.now.said, "ash", "birch", "elm", "training", "4-fold mean"]) assert.ok(text.includes(`>${words}</text>`), words);
  for (const colour of new Set(page.engine.truth)) {
    const filled = page.engine.truth.filter((shade, row) => shade === colour && !page.engine.held[row]).length;
    const hollow = page.engine.truth.filter((shade, row) => shade === colour && page.engine.held[row]).length;
    assert.ok(text.split(`Z" fill="${colour}"`).length - 1 >= filled + 1); // one in the legend
    assert.ok(text.split(`Z" fill="none" stroke="${colour}"`).length - 1 === hollow);
  }
});

test("a setting of Overfit alone has neither curve nor sliders", () => {
  const page = cockpitOf("by depth");
  pictured(cloudPicture, "cloud", { ...page.raw, name: "points" });
  const root = placed();
  delete page.frame.curve;
  delete page.frame.dials;
  delete page.frame.training_rows_text;
  pictured(create, "overfit", page.frame, root);
  assert.ok(root.classList.contains("alone"));
  assert.ok(root.querySelector(".curve").hidden);
  assert.equal(root.querySelector(".dials").children.length, 0);
  assert.deepEqual(root.querySelectorAll("figcaption").map(({ textContent }) => textContent), page.engine.now.said);
});

test("while Python works the curve out, its room and the pictures stay, without the headline of the last curve", () => {
  const page = shown("by leaf size");
  const headline = () => page.root.querySelector(".told").textContent;
  const lastCall = (name) => page.root.querySelector(name).getContext().log.at(-1).name;
  const rooms = () => [".left", ".curve"].map((name) => page.root.querySelector(name)).map(({ style, hidden }) =>
    [style.width, style.height, hidden ?? false]);
  const before = rooms();
  const { curve, ...pending } = page.frame;
  page.picture.show({ ...pending, stamp: "the curve is worked out" });
  assert.equal(page.root.dataset.step, "the curve is worked out");
  assert.deepEqual(rooms(), before);
  assert.deepEqual([lastCall(".still"), lastCall(".moving"), headline(), page.slider.hidden], ["clearRect", "clearRect", "", true]);
  pressKey(page, "ArrowRight");
  mock.timers.tick(1000);
  assert.deepEqual([page.sent, page.curvePlace()], [[], -1]);
  page.picture.show({ ...pending, curve });
  assert.deepEqual(rooms(), before);
  assert.notEqual(lastCall(".still"), "clearRect");
  assert.deepEqual([headline() !== "", page.slider.hidden], [true, false]);
  assert.equal(page.curvePlace(), curve.place);
});
