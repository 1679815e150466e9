import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { present } from "../../../dtviz/frontend/lib/presentation.js";
import { create } from "../../../dtviz/frontend/stage/stage.js";
import { peakPixel } from "../../../dtviz/frontend/stage/axes.js";
import { summaryText, summaryOf } from "../../../dtviz/frontend/stage/cut.js";
import { boxOf, cutsOf, eachScene, near, NAMES, sceneOf, thresholdText } from "../scenes.js";

mock.timers.enable({ apis: ["setTimeout"] });
window.matchMedia = (query) => ({ matches: query.includes("reduced-motion") }); // under a mouse, on a wide screen

/** A stage on the page that shows a scene: its parts, the events it sent, and the facts of the engine. */
function shown(name, more = {}) {
  const stage = sceneOf(name);
  Object.assign(stage.scene, more);
  pictured(cloudPicture, "cloud", { ...stage.cloud, name: "points" });
  const { root, sent, show } = pictured(create, "stage", stage.scene);
  const area = root.querySelector(".area");
  const slider = root.querySelector(".slider");
  const order = stage.facts.cuts.map((cuts) => cuts.map(({ rule }) => rule)); // as the engine has them
  const best = cutsOf(stage).find((cut) => cut.best);
  return { ...stage, root, sent, show, area, slider, order, best, cutRule: () => root.dataset.cut };
}

test("the first cut shown is the one that Python chose", () => {
  for (const { name, facts, scene } of eachScene().filter((example) => example.name !== "very many")) {
    const { cutRule, root } = shown(name);
    const chosen = scene.chosen ? facts.cuts[scene.chosen[0]][scene.chosen[1]].rule : "";
    assert.equal(cutRule(), chosen, name);
    assert.equal(root.dataset.step, "now");
    assert.equal(root.dataset.focus, scene.focus);
  }
});

test("the arrows across go through the cuts of the feature across, in order, and stop at the ends", () => {
  const { slider, order, cutRule } = shown("three classes");
  press(slider, "Home");
  for (const rule of order[0]) {
    assert.equal(cutRule(), rule);
    press(slider, "ArrowRight");
  }
  assert.equal(cutRule(), order[0].at(-1));
  for (const rule of [...order[0]].toReversed()) {
    assert.equal(cutRule(), rule);
    press(slider, "ArrowLeft");
  }
  assert.equal(cutRule(), order[0][0]);
});

test("the arrows up and down go through the cuts of the feature up, from its middle", () => {
  const { slider, order, cutRule } = shown("three classes");
  press(slider, "ArrowUp");
  assert.equal(cutRule(), order[1][3]);
  press(slider, "ArrowUp");
  assert.equal(cutRule(), order[1][4]);
  press(slider, "ArrowDown");
  press(slider, "ArrowDown");
  assert.equal(cutRule(), order[1][2]);
  press(slider, "ArrowRight");
  assert.equal(cutRule(), order[0][3]);
});

test("over a strip the arrows up and down go right and left", () => {
  const { slider, order, cutRule } = shown("a curve");
  press(slider, "Home");
  press(slider, "ArrowUp");
  assert.equal(cutRule(), order[0][1]);
  press(slider, "ArrowDown");
  assert.equal(cutRule(), order[0][0]);
});

test("Home and End are the least and the largest threshold, PageUp and PageDown ten cuts on", () => {
  const { slider, order, cutRule } = shown("lanes");
  const [rules] = order;
  press(slider, "End");
  assert.equal(cutRule(), rules.at(-1));
  press(slider, "Home");
  assert.equal(cutRule(), rules[0]);
  press(slider, "PageUp");
  assert.equal(cutRule(), rules[Math.min(10, rules.length - 1)]);
  press(slider, "PageDown");
  assert.equal(cutRule(), rules[0]);
  const long = shown("very many");
  const texts = long.scene.cuts[1].threshold;
  press(long.slider, "Home");
  press(long.slider, "PageUp");
  assert.equal(long.cutRule(), `${long.scene.up.name} ≤ ${texts[10]}`);
});

