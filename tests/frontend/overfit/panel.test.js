import assert from "node:assert/strict";
import test from "node:test";

import { drawLegend, drawPanel, panelRows, splitMask } from "../../../dtviz/frontend/overfit/panel.js";
import { calls, recorder, texts } from "../pen.js";
import { eachCockpit, cockpitOf } from "../cockpits.js";
import { middleOf, near, fillsAt } from "../scenes.js";

const ALL = eachCockpit();

/** Masks of all trees that a cockpit draws, with what the engine says of each: the tree of the frame, and those of the lines. */
function trees({ frame, engine }) {
  const list = [{ mask: splitMask(frame, null, -1), tree: engine.now }];
  const alphas = frame.dials.find(({ rule }) => rule === "ccp_alpha");
  for (const [line, places] of [[frame.curve, engine.curve], [alphas, engine.dial]]) {
    if (line.masks.length) places.forEach((tree, place) => list.push({ mask: splitMask(frame, line, place), tree }));
  }
  return list;
}

test("a panel has the held-out rows, or the training rows", () => {
  for (const { panels, cloud, engine } of ALL) {
    assert.deepEqual(panels.map(({ rows }) => rows.length), [engine.held.filter((isHeld) => !isHeld).length, engine.held.filter(Boolean).length]);
    for (const { panel, rows } of panels) {
      assert.deepEqual([...panel.cloud.x], rows.map((row) => cloud.x[row]));
      assert.deepEqual([...panel.cloud.y], rows.map((row) => cloud.y[row]));
      assert.deepEqual([...panel.cloud.code], rows.map((row) => cloud.code[row]));
    }
  }
});

test("a mask keeps as many splits as the engine's tree has", () => {
  for (const cockpit of ALL) {
    for (const { mask, tree } of trees(cockpit)) assert.equal(mask.reduce((a, b) => a + b, 0), tree.leaves - 1, cockpit.name);
  }
});

test("the mask of a line without trees is that of the tree on screen", () => {
  const { frame } = cockpitOf("by leaf size");
  assert.deepEqual(splitMask(frame, frame.curve, 3), splitMask(frame, null, -1));
});

/** A panel drawn with the splits of a mask. */
function drawn({ frame }, { panel, layout }, mask) {
  const pen = recorder();
  drawPanel(pen, layout, frame, panel, mask);
  return pen;
}

test("each row lies over the colour of what the engine's tree predicts for it, at every place", () => {
  let [clear, unclear] = [0, 0];
  for (const cockpit of ALL.filter(({ frame }) => frame.form === "plane")) {
    const shade = cockpit.frame.classes ? 0.15 : 0.45;
    for (const { mask, tree } of trees(cockpit)) {
      for (const item of cockpit.panels) {
        const pen = drawn(cockpit, item, mask);
        for (const row of item.rows) {
          const point = [item.layout.X(cockpit.cloud.x[row]), item.layout.Y(cockpit.cloud.y[row])];
          const isShade = (alpha) => (cockpit.frame.classes && cockpit.frame.shades ? alpha < 0.4 : alpha === shade); // as sure as it is
          const regions = fillsAt(pen, ...point).filter(({ globalAlpha, path }) => isShade(globalAlpha) || (!path.length && globalAlpha === 0.55));
          assert.ok(regions.some(({ fillStyle }) => fillStyle === tree.colours[row]), `${cockpit.name}: row ${row}`);
          if (regions.length === 1) clear += 1;
          unclear += regions.length > 1;
        }
      }
    }
  }
  assert.ok(clear > 1000 && unclear < clear / 20, `${clear} ${unclear}`); // a row on a border lies on two
});

test("crosses mark exactly the rows that the engine's tree predicts wrongly", () => {
  for (const cockpit of ALL.filter(({ frame }) => frame.classes)) {
    for (const { mask, tree } of trees(cockpit)) {
      cockpit.panels.forEach((item, k) => {
        const crosses = calls(drawn(cockpit, item, mask), "stroke").at(-1);
        assert.equal(crosses.strokeStyle, cockpit.frame.colours.ink);
        assert.equal(crosses.path.length, 4 * tree.wrong[k], `${cockpit.name}: ${tree.label}`);
        const r = Math.abs(crosses.path[0]?.[1] - crosses.path[1]?.[1]) / 2;
        crosses.path.forEach(([method, x, y], i) => {
          const [dx, dy] = [[-1, -1], [1, 1], [-1, 1], [1, -1]][i % 4]; // two lines, corner to corner
          const [cx, cy] = middleOf(crosses.path.slice(i - (i % 4), i - (i % 4) + 4));
          assert.ok(method === (i % 2 ? "lineTo" : "moveTo") && near(x, cx + dx * r) && near(y, cy + dy * r));
        });
        const wrong = item.rows.filter((row) => tree.colours[row] !== cockpit.engine.truth[row]);
        wrong.forEach((row, i) => {
          const [x, y] = middleOf(crosses.path.slice(4 * i, 4 * i + 4));
          const place = item.rows.indexOf(row);
          assert.ok(near(x, item.layout.spots[0][place]) && near(y, item.layout.spots[1][place]));
        });
      });
    }
  }
});

test("a number on a line has a stem from each row to what the engine predicts", () => {
  for (const cockpit of [cockpitOf("of a line"), cockpitOf("of leaning lines")]) {
    for (const { mask, tree } of trees(cockpit)) {
      cockpit.panels.forEach((item) => {
        const stems = calls(drawn(cockpit, item, mask), "stroke").find(({ globalAlpha, lineWidth }) => globalAlpha === 0.5 && lineWidth === 1);
        item.rows.forEach((row, i) => {
          const [[, ax, ay], [, bx, by]] = stems.path.slice(2 * i, 2 * i + 2);
          assert.ok(near(ay, item.layout.spots[1][i]) && near(by, item.layout.Y(tree.values[row])) && ax === bx);
        });
      });
    }
  }
});

test("training rows are filled, held-out rows are hollow, all equally large", () => {
  const cockpit = cockpitOf("by depth");
  const [training, heldOut] = cockpit.panels.map((item) => drawn(cockpit, item, splitMask(cockpit.frame, null, -1)));
  assert.equal(calls(training, "fill").length, cockpit.panels[0].rows.length);
  assert.equal(calls(heldOut, "fill").length, 0);
  const rims = calls(heldOut, "stroke").filter(({ globalAlpha, path }) => globalAlpha === 0.92 && path.length);
  assert.equal(rims.length, cockpit.panels[1].rows.length);
});

test("the legend is one line over all panels", () => {
  const { frame } = cockpitOf("by depth");
  const pen = recorder();
  drawLegend(pen, 600, frame);
  assert.deepEqual(texts(pen), ["ash", "birch", "elm"]);
  const surface = cockpitOf("by alpha").frame;
  const bar = recorder();
  drawLegend(bar, 600, surface);
  assert.match(texts(bar)[0], /^height: -?[\d.]+ $/);
  assert.deepEqual(calls(bar, "fillRect").map(({ fillStyle }) => fillStyle), surface.scale);
  assert.ok(Number(texts(bar)[1]) > Number(texts(bar)[0].split(": ")[1]));
  const line = recorder();
  drawLegend(line, 600, cockpitOf("of a line").frame);
  assert.deepEqual(line.log, []);
});

test("a cloud without values has none in its panels", () => {
  const { frame, cloud } = cockpitOf("by depth");
  assert.equal(panelRows(frame, cloud, true).cloud.value, undefined);
});
