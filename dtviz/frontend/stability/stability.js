// Page Stability: the full tree with the split lines of trees grown from other rows, or one of those trees.
//
// Python sends all trees as the tiles that they share, so that pointing at a row, or at a tree of the list, shows
// a tree without a request. A click sends the tree to Python as the setting.
//
// Glossary
//   place    the index of a tree in the frame, those that change most first; -1 for the full tree
//   preview  the place that pointer or keys show; null: the tree of the setting is shown

import { clear, size, svgOf } from "../draw/canvas.js";
import { textWidth } from "../draw/marks.js";
import { showTip } from "../draw/pointer.js";
import { saveMenu } from "../draw/save.js";
import { shapeIcon } from "../draw/shapes.js";
import { button, element, penOf, positionIn, write } from "../lib/dom.js";
import { hear } from "../lib/link.js";
import { addDial, isPresenting, presentedHeight } from "../lib/presentation.js";
import { createSettings, sentValues } from "../lib/settings.js";
import { draw } from "../stage/draw.js";
import { layoutOf } from "../stage/layout.js";
import { orderCategories, pointNear, spots } from "../stage/points.js";
import { drawPlane } from "./draw.js";
import { fillRoots } from "./roots.js";
import { changeLabel, headline, nameOf, pointText } from "./words.js";

/** @import { Layer } from "../frames.d.ts" */
/** @import { PageHost } from "../lib/channel.js" */
/** @import { Layout, FrameOf, PageParts, PictureEvent, Points, StabilityPicture } from "../types.d.ts" */

const MAX_TREES_LISTED = 8;
const MIN_WIDE_PIXELS = 860; // of a page with the panels beside the plane
const PLANE_SHARE = 0.64; // of the width of such a page

/**
 * @typedef {FrameOf<"stability">} StabilityFrame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, page: PageHost, frame: StabilityPicture, cloud: Points | null, layer: Layer | null, layout: Layout | null,
 *   preview: number | null, items: HTMLButtonElement[],
 * }} StabilityView  `items` are the buttons of the list
 */

/** @param {HTMLElement} root @param {PageHost} page */
export function create(root, page) {
  root.classList.add("stability");
  const { stability } = page.frame.parts;
  if (!stability) return; // Python always sends it
  /** @type {StabilityView} */
  const view = {
    root, page, frame: pictureOf(stability, root), cloud: null, layer: null, layout: null, preview: null, items: [], ...build(root, page),
  };
  steerPlane(view);
  view.pictures.append(saveMenu("trees", () => pictureSvg(view), () => view.frame.colours.paper));
  new ResizeObserver(() => paint(view)).observe(root);
  hear("present", () => paint(view), root);
  addDial({ root, words: "Page Up and Page Down: another tree", step: (by) => step(view, by) });
  page.onFrame(({ parts }) => show(view, parts));
}

/** @param {PageHost} page @param {PictureEvent} event */
const send = (page, event) => page.send(event, 0, "stability");

/** @param {StabilityFrame} frame @param {HTMLElement} root @returns {StabilityPicture} */
function pictureOf(frame, root) {
  return /** @type {StabilityPicture} */ ({ tree_number: new Int32Array(), layer: "", ...frame, family: getComputedStyle(root).fontFamily });
}

/** @param {HTMLElement} root @param {PageHost} page */
function build(root, page) {
  const elements = {
    settings: createSettings((values) => send(page, { what: "set", values })), sentence: element("p", "sentence"),
    pictures: element("div", "pictures"), caption: element("p", "caption"), opener: button("Open in Grow", "The tree that was clicked, on its own rows"),
    area: element("div", "area"), canvas: element("canvas", "plane"), slider: element("div", "slider"), tip: element("div", "tip"),
    panels: element("div", "beside"), headline: element("div", "told"), roots: element("div", "roots"),
    list: element("div", "list"), title: element("div", "title"),
  };
  elements.slider.tabIndex = 0;
  elements.slider.setAttribute("role", "slider");
  elements.slider.setAttribute("aria-label", "The trees, those that change most first; the arrow keys go through them");
  elements.slider.setAttribute("aria-valuemin", "0");
  elements.canvas.setAttribute("aria-hidden", "true");
  elements.headline.setAttribute("aria-live", "polite");
  elements.tip.hidden = true;
  elements.area.append(elements.canvas, elements.slider, elements.tip);
  elements.opener.removeAttribute("aria-label"); // its text says it
  elements.opener.addEventListener("click", () => send(page, { what: "open" }));
  const trees = createSection(elements.title, elements.list);
  trees.prepend(elements.opener);
  elements.panels.append(elements.headline, createSection(element("div", "title"), elements.roots, "Which feature is cut first"), trees);
  elements.pictures.append(elements.area, elements.panels);
  root.append(elements.settings.element, elements.sentence, elements.pictures, elements.caption);
  return elements;
}

