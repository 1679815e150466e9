// Types that the modules share; frames.d.ts has the types of what comes from Python.

import type {
  Cloud, Colours, ErrorCurve, Figures, Folds, Frame, Overfit, Pad, Plane, RuleLine, Scene, Shapes, Stability, TreesOnLine,
  GainArithmetic,
} from "./frames.d.ts";
import type { Host } from "./lib/channel.js";
import type { RowChange } from "./pad/tools.js";

/** Frame of a kind. */
export type FrameOf<K extends Frame["kind"]> = Extract<Frame, { kind: K }>;

/** Module of a kind of picture. `create` is a method, so that each module may take the host of its own kind. */
export interface PictureModule { create(root: HTMLElement, host: Host): void }

/** Event of a picture, with `beside` one of the second of two screens; dtviz/session parses it. */
export type PictureEvent = ScreenAct & { beside?: boolean };
type ScreenAct =
  | { what: "cut"; stamp: string; index: number }
  | { what: "line"; start: PlanePoint; end: PlanePoint; more: boolean }
  | { what: "circle"; centre: PlanePoint; rim: PlanePoint; more: boolean }
  | { what: "focus"; node: string }
  | { what: "row"; row: number | null; focus: boolean }
  | { what: "goto"; step: number; playing: boolean }
  | { what: "play"; on: boolean }
  | { what: "bring_back"; branch: number }
  | { what: "undo" | "redo" | "take" }
  | { what: "split"; stamp: string }
  | { what: "axis"; place: number; feature: number }
  | { what: "ask"; on: boolean }
  | { what: "pin"; feature: number; value: number; more: boolean }
  | { what: "unpin" }
  | { what: "panel"; name: string }
  | { what: "rules"; values: { criterion: string } }
  | { what: "keep"; other: boolean }
  | { what: "judge"; values: Record<string, string | number | undefined> }
  | { what: "points"; target: Pad["target"]; change: RowChange[] }
  | { what: "place" | "slider"; rule: string; value: number | null }
  | { what: "went"; search: string }
  | { what: "set"; values: Partial<Lab> | { shown: number | null } | SettingValues }
  | { what: "plan"; values: SettingValues }
  | { what: "open"; member?: number }
  | { what: "kept" | "send" | "lacks"; mark: string }
  | { what: "cut" }
  | { what: "piece"; mark: string; at: number; size: number; bytes: string };

/** Settings of a page by name. */
export type SettingValues = Record<string, string | number>;

/** State of the page Impurity. */
export interface Lab { percent: number; shares: number[]; impurity: string; splits: TwoSplits; opened: string; between: string[] }

/** Rows of a node by class, and those that each of two splits sends left. */
export interface TwoSplits { parent: number[]; first: number[]; second: number[] }

/** Point on the plane, in values of the axes. */
export type PlanePoint = [x: number, y: number];

/** A line or a circle that two grips move: its ends, or its centre and its rim, see stage/grips.js. */
export interface DrawnCut { kind: "line" | "circle"; corners: [PlanePoint, PlanePoint] }

/** Event on its way to Python: its number, its picture, and the mark of the data that the picture showed. */
export interface SentEvent { n: number; picture: string; event: PictureEvent; data?: string }

/** Message to Python: events with the numbers of the frames in the cache, or that the page has other colours. */
export type Message = { events: SentEvent[]; has?: number[] } | { what: "theme" };

export type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Value inside a frame, at any depth. */
export type Value = null | boolean | number | string | Numbers | Value[] | { [key: string]: Value };

/** Patch that turns one frame into the next, see lib/patch.js. */
export type Patch = { $to: Value } | EntriesPatch | ItemsPatch | ValuesPatch | MiddlePatch | { [none: string]: never };
export interface EntriesPatch { $in: { [key: string]: Patch }; $out: string[] }
export interface ItemsPatch { $cut: [at: number, drop: number, items: Value[]][] }
export interface MiddlePatch { $mid: Numbers; $keep: [first: number, last: number] }
export interface ValuesPatch { $at: Int32Array; $are: Numbers }

/** Events between pictures by name, with their details, see lib/link.js. */
export interface PageEvents extends DocumentEvents {
  hover: { node: string | null; from: string; way?: boolean; beside?: boolean };
  row: { row: number | null; beside: boolean };
  stamp: { stamp: string };
  panel: { name: string };
}

/** Those of the whole document. */
export interface DocumentEvents {
  cloud: { name: string };
  present: Record<string, never>;
  notice: { name: string; text: string };
}

/** Page as one component: the frames of its parts by name, and frames of the next step, see lib/frame_cache.js. */
export interface Page { kind: "page"; layout: string; parts: PageParts; ahead: (Frame | null)[] }

/** Parts of a page; those of the second of two screens side by side end in " beside". */
export interface PageParts {
  [name: string]: Frame | undefined;
  forest?: FrameOf<"forest">;
  grow?: FrameOf<"grow">;
  layer?: FrameOf<"layer">;
  plain?: FrameOf<"cloud">;
  stability?: FrameOf<"stability">;
  line?: FrameOf<"line">;
  ranking?: FrameOf<"ranking">;
  judging?: FrameOf<"judging">;
  rows?: FrameOf<"cloud">;
  overfit?: FrameOf<"overfit">;
}

