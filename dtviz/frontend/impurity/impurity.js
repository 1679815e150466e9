// The page Impurity: two pictures of class shares, two splits of a node, the arithmetic of all of them, and the
// smallest nodes on which two criteria disagree.

import { button, element, write } from "../lib/dom.js";
import { createFormula } from "../lib/formula.js";
import { create as createMeasures } from "./measures.js";
import { create as createSimplex } from "./simplex.js";
import { create as createSplits } from "./splits.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { FrameOf } from "../types.d.ts" */

/** @typedef {FrameOf<"impurity">} Frame */
/** Part of the page with the function that shows a frame in it.
 *  @typedef {{ element: HTMLElement, show: (frame: Frame) => void }} Section */

const SPLIT_NAMES = ["A", "B"];

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  const [sharesElement, arithmeticElement] = [element("div", "columns"), element("div", "columns")];
  const [measures, simplex, splits] = ["measures", "simplex", "splits"].map((kind) => element("div", kind));
  const shares = [
    sharesSection("**Two classes.** Drag the line, and read every measure off.", measures, ({ two_classes: arithmetic }) => arithmetic),
    sharesSection("**Three classes.** Drag the point: each corner is one class alone.", simplex, ({ three_classes: arithmetic }) => arithmetic),
  ];
  const [head, disagreements] = [splitsHead(host), disagreementsSection(host)];
  const arithmetic = SPLIT_NAMES.map((_, k) => splitArithmetic(k));
  sharesElement.append(...shares.map((section) => section.element));
  arithmeticElement.append(...arithmetic.map((section) => section.element));
  root.append(sharesElement, head.element, disagreements.element, splits, arithmeticElement);
  host.mountPart(measures, (frame) => ({ ...frame.measures, kind: "measures" }), createMeasures);
  host.mountPart(simplex, (frame) => ({ ...frame.simplex, kind: "simplex" }), createSimplex);
  host.mountPart(splits, (frame) => ({ ...frame.splits, kind: "splits" }), createSplits);
  host.onFrame((frame) => {
    for (const { show } of [...shares, head, disagreements, ...arithmetic]) show(frame);
  });
}

/** Create a paragraph; parts of the text between ** are strong.
 *  @param {string} [markdown] */
function paragraph(markdown = "") {
  const created = element("p", "");
  writeStrong(created, markdown);
  return created;
}

/** @param {HTMLElement} target @param {string} markdown */
function writeStrong(target, markdown) {
  if (target.dataset.text === markdown) return;
  target.dataset.text = markdown;
  target.replaceChildren(...markdown.split("**").map((text, k) => {
    const part = element(k % 2 ? "strong" : "span", "");
    part.textContent = text;
    return part;
  }));
}

/** Formulas of several lines, with their source on a click. */
function formulaWithSource() {
  const [root, source, code] = [element("div", ""), details("As LaTeX"), element("code", "")];
  const formula = createFormula();
  source.append(code);
  root.append(formula.element, source);
  return {
    element: root,
    /** @param {string[]} lines */
    show(lines) {
      root.hidden = !lines.length;
      formula.show(lines.join("\n"));
      write(code, lines.join("\n"));
    },
  };
}

/** @param {string} text */
function details(text) {
  const [created, summary] = [element("details", ""), element("summary", "")];
  summary.textContent = text;
  created.append(summary);
  return created;
}

/** Section of a picture of class shares and its arithmetic.
 *  @param {string} lead @param {HTMLElement} picture
 *  @param {(frame: Frame) => Frame["two_classes"]} arithmeticOf @returns {Section} */
function sharesSection(lead, picture, arithmeticOf) {
  const section = element("section", "");
  const [impurity, information] = [createFormula(), formulaWithSource()];
  const more = details("Self-information, KL to uniform, and H = log₂ K − KL");
  more.append(information.element);
  section.append(paragraph(lead), picture, impurity.element, more);
  return {
    element: section,
    show(frame) {
      const arithmetic = arithmeticOf(frame);
      impurity.show(arithmetic.impurity);
      information.show(arithmetic.information);
    },
  };
}

