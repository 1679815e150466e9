// Frames of cockpits that Python made, with what the engine says of the tree at each place.

import "./page.js";
import { unpack } from "../../dtviz/frontend/lib/frame.js";
import { layOutCurve } from "../../dtviz/frontend/overfit/curve.js";
import { panelRows } from "../../dtviz/frontend/overfit/panel.js";
import { layoutOf } from "../../dtviz/frontend/stage/layout.js";
import { orderCategories, spots } from "../../dtviz/frontend/stage/points.js";
import { bytesOf, expected } from "./expected.js";
import { recorder } from "./pen.js";

export const NAMES = Object.keys(expected.cockpits);

/** A cockpit by name, with its `panels` laid out: { panel, layout, rows }, where `rows` are row ids. */
export function cockpitOf(name) {
  const engine = expected.cockpits[name];
  const frame = unpack(bytesOf(engine.frame));
  const raw = unpack(bytesOf(engine.cloud));
  const cloud = orderCategories(raw, frame);
  frame.family = "Sans";
  const panels = frame.panels.map(({ is_held_out: held }) => {
    const panel = panelRows(frame, cloud, held);
    const panelLayout = layoutOf(420, { ...frame, plain: true }, (text) => 6 * text.length, 380);
    panelLayout.spots = spots(panelLayout, panel.cloud);
    return { panel, layout: panelLayout, rows: engine.held.flatMap((isHeld, row) => (isHeld === held ? [row] : [])) };
  });
  const pen = recorder();
  return { name, engine, frame, raw, cloud, panels, pen, layout: layOutCurve({ width: 500, height: 400 }, frame, pen) };
}

export const eachCockpit = () => NAMES.map(cockpitOf);