test("End on the feature up stays on it", () => {
  const { slider, order, cutRule } = shown("three classes");
  press(slider, "ArrowUp");
  press(slider, "End");
  assert.equal(cutRule(), order[1].at(-1));
  press(slider, "Home");
  assert.equal(cutRule(), order[1][0]);
});

test("b previews the best cut, Escape shows the chosen one", () => {
  const { slider, order, cutRule, best, facts, scene } = shown("a node in focus");
  const held = facts.cuts[scene.chosen[0]][scene.chosen[1]].rule;
  assert.notEqual(held, best.rule);
  press(slider, "b");
  assert.equal(cutRule(), best.rule);
  press(slider, "Escape");
  assert.equal(cutRule(), held);
  press(slider, "B");
  assert.equal(cutRule(), best.rule);
  assert.ok(order[0].length);
});

test("Enter chooses the previewed cut and sends its index among all candidates", () => {
  const { slider, sent, facts, root } = shown("three classes");
  press(slider, "ArrowUp");
  press(slider, "Enter");
  assert.deepEqual(sent, [{ what: "cut", stamp: "now", index: facts.cuts[1][3].index }]);
  assert.equal(root.dataset.held, "1,3");
  press(slider, "ArrowLeft");
  press(slider, " ");
  assert.deepEqual(sent.at(-1), { what: "cut", stamp: "now", index: facts.cuts[0][3].index });
  press(slider, "Enter");
  assert.equal(sent.length, 2); // nothing was looked at but the cut that stays
});

test("keys of the page are left to the page", () => {
  const { slider, cutRule } = shown("three classes");
  const before = cutRule();
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
    assert.ok(!press(slider, "ArrowRight", more).event.defaultPrevented);
  }
  assert.ok(!press(slider, "Tab").event.defaultPrevented);
  present(true);
  for (const key of ["PageUp", "PageDown"]) assert.ok(!press(slider, key).stopped, "a clicker's");
  present(false);
  assert.equal(cutRule(), before);
  assert.ok(press(slider, "ArrowRight").stopped);
});

test("a picture of points alone has no cuts to preview", () => {
  const { scene, cloud } = sceneOf("three classes");
  pictured(cloudPicture, "cloud", { ...cloud, name: "points" });
  const bare = { ...scene, bare: true, description: "24 rows", best: null, chosen: null };
  for (const name of ["cuts", "regions", "lines", "fills", "can", "is_focus_drawn", "in_focus", "values"]) delete bare[name];
  const { root, sent } = pictured(create, "stage", bare);
  const [slider, area] = [root.querySelector(".slider"), root.querySelector(".area")];
  assert.deepEqual([slider.getAttribute("role"), slider.getAttribute("aria-label")], ["img", "24 rows"]);
  for (const key of ["ArrowRight", "b", "Enter", "Home"]) assert.ok(!press(slider, key).event.defaultPrevented);
  for (const type of ["pointermove", "pointerdown", "pointerup", "pointerleave"]) use(area, type, { clientX: 300, clientY: 60 });
  assert.deepEqual(sent, []);
});

test("where cuts cannot be made, keys and pointer preview and send nothing", () => {
  const stage = shown("three classes", { can: { cut: false, focus: false } });
  const before = stage.cutRule();
  press(stage.slider, "ArrowRight");
  const strip = stage.layout.gainStrips[0];
  use(stage.area, "pointermove", { clientX: strip.x + 5, clientY: strip.y + 5 });
  assert.equal(stage.cutRule(), before);
  assert.deepEqual(stage.sent, []);
});

test("the slider has the summary of the previewed cut, and its place among the cuts", () => {
  const stage = shown("bits");
  press(stage.slider, "End");
  const axis = stage.best.cut[0];
  const count = stage.order[axis].length;
  const aria = (name) => stage.slider.getAttribute(`aria-${name}`);
  assert.deepEqual([aria("valuemin"), aria("valuenow"), aria("valuemax")], ["1", String(count), String(count)]);
  assert.equal(aria("valuetext"), summaryText(summaryOf(stage.scene, stage.cloud, [axis, count - 1])));
});

