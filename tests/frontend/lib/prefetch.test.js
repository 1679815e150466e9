import assert from "node:assert/strict";
import test from "node:test";

import { placed } from "../page.js";
import { keep, onStamp, prefetch } from "../../../dtviz/frontend/lib/prefetch.js";
import { tell } from "../../../dtviz/frontend/lib/link.js";

const frame = (stamp, paper = "#fff", kind = "tree") => ({ kind, stamp, colours: { paper } });

/** Stamps of the frames that a picture of a kind is told to show. */
function watchStamps(kind, root = placed()) {
  const shown = [];
  onStamp(kind, root, ({ stamp }) => shown.push(stamp));
  return shown;
}

/** Ask for stamps; returns those that are shown. */
function showStamps(...stamps) {
  const shown = watchStamps("tree");
  for (const stamp of stamps) tell("stamp", { stamp });
  return shown;
}

test("a prefetched frame is shown by the picture of its kind once its stamp is asked for", () => {
  for (const kind of ["tree", "stage"]) prefetch(frame("next", "#fff", kind));
  prefetch(null);
  prefetch(frame("next", "#fff", "line"));
  const [tree, stage, line] = [watchStamps("tree"), watchStamps("stage"), watchStamps("line")];
  for (const stamp of ["next", "never sent"]) tell("stamp", { stamp });
  assert.deepEqual([tree, stage, line], [["next"], ["next"], []]);
});

test("the last twelve of a kind are kept, whatever there is of others", () => {
  const stamps = Array.from({ length: 13 }, (_, k) => `${k}`);
  for (const stamp of stamps) keep(frame(stamp));
  keep(frame("0", "#fff", "stage"));
  assert.deepEqual(showStamps(...stamps), stamps.slice(1));
});

test("a frame that comes again is the newest", () => {
  for (let k = 0; k < 12; k++) keep(frame(`${k}`));
  keep(frame("0"));
  keep(frame("one more"));
  assert.deepEqual(showStamps("0", "1"), ["0"]);
});

test("when the page goes dark or light, what was kept is forgotten", () => {
  keep(frame("light"));
  keep(frame("dark", "#000"));
  assert.deepEqual(showStamps("light", "dark"), ["dark"]);
});

test("a frame without a stamp is not kept", () => {
  keep({ kind: "tree", colours: { paper: "#fff" } });
  assert.deepEqual(showStamps(undefined), []);
});

test("a picture that has left the page is shown nothing", () => {
  const root = placed();
  const shown = watchStamps("tree", root);
  keep(frame("late"));
  root.remove();
  tell("stamp", { stamp: "late" });
  assert.deepEqual(shown, []);
});

test("of two screens each is shown its own frames", () => {
  const [first, second] = [[], []];
  onStamp("tree", placed(), ({ stamp }) => first.push(stamp));
  onStamp("tree", placed(), ({ stamp }) => second.push(stamp), true);
  keep(frame("one"));
  keep({ ...frame("two"), is_second_screen: true });
  for (const stamp of ["one", "two"]) tell("stamp", { stamp });
  assert.deepEqual([first, second], [["one"], ["two"]]);
});
