// The pictures of Stability that Python made, on the page, with what each tree predicts at the rows.

import { pictured } from "./hosts.js";
import { placed } from "./page.js";
import { create as createCloud } from "../../dtviz/frontend/lib/cloud.js";
import { unpack } from "../../dtviz/frontend/lib/frame.js";
import { create as createLayer } from "../../dtviz/frontend/lib/layer.js";
import { create } from "../../dtviz/frontend/stability/stability.js";
import { bytesOf, expected } from "./expected.js";

export const NAMES = Object.keys(expected.shaken);

/** The frames by name: { frame, layer, cloud, told }. */
export function framesOf(name) {
  const { stability, layer, plain, told } = expected.shaken[name];
  return { frame: unpack(bytesOf(stability)), layer: unpack(bytesOf(layer)), cloud: unpack(bytesOf(plain)), told };
}

/** The picture on the page, so many pixels wide, with what it sent. */
export function shown(name, width = 600, more = {}) {
  const made = framesOf(name);
  pictured(createCloud, "cloud", made.cloud);
  pictured(createLayer, "layer", made.layer);
  const root = placed();
  root.clientWidth = width;
  const picture = pictured(create, "stability", { ...made.frame, ...more }, root);
  const find = (selector) => root.querySelector(selector);
  return {
    ...made, root, picture, sent: picture.sent, slider: find(".slider"), told: () => find(".told").textContent,
    tip: find(".tip"), items: () => root.querySelectorAll(".tree-item"), pen: find(".plane").pen,
  };
}
