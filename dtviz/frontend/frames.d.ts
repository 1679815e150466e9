// Written by tests/frontend/frame_types.py from dtviz/pictures/frame_types.py: change that.

/** Ticks of an axis at one step: values and their texts. */
export interface Rung {
  value: Float64Array<ArrayBuffer>;
  text: Array<string>;
}

/** Quantity of an axis that is not plain numbers: the `kind` is dates, durations or ranks. `unit` is the nanoseconds of 1; dates are in UTC where they are `aware`; ranks have `names`, from 0 on. */
export interface Clock {
  kind: string;
  unit: number;
  aware: boolean;
  names?: Array<string>;
}

/** Range that is drawn; `lanes` are the classes or categories in its bands, at 0, 1, ... `places` are the bands of the codes that the cloud holds, where these differ from the codes. An axis of dates, durations or ranks has a `clock`, and a `ladder` of ticks to choose from, the widest step first. Between `low` and the `gutter` stand the rows without a value. Where points of whole numbers cover each other, they are moved by `spread` at most. */
export interface FrameAxis {
  name: string;
  low: number;
  high: number;
  lanes?: Array<string>;
  places?: Int32Array<ArrayBuffer>;
  clock?: Clock;
  ladder?: Array<Rung>;
  gutter?: number;
  spread?: number;
}

/** Colours of the page, see Theme; `dark` is true on a dark page. */
export interface Colours {
  ink: string;
  paper: string;
  muted: string;
  grid: string;
  accent: string;
  dark: boolean;
}

/** Rows as points, under a name that scenes refer to; `code` is a class or a step of the scale. `value` is the target, a number; `weight` the sample weight, where there are weights; `row` the row id of each point, where not all rows are sent. */
export interface Cloud {
  name: string;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  code: Int32Array<ArrayBuffer>;
  value?: Float64Array<ArrayBuffer>;
  weight?: Float64Array<ArrayBuffer>;
  row?: Int32Array<ArrayBuffer>;
}

/** Frame of a picture of points: axes, and classes, or `scale`, `low` and `high` of a number. `cloud` is the name of the points; `form` is a strip where there is one feature; `has_all_rows` is true where the points can be counted: all rows are sent, and mistakes have no costs. */
export interface Plane {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
}

/** Points without a tree. */
export interface BarePlane {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
}

/** Points of a dataset; `description` says its size. */
export interface Overview {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  description: string;
}

/** Quality of each cut, `share` in percent of the best; left out while a split is asked for. */
export interface CutQuality {
  score?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
  impurity_left?: Float64Array<ArrayBuffer>;
  impurity_right?: Float64Array<ArrayBuffer>;
}

/** Statistics of the rows on both sides of each cut of a projection, one cut after the other. Of classes: the weight of each. Of a number: weight and mean of the target, and in a strip also the mean of the feature, its squares about that mean, and its products with the target. */
export interface CutStatistics {
  left: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  right: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
}

/** Statistics of both sides of each cut, where the browser cannot count the points. */
export interface OptionalStatistics {
  statistics?: CutStatistics;
}

/** Bands of values inside which no cut was counted: values, rows, bounds of the scores. */
export interface CutBands {
  lower: Float64Array<ArrayBuffer>;
  upper: Float64Array<ArrayBuffer>;
  rows: Int32Array<ArrayBuffer>;
  least: Float64Array<ArrayBuffer>;
  most: Float64Array<ArrayBuffer>;
}

/** Bands between the cuts of a projection, where not all cuts were counted. */
export interface OptionalBands {
  bands?: CutBands;
}

/** Branches of the multi-way cut of a category, which has no other cut. Each has a name, rows and, unless the user is asked for a split, an impurity. The statistics are those of `CutStatistics`, one branch after the other. Rows whose value has no branch go to the one with the index `default`. */
export interface CutBranches {
  name: Array<string>;
  default: number;
  rows: Int32Array<ArrayBuffer>;
  impurity?: Float64Array<ArrayBuffer>;
  statistics?: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
}

/** Branches, where a cut has more than two sides. */
export interface OptionalBranches {
  branches?: CutBranches;
}

/** Cuts of a projection; `flags` are sums of the constants ADMISSIBLE to MISSING_LEFT. `index` is the index among all candidates; `rule` is the cut in words, where the threshold alone does not say it. `left` counts the rows that go left: those below the threshold; above it where a cut is TURNED; those of the band at the threshold where it is ALONE; those in the gutter too where it is MISSING_LEFT. `surrogate_rows` counts the rows without a value that surrogates send: neither side has these. The last cuts of a category may be subsets outside the order: `scattered` has the bits of the places that go left, 0 for other cuts, and is empty where there are none; the threshold of such a cut only says where it is drawn. */
export interface AxisCuts {
  score?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
  impurity_left?: Float64Array<ArrayBuffer>;
  impurity_right?: Float64Array<ArrayBuffer>;
  statistics?: CutStatistics;
  bands?: CutBands;
  branches?: CutBranches;
  index: Int32Array<ArrayBuffer>;
  threshold: Float64Array<ArrayBuffer>;
  rule: Array<string>;
  left: Int32Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  scattered: Int32Array<ArrayBuffer>;
  surrogate_rows: number;
}

