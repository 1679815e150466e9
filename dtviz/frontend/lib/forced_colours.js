// Forced colours (high contrast): frames in the colours that the system gives, since a canvas does not take them by
// itself. Classes and numbers keep their colours.

/** @import { Frame } from "../frames.d.ts" */
/** @import { Page } from "../types.d.ts" */

/** System colours by the colours of the page that they stand for. @type {Record<string, string>} */
const SYSTEM_COLOURS = {
  ink: "CanvasText", paper: "Canvas", muted: "CanvasText", grid: "color-mix(in srgb, CanvasText 30%, Canvas)", accent: "Highlight",
};
/** Frames as Python sent them, by the frames in system colours. @type {WeakMap<object, object>} */
const sentFrames = new WeakMap();

const query = () => window.matchMedia("(forced-colors: active)");

/** Frame in the system's colours while these are forced, else in those of the page. A page is so with all its parts.
 *  @template {Frame | null | undefined} F @param {F} frame @returns {F} */
export function inForcedColours(frame) {
  if (!frame) return frame;
  const sent = /** @type {F & object} */ (sentFrames.get(frame) ?? frame);
  if (sent.kind === "page") {
    const { parts, ahead, ...page } = /** @type {Page} */ (/** @type {unknown} */ (sent));
    const entries = Object.entries(parts).map(([name, part]) => [name, inForcedColours(part)]);
    return /** @type {F} */ (/** @type {unknown} */ ({ ...page, parts: Object.fromEntries(entries), ahead: ahead.map((part) => inForcedColours(part)) }));
  }
  if (!("colours" in sent) || !query().matches) return sent;
  const coloured = { ...sent, colours: { ...sent.colours, ...systemColours() } };
  sentFrames.set(coloured, sent);
  return coloured;
}

/** Call `change` when the system begins or ceases to force its colours.
 *  @param {() => void} change */
export const watchForcedColours = (change) => query().addEventListener("change", change);

/** The system's colours as a canvas and a saved picture take them. */
function systemColours() {
  const probe = document.createElement("i");
  probe.style.setProperty("forced-color-adjust", "none");
  document.body.append(probe);
  const colours = Object.entries(SYSTEM_COLOURS).map(([name, colour]) => {
    probe.style.color = colour;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours);
}
