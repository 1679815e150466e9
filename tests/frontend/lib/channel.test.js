import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { Channel } from "../../../dtviz/frontend/lib/channel.js";
import { hosted } from "../hosts.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

/** A stage on the page that has heard a first frame. */
function begun(heard = 0) {
  const one = hosted();
  one.show({ kind: "stage" }, heard);
  return one;
}

test("an event is told at once with its number and its picture", () => {
  const one = begun();
  one.host.send({ what: "cut" });
  assert.deepEqual(one.posts, [{ events: [{ n: 1, picture: "stage", event: { what: "cut" } }] }]);
});

test("a frame may name the picture it is for", () => {
  const one = hosted();
  one.show({ kind: "tree", picture: "pruning" });
  one.host.send({ what: "focus" });
  assert.equal(one.posts[0].events[0].picture, "pruning");
});

test("what no frame has acknowledged is told again with what follows, in order", () => {
  const one = begun();
  for (const what of ["a", "b", "c"]) one.host.send({ what });
  assert.deepEqual(one.numbers(), [1, 2, 3]);
  one.show({ kind: "stage" }, 2);
  one.host.send({ what: "d" });
  assert.deepEqual(one.numbers(), [3, 4]);
});

test("pending is what the picture's own last frame has not heard", () => {
  const channel = new Channel();
  const [line, stage] = [hosted(channel), hosted(channel)];
  line.show({ kind: "line" });
  stage.show({ kind: "stage" });
  line.host.send({ what: "goto" });
  stage.host.send({ what: "cut" });
  line.show({ kind: "line" }, 2);
  assert.deepEqual(line.host.pending, []);
  assert.deepEqual(stage.host.pending, [{ what: "cut" }]); // its own frame is still to come
  stage.show({ kind: "stage" }, 2);
  assert.deepEqual(stage.host.pending, []);
});

test("without an answer the events are sent once more; with one they are not", () => {
  const one = begun();
  one.host.send({ what: "a" });
  mock.timers.tick(4999);
  assert.equal(one.posts.length, 1);
  mock.timers.tick(1);
  assert.equal(one.posts.length, 2);
  assert.deepEqual(one.posts[1], one.posts[0]);
  one.show({ kind: "stage" }, 1);
  mock.timers.tick(20_000);
  assert.equal(one.posts.length, 2);
});

test("one who is busy is not told again until there was time to answer", () => {
  const one = begun();
  one.host.send({ what: "a" });
  one.busy = true;
  mock.timers.tick(20_000);
  assert.equal(one.posts.length, 1);
  one.busy = false;
  mock.timers.tick(5000);
  assert.equal(one.posts.length, 2);
});

test("what a page that is gone left behind is told through the next that comes", () => {
  const one = begun();
  one.there = false;
  one.host.send({ what: "a" });
  assert.equal(one.posts.length, 0);
  const next = hosted(one.channel);
  next.show({ kind: "pad" });
  mock.timers.tick(5000);
  assert.equal(one.posts.length, 0);
  assert.deepEqual(next.posts[0].events.map(({ picture }) => picture), ["stage"]);
});

test("the pictures of a page that is left are let go as the next page has one", () => {
  const one = begun();
  const stays = hosted(one.channel);
  one.there = false;
  const next = hosted(one.channel);
  assert.deepEqual(one.channel.hosts, [stays.host, next.host]);
});

test("an event may wait, those after it too, and hurries when the hand leaves", () => {
  const one = begun();
  one.host.send({ what: "a" }, 400);
  one.host.send({ what: "b" });
  mock.timers.tick(399);
  assert.equal(one.posts.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(one.numbers(), [1, 2]);
  one.host.send({ what: "c" }, 400);
  one.host.hurry();
  assert.deepEqual(one.numbers(), [1, 2, 3]);
  const many = one.posts.length;
  one.host.hurry();
  assert.equal(one.posts.length, many);
});

test("numbers go on from the last that Python has heard", () => {
  const one = begun(41);
  one.host.send({ what: "a" });
  assert.deepEqual(one.numbers(), [42]);
});

test("of very many events the first go first", () => {
  const one = begun();
  for (let k = 0; k < 300; k++) one.host.send({ what: "a" });
  assert.equal(one.numbers().length, 200);
  one.show({ kind: "stage" }, 200);
  mock.timers.tick(5000);
  assert.equal(one.numbers()[0], 201);
  assert.equal(one.numbers().at(-1), 300);
});

test("a frame that came before the picture could show it is shown as soon as it can", () => {
  const one = begun();
  const shown = [];
  one.host.onFrame(({ kind }) => shown.push(kind));
  assert.deepEqual(shown, ["stage"]);
});

test("an older frame does not come over one that was brought another way", () => {
  const one = begun();
  const shown = [];
  one.host.onFrame(({ at }) => at && shown.push(at));
  one.show({ kind: "stage", at: "new" }, 5);
  one.show({ kind: "stage", at: "old" }, 4);
  one.show({ kind: "stage", at: "as new" }, 5);
  one.show({ kind: "stage", at: "of a server that began anew" }, 0);
  one.show({ kind: "stage", at: "and goes on" }, 1);
  assert.deepEqual(shown, ["new", "as new", "of a server that began anew", "and goes on"]);
});

test("on another page nothing is told the way of the last one", () => {
  const channel = new Channel();
  const [bringer, line] = [hosted(channel), hosted(channel)];
  channel.updateShell = bringer.host.shell;
  channel.changePage(false);
  line.host.send({ what: "cut" });
  assert.deepEqual([bringer.posts.length, line.posts.length], [0, 1]);
});
