import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { Channel } from "../../../dtviz/frontend/lib/channel.js";
import { placed } from "../page.js";
import { hosted } from "../hosts.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

/** Host a stage on the page with a first frame. */
function hostStage(acknowledged = 0) {
  const picture = hosted();
  picture.show({ kind: "stage" }, acknowledged);
  return picture;
}

test("an event is sent at once with its number and its picture", () => {
  const picture = hostStage();
  picture.host.send({ what: "cut" });
  assert.deepEqual(picture.posts, [{ events: [{ n: 1, picture: "stage", event: { what: "cut" } }] }]);
});

test("a frame may name the picture it is for", () => {
  const picture = hosted();
  picture.show({ kind: "tree", picture: "pruning" });
  picture.host.send({ what: "focus" });
  assert.equal(picture.posts[0].events[0].picture, "pruning");
});

test("events that no frame acknowledges are sent again with later ones, in order", () => {
  const picture = hostStage();
  for (const what of ["a", "b", "c"]) picture.host.send({ what });
  assert.deepEqual(picture.numbers(), [1, 2, 3]);
  picture.show({ kind: "stage" }, 2);
  picture.host.send({ what: "d" });
  assert.deepEqual(picture.numbers(), [3, 4]);
});

test("pending events are those that the picture's own last frame does not acknowledge", () => {
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
  const picture = hostStage();
  picture.host.send({ what: "a" });
  mock.timers.tick(4999);
  assert.equal(picture.posts.length, 1);
  mock.timers.tick(1);
  assert.equal(picture.posts.length, 2);
  assert.deepEqual(picture.posts[1], picture.posts[0]);
  picture.show({ kind: "stage" }, 1);
  mock.timers.tick(20_000);
  assert.equal(picture.posts.length, 2);
});

test("a busy server is sent nothing again until it had time to answer", () => {
  const picture = hostStage();
  picture.host.send({ what: "a" });
  picture.busy = true;
  mock.timers.tick(20_000);
  assert.equal(picture.posts.length, 1);
  picture.busy = false;
  mock.timers.tick(5000);
  assert.equal(picture.posts.length, 2);
});

test("events of a page that was left are sent through the next page", () => {
  const picture = hostStage();
  picture.isConnected = false;
  picture.host.send({ what: "a" });
  assert.equal(picture.posts.length, 0);
  const next = hosted(picture.channel);
  next.show({ kind: "pad" });
  mock.timers.tick(5000);
  assert.equal(picture.posts.length, 0);
  assert.deepEqual(next.posts[0].events.map((sent) => sent.picture), ["stage"]);
});

test("the hosts of a page that was left are dropped once the next page has one", () => {
  const picture = hostStage();
  const current = hosted(picture.channel);
  picture.isConnected = false;
  const next = hosted(picture.channel);
  assert.deepEqual(picture.channel.hosts, [current.host, next.host]);
});

test("an event may wait, and later ones with it, until the pointer leaves", () => {
  const picture = hostStage();
  picture.host.send({ what: "a" }, 400);
  picture.host.send({ what: "b" });
  mock.timers.tick(399);
  assert.equal(picture.posts.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(picture.numbers(), [1, 2]);
  picture.host.send({ what: "c" }, 400);
  picture.host.flush();
  assert.deepEqual(picture.numbers(), [1, 2, 3]);
  const count = picture.posts.length;
  picture.host.flush();
  assert.equal(picture.posts.length, count);
});

test("numbers go on from the last that Python acknowledged", () => {
  const picture = hostStage(41);
  picture.host.send({ what: "a" });
  assert.deepEqual(picture.numbers(), [42]);
});

test("of very many events the first are sent first", () => {
  const picture = hostStage();
  for (let k = 0; k < 300; k++) picture.host.send({ what: "a" });
  assert.equal(picture.numbers().length, 200);
  picture.show({ kind: "stage" }, 200);
  mock.timers.tick(5000);
  assert.equal(picture.numbers()[0], 201);
  assert.equal(picture.numbers().at(-1), 300);
});

test("a frame that came before the picture could show it is shown as soon as it can", () => {
  const picture = hostStage();
  const shown = [];
  picture.host.onFrame(({ kind }) => shown.push(kind));
  assert.deepEqual(shown, ["stage"]);
});

test("an older frame does not replace a newer one", () => {
  const picture = hostStage();
  const shown = [];
  picture.host.onFrame(({ at: name }) => name && shown.push(name));
  picture.show({ kind: "stage", at: "new" }, 5);
  picture.show({ kind: "stage", at: "old" }, 4);
  picture.show({ kind: "stage", at: "as new" }, 5);
  picture.show({ kind: "stage", at: "of a server that began anew" }, 0);
  picture.show({ kind: "stage", at: "and goes on" }, 1);
  assert.deepEqual(shown, ["new", "as new", "of a server that began anew", "and goes on"]);
});

test("a part is shown its part of each frame, and is hidden while a frame lacks it", () => {
  const page = hosted(new Channel(), placed(), { kind: "page", parts: {} });
  const [root, shown] = [placed(), []];
  const remove = page.host.mountPart(root, ({ parts }) => parts.tree, (_, host) => host.onFrame(({ at }) => shown.push([at, host.pending.length])));
  assert.deepEqual([root.hidden, shown], [true, []]);
  const show = (at, acknowledged) => page.show({ kind: "page", parts: at ? { tree: { kind: "tree", at } } : {} }, acknowledged);
  show(1, 0);
  assert.equal(root.hidden, false);
  show(0, 0);
  assert.equal(root.hidden, true);
  show(2, 0);
  assert.deepEqual(shown, [[1, 0], [2, 0]]);
  remove();
  show(3, 0);
  assert.deepEqual([shown.length, root.isConnected], [2, false]);
  assert.deepEqual(page.host.channel.hosts, [page.host]);
});

test("a part sends its own events, pending until a frame of the page acknowledges them", () => {
  const page = hosted(new Channel(), placed(), { kind: "page", parts: { tree: { kind: "tree" } } });
  let part = null;
  page.host.mountPart(placed(), ({ parts }) => parts.tree, (_, host) => { part = host; });
  part.send({ what: "focus" });
  part.send({ what: "keep" }, 0, "beside");
  assert.deepEqual(page.posts.at(-1).events.map(({ picture }) => picture), ["tree", "beside"]);
  page.show({ kind: "page", parts: { tree: { kind: "tree" } } }, 1);
  assert.deepEqual(part.pending, [{ what: "keep" }]);
});