/** Frame with a stamp, kept for the next time that its state is shown. */
export type StampedFrame = FrameOf<"grow" | "stage" | "tree" | "ranking">;

/** Part of a canvas context that pictures draw with; SvgPen writes SVG instead. */
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

/** Pen that can copy an image, as a canvas context can. */
export interface Stamper extends Pen {
  drawImage(image: OffscreenCanvas, x: number, y: number, w: number, h: number): void;
  getTransform(): { a: number };
  scale(x: number, y: number): void;
}

/** What a mark needs of a scene: the font family of the page and its colours. */
export interface Ink { family: string; colours: Colours }

/** Style of a mark: the colours that fill it and stroke it, if any, the width and the dashes of its line, its opacity. */
export interface MarkStyle { fill?: string; stroke?: string; width?: number; dash?: number[]; opacity?: number }

/** Style of a text: its size, weight and colour, where it stands, the pixels of room, and whether it runs up. */
export interface TextStyle {
  size?: number;
  weight?: string;
  colour?: string;
  align?: "left" | "center" | "right";
  baseline?: "top" | "middle" | "bottom";
  room?: number;
  upright?: boolean;
  opacity?: number;
}

/** Function from values to pixels, and its inverse. */
export interface Scale { (value: number): number; invert(pixel: number): number }

/** Scale of the places 0, 1, ... of a curve, `step` pixels apart; its inverse is the nearest place. */
export interface PlaceScale extends Scale { count: number; step: number }

/** Axis along the foot of a plane. */
export interface AcrossAxis {
  x: number; w: number; foot: number; scale(value: number): number; ticks: Tick[]; title?: string; hasLine?: boolean; hasMarks?: boolean;
}

/** Axis along the left edge of a plane; `room` is for the texts of the ticks. */
export interface UpAxis { plane: Rect; scale(value: number): number; ticks: Tick[]; title?: string; room?: number; hasGrid?: boolean }

/** Entry of a legend: its symbol is drawn around a pixel; `room` is the most pixels of its text. */
export interface LegendEntry { text: string; symbolWidth?: number; room?: number; draw(x: number, y: number): void }

/** Options of a chart: `across` makes its scale between two pixels, `ticksOf` the ticks on it; `head` is its height by the
 *  largest value. The left margin is wider where the texts of the heights need it. */
export interface ChartOptions<S extends Scale = Scale> {
  values: Iterable<number>;
  percent?: boolean;
  head?: number;
  tickCount?: number;
  margins: { top: number; foot: number; right: number; left?: number };
  across(from: number, to: number): S;
  ticksOf(scale: S, textWidth: (text: string) => number): Tick[];
  title: string;
}

/** Layout of a chart, in pixels. */
export interface Chart<S extends Scale = Scale> {
  width: number;
  height: number;
  plane: Rect;
  X: S;
  Y: Scale;
  xTicks: Tick[];
  yTicks: Tick[];
  title: string;
  legendRows: number;
}

/** Chart of curves over places. */
export type CurveChart = Chart<PlaceScale>;

/** Curve of a chart: a value at each place, NaN for none; its name in the legend; `band` reaches so far to both sides; each
 *  value has a dot if one is given. */
export interface ChartCurve {
  name?: string;
  values: ArrayLike<number>;
  colour: string;
  width: number;
  dash?: number[];
  band?: ArrayLike<number>;
  bandOpacity?: number;
  dot?: MarkStyle & { r: number };
}

/** Part of a pen that measures texts. */
export type Measure = Pick<Pen, "font" | "measureText">;

/** Part of a pen that an outline needs. */
export type Path = Pick<Pen, "moveTo" | "lineTo" | "arc" | "closePath">;

/** Rectangle in pixels. */
export interface Rect { x: number; y: number; w: number; h: number }

/** A strip of gains beside the plane. */
export interface GainStrip extends Rect { pixelOf(score: number): number }

/** The corners of a polygon or a line, x and y in turn. */
export type Ring = Float64Array;

/** A tick of an axis: a value, its text, and the pixels of room for the text. */
export interface Tick { value: number; text: string; room?: number }

/** The layout of a stage, in pixels, see stage/layout.js. */
export interface Layout {
  width: number;
  height: number;
  isNarrow: boolean; // a narrow stage, with fewer ticks and thinner gains
  isVeryNarrow: boolean; // a very narrow stage, without the names of the axes
  left: number; // of the plane
  foot: number; // the y at which the room of the axis across begins
  plane: Rect;
  X: Scale;
  Y: Scale;
  S: Scale; // of the slant
  xTicks: Tick[];
  yTicks: Tick[];
  sTicks: Tick[];
  gainStrips: GainStrip[];
  rings: Map<string, Ring>; // of the regions, by node
  lines: Ring[]; // of the splits
  spread: [number, number]; // pixels by which points of whole numbers are moved at most, across and up; 0 for none
  spots: [Float64Array, Float64Array]; // of the points, across and up
}

