// Written by tests/frontend/frame_types.py from dtviz/pictures/frame_types.py: change that.

/** The ticks of an axis at one step. */
export interface Rung {
  value: Float64Array<ArrayBuffer>;
  text: Array<string>;
}

/** What an axis measures: dates, in UTC where they are `aware`, durations, or ranks. `unit` is how many nanoseconds 1 is; ranks have `names`, from 0 on. */
export interface Clock {
  kind: string;
  unit: number;
  aware: boolean;
  names?: Array<string>;
}

/** A range that is drawn; `lanes` are classes, or the values of a category, at 0, 1, ... of it. `places` are those of the codes that the cloud holds, where they are others than these. What is neither number nor category has a `clock` and the ticks to choose from, the widest step first. Below the `gutter` stand the rows without a value. */
export interface Axis {
  name: string;
  low: number;
  high: number;
  lanes?: Array<string>;
  places?: Int32Array<ArrayBuffer>;
  clock?: Clock;
  ladder?: Array<Rung>;
  gutter?: number;
}

/** The colours of the page; `dark` says which of the two. */
export interface Colours {
  ink: string;
  paper: string;
  muted: string;
  grid: string;
  accent: string;
  dark: boolean;
}

/** The rows as points, under a name; `code` is a class or a step of the scale. `weight` is what each row counts for, where that is not 1; `row` the number of each, from 0 on, where not all are there. */
export interface Cloud {
  name: string;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  code: Int32Array<ArrayBuffer>;
  value?: Float64Array<ArrayBuffer>;
  weight?: Float64Array<ArrayBuffer>;
  row?: Int32Array<ArrayBuffer>;
}

/** What names and measures a picture of points: classes, or scale, low and high of a number. */
export interface Plane {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
}

/** The points without a tree. */
export interface Bare {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
}

/** The points alone; `about` says what they are. */
export interface Overview {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  about: string;
}

/** How good each cut is, `share` in percent of the best; left out while that is asked. */
export interface Worth {
  score?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
  impurity_left?: Float64Array<ArrayBuffer>;
  impurity_right?: Float64Array<ArrayBuffer>;
}

/** What the rows on both sides of each cut of a line weigh, one cut after the other. By class; of a number in all and their mean, over a strip also the mean of the feature, its squares about that, and its products with the target. */
export interface Weighed {
  left: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  right: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
}

/** The sides of each cut, where the points do not tell them. */
export interface Weighing {
  weighed?: Weighed;
}

/** The cuts of a feature: `flags` are ADMISSIBLE, BOUNDARY, TIED, TURNED, ALONE, LOST together. `left` counts rows; where a cut is turned they stand behind it, and where it is alone in the band at its place; where it is LOST those in the gutter are among them. `index` is the place among the candidates of all features. `rule` has the cuts in words, where a threshold alone does not tell them. `away` counts the rows without a value where surrogates send them: neither side has these. The last cuts of a category may be scattered subsets: `scattered` has the bits of the places that go left, 0 for other cuts, and is empty where there are none; their threshold is but where they are drawn. */
export interface AxisCuts {
  score?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
  impurity_left?: Float64Array<ArrayBuffer>;
  impurity_right?: Float64Array<ArrayBuffer>;
  weighed?: Weighed;
  index: Int32Array<ArrayBuffer>;
  threshold: Float64Array<ArrayBuffer>;
  rule: Array<string>;
  left: Int32Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  scattered: Int32Array<ArrayBuffer>;
  away: number;
}

/** A line of cuts that is on no axis: its name, the range of its scores, that of each point. `form` says how the score stands over the plane: see `Form` in engine/splits/family.py. */
export interface Slant {
  name: string;
  low: number;
  high: number;
  score: Float64Array<ArrayBuffer>;
  form: Array<number>;
}

/** The line of cuts on no axis, where one is shown. */
export interface Slanted {
  slant?: Slant;
}

