import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed, use } from "../page.js";
import { createViewer } from "../../../dtviz/frontend/tree/view.js";

const ROOT = { x: 100, y: 0, w: 80, h: 40 };

/** A box on the page with the view of a tree of some size. */
function openViewer(w, h, wide = 600) {
  const [box, sheet] = [placed(), placed()];
  box.clientWidth = wide;
  Object.defineProperty(box, "clientHeight", { get: () => parseFloat(box.style.height) || 300, configurable: true });
  const viewer = createViewer(box, sheet);
  viewer.view.size = { w, h };
  /** Position of a place of the tree on screen. */
  const positionOf = ({ x, y }) => [viewer.view.x + x * viewer.view.scale, viewer.view.y + y * viewer.view.scale];
  return { ...viewer, box, sheet, positionOf };
}

const pointer = (clientX, clientY, fields = {}) => ({ clientX, clientY, ...fields });
const isClose = (a, b) => a.every((value, k) => Math.abs(value - b[k]) < 1e-9);

test("a small tree is fitted whole, in the middle, and hardly larger than its text is meant to be", () => {
  const { fit, view, sheet } = openViewer(200, 100);
  fit(ROOT);
  assert.equal(view.scale, 1.1);
  assert.deepEqual([view.x, view.y], [(600 - 220) / 2, 0]);
  assert.equal(sheet.style.transform, `translate(${view.x}px, 0px) scale(1.1)`);
});

test("the box is as high as the tree, but neither flat nor higher than a screen; less on a phone", () => {
  for (const [wide, high, tall] of [[600, 300, 330], [600, 50, 190], [600, 5000, 460], [400, 50, 150], [400, 5000, 380]]) {
    const { fit, box } = openViewer(100, high, wide);
    fit(ROOT);
    assert.equal(box.style.height, `${tall}px`);
  }
});

test("a large tree stays readable round what is asked for, unless all of it is", () => {
  const { fit, view, positionOf } = openViewer(4000, 300);
  const distant = { x: 3000, y: 100, w: 80, h: 40 };
  fit(distant);
  assert.equal(view.scale, 0.7);
  assert.equal(positionOf(distant)[0] + 40 * 0.7, 300); // the middle of the box
  fit(ROOT);
  assert.equal(view.x, 0); // no empty room left of the tree
  assert.ok(!view.isManual);
  fit(ROOT, true);
  assert.equal(view.scale, 600 / 4000);
  assert.ok(view.isManual);
});

/** The same in a room that the page gives. */
function openFixed(w, h, wide = 600) {
  const viewer = openViewer(w, h, wide);
  const room = placed();
  Object.assign(room, { clientHeight: 400 });
  Object.assign(viewer.box, { offsetTop: 30, parentElement: room });
  const style = mock.method(globalThis, "getComputedStyle", () => ({ getPropertyValue: (name) => (name === "--high" ? "100%" : "") }));
  return { ...viewer, done: () => style.mock.restore() };
}

test("where the page gives the height all of the tree is fitted, however small, and the box is as high as that", () => {
  for (const [w, h] of [[4000, 300], [300, 9000], [200, 100]]) {
    const { fit, view, box, done } = openFixed(w, h);
    fit(ROOT);
    assert.equal(view.scale, Math.min(1.1, 600 / w, 360 / h));
    assert.equal(box.style.height, "370px");
    fit(ROOT, true);
    assert.ok(!view.isManual); // the next tree is fitted as well
    done();
  }
});

test("a tree that is not in sight is not fitted: it stands as it did", () => {
  const { fit, view, sheet, box } = openViewer(200, 100);
  fit(ROOT);
  const before = [{ ...view }, sheet.style.transform, box.style.height];
  box.clientWidth = 0;
  fit(ROOT);
  assert.deepEqual([{ ...view }, sheet.style.transform, box.style.height], before);
});

test("the smaller a tree is seen the less is drawn of its nodes, and type keeps its size", () => {
  const viewer = openFixed(1000, 300);
  const details = [];
  for (const [w, scale] of [[600, 1], [800, 0.75], [1000, 0.6], [2000, 0.3], [6000, 0.1]]) {
    viewer.view.size = { w, h: 300 };
    viewer.fit(ROOT);
    assert.equal(viewer.view.scale, scale);
    assert.ok(isClose([Number.parseFloat(viewer.box.style["--type"]) * scale], [9]));
    details.push(viewer.box.dataset.detail);
  }
  assert.deepEqual(details, ["near", "near", "mid", "mid", "far"]);
  viewer.done();
});

