import assert from "node:assert/strict";
import test from "node:test";

import "../page.js";
import { cropToPlane, drawCut, createReadout, summaryText, summaryOf } from "../../../dtviz/frontend/stage/cut.js";
import { parts } from "../../../dtviz/frontend/draw/marks.js";
import { ringAt, spanOf } from "../../../dtviz/frontend/stage/rings.js";
import { cutEdges, focusOf, partsOf, thresholdOf, sideStatistics } from "../../../dtviz/frontend/stage/sides.js";
import { drawTint } from "../../../dtviz/frontend/stage/tint.js";
import { calls, recorder, texts } from "../pen.js";
import { bandedScenes, boxOf, branchedScenes, crowdedScenes, cutsOf, eachScene, fillsAt, middleOf, near, sceneOf, thresholdText } from "../scenes.js";

const SCENES = eachScene();
const SCORED = SCENES.filter(({ scene }) => !scene.is_asking);

test("there are rows at the threshold, cuts on both axes, both sides of both colours", () => {
  const all = SCENES.flatMap(cutsOf);
  assert.ok(all.some(({ on_it: rows }) => rows > 1));
  for (const axis of [0, 1]) {
    const ofAxis = all.filter(({ cut }) => cut[0] === axis);
    assert.ok(ofAxis.some(({ left, right }) => left.colour !== right.colour && left.rows !== right.rows));
  }
  assert.ok(all.some(({ admissible }) => !admissible) && all.some(({ boundary }) => !boundary));
});

test("both sides of a cut have the rows that the engine sends there", () => {
  for (const example of SCENES) {
    for (const { cut, left, right, rule } of cutsOf(example)) {
      const statistics = sideStatistics(example.scene, example.cloud, cut);
      if (example.scene.classes) {
        assert.deepEqual([statistics[0], statistics[1]], [left.counts, right.counts], `${example.name}: ${rule}`);
      } else {
        assert.deepEqual([statistics[0][0], statistics[1][0]], [left.weight, right.weight]);
        assert.ok(near(statistics[0][1], left.mean, 1e-9) && near(statistics[1][1], right.mean, 1e-9));
      }
    }
  }
});

test("where not all rows are drawn the statistics of both sides are still those of all rows", () => {
  for (const [sample, all] of crowdedScenes()) {
    assert.ok(sample.cloud.x.length < all.cloud.x.length && !sample.scene.has_all_rows && all.scene.has_all_rows);
    for (const { cut, left, right, rule } of cutsOf(sample)) {
      const [sampled, counted] = [sample, all].map((example) => sideStatistics(example.scene, example.cloud, cut));
      const message = `${sample.name}: ${rule}`;
      for (const [statistics, ofAll, side] of [[sampled[0], counted[0], left], [sampled[1], counted[1], right]]) {
        if (sample.scene.classes) assert.deepEqual(statistics, side.counts, message);
        else assert.ok(near(statistics[0], side.weight, 1e-9) && near(statistics[1], side.mean, 1e-9), message);
        if (sample.scene.form === "strip") assert.ok(ofAll.every((number, k) => near(number, statistics[k], 1e-9)), message);
      }
      if (sample.scene.classes) assert.equal(summaryText(summaryOf(sample.scene, sample.cloud, cut)), summaryText(summaryOf(all.scene, all.cloud, cut)));
    }
  }
});

test("with too many classes to send statistics, the summary has no shares", () => {
  const [[{ scene, cloud, facts }]] = crowdedScenes();
  for (const cuts of scene.cuts) delete cuts.statistics;
  assert.equal(sideStatistics(scene, cloud, [0, 0]), null);
  const summary = summaryOf(scene, cloud, [0, 0]);
  assert.deepEqual([summary.sides[0].n, summary.sides[1].n], [facts.cuts[0][0].left.rows, facts.cuts[0][0].right.rows]);
  assert.ok(!summary.sides[0].shares && summary.sides[0].mean === null);
});

test("the threshold is the engine's, short enough to be read", () => {
  for (const example of SCENES) {
    for (const { cut, threshold } of cutsOf(example)) {
      assert.ok(near(thresholdOf(example.scene, cut), threshold, Math.abs(threshold) * 1e-3));
    }
  }
});