/** Words above the two splits, and the button that takes splits from Grow.
 *  @param {Host<Frame>} host @returns {Section} */
function splitsHead(host) {
  const row = element("div", "row");
  const take = button("Take the cut on Grow", "A is the cut looked at on Grow, B its rival: the best on another feature. For nodes of two to four classes, each of few rows");
  take.addEventListener("click", () => host.send({ what: "take" }));
  row.append(paragraph("**Two splits of the same rows.** Slide a class to the left or right of a split; click a measure to see its arithmetic."), take);
  return {
    element: row,
    show({ can_take: canTake }) {
      take.hidden = canTake === null;
      take.disabled = !canTake;
    },
  };
}

/** Choice of two criteria, and buttons of the smallest nodes on which they disagree.
 *  @param {Host<Frame>} host @returns {Section} */
function disagreementsSection(host) {
  const [section, row] = [element("section", ""), element("div", "row")];
  const [buttons, result, agreement, text] = [element("span", "row"), paragraph(), paragraph(), paragraph()];
  const choices = [0, 1].map((k) => criterionChoice(host, k));
  row.append(paragraph("**Where**"), choices[0].element, paragraph("**and**"), choices[1].element, result, buttons);
  section.append(row, agreement, text);
  return {
    element: section,
    show(frame) {
      const { examples } = frame;
      for (const { show } of choices) show(frame);
      writeStrong(result, examples.length ? "**disagree**, the smallest:" : "agree");
      writeStrong(agreement, frame.agreement);
      const shown = examples.find((example) => example.text);
      writeStrong(text, shown?.text ?? "");
      [agreement.hidden, text.hidden] = [!frame.agreement, !shown];
      const names = examples.map(({ name }) => name).join();
      if (buttons.dataset.names !== names) buttons.replaceChildren(...examples.map((_, k) => exampleButton(host, k)));
      buttons.dataset.names = names;
      for (const [k, example] of examples.entries()) buttons.children[k].setAttribute("aria-pressed", String(example === shown));
    },
  };
}

/** Choice of one of the two criteria that are compared.
 *  @param {Host<Frame>} host @param {number} index @returns {Section} */
function criterionChoice(host, index) {
  const select = element("select", "tool");
  select.setAttribute("aria-label", `${["First", "Second"][index]} measure`);
  select.addEventListener("change", () => host.send({ what: "set", values: { between: host.frame.between.with(index, select.value) } }));
  return {
    element: select,
    show({ criteria, between }) {
      if (!select.childElementCount) select.append(...criteria.map(([value, title]) => Object.assign(element("option", ""), { value, textContent: title })));
      select.value = between[index];
    },
  };
}

/** Button that puts an example on the picture, with the arithmetic of the second criterion.
 *  @param {Host<Frame>} host @param {number} index  of the example in the frame */
function exampleButton(host, index) {
  const { name } = host.frame.examples[index];
  const created = button(name, "Put it on the picture below");
  created.setAttribute("aria-label", name);
  created.addEventListener("click", () => {
    const { examples, between } = host.frame;
    host.send({ what: "set", values: { splits: examples[index].splits, opened: between[1] } });
  });
  return created;
}

/** Arithmetic of one of the two splits.
 *  @param {number} index @returns {Section} */
function splitArithmetic(index) {
  const [section, head, formula, empty] = [element("section", ""), paragraph(), formulaWithSource(), paragraph("A side is empty: this is no split.")];
  section.append(head, formula.element, empty);
  return {
    element: section,
    show({ criterion, split_lines: lines }) {
      writeStrong(head, `**${SPLIT_NAMES[index]}** by ${criterion}`);
      formula.show(lines[index]);
      empty.hidden = lines[index].length > 0;
    },
  };
}