/** @param {HTMLElement} head @param {HTMLElement} panel */
function createSection(head, panel, title = "") {
  const section = element("div", "section");
  head.textContent = title;
  section.append(head, panel);
  return section;
}

// --- the tree that is shown -----------------------------------------------------------------------

/** Place of the tree of the setting: of the setting sent last, while Python has not answered.
 *  @param {StabilityView} view */
function committedPlace({ page, frame }) {
  for (const act of page.pending.toReversed()) {
    if (act.what === "set" && "shown" in act.values) return act.values.shown === null ? -1 : frame.tree_number.indexOf(Number(act.values.shown));
  }
  return frame.tree_number.length ? frame.shown_tree : -1;
}

/** @param {StabilityView} view */
const shownPlace = (view) => view.preview ?? committedPlace(view);

/** @param {StabilityView} view @param {number | null} place */
function showPlace(view, place) {
  if (view.preview === place) return;
  view.preview = place;
  repaint(view);
}

/** Send the tree at a place to Python as the setting; the full tree if the setting is that place already.
 *  @param {StabilityView} view @param {number} place */
function commit(view, place) {
  const shown = place < 0 || place === committedPlace(view) ? null : view.frame.tree_number[place];
  view.preview = null;
  send(view.page, { what: "set", values: { shown } });
  repaint(view);
}

/** Show the next tree or the one before as the setting; before the first is the full tree.
 *  @param {StabilityView} view @param {1 | -1} by */
function step(view, by) {
  const place = Math.max(-1, Math.min(shownPlace(view) + by, view.frame.tree_number.length - 1));
  if (place !== committedPlace(view)) commit(view, place);
}

