// A tree on its way to another: its nodes go to their places, those that are new come up under their
// parents, and the rows of a node that is split slide from its strip into its two children.
//
// Whichever is the newer, the tree with more nodes is drawn; undone it runs backward over the other.
//
// Glossary
//   spot    where a node is seen: the middle of its top, and the scale, in pixels of the frame
//   matrix  [a, b, c, d, e, f] as SVG has it: x to a x + c y + e, y to b x + d y + f
//   bar     where a node's rows are drawn, in the picture's units

import { interpolate, phase, ease } from "../lib/motion.js";
import { above } from "./fold.js";
import { rows, sidesOf } from "./strip.js";

/** @import { Motion } from "../lib/motion.js" */
/** @import { Nodes, Place, Places, Rect, RowStrip } from "../types.d.ts" */
/** @import { View } from "./view.js" */

/** @typedef {{ x: number, y: number, scale: number }} Spot */
/** @typedef {number[]} Matrix */

/** A tree as it is drawn.
 *  @typedef {object} Sight
 *  @property {SVGSVGElement} svg
 *  @property {Places} places
 *  @property {Map<string, Spot>} spots
 *  @property {Pick<View, "x" | "y" | "scale">} view
 *  @property {Nodes} nodes */

/** What moves: each figure, and how it stands at a time.
 *  @typedef {{ figure: SVGElement, at: (p: number) => { matrix: Matrix, opacity: number } }} Part */

const SVG = "http://www.w3.org/2000/svg";
const MOST_MOVED = 300; // a larger picture changes at once
const HERE = [1, 0, 0, 1, 0, 0];

/** Where each node is seen.
 *  @param {Places} drawn @param {Pick<View, "x" | "y" | "scale">} view @returns {Map<string, Spot>} */
export function spotsOf(drawn, { x, y, scale }) {
  return new Map(Array.from(drawn, ([id, at]) => [id, { x: x + (at.x + at.w / 2) * scale, y: y + at.y * scale, scale }]));
}

// --- where things are -----------------------------------------------------------------------------

/** How much larger than in the end all is drawn on the way from another scale.
 *  @param {number} from @param {number} to @param {number} p */
export const zoomAt = (from, to, p) => interpolate(from / to, 1, p);

/** How a node stands on its way from a spot to its own, in a view that is drawn `zoom` times as large.
 *  @param {Spot} from @param {Spot} to @param {Pick<View, "x" | "y">} view @param {number} zoom
 *  @param {number} p @returns {Matrix} */
export function nodeAt(from, to, view, zoom, p) {
  const [dx, dy] = /** @type {const} */ (["x", "y"]).map((axis) =>
    ((interpolate(from[axis], to[axis], p) - view[axis]) / zoom - (to[axis] - view[axis])) / to.scale);
  return [1, 0, 0, 1, dx, dy];
}

/** Where a node comes from: its spot in the smaller tree; of a new one, below that of the nearest above it.
 *  @param {string} id @param {Pick<Sight, "spots" | "nodes">} large @param {Map<string, Spot>} small
 *  @returns {Spot} */
export function startOf(id, { spots, nodes }, small) {
  const to = spots.get(id) ?? { x: 0, y: 0, scale: 1 };
  const near = [id, ...above(nodes, id)].find((one) => small.has(one) && spots.has(one)) ?? "";
  const [from, there] = [small.get(near), spots.get(near)];
  if (!from || !there) return to;
  const zoom = from.scale / there.scale;
  return { x: from.x + (to.x - there.x) * zoom, y: from.y + (to.y - there.y) * zoom, scale: from.scale };
}

/** How the edge between two nodes stands when these stand so: its ends keep to them.
 *  @param {Place} parent @param {Place} child @param {Matrix} upper @param {Matrix} lower @returns {Matrix} */
export function edgeAt(parent, child, upper, lower) {
  const ends = [[parent.left + parent.w / 2, parent.top + parent.h], [child.left + child.w / 2, child.top]];
  const [[x0, y0], [x1, y1]] = ends;
  const [[u0, v0], [u1, v1]] = [through(upper, ends[0]), through(lower, ends[1])];
  const tall = (v1 - v0) / (y1 - y0);
  const lean = (u1 - u0 - (x1 - x0)) / (y1 - y0);
  return [1, 0, lean, tall, u0 - x0 - lean * y0, v0 - tall * y0];
}

/** What brings one rectangle onto another.
 *  @param {Rect} from @param {Rect} to @returns {Matrix} */
export function onto(from, to) {
  const [wide, high] = [to.w / from.w, to.h / from.h];
  return [wide, 0, 0, high, to.x - wide * from.x, to.y - high * from.y];
}

/** Where rows are on their way from their bar, which stands so, to another.
 *  @param {Rect} from @param {Matrix} stands @param {Rect} to @param {number} p @returns {Rect} */
export function rowsAt(from, stands, to, p) {
  const [x, y] = through(stands, [from.x, from.y]);
  const [w, h] = [from.w * stands[0], from.h * stands[3]];
  return { x: interpolate(x, to.x, p), y: interpolate(y, to.y, p), w: interpolate(w, to.w, p), h: interpolate(h, to.h, p) };
}

