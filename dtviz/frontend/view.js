// The one component of dtviz: it unpacks what Python sends and hands it to the picture of its kind.
//
// Glossary
//   frame     what one run of the script sends: named values, some of them typed arrays
//   picture   a module with create(root, send) -> { show(frame) }; it lives as long as its element
//   send      tells Python what the user did: send({ what: "cut", ... })

import { unpack } from "./lib/frame.js";

const PICTURES = {
  cloud: () => import("./lib/cloud.js"),
  ahead: () => import("./lib/ahead.js"),
  line: () => import("./line/line.js"),
  stage: () => import("./stage/stage.js"),
  tree: () => import("./tree/tree.js"),
  pad: () => import("./pad/pad.js"),
  overfit: () => import("./overfit/overfit.js"),
};

const shown = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const frame = unpack(data);
  const known = shown.get(parentElement);
  if (known) {
    known.frame = frame;
    known.send = setTriggerValue;
    known.picture?.show(frame);
    askForColours(known);
    return;
  }
  const root = document.createElement("div");
  /** @type {any} */
  const fresh = { root, frame, send: setTriggerValue, picture: null, asked: null };
  shown.set(parentElement, fresh);
  root.className = frame.kind;
  parentElement.appendChild(root);
  PICTURES[frame.kind]().then(({ create }) => {
    fresh.picture = create(root, (event) => fresh.send("did", event));
    fresh.picture.show(fresh.frame);
    askForColours(fresh);
  });
}

/** The page went dark or light: the colours come from Python, so have it run once more. */
function askForColours(view) {
  if (!["stage", "overfit"].includes(view.frame.kind)) return; // one of the pictures asks for all
  const paper = getComputedStyle(view.root).getPropertyValue("--st-background-color");
  const dark = darkness(paper);
  const wrong = dark !== null && dark !== view.frame.colours.dark;
  if (wrong && view.asked !== dark) view.send("did", { what: "theme" });
  view.asked = wrong ? dark : null;
}

/** Whether a colour like #0e1117 or rgb(14, 17, 23) is dark; null if it is neither. */
function darkness(colour) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour.trim());
  const parts = hex ? hex.slice(1).map((two) => parseInt(two, 16)) : colour.match(/[\d.]+/g)?.map(Number);
  return parts?.length >= 3 ? parts[0] + parts[1] + parts[2] < 384 : null;
}
