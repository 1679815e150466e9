// Formulas whose numbers change while a user drags. The LaTeX that dtviz/engine/criteria/latex.py writes is
// converted to MathML here; formulas that do not change are drawn by KaTeX.
//
// Glossary
//   hole   a name with @ before it, such as @gain, in whose place a number is written

import { element } from "./dom.js";
import { number } from "./format.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const DIGITS = 6; // of a number, as in latex.py
const TOKEN = /\\(?:[a-zA-Z]+|.)|\d+(?:\.\d+)?|[a-zA-Z]|\S/gu;
/** MathML elements of commands and signs. @type {Record<string, [tag: string, text: string]>} */
const SIGNS = {
  "\\cdot": ["mo", "⋅"], "\\log": ["mi", "log"], "\\ln": ["mi", "ln"], "\\max": ["mi", "max"],
  "\\sum": ["mo", "∑"], "\\dots": ["mo", "…"], "\\infty": ["mi", "∞"], "\\alpha": ["mi", "α"],
  "\\le": ["mo", "≤"], "\\in": ["mo", "∈"], "-": ["mo", "−"],
};
const SPACE_COMMANDS = new Set(["\\ ", "\\,", "\\quad"]);
const SIZE_COMMANDS = new Set(["\\left", "\\right", "\\bigl", "\\bigr"]); // skipped: MathML fits brackets to their content
const FRACTION_COMMANDS = new Set(["\\tfrac", "\\frac"]);
const TEXT_COMMANDS = new Set(["\\text", "\\mathrm"]);

/** Formula with values in place of its holes; a hole without a value stays.
 *  @param {string} latex @param {Record<string, string>} values */
export const fillHoles = (latex, values) => latex.replace(/@([a-z]+)/g, (hole, name) => values[name] ?? hole);

/** Number as LaTeX, as the function `figure` of latex.py writes it.
 *  @param {number} value */
export function latexNumber(value) {
  const [mantissa, power] = number(value, DIGITS).split("e");
  return power === undefined ? mantissa : `${mantissa} \\cdot 10^{${Number(power)}}`;
}

/** Create an element for a formula under a picture, and `show`, which shows a formula there, line by line. */
export function createFormula() {
  const root = element("div", "worked");
  root.tabIndex = 0; // so that keys can scroll a long formula
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "The formula with its numbers");
  let latexShown = "";
  return {
    element: root,
    /** @param {string} latex */
    show(latex) {
      if (latex === latexShown) return;
      latexShown = latex;
      root.replaceChildren(...(latex ? latex.split("\n").map(mathml) : []));
    },
  };
}

/** Convert a line of LaTeX to a MathML element.
 *  @param {string} latex */
export function mathml(latex) {
  const reader = { tokens: [...tokenize(latex)] };
  return mathElement("math", ...parseRow(reader));
}

/** Split LaTeX into tokens. The text of \text or \mathrm is one token, with its spaces.
 *  @param {string} latex @returns {string[]} */
function tokenize(latex) {
  const result = [];
  for (const part of latex.split(/(\\(?:text|mathrm)\{[^}]*\})/)) {
    const text = /^(\\(?:text|mathrm))\{([^}]*)\}$/.exec(part);
    if (text) result.push(text[1], text[2]);
    else result.push(...(part.match(TOKEN) ?? []));
  }
  return result;
}

/** Reader of a formula: the tokens that are not parsed yet.
 *  @typedef {{ tokens: string[] }} Reader */

/** Parse tokens up to a closing brace, or to the end.
 *  @param {Reader} reader @returns {Element[]} */
function parseRow(reader) {
  /** @type {Element[]} */
  const result = [];
  while (reader.tokens.length && reader.tokens[0] !== "}") {
    const token = /** @type {string} */ (reader.tokens.shift());
    if (token === "^" || token === "_") {
      const base = result.pop() ?? mathElement("mrow");
      result.push(mathElement(token === "^" ? "msup" : "msub", base, parseArgument(reader)));
    } else if (!SIZE_COMMANDS.has(token)) result.push(parseAtom(token, reader));
  }
  return result;
}

/** Parse a group in braces, or a single token.
 *  @param {Reader} reader @returns {Element} */
function parseArgument(reader) {
  const token = reader.tokens.shift() ?? "";
  return parseAtom(token, reader);
}

/** Parse what a token begins: a group in braces, a command with its arguments, a number, a letter or a sign.
 *  @param {string} token @param {Reader} reader @returns {Element} */
function parseAtom(token, reader) {
  if (token === "{") {
    const group = mathElement("mrow", ...parseRow(reader));
    reader.tokens.shift(); // the closing brace
    return group;
  }
  if (FRACTION_COMMANDS.has(token)) return mathElement("mfrac", parseArgument(reader), parseArgument(reader));
  if (TEXT_COMMANDS.has(token)) return textElement("mtext", reader.tokens.shift() ?? "");
  if (token === "\\mathbf") {
    const argument = parseArgument(reader);
    argument.classList.add("strong");
    return argument;
  }
  if (SPACE_COMMANDS.has(token)) return textElement("mtext", "\u00a0");
  if (token in SIGNS) return textElement(...SIGNS[token]);
  if (/^\d/.test(token)) return textElement("mn", token);
  return textElement(/^[a-zA-Z]$/.test(token) ? "mi" : "mo", token.replace("\\", ""));
}

/** @param {string} tag @param {...Element} children */
function mathElement(tag, ...children) {
  const created = document.createElementNS(MATHML, tag);
  created.append(...children);
  return created;
}

/** @param {string} tag @param {string} text */
function textElement(tag, text) {
  const created = document.createElementNS(MATHML, tag);
  created.textContent = text;
  if (tag === "mi") created.classList.add(text.length === 1 ? "letter" : "function");
  return created;
}
