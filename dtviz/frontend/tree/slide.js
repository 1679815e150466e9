// Motion from one tree to the next: nodes move to their new spots, new nodes appear under their parents,
// and the rows of a node that is split slide from its strip into its two children.
//
// Of the two trees, the larger one is drawn during the motion. For a split that is undone that is the older tree,
// and the motion runs backward.
//
// Glossary
//   spot    position of a node on screen, in pixels: the middle of its top edge, and the scale of the view
//   matrix  [a, b, c, d, e, f] as in SVG: x becomes a x + c y + e, y becomes b x + d y + f
//   bar     rectangle in which the rows of a node are drawn, in units of the picture

import { SVG } from "../lib/dom.js";
import { interpolate, phase, ease } from "../lib/motion.js";
import { ancestors } from "./fold.js";
import { drawRows, splitStrip } from "./strip.js";

/** @import { Motion } from "../lib/motion.js" */
/** @import { Nodes, NodePlace, NodePlaces, Rect, RowStrip } from "../types.d.ts" */
/** @import { TreeView } from "./view.js" */

/** @typedef {{ x: number, y: number, scale: number }} NodeSpot */
/** @typedef {number[]} Matrix */

/** Tree as it is drawn: `places` are in units of the picture, `spots` on screen.
 *  @typedef {object} DrawnTree
 *  @property {SVGSVGElement} svg
 *  @property {NodePlaces} places
 *  @property {Map<string, NodeSpot>} spots
 *  @property {Pick<TreeView, "x" | "y" | "scale">} view  the offset and the scale of the picture on screen
 *  @property {Nodes} nodes */

/** Figure that moves, and a function that gives its matrix and opacity at a time.
 *  @typedef {{ figure: SVGElement, stateAt: (p: number) => { matrix: Matrix, opacity: number } }} MovingFigure */

const MAX_NODES_MOVED = 300; // a larger tree would not move smoothly
const IDENTITY = [1, 0, 0, 1, 0, 0];

/** Spots of the nodes, by id.
 *  @param {NodePlaces} places @param {Pick<TreeView, "x" | "y" | "scale">} view @returns {Map<string, NodeSpot>} */
export function spotsOf(places, { x, y, scale }) {
  return new Map(Array.from(places, ([id, place]) => [id, { x: x + (place.x + place.w / 2) * scale, y: y + place.y * scale, scale }]));
}

// --- positions ------------------------------------------------------------------------------------

/** Factor by which the picture is enlarged at time `p` of a motion from one scale to another.
 *  @param {number} from @param {number} to @param {number} p */
export const zoomAt = (from, to, p) => interpolate(from / to, 1, p);

/** Matrix of a node on its way between two spots, in a view that is enlarged by `zoom`.
 *  @param {NodeSpot} from @param {NodeSpot} to @param {Pick<TreeView, "x" | "y">} view @param {number} zoom
 *  @param {number} p @returns {Matrix} */
export function nodeMatrixAt(from, to, view, zoom, p) {
  const [dx, dy] = /** @type {const} */ (["x", "y"]).map((axis) =>
    ((interpolate(from[axis], to[axis], p) - view[axis]) / zoom - (to[axis] - view[axis])) / to.scale);
  return [1, 0, 0, 1, dx, dy];
}

/** Spot where a node starts: its spot in the smaller tree. A node that is not in that tree starts below the spot of
 *  its nearest ancestor there, as far as it is below that ancestor in the larger tree.
 *  @param {string} id @param {Pick<DrawnTree, "spots" | "nodes">} largeTree @param {Map<string, NodeSpot>} smallSpots
 *  @returns {NodeSpot} */
export function startOf(id, { spots, nodes }, smallSpots) {
  const to = spots.get(id) ?? { x: 0, y: 0, scale: 1 };
  const anchor = [id, ...ancestors(nodes, id)].find((ancestor) => smallSpots.has(ancestor) && spots.has(ancestor)) ?? "";
  const [from, anchorSpot] = [smallSpots.get(anchor), spots.get(anchor)];
  if (!from || !anchorSpot) return to;
  const zoom = from.scale / anchorSpot.scale;
  return { x: from.x + (to.x - anchorSpot.x) * zoom, y: from.y + (to.y - anchorSpot.y) * zoom, scale: from.scale };
}

