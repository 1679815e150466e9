// Variants of a tree: tall, with all its words, or in low boxes, so that all of it is readable in its room.
//
// Glossary
//   unit   a pixel of a page whose type is not enlarged
//   focus  the node that the page speaks of: in a low tree its rule is in one line, its rows under it

import { breakInTwo, maxWidth, truncate, wrap } from "./lettering.js";

/** @import { TreeFrame } from "../frames.d.ts" */
/** @import { Nodes, Rect, TreeNode } from "../types.d.ts" */
/** @import { Ruler } from "./lettering.js" */
/** @import { Gaps, Layout } from "./layout.js" */

/** Room that a tree is fitted into: its width and height in units, the pixels of a unit, a ruler of the type.
 *  @typedef {{ w: number, h: number, unit: number, measure: Ruler }} Room */
/** Line of text in a box, with its baseline below the top of the box.
 *  @typedef {{ kind: "title" | "numbers" | "reason" | "next", text: string, y: number }} TextLine */
/** Box of a node: its size, its lines of text, and the place of its bar in it.
 *  @typedef {{ w: number, h: number, lines: TextLine[], bar: Rect }} Box */
/** Boxes by node id, the gaps between them, true if they are low, and the least scale at which they are readable.
 *  @typedef {{ boxes: Map<string, Box>, gaps: Gaps, isLow: boolean, minScale: number }} Variant */
/** Format of the rules in low boxes: their lines, the most em of a line, true for a line of rows under them.
 *  @typedef {{ lines: number, maxEm: number, rows: boolean }} RuleFormat */

export const FONT_SIZE = 9; // units of the type in a node that does not show all its words
export const LINE_HEIGHT = 1.1; // em from line to line
export const PADDING = { x: 0.55, y: 0.2, bar: 0.3 }; // em left free in a box, and of its bar at least
export const MIN_SCALE_TALL = 0.73; // at which a tall tree is readable
export const MIN_SCALE_LOW = 0.9; // at which a low tree is readable
export const GAP = { tall: 29, low: 11 }; // least units between levels
export const TYPE = { title: 12, numbers: 12, reason: 11, next: 11 }; // units of the type in tall boxes
const TALL_GAPS = { node: 11.5, level: GAP.tall, marginX: 5, marginY: 13, foot: 18 }; // the handle of a folded node has room at the foot
const TALL_PADDING = { x: 8, y: 4 }; // units left free in a tall box
const LEADING = 1.2; // em from line to line in a tall box
const DESCENT = 0.26; // em from a baseline to the end of its line
const BAR = { w: 92, split: 18, leaf: 8, gap: 4 }; // units of a class bar, and free around it
const MAX_EM_TALL = { title: 9.5, reason: 13 }; // of a line
const LEVEL_GAP = [0.28, 20]; // between low levels: share of the height of a level, most units
const NODE_GAP = [6, 26]; // least and most units between low boxes
const FULLEST_LEVEL = 0.85; // share of the room that the fullest level takes
const MARGIN = { x: 2, y: 10 }; // units around a low tree
const MAX_HEIGHT = 60; // units of a low box
const MIN_WIDTH = 40; // units of a low box
const MAX_EM = 17; // of a low box
const MAX_EM_TRUNCATED = [9, 6]; // of a truncated rule in one line, in two lines

/** Variants of a tree, the best first; the last is drawn however small it is.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids @param {Room} room @returns {Variant[]} */
export function variantsOf(frame, nodes, ids, room) {
  const levels = Math.max(...ids.map((id) => nodes.get(id).level));
  const tall = tallVariant(nodes, ids, room.measure);
  const sizes = room.unit > 1 ? [1, room.unit] : [1]; // first enlarged type, then type as it is elsewhere
  const lowVariants = sizes.flatMap((factor) => lowVariantsOf(frame, nodes, ids, { ...room, w: room.w * factor, h: room.h * factor, unit: factor }, levels));
  return [tall, ...lowVariants, { ...tall, minScale: 0 }];
}