test("the summary of each cut is Python's: rule, rows, impurities, score and share of the best", () => {
  for (const example of SCORED) {
    for (const { cut, rule, left, right, score, share } of cutsOf(example)) {
      const summary = summaryOf(example.scene, example.cloud, cut);
      assert.equal(summary.rule, rule);
      assert.equal(summary.score, score);
      assert.equal(summary.share, share, `${example.name}: ${rule}`);
      for (const [shown, side] of [[summary.sides[0], left], [summary.sides[1], right]]) {
        assert.equal(shown.n, side.rows);
        if (example.scene.classes) assert.deepEqual(shown.shares, side.counts);
        else assert.ok(near(shown.mean, side.mean, 1e-9));
      }
      const rows = (side) => `${side.rows} row${side.rows === 1 ? "" : "s"}${side.told}, impurity ${side.impurity}`;
      const tail = share ? `, ${share}` : "";
      assert.equal(summaryText(summary), `${rule}; left ${rows(left)}; right ${rows(right)}; ${score}${tail}`);
    }
  }
});

test("rows that surrogates send are on no side of the previewed cut, and are counted", () => {
  let sent = 0;
  for (const example of [sceneOf("surrogates"), sceneOf("learned")]) {
    for (const cut of cutsOf(example)) {
      const summary = summaryOf(example.scene, example.cloud, cut.cut);
      assert.deepEqual([summary.sides[0].name, summary.sides[1].name], cut.sides, cut.rule);
      assert.deepEqual([summary.sides[0].n, summary.sides[1].n, summary.surrogateRows], [cut.left.rows, cut.right.rows, cut.surrogate_rows], cut.rule);
      assert.deepEqual([summary.sides[0].shares, summary.sides[1].shares], [cut.left.counts, cut.right.counts], cut.rule);
      assert.equal(summaryText(summary).includes(`; ${cut.surrogate_rows} without the value by surrogates`), cut.surrogate_rows > 0);
      sent += cut.surrogate_rows;
    }
    assert.equal(sent > 0, example.name === "surrogates");
    sent = 0;
  }
});

test("the best cut is the best admissible one, and shares are of its score, where a forbidden cut scores more", () => {
  const example = sceneOf("a forbidden cut scores most");
  const [winner] = cutsOf(example).flatMap(({ best, worth }) => (best ? [worth] : []));
  assert.ok(example.scene.top > winner);
  const { element, show } = createReadout();
  const shown = (isShown) => cutsOf(example).filter(isShown).map(({ cut, worth, score, share }) => {
    show(example.scene, summaryOf(example.scene, example.cloud, cut));
    const [, { textContent }] = element.children[0].children;
    assert.equal(textContent, `${score} · ${share}`);
    return { worth, share };
  });
  assert.deepEqual(shown(({ best }) => best), [{ worth: winner, share: "the best" }]);
  assert.ok(shown(({ admissible, tied }) => admissible && !tied).some(({ share }) => share.endsWith(" % of the best")));
  const highest = shown(({ worth }) => worth === example.scene.top);
  assert.ok(highest.length && highest.every(({ share }) => share === "leaves too little on a side"));
});

test("a cut that is not the best never rounds up to it", () => {
  const { scene, cloud } = sceneOf("a ratio");
  const [cuts] = scene.cuts;
  const i = cuts.flags.findIndex((flag) => flag & 1 && !(flag & 4));
  cuts.share[i] = 100; // rounded
  assert.equal(summaryOf(scene, cloud, [0, i]).share, "just below the best");
});

test("while the page asks for a cut, the summary has no score", () => {
  const { scene, cloud, facts } = sceneOf("asking");
  const summary = summaryOf(scene, cloud, [0, 2]);
  assert.deepEqual([summary.score, summary.share], [undefined, undefined]);
  assert.deepEqual([summary.sides[0].impurity, summary.sides[1].impurity], [null, null]);
  assert.deepEqual([summary.sides[0].shares, summary.sides[1].shares], [facts.cuts[0][2].left.counts, facts.cuts[0][2].right.counts]);
  assert.equal(summaryText(summary), `${facts.cuts[0][2].rule}; left ${facts.cuts[0][2].left.rows} rows; right ${facts.cuts[0][2].right.rows} rows`);
});