/** Projection on no axis whose cuts are shown: name, range of its scores, score of each point. `form` gives the score over the plane: see `PlaneForm` in engine/splits/split.py. */
export interface Slant {
  name: string;
  low: number;
  high: number;
  score: Float64Array<ArrayBuffer>;
  form: Array<number>;
}

/** Projection on no axis, where the cuts of one are shown. */
export interface OptionalSlant {
  slant?: Slant;
}

/** Cuts on each axis; `top` is the highest score of all, `best` and `chosen` are places of cuts. Third cuts, if any, are those of the `slant`. `candidates` counts all cuts of these projections, drawn or not. `is_asking` is true while a split is asked for. */
export interface Cuts {
  slant?: Slant;
  is_asking: boolean;
  best: [number, number] | null;
  chosen: [number, number] | null;
  top: number;
  candidates: number;
  cuts: Array<AxisCuts>;
}

/** Polygons or lines: `corners` has x and y in turn, those of the k-th from starts[k] on. Between the parts of a polygon of several parts both are NaN. */
export interface Shapes {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
}

/** Drawn part of each node's region, from left to right in the tree. */
export interface Regions {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  node: Array<string>;
}

/** Drawn part of each region of a full tree, by the places of its nodes. */
export interface FullTreeRegions {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  node: Int32Array<ArrayBuffer>;
}

/** Lines that splits draw, with the rule in words or ''; upper levels first. */
export interface Lines {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  node: Array<string>;
  rule: Array<string>;
}

/** Acts that are possible on the stage; `line` and `circle` where such projections compete. */
export interface PossibleActs {
  cut: boolean;
  focus: boolean;
  line: boolean;
  circle: boolean;
}

/** Lines over a strip: the prediction, or the share of the second class. `owner` is the place among the regions of the leaf that each line belongs to. */
export interface Curves {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  owner: Int32Array<ArrayBuffer>;
}

/** Polygons of one colour each: `code` is a class or the step of the scale. `share` is the share of the class, 1 for numbers. */
export interface Shades {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  owner: Int32Array<ArrayBuffer>;
  code: Int32Array<ArrayBuffer>;
  share: Float64Array<ArrayBuffer>;
}

/** Predictions that vary inside leaves, or shares of classes: curves over a strip, shades. */
export interface OptionalCurves {
  curves?: Curves;
  shades?: Shades;
}

/** Leaves of the points: `leaf` is the place in `node` of the leaf of each point. `value` is the prediction of each node, where a leaf predicts the same for all its rows. */
export interface PointLeaves {
  node: Array<string>;
  leaf: Int32Array<ArrayBuffer>;
  value?: Float64Array<ArrayBuffer>;
}

/** Row whose row path is shown: the last node of the path, its number and its place. The number counts from 1 on, None for a typed row. The place is x and y; each is None where it is not known. */
export interface ShownRow {
  node: string;
  number: number | null;
  place: [number | null, number | null];
}

/** Row whose row path is shown, if there is one. */
export interface OptionalShownRow {
  row?: ShownRow;
}

/** Leaves of the points, where the tree is not too large for them. */
export interface OptionalPointLeaves {
  point_leaves?: PointLeaves;
}

/** Regions and lines of a tree; `fills` and `values`: colours and predictions of its leaves. */
export interface TreeRegions {
  curves?: Curves;
  shades?: Shades;
  regions: Regions;
  fills: Record<string, number>;
  values: Record<string, number>;
  lines: Lines;
}

/** Nearness of each point to the slice: 7 in it, 0 far from it; left out where all are in it. */
export interface OptionalNearness {
  nearness?: Uint8Array<ArrayBuffer>;
}

/** Tree over its plane, and the cuts of the node in focus, which has `n` rows. `measure` is the name of the score, `unit` its unit, `impurity` the name of the impurity. `in_focus` has a bit a point: 1 in the focus. `is_focus_drawn` is true if the region of the focus is drawn. */
export interface TreeOnPlane {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  slant?: Slant;
  is_asking: boolean;
  best: [number, number] | null;
  chosen: [number, number] | null;
  top: number;
  candidates: number;
  cuts: Array<AxisCuts>;
  curves?: Curves;
  shades?: Shades;
  regions: Regions;
  fills: Record<string, number>;
  values: Record<string, number>;
  lines: Lines;
  point_leaves?: PointLeaves;
  nearness?: Uint8Array<ArrayBuffer>;
  measure: string;
  unit: string;
  impurity: string;
  n: number;
  focus: string;
  in_focus: Uint8Array<ArrayBuffer>;
  is_focus_drawn: boolean;
}

