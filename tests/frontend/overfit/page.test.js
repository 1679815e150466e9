import assert from "node:assert/strict";
import test from "node:test";

import { cockpitOf } from "../cockpits.js";
import { hosted } from "../hosts.js";
import { placed, use } from "../page.js";
import { create } from "../../../dtviz/frontend/overfit/page.js";

globalThis.Option = function Option(text) { return Object.assign(document.createElement("option"), { textContent: text }); };

const JUDGING = {
  kind: "judging", title: "Moons", headline: "12 leaves.", caption: "",
  share: { values: [0.1, 0.3], texts: ["10 % held out", "30 % held out"], place: 1 }, next_seed: 8,
  folds: { values: [0, 5, 1], texts: ["no folds", "5 folds", "leave one out"], place: 1 },
  against: { values: ["depth", "alpha"], texts: ["Depth at most", "Prune up to"], place: 0 },
};

/** The page with this frame round the cockpit, and the function that shows another frame there. */
function shown(judging) {
  const cockpit = cockpitOf("by depth");
  const pageOf = (frame) => ({
    kind: "page", layout: "overfit", ahead: [],
    parts: { judging: frame, rows: { ...cockpit.raw, kind: "cloud", name: "points" }, overfit: { ...cockpit.frame, kind: "overfit" } },
  });
  const root = placed();
  root.clientWidth = 1000;
  const page = hosted(undefined, root, pageOf(judging));
  create(root, page.host);
  return { root, page, cockpit, find: (selector) => root.querySelector(selector), show: (frame) => page.show(pageOf(frame)) };
}

test("the page shows title, headline and cockpit, whose cloud comes with it", () => {
  const { find, cockpit, show } = shown(JUDGING);
  assert.deepEqual([find("strong").textContent, find(".headline").textContent, find(".caption").hidden], ["Moons", "12 leaves.", true]);
  assert.equal(Number(find(".overfit").dataset.leaves), cockpit.engine.now.leaves);
  show({ ...JUDGING, headline: "11 leaves.", caption: "The slice." });
  assert.deepEqual([find(".headline").textContent, find(".caption").textContent, find(".caption").hidden], ["11 leaves.", "The slice.", false]);
});

test("each choice sends its value, and the die the next seed", () => {
  const { root, page, find } = shown(JUDGING);
  const [share, folds] = root.querySelectorAll("select");
  assert.deepEqual([share, folds].map((select) => select.selectedIndex), [1, 1]);
  for (const [select, place] of [[share, 0], [folds, 2]]) {
    select.selectedIndex = place;
    use(select, "change");
  }
  find(".die").click();
  const segments = find(".segments").children;
  assert.deepEqual([...segments].map((segment) => segment.getAttribute("aria-pressed")), ["true", "false"]);
  segments[1].click();
  assert.deepEqual(page.sent.map(({ values }) => values), [{ share: 0.1 }, { folds: 1 }, { seed: 8 }, { against: "alpha" }]);
  assert.ok(page.posts.at(-1).events.every(({ picture, event }) => picture === "judging" && event.what === "judge"));
});

test("choices stay at what was chosen while older answers come, and a second click draws again", () => {
  const { root, page, find, show } = shown(JUDGING);
  const [share] = root.querySelectorAll("select");
  share.selectedIndex = 0;
  use(share, "change");
  find(".die").click();
  find(".die").click();
  show(JUDGING);
  assert.equal(share.selectedIndex, 0);
  assert.deepEqual(page.sent.map(({ values }) => values.seed), [undefined, 8, 9]);
});

test("rows that the data hold out have words in place of the choice; a link hides choices and headline", () => {
  const { share, next_seed: seed, ...given } = JUDGING;
  const { find, root, show } = shown({ ...given, held_out_text: "Judged on 30 test rows", held_out_help: "Rows that tell." });
  assert.deepEqual([find(".rows span").textContent, find(".rows span").title, find(".die").hidden, root.querySelectorAll("select")[0].hidden],
    ["Judged on 30 test rows", "Rows that tell.", true, true]);
  show({ kind: "judging", title: "Moons", caption: "" });
  assert.deepEqual([find(".judged").hidden, find(".headline").hidden], [true, true]);
});
