import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed, press, use } from "../page.js";
import { dragged, Hand, keyed } from "../../../dtviz/frontend/impurity/hand.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** A hand on the percent of a page, 30 in the frame; `answer` is Python's. */
function made() {
  const host = { sent: [], pending: [], send(event) { this.sent.push(event); this.pending.push(event); } };
  const one = { host, percent: 30, painted: 0 };
  one.hand = new Hand(host, "percent", () => one.percent, () => { one.painted += 1; });
  one.answer = () => {
    one.percent = host.pending.at(-1)?.values.percent ?? one.percent;
    host.pending = [];
  };
  return one;
}

test("what is looked at is shown and not told", () => {
  const { hand, host } = made();
  hand.look(40);
  assert.equal(hand.value, 40);
  assert.deepEqual(host.sent, []);
});

test("what stays is told once, and shown until Python answers and after", () => {
  const one = made();
  one.hand.look(40);
  one.hand.stay();
  one.hand.stay();
  assert.deepEqual(one.host.sent, [{ what: "set", values: { percent: 40 } }]);
  assert.equal(one.hand.value, 40);
  one.answer();
  assert.equal(one.hand.value, 40);
});

test("what comes back to where it was is not told", () => {
  const { hand, host } = made();
  hand.look(40);
  hand.look(30);
  hand.stay();
  assert.deepEqual(host.sent, []);
});

test("other values on their way are not taken for this one", () => {
  const { hand, host } = made();
  host.send({ what: "set", values: { impurity: "gini" } });
  host.pending.push({ what: "focus", node: "1" });
  assert.equal(hand.value, 30);
});

test("keys that rest are told once, Escape takes them back", () => {
  const { hand, host } = made();
  hand.settle(31);
  hand.settle(32);
  assert.deepEqual(host.sent, []);
  mock.timers.tick(1000);
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 32 } }]);
  hand.settle(50);
  hand.giveUp();
  mock.timers.tick(1000);
  assert.equal(host.sent.length, 1);
  assert.equal(hand.value, 32);
});

test("nothing is painted anew that is shown already", () => {
  const one = made();
  one.hand.look(30);
  assert.equal(one.painted, 0);
  one.hand.look(31);
  one.hand.look(31);
  assert.equal(one.painted, 1);
});

/** An element that is dragged and keyed: a pixel is a percent. */
function held() {
  const one = made();
  const element = placed();
  dragged(element, one.hand, ({ clientX }, from) => from.value + clientX - from.x);
  keyed(element, one.hand, (value, key) => (key === "ArrowRight" ? value + 1 : undefined));
  return { ...one, element };
}

test("a drag is shown as it goes and told when it ends", () => {
  const { element, hand, host } = held();
  use(element, "pointermove", { clientX: 90 });
  assert.equal(hand.value, 30);
  use(element, "pointerdown", { clientX: 10 });
  use(element, "pointermove", { clientX: 15 });
  assert.equal(hand.value, 35);
  assert.deepEqual(host.sent, []);
  use(element, "pointerup", { clientX: 17 });
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 37 } }]);
  use(element, "pointermove", { clientX: 90 });
  assert.equal(hand.value, 37);
});

test("a drag that a scroll takes over leaves all as it was", () => {
  const { element, hand, host } = held();
  use(element, "pointerdown", { clientX: 10 });
  use(element, "pointermove", { clientX: 15 });
  use(element, "pointercancel");
  use(element, "pointerup", { clientX: 17 });
  assert.equal(hand.value, 30);
  assert.deepEqual(host.sent, []);
});

test("another button than the first drags nothing", () => {
  const { element, hand } = held();
  use(element, "pointerdown", { clientX: 10, button: 2 });
  use(element, "pointermove", { clientX: 15 });
  assert.equal(hand.value, 30);
});

test("keys of ours stay ours, others are the page's", () => {
  const { element, hand, host } = held();
  const { event, stopped } = press(element, "ArrowRight");
  assert.ok(event.defaultPrevented && stopped);
  assert.equal(hand.value, 31);
  for (const [key, more] of [["q", {}], ["ArrowRight", { ctrlKey: true }], ["ArrowRight", { metaKey: true }]]) {
    assert.ok(!press(element, key, more).event.defaultPrevented);
  }
  assert.equal(hand.value, 31);
  press(element, "Enter");
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 31 } }]);
});

test("what the keys asked for is told when the focus leaves", () => {
  const { element, host } = held();
  press(element, "ArrowRight");
  use(element, "blur");
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 31 } }]);
});