/** @param {StabilityView} view */
function steerPlane(view) {
  const { slider, tip } = view;
  slider.addEventListener("pointermove", (event) => {
    const point = pointAt(view, event);
    if (!view.frame.tree_number.length) return;
    showPlace(view, point && view.frame.is_leave_one_out ? placeWithout(view, point.i) : null);
    showTip(tip, point && { ...point, text: `${point.text}\n${pointText(view.frame, point.i)}` }, view.layout?.width ?? 0);
  });
  slider.addEventListener("pointerleave", (event) => {
    tip.hidden = true;
    if (event.pointerType === "mouse") showPlace(view, null);
  });
  slider.addEventListener("click", (event) => {
    const point = pointAt(view, event);
    const place = point && view.frame.is_leave_one_out ? placeWithout(view, point.i) : null;
    if (place !== null) commit(view, place);
    else if (committedPlace(view) >= 0) commit(view, -1);
  });
  slider.addEventListener("keydown", (event) => {
    const place = placeOfKey(view, event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || place === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter" || event.key === " ") commit(view, shownPlace(view));
    else showPlace(view, place);
  });
  slider.addEventListener("blur", () => showPlace(view, null));
}

/** Place that a key leads to; null for the tree of the setting, undefined for a key without a meaning here.
 *  @param {StabilityView} view @param {string} key */
function placeOfKey(view, key) {
  const [place, last] = [shownPlace(view), view.frame.tree_number.length - 1];
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(place + 1, last);
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(place - 1, -1);
  if (key === "Home") return Math.min(0, last);
  if (key === "End") return last;
  if (key === "Escape") return null;
  return key === "Enter" || key === " " ? place : undefined;
}

/** Place of the tree grown without a row, or null.
 *  @param {StabilityView} view @param {number} i */
const placeWithout = ({ frame }, i) => (frame.tree[i] >= 0 ? frame.tree[i] : null);

/** @param {StabilityView} view @param {MouseEvent} event */
function pointAt({ slider, frame, cloud, layout }, event) {
  return cloud && layout ? pointNear(layout, frame, cloud, ...positionIn(slider, event)) : null;
}

// --- showing --------------------------------------------------------------------------------------

/** @param {StabilityView} view @param {PageParts} parts */
function show(view, { stability, plain, layer }) {
  if (!stability || !plain) return;
  const frame = pictureOf(stability, view.root);
  if (frame.layer !== view.frame.layer) view.preview = null;
  [view.frame, view.cloud, view.layer] = [frame, orderCategories(plain, frame), layer ?? null];
  view.settings.show(frame.head, sentValues(view.page, "set"));
  for (const [paragraph, text] of /** @type {const} */ ([[view.sentence, frame.sentence], [view.caption, frame.caption]])) {
    write(paragraph, text);
    paragraph.hidden = !text;
  }
  view.opener.hidden = !frame.head.settings;
  view.opener.disabled = !frame.can_open;
  view.panels.hidden = !frame.tree_number.length;
  if (frame.tree_number.length) fillList(view);
  paint(view);
}

/** Fill the list with a button for each of the trees that change most.
 *  @param {StabilityView} view */
function fillList(view) {
  const { frame, list, title } = view;
  title.textContent = `Trees that change most, ${frame.percent ? "in shares of the picture" : "on average over the picture"}`;
  view.items = Array.from(frame.tree_number.subarray(0, MAX_TREES_LISTED), (_, place) => createItem(view, place));
  list.replaceChildren(...view.items);
}

/** @param {StabilityView} view @param {number} place */
function createItem(view, place) {
  const { frame } = view;
  const item = button("", `Show the tree ${nameOf(frame, place)}`);
  item.removeAttribute("aria-label"); // its own words say more
  item.className = "tool tree-item";
  const [name, change, root] = [element("span", "name"), element("span", "change"), element("span", "other")];
  name.textContent = nameOf(frame, place);
  change.textContent = changeLabel(frame, place);
  root.textContent = frame.has_other_root[place] ? "another first cut" : "";
  item.append(symbol(view, place), name, change, root);
  item.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") showPlace(view, place); });
  item.addEventListener("pointerleave", () => showPlace(view, null));
  item.addEventListener("focus", () => { if (item.matches(":focus-visible")) showPlace(view, place); });
  item.addEventListener("blur", () => showPlace(view, null));
  item.addEventListener("click", () => commit(view, place));
  return item;
}

/** Create the mark of the row that a tree was grown without.
 *  @param {StabilityView} view @param {number} place */
function symbol({ frame, cloud }, place) {
  const mark = element("span", "symbol");
  const i = frame.is_leave_one_out ? frame.tree.indexOf(place) : -1;
  if (i < 0 || !cloud) return mark;
  const category = frame.classes?.[cloud.code[i]];
  mark.append(shapeIcon(category ? category[2] : "circle", category ? category[1] : frame.scale?.[cloud.code[i]] ?? ""));
  return mark;
}

/** @param {StabilityView} view */
function paint(view) {
  const { frame, cloud, root, canvas, area, roots, layer } = view;
  const width = Math.floor(root.clientWidth);
  if (!width || !cloud) return;
  const isWide = width >= MIN_WIDE_PIXELS;
  root.classList.toggle("wide", isWide);
  const planeWidth = isWide ? Math.floor(PLANE_SHARE * width) : width;
  const scene = { ...frame, bare: true };
  const layout = layoutOf(planeWidth, scene, textWidth(penOf(canvas), frame), isWide && isPresenting() && presentedHeight(root, area, 0));
  layout.spots = spots(layout, cloud);
  view.layout = layout;
  size(canvas, layout);
  area.style.width = `${planeWidth}px`;
  area.style.height = `${layout.height}px`;
  repaint(view);
  if (layer && frame.tree_number.length) fillRoots(roots, frame);
}

/** @param {StabilityView} view */
function repaint(view) {
  const { frame, canvas, layout, cloud, layer, slider, root, items } = view;
  if (!layout || !cloud) return;
  const place = shownPlace(view);
  const pen = clear(canvas);
  if (layer) drawPlane(pen, layout, frame, layer, cloud, place);
  else draw(pen, layout, { ...frame, bare: true }, cloud);
  if (frame.tree_number.length) {
    const text = headline(frame, place);
    write(view.headline, text);
    slider.setAttribute("aria-valuemax", String(frame.tree_number.length));
    slider.setAttribute("aria-valuenow", String(place + 1));
    slider.setAttribute("aria-valuetext", text);
    items.forEach((item, k) => {
      item.setAttribute("aria-pressed", String(k === committedPlace(view)));
      item.classList.toggle("looked", k === place);
    });
  }
  root.dataset.tree = place < 0 ? "full" : String(frame.tree_number[place]);
  root.dataset.trees = layer ? String(frame.tree_number.length) : "";
  root.dataset.step = frame.stamp ?? "";
}

/** SVG of the plane with the headline under it.
 *  @param {StabilityView} view */
function pictureSvg(view) {
  const { layout, frame, canvas, cloud, layer } = view;
  if (!layout || !cloud || !layer) return "";
  return svgOf(layout, frame, canvas, (pen) => drawPlane(pen, layout, frame, layer, cloud, shownPlace(view)), view.headline.textContent ?? "");
}
