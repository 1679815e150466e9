// Page Forest: the plane while an ensemble builds, the errors after each round, the first trees, the importance of
// the features.
//
// Python sends the planes of all rounds, so that the time-line, the curve and the play button show another without a
// request. A click on a tree tells Python to open that tree in Grow.
//
// Glossary
//   place    the index of a picture: the plane after one of the frame's rounds; the last is the whole ensemble

// @ts-types="../vendor/d3.d.ts"
import { leastIndex } from "../vendor/d3.js";
import { blank, clear, size, svgOf } from "../draw/canvas.js";
import { moved, textWidth } from "../draw/marks.js";
import { showTip } from "../draw/pointer.js";
import { saveMenu } from "../draw/save.js";
import { button, element, penOf, positionIn, write } from "../lib/dom.js";
import { number } from "../lib/format.js";
import { addDial, presentedHeight } from "../lib/presentation.js";
import { hear } from "../lib/link.js";
import { createSettings, sentValues } from "../lib/settings.js";
import { draw } from "../stage/draw.js";
import { layoutOf } from "../stage/layout.js";
import { orderCategories, pointNear, spots } from "../stage/points.js";
import { drawCurve, layOutCurve, roundAt } from "./curve.js";
import { drawPredictions, drawSmallPredictions, drawWeightedPoints, fillCells } from "./surface.js";

/** @import { PageHost } from "../lib/channel.js" */
/** @import { CurveChart, Layout, FrameOf, PageParts, Pen, PictureEvent, Picture, Points } from "../types.d.ts" */
/** @import { ForestPicture } from "./curve.js" */

const GAP = 20;
const MS_A_PICTURE = 140; // while the pictures play
const TILE_SIZE = 68;

/**
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, page: PageHost, frame: ForestPicture, cloud: Points | null, layout: Layout | null,
 *   curveLayout: CurveChart | null, place: number, timer: number, tiles: HTMLButtonElement[],
 * }} ForestView
 */

/** @param {HTMLElement} root @param {PageHost} page */
export function create(root, page) {
  root.classList.add("forest");
  const { forest } = page.frame.parts;
  if (!forest) return; // Python always sends it
  /** @type {ForestView} */
  const view = {
    root, page, frame: pictureOf(forest, root), cloud: null, layout: null, curveLayout: null, place: -1, timer: 0, tiles: [], ...build(root, page),
  };
  new ResizeObserver(() => paint(view)).observe(root);
  view.range.addEventListener("input", () => {
    pause(view);
    showPlace(view, Number(view.range.value));
  });
  view.playButton.addEventListener("click", () => (view.timer ? pause(view) : play(view)));
  followCurve(view);
  view.plane.addEventListener("pointermove", (event) => pointAt(view, event));
  view.plane.addEventListener("pointerleave", () => { view.tip.hidden = true; });
  view.head.append(saveMenu("forest", () => pictureSvg(view), () => view.frame.colours.paper));
  hear("present", () => paint(view), root);
  addDial({ root, words: "Page Up and Page Down: more trees and fewer", step: (by) => step(view, by) });
  page.onFrame(({ parts }) => show(view, parts));
}

/** @param {PageHost} page @param {PictureEvent} event */
const send = (page, event) => page.send(event, 0, "forest");

/** @param {FrameOf<"forest">} frame @param {HTMLElement} root @returns {ForestPicture} */
const pictureOf = (frame, root) => ({ ...frame, family: getComputedStyle(root).fontFamily });

