import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { present } from "../../../dtviz/frontend/lib/present.js";
import { create } from "../../../dtviz/frontend/stage/stage.js";
import { peak } from "../../../dtviz/frontend/stage/axes.js";
import { summaryText, summaryOf } from "../../../dtviz/frontend/stage/cut.js";
import { beside, boxOf, cutsOf, eachScene, near, NAMES, sceneOf } from "../scenes.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** A stage on the page that shows a scene: its parts, what it sent, and what Python says. */
function shown(name, more = {}) {
  const one = sceneOf(name);
  Object.assign(one.scene, more);
  pictured(cloudPicture, "cloud", { ...one.cloud, name: "points" });
  const { root, sent, show } = pictured(create, "stage", one.scene);
  const area = root.querySelector(".area");
  const slider = root.querySelector(".slider");
  const order = one.told.cuts.map((cuts) => cuts.map(({ rule }) => rule)); // as the engine has them
  const best = cutsOf(one).find((cut) => cut.best);
  return { ...one, root, sent, show, area, slider, order, best, now: () => root.dataset.cut };
}

test("what is looked at first is the cut that Python chose", () => {
  for (const { name, told, scene } of eachScene().filter((one) => one.name !== "very many")) {
    const { now, root } = shown(name);
    const chosen = scene.chosen ? told.cuts[scene.chosen[0]][scene.chosen[1]].rule : "";
    assert.equal(now(), chosen, name);
    assert.equal(root.dataset.step, "now");
    assert.equal(root.dataset.focus, scene.focus);
  }
});

test("the arrows across go through the cuts of the feature across, in order, and stop at the ends", () => {
  const { slider, order, now } = shown("three classes");
  press(slider, "Home");
  for (const rule of order[0]) {
    assert.equal(now(), rule);
    press(slider, "ArrowRight");
  }
  assert.equal(now(), order[0].at(-1));
  for (const rule of [...order[0]].toReversed()) {
    assert.equal(now(), rule);
    press(slider, "ArrowLeft");
  }
  assert.equal(now(), order[0][0]);
});

test("the arrows up and down go through the cuts of the feature up, from its middle", () => {
  const { slider, order, now } = shown("three classes");
  press(slider, "ArrowUp");
  assert.equal(now(), order[1][3]);
  press(slider, "ArrowUp");
  assert.equal(now(), order[1][4]);
  press(slider, "ArrowDown");
  press(slider, "ArrowDown");
  assert.equal(now(), order[1][2]);
  press(slider, "ArrowRight");
  assert.equal(now(), order[0][3]);
});

test("on a line up and down are right and left", () => {
  const { slider, order, now } = shown("a curve");
  press(slider, "Home");
  press(slider, "ArrowUp");
  assert.equal(now(), order[0][1]);
  press(slider, "ArrowDown");
  assert.equal(now(), order[0][0]);
});

test("Home and End are the least and the largest threshold, PageUp and PageDown ten cuts on", () => {
  const { slider, order, now } = shown("lanes");
  const [rules] = order;
  press(slider, "End");
  assert.equal(now(), rules.at(-1));
  press(slider, "Home");
  assert.equal(now(), rules[0]);
  press(slider, "PageUp");
  assert.equal(now(), rules[Math.min(10, rules.length - 1)]);
  press(slider, "PageDown");
  assert.equal(now(), rules[0]);
  const long = shown("very many");
  const texts = long.scene.cuts[1].threshold;
  press(long.slider, "Home");
  press(long.slider, "PageUp");
  assert.equal(long.now(), `${long.scene.up.name} ≤ ${texts[10]}`);
});

test("End on the feature up stays on it", () => {
  const { slider, order, now } = shown("three classes");
  press(slider, "ArrowUp");
  press(slider, "End");
  assert.equal(now(), order[1].at(-1));
  press(slider, "Home");
  assert.equal(now(), order[1][0]);
});