/** The cuts on each axis; `top` is the highest score of all. The third cuts, where there are any, are those of the `slant`. `candidates` counts all cuts on these, drawn or not. */
export interface Cuts {
  slant?: Slant;
  asking: boolean;
  best: [number, number] | null;
  chosen: [number, number] | null;
  top: number;
  candidates: number;
  cuts: Array<AxisCuts>;
}

/** Polygons or lines: `corners` has x and y in turn, those of the k-th from starts[k] on. Between the parts of a polygon in several both are NaN. */
export interface Shapes {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
}

/** The part of each node's region that is drawn, from left to right in the tree. */
export interface Regions {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  node: Array<string>;
}

/** The same of a whole tree, by the places of its nodes. */
export interface Places {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  node: Int32Array<ArrayBuffer>;
}

/** The lines that splits draw, with the rule in words or ''; upper levels first. */
export interface Lines {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  node: Array<string>;
  rule: Array<string>;
}

/** What may be done on the stage: a line or circle may be drawn where such cuts compete. */
export interface Can {
  cut: boolean;
  focus: boolean;
  line: boolean;
  circle: boolean;
}

/** Lines over a strip: what is predicted, or the share of the second class. `owner` is the place among the regions of the leaf that each is of. */
export interface Curves {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  owner: Int32Array<ArrayBuffer>;
}

/** Polygons of one colour each: `code` is a class or the step of the scale. `share` is that of the class, 1 for numbers. */
export interface Shades {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  owner: Int32Array<ArrayBuffer>;
  code: Int32Array<ArrayBuffer>;
  share: Float64Array<ArrayBuffer>;
}

/** What leaves predict that vary, or tell how sure they are: lines over a strip, shades. */
export interface Varied {
  curves?: Curves;
  shades?: Shades;
}

/** Where the points end: `of` is the place of each one's leaf in `node`. `value` is what each leaf predicts, where it predicts the same of all its rows. */
export interface Ends {
  node: Array<string>;
  of: Int32Array<ArrayBuffer>;
  value?: Float64Array<ArrayBuffer>;
}

/** The row whose way is shown: the last node of it, and its number from 1 on, or its place. A place has no number where nothing says where it is. */
export interface ShownRow {
  node: string;
  number: number | null;
  place: [number | null, number | null];
}

/** The row whose way is shown, where one is. */
export interface Waymark {
  row?: ShownRow;
}

/** Where the points end, where the tree is not too large for it. */
export interface Ways {
  ends?: Ends;
}

/** The regions and lines of a tree; `fills` and `values` are of the leaves in sight. */
export interface Grown {
  curves?: Curves;
  shades?: Shades;
  regions: Regions;
  fills: Record<string, number>;
  values: Record<string, number>;
  lines: Lines;
}

/** How near each point is to the slice: 7 in it, 0 far from it; not where all are. */
export interface Fading {
  near?: Uint8Array<ArrayBuffer>;
}

/** A tree over its plane, and the cuts of the node in focus, which has `n` rows. `inside` has a bit a point: whether it is in the focus. `seen` says whether the focus is drawn. */
export interface Drawn {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  slant?: Slant;
  asking: boolean;
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
  ends?: Ends;
  near?: Uint8Array<ArrayBuffer>;
  measure: string;
  unit: string;
  impurity: string;
  n: number;
  focus: string;
  inside: Uint8Array<ArrayBuffer>;
  seen: boolean;
}

/** The gain of each cut of an axis: LaTeX with holes such as @gain, and what fills them. These are the weights of the rows on both sides, their impurities, and the gain. */
export interface Sides {
  formula: string;
  left: Float64Array<ArrayBuffer>;
  right: Float64Array<ArrayBuffer>;
  ileft: Float64Array<ArrayBuffer>;
  iright: Float64Array<ArrayBuffer>;
  gain: Float64Array<ArrayBuffer>;
}

/** The gain of every cut, by axis. */
export interface Worked {
  sides: Array<Sides>;
}

/** Whether a picture is of the other of two screens side by side. */
export interface Beside {
  beside?: boolean;
}

