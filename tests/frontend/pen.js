// A canvas that remembers: every fill, stroke and text with the style and the path it had.

const METHODS = [
  "clearRect", "fillRect", "strokeRect", "fillText", "fill", "stroke", "drawImage", "clip", "translate", "rotate", "scale",
];
const PATHS = ["moveTo", "lineTo", "arc", "rect", "closePath"];
const STYLE = {
  fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, font: "12px sans-serif",
  textAlign: "left", textBaseline: "alphabetic",
};

/** The pen of such a canvas; `pen.log` holds { name, args, path, dash, ...style } in their order. */
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

/** What was drawn by one of its methods. */
export const calls = (pen, name) => pen.log.filter((call) => call.name === name);

/** The texts that were written, in their order. */
export const texts = (pen) => calls(pen, "fillText").map(({ args }) => args[0]);
