// The stage: points, regions and the gain of every cut on the same axes.
//
// The stage draws what Python computed. Moving over a cut, dragging its line and the arrow keys preview
// the cut at once, here; a click or Enter sends it to Python, and the cut is chosen.
//
// Glossary
//   scene    the frame: regions, lines, cuts, focus; its `cloud` is the name of the points, which Python sends alone
//   sheets   the canvases, from back to front: `floor` has the regions; `tint` the colours that the sides of the
//            previewed cut would have; `still` the points, ticks and gains; `moving` the cut
//   spare    a second set of sheets, which has the last scene during an animation, see split_animation.js
//   chosen   the cut that Python holds; `preview` is the cut under the pointer or the arrow keys

import { blank, size, svgOf } from "../draw/canvas.js";
import { textWidth } from "../draw/marks.js";
import { rectContains, showTip } from "../draw/pointer.js";
import { saveMenu } from "../draw/save.js";
import { keep, onStamp } from "../lib/prefetch.js";
import { cloudNamed } from "../lib/cloud.js";
import { element, hasPageHeight, penOf, write, zoomOf } from "../lib/dom.js";
import { hear, tell } from "../lib/link.js";
import { changeOf, Motion } from "../lib/motion.js";
import { drawnCutsText } from "./axes.js";
import { draw, drawFigures, drawGround } from "./draw.js";
import { animateSplit, canvasStack, takeSnapshot } from "./split_animation.js";
import { hasCuts } from "./focus.js";
import { drawCut, lineInFocus, createReadout, summaryOf, summaryText } from "./cut.js";
import { demonstrate } from "./demonstration.js";
import { layoutOf } from "./layout.js";
import { orderCategories, pointNear, spots } from "./points.js";
import { createProposal, drawProposal, isProposing, noProposal, tapHint, withAxis, withCut } from "./proposal.js";
import { ringContains } from "./rings.js";
import { bindInput, isShown } from "./steer.js";
import { drawTint } from "./tint.js";
import { formulaPanel } from "./gain_formula.js";
import { drawRowPath, leafOf, pathEnd, pointOfRow, predictionText, rowNumber } from "./row_path.js";
import { deepName, hasShortNumber } from "../tree/words.js";
import { bindGrips, drawnCutOf, eventOf, placeGrips, rotate, sendDrawnCut } from "./grips.js";

/** @import { Host } from "../lib/channel.js" */
/** @import { Cut, CutSummary, DrawnCut, Layout, FrameOf, Picture, Points, Proposal, Rect } from "../types.d.ts" */

/**
 * @typedef {FrameOf<"stage">} StageFrame
 * @typedef {ReturnType<typeof build> & StageState} Stage
 * @typedef {Stage & { cloud: Points, layout: Layout }} ShownStage  a stage whose points have come
 *
 * @typedef {object} StageState
 * @property {HTMLElement} root
 * @property {Host<StageFrame>} host
 * @property {StageFrame | null} frame  the last frame shown: sent by Python, or kept by its stamp
 * @property {Picture} scene
 * @property {Points | null} cloud  null until the points have come
 * @property {Layout | null} layout
 * @property {Cut | null} chosen
 * @property {Cut | null} preview
 * @property {Proposal} proposal  the cuts near the last tap, while the page asks for a cut
 * @property {boolean} isByFinger  true if a finger was the last pointer
 * @property {string | null} litNode  the node lit from any picture
 * @property {string | null} pointerNode  the leaf under the pointer
 * @property {number} pointIndex  the point at the pointer, or -1
 * @property {[x: number, y: number] | null} pointer  the position of the pointer on the plane, in pixels
 * @property {HTMLElement | null} saveMenuElement  null until there is a picture to save
 * @property {DrawnCut | null} drawnCut  the line or circle that a grip moves, null if none does
 * @property {boolean} isDrawnSent  true once Python was sent the drawn cut
 * @property {Motion} motion
 */

/** Create the stage of a host.
 *  @param {HTMLElement} root @param {Host<StageFrame>} host */
