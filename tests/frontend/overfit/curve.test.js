import assert from "node:assert/strict";
import test from "node:test";

import { drawCurve, drawPlace, layOutCurve } from "../../../dtviz/frontend/overfit/curve.js";
import { calls, recorder, texts } from "../pen.js";
import { cockpitOf, eachCockpit } from "../cockpits.js";
import { middleOf, near } from "../scenes.js";

const ALL = eachCockpit();

test("places stand at equal distances from left to right, errors from bottom to top", () => {
  for (const { layout, engine } of ALL) {
    assert.equal(layout.X.count, engine.curve.length);
    assert.ok(near(layout.Y(0), layout.plane.y + layout.plane.h));
    for (const { errors } of engine.curve) {
      for (const error of errors) assert.ok(layout.Y(error) <= layout.Y(0) && layout.Y(error) >= layout.plane.y - 0.01);
    }
    assert.ok(layout.Y(0.1) < layout.Y(0));
    const gaps = engine.curve.slice(1).map((_, k) => layout.X(k + 1) - layout.X(k));
    assert.ok(gaps.every((gap) => near(gap, layout.plane.w / layout.X.count)));
  }
});

test("a pixel gives the nearest place", () => {
  for (const { layout } of ALL) {
    for (let k = 0; k < layout.X.count; k++) {
      for (const offset of [-0.45, 0, 0.45]) assert.equal(layout.X.invert(layout.X(k) + offset * layout.X.step), k);
    }
    assert.equal(layout.X.invert(-50), 0);
    assert.equal(layout.X.invert(9999), layout.X.count - 1);
  }
});

/** Draws a curve; the pen, and the strokes of its lines. */
function lines({ layout, frame }) {
  const pen = recorder();
  drawCurve(pen, layout, frame);
  return { pen, strokes: calls(pen, "stroke").filter(({ path, lineWidth }) => path.length > 1 && [1.4, 2, 2.4].includes(lineWidth) && path[0][0] === "moveTo") };
}

test("training errors are drawn muted, held-out errors in the accent, both as the engine has them", () => {
  for (const cockpit of ALL) {
    const { frame, layout, engine } = cockpit;
    const { strokes } = lines(cockpit);
    for (const [k, colour, width] of [[0, frame.colours.muted, 2], [1, frame.colours.accent, 2.4]]) {
      const line = strokes.find(({ strokeStyle, lineWidth, path }) => strokeStyle === colour && lineWidth === width && path.length === engine.curve.length);
      line.path.forEach(([, x, y], place) => {
        assert.ok(near(x, layout.X(place)) && near(y, layout.Y(engine.curve[place].errors[k]), 0.01), `${cockpit.name}: ${place}`);
      });
    }
  }
});

test("the mean of the folds is dashed, with its spread to both sides", () => {
  for (const cockpit of ALL.filter(({ engine }) => engine.folds)) {
    const { frame, layout, engine } = cockpit;
    const { pen, strokes } = lines(cockpit);
    const mean = strokes.find(({ dash, path }) => String(dash) === "5,4" && path.length === layout.X.count);
    mean.path.forEach(([, , y], place) => assert.ok(near(y, layout.Y(engine.folds.mean[place]))));
    const band = calls(pen, "fill").find(({ globalAlpha }) => globalAlpha === 0.09);
    engine.folds.mean.forEach((middle, place) => {
      const { spread } = engine.folds;
      const lower = band.path[2 * layout.X.count - 1 - place];
      assert.ok(near(band.path[place][2], layout.Y(middle + spread[place])));
      assert.ok(near(lower[2], layout.Y(Math.max(middle - spread[place], 0))));
      assert.ok(near(band.path[place][1], layout.X(place)) && near(lower[1], layout.X(place)));
    });
    assert.equal(band.fillStyle, frame.colours.ink);
  }
});

