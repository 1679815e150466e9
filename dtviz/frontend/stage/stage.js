// The stage: points, regions and the gain of every cut on the same axes.
//
// It draws what Python computed. Moving over a cut, dragging its line and the arrow keys preview
// it at once, here; a click or Enter tells Python, and the cut stays.
//
// Glossary
//   scene    the frame: regions, lines, cuts, focus; `cloud` the points, sent on their own
//   sheets   the canvases: `floor` with the regions, `still` with the points and all over them; between
//            them is the `tint` of what each side of the cut looked at would be: points keep their
//            colours. The cut itself is on `moving`
//   spare    the sheets of the step before, for the next one, see film.js
//   film     the canvas that covers these while a split moves, see film.js
//   held     the cut that stays; `preview` the one under the pointer or the arrow keys

import { keep, onStamp } from "../lib/ahead.js";
import { cloud as cloudNamed } from "../lib/cloud.js";
import { element, heightGiven, penOf, write, zoomOf } from "../lib/dom.js";
import { hear, tell } from "../lib/link.js";
import { changeOf, Motion } from "../lib/motion.js";
import { SvgPen } from "../lib/pen.js";
import { saveMenu } from "../lib/save.js";
import { omittedCuts } from "./axes.js";
import { draw, drawFigures, drawGround } from "./draw.js";
import { animateSplit, canvasStack, takeSnapshot } from "./split_animation.js";
import { fitText, font, hasCuts, size } from "./paint.js";
import { drawCut, lineInFocus, readout, summaryText, summaryOf } from "./cut.js";
import { demonstrate } from "./demonstration.js";
import { layoutOf, rectContains } from "./layout.js";
import { orderCategories, pointNear, spots } from "./points.js";
import { ringContains } from "./rings.js";
import { isShown, steer } from "./steer.js";
import { drawTint } from "./tint.js";
import { gainFormula } from "./gain_formula.js";
import { drawRowPath, leafOf, rowNumber, pathEnd, pointOfRow, predictionText } from "./row_path.js";
import { eventOf, sendDrawnCut, drawnCutOf, placeGrips, bindGrips, rotate } from "./grips.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Cut, DrawnCut, Layout, Of, Picture, Points, Rect, CutSummary } from "../types.d.ts" */

/**
 * @typedef {Of<"stage">} Frame
 * @typedef {ReturnType<typeof build> & {
 *   root: HTMLElement, host: Host<Frame>, frame: Frame | null, scene: Picture, cloud: Points | null, at: Layout | null,
 *   held: Cut | null, preview: Cut | null, lit: string | null, under: string | null,
 *   saver: HTMLElement | null, drawn: DrawnCut | null, asked: boolean, near: number, motion: Motion,
 *   pointed: [x: number, y: number] | null,
 * }} Stage  `under` is the node under the pointer, `lit` one that is lit from anywhere; `drawn` what
 *   a hand turns, of which Python has heard once it is `asked`; `near` the point at the pointer, or -1;
 *   `pointed` where the pointer is on the plane
 * @typedef {Stage & { cloud: Points, at: Layout }} Shown
 */

/** @param {HTMLElement} root @param {Host<Frame>} host */
export function create(root, host) {
  /** @type {Stage} */
  const stage = {
    root, host, frame: null, scene: pictureOf(host.frame, root), cloud: null, at: null, held: null, preview: null,
    lit: null, under: null, saver: null, drawn: null, asked: false, near: -1, pointed: null,
    motion: new Motion(root), ...build(root),
  };
  steer(stage, { look, keep: stay, point, turn: turnBy, choose });
  bindGrips(stage, () => repaint(stage));
  new ResizeObserver(() => paint(stage)).observe(root);
  hear("cloud", ({ name }) => {
    if (stage.scene.cloud === name && !stage.cloud) show(stage, stage.scene);
  }, root);
  const { beside: mine } = host;
  hear("hover", ({ node, from, beside = false }) => from !== "stage" && beside === mine && light(stage, node), root);
  hear("row", ({ row, beside }) => beside !== mine && lightRow(stage, row), root);
  onStamp("stage", root, (frame) => {
    show(stage, pictureOf(frame, root));
    stage.frame = frame;
  }, mine);
  host.onFrame((frame) => {
    if (!("worked" in frame)) keep(frame); // Grow has none
    if (frame === stage.frame && stage.cloud) holdOn(stage); // it came ahead
    else show(stage, pictureOf(frame, root));
    stage.frame = frame;
    sendDrawnCut(stage);
  });
}

