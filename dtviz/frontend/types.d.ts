// What the modules hand one another; frames.d.ts has what comes from Python.

import type {
  Cloud, ErrorCurve, Figures, Folds, Frame, Overfit, Pad, Plane, RuleLine, Scene, Shapes, Stability, Trees,
  Worked,
} from "./frames.d.ts";
import type { Host } from "./lib/channel.js";
import type { Pair } from "./pad/tools.js";

/** The frame of a kind. */
export type Of<K extends Frame["kind"]> = Extract<Frame, { kind: K }>;

/** The module of a kind of picture, which is given the host of one; a method, as each has its own kind. */
export interface Kind { create(root: HTMLElement, host: Host): void }

/** What is done on a picture, `beside` on the other of two screens; dtviz/session reads it. */
export type Act = Deed & { beside?: boolean };
type Deed =
  | { what: "cut"; stamp: string; index: number }
  | { what: "line"; start: Corner; end: Corner; more: boolean }
  | { what: "circle"; centre: Corner; rim: Corner; more: boolean }
  | { what: "focus"; node: string }
  | { what: "row"; row: number | null; focus: boolean }
  | { what: "goto"; step: number; playing: boolean }
  | { what: "play"; on: boolean }
  | { what: "bring_back"; branch: number }
  | { what: "undo" | "redo" }
  | { what: "points"; target: Pad["target"]; change: Pair[] }
  | { what: "place" | "slider"; rule: string; value: number | null }
  | { what: "went"; search: string }
  | { what: "set"; values: Partial<Lab> | { shown: number | null } }
  | { what: "open"; member: number }
  | { what: "kept" | "send" | "lacks"; mark: string }
  | { what: "cut" }
  | { what: "piece"; mark: string; at: number; size: number; bytes: string };

/** What the page Impurity holds. */
export interface Lab { percent: number; shares: number[]; impurity: string; splits: TwoSplits; opened: string }

/** A node's rows of each class, and those that two splits send left. */
export interface TwoSplits { parent: number[]; first: number[]; second: number[] }

/** A place on the plane, in values. */
export type Corner = [x: number, y: number];

/** A line or a circle that a hand holds by two corners: its ends, or its centre and its rim. */
export interface Drawn { kind: "line" | "circle"; corners: [Corner, Corner] }

/** An act on its way, with the mark of the data that the picture showed. */
export interface Sent { n: number; picture: string; event: Act; data?: string }

/** What the shell carries to Python: acts with the numbers of frames that are here, or that the page has
 *  other colours. */
export type Message = { events: Sent[]; has?: number[] } | { what: "theme" };

export type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** What a frame holds, in any depth. */
export type Value = null | boolean | number | string | Numbers | Value[] | { [key: string]: Value };

/** What is new in a frame, see lib/change.js. */
export type Change = { $to: Value } | Entries | Items | Some | Middle | { [none: string]: never };
export interface Entries { $in: { [key: string]: Change }; $out: string[] }
export interface Items { $cut: [at: number, drop: number, items: Value[]][] }
export interface Middle { $mid: Numbers; $keep: [first: number, last: number] }
export interface Some { $at: Int32Array; $are: Numbers }

/** What the pictures tell one another, see lib/link.js. */
export interface News {
  hover: { node: string | null; from: string; way?: boolean; beside?: boolean };
  row: { row: number | null; beside: boolean };
  cloud: { name: string };
  layer: { name: string };
  ahead: { frame: Kept };
  stamp: { stamp: string };
  laying: { on: boolean; beside?: boolean };
  panel: { name: string };
  notice: { name: string; text: string };
}

/** What a letter brings for other pictures, opened, see lib/letters.js. */
export interface Brought { shown: Frame[]; frames: Frame[] }

/** A frame that is kept by its stamp. */
export type Kept = Of<"stage" | "tree">;

/** What the pictures are drawn with: a canvas's own, or the one that writes SVG. */
export interface Pen {
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  rotate(angle: number): void;
  setLineDash(dash: number[]): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, w: number, h: number): void;
  arc(x: number, y: number, r: number, from: number, to: number): void;
  fill(): void;
  stroke(): void;
  clearRect(x: number, y: number, w: number, h: number): void;
  fillRect(x: number, y: number, w: number, h: number): void;
  strokeRect(x: number, y: number, w: number, h: number): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { width: number };
}

/** A pen that can copy a picture, as a canvas's can. */
export interface Stamper extends Pen {
  drawImage(image: OffscreenCanvas, x: number, y: number, w: number, h: number): void;
  getTransform(): { a: number };
}

/** What writes a text knows how wide it is. */
export type Measure = Pick<Pen, "font" | "measureText">;

/** The part of a pen that an outline needs. */
export type Path = Pick<Pen, "moveTo" | "lineTo" | "arc" | "closePath">;

/** A rectangle in pixels. */
export interface Rect { x: number; y: number; w: number; h: number }

/** A strip of gains beside the plane. */
export interface Strip extends Rect { gain(score: number): number }

