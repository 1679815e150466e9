"""Shapes of all frames, the data of pictures in the browser: the one place that knows them.

frontend/frames.d.ts says the same to the browser's modules; tests/frontend/frame_types.py writes
it, and every frame of the test screens is held against it.

A node is its id as text, since ids have no bound. A place of a cut is [axis, i]: the i-th cut of
the feature across (0) or up (1); a place on a line is the index of a value. Bits are packed, the
first one highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

F8: TypeAlias = NDArray[np.float64]
I4: TypeAlias = NDArray[np.int32]
U1: TypeAlias = NDArray[np.uint8]
Rule = int | float | None
"""Value of a rule; None is no limit."""
Spot = tuple[int, int]
"""Place of a cut: axis and index."""
ClassLook = tuple[str, str, str]
"""Look of a class: name, colour, marker shape."""
NodeTexts = tuple[str, str, str, str, str, str, str | None, str]
"""Texts of a node: id, rule ('' of a leaf), prediction, rows, impurity, note on costs, why a leaf
has no split ('' for an open leaf, None for a node that has one), and the answer that leads to it.
"""


class Rung(TypedDict):
    """Ticks of an axis at one step: values and their texts."""

    value: F8
    text: list[str]


class Clock(TypedDict):
    """Quantity of an axis that is not plain numbers: the `kind` is dates, durations or ranks.

    `unit` is the nanoseconds of 1; dates are in UTC where they are `aware`; ranks have `names`,
    from 0 on.
    """

    kind: str
    unit: int
    aware: bool
    names: NotRequired[list[str]]


class FrameAxis(TypedDict):
    """Range that is drawn; `lanes` are the classes or categories in its bands, at 0, 1, ...

    `places` are the bands of the codes that the cloud holds, where these differ from the codes. An
    axis of dates, durations or ranks has a `clock`, and a `ladder` of ticks to choose from, the
    widest step first. Between `low` and the `gutter` stand the rows without a value. Where points
    of whole numbers cover each other, they are moved by `spread` at most.
    """

    name: str
    low: float
    high: float
    lanes: NotRequired[list[str]]
    places: NotRequired[I4]
    clock: NotRequired[Clock]
    ladder: NotRequired[list[Rung]]
    gutter: NotRequired[float]
    spread: NotRequired[float]


class Colours(TypedDict):
    """Colours of the page, see Theme; `dark` is true on a dark page."""

    ink: str
    paper: str
    muted: str
    grid: str
    accent: str
    dark: bool


class Cloud(TypedDict):
    """Rows as points, under a name that scenes refer to; `code` is a class or a step of the scale.

    `value` is the target, a number; `weight` the sample weight, where there are weights; `row` the
    row id of each point, where not all rows are sent.
    """

    name: str
    x: F8
    y: F8
    code: I4
    value: NotRequired[F8]
    weight: NotRequired[F8]
    row: NotRequired[I4]


class Plane(TypedDict):
    """Frame of a picture of points: axes, and classes, or `scale`, `low` and `high` of a number.

    `cloud` is the name of the points; `form` is a strip where there is one feature; `has_all_rows`
    is true where the points can be counted: all rows are sent, and mistakes have no costs.
    """

    cloud: str
    form: Literal["plane", "strip"]
    across: FrameAxis
    up: FrameAxis
    target: str
    colours: Colours
    has_all_rows: bool
    classes: NotRequired[list[ClassLook]]
    scale: NotRequired[list[str]]
    low: NotRequired[float]
    high: NotRequired[float]


class BarePlane(Plane):
    """Points without a tree."""

    bare: bool


class Overview(BarePlane):
    """Points of a dataset; `description` says its size."""

    description: str


class CutQuality(TypedDict, total=False):
    """Quality of each cut, `share` in percent of the best; left out while a split is asked for."""

    score: F8
    share: F8
    impurity_left: F8
    impurity_right: F8


class CutStatistics(TypedDict):
    """Statistics of the rows on both sides of each cut of a projection, one cut after the other.

    Of classes: the weight of each. Of a number: weight and mean of the target, and in a strip also
    the mean of the feature, its squares about that mean, and its products with the target.
    """

    left: I4 | F8
    right: I4 | F8


class OptionalStatistics(TypedDict, total=False):
    """Statistics of both sides of each cut, where the browser cannot count the points."""

    statistics: CutStatistics


class CutBands(TypedDict):
    """Bands of values inside which no cut was counted: values, rows, bounds of the scores."""

    lower: F8
    upper: F8
    rows: I4
    least: F8
    most: F8


class OptionalBands(TypedDict, total=False):
    """Bands between the cuts of a projection, where not all cuts were counted."""

    bands: CutBands


class CutBranches(TypedDict):
    """Branches of the multi-way cut of a category, which has no other cut.

    Each has a name, rows and, unless the user is asked for a split, an impurity. The statistics are
    those of `CutStatistics`, one branch after the other. Rows whose value has no branch go to the
    one with the index `default`.
    """

    name: list[str]
    default: int
    rows: I4
    impurity: NotRequired[F8]
    statistics: NotRequired[I4 | F8]


class OptionalBranches(TypedDict, total=False):
    """Branches, where a cut has more than two sides."""

    branches: CutBranches


class AxisCuts(CutQuality, OptionalStatistics, OptionalBands, OptionalBranches):
    """Cuts of a projection; `flags` are sums of the constants ADMISSIBLE to MISSING_LEFT.

    `index` is the index among all candidates; `rule` is the cut in words, where the threshold alone
    does not say it. `left` counts the rows that go left: those below the threshold; above it where
    a cut is TURNED; those of the band at the threshold where it is ALONE; those in the gutter too
    where it is MISSING_LEFT. `surrogate_rows` counts the rows without a value that surrogates send:
    neither side has these. The last cuts of a category may be subsets outside the order:
    `scattered` has the bits of the places that go left, 0 for other cuts, and is empty where there
    are none; the threshold of such a cut only says where it is drawn.
    """

    index: I4
    threshold: F8
    rule: list[str]
    left: I4
    flags: U1
    scattered: I4
    surrogate_rows: int


class Slant(TypedDict):
    """Projection on no axis whose cuts are shown: name, range of its scores, score of each point.

    `form` gives the score over the plane: see `PlaneForm` in engine/splits/split.py.
    """

    name: str
    low: float
    high: float
    score: F8
    form: list[float]


class OptionalSlant(TypedDict, total=False):
    """Projection on no axis, where the cuts of one are shown."""

    slant: Slant


class Cuts(OptionalSlant):
    """Cuts on each axis; `top` is the highest score of all, `best` and `chosen` are places of cuts.

    Third cuts, if any, are those of the `slant`. `candidates` counts all cuts of these projections,
    drawn or not. `is_asking` is true while a split is asked for.
    """

    is_asking: bool
    best: Spot | None
    chosen: Spot | None
    top: float
    candidates: int
    cuts: list[AxisCuts]


class Shapes(TypedDict):
    """Polygons or lines: `corners` has x and y in turn, those of the k-th from starts[k] on.

    Between the parts of a polygon of several parts both are NaN.
    """

    corners: F8
    starts: I4


class Regions(Shapes):
    """Drawn part of each node's region, from left to right in the tree."""

    node: list[str]


