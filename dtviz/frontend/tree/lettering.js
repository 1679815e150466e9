// Words of a node as lines: their widths, line breaks and truncation.
//
// Glossary
//   em     the size of the type, the unit of widths
//   rule   'x1 ≤ 2.45', with a no-break space before its threshold; of a leaf what it predicts, see words.js

import { element, penOf } from "../lib/dom.js";

/** @typedef {(text: string) => number} Ruler */

const MEASURED_PX = 100; // size of the type that is measured
const MIN_LETTERS = 3; // of a truncated name
export const LIMIT = /^(.+) ([≤<≥>][ \u00a0].+)$/;

/** Create a ruler that measures text in bold type of a family, each text once.
 *  @param {string} family @returns {Ruler} */
export function rulerOf(family) {
  const pen = penOf(element("canvas", ""));
  /** @type {Map<string, number>} */
  const widths = new Map();
  return (text) => {
    const width = widths.get(text) ?? measureText(text);
    widths.set(text, width);
    return width;
  };

  /** @param {string} text */
  function measureText(text) {
    pen.font = `600 ${MEASURED_PX}px ${family}`;
    return pen.measureText(text).width / MEASURED_PX;
  }
}

/** Break a text into lines of at most `maxEm`, between words; a longer word is broken between letters.
 *  @param {string} text @param {number} maxEm @param {Ruler} measure @returns {string[]} */
export function wrap(text, maxEm, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ").flatMap((long) => pieces(long, maxEm, measure))) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && measure(longer) <= maxEm) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Pieces of a word that are no longer than `maxEm`.
 *  @param {string} word @param {number} maxEm @param {Ruler} measure @returns {string[]} */
function pieces(word, maxEm, measure) {
  const letters = [...word]; // an emoji is one letter
  if (measure(word) <= maxEm || letters.length < 2) return [word];
  let length = letters.length - 1;
  while (length > 1 && measure(letters.slice(0, length).join("")) > maxEm) length -= 1;
  return [letters.slice(0, length).join(""), ...pieces(letters.slice(length).join(""), maxEm, measure)];
}

/** Break a text into two lines whose longer one is as short as possible; into one if it has no space.
 *  @param {string} text @param {Ruler} measure */
export function breakInTwo(text, measure) {
  const words = text.split(" ");
  const pairs = words.slice(1).map((_, k) => [words.slice(0, k + 1).join(" "), words.slice(k + 1).join(" ")]);
  return pairs.reduce((best, pair) => (maxWidth(pair, measure) < maxWidth(best, measure) ? pair : best), pairs[0] ?? [text]);
}

/** @param {string[]} lines @param {Ruler} measure */
export const maxWidth = (lines, measure) => Math.max(...lines.map(measure));

/** Lines of a rule, at most `maxLines`, each truncated to a width; none if too little of it would be left.
 *  @param {string} rule @param {number} maxLines @param {number} room @param {Ruler} measure */
export function fitRule(rule, maxLines, room, measure) {
  if (measure(rule) <= room) return [rule];
  for (const lines of maxLines > 1 ? [breakInTwo(rule, measure), [rule]] : [[rule]]) {
    const cutLines = lines.map((line) => truncate(line, room, measure));
    if (cutLines.every(Boolean)) return cutLines;
  }
  return [];
}

/** Truncate a text to a width, before its threshold if it has one; empty if that leaves too little.
 *  @param {string} text @param {number} room @param {Ruler} measure */
export function truncate(text, room, measure) {
  if (measure(text) <= room) return text;
  const [head, limit] = LIMIT.exec(text)?.slice(1) ?? [text, ""];
  if (!limit && /^[≤<≥>]/.test(text)) return ""; // a threshold is never truncated
  const tail = limit ? `… ${limit}` : "…";
  const letters = [...head]; // of the name; an emoji is one letter
  while (letters.length && measure(letters.join("") + tail) > room) letters.pop();
  return letters.length < MIN_LETTERS ? "" : letters.join("") + tail;
}
