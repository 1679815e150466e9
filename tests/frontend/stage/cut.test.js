import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { cropToPlane, drawCut, readoutPanel, summaryText, summaryOf } from "../../../dtviz/frontend/stage/cut.js";
import { ringAt } from "../../../dtviz/frontend/stage/rings.js";
import { cutEdges, thresholdOf, sideStatistics } from "../../../dtviz/frontend/stage/sides.js";
import { drawTint } from "../../../dtviz/frontend/stage/tint.js";
import { calls, recorder, texts } from "../pen.js";
import { bandedScenes, beside, boxOf, crowdedScenes, cutsOf, eachScene, fillsAt, middleOf, near, sceneOf } from "../scenes.js";

const SCENES = eachScene();
const TOLD = SCENES.filter(({ scene }) => !scene.asking);

test("there are rows at the threshold, cuts on both axes, both sides of both colours", () => {
  const all = SCENES.flatMap(cutsOf);
  assert.ok(all.some(({ on_it: rows }) => rows > 1));
  for (const axis of [0, 1]) {
    const mine = all.filter(({ cut }) => cut[0] === axis);
    assert.ok(mine.some(({ left, right }) => left.colour !== right.colour && left.rows !== right.rows));
  }
  assert.ok(all.some(({ admissible }) => !admissible) && all.some(({ boundary }) => !boundary));
});

test("the rows of both sides are those that the engine sends there", () => {
  for (const one of SCENES) {
    for (const { cut, left, right, rule } of cutsOf(one)) {
      const found = sideStatistics(one.scene, one.cloud, cut);
      if (one.scene.classes) {
        assert.deepEqual([found.left, found.right], [left.counts, right.counts], `${one.name}: ${rule}`);
      } else {
        assert.deepEqual([found.left[0], found.right[0]], [left.weight, right.weight]);
        assert.ok(near(found.left[1], left.mean, 1e-9) && near(found.right[1], right.mean, 1e-9));
      }
    }
  }
});

test("where not all rows are drawn the sides are those that the engine has of all rows", () => {
  for (const [few, all] of crowdedScenes()) {
    assert.ok(few.cloud.x.length < all.cloud.x.length && !few.scene.whole && all.scene.whole);
    for (const { cut, left, right, rule } of cutsOf(few)) {
      const [found, counted] = [few, all].map((one) => sideStatistics(one.scene, one.cloud, cut));
      const about = `${few.name}: ${rule}`;
      for (const [mine, its, side] of [[found.left, counted.left, left], [found.right, counted.right, right]]) {
        if (few.scene.classes) assert.deepEqual(mine, side.counts, about);
        else assert.ok(near(mine[0], side.weight, 1e-9) && near(mine[1], side.mean, 1e-9), about);
        if (few.scene.form === "strip") assert.ok(its.every((one, k) => near(one, mine[k], 1e-9)), about);
      }
      if (few.scene.classes) assert.equal(summaryText(summaryOf(few.scene, few.cloud, cut)), summaryText(summaryOf(all.scene, all.cloud, cut)));
    }
  }
});

test("where the classes are too many for that nothing is told", () => {
  const [[{ scene, cloud, told }]] = crowdedScenes();
  for (const cuts of scene.cuts) delete cuts.weighed;
  assert.equal(sideStatistics(scene, cloud, [0, 0]), null);
  const said = summaryOf(scene, cloud, [0, 0]);
  assert.deepEqual([said.left.n, said.right.n], [told.cuts[0][0].left.rows, told.cuts[0][0].right.rows]);
  assert.ok(!said.left.shares && said.left.mean === null);
});

test("the threshold is the engine's, short enough to be read", () => {
  for (const one of SCENES) {
    for (const { cut, threshold } of cutsOf(one)) {
      assert.ok(near(thresholdOf(one.scene, cut), threshold, Math.abs(threshold) * 1e-3));
    }
  }
});