test("the summary of a category's cut is Python's, whichever side goes left", () => {
  const turned = new Set();
  for (const example of bandedScenes()) {
    for (const { cut, rule, left, right } of cutsOf(example)) {
      const summary = summaryOf(example.scene, example.cloud, cut);
      assert.equal(summary.rule, rule);
      assert.deepEqual([summary.sides[0].n, summary.sides[1].n], [left.rows, right.rows]);
      if (example.scene.classes) assert.deepEqual([summary.sides[0].shares, summary.sides[1].shares], [left.counts, right.counts]);
      else assert.ok(near(summary.sides[0].mean, left.mean, 1e-9) && near(summary.sides[1].mean, right.mean, 1e-9));
      turned.add(example.scene.cuts[cut[0]].flags[cut[1]] & 8);
    }
  }
  assert.deepEqual([...turned].toSorted(), [0, 8]);
});

test("the sides of a category's cut are yes and no, and yes lies where the values stand that the rule names", () => {
  let right = 0;
  for (const example of bandedScenes().filter(({ scene }) => scene.across.lanes)) {
    for (const { cut, rule, sides } of cutsOf(example)) {
      const { scene, cloud } = example;
      const summary = summaryOf(scene, cloud, cut);
      assert.deepEqual([[summary.sides[0].name, summary.sides[1].name], sides], [["yes", "no"], ["yes", "no"]]);
      assert.match(summaryText(summary), /; yes [0-9]+ rows?, .*; no [0-9]+ rows?, |; yes [0-9]+ rows?; no [0-9]+ rows?/);
      const [yes, no] = partsOf(scene, focusOf(scene), cut).map((ring) => lanesIn(ring, cut[0]));
      const { lanes } = [scene.across, scene.up][cut[0]];
      for (const place of yes) assert.ok(rule.includes(lanes[place].slice(0, 9)), rule);
      for (const place of no) assert.ok(!rule.includes(lanes[place].slice(0, 9)), rule);
      right += Math.min(...yes) > Math.max(...no);
    }
  }
  assert.ok(right > 5);
});

test("of a multi-way cut each branch has its name, rows and part, and every row stands in the part of its branch", () => {
  for (const example of branchedScenes()) {
    const { scene, cloud, facts } = example;
    const cut = [0, 0];
    const summary = summaryOf(scene, cloud, cut);
    assert.equal(summary.rule, facts.rule);
    assert.deepEqual(summary.sides.map(({ name }) => name), facts.names);
    const rows = facts.sides.map((side, k) => `${facts.names[k]} ${side.rows} row${side.rows === 1 ? "" : "s"}${side.told}, impurity ${side.impurity}`);
    assert.ok(summaryText(summary).startsWith(`${facts.rule}; ${rows.join("; ")}; `), summaryText(summary));
    if (scene.classes) assert.deepEqual(summary.sides.map(({ shares }) => shares), facts.sides.map(({ counts }) => counts));
    else for (const [k, { mean }] of facts.sides.entries()) assert.ok(near(summary.sides[k].mean, mean, 1e-9));
    const rings = partsOf(scene, focusOf(scene), cut);
    assert.equal(rings.length, facts.names.length);
    const spans = rings.map((ring) => parts(Float64Array.from(ring)).map((part) => spanOf(part, 0)));
    for (const [i, branch] of facts.branch.entries()) {
      const holds = spans.map((ofPart) => ofPart.some(([low, high]) => low < cloud.x[i] && cloud.x[i] < high));
      assert.deepEqual(holds, facts.names.map((_, k) => k === branch), `row ${i}`);
    }
    assert.equal(cutEdges(scene, focusOf(scene), cut).length, facts.names.length - 1);
    if (!scene.classes) continue;
    const pen = tinted(example, cut);
    for (const [i, branch] of facts.branch.entries()) {
      const fills = fillsAt(pen, example.layout.X(cloud.x[i]), example.layout.Y(cloud.y[i]));
      assert.equal(fills.at(-1).fillStyle, facts.sides[branch].colour, `row ${i}`);
    }
  }
});

