import assert from "node:assert/strict";
import test from "node:test";

import { SvgPen } from "../../../dtviz/frontend/draw/svg_pen.js";

const measuring = { font: "", measureText: (text) => ({ width: 7 * text.length }) };
const pen = () => new SvgPen(200, 100, measuring);

test("the document has the size of the picture", () => {
  assert.equal(
    pen().text(),
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100"></svg>',
  );
});

test("a rectangle is filled with the colour and as clear as was said", () => {
  const svg = pen();
  svg.fillStyle = "#123456";
  svg.globalAlpha = 0.25;
  svg.fillRect(1, 2, 3.456, 4);
  assert.deepEqual(svg.body, ['<rect x="1" y="2" width="3.46" height="4" fill="#123456" opacity="0.25"></rect>']);
});

test("an outline has colour, width and dashes, and no filling", () => {
  const svg = pen();
  Object.assign(svg, { strokeStyle: "red", lineWidth: 2.5 });
  svg.setLineDash([5, 4]);
  svg.strokeRect(0, 0, 10, 20);
  assert.deepEqual(svg.body, [
    '<rect x="0" y="0" width="10" height="20" fill="none" stroke="red" stroke-width="2.5" stroke-dasharray="5 4"></rect>',
  ]);
});

test("a path is what was drawn since it was begun", () => {
  const svg = pen();
  svg.moveTo(9, 9);
  svg.beginPath();
  svg.moveTo(1, 2);
  svg.lineTo(3, 4);
  svg.rect(5, 6, 7, 8);
  svg.arc(50, 40, 10, 0, 7);
  svg.closePath();
  svg.fill();
  assert.match(svg.body[0], /^<path d="M1 2L3 4M5 6h7v8h-7ZM60 40A10 10 0 1 1 40 40A10 10 0 1 1 60 40Z" fill="#000">/);
});

test("what is saved comes back, dashes and moves too", () => {
  const svg = pen();
  svg.save();
  Object.assign(svg, { fillStyle: "red", strokeStyle: "blue", lineWidth: 9, globalAlpha: 0.5, font: "9px x", textAlign: "right", textBaseline: "top" });
  svg.setLineDash([1]);
  svg.translate(5, 6);
  svg.rotate(-Math.PI / 2);
  svg.fillRect(0, 0, 1, 1);
  svg.restore();
  svg.fillRect(0, 0, 1, 1);
  svg.strokeRect(0, 0, 1, 1);
  assert.match(svg.body[0], /transform="translate\(5 6\) rotate\(-90\)"/);
  assert.equal(svg.body[1], '<rect x="0" y="0" width="1" height="1" fill="#000"></rect>');
  assert.equal(svg.body[2], '<rect x="0" y="0" width="1" height="1" fill="none" stroke="#000" stroke-width="1"></rect>');
  assert.equal(svg.font, "12px sans-serif");
  assert.deepEqual([svg.textAlign, svg.textBaseline], ["left", "alphabetic"]);
});

test("a text stands where a canvas puts it", () => {
  const placeText = (textAlign, textBaseline) => {
    const svg = pen();
    Object.assign(svg, { textAlign, textBaseline, font: "bold 20px Sans" });
    svg.fillText("a", 30, 40);
    const [, y, anchor] = /y="([\d.]+)" text-anchor="(\w+)"/.exec(svg.body[0]);
    return [anchor, Number(y)];
  };
  assert.deepEqual(placeText("left", "alphabetic"), ["start", 40]);
  assert.deepEqual(placeText("center", "middle"), ["middle", 47]);
  assert.deepEqual(placeText("right", "top"), ["end", 56]);
  assert.deepEqual(placeText("left", "bottom"), ["start", 36]);
});

test("a text keeps its size, its weight and its own letters", () => {
  const svg = pen();
  svg.font = "bold 13px Sans";
  svg.fillText('a < b & "c" > d', 0, 0);
  assert.match(svg.body[0], /font-size="13" .* font-weight="bold" fill="#000">a &lt; b &amp; &quot;c&quot; &gt; d<\/text>$/);
  svg.font = "13px Sans";
  svg.fillText("plain", 0, 0);
  assert.doesNotMatch(svg.body[1], /bold/);
});

test("texts are measured in the font that they have", () => {
  const svg = pen();
  svg.font = "17px Sans";
  assert.equal(svg.measureText("abc").width, 21);
  assert.equal(measuring.font, "17px Sans");
});
