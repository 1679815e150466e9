import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed, use } from "../page.js";
import { viewer } from "../../../dtviz/frontend/tree/view.js";

const ROOT = { x: 100, y: 0, w: 80, h: 40 };

/** A box on the page with the view of a tree of some size. */
function opened(w, h, wide = 600) {
  const [box, sheet] = [placed(), placed()];
  box.clientWidth = wide;
  Object.defineProperty(box, "clientHeight", { get: () => parseFloat(box.style.height) || 300, configurable: true });
  const made = viewer(box, sheet);
  made.view.size = { w, h };
  /** Where a place of the tree is seen. */
  const seen = ({ x, y }) => [made.view.x + x * made.view.scale, made.view.y + y * made.view.scale];
  return { ...made, box, sheet, seen };
}

const at = (clientX, clientY, more = {}) => ({ clientX, clientY, ...more });
const near = (a, b) => a.every((value, k) => Math.abs(value - b[k]) < 1e-9);

test("a small tree is fitted whole, in the middle, and hardly larger than its text is meant to be", () => {
  const { fit, view, sheet } = opened(200, 100);
  fit(ROOT);
  assert.equal(view.scale, 1.1);
  assert.deepEqual([view.x, view.y], [(600 - 220) / 2, 0]);
  assert.equal(sheet.style.transform, `translate(${view.x}px, 0px) scale(1.1)`);
});

test("the box is as high as the tree, but neither flat nor higher than a screen; less on a phone", () => {
  for (const [wide, high, tall] of [[600, 300, 330], [600, 50, 190], [600, 5000, 460], [400, 50, 150], [400, 5000, 380]]) {
    const { fit, box } = opened(100, high, wide);
    fit(ROOT);
    assert.equal(box.style.height, `${tall}px`);
  }
});

test("a large tree stays readable round what is asked for, unless all of it is", () => {
  const { fit, view, seen } = opened(4000, 300);
  const far = { x: 3000, y: 100, w: 80, h: 40 };
  fit(far);
  assert.equal(view.scale, 0.7);
  assert.equal(seen(far)[0] + 40 * 0.7, 300); // the middle of the box
  fit(ROOT);
  assert.equal(view.x, 0); // no empty room left of the tree
  assert.ok(!view.own);
  fit(ROOT, true);
  assert.equal(view.scale, 600 / 4000);
  assert.ok(view.own);
});

/** The same in a room that the page gives. */
function roomed(w, h, wide = 600) {
  const one = opened(w, h, wide);
  const room = placed();
  Object.assign(room, { clientHeight: 400 });
  Object.assign(one.box, { offsetTop: 30, parentElement: room });
  const given = mock.method(globalThis, "getComputedStyle", () => ({ getPropertyValue: (name) => (name === "--high" ? "100%" : "") }));
  return { ...one, done: () => given.mock.restore() };
}

test("where the page gives the height all of the tree is fitted, however small, and the box is as high as that", () => {
  for (const [w, h] of [[4000, 300], [300, 9000], [200, 100]]) {
    const { fit, view, box, done } = roomed(w, h);
    fit(ROOT);
    assert.equal(view.scale, Math.min(1.1, 600 / w, 360 / h));
    assert.equal(box.style.height, "370px");
    fit(ROOT, true);
    assert.ok(!view.own); // the next tree is fitted as well
    done();
  }
});

test("a tree that is not in sight is not fitted: it stands as it did", () => {
  const { fit, view, sheet, box } = opened(200, 100);
  fit(ROOT);
  const before = [{ ...view }, sheet.style.transform, box.style.height];
  box.clientWidth = 0;
  fit(ROOT);
  assert.deepEqual([{ ...view }, sheet.style.transform, box.style.height], before);
});

test("the smaller a tree is seen the less is drawn of its nodes, and type keeps its size", () => {
  const one = roomed(1000, 300);
  const seen = [];
  for (const [w, scale] of [[600, 1], [800, 0.75], [1000, 0.6], [2000, 0.3], [6000, 0.1]]) {
    one.view.size = { w, h: 300 };
    one.fit(ROOT);
    assert.equal(one.view.scale, scale);
    assert.ok(near([Number.parseFloat(one.box.style["--type"]) * scale], [9]));
    seen.push(one.box.dataset.detail);
  }
  assert.deepEqual(seen, ["near", "near", "mid", "mid", "far"]);
  one.done();
});

