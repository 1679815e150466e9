import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { drawAxes, drawGains, drawLegend, peakPixel } from "../../../dtviz/frontend/stage/axes.js";
import { number } from "../../../dtviz/frontend/lib/format.js";
import { calls, recorder, texts } from "../pen.js";
import { cutsOf, eachScene, middleOf, near, sceneOf, shapeNamed, shapeOf } from "../scenes.js";

const SCENES = eachScene();
const SMALL = SCENES.filter((example) => cutsOf(example).length);

test("ticks are written where their values stand", () => {
  for (const { layout, scene, pen } of SCENES) {
    drawAxes(pen, layout, scene);
    const words = calls(pen, "fillText");
    for (const { value, text } of layout.xTicks) {
      assert.ok(words.some(({ args }) => args[0] === text && near(args[1], layout.X(value)) && args[2] > layout.foot));
    }
    for (const { value, text } of layout.yTicks) {
      assert.ok(words.some(({ args }) => args[0] === text && near(args[2], layout.Y(value)) && args[1] < layout.plane.x));
    }
  }
});

test("the names of the features stand below and beside the plane", () => {
  for (const { layout, scene, pen } of eachScene()) {
    drawAxes(pen, layout, scene);
    const [across, up] = [scene.across.name, scene.up.name].map((name) => calls(pen, "fillText").findLast(({ args: [text] }) => text === name));
    assert.deepEqual(up.args.slice(1), [0, 0]);
    assert.ok(near(across.args[1], layout.plane.x + layout.plane.w / 2) && across.args[2] > layout.foot);
    const [moved] = calls(pen, "translate");
    assert.ok(moved.args[0] < layout.plane.x && near(moved.args[1], layout.plane.y + layout.plane.h / 2));
    const [turned] = calls(pen, "rotate");
    assert.ok(near(turned.args[0], -Math.PI / 2));
  }
});

test("a cut stands at its threshold, as far from the base as its score is high", () => {
  for (const example of SMALL) {
    const { layout, scene } = example;
    for (const { cut: [axis, i], threshold, worth } of cutsOf(example)) {
      const [x, y] = peakPixel(layout, scene, axis, i);
      const gain = layout.gainStrips[axis].pixelOf(scene.is_asking ? 0 : Number(worth.toPrecision(4)));
      const far = 1e-3 * (Math.abs(threshold) + 1) * 100;
      if (axis === 0) assert.ok(near(x, layout.X(threshold), far) && near(y, gain));
      else assert.ok(near(y, layout.Y(threshold), far) && near(x, gain));
    }
  }
});

test("with no strips a cut's peak is the rim of the plane", () => {
  const { layout, scene } = sceneOf("three classes");
  const bare = { ...layout, gainStrips: [] };
  assert.equal(peakPixel(bare, scene, 0, 0)[1], layout.plane.y);
  assert.equal(peakPixel(bare, scene, 1, 0)[0], layout.plane.x + layout.plane.w);
});

test("each cut has its dot: hollow where it leaves too little on a side, faint where it is no boundary", () => {
  let [hollow, faint] = [0, 0];
  for (const example of SMALL) {
    const { layout, scene, facts } = example;
    layout.gainStrips.forEach((strip, axis) => {
      const pen = recorder();
      drawGains(pen, layout, scene, strip, axis);
      const dots = pen.log.filter(({ name, path }) => ["fill", "stroke"].includes(name) && path.length === 1 && path[0][0] === "arc" && path[0][3] < 4);
      assert.equal(dots.length, facts.cuts[axis].length);
      facts.cuts[axis].forEach(({ admissible, boundary }, i) => {
        assert.equal(dots[i].name, admissible ? "fill" : "stroke");
        assert.equal(dots[i].globalAlpha, scene.is_asking || boundary ? 0.95 : 0.3, example.name);
        assert.deepEqual(dots[i].path[0].slice(1, 3), peakPixel(layout, scene, axis, i));
        hollow += !admissible;
        faint += !boundary;
      });
    });
  }
  assert.ok(hollow && faint);
});