/** A node of a size whose rule takes 54 pixels, a threshold that is not cut; its strip where it has one. */
function node(w, h, fields = {}) {
  const [group, text] = [placed(), placed()];
  const bar = { group: placed(), x: 0, y: 0, w: 90, h: 18 };
  const brief = { rule: `≤${"\u00a0".repeat(99)}`, details: ["150 rows", "no cut gains"], isFocus: false, hasStrip: false, text, ...fields };
  return { x: 0, y: 0, w, h, group, bar, brief };
}

/** Show nodes at scale 0.6; returns which of them have a class. */
function classesAt(nodes, fields = {}) {
  const viewer = openFixed(1000, 300);
  Object.assign(viewer.view, { nodes, ...fields });
  viewer.fit(ROOT);
  assert.equal(viewer.view.scale, 0.6);
  viewer.done();
  return (name) => nodes.map(({ group }) => group.classList.contains(name));
}

test("a rule is told where it has room, and its number above it where levels are apart", () => {
  const has = classesAt([node(110, 40), node(90, 40), node(110, 20)]);
  assert.deepEqual(has("told"), [true, false, false]);
  assert.deepEqual(has("tagged"), [true, false, false]);
  assert.deepEqual(classesAt([node(110, 40)], { isLow: true })("tagged"), [false]);
});

test("rows are drawn where a node is wide and high enough to see them, else its classes", () => {
  const strip = { hasStrip: true };
  const has = classesAt([node(110, 60, strip), node(70, 60, strip), node(110, 36, strip), node(110, 60)]);
  assert.deepEqual(has("rows"), [true, false, false, false]);
});

test("under its rule a node has its rows as far as there is room, a strip before them; the focus has them first", () => {
  const strip = { hasStrip: true };
  const all = [node(110, 46), node(110, 46, strip), node(110, 46, { ...strip, isFocus: true }), node(110, 70)];
  classesAt(all);
  assert.deepEqual(all.map(({ brief }) => brief.text.children.map(({ textContent }) => textContent.trim()).slice(1)), [
    ["150 rows"], [], ["150 rows"], ["150 rows", "no cut gains"],
  ]);
  for (const { h, bar } of all) {
    const [, , , high, , top] = bar.group.style["--bar"].slice(7, -1).split(", ").map(Number);
    assert.ok(top > 0 && high > 0 && top + 18 * high < h);
  }
});

test("low boxes are never near: they say in brief what they have room for, the larger they are seen", () => {
  const viewer = openFixed(200, 100);
  viewer.view.isLow = true;
  viewer.fit(ROOT);
  assert.equal(viewer.box.dataset.detail, "mid");
  const types = [];
  for (let k = 0; k < 4; k++) {
    types.push(Number.parseFloat(viewer.box.style["--type"]) * viewer.view.scale);
    viewer.zoomIn();
  }
  viewer.view.size = { w: 650, h: 100 };
  viewer.fit(ROOT);
  for (const name of ["--type", "--small"]) assert.ok(Number.parseFloat(viewer.box.style[name]) * viewer.view.scale > 8, name);
  assert.ok(types[0] >= 9 && types[1] > types[0] && isClose(types.slice(2), [12, 12]));
  viewer.done();
});

test("where the tree goes on beyond the rim it fades", () => {
  const { fit, box } = openViewer(4000, 300);
  const fades = () => ["left", "right", "top", "foot"].map((side) => box.style[`--${side}`]);
  fit(ROOT);
  assert.deepEqual(fades(), ["0px", "20px", "0px", "0px"]);
  fit({ x: 2000, y: 100, w: 80, h: 40 });
  assert.deepEqual(fades(), ["20px", "20px", "0px", "0px"]);
  fit(ROOT, true);
  assert.deepEqual(fades(), ["0px", "0px", "0px", "0px"]);
});

test("the buttons zoom round the middle of the box, the wheel with Ctrl round the pointer", () => {
  const viewer = openViewer(1000, 300);
  viewer.fit(ROOT);
  const before = viewer.view.scale;
  const half = viewer.box.clientHeight / 2;
  const middle = { x: (300 - viewer.view.x) / before, y: (half - viewer.view.y) / before };
  viewer.zoomIn();
  assert.ok(isClose([viewer.view.scale], [before * 1.25]) && isClose(viewer.positionOf(middle), [300, half]));
  assert.ok(viewer.view.isManual && viewer.box.classList.contains("zoomed"));
  viewer.zoomOut();
  assert.ok(isClose([viewer.view.scale], [before]) && !viewer.box.classList.contains("zoomed"));
  const under = { x: (100 - viewer.view.x) / before, y: (50 - viewer.view.y) / before };
  const { event } = use(viewer.box, "wheel", pointer(100, 50, { deltaY: -300, deltaX: 0, ctrlKey: true }));
  assert.ok(event.defaultPrevented);
  assert.ok(isClose([viewer.view.scale], [before * Math.E]) && isClose(viewer.positionOf(under), [100, 50]));
});

