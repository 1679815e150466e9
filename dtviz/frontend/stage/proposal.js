// Proposal of a cut, while the page asks for one under a finger. A finger has no hover, and a place of the plane lies on
// a line of either axis. So a tap proposes both lines; two buttons name them, and the user chooses one. Nothing is sent to
// Python until a third button reveals the gains.
//
// Glossary
//   proposal   the cuts nearest to the last tap, by axis, and the axis that the user has chosen

import { drawLine } from "../draw/marks.js";
import { element, write } from "../lib/dom.js";
import { hasCuts } from "./focus.js";
import { toPixels } from "./rings.js";
import { ruleOf } from "./cut.js";
import { cutEdges, focusOf } from "./sides.js";

/** @import { Cut, CutPicture, Layout, Pen, Picture, Proposal } from "../types.d.ts" */

const FINGER_QUERY = "(max-width: 640px), (pointer: coarse)"; // a phone or tablet, or a window as narrow
const LINES = [["upright", "Vertical line"], ["level", "Horizontal line"], ["slanted", "Slanted line"]]; // class and name, by axis
const REVEAL_TEXT = "Reveal the gains";

/** @returns {Proposal} */
export const noProposal = () => ({ cuts: [null, null, null], axis: null });

/** True if a tap proposes a cut: the page asks for one, on a device for fingers or after a tap elsewhere.
 *  @param {Picture} scene @param {boolean} isByFinger  true if a finger was the last pointer */
export function isProposing(scene, isByFinger) {
  return hasCuts(scene) && scene.is_asking && !scene.chosen && scene.can.cut && (isByFinger || window.matchMedia(FINGER_QUERY).matches);
}

/** The axes with cuts; the slant only if a cut of it is proposed.
 *  @param {CutPicture} scene @param {Proposal} proposal */
const axesOf = ({ cuts }, proposal) => [0, 1, 2].filter((axis) => cuts[axis]?.threshold.length && (axis < 2 || proposal.cuts[axis]));

/** Text on how to propose a cut.
 *  @param {CutPicture} scene */
export const tapHint = (scene) => (axesOf(scene, noProposal()).length > 1 ? "Tap the plane, then choose one of the two lines." : "Tap the plane where you would cut.");

/** The proposal after a cut is proposed by an axis: its other cuts stay.
 *  @param {Proposal} proposal @param {Cut} cut @returns {Proposal} */
export function withCut({ cuts }, cut) {
  return { cuts: cuts.with(cut[0], cut), axis: cut[0] };
}

/** The proposal after a tap in the plane: the nearest cut of each axis. The chosen axis stays; where only one axis has cuts, it
 *  is chosen.
 *  @param {Proposal} proposal @param {(axis: number) => Cut | null} nearest @returns {Proposal} */
export function withPlace({ axis: chosen }, nearest) {
  const cuts = [nearest(0), nearest(1), null];
  const axes = [0, 1].filter((axis) => cuts[axis]);
  return { cuts, axis: axes.length === 1 ? axes[0] : axes.find((axis) => axis === chosen) ?? null };
}

/** The proposal after an axis is chosen: without a tap before, the middle cut of the axis.
 *  @param {CutPicture} scene @param {Proposal} proposal @param {number} axis @returns {Proposal} */
export function withAxis(scene, proposal, axis) {
  return withCut(proposal, proposal.cuts[axis] ?? [axis, Math.floor((scene.cuts[axis].threshold.length - 1) / 2)]);
}

/** Draw the lines of the proposal that are not chosen: faint beside a chosen one.
 *  @param {Pen} pen @param {Layout} layout @param {CutPicture} scene @param {Proposal} proposal */
export function drawProposal(pen, layout, scene, { cuts, axis: chosen }) {
  const style = { stroke: scene.colours.accent, width: 2, ...(chosen === null ? {} : { dash: [5, 5], opacity: 0.5 }) };
  for (const cut of cuts) {
    if (!cut || cut[0] === chosen) continue;
    for (const edge of cutEdges(scene, focusOf(scene), cut)) drawLine(pen, toPixels(layout, edge), style);
  }
}

/** Create the buttons: one a line, which names its rule, and the one that reveals the gains.
 *  @param {{ choose: (axis: number) => void, reveal: () => void }} actions */
export function createProposal({ choose, reveal }) {
  const [panel, lines, confirm] = [element("div", "proposal"), element("div", "lines"), element("button", "tool reveal")];
  const buttons = LINES.map(([shape, name], axis) => {
    const [button, rule] = [element("button", "tool"), element("span", "")];
    button.type = "button";
    button.append(element("i", shape), rule);
    button.addEventListener("click", () => choose(axis));
    return { button, rule, name };
  });
  lines.setAttribute("role", "group");
  lines.setAttribute("aria-label", "The line of your cut");
  lines.append(...buttons.map(({ button }) => button));
  confirm.type = "button";
  confirm.textContent = REVEAL_TEXT;
  confirm.addEventListener("click", reveal);
  panel.append(lines, confirm);
  panel.hidden = true;
  return {
    element: panel,
    /** @param {Picture} scene @param {Proposal | null} proposal  null while none is made */
    show(scene, proposal) {
      panel.hidden = !proposal || !hasCuts(scene);
      if (!proposal || !hasCuts(scene)) return;
      const axes = axesOf(scene, proposal);
      buttons.forEach(({ button, rule, name }, axis) => {
        button.hidden = !axes.includes(axis);
        if (button.hidden) return;
        const cut = proposal.cuts[axis];
        const text = cut ? ruleOf(scene, cut) : [scene.across, scene.up][axis]?.name ?? "";
        write(rule, text);
        button.setAttribute("aria-label", `${name}: ${text}`);
        button.setAttribute("aria-pressed", String(proposal.axis === axis));
      });
      confirm.disabled = proposal.axis === null;
    },
  };
}