test("a scattered subset is a small faint dot in the band behind the cut of as many values, off the curve", () => {
  for (const name of ["subsets", "subsets of a node", "subsets asked"]) {
    const { layout, scene, facts } = sceneOf(name);
    layout.gainStrips.forEach((strip, axis) => {
      const pen = recorder();
      drawGains(pen, layout, scene, strip, axis);
      const dots = pen.log.filter(({ path }) => path?.length === 1 && path[0][0] === "arc" && path[0][3] < 4);
      assert.equal(dots.length, facts.cuts[axis].length);
      const before = [];
      facts.cuts[axis].forEach(({ scattered, threshold, worth }, i) => {
        const [place, { path: [[, ...spot]], globalAlpha }] = [Number(scene.cuts[axis].threshold[i]), dots[i]];
        assert.deepEqual(spot.slice(0, 2), peakPixel(layout, scene, axis, i));
        assert.ok(scattered ? place > threshold && place < threshold + 1 : place === threshold);
        assert.ok(scattered ? spot[2] < 2.5 && globalAlpha < 0.9 : spot[2] > 3);
        const [worthier, far] = before.findLast((example) => example.threshold === threshold && example.scattered && scattered)?.spot ?? [];
        if (far !== undefined) assert.ok(far < place && (scene.is_asking || worthier >= worth));
        before.push({ threshold, scattered, spot: [worth, place] });
      });
      const curve = calls(pen, "stroke").find((call) => call.globalAlpha === 0.45);
      const peaks = facts.cuts[axis].flatMap(({ scattered }, i) => (scattered ? [] : [peakPixel(layout, scene, axis, i)]));
      if (!scene.is_asking) assert.deepEqual(curve.path.map(([, ...spot]) => spot), peaks);
    });
  }
});

test("the star stands on the engine's best cut and rings on its ties, but not while the page asks for a cut", () => {
  let ties = 0;
  for (const example of SMALL) {
    const { layout, scene, facts } = example;
    layout.gainStrips.forEach((strip, axis) => {
      const pen = recorder();
      drawGains(pen, layout, scene, strip, axis);
      const stars = calls(pen, "fill").filter(({ path }) => path.length === 11);
      const rings = calls(pen, "stroke").filter(({ path }) => path[0]?.[0] === "arc" && path[0][3] === 6.5);
      const cuts = scene.is_asking ? [] : facts.cuts[axis];
      const best = cuts.findIndex((cut) => cut.best);
      assert.equal(stars.length, best < 0 ? 0 : 1, example.name);
      if (best >= 0) {
        const [x, y] = middleOf(stars[0].path);
        const spot = peakPixel(layout, scene, axis, best);
        assert.ok(near(x, spot[0], 0.1) && near(y, spot[1], 2));
        assert.equal(stars[0].fillStyle, scene.colours.accent);
      }
      const tied = cuts.flatMap((cut, i) => (cut.tied && !cut.best && scene.top > 0 ? [i] : []));
      assert.deepEqual(rings.map(({ path }) => path[0].slice(1, 3)), tied.map((i) => peakPixel(layout, scene, axis, i)));
      ties += tied.length;
    });
  }
  assert.ok(ties);
});

test("the scores are joined by a line, which is hidden while the page asks for a cut", () => {
  for (const example of SMALL) {
    const { layout, scene, facts } = example;
    const pen = recorder();
    drawGains(pen, layout, scene, layout.gainStrips[0], 0);
    const lines = calls(pen, "stroke").filter(({ globalAlpha }) => globalAlpha === 0.45);
    assert.equal(lines.length, scene.is_asking ? 0 : 1);
    if (!scene.is_asking) assert.deepEqual(lines[0].path.map(([, ...spot]) => spot), facts.cuts[0].map((_, i) => peakPixel(layout, scene, 0, i)));
  }
});