class FullTreeRegions(Shapes):
    """Drawn part of each region of a full tree, by the places of its nodes."""

    node: I4


class Lines(Shapes):
    """Lines that splits draw, with the rule in words or ''; upper levels first."""

    node: list[str]
    rule: list[str]


class PossibleActs(TypedDict):
    """Acts that are possible on the stage; `line` and `circle` where such projections compete."""

    cut: bool
    focus: bool
    line: bool
    circle: bool


class Curves(Shapes):
    """Lines over a strip: the prediction, or the share of the second class.

    `owner` is the place among the regions of the leaf that each line belongs to.
    """

    owner: I4


class Shades(Curves):
    """Polygons of one colour each: `code` is a class or the step of the scale.

    `share` is the share of the class, 1 for numbers.
    """

    code: I4
    share: F8


class OptionalCurves(TypedDict, total=False):
    """Predictions that vary inside leaves, or shares of classes: curves over a strip, shades."""

    curves: Curves
    shades: Shades


class PointLeaves(TypedDict):
    """Leaves of the points: `leaf` is the place in `node` of the leaf of each point.

    `value` is the prediction of each node, where a leaf predicts the same for all its rows.
    """

    node: list[str]
    leaf: I4
    value: NotRequired[F8]


class ShownRow(TypedDict):
    """Row whose row path is shown: the last node of the path, its number and its place.

    The number counts from 1 on, None for a typed row. The place is x and y; each is None where it
    is not known.
    """

    node: str
    number: int | None
    place: tuple[float | None, float | None]


