// Streamlit's shell: the one component of dtviz. It carries letters from Python to the pictures, and messages
// from the pictures to Python.
//
// Glossary
//   letter   the bytes that one run of the script sends to a picture
//   host     a picture's view of the channel, see lib/channel.js

import { Channel } from "./lib/channel.js";
import { inForcedColours, watchForcedColours } from "./lib/forced_colours.js";
import { isPreviousSearch, watchHistory } from "./lib/history.js";
import { watchMenu } from "./lib/menu.js";
import { feed, mount } from "./lib/pictures.js";
import { watchPopovers } from "./lib/popover.js";
import { watchFocus } from "./lib/focus.js";
import { watchPresentation } from "./lib/presentation.js";
import { watchFiles } from "./lib/shelf.js";

/** @import { Host, Shell } from "./lib/channel.js" */
/** @import { Frame } from "./frames.d.ts" */
/** @import { Message, Page } from "./types.d.ts" */

/** Host of a picture, its last letter, and the colours that Python was last asked for: true for dark, false for
 *  light, null for none.
 *  @typedef {{ host: Host, letter: Uint8Array, isDarkRequested: boolean | null }} ShellView */

/** @typedef {(name: "did", message: Message) => void} Trigger */

const channel = new Channel();
/** @type {WeakMap<HTMLElement, ShellView>} */
const views = new WeakMap();
let page = ""; // path of the page that is drawn
let isBack = false; // true if Back or Forward leads away from the page

watchHistory();
watchFiles(channel);
watchPopovers();
watchFocus();
watchMenu();
watchPresentation();
watchForcedColours(() => {
  if (channel.hasPictures()) for (const host of channel.hosts) host.receive(inForcedColours(host.frame), host.acknowledged);
});
window.addEventListener("popstate", () => {
  const { pathname, search } = location;
  isBack = pathname !== page;
  if (!isBack && !isPreviousSearch(search) && channel.hasPictures()) channel.reportNavigation(search, () => location.search === search);
});

/** Draw the component. Streamlit calls this at each run of the script.
 *  @param {{ data: Uint8Array<ArrayBuffer>, parentElement: HTMLElement, setTriggerValue: Trigger }} args */
export default function draw({ data, parentElement, setTriggerValue }) {
  const shell = shellOf(parentElement, setTriggerValue);
  const oldView = views.get(parentElement);
  if (!oldView) notePage(); // an element that is drawn again may be of the page before
  if (oldView) {
    oldView.host.shell.post = shell.post;
    if (!haveSameBytes(oldView.letter, data)) feed(oldView.host, data); // a letter that comes again may be older than the frame shown
    oldView.letter = data;
  }
  const host = oldView?.host ?? mount(parentElement, channel, shell, data);
  if (!host) return;
  const view = oldView ?? { host, letter: data, isDarkRequested: null };
  views.set(parentElement, view);
  askForColours(view);
}

/** Note the page of the address as the page that is drawn. */
function notePage() {
  if (page !== location.pathname) channel.changePage(isBack);
  [page, isBack] = [location.pathname, false];
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const haveSameBytes = (a, b) => a.length === b.length && a.every((byte, k) => byte === b[k]);

/** @param {HTMLElement} element @param {Trigger} trigger @returns {Shell} */
function shellOf(element, trigger) {
  return {
    isConnected: () => element.isConnected,
    busy: () => Boolean(document.querySelector("[data-test-script-state=running]")),
    post: (message) => trigger("did", message),
  };
}

/** Ask Python to run if the page went dark or light, since the colours of the pictures come from Python.
 *  @param {ShellView} view */
function askForColours(view) {
  const { shell } = view.host;
  const frame = /** @type {Frame} */ (pageFrame(view.host.frame));
  if (frame.kind !== "grow" && frame.kind !== "stage" && frame.kind !== "overfit" && frame.kind !== "impurity" && frame.kind !== "forest"
    && frame.kind !== "stability") return; // each page has one of these, which asks for all its pictures
  const isDark = isDarkColour(view.host.colour("background"));
  const isOutdated = isDark !== null && isDark !== frame.colours.dark;
  if (isOutdated && view.isDarkRequested !== isDark) shell.post({ what: "theme" });
  view.isDarkRequested = isOutdated ? isDark : null;
}

/** Frame of what stands round the pictures of a page; for a picture alone its own.
 *  @param {Frame} frame */
const pageFrame = (frame) => (frame.kind === "page" ? /** @type {Page} */ (/** @type {unknown} */ (frame)).parts[frame.layout] : frame);

/** True if a colour like #0e1117 or rgb(14, 17, 23) is dark; null if the text is no such colour.
 *  @param {string} colour */
function isDarkColour(colour) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  const channels = hex ? hex.slice(1).map((digits) => parseInt(digits, 16)) : colour.match(/[\d.]+/g)?.map(Number) ?? [];
  return channels.length >= 3 ? channels[0] + channels[1] + channels[2] < 3 * 128 : null;
}
