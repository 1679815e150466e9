// How a tree is laid out: tall, as Python wrote it, or low, so that all of it is read in the room it has.
//
// Glossary
//   room     what the tree is fitted into, in units: pixels of a page whose type is not enlarged; `unit`
//            how many of the screen one is
//   look     a DOT text, whether its boxes are low, and the scale down to which it is read
//   high     units of a low box: what the levels leave it of the room
//   way      in how many lines a low box tells its rule, how many em of it at most, whether rows under it
//   focus    the node that the page speaks of: in a low tree its rule is in one line, its rows under it

import { part } from "./fold.js";
import { broken, cut, widest, wordsOf } from "./lettering.js";

/** @import { TreeFrame } from "../frames.d.ts" */
/** @import { Nodes } from "../types.d.ts" */
/** @import { Ruler, Words } from "./lettering.js" */

/** @typedef {{ w: number, h: number, unit: number, wide: Ruler }} Room */
/** @typedef {{ text: string, low: boolean, least: number }} Look */
/** @typedef {{ lines: number, most: number, rows: boolean }} Way */

export const TYPE = 9; // units of the type in a node that does not show all that Python wrote
export const LINE = 1.1; // em from line to line
export const RIM = { x: 0.55, y: 0.2, bar: 0.3 }; // em left free in a box, and of its bar at least
export const NEAR = 0.73; // the scale down to which a tall tree is read
export const LOW = 0.9; // and a low one
export const GAP = { tall: 29, low: 11 }; // units between levels, at least
const TALL = 90; // units of a level as Python writes it, at least
const AIRY = [0.28, 20]; // of what a level has of the height, and units of it at most
const APART = [6, 26]; // units between low boxes
const PACKED = 0.85; // of the width that the fullest level takes, for all to fit
const AROUND = 10; // and above and below them all
const HIGHEST = 60;
const NARROWEST = 40;
const BROADEST = 17; // em of a low box
const CUT = [9, 6]; // em of a rule that is cut, by its lines
const INCH = 72;

/** The looks of a tree, the best first; the last is taken however small it is.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids @param {Room} room @returns {Look[]} */
export function looksOf(frame, nodes, ids, room) {
  const levels = Math.max(...ids.map((id) => nodes.get(id).level));
  const tall = { text: part(frame, nodes, ids), low: false };
  const near = levels * TALL * NEAR <= room.h ? [{ ...tall, least: NEAR }] : [];
  const sizes = room.unit > 1 ? [1, room.unit] : [1]; // of type that is enlarged, and as it is elsewhere
  const low = sizes.flatMap((less) => lowLooks(frame, nodes, ids, { ...room, w: room.w * less, h: room.h * less, unit: less }, levels));
  return [...near, ...low, { ...tall, least: 0 }];
}

/** The low looks that may fit: first with rows, then rules in one line or two, in full before they are cut.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {string[]} ids @param {Room} room  as it is for the
 *  type; `unit` how much smaller that is than the page's @param {number} levels @returns {Look[]} */
function lowLooks(frame, nodes, ids, room, levels) {
  const gap = Math.min(Math.max(Math.floor((AIRY[0] * room.h) / levels), GAP.low), AIRY[1]);
  const high = Math.min(Math.floor((room.h - 2 * AROUND + gap) / levels) - gap, HIGHEST);
  const most = linesIn(high / TYPE);
  if (!most || ids.length * (NARROWEST + APART[0]) > (levels * room.w) / LOW) return [];
  const words = new Map(ids.map((id) => [id, wordsOf(nodes.get(id).line, !nodes.get(id).below)]));
  const told = [Infinity, 0].flatMap((full) => CUT.slice(0, most).map((em, k) => ({ lines: k + 1, most: full || em, rows: false })));
  const ways = most > 1 ? [{ lines: 1, most: Infinity, rows: true }, ...told] : told;
  return ways.flatMap((way) => {
    const widths = new Map(ids.map((id) => [id, widthOf(words.get(id), way, id === frame.focus, room.wide)]));
    return spaces(nodes, widths, room.w).map((apart) => ({ text: lowPart(frame, nodes, widths, { high, gap, apart }), low: true, least: LOW / room.unit }));
  });
}

/** How many lines of type a box has room for over its bar.
 *  @param {number} high  in em */
export const linesIn = (high) => Math.max(0, Math.floor((high - 2 * RIM.y - RIM.bar) / LINE));

/** The units that a low box takes across.
 *  @param {Words | undefined} words @param {Way} way @param {boolean} isFocus @param {Ruler} wide */
function widthOf({ rule, more } = { rule: "", more: [] }, { lines, most, rows }, isFocus, wide) {
  const told = isFocus || rows ? [rule, more[0] ?? ""] : lines > 1 ? broken(rule, wide) : [rule];
  const em = isFocus ? widest(told, wide) : widest(told.map((line) => cut(line, most, wide) || line), wide);
  return Math.max(NARROWEST, Math.ceil((Math.min(em, BROADEST) + 2 * RIM.x) * TYPE) + 1);
}

/** How far boxes of these widths may stand apart, the best first; none where some level has no room.
 *  @param {Nodes} nodes @param {Map<string, number>} widths @param {number} room */
function spaces(nodes, widths, room) {
  /** @type {Map<number, number[]>} */
  const levels = new Map();
  for (const [id, width] of widths) {
    const { level } = nodes.get(id);
    levels.set(level, [...levels.get(level) ?? [], width]);
  }
  const [least, most] = APART;
  /** @param {number} wide  the units there are */
  const apart = (wide) => Math.min(...Array.from(levels.values(), (own) => (wide - own.reduce((sum, one) => sum + one, 0)) / own.length));
  if (apart(room / LOW) < least) return [];
  return [...new Set([Math.min(Math.floor(apart(PACKED * room)), most), least])].filter((one) => one >= least);
}

/** The DOT text of boxes of a height and these widths, whatever Graphviz takes their words for.
 *  @param {TreeFrame} frame @param {Nodes} nodes @param {Map<string, number>} widths
 *  @param {{ high: number, gap: number, apart: number }} sizes */
function lowPart(frame, nodes, widths, { high, gap, apart }) {
  /** @param {number} units */
  const inches = (units) => (units / INCH).toFixed(3);
  const lines = Array.from(widths, ([id, width]) => {
    const { line, edge } = nodes.get(id);
    return `${line.slice(0, line.lastIndexOf("]"))} fixedsize=true width=${inches(width)} height=${inches(high)}]\n${edge}`;
  });
  const spaced = `graph [ranksep=${inches(gap)} nodesep=${inches(apart)} pad="0.03,${inches(AROUND)}"]\n\tedge [dir=none]`;
  return `${frame.head}\t${spaced}\n${lines.join("")}}\n`;
}