test("over a strip of gains the cut nearest to the pointer is previewed", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  stage.facts.cuts.forEach((cuts, axis) => {
    const strip = layout.gainStrips[axis];
    for (const { rule, threshold } of cuts) {
      for (const off of [-2, 0, 2]) {
        const place = axis === 0 ? { clientX: layout.X(threshold) + off, clientY: strip.y + 9 } : { clientX: strip.x + 9, clientY: layout.Y(threshold) + off };
        use(stage.area, "pointermove", place);
        assert.equal(stage.cutRule(), rule);
      }
    }
  });
  use(stage.area, "pointermove", { clientX: layout.plane.x + 3, clientY: layout.plane.y + 3 });
  assert.equal(stage.cutRule(), stage.best.rule);
});

test("where subsets stand over one another the cut of the nearest dot is previewed, and the handle keeps to the curve", () => {
  for (const name of ["subsets", "subsets asked"]) {
    const stage = shown(name);
    const layout = layoutFor(stage);
    let scattered = 0;
    for (const { cut, rule, index, scattered: apart } of cutsOf(stage)) {
      const [clientX, clientY] = peakPixel(layout, stage.scene, ...cut);
      use(stage.area, "pointermove", { clientX: clientX + 0.3, clientY: clientY - 0.2 });
      assert.equal(stage.cutRule(), rule, name);
      scattered += apart;
      use(stage.area, "pointerdown", { clientX, clientY });
      use(stage.area, "pointerup", { clientX, clientY });
      assert.equal(stage.sent.at(-1).index, index);
      const handle = stage.root.querySelector(".handle");
      assert.equal(handle.hidden, apart);
      if (handle.hidden) continue;
      use(handle, "pointerdown", { clientX, clientY });
      for (const other of stage.facts.cuts[cut[0]].filter(({ scattered: isScattered }) => isScattered)) {
        const i = stage.facts.cuts[cut[0]].indexOf(other);
        const spot = peakPixel(layout, stage.scene, cut[0], i);
        use(handle, "pointermove", { clientX: spot[0], clientY: spot[1] });
        assert.ok(!cutsOf(stage).find((looked) => looked.rule === stage.cutRule()).scattered);
      }
      use(handle, "pointercancel");
    }
    assert.ok(scattered > 10);
  }
});

test("where the page asks for a cut a click in the plane chooses one there, on the axis of the previewed cut", () => {
  const stage = shown("asking");
  const layout = layoutFor(stage);
  const { x, y, w, h } = layout.plane;
  const places = stage.facts.cuts.map((cuts) => cuts[Math.floor(cuts.length / 2)]);
  const [across, up] = [{ clientX: layout.X(places[0].threshold), clientY: y + h / 2 }, { clientX: x + w / 2, clientY: layout.Y(places[1].threshold) }];
  use(stage.area, "pointermove", across);
  assert.equal(stage.cutRule(), places[0].rule);
  use(stage.area, "pointerdown", { ...across, button: 0 });
  use(stage.area, "pointerup", across);
  assert.deepEqual(stage.sent.map(({ what, index }) => [what, index]), [["cut", places[0].index]]);
  const [clientX, clientY] = peakPixel(layout, stage.scene, 1, 0);
  use(stage.area, "pointermove", { clientX, clientY });
  use(stage.area, "pointermove", up);
  assert.equal(stage.cutRule(), places[1].rule);
  const facts = shown("three classes");
  use(facts.area, "pointermove", across);
  assert.equal(facts.cutRule(), facts.best.rule);
});

test("the arrows go on from the last cut of the curve to the scattered subsets, from left to right", () => {
  const { slider, order, cutRule } = shown("subsets");
  press(slider, "Home");
  for (const rule of order[0]) {
    assert.equal(cutRule(), rule);
    press(slider, "ArrowRight");
  }
  assert.equal(cutRule(), order[0].at(-1));
});

