import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { create } from "../../../dtviz/frontend/impurity/impurity.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });

const frameOf = (text) => unpack(bytesOf(text));
const EXAMPLES = [["5 + 2", "**A** sends 4 + 2"], ["3 + 2 + 1", ""]].map(([name, text], k) => ({ name, text, splits: { parent: [5, 2 + k], first: [4, 2], second: [4, 1] } }));
const ARITHMETIC = { impurity: "I(p) = 0.5", information: ["H = 1", "K = 2"] };

/** The page Impurity, and what a user sees of it. */
function showPage(fields = {}) {
  const frame = {
    picture: "lab", measures: frameOf(expected.shares.measures.frame), simplex: frameOf(expected.shares.simplex.frame), splits: frameOf(expected.splits[0].frame),
    two_classes: ARITHMETIC, three_classes: ARITHMETIC, criterion: "Gini", split_lines: [["I(D) = 1"], []], can_take: true,
    between: ["error", "gini"], criteria: [["error", "Error"], ["gini", "Gini"]], examples: EXAMPLES, agreement: "", ...fields,
  };
  const picture = pictured(create, "impurity", frame, placed());
  const buttonOf = (text) => picture.root.querySelectorAll("button").find((button) => button.textContent === text);
  return { ...picture, frame, buttonOf };
}

test("each part shows its part of a frame, and tells its events under its own name", () => {
  const page = showPage();
  const slider = page.root.querySelector(".measures").querySelector(".slider");
  const before = Number(slider.getAttribute("aria-valuenow"));
  press(slider, "ArrowRight");
  press(slider, "Enter");
  const { events } = page.posts.at(-1);
  assert.deepEqual(events.map(({ picture, event }) => [picture, event]), [["measures", { what: "set", values: { percent: before + 1 } }]]);
  page.show({ ...page.frame, measures: { ...page.frame.measures, percent: 80 } }, events[0].n);
  assert.equal(slider.getAttribute("aria-valuenow"), "80");
});

test("the arithmetic is shown with its source; a split with an empty side has none", () => {
  const page = showPage();
  const sections = page.root.querySelectorAll(".columns")[1].children;
  assert.deepEqual(sections.map((section) => section.querySelector("p").textContent), ["A by Gini", "B by Gini"]);
  assert.deepEqual(sections.map((section) => section.querySelectorAll("p").at(-1).hidden), [true, false]);
  assert.equal(sections[0].querySelector("code").textContent, "I(D) = 1");
  assert.deepEqual(page.root.querySelectorAll("summary").map(({ textContent }) => textContent).slice(0, 2), ["Self-information, KL to uniform, and H = log₂ K − KL", "As LaTeX"]);
});

test("an example is marked and told while it is on the picture; a click puts it there with the second criterion", () => {
  const page = showPage();
  const [shown, other] = EXAMPLES.map(({ name }) => page.buttonOf(name));
  assert.deepEqual([shown, other].map((button) => button.getAttribute("aria-pressed")), ["true", "false"]);
  assert.deepEqual(page.root.querySelectorAll("strong").map(({ textContent }) => textContent).filter((text) => text === "A").length, 2);
  other.click();
  assert.deepEqual(page.sent, [{ what: "set", values: { splits: EXAMPLES[1].splits, opened: "gini" } }]);
  page.show({ ...page.frame, examples: [{ ...EXAMPLES[0], text: "" }, { ...EXAMPLES[1], text: "told" }] });
  assert.equal(page.buttonOf("3 + 2 + 1"), other); // it keeps the keyboard focus
  assert.equal(other.getAttribute("aria-pressed"), "true");
});

test("where criteria agree it is said on which nodes that was tried", () => {
  const page = showPage({ examples: [], agreement: "On all nodes" });
  assert.match(page.root.textContent, /agreeOn all nodes/);
});

test("two criteria are chosen, and splits taken from Grow where there are others", () => {
  const page = showPage();
  const second = page.root.querySelectorAll("select")[1];
  assert.equal(second.value, "gini");
  second.value = "error";
  use(second, "change");
  page.buttonOf("Take the cut on Grow").click();
  assert.deepEqual(page.sent, [{ what: "set", values: { between: ["error", "error"] } }, { what: "take" }]);
  page.show({ ...page.frame, can_take: false });
  assert.ok(page.buttonOf("Take the cut on Grow").disabled);
  page.show({ ...page.frame, can_take: null });
  assert.ok(page.buttonOf("Take the cut on Grow").hidden);
});