/** A node of a size whose rule takes 54 pixels, a threshold that is not cut; its strip where it has one. */
function node(w, h, more = {}) {
  const [group, text] = [placed(), placed()];
  const bar = { group: placed(), x: 0, y: 0, w: 90, h: 18 };
  const brief = { rule: `≤${"\u00a0".repeat(99)}`, more: ["150 rows", "no cut gains"], isFocus: false, hasStrip: false, text, bar, ...more };
  return { x: 0, y: 0, left: 0, top: 0, w, h, group, brief };
}

/** What a view at 0.6 says of nodes. */
function seenAt(nodes, more = {}) {
  const one = roomed(1000, 300);
  Object.assign(one.view, { nodes, ...more });
  one.fit(ROOT);
  assert.equal(one.view.scale, 0.6);
  one.done();
  return (name) => nodes.map(({ group }) => group.classList.contains(name));
}

test("a rule is told where it has room, and its number above it where levels are apart", () => {
  const has = seenAt([node(110, 40), node(90, 40), node(110, 20)]);
  assert.deepEqual(has("told"), [true, false, false]);
  assert.deepEqual(has("tagged"), [true, false, false]);
  assert.deepEqual(seenAt([node(110, 40)], { low: true })("tagged"), [false]);
});

test("rows are drawn where a node is wide and high enough to see them, else its classes", () => {
  const strip = { hasStrip: true };
  const has = seenAt([node(110, 60, strip), node(70, 60, strip), node(110, 36, strip), node(110, 60)]);
  assert.deepEqual(has("rows"), [true, false, false, false]);
});

test("under its rule a node has its rows as far as there is room, a strip before them; the focus has them first", () => {
  const strip = { hasStrip: true };
  const all = [node(110, 46), node(110, 46, strip), node(110, 46, { ...strip, isFocus: true }), node(110, 70)];
  seenAt(all);
  assert.deepEqual(all.map(({ brief }) => brief.text.children.map(({ textContent }) => textContent.trim()).slice(1)), [
    ["150 rows"], [], ["150 rows"], ["150 rows", "no cut gains"],
  ]);
  for (const { h, brief: { bar } } of all) {
    const [, , , high, , top] = bar.group.style["--bar"].slice(7, -1).split(", ").map(Number);
    assert.ok(top > 0 && high > 0 && top + 18 * high < h);
  }
});

test("low boxes are never near: they say in brief what they have room for, the larger they are seen", () => {
  const one = roomed(200, 100);
  one.view.low = true;
  one.fit(ROOT);
  assert.equal(one.box.dataset.detail, "mid");
  const types = [];
  for (let k = 0; k < 4; k++) {
    types.push(Number.parseFloat(one.box.style["--type"]) * one.view.scale);
    one.larger();
  }
  one.view.size = { w: 650, h: 100 };
  one.fit(ROOT);
  for (const name of ["--type", "--small"]) assert.ok(Number.parseFloat(one.box.style[name]) * one.view.scale > 8, name);
  assert.ok(types[0] >= 9 && types[1] > types[0] && near(types.slice(2), [12, 12]));
  one.done();
});

test("where the tree goes on beyond the rim it fades", () => {
  const { fit, box } = opened(4000, 300);
  const fades = () => ["left", "right", "top", "foot"].map((side) => box.style[`--${side}`]);
  fit(ROOT);
  assert.deepEqual(fades(), ["0px", "20px", "0px", "0px"]);
  fit({ x: 2000, y: 100, w: 80, h: 40 });
  assert.deepEqual(fades(), ["20px", "20px", "0px", "0px"]);
  fit(ROOT, true);
  assert.deepEqual(fades(), ["0px", "0px", "0px", "0px"]);
});

test("the buttons zoom round the middle of the box, the wheel with Ctrl round the pointer", () => {
  const one = opened(1000, 300);
  one.fit(ROOT);
  const before = one.view.scale;
  const half = one.box.clientHeight / 2;
  const middle = { x: (300 - one.view.x) / before, y: (half - one.view.y) / before };
  one.larger();
  assert.ok(near([one.view.scale], [before * 1.25]) && near(one.seen(middle), [300, half]));
  assert.ok(one.view.own && one.box.classList.contains("zoomed"));
  one.smaller();
  assert.ok(near([one.view.scale], [before]) && !one.box.classList.contains("zoomed"));
  const under = { x: (100 - one.view.x) / before, y: (50 - one.view.y) / before };
  const { event } = use(one.box, "wheel", at(100, 50, { deltaY: -300, deltaX: 0, ctrlKey: true }));
  assert.ok(event.defaultPrevented);
  assert.ok(near([one.view.scale], [before * Math.E]) && near(one.seen(under), [100, 50]));
});