test("of many branches the readout shows the first, and counts the others", () => {
  const [{ scene, cloud }] = branchedScenes();
  const readout = createReadout();
  const summary = summaryOf(scene, cloud, [0, 0]);
  const sidesOf = (count) => ({ ...summary, sides: Array.from({ length: count }, (_, k) => summary.sides[k % summary.sides.length]) });
  for (const [count, shown, more] of [[3, 3, ""], [8, 6, "and 2 more"], [2, 2, ""]]) {
    readout.show(scene, sidesOf(count));
    const sides = Array.from(readout.element.querySelectorAll(".side"));
    assert.equal(sides.filter(({ hidden }) => !hidden).length, shown);
    assert.equal(readout.element.querySelector(".more").textContent, more);
  }
});

/** The places on an axis whose bands a ring covers. */
function lanesIn(ring, axis) {
  const places = new Set();
  for (const part of parts(Float64Array.from(ring))) {
    const [low, high] = spanOf(part, axis);
    for (let place = Math.ceil(low); place < high; place++) places.add(place);
  }
  return [...places];
}

// --- drawing --------------------------------------------------------------------------------------

/** A cut drawn alone. */
function drawn(example, cut, litNode = null) {
  const pen = recorder();
  drawCut(pen, example.layout, example.scene, example.cloud, { cut, litNode });
  return pen;
}

/** The tint of a cut alone. */
function tinted(example, cut) {
  const pen = recorder();
  drawTint(pen, example.layout, example.scene, example.cloud, cut);
  return pen;
}

/** The pixel of a row that lies well inside the plane. */
const pixelOf = ({ layout }, row) => [layout.X(row.x), layout.Y(row.y)];

test("each row of a leaf stands on the colour of the side that the engine sends it to", () => {
  let differ = 0;
  for (const example of SCENES.filter(({ scene }) => scene.form === "plane" && scene.classes && scene.fills[scene.focus] !== undefined)) {
    for (const { cut, left, right, threshold } of cutsOf(example)) {
      const pen = tinted(example, cut);
      for (const row of example.facts.points.filter(({ inside }) => inside)) {
        const value = cut[0] === 0 ? row.x : row.y;
        if (value === threshold) continue; // on the line itself
        const side = value <= threshold ? left : right;
        const fill = fillsAt(pen, ...pixelOf(example, row)).at(-1);
        assert.equal(fill.fillStyle, side.colour, `${example.name}: ${cut}`);
        assert.equal(fill.globalAlpha, example.scene.colours.dark ? 0.26 : 0.17);
        if (left.colour !== right.colour) differ += 1;
      }
    }
  }
  assert.ok(differ > 200);
});

test("each row stands in the band of the side it goes to", () => {
  let differ = 0;
  for (const example of [sceneOf("root"), sceneOf("a node"), sceneOf("alone"), sceneOf("subsets"), sceneOf("subsets of a node")]) {
    for (const { cut, left, right, goes_left: goes } of cutsOf(example)) {
      const pen = tinted(example, cut);
      example.facts.points.forEach(({ inside }, i) => {
        if (!inside) return;
        const side = goes.includes(i) ? left : right;
        const [fill] = fillsAt(pen, example.layout.spots[0][i], example.layout.spots[1][i]);
        assert.equal(fill.fillStyle, side.colour, `${cut}`);
        if (left.colour !== right.colour) differ += 1;
      });
    }
  }
  assert.ok(differ > 20);
});

test("a value against the rest stands between the two edges of its band, other cuts on one line", () => {
  const { cuts } = sceneOf("alone").scene;
  for (const example of [sceneOf("root"), sceneOf("alone")]) {
    const alone = example.name === "alone";
    for (const { cut, threshold } of cutsOf(example)) {
      if (cut[0] === 1) continue;
      const places = alone ? [threshold - 0.5, threshold + 0.5] : [threshold];
      const ring = ringAt(example.scene.regions, example.scene.regions.node.indexOf("1"));
      assert.deepEqual(cutEdges(example.scene, ring, cut).map(([x]) => x), places);
    }
  }
  assert.ok(cuts[0].threshold.length > 2 && cuts[0].flags.every((flag) => flag & 16));
});

