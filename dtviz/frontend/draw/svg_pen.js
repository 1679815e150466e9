// Pen that writes SVG. It has the part of the canvas API that pictures draw with, so that a saved picture shows
// what the screen shows.

/** @import { Measure } from "../types.d.ts" */

const ENTITIES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });
/** @param {number} value */
const round = (value) => String(Math.round(value * 100) / 100);
/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

/** Values of text-anchor by the textAlign of a canvas. */
const ANCHORS = { left: "start", center: "middle", right: "end" };
/** Way down to the base line of a text by the textBaseline of a canvas, as a share of the font size. */
const BASELINE_SHIFTS = { top: 0.8, middle: 0.35, bottom: -0.2, alphabetic: 0 };

export class SvgPen {
  body = /** @type {string[]} */ ([]); // the elements drawn so far
  savedStates = /** @type {object[]} */ ([]);
  pathData = ""; // of the attribute d
  dash = /** @type {number[]} */ ([]);
  transform = "";
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  textAlign = /** @type {keyof typeof ANCHORS} */ ("left");
  textBaseline = /** @type {keyof typeof BASELINE_SHIFTS} */ ("alphabetic");

  /** @param {number} width @param {number} height @param {Measure} measuringPen  pen of a canvas */
  constructor(width, height, measuringPen) {
    this.width = width;
    this.height = height;
    this.measuringPen = measuringPen;
  }

  /** SVG of all that is drawn. */
  text() {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" `
      + `viewBox="0 0 ${this.width} ${this.height}">${this.body.join("")}</svg>`;
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, transform } = this;
    this.savedStates.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, transform });
  }

  restore() { Object.assign(this, this.savedStates.pop()); }
  clearRect() {} // an SVG starts blank
  /** @param {number[]} dash */
  setLineDash(dash) { this.dash = dash; }
  /** @param {number} x @param {number} y */
  translate(x, y) { this.transform += `translate(${round(x)} ${round(y)}) `; }
  /** @param {number} angle */
  rotate(angle) { this.transform += `rotate(${round((angle * 180) / Math.PI)}) `; }

  beginPath() { this.pathData = ""; }
  /** @param {number} x @param {number} y */
  moveTo(x, y) { this.pathData += `M${round(x)} ${round(y)}`; }
  /** @param {number} x @param {number} y */
  lineTo(x, y) { this.pathData += `L${round(x)} ${round(y)}`; }
  closePath() { this.pathData += "Z"; }
  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h) { this.pathData += `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`; }

  /** Add a full circle; pictures draw no other arcs.
   *  @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    this.pathData += `M${round(x + r)} ${round(y)}A${round(r)} ${round(r)} 0 1 1 ${round(x - r)} ${round(y)}`
      + `A${round(r)} ${round(r)} 0 1 1 ${round(x + r)} ${round(y)}`;
  }

  fill() { this.addElement("path", `d="${this.pathData}" ${this.paintAttributes(true)}`); }
  stroke() { this.addElement("path", `d="${this.pathData}" ${this.paintAttributes(false)}`); }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.addElement("rect", `x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" ${this.paintAttributes(true)}`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  strokeRect(x, y, w, h) {
    this.addElement("rect", `x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" ${this.paintAttributes(false)}`);
  }

  /** @param {string} text */
  measureText(text) {
    this.measuringPen.font = this.font;
    return this.measuringPen.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const anchor = ANCHORS[this.textAlign];
    const fontSize = parseFloat(/[\d.]+(?=px)/.exec(this.font)?.[0] ?? "12");
    const shift = BASELINE_SHIFTS[this.textBaseline] * fontSize;
    const bold = /bold|[67]00/.test(this.font) ? ' font-weight="bold"' : "";
    const position = `x="${round(x)}" y="${round(y + shift)}" text-anchor="${anchor}" font-size="${fontSize}"`;
    const family = escape(/px (.*)$/.exec(this.font)?.[1] ?? "sans-serif");
    const style = `${position} font-family="${family}"${bold} ${this.paintAttributes(true)}`;
    this.addElement("text", style, escape(text));
  }

  /** @param {string} tag @param {string} attributes */
  addElement(tag, attributes, content = "") {
    const transform = this.transform ? ` transform="${this.transform.trim()}"` : "";
    this.body.push(`<${tag} ${attributes}${transform}>${content}</${tag}>`);
  }

  /** Attributes with the colour of a shape, and the line of one that is not filled.
   *  @param {boolean} isFilled */
  paintAttributes(isFilled) {
    const alpha = this.globalAlpha < 1 ? ` opacity="${round(this.globalAlpha)}"` : "";
    if (isFilled) return `fill="${this.fillStyle}"${alpha}`;
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dash}${alpha}`;
  }
}