test("half-way between two cuts lies the border between them", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  const strip = layout.gainStrips[0];
  const [a, b] = stage.facts.cuts[0];
  const middle = (layout.X(a.threshold) + layout.X(b.threshold)) / 2;
  use(stage.area, "pointermove", { clientX: middle - 1, clientY: strip.y + 9 });
  assert.equal(stage.cutRule(), a.rule);
  use(stage.area, "pointermove", { clientX: middle + 1, clientY: strip.y + 9 });
  assert.equal(stage.cutRule(), b.rule);
});

test("a cut that is dragged and released is chosen and sent to Python", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  const strip = layout.gainStrips[0];
  const over = ({ threshold }) => ({ clientX: layout.X(threshold), clientY: strip.y + 9 });
  const [a, b] = stage.facts.cuts[0];
  use(stage.area, "pointerdown", over(a));
  use(stage.area, "pointermove", { ...over(b), clientY: layout.plane.y + 50 }); // off the strip: still held
  use(stage.area, "pointerup", over(b));
  assert.deepEqual(stage.sent, [{ what: "cut", stamp: "now", index: b.index }]);
  assert.equal(stage.cutRule(), b.rule);
});

test("the handle drags the line, and a mere press on the handle changes nothing", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  const handle = stage.root.querySelector(".handle");
  const [axis, i] = stage.best.cut;
  const { style } = handle;
  const place = (axis === 0 ? layout.X : layout.Y)(stage.facts.cuts[axis][i].threshold);
  assert.ok(near(parseFloat(axis === 0 ? style.left : style.top) + 12, place, 0.1));
  use(handle, "pointerdown", { clientX: 0, clientY: 0 });
  use(handle, "pointerup", { clientX: 0, clientY: 0 });
  assert.deepEqual(stage.sent, []);
  use(handle, "pointerdown", { clientX: 0, clientY: 0 });
  const second = stage.facts.cuts[axis].at(-1);
  use(handle, "pointermove", { clientX: layout.X(second.threshold), clientY: layout.Y(second.threshold) });
  use(handle, "pointerup", { clientX: 0, clientY: 0 });
  assert.deepEqual(stage.sent.map(({ index }) => index), [second.index]);
});

test("a pointer that is cancelled ends the preview", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  use(stage.area, "pointerdown", { clientX: layout.X(stage.facts.cuts[0][0].threshold), clientY: layout.gainStrips[0].y + 9 });
  use(stage.area, "pointercancel");
  assert.equal(stage.cutRule(), stage.best.rule);
  use(stage.area, "pointerup", { clientX: 0, clientY: 0 });
  assert.deepEqual(stage.sent, []);
});

test("a drag that outlives its cuts previews and chooses none", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  const over = { clientX: layout.X(stage.facts.cuts[0][0].threshold), clientY: layout.gainStrips[0].y + 9 };
  use(stage.area, "pointerdown", over);
  const none = { threshold: [], scattered: new Int32Array(), flags: new Uint8Array(), left: new Int32Array(), index: new Int32Array(), score: new Float64Array() };
  stage.show({ ...stage.scene, best: null, chosen: null, cuts: [none, none] });
  use(stage.area, "pointermove", over);
  assert.equal(stage.cutRule(), "");
  use(stage.area, "pointerup", over);
  assert.deepEqual(stage.sent, []);
});

test("the leaf under the pointer is lit, here and elsewhere, and a click focuses it", () => {
  const stage = shown("a node in focus");
  const layout = layoutFor(stage);
  const events = [];
  document.addEventListener("dtviz:hover", ({ detail }) => events.push(detail));
  for (const node of Object.keys(stage.scene.fills)) {
    const [left, right, bottom, top] = boxOf(stage.scene, node);
    const place = { clientX: layout.X((left + right) / 2), clientY: layout.Y((bottom + top) / 2) };
    use(stage.area, "pointermove", place);
    assert.equal(stage.root.dataset.lit, node);
    assert.deepEqual(events.at(-1), { node, from: "stage", beside: false });
    use(stage.area, "pointerdown", place);
    use(stage.area, "pointerup", place);
    assert.deepEqual(stage.sent.at(-1), { what: "focus", node });
  }
  use(stage.area, "pointerleave");
  assert.equal(stage.root.dataset.lit, "");
  assert.deepEqual(events.at(-1), { node: null, from: "stage", beside: false });
});

