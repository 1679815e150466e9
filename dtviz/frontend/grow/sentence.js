// The sentence on the node looked at, with the button that splits it; and the heading of one of two sides.

import { button, element, write } from "../lib/dom.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { GrowFrame, Section } from "./grow.js" */

const NODE_NOTE = "Nodes are numbered by their place: below node 3 are 6 (yes) and 7 (no), below node k are 2k and 2k + 1; four branches of node 1 are 2, 6, 14 and 15. A deep node is named by the way from the last node with a short number";

const CHANCE_NOTE = "Shuffles: the targets of these rows in another order, and the best cut searched anew. Bonferroni: the p-value of this cut alone, times the number of cuts compared. Logworth: -log10 of that";

/** Create the sentence of a side and its button; one that a link hides is hidden.
 *  @param {Host<GrowFrame>} host @param {number} index  of the side @returns {Section} */
export function createSentence(host, index) {
  const [asked, text, lead, rest, chance] = [element("div", "asked"), element("p", ""), element("strong", ""), element("span", ""), element("small", "")];
  const split = element("button", "tool split");
  split.type = "button";
  text.append(lead, " ", rest, chance);
  asked.append(text, split);
  split.addEventListener("click", () => host.send({ what: "split", stamp: host.frame.sides[index].stamp, ...(index && { beside: true }) }, 0));
  return {
    element: asked,
    show({ sides }) {
      const side = sides[index];
      write(lead, side.lead ?? "");
      lead.title = /node /i.test(side.lead ?? "") ? NODE_NOTE : "";
      write(rest, side.sentence ?? "");
      write(chance, side.chance ? ` ${side.chance}` : "");
      chance.title = side.chance ? CHANCE_NOTE : "";
      text.hidden = side.sentence === undefined;
      split.hidden = !side.split;
      asked.classList.toggle("asking", side.is_asking);
      asked.hidden = text.hidden && split.hidden;
      if (!side.split) return;
      write(split, side.split.text);
      split.disabled = !side.split.is_possible;
      split.classList.toggle("main", side.split.is_main);
    },
  };
}

/** Create the heading of one of two sides: its title, the score of its tree, and the buttons that end the comparison.
 *  @param {Host<GrowFrame>} host @param {number} index  of the side @returns {Section} */
export function createHeading(host, index) {
  const [heading, text, title, figures] = [element("div", "heading"), element("p", ""), element("strong", ""), element("small", "")];
  const keep = button("Keep this");
  text.append(title, " ", figures);
  heading.append(text, keep);
  keep.addEventListener("click", () => host.send({ what: "keep", other: index > 0 }, 0, "beside"));
  const close = index ? button("Close") : null;
  if (close) heading.append(close);
  close?.addEventListener("click", () => host.send({ what: "keep", other: false }, 0, "beside"));
  return {
    element: heading,
    show({ sides }) {
      heading.hidden = sides.length < 2;
      write(title, sides[index].title ?? "");
      write(figures, sides[index].figures ?? "");
      keep.title = `${sides[index].title} stays alone`;
      if (close) close.title = `Ends the comparison: ${sides[0].title} stays`;
    },
  };
}
