// The switch between the criteria that lectures compare, and the switch that asks for a cut before it shows gains.

import { button, element } from "../lib/dom.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { GrowFrame, Section } from "./grow.js" */

/** @param {Host<GrowFrame>} host @returns {Section} */
export function createSwitches(host) {
  const [switches, criteria, ask] = [element("div", "switches"), element("div", "segments"), element("label", "switch")];
  const input = element("input", "");
  criteria.setAttribute("role", "group");
  criteria.setAttribute("aria-label", "Criterion");
  Object.assign(input, { type: "checkbox", role: "switch" });
  ask.title = "The gains hide until you have chosen a cut";
  ask.append(input, "Ask first");
  switches.append(criteria, ask);
  input.addEventListener("change", () => host.send({ what: "ask", on: input.checked }));
  return {
    element: switches,
    show({ switches: frame }) {
      switches.hidden = !frame;
      if (!frame) return;
      const names = frame.criteria.map(([name]) => name).join();
      if (criteria.dataset.names !== names) criteria.replaceChildren(...frame.criteria.map(([name, title]) => segment(host, name, title)));
      criteria.dataset.names = names;
      frame.criteria.forEach(([name], k) => criteria.children[k].setAttribute("aria-pressed", String(name === frame.criterion)));
      input.checked = frame.asks;
    },
  };
}

/** Button of a criterion.
 *  @param {Host<GrowFrame>} host @param {string} name @param {string} title */
function segment(host, name, title) {
  const created = button(title, "");
  created.removeAttribute("aria-label"); // its text says it
  created.addEventListener("click", () => host.send({ what: "rules", values: { criterion: name } }, 0, "settings"));
  return created;
}
