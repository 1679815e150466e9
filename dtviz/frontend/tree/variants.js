// Variants of the layout of a tree: tall, as Python wrote it, or low, so that all of it is readable in its room.
//
// Glossary
//   unit   a pixel of a page whose type is not enlarged
//   focus  the node that the page speaks of: in a low tree its rule is in one line, its rows under it

import { dotText } from "./fold.js";
import { breakInTwo, truncate, maxWidth, wordsOf } from "./lettering.js";

/** @import { TreeFrame } from "../frames.d.ts" */
/** @import { Nodes } from "../types.d.ts" */
/** @import { Ruler, NodeWords } from "./lettering.js" */

/** Room that a tree is fitted into: its width and height in units, the pixels of a unit, a ruler of the type.
 *  @typedef {{ w: number, h: number, unit: number, measure: Ruler }} Room */
/** DOT text of a tree, true if its boxes are low, and the least scale at which it is readable.
 *  @typedef {{ dot: string, isLow: boolean, minScale: number }} Variant */
/** Format of the rules in low boxes: their lines, the most em of a line, true for a line of rows under them.
 *  @typedef {{ lines: number, maxEm: number, rows: boolean }} RuleFormat */

export const FONT_SIZE = 9; // units of the type in a node that does not show all that Python wrote
export const LINE_HEIGHT = 1.1; // em from line to line
export const PADDING = { x: 0.55, y: 0.2, bar: 0.3 }; // em left free in a box, and of its bar at least
export const MIN_SCALE_TALL = 0.73; // at which a tall tree is readable
export const MIN_SCALE_LOW = 0.9; // at which a low tree is readable
export const GAP = { tall: 29, low: 11 }; // least units between levels
const MIN_TALL_LEVEL = 90; // units of a level and its gap as Python writes it
const LEVEL_GAP = [0.28, 20]; // between low levels: share of the height of a level, most units
const NODE_GAP = [6, 26]; // least and most units between low boxes
const FULLEST_LEVEL = 0.85; // share of the room that the fullest level takes
const MARGIN = 10; // units above and below a low tree
const MAX_HEIGHT = 60; // units of a low box
const MIN_WIDTH = 40; // units of a low box
const MAX_EM = 17; // of a low box
const MAX_EM_TRUNCATED = [9, 6]; // of a truncated rule in one line, in two lines
const UNITS_AN_INCH = 72;

/** Variants of a tree, the best first; the last is drawn however small it is.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids @param {Room} room @returns {Variant[]} */
export function variantsOf(frame, nodes, ids, room) {
  const levels = Math.max(...ids.map((id) => nodes.get(id).level));
  const tall = { dot: dotText(frame, nodes, ids), isLow: false };
  const readable = levels * MIN_TALL_LEVEL * MIN_SCALE_TALL <= room.h ? [{ ...tall, minScale: MIN_SCALE_TALL }] : [];
  const sizes = room.unit > 1 ? [1, room.unit] : [1]; // first enlarged type, then type as it is elsewhere
  const lowVariants = sizes.flatMap((factor) => lowVariantsOf(frame, nodes, ids, { ...room, w: room.w * factor, h: room.h * factor, unit: factor }, levels));
  return [...readable, ...lowVariants, { ...tall, minScale: 0 }];
}

/** Low variants that may fit: first with rows, then with rules in one line or two, full before truncated.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids @param {Room} room  room in units of the
 *  type; `unit` is how much smaller the type is than the page's @param {number} levels @returns {Variant[]} */