test("b is the best cut, Escape the one that stays", () => {
  const { slider, order, now, best, told, scene } = shown("a node in focus");
  const held = told.cuts[scene.chosen[0]][scene.chosen[1]].rule;
  assert.notEqual(held, best.rule);
  press(slider, "b");
  assert.equal(now(), best.rule);
  press(slider, "Escape");
  assert.equal(now(), held);
  press(slider, "B");
  assert.equal(now(), best.rule);
  assert.ok(order[0].length);
});

test("Enter keeps the cut looked at and tells Python its place among all", () => {
  const { slider, sent, told, root } = shown("three classes");
  press(slider, "ArrowUp");
  press(slider, "Enter");
  assert.deepEqual(sent, [{ what: "cut", stamp: "now", index: told.cuts[1][3].index }]);
  assert.equal(root.dataset.held, "1,3");
  press(slider, "ArrowLeft");
  press(slider, " ");
  assert.deepEqual(sent.at(-1), { what: "cut", stamp: "now", index: told.cuts[0][3].index });
  press(slider, "Enter");
  assert.equal(sent.length, 2); // nothing was looked at but the cut that stays
});

test("keys of the page stay the page's", () => {
  const { slider, now } = shown("three classes");
  const before = now();
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!press(slider, "ArrowRight", more).event.defaultPrevented);
  }
  assert.ok(!press(slider, "Tab").event.defaultPrevented);
  present(true);
  for (const key of ["PageUp", "PageDown"]) assert.ok(!press(slider, key).stopped, "a clicker's");
  present(false);
  assert.equal(now(), before);
  assert.ok(press(slider, "ArrowRight").stopped);
});

test("a picture of points alone has no cuts to look at", () => {
  const { scene, cloud } = sceneOf("three classes");
  pictured(cloudPicture, "cloud", { ...cloud, name: "points" });
  const bare = { ...scene, bare: true, about: "24 rows", best: null, chosen: null };
  for (const name of ["cuts", "regions", "lines", "fills", "can", "seen", "inside", "values"]) delete bare[name];
  const { root, sent } = pictured(create, "stage", bare);
  const [slider, area] = [root.querySelector(".slider"), root.querySelector(".area")];
  assert.deepEqual([slider.getAttribute("role"), slider.getAttribute("aria-label")], ["img", "24 rows"]);
  for (const key of ["ArrowRight", "b", "Enter", "Home"]) assert.ok(!press(slider, key).event.defaultPrevented);
  for (const type of ["pointermove", "pointerdown", "pointerup", "pointerleave"]) use(area, type, { clientX: 300, clientY: 60 });
  assert.deepEqual(sent, []);
});

test("without the right to cut, keys and pointer look at nothing and tell nothing", () => {
  const one = shown("three classes", { can: { cut: false, focus: false } });
  const before = one.now();
  press(one.slider, "ArrowRight");
  const strip = one.at.strips[0];
  use(one.area, "pointermove", { clientX: strip.x + 5, clientY: strip.y + 5 });
  assert.equal(one.now(), before);
  assert.deepEqual(one.sent, []);
});

test("the slider says in words what is looked at, and where that is among the cuts", () => {
  const one = shown("bits");
  press(one.slider, "End");
  const axis = one.best.cut[0];
  const count = one.order[axis].length;
  const said = (name) => one.slider.getAttribute(`aria-${name}`);
  assert.deepEqual([said("valuemin"), said("valuenow"), said("valuemax")], ["1", String(count), String(count)]);
  assert.equal(said("valuetext"), summaryText(summaryOf(one.scene, one.cloud, [axis, count - 1])));
});

