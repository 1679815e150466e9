import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { pictured } from "../hosts.js";
import { Element, placed, press, use } from "../page.js";
import { present } from "../../../dtviz/frontend/lib/presentation.js";
import { create } from "../../../dtviz/frontend/timeline/timeline.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

const FRAME = {
  step: 3, total: 8, chosen_steps: [2, 6], playing: false, can_undo: true, can_redo: false, stamp: "at 3",
  stamps: { "-1": "at 2", 1: "at 4" }, forks: [],
};

/** A time-line on the page. */
function shown(more = {}) {
  const timeline = pictured(create, "line", { ...FRAME, ...more });
  const { root, posts } = timeline;
  const button = (name) => root.querySelectorAll("button").find(({ dataset }) => dataset.name === name);
  return {
    ...timeline, button,
    counter: () => root.querySelector(".counter").textContent,
    events: () => (posts.at(-1)?.events ?? []).map(({ event }) => event),
    isEnabled: (name) => button(name).getAttribute("aria-disabled") === "false",
  };
}

test("the time-line counts the steps made, and enables the possible ones", () => {
  const timeline = shown();
  assert.equal(timeline.counter(), "step 3 of 8");
  const names = ["start", "back", "next", "end", "play", "undo", "redo"];
  assert.deepEqual(names.map(timeline.isEnabled), [true, true, true, true, true, true, false]);
  const second = shown({ step: 1 });
  assert.ok(second.isEnabled("start") && second.isEnabled("back"));
  const first = shown({ step: 0 });
  assert.deepEqual(names.map(first.isEnabled), [false, false, true, true, true, true, false]);
  const last = shown({ step: 8 });
  assert.deepEqual(names.map(last.isEnabled), [true, true, false, false, false, true, false]);
});

test("each step has its mark: those made, and those chosen by hand", () => {
  const marks = shown().root.querySelector(".marks").children;
  assert.deepEqual(marks.map(({ classList }) => classList.contains("done")), [1, 2, 3, 4, 5, 6, 7, 8].map((step) => step <= 3));
  assert.deepEqual(marks.map(({ classList }) => classList.contains("own")), [1, 2, 3, 4, 5, 6, 7, 8].map((step) => [2, 6].includes(step)));
  assert.deepEqual(marks.map(({ style }) => style.left), [1, 2, 3, 4, 5, 6, 7, 8].map((step) => `${12.5 * step}%`));
});

test("of very many steps only those chosen by hand are marked", () => {
  assert.equal(shown({ total: 81 }).root.querySelector(".marks").children.length, 2);
});

test("of a time-line that goes on beyond its last step, End asks for all steps", () => {
  const timeline = shown({ total: 4, has_more_steps: true });
  assert.equal(timeline.counter(), "step 3 of many");
  timeline.button("end").click();
  assert.deepEqual(timeline.events(), [{ what: "goto", step: 1e9, playing: false }]);
});

test("the buttons and the arrow keys ask for their step", () => {
  for (const [name, key, step] of [["start", "Home", 0], ["back", "ArrowLeft", 2], ["next", "ArrowRight", 4], ["end", "End", 8]]) {
    const clicked = shown();
    clicked.button(name).click();
    assert.deepEqual(clicked.events(), [{ what: "goto", step, playing: false }], name);
    assert.equal(clicked.counter(), `step ${step} of 8`);
    clicked.root.remove();
    const keyed = shown();
    press(keyed.root, key);
    assert.deepEqual(keyed.events(), [{ what: "goto", step, playing: false }], key);
    keyed.root.remove();
  }
});

test("the keys of a clicker step only while presenting", () => {
  for (const [key, step] of [["PageUp", 2], ["PageDown", 4]]) {
    for (const on of [false, true]) {
      const timeline = shown();
      present(on);
      press(document.body, key);
      assert.deepEqual(timeline.events(), on ? [{ what: "goto", step, playing: false }] : [], key);
      present(false);
      timeline.root.remove();
    }
  }
});

test("Home and End jump from anywhere, unless the page scrolls by them", () => {
  const main = placed();
  main.setAttribute("data-testid", "stMain");
  for (const [high, jumps] of [[700, true], [900, false]]) {
    Object.assign(main, { clientHeight: 700, scrollHeight: high });
    for (const [key, step] of [["Home", 0], ["End", 8]]) {
      const timeline = shown();
      press(document.body, key);
      assert.deepEqual(timeline.events(), jumps ? [{ what: "goto", step, playing: false }] : [], key);
      timeline.root.remove();
    }
  }
  main.remove();
});

test("undo, redo and play are asked for by button and key", () => {
  for (const [name, more, event] of [
    ["undo", { ctrlKey: true, key: "z" }, { what: "undo" }],
    ["redo", { ctrlKey: true, key: "y" }, { what: "redo" }],
    ["redo", { metaKey: true, key: "Z", shiftKey: true }, { what: "redo" }],
    ["play", { key: "p" }, { what: "play", on: true }],
  ]) {
    const timeline = shown({ can_redo: true });
    timeline.button(name).click();
    assert.deepEqual(timeline.events(), [event]);
    timeline.root.remove();
    const second = shown({ can_redo: true });
    use(second.root, "keydown", more);
    assert.deepEqual(second.events(), [event], JSON.stringify(more));
    second.root.remove();
  }
});

test("the next split is the main button except where a cut is chosen or asked for", () => {
  for (const [more, main] of [[{}, true], [{ is_cut_chosen: true }, false], [{ is_asking: true }, false]]) {
    const next = shown(more).button("next");
    assert.deepEqual([next.classList.contains("main"), next.textContent], [main, "Next split"], JSON.stringify(more));
  }
});