/** Variant that shows all words.
 *  @param {Nodes} nodes @param {string[]} ids @param {Ruler} measure @returns {Variant} */
export const tallVariant = (nodes, ids, measure) => ({
  boxes: new Map(ids.map((id) => [id, tallBox(nodes.get(id), measure)])), gaps: TALL_GAPS, isLow: false, minScale: MIN_SCALE_TALL,
});

/** Box with all words of a node: its rule or what it predicts, its bar, its rows and impurity, why it has no split.
 *  @param {TreeNode} node @param {Ruler} measure @returns {Box} */
function tallBox({ title, numbers, reason, isNext, strip }, measure) {
  /** @type {TextLine[]} */
  const lines = [];
  let width = BAR.w;
  let y = TALL_PADDING.y;
  const write = (/** @type {TextLine["kind"]} */ kind, /** @type {string} */ text) => {
    y += LEADING * TYPE[kind];
    lines.push({ kind, text, y: y - DESCENT * TYPE[kind] });
    width = Math.max(width, measure(text) * TYPE[kind]);
  };
  for (const line of wrap(title, MAX_EM_TALL.title, measure)) write("title", line);
  const bar = { x: 0, y: y + BAR.gap / 2, w: BAR.w, h: strip ? BAR.split : BAR.leaf };
  y += bar.h + BAR.gap;
  write("numbers", numbers);
  for (const line of reason ? wrap(reason, MAX_EM_TALL.reason, measure) : []) write("reason", line);
  if (isNext && !reason) write("next", "next");
  const w = Math.ceil(width) + 2 * TALL_PADDING.x;
  return { w, h: y + TALL_PADDING.y, lines, bar: { ...bar, x: (w - bar.w) / 2 } };
}

/** Low variants that may fit: first with rows, then with rules in one line or two, full before truncated.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids @param {Room} room  room in units of the
 *  type; `unit` is how much smaller the type is than the page's @param {number} levels @returns {Variant[]} */
function lowVariantsOf(frame, nodes, ids, room, levels) {
  const gap = Math.min(Math.max(Math.floor((LEVEL_GAP[0] * room.h) / levels), GAP.low), LEVEL_GAP[1]);
  const height = Math.min(Math.floor((room.h - 2 * MARGIN.y + gap) / levels) - gap, MAX_HEIGHT);
  const maxLines = linesIn(height / FONT_SIZE);
  if (!maxLines || ids.length * (MIN_WIDTH + NODE_GAP[0]) > (levels * room.w) / MIN_SCALE_LOW) return [];
  const rules = [Infinity, 0].flatMap((full) => MAX_EM_TRUNCATED.slice(0, maxLines).map((em, k) => ({ lines: k + 1, maxEm: full || em, rows: false })));
  const formats = maxLines > 1 ? [{ lines: 1, maxEm: Infinity, rows: true }, ...rules] : rules;
  return formats.flatMap((format) => {
    const boxes = new Map(ids.map((id) => [id, lowBox(widthOf(nodes.get(id), format, id === frame.focus, room.measure), height)]));
    return nodeGaps(nodes, boxes, room.w).map((nodeGap) => ({
      boxes, gaps: { node: nodeGap, level: gap, marginX: MARGIN.x, marginY: MARGIN.y }, isLow: true, minScale: MIN_SCALE_LOW / room.unit,
    }));
  });
}

/** Tall box of another width, its bar in the middle.
 *  @param {Box} box @param {number} w @returns {Box} */
const centredBox = (box, w) => ({ ...box, w, bar: { ...box.bar, x: (w - box.bar.w) / 2 } });

/** Box without words of its own: what it has room for is written in it later, see detail.js.
 *  @param {number} w @param {number} h @returns {Box} */
const lowBox = (w, h) => ({ w, h, lines: [], bar: { x: PADDING.x * FONT_SIZE, y: 0.3 * h, w: w - 2 * PADDING.x * FONT_SIZE, h: 0.4 * h } });