class OptionalShownRow(TypedDict, total=False):
    """Row whose row path is shown, if there is one."""

    row: ShownRow


class OptionalPointLeaves(TypedDict, total=False):
    """Leaves of the points, where the tree is not too large for them."""

    point_leaves: PointLeaves


class TreeRegions(OptionalCurves):
    """Regions and lines of a tree; `fills` and `values`: colours and predictions of its leaves."""

    regions: Regions
    fills: dict[str, int]
    values: dict[str, float]
    lines: Lines


class OptionalNearness(TypedDict, total=False):
    """Nearness of each point to the slice: 7 in it, 0 far from it; left out where all are in it."""

    nearness: U1


class TreeOnPlane(Plane, Cuts, TreeRegions, OptionalPointLeaves, OptionalNearness):
    """Tree over its plane, and the cuts of the node in focus, which has `n` rows.

    `measure` is the name of the score, `unit` its unit, `impurity` the name of the impurity.
    `in_focus` has a bit a point: 1 in the focus. `is_focus_drawn` is true if the region of the
    focus is drawn.
    """

    measure: str
    unit: str
    impurity: str
    n: int
    focus: str
    in_focus: U1
    is_focus_drawn: bool
    point_leaves: NotRequired[PointLeaves]


class AxisGains(TypedDict):
    """Gain of each cut of an axis: LaTeX with holes such as @gain, and the numbers in them.

    These are the weights of the rows on both sides, their impurities, and the gain.
    """

    formula: str
    left: F8
    right: F8
    ileft: F8
    iright: F8
    gain: F8


class GainArithmetic(TypedDict):
    """Gain of every cut, by axis."""

    sides: list[AxisGains]


class OtherScreenMark(TypedDict):
    """Mark of the pictures of the other of two screens side by side."""

    is_second_screen: NotRequired[bool]


class Scene(TreeOnPlane, OptionalShownRow, OtherScreenMark):
    """Stage: with or without `gains`, the acts that are possible, the stamp of its state.

    The `announcement` is spoken.
    """

    gains: bool
    can: PossibleActs
    stamp: str
    announcement: str


class SharesArithmetic(TypedDict):
    """Arithmetic of class shares as LaTeX: the line of the impurity, lines of the information."""

    impurity: str
    information: list[str]


class SplitPair(TypedDict):
    """Rows of each class of a node, and those that each of two splits sends left."""

    parent: list[int]
    first: list[int]
    second: list[int]


class DisagreementExample(TypedDict):
    """Two splits on which two criteria disagree; `name` has the rows of each class.

    `text` is the disagreement in words, '' for splits that are not the two on the page.
    """

    name: str
    splits: SplitPair
    text: str


class ImpurityPage(TypedDict):
    """The page Impurity: its three pictures, their arithmetic, and disagreements of two criteria.

    `split_lines` are the lines of LaTeX of the splits A and B under `criterion`, none for a split
    with an empty side. `can_take` is True if splits can be taken from Grow, None where a link hides
    gains. `between` are the two criteria that are compared, of those in `criteria` with their
    titles; `agreement` says on which nodes no two splits are an example.
    """

    picture: str
    measures: Measures
    simplex: Simplex
    splits: Splits
    two_classes: SharesArithmetic
    three_classes: SharesArithmetic
    criterion: str
    split_lines: list[list[str]]
    can_take: bool | None
    between: list[str]
    criteria: list[tuple[str, str]]
    examples: list[DisagreementExample]
    agreement: str
    colours: Colours


