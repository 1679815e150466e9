// Pen that writes SVG, with the part of the canvas API that pictures draw with: a saved picture is the
// picture on screen.

/** @import { Measure } from "../types.d.ts" */

const ENTITIES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });
/** @param {number} value */
const round = (value) => String(Math.round(value * 100) / 100);
/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (c) => ENTITIES[c]);

const ANCHORS = { left: "start", center: "middle", right: "end" };
const DROPS = { top: 0.8, middle: 0.35, bottom: -0.2, alphabetic: 0 }; // to the base line, in heights of a line

export class SvgPen {
  body = /** @type {string[]} */ ([]);
  states = /** @type {object[]} */ ([]);
  pathData = "";
  dash = /** @type {number[]} */ ([]);
  transform = "";
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  textAlign = /** @type {keyof typeof ANCHORS} */ ("left");
  textBaseline = /** @type {keyof typeof DROPS} */ ("alphabetic");

  /** @param {number} width @param {number} height @param {Measure} measure  a canvas's pen */
  constructor(width, height, measure) {
    this.width = width;
    this.height = height;
    this.measuring = measure;
  }

  text() {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" `
      + `viewBox="0 0 ${this.width} ${this.height}">${this.body.join("")}</svg>`;
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, transform } = this;
    this.states.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash, transform });
  }

  restore() { Object.assign(this, this.states.pop()); }
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

  fill() { this.add("path", `d="${this.pathData}" ${this.paint(true)}`); }
  stroke() { this.add("path", `d="${this.pathData}" ${this.paint(false)}`); }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  fillRect(x, y, w, h) {
    this.add("rect", `x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" ${this.paint(true)}`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  strokeRect(x, y, w, h) {
    this.add("rect", `x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" ${this.paint(false)}`);
  }

  /** @param {string} text */
  measureText(text) {
    this.measuring.font = this.font;
    return this.measuring.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const anchor = ANCHORS[this.textAlign];
    const size = parseFloat(/[\d.]+(?=px)/.exec(this.font)?.[0] ?? "12");
    const drop = DROPS[this.textBaseline] * size;
    const bold = /bold|[67]00/.test(this.font) ? ' font-weight="bold"' : "";
    const position = `x="${round(x)}" y="${round(y + drop)}" text-anchor="${anchor}" font-size="${size}"`;
    const style = `${position} font-family="Helvetica, Arial, sans-serif"${bold} ${this.paint(true)}`;
    this.add("text", style, escape(text));
  }

  /** @param {string} tag @param {string} attributes */
  add(tag, attributes, inside = "") {
    const moved = this.transform ? ` transform="${this.transform.trim()}"` : "";
    this.body.push(`<${tag} ${attributes}${moved}>${inside}</${tag}>`);
  }

  /** @param {boolean} filled */
  paint(filled) {
    const alpha = this.globalAlpha < 1 ? ` opacity="${round(this.globalAlpha)}"` : "";
    if (filled) return `fill="${this.fillStyle}"${alpha}`;
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dash}${alpha}`;
  }
}
