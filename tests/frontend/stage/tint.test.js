import assert from "node:assert/strict";
import test from "node:test";

import { pictured } from "../hosts.js";
import { press } from "../page.js";
import { create as cloudPicture } from "../../../dtviz/frontend/lib/cloud.js";
import { create } from "../../../dtviz/frontend/stage/stage.js";
import { sceneOf } from "../scenes.js";

test("on the page regions and tint stand under the points, and the cut over them", () => {
  for (const name of ["three classes", "a leaf, dark"]) {
    const example = sceneOf(name);
    pictured(cloudPicture, "cloud", { ...example.cloud, name: "points" });
    const { root } = pictured(create, "stage", example.scene);
    press(root.querySelector(".slider"), "Home");
    const sheets = root.querySelectorAll("canvas");
    const names = ["floor", "tint", "still", "moving"];
    assert.deepEqual(sheets.map(({ className }) => className), [...names, ...names, "film"]); // one set is spare
    const drawn = sheets.slice(0, 4); // nothing moves here
    const tints = drawn.map(({ pen }) => pen.log.filter(({ name: what, globalAlpha }) => what.startsWith("fill") && [0.26, 0.17, 0.12].includes(globalAlpha)).length);
    assert.ok(tints[1] > 0 && !tints[3], name);
    const regions = drawn.map(({ pen }) => pen.log.filter(({ name: what, globalAlpha }) => what.startsWith("stroke") && globalAlpha === 0.55).length);
    assert.ok(regions[0] > 0 && !regions[2], name);
  }
});