test("over a strip the cut nearest to the pointer is looked at", () => {
  const one = shown("three classes");
  const at = atOf(one);
  one.told.cuts.forEach((cuts, axis) => {
    const strip = at.strips[axis];
    for (const { rule, threshold } of cuts) {
      for (const off of [-2, 0, 2]) {
        const place = axis === 0 ? { clientX: at.X(threshold) + off, clientY: strip.y + 9 } : { clientX: strip.x + 9, clientY: at.Y(threshold) + off };
        use(one.area, "pointermove", place);
        assert.equal(one.now(), rule);
      }
    }
  });
  use(one.area, "pointermove", { clientX: at.plane.x + 3, clientY: at.plane.y + 3 });
  assert.equal(one.now(), one.best.rule);
});

test("where subsets stand over one another the dot nearest to the pointer is looked at, the line's handle keeps to the curve", () => {
  for (const name of ["subsets", "subsets asked"]) {
    const one = shown(name);
    const at = atOf(one);
    let scattered = 0;
    for (const { cut, rule, index, scattered: apart } of cutsOf(one)) {
      const [clientX, clientY] = peak(at, one.scene, ...cut);
      use(one.area, "pointermove", { clientX: clientX + 0.3, clientY: clientY - 0.2 });
      assert.equal(one.now(), rule, name);
      scattered += apart;
      use(one.area, "pointerdown", { clientX, clientY });
      use(one.area, "pointerup", { clientX, clientY });
      assert.equal(one.sent.at(-1).index, index);
      const handle = one.root.querySelector(".handle");
      assert.equal(handle.hidden, apart);
      if (handle.hidden) continue;
      use(handle, "pointerdown", { clientX, clientY });
      for (const other of one.told.cuts[cut[0]].filter((it) => it.scattered)) {
        const i = one.told.cuts[cut[0]].indexOf(other);
        const spot = peak(at, one.scene, cut[0], i);
        use(handle, "pointermove", { clientX: spot[0], clientY: spot[1] });
        assert.ok(!cutsOf(one).find(({ rule: now }) => now === one.now()).scattered);
      }
      use(handle, "pointercancel");
    }
    assert.ok(scattered > 10);
  }
});

test("where a cut is asked for a click in the plane chooses one there, on the axis that is looked at", () => {
  const one = shown("asking");
  const at = atOf(one);
  const { x, y, w, h } = at.plane;
  const places = one.told.cuts.map((cuts) => cuts[Math.floor(cuts.length / 2)]);
  const [across, up] = [{ clientX: at.X(places[0].threshold), clientY: y + h / 2 }, { clientX: x + w / 2, clientY: at.Y(places[1].threshold) }];
  use(one.area, "pointermove", across);
  assert.equal(one.now(), places[0].rule);
  use(one.area, "pointerdown", { ...across, button: 0 });
  use(one.area, "pointerup", across);
  assert.deepEqual(one.sent.map(({ what, index }) => [what, index]), [["cut", places[0].index]]);
  const [clientX, clientY] = peak(at, one.scene, 1, 0);
  use(one.area, "pointermove", { clientX, clientY });
  use(one.area, "pointermove", up);
  assert.equal(one.now(), places[1].rule);
  const told = shown("three classes");
  use(told.area, "pointermove", across);
  assert.equal(told.now(), told.best.rule);
});

test("the arrows go on from the last cut of the curve to the subsets beside it, as these stand", () => {
  const { slider, order, now } = shown("subsets");
  press(slider, "Home");
  for (const rule of order[0]) {
    assert.equal(now(), rule);
    press(slider, "ArrowRight");
  }
  assert.equal(now(), order[0].at(-1));
});

test("half-way between two cuts lies the border between them", () => {
  const one = shown("three classes");
  const at = atOf(one);
  const strip = at.strips[0];
  const [a, b] = one.told.cuts[0];
  const middle = (at.X(a.threshold) + at.X(b.threshold)) / 2;
  use(one.area, "pointermove", { clientX: middle - 1, clientY: strip.y + 9 });
  assert.equal(one.now(), a.rule);
  use(one.area, "pointermove", { clientX: middle + 1, clientY: strip.y + 9 });
  assert.equal(one.now(), b.rule);
});