export function create(root, host) {
  /** @type {Stage} */
  const stage = {
    root, host, frame: null, scene: pictureOf(host.frame, root), cloud: null, layout: null, chosen: null, preview: null,
    proposal: noProposal(), isByFinger: false,
    litNode: null, pointerNode: null, pointIndex: -1, pointer: null, saveMenuElement: null, drawnCut: null, isDrawnSent: false,
    motion: new Motion(root), ...build(root, {
      choose: (axis) => hasCuts(stage.scene) && propose(stage, withAxis(stage.scene, stage.proposal, axis)),
      reveal: () => { if (stage.preview) chooseCut(stage, stage.preview); },
    }),
  };
  bindInput(stage, { preview: previewCut, propose, choose: chooseCut, point: pointAt, select: selectAtPointer, rotate: rotateLine });
  bindGrips(stage, () => repaint(stage));
  new ResizeObserver(() => paint(stage)).observe(root);
  hear("cloud", ({ name }) => {
    if (stage.scene.cloud === name && !stage.cloud) showScene(stage, stage.scene);
  }, root);
  const { isSecondScreen } = host;
  hear("hover", ({ node, from, beside: isFromSecond = false }) => {
    if (from !== "stage" && isFromSecond === isSecondScreen) lightNode(stage, node);
  }, root);
  hear("row", ({ row, beside: isFromSecond }) => isFromSecond !== isSecondScreen && lightRow(stage, row), root);
  onStamp("stage", root, (frame) => {
    showScene(stage, pictureOf(frame, root));
    stage.frame = frame;
  }, isSecondScreen);
  host.onFrame((frame) => {
    if (!("gain_arithmetic" in frame)) keep(frame); // a frame of a lesson, which has `gain_arithmetic`, has no stamp of Grow
    if (frame === stage.frame && stage.cloud) restoreChosen(stage); // the frame was kept by its stamp, and is shown already
    else showScene(stage, pictureOf(frame, root));
    stage.frame = frame;
    sendDrawnCut(stage);
  });
}

/** @param {StageFrame} frame @param {HTMLElement} root @returns {Picture} */
function pictureOf(frame, root) {
  return { ...frame, family: getComputedStyle(root).fontFamily };
}

/** Build the elements of a stage.
 *  @param {HTMLElement} root @param {Parameters<typeof createProposal>[0]} proposalActions */
function build(root, proposalActions) {
  const [readout, proposalPanel, gainFormula] = [createReadout(), createProposal(proposalActions), formulaPanel()];
  const area = element("div", "area");
  const [sheets, spare] = [canvasStack(), canvasStack()];
  spare.element.classList.add("unseen");
  const animationCanvas = element("canvas", "film");
  const slider = element("div", "slider");
  const touchStrip = element("div", "beside");
  const handle = element("div", "handle");
  const tip = element("div", "tip");
  const announcer = element("div", "heard");
  slider.tabIndex = 0;
  tip.hidden = touchStrip.hidden = handle.hidden = true;
  announcer.setAttribute("aria-live", "polite");
  animationCanvas.setAttribute("aria-hidden", "true");
  const grips = [element("div", "grip"), element("div", "grip")];
  area.append(sheets.element, spare.element, animationCanvas, slider, touchStrip, handle, ...grips, tip);
  const head = element("div", "head");
  head.append(readout.element, proposalPanel.element);
  root.append(head, area, gainFormula.element, announcer);
  return {
    readout, proposalPanel, gainFormula, area, sheets, spare, animationCanvas, slider, touchStrip, handle, grips, tip, announcer, head,
  };
}

// --- showing a frame ------------------------------------------------------------------------------

/** Show a scene, and animates the step to it if it is one split made or undone.
 *  @param {Stage} stage @param {Picture} scene */
function showScene(stage, scene) {
  const { scene: oldScene, motion } = stage;
  const drawnNodes = new Set([oldScene, scene].flatMap(({ regions }) => Array.from(regions?.node ?? [])));
  const change = oldScene.cloud === scene.cloud && changeOf(Object.keys(oldScene.fills ?? {}), Object.keys(scene.fills ?? {}), drawnNodes);
  // a motion that ends in the same scene goes on
  if (oldScene.stamp !== scene.stamp || oldScene.colours.dark !== scene.colours.dark) motion.end();
  const isAnimated = change && isShown(stage) && motion.beginStep();
  stage.scene = scene;
  stage.chosen = scene.chosen ?? null;
  if (oldScene.stamp !== scene.stamp || !isProposing(scene, stage.isByFinger)) stage.proposal = noProposal();
  stage.preview = proposedCut(stage);
  const cloud = cloudNamed(scene.cloud);
  stage.cloud = cloud ? orderCategories(cloud, scene) : null;
  if (oldScene.cloud !== scene.cloud || !stage.cloud) clearPointer(stage);
  if (!stage.cloud) {
    stage.layout = null; // without a layout no input is answered until the points have come
    return;
  }
  const snapshot = isAnimated && isShown(stage) ? takeSnapshot(stage, oldScene) : null;
  paint(stage);
  // the new scene may have another leaf or text at the pointer, on this screen or on the other one
  if (stage.pointer && isShown(stage)) pointAt(stage, ...stage.pointer);
  else if (stage.pointIndex >= 0) lightRow(stage, rowNumber(stage.cloud, stage.pointIndex));
  if (change && snapshot && isShown(stage)) animateSplit(stage, snapshot, change);
  addSaveMenu(stage);
  demonstrate(stage, previewCut);
  if (scene.announcement) write(stage.announcer, scene.announcement);
}