/** The stage: whether with the gains, what may be done, the state it is of, what is spoken. */
export interface Scene {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  slant?: Slant;
  asking: boolean;
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
  ends?: Ends;
  near?: Uint8Array<ArrayBuffer>;
  measure: string;
  unit: string;
  impurity: string;
  n: number;
  focus: string;
  inside: Uint8Array<ArrayBuffer>;
  seen: boolean;
  row?: ShownRow;
  beside?: boolean;
  gains: boolean;
  can: Can;
  stamp: string;
  say: string;
}

/** The colours that the browser puts on the tree. */
export interface TreeColours {
  ink: string;
  paper: string;
  accent: string;
}

/** All nodes of a tree, each before those below it, left before right. `pure` is the percentage of the commonest class, or of the root's impurity that is gone; `hue` is the place among `hues` of the colour of what a node predicts. */
export interface TreeShape {
  depth: Int32Array<ArrayBuffer>;
  rows: Int32Array<ArrayBuffer>;
  pure: Uint8Array<ArrayBuffer>;
  hue: Uint8Array<ArrayBuffer>;
  hues: Array<string>;
}

/** The rows of nodes along what they are split by, counted by kind and bin, see strips.py. `left` bins are left of the threshold; `counts` are of each node, then each kind, then each bin, in shares of the node's fullest. Kinds are classes' colours, or the levels of a number. */
export interface Strips {
  nodes: Array<string>;
  left: Uint8Array<ArrayBuffer>;
  counts: Uint8Array<ArrayBuffer>;
  kinds: number;
  classes: boolean;
}

/** The tree as DOT: its head and its nodes; `missing` counts those not sent, by node. `shape` has those that are not sent too. `picture` names it where it is not the tree of Grow. */
export interface TreeFrame {
  beside?: boolean;
  head: string;
  nodes: Array<[string, string, string, string]>;
  shape: TreeShape;
  strips: Strips;
  missing: Record<string, number>;
  line: string;
  focus: string;
  next: string;
  colours: TreeColours;
  stamp?: string;
  picture?: string;
  row?: string;
}

/** Packed frames that are likely to be asked for next, by the names of their pictures. */
export interface Ahead {
  frames: Record<string, Uint8Array<ArrayBuffer>>;
}

/** The packed frames of pictures that are there, of this step, and those of the next one. */
export interface Moved {
  frames: Record<string, Uint8Array<ArrayBuffer>>;
  shown: Record<string, Uint8Array<ArrayBuffer>>;
}

/** How good a time-line is at its end: shown, '' while that is worked out; and in words. */
export interface Tip {
  held: string;
  said: string;
}

/** A branch by its number, and the step after which it leaves the line. */
export interface Fork {
  held: string;
  said: string;
  branch: number;
  at: number;
}

/** The branches, the newest last; `tip` is the end of the time-line itself. */
export interface Forks {
  tip?: Tip;
  forks: Array<Fork>;
}

/** The stamps by the steps from here; `beside` are those of the other of two screens. */
export interface Stamps {
  stamps: Record<string, string>;
  beside?: Record<string, string>;
}

/** Where on the time-line the screen is, and the ways on. `more`: the line goes on beyond its `total` steps in sight; `asking`: a cut is asked for; `chosen`: one waits to be made; `rival`: the next split would be that of its node. */
export interface TimeLine {
  tip?: Tip;
  forks: Array<Fork>;
  stamps: Record<string, string>;
  beside?: Record<string, string>;
  made: number;
  total: number;
  more: boolean;
  own: Array<number>;
  stamp: string;
  asking: boolean;
  chosen: boolean;
  rival: boolean;
  playing: boolean;
  undo: boolean;
  redo: boolean;
}

/** A value that can be drawn. */
export interface Swatch {
  name: string;
  said: string;
  value: number;
  colour: string;
  symbol: string;
}

