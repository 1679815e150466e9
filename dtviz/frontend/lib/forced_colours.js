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
  const colours = "colours" in sent ? forcedColours() : null;
  if (!colours) return sent;
  const coloured = recoloured(sent, colours);
  sentFrames.set(coloured, sent);
  return coloured;
}

/** Copy of a frame in other colours, with the frames inside it.
 *  @template {object} F @param {F} frame @param {Record<string, string>} colours @returns {F} */
function recoloured(frame, colours) {
  const entries = Object.entries(frame).map(([name, value]) => {
    if (name === "colours") return [name, { ...value, ...colours }];
    return [name, value && typeof value === "object" && "colours" in value ? recoloured(value, colours) : value];
  });
  return Object.fromEntries(entries);
}

/** Call `change` when the system begins or ceases to force its colours.
 *  @param {() => void} change */
export const watchForcedColours = (change) => query().addEventListener("change", change);

/** The colours that the system forces, as a canvas takes them; null while it forces none.
 *  @returns {Record<"ink" | "paper" | "muted" | "grid" | "accent", string> | null} */
export function forcedColours() {
  if (!query().matches) return null;
  const entries = Object.entries(SYSTEM_COLOURS).map(([name, colour]) => {
    const probe = document.createElement("i"); // each its own: no transition from the colour before
    probe.style.setProperty("forced-color-adjust", "none");
    probe.style.color = colour;
    document.body.append(probe);
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return [name, computed];
  });
  return Object.fromEntries(entries);
}