/** The part of a strip's bar on each side of its cut.
 *  @param {RowStrip} strip @param {Rect} bar @returns {Rect[]} */
export function halvesOf({ left, counts, colours }, { x, y, w, h }) {
  const middle = (w * left * colours.length) / counts.length;
  return [{ x, y, w: middle, h }, { x: x + middle, y, w: w - middle, h }];
}

/** @param {Matrix} matrix @param {number[]} place */
const through = ([a, b, c, d, e, f], [x, y]) => [a * x + c * y + e, b * x + d * y + f];

// --- moving ---------------------------------------------------------------------------------------

/** Let a tree come from the spots of another, or go back to them; `node` is the one whose rows slide.
 *  @param {Motion} motion @param {Sight} large @param {Map<string, Spot>} small
 *  @param {{ node: string | null, forward: boolean }} change @param {() => void} over */
export function slide(motion, large, small, { node, forward }, over) {
  const stood = standing(large, small);
  const moved = partsOf(large, small, stood);
  const slid = node === null ? [] : rowsOf(large, stood, node);
  const { svg, view } = large;
  const before = [...small.values()][0].scale;
  svg.querySelector("g.graph")?.append(...slid.flatMap(({ figure }) => (figure.parentNode ? [] : [figure])));
  motion.run(forward, (p) => {
    svg.style.transform = `scale(${zoomAt(before, view.scale, ease(p))})`;
    for (const { figure, at } of [...moved, ...slid]) {
      const { matrix, opacity } = at(p);
      figure.style.transform = `matrix(${matrix.join(", ")})`;
      figure.style.opacity = String(opacity);
    }
  }, () => {
    svg.style.transform = "";
    for (const { figure } of [...moved, ...slid]) Object.assign(figure.style, { transform: "", opacity: "" });
    for (const one of svg.querySelectorAll(".slid")) one.remove();
    over();
  });
}

/** Whether a tree is small enough to move.
 *  @param {Places} drawn */
export const isMovable = (drawn) => drawn.size > 0 && drawn.size <= MOST_MOVED;

/** How each node stands at a time.
 *  @param {Sight} large @param {Map<string, Spot>} small @returns {(id: string, p: number) => Matrix} */
function standing({ spots, nodes, view }, small) {
  const before = [...small.values()][0].scale;
  return (id, p) => {
    const [to, way] = [spots.get(id), ease(p)];
    return to ? nodeAt(startOf(id, { spots, nodes }, small), to, view, zoomAt(before, view.scale, way), way) : HERE;
  };
}

/** Its nodes and edges.
 *  @param {Sight} large @param {Map<string, Spot>} small @param {ReturnType<typeof standing>} matrix
 *  @returns {Part[]} */
function partsOf({ svg, places, nodes }, small, matrix) {
  const groups = Array.from(places, ([id, { group }]) => ({
    figure: group,
    at: (/** @type {number} */ p) => ({ matrix: matrix(id, p), opacity: small.has(id) ? 1 : phase(p, 0.45, 0.9) }),
  }));
  const edges = [.../** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("g.edge"))].flatMap((figure) => {
    const id = figure.id.slice(1);
    const upper = nodes.get(id)?.parent ?? "";
    const [parent, child] = [places.get(upper), places.get(id)];
    if (!parent || !child) return [];
    return [{
      figure,
      at: (/** @type {number} */ p) => ({ matrix: edgeAt(parent, child, matrix(upper, p), matrix(id, p)), opacity: small.has(id) ? 1 : phase(p, 0.5, 1) }),
    }];
  });
  return [...groups, ...edges];
}

/** The rows of a node on both sides of its cut, each going into its child, out of its strip.
 *  @param {Sight} large @param {ReturnType<typeof standing>} matrix @param {string} node @returns {Part[]} */
function rowsOf({ places, nodes }, matrix, node) {
  const { strip, children } = nodes.get(node);
  const place = places.get(node);
  const drawn = /** @type {SVGElement | null} */ (place?.group.querySelector(".rows .strip") ?? null);
  const from = place?.brief?.seen;
  if (!strip || !drawn || !from) return [];
  const sides = sidesOf(strip).flatMap((side, k) => {
    const child = places.get(children[k]);
    if (!child) return [];
    const to = child.brief?.seen ?? middleOf(child);
    const own = halvesOf(strip, from)[k];
    const figure = document.createElementNS(SVG, "g");
    figure.setAttribute("class", "slid");
    figure.append(...rows(side, from));
    return [{
      figure,
      at: (/** @type {number} */ p) => ({
        matrix: onto(own, rowsAt(own, matrix(node, p), to, ease(phase(p, 0.1, 0.85)))),
        opacity: 1 - phase(p, 0.85, 1),
      }),
    }];
  });
  return [...sides, { figure: drawn, at: (/** @type {number} */ p) => ({ matrix: HERE, opacity: phase(p, 0.6, 1) }) }];
}

/** @param {Place} place @returns {Rect} */
const middleOf = ({ left, top, w, h }) => ({ x: left + 6, y: top + 0.3 * h, w: w - 12, h: 0.4 * h });
