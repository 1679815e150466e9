import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { placed, press, use } from "../page.js";
import { calls } from "../pen.js";
import { saveMenu } from "../../../dtviz/frontend/draw/save.js";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>';
const saved = [];
let canvas = null;
let maxWidth = Infinity; // of a canvas of which the browser makes a file
const notices = [];
window.addEventListener("dtviz:notice", ({ detail }) => notices.push(detail.text));
let size = { width: 300, height: 200 };

globalThis.Image = class {
  constructor() { Object.assign(this, size); }
  async decode() {}
};
globalThis.CSSFontFaceRule = class { type = 5; };
globalThis.FileReader = class {
  addEventListener(type, hear) { if (type === "load") this.onload = hear; }
  readAsDataURL(file) {
    this.result = `data:${file}`;
    this.onload();
  }
};
const files = new Map();
mock.method(URL, "createObjectURL", (file) => {
  const address = `blob:${files.size}`;
  files.set(address, file);
  return address;
});
mock.method(URL, "revokeObjectURL", (address) => files.delete(address));
mock.timers.enable({ apis: ["setTimeout"] });
const plain = document.createElement;
document.createElement = (tag) => {
  const created = plain(tag);
  if (tag === "a") created.onclick = () => saved.push({ name: created.download, file: files.get(created.href) });
  if (tag === "canvas") {
    canvas = created;
    created.getContext().drawImage = (...args) => created.pen.log.push({ name: "drawImage", args });
    created.toBlob = (done, type) => done(created.width <= maxWidth ? new Blob(["drawn"], { type }) : null);
  }
  return created;
};

function menu() {
  const root = saveMenu("stage", () => SVG, () => "#abcdef");
  placed().append(root);
  const [opener, choices] = root.children;
  return { root, opener, choices, svg: choices.children[0], png: choices.children[1] };
}

/** Rule of the page's typeface. */
const face = (style, src) => Object.assign(new CSSFontFaceRule(), {
  parentStyleSheet: { href: "http://page/css/a.css" },
  style: { getPropertyValue: (name) => ({ "font-family": '"Sans"', "font-style": style, "font-weight": "200 900", src })[name] },
});

const settle = () => new Promise((done) => { setImmediate(done); });

beforeEach(() => {
  saved.length = 0;
  size = { width: 300, height: 200 };
  maxWidth = Infinity;
  notices.length = 0;
});

test("SVG saves the picture as it is", async () => {
  menu().svg.click();
  await settle();
  assert.deepEqual(saved.map(({ name }) => name), ["stage.svg"]);
  assert.equal(saved[0].file.type, "image/svg+xml");
  assert.equal(await saved[0].file.text(), SVG);
});

test("a saved picture has the upright typeface of the page in itself", async (t) => {
  const closedSheet = { get cssRules() { throw new Error("of another site"); } };
  document.styleSheets = [closedSheet, { cssRules: [face("italic", "url(i.woff2)"), face("normal", 'url("../u.woff2")')] }];
  t.mock.method(globalThis, "fetch", async (address) => ({ ok: String(address) === "http://page/u.woff2", blob: async () => "letters" }));
  menu().svg.click();
  for (let k = 0; k < 5; k++) await settle();
  document.styleSheets = [];
  const style = '<style>@font-face{font-family:"Sans";font-weight:200 900;src:url(data:letters)}</style>';
  assert.equal(await saved[0].file.text(), SVG.replace("></svg>", `>${style}</svg>`));
});

test("PNG draws that picture on the page's colour, twice as large", async () => {
  menu().png.click();
  await settle();
  assert.deepEqual(saved.map(({ name, file }) => [name, file.type]), [["stage.png", "image/png"]]);
  assert.deepEqual([canvas.width, canvas.height], [600, 400]);
  assert.deepEqual(canvas.pen.log.map(({ name }) => name), ["fillRect", "drawImage"]);
  const [paper] = calls(canvas.pen, "fillRect");
  assert.deepEqual([paper.fillStyle, ...paper.args], ["#abcdef", 0, 0, 600, 400]);
  const [drawn] = calls(canvas.pen, "drawImage");
  assert.deepEqual(drawn.args.slice(1), [0, 0, 600, 400]);
});