test("zooming in ends where little is seen, zooming out where all of the tree is", () => {
  for (const wide of [1000, 40_000]) {
    const viewer = openViewer(wide, 300);
    viewer.fit(ROOT);
    const { fittedScale: fitted } = viewer.view;
    for (let k = 0; k < 40; k++) viewer.zoomIn();
    assert.equal(viewer.view.scale, 4);
    for (let k = 0; k < 80; k++) viewer.zoomOut();
    const fullScale = viewer.box.clientWidth / wide;
    assert.ok(isClose([viewer.view.scale], [Math.min(fitted, fullScale)]), `${viewer.view.scale}, ${fitted}, ${fullScale}`);
  }
});

test("the wheel alone scrolls the page; sideways it moves a tree that is wider than its box", () => {
  const viewer = openViewer(4000, 300);
  viewer.fit(ROOT);
  assert.ok(!use(viewer.box, "wheel", { deltaX: 0, deltaY: 40 }).event.defaultPrevented);
  assert.equal(viewer.view.x, 0);
  assert.ok(use(viewer.box, "wheel", { deltaX: 50, deltaY: 0 }).event.defaultPrevented);
  assert.equal(viewer.view.x, -50);
  const small = openViewer(100, 100);
  small.fit(ROOT);
  assert.ok(!use(small.box, "wheel", { deltaX: 50, deltaY: 0 }).event.defaultPrevented);
});

test("the mouse drags the tree, and the click that ends it is none", () => {
  const viewer = openViewer(2000, 300);
  viewer.fit(ROOT);
  use(viewer.box, "pointerdown", pointer(300, 100));
  use(viewer.box, "pointermove", pointer(302, 100));
  assert.ok(!viewer.view.wasDragged && viewer.view.x === 0); // a hand is never quite still
  use(viewer.box, "pointermove", pointer(290, 100));
  assert.ok(viewer.view.wasDragged);
  use(viewer.box, "pointermove", pointer(250, 90));
  assert.deepEqual([viewer.view.x, viewer.view.y], [-40, -10]);
  use(viewer.box, "pointerup");
  use(viewer.box, "pointermove", pointer(100, 90));
  assert.equal(viewer.view.x, -40);
  use(viewer.box, "pointerdown", pointer(300, 100));
  assert.ok(!viewer.view.wasDragged);
});

test("one finger moves a tree sideways, up and down only where it is zoomed in", () => {
  const viewer = openViewer(2000, 300);
  const touch = { pointerType: "touch" };
  const drag = (dx, dy) => {
    use(viewer.box, "pointerdown", pointer(300, 100, touch));
    use(viewer.box, "pointermove", pointer(300 + dx / 2, 100 + dy / 2, touch));
    use(viewer.box, "pointermove", pointer(300 + dx, 100 + dy, touch));
    use(viewer.box, "pointerup");
  };
  viewer.fit(ROOT);
  drag(-80, -60);
  assert.deepEqual([viewer.view.x, viewer.view.y], [-40, 0]);
  drag(-60, -80);
  assert.deepEqual([viewer.view.x, viewer.view.y], [-40, 0]);
  viewer.zoomIn();
  const [x, y] = [viewer.view.x, viewer.view.y];
  drag(-60, -80);
  assert.deepEqual([viewer.view.x, viewer.view.y], [x - 30, y - 40]);
});

test("two fingers zoom round where they stand, and are not the browser's", () => {
  const viewer = openViewer(2000, 300);
  viewer.fit(ROOT);
  const { scale } = viewer.view;
  use(viewer.box, "pointerdown", pointer(200, 100, { pointerId: 1 }));
  use(viewer.box, "pointerdown", pointer(300, 100, { pointerId: 2 }));
  const still = { x: (200 - viewer.view.x) / scale, y: (100 - viewer.view.y) / scale };
  use(viewer.box, "pointermove", pointer(400, 100, { pointerId: 2 }));
  assert.ok(isClose([viewer.view.scale], [2 * scale]) && isClose(viewer.positionOf(still), [200, 100]));
  const touched = (count) => use(viewer.box, "touchmove", { touches: { length: count } }).event.defaultPrevented;
  assert.deepEqual([touched(1), touched(2)], [false, true]);
});

test("what is revealed moves the tree no further than it takes", () => {
  const viewer = openViewer(2000, 300);
  viewer.fit(ROOT);
  viewer.reveal({ x: 200, y: 100, w: 80, h: 40 });
  assert.equal(viewer.view.x, 0);
  viewer.reveal({ x: 1000, y: 100, w: 80, h: 40 });
  assert.ok(isClose([viewer.view.x], [600 - 8 - 1080 * 0.7]));
  viewer.reveal({ x: 200, y: 100, w: 80, h: 40 });
  assert.ok(isClose([viewer.view.x], [8 - 200 * 0.7]));
});