test("zooming in ends where little is seen, zooming out where all of the tree is", () => {
  for (const wide of [1000, 40_000]) {
    const one = opened(wide, 300);
    one.fit(ROOT);
    const { fitted } = one.view;
    for (let k = 0; k < 40; k++) one.larger();
    assert.equal(one.view.scale, 4);
    for (let k = 0; k < 80; k++) one.smaller();
    const whole = one.box.clientWidth / wide;
    assert.ok(near([one.view.scale], [Math.min(fitted, whole)]), `${one.view.scale}, ${fitted}, ${whole}`);
  }
});

test("the wheel alone scrolls the page; sideways it moves a tree that is wider than its box", () => {
  const one = opened(4000, 300);
  one.fit(ROOT);
  assert.ok(!use(one.box, "wheel", { deltaX: 0, deltaY: 40 }).event.defaultPrevented);
  assert.equal(one.view.x, 0);
  assert.ok(use(one.box, "wheel", { deltaX: 50, deltaY: 0 }).event.defaultPrevented);
  assert.equal(one.view.x, -50);
  const small = opened(100, 100);
  small.fit(ROOT);
  assert.ok(!use(small.box, "wheel", { deltaX: 50, deltaY: 0 }).event.defaultPrevented);
});

test("the mouse drags the tree, and the click that ends it is none", () => {
  const one = opened(2000, 300);
  one.fit(ROOT);
  use(one.box, "pointerdown", at(300, 100));
  use(one.box, "pointermove", at(302, 100));
  assert.ok(!one.view.dragged && one.view.x === 0); // a hand is never quite still
  use(one.box, "pointermove", at(290, 100));
  assert.ok(one.view.dragged);
  use(one.box, "pointermove", at(250, 90));
  assert.deepEqual([one.view.x, one.view.y], [-40, -10]);
  use(one.box, "pointerup");
  use(one.box, "pointermove", at(100, 90));
  assert.equal(one.view.x, -40);
  use(one.box, "pointerdown", at(300, 100));
  assert.ok(!one.view.dragged);
});

test("one finger moves a tree sideways, up and down only where it is zoomed in", () => {
  const one = opened(2000, 300);
  const touch = { pointerType: "touch" };
  const drag = (dx, dy) => {
    use(one.box, "pointerdown", at(300, 100, touch));
    use(one.box, "pointermove", at(300 + dx / 2, 100 + dy / 2, touch));
    use(one.box, "pointermove", at(300 + dx, 100 + dy, touch));
    use(one.box, "pointerup");
  };
  one.fit(ROOT);
  drag(-80, -60);
  assert.deepEqual([one.view.x, one.view.y], [-40, 0]);
  drag(-60, -80);
  assert.deepEqual([one.view.x, one.view.y], [-40, 0]);
  one.larger();
  const [x, y] = [one.view.x, one.view.y];
  drag(-60, -80);
  assert.deepEqual([one.view.x, one.view.y], [x - 30, y - 40]);
});

test("two fingers zoom round where they stand, and are not the browser's", () => {
  const one = opened(2000, 300);
  one.fit(ROOT);
  const { scale } = one.view;
  use(one.box, "pointerdown", at(200, 100, { pointerId: 1 }));
  use(one.box, "pointerdown", at(300, 100, { pointerId: 2 }));
  const still = { x: (200 - one.view.x) / scale, y: (100 - one.view.y) / scale };
  use(one.box, "pointermove", at(400, 100, { pointerId: 2 }));
  assert.ok(near([one.view.scale], [2 * scale]) && near(one.seen(still), [200, 100]));
  const touched = (count) => use(one.box, "touchmove", { touches: { length: count } }).event.defaultPrevented;
  assert.deepEqual([touched(1), touched(2)], [false, true]);
});

test("what is revealed moves the tree no further than it takes", () => {
  const one = opened(2000, 300);
  one.fit(ROOT);
  one.reveal({ x: 200, y: 100, w: 80, h: 40 });
  assert.equal(one.view.x, 0);
  one.reveal({ x: 1000, y: 100, w: 80, h: 40 });
  assert.ok(near([one.view.x], [600 - 8 - 1080 * 0.7]));
  one.reveal({ x: 200, y: 100, w: 80, h: 40 });
  assert.ok(near([one.view.x], [8 - 200 * 0.7]));
});