/** A picture of points, with the font of the page. */
export interface Ground extends Plane { family: string }

/** A picture of points and, where they are given, of regions, lines and cuts of a tree. */
export interface Picture extends Ground, Partial<Omit<Scene, keyof Plane | "regions">> {
  regions?: Shapes & { node: ArrayLike<string | number> };
  bare?: boolean;
  description?: string; // a text on a bare picture
  plain?: boolean; // without a legend
  many?: number; // points by which the size of a point is chosen, if not those of the picture
  hollow?: boolean; // points of held-out rows
  gain_arithmetic?: GainArithmetic;
}

/** A picture with the cuts of the node in focus. */
export type CutPicture = Picture & Scene;

/** Points as they are drawn. */
export type Points = Omit<Cloud, "name">;

/** The i-th cut of the feature across (0) or up (1), or of the slant (2). */
export type Cut = [axis: number, i: number];

/** Cuts near the last tap, by axis, and the axis whose cut is chosen; see stage/proposal.js. */
export interface Proposal { cuts: (Cut | null)[]; axis: number | null }

/** One side of a cut in the readout. */
export interface SideSummary {
  name: string;
  n: number; // rows
  impurity: number | null;
  weight: number | null; // null where rows have no weights
  shares: number[] | null | undefined; // weight of each class
  mean: number | null;
}

/** A cut in the readout: its rule, its sides, the rows that surrogates send, its score, and that as a share of the best. */
export interface CutSummary { rule: string; sides: SideSummary[]; surrogateRows: number; score?: string; share?: string }

/** The error curve: its trees are always known. */
export type Curve = ErrorCurve & Required<TreesOnLine>;

/** The curve with the errors of the folds. */
export type FoldedCurve = Curve & Required<Folds>;

/** Frame of Overfit with the font of the page: the pictures of the regions, with or without the error curve. */
export interface OverfitPicture extends Ground, Omit<Overfit, keyof Plane | "curve"> { curve?: Curve }

/** Frame of Overfit with the error curve. */
export type CockpitPicture = OverfitPicture & { curve: Curve };

/** Frame of Stability with the font of the page; it has no trees while Python grows them. */
export interface StabilityPicture extends Ground, Omit<Stability, keyof Plane> {}

/** The rows of a panel, and the leaf of each in the whole tree. */
export interface PanelRows { held: boolean; cloud: Points; leaf: Int32Array; rows: Int32Array }

/** The rows of a node: how many in each bin, a kind after the other, each with its colour. */
export interface RowStrip { left: number; counts: Uint8Array; colours: string[]; classes: boolean }

/** Words of a node of the tree, see tree/words.js: `rule` is short, `title` has the name of the target too, `words` is
 *  the whole sentence; `isOpen` is true for a leaf that has not been looked at, `isNext` for the node that splits next. */
export interface NodeWords { rule: string; title: string; numbers: string; reason: string; words: string; isOpen: boolean; isNext: boolean; answer: string }

/** Node of the tree, see tree/fold.js; `classShares` are parts of 255, none for a target of numbers, `hue` the colour of what it predicts,
 *  `isRight` is true in the right half of its parent's children. */
export interface TreeNode extends NodeWords {
  classShares: Uint8Array;
  hue: string;
  strip: RowStrip | null;
  share: number;
  purity: number;
  descendants: number;
  parent: string | null;
  level: number;
  children: string[];
  isRight: boolean;
}

/** The nodes of a frame by id, each after its parent; one that is asked for is taken as there. */
export interface Nodes extends Map<string, TreeNode> { get(id: string): TreeNode }

/** Place where a node of the tree is drawn, see tree/svg.js; `brief` is what its rule takes, see tree/detail.js. */
export interface NodePlace extends Rect { group: SVGGElement; bar: Rect & { group: SVGGElement }; brief?: Brief }

/** Short words of a node that has no room for all, see tree/detail.js; `barRect` is where its bar is drawn. */
export interface Brief {
  rule: string;
  details: string[];
  isFocus: boolean;
  hasStrip: boolean;
  text: SVGTextElement;
  barRect: Rect | null;
}

/** The places of nodes by their ids. */
export type NodePlaces = Map<string, NodePlace>;

/** Where something is seen, in pixels. */
export interface Spot { x: number; y: number }

/** Control of a rule on the page Overfit: the error curve, or the rule's slider. */
export interface RuleControl { control: "curve" | "dial"; rule: string }

/** Value of a rule whose tree is shown before the value is the setting. */
export interface Preview extends RuleControl { value: number | null }

/** Tree that is shown: its place on a line and on the error curve, -1 for none; its figures, and those of the tree
 *  in the pictures, see overfit/words.js. */
export interface ShownTree { line: RuleLine | null; place: number; curvePlace: number; figures: Figures; drawnFigures: Figures }
