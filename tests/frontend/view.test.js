import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { packed } from "./hosts.js";
import { placed, use } from "./page.js";
import show from "../../dtviz/frontend/view.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

const LINE = {
  kind: "line", step: 1, total: 3, chosen_steps: [], stamp: "at 1", stamps: {}, playing: false, undo: false, redo: false, forks: [],
};
const STAGE = { kind: "stage", cloud: "never sent", bare: true };
let background = "";
let running = false;
globalThis.location = { pathname: "/", search: "" };
globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => ({ "--st-background-color": background })[name] ?? "" });
document.querySelector = (selector) => (selector === `[data-test-script-state=${running ? "running" : "notRunning"}]` ? {} : null);

const DATA = "0123456789abcdef";

/** A letter as Python writes it: what it has heard, the mark of its data, and a frame. */
const letterOf = (frame, acknowledged) => new Uint8Array([
  ...new Uint8Array(Float64Array.of(acknowledged).buffer), ...new TextEncoder().encode(DATA), ...packed(frame),
]);

/** A place on the page: `run` is one run of the script, which gives the messages that follow it. */
function openPlace() {
  const parentElement = placed();
  return {
    parentElement,
    async run(frame, acknowledged = 0) {
      const posts = [];
      show({ data: letterOf(frame, acknowledged), parentElement, setTriggerValue: (name, message) => posts.push([name, message]) });
      await new Promise((done) => { setImmediate(done); });
      return posts;
    },
    next: () => parentElement.querySelectorAll("button").find(({ dataset }) => dataset.name === "next").click(),
  };
}

const lastOf = (posts) => posts.at(-1)[1].events.at(-1);

beforeEach(() => {
  [background, running] = ["", false];
});

test("a letter puts the picture of its kind on the page, the next changes it", async () => {
  const { parentElement, run } = openPlace();
  await run(LINE);
  assert.deepEqual(parentElement.children.map(({ className }) => className), ["line"]);
  assert.equal(parentElement.querySelector(".counter").textContent, "step 1 of 3");
  await run({ ...LINE, step: 2 });
  assert.equal(parentElement.children.length, 1);
  assert.equal(parentElement.querySelector(".counter").textContent, "step 2 of 3");
});

test("a letter that is drawn once more is not shown again: what it brings may be old", async () => {
  const { parentElement, run } = openPlace();
  await run(LINE, 1);
  parentElement.querySelector(".counter").textContent = "brought another way";
  await run(LINE, 1);
  assert.equal(parentElement.querySelector(".counter").textContent, "brought another way");
  await run({ ...LINE, step: 2 }, 1);
  assert.equal(parentElement.querySelector(".counter").textContent, "step 2 of 3");
});

test("what is done is told by the trigger of the last run, until a letter has heard it", async () => {
  const { run, next } = openPlace();
  const first = await run(LINE);
  next();
  const { n, event, picture, data } = lastOf(first);
  assert.deepEqual([first[0][0], picture, event, data], ["did", "line", { what: "goto", step: 2, playing: false }, DATA]);
  const second = await run({ ...LINE, step: 2 }, n);
  next();
  assert.equal(first.length, 1);
  assert.deepEqual(second[0][1].events, [{ n: n + 1, picture: "line", event: { what: "goto", step: 3, playing: false }, data: DATA }]);
  await run({ ...LINE, step: 3 }, n + 1);
});

test("a frame that cannot be told is asked for, and shown once it comes", async () => {
  const { parentElement, run } = openPlace();
  const request = ["did", { events: [], has: [] }];
  const change = { kind: "change", $number: 902, base: 901, change: { $in: { step: { $to: 3 } }, $out: [] } };
  assert.deepEqual(await run(change), [request]);
  assert.equal(parentElement.children.length, 0);
  await run({ ...LINE, $number: 901 });
  await run(change);
  assert.equal(parentElement.querySelector(".counter").textContent, "step 3 of 3");
  assert.deepEqual(await run({ ...change, $number: 903, base: 1000 }), [request]);
  assert.equal(parentElement.querySelector(".counter").textContent, "step 3 of 3");
});

test("while the script runs nothing is told again", async () => {
  const { run, next } = openPlace();
  const posts = await run(LINE);
  next();
  running = true;
  mock.timers.tick(20_000);
  assert.equal(posts.length, 1);
  running = false;
  mock.timers.tick(5000);
  assert.equal(posts.length, 2);
  await run(LINE, lastOf(posts).n);
});

test("what has left the page tells nothing", async () => {
  const { parentElement, run, next } = openPlace();
  const posts = await run(LINE);
  parentElement.remove();
  next();
  assert.deepEqual(posts, []);
});

test("a page that went dark or light asks once for its colours", async () => {
  for (const [colour, dark] of [["#0e1117", true], ["rgb(14, 17, 23)", true], ["#FFFFFF", false], ["rgba(250, 250, 250, 1)", false]]) {
    const { run } = openPlace();
    background = colour;
    assert.deepEqual(await run({ ...STAGE, colours: { dark } }), [], colour);
    assert.deepEqual(await run({ ...STAGE, colours: { dark: !dark } }), [["did", { what: "theme" }]], colour);
    assert.deepEqual(await run({ ...STAGE, colours: { dark: !dark } }), [], "once");
    assert.deepEqual(await run({ ...STAGE, colours: { dark } }), []);
    assert.deepEqual(await run({ ...STAGE, colours: { dark: !dark } }), [["did", { what: "theme" }]], "and once more");
  }
});