test("a disabled button sends nothing", () => {
  const timeline = shown({ step: 8 });
  for (const name of ["next", "end", "redo"]) timeline.button(name).click();
  assert.deepEqual(timeline.sent, []);
});

test("a step whose picture is kept is shown at once", () => {
  const stamps = [];
  document.addEventListener("dtviz:stamp", ({ detail }) => stamps.push(detail.stamp));
  const timeline = shown();
  timeline.button("next").click();
  assert.deepEqual(stamps, ["at 4"]);
  assert.equal(timeline.root.dataset.step, "at 4");
  shown().button("back").click();
  assert.deepEqual(stamps, ["at 4", "at 2"]);
});

test("events that Python has not acknowledged are sent again with those that follow, in order", () => {
  const timeline = shown();
  timeline.button("next").click();
  timeline.button("next").click();
  timeline.button("undo").click();
  assert.deepEqual(timeline.events().map(({ what, step }) => step ?? what), [4, 5, "undo"]);
  const [first, second, third] = timeline.numbers();
  assert.ok(first < second && second < third);
  timeline.show({ kind: "line", ...FRAME, step: 4 }, first);
  assert.equal(timeline.counter(), "step 5 of 8"); // it has not heard the second yet
  timeline.show({ kind: "line", ...FRAME, step: 5 }, third);
  assert.equal(timeline.root.dataset.waiting, "false");
  timeline.button("start").click();
  assert.deepEqual(timeline.events().map(({ step }) => step), [0]);
});

test("Play has the chosen speed, and the browser keeps it", () => {
  const storage = new Map();
  globalThis.localStorage = { getItem: (name) => storage.get(name) ?? null, setItem: (name, text) => storage.set(name, text) };
  const timeline = shown();
  const pace = timeline.root.querySelector(".pace");
  assert.equal(pace.textContent, "1×");
  pace.click();
  assert.deepEqual([pace.textContent, pace.getAttribute("aria-label")], ["2×", "Speed of Play: 2×"]);
  assert.deepEqual(timeline.sent, []);
  const second = shown({ playing: true });
  assert.equal(second.root.querySelector(".pace").textContent, "2×");
  use(second.root.querySelector(".pace"), "pointerdown"); // it does not pause
  mock.timers.tick(599);
  assert.deepEqual(second.sent, []);
  mock.timers.tick(1);
  assert.deepEqual(second.events(), [{ what: "goto", step: 4, playing: true }]);
  for (const text of ["4×", "½×", "1×"]) {
    pace.click();
    assert.equal(pace.textContent, text);
  }
  storage.set("dtviz:speed", "1e9");
  assert.equal(shown().root.querySelector(".pace").textContent, "1×");
  delete globalThis.localStorage;
});

test("Play takes a step at a time until the end", () => {
  const timeline = shown({ playing: true });
  mock.timers.tick(1200);
  assert.deepEqual(timeline.events(), [{ what: "goto", step: 4, playing: true }]);
  const done = shown({ playing: true, step: 8 });
  mock.timers.tick(5000);
  assert.deepEqual(done.sent, []);
});

test("the track goes to any step", () => {
  const timeline = shown();
  const track = timeline.root.querySelector("input");
  assert.equal(Number(track.max), 8);
  assert.equal(track.getAttribute("aria-valuetext"), "step 3 of 8");
  track.value = 6;
  use(track, "input");
  assert.deepEqual(timeline.events(), [{ what: "goto", step: 6, playing: false }]);
});

test("a pointer that is pressed anywhere pauses at once, before Python has answered", () => {
  const timeline = shown({ playing: true });
  mock.timers.tick(1000);
  use(document.body, "pointerdown");
  assert.deepEqual(timeline.events(), [{ what: "play", on: false }]);
  mock.timers.tick(1200);
  assert.ok(timeline.sent.every(({ what }) => what === "play"));
  assert.equal(timeline.button("play").getAttribute("aria-label"), "Play");
  timeline.root.remove();
});

test("a pressed pointer sends nothing where nothing plays, and leaves the button Pause to its own click", () => {
  const idle = shown();
  use(document.body, "pointerdown");
  assert.deepEqual(idle.sent, []);
  idle.root.remove();
  const timeline = shown({ playing: true });
  use(timeline.button("play"), "pointerdown");
  assert.deepEqual(timeline.sent, []);
  timeline.button("play").click();
  assert.deepEqual(timeline.sent, [{ what: "play", on: false }]);
  timeline.root.remove();
});

test("of two screens side by side a step tells the stamps of both", () => {
  const stamps = [];
  document.addEventListener("dtviz:stamp", ({ detail }) => stamps.push(detail.stamp));
  shown({ second_stamps: { 1: "the other's" } }).button("next").click();
  assert.deepEqual(stamps, ["at 4", "the other's"]);
});

test("of two components the one used last gets the keys of the page, and a press in the other does not stop it", () => {
  document.body.replaceChildren(); // without the time-lines of other tests
  const components = [shown({ playing: true }), shown()];
  for (const { root } of components) {
    const shadow = new Element("shadow");
    root.getRootNode = () => shadow;
  }
  const within = ({ root }) => ({ composedPath: () => [root, root.getRootNode(), document, window] });
  const [first, second] = components;
  const elsewhere = { composedPath: () => [document.body, document, window] };
  use(second.root, "pointerdown", within(second));
  press(document.body, "ArrowRight", elsewhere);
  assert.deepEqual([first.events().length, second.events().length], [0, 1]);
  use(first.root, "pointerdown", within(first));
  press(document.body, "ArrowLeft", elsewhere);
  assert.deepEqual(first.events().map(({ what }) => what), ["play", "goto"]);
  assert.equal(second.events().length, 1);
});