/** Show the cut that the frame has as chosen, if the user chose another that Python did not take.
 *  @param {Stage} stage */
function restoreChosen(stage) {
  const chosen = stage.scene.chosen ?? null;
  if (String(stage.chosen) === String(chosen)) return;
  stage.chosen = chosen;
  repaint(stage);
}

/** Lay the scene out and draws all sheets.
 *  @param {Stage} stage */
function paint(stage) {
  const { scene, cloud, sheets: { floor, tint, still, moving }, area, head, root } = stage;
  const width = Math.floor(area.clientWidth);
  if (!width || !cloud) return;
  const proposing = isProposing(scene, stage.isByFinger);
  root.classList.toggle("proposing", proposing); // first: the head is higher
  showHead(stage, proposing); // with the cut of this scene, since its branches may fill more lines than the last one's
  const height = hasPageHeight(root) && ((root.clientHeight - head.offsetHeight) * zoomOf(root)) / zoomOf(area);
  const layout = layoutOf(width, scene, textWidth(penOf(still), scene), height);
  layout.spots = spots(layout, cloud);
  if (layout.width !== stage.layout?.width || layout.height !== stage.layout.height) {
    stage.motion.end();
    if (stage.pointer) clearPointer(stage); // the picture moved away under the pointer
  }
  stage.layout = layout;
  for (const canvas of [tint, moving]) size(canvas, layout);
  area.style.height = `${layout.height}px`;
  drawGround(blank(floor, layout), layout, scene);
  drawFigures(blank(still, layout), layout, scene, cloud);
  placeTouchStrip(stage.touchStrip, layout);
  repaint(stage);
}

/** Draw the sheets `tint` and `moving`, and describes the cut in words and attributes.
 *  @param {Stage} stage */
function repaint(stage) {
  if (!isShown(stage)) return;
  const { scene, cloud, layout, sheets: { tint, moving }, root, chosen, litNode, drawnCut, pointIndex } = stage;
  const proposing = isProposing(scene, stage.isByFinger);
  if (root.classList.contains("proposing") !== proposing) { // a finger comes after a mouse, or a mouse after a finger
    paint(stage);
    return;
  }
  const cut = stage.preview ?? chosen;
  drawTint(penOf(tint), layout, scene, cloud, cut);
  drawCut(penOf(moving), layout, scene, cloud, { cut, litNode, drawnCut });
  drawRowPath(penOf(moving), layout, scene, cloud, pointIndex);
  updateAttribute(root, "data-way", pathEnd(scene, pointIndex) ?? "");
  const summary = showHead(stage, proposing);
  if (proposing && hasCuts(scene)) drawProposal(penOf(moving), layout, scene, stage.proposal);
  stage.gainFormula.show(scene, cut);
  describeSlider(stage, cut, summary);
  placeHandle(stage, cut);
  placeGrips(stage, proposing ? null : cut); // a grip would send its line to Python
  updateAttribute(root, "data-step", scene.stamp ?? "bare");
  updateAttribute(root, "data-focus", scene.focus ?? "");
  updateAttribute(root, "data-lit", litNode ?? "");
  updateAttribute(root, "data-cut", summary ? summary.rule : "");
  updateAttribute(root, "data-held", chosen ? `${chosen}` : "");
}

/** Show what stands above the picture: the proposal, and the summary of the cut, which is returned.
 *  @param {Stage} stage @param {boolean} proposing */
function showHead({ scene, cloud, preview, chosen, proposal, proposalPanel, readout }, proposing) {
  const cut = preview ?? chosen;
  const summary = cut && cloud && hasCuts(scene) ? summaryOf(scene, cloud, cut) : null;
  proposalPanel.show(scene, proposing ? proposal : null);
  if (hasCuts(scene)) readout.show(scene, summary, proposing ? tapHint(scene) : undefined);
  return summary;
}

/** Describe the cut to screen readers, as a value of a slider.
 *  @param {Stage} stage @param {Cut | null} cut @param {CutSummary | null} summary */