/** Gain of each cut of an axis: LaTeX with holes such as @gain, and the numbers in them. These are the weights of the rows on both sides, their impurities, and the gain. */
export interface AxisGains {
  formula: string;
  left: Float64Array<ArrayBuffer>;
  right: Float64Array<ArrayBuffer>;
  ileft: Float64Array<ArrayBuffer>;
  iright: Float64Array<ArrayBuffer>;
  gain: Float64Array<ArrayBuffer>;
}

/** Gain of every cut, by axis. */
export interface GainArithmetic {
  sides: Array<AxisGains>;
}

/** Mark of the pictures of the other of two screens side by side. */
export interface OtherScreenMark {
  is_second_screen?: boolean;
}

/** Stage: with or without `gains`, the acts that are possible, the stamp of its state. The `announcement` is spoken. */
export interface Scene {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  slant?: Slant;
  is_asking: boolean;
  best: [number, number] | null;
  chosen: [number, number] | null;
  top: number;
  candidates: number;
  cuts: Array<AxisCuts>;
  curves?: Curves;
  shades?: Shades;
  regions: Regions;
  fills: Record<string, number>;
  values: Record<string, number>;
  lines: Lines;
  point_leaves?: PointLeaves;
  nearness?: Uint8Array<ArrayBuffer>;
  measure: string;
  unit: string;
  impurity: string;
  n: number;
  focus: string;
  in_focus: Uint8Array<ArrayBuffer>;
  is_focus_drawn: boolean;
  row?: ShownRow;
  is_second_screen?: boolean;
  gains: boolean;
  can: PossibleActs;
  stamp: string;
  announcement: string;
}

/** Arithmetic of class shares as LaTeX: the line of the impurity, lines of the information. */
export interface SharesArithmetic {
  impurity: string;
  information: Array<string>;
}

/** Rows of each class of a node, and those that each of two splits sends left. */
export interface SplitPair {
  parent: Array<number>;
  first: Array<number>;
  second: Array<number>;
}

/** Two splits on which two criteria disagree; `name` has the rows of each class. `text` is the disagreement in words, '' for splits that are not the two on the page. */
export interface DisagreementExample {
  name: string;
  splits: SplitPair;
  text: string;
}

/** The page Impurity: its three pictures, their arithmetic, and disagreements of two criteria. `split_lines` are the lines of LaTeX of the splits A and B under `criterion`, none for a split with an empty side. `can_take` is True if splits can be taken from Grow, None where a link hides gains. `between` are the two criteria that are compared, of those in `criteria` with their titles; `agreement` says on which nodes no two splits are an example. */
export interface ImpurityPage {
  picture: string;
  measures: Measures;
  simplex: Simplex;
  splits: Splits;
  two_classes: SharesArithmetic;
  three_classes: SharesArithmetic;
  criterion: string;
  split_lines: Array<Array<string>>;
  can_take: boolean | null;
  between: Array<string>;
  criteria: Array<[string, string]>;
  examples: Array<DisagreementExample>;
  agreement: string;
  colours: Colours;
}

/** Colours that the browser puts on the tree. */
export interface TreeColours {
  ink: string;
  paper: string;
  muted: string;
  accent: string;
}

/** All nodes of a tree, each before its children, left before right. `purity` is the percentage of the commonest class, or of the root's impurity that is gone; `colour_index` is the index in `node_colours` of the colour of the prediction. */
export interface TreeShape {
  depth: Int32Array<ArrayBuffer>;
  rows: Int32Array<ArrayBuffer>;
  purity: Uint8Array<ArrayBuffer>;
  colour_index: Uint8Array<ArrayBuffer>;
  node_colours: Array<string>;
}

/** Histograms of the rows of nodes along their splits, by kind and bin, see gains.py. `left` is the number of bins left of the threshold; `counts` are of each node, then each kind, then each bin, in shares of the node's fullest bin. Kinds are the colours of classes, or parts of a range. */
export interface Strips {
  nodes: Array<string>;
  left: Uint8Array<ArrayBuffer>;
  counts: Uint8Array<ArrayBuffer>;
  kinds: number;
  classes: boolean;
}

/** Tree as data: texts and class shares of the nodes that are sent; `shape` has all nodes. `nodes` are in preorder; `bars` has the share of each class in each of them, as parts of 255, and is empty for a target of numbers. `target` is the name of the target, `impurity_name` and `unit` those of the impurity. `unsent_descendants` counts the nodes below each node that are not sent; `summary` is the size of the tree in words; `next_node` is the node that is split next. `picture` names the tree where it is not that of Grow. `row_node` is the last node of a row path. */
export interface TreeFrame {
  is_second_screen?: boolean;
  nodes: Array<[string, string, string, string, string, string, string | null, string]>;
  bars: Uint8Array<ArrayBuffer>;
  target: string;
  impurity_name: string;
  unit: string;
  shape: TreeShape;
  strips: Strips;
  unsent_descendants: Record<string, number>;
  summary: string;
  focus: string;
  next_node: string;
  colours: TreeColours;
  stamp?: string;
  picture?: string;
  row_node?: string;
}