/** Matrix of the edge between two nodes that have the matrices `upper` and `lower`: its ends stay on the nodes.
 *  @param {NodePlace} parent @param {NodePlace} child @param {Matrix} upper @param {Matrix} lower @returns {Matrix} */
export function edgeMatrix(parent, child, upper, lower) {
  const ends = [[parent.x + parent.w / 2, parent.y + parent.h], [child.x + child.w / 2, child.y]];
  const [[x0, y0], [x1, y1]] = ends;
  const [[u0, v0], [u1, v1]] = [transform(upper, ends[0]), transform(lower, ends[1])];
  const scaleY = (v1 - v0) / (y1 - y0);
  const shear = (u1 - u0 - (x1 - x0)) / (y1 - y0);
  return [1, 0, shear, scaleY, u0 - x0 - shear * y0, v0 - scaleY * y0];
}

/** Matrix that maps one rectangle onto another.
 *  @param {Rect} from @param {Rect} to @returns {Matrix} */
export function rectMatrix(from, to) {
  const [scaleX, scaleY] = [to.w / from.w, to.h / from.h];
  return [scaleX, 0, 0, scaleY, to.x - scaleX * from.x, to.y - scaleY * from.y];
}

/** Rectangle of rows on their way to the rectangle `to`, from a part of a bar that a matrix moves meanwhile.
 *  @param {Rect} from @param {Matrix} matrix @param {Rect} to @param {number} p @returns {Rect} */
export function rowsRectAt(from, matrix, to, p) {
  const [x, y] = transform(matrix, [from.x, from.y]);
  const [w, h] = [from.w * matrix[0], from.h * matrix[3]];
  return { x: interpolate(x, to.x, p), y: interpolate(y, to.y, p), w: interpolate(w, to.w, p), h: interpolate(h, to.h, p) };
}

/** Parts of the bar of a strip left and right of its cut; `left` of the bins lie left of it.
 *  @param {RowStrip} strip @param {Rect} bar @returns {Rect[]} */
export function sideBarsOf({ left, counts, colours }, { x, y, w, h }) {
  const middle = (w * left * colours.length) / counts.length;
  return [{ x, y, w: middle, h }, { x: x + middle, y, w: w - middle, h }];
}

/** @param {Matrix} matrix @param {number[]} point */
const transform = ([a, b, c, d, e, f], [x, y]) => [a * x + c * y + e, b * x + d * y + f];

// --- moving ---------------------------------------------------------------------------------------

/** Move the larger tree from the spots of the smaller one, or back to them; the rows of `node` slide.
 *  @param {Motion} motion @param {DrawnTree} largeTree @param {Map<string, NodeSpot>} smallSpots
 *  @param {{ node: string | null, forward: boolean }} change @param {() => void} onEnd */
export function slide(motion, largeTree, smallSpots, { node, forward }, onEnd) {
  const matrixOf = matricesOf(largeTree, smallSpots);
  const figures = figuresOf(largeTree, smallSpots, matrixOf);
  const rowFigures = node === null ? [] : rowFiguresOf(largeTree, matrixOf, node);
  const { svg, view } = largeTree;
  const scaleBefore = [...smallSpots.values()][0].scale;
  svg.querySelector("g.graph")?.append(...rowFigures.flatMap(({ figure }) => (figure.parentNode ? [] : [figure])));
  motion.run(forward, (p) => {
    svg.style.transform = `scale(${zoomAt(scaleBefore, view.scale, ease(p))})`;
    for (const { figure, stateAt } of [...figures, ...rowFigures]) {
      const { matrix, opacity } = stateAt(p);
      figure.style.transform = `matrix(${matrix.join(", ")})`;
      figure.style.opacity = String(opacity);
    }
  }, () => {
    svg.style.transform = "";
    for (const { figure } of [...figures, ...rowFigures]) Object.assign(figure.style, { transform: "", opacity: "" });
    for (const figure of svg.querySelectorAll(".slid")) figure.remove();
    onEnd();
  });
}

