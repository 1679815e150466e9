import assert from "node:assert/strict";
import test, { mock } from "node:test";

import "../page.js";
import { Connection, watch } from "../../../dtviz/frontend/lib/notices.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** Create a connection to a server whose health can be set; returns it, the notices, and functions that pass time and send messages. */
function connect() {
  const shown = new Map();
  const notices = { show: (name, text) => shown.set(name, text), hide: (name) => shown.delete(name) };
  const server = { isHealthy: true, checks: 0 };
  const connection = new Connection(notices, async () => { server.checks += 1; return server.isHealthy; });
  const pass = async (ms) => {
    for (let left = ms; left > 0; left -= 500) {
      mock.timers.tick(500);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const send = (type, fields = {}) => connection.receive({ type, ...fields });
  return { shown, server, connection, pass, send, run: (scriptRunState) => send("SCRIPT_RUN_STATE_CHANGED", { scriptRunState }) };
}

test("a notice says after a moment that the server is away, until it is back", async () => {
  const { shown, send, pass } = connect();
  send("WEBSOCKET_DISCONNECTED", { attemptingToReconnect: true });
  await pass(1000);
  send("WEBSOCKET_CONNECTED");
  await pass(9000);
  assert.equal(shown.size, 0);
  send("WEBSOCKET_DISCONNECTED", { attemptingToReconnect: true });
  await pass(3000);
  assert.match(shown.get("server"), /is away/);
  send("WEBSOCKET_CONNECTED");
  assert.equal(shown.size, 0);
  send("WEBSOCKET_DISCONNECTED", { attemptingToReconnect: false });
  await pass(3000);
  send("CLIENT_ERROR_DIALOG", { error: "Connection error", message: "Unknown error" });
  await pass(500);
  assert.match(shown.get("server"), /Reload the page/);
});

test("errors that Streamlit would show in a dialog become notices", async () => {
  const { shown, send, pass } = connect();
  send("CLIENT_ERROR_DIALOG", { error: "Connection error", message: "Are you connected to the internet?" });
  await pass(500);
  assert.match(shown.get("server"), /is away/);
  send("CLIENT_ERROR_DIALOG", { error: "Odd", message: "as it comes" });
  assert.equal(shown.get("error"), "Odd: as it comes");
});

test("a notice says that the server does not answer to an input, until it does", async () => {
  const { shown, server, connection, pass, run } = connect();
  connection.expect();
  run("running");
  run("notRunning");
  await pass(20_000);
  assert.equal(server.checks, 0); // it has answered
  connection.expect();
  await pass(20_000);
  assert.deepEqual([server.checks, shown.size], [1, 0]); // nothing was asked of it
  server.isHealthy = false;
  connection.expect();
  connection.expect();
  await pass(5000);
  assert.match(shown.get("server"), /does not answer/);
  server.isHealthy = true;
  await pass(5000);
  assert.equal(shown.size, 0);
  const { checks } = server;
  await pass(20_000);
  assert.equal(server.checks, checks);
});

test("long work of a healthy server is no silence", async () => {
  const { shown, server, pass, run } = connect();
  run("running");
  await pass(20_000);
  assert.equal(shown.size, 0);
  assert.ok(server.checks > 2);
  server.isHealthy = false;
  await pass(5000);
  assert.match(shown.get("server"), /does not answer/);
  run("notRunning");
  assert.equal(shown.size, 0);
});

test("only messages of Streamlit on this page and of other modules are shown, and a notice can be closed", () => {
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