/** A stage beside a formula: the gain of each of its cuts, worked out. */
export interface GainLesson {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  slant?: Slant;
  asking: boolean;
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
  ends?: Ends;
  near?: Uint8Array<ArrayBuffer>;
  measure: string;
  unit: string;
  impurity: string;
  n: number;
  focus: string;
  inside: Uint8Array<ArrayBuffer>;
  seen: boolean;
  row?: ShownRow;
  beside?: boolean;
  gains: boolean;
  can: Can;
  stamp: string;
  say: string;
  worked: Worked;
}

/** A drawing and what draws it; `fit` counts the calls to fit. */
export interface Pad {
  target: "classes" | "colour" | "height";
  axes: Array<string>;
  palette: Array<Swatch>;
  scale: Array<string>;
  range: [number, number];
  most: number;
  past: boolean;
  ahead: boolean;
  fit: number;
  x: Float64Array<ArrayBuffer>;
  y: Float64Array<ArrayBuffer>;
  value: Float64Array<ArrayBuffer>;
}

/** The size of a tree, and its errors on the training and on the held-out rows. */
export interface Figures {
  leaves: number;
  height: number;
  errors: Array<number | null>;
}

/** The tree at each value of a line; `masks` has a bit a node: whether its split stays. */
export interface Trees {
  training?: Float64Array<ArrayBuffer>;
  held?: Float64Array<ArrayBuffer>;
  leaves?: Int32Array<ArrayBuffer>;
  height?: Int32Array<ArrayBuffer>;
  masks?: Uint8Array<ArrayBuffer>;
}

/** The values of a rule in plain words, and the place of the present one, or -1. `free` is no limit in words. */
export interface RuleLine {
  training?: Float64Array<ArrayBuffer>;
  held?: Float64Array<ArrayBuffer>;
  leaves?: Int32Array<ArrayBuffer>;
  height?: Int32Array<ArrayBuffer>;
  masks?: Uint8Array<ArrayBuffer>;
  rule: string;
  words: string;
  about: string;
  free: string;
  values: Array<number | null>;
  labels: Array<string>;
  at: number;
}

/** The errors of the folds along a line, and the places of their two choices. */
export interface Folds {
  mean?: Float64Array<ArrayBuffer>;
  spread?: Float64Array<ArrayBuffer>;
  folds?: string;
  best?: number;
  one_error?: number;
}

/** The line that is drawn, with its title and the present setting in words. */
export interface ErrorCurve {
  training?: Float64Array<ArrayBuffer>;
  held?: Float64Array<ArrayBuffer>;
  leaves?: Int32Array<ArrayBuffer>;
  height?: Int32Array<ArrayBuffer>;
  masks?: Uint8Array<ArrayBuffer>;
  rule: string;
  words: string;
  about: string;
  free: string;
  values: Array<number | null>;
  labels: Array<string>;
  at: number;
  mean?: Float64Array<ArrayBuffer>;
  spread?: Float64Array<ArrayBuffer>;
  folds?: string;
  best?: number;
  one_error?: number;
  title: string;
  now: string;
}

/** A picture of the regions with some of the rows. */
export interface Panel {
  title: string;
  held: boolean;
  rows: number;
}

/** The number that each node predicts. */
export interface Values {
  value?: Float64Array<ArrayBuffer>;
}

/** Mistakes of nodes that say one class here and another there: a bit a depth and point. */
export interface Wrong {
  wrong?: Uint8Array<ArrayBuffer>;
}

/** A whole tree by the places of its nodes, and the subtree on screen. `parent` and `fill` go by node; `leaf` and `held` by point; `mask` has a bit a node: whether its split stays. `measured` is what errors are called, '' where they are so many rows; those in `percent` are shares. */
export interface Pictures {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  value?: Float64Array<ArrayBuffer>;
  curves?: Curves;
  shades?: Shades;
  wrong?: Uint8Array<ArrayBuffer>;
  panels: Array<Panel>;
  measured: string;
  percent: boolean;
  regions: Places;
  parent: Int32Array<ArrayBuffer>;
  fill: Int32Array<ArrayBuffer>;
  leaf: Int32Array<ArrayBuffer>;
  held: Uint8Array<ArrayBuffer>;
  mask: Uint8Array<ArrayBuffer>;
  now: Figures;
  stamp: string;
}