test("a colour that is neither dark nor light asks for nothing, nor does a picture without colours", async () => {
  const { run } = openPlace();
  background = "transparent";
  assert.deepEqual(await run({ ...STAGE, colours: { dark: true } }), []);
  assert.deepEqual(await run({ ...STAGE, colours: { dark: false } }), []);
  background = "#000000";
  assert.deepEqual(await openPlace().run(LINE), []);
});

const SOON = 1000;
/** The app has run, and the page that stood stands. */
function nextRun() {
  for (running of [true, false]) mock.timers.tick(200);
}
const ALL = 100; // of the tests above
const go = (pathname, search) => { globalThis.location = { pathname, search }; };
const back = (pathname, search) => {
  go(pathname, search);
  window.dispatchEvent({ type: "popstate" });
};

test("where Back led on the page is told before what is done next", async () => {
  const { run, next } = openPlace();
  go("/overfit", "");
  const posts = await run(LINE, ALL);
  back("/overfit", "?data=iris&say=a+b");
  next();
  assert.equal(posts.length, 1);
  const [went, step] = posts[0][1].events;
  assert.deepEqual([went.picture, went.event], ["address", { what: "went", search: "?data=iris&say=a+b" }]);
  assert.deepEqual([step.n, step.event.what], [went.n + 1, "goto"]);
  await run(LINE, step.n);
  mock.timers.tick(SOON);
  assert.equal(posts.length, 1);
});

test("where Back led is told by itself only if Python has gone on from elsewhere", async () => {
  const { run } = openPlace();
  go("/overfit", "");
  const posts = await run(LINE, ALL);
  back("/overfit", "?data=iris");
  mock.timers.tick(2 * SOON);
  assert.deepEqual(posts, [], "it was read");
  back("/overfit", "?data=moons");
  running = true;
  mock.timers.tick(2 * SOON);
  go("/overfit", "?data=other");
  running = false;
  mock.timers.tick(SOON);
  assert.deepEqual(posts[0][1].events.map(({ event }) => event), [{ what: "went", search: "?data=moons" }]);
  await run(LINE, lastOf(posts).n);
});

test("an address like the one before is no way back", async () => {
  const { run, next } = openPlace();
  go("/overfit", "?data=iris");
  const posts = await run(LINE, ALL);
  window.navigation.hear({ type: "currententrychange", from: { url: "https://dtviz.example/overfit?data=iris" } });
  back("/overfit", "?data=iris");
  next();
  assert.deepEqual(posts[0][1].events.map(({ picture }) => picture), ["line"]);
  const nextPosts = await run(LINE, lastOf(posts).n);
  window.navigation.hear({ type: "currententrychange", from: { url: "https://dtviz.example/overfit?data=moons" } });
  back("/overfit", "?data=iris");
  next();
  assert.deepEqual(nextPosts[0][1].events.map(({ picture }) => picture), ["address", "line"]);
  await run(LINE, lastOf(nextPosts).n);
  window.navigation.hear({ type: "currententrychange", from: { url: null } });
});

test("of another page, or without a picture, where Back led is not told", async () => {
  const [old, other, { parentElement, run, next }] = [openPlace(), openPlace(), openPlace()];
  go("/overfit", "");
  await old.run(LINE, ALL);
  back("/overfit", "?data=iris");
  go("/grow", "");
  await other.run(LINE);
  back("/overfit", "?data=iris");
  nextRun();
  const posts = await run(LINE, ALL);
  next();
  assert.deepEqual(posts[0][1].events.map(({ picture }) => picture), ["line"]);
  await run(LINE, lastOf(posts).n);
  parentElement.remove();
  back("/overfit", "?data=moons");
  mock.timers.tick(2 * SOON);
  assert.equal(posts.length, 1);
});

/** A link on the page, clicked. */
function follow(pathname) {
  const link = placed("a");
  link.setAttribute("href", pathname);
  use(Object.assign(link, { origin: location.origin, pathname, target: "" }), "click");
}

for (const [cause, wanted] of [["a link", ["goto"]], ["Back", []], ["a link", ["goto"]]]) {
  test(`what is done as ${cause} leads to another page is told by the next: ${wanted.length}`, async () => {
    const [left, interim, entered] = [openPlace(), openPlace(), openPlace()];
    const long = { ...LINE, total: 9 };
    go("/overfit", "");
    await left.run(long, ALL);
    back("/overfit", "?data=moons");
    if (cause === "Back") back("/grow", "?data=iris");
    else follow("/grow");
    left.next();
    await left.run(long, ALL);
    mock.timers.tick(SOON / 2);
    await interim.run(LINE, ALL);
    left.next();
    go("/grow", "?data=iris");
    const nextPosts = await entered.run({ ...LINE, step: 2 }, ALL);
    mock.timers.tick(SOON);
    const whats = nextPosts.flatMap(([, { events }]) => events.map(({ event }) => event.what));
    assert.deepEqual([...new Set(whats)], wanted);
    const { length } = nextPosts;
    left.parentElement.remove();
    left.next(); // something that it was about to say
    assert.equal(nextPosts.length > length, wanted.length > 0);
    await entered.run(LINE, nextPosts.length ? lastOf(nextPosts).n : ALL);
  });
}

test("what the first picture says of a page that Back led to is told by the page that a link leads to", async () => {
  const [left, first, next] = [openPlace(), openPlace(), openPlace()];
  go("/overfit", "");
  await left.run(LINE, ALL);
  back("/grow", "");
  await first.run({ ...LINE, step: 2 }, ALL);
  follow("/learn");
  go("/learn", "");
  const posts = await next.run(LINE, ALL);
  first.parentElement.remove();
  first.next();
  assert.equal(lastOf(posts).event.step, 3);
  await next.run(LINE, lastOf(posts).n);
});
