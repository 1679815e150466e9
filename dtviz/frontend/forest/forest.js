// An ensemble as it builds: the plane after some of its rounds, the errors after all, the first
// trees for themselves, what features are worth.
//
// Python sends all of these pictures: the time-line, the curve and play go through them at once,
// here. A click on a tree tells Python, which opens it in Grow.
//
// Glossary
//   picture  the plane after a round, by number; the last one is the whole ensemble

import { cloudNamed } from "../lib/cloud.js";
import { button, element, penOf, placeIn, write } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { hear } from "../lib/link.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { draw } from "../stage/draw.js";
import { layoutOf } from "../stage/layout.js";
import { font, size } from "../stage/paint.js";
import { orderCategories, pointNear, spots } from "../stage/points.js";
import { curveLayout, drawCurve, roundAt } from "./curve.js";
import { cells, masses, steps, strip } from "./surface.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Layout, Of, Pen, Picture, Points } from "../types.d.ts" */
/** @import { CurveAt, Frame } from "./curve.js" */

const GAP = 20;
const TICK = 140; // milliseconds a picture stays while it plays
const TILE = 68;

/**
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Of<"forest">>, frame: Frame, cloud: Points | null, at: Layout | null,
 *   curveAt: CurveAt | null, place: number, timer: number, tiles: HTMLButtonElement[],
 * }} View
 */

/** @param {HTMLElement} root @param {Host<Of<"forest">>} host */
export function create(root, host) {
  /** @type {View} */
  const view = {
    root, host, frame: framed(host.frame, root), cloud: null, at: null, curveAt: null, place: -1, timer: 0, tiles: [], ...build(root),
  };
  new ResizeObserver(() => paint(view)).observe(root);
  hear("cloud", ({ name }) => {
    if (view.frame.cloud === name && !view.cloud) show(view, view.frame);
  }, root);
  view.range.addEventListener("input", () => {
    stop(view);
    turnTo(view, Number(view.range.value));
  });
  view.play.addEventListener("click", () => (view.timer ? stop(view) : start(view)));
  alongCurve(view);
  view.stage.addEventListener("pointermove", (event) => tipAt(view, event));
  view.stage.addEventListener("pointerleave", () => { view.tip.hidden = true; });
  view.head.append(saveMenu("forest", () => svg(view), () => view.frame.colours.paper));
  host.onFrame((frame) => show(view, framed(frame, root)));
}

/** @param {Of<"forest">} frame @param {HTMLElement} root @returns {Frame} */
const framed = (frame, root) => ({ ...frame, family: getComputedStyle(root).fontFamily });

/** @param {HTMLElement} root */
function build(root) {
  const made = {
    head: element("div", "head"), told: element("div", "told"), about: element("p", "about"), stage: element("div", "plane"), canvas: element("canvas", ""), tip: element("div", "tip"),
    line: element("div", "rounds"), play: button("▶", "Play: build it tree by tree"), range: element("input", ""),
    side: element("div", "side"), curve: element("div", "curve"), errors: element("canvas", ""),
    first: element("div", "first"), title: element("div", "title"), grid: element("div", "grid"), worth: element("div", "worth"), heard: element("div", "heard"),
  };
  made.range.type = "range";
  made.range.min = "0";
  made.range.setAttribute("aria-label", "How many trees so far");
  made.canvas.setAttribute("role", "img");
  made.errors.setAttribute("role", "img");
  made.heard.setAttribute("aria-live", "polite");
  made.tip.hidden = true;
  made.head.append(made.told);
  made.stage.append(made.canvas, made.tip);
  made.line.append(made.play, made.range);
  made.curve.append(made.errors);
  made.first.append(made.title, made.grid);
  const left = element("div", "left");
  left.append(made.stage, made.line, made.about);
  made.side.append(made.curve, made.first, made.worth);
  const pictures = element("div", "pictures");
  pictures.append(left, made.side);
  root.append(made.head, pictures, made.heard);
  return { ...made, left };
}

// --- showing --------------------------------------------------------------------------------------

/** @param {View} view @param {Frame} frame */
function show(view, frame) {
  const last = frame.rounds.length - 1;
  const stayed = view.place >= 0 && view.place < view.frame.rounds.length - 1 && view.frame.rounds.length === frame.rounds.length;
  view.frame = frame;
  const named = cloudNamed(frame.cloud);
  view.cloud = named ? orderCategories(named, frame) : null;
  if (!stayed) view.place = last;
  if (!stayed) stop(view);
  view.range.max = String(Math.max(last, 0));
  view.about.textContent = `${frame.about} ${frame.massed}`.trim();
  view.root.classList.toggle("growing", last < 0);
  fillTiles(view);
  fillWorth(view);
  if (frame.say) write(view.heard, frame.say);
  paint(view);
}

