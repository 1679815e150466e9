import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { hearInBursts, isLast } from "../../../dtviz/frontend/lib/bursts.js";
import { bytesOf, expected } from "../expected.js";

mock.timers.enable({ apis: ["setTimeout"] });
let now = 0;
performance.now = () => now;

const messageOf = (name) => buffer(expected.messages.find(([first]) => first === name)[1]);
const [END, EARLY, DELTA] = ["FINISHED_SUCCESSFULLY", "FINISHED_EARLY_FOR_RERUN", "delta"].map(messageOf);

function buffer(text) {
  return new Uint8Array(bytesOf(text)).buffer;
}

function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
}

/** Open a socket; returns it, the messages and events that its page received, and the function by which a server sends. */
function openSocket() {
  const received = [];
  const scope = {
    WebSocket: class extends EventTarget {
      constructor(address, protocols) {
        super();
        this.calls = [address, protocols];
      }

      close(...why) {
        this.calls.push(...why);
        received.push("close()");
      }
    },
  };
  hearInBursts(scope);
  const socket = new scope.WebSocket("ws://here", ["one"]);
  socket.addEventListener("message", ({ data }) => received.push(data));
  for (const end of ["error", "close"]) socket.addEventListener(end, () => received.push(end));
  const say = (...messages) => { for (const data of messages) socket.dispatchEvent(new MessageEvent("message", { data })); };
  return { socket, received, say };
}

test("the last message of a run and an answer to what is no run are known as Streamlit writes them", () => {
  for (const [name, text, last] of expected.messages) assert.equal(isLast(buffer(text)), last, name);
  assert.equal(expected.messages.filter(([, , last]) => last).length, 3 * 6);
});

test("what is no message is not the last of one", () => {
  const odd = [[], [255, 255], [0x0a, 0xfa, 255, 255, 255, 15], [0x0a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]];
  for (const bytes of odd) assert.equal(isLast(new Uint8Array(bytes).buffer), false, `${bytes}`);
  for (const data of ["text", null, new Blob([])]) assert.equal(isLast(data), false);
});

test("a socket is opened and closed as it was asked for", () => {
  const { socket } = openSocket();
  socket.close(1000, "enough");
  assert.deepEqual(socket.calls, ["ws://here", ["one"], 1000, "enough"]);
});

test("what a run says is told at once soon after its end, in order", () => {
  const { received, say } = openSocket();
  say("a", DELTA);
  pass(40);
  say("b", END);
  pass(9);
  say("c");
  pass(9);
  assert.deepEqual(received, []);
  pass(1);
  assert.deepEqual(received, ["a", DELTA, "b", END, "c"]);
});

test("a run that ends early is told with the one that it makes room for", () => {
  const { received, say } = openSocket();
  say("a", EARLY);
  pass(90);
  say("b", END);
  assert.deepEqual(received, []);
  pass(10);
  assert.deepEqual(received, ["a", EARLY, "b", END]);
});

test("what takes longer is told every 100 ms, and each end soon", () => {
  const { received, say } = openSocket();
  for (const data of ["a", "b", "c"]) {
    say(data);
    pass(50);
  }
  assert.deepEqual(received, ["a", "b"]);
  pass(50);
  assert.deepEqual(received, ["a", "b", "c"]);
  say(END);
  pass(10);
  say("d");
  pass(99);
  assert.deepEqual(received, ["a", "b", "c", END]);
  pass(1);
  assert.deepEqual(received, ["a", "b", "c", END, "d"]);
});

test("what follows the end of a run makes no message wait longer than any", () => {
  const { received, say } = openSocket();
  say("a");
  pass(95);
  say(END);
  pass(5);
  assert.deepEqual(received, ["a", END]);
});

test("where the page was too busy to tell in time, the next message does", () => {
  const { received, say } = openSocket();
  say("a");
  now += 100; // and no timer has come
  say("b");
  assert.deepEqual(received, ["a", "b"]);
  pass(200);
  assert.deepEqual(received, ["a", "b"]);
});

for (const end of ["error", "close", "close()"]) {
  test(`before a socket ends with ${end}, what it has heard is told, once`, () => {
    const { socket, received, say } = openSocket();
    say("a");
    if (end === "close()") socket.close();
    else socket.dispatchEvent(new Event(end));
    pass(200);
    assert.deepEqual(received, ["a", end]);
  });
}

test("a listener that fails takes no message from the others", () => {
  const { socket, received, say } = openSocket();
  const failed = mock.method(process, "nextTick", () => {}); // Node rethrows there what a listener threw
  socket.addEventListener("message", () => { throw new Error("mine"); });
  say("a", "b");
  pass(100);
  failed.mock.restore();
  assert.deepEqual(received, ["a", "b"]);
});