/** A page as one frame: the packed frames of its parts by name, and frames of the next step. `layout` is the name of the page's layout; `frames` are those of the next step. */
export interface Page {
  layout: string;
  parts: Record<string, Uint8Array<ArrayBuffer>>;
  frames: Record<string, Uint8Array<ArrayBuffer>>;
}

/** Button that splits the node looked at; `is_main` where the user has chosen another cut. */
export interface SplitButton {
  text: string;
  is_main: boolean;
  is_possible: boolean;
}

/** Words round the stage of one screen; `figures` and the title are those of two side by side. A link may hide the sentence with its lead, and the button. `is_asking`: a split is asked for. `chance`: how good a best cut is by chance, where that is told. */
export interface GrowSide {
  stamp: string;
  caption: string;
  is_asking: boolean;
  title?: string;
  figures?: string;
  lead?: string;
  sentence?: string;
  chance?: string;
  split?: SplitButton;
}

/** Switch between the `criteria` by their names. */
export interface GrowSwitches {
  criteria: Choice;
}

/** Slider that pins a feature at one of `values`, told in `texts`; it stands at `place`. */
export interface PinSlider {
  feature: number;
  place: number;
  values: Float64Array<ArrayBuffer>;
  texts: Array<string>;
}

/** Features on the two axes, and a slider for each of the others that the tree asks. `features` are the names of all; `is_pinned` is true if a slider was moved. */
export interface GrowAxes {
  features: Array<string>;
  axes: Array<number>;
  is_pinned: boolean;
  sliders: Array<PinSlider>;
}

/** All that stands round the pictures of Grow: one side, or two that are compared. `panels` are the names of the panels, `panel` is the open one; `panel_note` is a sentence on what it does not show. `is_first` is true until anything is done on a first visit, `asks` while Ask first is on. `stamp` is that of the last side. */
export interface GrowPage {
  stamp: string;
  is_first: boolean;
  asks: boolean;
  sides: Array<GrowSide>;
  switches?: GrowSwitches;
  axes?: GrowAxes;
  panels: Array<string>;
  panel: string;
  panel_note: string;
  colours: Colours;
}

/** End of a time-line: `error` is its error as a number, '' if unknown; `text` in words. */
export interface Tip {
  error: string;
  text: string;
}

/** Branch by its number, and the step after which it leaves the time-line. */
export interface BranchTip {
  error: string;
  text: string;
  branch: number;
  start_step: number;
}

/** Branches, the newest last; `tip` is the end of the time-line itself. */
export interface BranchTips {
  tip?: Tip;
  forks: Array<BranchTip>;
}

/** Stamps of states by their steps from here; `second_stamps` are those of the second screen. */
export interface Stamps {
  stamps: Record<string, string>;
  second_stamps?: Record<string, string>;
}

/** Place of the screen on the time-line, and the steps from there. `step` counts the steps up to here, `chosen_steps` lists the steps chosen by hand. With `has_more_steps` the line goes on beyond its `total` steps in sight. `is_asking`: a split is asked for; `is_cut_chosen`: a cut is chosen, not yet made. */
export interface TimeLine {
  tip?: Tip;
  forks: Array<BranchTip>;
  stamps: Record<string, string>;
  second_stamps?: Record<string, string>;
  step: number;
  total: number;
  has_more_steps: boolean;
  chosen_steps: Array<number>;
  stamp: string;
  is_asking: boolean;
  is_cut_chosen: boolean;
  playing: boolean;
  can_undo: boolean;
  can_redo: boolean;
}

/** Value that can be drawn; `spoken` is spoken. */
export interface Swatch {
  name: string;
  spoken: string;
  value: number;
  colour: string;
  symbol: string;
}

/** Stage beside a formula: the gain of each of its cuts, worked out. */
export interface GainLesson {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  slant?: Slant;
  is_asking: boolean;
  best: [number, number] | null;
  chosen: [number, number] | null;
  top: number;
  candidates: number;
  cuts: Array<AxisCuts>;
  curves?: Curves;
  shades?: Shades;
  regions: Regions;
  fills: Record<string, number>;
  values: Record<string, number>;
  lines: Lines;
  point_leaves?: PointLeaves;
  nearness?: Uint8Array<ArrayBuffer>;
  measure: string;
  unit: string;
  impurity: string;
  n: number;
  focus: string;
  in_focus: Uint8Array<ArrayBuffer>;
  is_focus_drawn: boolean;
  row?: ShownRow;
  is_second_screen?: boolean;
  gains: boolean;
  can: PossibleActs;
  stamp: string;
  announcement: string;
  gain_arithmetic: GainArithmetic;
}