test("a scattered subset has an edge where a run of its values ends, and no line down to the axis", () => {
  const example = sceneOf("subsets");
  const { scene, cloud, layout } = example;
  const ring = ringAt(scene.regions, scene.regions.node.indexOf("1"));
  let broken = 0;
  for (const { cut, goes_left: goes, scattered } of cutsOf(example)) {
    const along = cut[0] === 0 ? cloud.x : cloud.y;
    const named = new Set(goes.map((i) => Math.round(along[i])));
    const ends = [...named].flatMap((place) => [-0.5, 0.5].map((half) => place + half)).toSorted((a, b) => a - b);
    const inner = ends.filter((end) => !named.has(end - 0.5) || !named.has(end + 0.5));
    const [lowest, highest] = [ends[0], ends.at(-1)];
    const edges = cutEdges(scene, ring, cut).map((edge) => edge[cut[0]]);
    if (scattered) assert.deepEqual(edges, inner);
    else assert.ok(edges.length === 1 && (edges[0] === lowest || edges[0] === highest));
    const down = drawn(example, cut).log.filter(({ name, dash }) => name === "stroke" && String(dash) === "2,3");
    assert.equal(down.length, scattered ? 0 : 1);
    broken += scattered && edges.length > 2;
  }
  assert.ok(broken > 5 && layout.gainStrips.length === 2);
});

test("the values of a cut are written on its axis, as many letters as there is room for", () => {
  for (const example of bandedScenes()) {
    for (const { cut, rule } of cutsOf(example)) {
      const [written, x, y] = calls(drawn(example, cut), "fillText").at(-1).args;
      const name = cut[0] === 0 ? example.scene.across.name : example.scene.up.name;
      assert.ok(`${name} ${rule.slice(name.length + 1)}`.startsWith(`${name} ${written.replace("…", "")}`));
      assert.ok(cut[0] === 0 ? y > example.layout.foot + 20 && y <= example.layout.height - 9.5 : x < example.layout.plane.x);
    }
  }
});

test("where no class colours the sides, the left one is darker", () => {
  let count = 0;
  for (const example of SCENES.filter(({ scene }) => scene.form === "plane" && !scene.classes && scene.fills[scene.focus] !== undefined)) {
    for (const { cut, threshold } of cutsOf(example)) {
      const pen = tinted(example, cut);
      for (const row of example.facts.points.filter(({ inside }) => inside)) {
        const value = cut[0] === 0 ? row.x : row.y;
        if (value === threshold) continue;
        const [fill] = fillsAt(pen, ...pixelOf(example, row));
        assert.deepEqual([fill.fillStyle, fill.globalAlpha], [example.scene.colours.ink, value <= threshold ? 0.12 : 0.02]);
        count += 1;
      }
    }
  }
  assert.ok(count > 100);
});

test("the regions of a node that is split already keep their colours", () => {
  const split = SCENES.filter(({ scene }) => scene.form === "plane" && scene.fills[scene.focus] === undefined);
  assert.ok(split.length > 2);
  for (const example of split) {
    for (const { cut } of cutsOf(example)) assert.deepEqual(tinted(example, cut).log.map(({ name }) => name), ["clearRect"]);
  }
});

test("a leaf without a chosen cut has the colours of both sides during a preview, else its own", () => {
  const example = sceneOf("asking");
  const strengths = (cut) => tinted(example, cut).log.filter(({ name }) => name.startsWith("fill")).map(({ globalAlpha }) => globalAlpha);
  for (const { cut } of cutsOf(example)) assert.deepEqual(strengths(cut), [0.17, 0.17]);
  assert.deepEqual(strengths(null), [0.15]);
});

test("a number on a line has the mean of each side drawn over it", () => {
  const example = sceneOf("a curve");
  for (const { cut, left, right, threshold } of cutsOf(example)) {
    const lines = calls(drawn(example, cut), "stroke").filter(({ dash }) => String(dash) === "5,4");
    const ends = lines.map(({ path: [[, ax, ay], [, bx, by]] }) => ({ ax, ay, bx, by }));
    assert.equal(ends.length, 2);
    for (const [k, side] of [left, right].entries()) {
      assert.ok(near(ends[k].ay, example.layout.Y(side.mean)) && ends[k].ay === ends[k].by);
    }
    assert.ok(near(ends[0].bx, example.layout.X(threshold)) && near(ends[1].ax, example.layout.X(threshold)));
    assert.ok(ends[0].ax < ends[0].bx && ends[1].ax < ends[1].bx);
  }
});