class TreeColours(TypedDict):
    """Colours that the browser puts on the tree."""

    ink: str
    paper: str
    muted: str
    accent: str


class TreeShape(TypedDict):
    """All nodes of a tree, each before its children, left before right.

    `purity` is the percentage of the commonest class, or of the root's impurity that is gone;
    `colour_index` is the index in `node_colours` of the colour of the prediction.
    """

    depth: I4
    rows: I4
    purity: U1
    colour_index: U1
    node_colours: Sequence[str]


class Strips(TypedDict):
    """Histograms of the rows of nodes along their splits, by kind and bin, see gains.py.

    `left` is the number of bins left of the threshold; `counts` are of each node, then each kind,
    then each bin, in shares of the node's fullest bin. Kinds are the colours of classes, or parts
    of a range.
    """

    nodes: list[str]
    left: U1
    counts: U1
    kinds: int
    classes: bool


class TreeFrame(OtherScreenMark):
    """Tree as data: texts and class shares of the nodes that are sent; `shape` has all nodes.

    `nodes` are in preorder; `bars` has the share of each class in each of them, as parts of 255,
    and is empty for a target of numbers. `target` is the name of the target, `impurity_name` and
    `unit` those of the impurity. `unsent_descendants` counts the nodes below each node that are not
    sent; `summary` is the size of the tree in words; `next_node` is the node that is split next.
    `picture` names the tree where it is not that of Grow. `row_node` is the last node of a row
    path.
    """

    nodes: list[NodeTexts]
    bars: U1
    target: str
    impurity_name: str
    unit: str
    shape: TreeShape
    strips: Strips
    unsent_descendants: dict[str, int]
    summary: str
    focus: str
    next_node: str
    colours: TreeColours
    stamp: NotRequired[str]
    picture: NotRequired[str]
    row_node: NotRequired[str]


class Page(TypedDict):
    """A page as one frame: the packed frames of its parts by name, and frames of the next step.

    `layout` is the name of the page's layout; `frames` are those of the next step.
    """

    layout: str
    parts: dict[str, U1]
    frames: dict[str, U1]


class SplitButton(TypedDict):
    """Button that splits the node looked at; `is_main` where the user has chosen another cut."""

    text: str
    is_main: bool
    is_possible: bool


class GrowSide(TypedDict):
    """Words round the stage of one screen; `figures` and the title are those of two side by side.

    A link may hide the sentence with its lead, and the button. `is_asking`: a split is asked for.
    `chance`: how good a best cut is by chance, where that is told.
    """

    stamp: str
    caption: str
    is_asking: bool
    title: NotRequired[str]
    figures: NotRequired[str]
    lead: NotRequired[str]
    sentence: NotRequired[str]
    chance: NotRequired[str]
    split: NotRequired[SplitButton]


class GrowSwitches(TypedDict):
    """Switch between the `criteria` by their names."""

    criteria: Choice


class PinSlider(TypedDict):
    """Slider that pins a feature at one of `values`, told in `texts`; it stands at `place`."""

    feature: int
    place: int
    values: F8
    texts: list[str]


class GrowAxes(TypedDict):
    """Features on the two axes, and a slider for each of the others that the tree asks.

    `features` are the names of all; `is_pinned` is true if a slider was moved.
    """

    features: list[str]
    axes: list[int]
    is_pinned: bool
    sliders: list[PinSlider]


class GrowPage(TypedDict):
    """All that stands round the pictures of Grow: one side, or two that are compared.

    `panels` are the names of the panels, `panel` is the open one; `panel_note` is a sentence on
    what it does not show. `is_first` is true until anything is done on a first visit, `asks` while
    Ask first is on. `stamp` is that of the last side.
    """

    stamp: str
    is_first: bool
    asks: bool
    sides: list[GrowSide]
    switches: NotRequired[GrowSwitches]
    axes: NotRequired[GrowAxes]
    panels: list[str]
    panel: str
    panel_note: str
    colours: Colours