test("each cut is told as Python tells it: rule, rows, impurities, worth and share of the best", () => {
  for (const one of TOLD) {
    for (const { cut, rule, left, right, score, share } of cutsOf(one)) {
      const told = summaryOf(one.scene, one.cloud, cut);
      assert.equal(told.rule, rule);
      assert.equal(told.score, score);
      assert.equal(told.share, share, `${one.name}: ${rule}`);
      for (const [mine, side] of [[told.left, left], [told.right, right]]) {
        assert.equal(mine.n, side.rows);
        if (one.scene.classes) assert.deepEqual(mine.shares, side.counts);
        else assert.ok(near(mine.mean, side.mean, 1e-9));
      }
      const rows = (side) => `${side.rows} row${side.rows === 1 ? "" : "s"}${side.told}, impurity ${side.impurity}`;
      const tail = share ? `, ${share}` : "";
      assert.equal(summaryText(told), `${rule}; left ${rows(left)}; right ${rows(right)}; ${score}${tail}`);
    }
  }
});

test("rows that surrogates send are on no side of the cut that is looked at, and are counted", () => {
  let away = 0;
  for (const one of [sceneOf("surrogates"), sceneOf("learned")]) {
    for (const told of cutsOf(one)) {
      const said = summaryOf(one.scene, one.cloud, told.cut);
      assert.deepEqual([said.left.n, said.right.n, said.surrogateRows], [told.left.rows, told.right.rows, told.away], told.rule);
      assert.deepEqual([said.left.shares, said.right.shares], [told.left.counts, told.right.counts], told.rule);
      assert.equal(summaryText(said).includes(`; ${told.away} without the value by surrogates`), told.away > 0);
      away += told.away;
    }
    assert.equal(away > 0, one.name === "surrogates");
    away = 0;
  }
});

test("the best is the winner, and shares are of it, where a forbidden cut scores more", () => {
  const one = sceneOf("a forbidden cut scores most");
  const [winner] = cutsOf(one).flatMap(({ best, worth }) => (best ? [worth] : []));
  assert.ok(one.scene.top > winner);
  const { element, show } = readoutPanel();
  const told = (is) => cutsOf(one).filter(is).map(({ cut, worth, score, share }) => {
    show(one.scene, summaryOf(one.scene, one.cloud, cut));
    const [, { textContent }] = element.children[0].children;
    assert.equal(textContent, `${score} · ${share}`);
    return { worth, share };
  });
  assert.deepEqual(told(({ best }) => best), [{ worth: winner, share: "the best" }]);
  assert.ok(told(({ admissible, tied }) => admissible && !tied).some(({ share }) => share.endsWith(" % of the best")));
  const most = told(({ worth }) => worth === one.scene.top);
  assert.ok(most.length && most.every(({ share }) => share === "leaves too little on a side"));
});

test("a cut that is not the best never rounds up to it", () => {
  const { scene, cloud } = sceneOf("a ratio");
  const [cuts] = scene.cuts;
  const i = cuts.flags.findIndex((flag) => flag & 1 && !(flag & 4));
  cuts.share[i] = 100; // rounded
  assert.equal(summaryOf(scene, cloud, [0, i]).share, "just below the best");
});

test("while a cut is asked for, nothing tells how good it is", () => {
  const { scene, cloud, told } = sceneOf("asking");
  const said = summaryOf(scene, cloud, [0, 2]);
  assert.deepEqual([said.score, said.share], [undefined, undefined]);
  assert.deepEqual([said.left.impurity, said.right.impurity], [null, null]);
  assert.deepEqual([said.left.shares, said.right.shares], [told.cuts[0][2].left.counts, told.cuts[0][2].right.counts]);
  assert.equal(summaryText(said), `${told.cuts[0][2].rule}; left ${told.cuts[0][2].left.rows} rows; right ${told.cuts[0][2].right.rows} rows`);
});

test("a cut of a category is told as Python tells it, whichever side of it goes left", () => {
  const turned = new Set();
  for (const one of bandedScenes()) {
    for (const { cut, rule, left, right } of cutsOf(one)) {
      const told = summaryOf(one.scene, one.cloud, cut);
      assert.equal(told.rule, rule);
      assert.deepEqual([told.left.n, told.right.n], [left.rows, right.rows]);
      if (one.scene.classes) assert.deepEqual([told.left.shares, told.right.shares], [left.counts, right.counts]);
      else assert.ok(near(told.left.mean, left.mean, 1e-9) && near(told.right.mean, right.mean, 1e-9));
      turned.add(one.scene.cuts[cut[0]].flags[cut[1]] & 8);
    }
  }
  assert.deepEqual([...turned].toSorted(), [0, 8]);
});