/** @param {View} view */
function paint(view) {
  const { frame, root, cloud } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const beside = width >= 900;
  const wide = beside ? Math.floor(0.56 * (width - GAP)) : width;
  root.classList.toggle("beside", beside);
  const pen = size(view.canvas, { width: wide, height: 10 });
  pen.font = font(frame, 12);
  const height = Math.round(Math.max(300, Math.min(0.72 * wide, 470)));
  const at = layoutOf(wide, scene(frame), (text) => pen.measureText(text).width, height);
  at.spots = spots(at, cloud);
  view.at = at;
  size(view.canvas, at);
  const side = beside ? width - wide - GAP : width;
  view.curve.hidden = !frame.errors.length;
  if (frame.errors.length) {
    const own = { width: side, height: 206 };
    view.curveAt = curveLayout(own, frame, size(view.errors, own));
  }
  paintTiles(view);
  repaint(view);
}

/** @param {Frame} frame @returns {Picture} */
const scene = (frame) => ({ ...frame, bare: true });

/** Look at a picture.
 *  @param {View} view @param {number} place */
function turnTo(view, place) {
  view.place = Math.max(0, Math.min(view.frame.rounds.length - 1, place));
  repaint(view);
}

/** @param {View} view */
function repaint(view) {
  const { frame, at, cloud, place } = view;
  if (!at || !cloud) return;
  const words = frame.words[place] ?? "The trees grow.";
  drawPlane(fresh(view.canvas), view, at, cloud);
  view.canvas.setAttribute("aria-label", words);
  view.told.textContent = words;
  view.range.value = String(Math.max(place, 0));
  view.range.setAttribute("aria-valuetext", words);
  view.root.dataset.round = String(frame.rounds[place] ?? 0);
  view.root.dataset.worth = String(frame.worth.filter(({ permuted }) => permuted !== undefined).length);
  if (!view.curveAt || !frame.errors.length) return;
  drawCurve(fresh(view.errors), view.curveAt, frame, frame.rounds[place] ?? 1);
  view.errors.setAttribute("aria-label", `${frame.measured} by the number of trees. ${words}`);
}

/** @param {HTMLCanvasElement} canvas */
function fresh(canvas) {
  const pen = penOf(canvas);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  return pen;
}

/** @param {Pen} pen @param {View} view @param {Layout} at @param {Points} cloud */
function drawPlane(pen, { frame, place }, at, cloud) {
  const own = scene(frame);
  const some = place >= 0;
  if (some && !frame.strip) cells(pen, at.plane, own, frame.surface, place);
  const none = { ...cloud, x: new Float64Array(), y: new Float64Array(), code: new Int32Array() };
  draw(pen, at, own, frame.mass && some ? none : cloud);
  if (frame.mass && some) masses(pen, at, own, cloud, frame.mass, place);
  if (some && frame.strip) strip(pen, at, own, frame.strip.subarray(place * frame.surface.wide, (place + 1) * frame.surface.wide));
}

// --- going through the rounds ---------------------------------------------------------------------

/** From the first tree on, where the last is shown.
 *  @param {View} view */
function start(view) {
  const last = view.frame.rounds.length - 1;
  if (last < 1) return;
  if (view.place >= last) turnTo(view, 0);
  view.play.textContent = "⏸";
  view.play.setAttribute("aria-label", "Pause");
  view.timer = setInterval(() => {
    if (!view.root.isConnected || view.place >= view.frame.rounds.length - 1) stop(view);
    else turnTo(view, view.place + 1);
  }, TICK);
}

/** @param {View} view */
function stop(view) {
  clearInterval(view.timer);
  view.timer = 0;
  view.play.textContent = "▶";
  view.play.setAttribute("aria-label", "Play: build it tree by tree");
}

/** The curve answers to the pointer: the picture nearest to the round there.
 *  @param {View} view */
function alongCurve(view) {
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const { curveAt, errors, frame } = view;
    if (!curveAt) return;
    const round = roundAt(curveAt, placeIn(errors, event)[0]);
    const far = Array.from(frame.rounds, (one) => Math.abs(one - round));
    stop(view);
    turnTo(view, far.indexOf(Math.min(...far)));
  };
  view.curve.addEventListener("pointerdown", (event) => {
    view.curve.setPointerCapture(event.pointerId);
    follow(event);
  });
  view.curve.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
}

/** Say what point is under the pointer.
 *  @param {View} view @param {PointerEvent} event */
