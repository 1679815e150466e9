import assert from "node:assert/strict";
import test from "node:test";

import { headline, panelTitle, shownTree } from "../../../dtviz/frontend/overfit/words.js";
import { eachCockpit, cockpitOf } from "../cockpits.js";

const size = ({ leaves, height }) =>
  `${leaves} ${leaves === 1 ? "leaf" : "leaves"}, height ${height}`;

test("the headline of the tree on screen has the engine's size and errors", () => {
  for (const { frame, engine } of eachCockpit()) {
    const tree = shownTree({ frame, preview: null });
    const folds = `${engine.folds && tree.curvePlace >= 0 ? `; 4-fold mean ${engine.folds.said[tree.curvePlace]}` : ""}; ${engine.baseline.said}`;
    assert.equal(headline(frame, tree), `${frame.curve.setting_text}: ${size(engine.now)}${folds}`);
    assert.deepEqual(frame.panels.map((_, k) => panelTitle(frame, k, tree.drawnFigures)), engine.now.said);
    assert.equal(tree.curvePlace, frame.curve.place);
  }
});

test("the headline of each place of the curve has the size and errors of a tree fitText there", () => {
  for (const { frame, engine, name } of eachCockpit()) {
    engine.curve.forEach((expected, place) => {
      const preview = { control: "curve", rule: frame.curve.rule, value: frame.curve.values[place] };
      const tree = shownTree({ frame, preview });
      assert.deepEqual([tree.line, tree.place, tree.curvePlace], [frame.curve, place, place]);
      const folds = `${engine.folds ? `; 4-fold mean ${engine.folds.said[place]}` : ""}; ${engine.baseline.said}`;
      const undrawn = frame.curve.masks.length ? "" : `; ${expected.said.join("; ")}; drawn once you choose it`;
      assert.equal(headline(frame, tree), `${frame.curve.name} ${expected.label}: ${size(expected)}${folds}${undrawn}`, `${name}: ${place}`);
      assert.deepEqual(frame.panels.map((_, k) => panelTitle(frame, k, tree.figures)), expected.said);
    });
  }
});

test("the headline of each place of a slider has the size and errors of a tree fitText there", () => {
  for (const { frame, engine, name } of eachCockpit()) {
    const dial = frame.dials.find(({ rule }) => rule === "ccp_alpha");
    engine.dial.forEach((expected, place) => {
      const tree = shownTree({ frame, preview: { control: "dial", rule: dial.rule, value: dial.values[place] } });
      const folds = `${tree.curvePlace >= 0 && engine.folds ? `; 4-fold mean ${engine.folds.said[tree.curvePlace]}` : ""}; ${engine.baseline.said}`;
      assert.equal(headline(frame, tree), `Prune up to ${expected.label}: ${size(expected)}${folds}`, `${name}: ${place}`);
      assert.deepEqual(frame.panels.map((_, k) => panelTitle(frame, k, tree.drawnFigures)), expected.said);
      assert.equal(tree.curvePlace, frame.curve.rule === "ccp_alpha" ? place : -1);
    });
  }
});

test("values of the slider of the curve's rule have a place on the curve, those above its last value the last", () => {
  const { frame } = cockpitOf("by depth");
  const { curve } = frame;
  const curvePlaceOf = (value) => {
    const dial = frame.dials.find(({ rule }) => rule === "max_depth");
    Object.assign(dial, { values: [...curve.values, 50, null], leaves: Int32Array.from([...curve.leaves, curve.leaves.at(-1), curve.leaves.at(-1)]) });
    return shownTree({ frame, preview: { control: "dial", rule: "max_depth", value } }).curvePlace;
  };
  curve.values.forEach((value, place) => assert.equal(curvePlaceOf(value), place));
  assert.equal(curvePlaceOf(50), curve.values.length - 1);
  assert.equal(curvePlaceOf(null), curve.values.length - 1);
});

test("a slider's tree that is not on the curve has no place there", () => {
  const { frame } = cockpitOf("by depth");
  const dial = frame.dials.find(({ rule }) => rule === "max_depth");
  dial.leaves[3] -= 1; // pruned
  assert.equal(shownTree({ frame, preview: { control: "dial", rule: "max_depth", value: dial.values[3] } }).curvePlace, -1);
});

test("a slider without trees shows no figures, unless the curve has them", () => {
  const { frame } = cockpitOf("by depth");
  const tree = shownTree({ frame, preview: { control: "dial", rule: "min_samples_leaf", value: 5 } });
  assert.equal(headline(frame, tree), "Smallest leaf 5: another tree, drawn once you choose it");
  assert.equal(tree.drawnFigures, frame.figures);
  const { frame: sizes, engine } = cockpitOf("by leaf size");
  const shown = shownTree({ frame: sizes, preview: { control: "dial", rule: "min_samples_leaf", value: 5 } });
  const { leaves, height } = engine.curve.find(({ value }) => value === 5);
  assert.deepEqual([shown.figures.leaves, shown.figures.height], [leaves, height]);
  assert.equal(shown.drawnFigures, sizes.figures);
});

test("a preview whose value is gone shows the tree of the frame", () => {
  const { frame } = cockpitOf("by depth");
  for (const preview of [{ control: "curve", rule: "max_depth", value: 99 }, { control: "dial", rule: "gone", value: 1 }]) {
    const tree = shownTree({ frame, preview });
    assert.deepEqual([tree.line, tree.figures], [null, frame.figures]);
  }
});

test("a count of wrong rows is a whole number, whatever the share", () => {
  const { frame } = cockpitOf("by depth");
  for (let rows = 1; rows < 60; rows++) {
    for (let wrong = 0; wrong <= rows; wrong++) {
      frame.panels[0].rows = rows;
      assert.ok(panelTitle(frame, 0, { errors: [wrong / rows, 0] }).startsWith(`Training: ${wrong} of ${rows} wrong`));
    }
  }
});

test("a panel without rows says so", () => {
  const { frame } = cockpitOf("by depth");
  frame.panels[1].rows = 0;
  assert.equal(panelTitle(frame, 1, frame.figures), "Held out: no rows");
});
