import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { draw } from "../../../dtviz/frontend/stage/draw.js";
import { layoutOf } from "../../../dtviz/frontend/stage/layout.js";
import { drawTint } from "../../../dtviz/frontend/stage/tint.js";
import { bytesOf, expected } from "../expected.js";
import { calls, recorder, texts } from "../pen.js";
import { boxOf, eachScene, fillsAt, middleOf, near, sceneOf, shapeNamed, shapeOf } from "../scenes.js";

const SCENES = eachScene().filter(({ name }) => name !== "very many");

/** The whole still picture, without points where these would hide what is under them. */
function drawn({ at, scene, cloud }, points = true) {
  const pen = recorder();
  const none = { x: new Float64Array(), y: new Float64Array(), code: new Int32Array(), value: new Float64Array() };
  const shown = points ? at : { ...at, spots: [[], []] };
  draw(pen, shown, scene, points ? cloud : none);
  return pen;
}

test("every place of the plane has the colour of what the engine predicts there", () => {
  let seen = 0;
  for (const one of SCENES.filter(({ scene }) => scene.classes || scene.form === "plane")) {
    const [ground, tint] = [drawn(one, false), recorder()];
    drawTint(tint, one.at, one.scene, one.cloud, null);
    const [left, right, bottom, top] = boxOf(one.scene, one.scene.focus);
    const parted = one.scene.classes && one.scene.cuts && one.scene.fills[one.scene.focus] !== undefined;
    for (const { x, y, colour } of one.told.witnesses) {
      const up = one.scene.form === "plane" ? y : 0.01;
      const inFocus = x > left && x <= right && up > bottom && up <= top;
      const fills = [ground, tint].map((pen) => fillsAt(pen, one.at.X(x), one.at.Y(up)));
      if (parted && inFocus) assert.deepEqual(fills[0], []); // a cut looked at tints both of its sides
      assert.equal(fills.flat().at(-1)?.fillStyle, colour, `${one.name}: ${x}, ${y}`);
      const shade = one.scene.classes ? (one.scene.colours.dark ? 0.24 : 0.15) : 0.45;
      assert.deepEqual(fills.flat().map(({ globalAlpha }) => globalAlpha), [shade]);
      seen += 1;
    }
  }
  assert.ok(seen > 300);
});

test("every leaf has its outline", () => {
  for (const one of SCENES.filter(({ scene }) => scene.classes || scene.form === "plane")) {
    const { at, scene } = one;
    const leaves = scene.regions.node.filter((node) => scene.fills[node] !== undefined);
    const frames = calls(drawn(one, false), "strokeRect").filter(({ globalAlpha }) => globalAlpha === 0.55);
    assert.equal(frames.length, leaves.length);
    leaves.forEach((node, k) => {
      const [left, right, bottom, top] = boxOf(scene, node);
      const wanted = [at.X(left), at.Y(top), at.X(right) - at.X(left), at.Y(bottom) - at.Y(top)];
      frames[k].args.forEach((v, i) => assert.ok(near(v, wanted[i])));
    });
  }
});

test("on a canvas each point is a copy of its class's marker, put where the point is", () => {
  const sheets = [];
  globalThis.OffscreenCanvas = class {
    constructor() { sheets.push(this); }
    getContext() { return (this.pen ??= recorder(this)); }
  };
  const one = sceneOf("a node in focus");
  const pen = recorder();
  const copies = [];
  pen.drawImage = (sheet, x, y, w, h) => copies.push({ sheet, x: x + w / 2, y: y + h / 2 });
  draw(pen, one.at, one.scene, one.cloud);
  assert.equal(copies.length, one.told.points.length);
  assert.ok(sheets.length <= 6); // three classes, in the focus and not
  for (const row of one.told.points) {
    const mine = copies.filter(({ x, y }) => near(x, one.at.X(row.x), 1) && near(y, one.at.Y(row.y), 1));
    assert.ok(mine.some(({ sheet }) => calls(sheet.pen, "fill")[0].fillStyle === row.colour));
    assert.ok(mine.some(({ sheet }) => calls(sheet.pen, "fill")[0].globalAlpha === (row.inside ? 0.92 : 0.16)));
  }
});