test("pressed, dragged and let go, a cut stays and Python is told", () => {
  const one = shown("three classes");
  const at = atOf(one);
  const strip = at.strips[0];
  const over = ({ threshold }) => ({ clientX: at.X(threshold), clientY: strip.y + 9 });
  const [a, b] = one.told.cuts[0];
  use(one.area, "pointerdown", over(a));
  use(one.area, "pointermove", { ...over(b), clientY: at.plane.y + 50 }); // off the strip: still held
  use(one.area, "pointerup", over(b));
  assert.deepEqual(one.sent, [{ what: "cut", stamp: "now", index: b.index }]);
  assert.equal(one.now(), b.rule);
});

test("the handle on the line drags it, and a mere press on it changes nothing", () => {
  const one = shown("three classes");
  const at = atOf(one);
  const handle = one.root.querySelector(".handle");
  const [axis, i] = one.best.cut;
  const { style } = handle;
  const place = (axis === 0 ? at.X : at.Y)(one.told.cuts[axis][i].threshold);
  assert.ok(near(parseFloat(axis === 0 ? style.left : style.top) + 12, place, 0.1));
  use(handle, "pointerdown", { clientX: 0, clientY: 0 });
  use(handle, "pointerup", { clientX: 0, clientY: 0 });
  assert.deepEqual(one.sent, []);
  use(handle, "pointerdown", { clientX: 0, clientY: 0 });
  const other = one.told.cuts[axis].at(-1);
  use(handle, "pointermove", { clientX: at.X(other.threshold), clientY: at.Y(other.threshold) });
  use(handle, "pointerup", { clientX: 0, clientY: 0 });
  assert.deepEqual(one.sent.map(({ index }) => index), [other.index]);
});

test("a lost pointer takes the preview back", () => {
  const one = shown("three classes");
  const at = atOf(one);
  use(one.area, "pointerdown", { clientX: at.X(one.told.cuts[0][0].threshold), clientY: at.strips[0].y + 9 });
  use(one.area, "pointercancel");
  assert.equal(one.now(), one.best.rule);
  use(one.area, "pointerup", { clientX: 0, clientY: 0 });
  assert.deepEqual(one.sent, []);
});

test("a drag that outlives its cuts looks at none and keeps none", () => {
  const one = shown("three classes");
  const at = atOf(one);
  const over = { clientX: at.X(one.told.cuts[0][0].threshold), clientY: at.strips[0].y + 9 };
  use(one.area, "pointerdown", over);
  const none = { threshold: [], scattered: new Int32Array(), flags: new Uint8Array(), left: new Int32Array(), index: new Int32Array(), score: new Float64Array() };
  one.show({ ...one.scene, best: null, chosen: null, cuts: [none, none] });
  use(one.area, "pointermove", over);
  assert.equal(one.now(), "");
  use(one.area, "pointerup", over);
  assert.deepEqual(one.sent, []);
});

test("the leaf under the pointer is lit and told, and a click asks for it", () => {
  const one = shown("a node in focus");
  const at = atOf(one);
  const heard = [];
  window.addEventListener("dtviz:hover", ({ detail }) => heard.push(detail));
  for (const node of Object.keys(one.scene.fills)) {
    const [left, right, bottom, top] = boxOf(one.scene, node);
    const place = { clientX: at.X((left + right) / 2), clientY: at.Y((bottom + top) / 2) };
    use(one.area, "pointermove", place);
    assert.equal(one.root.dataset.lit, node);
    assert.deepEqual(heard.at(-1), { node, from: "stage", beside: false });
    use(one.area, "pointerdown", place);
    use(one.area, "pointerup", place);
    assert.deepEqual(one.sent.at(-1), { what: "focus", node });
  }
  use(one.area, "pointerleave");
  assert.equal(one.root.dataset.lit, "");
  assert.deepEqual(heard.at(-1), { node: null, from: "stage", beside: false });
});

