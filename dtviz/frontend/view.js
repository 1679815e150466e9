// Streamlit's shell: the one component of dtviz, which carries letters from Python to the pictures
// and messages back.
//
// Glossary
//   letter   the bytes that one run of the script sends to a picture
//   host     what a picture is given, see lib/channel.js

import { Channel } from "./lib/channel.js";
import { unmoved, watch } from "./lib/history.js";
import { isLeft, leave, watchLinks } from "./lib/page_exit.js";
import { watchMenu } from "./lib/menu.js";
import { feed, mount } from "./lib/pictures.js";
import { watchPopovers } from "./lib/popover.js";
import { watchFocus } from "./lib/focus.js";
import { watchSeam } from "./lib/separator.js";
import { watchFiles } from "./lib/shelf.js";

/** @import { Host, Shell } from "./lib/channel.js" */
/** @import { Message } from "./types.d.ts" */

/** A picture's host, the letter it was given, and the darkness that was asked of Python last.
 *  @typedef {{ host: Host, letter: Uint8Array, asked: boolean | null }} View */

/** @typedef {(name: "did", message: Message) => void} Trigger */

const AGAIN = 200; // ms after which what another page kept waiting is told again

const channel = new Channel();
/** @type {WeakMap<HTMLElement, View>} */
const views = new WeakMap();
let page = "";
let back = false; // whether Back leads away from it
let waits = 0; // the timer of the events that another page keeps waiting

watch();
watchSeam();
watchFiles(channel);
watchPopovers();
watchFocus();
watchMenu();
watchLinks();
window.addEventListener("dtviz:panel", (event) => {
  const { name } = /** @type {CustomEvent<{ name: string }>} */ (event).detail;
  const tab = [...document.querySelectorAll("[role=tab]")].find(({ textContent }) => textContent === name);
  if (!(tab instanceof HTMLElement)) return;
  tab.click();
  tab.focus();
});
window.addEventListener("popstate", () => {
  const { pathname, search } = location;
  back = pathname !== page;
  if (back) leave();
  else if (!unmoved(search) && channel.there()) channel.went(search, () => location.search === search);
});

/** @param {{ data: Uint8Array<ArrayBuffer>, parentElement: HTMLElement, setTriggerValue: Trigger }} given */
export default function draw({ data, parentElement, setTriggerValue }) {
  if (!isLeft()) arrive();
  const shell = shellOf(parentElement, setTriggerValue);
  const known = views.get(parentElement);
  if (known) {
    known.host.shell.post = shell.post;
    if (!isSame(known.letter, data)) feed(known.host, data); // drawn once more, it may be old
    known.letter = data;
  }
  const host = known?.host ?? mount(parentElement, channel, shell, data);
  if (!host) return;
  const view = known ?? { host, letter: data, asked: null };
  views.set(parentElement, view);
  askForColours(view);
}

/** The page that stands is that of the address. */
function arrive() {
  if (page !== location.pathname) channel.leave(back);
  [page, back] = [location.pathname, false];
}

/** @param {Uint8Array} one @param {Uint8Array} other */
const isSame = (one, other) => one.length === other.length && one.every((byte, k) => byte === other[k]);

/** @param {HTMLElement} element @param {Trigger} trigger @returns {Shell} */
function shellOf(element, trigger) {
  /** @type {Shell} */
  const shell = {
    there: () => element.isConnected,
    busy: () => Boolean(document.querySelector("[data-test-script-state=running]")),
    post: (message) => {
      if (!isLeft()) trigger("did", message);
      else again(shell, message);
    },
  };
  return shell;
}

/** Have what waits told soon: all that is not heard yet, once, and what is no event.
 *  @param {Shell} shell @param {Message} message */
function again(shell, message) {
  if ("events" in message && message.events.length) {
    clearTimeout(waits);
    waits = setTimeout(() => channel.tell(0), AGAIN);
  } else setTimeout(() => shell.there() && shell.post(message), AGAIN);
}

/** The page went dark or light: the colours come from Python, so have it run once more.
 *  @param {View} view */
function askForColours(view) {
  const { frame, shell } = view.host;
  if (frame.kind !== "stage" && frame.kind !== "overfit" && frame.kind !== "measures" && frame.kind !== "forest"
    && frame.kind !== "stability") return; // one of a page's pictures asks for all
  const dark = darkness(view.host.colour("background"));
  const wrong = dark !== null && dark !== frame.colours.dark;
  if (wrong && view.asked !== dark) shell.post({ what: "theme" });
  view.asked = wrong ? dark : null;
}

/** Whether a colour like #0e1117 or rgb(14, 17, 23) is dark; null if it is neither.
 *  @param {string} colour */
function darkness(colour) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  const parts = hex ? hex.slice(1).map((two) => parseInt(two, 16)) : colour.match(/[\d.]+/g)?.map(Number) ?? [];
  return parts.length >= 3 ? parts[0] + parts[1] + parts[2] < 384 : null;
}
