import assert from "node:assert/strict";
import test from "node:test";

import { pictured } from "../hosts.js";
import { placed, press, use } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { unpack } from "../../../dtviz/frontend/lib/frame.js";
import { create } from "../../../dtviz/frontend/learn/regions.js";
import { bytesOf, expected } from "../expected.js";

const { cloud, regions: { frame, told: wantedRows } } = expected.lessons;

/** The picture on the page, drawn. */
function showRegions() {
  pictured(cloudPicture, "cloud", unpack(bytesOf(cloud)));
  const root = placed();
  const scene = unpack(bytesOf(frame));
  const picture = pictured(create, "regions", scene, root);
  const slider = root.querySelector(".slider");
  const [x, y, w, h] = ["left", "top", "width", "height"].map((name) => Number.parseFloat(slider.style[name]));
  const { across, up } = scene;
  return {
    root, own: scene, slider, sent: picture.sent,
    at: (a, b) => ({
      clientX: x + (w * (a - across.low)) / (across.high - across.low),
      clientY: y + h * (1 - (b - up.low) / (up.high - up.low)),
    }),
    words: () => root.querySelector(".worked").textContent,
  };
}

test("wherever x is dragged, region and f(x) are what the tree says of that row", () => {
  const picture = showRegions();
  use(picture.slider, "pointerdown", picture.at(4, 1));
  for (const [x, y, region, wanted] of wantedRows) {
    use(picture.slider, "pointermove", picture.at(x, y));
    assert.equal(picture.root.dataset.region, String(region), `${x} ${y}`);
    assert.ok(picture.words().endsWith(`[x∈R${region}]=${wanted}`), picture.words());
    assert.ok(picture.root.querySelector(".told").textContent.includes(picture.own.boxes[region - 1].rule));
  }
  use(picture.slider, "pointerup", picture.at(4, 1));
  assert.deepEqual(picture.sent, []);
});

test("once let go x stays, and the arrow keys move it no farther than the plane", () => {
  const picture = showRegions();
  use(picture.slider, "pointerdown", picture.at(1.4, 0.2));
  use(picture.slider, "pointerup", picture.at(1.4, 0.2));
  const first = picture.words();
  use(picture.slider, "pointermove", picture.at(6, 2));
  assert.equal(picture.words(), first);
  assert.ok(first.startsWith("f(1.4,"));
  press(picture.slider, "ArrowRight");
  assert.notEqual(picture.words(), first);
  for (let k = 0; k < 80; k++) press(picture.slider, "ArrowRight");
  const last = picture.words();
  press(picture.slider, "ArrowRight");
  assert.equal(picture.words(), last);
  assert.equal(picture.slider.getAttribute("aria-valuenow"), picture.root.dataset.region);
});
