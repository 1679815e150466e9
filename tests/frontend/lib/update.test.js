import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { hosted, packed, pictured } from "../hosts.js";
import { tell } from "../../../dtviz/frontend/lib/link.js";
import { onStamp } from "../../../dtviz/frontend/lib/prefetch.js";
import { Channel } from "../../../dtviz/frontend/lib/channel.js";
import { FrameCache } from "../../../dtviz/frontend/lib/frame_cache.js";
import { create } from "../../../dtviz/frontend/lib/update.js";
import { placed } from "../page.js";

mock.timers.enable({ apis: ["setTimeout", "Date"] });

const stage = (number, base) => packed(base
  ? { kind: "change", $number: number, base, change: { $in: { at: { $to: number } }, $out: [] } }
  : { kind: "stage", $number: number, at: number });

/** Pack a letter as Python does, its parts in arrays behind the header. */
function letterOf(shown, frames) {
  const parts = [];
  let offset = 0;
  const listed = (letters) => Object.fromEntries(Object.entries(letters).map(([name, bytes]) => {
    const entry = { $array: ["u1", offset, bytes.length] };
    parts.push([offset, bytes]);
    offset += bytes.length + (-bytes.length & 7);
    return [name, entry];
  }));
  const header = packed({ kind: "update", shown_frames: listed(shown), frames: listed(frames) });
  const letter = new Uint8Array(header.length + offset);
  letter.set(header);
  for (const [from, part] of parts) letter.set(part, header.length + from);
  return letter;
}

test("the frames of an update are opened in the order in which they are packed: one may patch another", () => {
  const { kind, shown, frames } = new FrameCache().open(letterOf({ stage: stage(1) }, { stage: stage(2, 1) }));
  assert.equal(kind, "update");
  assert.deepEqual([shown[0].at, frames[0].at], [1, 2]);
});

test("an update is dropped if a frame to show cannot be opened; a frame of the next step is left out", () => {
  assert.equal(new FrameCache().open(letterOf({ stage: stage(2, 1) }, {})), null);
  const { shown, frames } = new FrameCache().open(letterOf({ stage: stage(2) }, { stage: stage(9, 8) }));
  assert.deepEqual([shown.length, frames.length], [1, 0]);
});

test("each frame goes to the picture of its kind on the page, with the number acknowledged", () => {
  const channel = new Channel();
  const [oldStage, stagePicture, line] = ["stage", "stage", "line"].map((kind) => hosted(channel, placed(), { kind }));
  oldStage.isConnected = false;
  const shown = [];
  for (const [name, { host }] of Object.entries({ oldStage, stagePicture, line })) host.onFrame((frame) => frame.at && shown.push([name, frame.at, host.pending.length]));
  stagePicture.host.send({ what: "cut" });
  const update = hosted(channel, placed(), { kind: "update", shown: [], frames: [] });
  create(placed(), update.host);
  update.show({ kind: "update", shown: [{ kind: "line", at: 1 }, { kind: "stage", at: 2 }, { kind: "tree", at: 3 }], frames: [] }, 1);
  assert.deepEqual(shown, [["line", 1, 0], ["stagePicture", 2, 0]]);
  assert.deepEqual(channel.unacknowledged, []);
});

test("events are sent through the update's shell while that is on the page", () => {
  const channel = new Channel();
  const [line, update, later] = ["line", "update", "ranking"].map((kind) => hosted(channel, placed(), { kind, shown: [], frames: [] }));
  create(placed(), update.host);
  line.host.send({ what: "goto" });
  assert.deepEqual([line, update, later].map(({ posts }) => posts.length), [0, 1, 0]);
  update.isConnected = false;
  line.host.send({ what: "goto" });
  assert.deepEqual([line, update, later].map(({ posts }) => posts.length), [0, 1, 1]);
});

test("the frames of the next step are kept until their stamps are asked for", () => {
  const stamps = [];
  onStamp("tree", placed(), ({ stamp }) => stamps.push(stamp));
  const colours = { paper: "#fff" };
  pictured(create, "update", { shown: [], frames: [{ kind: "tree", stamp: "a", colours }, { kind: "line", stamp: "b", colours }] });
  for (const stamp of ["a", "b"]) tell("stamp", { stamp });
  assert.deepEqual(stamps, ["a"]);
});