/** Drawing and the values to draw with; `fit` counts the calls to show all points. `max_points` is the number of points at most. */
export interface Pad {
  target: "classes" | "colour" | "height";
  axes: Array<string>;
  palette: Array<Swatch>;
  scale: Array<string>;
  range: [number, number];
  max_points: number;
  can_undo: boolean;
  can_redo: boolean;
  fit: number;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  value: Float64Array<ArrayBuffer>;
}

/** Size of a tree, and its errors on the training and on the held-out rows. */
export interface Figures {
  leaves: number;
  height: number;
  errors: Array<number | null>;
}

/** Tree at each value of a line; `masks` has a bit a node: 1 if its split is kept. */
export interface TreesOnLine {
  training_error?: Float64Array<ArrayBuffer>;
  held_out_error?: Float64Array<ArrayBuffer>;
  leaves?: Int32Array<ArrayBuffer>;
  height?: Int32Array<ArrayBuffer>;
  masks?: Uint8Array<ArrayBuffer>;
}

/** Values of a rule with their labels, and the place of the present one, or -1: `place`. `no_limit_text` is the label of a rule that is not set. */
export interface RuleLine {
  training_error?: Float64Array<ArrayBuffer>;
  held_out_error?: Float64Array<ArrayBuffer>;
  leaves?: Int32Array<ArrayBuffer>;
  height?: Int32Array<ArrayBuffer>;
  masks?: Uint8Array<ArrayBuffer>;
  rule: string;
  name: string;
  description: string;
  no_limit_text: string;
  values: Array<number | null>;
  labels: Array<string>;
  place: number;
}

/** Errors of the folds along a line: mean and standard error, `fold_text` names them. `best_place` has the least error, `simplest_place` the simplest tree within one standard error. */
export interface Folds {
  mean?: Float64Array<ArrayBuffer>;
  standard_error?: Float64Array<ArrayBuffer>;
  fold_text?: string;
  best_place?: number;
  simplest_place?: number;
}

/** Line that is drawn as a curve, with its title and the present setting as text. */
export interface ErrorCurve {
  training_error?: Float64Array<ArrayBuffer>;
  held_out_error?: Float64Array<ArrayBuffer>;
  leaves?: Int32Array<ArrayBuffer>;
  height?: Int32Array<ArrayBuffer>;
  masks?: Uint8Array<ArrayBuffer>;
  rule: string;
  name: string;
  description: string;
  no_limit_text: string;
  values: Array<number | null>;
  labels: Array<string>;
  place: number;
  mean?: Float64Array<ArrayBuffer>;
  standard_error?: Float64Array<ArrayBuffer>;
  fold_text?: string;
  best_place?: number;
  simplest_place?: number;
  title: string;
  setting_text: string;
}

/** Picture of the regions with `rows` training rows, or held-out rows if `is_held_out`. */
export interface Panel {
  title: string;
  is_held_out: boolean;
  rows: number;
}

/** Number that each node predicts. */
export interface OptionalValues {
  value?: Float64Array<ArrayBuffer>;
}

/** Mistakes of nodes whose prediction is not one class for all rows: a bit a depth and point. */
export interface OptionalMistakes {
  mistakes?: Uint8Array<ArrayBuffer>;
}

/** Full tree by the places of its nodes. `parent` and `colour_code` go by node; `leaf` and the bits of `held_out` by point. `error_name` is '' where errors are numbers of rows; errors in `percent` are shares. */
export interface FullTreePictures {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  value?: Float64Array<ArrayBuffer>;
  curves?: Curves;
  shades?: Shades;
  mistakes?: Uint8Array<ArrayBuffer>;
  error_name: string;
  percent: boolean;
  regions: FullTreeRegions;
  parent: Int32Array<ArrayBuffer>;
  colour_code: Int32Array<ArrayBuffer>;
  leaf: Int32Array<ArrayBuffer>;
  held_out: Uint8Array<ArrayBuffer>;
}

/** Full tree with the subtree on screen: `mask` has a bit a node, 1 if its split is kept. */
export interface SubtreePictures {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  value?: Float64Array<ArrayBuffer>;
  curves?: Curves;
  shades?: Shades;
  mistakes?: Uint8Array<ArrayBuffer>;
  error_name: string;
  percent: boolean;
  regions: FullTreeRegions;
  parent: Int32Array<ArrayBuffer>;
  colour_code: Int32Array<ArrayBuffer>;
  leaf: Int32Array<ArrayBuffer>;
  held_out: Uint8Array<ArrayBuffer>;
  panels: Array<Panel>;
  mask: Uint8Array<ArrayBuffer>;
  figures: Figures;
  stamp: string;
}