class Tip(TypedDict):
    """End of a time-line: `error` is its error as a number, '' if unknown; `text` in words."""

    error: str
    text: str


class BranchTip(Tip):
    """Branch by its number, and the step after which it leaves the time-line."""

    branch: int
    start_step: int


class BranchTips(TypedDict):
    """Branches, the newest last; `tip` is the end of the time-line itself."""

    tip: NotRequired[Tip]
    forks: list[BranchTip]


class Stamps(TypedDict):
    """Stamps of states by their steps from here; `second_stamps` are those of the second screen."""

    stamps: dict[str, str]
    second_stamps: NotRequired[dict[str, str]]


class TimeLine(BranchTips, Stamps):
    """Place of the screen on the time-line, and the steps from there.

    `step` counts the steps up to here, `chosen_steps` lists the steps chosen by hand. With
    `has_more_steps` the line goes on beyond its `total` steps in sight. `is_asking`: a split is
    asked for; `is_cut_chosen`: a cut is chosen, not yet made.
    """

    step: int
    total: int
    has_more_steps: bool
    chosen_steps: list[int]
    stamp: str
    is_asking: bool
    is_cut_chosen: bool
    playing: bool
    can_undo: bool
    can_redo: bool


class Swatch(TypedDict):
    """Value that can be drawn; `spoken` is spoken."""

    name: str
    spoken: str
    value: int
    colour: str
    symbol: str


class GainLesson(Scene):
    """Stage beside a formula: the gain of each of its cuts, worked out."""

    gain_arithmetic: GainArithmetic


class Pad(TypedDict):
    """Drawing and the values to draw with; `fit` counts the calls to show all points.

    `max_points` is the number of points at most.
    """

    target: Literal["classes", "colour", "height"]
    axes: list[str]
    palette: list[Swatch]
    scale: Sequence[str]
    range: tuple[int, int]
    max_points: int
    can_undo: bool
    can_redo: bool
    fit: int
    x: F8
    y: F8
    value: F8


class Figures(TypedDict):
    """Size of a tree, and its errors on the training and on the held-out rows."""

    leaves: int
    height: int
    errors: list[float | None]


class TreesOnLine(TypedDict, total=False):
    """Tree at each value of a line; `masks` has a bit a node: 1 if its split is kept."""

    training_error: F8
    held_out_error: F8
    leaves: I4
    height: I4
    masks: U1


class RuleLine(TreesOnLine):
    """Values of a rule with their labels, and the place of the present one, or -1: `place`.

    `no_limit_text` is the label of a rule that is not set.
    """

    rule: str
    name: str
    description: str
    no_limit_text: str
    values: Sequence[Rule]
    labels: list[str]
    place: int


class Folds(TypedDict, total=False):
    """Errors of the folds along a line: mean and standard error, `fold_text` names them.

    `best_place` has the least error, `simplest_place` the simplest tree within one standard error.
    """

    mean: F8
    standard_error: F8
    fold_text: str
    best_place: int
    simplest_place: int


class ErrorCurve(RuleLine, Folds):
    """Line that is drawn as a curve, with its title and the present setting as text."""

    title: str
    setting_text: str


class Panel(TypedDict):
    """Picture of the regions with `rows` training rows, or held-out rows if `is_held_out`."""

    title: str
    is_held_out: bool
    rows: int


class OptionalValues(TypedDict, total=False):
    """Number that each node predicts."""

    value: F8


class OptionalMistakes(TypedDict, total=False):
    """Mistakes of nodes whose prediction is not one class for all rows: a bit a depth and point."""

    mistakes: U1


class FullTreePictures(BarePlane, OptionalValues, OptionalCurves, OptionalMistakes):
    """Full tree by the places of its nodes.

    `parent` and `colour_code` go by node; `leaf` and the bits of `held_out` by point. `error_name`
    is '' where errors are numbers of rows; errors in `percent` are shares.
    """

    error_name: str
    percent: bool
    regions: FullTreeRegions
    parent: I4
    colour_code: I4
    leaf: I4
    held_out: U1