test("no rule is written over a point, over another rule, or over the cut that stays", () => {
  let seen = 0;
  for (const one of SCENES.filter(({ scene }) => scene.lines?.rule.length)) {
    const pen = drawn(one);
    const rules = new Set(one.scene.lines.rule);
    const { best, chosen, cuts } = one.scene;
    const [axis, index] = chosen ?? best ?? [2, 0];
    const limit = axis < 2 ? Number(cuts[axis].threshold[index]) : NaN;
    const boxes = calls(pen, "fillText").filter(({ args }) => rules.has(args[0]))
      .map(({ args: [text, x, y] }) => ({ x: x - 3, y: y - 7.5, w: 6 * text.length + 6, h: 15 }));
    const apart = (a, b) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
    boxes.forEach((box, k) => {
      seen += 1;
      for (const other of boxes.slice(k + 1)) assert.ok(apart(box, other));
      if (axis === 0) assert.ok(one.at.X(limit) <= box.x || one.at.X(limit) >= box.x + box.w, one.name);
      if (axis === 1) assert.ok(one.at.Y(limit) <= box.y || one.at.Y(limit) >= box.y + box.h, one.name);
      one.at.spots[0].forEach((x, i) => {
        const [px, py] = [x, one.at.spots[1][i]];
        assert.ok(!(px > box.x && px < box.x + box.w && py > box.y && py < box.y + box.h), one.name);
      });
    });
  }
  assert.ok(seen > 5);
});

test("on a line the mean of each leaf is drawn over it as the engine predicts", () => {
  const one = sceneOf("a curve");
  const [path] = calls(drawn(one, false), "stroke").filter(({ lineWidth }) => lineWidth === 3).map((call) => call.path);
  for (const { x, value } of one.told.witnesses) {
    const px = one.at.X(x);
    const here = path.findIndex(([, ax], k) => k + 1 < path.length && ax <= px && px <= path[k + 1][1] && ax < path[k + 1][1]);
    assert.ok(near(path[here][2], one.at.Y(value)) && near(path[here + 1][2], one.at.Y(value)), `${x}`);
  }
});

test("every row is drawn once, with the colour of its class and shape, at its place", () => {
  for (const one of SCENES) {
    const { at, scene, told } = one;
    const pen = drawn(one);
    const marks = calls(pen, "fill").filter(({ globalAlpha }) => globalAlpha === 0.92 || globalAlpha === (scene.classes && !scene.colours.dark ? 0.16 : 0.3));
    assert.ok(marks.length >= told.points.length);
    const wide = scene.up.lanes ? Math.abs(at.Y(0.3) - at.Y(0)) : 3; // in lanes rows are spread
    for (const row of told.points) {
      const alpha = row.inside ? 0.92 : scene.classes && !scene.colours.dark ? 0.16 : 0.3;
      const found = marks.some(({ path, fillStyle, globalAlpha }) => {
        const [x, y] = middleOf(path);
        const shape = told.classes.find(([, colour]) => colour === row.colour)?.[2] ?? "circle";
        return near(x, at.X(row.x), 3) && near(y, at.Y(row.y), wide) && fillStyle === row.colour
          && globalAlpha === alpha && String(shapeOf(path)) === String(shapeNamed(shape));
      });
      assert.ok(found, `${one.name}: ${row.x}, ${row.y}`);
    }
  }
});

test("rows of the focus are drawn over the others", () => {
  const pen = drawn(sceneOf("a node in focus"));
  const alphas = calls(pen, "fill").map(({ globalAlpha }) => globalAlpha).filter((alpha) => [0.16, 0.92].includes(alpha));
  assert.ok(alphas.lastIndexOf(0.16) < alphas.indexOf(0.92) && alphas.includes(0.16));
});

test("each split that can be seen has its line between the ends of its box", () => {
  for (const one of SCENES.filter(({ scene }) => scene.lines.node.length)) {
    const { at, scene, told } = one;
    const drawnLines = calls(drawn(one, false), "stroke").filter(({ lineWidth, globalAlpha }) => lineWidth === 1.4 && globalAlpha === 0.75);
    assert.equal(drawnLines.length, told.splits.length);
    told.splits.forEach(({ node, axis, threshold }, k) => {
      const [left, right, bottom, top] = boxOf(scene, node);
      const ends = drawnLines[k].path.map(([, x, y]) => [x, y]).toSorted((a, b) => a[0] - b[0] || b[1] - a[1]).flat();
      const places = axis === 0 ? [threshold, bottom, threshold, top] : [left, threshold, right, threshold];
      const wanted = [at.X(places[0]), at.Y(places[1]), at.X(places[2]), at.Y(places[3])];
      ends.forEach((v, i) => assert.ok(near(v, wanted[i]), `${one.name}: ${node}`));
    });
  }
});