/** @param {Frame} frame @param {HTMLElement} root @returns {Picture} */
function pictureOf(frame, root) {
  return { ...frame, family: getComputedStyle(root).fontFamily };
}

/** @param {HTMLElement} root */
function build(root) {
  const [told, worked] = [readout(), gainFormula()];
  const area = element("div", "area");
  const [sheets, spare] = [canvasStack(), canvasStack()];
  spare.whole.classList.add("unseen");
  const film = element("canvas", "film");
  const slider = element("div", "slider");
  const beside = element("div", "beside");
  const handle = element("div", "handle");
  const tip = element("div", "tip");
  const heard = element("div", "heard");
  slider.tabIndex = 0;
  tip.hidden = beside.hidden = handle.hidden = true;
  heard.setAttribute("aria-live", "polite");
  film.setAttribute("aria-hidden", "true");
  const grips = [element("div", "grip"), element("div", "grip")];
  area.append(sheets.whole, spare.whole, film, slider, beside, handle, ...grips, tip);
  const head = element("div", "head");
  head.append(told.element);
  root.append(head, area, worked.element, heard);
  return { told, worked, area, sheets, spare, film, slider, beside, handle, grips, tip, heard, head };
}

// --- showing a frame ------------------------------------------------------------------------------

/** @param {Stage} stage @param {Picture} scene */
function show(stage, scene) {
  const { scene: before, motion } = stage;
  const change = before.cloud === scene.cloud && changeOf(Object.keys(before.fills ?? {}), Object.keys(scene.fills ?? {}));
  if (before.stamp !== scene.stamp || before.colours.dark !== scene.colours.dark) motion.end(); // else it shows this one
  const moves = change && isShown(stage) && motion.step();
  stage.scene = scene;
  stage.held = scene.chosen ?? null;
  stage.preview = null;
  const cloud = cloudNamed(scene.cloud);
  stage.cloud = cloud ? orderCategories(cloud, scene) : null;
  if (before.cloud !== scene.cloud || !stage.cloud) unpoint(stage);
  if (!stage.cloud) {
    stage.at = null; // nothing answers until the points have come
    return;
  }
  const older = moves && isShown(stage) ? takeSnapshot(stage, before) : null;
  paint(stage);
  if (stage.pointed && isShown(stage)) point(stage, ...stage.pointed); // what is said there is another
  else if (stage.near >= 0) lightRow(stage, rowNumber(stage.cloud, stage.near)); // as the other screen has it
  if (change && older && isShown(stage)) animateSplit(stage, older, change);
  offerToSave(stage);
  demonstrate(stage, look);
  if (scene.say) write(stage.heard, scene.say);
}

/** What is shown is what Python says: of the cuts, the one that it holds.
 *  @param {Stage} stage */
function holdOn(stage) {
  const held = stage.scene.chosen ?? null;
  if (String(stage.held) === String(held)) return;
  stage.held = held;
  repaint(stage);
}

/** @param {Stage} stage */
function paint(stage) {
  const { scene, cloud, sheets: { floor, tint, still, moving }, area, head, root } = stage;
  const width = Math.floor(area.clientWidth);
  if (!width || !cloud) return;
  const pen = penOf(still);
  pen.font = font(scene, 12);
  const room = heightGiven(root) && (root.clientHeight - head.offsetHeight) / zoomOf(area);
  const at = layoutOf(width, scene, (text) => pen.measureText(text).width, room);
  at.spots = spots(at, cloud);
  if (at.width !== stage.at?.width || at.height !== stage.at.height) {
    stage.motion.end();
    if (stage.pointed) unpoint(stage); // the pointer is elsewhere on it
  }
  stage.at = at;
  for (const canvas of [floor, tint, still, moving]) size(canvas, at);
  area.style.height = `${at.height}px`;
  for (const canvas of [floor, still]) penOf(canvas).clearRect(0, 0, at.width, at.height);
  drawGround(penOf(floor), at, scene);
  drawFigures(pen, at, scene, cloud);
  placeBeside(stage.beside, at);
  repaint(stage);
}

/** Draw the moving part and say what it shows.
 *  @param {Stage} stage */