test("a tree that is all in sight is not moved, however near the rim what is revealed stands", () => {
  const one = opened(540, 270);
  one.fit(ROOT);
  const before = [one.view.x, one.view.y];
  for (const [x, y] of [[0, 0], [460, 230]]) one.reveal({ x, y, w: 80, h: 40 });
  assert.deepEqual([one.view.x, one.view.y], before);
});

test("in another tree what stays keeps its place", () => {
  const one = opened(2000, 300);
  one.fit(ROOT);
  one.larger();
  const before = one.seen(ROOT);
  one.hold(ROOT, { ...ROOT, x: 160, y: 30 });
  assert.ok(near(one.seen({ x: 160, y: 30 }), before));
});

test("a small tree stays whole in its box, a large one round the middle of it", () => {
  const far = [{ x: 9000, y: 9000 }, { x: 0, y: 0 }];
  const small = opened(200, 80);
  small.fit(ROOT);
  small.hold(...far);
  assert.ok(near([small.view.x, small.view.y], [600 - 220, 190 - 88]));
  small.hold(...far.toReversed());
  assert.deepEqual([small.view.x, small.view.y], [0, 0]);
  const large = opened(2000, 1000);
  large.fit(ROOT);
  large.hold(...far);
  assert.deepEqual([large.view.x, large.view.y], [300, 230]);
  large.hold(...far.toReversed());
  assert.ok(near([large.view.x, large.view.y], [300 - 1400, 230 - 700]));
});

/** Nodes as they stand in a tree: few above, the lower corners empty. */
const NODES = [{ x: 960, y: 0, w: 80, h: 40 }, { x: 900, y: 400, w: 80, h: 40 }, { x: 1920, y: 800, w: 80, h: 40 }];

/** How many pixels of the node that is seen best are in the box, across and up. */
function sight({ view, box }) {
  const inside = (low, length, room) => Math.min(low + length, room) - Math.max(low, 0);
  const both = NODES.map(({ x, y, w, h }) => Math.min(
    inside(view.x + x * view.scale, w * view.scale, box.clientWidth),
    inside(view.y + y * view.scale, h * view.scale, box.clientHeight),
  ));
  return Math.max(...both);
}

test("some node stays in sight wherever the wheel zooms in, and however the tree is dragged", () => {
  for (const [x, y] of [[5, 295], [595, 5], [5, 5], [595, 295], [300, 150], [150, 200]]) {
    const one = opened(2000, 840);
    one.view.nodes = NODES;
    one.fit(ROOT, true);
    for (let k = 0; k < 12; k++) {
      use(one.box, "wheel", at(x, y, { deltaY: -120, deltaX: 0, ctrlKey: true }));
      assert.ok(sight(one) >= Math.min(40, 40 * one.view.scale) - 1e-6, `${x}, ${y}: ${k}`);
    }
    use(one.box, "pointerdown", at(300, 100));
    for (let k = 1; k < 40; k++) {
      use(one.box, "pointermove", at(300 + 200 * k * (x < 300 ? 1 : -1), 100 + 90 * k * (y < 150 ? 1 : -1)));
      assert.ok(sight(one) >= Math.min(40, 40 * one.view.scale) - 1e-6, `dragged from ${x}, ${y}: ${k}`);
    }
    use(one.box, "pointerup");
  }
});

test("where a node is in sight, zooming moves nothing but round the pointer", () => {
  const one = opened(2000, 840);
  one.view.nodes = NODES;
  one.fit(ROOT, true);
  const [x, y] = one.seen({ x: 940, y: 420 });
  for (let k = 0; k < 6; k++) use(one.box, "wheel", at(x, y, { deltaY: -120, deltaX: 0, ctrlKey: true }));
  assert.ok(Math.hypot(one.seen({ x: 940, y: 420 })[0] - x, one.seen({ x: 940, y: 420 })[1] - y) < 1e-6);
});

test("from a tree so large that all of it is tiny, zooming goes on from there", () => {
  const one = opened(60_000, 300);
  one.fit(ROOT, true);
  const { scale } = one.view;
  assert.equal(scale, 0.01);
  one.larger();
  assert.ok(near([one.view.scale], [scale * 1.25]));
  one.smaller();
  one.smaller();
  assert.ok(near([one.view.scale], [scale]));
});
