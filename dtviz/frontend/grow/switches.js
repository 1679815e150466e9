// The switch between the criteria that lectures compare, and the switch that asks for a cut before it shows gains.

import { atSent, createSegments } from "../lib/choices.js";
import { element } from "../lib/dom.js";
import { sentValues } from "../lib/settings.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { GrowFrame, Section } from "./grow.js" */

/** @param {Host<GrowFrame>} host @returns {Section} */
export function createSwitches(host) {
  const [switches, ask] = [element("div", "switches"), element("label", "switch")];
  const criteria = createSegments("Criterion", (criterion) => host.send({ what: "rules", values: { criterion: String(criterion) } }, 0, "settings"));
  const input = element("input", "");
  Object.assign(input, { type: "checkbox", role: "switch" });
  ask.title = "The gains hide until you have chosen a cut";
  ask.append(input, "Ask first");
  switches.append(criteria.element, ask);
  input.addEventListener("change", () => host.send({ what: "ask", on: input.checked }));
  return {
    element: switches,
    show({ switches: frame, asks }) {
      switches.hidden = !frame;
      if (!frame) return;
      criteria.show(atSent(frame.criteria, sentValues(host, "rules").criterion));
      const sent = host.pending.findLast((act) => act.what === "ask");
      input.checked = sent ? sent.on : asks;
    },
  };
}
