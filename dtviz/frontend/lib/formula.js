// Formulas whose numbers change under a hand: the LaTeX that Python's arithmetic writes (see
// dtviz/engine/criteria/latex.py), as MathML. What stands still on a page is KaTeX's.
//
// Glossary
//   hole   a name with @ before it, such as @gain, that a number takes the place of

import { element } from "./dom.js";
import { number } from "./format.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const DIGITS = 6;
const TOKEN = /\\(?:[a-zA-Z]+|.)|\d+(?:\.\d+)?|[a-zA-Z]|\S/gu;
/** @type {Record<string, [tag: string, text: string]>} */
const SIGNS = {
  "\\cdot": ["mo", "⋅"], "\\log": ["mi", "log"], "\\ln": ["mi", "ln"], "\\max": ["mi", "max"],
  "\\sum": ["mo", "∑"], "\\dots": ["mo", "…"], "\\infty": ["mi", "∞"], "\\alpha": ["mi", "α"],
  "\\le": ["mo", "≤"], "\\in": ["mo", "∈"], "-": ["mo", "−"],
};
const SPACES = new Set(["\\ ", "\\,", "\\quad"]);
const SIZED = new Set(["\\left", "\\right", "\\bigl", "\\bigr"]); // brackets are as large as what they hold
const FRACTIONS = new Set(["\\tfrac", "\\frac"]);
const TEXTS = new Set(["\\text", "\\mathrm"]);

/** The formula with its holes filled.
 *  @param {string} latex @param {Record<string, string>} values */
export const filled = (latex, values) => latex.replace(/@([a-z]+)/g, (hole, name) => values[name] ?? hole);

/** A number as LaTeX, as `figure` in Python writes it.
 *  @param {number} value */
export function written(value) {
  const [mantissa, power] = number(value, DIGITS).split("e");
  return power === undefined ? mantissa : `${mantissa} \\cdot 10^{${Number(power)}}`;
}

/** A place for a formula under a picture, and what shows one there. */
export function formula() {
  const whole = element("div", "worked");
  whole.tabIndex = 0; // a long one is scrolled
  whole.setAttribute("role", "group");
  whole.setAttribute("aria-label", "The formula with its numbers");
  let shown = "";
  return {
    element: whole,
    /** @param {string} latex */
    show(latex) {
      if (latex === shown) return;
      shown = latex;
      whole.replaceChildren(...(latex ? latex.split("\n").map(mathml) : []));
    },
  };
}

/** A line of LaTeX as a MathML element.
 *  @param {string} latex */
export function mathml(latex) {
  const reader = { rest: [...pieces(latex)] };
  return made("math", ...row(reader));
}

/** The tokens; a text in braces stays one, with its spaces.
 *  @param {string} latex @returns {string[]} */
function pieces(latex) {
  const out = [];
  for (const part of latex.split(/(\\(?:text|mathrm)\{[^}]*\})/)) {
    const text = /^(\\(?:text|mathrm))\{([^}]*)\}$/.exec(part);
    if (text) out.push(text[1], text[2]);
    else out.push(...(part.match(TOKEN) ?? []));
  }
  return out;
}

/** @typedef {{ rest: string[] }} Reader */

/** What stands until a brace closes, or to the end.
 *  @param {Reader} reader @returns {Element[]} */
function row(reader) {
  /** @type {Element[]} */
  const out = [];
  while (reader.rest.length && reader.rest[0] !== "}") {
    const token = /** @type {string} */ (reader.rest.shift());
    if (token === "^" || token === "_") {
      const base = out.pop() ?? made("mrow");
      out.push(made(token === "^" ? "msup" : "msub", base, argument(reader)));
    } else if (!SIZED.has(token)) out.push(atom(token, reader));
  }
  return out;
}

/** A group in braces, or the one token that is there.
 *  @param {Reader} reader @returns {Element} */
function argument(reader) {
  const token = reader.rest.shift() ?? "";
  return atom(token, reader);
}

/** @param {string} token @param {Reader} reader @returns {Element} */
function atom(token, reader) {
  if (token === "{") {
    const group = made("mrow", ...row(reader));
    reader.rest.shift(); // the brace that closes it
    return group;
  }
  if (FRACTIONS.has(token)) return made("mfrac", argument(reader), argument(reader));
  if (TEXTS.has(token)) return said("mtext", reader.rest.shift() ?? "");
  if (token === "\\mathbf") {
    const strong = argument(reader);
    strong.classList.add("strong");
    return strong;
  }
  if (SPACES.has(token)) return said("mtext", "\u00a0");
  if (token in SIGNS) return said(...SIGNS[token]);
  if (/^\d/.test(token)) return said("mn", token);
  return said(/^[a-zA-Z]$/.test(token) ? "mi" : "mo", token.replace("\\", ""));
}

/** @param {string} tag @param {...Element} inside */
function made(tag, ...inside) {
  const own = document.createElementNS(MATHML, tag);
  own.append(...inside);
  return own;
}

/** @param {string} tag @param {string} text */
function said(tag, text) {
  const own = document.createElementNS(MATHML, tag);
  own.textContent = text;
  if (tag === "mi" && text.length === 1) own.classList.add("letter");
  return own;
}