function lowVariantsOf(frame, nodes, ids, room, levels) {
  const gap = Math.min(Math.max(Math.floor((LEVEL_GAP[0] * room.h) / levels), GAP.low), LEVEL_GAP[1]);
  const height = Math.min(Math.floor((room.h - 2 * MARGIN + gap) / levels) - gap, MAX_HEIGHT);
  const maxLines = linesIn(height / FONT_SIZE);
  if (!maxLines || ids.length * (MIN_WIDTH + NODE_GAP[0]) > (levels * room.w) / MIN_SCALE_LOW) return [];
  const words = new Map(ids.map((id) => [id, wordsOf(nodes.get(id).dot, !nodes.get(id).descendants)]));
  const rules = [Infinity, 0].flatMap((full) => MAX_EM_TRUNCATED.slice(0, maxLines).map((em, k) => ({ lines: k + 1, maxEm: full || em, rows: false })));
  const formats = maxLines > 1 ? [{ lines: 1, maxEm: Infinity, rows: true }, ...rules] : rules;
  return formats.flatMap((format) => {
    const widths = new Map(ids.map((id) => [id, widthOf(words.get(id), format, id === frame.focus, room.measure)]));
    return nodeGaps(nodes, widths, room.w).map((nodeGap) => ({ dot: lowDotText(frame, nodes, widths, { height, gap, nodeGap }), isLow: true, minScale: MIN_SCALE_LOW / room.unit }));
  });
}

/** Number of lines that a box has room for over its bar.
 *  @param {number} height  in em */
export const linesIn = (height) => Math.max(0, Math.floor((height - 2 * PADDING.y - PADDING.bar) / LINE_HEIGHT));

/** Width of a low box in units.
 *  @param {NodeWords | undefined} words @param {RuleFormat} format @param {boolean} isFocus @param {Ruler} measure */
function widthOf({ rule, details } = { rule: "", details: [] }, { lines, maxEm, rows }, isFocus, measure) {
  const texts = isFocus || rows ? [rule, details[0] ?? ""] : lines > 1 ? breakInTwo(rule, measure) : [rule];
  const em = isFocus ? maxWidth(texts, measure) : maxWidth(texts.map((line) => truncate(line, maxEm, measure) || line), measure);
  return Math.max(MIN_WIDTH, Math.ceil((Math.min(em, MAX_EM) + 2 * PADDING.x) * FONT_SIZE) + 1);
}

/** Gaps that boxes of these widths may have, the best first; none if a level has no room.
 *  @param {Nodes} nodes @param {Map<string, number>} widths @param {number} room */
function nodeGaps(nodes, widths, room) {
  /** @type {Map<number, number[]>} */
  const levels = new Map();
  for (const [id, width] of widths) {
    const { level } = nodes.get(id);
    levels.set(level, [...levels.get(level) ?? [], width]);
  }
  const [minGap, maxGap] = NODE_GAP;
  /** @param {number} width  units of the room */
  const gapIn = (width) => Math.min(...Array.from(levels.values(), (levelWidths) => (width - levelWidths.reduce((sum, boxWidth) => sum + boxWidth, 0)) / levelWidths.length));
  if (gapIn(room / MIN_SCALE_LOW) < minGap) return [];
  return [...new Set([Math.min(Math.floor(gapIn(FULLEST_LEVEL * room)), maxGap), minGap])].filter((nodeGap) => nodeGap >= minGap);
}

/** DOT text of boxes of a height and these widths, whatever widths Graphviz guesses for their words.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {Map<string, number>} widths
 *  @param {{ height: number, gap: number, nodeGap: number }} sizes */
function lowDotText(frame, nodes, widths, { height, gap, nodeGap }) {
  /** @param {number} units */
  const inches = (units) => (units / UNITS_AN_INCH).toFixed(3);
  const lines = Array.from(widths, ([id, width]) => {
    const { dot, edgeDot } = nodes.get(id);
    return `${dot.slice(0, dot.lastIndexOf("]"))} fixedsize=true width=${inches(width)} height=${inches(height)}]\n${edgeDot}`;
  });
  const spacing = `graph [ranksep=${inches(gap)} nodesep=${inches(nodeGap)} pad="0.03,${inches(MARGIN)}"]\n\tedge [dir=none]`;
  return `${frame.head}\t${spacing}\n${lines.join("")}}\n`;
}