/** A leaf: its node, the number of its region from 1 on, what it says as LaTeX, its rule. */
export interface Box {
  node: string;
  region: number;
  says: string;
  where: string;
}

/** The regions of a tree, and what f says of an x in each; `formula` has the holes @x, ... `more`: x has features that are on no axis. */
export interface Boxes {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
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
  more: boolean;
}

/** What pruning weighs along a curve of alpha: LaTeX with holes, risk and cost at each place. */
export interface Costs {
  formula: string;
  risk: Float64Array<ArrayBuffer>;
  cost: Float64Array<ArrayBuffer>;
}

/** What stands round the pictures: the curve, a slider a rule, what is spoken. `grown` says which rows the tree was grown on; `baseline` is the error on the rows held out of the same answer for all rows, which `one_answer` names. */
export interface Cockpit {
  curve?: ErrorCurve;
  dials?: Array<RuleLine>;
  say?: string;
  grown?: string;
  baseline?: number;
  one_answer?: string;
  weighed?: Costs;
}

/** Pictures of a subtree, alone or with what stands round them. */
export interface Overfit {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  value?: Float64Array<ArrayBuffer>;
  curves?: Curves;
  shades?: Shades;
  wrong?: Uint8Array<ArrayBuffer>;
  panels: Array<Panel>;
  measured: string;
  percent: boolean;
  regions: Places;
  parent: Int32Array<ArrayBuffer>;
  fill: Int32Array<ArrayBuffer>;
  leaf: Int32Array<ArrayBuffer>;
  held: Uint8Array<ArrayBuffer>;
  mask: Uint8Array<ArrayBuffer>;
  now: Figures;
  stamp: string;
  curve?: ErrorCurve;
  dials?: Array<RuleLine>;
  say?: string;
  grown?: string;
  baseline?: number;
  one_answer?: string;
  weighed?: Costs;
}

/** A measure at each of the shares it is drawn over; `worked` out there as LaTeX in a lesson. */
export interface Sampled {
  name: string;
  unit: string;
  values: Float64Array<ArrayBuffer>;
  worked?: Array<string>;
}

/** What shares of K classes are drawn over: every impurity, and the one that is looked at. Shares are told in parts of `whole`: `surprise` is the self-information of 0, 1, ... parts, `apart` KL to uniform where the curves have values, both in bits, and `bits` is log2 K, what that and the curve named `entropy` add up to. */
export interface Shares {
  whole: number;
  impurity: string;
  curves: Array<Sampled>;
  surprise: Float64Array<ArrayBuffer>;
  apart: Float64Array<ArrayBuffer>;
  bits: number;
  entropy: string;
  classes: Array<[string, string, string]>;
  colours: Colours;
}

/** Impurities of two classes: of 0 to `whole` parts of the first, `percent` being shown. */
export interface Measures {
  whole: number;
  impurity: string;
  curves: Array<Sampled>;
  surprise: Float64Array<ArrayBuffer>;
  apart: Float64Array<ArrayBuffer>;
  bits: number;
  entropy: string;
  classes: Array<[string, string, string]>;
  colours: Colours;
  percent: number;
}

/** Impurities of three classes: of shares a >= b >= c, a and then b falling. No order of the classes changes an impurity. */
export interface Simplex {
  whole: number;
  impurity: string;
  curves: Array<Sampled>;
  surprise: Float64Array<ArrayBuffer>;
  apart: Float64Array<ArrayBuffer>;
  bits: number;
  entropy: string;
  classes: Array<[string, string, string]>;
  colours: Colours;
  shares: Array<number>;
  scale: Array<string>;
}

