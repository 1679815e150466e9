// The bar above the tree: what is folded, how large it is seen, and the icicle in its place.

import { button, element } from "../lib/dom.js";
import { grouped } from "../lib/format.js";
import { tell } from "../lib/link.js";
import { SIEVES } from "./fold.js";
import { filler } from "./full.js";
import { icicle } from "./icicle.js";
import { light, said } from "./mark.js";

/** @import { Tree } from "./tree.js" */

/**
 * What the tree does.
 * @typedef {object} Acts
 * @property {(tree: Tree, id: string) => void} choose
 * @property {(tree: Tree) => void} foldAll
 * @property {(tree: Tree, all?: boolean) => void} fit
 * @property {(tree: Tree) => void} sift
 */

const SMALL = 14; // nodes below the root: fewer need no sieve
const HIGH = 320; // pixels of the icicle where the page gives none

/** Fill the bar; what has to follow each frame and each size.
 *  @param {Tree} tree @param {Acts} acts */
export function tools(tree, acts) {
  const sieve = sieveOf(tree, acts);
  const band = bandsIn(tree, acts);
  /** @param {string} text @param {string} label @param {() => void} act */
  const made = (text, label, act) => {
    const one = button(text, label);
    one.addEventListener("click", act);
    return one;
  };
  tree.all.addEventListener("click", () => {
    acts.foldAll(tree);
    sieve.value = "";
  });
  const sizes = element("span", "sizes");
  sizes.append(
    made("−", "Smaller", tree.viewer.smaller),
    made("+", "Larger", tree.viewer.larger),
    made("fit", "Show the whole tree", () => acts.fit(tree, true)),
  );
  const full = filler(tree.root, () => {
    acts.fit(tree);
    band.draw();
  });
  tree.saver.hidden = true; // until there is a picture
  tree.bar.append(sieve, sizes, band.turner, full, tree.saver);
  return () => {
    sieve.hidden = tree.nodes.get("1").below < SMALL;
    sieve.value = String(tree.sieve ? SIEVES.indexOf(tree.sieve) : "");
    band.draw();
  };
}

/** The choice of what a large tree is opened to.
 *  @param {Tree} tree @param {Acts} acts */
function sieveOf(tree, { sift }) {
  const made = element("select", "tool sieve");
  made.setAttribute("aria-label", "Which nodes are opened");
  made.title = "Which nodes are opened";
  for (const [k, name] of ["no filter", ...SIEVES.map((one) => one.name)].entries()) {
    const option = element("option", "");
    Object.assign(option, { textContent: name, value: k ? String(k - 1) : "" });
    made.append(option);
  }
  made.addEventListener("change", () => {
    tree.sieve = SIEVES[Number(made.value || NaN)] ?? null;
    sift(tree);
  });
  return made;
}

/** The icicle, and the button that puts it in the tree's place and back.
 *  @param {Tree} tree @param {Acts} acts */
function bandsIn(tree, { choose }) {
  const { root, bar, tip, heard } = tree;
  const { canvas, draw, lit } = icicle({
    choose: (id) => choose(tree, id),
    look: (id, spot, rows) => {
      tip.hidden = !id || !spot;
      if (id && spot) {
        const words = tree.nodes.get(id)?.words ?? `${grouped(rows)} rows`;
        said(tip, words);
        tip.style.left = `${Math.max(0, Math.min(spot.x - tip.offsetWidth / 2, canvas.clientWidth - tip.offsetWidth))}px`;
        tip.style.top = `${canvas.offsetTop + Math.min(spot.y + 4, canvas.clientHeight)}px`;
        heard.textContent = words;
      }
      light(tree, id);
      tell("hover", { node: id, from: "tree", beside: tree.host.isSecondScreen });
    },
  });
  root.append(canvas);
  const turner = button("icicle", "All nodes as bands as wide as their rows");
  const shows = () => root.dataset.view === "icicle";
  const drawn = () => {
    if (!shows() || !root.clientWidth) return;
    const given = getComputedStyle(root).getPropertyValue("--high") !== "";
    draw({
      frame: tree.frame,
      width: bar.clientWidth,
      height: given ? Math.max(root.clientHeight - canvas.offsetTop - 4, 40) : HIGH,
      words: (id) => briefly(tree.nodes.get(id)?.words ?? ""),
      family: getComputedStyle(root).fontFamily,
    });
    lit(tree.lit);
  };
  const say = () => turner.setAttribute("aria-pressed", String(shows()));
  turner.addEventListener("click", () => {
    if (shows()) delete root.dataset.view;
    else root.dataset.view = "icicle";
    say();
    drawn();
  });
  say();
  return { turner, draw: drawn };
}

/** The rule of a node, or what it predicts, out of its words.
 *  @param {string} words */
export function briefly(words) {
  const [first] = words.split("; ");
  return first.slice(first.indexOf(": ") + 2);
}