test("only the main button, pressed and released on the stage, focuses a node", () => {
  const stage = shown("a node in focus");
  const layout = layoutFor(stage);
  const [left, right, bottom, top] = boxOf(stage.scene, Object.keys(stage.scene.fills)[0]);
  const place = { clientX: layout.X((left + right) / 2), clientY: layout.Y((bottom + top) / 2) };
  use(stage.area, "pointerup", place); // the press was elsewhere
  for (const button of [1, 2]) {
    use(stage.area, "pointerdown", { ...place, button });
    use(stage.area, "pointerup", { ...place, button });
  }
  for (const end of ["pointerleave", "pointercancel"]) {
    use(stage.area, "pointerdown", place);
    use(stage.area, end);
    use(stage.area, "pointerup", place);
  }
  assert.deepEqual(stage.sent, []);
});

test("every place, also on a cut, lights its leaf by the engine, or the leaf of the point there", () => {
  let free = 0;
  for (const name of NAMES) {
    const stage = shown(name);
    const layout = layoutFor(stage);
    for (const { x, y, leaf } of [...stage.facts.witnesses, ...stage.facts.on_lines]) {
      const up = stage.scene.form === "plane" ? y : layout.plane.y + 1;
      use(stage.area, "pointermove", { clientX: layout.X(x), clientY: stage.scene.form === "plane" ? layout.Y(up) : up });
      const point = !stage.root.querySelector(".tip").hidden && stage.root.dataset.way;
      const cut = stage.scene.is_asking && leaf === stage.scene.focus; // there a cut is looked at
      assert.equal(stage.root.dataset.lit, cut ? "" : point || leaf, `${name}: ${x}, ${y}`);
      free += point ? 0 : 1;
    }
  }
  assert.ok(free > 300);
  assert.ok(NAMES.some((name) => sceneOf(name).facts.on_lines.length));
});

test("a point at the pointer lights its row path, and a click selects the row and focuses its leaf", () => {
  const stage = shown("a node in focus");
  const layout = layoutFor(stage);
  const events = [];
  document.addEventListener("dtviz:hover", ({ detail }) => events.push(detail));
  const { point_leaves: ends } = stage.scene;
  const leaf = ends.node[ends.leaf[0]];
  const place = { clientX: layout.X(stage.cloud.x[0]), clientY: layout.Y(stage.cloud.y[0]) };
  use(stage.area, "pointermove", place);
  assert.equal(stage.root.dataset.way, leaf);
  assert.deepEqual(events.at(-1), { node: leaf, from: "stage", beside: false, way: true });
  assert.match(stage.root.querySelector(".tip").textContent, /\. Row 1: the tree says /);
  use(stage.area, "pointerdown", place);
  use(stage.area, "pointerup", place);
  assert.deepEqual(stage.sent.at(-1), { what: "row", row: 1, focus: true });
  use(stage.area, "pointerleave");
  assert.equal(stage.root.dataset.way, "");
  assert.deepEqual(events.at(-1), { node: null, from: "stage", beside: false });
});

test("the selected row is lit where no point is at the pointer; a second click deselects it", () => {
  const { point_leaves: ends } = sceneOf("a node in focus").scene;
  const leaf = ends.node[ends.leaf[0]];
  const stage = shown("a node in focus", { row: { node: leaf, number: 1, place: [0, 0] }, focus: leaf });
  const layout = layoutFor(stage);
  assert.equal(stage.root.dataset.way, leaf);
  const place = { clientX: layout.X(stage.cloud.x[0]), clientY: layout.Y(stage.cloud.y[0]) };
  use(stage.area, "pointerdown", place);
  use(stage.area, "pointerup", place);
  assert.deepEqual(stage.sent.at(-1), { what: "row", row: null, focus: true });
});

