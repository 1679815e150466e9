import assert from "node:assert/strict";
import test from "node:test";

import { looked, panelWords, told as words } from "../../../dtviz/frontend/overfit/words.js";
import { eachCockpit, cockpitOf } from "../cockpits.js";

const size = ({ leaves, height, nodes }) =>
  `${leaves} ${leaves === 1 ? "leaf" : "leaves"}, height ${height}, ${nodes} ${nodes === 1 ? "node" : "nodes"}`;

test("the tree on screen is told with the engine's size and errors", () => {
  for (const { frame, told } of eachCockpit()) {
    const seen = looked({ frame, preview: null });
    const folds = `${told.folds && seen.at >= 0 ? `; 4-fold mean ${told.folds.said[seen.at]}` : ""}; ${told.baseline.said}`;
    assert.equal(words(frame, seen), `${frame.curve.now}: ${size(told.now)}${folds}`);
    assert.deepEqual(frame.panels.map((_, k) => panelWords(frame, k, seen.drawn)), told.now.said);
    assert.equal(seen.at, frame.curve.at);
  }
});

test("every place of the curve is told with the size and errors of a tree fitted there", () => {
  for (const { frame, told, name } of eachCockpit()) {
    told.curve.forEach((tree, place) => {
      const preview = { of: "curve", rule: frame.curve.rule, value: frame.curve.values[place] };
      const seen = looked({ frame, preview });
      assert.deepEqual([seen.line, seen.place, seen.at], [frame.curve, place, place]);
      const folds = `${told.folds ? `; 4-fold mean ${told.folds.said[place]}` : ""}; ${told.baseline.said}`;
      const other = frame.curve.masks.length ? "" : `; ${tree.said.join("; ")}; drawn once you choose it`;
      assert.equal(words(frame, seen), `${frame.curve.words} ${tree.label}: ${size(tree)}${folds}${other}`, `${name}: ${place}`);
      assert.deepEqual(frame.panels.map((_, k) => panelWords(frame, k, seen.now)), tree.said);
    });
  }
});

test("every place of a slider is told with the size and errors of a tree fitted there", () => {
  for (const { frame, told, name } of eachCockpit()) {
    const dial = frame.dials.find(({ rule }) => rule === "ccp_alpha");
    told.dial.forEach((tree, place) => {
      const seen = looked({ frame, preview: { of: "dial", rule: dial.rule, value: dial.values[place] } });
      const folds = `${seen.at >= 0 && told.folds ? `; 4-fold mean ${told.folds.said[seen.at]}` : ""}; ${told.baseline.said}`;
      assert.equal(words(frame, seen), `Prune up to ${tree.label}: ${size(tree)}${folds}`, `${name}: ${place}`);
      assert.deepEqual(frame.panels.map((_, k) => panelWords(frame, k, seen.drawn)), tree.said);
      assert.equal(seen.at, frame.curve.rule === "ccp_alpha" ? place : -1);
    });
  }
});

test("the slider of the curve's rule stands on the curve, above its last value at its end", () => {
  const { frame } = cockpitOf("by depth");
  const { curve } = frame;
  const at = (value) => {
    const dial = frame.dials.find(({ rule }) => rule === "max_depth");
    Object.assign(dial, { values: [...curve.values, 50, null], leaves: Int32Array.from([...curve.leaves, curve.leaves.at(-1), curve.leaves.at(-1)]) });
    return looked({ frame, preview: { of: "dial", rule: "max_depth", value } }).at;
  };
  curve.values.forEach((value, place) => assert.equal(at(value), place));
  assert.equal(at(50), curve.values.length - 1);
  assert.equal(at(null), curve.values.length - 1);
});

test("a slider whose tree is not the curve's stands nowhere on it", () => {
  const { frame } = cockpitOf("by depth");
  const dial = frame.dials.find(({ rule }) => rule === "max_depth");
  dial.leaves[3] -= 1; // pruned
  assert.equal(looked({ frame, preview: { of: "dial", rule: "max_depth", value: dial.values[3] } }).at, -1);
});

test("a slider without trees has none to tell, unless the curve has them", () => {
  const { frame } = cockpitOf("by depth");
  const seen = looked({ frame, preview: { of: "dial", rule: "min_samples_leaf", value: 5 } });
  assert.equal(words(frame, seen), "Smallest leaf 5: another tree, drawn once you choose it");
  assert.equal(seen.drawn, frame.now);
  const { frame: sizes, told } = cockpitOf("by leaf size");
  const known = looked({ frame: sizes, preview: { of: "dial", rule: "min_samples_leaf", value: 5 } });
  const tree = told.curve.find(({ value }) => value === 5);
  assert.deepEqual([known.now.leaves, known.now.height], [tree.leaves, tree.height]);
  assert.equal(known.drawn, sizes.now);
});

test("a preview whose value is gone shows the tree as it is", () => {
  const { frame } = cockpitOf("by depth");
  for (const preview of [{ of: "curve", rule: "max_depth", value: 99 }, { of: "dial", rule: "gone", value: 1 }]) {
    const seen = looked({ frame, preview });
    assert.deepEqual([seen.line, seen.now], [null, frame.now]);
  }
});

test("wrong rows are counted whole, whatever their share", () => {
  const { frame } = cockpitOf("by depth");
  for (let rows = 1; rows < 60; rows++) {
    for (let wrong = 0; wrong <= rows; wrong++) {
      frame.panels[0].rows = rows;
      assert.ok(panelWords(frame, 0, { errors: [wrong / rows, 0] }).startsWith(`Training: ${wrong} of ${rows} wrong`));
    }
  }
});

test("a panel without rows says so", () => {
  const { frame } = cockpitOf("by depth");
  frame.panels[1].rows = 0;
  assert.equal(panelWords(frame, 1, frame.now), "Held out: no rows");
});
