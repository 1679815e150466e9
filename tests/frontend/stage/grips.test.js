import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { thresholdOf } from "../../../dtviz/frontend/stage/sides.js";
import { scoreAt } from "../../../dtviz/frontend/stage/level_curves.js";
import { linear } from "../../../dtviz/frontend/draw/scales.js";
import { eventOf, sendDrawnCut, drawnCutEdges, drawnCutOf, moveCorner, rotate, valueAt } from "../../../dtviz/frontend/stage/grips.js";
import { near, sceneOf } from "../scenes.js";

const LINE = { kind: "line", corners: [[0, 1], [2, 3]] };
const CIRCLE = { kind: "circle", corners: [[1, 1], [3, 1]] };

test("a pixel is the value that is drawn there", () => {
  const { layout } = sceneOf("a line");
  const [x, y] = valueAt(layout, layout.X(0.3), layout.Y(7));
  assert.ok(near(x, 0.3, 1e-9) && near(y, 7, 1e-9));
});

test("the grip of a line's end moves this end alone; that of a centre moves the rim too", () => {
  assert.deepEqual(moveCorner(LINE, 0, [9, 9]).corners, [[9, 9], [2, 3]]);
  assert.deepEqual(moveCorner(LINE, 1, [9, 9]).corners, [[0, 1], [9, 9]]);
  assert.deepEqual(moveCorner(CIRCLE, 0, [2, 4]).corners, [[2, 4], [4, 4]]);
  assert.deepEqual(moveCorner(CIRCLE, 1, [1, 5]).corners, [[1, 1], [1, 5]]);
});

test("a line rotates about its middle, on the screen", () => {
  const layout = { X: linear(0, 10, 0, 100), Y: linear(0, 10, 100, 0) };
  const quarter = rotate({ kind: "line", corners: [[0, 5], [4, 5]] }, layout, Math.PI / 2);
  assert.ok(quarter.corners.flat().every((value, k) => near(value, [2, 7, 2, 3][k], 1e-9)));
});

test("the event of a drawn cut has the ends of a line, or the centre and the rim of a circle", () => {
  assert.deepEqual(eventOf(LINE), { what: "line", start: [0, 1], end: [2, 3], more: false });
  assert.deepEqual(eventOf(CIRCLE, true), { what: "circle", centre: [1, 1], rim: [3, 1], more: true });
});

test("the grips of a cut stand on its two ends, or on its centre and its rim", () => {
  for (const name of ["a line", "a line in a part", "a circle", "a circle in a part"]) {
    const { scene } = sceneOf(name);
    const { kind, corners } = drawnCutOf(scene, scene.chosen);
    const limit = thresholdOf(scene, scene.chosen);
    const on = (corner) => near(scoreAt(scene.slant.form, ...corner), limit, 0.005 * Math.abs(limit) + 1e-9);
    assert.equal(kind, name.includes("line") ? "line" : "circle");
    assert.ok(on(corners[1]) && (kind === "circle" || on(corners[0])), name);
    if (kind === "circle") assert.deepEqual(corners[0], scene.slant.form.slice(5));
  }
});

test("a cut of one feature is a line too, unless lines do not compete", () => {
  const { scene } = sceneOf("three classes");
  assert.equal(drawnCutOf(scene, [0, 1]).corners[0][0], drawnCutOf(scene, [0, 1]).corners[1][0]);
  assert.equal(drawnCutOf({ ...scene, can: { ...scene.can, line: false } }, [0, 1]), null);
  const { scene: round } = sceneOf("a circle");
  assert.equal(drawnCutOf({ ...round, can: { ...round.can, circle: false } }, round.chosen), null);
});

test("a drawn cut runs through both its corners, to the rim of the plane", () => {
  const { scene } = sceneOf("a line");
  const middle = [scene.across.low / 2 + scene.across.high / 2, scene.up.low / 2 + scene.up.high / 2];
  const other = [middle[0] + 0.1, middle[1] + 0.2];
  const [line] = drawnCutEdges(scene, { kind: "line", corners: [middle, other] });
  const slope = (line[3] - line[1]) / (line[2] - line[0]);
  assert.ok(near(slope, 2, 1e-6) && near(line[1] + slope * (middle[0] - line[0]), middle[1], 1e-6));
  const [round] = drawnCutEdges(sceneOf("a circle").scene, { kind: "circle", corners: [middle, other] });
  assert.ok(round.length > 20);
});

test("a drawn cut is sent again only once Python has answered", () => {
  const sent = [];
  const host = { pending: [], send: (act) => sent.push(act) };
  const stage = { drawnCut: LINE, isDrawnSent: false, host };
  sendDrawnCut(stage);
  sendDrawnCut({ ...stage, host: { ...host, pending: [{ what: "line" }] } });
  sendDrawnCut({ ...stage, drawnCut: null });
  sendDrawnCut(stage);
  assert.deepEqual(sent, [eventOf(LINE), eventOf(LINE, true)]); // the second is more of the same change
});
