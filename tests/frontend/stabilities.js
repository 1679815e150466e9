// The pictures of Stability that Python frames, on the page, with what each tree predicts at the rows.

import { pictured } from "./hosts.js";
import { placed } from "./page.js";
import { create as createCloud } from "../../dtviz/frontend/lib/cloud.js";
import { unpack } from "../../dtviz/frontend/lib/frame.js";
import { create as createLayer } from "../../dtviz/frontend/lib/layer.js";
import { create } from "../../dtviz/frontend/stability/stability.js";
import { bytesOf, expected } from "./expected.js";

export const NAMES = Object.keys(expected.stabilities);

/** Frames by name: { frame, layer, cloud, predictions }, the predictions by tree and row. */
export function framesOf(name) {
  const { stability, layer, plain: cloud, told: predictions } = expected.stabilities[name];
  return { frame: unpack(bytesOf(stability)), layer: unpack(bytesOf(layer)), cloud: unpack(bytesOf(cloud)), predictions };
}

/** Puts a picture on a page of a width in pixels; the page, and the events that the picture sent. */
export function shown(name, width = 600, changes = {}) {
  const frames = framesOf(name);
  pictured(createCloud, "cloud", frames.cloud);
  pictured(createLayer, "layer", frames.layer);
  const root = placed();
  root.clientWidth = width;
  const picture = pictured(create, "stability", { ...frames.frame, ...changes }, root);
  const find = (selector) => root.querySelector(selector);
  return {
    ...frames, root, picture, sent: picture.sent, slider: find(".slider"), headline: () => find(".told").textContent,
    tip: find(".tip"), items: () => root.querySelectorAll(".tree-item"), pen: find(".plane").pen,
  };
}
