// Streamlit's shell: the one component of dtviz, which carries letters from Python to the pictures
// and messages back.
//
// Glossary
//   letter   the bytes that one run of the script sends to a picture
//   host     what a picture is given, see lib/channel.js

import { Channel } from "./lib/channel.js";
import { feed, mount } from "./lib/pictures.js";

const channel = new Channel();
const views = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const known = views.get(parentElement);
  const view = known ?? { asked: null, host: null };
  view.post = (message) => setTriggerValue("did", message);
  if (known) feed(view.host, data);
  else {
    views.set(parentElement, view);
    view.host = mount(parentElement, channel, shellOf(view, parentElement), data);
  }
  askForColours(view);
}

function shellOf(view, element) {
  return {
    there: () => element.isConnected,
    busy: () => Boolean(document.querySelector("[data-test-script-state=running]")),
    post: (message) => view.post(message),
  };
}

/** The page went dark or light: the colours come from Python, so have it run once more. */
function askForColours(view) {
  const { frame } = view.host;
  if (!["stage", "overfit"].includes(frame.kind)) return; // one of the pictures asks for all
  const dark = darkness(view.host.colour("background"));
  const wrong = dark !== null && dark !== frame.colours.dark;
  if (wrong && view.asked !== dark) view.post({ what: "theme" });
  view.asked = wrong ? dark : null;
}

/** Whether a colour like #0e1117 or rgb(14, 17, 23) is dark; null if it is neither. */
function darkness(colour) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  const parts = hex ? hex.slice(1).map((two) => parseInt(two, 16)) : colour.match(/[\d.]+/g)?.map(Number);
  return parts?.length >= 3 ? parts[0] + parts[1] + parts[2] < 384 : null;
}