function describeSlider({ slider, scene }, cut, summary) {
  if (!hasCuts(scene)) {
    slider.removeAttribute("tabindex");
    updateAttribute(slider, "role", "img");
    updateAttribute(slider, "aria-label", scene.description ?? "");
    return;
  }
  const count = scene.cuts[cut ? cut[0] : 0].threshold.length;
  updateAttribute(slider, "role", "slider");
  const drawnText = drawnCutsText(scene);
  updateAttribute(slider, "aria-label", `Cut${hasShortNumber(scene.focus) ? ` of node ${scene.focus}` : `, ${deepName(scene.focus)}`}; ${drawnText && `${drawnText} drawn; `}arrow keys move it, Enter keeps it`);
  updateAttribute(slider, "aria-valuemin", count ? "1" : "0");
  updateAttribute(slider, "aria-valuemax", String(count));
  updateAttribute(slider, "aria-valuenow", String(cut ? cut[1] + 1 : 0));
  updateAttribute(slider, "aria-valuetext", summary ? summaryText(summary) : "no cut");
}

/** Set an attribute unless it has the value already, since setting an equal value takes as much time.
 *  @param {HTMLElement} target @param {string} name @param {string} value */
function updateAttribute(target, name, value) {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** Place the touch strip over the gain strip of the feature up: a finger that moves there must not scroll the page.
 *  @param {HTMLElement} touchStrip @param {Layout} layout */
function placeTouchStrip(touchStrip, { gainStrips: [, strip] }) {
  touchStrip.hidden = !strip;
  if (strip) setBounds(touchStrip, strip);
}

/** Place the handle over the line of the cut, inside the focus.
 *  @param {ShownStage} stage @param {Cut | null} cut */
function placeHandle({ handle, scene, layout }, cut) {
  const ends = cut && hasCuts(scene) && scene.is_focus_drawn && scene.can.cut && lineInFocus(layout, scene, cut);
  handle.hidden = !ends;
  if (!ends) return;
  const [ax, ay, bx, by] = ends;
  handle.dataset.axis = String(cut[0]);
  if (cut[0] === 0) setBounds(handle, { x: ax - 12, y: ay, w: 24, h: by - ay });
  else setBounds(handle, { x: ax, y: ay - 12, w: bx - ax, h: 24 });
}

/** @param {HTMLElement} target @param {Rect} bounds */
function setBounds(target, { x, y, w, h }) {
  Object.assign(target.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
}

// --- actions of the user ----------------------------------------------------------------------------

/** Previews a cut; null shows the chosen cut again.
 *  @param {Stage} stage @param {Cut | null} cut */
function previewCut(stage, cut) {
  if (String(stage.preview) === String(cut)) return;
  stage.motion.end();
  if (isProposing(stage.scene, stage.isByFinger)) stage.proposal = cut ? withCut(stage.proposal, cut) : noProposal();
  stage.preview = cut;
  repaint(stage);
}

/** Show a proposal; the cut of its chosen axis is previewed.
 *  @param {Stage} stage @param {Proposal} proposal */
function propose(stage, proposal) {
  stage.motion.end();
  stage.proposal = proposal;
  stage.preview = proposedCut(stage);
  repaint(stage);
}

/** The cut of the axis chosen in the proposal, or null.
 *  @param {Stage} stage */
const proposedCut = ({ proposal: { cuts, axis } }) => (axis === null ? null : cuts[axis]);

/** Choose a cut, here and in Python.
 *  @param {Stage} stage @param {Cut} cut */
function chooseCut(stage, cut) {
  const { scene, host } = stage;
  if (!hasCuts(scene)) return;
  stage.chosen = cut;
  stage.preview = null;
  repaint(stage);
  const index = scene.cuts[cut[0]].index[cut[1]];
  host.send({ what: "cut", stamp: scene.stamp, index });
}

/** Send Python the line of the chosen cut, turned by an angle in radians.
 *  @param {Stage} stage @param {number} angle */
function rotateLine({ scene, layout, chosen, host }, angle) {
  const drawnCut = layout && hasCuts(scene) && chosen && drawnCutOf(scene, chosen);
  if (drawnCut && drawnCut.kind === "line") host.send(eventOf(rotate(drawnCut, layout, angle)));
}

/** Light the row path of the point at a pixel, or else the leaf there, and shows a text on the point.
 *  @param {ShownStage} stage @param {number} x @param {number} y @param {number} [reach] pixels added to the distance that counts as near */
function pointAt(stage, x, y, reach = 0) {
  const { scene, layout, tip, cloud } = stage;
  const isOnPlane = rectContains(layout.plane, x, y);
  stage.pointer = isOnPlane ? [x, y] : null;
  const point = isOnPlane && pointNear(layout, scene, cloud, x, y, reach);
  const leaf = point ? leafOf(scene, point.i) : null;
  const node = leaf ?? (isOnPlane ? leafAt(layout, scene, x, y) : null);
  const i = point ? point.i : -1;
  if (node !== stage.pointerNode || i !== stage.pointIndex) {
    if (i !== stage.pointIndex) tell(stage.root, "row", { row: point ? rowNumber(cloud, i) : null, beside: stage.host.isSecondScreen });
    Object.assign(stage, { pointerNode: node, pointIndex: i, litNode: node });
    tellLitNode(stage, node, leaf !== null);
    repaint(stage);
  }
  const row = point && hasCuts(scene) ? `. Row ${rowNumber(cloud, i)}${predictionText(scene, i)}` : "";
  showTip(tip, point ? { ...point, text: `${point.text}${row}` } : null, layout.width - 2);
}

/** Forgets the pointer, here and on the other pictures.
 *  @param {Stage} stage */
function clearPointer(stage) {
  // a point that is lit without a pointer here belongs to the other screen, which tells of it
  if (stage.pointer && stage.pointIndex >= 0) tell(stage.root, "row", { row: null, beside: stage.host.isSecondScreen });
  if (stage.pointerNode !== null || stage.pointIndex >= 0) tellLitNode(stage, null, false);
  Object.assign(stage, { pointer: null, pointIndex: -1, pointerNode: null, litNode: null });
  stage.tip.hidden = true;
}

/** Tell the tree of the same screen which node is lit, and whether the path to the node is lit.
 *  @param {Stage} stage @param {string | null} node @param {boolean} hasPath */
function tellLitNode({ root, host }, node, hasPath) {
  tell(root, "hover", { node, from: "stage", beside: host.isSecondScreen, ...(hasPath ? { way: hasPath } : {}) });
}

/** Light a row, with its row path, that is pointed at on the other of two screens; null lights none.
 *  @param {Stage} stage @param {number | null} row */
function lightRow(stage, row) {
  if (!isShown(stage)) return;
  const { scene, cloud } = stage;
  const pointIndex = row === null ? -1 : pointOfRow(cloud, row);
  const litNode = leafOf(scene, pointIndex);
  Object.assign(stage, { pointIndex, litNode, pointerNode: null });
  if (row !== null) stage.pointer = null; // the pointer is on the other screen
  tellLitNode(stage, litNode, litNode !== null);
  repaint(stage);
}

/** Select the row at the pointer and its leaf, or no row if that row is selected already. Without a row at the
 *  pointer, the leaf at the pointer becomes the focus.
 *  @param {ShownStage} stage */
function selectAtPointer({ scene, cloud, host, pointIndex, pointerNode }) {
  if (pointIndex >= 0) {
    const number = rowNumber(cloud, pointIndex);
    const isSelected = scene.row?.number === number && scene.focus === pointerNode;
    host.send({ what: "row", row: isSelected ? null : number, focus: true });
  } else if (pointerNode && hasCuts(scene) && scene.can.focus) host.send({ what: "focus", node: pointerNode });
}

/** The leaf at a pixel, or null.
 *  @param {Layout} layout @param {Picture} scene @param {number} x @param {number} y */
function leafAt({ rings }, { fills = {} }, x, y) {
  for (const [node, ring] of rings) if (fills[node] !== undefined && ringContains(ring, x, y)) return node;
  return null;
}

/** @param {Stage} stage @param {string | null} node */
function lightNode(stage, node) {
  if (stage.litNode === node || !stage.layout) return;
  stage.litNode = node;
  repaint(stage);
}

// --- saving ---------------------------------------------------------------------------------------

/** Add the menu that saves the picture, once.
 *  @param {Stage} stage */
function addSaveMenu(stage) {
  if (stage.saveMenuElement) return;
  stage.saveMenuElement = saveMenu("stage", () => (isShown(stage) ? stageSvg(stage) : ""), () => stage.scene.colours.paper);
  stage.head.append(stage.saveMenuElement);
}

/** The picture as SVG, with the summary of the chosen cut under it.
 *  @param {ShownStage} stage */
function stageSvg({ layout, scene, cloud, chosen, sheets: { still } }) {
  const summary = chosen && hasCuts(scene) ? summaryText(summaryOf(scene, cloud, chosen)) : "";
  return svgOf(layout, scene, still, (pen) => {
    drawTint(pen, layout, scene, cloud, chosen);
    draw(pen, layout, scene, cloud);
    drawCut(pen, layout, scene, cloud, { cut: chosen, litNode: null, drawnCut: null });
  }, summary);
}
