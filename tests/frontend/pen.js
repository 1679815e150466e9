// A pen that records each fill, stroke and text with its style and its path.

const METHODS = [
  "clearRect", "fillRect", "strokeRect", "fillText", "fill", "stroke", "drawImage", "clip", "translate", "rotate", "scale",
];
const PATHS = ["moveTo", "lineTo", "arc", "rect", "closePath"];
const STYLE = {
  fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, font: "12px sans-serif",
  textAlign: "left", textBaseline: "alphabetic",
};

/** Creates a pen whose `log` lists the calls: { name, args, path, dash, ...style }. */
export function recorder(canvas = { width: 0, height: 0 }) {
  const log = [];
  const stack = [];
  let path = [];
  let dash = [];
  const pen = {
    ...STYLE, log, canvas,
    beginPath() { path = []; },
    setLineDash(to) { dash = to; },
    setTransform() {},
    getTransform: () => ({ a: 1 }),
    measureText: (text) => ({ width: 6 * text.length }),
    save() { stack.push(styleOf(pen)); },
    restore() { Object.assign(pen, stack.pop()); },
  };
  for (const name of PATHS) pen[name] = (...args) => path.push([name, ...args]);
  for (const name of METHODS) {
    pen[name] = (...args) => log.push({ name, args, path: [...path], dash, ...styleOf(pen) });
  }
  delete pen.drawImage; // as an SvgPen: points are drawn one by one
  return pen;
}

const styleOf = (pen) => Object.fromEntries(Object.keys(STYLE).map((name) => [name, pen[name]]));

/** Calls of one method of a pen. */
export const calls = (pen, name) => pen.log.filter((call) => call.name === name);

/** Texts that a pen wrote, in order. */
export const texts = (pen) => calls(pen, "fillText").map(({ args }) => args[0]);