test("the star stands on the folds' least mean, the diamond within a standard error of it", () => {
  for (const cockpit of ALL.filter(({ engine }) => engine.folds)) {
    const { layout, engine, frame } = cockpit;
    const { pen } = lines(cockpit);
    const marks = calls(pen, "fill").filter(({ path }) => path.length === 11 || (path.length === 5 && path[0][0] === "moveTo"));
    const star = marks.findLast(({ path }) => path.length === 11);
    const diamond = marks.findLast(({ path }) => path.length === 5);
    const [x, y] = middleOf(star.path);
    const place = layout.X.invert(x);
    assert.equal(engine.folds.mean[place], engine.folds.least);
    assert.ok(near(y, layout.Y(engine.folds.least), 2));
    assert.equal(diamond === undefined, frame.curve.simplest_place === frame.curve.best_place);
    const [dx, dy] = middleOf((diamond ?? star).path);
    const simple = layout.X.invert(dx);
    assert.ok(near(dy, layout.Y(engine.folds.mean[simple]), 2));
    assert.ok(engine.folds.mean[simple] <= engine.folds.least + engine.folds.spread[place] + 1e-12);
    assert.ok(engine.curve[simple].leaves <= engine.curve[place].leaves);
  }
});

test("the axis ends just above the curves, whatever the baseline", () => {
  for (const { layout, engine, frame } of ALL) {
    const folds = engine.folds ? engine.folds.mean.map((mean, k) => mean + engine.folds.spread[k]) : [];
    const highest = Math.max(...engine.curve.flatMap(({ errors }) => errors), ...engine.now.errors, ...folds);
    assert.ok(near(layout.Y(1.06 * highest), layout.plane.y, 0.01));
    const stretched = layOutCurve({ width: 500, height: 400 }, { ...frame, baseline: 99 * highest }, recorder());
    assert.equal(stretched.Y(highest), layout.Y(highest));
  }
});

test("a baseline above the axis is written with its value at the end of the axis, without a line", () => {
  for (const { layout, frame, engine } of ALL) {
    const error = frame.percent ? 0.95 : 10 * engine.baseline.error;
    const high = { ...frame, baseline: Math.max(error, engine.baseline.error) };
    assert.ok(layout.Y(high.baseline) < layout.plane.y);
    const pen = recorder();
    drawCurve(pen, layout, high);
    const { args: [text, , y] } = calls(pen, "fillText").find(({ args: [label] }) => label.startsWith("one answer"));
    assert.match(text, frame.percent ? /^one answer 95\s% ↑$/ : /^one answer [\d.]+ ↑$/);
    assert.equal(y, layout.plane.y);
    assert.ok(!calls(pen, "stroke").some(({ path }) => path.some((step) => near(step[2], layout.Y(high.baseline)))));
  }
});

test("a baseline among the curves is a thin named line over all places, at its error", () => {
  for (const cockpit of ALL) {
    const { layout } = cockpit;
    const y = layout.plane.y + layout.plane.h / 2;
    cockpit.frame.baseline = (layout.Y(0) - y) / (layout.Y(0) - layout.Y(1));
    assert.ok(near(layout.Y(cockpit.frame.baseline), y));
    const { pen } = lines(cockpit);
    const line = calls(pen, "stroke").find(({ path, lineWidth }) => lineWidth === 1 && path.every((step) => near(step[2], y, 0.001)));
    assert.deepEqual(line.path.map(([, x]) => x), [layout.plane.x, layout.plane.x + layout.plane.w]);
    const name = calls(pen, "fillText").find(({ args: [text] }) => text === "one answer");
    assert.ok(name.args[2] > y && name.args[1] > layout.plane.x && name.args[1] < layout.plane.x + layout.plane.w);
  }
  const { layout, frame } = cockpitOf("by depth");
  const { baseline, ...frameWithoutBaseline } = frame;
  const pen = recorder();
  drawCurve(pen, layout, frameWithoutBaseline);
  assert.ok(!texts(pen).includes("one answer"), `none without rows to judge by, ${baseline}`);
});