test("a node lit on another picture is lit on the stage", () => {
  const stage = shown("a node in focus");
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "tree" } }));
  assert.equal(stage.root.dataset.lit, "2");
});

test("a point under the pointer has a text", () => {
  const stage = shown("three classes");
  const layout = layoutFor(stage);
  const [row] = stage.facts.points;
  use(stage.area, "pointermove", { clientX: layout.X(row.x), clientY: layout.Y(row.y) });
  const tip = stage.root.querySelector(".tip");
  assert.ok(!tip.hidden);
  assert.match(tip.textContent, /^(ash|birch|elm): leaf/);
});

test("the text of the point at the pointer follows the tree shown, and goes where the stage is resized", () => {
  const stage = shown("a node in focus");
  const layout = layoutFor(stage);
  const tip = stage.root.querySelector(".tip");
  use(stage.area, "pointermove", { clientX: layout.X(stage.cloud.x[0]), clientY: layout.Y(stage.cloud.y[0]) });
  const before = tip.textContent;
  const { point_leaves: ends } = stage.scene;
  const value = ends.value.map((prediction) => (prediction ? 0 : 1));
  stage.show({ ...stage.scene, stamp: "next", point_leaves: { ...ends, value } });
  assert.ok(!tip.hidden);
  assert.notEqual(tip.textContent, before);
  assert.match(tip.textContent, /\. Row 1: the tree says /);
  stage.area.clientWidth -= 50;
  stage.show({ ...stage.scene, stamp: "last" });
  assert.ok(tip.hidden);
  assert.equal(stage.root.dataset.way, "");
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

test("the saved picture has every row, the classes, the axes, the chosen cut and its summary", async () => {
  for (const name of NAMES.filter((wanted) => wanted !== "very many")) {
    const stage = shown(name);
    const text = await saved(stage.root);
    const { facts, scene } = stage;
    for (const words of [scene.across.name, scene.up.name, ...facts.classes.map(([title]) => title)]) {
      if (!scene.up.lanes || words !== scene.up.name) assert.ok(text.includes(`>${words}</text>`), `${name}: ${words}`);
    }
    for (const colour of new Set(facts.points.map((row) => row.colour))) {
      const rows = facts.points.filter((row) => row.colour === colour).length;
      assert.ok(text.split(`fill="${colour}"`).length > rows, `${name}: ${colour}`);
    }
    if (scene.chosen) {
      const cut = facts.cuts[scene.chosen[0]][scene.chosen[1]];
      assert.ok(text.includes(`>${thresholdText(cut).replace("<", "&lt;")}</text>`), name);
      const summary = summaryText(summaryOf(scene, stage.cloud, scene.chosen));
      assert.ok(text.includes(`>${summary.slice(0, 60)}`), name);
    }
    const [, height, colour] = /<rect x="0" y="0" width="600" height="(\d+)" fill="([^"]+)">/.exec(text);
    assert.ok(scene.chosen ? Number(height) >= layoutFor(stage).height + 26 : Number(height) === layoutFor(stage).height, name);
    assert.equal(colour, scene.colours.paper);
  }
});

test("a preview is not saved, the chosen cut is", async () => {
  const stage = shown("three classes");
  press(stage.slider, "Home");
  assert.notEqual(stage.cutRule(), stage.best.rule);
  assert.ok((await saved(stage.root)).includes(`${stage.best.rule};`));
});

/** The layout of a stage 600 pixels wide. */
function layoutFor({ name }) {
  return sceneOf(name, 600).layout;
}

/** Two stages side by side, and the nodes lit on the second one's screen. */
function twoStages() {
  const stage = shown("a node in focus");
  const lit = [];
  document.addEventListener("dtviz:hover", ({ detail }) => detail.beside && lit.push(detail));
  return { stage, second: shown("a node in focus", { is_second_screen: true }), lit };
}

