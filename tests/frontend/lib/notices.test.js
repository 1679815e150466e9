import assert from "node:assert/strict";
import test, { mock } from "node:test";

import "../page.js";
import { Connection, watch } from "../../../dtviz/frontend/lib/notices.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** A connection to a server that is well, or not; what is said of it, and how time goes by. */
function connected() {
  const said = new Map();
  const notices = { show: (name, text) => said.set(name, text), hide: (name) => said.delete(name) };
  const server = { well: true, asked: 0 };
  const connection = new Connection(notices, async () => { server.asked += 1; return server.well; });
  const pass = async (ms) => {
    for (let left = ms; left > 0; left -= 500) {
      mock.timers.tick(500);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const hear = (type, more = {}) => connection.receive({ type, ...more });
  return { said, server, connection, pass, hear, run: (scriptRunState) => hear("SCRIPT_RUN_STATE_CHANGED", { scriptRunState }) };
}

test("a server that is away is told after a moment, until it is back", async () => {
  const { said, hear, pass } = connected();
  hear("WEBSOCKET_DISCONNECTED", { attemptingToReconnect: true });
  await pass(1000);
  hear("WEBSOCKET_CONNECTED");
  await pass(9000);
  assert.equal(said.size, 0);
  hear("WEBSOCKET_DISCONNECTED", { attemptingToReconnect: true });
  await pass(3000);
  assert.match(said.get("server"), /is away/);
  hear("WEBSOCKET_CONNECTED");
  assert.equal(said.size, 0);
  hear("WEBSOCKET_DISCONNECTED", { attemptingToReconnect: false });
  await pass(3000);
  hear("CLIENT_ERROR_DIALOG", { error: "Connection error", message: "Unknown error" });
  await pass(500);
  assert.match(said.get("server"), /Reload the page/);
});

test("what Streamlit would show in a dialog is told in words of ours", async () => {
  const { said, hear, pass } = connected();
  hear("CLIENT_ERROR_DIALOG", { error: "Connection error", message: "Are you connected to the internet?" });
  await pass(500);
  assert.match(said.get("server"), /is away/);
  hear("CLIENT_ERROR_DIALOG", { error: "Odd", message: "as it comes" });
  assert.equal(said.get("error"), "Odd: as it comes");
});

test("a server that does not answer to what was done is told, until it does", async () => {
  const { said, server, connection, pass, run } = connected();
  connection.expect();
  run("running");
  run("notRunning");
  await pass(20_000);
  assert.equal(server.asked, 0); // it has answered
  connection.expect();
  await pass(20_000);
  assert.deepEqual([server.asked, said.size], [1, 0]); // nothing was asked of it
  server.well = false;
  connection.expect();
  connection.expect();
  await pass(5000);
  assert.match(said.get("server"), /does not answer/);
  server.well = true;
  await pass(5000);
  assert.equal(said.size, 0);
  const { asked } = server;
  await pass(20_000);
  assert.equal(server.asked, asked);
});

test("long work of a server that is well is no silence", async () => {
  const { said, server, pass, run } = connected();
  run("running");
  await pass(20_000);
  assert.equal(said.size, 0);
  assert.ok(server.asked > 2);
  server.well = false;
  await pass(5000);
  assert.match(said.get("server"), /does not answer/);
  run("notRunning");
  assert.equal(said.size, 0);
});

test("only Streamlit on this page and modules of ours are heard, and a notice can be closed", () => {
  watch("http://localhost:8501/");
  const root = document.body.querySelector(".dtviz-notices");
  const dialog = { stCommVersion: 1, type: "CLIENT_ERROR_DIALOG", error: "Odd", message: "as it comes" };
  for (const [source, data] of [[{}, dialog], [window, null], [window, "text"], [window, { ...dialog, stCommVersion: 2 }]]) {
    window.hear({ type: "message", source, data });
    assert.equal(root.childElementCount, 0);
  }
  window.hear({ type: "message", source: window, data: dialog });
  window.dispatchEvent(new CustomEvent("dtviz:notice", { detail: { name: "storage", text: "full" } }));
  window.dispatchEvent(new CustomEvent("dtviz:notice", { detail: { name: "storage", text: "full still" } }));
  assert.deepEqual(root.children.map(({ firstChild }) => firstChild.textContent.slice(0, 10)), ["Odd: as it", "full still"]);
  root.querySelector("button").click();
  assert.equal(root.childElementCount, 1);
});