class SubtreePictures(FullTreePictures):
    """Full tree with the subtree on screen: `mask` has a bit a node, 1 if its split is kept."""

    panels: list[Panel]
    mask: U1
    figures: Figures
    stamp: str


class Box(TypedDict):
    """Leaf: its node, the number of its region from 1 on, its prediction as LaTeX, its rule."""

    node: str
    region: int
    prediction: str
    rule: str


class Boxes(BarePlane, TreeRegions):
    """Regions of a tree, and what f says of an x in each, for the holes of the `formula`.

    With `has_more_features` x has features that are on no axis.
    """

    formula: str
    boxes: list[Box]
    has_more_features: bool


class Costs(TypedDict):
    """Risk and cost at each place of a curve of alpha, and the formula: LaTeX with holes."""

    formula: str
    risk: F8
    cost: F8


class Cockpit(TypedDict, total=False):
    """Controls round the pictures: the curve, and a slider for each rule.

    `training_rows_text` says which rows the tree was grown on; `baseline` is the error of one
    prediction for all rows, on the held-out rows, and `baseline_name` names that prediction.
    """

    curve: ErrorCurve
    dials: list[RuleLine]
    training_rows_text: str
    baseline: float
    baseline_name: str
    costs: Costs


class Overfit(SubtreePictures, Cockpit):
    """Pictures of a subtree, alone or with the controls round them."""


class Choice(TypedDict):
    """Choice of one of `values`, each with its text; `place` is the index of the present one."""

    values: Sequence[float | str]
    texts: list[str]
    place: int


class OverfitPage(TypedDict):
    """What stands round the cockpit of Overfit: title, headline, choices, caption.

    `against` is the axis of the curve, `measure` what it measures. The rows held out are those of
    `share`, drawn again with `next_seed`, or those that the data give: `held_out_text`, with
    `held_out_help` on their purpose. Choices that a link hides are left out, so is the headline.
    """

    title: str
    headline: NotRequired[str]
    share: NotRequired[Choice]
    next_seed: NotRequired[int]
    held_out_text: NotRequired[str]
    held_out_help: NotRequired[str]
    folds: NotRequired[Choice]
    against: NotRequired[Choice]
    measure: NotRequired[Choice]
    caption: str


class ImpurityCurve(TypedDict):
    """Measure at each of the shares it is drawn over; in a lesson `arithmetic` is its LaTeX."""

    name: str
    unit: str
    values: F8
    arithmetic: NotRequired[list[str]]


class Shares(TypedDict):
    """Impurities over shares of K classes; `impurity` is the one that is looked at.

    Shares are integers of a sum `total`: `surprise` is the self-information of 0, 1, ... of these,
    `divergence` KL to uniform where the curves have values, both in bits, and `bits` is log2 K, the
    sum of `divergence` and of the curve named `entropy`.
    """

    total: int
    impurity: str
    curves: list[ImpurityCurve]
    surprise: F8
    divergence: F8
    bits: float
    entropy: str
    classes: list[ClassLook]
    colours: Colours


class Measures(Shares):
    """Impurities of two classes, 0 to `whole` parts being of the first; `percent` is shown."""

    percent: int


class Simplex(Shares):
    """Impurities of three classes: at shares a >= b >= c, a and then b falling.

    No order of the classes changes an impurity.
    """

    shares: list[int]
    scale: list[str]


class CriterionScores(TypedDict):
    """Scores of two splits under a criterion, for all counts that dragging one class can reach.

    By split, by class, by its rows on the left: `score`, NaN where a side is empty, and `better`: 1
    where it is above the other split's, -1 below, 0 where they are equal.
    """

    name: str
    title: str
    score_name: str
    unit: str
    score: F8
    better: I4