test("where leaves are regressions, the regression of each side is drawn", () => {
  const example = sceneOf("a curve to cut");
  example.facts.sides.forEach((sides, i) => {
    const lines = calls(drawn(example, [0, i]), "stroke").filter(({ dash }) => String(dash) === "5,4");
    assert.equal(lines.length, 2);
    lines.forEach(({ path: [[, ax, ay], [, bx, by]] }, k) => {
      for (const [x, y] of sides[k]) assert.ok(near(ay + ((by - ay) * (example.layout.X(x) - ax)) / (bx - ax), example.layout.Y(y), 0.1), `${i}`);
    });
  });
});

test("the line of a cut stands at its threshold, thick inside the focus", () => {
  for (const example of SCENES) {
    const { layout, scene } = example;
    const [left, right, bottom, top] = boxOf(scene, scene.focus);
    for (const { cut, threshold } of cutsOf(example)) {
      const thick = calls(drawn(example, cut), "stroke").find(({ lineWidth }) => lineWidth === 2.8);
      const [[, ax, ay], [, bx, by]] = thick.path;
      const place = Number(scene.cuts[cut[0]].threshold[cut[1]]);
      assert.ok(near(place, threshold, 1e-3 * Math.abs(threshold)));
      if (cut[0] === 0) {
        assert.ok(near(ax, layout.X(place)) && near(bx, layout.X(place)));
        assert.deepEqual([ay, by].map(Math.round), [layout.Y(top), layout.Y(bottom)].map(Math.round));
      } else {
        assert.ok(near(ay, layout.Y(place)) && near(by, layout.Y(place)));
        assert.deepEqual([ax, bx].map(Math.round), [layout.X(left), layout.X(right)].map(Math.round));
      }
      assert.equal(thick.strokeStyle, scene.colours.accent);
    }
  }
});

test("a star stands on the best cut, a diamond on another, at its place on the gains", () => {
  for (const example of SCORED.filter(({ layout }) => layout.gainStrips.length)) {
    for (const { cut, best, worth } of cutsOf(example)) {
      const [fill] = calls(drawn(example, cut), "fill");
      assert.equal(fill.path.length, best ? 11 : 5, `${example.name}: ${cut}`);
      const strip = example.layout.gainStrips[cut[0]];
      const [x, y] = middleOf(fill.path);
      const limit = thresholdOf(example.scene, cut);
      if (cut[0] === 0) assert.ok(near(x, example.layout.X(limit), 0.1) && near(y, strip.pixelOf(worth), 2));
      else assert.ok(near(y, example.layout.Y(limit), 2) && near(x, strip.pixelOf(worth), 0.1));
    }
  }
});

test("the threshold of a cut is written beside its axis", () => {
  for (const example of SCENES) {
    const { scene, layout } = example;
    for (const { cut, ...facts } of cutsOf(example)) {
      const written = calls(drawn(example, cut), "fillText").at(-1);
      assert.equal(written.args[0], thresholdText(facts));
      assert.equal(written.fillStyle, scene.colours.paper);
      const [, x, y] = written.args;
      if (cut[0] === 0) {
        assert.ok(y > layout.foot);
        assert.ok(near(x, layout.X(thresholdOf(scene, cut)), 60));
      } else {
        assert.ok(x < layout.plane.x);
        assert.ok(near(y, layout.Y(thresholdOf(scene, cut)), 1));
      }
    }
  }
});

test("a node that is lit has an outline, and nothing over its points", () => {
  for (const name of ["a node in focus", "other axes, dark"]) {
    const example = sceneOf(name);
    const node = example.scene.regions.node.at(-1);
    const pen = drawn(example, null, node);
    const [left, right, bottom, top] = boxOf(example.scene, node);
    const [frame] = calls(pen, "strokeRect");
    assert.deepEqual([frame.strokeStyle, frame.lineWidth], [example.scene.colours.accent, 2.5]);
    const wanted = [example.layout.X(left), example.layout.Y(top), example.layout.X(right) - example.layout.X(left), example.layout.Y(bottom) - example.layout.Y(top)];
    frame.args.forEach((v, k) => assert.ok(near(v, wanted[k])));
    assert.deepEqual(pen.log.filter(({ name: what }) => what.startsWith("fill")), []);
    for (const litNode of [null, "999"]) assert.deepEqual(drawn(example, null, litNode).log.map(({ name: what }) => what), ["clearRect"]);
  }
});