/** Leaf: its node, the number of its region from 1 on, its prediction as LaTeX, its rule. */
export interface Box {
  node: string;
  region: number;
  prediction: string;
  rule: string;
}

/** Regions of a tree, and what f says of an x in each, for the holes of the `formula`. With `has_more_features` x has features that are on no axis. */
export interface Boxes {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  curves?: Curves;
  shades?: Shades;
  regions: Regions;
  fills: Record<string, number>;
  values: Record<string, number>;
  lines: Lines;
  formula: string;
  boxes: Array<Box>;
  has_more_features: boolean;
}

/** Risk and cost at each place of a curve of alpha, and the formula: LaTeX with holes. */
export interface Costs {
  formula: string;
  risk: Float64Array<ArrayBuffer>;
  cost: Float64Array<ArrayBuffer>;
}

/** Controls round the pictures: the curve, and a slider for each rule. `training_rows_text` says which rows the tree was grown on; `baseline` is the error of one prediction for all rows, on the held-out rows, and `baseline_name` names that prediction. */
export interface Cockpit {
  curve?: ErrorCurve;
  dials?: Array<RuleLine>;
  training_rows_text?: string;
  baseline?: number;
  baseline_name?: string;
  costs?: Costs;
}

/** Pictures of a subtree, alone or with the controls round them. */
export interface Overfit {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  value?: Float64Array<ArrayBuffer>;
  curves?: Curves;
  shades?: Shades;
  mistakes?: Uint8Array<ArrayBuffer>;
  error_name: string;
  percent: boolean;
  regions: FullTreeRegions;
  parent: Int32Array<ArrayBuffer>;
  colour_code: Int32Array<ArrayBuffer>;
  leaf: Int32Array<ArrayBuffer>;
  held_out: Uint8Array<ArrayBuffer>;
  panels: Array<Panel>;
  mask: Uint8Array<ArrayBuffer>;
  figures: Figures;
  stamp: string;
  curve?: ErrorCurve;
  dials?: Array<RuleLine>;
  training_rows_text?: string;
  baseline?: number;
  baseline_name?: string;
  costs?: Costs;
}

/** Choice of one of `values`, each with its text; `place` is the index of the present one. */
export interface Choice {
  values: Array<number | string>;
  texts: Array<string>;
  place: number;
}

/** What stands round the cockpit of Overfit: title, headline, choices, caption. `against` is the axis of the curve, `measure` what it measures. The rows held out are those of `share`, drawn again with `next_seed`, or those that the data give: `held_out_text`, with `held_out_help` on their purpose. Choices that a link hides are left out, so is the headline. */
export interface OverfitPage {
  title: string;
  headline?: string;
  share?: Choice;
  next_seed?: number;
  held_out_text?: string;
  held_out_help?: string;
  folds?: Choice;
  against?: Choice;
  measure?: Choice;
  caption: string;
}

/** Measure at each of the shares it is drawn over; in a lesson `arithmetic` is its LaTeX. */
export interface ImpurityCurve {
  name: string;
  unit: string;
  values: Float64Array<ArrayBuffer>;
  arithmetic?: Array<string>;
}

/** Impurities over shares of K classes; `impurity` is the one that is looked at. Shares are integers of a sum `total`: `surprise` is the self-information of 0, 1, ... of these, `divergence` KL to uniform where the curves have values, both in bits, and `bits` is log2 K, the sum of `divergence` and of the curve named `entropy`. */
export interface Shares {
  total: number;
  impurity: string;
  curves: Array<ImpurityCurve>;
  surprise: Float64Array<ArrayBuffer>;
  divergence: Float64Array<ArrayBuffer>;
  bits: number;
  entropy: string;
  classes: Array<[string, string, string]>;
  colours: Colours;
}

/** Impurities of two classes, 0 to `whole` parts being of the first; `percent` is shown. */
export interface Measures {
  total: number;
  impurity: string;
  curves: Array<ImpurityCurve>;
  surprise: Float64Array<ArrayBuffer>;
  divergence: Float64Array<ArrayBuffer>;
  bits: number;
  entropy: string;
  classes: Array<[string, string, string]>;
  colours: Colours;
  percent: number;
}

/** Impurities of three classes: at shares a >= b >= c, a and then b falling. No order of the classes changes an impurity. */
export interface Simplex {
  total: number;
  impurity: string;
  curves: Array<ImpurityCurve>;
  surprise: Float64Array<ArrayBuffer>;
  divergence: Float64Array<ArrayBuffer>;
  bits: number;
  entropy: string;
  classes: Array<[string, string, string]>;
  colours: Colours;
  shares: Array<number>;
  scale: Array<string>;
}

