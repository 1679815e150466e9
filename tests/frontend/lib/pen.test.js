import assert from "node:assert/strict";
import test from "node:test";

import { SvgPen } from "../../../dtviz/frontend/lib/pen.js";

const measuring = { font: "", measureText: (text) => ({ width: 7 * text.length }) };
const pen = () => new SvgPen(200, 100, measuring);

test("the document has the size of the picture", () => {
  assert.equal(
    pen().text(),
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100"></svg>',
  );
});

test("a rectangle is filled with the colour and as clear as was said", () => {
  const one = pen();
  one.fillStyle = "#123456";
  one.globalAlpha = 0.25;
  one.fillRect(1, 2, 3.456, 4);
  assert.deepEqual(one.body, ['<rect x="1" y="2" width="3.46" height="4" fill="#123456" opacity="0.25"></rect>']);
});

test("an outline has colour, width and dashes, and no filling", () => {
  const one = pen();
  Object.assign(one, { strokeStyle: "red", lineWidth: 2.5 });
  one.setLineDash([5, 4]);
  one.strokeRect(0, 0, 10, 20);
  assert.deepEqual(one.body, [
    '<rect x="0" y="0" width="10" height="20" fill="none" stroke="red" stroke-width="2.5" stroke-dasharray="5 4"></rect>',
  ]);
});

test("a path is what was drawn since it was begun", () => {
  const one = pen();
  one.moveTo(9, 9);
  one.beginPath();
  one.moveTo(1, 2);
  one.lineTo(3, 4);
  one.rect(5, 6, 7, 8);
  one.arc(50, 40, 10, 0, 7);
  one.closePath();
  one.fill();
  assert.match(one.body[0], /^<path d="M1 2L3 4M5 6h7v8h-7ZM60 40A10 10 0 1 1 40 40A10 10 0 1 1 60 40Z" fill="#000">/);
});

test("what is saved comes back, dashes and moves too", () => {
  const one = pen();
  one.save();
  Object.assign(one, { fillStyle: "red", strokeStyle: "blue", lineWidth: 9, globalAlpha: 0.5, font: "9px x", textAlign: "right", textBaseline: "top" });
  one.setLineDash([1]);
  one.translate(5, 6);
  one.rotate(-Math.PI / 2);
  one.fillRect(0, 0, 1, 1);
  one.restore();
  one.fillRect(0, 0, 1, 1);
  one.strokeRect(0, 0, 1, 1);
  assert.match(one.body[0], /transform="translate\(5 6\) rotate\(-90\)"/);
  assert.equal(one.body[1], '<rect x="0" y="0" width="1" height="1" fill="#000"></rect>');
  assert.equal(one.body[2], '<rect x="0" y="0" width="1" height="1" fill="none" stroke="#000" stroke-width="1"></rect>');
  assert.equal(one.font, "12px sans-serif");
  assert.deepEqual([one.textAlign, one.textBaseline], ["left", "alphabetic"]);
});

test("a text stands where a canvas puts it", () => {
  const at = (textAlign, textBaseline) => {
    const one = pen();
    Object.assign(one, { textAlign, textBaseline, font: "bold 20px Sans" });
    one.fillText("a", 30, 40);
    const [, y, anchor] = /y="([\d.]+)" text-anchor="(\w+)"/.exec(one.body[0]);
    return [anchor, Number(y)];
  };
  assert.deepEqual(at("left", "alphabetic"), ["start", 40]);
  assert.deepEqual(at("center", "middle"), ["middle", 47]);
  assert.deepEqual(at("right", "top"), ["end", 56]);
  assert.deepEqual(at("left", "bottom"), ["start", 36]);
});

test("a text keeps its size, its weight and its own letters", () => {
  const one = pen();
  one.font = "bold 13px Sans";
  one.fillText('a < b & "c" > d', 0, 0);
  assert.match(one.body[0], /font-size="13" .* font-weight="bold" fill="#000">a &lt; b &amp; &quot;c&quot; &gt; d<\/text>$/);
  one.font = "13px Sans";
  one.fillText("plain", 0, 0);
  assert.doesNotMatch(one.body[1], /bold/);
});

test("texts are measured in the font that they have", () => {
  const one = pen();
  one.font = "17px Sans";
  assert.equal(one.measureText("abc").width, 21);
  assert.equal(measuring.font, "17px Sans");
});
