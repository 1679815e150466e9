import assert from "node:assert/strict";
import test from "node:test";

import { curveLayout, drawCurve, drawPlace, placeAt } from "../../../dtviz/frontend/overfit/curve.js";
import { calls, recorder, texts } from "../pen.js";
import { cockpitOf, eachCockpit } from "../cockpits.js";
import { middleOf, near } from "../scenes.js";

const ALL = eachCockpit();

test("places stand at equal distances from left to right, errors from bottom to top", () => {
  for (const { at, told } of ALL) {
    assert.equal(at.many, told.curve.length);
    assert.ok(near(at.Y(0), at.plane.y + at.plane.h));
    for (const { errors } of told.curve) {
      for (const error of errors) assert.ok(at.Y(error) <= at.Y(0) && at.Y(error) >= at.plane.y - 0.01);
    }
    assert.ok(at.Y(0.1) < at.Y(0));
    const gaps = told.curve.map((_, k) => at.X(k + 1) - at.X(k));
    assert.ok(gaps.every((gap) => near(gap, at.plane.w / at.many)));
  }
});

test("the place under a pixel is the nearest one", () => {
  for (const { at } of ALL) {
    for (let k = 0; k < at.many; k++) {
      for (const off of [-0.45, 0, 0.45]) assert.equal(placeAt(at, at.X(k) + off * at.step), k);
    }
    assert.equal(placeAt(at, -50), 0);
    assert.equal(placeAt(at, 9999), at.many - 1);
  }
});

/** The lines of the curve: [colour, dash, path]. */
function lines({ at, frame }) {
  const pen = recorder();
  drawCurve(pen, at, frame);
  return { pen, found: calls(pen, "stroke").filter(({ path, lineWidth }) => path.length > 1 && [1.4, 2, 2.4].includes(lineWidth) && path[0][0] === "moveTo") };
}

test("training errors are drawn muted, those of the rows held out in the accent, the engine's both", () => {
  for (const one of ALL) {
    const { frame, at, told } = one;
    const { found } = lines(one);
    for (const [k, colour, width] of [[0, frame.colours.muted, 2], [1, frame.colours.accent, 2.4]]) {
      const line = found.find(({ strokeStyle, lineWidth, path }) => strokeStyle === colour && lineWidth === width && path.length === told.curve.length);
      line.path.forEach(([, x, y], place) => {
        assert.ok(near(x, at.X(place)) && near(y, at.Y(told.curve[place].errors[k]), 0.01), `${one.name}: ${place}`);
      });
    }
  }
});

test("the mean of the folds is dashed, with its spread to both sides", () => {
  for (const one of ALL.filter(({ told }) => told.folds)) {
    const { frame, at, told } = one;
    const { pen, found } = lines(one);
    const mean = found.find(({ dash, path }) => String(dash) === "5,4" && path.length === at.many);
    mean.path.forEach(([, , y], place) => assert.ok(near(y, at.Y(told.folds.mean[place]))));
    const band = calls(pen, "fill").find(({ globalAlpha }) => globalAlpha === 0.09);
    told.folds.mean.forEach((middle, place) => {
      const { spread } = told.folds;
      const under = band.path[2 * at.many - 1 - place];
      assert.ok(near(band.path[place][2], at.Y(middle + spread[place])));
      assert.ok(near(under[2], at.Y(Math.max(middle - spread[place], 0))));
      assert.ok(near(band.path[place][1], at.X(place)) && near(under[1], at.X(place)));
    });
    assert.equal(band.fillStyle, frame.colours.ink);
  }
});

test("the star stands on the folds' least mean, the diamond within a standard error of it", () => {
  for (const one of ALL.filter(({ told }) => told.folds)) {
    const { at, told, frame } = one;
    const { pen } = lines(one);
    const marks = calls(pen, "fill").filter(({ path }) => path.length === 11 || (path.length === 5 && path[0][0] === "moveTo"));
    const star = marks.find(({ path }) => path.length === 11);
    const diamond = marks.find(({ path }) => path.length === 5);
    const [x, y] = middleOf(star.path);
    const place = placeAt(at, x);
    assert.equal(told.folds.mean[place], told.folds.least);
    assert.ok(near(y, at.Y(told.folds.least), 2));
    assert.equal(diamond === undefined, frame.curve.one_error === frame.curve.best);
    const [dx, dy] = middleOf((diamond ?? star).path);
    const simple = placeAt(at, dx);
    assert.ok(near(dy, at.Y(told.folds.mean[simple]), 2));
    assert.ok(told.folds.mean[simple] <= told.folds.least + told.folds.spread[place] + 1e-12);
    assert.ok(told.curve[simple].leaves <= told.curve[place].leaves);
  }
});

test("the axis ends just above the curves, whatever the baseline", () => {
  for (const { at, told, frame } of ALL) {
    const folds = told.folds ? told.folds.mean.map((mean, k) => mean + told.folds.spread[k]) : [];
    const most = Math.max(...told.curve.flatMap(({ errors }) => errors), ...told.now.errors, ...folds);
    assert.ok(near(at.Y(1.06 * most), at.plane.y, 0.01));
    const far = curveLayout({ width: 500, height: 400 }, { ...frame, baseline: 99 * most }, recorder());
    assert.equal(far.Y(most), at.Y(most));
  }
});

test("a baseline above the axis is told with its value at the end of the axis, without a line", () => {
  for (const { at, frame, told } of ALL) {
    const far = frame.percent ? 0.95 : 10 * told.baseline.error;
    const high = { ...frame, baseline: Math.max(far, told.baseline.error) };
    assert.ok(at.Y(high.baseline) < at.plane.y);
    const pen = recorder();
    drawCurve(pen, at, high);
    const { args: [text, , y] } = calls(pen, "fillText").find(({ args: [words] }) => words.startsWith("one answer"));
    assert.match(text, frame.percent ? /^one answer 95\s% ↑$/ : /^one answer [\d.]+ ↑$/);
    assert.equal(y, at.plane.y);
    assert.ok(!calls(pen, "stroke").some(({ path }) => path.some((step) => near(step[2], at.Y(high.baseline)))));
  }
});