/** @param {HTMLElement} root @param {PageHost} page */
function build(root, page) {
  const elements = {
    settings: createSettings((values) => send(page, { what: "plan", values })),
    head: element("div", "head"), headline: element("div", "told"), note: element("p", "about"), caption: element("p", "caption"),
    plane: element("div", "plane"), floor: element("canvas", "floor"), canvas: element("canvas", ""), tip: element("div", "tip"),
    timeLine: element("div", "rounds"), playButton: button("▶", "Play: build it tree by tree"), range: element("input", ""),
    side: element("div", "side"), curve: element("div", "curve"), curveCanvas: element("canvas", ""),
    firstTrees: element("div", "first"), title: element("div", "title"), grid: element("div", "grid"),
    importance: element("div", "worth"), announcer: element("div", "heard"),
  };
  elements.range.type = "range";
  elements.range.min = "0";
  elements.range.setAttribute("aria-label", "How many trees so far");
  elements.canvas.setAttribute("role", "img");
  elements.curveCanvas.setAttribute("role", "img");
  elements.announcer.setAttribute("aria-live", "polite");
  elements.tip.hidden = true;
  elements.head.append(elements.headline);
  elements.floor.setAttribute("aria-hidden", "true"); // the canvas over it has the words of both
  elements.plane.append(elements.floor, elements.canvas, elements.tip);
  elements.timeLine.append(elements.playButton, elements.range);
  elements.curve.append(elements.curveCanvas);
  elements.firstTrees.append(elements.title, elements.grid);
  const left = element("div", "left");
  left.append(elements.plane, elements.timeLine, elements.note, elements.caption);
  elements.side.append(elements.curve, elements.firstTrees, elements.importance);
  const pictures = element("div", "pictures");
  pictures.append(left, elements.side);
  root.append(elements.settings.element, elements.head, pictures, elements.announcer);
  return { ...elements, left };
}

// --- showing --------------------------------------------------------------------------------------

/** @param {ForestView} view @param {PageParts} parts */
function show(view, { forest, plain }) {
  if (!forest || !plain) return;
  const frame = pictureOf(forest, view.root);
  const last = frame.rounds.length - 1;
  const keepsPlace = view.place >= 0 && view.place < view.frame.rounds.length - 1 && view.frame.rounds.length === frame.rounds.length;
  view.frame = frame;
  view.cloud = orderCategories(plain, frame);
  view.settings.show(frame.head, sentValues(view.page, "plan"));
  if (!keepsPlace) {
    view.place = last;
    pause(view);
  }
  view.range.max = String(Math.max(last, 0));
  write(view.note, `${frame.description} ${frame.point_size_note}`.trim());
  write(view.caption, frame.caption);
  view.caption.hidden = !frame.caption;
  view.root.classList.toggle("growing", last < 0);
  fillTiles(view);
  fillImportance(view);
  if (frame.announcement) write(view.announcer, frame.announcement);
  paint(view);
}

/** @param {ForestView} view */
function paint(view) {
  const { frame, root, cloud } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const isWide = width >= 900;
  const planeWidth = isWide ? Math.floor(0.56 * (width - GAP)) : width;
  root.classList.toggle("beside", isWide);
  const usualHeight = Math.round(Math.max(300, Math.min(0.72 * planeWidth, 470)));
  const height = isWide ? presentedHeight(root, view.plane, usualHeight) : usualHeight;
  const layout = layoutOf(planeWidth, sceneOf(frame), textWidth(penOf(view.canvas), frame), height);
  layout.spots = spots(layout, cloud);
  view.layout = layout;
  for (const canvas of [view.floor, view.canvas]) size(canvas, layout);
  view.curve.hidden = !frame.errors.length;
  if (frame.errors.length) {
    const box = { width: isWide ? width - planeWidth - GAP : width, height: 206 };
    view.curveLayout = layOutCurve(box, frame, size(view.curveCanvas, box));
  }
  paintTiles(view);
  drawFigures(clear(view.canvas), view, layout, cloud);
  repaint(view);
}

/** @param {ForestPicture} frame @returns {Picture} */
const sceneOf = (frame) => ({ ...frame, bare: true });

/** Show the picture at a place.
 *  @param {ForestView} view @param {number} place */
function showPlace(view, place) {
  const { frame, canvas, layout, cloud } = view;
  view.place = Math.max(0, Math.min(frame.rounds.length - 1, place));
  // over most ensembles only the floor changes
  if (layout && cloud && (frame.point_size || frame.strip)) drawFigures(clear(canvas), view, layout, cloud);
  repaint(view);
}

/** Show the words, the floor and the curve of the place.
 *  @param {ForestView} view */