class Splits(TypedDict):
    """Two splits of a node: its rows of each class, at most `max_rows`, and those that go left.

    `classes` are all that a node may have.
    """

    parent: list[int]
    first: list[int]
    second: list[int]
    max_rows: int
    opened: str
    criteria: list[CriterionScores]
    classes: list[ClassLook]
    colours: Colours


class Surface(TypedDict):
    """Predictions of trees, cell by cell of the plane, row by row from below, picture by picture.

    `code` is a class or a step of the scale, `share` of 255 how certain the class is, or how large
    the number is.
    """

    cells_across: int
    cells_up: int
    code: U1
    share: U1


class Errors(TypedDict):
    """Error after each round, and its standard error; NaN where there is none."""

    name: str
    style: Literal["accent", "ink", "muted"]
    error: F8
    standard_error: F8


class FeatureWorth(TypedDict):
    """Importance of a feature in an ensemble: its share of the gains, and that by permutation.

    The latter is the mean of a few permutations, with their range, once they are done.
    """

    name: str
    impurity: float
    permuted: NotRequired[float]
    low: NotRequired[float]
    high: NotRequired[float]


class Tile(TypedDict):
    """Single tree: its number and its title."""

    member: int
    title: str


Control: TypeAlias = Literal["menu", "segments", "slider"]
"""Form of a control: a menu, buttons side by side, or a slider."""


class Setting(Choice):
    """Choice of the value of a setting, with the form of its control."""

    name: str
    label: str
    control: Control


class DrawAgain(TypedDict):
    """Button that draws again at random, with this seed."""

    label: str
    description: str
    seed: int


class PageHead(TypedDict):
    """Title of the data, and the controls of a page's settings, unless a link hides them."""

    title: str
    settings: NotRequired[list[Setting]]
    again: NotRequired[DrawAgain]


class OptionalForestParts(TypedDict, total=False):
    """Parts of a Forest that only some ensembles have."""

    strip: F8
    point_size: U1


class ForestFrame(BarePlane, OptionalForestParts):
    """Ensemble as it builds: the plane after some of the `rounds`, the errors after all of them.

    Each of these pictures has its headline. `point_size` is the size of a point in each, of 255,
    where rounds weight rows, which `point_size_note` explains; a round is a `round_name`;
    `strip` has the prediction across in each, for a number over one feature. `trees` are the planes
    of the first single trees. `caption` says what limits the trees, and which slice is shown.
    """

    head: PageHead
    caption: str
    description: str
    announcement: str
    round_name: str
    rounds: I4
    headlines: list[str]
    surface: Surface
    point_size_note: str
    errors: list[Errors]
    percent: bool
    error_name: str
    importances: list[FeatureWorth]
    trees: Surface
    tiles: list[Tile]
    stamp: str


class OptionalEndPredictions(TypedDict, total=False):
    """Predictions of leaves at their left and right ends, and the share of trees that have each.

    Over a strip of numbers only.
    """

    heights: F8
    share: F8


class Tiles(Shapes, OptionalEndPredictions):
    """Different leaves of many trees over a plane, each with its class or step of the scale."""

    code: I4


class Ghosts(Shapes):
    """Lines of the cuts of many trees: share of the trees with each, and 1 if the first has it."""

    share: F8
    in_first_tree: U1


class Layer(TypedDict):
    """Many trees over one plane, under a name: tiles and lines that they share.

    `full` are the tiles of the first tree. The k-th tree after it differs in toggles[starts[k]] to
    toggles[starts[k + 1]]: the tiles that only one of the two trees has.
    """

    name: str
    tiles: Tiles
    full: I4
    toggles: I4
    starts: I4
    ghosts: Ghosts


class RootCut(TypedDict):
    """Feature that some of the trees ask at the root, the share of these trees, and the cuts.

    Of a number: its `axis`, the share of the trees that cut in each of the `bins`, which are
    equally wide, and the threshold of the full tree, if it asks the feature, in `threshold`; else
    the commonest `cuts` in words. `in_full_tree`: the full tree asks it.
    """

    name: str
    share: float
    in_full_tree: bool
    axis: NotRequired[FrameAxis]
    bins: NotRequired[F8]
    threshold: NotRequired[float]
    cuts: list[tuple[str, float]]