/** The corners of a polygon or a line, x and y in turn. */
export type Ring = Float64Array;

/** Where a value stands on an axis, and how it is written, in how much room. */
export interface Tick { value: number; text: string; room?: number }

/** The layout of a stage. */
export interface Layout {
  width: number;
  height: number;
  small: boolean;
  tiny: boolean;
  left: number;
  foot: number;
  plane: Rect;
  X(value: number): number;
  Y(value: number): number;
  S(score: number): number;
  xTicks: Tick[];
  yTicks: Tick[];
  sTicks: Tick[];
  strips: Strip[];
  rings: Map<string, Ring>;
  lines: Ring[];
  spots: [Float64Array, Float64Array];
}

/** What all pictures of points have, and their font. */
export interface Ground extends Plane { family: string }

/** What is drawn over it, of a tree or of none: a panel of Overfit has a part. */
export interface Picture extends Ground, Partial<Omit<Scene, keyof Plane | "regions">> {
  regions?: Shapes & { node: ArrayLike<string | number> };
  bare?: boolean;
  about?: string;
  plain?: boolean;
  many?: number;
  hollow?: boolean;
  worked?: Worked;
}

/** A picture with the cuts of the node in focus. */
export type CutPicture = Picture & Scene;

/** Points as they are drawn. */
export type Points = Omit<Cloud, "name">;

/** The place of a cut. */
export type Cut = [axis: number, i: number];

/** What the rows on both sides of a cut weigh: by class, or in all and their mean. */
export interface Sides { left: number[]; right: number[] }

/** One side of a cut as it is told. */
export interface Side {
  name: string;
  n: number;
  impurity: number | null;
  weight: number | null;
  shares: number[] | null | undefined;
  mean: number | null;
}

/** What is said of a cut. */
export interface Told { rule: string; left: Side; right: Side; away: number; score?: string; share?: string }

/** The error curve: its trees are always known. */
export type Curve = ErrorCurve & Required<Trees>;

/** The curve with the errors of the folds. */
export type FoldedCurve = Curve & Required<Folds>;

/** Frame of Overfit with the font of the page: the pictures of the regions, with or without the error curve. */
export interface OverfitPicture extends Ground, Omit<Overfit, keyof Plane | "curve"> { curve?: Curve }

/** Frame of Overfit with the error curve. */
export type CockpitPicture = OverfitPicture & { curve: Curve };

/** Frame of Stability with the font of the page; it has no trees while Python grows them. */
export interface StabilityPicture extends Ground, Omit<Stability, keyof Plane> {}

/** Where errors stand, see stage/errors.js. */
export interface ErrorAxis {
  width: number;
  height: number;
  plane: Rect;
  yTicks: Tick[];
  Y(error: number): number;
}

/** Layout of an error curve: its number of places, the pixels between two, and the x of a place. */
export interface CurveLayout extends ErrorAxis {
  count: number;
  step: number;
  X(place: number): number;
}

/** The rows of a panel, and the leaf of each in the whole tree. */
export interface PanelRows { held: boolean; cloud: Points; leaf: Int32Array; rows: Int32Array }

/** The rows of a node: how many in each bin, a kind after the other, each with its colour. */
export interface RowStrip { left: number; counts: Uint8Array; colours: string[]; classes: boolean }

/** A node of the tree, see tree/fold.js. */
export interface TreeNode {
  line: string;
  edge: string;
  words: string;
  hue: string;
  strip: RowStrip | null;
  share: number;
  pure: number;
  below: number;
  parent: string | null;
  level: number;
  children: string[];
}

/** The nodes of a frame by id, each after its parent; one that is asked for is taken as there. */
export interface Nodes extends Map<string, TreeNode> { get(id: string): TreeNode }

/** Where a node of the tree is drawn, see tree/svg.js; `brief` is what its rule takes, see tree/detail.js. */
export interface Place extends Rect { group: SVGGElement; left: number; top: number; brief?: Brief }

/** What is written in a node that does not show all that Graphviz wrote, see tree/detail.js. */
export interface Brief {
  rule: string;
  more: string[];
  isFocus: boolean;
  hasStrip: boolean;
  text: SVGTextElement;
  bar: (Rect & { group: SVGGElement }) | null;
  seen: Rect | null; // where that is drawn
}

/** The places of nodes by their ids. */
export type Places = Map<string, Place>;

/** Where something is seen, in pixels. */
export interface Spot { x: number; y: number }

/** Control of a rule on the page Overfit: the error curve, or the rule's slider. */
export interface RuleControl { control: "curve" | "dial"; rule: string }

/** Value of a rule whose tree is shown before the value is the setting. */
export interface Preview extends RuleControl { value: number | null }

/** Tree that is shown: its place on a line and on the error curve, -1 for none; its figures, and those of the tree
 *  in the pictures, see overfit/words.js. */
export interface ShownTree { line: RuleLine | null; place: number; curvePlace: number; figures: Figures; drawnFigures: Figures }
