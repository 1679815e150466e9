// The words of a node as lines: how wide they run, where they break, what is cut.
//
// Glossary
//   em      the size of the type; widths are told in it
//   rule    'x1 ≤ 2.45', its threshold held to its sign by a no-break space; of a leaf what it predicts
//   more    what stands under the rule: rows and impurity, why a leaf stops

import { element, penOf } from "../lib/dom.js";

/** @typedef {(text: string) => number} Ruler */
/** @typedef {{ rule: string, more: string[] }} Words */

const SIZE = 100; // pixels of type that is measured
const KEPT = 3; // letters that stay of a name that is cut
const LIMIT = /^(.+) ([≤<≥>][ \u00a0].+)$/;

/** What measures text in the bold letters of a family; each text once.
 *  @param {string} family @returns {Ruler} */
export function rulerOf(family) {
  const pen = penOf(element("canvas", ""));
  /** @type {Map<string, number>} */
  const known = new Map();
  return (text) => {
    const width = known.get(text) ?? measured(text);
    known.set(text, width);
    return width;
  };

  /** @param {string} text */
  function measured(text) {
    pen.font = `600 ${SIZE}px ${family}`;
    return pen.measureText(text).width / SIZE;
  }
}

/** The words of a node from its DOT line.
 *  @param {string} line @param {boolean} leaf @returns {Words} */
export function wordsOf(line, leaf) {
  const bold = /<B>(.*?)<\/B>/.exec(line)?.[1] ?? "";
  const whole = plain(bold.split("<BR/>").join(" "));
  const more = Array.from(line.matchAll(/<TD>(?:<FONT[^>]*>)?([^<].*?)<\/(?:FONT|TD)>/g), ([, text]) => plain(text.split("<BR/>").join(" ")));
  const [head, limit] = LIMIT.exec(whole)?.slice(1) ?? [whole, ""];
  const rule = limit ? `${head} ${limit.replaceAll(" ", "\u00a0")}` : whole;
  return { rule: leaf ? whole.slice(whole.indexOf(": ") + 1).trim() : rule, more };
}

/** @type {Record<string, string>} */
const SIGNS = { lt: "<", gt: ">", quot: "\"", amp: "&" };

/** Text as it was before it was made literal for a label of DOT.
 *  @param {string} text */
const plain = (text) => text.replaceAll("\\\\", "\\").replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (all, hex, code, name) =>
  code ? String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)) : SIGNS[name] ?? all);

/** A text in two lines, the longer as short as can be; one where it does not break.
 *  @param {string} text @param {Ruler} wide */
export function broken(text, wide) {
  const words = text.split(" ");
  const ways = words.slice(1).map((_, k) => [words.slice(0, k + 1).join(" "), words.slice(k + 1).join(" ")]);
  return ways.reduce((best, way) => (widest(way, wide) < widest(best, wide) ? way : best), ways[0] ?? [text]);
}

/** @param {string[]} lines @param {Ruler} wide */
export const widest = (lines, wide) => Math.max(...lines.map(wide));

/** A rule in as many lines at most, each cut to a width; none where too little of it would be left.
 *  @param {string} rule @param {number} lines @param {number} room @param {Ruler} wide */
export function lettered(rule, lines, room, wide) {
  if (wide(rule) <= room) return [rule];
  for (const way of lines > 1 ? [broken(rule, wide), [rule]] : [[rule]]) {
    const told = way.map((line) => cut(line, room, wide));
    if (told.every(Boolean)) return told;
  }
  return [];
}

/** A text cut to a width, before its threshold where it has one; empty where that leaves too little.
 *  @param {string} text @param {number} room @param {Ruler} wide */
export function cut(text, room, wide) {
  if (wide(text) <= room) return text;
  const [head, limit] = LIMIT.exec(text)?.slice(1) ?? [text, ""];
  if (!limit && /^[≤<≥>]/.test(text)) return ""; // a threshold is told whole
  const tail = limit ? `… ${limit}` : "…";
  let kept = head;
  while (kept && wide(kept + tail) > room) kept = kept.slice(0, -1);
  return kept.length < KEPT ? "" : kept + tail;
}