test("the strip names its score and the highest value", () => {
  for (const example of SMALL) {
    const { layout, scene, facts } = example;
    const pen = recorder();
    drawGains(pen, layout, scene, layout.gainStrips[0], 0);
    if (scene.is_asking) assert.deepEqual(texts(pen), ["cuts"]);
    else {
      const top = Math.max(...facts.cuts.flat().map(({ worth }) => worth));
      const unit = scene.unit ? ` (${scene.unit})` : "";
      assert.deepEqual(texts(pen), [`${scene.measure}${unit}`, number(top, 3)]);
      assert.ok(near(calls(pen, "fillText")[1].args[2], layout.gainStrips[0].pixelOf(top)));
    }
  }
});

test("the strip beside the plane names the feature whose cuts it shows", () => {
  const { scene, layout } = SMALL.find(({ scene: { form }, layout: { gainStrips } }) => form === "plane" && gainStrips[1].w > 90);
  const pen = recorder();
  drawGains(pen, layout, scene, layout.gainStrips[1], 1);
  assert.deepEqual(texts(pen), [`${scene.measure} by`, scene.up.name]);
});

test("where cuts are left out the strip counts the cuts drawn and all cuts, as far as there is room", () => {
  const { layout, scene } = sceneOf("very many");
  const drawn = scene.cuts.map(({ threshold }) => threshold.length);
  assert.ok(scene.candidates > 2 * Math.max(...drawn) && Math.max(...drawn) > 500);
  const counted = `${(drawn[0] + drawn[1]).toLocaleString("en")} of ${scene.candidates.toLocaleString("en")} cuts`;
  const titleOf = (picture, strip = layout.gainStrips[0]) => {
    const pen = recorder();
    drawGains(pen, layout, picture, strip, 0);
    return texts(pen)[0];
  };
  assert.equal(titleOf({ ...scene, is_asking: false }), `${scene.measure} (${scene.unit}) · ${counted}`);
  assert.equal(titleOf({ ...scene, is_asking: true }), counted);
  assert.ok(titleOf({ ...scene, is_asking: false }, { ...layout.gainStrips[0], w: 90 }).endsWith("…"));
});

test("the legend has every class with its colour and shape, in their order", () => {
  for (const { layout, scene, facts } of SCENES.filter(({ scene: { classes } }) => classes)) {
    const pen = recorder();
    drawLegend(pen, layout, scene);
    assert.deepEqual(texts(pen), facts.classes.map(([name]) => name));
    const fills = calls(pen, "fill").map(({ fillStyle }) => fillStyle);
    assert.deepEqual(fills, facts.classes.map(([, colour]) => colour));
    calls(pen, "fillText").forEach(({ args }, k) => {
      const mark = middleOf(calls(pen, "fill")[k].path)[0];
      assert.ok(mark < args[1] && args[1] - mark < 20); // beside its own name
      assert.deepEqual(shapeOf(calls(pen, "fill")[k].path), shapeNamed(facts.classes[k][2]));
    });
  }
});

test("classes that have no room are counted", () => {
  const { layout, scene } = sceneOf("three classes");
  const classes = Array.from({ length: 40 }, (_, k) => [`a long name of class ${k}`, "#123456", "circle"]);
  const pen = recorder();
  drawLegend(pen, layout, { ...scene, classes });
  const shown = calls(pen, "fill").length;
  assert.equal(texts(pen).at(-1), `+${40 - shown}`);
  for (const { args } of calls(pen, "fillText")) assert.ok(args[1] + 6 * args[0].length <= layout.width + 12);
});

test("the colours of a number go from its least to its largest value", () => {
  const { layout, scene, facts } = sceneOf("a surface");
  const pen = recorder();
  drawLegend(pen, layout, scene);
  const cells = calls(pen, "fillRect");
  assert.deepEqual(cells.map(({ fillStyle }) => fillStyle), scene.scale);
  cells.forEach(({ args: [x] }, k) => assert.ok(!k || x > cells[k - 1].args[0]));
  const [low, high, target] = calls(pen, "fillText");
  const values = facts.witnesses.map(({ value }) => value);
  assert.equal(target.args[0], "height");
  assert.ok(Number(low.args[0]) <= Math.min(...values) && Number(high.args[0]) >= Math.max(...values));
  assert.ok(low.args[1] < high.args[1]);
});
