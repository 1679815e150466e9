// The cockpits that Python made, with all that the engine says of the tree at each of their places.

import "./page.js";
import { unpack } from "../../dtviz/frontend/lib/frame.js";
import { curveLayout } from "../../dtviz/frontend/overfit/curve.js";
import { panelOf } from "../../dtviz/frontend/overfit/panel.js";
import { layoutOf } from "../../dtviz/frontend/stage/layout.js";
import { orderCategories, spots } from "../../dtviz/frontend/stage/points.js";
import { bytesOf, expected } from "./expected.js";
import { recorder } from "./pen.js";

export const NAMES = Object.keys(expected.cockpits);

/** A cockpit by name; `panels` are laid out, each { panel, at, rows }, the rows those of the data. */
export function cockpitOf(name) {
  const told = expected.cockpits[name];
  const frame = unpack(bytesOf(told.frame));
  const raw = unpack(bytesOf(told.cloud));
  const cloud = orderCategories(raw, frame);
  frame.family = "Sans";
  const panels = frame.panels.map(({ held }) => {
    const panel = panelOf(frame, cloud, held);
    const at = layoutOf(420, { ...frame, plain: true }, (text) => 6 * text.length, 380);
    at.spots = spots(at, panel.cloud);
    return { panel, at, rows: told.held.flatMap((out, row) => (out === held ? [row] : [])) };
  });
  const pen = recorder();
  return { name, told, frame, raw, cloud, panels, pen, at: curveLayout({ width: 500, height: 400 }, frame, pen) };
}

export const eachCockpit = () => NAMES.map(cockpitOf);