function repaint(stage) {
  if (!isShown(stage)) return;
  const { scene, cloud, at, sheets: { tint, moving }, root } = stage;
  const cut = stage.preview ?? stage.held;
  drawTint(penOf(tint), at, scene, cloud, cut);
  drawCut(penOf(moving), at, scene, cloud, { cut, lit: stage.lit, drawn: stage.drawn });
  drawRowPath(penOf(moving), at, scene, cloud, stage.near);
  note(root, "data-way", pathEnd(scene, stage.near) ?? "");
  const told = cut && hasCuts(scene) ? summaryOf(scene, cloud, cut) : null;
  if (hasCuts(scene)) stage.told.say(scene, told);
  stage.worked.say(scene, cut);
  speak(stage, cut, told);
  placeHandle(stage, cut);
  placeGrips(stage, cut);
  note(root, "data-step", scene.stamp ?? "bare");
  note(root, "data-focus", scene.focus ?? "");
  note(root, "data-lit", stage.lit ?? "");
  note(root, "data-cut", told ? told.rule : "");
  note(root, "data-held", stage.held ? `${stage.held}` : "");
}

/** @param {Stage} given @param {Cut | null} cut @param {CutSummary | null} told */
function speak({ slider, scene }, cut, told) {
  if (!hasCuts(scene)) {
    slider.removeAttribute("tabindex");
    note(slider, "role", "img");
    note(slider, "aria-label", scene.about ?? "");
    return;
  }
  const count = scene.cuts[cut ? cut[0] : 0].threshold.length;
  note(slider, "role", "slider");
  const drawn = omittedCuts(scene);
  note(slider, "aria-label", `Cut of node ${scene.focus}; ${drawn && `${drawn} drawn; `}arrow keys move it, Enter keeps it`);
  note(slider, "aria-valuemin", count ? "1" : "0");
  note(slider, "aria-valuemax", String(count));
  note(slider, "aria-valuenow", String(cut ? cut[1] + 1 : 0));
  note(slider, "aria-valuetext", told ? summaryText(told) : "no cut");
}

/** Set an attribute that is another: to set the same again costs as much.
 *  @param {HTMLElement} one @param {string} name @param {string} value */
function note(one, name, value) {
  if (one.getAttribute(name) !== value) one.setAttribute(name, value);
}

/** The strip beside the plane is scrubbed up and down: there a finger must not scroll the page.
 *  @param {HTMLElement} beside @param {Layout} at */
function placeBeside(beside, at) {
  const strip = at.strips[1];
  beside.hidden = !strip;
  if (strip) put(beside, strip);
}

/** @param {Shown} stage @param {Cut | null} cut */
function placeHandle({ handle, scene, at }, cut) {
  const ends = cut && hasCuts(scene) && scene.seen && scene.can.cut && lineInFocus(at, scene, cut);
  handle.hidden = !ends;
  if (!ends) return;
  const [ax, ay, bx, by] = ends;
  handle.dataset.axis = String(cut[0]);
  if (cut[0] === 0) put(handle, { x: ax - 12, y: ay, w: 24, h: by - ay });
  else put(handle, { x: ax, y: ay - 12, w: bx - ax, h: 24 });
}