test("a row at the pointer is lit on the other screen too, with its row path there, until the pointer leaves", () => {
  const { stage, second, lit } = twoStages();
  const layout = layoutFor(stage);
  const { point_leaves: ends } = stage.scene;
  const leaf = ends.node[ends.leaf[0]];
  use(stage.area, "pointermove", { clientX: layout.X(stage.cloud.x[0]), clientY: layout.Y(stage.cloud.y[0]) });
  assert.equal(second.root.dataset.way, leaf);
  assert.deepEqual(lit.at(-1), { node: leaf, from: "stage", beside: true, way: true });
  use(stage.area, "pointerleave");
  assert.equal(second.root.dataset.way, "");
  assert.deepEqual(lit.at(-1), { node: null, from: "stage", beside: true });
});

test("a row lit from the other screen stays lit in the next tree and after a resize, but not on other points", () => {
  const { stage, second, lit } = twoStages();
  const layout = layoutFor(stage);
  const { point_leaves: ends } = stage.scene;
  use(stage.area, "pointermove", { clientX: layout.X(stage.cloud.x[0]), clientY: layout.Y(stage.cloud.y[0]) });
  const children = ends.node.map((leaf) => `${2 * leaf}`);
  second.show({ ...second.scene, stamp: "next", point_leaves: { ...ends, node: children } });
  const leaf = children[ends.leaf[0]];
  assert.deepEqual([second.root.dataset.way, second.root.dataset.lit], [leaf, leaf]);
  assert.deepEqual(lit.at(-1), { node: leaf, from: "stage", beside: true, way: true });
  second.area.clientWidth -= 50;
  second.show({ ...second.scene, stamp: "narrow" });
  assert.deepEqual([stage.root.dataset.way, second.root.dataset.way], [ends.node[ends.leaf[0]], ends.node[ends.leaf[0]]]);
  second.show({ ...second.scene, stamp: "last", cloud: "others" });
  assert.deepEqual(lit.at(-1), { node: null, from: "stage", beside: true });
  assert.equal(stage.root.dataset.way, ends.node[ends.leaf[0]]);
});

test("a node that is lit from elsewhere stays lit after a resize", () => {
  const stage = shown("a node in focus");
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "tree" } }));
  stage.area.clientWidth -= 50;
  stage.show({ ...stage.scene, stamp: "narrow" });
  assert.equal(stage.root.dataset.lit, "2");
});

test("a row that the other screen does not draw lights nothing there", () => {
  const { second } = twoStages();
  document.dispatchEvent(new CustomEvent("dtviz:row", { detail: { row: 10 ** 6, beside: false } }));
  assert.equal(second.root.dataset.way, "");
});

test("a region or a node is lit on its own screen alone", () => {
  const { stage, second } = twoStages();
  document.dispatchEvent(new CustomEvent("dtviz:hover", { detail: { node: "2", from: "tree", beside: false } }));
  assert.deepEqual([stage.root.dataset.lit, second.root.dataset.lit], ["2", ""]);
  const layout = layoutFor(stage);
  const free = Object.keys(stage.scene.fills)[0];
  const [left, right, bottom, top] = boxOf(stage.scene, free);
  use(second.area, "pointermove", { clientX: layout.X((left + right) / 2), clientY: layout.Y((bottom + top) / 2) });
  assert.deepEqual([stage.root.dataset.lit, second.root.dataset.lit], ["2", free]);
});

test("events of the other screen carry its mark", () => {
  const { second } = twoStages();
  const layout = layoutFor(second);
  const place = { clientX: layout.X(second.cloud.x[0]), clientY: layout.Y(second.cloud.y[0]) };
  for (const type of ["pointermove", "pointerdown", "pointerup"]) use(second.area, type, place);
  assert.deepEqual(second.sent, [{ what: "row", row: 1, focus: true, beside: true }]);
});
