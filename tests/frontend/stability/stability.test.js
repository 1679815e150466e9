import assert from "node:assert/strict";
import test from "node:test";

import { press, use } from "../page.js";
import { calls } from "../pen.js";
import { framesOf, NAMES, shown } from "../stabilities.js";
import { layoutOf } from "../../../dtviz/frontend/stage/layout.js";
import { orderCategories, spots } from "../../../dtviz/frontend/stage/points.js";

const WIDTH = 600;

/** The pixel of each point. */
function pixelsOf({ frame, cloud, pen }) {
  pen.font = "12px Sans";
  const picture = layoutOf(WIDTH, { ...frame, bare: true, family: "Sans" }, (text) => pen.measureText(text).width);
  const [xs, ys] = spots(picture, orderCategories(cloud, frame));
  return (i) => ({ clientX: xs[i], clientY: ys[i] });
}

test("pointing at a row draws the tree without it, and sends nothing", () => {
  const page = shown("moons", WIDTH, { shown_tree: -1 });
  const pixelOf = pixelsOf(page);
  assert.equal(page.root.dataset.tree, "full");
  for (let row = 0; row < 40; row++) {
    use(page.slider, "pointermove", pixelOf(row));
    const named = Number(page.root.dataset.tree);
    const [pointer, point] = [row, named].map(pixelOf);
    assert.ok(Math.hypot(pointer.clientX - point.clientX, pointer.clientY - point.clientY) < 8);
    assert.match(page.headline(), new RegExp(`^Without row ${named + 1}: `));
    assert.equal(page.tip.hidden, false);
  }
  use(page.slider, "pointermove", { clientX: 1, clientY: 1 });
  assert.equal(page.root.dataset.tree, "full");
  assert.equal(page.tip.hidden, true);
  assert.deepEqual(page.sent, []);
});

test("a click sends the tree as the setting, a second click the full tree", () => {
  const page = shown("moons", WIDTH, { shown_tree: -1 });
  const pixel = pixelsOf(page)(page.frame.tree_number[0]);
  use(page.slider, "click", pixel);
  assert.deepEqual(page.sent, [{ what: "set", values: { shown: page.frame.tree_number[0] } }]);
  use(page.slider, "pointerleave");
  assert.equal(page.root.dataset.tree, String(page.frame.tree_number[0]));
  assert.equal(page.items()[0].getAttribute("aria-pressed"), "true");
  use(page.slider, "click", pixel);
  assert.deepEqual(page.sent[1], { what: "set", values: { shown: null } });
  assert.equal(page.root.dataset.tree, "full");
});

test("a click away from all points sends the full tree", () => {
  const page = shown("moons");
  assert.equal(page.root.dataset.tree, "7");
  use(page.slider, "click", { clientX: 1, clientY: 1 });
  assert.deepEqual(page.sent, [{ what: "set", values: { shown: null } }]);
});

test("the list previews the trees that change most, and a click sends one", () => {
  for (const name of NAMES) {
    const page = shown(name, 1000, { shown_tree: -1 });
    const { tree_number: number, change, has_other_root: root } = page.frame;
    assert.equal(page.items().length, Math.min(8, number.length));
    assert.equal(page.root.classList.contains("wide"), true);
    page.items().forEach((item, k) => {
      use(item, "pointerenter");
      assert.equal(page.root.dataset.tree, String(number[k]));
      assert.ok(item.classList.contains("looked"));
      assert.equal(item.querySelector(".other").textContent, root[k] ? "another first cut" : "");
      use(item, "pointerleave");
      assert.equal(page.root.dataset.tree, "full");
    });
    assert.deepEqual([...change], [...change].toSorted((a, b) => b - a));
    use(page.items()[1], "click");
    assert.deepEqual(page.sent, [{ what: "set", values: { shown: number[1] } }]);
  }
});

test("keys go through the trees, Enter sends one, Escape ends the preview", () => {
  const page = shown("drawn", WIDTH, { shown_tree: -1 });
  const { tree_number: number } = page.frame;
  for (const [key, tree] of [["ArrowRight", number[0]], ["ArrowDown", number[1]], ["ArrowLeft", number[0]], ["End", number[11]], ["ArrowRight", number[11]], ["Home", number[0]], ["ArrowUp", "full"], ["ArrowLeft", "full"]]) {
    const { event, stopped } = press(page.slider, key);
    assert.ok(event.defaultPrevented && stopped);
    assert.equal(page.root.dataset.tree, String(tree));
  }
  press(page.slider, "ArrowRight");
  press(page.slider, "Enter");
  assert.deepEqual(page.sent, [{ what: "set", values: { shown: number[0] } }]);
  press(page.slider, "ArrowRight");
  assert.equal(page.root.dataset.tree, String(number[1]));
  press(page.slider, "Escape");
  assert.equal(page.root.dataset.tree, String(number[0]));
  assert.equal(press(page.slider, "a").stopped, false);
  assert.equal(press(page.slider, "ArrowRight", { ctrlKey: true }).stopped, false);
  assert.equal(page.slider.getAttribute("aria-valuemax"), "12");
  assert.match(page.slider.getAttribute("aria-valuetext"), /^Tree /);
});

test("where rows are drawn a point has no tree, and its tip says how the trees differ", () => {
  const page = shown("drawn", WIDTH);
  use(page.slider, "pointermove", pixelsOf(page)(3));
  assert.equal(page.root.dataset.tree, "full");
  assert.match(page.tip.textContent, /of the trees say another class$/);
  use(page.slider, "click", pixelsOf(page)(3));
  assert.deepEqual(page.sent, []);
});

test("the lines of other trees are drawn, each with the share of the trees that have it", () => {
  const page = shown("drawn", WIDTH);
  const { share, in_first_tree: isOfFullTree } = page.layer.ghosts;
  const shares = [...share].filter((_, k) => !isOfFullTree[k]);
  assert.ok(shares.length > 10);
  assert.ok(shares.every((part) => part > 0 && part <= 1));
  assert.ok(calls(page.pen, "stroke").length >= share.length);
});

test("while Python grows the trees, the points are drawn alone", () => {
  const { frame, cloud } = framesOf("moons");
  const bare = Object.fromEntries(Object.entries(frame).filter(([key]) => !["layer", "tree_number", "change", "row_change", "has_other_root", "has_same_cuts", "tree", "point_change", "shown_tree", "roots", "is_leave_one_out", "percent", "stamp"].includes(key)));
  const page = shown("moons");
  page.show({ stability: { ...bare, kind: "stability" } });
  assert.equal(page.root.dataset.trees, "");
  assert.equal(page.root.querySelector(".beside").hidden, true);
  use(page.slider, "pointermove", { clientX: 100, clientY: 100 });
  press(page.slider, "ArrowRight");
  assert.equal(page.root.dataset.tree, "full");
  assert.deepEqual(page.sent, []);
  assert.equal(cloud.x.length, 40);
});