/** What a criterion makes of two splits, and of all that dragging one class makes of one. By split, by class, by its rows on the left: `score`, NaN where a side is empty, and `better`: 1 where it is above the other split's, -1 below, 0 where it is the same. */
export interface Compared {
  name: string;
  title: string;
  measured: string;
  unit: string;
  score: Float64Array<ArrayBuffer>;
  better: Int32Array<ArrayBuffer>;
}

/** Two splits of a node: its rows of each class, at most `most`, and those sent left. `classes` are all that a node may have. */
export interface Splits {
  parent: Array<number>;
  first: Array<number>;
  second: Array<number>;
  most: number;
  opened: string;
  criteria: Array<Compared>;
  classes: Array<[string, string, string]>;
  colours: Colours;
}

/** What trees predict, cell by cell of the plane, row by row from below. For each of so many pictures one after the other: `code` is a class or a step of the scale, `share` how sure that is, 255 being all, or how large a number is. */
export interface Surface {
  wide: number;
  high: number;
  code: Uint8Array<ArrayBuffer>;
  share: Uint8Array<ArrayBuffer>;
}

/** An error after each round, with its standard error; NaN where there is none. */
export interface Errors {
  name: string;
  look: "accent" | "ink" | "muted";
  error: Float64Array<ArrayBuffer>;
  band: Float64Array<ArrayBuffer>;
}

/** What a feature does for an ensemble. Its share of the impurity, and, once that is known, what permuting it adds to the error: the mean, and the range of a few permutations. */
export interface FeatureWorth {
  name: string;
  impurity: number;
  permuted?: number;
  low?: number;
  high?: number;
}

/** A tree for itself: its number, what is said of it. */
export interface Tile {
  member: number;
  words: string;
}

/** What only some ensembles have over the plane, see Forest. */
export interface Massed {
  strip?: Float64Array<ArrayBuffer>;
  mass?: Uint8Array<ArrayBuffer>;
}

/** An ensemble as it builds: the plane after some of the `rounds`, the errors after all. `words` are said of each of these pictures; `mass` is how large a point is drawn in each, 255 for the largest, where rounds tell rows apart, which `massed` says; rounds are `counted` as trees or rounds; `strip` has the prediction across, of a number over one feature, in each. `trees` are the first ones for themselves. */
export interface Forest {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  strip?: Float64Array<ArrayBuffer>;
  mass?: Uint8Array<ArrayBuffer>;
  about: string;
  say: string;
  counted: string;
  rounds: Int32Array<ArrayBuffer>;
  words: Array<string>;
  surface: Surface;
  massed: string;
  errors: Array<Errors>;
  percent: boolean;
  measured: string;
  worth: Array<FeatureWorth>;
  trees: Surface;
  tiles: Array<Tile>;
  stamp: string;
}

/** What leaves predict at their left and at their right end; the share of trees that have each. Over a strip of numbers only. */
export interface Treads {
  heights?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
}

/** The different leaves of many trees over a plane, each with its class or step of the scale. */
export interface Tiles {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  heights?: Float64Array<ArrayBuffer>;
  share?: Float64Array<ArrayBuffer>;
  code: Int32Array<ArrayBuffer>;
}

/** The lines of their cuts: the share of the trees that have each, and which the first has. */
export interface Ghosts {
  corners: Float64Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  share: Float64Array<ArrayBuffer>;
  own: Uint8Array<ArrayBuffer>;
}

/** Many trees over one plane, under a name: tiles and lines that they share. `full` are the tiles of the first tree; those of the k-th after it are these, but for toggles[starts[k]] to toggles[starts[k + 1]]: tiles that it has and the first lacks, or lacks. */
export interface Layer {
  name: string;
  tiles: Tiles;
  full: Int32Array<ArrayBuffer>;
  toggles: Int32Array<ArrayBuffer>;
  starts: Int32Array<ArrayBuffer>;
  ghosts: Ghosts;
}