// --- what is drawn --------------------------------------------------------------------------------

/** A cut drawn alone. */
function drawn(one, cut, litNode = null) {
  const pen = recorder();
  drawCut(pen, one.at, one.scene, one.cloud, { cut, litNode });
  return pen;
}

/** Its tint alone: what lies under the points. */
function tinted(one, cut) {
  const pen = recorder();
  drawTint(pen, one.at, one.scene, one.cloud, cut);
  return pen;
}

/** The pixel of a row that lies well inside the plane. */
const pixelOf = ({ at }, row) => [at.X(row.x), at.Y(row.y)];

test("each row of a leaf stands on the colour of the side that the engine sends it to", () => {
  let differ = 0;
  for (const one of SCENES.filter(({ scene }) => scene.form === "plane" && scene.classes && scene.fills[scene.focus] !== undefined)) {
    for (const { cut, left, right, threshold } of cutsOf(one)) {
      const pen = tinted(one, cut);
      for (const row of one.told.points.filter(({ inside }) => inside)) {
        const value = cut[0] === 0 ? row.x : row.y;
        if (value === threshold) continue; // on the line itself
        const side = value <= threshold ? left : right;
        const fill = fillsAt(pen, ...pixelOf(one, row)).at(-1);
        assert.equal(fill.fillStyle, side.colour, `${one.name}: ${cut}`);
        assert.equal(fill.globalAlpha, one.scene.colours.dark ? 0.26 : 0.17);
        if (left.colour !== right.colour) differ += 1;
      }
    }
  }
  assert.ok(differ > 200);
});

test("each row stands in the band of the side it goes to", () => {
  let differ = 0;
  for (const one of [sceneOf("root"), sceneOf("a node"), sceneOf("alone"), sceneOf("subsets"), sceneOf("subsets of a node")]) {
    for (const { cut, left, right, goes_left: goes } of cutsOf(one)) {
      const pen = tinted(one, cut);
      one.told.points.forEach(({ inside }, i) => {
        if (!inside) return;
        const side = goes.includes(i) ? left : right;
        const [fill] = fillsAt(pen, one.at.spots[0][i], one.at.spots[1][i]);
        assert.equal(fill.fillStyle, side.colour, `${cut}`);
        if (left.colour !== right.colour) differ += 1;
      });
    }
  }
  assert.ok(differ > 20);
});

test("a value against the rest stands between the two edges of its band, other cuts on one line", () => {
  const { cuts } = sceneOf("alone").scene;
  for (const one of [sceneOf("root"), sceneOf("alone")]) {
    const alone = one.name === "alone";
    for (const { cut, threshold } of cutsOf(one)) {
      if (cut[0] === 1) continue;
      const places = alone ? [threshold - 0.5, threshold + 0.5] : [threshold];
      const ring = ringAt(one.scene.regions, one.scene.regions.node.indexOf("1"));
      assert.deepEqual(cutEdges(one.scene, ring, cut).map(([x]) => x), places);
    }
  }
  assert.ok(cuts[0].threshold.length > 2 && cuts[0].flags.every((flag) => flag & 16));
});

test("a scattered subset has an edge where a run of its values ends, and no line down to the axis", () => {
  const one = sceneOf("subsets");
  const { scene, cloud, at } = one;
  const ring = ringAt(scene.regions, scene.regions.node.indexOf("1"));
  let broken = 0;
  for (const { cut, goes_left: goes, scattered } of cutsOf(one)) {
    const along = cut[0] === 0 ? cloud.x : cloud.y;
    const named = new Set(goes.map((i) => Math.round(along[i])));
    const ends = [...named].flatMap((place) => [-0.5, 0.5].map((half) => place + half)).toSorted((a, b) => a - b);
    const inner = ends.filter((end) => !named.has(end - 0.5) || !named.has(end + 0.5));
    const [lowest, highest] = [ends[0], ends.at(-1)];
    const found = cutEdges(scene, ring, cut).map((edge) => edge[cut[0]]);
    if (scattered) assert.deepEqual(found, inner);
    else assert.ok(found.length === 1 && (found[0] === lowest || found[0] === highest));
    const down = drawn(one, cut).log.filter(({ name, dash }) => name === "stroke" && String(dash) === "2,3");
    assert.equal(down.length, scattered ? 0 : 1);
    broken += scattered && found.length > 2;
  }
  assert.ok(broken > 5 && at.strips.length === 2);
});