test("the legend names what is drawn, and the folds only where there are any", () => {
  const legendOf = (name) => texts(lines(cockpitOf(name)).pen);
  for (const text of ["training", "held out", "4-fold mean", "least", "one standard error"]) assert.ok(legendOf("by depth").includes(text));
  assert.ok(!legendOf("without folds").includes("least"));
  const { layout, frame } = cockpitOf("by depth");
  const pen = recorder();
  drawCurve(pen, layout, { ...frame, curve: { ...frame.curve, simplest_place: frame.curve.best_place } });
  assert.ok(texts(pen).includes("least") && !texts(pen).includes("one standard error"), "under the star");
  const countFills = (recording) => calls(recording, "fill").length;
  assert.equal(countFills(lines(cockpitOf("by depth")).pen) - countFills(pen), 2, "one shape less in the picture and in the legend");
});

test("values are written below their places, the rule below them", () => {
  for (const { layout, frame, engine } of ALL) {
    const pen = recorder();
    drawCurve(pen, layout, frame);
    const writing = calls(pen, "fillText");
    const labels = writing.filter(({ args: [, , y] }) => near(y, layout.plane.y + layout.plane.h + 7));
    assert.ok(labels.length >= 2);
    for (const { args: [text, x] } of labels) assert.equal(text, engine.curve[layout.X.invert(x)].label);
    assert.equal(labels.at(-1).args[0], engine.curve.at(-1).label);
    const { title, mean, best_place: best, simplest_place: simplest } = frame.curve;
    const legendTexts = 2 + (mean ? 2 : 0) + (mean && simplest !== best ? 1 : 0); // of the legend, after it
    assert.ok(title.startsWith(writing.at(-1 - legendTexts).args[0].replace("…", "")));
  }
});

test("shares of wrong rows are written in per cent, squared errors and costs as they are", () => {
  const per = cockpitOf("by depth").layout;
  for (const { value, text } of per.yTicks) assert.equal(text, `${Math.round(100 * value)} %`);
  for (const name of ["by alpha", "of costs"]) {
    for (const { value, text } of cockpitOf(name).layout.yTicks) assert.ok(near(Number(text), value));
  }
});

test("the shown place has a line and a dot at both errors", () => {
  const { layout, frame, engine } = cockpitOf("by depth");
  for (const [place, { errors }] of engine.curve.entries()) {
    const pen = recorder();
    drawPlace(pen, layout, frame, place, errors);
    const [line] = calls(pen, "stroke");
    assert.ok(line.path.every(([, x]) => near(x, layout.X(place))));
    assert.deepEqual(line.path.map(([, , y]) => Math.round(y)), [layout.plane.y - 4, layout.plane.y + layout.plane.h].map(Math.round));
    const dots = calls(pen, "fill").filter(({ path }) => path[0][0] === "arc");
    assert.deepEqual(dots.map(({ fillStyle }) => fillStyle), [frame.colours.muted, frame.colours.accent]);
    dots.forEach(({ path: [[, x, y]] }, k) => assert.ok(near(x, layout.X(place)) && near(y, layout.Y(errors[k]))));
  }
});

test("a tree without a place on the curve has two level lines", () => {
  const { layout, frame, engine } = cockpitOf("pruned");
  const pen = recorder();
  drawPlace(pen, layout, frame, -1, engine.now.errors);
  const levels = calls(pen, "stroke");
  assert.deepEqual(levels.map(({ strokeStyle }) => strokeStyle), [frame.colours.muted, frame.colours.accent]);
  levels.forEach(({ path, dash }, k) => {
    assert.equal(String(dash), "2,4");
    for (const [, , y] of path) assert.ok(near(y, Math.max(layout.Y(engine.now.errors[k]), layout.plane.y)));
  });
});

test("errors that are NaN or null are not drawn", () => {
  const { frame } = cockpitOf("by depth");
  frame.curve.held_out_error.fill(Number.NaN);
  const layout = layOutCurve({ width: 500, height: 400 }, frame, recorder());
  const pen = recorder();
  drawCurve(pen, layout, frame);
  drawPlace(pen, layout, frame, 1, [0.1, null]);
  drawPlace(pen, layout, frame, -1, [0.1, null]);
  for (const { path, args } of pen.log) {
    for (const value of [...path.flat(), ...args]) assert.ok(typeof value !== "number" || Number.isFinite(value));
  }
});
