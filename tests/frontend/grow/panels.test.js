import assert from "node:assert/strict";
import test from "node:test";

import { hosted } from "../hosts.js";
import { placed, use } from "../page.js";
import { tell } from "../../../dtviz/frontend/lib/link.js";
import { Channel } from "../../../dtviz/frontend/lib/channel.js";
import { createPanels, DEFAULT_PERCENT, LARGE_PERCENT, MAX_PERCENT, MIN_PERCENT, panelPercent } from "../../../dtviz/frontend/grow/panels.js";

const FRAME = { kind: "grow", panels: ["Candidates", "Rules", "Export"], panel: "Rules", panel_note: "" };

function panelsOf(frame = FRAME, parts = {}) {
  const page = hosted(new Channel(), placed(), { kind: "page", parts });
  const grow = hosted(page.channel, placed(), frame);
  const panels = createPanels(placed(), page.host, grow.host);
  panels.show(frame);
  return { panels, grow, tabs: panels.element.querySelectorAll(".tab"), find: (selector) => panels.element.querySelector(selector) };
}

test("a tab asks for its panel, and arrow keys go round the tabs", () => {
  const { grow, tabs } = panelsOf();
  assert.deepEqual(tabs.map((tab) => [tab.getAttribute("aria-selected"), tab.tabIndex]), [["false", -1], ["true", 0], ["false", -1]]);
  use(tabs[1], "keydown", { key: "ArrowRight" });
  use(tabs[2], "keydown", { key: "ArrowRight" });
  use(tabs[0], "keydown", { key: "End" });
  use(tabs[0], "keydown", { key: "x" });
  tell("panel", { name: "Rules" });
  tell("panel", { name: "Branches" });
  assert.deepEqual(grow.sent.map(({ name }) => name), ["Export", "Candidates", "Export", "Rules"]);
});

test("without panels nothing is shown; a note stands in place of a panel", () => {
  assert.equal(panelsOf({ ...FRAME, panels: [] }).panels.element.hidden, true);
  const { find } = panelsOf({ ...FRAME, panel: "Candidates", panel_note: "No cut exists in this node." });
  assert.deepEqual([find(".caption").textContent, find(".content").hidden], ["No cut exists in this node.", false]);
  assert.equal(panelsOf().find(".content").hidden, true, "Streamlit draws the panel Rules");
});

test("keys and the pointer move the separator within its bounds", () => {
  const { find, panels } = panelsOf();
  const separator = find(".seam");
  assert.equal(panelPercent(), DEFAULT_PERCENT);
  use(separator, "keydown", { key: "Enter" });
  assert.equal(panelPercent(), LARGE_PERCENT);
  use(separator, "keydown", { key: "PageUp" });
  assert.deepEqual([panelPercent(), separator.getAttribute("aria-valuenow")], [MAX_PERCENT, `${MAX_PERCENT}`]);
  use(separator, "dblclick");
  for (let k = 0; k < 9; k++) use(separator, "keydown", { key: "ArrowDown" });
  assert.equal(panelPercent(), MIN_PERCENT);
  panels.element.parentElement.className = "grow";
  const { height } = panels.element.parentElement.getBoundingClientRect();
  use(separator, "pointerdown", { button: 0, pointerId: 1 });
  use(separator, "pointermove", { clientY: height / 2 });
  use(separator, "pointerup");
  use(separator, "pointermove", { clientY: height });
  assert.equal(panelPercent(), 50);
});
