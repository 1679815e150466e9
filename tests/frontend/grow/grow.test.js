import assert from "node:assert/strict";
import test from "node:test";

import { hosted } from "../hosts.js";
import { placed } from "../page.js";
import { tell } from "../../../dtviz/frontend/lib/link.js";
import { create } from "../../../dtviz/frontend/grow/grow.js";

const side = (sentence) => ({ stamp: "s", caption: "", lead: "Root.", sentence });

/** Frame of the words round the pictures, in the state of a stamp. */
const words = (stamp, changes = {}) => ({
  kind: "grow", stamp, is_first: false, asks: false, sides: [side(stamp)], panels: ["Candidates", "Rules"], panel: "Candidates", panel_note: "", colours: { paper: "#fff" }, ...changes,
});
const pageOf = (grow, ahead = []) => ({ kind: "page", layout: "grow", parts: { grow }, ahead });

/** The page after some frames, of which the last is on screen: its root, and the sentences that it shows. */
function pageAfter(...frames) {
  const page = hosted(undefined, placed(), pageOf(frames[0]));
  create(page.root, page.host);
  for (const frame of frames.slice(1)) page.show(pageOf(frame));
  return { page, sentences: () => page.root.querySelectorAll(".asked span").map(({ textContent }) => textContent) };
}

test("the words of a step are shown before Python answers, if the step was shown or came ahead", () => {
  const { page, sentences } = pageAfter(words("1"), words("2"));
  tell(document, "stamp", { stamp: "1" });
  assert.deepEqual(sentences(), ["1"]);
  page.show(pageOf(words("2"), [words("3")]));
  tell(document, "stamp", { stamp: "3" });
  assert.deepEqual(sentences(), ["3"]);
});

test("words kept of a first visit, of another panel or of two sides are not shown again", () => {
  for (const [name, changes] of Object.entries({ first: { is_first: true }, panel: { panel: "Rules" }, sides: { sides: [side("a"), side("b")] } })) {
    const { sentences } = pageAfter(words(`old ${name}`, changes), words(name));
    tell(document, "stamp", { stamp: `old ${name}` });
    assert.deepEqual(sentences(), [name]);
  }
});

test("a second side comes and goes with its frame, and has a heading", () => {
  const { page, sentences } = pageAfter(words("1"), words("2", { sides: [{ ...side("a"), title: "Gini" }, { ...side("b"), title: "Entropy" }] }));
  const titles = page.root.querySelectorAll(".heading").map(({ hidden, textContent }) => [hidden, textContent.split(" ")[0]]);
  assert.deepEqual([sentences(), titles], [["a", "b"], [[false, "Gini"], [false, "Entropy"]]]);
  page.show(pageOf(words("3")));
  assert.deepEqual([sentences(), page.root.querySelector(".heading").hidden], [["3"], true]);
});