/** Widen boxes into the free room beside them, each as far as its rule needs; no box comes nearer to another on its level
 *  than the least gap, none leaves the picture, and each stays over its middle.
 *  @param {Nodes} nodes @param {Variant} variant @param {Layout} layout @param {Ruler} measure
 *  @param {number} fontSize  units of the type in a box @returns {{ variant: Variant, layout: Layout }} */
export function widenIntoGaps(nodes, variant, { places, size }, measure, fontSize) {
  const gap = (NODE_GAP[0] * fontSize) / FONT_SIZE;
  const boxes = new Map(variant.boxes);
  const wider = new Map(places);
  /** @type {Map<number, string[]>} */
  const levels = new Map();
  for (const id of boxes.keys()) levels.set(nodes.get(id).level, [...levels.get(nodes.get(id).level) ?? [], id]);
  for (const ids of levels.values()) {
    const row = ids.map((id) => ({ id, rect: /** @type {Rect} */ (places.get(id)) })).toSorted((a, b) => a.rect.x - b.rect.x);
    for (const [k, { id, rect }] of row.entries()) {
      const { rule, numbers } = nodes.get(id);
      const full = Math.ceil((maxWidth([rule, numbers], measure) + 2 * PADDING.x) * fontSize) + 1;
      const left = k ? (rect.x - row[k - 1].rect.x - row[k - 1].rect.w - gap) / 2 : rect.x - MARGIN.x;
      const right = k + 1 < row.length ? (row[k + 1].rect.x - rect.x - rect.w - gap) / 2 : size.w - MARGIN.x - rect.x - rect.w;
      const more = Math.floor(Math.min(left, right, (full - rect.w) / 2));
      if (more <= 0) continue;
      const w = rect.w + 2 * more;
      wider.set(id, { ...rect, x: rect.x - more, w });
      boxes.set(id, variant.isLow ? lowBox(w, rect.h) : centredBox(/** @type {Box} */ (boxes.get(id)), w));
    }
  }
  return { variant: { ...variant, boxes }, layout: { places: wider, size } };
}

/** Number of lines that a box has room for over its bar.
 *  @param {number} height  in em */
export const linesIn = (height) => Math.max(0, Math.floor((height - 2 * PADDING.y - PADDING.bar) / LINE_HEIGHT));

/** Width of a low box in units.
 *  @param {TreeNode} node @param {RuleFormat} format @param {boolean} isFocus @param {Ruler} measure */
function widthOf({ rule, numbers }, { lines, maxEm, rows }, isFocus, measure) {
  const texts = isFocus || rows ? [rule, numbers] : lines > 1 ? breakInTwo(rule, measure) : [rule];
  const em = isFocus ? maxWidth(texts, measure) : maxWidth(texts.map((line) => truncate(line, maxEm, measure) || line), measure);
  return Math.max(MIN_WIDTH, Math.ceil((Math.min(em, MAX_EM) + 2 * PADDING.x) * FONT_SIZE) + 1);
}

/** Gaps that boxes of these widths may have, the best first; none if a level has no room.
 *  @param {Nodes} nodes @param {Map<string, Box>} boxes @param {number} room */
function nodeGaps(nodes, boxes, room) {
  /** @type {Map<number, number[]>} */
  const levels = new Map();
  for (const [id, { w }] of boxes) {
    const { level } = nodes.get(id);
    levels.set(level, [...levels.get(level) ?? [], w]);
  }
  const [minGap, maxGap] = NODE_GAP;
  /** @param {number} width  units of the room */
  const gapIn = (width) => Math.min(...Array.from(levels.values(), (levelWidths) => (width - levelWidths.reduce((sum, boxWidth) => sum + boxWidth, 0)) / levelWidths.length));
  if (gapIn(room / MIN_SCALE_LOW) < minGap) return [];
  return [...new Set([Math.min(Math.floor(gapIn(FULLEST_LEVEL * room)), maxGap), minGap])].filter((nodeGap) => nodeGap >= minGap);
}
