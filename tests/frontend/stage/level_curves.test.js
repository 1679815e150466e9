import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { drawCut, summaryText, summaryOf } from "../../../dtviz/frontend/stage/cut.js";
import { draw } from "../../../dtviz/frontend/stage/draw.js";
import { parts } from "../../../dtviz/frontend/draw/marks.js";
import { ringAt } from "../../../dtviz/frontend/stage/rings.js";
import { thresholdOf, sideStatistics } from "../../../dtviz/frontend/stage/sides.js";
import { scoreAt, levelCurves, divideAtLevel } from "../../../dtviz/frontend/stage/level_curves.js";
import { drawTint } from "../../../dtviz/frontend/stage/tint.js";
import { calls, recorder, texts } from "../pen.js";
import { cutsOf, drawableScenes, fillsAt, middleOf, near, sceneOf } from "../scenes.js";

const SCENES = drawableScenes();
const SQUARE = Float64Array.of(0, 0, 4, 0, 4, 3, 0, 3);
const slantedCuts = (example) => cutsOf(example).filter(({ cut }) => cut[0] === 2);
const focusOf = ({ scene: { regions, focus } }) => ringAt(regions, regions.node.indexOf(focus));

/** The area of a ring of many parts. */
function areaOf(ring) {
  return parts(Float64Array.from(ring)).reduce((sum, part) => {
    for (let k = 0; k < part.length; k += 2) {
      const next = (k + 2) % part.length;
      sum += (part[k] * part[next + 1] - part[next] * part[k + 1]) / 2;
    }
    return sum;
  }, 0);
}

test("lines and ellipses have cuts of their own beside those of both axes", () => {
  for (const example of SCENES) assert.ok(slantedCuts(example).length > 10 && example.scene.chosen[0] === 2, example.name);
});

test("both sides of a cut have the rows that the engine sends there", () => {
  for (const example of SCENES) {
    for (const { cut, left, right, rule } of slantedCuts(example)) {
      const statistics = sideStatistics(example.scene, example.cloud, cut);
      if (example.scene.classes) assert.deepEqual([statistics[0], statistics[1]], [left.counts, right.counts], `${example.name}: ${rule}`);
      else assert.deepEqual([statistics[0][0], statistics[1][0]], [left.rows, right.rows]);
    }
  }
});

test("the summary of each slanted cut is Python's", () => {
  for (const example of SCENES) {
    for (const { cut, rule, left, right, score, share } of slantedCuts(example)) {
      const summary = summaryOf(example.scene, example.cloud, cut);
      assert.deepEqual([summary.rule, summary.score, summary.share], [rule, score, share]);
      assert.ok(summaryText(summary).startsWith(`${rule}; left ${left.rows} row`) && summaryText(summary).includes(`right ${right.rows} row`));
    }
  }
});

test("each row inside the plane stands on the colour of the side it goes to", () => {
  let differ = 0;
  for (const example of SCENES.filter(({ name, scene }) => scene.classes && !name.includes("space"))) {
    for (const { cut, left, right, goes_left: goes } of slantedCuts(example)) {
      const pen = recorder();
      drawTint(pen, example.layout, example.scene, example.cloud, cut);
      const limit = thresholdOf(example.scene, cut);
      example.facts.points.forEach(({ inside, x, y }, i) => {
        const height = scoreAt(example.scene.slant.form, x, y);
        if (!inside || near(height, limit, 0.005)) return; // the chords of an ellipse run beside it
        const [fill] = fillsAt(pen, example.layout.X(x), example.layout.Y(y));
        assert.equal(fill?.fillStyle, (goes.includes(i) ? left : right).colour, `${example.name}: ${cut} ${i}`);
        if (left.colour !== right.colour) differ += 1;
      });
    }
  }
  assert.ok(differ > 500);
});