/** What wins the root in some of the trees: a feature, its share of them, and its cuts. Of a number its `axis`, the share of the trees that cut in each of the `bins`, which are as wide as one another, and where the full tree cuts, if it does; else the commonest `cuts` in words. */
export interface RootCut {
  name: string;
  share: number;
  own: boolean;
  axis?: Axis;
  bins?: Float64Array<ArrayBuffer>;
  at?: number;
  cuts: Array<[string, number]>;
}

/** The trees of other rows, those that change most first, over the cloud and a layer. `number` is what each is called, counted from 0, `change` how much it changes, `root` whether that cuts the root otherwise, `same` whether it is the full tree. `each`: it is without the row of that number; `tree` then is that of each point, -1 where there is none. `shown` is the one that stays, -1 for none. `wavers` is the mean change at each point. A change over the picture, or over the rows as `moved`, is a share where it is in `percent`, else a number. */
export interface Stability {
  cloud: string;
  form: "plane" | "strip";
  across: Axis;
  up: Axis;
  target: string;
  colours: Colours;
  whole: boolean;
  classes?: Array<[string, string, string]>;
  scale?: Array<string>;
  low?: number;
  high?: number;
  bare: boolean;
  layer: string;
  each: boolean;
  number: Int32Array<ArrayBuffer>;
  change: Float64Array<ArrayBuffer>;
  moved: Float64Array<ArrayBuffer>;
  root: Uint8Array<ArrayBuffer>;
  same: Uint8Array<ArrayBuffer>;
  tree: Int32Array<ArrayBuffer>;
  wavers: Float64Array<ArrayBuffer>;
  shown: number;
  percent: boolean;
  roots: Array<RootCut>;
  stamp: string;
}

/** The weight on each side of cuts, where rows have weights. */
export interface SideWeights {
  weight_left?: Float64Array<ArrayBuffer>;
  weight_right?: Float64Array<ArrayBuffer>;
}

/** The first candidates of the focus as a table; `row` is the one that is looked at. `said` stands under it; `mark` is of each the number of one of `words`; `measure` is what `score` is, with its unit; `share` is in percent of the best. */
export interface Ranking {
  weight_left?: Float64Array<ArrayBuffer>;
  weight_right?: Float64Array<ArrayBuffer>;
  picture: string;
  stamp: string;
  measure: string;
  index: Int32Array<ArrayBuffer>;
  cut: Array<string>;
  words: Array<string>;
  mark: Int32Array<ArrayBuffer>;
  row: number | null;
  said: Array<string>;
  left: Int32Array<ArrayBuffer>;
  right: Int32Array<ArrayBuffer>;
  score: Float64Array<ArrayBuffer>;
  share: Float64Array<ArrayBuffer>;
  impurity_left: Float64Array<ArrayBuffer>;
  impurity_right: Float64Array<ArrayBuffer>;
}

/** A file that the browser is to keep under its mark; no `content` where it may have it. */
export interface Handed {
  mark: string;
  name: string;
  size: number;
  content: Uint8Array<ArrayBuffer>;
}

/** A file that is asked for by its mark, from that byte on. */
export interface Wanted {
  mark: string;
  at: number;
}

/** The files that the browser is to keep and those it is to give, in pieces of so many bytes. */
export interface Shelf {
  keep: Array<Handed>;
  wants: Array<Wanted>;
  piece: number;
}

export type Frame =
  | (Cloud & { kind: "cloud" })
  | ((Scene | GainLesson | Overview) & { kind: "stage" })
  | (TreeFrame & { kind: "tree" })
  | (Ahead & { kind: "ahead" })
  | (Moved & { kind: "moved" })
  | (TimeLine & { kind: "line" })
  | (Pad & { kind: "pad" })
  | (Overfit & { kind: "overfit" })
  | (Measures & { kind: "measures" })
  | (Simplex & { kind: "simplex" })
  | (Splits & { kind: "splits" })
  | (Boxes & { kind: "regions" })
  | (Forest & { kind: "forest" })
  | (Layer & { kind: "layer" })
  | ((Stability | Bare) & { kind: "stability" })
  | (Ranking & { kind: "ranking" })
  | (Shelf & { kind: "shelf" });