function repaint(view) {
  const { frame, layout, place } = view;
  if (!layout) return;
  const text = frame.headlines[place] ?? "The trees grow.";
  drawFloor(clear(view.floor), view, layout);
  view.canvas.setAttribute("aria-label", text);
  write(view.headline, text);
  view.range.value = String(Math.max(place, 0));
  view.range.setAttribute("aria-valuetext", text);
  view.root.dataset.round = String(frame.rounds[place] ?? 0);
  view.root.dataset.worth = String(frame.importances.filter(({ permuted }) => permuted !== undefined).length);
  if (!view.curveLayout || !frame.errors.length) return;
  drawCurve(clear(view.curveCanvas), view.curveLayout, frame, frame.rounds[place] ?? 1);
  view.curveCanvas.setAttribute("aria-label", `${frame.error_name} by the number of trees. ${text}`);
}

/** Draw what the trees predict, under the points.
 *  @param {Pen} pen @param {ForestView} view @param {Layout} layout */
function drawFloor(pen, { frame, place }, layout) {
  if (place >= 0 && !frame.strip) fillCells(pen, layout.plane, sceneOf(frame), frame.surface, place);
}

/** Draw the points, as large as they count, with axes and legend; over a strip the predictions as well.
 *  @param {Pen} pen @param {ForestView} view @param {Layout} layout @param {Points} cloud */
function drawFigures(pen, { frame, place }, layout, cloud) {
  const { point_size: pointSizes, strip, surface } = frame;
  const scene = sceneOf(frame);
  const hasTree = place >= 0;
  const noPoints = { ...cloud, x: new Float64Array(), y: new Float64Array(), code: new Int32Array() };
  draw(pen, layout, scene, pointSizes && hasTree ? noPoints : cloud);
  if (pointSizes && hasTree) drawWeightedPoints(pen, layout, scene, cloud, pointSizes, place);
  if (strip && hasTree) drawPredictions(pen, layout, scene, strip.subarray(place * surface.cells_across, (place + 1) * surface.cells_across));
}

// --- playing the rounds ---------------------------------------------------------------------------

/** Plays the pictures from the one shown on, or from the first on if the last is shown.
 *  @param {ForestView} view */
function play(view) {
  const last = view.frame.rounds.length - 1;
  if (last < 1) return;
  if (view.place >= last) showPlace(view, 0);
  view.playButton.textContent = "⏸";
  view.playButton.setAttribute("aria-label", "Pause");
  view.timer = setInterval(() => {
    if (!view.root.isConnected || view.place >= view.frame.rounds.length - 1) pause(view);
    else showPlace(view, view.place + 1);
  }, MS_A_PICTURE);
}

/** Show the next picture or the one before; after the last the first.
 *  @param {ForestView} view @param {1 | -1} by */
function step(view, by) {
  pause(view);
  showPlace(view, by > 0 && view.place === view.frame.rounds.length - 1 ? 0 : view.place + by);
}

/** @param {ForestView} view */
function pause(view) {
  clearInterval(view.timer);
  view.timer = 0;
  view.playButton.textContent = "▶";
  view.playButton.setAttribute("aria-label", "Play: build it tree by tree");
}

/** Let the pointer move along the curve: shows the picture nearest to the round there.
 *  @param {ForestView} view */
function followCurve(view) {
  /** @param {PointerEvent} event */
  const follow = (event) => {
    const { curveLayout, curveCanvas, frame } = view;
    if (!curveLayout) return;
    const round = roundAt(curveLayout, positionIn(curveCanvas, event)[0]);
    pause(view);
    showPlace(view, leastIndex(frame.rounds, (pictured) => Math.abs(pictured - round)));
  };
  view.curve.addEventListener("pointerdown", (event) => {
    view.curve.setPointerCapture(event.pointerId);
    follow(event);
  });
  view.curve.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
}

/** Show the tip of the point under the pointer.
 *  @param {ForestView} view @param {PointerEvent} event */
function pointAt({ tip, canvas, frame, cloud, layout }, event) {
  const point = layout && cloud && pointNear(layout, sceneOf(frame), cloud, ...positionIn(canvas, event));
  showTip(tip, point, canvas.clientWidth);
}

// --- the first trees, and the features ------------------------------------------------------------

/** Create a button for each of the first trees; buttons that exist are kept.
 *  @param {ForestView} view */