test("the score of a place is that of the row that stands there", () => {
  for (const example of SCENES.filter(({ name }) => !name.includes("space"))) {
    example.facts.points.forEach(({ x, y }, i) => {
      const { form, score } = example.scene.slant;
      assert.ok(near(scoreAt(form, x, y), score[i], 1e-9 * Math.abs(score[i]) + 1e-9));
    });
  }
});

test("both sides together are the whole region, for every limit", () => {
  const forms = [[0.5, 1, -2, 0, 0, 0, 0], [0, 0, 0, 1, 2, 1, 1], [1, 0, 0, 1, 1, 9, 9], [0, 0, 0, 1, 0, 2, 0], [0, 0, 0, 0, 1, 0, 1]];
  for (const form of forms) {
    for (const limit of [-3, 0, 0.2, 1, 1.5, 5, 60, 400]) {
      const [left, right] = divideAtLevel(form, SQUARE, limit);
      assert.ok(near(areaOf(left) + areaOf(right), 12, 1e-9), `${form} at ${limit}`);
    }
  }
  const [disc] = divideAtLevel([0, 0, 0, 1, 1, 2, 1.5], SQUARE, 1);
  assert.ok(near(areaOf(disc), Math.PI, 0.01));
  assert.deepEqual(divideAtLevel([0, 0, 0, 1, 1, 2, 1.5], SQUARE, 100)[1], []);
  assert.deepEqual(divideAtLevel([0, 0, 0, 1, 1, 2, 1.5], SQUARE, -1)[0], []);
});

test("the level curve of a cut stands at its threshold, from rim to rim of the region", () => {
  const [edge] = levelCurves([0, 1, 1, 0, 0, 0, 0], SQUARE, 2);
  assert.deepEqual([...edge].toSorted(), [0, 0, 2, 2]);
  const round = levelCurves([0, 0, 0, 1, 1, 2, 1.5], SQUARE, 1);
  assert.equal(round.length, 1);
  assert.deepEqual(round[0].slice(0, 2), round[0].slice(-2)); // all the way round
  const cut = levelCurves([0, 0, 0, 1, 1, 0, 0], SQUARE, 4);
  assert.equal(cut.length, 1);
  assert.ok([cut[0].slice(0, 2), cut[0].slice(-2)].every(([x, y]) => near(Math.min(x, y), 0, 1e-9) && near(Math.max(x, y), 2, 0.01)));
  for (const example of SCENES) {
    for (const { cut: layout } of slantedCuts(example)) {
      for (const line of levelCurves(example.scene.slant.form, focusOf(example), thresholdOf(example.scene, layout))) {
        for (let k = 0; k < line.length; k += 2) {
          const gap = Math.abs(scoreAt(example.scene.slant.form, line[k], line[k + 1]) - thresholdOf(example.scene, layout));
          assert.ok(gap <= 0.005 * Math.abs(thresholdOf(example.scene, layout)) + 1e-9);
        }
      }
    }
  }
});

test("the gains of a slant stand under the plane, over an axis with its formula", () => {
  for (const example of SCENES) {
    const strip = example.layout.gainStrips[2];
    assert.ok(strip.y > example.layout.foot + 20 && strip.y + strip.h < example.layout.height);
    for (const { cut, best, worth } of slantedCuts(example)) {
      const pen = recorder();
      drawCut(pen, example.layout, example.scene, example.cloud, { cut, litNode: null, drawnCut: null });
      const marks = calls(pen, "fill").filter(({ path }) => path.length === (best ? 11 : 5));
      const limit = thresholdOf(example.scene, cut);
      assert.ok(marks.some(({ path }) => near(middleOf(path)[0], example.layout.S(limit), 0.2) && near(middleOf(path)[1], strip.pixelOf(worth), 2)), `${example.name} ${cut}`);
    }
    const pen = recorder();
    draw(pen, example.layout, example.scene, example.cloud);
    assert.ok(texts(pen).some((text) => text.slice(0, 8) === example.scene.slant.name.slice(0, 8)));
  }
});

test("a picture without a slant has no third strip", () => {
  assert.equal(sceneOf("three classes").layout.gainStrips.length, 2);
});
