import assert from "node:assert/strict";
import test from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { create } from "../../../dtviz/frontend/learn/regions.js";
import { bytesOf, expected } from "../expected.js";

const { cloud, regions: { frame, told } } = expected.lessons;

/** The picture on the page, drawn. */
function shown() {
  pictured(cloudPicture, "cloud", unpack(bytesOf(cloud)));
  const root = placed();
  const own = unpack(bytesOf(frame));
  const picture = pictured(create, "regions", own, root);
  const slider = root.querySelector(".slider");
  const [x, y, w, h] = ["left", "top", "width", "height"].map((name) => Number.parseFloat(slider.style[name]));
  const { across, up } = own;
  return {
    root, own, slider, sent: picture.sent,
    at: (a, b) => ({
      clientX: x + (w * (a - across.low)) / (across.high - across.low),
      clientY: y + h * (1 - (b - up.low) / (up.high - up.low)),
    }),
    words: () => root.querySelector(".worked").textContent,
  };
}

test("wherever x is dragged, region and f(x) are what the tree says of that row", () => {
  const one = shown();
  use(one.slider, "pointerdown", one.at(4, 1));
  for (const [x, y, region, says] of told) {
    use(one.slider, "pointermove", one.at(x, y));
    assert.equal(one.root.dataset.region, String(region), `${x} ${y}`);
    assert.ok(one.words().endsWith(`[x∈R${region}]=${says}`), one.words());
    assert.ok(one.root.querySelector(".told").textContent.includes(one.own.boxes[region - 1].where));
  }
  use(one.slider, "pointerup", one.at(4, 1));
  assert.deepEqual(one.sent, []);
});

test("once let go x stays, and the arrow keys move it no farther than the plane", () => {
  const one = shown();
  use(one.slider, "pointerdown", one.at(1.4, 0.2));
  use(one.slider, "pointerup", one.at(1.4, 0.2));
  const first = one.words();
  use(one.slider, "pointermove", one.at(6, 2));
  assert.equal(one.words(), first);
  assert.ok(first.startsWith("f(1.4,"));
  press(one.slider, "ArrowRight");
  assert.notEqual(one.words(), first);
  for (let k = 0; k < 80; k++) press(one.slider, "ArrowRight");
  const last = one.words();
  press(one.slider, "ArrowRight");
  assert.equal(one.words(), last);
  assert.equal(one.slider.getAttribute("aria-valuenow"), one.root.dataset.region);
});