test("rules are written beside their lines, and over no point", () => {
  const one = sceneOf("other axes, dark");
  const words = texts(drawn(one, false));
  assert.ok(one.told.splits.every(({ rule }) => words.includes(rule)));
});

test("the focus has its frame in the colour of what is looked at", () => {
  for (const one of SCENES) {
    const { at, scene } = one;
    const [left, right, bottom, top] = boxOf(scene, scene.focus);
    const frames = calls(drawn(one, false), "strokeRect").filter(({ lineWidth, strokeStyle }) => lineWidth === 2 && strokeStyle === scene.colours.accent);
    const wanted = [at.X(left), at.Y(top), at.X(right) - at.X(left), at.Y(bottom) - at.Y(top)];
    assert.equal(frames.length, 1);
    frames[0].args.forEach((v, k) => assert.ok(near(v, wanted[k])));
  }
});

test("a bare scene has its points and axes, and nothing of a tree", () => {
  const one = sceneOf("three classes");
  for (const name of ["regions", "lines", "values", "seen", "inside", "fills"]) delete one.scene[name];
  one.at.strips = [];
  const pen = drawn(one);
  assert.deepEqual(calls(pen, "strokeRect"), []);
  assert.equal(calls(pen, "fill").filter(({ globalAlpha }) => globalAlpha === 0.92).length, one.told.points.length);
});

// --- leaves that vary -----------------------------------------------------------------------------

/** A scene of leaves that vary, drawn without its points. */
function leaning(name) {
  const told = expected.leaning[name];
  const scene = { ...unpack(bytesOf(told.frame)), family: "Sans" };
  const at = { ...layoutOf(640, scene, (text) => 6 * text.length), spots: [[], []] };
  const pen = recorder();
  draw(pen, at, scene, { x: new Float64Array(), y: new Float64Array(), code: new Int32Array() });
  return { told, scene, at, pen };
}

test("every place of a surface has the colour of what is predicted there", () => {
  const { told, scene, at, pen } = leaning("a surface");
  const wide = (scene.high - scene.low) / scene.scale.length;
  const colours = new Set();
  let seen = 0;
  for (const { x, y, value, colour } of told.witnesses) {
    const share = (value - scene.low) / wide;
    if (Math.abs(share - Math.round(share)) < 0.01) continue; // between two shades
    const fills = fillsAt(pen, at.X(x), at.Y(y)).filter(({ globalAlpha }) => globalAlpha === 0.45);
    assert.deepEqual(fills.map(({ fillStyle }) => fillStyle), [colour], `${x}, ${y}: ${value}`);
    seen += 1;
    colours.add(colour);
  }
  assert.ok(seen > 100 && colours.size > 6);
});

test("over a strip each leaf has its own line; of two classes that of the second's share", () => {
  for (const name of ["a curve", "odds on a line", "shares on a line"]) {
    const { told, at, pen } = leaning(name);
    const line = calls(pen, "stroke").find(({ lineWidth }) => lineWidth === 3);
    const corners = line.path.map(([, x, y]) => [x, y]);
    for (const { x, value, shares } of told.witnesses) {
      const here = at.X(x);
      const k = corners.findIndex(([left], at_) => at_ && corners[at_ - 1][0] <= here && here <= left);
      const [[ax, ay], [bx, by]] = [corners[k - 1], corners[k]];
      assert.ok(near(ay + ((by - ay) * (here - ax)) / (bx - ax), at.Y(shares[1] ?? value), 0.5), `${name}: ${x}`);
    }
  }
});

test("where leaves tell shares, each place has the colour of its class, the stronger the surer", () => {
  for (const name of ["odds", "shares", "odds on a line", "shares on a line"]) {
    const { told, scene, at, pen } = leaning(name);
    const none = 1 / scene.classes.length;
    let seen = 0;
    for (const { x, y, value, colour, shares } of told.witnesses) {
      const share = shares[value];
      if (Math.abs(share * 10 - Math.round(share * 10)) < 0.05 && name.startsWith("odds")) continue; // between two shades
      const fills = fillsAt(pen, at.X(x), at.Y(scene.form === "strip" ? 0.1 : y)).filter(({ globalAlpha }) => globalAlpha < 0.4);
      assert.deepEqual(fills.map(({ fillStyle }) => fillStyle), [colour], `${name}: ${x}, ${y}`);
      const sure = (fills[0].globalAlpha - 0.04) / 0.3;
      assert.ok(Math.abs(none + sure * (1 - none) - share) < 0.051, `${name}: ${x}, ${y}: ${share}`);
      seen += 1;
    }
    assert.ok(seen > 5, name);
  }
});
