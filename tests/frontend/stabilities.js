// The pictures of Stability that Python frames, on the page, with what each tree predicts at the rows.

import { pictured } from "./hosts.js";
import { placed } from "./page.js";
import { unpack } from "../../dtviz/frontend/lib/frame.js";
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
  const root = placed();
  root.clientWidth = width;
  const stability = { ...frames.frame, ...changes };
  const pageOf = (parts) => ({ kind: "page", layout: "stability", parts });
  const page = pictured(create, "page", pageOf({ plain: frames.cloud, layer: frames.layer, stability }), root);
  const find = (selector) => root.querySelector(selector);
  return {
    ...frames, root, show: (parts) => page.show(pageOf({ plain: frames.cloud, ...parts })), sent: page.sent, posts: page.posts, slider: find(".slider"), headline: () => find(".told").textContent,
    tip: find(".tip"), items: () => root.querySelectorAll(".tree-item"), pen: find(".plane").pen,
  };
}
