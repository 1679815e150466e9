import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { peakPixel } from "../../../dtviz/frontend/stage/axes.js";
import { layoutOf } from "../../../dtviz/frontend/stage/layout.js";
import { create } from "../../../dtviz/frontend/stage/stage.js";
import { noProposal, withAxis, withCut, withPlace } from "../../../dtviz/frontend/stage/proposal.js";
import { proposalAt } from "../../../dtviz/frontend/stage/steer.js";
import { sceneOf } from "../scenes.js";

mock.timers.enable({ apis: ["setTimeout"] });
window.matchMedia = (query) => ({ matches: query.includes("reduced-motion") }); // only a finger tells of a phone here

/** A stage that asks for a cut, with its buttons and the middle cut of each axis. */
function asking(name = "asking") {
  const example = sceneOf(name);
  pictured(cloudPicture, "cloud", { ...example.cloud, name: "points" });
  const { root, sent, show } = pictured(create, "stage", example.scene);
  const layout = layoutOf(root.querySelector(".area").clientWidth, example.scene, (text) => 6 * text.length);
  const middles = example.facts.cuts.map((cuts) => cuts[Math.floor(cuts.length / 2)]);
  const lines = root.querySelectorAll(".lines button");
  return { ...example, layout, middles, root, sent, show, lines, area: root.querySelector(".area"), panel: root.querySelector(".proposal"), reveal: root.querySelector(".reveal") };
}

/** Where the middle cuts of both axes cross. */
const crossing = ({ layout, middles: [across, up] }) => ({ clientX: layout.X(across.threshold), clientY: layout.Y(up.threshold) });
const FINGER = { pointerType: "touch", button: 0 };
const tap = (area, place) => { for (const type of ["pointerdown", "pointerup", "pointerleave"]) use(area, type, { ...place, ...FINGER }); };
const pressed = ({ lines }) => lines.slice(0, 2).map((line) => line.getAttribute("aria-pressed"));

test("a place of the plane proposes the nearest cut of each axis, and no axis until one is chosen", () => {
  const cuts = [[0, 3], [1, 5]];
  const first = withPlace(noProposal(), (axis) => cuts[axis]);
  assert.deepEqual(first, { cuts: [[0, 3], [1, 5], null], axis: null });
  const chosen = withAxis(null, first, 1);
  assert.deepEqual(chosen, { ...first, axis: 1 });
  assert.deepEqual(withPlace(chosen, (axis) => [axis, 7]), { cuts: [[0, 7], [1, 7], null], axis: 1 });
  assert.deepEqual(withPlace(noProposal(), (axis) => (axis ? null : [0, 2])), { cuts: [[0, 2], null, null], axis: 0 });
});

test("a dot beside the plane chooses its axis, and an axis without a tap its middle cut", () => {
  const { scene, layout } = asking();
  const proposal = withPlace(noProposal(), (axis) => [axis, 0]);
  const [x, y] = peakPixel(layout, scene, 1, 1);
  assert.deepEqual(proposalAt({ layout, scene, proposal }, 1, x, y), withCut(proposal, [1, 1]));
  const middle = Math.floor((scene.cuts[0].threshold.length - 1) / 2);
  assert.deepEqual(withAxis(scene, noProposal(), 0), { cuts: [[0, middle], null, null], axis: 0 });
});

test("a finger proposes two lines, chooses one, moves both, and only the last button sends a cut", () => {
  const stage = asking();
  assert.ok(stage.panel.hidden);
  tap(stage.area, crossing(stage));
  assert.deepEqual(stage.lines.slice(0, 2).map((line) => line.textContent), stage.middles.map(({ rule }) => rule));
  assert.deepEqual([stage.panel.hidden, stage.lines[2].hidden, stage.reveal.disabled, stage.root.dataset.cut], [false, true, true, ""]);
  use(stage.lines[1], "click");
  assert.deepEqual([pressed(stage), stage.root.dataset.cut, stage.reveal.disabled], [["false", "true"], stage.middles[1].rule, false]);
  const [first] = stage.facts.cuts.map((cuts) => cuts[0]);
  use(stage.area, "pointerdown", { ...crossing(stage), ...FINGER });
  use(stage.area, "pointermove", { ...crossing(stage), clientX: stage.layout.X(first.threshold), ...FINGER });
  use(stage.area, "pointercancel", FINGER);
  assert.deepEqual([stage.lines[0].textContent, pressed(stage)], [first.rule, ["false", "true"]]);
  press(stage.root.querySelector(".slider"), "ArrowRight");
  assert.deepEqual(pressed(stage), ["true", "false"], "keys choose an axis as well");
  use(stage.lines[1], "click");
  assert.deepEqual(stage.sent, []);
  use(stage.reveal, "click");
  assert.deepEqual(stage.sent.map(({ what, index }) => [what, index]), [["cut", stage.middles[1].index]]);
});

test("a mouse after a finger hovers and chooses with one click", () => {
  const stage = asking();
  tap(stage.area, crossing(stage));
  for (const type of ["pointermove", "pointerdown", "pointerup"]) use(stage.area, type, { ...crossing(stage), pointerType: "mouse", button: 0 });
  assert.ok(stage.panel.hidden);
  assert.deepEqual(stage.sent.map(({ index }) => index), [stage.middles[0].index]);
});
