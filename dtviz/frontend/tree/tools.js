// Toolbar above the tree: folds, zoom, full window, and the icicle in place of the tree.

import { button, element } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { tell } from "../lib/link.js";
import { SIEVES } from "./fold.js";
import { fullWindowButton } from "./full.js";
import { createIcicle } from "./icicle.js";
import { lightNode, fillTip } from "./mark.js";

/** @import { Tree } from "./tree.js" */
/** @import { TreeNode } from "../types.d.ts" */

/**
 * Actions of the tree that the toolbar calls.
 * @typedef {object} ToolbarActions
 * @property {(tree: Tree, id: string) => void} choose
 * @property {(tree: Tree) => void} foldAll
 * @property {(tree: Tree, all?: boolean) => void} fit
 * @property {(tree: Tree) => void} sift
 */

const MIN_NODES_SIFTED = 14; // below the root: smaller trees need no sieve
const ICICLE_HEIGHT = 320; // pixels, unless the page sets the height

/** Fill the toolbar; returns the function that updates it after each frame and each change of size.
 *  @param {Tree} tree @param {ToolbarActions} actions */
export function createToolbar(tree, actions) {
  const sieveSelect = createSieveSelect(tree, actions);
  const icicle = addIcicle(tree, actions);
  /** @param {string} text @param {string} label @param {() => void} act */
  const createTool = (text, label, act) => {
    const tool = button(text, label);
    tool.addEventListener("click", act);
    return tool;
  };
  tree.allButton.addEventListener("click", () => {
    actions.foldAll(tree);
    sieveSelect.value = "";
  });
  const sizes = element("span", "sizes");
  sizes.append(
    createTool("−", "Smaller", tree.viewer.zoomOut),
    createTool("+", "Larger", tree.viewer.zoomIn),
    createTool("fit", "Show the whole tree", () => actions.fit(tree, true)),
  );
  const fullButton = fullWindowButton(tree.root, () => {
    actions.fit(tree);
    icicle.draw();
  });
  tree.saveMenuElement.hidden = true; // until there is a picture
  tree.bar.append(sieveSelect, sizes, icicle.toggle, fullButton, tree.saveMenuElement);
  return () => {
    sieveSelect.hidden = tree.nodes.get("1").descendants < MIN_NODES_SIFTED;
    sieveSelect.value = String(tree.sieve ? SIEVES.indexOf(tree.sieve) : "");
    icicle.draw();
  };
}

/** Create the select box of the sieves.
 *  @param {Tree} tree @param {ToolbarActions} actions */
function createSieveSelect(tree, { sift }) {
  const select = element("select", "tool sieve");
  select.setAttribute("aria-label", "Which nodes are opened");
  select.title = "Which nodes are opened";
  for (const [k, name] of ["no filter", ...SIEVES.map((sieve) => sieve.name)].entries()) {
    const option = element("option", "");
    Object.assign(option, { textContent: name, value: k ? String(k - 1) : "" });
    select.append(option);
  }
  select.addEventListener("change", () => {
    tree.sieve = SIEVES[Number(select.value || NaN)] ?? null;
    sift(tree);
  });
  return select;
}

/** Add the icicle, and the button that shows it in place of the tree.
 *  @param {Tree} tree @param {ToolbarActions} actions */
function addIcicle(tree, { choose }) {
  const { root, bar, tip, liveRegion } = tree;
  const { canvas, draw, light } = createIcicle({
    choose: (id) => choose(tree, id),
    hover: (id, position, rows) => {
      tip.hidden = !id || !position;
      if (id && position) {
        const text = tree.nodes.get(id)?.words ?? `${grouped(rows)} rows`;
        fillTip(tip, text);
        tip.style.left = `${Math.max(0, Math.min(position.x - tip.offsetWidth / 2, canvas.clientWidth - tip.offsetWidth))}px`;
        tip.style.top = `${canvas.offsetTop + Math.min(position.y + 4, canvas.clientHeight)}px`;
        liveRegion.textContent = text;
      }
      lightNode(tree, id);
      tell(tree.root, "hover", { node: id, from: "tree", beside: tree.host.isSecondScreen });
    },
  });
  root.append(canvas);
  const toggle = button("icicle", "All nodes as bands as wide as their rows");
  const isShown = () => root.dataset.view === "icicle";
  const redraw = () => {
    if (!isShown() || !root.clientWidth) return;
    const hasHeight = getComputedStyle(root).getPropertyValue("--high") !== "";
    draw({
      frame: tree.frame,
      width: bar.clientWidth,
      height: hasHeight ? Math.max(root.clientHeight - canvas.offsetTop - 4, 40) : ICICLE_HEIGHT,
      textOf: (id) => bandText(tree.nodes.get(id)),
      family: getComputedStyle(root).fontFamily,
    });
    light(tree.litNode);
  };
  const showState = () => toggle.setAttribute("aria-pressed", String(isShown()));
  toggle.addEventListener("click", () => {
    if (isShown()) delete root.dataset.view;
    else root.dataset.view = "icicle";
    showState();
    redraw();
  });
  showState();
  return { toggle, draw: redraw };
}

/** Text of the band of a node: the value that leads to it, where that is not yes or no, and its rule or prediction.
 *  @param {TreeNode | undefined} node */
function bandText(node) {
  if (!node) return "";
  const text = briefText(node.words);
  return ["", "yes", "no"].includes(node.answer) ? text : `${node.answer}: ${text}`;
}

/** Rule of a node, or what it predicts, taken from its words.
 *  @param {string} words */
export function briefText(words) {
  const [head] = words.split("; ");
  return head.slice(head.indexOf(": ") + 2);
}
