import assert from "node:assert/strict";
import test from "node:test";

import { drawPanel, legendOf, panelOf, stays } from "../../../dtviz/frontend/overfit/panel.js";
import { calls, recorder, texts } from "../pen.js";
import { eachCockpit, cockpitOf } from "../cockpits.js";
import { middleOf, near, fillsAt } from "../scenes.js";

const ALL = eachCockpit();

/** Every tree that is drawn: the present one, and those of the curve and a slider that has them. */
function trees({ frame, told }) {
  const found = [{ mask: stays(frame, null, -1), tree: told.now }];
  const alphas = frame.dials.find(({ rule }) => rule === "ccp_alpha");
  for (const [line, places] of [[frame.curve, told.curve], [alphas, told.dial]]) {
    if (line.masks.length) places.forEach((tree, place) => found.push({ mask: stays(frame, line, place), tree }));
  }
  return found;
}

test("a panel has the rows held out, or those trained on", () => {
  for (const { panels, cloud, told } of ALL) {
    assert.deepEqual(panels.map(({ rows }) => rows.length), [told.held.filter((out) => !out).length, told.held.filter(Boolean).length]);
    for (const { panel, rows } of panels) {
      assert.deepEqual([...panel.cloud.x], rows.map((row) => cloud.x[row]));
      assert.deepEqual([...panel.cloud.y], rows.map((row) => cloud.y[row]));
      assert.deepEqual([...panel.cloud.code], rows.map((row) => cloud.code[row]));
    }
  }
});

test("as many splits stay as the engine's tree has", () => {
  for (const one of ALL) {
    for (const { mask, tree } of trees(one)) assert.equal(mask.reduce((a, b) => a + b, 0), tree.leaves - 1, one.name);
  }
});

test("a line without trees of its own has the one on screen", () => {
  const { frame } = cockpitOf("by leaf size");
  assert.deepEqual(stays(frame, frame.curve, 3), stays(frame, null, -1));
});

/** A panel drawn with the splits of a mask. */
function drawn({ frame }, { panel, at }, mask) {
  const pen = recorder();
  drawPanel(pen, at, frame, panel, mask);
  return pen;
}

test("each row lies over the colour of what the engine's tree predicts for it, at every place", () => {
  let [seen, wrong] = [0, 0];
  for (const one of ALL.filter(({ frame }) => frame.form === "plane")) {
    const shade = one.frame.classes ? 0.15 : 0.45;
    for (const { mask, tree } of trees(one)) {
      for (const side of one.panels) {
        const pen = drawn(one, side, mask);
        for (const row of side.rows) {
          const spot = [side.at.X(one.cloud.x[row]), side.at.Y(one.cloud.y[row])];
          const light = (alpha) => (one.frame.classes && one.frame.shades ? alpha < 0.4 : alpha === shade); // as sure as it is
          const regions = fillsAt(pen, ...spot).filter(({ globalAlpha, path }) => light(globalAlpha) || (!path.length && globalAlpha === 0.55));
          assert.ok(regions.some(({ fillStyle }) => fillStyle === tree.colours[row]), `${one.name}: row ${row}`);
          if (regions.length === 1) seen += 1;
          wrong += regions.length > 1;
        }
      }
    }
  }
  assert.ok(seen > 1000 && wrong < seen / 20, `${seen} ${wrong}`); // a row on a border lies on two
});

test("crossed are just the rows that the engine's tree predicts wrongly", () => {
  for (const one of ALL.filter(({ frame }) => frame.classes)) {
    for (const { mask, tree } of trees(one)) {
      one.panels.forEach((side, k) => {
        const crosses = calls(drawn(one, side, mask), "stroke").at(-1);
        assert.equal(crosses.strokeStyle, one.frame.colours.ink);
        assert.equal(crosses.path.length, 4 * tree.wrong[k], `${one.name}: ${tree.label}`);
        const r = Math.abs(crosses.path[0]?.[1] - crosses.path[1]?.[1]) / 2;
        crosses.path.forEach(([what, x, y], i) => {
          const [dx, dy] = [[-1, -1], [1, 1], [-1, 1], [1, -1]][i % 4]; // two lines, corner to corner
          const [cx, cy] = middleOf(crosses.path.slice(i - (i % 4), i - (i % 4) + 4));
          assert.ok(what === (i % 2 ? "lineTo" : "moveTo") && near(x, cx + dx * r) && near(y, cy + dy * r));
        });
        const wrong = side.rows.filter((row) => tree.colours[row] !== one.told.truth[row]);
        wrong.forEach((row, i) => {
          const [x, y] = middleOf(crosses.path.slice(4 * i, 4 * i + 4));
          const place = side.rows.indexOf(row);
          assert.ok(near(x, side.at.spots[0][place]) && near(y, side.at.spots[1][place]));
        });
      });
    }
  }
});

test("a number on a line has a stem from each row to what the engine predicts", () => {
  for (const one of [cockpitOf("of a line"), cockpitOf("of leaning lines")]) {
    for (const { mask, tree } of trees(one)) {
      one.panels.forEach((side) => {
        const stems = calls(drawn(one, side, mask), "stroke").find(({ globalAlpha, lineWidth }) => globalAlpha === 0.5 && lineWidth === 1);
        side.rows.forEach((row, i) => {
          const [[, ax, ay], [, bx, by]] = stems.path.slice(2 * i, 2 * i + 2);
          assert.ok(near(ay, side.at.spots[1][i]) && near(by, side.at.Y(tree.values[row])) && ax === bx);
        });
      });
    }
  }
});

test("rows trained on are filled, rows held out are hollow, all as large", () => {
  const one = cockpitOf("by depth");
  const [training, held] = one.panels.map((side) => drawn(one, side, stays(one.frame, null, -1)));
  assert.equal(calls(training, "fill").length, one.panels[0].rows.length);
  assert.equal(calls(held, "fill").length, 0);
  const rims = calls(held, "stroke").filter(({ globalAlpha, path }) => globalAlpha === 0.92 && path.length);
  assert.equal(rims.length, one.panels[1].rows.length);
});

test("the legend is one line over all panels", () => {
  const { frame } = cockpitOf("by depth");
  const pen = recorder();
  legendOf(pen, 600, frame);
  assert.deepEqual(texts(pen), ["ash", "birch", "elm"]);
  const surface = cockpitOf("by alpha").frame;
  const bar = recorder();
  legendOf(bar, 600, surface);
  assert.match(texts(bar)[0], /^height: -?[\d.]+ $/);
  assert.deepEqual(calls(bar, "fillRect").map(({ fillStyle }) => fillStyle), surface.scale);
  assert.ok(Number(texts(bar)[1]) > Number(texts(bar)[0].split(": ")[1]));
  const line = recorder();
  legendOf(line, 600, cockpitOf("of a line").frame);
  assert.deepEqual(line.log, []);
});

test("a cloud without values has none in its panels", () => {
  const { frame, cloud } = cockpitOf("by depth");
  assert.equal(panelOf(frame, cloud, true).cloud.value, undefined);
});