function tipAt({ tip, canvas, frame, cloud, at }, event) {
  tip.hidden = true;
  if (!at || !cloud) return;
  const near = pointNear(at, scene(frame), cloud, ...placeIn(canvas, event));
  if (!near) return;
  tip.hidden = false;
  tip.textContent = near.text;
  tip.style.left = `${Math.max(Math.min(near.x + 10, canvas.clientWidth - tip.offsetWidth), 0)}px`;
  tip.style.top = `${near.y - tip.offsetHeight - 8}px`;
}

// --- the first trees, and the features ------------------------------------------------------------

/** A button for each tree.
 *  @param {View} view */
function fillTiles(view) {
  const { frame, grid, tiles } = view;
  view.title.textContent = frame.tiles.length ? `The first ${frame.tiles.length} trees; click one to open it in Grow` : "";
  while (tiles.length > frame.tiles.length) tiles.pop()?.remove();
  while (tiles.length < frame.tiles.length) {
    const [tile, canvas, words] = [element("button", "tile"), element("canvas", ""), element("span", "")];
    tile.type = "button";
    const place = tiles.length;
    tile.addEventListener("click", () => view.host.send({ what: "open", member: view.frame.tiles[place].member }));
    tile.append(canvas, words);
    grid.append(tile);
    tiles.push(tile);
  }
  frame.tiles.forEach(({ words }, k) => {
    const text = tiles[k].querySelector("span");
    if (text) text.textContent = words;
    tiles[k].setAttribute("aria-label", `Open tree ${words} in Grow`);
  });
}

/** @param {View} view */
function paintTiles({ frame, tiles }) {
  tiles.forEach((tile, k) => {
    const canvas = tile.querySelector("canvas");
    if (!canvas) return;
    const pen = size(canvas, { width: TILE, height: TILE });
    pen.clearRect(0, 0, TILE, TILE);
    const box = { x: 0, y: 0, w: TILE, h: TILE };
    if (frame.strip) steps(pen, box, scene(frame), frame.trees, k);
    else cells(pen, box, scene(frame), frame.trees, k);
  });
}

/** A bar a feature: its share of the impurity, and what permuting it costs.
 *  @param {View} view */
function fillWorth({ frame, worth }) {
  worth.replaceChildren();
  if (!frame.worth.length) return;
  const title = element("div", "title");
  title.textContent = "What features are worth";
  worth.append(title);
  const known = frame.worth.some(({ permuted }) => permuted !== undefined);
  const most = Math.max(...frame.worth.map(({ permuted = 0 }) => permuted), 0);
  /** @param {number} value */
  const cost = (value) => (frame.percent ? `${number(100 * value, 2)}\u00a0%` : number(value, 3));
  const table = element("table", "");
  table.append(row("th", "", "share of the impurity taken away", known ? `${frame.measured} added by permuting it` : ""));
  for (const { name, impurity, permuted } of frame.worth) {
    const line = row("td", name, "", "");
    bar(line.cells[1], impurity, `${number(100 * impurity, 2)}\u00a0%`, "accent");
    if (permuted !== undefined) bar(line.cells[2], most > 0 ? permuted / most : 0, cost(permuted), "plain");
    table.append(line);
  }
  worth.append(table);
}

/** @param {"td" | "th"} kind @param {string[]} texts */
function row(kind, ...texts) {
  const made = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    made.append(cell);
  }
  return made;
}

/** @param {HTMLElement} cell @param {number} share @param {string} text @param {string} look */
function bar(cell, share, text, look) {
  const [whole, part, words] = [element("div", "bar"), element("div", `part ${look}`), element("span", "value")];
  part.style.width = `${Math.max(0, Math.min(1, share)) * 62}%`;
  words.textContent = text;
  whole.append(part, words);
  cell.append(whole);
}

// --- saving ---------------------------------------------------------------------------------------

/** The plane and the errors beside it.
 *  @param {View} view */
function svg(view) {
  const { at, curveAt, frame, cloud } = view;
  if (!at || !cloud) return "";
  const wide = curveAt ? at.width + GAP + curveAt.width : at.width;
  const pen = new SvgPen(wide, Math.max(at.height, curveAt?.height ?? 0), penOf(view.canvas));
  pen.fillStyle = frame.colours.paper;
  pen.fillRect(0, 0, wide, Math.max(at.height, curveAt?.height ?? 0));
  drawPlane(pen, view, at, cloud);
  if (curveAt) {
    pen.save();
    pen.translate(at.width + GAP, 0);
    drawCurve(pen, curveAt, frame, frame.rounds[view.place] ?? 1);
    pen.restore();
  }
  return pen.text();
}