function fillTiles(view) {
  const { frame, grid, tiles } = view;
  view.title.textContent = frame.tiles.length ? `The first ${frame.tiles.length} trees; click one to open it in Grow` : "";
  while (tiles.length > frame.tiles.length) tiles.pop()?.remove();
  while (tiles.length < frame.tiles.length) {
    const [tile, canvas, label] = [element("button", "tile"), element("canvas", ""), element("span", "")];
    tile.type = "button";
    const place = tiles.length;
    tile.addEventListener("click", () => send(view.page, { what: "open", member: view.frame.tiles[place].member }));
    tile.append(canvas, label);
    grid.append(tile);
    tiles.push(tile);
  }
  frame.tiles.forEach(({ title: words }, k) => {
    const label = tiles[k].querySelector("span");
    if (label) label.textContent = words;
    tiles[k].setAttribute("aria-label", `Open tree ${words} in Grow`);
  });
}

/** @param {ForestView} view */
function paintTiles({ frame, tiles }) {
  tiles.forEach((tile, k) => {
    const canvas = tile.querySelector("canvas");
    if (!canvas) return;
    const pen = blank(canvas, { width: TILE_SIZE, height: TILE_SIZE });
    const box = { x: 0, y: 0, w: TILE_SIZE, h: TILE_SIZE };
    if (frame.strip) drawSmallPredictions(pen, box, sceneOf(frame), frame.trees, k);
    else fillCells(pen, box, sceneOf(frame), frame.trees, k);
  });
}

/** Fill the table of importances: for each feature a bar of its share of the gains, and a bar of the error that permuting it adds.
 *  @param {ForestView} view */
function fillImportance({ frame, importance }) {
  importance.replaceChildren();
  if (!frame.importances.length) return;
  const title = element("div", "title");
  title.textContent = "What features are worth";
  importance.append(title);
  const hasPermuted = frame.importances.some(({ permuted }) => permuted !== undefined);
  const highest = Math.max(...frame.importances.map(({ permuted = 0 }) => permuted), 0);
  /** @param {number} value */
  const errorText = (value) => (frame.percent ? `${number(100 * value, 2)}\u00a0%` : number(value, 3));
  const table = element("table", "");
  table.append(createRow("th", "", "share of the impurity taken away", hasPermuted ? `${frame.error_name} added by permuting it` : ""));
  for (const { name, impurity, permuted } of frame.importances) {
    const row = createRow("td", name, "", "");
    appendBar(row.cells[1], impurity, `${number(100 * impurity, 2)}\u00a0%`, "accent");
    if (permuted !== undefined) appendBar(row.cells[2], highest > 0 ? permuted / highest : 0, errorText(permuted), "plain");
    table.append(row);
  }
  importance.append(table);
}

/** @param {"td" | "th"} kind @param {string[]} texts */
function createRow(kind, ...texts) {
  const row = document.createElement("tr");
  for (const text of texts) {
    const cell = document.createElement(kind);
    cell.textContent = text;
    row.append(cell);
  }
  return row;
}

/** @param {HTMLElement} cell @param {number} share @param {string} text @param {string} style */
function appendBar(cell, share, text, style) {
  const [bar, part, label] = [element("div", "bar"), element("div", `part ${style}`), element("span", "value")];
  part.style.width = `${Math.max(0, Math.min(1, share)) * 62}%`;
  label.textContent = text;
  bar.append(part, label);
  cell.append(bar);
}

// --- saving ---------------------------------------------------------------------------------------

/** SVG of the plane, of the errors beside it, and of the headline under them.
 *  @param {ForestView} view */
function pictureSvg(view) {
  const { layout, curveLayout, frame, cloud } = view;
  if (!layout || !cloud) return "";
  const width = curveLayout ? layout.width + GAP + curveLayout.width : layout.width;
  const height = Math.max(layout.height, curveLayout?.height ?? 0);
  return svgOf({ width, height }, frame, view.canvas, (pen) => {
    drawFloor(pen, view, layout);
    drawFigures(pen, view, layout, cloud);
    if (curveLayout) moved(pen, layout.width + GAP, 0, () => drawCurve(pen, curveLayout, frame, frame.rounds[view.place] ?? 1));
  }, view.headline.textContent ?? "");
}
