import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { placed, press, use } from "../page.js";
import { listenToDrags, listenToKeys, Setting } from "../../../dtviz/frontend/impurity/setting.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** The setting of a percent, 30 in the frame; `answer` makes Python answer. */
function createSetting() {
  const host = { sent: [], pending: [], send(event) { this.sent.push(event); this.pending.push(event); } };
  const fixture = { host, percent: 30, painted: 0 };
  fixture.setting = new Setting(host, "percent", () => fixture.percent, () => { fixture.painted += 1; });
  fixture.answer = () => {
    fixture.percent = host.pending.at(-1)?.values.percent ?? fixture.percent;
    host.pending = [];
  };
  return fixture;
}

test("a preview is drawn and not sent", () => {
  const { setting, host } = createSetting();
  setting.show(40);
  assert.equal(setting.value, 40);
  assert.deepEqual(host.sent, []);
});

test("a value is sent once, and drawn until Python answers and after", () => {
  const fixture = createSetting();
  fixture.setting.show(40);
  fixture.setting.commit();
  fixture.setting.commit();
  assert.deepEqual(fixture.host.sent, [{ what: "set", values: { percent: 40 } }]);
  assert.equal(fixture.setting.value, 40);
  fixture.answer();
  assert.equal(fixture.setting.value, 40);
});

test("a preview that comes back to the value of the frame is not sent", () => {
  const { setting, host } = createSetting();
  setting.show(40);
  setting.show(30);
  setting.commit();
  assert.deepEqual(host.sent, []);
});

test("pending values of other settings are not taken for this one", () => {
  const { setting, host } = createSetting();
  host.send({ what: "set", values: { impurity: "gini" } });
  host.pending.push({ what: "focus", node: "1" });
  assert.equal(setting.value, 30);
});

test("a pause of the keys sends the preview once, Escape discards it", () => {
  const { setting, host } = createSetting();
  setting.commitLater(31);
  setting.commitLater(32);
  assert.deepEqual(host.sent, []);
  mock.timers.tick(1000);
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 32 } }]);
  setting.commitLater(50);
  setting.discard();
  mock.timers.tick(1000);
  assert.equal(host.sent.length, 1);
  assert.equal(setting.value, 32);
});

test("a value that is drawn already is not painted again", () => {
  const fixture = createSetting();
  fixture.setting.show(30);
  assert.equal(fixture.painted, 0);
  fixture.setting.show(31);
  fixture.setting.show(31);
  assert.equal(fixture.painted, 1);
});

/** An element that is dragged and stepped by keys: a pixel is a percent. */
function createElement() {
  const fixture = createSetting();
  const element = placed();
  listenToDrags(element, fixture.setting, ({ clientX }, start) => start.value + clientX - start.x);
  listenToKeys(element, fixture.setting, (value, key) => (key === "ArrowRight" ? value + 1 : undefined));
  return { ...fixture, element };
}

test("a drag is drawn while it goes on and sent when it ends", () => {
  const { element, setting, host } = createElement();
  use(element, "pointermove", { clientX: 90 });
  assert.equal(setting.value, 30);
  use(element, "pointerdown", { clientX: 10 });
  use(element, "pointermove", { clientX: 15 });
  assert.equal(setting.value, 35);
  assert.deepEqual(host.sent, []);
  use(element, "pointerup", { clientX: 17 });
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 37 } }]);
  use(element, "pointermove", { clientX: 90 });
  assert.equal(setting.value, 37);
});

test("a drag that becomes a scroll changes nothing", () => {
  const { element, setting, host } = createElement();
  use(element, "pointerdown", { clientX: 10 });
  use(element, "pointermove", { clientX: 15 });
  use(element, "pointercancel");
  use(element, "pointerup", { clientX: 17 });
  assert.equal(setting.value, 30);
  assert.deepEqual(host.sent, []);
});

test("another button than the first drags nothing", () => {
  const { element, setting } = createElement();
  use(element, "pointerdown", { clientX: 10, button: 2 });
  use(element, "pointermove", { clientX: 15 });
  assert.equal(setting.value, 30);
});

test("keys with a meaning do not reach the page, others do", () => {
  const { element, setting, host } = createElement();
  const { event, stopped } = press(element, "ArrowRight");
  assert.ok(event.defaultPrevented && stopped);
  assert.equal(setting.value, 31);
  for (const [key, modifiers] of [["q", {}], ["ArrowRight", { ctrlKey: true }], ["ArrowRight", { metaKey: true }]]) {
    assert.ok(!press(element, key, modifiers).event.defaultPrevented);
  }
  assert.equal(setting.value, 31);
  press(element, "Enter");
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 31 } }]);
});

test("a preview of the keys is sent when the focus leaves", () => {
  const { element, host } = createElement();
  press(element, "ArrowRight");
  use(element, "blur");
  assert.deepEqual(host.sent, [{ what: "set", values: { percent: 31 } }]);
});
