import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { press, use } from "../page.js";
import { isPreviousSearch, watchHistory } from "../../../dtviz/frontend/lib/history.js";

const HOST = "https://dtviz.example";
const replaced = [];
globalThis.location = { pathname: "/", search: "" };
globalThis.history = { state: { of: "streamlit" }, replaceState: (state, _, url) => replaced.push([state, url]) };
watchHistory();

/** Add an entry to the history, as a browser does; returns true if the entry is kept. */
function pushed(path, { navigationType = "push", cancelable = true } = {}) {
  const { pathname, search } = new URL(path, HOST);
  let isKept = true;
  window.navigation.hear({
    type: "navigate", navigationType, cancelable, destination: { url: HOST + path },
    preventDefault() { isKept = false; },
  });
  globalThis.location = { pathname, search };
  return isKept;
}

beforeEach(() => {
  pushed("/", { navigationType: "traverse" });
  use(document.body, "pointerdown");
  replaced.length = 0;
});

test("the bare address of a page that was entered gives way to the whole one", () => {
  assert.equal(pushed("/overfit"), true);
  assert.equal(pushed("/overfit?data=moons"), false);
  assert.deepEqual(replaced, [[{ of: "streamlit" }, `${HOST}/overfit?data=moons`]]);
  assert.equal(pushed("/overfit?data=moons&log=a1"), true, "what comes then is an entry of its own");
});

test("what is done on a page that was entered is an entry of its own", () => {
  pushed("/overfit");
  use(document.body, "pointerdown");
  assert.equal(pushed("/overfit?max_depth=3"), true);
  pushed("/");
  press(document.body, "ArrowRight");
  assert.equal(pushed("/?log=a1"), true);
  assert.deepEqual(replaced, []);
});

test("the page that Python leads away from keeps its own address alone", () => {
  pushed("/?data=iris");
  for (const [from, to, middle] of [["", "overfit", "/?data=moons"], ["overfit", "learn", "/learn"]]) {
    use(document.body, "pointerdown");
    replaced.length = 0;
    const paths = [`/${from}`, middle, `/${to}?data=moons`]; // Streamlit's order is one or the other
    assert.deepEqual(paths.map((path) => pushed(path)), [true, false, false]);
    assert.deepEqual(replaced.map(([, url]) => url), paths.slice(1).map((path) => HOST + path));
  }
  use(document.body, "pointerdown");
  assert.equal(pushed("/forest?data=moons"), true, "a link of the bar is an entry of its own");
  pushed("/forest");
  use(document.body, "pointerdown");
  assert.equal(pushed("/data"), true, "so is the plain screen that somebody leaves by a link");
});

test("a page with a bare address keeps it where Python leads away from it", () => {
  pushed("/forest");
  use(document.body, "pointerdown");
  assert.deepEqual(["/forest?data=member", "/?data=member"].map((path) => pushed(path)), [true, false]);
  assert.deepEqual(replaced.map(([, url]) => url), [`${HOST}/?data=member`]);
});

test("only an entry that is pushed on the same page gives way, where the browser lets it", () => {
  assert.equal(pushed("/?log=a1"), true, "the page was opened by its bare address");
  pushed("/overfit");
  assert.equal(pushed("/learn?data=moons"), true);
  pushed("/overfit");
  assert.equal(pushed("/overfit?data=moons", { navigationType: "traverse" }), true);
  pushed("/");
  assert.equal(pushed("/?data=moons", { cancelable: false }), true);
  assert.deepEqual(replaced, []);
});

test("an address like the one before is told from another, where the browser tells of it", () => {
  assert.equal(isPreviousSearch("?data=iris"), false);
  window.navigation.hear({ type: "currententrychange", from: { url: `${HOST}/?data=iris` } });
  assert.deepEqual(["?data=iris", "?data=moons", ""].map(isPreviousSearch), [true, false, false]);
  window.navigation.hear({ type: "currententrychange", from: { url: null } });
  assert.deepEqual(["?data=iris", ""].map(isPreviousSearch), [false, false]);
});