test("a tree that is all in sight is not moved, however near the rim what is revealed stands", () => {
  const viewer = openViewer(540, 270);
  viewer.fit(ROOT);
  const before = [viewer.view.x, viewer.view.y];
  for (const [x, y] of [[0, 0], [460, 230]]) viewer.reveal({ x, y, w: 80, h: 40 });
  assert.deepEqual([viewer.view.x, viewer.view.y], before);
});

test("in another tree what stays keeps its place", () => {
  const viewer = openViewer(2000, 300);
  viewer.fit(ROOT);
  viewer.zoomIn();
  const before = viewer.positionOf(ROOT);
  viewer.hold(ROOT, { ...ROOT, x: 160, y: 30 });
  assert.ok(isClose(viewer.positionOf({ x: 160, y: 30 }), before));
});

test("a small tree stays whole in its box, a large one round the middle of it", () => {
  const far = [{ x: 9000, y: 9000 }, { x: 0, y: 0 }];
  const small = openViewer(200, 80);
  small.fit(ROOT);
  small.hold(...far);
  assert.ok(isClose([small.view.x, small.view.y], [600 - 220, 190 - 88]));
  small.hold(...far.toReversed());
  assert.deepEqual([small.view.x, small.view.y], [0, 0]);
  const large = openViewer(2000, 1000);
  large.fit(ROOT);
  large.hold(...far);
  assert.deepEqual([large.view.x, large.view.y], [300, 230]);
  large.hold(...far.toReversed());
  assert.ok(isClose([large.view.x, large.view.y], [300 - 1400, 230 - 700]));
});

/** Nodes as they stand in a tree: few above, the lower corners empty. */
const NODES = [{ x: 960, y: 0, w: 80, h: 40 }, { x: 900, y: 400, w: 80, h: 40 }, { x: 1920, y: 800, w: 80, h: 40 }];

/** Pixels of the node most in sight, the lesser of across and up. */
function sight({ view, box }) {
  const inside = (low, length, room) => Math.min(low + length, room) - Math.max(low, 0);
  const distances = NODES.map(({ x, y, w, h }) => Math.min(
    inside(view.x + x * view.scale, w * view.scale, box.clientWidth),
    inside(view.y + y * view.scale, h * view.scale, box.clientHeight),
  ));
  return Math.max(...distances);
}

test("some node stays in sight wherever the wheel zooms in, and however the tree is dragged", () => {
  for (const [x, y] of [[5, 295], [595, 5], [5, 5], [595, 295], [300, 150], [150, 200]]) {
    const viewer = openViewer(2000, 840);
    viewer.view.nodes = NODES;
    viewer.fit(ROOT, true);
    for (let k = 0; k < 12; k++) {
      use(viewer.box, "wheel", pointer(x, y, { deltaY: -120, deltaX: 0, ctrlKey: true }));
      assert.ok(sight(viewer) >= Math.min(40, 40 * viewer.view.scale) - 1e-6, `${x}, ${y}: ${k}`);
    }
    use(viewer.box, "pointerdown", pointer(300, 100));
    for (let k = 1; k < 40; k++) {
      use(viewer.box, "pointermove", pointer(300 + 200 * k * (x < 300 ? 1 : -1), 100 + 90 * k * (y < 150 ? 1 : -1)));
      assert.ok(sight(viewer) >= Math.min(40, 40 * viewer.view.scale) - 1e-6, `dragged from ${x}, ${y}: ${k}`);
    }
    use(viewer.box, "pointerup");
  }
});

test("where a node is in sight, zooming moves nothing but round the pointer", () => {
  const viewer = openViewer(2000, 840);
  viewer.view.nodes = NODES;
  viewer.fit(ROOT, true);
  const [x, y] = viewer.positionOf({ x: 940, y: 420 });
  for (let k = 0; k < 6; k++) use(viewer.box, "wheel", pointer(x, y, { deltaY: -120, deltaX: 0, ctrlKey: true }));
  assert.ok(Math.hypot(viewer.positionOf({ x: 940, y: 420 })[0] - x, viewer.positionOf({ x: 940, y: 420 })[1] - y) < 1e-6);
});

test("from a tree so large that all of it is tiny, zooming goes on from there", () => {
  const viewer = openViewer(60_000, 300);
  viewer.fit(ROOT, true);
  const { scale } = viewer.view;
  assert.equal(scale, 0.01);
  viewer.zoomIn();
  assert.ok(isClose([viewer.view.scale], [scale * 1.25]));
  viewer.zoomOut();
  viewer.zoomOut();
  assert.ok(isClose([viewer.view.scale], [scale]));
});