/** Scores of two splits under a criterion, for all counts that dragging one class can reach. By split, by class, by its rows on the left: `score`, NaN where a side is empty, and `better`: 1 where it is above the other split's, -1 below, 0 where they are equal. */
export interface CriterionScores {
  name: string;
  title: string;
  score_name: string;
  unit: string;
  score: Float64Array<ArrayBuffer>;
  better: Int32Array<ArrayBuffer>;
}

/** Two splits of a node: its rows of each class, at most `max_rows`, and those that go left. `classes` are all that a node may have. */
export interface Splits {
  parent: Array<number>;
  first: Array<number>;
  second: Array<number>;
  max_rows: number;
  opened: string;
  criteria: Array<CriterionScores>;
  classes: Array<[string, string, string]>;
  colours: Colours;
}

/** Predictions of trees, cell by cell of the plane, row by row from below, picture by picture. `code` is a class or a step of the scale, `share` of 255 how certain the class is, or how large the number is. */
export interface Surface {
  cells_across: number;
  cells_up: number;
  code: Uint8Array<ArrayBuffer>;
  share: Uint8Array<ArrayBuffer>;
}

/** Error after each round, and its standard error; NaN where there is none. */
export interface Errors {
  name: string;
  style: "accent" | "ink" | "muted";
  error: Float64Array<ArrayBuffer>;
  standard_error: Float64Array<ArrayBuffer>;
}

/** Importance of a feature in an ensemble: its share of the gains, and that by permutation. The latter is the mean of a few permutations, with their range, once they are done. */
export interface FeatureWorth {
  name: string;
  impurity: number;
  permuted?: number;
  low?: number;
  high?: number;
}

/** Single tree: its number and its title. */
export interface Tile {
  member: number;
  title: string;
}

/** Choice of the value of a setting, with the form of its control. */
export interface Setting {
  values: Array<number | string>;
  texts: Array<string>;
  place: number;
  name: string;
  label: string;
  control: "menu" | "segments" | "slider";
}

/** Button that draws again at random, with this seed. */
export interface DrawAgain {
  label: string;
  description: string;
  seed: number;
}

/** Title of the data, and the controls of a page's settings, unless a link hides them. */
export interface PageHead {
  title: string;
  settings?: Array<Setting>;
  again?: DrawAgain;
}

/** Parts of a Forest that only some ensembles have. */
export interface OptionalForestParts {
  strip?: Float64Array<ArrayBuffer>;
  point_size?: Uint8Array<ArrayBuffer>;
}

/** Ensemble as it builds: the plane after some of the `rounds`, the errors after all of them. Each of these pictures has its headline. `point_size` is the size of a point in each, of 255, where rounds weight rows, which `point_size_note` explains; a round is a `round_name`; `strip` has the prediction across in each, for a number over one feature. `trees` are the planes of the first single trees. `caption` says what limits the trees, and which slice is shown. */
export interface ForestFrame {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  strip?: Float64Array<ArrayBuffer>;
  point_size?: Uint8Array<ArrayBuffer>;
  head: PageHead;
  caption: string;
  description: string;
  announcement: string;
  round_name: string;
  rounds: Int32Array<ArrayBuffer>;
  headlines: Array<string>;
  surface: Surface;
  point_size_note: string;
  errors: Array<Errors>;
  percent: boolean;
  error_name: string;
  importances: Array<FeatureWorth>;
  trees: Surface;
  tiles: Array<Tile>;
  stamp: string;
}

/** Predictions of leaves at their left and right ends, and the share of trees that have each. Over a strip of numbers only. */
export interface OptionalEndPredictions {
  heights?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
}

/** Different leaves of many trees over a plane, each with its class or step of the scale. */
export interface Tiles {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  heights?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
  code: Int32Array<ArrayBuffer>;
}

/** Lines of the cuts of many trees: share of the trees with each, and 1 if the first has it. */
export interface Ghosts {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  share: Float64Array<ArrayBuffer>;
  in_first_tree: Uint8Array<ArrayBuffer>;
}

/** Many trees over one plane, under a name: tiles and lines that they share. `full` are the tiles of the first tree. The k-th tree after it differs in toggles[starts[k]] to toggles[starts[k + 1]]: the tiles that only one of the two trees has. */
export interface Layer {
  name: string;
  tiles: Tiles;
  full: Int32Array<ArrayBuffer>;
  toggles: Int32Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  ghosts: Ghosts;
}

/** Feature that some of the trees ask at the root, the share of these trees, and the cuts. Of a number: its `axis`, the share of the trees that cut in each of the `bins`, which are equally wide, and the threshold of the full tree, if it asks the feature, in `threshold`; else the commonest `cuts` in words. `in_full_tree`: the full tree asks it. */
export interface RootCut {
  name: string;
  share: number;
  in_full_tree: boolean;
  axis?: FrameAxis;
  bins?: Float64Array<ArrayBuffer>;
  threshold?: number;
  cuts: Array<[string, number]>;
}

