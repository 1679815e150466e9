// The one component of dtviz: it unpacks what Python sends and hands it to the picture of its kind.
//
// Glossary
//   frame     what one run of the script sends: named values, some of them typed arrays
//   picture   a module with create(root, send) -> { show(frame) }; it lives as long as its element
//   send      tells Python what the user did: send({ what: "cut", ... })

import { unpack } from "./frame.js";

const PICTURES = {
  cloud: () => import("./cloud.js"),
  ahead: () => import("./ahead.js"),
  line: () => import("./line.js"),
  stage: () => import("./stage.js"),
  tree: () => import("./tree.js"),
  pad: () => import("./pad.js"),
};

const shown = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const frame = unpack(data);
  const known = shown.get(parentElement);
  if (known) {
    known.frame = frame;
    known.send = setTriggerValue;
    known.picture?.show(frame);
    return;
  }
  const fresh = { frame, send: setTriggerValue, picture: null };
  shown.set(parentElement, fresh);
  const root = document.createElement("div");
  root.className = frame.kind;
  parentElement.appendChild(root);
  PICTURES[frame.kind]().then(({ create }) => {
    fresh.picture = create(root, (event) => fresh.send("did", event));
    fresh.picture.show(fresh.frame);
  });
}