test("only the main button, pressed and let go on the stage, asks for a node", () => {
  const one = shown("a node in focus");
  const at = atOf(one);
  const [left, right, bottom, top] = boxOf(one.scene, Object.keys(one.scene.fills)[0]);
  const place = { clientX: at.X((left + right) / 2), clientY: at.Y((bottom + top) / 2) };
  use(one.area, "pointerup", place); // the press was elsewhere
  for (const button of [1, 2]) {
    use(one.area, "pointerdown", { ...place, button });
    use(one.area, "pointerup", { ...place, button });
  }
  for (const lost of ["pointerleave", "pointercancel"]) {
    use(one.area, "pointerdown", place);
    use(one.area, lost);
    use(one.area, "pointerup", place);
  }
  assert.deepEqual(one.sent, []);
});

test("every place lights the leaf that the engine sends it to, one on a cut too, or that of the point there", () => {
  let free = 0;
  for (const name of NAMES) {
    const one = shown(name);
    const at = atOf(one);
    for (const { x, y, leaf } of [...one.told.witnesses, ...one.told.on_lines]) {
      const up = one.scene.form === "plane" ? y : at.plane.y + 1;
      use(one.area, "pointermove", { clientX: at.X(x), clientY: one.scene.form === "plane" ? at.Y(up) : up });
      const point = !one.root.querySelector(".tip").hidden && one.root.dataset.way;
      const cut = one.scene.asking && leaf === one.scene.focus; // there a cut is looked at
      assert.equal(one.root.dataset.lit, cut ? "" : point || leaf, `${name}: ${x}, ${y}`);
      free += point ? 0 : 1;
    }
  }
  assert.ok(free > 300);
  assert.ok(NAMES.some((name) => sceneOf(name).told.on_lines.length));
});

test("a point at the pointer lights its way, and a click shows its row and looks at its leaf", () => {
  const one = shown("a node in focus");
  const at = atOf(one);
  const heard = [];
  window.addEventListener("dtviz:hover", ({ detail }) => heard.push(detail));
  const { ends } = one.scene;
  const leaf = ends.node[ends.of[0]];
  const place = { clientX: at.X(one.cloud.x[0]), clientY: at.Y(one.cloud.y[0]) };
  use(one.area, "pointermove", place);
  assert.equal(one.root.dataset.way, leaf);
  assert.deepEqual(heard.at(-1), { node: leaf, from: "stage", beside: false, way: true });
  assert.match(one.root.querySelector(".tip").textContent, /\. Row 1: the tree says /);
  use(one.area, "pointerdown", place);
  use(one.area, "pointerup", place);
  assert.deepEqual(one.sent.at(-1), { what: "row", row: 1, focus: true });
  use(one.area, "pointerleave");
  assert.equal(one.root.dataset.way, "");
  assert.deepEqual(heard.at(-1), { node: null, from: "stage", beside: false });
});

test("the row that is shown is lit where no point is at the pointer; clicked again it is no longer", () => {
  const { ends } = sceneOf("a node in focus").scene;
  const leaf = ends.node[ends.of[0]];
  const one = shown("a node in focus", { row: { node: leaf, number: 1, place: [0, 0] }, focus: leaf });
  const at = atOf(one);
  assert.equal(one.root.dataset.way, leaf);
  const place = { clientX: at.X(one.cloud.x[0]), clientY: at.Y(one.cloud.y[0]) };
  use(one.area, "pointerdown", place);
  use(one.area, "pointerup", place);
  assert.deepEqual(one.sent.at(-1), { what: "row", row: null, focus: true });
});

test("what the others light is lit here", () => {
  const one = shown("a node in focus");
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "tree" } }));
  assert.equal(one.root.dataset.lit, "2");
});