test("a very large PNG is no larger than a canvas can be", async () => {
  size = { width: 32_000, height: 100 };
  menu().png.click();
  await settle();
  assert.deepEqual([canvas.width, canvas.height], [16_000, 50]);
  size = { width: 15_000, height: 15_000 };
  menu().png.click();
  await settle();
  assert.ok(canvas.width * canvas.height <= 1.201e8 && canvas.width > 10_900);
});

test("a PNG is smaller where the browser makes no file of so large a canvas", async () => {
  maxWidth = 300;
  menu().png.click();
  await settle();
  assert.deepEqual([canvas.width, canvas.height], [300, 200]);
  assert.deepEqual(saved.map(({ name }) => name), ["stage.png"]);
  assert.deepEqual(notices, []);
});

test("a notice says that the browser makes no file of any size, or that the picture cannot be drawn", async (t) => {
  maxWidth = 0;
  menu().png.click();
  await settle();
  assert.deepEqual(saved, []);
  assert.deepEqual(notices, ["The stage could not be saved as PNG. SVG may still do."]);
  const log = t.mock.method(console, "error", () => {});
  const error = new Error("no layout");
  const root = saveMenu("tree", () => Promise.reject(error));
  placed().append(root);
  root.children[1].children[0].click();
  await settle();
  assert.deepEqual(notices.slice(1), ["The tree could not be saved as SVG."]);
  assert.deepEqual(log.mock.calls[0].arguments, [error]);
});

test("a picture is saved without the typeface of the page if that does not come in time", async (t) => {
  document.styleSheets = [{ cssRules: [face("normal", "url(u.woff2)")] }];
  const late = t.mock.method(globalThis, "fetch", async () => { throw new DOMException("late", "TimeoutError"); });
  menu().svg.click();
  for (let k = 0; k < 5; k++) await settle();
  document.styleSheets = [];
  assert.ok(late.mock.calls[0].arguments[1].signal instanceof AbortSignal);
  assert.equal(await saved[0].file.text(), SVG);
  assert.deepEqual(notices, []);
});

test("nothing is kept that was made for a file", async () => {
  files.clear();
  menu().png.click();
  await settle();
  mock.timers.tick(10_000);
  assert.equal(files.size, 0);
});

test("the choices open and close with the button", () => {
  const { opener, choices } = menu();
  assert.ok(choices.hidden);
  opener.click();
  assert.ok(!choices.hidden);
  assert.equal(opener.getAttribute("aria-expanded"), "true");
  opener.click();
  assert.ok(choices.hidden);
});

test("Escape closes the choices, and goes no further only then", () => {
  const { opener, choices } = menu();
  assert.ok(!press(opener, "Escape").stopped);
  opener.click();
  assert.ok(press(choices.children[1], "Escape").stopped);
  assert.ok(choices.hidden);
  assert.equal(document.activeElement, opener);
});

test("a press elsewhere closes the choices, one inside does not", () => {
  const { opener, choices, svg } = menu();
  opener.click();
  use(svg, "pointerdown");
  assert.ok(!choices.hidden);
  use(placed(), "pointerdown");
  assert.ok(choices.hidden);
});

test("a menu listens to the window only while it is open: what stands around it can go", () => {
  const on = mock.method(window, "addEventListener");
  const off = mock.method(window, "removeEventListener");
  const { opener } = menu();
  assert.equal(on.mock.callCount(), 0);
  opener.click();
  assert.deepEqual(on.mock.calls.map((call) => call.arguments[0]), ["pointerdown"]);
  off.mock.resetCalls();
  opener.click();
  assert.deepEqual(off.mock.calls.map((call) => call.arguments), [on.mock.calls[0].arguments]);
  for (const method of [on, off]) method.mock.restore();
});

test("the choices close when the keyboard goes elsewhere", () => {
  const { opener, choices, svg } = menu();
  opener.click();
  use(opener, "focusout", { relatedTarget: svg });
  assert.ok(!choices.hidden);
  use(svg, "focusout", { relatedTarget: placed() });
  assert.ok(choices.hidden);
});
