import assert from "node:assert/strict";
import test from "node:test";

import { press, use } from "../page.js";
import { calls } from "../pen.js";
import { framesOf, NAMES, shown } from "../shaken.js";
import { layoutOf } from "../../../dtviz/frontend/stage/layout.js";
import { orderCategories, spots } from "../../../dtviz/frontend/stage/points.js";

const WIDTH = 600;

/** Where the points stand on a picture of that width. */
function placesOf({ frame, cloud, pen }) {
  pen.font = "12px Sans";
  const at = layoutOf(WIDTH, { ...frame, bare: true, family: "Sans" }, (text) => pen.measureText(text).width);
  const [xs, ys] = spots(at, orderCategories(cloud, frame));
  return (i) => ({ clientX: xs[i], clientY: ys[i] });
}

test("the tree without a row is drawn as soon as the row is pointed at, and nothing is told", () => {
  const one = shown("moons", WIDTH, { shown: -1 });
  const at = placesOf(one);
  assert.equal(one.root.dataset.tree, "full");
  for (let row = 0; row < 40; row++) {
    use(one.slider, "pointermove", at(row));
    const named = Number(one.root.dataset.tree);
    const [mine, other] = [row, named].map(at);
    assert.ok(Math.hypot(mine.clientX - other.clientX, mine.clientY - other.clientY) < 8);
    assert.match(one.told(), new RegExp(`^Without row ${named + 1}: `));
    assert.equal(one.tip.hidden, false);
  }
  use(one.slider, "pointermove", { clientX: 1, clientY: 1 });
  assert.equal(one.root.dataset.tree, "full");
  assert.equal(one.tip.hidden, true);
  assert.deepEqual(one.sent, []);
});

test("a click has the tree stay, a second one lets it go", () => {
  const one = shown("moons", WIDTH, { shown: -1 });
  const place = placesOf(one)(one.frame.number[0]);
  use(one.slider, "click", place);
  assert.deepEqual(one.sent, [{ what: "set", values: { shown: one.frame.number[0] } }]);
  use(one.slider, "pointerleave");
  assert.equal(one.root.dataset.tree, String(one.frame.number[0]));
  assert.equal(one.items()[0].getAttribute("aria-pressed"), "true");
  use(one.slider, "click", place);
  assert.deepEqual(one.sent[1], { what: "set", values: { shown: null } });
  assert.equal(one.root.dataset.tree, "full");
});

test("a click beside all points lets go of the tree that stays", () => {
  const one = shown("moons");
  assert.equal(one.root.dataset.tree, "7");
  use(one.slider, "click", { clientX: 1, clientY: 1 });
  assert.deepEqual(one.sent, [{ what: "set", values: { shown: null } }]);
});

test("the list shows the trees that change most, at once and to stay", () => {
  for (const name of NAMES) {
    const one = shown(name, 1000, { shown: -1 });
    const { number, change, root } = one.frame;
    assert.equal(one.items().length, Math.min(8, number.length));
    assert.equal(one.root.classList.contains("wide"), true);
    one.items().forEach((item, k) => {
      use(item, "pointerenter");
      assert.equal(one.root.dataset.tree, String(number[k]));
      assert.ok(item.classList.contains("looked"));
      assert.equal(item.querySelector(".other").textContent, root[k] ? "another first cut" : "");
      use(item, "pointerleave");
      assert.equal(one.root.dataset.tree, "full");
    });
    assert.deepEqual([...change], [...change].toSorted((a, b) => b - a));
    use(one.items()[1], "click");
    assert.deepEqual(one.sent, [{ what: "set", values: { shown: number[1] } }]);
  }
});

test("keys go through the trees, Enter has one stay, Escape comes back", () => {
  const one = shown("drawn", WIDTH, { shown: -1 });
  const { number } = one.frame;
  for (const [key, tree] of [["ArrowRight", number[0]], ["ArrowDown", number[1]], ["ArrowLeft", number[0]], ["End", number[11]], ["ArrowRight", number[11]], ["Home", number[0]], ["ArrowUp", "full"], ["ArrowLeft", "full"]]) {
    const { event, stopped } = press(one.slider, key);
    assert.ok(event.defaultPrevented && stopped);
    assert.equal(one.root.dataset.tree, String(tree));
  }
  press(one.slider, "ArrowRight");
  press(one.slider, "Enter");
  assert.deepEqual(one.sent, [{ what: "set", values: { shown: number[0] } }]);
  press(one.slider, "ArrowRight");
  assert.equal(one.root.dataset.tree, String(number[1]));
  press(one.slider, "Escape");
  assert.equal(one.root.dataset.tree, String(number[0]));
  assert.equal(press(one.slider, "a").stopped, false);
  assert.equal(press(one.slider, "ArrowRight", { ctrlKey: true }).stopped, false);
  assert.equal(one.slider.getAttribute("aria-valuemax"), "12");
  assert.match(one.slider.getAttribute("aria-valuetext"), /^Tree /);
});

test("a point where rows are drawn has no tree of its own, and tells how the trees differ there", () => {
  const one = shown("drawn", WIDTH);
  use(one.slider, "pointermove", placesOf(one)(3));
  assert.equal(one.root.dataset.tree, "full");
  assert.match(one.tip.textContent, /of the trees predict otherwise$/);
  use(one.slider, "click", placesOf(one)(3));
  assert.deepEqual(one.sent, []);
});

test("lines of other trees are the fainter the fewer have them", () => {
  const one = shown("drawn", WIDTH);
  const { share, own } = one.layer.ghosts;
  const others = [...share].filter((_, k) => !own[k]);
  assert.ok(others.length > 10);
  assert.ok(others.every((part) => part > 0 && part <= 1));
  assert.ok(calls(one.pen, "stroke").length >= share.length);
});

test("until the trees are grown the points stand alone", () => {
  const { frame, cloud } = framesOf("moons");
  const bare = Object.fromEntries(Object.entries(frame).filter(([key]) => !["layer", "number", "change", "moved", "root", "same", "tree", "wavers", "shown", "roots", "each", "percent", "stamp"].includes(key)));
  const one = shown("moons");
  one.picture.show({ ...bare, kind: "stability" });
  assert.equal(one.root.dataset.trees, "");
  assert.equal(one.root.querySelector(".beside").hidden, true);
  use(one.slider, "pointermove", { clientX: 100, clientY: 100 });
  press(one.slider, "ArrowRight");
  assert.equal(one.root.dataset.tree, "full");
  assert.deepEqual(one.sent, []);
  assert.equal(cloud.x.length, 40);
});
