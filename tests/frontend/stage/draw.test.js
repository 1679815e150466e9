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

/** The whole still picture; without `points` the ground alone can be read. */
function drawn({ layout, scene, cloud }, points = true) {
  const pen = recorder();
  const none = { x: new Float64Array(), y: new Float64Array(), code: new Int32Array(), value: new Float64Array() };
  const shown = points ? layout : { ...layout, spots: [[], []] };
  draw(pen, shown, scene, points ? cloud : none);
  return pen;
}

test("every place of the plane has the colour of the engine's prediction there", () => {
  let count = 0;
  for (const example of SCENES.filter(({ scene }) => scene.classes || scene.form === "plane")) {
    const [ground, tint] = [drawn(example, false), recorder()];
    drawTint(tint, example.layout, example.scene, example.cloud, null);
    const [left, right, bottom, top] = boxOf(example.scene, example.scene.focus);
    const parted = example.scene.classes && example.scene.cuts && example.scene.fills[example.scene.focus] !== undefined;
    for (const { x, y, colour } of example.facts.witnesses) {
      const up = example.scene.form === "plane" ? y : 0.01;
      const inFocus = x > left && x <= right && up > bottom && up <= top;
      const fills = [ground, tint].map((pen) => fillsAt(pen, example.layout.X(x), example.layout.Y(up)));
      if (parted && inFocus) assert.deepEqual(fills[0], []); // a cut looked at tints both of its sides
      assert.equal(fills.flat().at(-1)?.fillStyle, colour, `${example.name}: ${x}, ${y}`);
      const shade = example.scene.classes ? (example.scene.colours.dark ? 0.24 : 0.15) : 0.45;
      assert.deepEqual(fills.flat().map(({ globalAlpha }) => globalAlpha), [shade]);
      count += 1;
    }
  }
  assert.ok(count > 300);
});

