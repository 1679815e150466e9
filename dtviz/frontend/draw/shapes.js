// Shapes of marks: a class has the same colour and the same shape on every picture.

import { SVG } from "../lib/dom.js";

/** @import { Path } from "../types.d.ts" */

/** @typedef {(path: Path, x: number, y: number, r: number) => void} Shape */

const TURN = Math.PI * 2;

/** Regular polygon, or a star if `inner`, the radius of its inner corners, is not 1.
 *  @param {number} count @returns {Shape} */
const regularPolygon = (count, inner = 1, start = -Math.PI / 2) => (path, x, y, r) => {
  const steps = inner === 1 ? count : 2 * count;
  for (let k = 0; k < steps; k++) {
    const radius = k % 2 && inner !== 1 ? r * inner : r;
    const angle = start + (TURN * k) / steps;
    const [px, py] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    if (k) path.lineTo(px, py);
    else path.moveTo(px, py);
  }
  path.closePath();
};

/** @param {number[][]} corners @returns {Shape} */
const polygon = (...corners) => (path, x, y, r) => {
  corners.forEach(([dx, dy], k) => {
    if (k) path.lineTo(x + r * dx, y + r * dy);
    else path.moveTo(x + r * dx, y + r * dy);
  });
  path.closePath();
};

const ARM = 0.36;
const PLUS = [
  [-ARM, -1], [ARM, -1], [ARM, -ARM], [1, -ARM], [1, ARM], [ARM, ARM],
  [ARM, 1], [-ARM, 1], [-ARM, ARM], [-1, ARM], [-1, -ARM], [-ARM, -ARM],
];
const TILT = Math.SQRT1_2;

/** @type {Record<string, Shape>} */
const SHAPES = {
  circle: (path, x, y, r) => {
    path.moveTo(x + 0.95 * r, y);
    path.arc(x, y, 0.95 * r, 0, TURN);
    path.closePath();
  },
  square: polygon([-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]),
  diamond: polygon([0, -1.2], [1.05, 0], [0, 1.2], [-1.05, 0]),
  "triangle-up": polygon([0, -1.15], [1.1, 0.85], [-1.1, 0.85]),
  cross: polygon(...PLUS),
  "triangle-down": polygon([0, 1.15], [1.1, -0.85], [-1.1, -0.85]),
  x: polygon(...PLUS.map(([a, b]) => [1.1 * TILT * (a - b), 1.1 * TILT * (a + b)])),
  star: regularPolygon(5, 0.45),
  pentagon: regularPolygon(5),
  hexagon: regularPolygon(6),
  bowtie: polygon([-1, -0.8], [1, 0.8], [1, -0.8], [-1, 0.8]),
};

/** Add the outline of a shape, about r pixels around (x, y), to a path or canvas context.
 *  @param {Path} path @param {string} shape @param {number} x @param {number} y
 *  @param {number} r */
export function mark(path, shape, x, y, r) {
  SHAPES[shape](path, x, y, r);
}

/** SVG path of a shape around (0, 0).
 *  @param {string} shape @param {number} r */
export function markPath(shape, r) {
  /** @type {string[]} */
  const parts = [];
  /** @param {string} letter @param {number[]} numbers */
  const add = (letter, ...numbers) => parts.push(letter + numbers.map((v) => v.toFixed(2)).join(" "));
  SHAPES[shape](
    {
      moveTo: (x, y) => add("M", x, y),
      lineTo: (x, y) => add("L", x, y),
      arc: (x, y, radius) => {
        add("M", x + radius, y);
        for (const end of [x - radius, x + radius]) {
          parts.push(`A${radius} ${radius} 0 1 1 ${end.toFixed(2)} ${y.toFixed(2)}`);
        }
      },
      closePath: () => add("Z"),
    }, 0, 0, r,
  );
  return parts.join("");
}


/** Create an icon of a shape, as rows have it on pictures.
 *  @param {string} shape @param {string} colour */
export function shapeIcon(shape, colour) {
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("viewBox", "-8 -8 16 16");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", markPath(shape, 6));
  path.setAttribute("fill", colour);
  icon.append(path);
  return icon;
}