test("a point under the pointer is said", () => {
  const one = shown("three classes");
  const at = atOf(one);
  const [row] = one.told.points;
  use(one.area, "pointermove", { clientX: at.X(row.x), clientY: at.Y(row.y) });
  const tip = one.root.querySelector(".tip");
  assert.ok(!tip.hidden);
  assert.match(tip.textContent, /^(ash|birch|elm): leaf/);
});

test("what is said of the point at the pointer is of the tree that is shown, and of no point where the room is another", () => {
  const one = shown("a node in focus");
  const at = atOf(one);
  const tip = one.root.querySelector(".tip");
  use(one.area, "pointermove", { clientX: at.X(one.cloud.x[0]), clientY: at.Y(one.cloud.y[0]) });
  const before = tip.textContent;
  const { ends } = one.scene;
  const value = ends.value.map((said) => (said ? 0 : 1));
  one.show({ ...one.scene, stamp: "next", ends: { ...ends, value } });
  assert.ok(!tip.hidden);
  assert.notEqual(tip.textContent, before);
  assert.match(tip.textContent, /\. Row 1: the tree says /);
  one.area.clientWidth -= 50;
  one.show({ ...one.scene, stamp: "last" });
  assert.ok(tip.hidden);
  assert.equal(one.root.dataset.way, "");
});

test("nothing answers before the points have come", () => {
  const { scene } = sceneOf("three classes");
  const { root, sent } = pictured(create, "stage", { ...scene, cloud: "late" });
  const area = root.querySelector(".area");
  for (const type of ["pointermove", "pointerdown", "pointerup", "pointerleave"]) use(area, type, { clientX: 300, clientY: 60 });
  press(root.querySelector(".slider"), "Enter");
  assert.deepEqual(sent, []);
  assert.equal(root.dataset.cut, undefined);
  pictured(cloudPicture, "cloud", { ...sceneOf("three classes").cloud, name: "late" });
  assert.ok(root.dataset.cut);
});

// --- the saved picture ----------------------------------------------------------------------------

const files = [];
mock.method(URL, "createObjectURL", (file) => `blob:${files.push(file)}`);
mock.method(URL, "revokeObjectURL", () => {});

/** The SVG that the button saves. */
async function saved(root) {
  const svg = root.querySelectorAll("button").find(({ textContent }) => textContent === "SVG");
  const before = files.length;
  svg.click();
  while (files.length === before) await Promise.resolve();
  return files.at(-1).text();
}

test("the saved picture has every row, the classes, the axes, the cut that stays and what it does", async () => {
  for (const name of NAMES.filter((one) => one !== "very many")) {
    const one = shown(name);
    const text = await saved(one.root);
    const { told, scene } = one;
    for (const words of [scene.across.name, scene.up.name, ...told.classes.map(([title]) => title)]) {
      if (!scene.up.lanes || words !== scene.up.name) assert.ok(text.includes(`>${words}</text>`), `${name}: ${words}`);
    }
    for (const colour of new Set(told.points.map((row) => row.colour))) {
      const rows = told.points.filter((row) => row.colour === colour).length;
      assert.ok(text.split(`fill="${colour}"`).length > rows, `${name}: ${colour}`);
    }
    if (scene.chosen) {
      const cut = told.cuts[scene.chosen[0]][scene.chosen[1]];
      assert.ok(text.includes(`>${beside(cut).replace("<", "&lt;")}</text>`), name);
      const said = summaryText(summaryOf(scene, one.cloud, scene.chosen));
      assert.ok(text.includes(`>${said.slice(0, 60)}`), name);
    }
    assert.ok(text.includes(`<rect x="0" y="0" width="600" height="${scene.chosen ? atOf(one).height + 26 : atOf(one).height}" fill="${scene.colours.paper}">`), name);
  }
});

test("a preview is not saved, the cut that stays is", async () => {
  const one = shown("three classes");
  press(one.slider, "Home");
  assert.notEqual(one.now(), one.best.rule);
  assert.ok((await saved(one.root)).includes(`${one.best.rule};`));
});