/** @param {HTMLElement} made @param {Rect} given */
function put(made, { x, y, w, h }) {
  Object.assign(made.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
}

// --- what the user does ---------------------------------------------------------------------------

/** Look at a cut, or (null) back at the one that stays.
 *  @param {Stage} stage @param {Cut | null} cut */
function look(stage, cut) {
  if (String(stage.preview) === String(cut)) return;
  stage.motion.end();
  stage.preview = cut;
  repaint(stage);
}

/** @param {Stage} stage @param {Cut} cut */
function stay(stage, cut) {
  const { scene, host } = stage;
  if (!hasCuts(scene)) return;
  stage.held = cut;
  stage.preview = null;
  repaint(stage);
  const index = scene.cuts[cut[0]].index[cut[1]];
  host.send({ what: "cut", stamp: scene.stamp, index });
}

/** Turn the line that stays, by so many radians.
 *  @param {Stage} stage @param {number} angle */
function turnBy(stage, angle) {
  const { scene, at, held, host } = stage;
  const from = at && hasCuts(scene) && held && drawnCutOf(scene, held);
  if (from && from.kind === "line") host.send(eventOf(rotate(from, at, angle)));
}

/** Light the region under the pointer, or the way of the point that is there, and say what it is.
 *  @param {Shown} stage @param {number} x @param {number} y @param {number} [more] */
function point(stage, x, y, more = 0) {
  const { scene, at, tip, cloud } = stage;
  const inside = rectContains(at.plane, x, y);
  stage.pointed = inside ? [x, y] : null;
  const near = inside && pointNear(stage, x, y, more);
  const leaf = near ? leafOf(scene, near.i) : null;
  const node = leaf ?? (inside ? leafAt(at, scene, x, y) : null);
  const i = near ? near.i : -1;
  if (node !== stage.under || i !== stage.near) {
    const { beside } = stage.host;
    if (i !== stage.near) tell("row", { row: near ? rowNumber(cloud, i) : null, beside });
    Object.assign(stage, { under: node, near: i, lit: node });
    sayLit(stage, node, leaf !== null);
    repaint(stage);
  }
  tip.hidden = !near;
  if (near) {
    const row = hasCuts(scene) ? `. Row ${rowNumber(cloud, near.i)}${predictionText(scene, near.i)}` : "";
    tip.textContent = `${near.text}${row}`;
    const left = Math.min(near.x + 10, at.width - tip.offsetWidth - 2);
    tip.style.left = `${Math.max(left, 0)}px`;
    tip.style.top = `${Math.max(near.y - tip.offsetHeight - 8, 0)}px`;
  }
}

/** Nothing is at the pointer any more, here and elsewhere.
 *  @param {Stage} stage */
function unpoint(stage) {
  const { beside } = stage.host;
  if (stage.pointed && stage.near >= 0) tell("row", { row: null, beside }); // else it is the other screen's
  if (stage.under !== null || stage.near >= 0) sayLit(stage, null, false);
  Object.assign(stage, { pointed: null, near: -1, under: null, lit: null });
  stage.tip.hidden = true;
}

/** Tell the tree of the same screen which node is lit.
 *  @param {Stage} given @param {string | null} node @param {boolean} way */
function sayLit({ host: { beside } }, node, way) {
  tell("hover", { node, from: "stage", beside, ...(way ? { way } : {}) });
}

/** Light the row that is pointed at on the other screen, with its way here.
 *  @param {Stage} stage @param {number | null} row */
function lightRow(stage, row) {
  if (!isShown(stage)) return;
  const { scene, cloud } = stage;
  const near = row === null ? -1 : pointOfRow(cloud, row);
  const lit = leafOf(scene, near);
  Object.assign(stage, { near, lit, under: null });
  if (row !== null) stage.pointed = null; // the pointer is on the other
  sayLit(stage, lit, lit !== null);
  repaint(stage);
}

/** What a click chooses: the way of the point there and its leaf, again none; else the region.
 *  @param {Shown} stage */
function choose({ scene, cloud, host, near, under }) {
  if (near >= 0) {
    const number = rowNumber(cloud, near);
    const again = scene.row?.number === number && scene.focus === under;
    host.send({ what: "row", row: again ? null : number, focus: true });
  } else if (under && hasCuts(scene) && scene.can.focus) host.send({ what: "focus", node: under });
}

/** The leaf at a pixel, or null.
 *  @param {Layout} at @param {Picture} scene @param {number} x @param {number} y */
function leafAt({ rings }, { fills = {} }, x, y) {
  for (const [node, ring] of rings) if (fills[node] !== undefined && ringContains(ring, x, y)) return node;
  return null;
}

/** @param {Stage} stage @param {string | null} node */
function light(stage, node) {
  if (stage.lit === node || !stage.at) return;
  stage.lit = node;
  repaint(stage);
}

// --- saving ---------------------------------------------------------------------------------------

/** @param {Stage} stage */
function offerToSave(stage) {
  if (stage.saver) return;
  stage.saver = saveMenu("stage", () => (isShown(stage) ? svg(stage) : ""), () => stage.scene.colours.paper);
  stage.head.append(stage.saver);
}

/** @param {Shown} stage */
function svg({ at, scene, cloud, held, sheets: { still } }) {
  const foot = held ? 26 : 0; // what the readout says, under the picture
  const pen = new SvgPen(at.width, at.height + foot, penOf(still));
  pen.fillStyle = scene.colours.paper;
  pen.fillRect(0, 0, at.width, at.height + foot);
  drawTint(pen, at, scene, cloud, held);
  draw(pen, at, scene, cloud);
  drawCut(pen, at, scene, cloud, { cut: held, lit: null, drawn: null });
  if (held && hasCuts(scene)) {
    pen.font = font(scene, 12);
    pen.fillStyle = scene.colours.ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(fitText(pen, summaryText(summaryOf(scene, cloud, held)), at.width - 12), 6, at.height + 10);
  }
  return pen.text();
}