/** True if a tree is small enough to move.
 *  @param {NodePlaces} places */
export const isMovable = (places) => places.size > 0 && places.size <= MAX_NODES_MOVED;

/** Function that gives the matrix of a node at a time.
 *  @param {DrawnTree} largeTree @param {Map<string, NodeSpot>} smallSpots @returns {(id: string, p: number) => Matrix} */
function matricesOf({ spots, nodes, view }, smallSpots) {
  const scaleBefore = [...smallSpots.values()][0].scale;
  return (id, p) => {
    const [to, eased] = [spots.get(id), ease(p)];
    return to ? nodeMatrixAt(startOf(id, { spots, nodes }, smallSpots), to, view, zoomAt(scaleBefore, view.scale, eased), eased) : IDENTITY;
  };
}

/** Moving figures of the nodes and edges of a tree.
 *  @param {DrawnTree} largeTree @param {Map<string, NodeSpot>} smallSpots @param {ReturnType<typeof matricesOf>} matrixOf
 *  @returns {MovingFigure[]} */
function figuresOf({ svg, places, nodes }, smallSpots, matrixOf) {
  const groups = Array.from(places, ([id, { group }]) => ({
    figure: group,
    stateAt: (/** @type {number} */ p) => ({ matrix: matrixOf(id, p), opacity: smallSpots.has(id) ? 1 : phase(p, 0.45, 0.9) }),
  }));
  const edges = [.../** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("g.edge"))].flatMap((figure) => {
    const id = figure.id.slice(1);
    const upper = nodes.get(id)?.parent ?? "";
    const [parent, child] = [places.get(upper), places.get(id)];
    if (!parent || !child) return [];
    return [{
      figure,
      stateAt: (/** @type {number} */ p) => ({ matrix: edgeMatrix(parent, child, matrixOf(upper, p), matrixOf(id, p)), opacity: smallSpots.has(id) ? 1 : phase(p, 0.5, 1) }),
    }];
  });
  return [...groups, ...edges];
}

/** Moving figures of the rows of a node: those on each side of the cut move from its strip into a child.
 *  @param {DrawnTree} largeTree @param {ReturnType<typeof matricesOf>} matrixOf @param {string} node @returns {MovingFigure[]} */
function rowFiguresOf({ places, nodes }, matrixOf, node) {
  const { strip, children } = nodes.get(node);
  const place = places.get(node);
  const stripElement = /** @type {SVGElement | null} */ (place?.group.querySelector(".rows .strip") ?? null);
  const from = place?.brief?.barRect;
  if (!strip || !stripElement || !from) return [];
  const sideFigures = splitStrip(strip).flatMap((side, k) => {
    const child = places.get(children[k]);
    if (!child) return [];
    const to = child.brief?.barRect ?? middleOf(child);
    const source = sideBarsOf(strip, from)[k];
    const figure = document.createElementNS(SVG, "g");
    figure.setAttribute("class", "slid");
    figure.append(...drawRows(side, from));
    return [{
      figure,
      stateAt: (/** @type {number} */ p) => ({
        matrix: rectMatrix(source, rowsRectAt(source, matrixOf(node, p), to, ease(phase(p, 0.1, 0.85)))),
        opacity: 1 - phase(p, 0.85, 1),
      }),
    }];
  });
  return [...sideFigures, { figure: stripElement, stateAt: (/** @type {number} */ p) => ({ matrix: IDENTITY, opacity: phase(p, 0.6, 1) }) }];
}

/** @param {NodePlace} place @returns {Rect} */
const middleOf = ({ x, y, w, h }) => ({ x: x + 6, y: y + 0.3 * h, w: w - 12, h: 0.4 * h });