test("a baseline among the curves is a thin named line over all places, at its error", () => {
  for (const one of ALL) {
    const { at } = one;
    const y = at.plane.y + at.plane.h / 2;
    one.frame.baseline = (at.Y(0) - y) / (at.Y(0) - at.Y(1));
    assert.ok(near(at.Y(one.frame.baseline), y));
    const { pen } = lines(one);
    const line = calls(pen, "stroke").find(({ path, lineWidth }) => lineWidth === 1 && path.every((step) => near(step[2], y, 0.001)));
    assert.deepEqual(line.path.map(([, x]) => x), [at.plane.x, at.plane.x + at.plane.w]);
    const name = calls(pen, "fillText").find(({ args: [text] }) => text === "one answer");
    assert.ok(name.args[2] > y && name.args[1] > at.plane.x && name.args[1] < at.plane.x + at.plane.w);
  }
  const { at, frame } = cockpitOf("by depth");
  const { baseline, ...without } = frame;
  const pen = recorder();
  drawCurve(pen, at, without);
  assert.ok(!texts(pen).includes("one answer"), `none without rows to judge by, ${baseline}`);
});

test("the legend names what is drawn, and the folds only where there are any", () => {
  const words = (name) => texts(lines(cockpitOf(name)).pen);
  for (const text of ["training", "held out", "4-fold mean", "least", "one standard error"]) assert.ok(words("by depth").includes(text));
  assert.ok(!words("without folds").includes("least"));
  const { at, frame } = cockpitOf("by depth");
  const pen = recorder();
  drawCurve(pen, at, { ...frame, curve: { ...frame.curve, one_error: frame.curve.best } });
  assert.ok(texts(pen).includes("least") && !texts(pen).includes("one standard error"), "under the star");
  const filled = (one) => calls(one, "fill").length;
  assert.equal(filled(lines(cockpitOf("by depth")).pen) - filled(pen), 2, "one shape less in the picture and in the legend");
});

test("values are written below their places, the rule below them", () => {
  for (const { at, frame, told } of ALL) {
    const pen = recorder();
    drawCurve(pen, at, frame);
    const written = calls(pen, "fillText");
    const labels = written.filter(({ args: [, , y] }) => near(y, at.plane.y + at.plane.h + 9));
    assert.ok(labels.length >= 2);
    for (const { args: [text, x] } of labels) assert.equal(text, told.curve[placeAt(at, x)].label);
    assert.equal(labels.at(-1).args[0], told.curve.at(-1).label);
    const { title, mean, best, one_error: simplest } = frame.curve;
    const named = 2 + (mean ? 2 : 0) + (mean && simplest !== best ? 1 : 0); // of the legend, after it
    assert.ok(title.startsWith(written.at(-1 - named).args[0].replace("…", "")));
  }
});

test("shares of wrong rows are written in per cent, squared errors and costs as they are", () => {
  const per = cockpitOf("by depth").at;
  for (const { value, text } of per.yTicks) assert.equal(text, `${Math.round(100 * value)} %`);
  for (const name of ["by alpha", "of costs"]) {
    for (const { value, text } of cockpitOf(name).at.yTicks) assert.ok(near(Number(text), value));
  }
});

test("the place looked at has its line and the errors of both", () => {
  const { at, frame, told } = cockpitOf("by depth");
  for (const [place, { errors }] of told.curve.entries()) {
    const pen = recorder();
    drawPlace(pen, at, frame, place, errors);
    const [line] = calls(pen, "stroke");
    assert.ok(line.path.every(([, x]) => near(x, at.X(place))));
    assert.deepEqual(line.path.map(([, , y]) => Math.round(y)), [at.plane.y - 4, at.plane.y + at.plane.h].map(Math.round));
    const dots = calls(pen, "fill").filter(({ path }) => path[0][0] === "arc");
    assert.deepEqual(dots.map(({ fillStyle }) => fillStyle), [frame.colours.muted, frame.colours.accent]);
    dots.forEach(({ path: [[, x, y]] }, k) => assert.ok(near(x, at.X(place)) && near(y, at.Y(errors[k]))));
  }
});

test("a tree that stands nowhere on the curve has two level lines", () => {
  const { at, frame, told } = cockpitOf("pruned");
  const pen = recorder();
  drawPlace(pen, at, frame, -1, told.now.errors);
  const levels = calls(pen, "stroke");
  assert.deepEqual(levels.map(({ strokeStyle }) => strokeStyle), [frame.colours.muted, frame.colours.accent]);
  levels.forEach(({ path, dash }, k) => {
    assert.equal(String(dash), "2,4");
    for (const [, , y] of path) assert.ok(near(y, Math.max(at.Y(told.now.errors[k]), at.plane.y)));
  });
});

test("errors that are not there are not drawn", () => {
  const { frame } = cockpitOf("by depth");
  frame.curve.held.fill(Number.NaN);
  const at = curveLayout({ width: 500, height: 400 }, frame, recorder());
  const pen = recorder();
  drawCurve(pen, at, frame);
  drawPlace(pen, at, frame, 1, [0.1, null]);
  drawPlace(pen, at, frame, -1, [0.1, null]);
  for (const { path, args } of pen.log) {
    for (const value of [...path.flat(), ...args]) assert.ok(typeof value !== "number" || Number.isFinite(value));
  }
});
