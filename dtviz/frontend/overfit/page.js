// The page Overfit: the headline, the choices of what is judged, and the cockpit with the caption of its slice.

import { create as createCloud } from "../lib/cloud.js";
import { atSent, createDrawAgain, createMenu, createSegments } from "../lib/choices.js";
import { element, write } from "../lib/dom.js";
import { sentValues } from "../lib/settings.js";
import { create as createCockpit } from "./overfit.js";

/** @import { Host, PageHost } from "../lib/channel.js" */
/** @import { FrameOf } from "../types.d.ts" */

/** @param {HTMLElement} root @param {PageHost} page */
export function create(root, page) {
  root.classList.add("judging");
  page.mountPart(root, ({ parts }) => parts.judging, (_, host) => build(root, page, host));
}

/** @param {HTMLElement} root @param {PageHost} page @param {Host<FrameOf<"judging">>} host */
function build(root, page, host) {
  const [title, headline, cloud, cockpit, caption] = [element("strong", "title"), element("p", "headline"), element("div", "cloud"), element("div", "overfit"), element("p", "caption")];
  const choices = createChoices(host);
  headline.setAttribute("aria-live", "polite");
  root.append(title, headline, choices.element, cloud, cockpit, caption); // first: a picture measures its place on the page
  host.onFrame((frame) => {
    write(title, frame.title);
    write(headline, frame.headline ?? "");
    headline.hidden = frame.headline === undefined;
    choices.show(frame);
    write(caption, frame.caption);
    caption.hidden = !frame.caption;
  });
  page.mountPart(cloud, ({ parts }) => parts.rows, createCloud);
  page.mountPart(cockpit, ({ parts }) => parts.overfit, createCockpit);
}

/** Create the choices: which rows are held out, how many folds there are, and the axis of the curve.
 *  @param {Host<FrameOf<"judging">>} host */
function createChoices(host) {
  /** Function that sends a value of one of the choices.
   *  @param {"share" | "folds" | "against" | "measure" | "seed"} name */
  const choose = (name) => (/** @type {string | number | undefined} */ value) => host.send({ what: "judge", values: { [name]: value } });
  const [choices, rows, heldOut] = [element("div", "judged"), element("div", "rows"), element("span", "")];
  const share = createMenu("Held out", choose("share"));
  const draw = createDrawAgain("Draw again: hold out other rows", () => {
    const { seed } = sentValues(host, "judge"); // of a click that Python has not answered
    choose("seed")(seed === undefined ? host.frame.next_seed : Number(seed) + 1);
  });
  const folds = createMenu("Folds", choose("folds"));
  const against = createSegments("Error against", choose("against"));
  const measure = createMenu("Measure of the curve", choose("measure"));
  rows.append(heldOut, share.element, draw, folds.element, measure.element);
  choices.append(rows, against.element);
  return {
    element: choices,
    /** @param {FrameOf<"judging">} frame */
    show(frame) {
      choices.hidden = !frame.against;
      heldOut.hidden = frame.held_out_text === undefined;
      write(heldOut, frame.held_out_text ?? "");
      heldOut.title = frame.held_out_help ?? "";
      draw.hidden = frame.next_seed === undefined;
      const sent = sentValues(host, "judge");
      share.show(atSent(frame.share, sent.share));
      folds.show(atSent(frame.folds, sent.folds));
      against.show(atSent(frame.against, sent.against));
      measure.show(atSent(frame.measure, sent.measure));
    },
  };
}
