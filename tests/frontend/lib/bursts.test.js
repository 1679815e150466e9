import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { ends, hearInBursts } from "../../../dtviz/frontend/lib/bursts.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });
let now = 0;
performance.now = () => now;

const [END, OTHER] = [true, false].map((kind) => buffer(expected.told.find(([, one]) => one === kind)[0]));

function buffer(text) {
  return new Uint8Array(bytesOf(text)).buffer;
}

function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
}

/** A socket, what its page has heard by every call, and how a server speaks on it. */
function opened() {
  const scope = {
    WebSocket: class extends EventTarget {
      constructor(address, protocols) {
        super();
        this.asked = [address, protocols];
      }
    },
  };
  hearInBursts(scope);
  const socket = new scope.WebSocket("ws://here", ["one"]);
  const heard = [];
  socket.addEventListener("message", ({ data }) => heard.push(data));
  socket.addEventListener("close", () => heard.push("close"));
  const say = (...all) => { for (const data of all) socket.dispatchEvent(new MessageEvent("message", { data })); };
  return { socket, heard, say };
}

test("a message tells that a run has ended as Streamlit writes it", () => {
  for (const [text, ended] of expected.told) assert.equal(ends(buffer(text)), ended, text);
  assert.equal(expected.told.filter(([, ended]) => ended).length, 3);
  for (const odd of [new ArrayBuffer(0), new Uint8Array([255, 255]).buffer, "text", null]) assert.equal(ends(odd), false);
});

test("a socket is opened as it was asked for", () => {
  assert.deepEqual(opened().socket.asked, ["ws://here", ["one"]]);
});

test("what a run says is heard at once soon after its end, in order", () => {
  const { heard, say } = opened();
  say("a", OTHER);
  pass(40);
  say("b", END);
  pass(9);
  say("c");
  assert.deepEqual(heard, []);
  pass(9);
  assert.deepEqual(heard, []);
  pass(1);
  assert.deepEqual(heard, ["a", OTHER, "b", END, "c"]);
});

test("what takes longer is heard every 100 ms, and the end of a run at once no more", () => {
  const { heard, say } = opened();
  for (const data of ["a", "b", "c"]) {
    say(data);
    pass(50);
  }
  assert.deepEqual(heard, ["a", "b"]);
  pass(50);
  assert.deepEqual(heard, ["a", "b", "c"]);
  say(END);
  pass(10);
  say("d");
  pass(99);
  assert.equal(heard.length, 4);
  pass(1);
  assert.deepEqual(heard, ["a", "b", "c", END, "d"]);
});

test("the end of a run makes no message wait longer than any", () => {
  const { heard, say } = opened();
  say("a");
  pass(95);
  say(END);
  pass(5);
  assert.deepEqual(heard, ["a", END]);
});

test("a socket that closes tells first what it has heard, once", () => {
  const { socket, heard, say } = opened();
  say("a");
  socket.dispatchEvent(new Event("close"));
  pass(200);
  assert.deepEqual(heard, ["a", "close"]);
});

test("a listener that fails takes no message from the others", () => {
  const { socket, heard, say } = opened();
  const failed = mock.method(process, "nextTick", () => {}); // where Node throws what a listener threw
  socket.addEventListener("message", () => { throw new Error("mine"); });
  say("a", "b");
  pass(100);
  failed.mock.restore();
  assert.deepEqual(heard, ["a", "b"]);
});