/** Points of Stability while the trees grow, with all that stands round them. `sentence` is on all trees, '' where a link hides it; `can_open` is true if a tree is picked and its rows can be shown on Grow. */
export interface StabilityPage {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  head: PageHead;
  sentence: string;
  caption: string;
  can_open: boolean;
}

/** Trees of other rows, those that change most first, over the cloud and a layer. By tree: `tree_number` from 0 on, `change` over the picture, `row_change` over the rows, `has_other_root` 1 if the root is cut otherwise, `has_same_cuts` 1 if the cuts are those of the full tree. With `is_leave_one_out` a tree is without the row of its number; `tree` then is the tree of each point, -1 where there is none. `shown_tree` is the place of the tree that is picked, -1 for none. `point_change` is the mean change at each point. Changes in `percent` are shares. */
export interface Stability {
  cloud: string;
  form: "plane" | "strip";
  across: FrameAxis;
  up: FrameAxis;
  target: string;
  colours: Colours;
  has_all_rows: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  head: PageHead;
  sentence: string;
  caption: string;
  can_open: boolean;
  layer: string;
  is_leave_one_out: boolean;
  tree_number: Int32Array<ArrayBuffer>;
  change: Float64Array<ArrayBuffer>;
  row_change: Float64Array<ArrayBuffer>;
  has_other_root: Uint8Array<ArrayBuffer>;
  has_same_cuts: Uint8Array<ArrayBuffer>;
  tree: Int32Array<ArrayBuffer>;
  point_change: Float64Array<ArrayBuffer>;
  shown_tree: number;
  percent: boolean;
  roots: Array<RootCut>;
  stamp: string;
}

/** Weight on each side of cuts, where rows have weights. */
export interface SideWeights {
  weight_left?: Float64Array<ArrayBuffer>;
  weight_right?: Float64Array<ArrayBuffer>;
}

/** Figures of the sides of candidates as texts, where some have many branches. */
export interface OptionalBranchColumns {
  row_texts?: Array<string>;
  impurity_texts?: Array<string>;
  weight_texts?: Array<string>;
}

/** First candidates of the focus as a table; `chosen_place` is that of the cut looked at. `notes` stand under the table; `mark_index` is the index of each one's mark in `marks`; `measure` is the name of the `score`, with its unit; `share` is in percent of the best; `sides` are the names of the two sides of a cut. */
export interface Ranking {
  weight_left?: Float64Array<ArrayBuffer>;
  weight_right?: Float64Array<ArrayBuffer>;
  row_texts?: Array<string>;
  impurity_texts?: Array<string>;
  weight_texts?: Array<string>;
  picture: string;
  stamp: string;
  measure: string;
  sides: [string, string];
  index: Int32Array<ArrayBuffer>;
  cut: Array<string>;
  marks: Array<string>;
  mark_index: Int32Array<ArrayBuffer>;
  chosen_place: number | null;
  notes: Array<string>;
  left: Int32Array<ArrayBuffer>;
  right: Int32Array<ArrayBuffer>;
  score: Float64Array<ArrayBuffer>;
  share: Float64Array<ArrayBuffer>;
  impurity_left: Float64Array<ArrayBuffer>;
  impurity_right: Float64Array<ArrayBuffer>;
}

/** File that the browser keeps under its mark; `content` is empty where it may have the file. */
export interface ShelfFile {
  mark: string;
  name: string;
  size: number;
  content: Uint8Array<ArrayBuffer>;
}

/** File that is asked for by its mark, from the byte `offset` on. */
export interface WantedFile {
  mark: string;
  offset: number;
}

/** Files for the browser to keep, and files that it is asked for, in pieces. */
export interface Shelf {
  files_to_keep: Array<ShelfFile>;
  wanted_files: Array<WantedFile>;
  bytes_a_piece: number;
}

export type Frame =
  | (Cloud & { kind: "cloud" })
  | ((Scene | GainLesson | Overview) & { kind: "stage" })
  | (TreeFrame & { kind: "tree" })
  | (Page & { kind: "page" })
  | (GrowPage & { kind: "grow" })
  | (TimeLine & { kind: "line" })
  | (Pad & { kind: "pad" })
  | (Overfit & { kind: "overfit" })
  | (OverfitPage & { kind: "judging" })
  | (Measures & { kind: "measures" })
  | (Simplex & { kind: "simplex" })
  | (Splits & { kind: "splits" })
  | (ImpurityPage & { kind: "impurity" })
  | (Boxes & { kind: "regions" })
  | (ForestFrame & { kind: "forest" })
  | (Layer & { kind: "layer" })
  | ((Stability | StabilityPage) & { kind: "stability" })
  | (Ranking & { kind: "ranking" })
  | (Shelf & { kind: "shelf" });