test("nothing on the moving sheet covers a point with a colour", () => {
  let count = 0;
  for (const example of SCENES) {
    const { plane } = example.layout;
    const shade = example.scene.colours.dark ? 0.26 : 0.17;
    for (const { cut } of cutsOf(example)) {
      const pen = drawn(example, cut, example.scene.focus);
      const fills = pen.log.filter(({ name, path, args }) => {
        if (name !== "fill" && name !== "fillRect") return false;
        const [x, y] = name === "fill" ? middleOf(path) : [args[0] + args[2] / 2, args[1] + args[3] / 2];
        return x > plane.x && x < plane.x + plane.w && y > plane.y && y < plane.y + plane.h;
      });
      assert.deepEqual(fills.filter(({ globalAlpha }) => globalAlpha < 1), [], `${example.name}: ${cut}`);
      count += calls(tinted(example, cut), "fill").concat(calls(tinted(example, cut), "fillRect")).filter(({ globalAlpha }) => [shade, 0.12, 0.02].includes(globalAlpha)).length;
    }
  }
  assert.ok(count > 200);
});

test("nothing is drawn of a cut whose node is out of sight", () => {
  const example = sceneOf("three classes");
  example.scene.is_focus_drawn = false;
  for (const draw of [drawn, tinted]) assert.deepEqual(draw(example, [0, 0]).log.map(({ name }) => name), ["clearRect"]);
});

// --- the readout --------------------------------------------------------------------------------------

test("the readout has both sides in their order, with the engine's rows and figures", () => {
  for (const example of SCORED) {
    const { element, show } = createReadout();
    for (const { cut, rule, left, right, score, share } of cutsOf(example)) {
      show(example.scene, summaryOf(example.scene, example.cloud, cut));
      const [first, both] = element.children;
      assert.equal(first.children[0].textContent, rule);
      assert.equal(first.children[1].textContent, [score, share].filter(Boolean).join(" · "));
      const panels = both.children;
      [[panels[0], "left", left], [panels[1], "right", right]].forEach(([part, name, side]) => {
        assert.equal(part.querySelector(".name").textContent, name);
        const mean = side.mean === undefined ? "" : `, mean ${side.said}`;
        const rows = `${side.rows} row${side.rows === 1 ? "" : "s"}${side.told}`;
        assert.equal(part.querySelector(".count").textContent, `${rows}${mean}, ${example.scene.impurity} ${side.impurity}`);
        const pieces = part.querySelectorAll(".piece").map(({ style }) => [style.background, Number(style.flexGrow)]);
        const counts = side.counts ?? [];
        const wanted = counts.map((count, code) => [example.facts.classes[code][1], count]).filter(([, count]) => count);
        assert.deepEqual(pieces, wanted, `${example.name}: ${rule}, ${name}`);
      });
    }
  }
});

test("without a cut the readout is empty, or asks for one", () => {
  const { element, show } = createReadout();
  const example = sceneOf("three classes");
  show(example.scene, summaryOf(example.scene, example.cloud, [0, 0]));
  show(example.scene, null);
  assert.equal(element.textContent, "");
  assert.ok(element.classList.contains("empty"));
  show(sceneOf("asking").scene, null);
  assert.match(element.textContent, /^Click in the plane, or a dot beside it\./);
});

test("a date or a duration is written on its axis with a sign", () => {
  const example = sceneOf("dates");
  for (const [cut, sign] of [[[0, 0], /^< 20[0-9-]{8}$/], [[1, 0], /^≤ [0-9]{2}:[0-9]{2}:[0-9]{2}$/]]) {
    const pen = recorder();
    drawCut(pen, example.layout, example.scene, example.cloud, { cut, litNode: null });
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
  for (const { layout, scene, cloud, facts } of eachScene(390).concat(SCENES)) {
    for (const { cut } of cutsOf({ facts }).filter((example) => example.cut[0] === 1).slice(0, 3)) {
      const pen = recorder();
      drawCut(pen, layout, scene, cloud, { cut, litNode: null });
      const pill = pen.log.findLast(({ name }) => name === "fillRect");
      assert.ok(layout.isVeryNarrow || pill.args[0] >= 18);
    }
  }
});