test("the values of a cut are written on its axis, as many letters as there is room for", () => {
  for (const one of bandedScenes()) {
    for (const { cut, rule } of cutsOf(one)) {
      const [written, x, y] = calls(drawn(one, cut), "fillText").at(-1).args;
      const name = cut[0] === 0 ? one.scene.across.name : one.scene.up.name;
      assert.ok(`${name} ${rule.slice(name.length + 1)}`.startsWith(`${name} ${written.replace("…", "")}`));
      assert.ok(cut[0] === 0 ? y > one.at.foot + 20 && y <= one.at.height - 9.5 : x < one.at.plane.x);
    }
  }
});

test("where no class colours the sides, the left one is darker", () => {
  let seen = 0;
  for (const one of SCENES.filter(({ scene }) => scene.form === "plane" && !scene.classes && scene.fills[scene.focus] !== undefined)) {
    for (const { cut, threshold } of cutsOf(one)) {
      const pen = tinted(one, cut);
      for (const row of one.told.points.filter(({ inside }) => inside)) {
        const value = cut[0] === 0 ? row.x : row.y;
        if (value === threshold) continue;
        const [fill] = fillsAt(pen, ...pixelOf(one, row));
        assert.deepEqual([fill.fillStyle, fill.globalAlpha], [one.scene.colours.ink, value <= threshold ? 0.12 : 0.02]);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 100);
});

test("the regions of a node that is split already keep their colours", () => {
  const split = SCENES.filter(({ scene }) => scene.form === "plane" && scene.fills[scene.focus] === undefined);
  assert.ok(split.length > 2);
  for (const one of split) {
    for (const { cut } of cutsOf(one)) assert.deepEqual(tinted(one, cut).log.map(({ name }) => name), ["clearRect"]);
  }
});

test("a leaf that keeps no cut has its sides' colours while one is looked at, its own alone while none is", () => {
  const one = sceneOf("asking");
  const strengths = (cut) => tinted(one, cut).log.filter(({ name }) => name.startsWith("fill")).map(({ globalAlpha }) => globalAlpha);
  for (const { cut } of cutsOf(one)) assert.deepEqual(strengths(cut), [0.17, 0.17]);
  assert.deepEqual(strengths(null), [0.15]);
});

test("a number on a line has the mean of each side drawn over it", () => {
  const one = sceneOf("a curve");
  for (const { cut, left, right, threshold } of cutsOf(one)) {
    const lines = calls(drawn(one, cut), "stroke").filter(({ dash }) => String(dash) === "5,4");
    const ends = lines.map(({ path: [[, ax, ay], [, bx, by]] }) => ({ ax, ay, bx, by }));
    assert.equal(ends.length, 2);
    for (const [k, side] of [left, right].entries()) {
      assert.ok(near(ends[k].ay, one.at.Y(side.mean)) && ends[k].ay === ends[k].by);
    }
    assert.ok(near(ends[0].bx, one.at.X(threshold)) && near(ends[1].ax, one.at.X(threshold)));
    assert.ok(ends[0].ax < ends[0].bx && ends[1].ax < ends[1].bx);
  }
});

test("where leaves are regressions, each side has its own drawn over it", () => {
  const one = sceneOf("a curve to cut");
  one.told.sides.forEach((sides_, i) => {
    const lines = calls(drawn(one, [0, i]), "stroke").filter(({ dash }) => String(dash) === "5,4");
    assert.equal(lines.length, 2);
    lines.forEach(({ path: [[, ax, ay], [, bx, by]] }, k) => {
      for (const [x, y] of sides_[k]) assert.ok(near(ay + ((by - ay) * (one.at.X(x) - ax)) / (bx - ax), one.at.Y(y), 0.1), `${i}`);
    });
  });
});

test("the line stands at the threshold, thick inside the focus", () => {
  for (const one of SCENES) {
    const { at, scene } = one;
    const [left, right, bottom, top] = boxOf(scene, scene.focus);
    for (const { cut, threshold } of cutsOf(one)) {
      const thick = calls(drawn(one, cut), "stroke").find(({ lineWidth }) => lineWidth === 2.8);
      const [[, ax, ay], [, bx, by]] = thick.path;
      const place = Number(scene.cuts[cut[0]].threshold[cut[1]]);
      assert.ok(near(place, threshold, 1e-3 * Math.abs(threshold)));
      if (cut[0] === 0) {
        assert.ok(near(ax, at.X(place)) && near(bx, at.X(place)));
        assert.deepEqual([ay, by].map(Math.round), [at.Y(top), at.Y(bottom)].map(Math.round));
      } else {
        assert.ok(near(ay, at.Y(place)) && near(by, at.Y(place)));
        assert.deepEqual([ax, bx].map(Math.round), [at.X(left), at.X(right)].map(Math.round));
      }
      assert.equal(thick.strokeStyle, scene.colours.accent);
    }
  }
});

test("a star stands on the best cut, a diamond on another, at its place on the gains", () => {
  for (const one of TOLD.filter(({ at }) => at.strips.length)) {
    for (const { cut, best, worth } of cutsOf(one)) {
      const [fill] = calls(drawn(one, cut), "fill");
      assert.equal(fill.path.length, best ? 11 : 5, `${one.name}: ${cut}`);
      const strip = one.at.strips[cut[0]];
      const [x, y] = middleOf(fill.path);
      const limit = thresholdOf(one.scene, cut);
      if (cut[0] === 0) assert.ok(near(x, one.at.X(limit), 0.1) && near(y, strip.gain(worth), 2));
      else assert.ok(near(y, one.at.Y(limit), 2) && near(x, strip.gain(worth), 0.1));
    }
  }
});

test("the threshold is written beside its axis", () => {
  for (const one of SCENES) {
    const { scene, at } = one;
    for (const { cut, ...told } of cutsOf(one)) {
      const written = calls(drawn(one, cut), "fillText").at(-1);
      assert.equal(written.args[0], beside(told));
      assert.equal(written.fillStyle, scene.colours.paper);
      const [, x, y] = written.args;
      if (cut[0] === 0) {
        assert.ok(y > at.foot);
        assert.ok(near(x, at.X(thresholdOf(scene, cut)), 60));
      } else {
        assert.ok(x < at.plane.x);
        assert.ok(near(y, at.Y(thresholdOf(scene, cut)), 1));
      }
    }
  }
});

test("a node that is lit has an outline, and nothing over its points", () => {
  for (const name of ["a node in focus", "other axes, dark"]) {
    const one = sceneOf(name);
    const node = one.scene.regions.node.at(-1);
    const pen = drawn(one, null, node);
    const [left, right, bottom, top] = boxOf(one.scene, node);
    const [frame] = calls(pen, "strokeRect");
    assert.deepEqual([frame.strokeStyle, frame.lineWidth], [one.scene.colours.accent, 2.5]);
    const wanted = [one.at.X(left), one.at.Y(top), one.at.X(right) - one.at.X(left), one.at.Y(bottom) - one.at.Y(top)];
    frame.args.forEach((v, k) => assert.ok(near(v, wanted[k])));
    assert.deepEqual(pen.log.filter(({ name: what }) => what.startsWith("fill")), []);
    for (const litNode of [null, "999"]) assert.deepEqual(drawn(one, null, litNode).log.map(({ name: what }) => what), ["clearRect"]);
  }
});

test("nothing that moves covers a point with a colour: no tint, no veil, no light", () => {
  let seen = 0;
  for (const one of SCENES) {
    const { plane } = one.at;
    const shade = one.scene.colours.dark ? 0.26 : 0.17;
    for (const { cut } of cutsOf(one)) {
      const pen = drawn(one, cut, one.scene.focus);
      const fills = pen.log.filter(({ name, path, args }) => {
        if (name !== "fill" && name !== "fillRect") return false;
        const [x, y] = name === "fill" ? middleOf(path) : [args[0] + args[2] / 2, args[1] + args[3] / 2];
        return x > plane.x && x < plane.x + plane.w && y > plane.y && y < plane.y + plane.h;
      });
      assert.deepEqual(fills.filter(({ globalAlpha }) => globalAlpha < 1), [], `${one.name}: ${cut}`);
      seen += calls(tinted(one, cut), "fill").concat(calls(tinted(one, cut), "fillRect")).filter(({ globalAlpha }) => [shade, 0.12, 0.02].includes(globalAlpha)).length;
    }
  }
  assert.ok(seen > 200);
});

test("nothing is drawn of a cut whose node is out of sight", () => {
  const one = sceneOf("three classes");
  one.scene.seen = false;
  for (const draw of [drawn, tinted]) assert.deepEqual(draw(one, [0, 0]).log.map(({ name }) => name), ["clearRect"]);
});

// --- the readoutPanel ----------------------------------------------------------------------------------

test("the readoutPanel has both sides in their order, with the engine's rows and figures", () => {
  for (const one of TOLD) {
    const { element, show } = readoutPanel();
    for (const { cut, rule, left, right, score, share } of cutsOf(one)) {
      show(one.scene, summaryOf(one.scene, one.cloud, cut));
      const [first, both] = element.children;
      assert.equal(first.children[0].textContent, rule);
      assert.equal(first.children[1].textContent, [score, share].filter(Boolean).join(" · "));
      const parts = both.children;
      [[parts[0], "left", left], [parts[1], "right", right]].forEach(([part, name, side]) => {
        assert.equal(part.querySelector(".name").textContent, name);
        const mean = side.mean === undefined ? "" : `, mean ${side.said}`;
        const rows = `${side.rows} row${side.rows === 1 ? "" : "s"}${side.told}`;
        assert.equal(part.querySelector(".count").textContent, `${rows}${mean}, ${one.scene.impurity} ${side.impurity}`);
        const pieces = part.querySelectorAll(".piece").map(({ style }) => [style.background, Number(style.flexGrow)]);
        const counts = side.counts ?? [];
        const wanted = counts.map((count, code) => [one.told.classes[code][1], count]).filter(([, count]) => count);
        assert.deepEqual(pieces, wanted, `${one.name}: ${rule}, ${name}`);
      });
    }
  }
});

test("without a cut the readoutPanel is empty, or asks for one", () => {
  const { element, show } = readoutPanel();
  const told = sceneOf("three classes");
  show(told.scene, summaryOf(told.scene, told.cloud, [0, 0]));
  show(told.scene, null);
  assert.equal(element.textContent, "");
  assert.ok(element.classList.contains("empty"));
  show(sceneOf("asking").scene, null);
  assert.match(element.textContent, /^Where would you cut\?/);
});

test("a date or a duration is written on its axis with a sign", () => {
  const one = sceneOf("dates");
  for (const [cut, sign] of [[[0, 0], /^< 20[0-9-]{8}$/], [[1, 0], /^≤ [0-9]{2}:[0-9]{2}:[0-9]{2}$/]]) {
    const pen = recorder();
    drawCut(pen, one.at, one.scene, one.cloud, { cut, litNode: null });
    const written = texts(pen);
    assert.ok(written.some((text) => sign.test(text)), written.join());
  }
});

test("a leaf's line is drawn in the height of the plane alone", () => {
  const plane = { y: 100, h: 200 };
  assert.deepEqual(cropToPlane([0, 150, 10, 250], plane), [0, 150, 10, 250]);
  assert.deepEqual(cropToPlane([0, 0, 10, 400], plane), [2.5, 100, 7.5, 300]);
  assert.deepEqual(cropToPlane([0, 400, 10, 200], plane), [5, 300, 10, 200]);
  assert.deepEqual(cropToPlane([0, 120, 10, 120], plane), [0, 120, 10, 120]);
  assert.equal(cropToPlane([0, 90, 10, 90], plane), null);
  assert.equal(cropToPlane([0, 310, 10, 990], plane), null);
});

test("the threshold leaves the name of its axis free", () => {
  for (const { at, scene, cloud, told } of eachScene(390).concat(SCENES)) {
    for (const { cut } of cutsOf({ told }).filter((one) => one.cut[0] === 1).slice(0, 3)) {
      const pen = recorder();
      drawCut(pen, at, scene, cloud, { cut, litNode: null });
      const pill = pen.log.findLast(({ name }) => name === "fillRect");
      assert.ok(at.tiny || pill.args[0] >= 18);
    }
  }
});
