// The page Grow: the time-line, the sentence on the node looked at, stage and tree of one screen or of two side by
// side, and the panels.
//
// Glossary
//   side   the part of the page that shows one screen
//   page   the host of the whole component; each of its frames holds the frames of all parts

import { create as createCloud } from "../lib/cloud.js";
import { element } from "../lib/dom.js";
import { hear } from "../lib/link.js";
import { keep, onStamp, prefetch } from "../lib/prefetch.js";
import { addDial, isPresenting } from "../lib/presentation.js";
import { create as createTimeline } from "../timeline/timeline.js";
import { create as createStage } from "../stage/stage.js";
import { create as createTree } from "../tree/tree.js";
import { createAxes } from "./axes.js";
import { createPanels } from "./panels.js";
import { createHeading, createSentence } from "./sentence.js";
import { createSwitches } from "./switches.js";

/** @import { Host, PageHost } from "../lib/channel.js" */
/** @import { FrameOf } from "../types.d.ts" */

/** @typedef {FrameOf<"grow">} GrowFrame */
/** Element with the function that shows a frame in it.
 *  @template [F=GrowFrame] @typedef {{ element: HTMLElement, show: (frame: F) => void }} Section */
/** @typedef {Section & { remove: () => void }} Side */

/** @param {HTMLElement} root @param {PageHost} page */
export function create(root, page) {
  root.classList.add("grow");
  page.mountPart(root, ({ parts }) => parts.grow, (_, host) => build(root, page, host));
  page.onFrame(({ ahead }) => ahead.forEach(prefetch));
}

/** @param {HTMLElement} root @param {PageHost} page @param {Host<GrowFrame>} host */
function build(root, page, host) {
  const [top, body, line] = [element("div", "top"), element("div", "body"), element("div", "line")];
  root.append(top, body); // first: a picture measures its letters and its place on the page
  const [switches, axes, panels] = [createSwitches(host), createAxes(host), createPanels(body, page, host)];
  const sides = /** @type {Side[]} */ ([]);
  top.append(line, switches.element);
  page.mountPart(line, ({ parts }) => parts.line, createTimeline);
  hear("present", () => root.classList.toggle("presented", isPresenting()), root);
  addDial({
    root, words: "Arrow keys, or Page Up and Page Down: step · Enter: split at the cut chosen",
    enter: () => body.querySelector(".split.main:enabled")?.dispatchEvent(new MouseEvent("click")),
  });
  /** @param {GrowFrame} frame */
  const show = (frame) => {
    while (sides.length > frame.sides.length) sides.pop()?.remove();
    while (sides.length < frame.sides.length) sides.push(createSide(body, page, host, sides.length));
    sides[0].element.querySelector(".plane")?.append(axes.element);
    body.classList.toggle("compared", sides.length > 1);
    root.classList.toggle("first", frame.is_first);
    root.classList.toggle("asks", frame.asks);
    for (const section of [switches, axes, panels, ...sides]) section.show(frame);
  };
  host.onFrame((frame) => {
    keep(frame);
    show(frame);
  });
  onStamp("grow", root, (frame) => {
    const now = host.frame;
    // the stamp does not depend on these: Python's answer will have them as they are now
    if (frame.panel === now.panel && frame.is_first === now.is_first && frame.sides.length === sides.length) show(frame);
  });
}

/** Create the side of a screen, before the panels: heading, sentence, stage with its caption, tree.
 *  @param {HTMLElement} body @param {PageHost} page @param {Host<GrowFrame>} host @param {number} index @returns {Side} */
function createSide(body, page, host, index) {
  const [side, plane] = [element("div", "screen"), element("div", "plane")];
  const [stage, tree, cloud, caption] = [element("div", "stage"), element("div", "tree"), element("div", "cloud"), element("p", "caption")];
  const [heading, sentence] = [createHeading(host, index), createSentence(host, index)];
  const name = (/** @type {string} */ picture) => (index ? `${picture} beside` : picture);
  plane.append(stage, caption);
  side.append(heading.element, sentence.element, cloud, plane, tree);
  body.insertBefore(side, body.lastElementChild);
  const removers = [
    page.mountPart(cloud, ({ parts }) => /** @type {FrameOf<"cloud"> | undefined} */ (parts[name("cloud")]), createCloud),
    page.mountPart(stage, ({ parts }) => /** @type {FrameOf<"stage"> | undefined} */ (parts[name("stage")]), createStage),
    page.mountPart(tree, ({ parts }) => /** @type {FrameOf<"tree"> | undefined} */ (parts[name("tree")]), createTree),
  ];
  return {
    element: side,
    show(frame) {
      heading.show(frame);
      sentence.show(frame);
      caption.textContent = caption.title = frame.sides[index].caption; // a long one is cut off on a wide screen
      caption.hidden = !caption.textContent;
      heading.element.title = caption.title;
    },
    remove() {
      for (const remove of removers) remove();
      side.remove();
    },
  };
}