/** The layout of a stage 600 pixels wide. */
function atOf({ name }) {
  return sceneOf(name, 600).at;
}

/** Two stages side by side, and what is told of the second one's screen. */
function both() {
  const one = shown("a node in focus");
  const lit = [];
  window.addEventListener("dtviz:hover", ({ detail }) => detail.beside && lit.push(detail));
  return { one, other: shown("a node in focus", { beside: true }), lit };
}

test("a row at the pointer is lit on the other screen too, with its way there, until it is left", () => {
  const { one, other, lit } = both();
  const at = atOf(one);
  const { ends } = one.scene;
  const leaf = ends.node[ends.of[0]];
  use(one.area, "pointermove", { clientX: at.X(one.cloud.x[0]), clientY: at.Y(one.cloud.y[0]) });
  assert.equal(other.root.dataset.way, leaf);
  assert.deepEqual(lit.at(-1), { node: leaf, from: "stage", beside: true, way: true });
  use(one.area, "pointerleave");
  assert.equal(other.root.dataset.way, "");
  assert.deepEqual(lit.at(-1), { node: null, from: "stage", beside: true });
});

test("a row that is lit from the other screen is lit to its leaf in the tree and the room that come, and not on other points", () => {
  const { one, other, lit } = both();
  const at = atOf(one);
  const { ends } = one.scene;
  use(one.area, "pointermove", { clientX: at.X(one.cloud.x[0]), clientY: at.Y(one.cloud.y[0]) });
  const children = ends.node.map((leaf) => `${2 * leaf}`);
  other.show({ ...other.scene, stamp: "next", ends: { ...ends, node: children } });
  const leaf = children[ends.of[0]];
  assert.deepEqual([other.root.dataset.way, other.root.dataset.lit], [leaf, leaf]);
  assert.deepEqual(lit.at(-1), { node: leaf, from: "stage", beside: true, way: true });
  other.area.clientWidth -= 50;
  other.show({ ...other.scene, stamp: "narrow" });
  assert.deepEqual([one.root.dataset.way, other.root.dataset.way], [ends.node[ends.of[0]], ends.node[ends.of[0]]]);
  other.show({ ...other.scene, stamp: "last", cloud: "others" });
  assert.deepEqual(lit.at(-1), { node: null, from: "stage", beside: true });
  assert.equal(one.root.dataset.way, ends.node[ends.of[0]]);
});

test("a node that is lit from elsewhere stays lit in another room", () => {
  const one = shown("a node in focus");
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "tree" } }));
  one.area.clientWidth -= 50;
  one.show({ ...one.scene, stamp: "narrow" });
  assert.equal(one.root.dataset.lit, "2");
});

test("a row that the other screen does not draw lights nothing there", () => {
  const { other } = both();
  window.dispatchEvent(new CustomEvent("dtviz:row", { detail: { row: 10 ** 6, beside: false } }));
  assert.equal(other.root.dataset.way, "");
});

test("a region or a node is lit on its own screen alone", () => {
  const { one, other } = both();
  window.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "tree", beside: false } }));
  assert.deepEqual([one.root.dataset.lit, other.root.dataset.lit], ["2", ""]);
  const at = atOf(one);
  const free = Object.keys(one.scene.fills)[0];
  const [left, right, bottom, top] = boxOf(one.scene, free);
  use(other.area, "pointermove", { clientX: at.X((left + right) / 2), clientY: at.Y((bottom + top) / 2) });
  assert.deepEqual([one.root.dataset.lit, other.root.dataset.lit], ["2", free]);
});

test("what is done on the other screen says so", () => {
  const { other } = both();
  const at = atOf(other);
  const place = { clientX: at.X(other.cloud.x[0]), clientY: at.Y(other.cloud.y[0]) };
  for (const type of ["pointermove", "pointerdown", "pointerup"]) use(other.area, type, place);
  assert.deepEqual(other.sent, [{ what: "row", row: 1, focus: true, beside: true }]);
});