class StabilityPage(BarePlane):
    """Points of Stability while the trees grow, with all that stands round them.

    `sentence` is on all trees, '' where a link hides it; `can_open` is true if a tree is picked and
    its rows can be shown on Grow.
    """

    head: PageHead
    sentence: str
    caption: str
    can_open: bool


class Stability(StabilityPage):
    """Trees of other rows, those that change most first, over the cloud and a layer.

    By tree: `tree_number` from 0 on, `change` over the picture, `row_change` over the rows,
    `has_other_root` 1 if the root is cut otherwise, `has_same_cuts` 1 if the cuts are those of the
    full tree. With `is_leave_one_out` a tree is without the row of its number; `tree` then is the
    tree of each point, -1 where there is none. `shown_tree` is the place of the tree that is
    picked, -1 for none. `point_change` is the mean change at each point.
    Changes in `percent` are shares.
    """

    layer: str
    is_leave_one_out: bool
    tree_number: I4
    change: F8
    row_change: F8
    has_other_root: U1
    has_same_cuts: U1
    tree: I4
    point_change: F8
    shown_tree: int
    percent: bool
    roots: list[RootCut]
    stamp: str


class SideWeights(TypedDict, total=False):
    """Weight on each side of cuts, where rows have weights."""

    weight_left: F8
    weight_right: F8


class OptionalBranchColumns(TypedDict, total=False):
    """Figures of the sides of candidates as texts, where some have many branches."""

    row_texts: list[str]
    impurity_texts: list[str]
    weight_texts: list[str]


class Ranking(SideWeights, OptionalBranchColumns):
    """First candidates of the focus as a table; `chosen_place` is that of the cut looked at.

    `notes` stand under the table; `mark_index` is the index of each one's mark in `marks`;
    `measure` is the name of the `score`, with its unit; `share` is in percent of the best;
    `sides` are the names of the two sides of a cut.
    """

    picture: str
    stamp: str
    measure: str
    sides: tuple[str, str]
    index: I4
    cut: list[str]
    marks: list[str]
    mark_index: I4
    chosen_place: int | None
    notes: list[str]
    left: I4
    right: I4
    score: F8
    share: F8
    impurity_left: F8
    impurity_right: F8


class ShelfFile(TypedDict):
    """File that the browser keeps under its mark; `content` is empty where it may have the file."""

    mark: str
    name: str
    size: int
    content: U1


class WantedFile(TypedDict):
    """File that is asked for by its mark, from the byte `offset` on."""

    mark: str
    offset: int


class Shelf(TypedDict):
    """Files for the browser to keep, and files that it is asked for, in pieces."""

    files_to_keep: list[ShelfFile]
    wanted_files: list[WantedFile]
    bytes_a_piece: int


Frame: TypeAlias = (
    Cloud
    | Scene
    | GainLesson
    | Overview
    | TreeFrame
    | Page
    | GrowPage
    | TimeLine
    | Pad
    | SubtreePictures
    | Overfit
    | OverfitPage
    | Measures
    | ImpurityPage
    | Simplex
    | Splits
    | Boxes
    | ForestFrame
    | Layer
    | StabilityPage
    | Stability
    | Ranking
    | Shelf
)
KINDS: dict[str, tuple[type, ...]] = {
    "cloud": (Cloud,),
    "stage": (Scene, GainLesson, Overview),
    "tree": (TreeFrame,),
    "page": (Page,),
    "grow": (GrowPage,),
    "line": (TimeLine,),
    "pad": (Pad,),
    "overfit": (Overfit,),
    "judging": (OverfitPage,),
    "measures": (Measures,),
    "simplex": (Simplex,),
    "splits": (Splits,),
    "impurity": (ImpurityPage,),
    "regions": (Boxes,),
    "forest": (ForestFrame,),
    "layer": (Layer,),
    "stability": (Stability, StabilityPage),
    "ranking": (Ranking,),
    "shelf": (Shelf,),
}
"""Frames of each kind of picture."""