test("every leaf has its outline", () => {
  for (const example of SCENES.filter(({ scene }) => scene.classes || scene.form === "plane")) {
    const { layout, scene } = example;
    const leaves = scene.regions.node.filter((node) => scene.fills[node] !== undefined);
    const frames = calls(drawn(example, false), "strokeRect").filter(({ globalAlpha }) => globalAlpha === 0.55);
    assert.equal(frames.length, leaves.length);
    leaves.forEach((node, k) => {
      const [left, right, bottom, top] = boxOf(scene, node);
      const wanted = [layout.X(left), layout.Y(top), layout.X(right) - layout.X(left), layout.Y(bottom) - layout.Y(top)];
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
  const example = sceneOf("a node in focus");
  const pen = recorder();
  const copies = [];
  pen.drawImage = (sheet, x, y, w, h) => copies.push({ sheet, x: x + w / 2, y: y + h / 2 });
  draw(pen, example.layout, example.scene, example.cloud);
  assert.equal(copies.length, example.facts.points.length);
  assert.ok(sheets.length <= 6); // three classes, in the focus and not
  for (const row of example.facts.points) {
    const mine = copies.filter(({ x, y }) => near(x, example.layout.X(row.x), 1) && near(y, example.layout.Y(row.y), 1));
    assert.ok(mine.some(({ sheet }) => calls(sheet.pen, "fill")[0].fillStyle === row.colour));
    assert.ok(mine.some(({ sheet }) => calls(sheet.pen, "fill")[0].globalAlpha === (row.inside ? 0.92 : 0.16)));
  }
});

test("of many points the faint ones are drawn once, and then only those of the focus over them", () => {
  const pixels = (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) });
  globalThis.OffscreenCanvas = class {
    constructor(width, height) { Object.assign(this, { width, height }); }
    getContext() {
      return (this.pen ??= Object.assign(recorder(this), {
        createImageData: pixels, getImageData: (x, y, ...size) => pixels(...size), putImageData: () => { this.isBitmap = true; },
      }));
    }
  };
  const { layout, scene, cloud } = sceneOf("a node in focus");
  const times = Math.ceil(2000 / cloud.x.length);
  const repeated = (values) => Float64Array.from({ length: times * values.length }, (_, k) => values[k % values.length]);
  const many = { ...cloud, x: repeated(cloud.x), y: repeated(cloud.y), code: Int32Array.from(repeated(cloud.code)) };
  const shown = { ...layout, spots: layout.spots.map(repeated) };
  /** Draw with the points of these bits in the focus; returns the images that are copied onto the page. */
  const imagesWith = (bits, fields = {}) => {
    const [pen, images] = [recorder(), []];
    pen.drawImage = (image) => images.push(image);
    draw(pen, shown, { ...scene, ...fields, in_focus: Uint8Array.from({ length: many.x.length }, (_, k) => (k ? 0 : bits)) }, many);
    return images;
  };
  const [sheet, ...focus] = imagesWith(0b11100000);
  assert.deepEqual([sheet.isBitmap, focus.length], [true, 3]);
  assert.deepEqual(imagesWith(0b10000000).map((image) => image === sheet), [true, false]);
  assert.notEqual(imagesWith(0b10000000, { colours: { ...scene.colours, dark: true } })[0], sheet);
});

test("no rule is written over a point, over another rule, or over the cut that stays", () => {
  let count = 0;
  for (const example of SCENES.filter(({ scene }) => scene.lines?.rule.length)) {
    const pen = drawn(example);
    const rules = new Set(example.scene.lines.rule);
    const { best, chosen, cuts } = example.scene;
    const [axis, index] = chosen ?? best ?? [2, 0];
    const limit = axis < 2 ? Number(cuts[axis].threshold[index]) : NaN;
    const boxes = calls(pen, "fillText").filter(({ args }) => rules.has(args[0]))
      .map(({ args: [text, x, y] }) => ({ x: x - 3, y: y - 7.5, w: 6 * text.length + 6, h: 15 }));
    const areApart = (a, b) => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
    boxes.forEach((box, k) => {
      count += 1;
      for (const other of boxes.slice(k + 1)) assert.ok(areApart(box, other));
      if (axis === 0) assert.ok(example.layout.X(limit) <= box.x || example.layout.X(limit) >= box.x + box.w, example.name);
      if (axis === 1) assert.ok(example.layout.Y(limit) <= box.y || example.layout.Y(limit) >= box.y + box.h, example.name);
      example.layout.spots[0].forEach((x, i) => {
        const [px, py] = [x, example.layout.spots[1][i]];
        assert.ok(!(px > box.x && px < box.x + box.w && py > box.y && py < box.y + box.h), example.name);
      });
    });
  }
  assert.ok(count > 5);
});

test("on a line the mean of each leaf is drawn over it as the engine predicts", () => {
  const example = sceneOf("a curve");
  const [path] = calls(drawn(example, false), "stroke").filter(({ lineWidth }) => lineWidth === 3).map((call) => call.path);
  for (const { x, value } of example.facts.witnesses) {
    const px = example.layout.X(x);
    const first = path.findIndex(([, ax], k) => k + 1 < path.length && ax <= px && px <= path[k + 1][1] && ax < path[k + 1][1]);
    assert.ok(near(path[first][2], example.layout.Y(value)) && near(path[first + 1][2], example.layout.Y(value)), `${x}`);
  }
});

test("every row is drawn once, with the colour of its class and shape, at its place", () => {
  for (const example of SCENES) {
    const { layout, scene, facts } = example;
    const pen = drawn(example);
    const marks = calls(pen, "fill").filter(({ globalAlpha }) => globalAlpha === 0.92 || globalAlpha === (scene.classes && !scene.colours.dark ? 0.16 : 0.3));
    assert.ok(marks.length >= facts.points.length);
    const wide = scene.up.lanes ? Math.abs(layout.Y(0.3) - layout.Y(0)) : 3; // in lanes rows are spread
    for (const row of facts.points) {
      const alpha = row.inside ? 0.92 : scene.classes && !scene.colours.dark ? 0.16 : 0.3;
      const isDrawn = marks.some(({ path, fillStyle, globalAlpha }) => {
        const [x, y] = middleOf(path);
        const shape = facts.classes.find(([, colour]) => colour === row.colour)?.[2] ?? "circle";
        return near(x, layout.X(row.x), 3) && near(y, layout.Y(row.y), wide) && fillStyle === row.colour
          && globalAlpha === alpha && String(shapeOf(path)) === String(shapeNamed(shape));
      });
      assert.ok(isDrawn, `${example.name}: ${row.x}, ${row.y}`);
    }
  }
});

test("rows of the focus are drawn over the others", () => {
  const pen = drawn(sceneOf("a node in focus"));
  const alphas = calls(pen, "fill").map(({ globalAlpha }) => globalAlpha).filter((alpha) => [0.16, 0.92].includes(alpha));
  assert.ok(alphas.lastIndexOf(0.16) < alphas.indexOf(0.92) && alphas.includes(0.16));
});

test("each split that can be seen has its line between the ends of its box", () => {
  for (const example of SCENES.filter(({ scene }) => scene.lines.node.length)) {
    const { layout, scene, facts } = example;
    const drawnLines = calls(drawn(example, false), "stroke").filter(({ lineWidth, globalAlpha }) => lineWidth === 1.4 && globalAlpha === 0.75);
    assert.equal(drawnLines.length, facts.splits.length);
    facts.splits.forEach(({ node, axis, threshold }, k) => {
      const [left, right, bottom, top] = boxOf(scene, node);
      const ends = drawnLines[k].path.map(([, x, y]) => [x, y]).toSorted((a, b) => a[0] - b[0] || b[1] - a[1]).flat();
      const places = axis === 0 ? [threshold, bottom, threshold, top] : [left, threshold, right, threshold];
      const wanted = [layout.X(places[0]), layout.Y(places[1]), layout.X(places[2]), layout.Y(places[3])];
      ends.forEach((v, i) => assert.ok(near(v, wanted[i]), `${example.name}: ${node}`));
    });
  }
});

test("rules are written beside their lines, and over no point", () => {
  const example = sceneOf("other axes, dark");
  const words = texts(drawn(example, false));
  assert.ok(example.facts.splits.every(({ rule }) => words.includes(rule)));
});

test("the focus has a frame in the accent colour", () => {
  for (const example of SCENES) {
    const { layout, scene } = example;
    const [left, right, bottom, top] = boxOf(scene, scene.focus);
    const frames = calls(drawn(example, false), "strokeRect").filter(({ lineWidth, strokeStyle }) => lineWidth === 2 && strokeStyle === scene.colours.accent);
    const wanted = [layout.X(left), layout.Y(top), layout.X(right) - layout.X(left), layout.Y(bottom) - layout.Y(top)];
    assert.equal(frames.length, 1);
    frames[0].args.forEach((v, k) => assert.ok(near(v, wanted[k])));
  }
});

test("a bare scene has its points and axes, and nothing of a tree", () => {
  const example = sceneOf("three classes");
  for (const name of ["regions", "lines", "values", "is_focus_drawn", "inside", "fills"]) delete example.scene[name];
  example.layout.gainStrips = [];
  const pen = drawn(example);
  assert.deepEqual(calls(pen, "strokeRect"), []);
  assert.equal(calls(pen, "fill").filter(({ globalAlpha }) => globalAlpha === 0.92).length, example.facts.points.length);
});

// --- predictions that vary inside a leaf -----------------------------------------------------------------------------

/** A scene whose predictions vary inside leaves, drawn without its points. */
function leaning(name) {
  const facts = expected.leaning[name];
  const scene = { ...unpack(bytesOf(facts.frame)), family: "Sans" };
  const layout = { ...layoutOf(640, scene, (text) => 6 * text.length), spots: [[], []] };
  const pen = recorder();
  draw(pen, layout, scene, { x: new Float64Array(), y: new Float64Array(), code: new Int32Array() });
  return { facts, scene, layout, pen };
}

test("every place of a surface has the colour of its prediction", () => {
  const { facts, scene, layout, pen } = leaning("a surface");
  const wide = (scene.high - scene.low) / scene.scale.length;
  const colours = new Set();
  let count = 0;
  for (const { x, y, value, colour } of facts.witnesses) {
    const share = (value - scene.low) / wide;
    if (Math.abs(share - Math.round(share)) < 0.01) continue; // between two shades
    const fills = fillsAt(pen, layout.X(x), layout.Y(y)).filter(({ globalAlpha }) => globalAlpha === 0.45);
    assert.deepEqual(fills.map(({ fillStyle }) => fillStyle), [colour], `${x}, ${y}: ${value}`);
    count += 1;
    colours.add(colour);
  }
  assert.ok(count > 100 && colours.size > 6);
});

test("over a strip each leaf has its own line; of two classes that of the second's share", () => {
  for (const name of ["a curve", "odds on a line", "shares on a line"]) {
    const { facts, layout, pen } = leaning(name);
    const line = calls(pen, "stroke").find(({ lineWidth }) => lineWidth === 3);
    const corners = line.path.map(([, x, y]) => [x, y]);
    for (const { x, value, shares } of facts.witnesses) {
      const px = layout.X(x);
      const k = corners.findIndex(([left], index) => index && corners[index - 1][0] <= px && px <= left);
      const [[ax, ay], [bx, by]] = [corners[k - 1], corners[k]];
      assert.ok(near(ay + ((by - ay) * (px - ax)) / (bx - ax), layout.Y(shares[1] ?? value), 0.5), `${name}: ${x}`);
    }
  }
});

test("where leaves tell shares, each place has the colour of its class, the stronger the surer", () => {
  for (const name of ["odds", "shares", "odds on a line", "shares on a line"]) {
    const { facts, scene, layout, pen } = leaning(name);
    const none = 1 / scene.classes.length;
    let count = 0;
    for (const { x, y, value, colour, shares } of facts.witnesses) {
      const share = shares[value];
      if (Math.abs(share * 10 - Math.round(share * 10)) < 0.05 && name.startsWith("odds")) continue; // between two shades
      const fills = fillsAt(pen, layout.X(x), layout.Y(scene.form === "strip" ? 0.1 : y)).filter(({ globalAlpha }) => globalAlpha < 0.4);
      assert.deepEqual(fills.map(({ fillStyle }) => fillStyle), [colour], `${name}: ${x}, ${y}`);
      const sure = (fills[0].globalAlpha - 0.04) / 0.3;
      assert.ok(Math.abs(none + sure * (1 - none) - share) < 0.051, `${name}: ${x}, ${y}: ${share}`);
      count += 1;
    }
    assert.ok(count > 5, name);
  }
});
