"""What a picture of each kind is given: the one place that knows the shape of every frame.

frontend/frames.d.ts says the same to the browser's modules; tests/frontend/frame_types.py writes
it, and every frame of the test screens is held against it.

Glossary
    node      an id as text: ids have no bound
    place     of a cut: [axis, i], the i-th cut of the feature across (0) or up (1);
              on a line: the index of a value
    bit       bits are packed, the first one highest
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
"""A value of a rule; None is no limit."""
Spot = tuple[int, int]
"""The place of a cut: axis and number."""
ClassLook = tuple[str, str, str]
"""A class: name, colour, marker shape."""
NodeLook = tuple[str, str, str, str]
"""A node of the tree: id, its DOT line, that of the edge to it, what is said of it."""


class Rung(TypedDict):
    """The ticks of an axis at one step."""

    value: F8
    text: list[str]


class Clock(TypedDict):
    """What an axis measures: dates, in UTC where they are `aware`, durations, or ranks.

    `unit` is how many nanoseconds 1 is; ranks have `names`, from 0 on.
    """

    kind: str
    unit: int
    aware: bool
    names: NotRequired[list[str]]


class Axis(TypedDict):
    """A range that is drawn; `lanes` are classes, or the values of a category, at 0, 1, ... of it.

    `places` are those of the codes that the cloud holds, where they are others than these. What is
    neither number nor category has a `clock` and the ticks to choose from, the widest step first.
    Below the `gutter` stand the rows without a value.
    """

    name: str
    low: float
    high: float
    lanes: NotRequired[list[str]]
    places: NotRequired[I4]
    clock: NotRequired[Clock]
    ladder: NotRequired[list[Rung]]
    gutter: NotRequired[float]


class Colours(TypedDict):
    """The colours of the page; `dark` says which of the two."""

    ink: str
    paper: str
    muted: str
    grid: str
    accent: str
    dark: bool


class Cloud(TypedDict):
    """The rows as points, under a name; `code` is a class or a step of the scale.

    `weight` is what each row counts for, where that is not 1; `row` the number of each, from 0 on,
    where not all are there.
    """

    name: str
    x: F8
    y: F8
    code: I4
    value: NotRequired[F8]
    weight: NotRequired[F8]
    row: NotRequired[I4]


class Plane(TypedDict):
    """What names and measures a picture of points: classes, or scale, low and high of a number."""

    cloud: str
    form: Literal["plane", "strip"]
    across: Axis
    up: Axis
    target: str
    colours: Colours
    whole: bool
    classes: NotRequired[list[ClassLook]]
    scale: NotRequired[list[str]]
    low: NotRequired[float]
    high: NotRequired[float]


class Bare(Plane):
    """The points without a tree."""

    bare: bool


class Overview(Bare):
    """The points alone; `about` says what they are."""

    about: str


class Worth(TypedDict, total=False):
    """How good each cut is, `share` in percent of the best; left out while that is asked."""

    score: F8
    share: F8
    impurity_left: F8
    impurity_right: F8


class Weighed(TypedDict):
    """What the rows on both sides of each cut of a line weigh, one cut after the other.

    By class; of a number in all and their mean, over a strip also the mean of the feature, its
    squares about that, and its products with the target.
    """

    left: I4 | F8
    right: I4 | F8


class Weighing(TypedDict, total=False):
    """The sides of each cut, where the points do not tell them."""

    weighed: Weighed


class AxisCuts(Worth, Weighing):
    """The cuts of a feature: `flags` are ADMISSIBLE, BOUNDARY, TIED, TURNED, ALONE, LOST together.

    `left` counts rows; where a cut is turned they stand behind it, and where it is alone in the
    band at its place; where it is LOST those in the gutter are among them. `index` is the place
    among the candidates of all features. `rule` has the cuts in words, where a threshold alone
    does not tell them. `away` counts the rows without a value where surrogates send them: neither
    side has these. The last cuts of a category may be scattered subsets: `scattered` has the bits
    of the places that go left, 0 for other cuts, and is empty where there are none; their threshold
    is but where they are drawn.
    """

    index: I4
    threshold: F8
    rule: list[str]
    left: I4
    flags: U1
    scattered: I4
    away: int


class Slant(TypedDict):
    """A line of cuts that is on no axis: its name, the range of its scores, that of each point.

    `form` says how the score stands over the plane: see `Form` in engine/splits/family.py.
    """

    name: str
    low: float
    high: float
    score: F8
    form: list[float]


class Slanted(TypedDict, total=False):
    """The line of cuts on no axis, where one is shown."""

    slant: Slant


class Cuts(Slanted):
    """The cuts on each axis; `top` is the highest score of all.

    The third cuts, where there are any, are those of the `slant`. `candidates` counts all cuts on
    these, drawn or not.
    """

    asking: bool
    best: Spot | None
    chosen: Spot | None
    top: float
    candidates: int
    cuts: list[AxisCuts]


class Shapes(TypedDict):
    """Polygons or lines: `corners` has x and y in turn, those of the k-th from starts[k] on.

    Between the parts of a polygon in several both are NaN.
    """

    corners: F8
    starts: I4


class Regions(Shapes):
    """The part of each node's region that is drawn, from left to right in the tree."""

    node: list[str]


class Places(Shapes):
    """The same of a whole tree, by the places of its nodes."""

    node: I4


class Lines(Shapes):
    """The lines that splits draw, with the rule in words or ''; upper levels first."""

    node: list[str]
    rule: list[str]


class Can(TypedDict):
    """What may be done on the stage: a line or circle may be drawn where such cuts compete."""

    cut: bool
    focus: bool
    line: bool
    circle: bool


class Curves(Shapes):
    """Lines over a strip: what is predicted, or the share of the second class.

    `owner` is the place among the regions of the leaf that each is of.
    """

    owner: I4


class Shades(Curves):
    """Polygons of one colour each: `code` is a class or the step of the scale.

    `share` is that of the class, 1 for numbers.
    """

    code: I4
    share: F8


class Varied(TypedDict, total=False):
    """What leaves predict that vary, or tell how sure they are: lines over a strip, shades."""

    curves: Curves
    shades: Shades


class Ends(TypedDict):
    """Where the points end: `of` is the place of each one's leaf in `node`.

    `value` is what each leaf predicts, where it predicts the same of all its rows.
    """

    node: list[str]
    of: I4
    value: NotRequired[F8]


class ShownRow(TypedDict):
    """The row whose way is shown: the last node of it, and its number from 1 on, or its place.

    A place has no number where nothing says where it is.
    """

    node: str
    number: int | None
    place: tuple[float | None, float | None]


class Waymark(TypedDict, total=False):
    """The row whose way is shown, where one is."""

    row: ShownRow


class Ways(TypedDict, total=False):
    """Where the points end, where the tree is not too large for it."""

    ends: Ends


class Grown(Varied):
    """The regions and lines of a tree; `fills` and `values` are of the leaves in sight."""

    regions: Regions
    fills: dict[str, int]
    values: dict[str, float]
    lines: Lines


class Fading(TypedDict, total=False):
    """How near each point is to the slice: 7 in it, 0 far from it; not where all are."""

    near: U1


class Drawn(Plane, Cuts, Grown, Ways, Fading):
    """A tree over its plane, and the cuts of the node in focus, which has `n` rows.

    `inside` has a bit a point: whether it is in the focus. `seen` says whether the focus is drawn.
    """

    measure: str
    unit: str
    impurity: str
    n: int
    focus: str
    inside: U1
    seen: bool
    ends: NotRequired[Ends]


class Sides(TypedDict):
    """The gain of each cut of an axis: LaTeX with holes such as @gain, and what fills them.

    These are the weights of the rows on both sides, their impurities, and the gain.
    """

    formula: str
    left: F8
    right: F8
    ileft: F8
    iright: F8
    gain: F8


class Worked(TypedDict):
    """The gain of every cut, by axis."""

    sides: list[Sides]


class Beside(TypedDict):
    """Whether a picture is of the other of two screens side by side."""

    beside: NotRequired[bool]


class Scene(Drawn, Waymark, Beside):
    """The stage: whether with the gains, what may be done, the state it is of, what is spoken."""

    gains: bool
    can: Can
    stamp: str
    say: str


class TreeColours(TypedDict):
    """The colours that the browser puts on the tree."""

    ink: str
    paper: str
    accent: str


class TreeShape(TypedDict):
    """All nodes of a tree, each before those below it, left before right.

    `pure` is the percentage of the commonest class, or of the root's impurity that is gone; `hue`
    is the place among `hues` of the colour of what a node predicts.
    """

    depth: I4
    rows: I4
    pure: U1
    hue: U1
    hues: Sequence[str]


class Strips(TypedDict):
    """The rows of nodes along what they are split by, counted by kind and bin, see strips.py.

    `left` bins are left of the threshold; `counts` are of each node, then each kind, then each bin,
    in shares of the node's fullest. Kinds are classes' colours, or the levels of a number.
    """

    nodes: list[str]
    left: U1
    counts: U1
    kinds: int
    classes: bool


class TreeFrame(Beside):
    """The tree as DOT: its head and its nodes; `missing` counts those not sent, by node.

    `shape` has those that are not sent too. `picture` names it where it is not the tree of Grow.
    """

    head: str
    nodes: list[NodeLook]
    shape: TreeShape
    strips: Strips
    missing: dict[str, int]
    line: str
    focus: str
    next: str
    colours: TreeColours
    stamp: NotRequired[str]
    picture: NotRequired[str]
    row: NotRequired[str]


class Ahead(TypedDict):
    """Packed frames that are likely to be asked for next, by the names of their pictures."""

    frames: dict[str, U1]


class Moved(Ahead):
    """The packed frames of pictures that are there, of this step, and those of the next one."""

    shown: dict[str, U1]


class Tip(TypedDict):
    """How good a time-line is at its end: shown, '' while that is worked out; and in words."""

    held: str
    said: str


class Fork(Tip):
    """A branch by its number, and the step after which it leaves the line."""

    branch: int
    at: int


class Forks(TypedDict):
    """The branches, the newest last; `tip` is the end of the time-line itself."""

    tip: NotRequired[Tip]
    forks: list[Fork]


class Stamps(TypedDict):
    """The stamps by the steps from here; `beside` are those of the other of two screens."""

    stamps: dict[str, str]
    beside: NotRequired[dict[str, str]]


class TimeLine(Forks, Stamps):
    """Where on the time-line the screen is, and the ways on.

    `more`: the line goes on beyond its `total` steps in sight; `asking`: a cut is asked for;
    `chosen`: one waits to be made; `rival`: the next split would be that of its node.
    """

    made: int
    total: int
    more: bool
    own: list[int]
    stamp: str
    asking: bool
    chosen: bool
    rival: bool
    playing: bool
    undo: bool
    redo: bool


class Swatch(TypedDict):
    """A value that can be drawn."""

    name: str
    said: str
    value: int
    colour: str
    symbol: str


class GainLesson(Scene):
    """A stage beside a formula: the gain of each of its cuts, worked out."""

    worked: Worked


class Pad(TypedDict):
    """A drawing and what draws it; `fit` counts the calls to fit."""

    target: Literal["classes", "colour", "height"]
    axes: list[str]
    palette: list[Swatch]
    scale: Sequence[str]
    range: tuple[int, int]
    most: int
    past: bool
    ahead: bool
    fit: int
    x: F8
    y: F8
    value: F8


class Figures(TypedDict):
    """The size of a tree, and its errors on the training and on the held-out rows."""

    leaves: int
    height: int
    errors: list[float | None]


class Trees(TypedDict, total=False):
    """The tree at each value of a line; `masks` has a bit a node: whether its split stays."""

    training: F8
    held: F8
    leaves: I4
    height: I4
    masks: U1


class RuleLine(Trees):
    """The values of a rule in plain words, and the place of the present one, or -1.

    `free` is no limit in words.
    """

    rule: str
    words: str
    about: str
    free: str
    values: Sequence[Rule]
    labels: list[str]
    at: int


class Folds(TypedDict, total=False):
    """The errors of the folds along a line, and the places of their two choices."""

    mean: F8
    spread: F8
    folds: str
    best: int
    one_error: int


class ErrorCurve(RuleLine, Folds):
    """The line that is drawn, with its title and the present setting in words."""

    title: str
    now: str


class Panel(TypedDict):
    """A picture of the regions with some of the rows."""

    title: str
    held: bool
    rows: int


class Values(TypedDict, total=False):
    """The number that each node predicts."""

    value: F8


class Wrong(TypedDict, total=False):
    """Mistakes of nodes that say one class here and another there: a bit a depth and point."""

    wrong: U1


class Pictures(Bare, Values, Varied, Wrong):
    """A whole tree by the places of its nodes, and the subtree on screen.

    `parent` and `fill` go by node; `leaf` and `held` by point; `mask` has a bit a node: whether its
    split stays. `measured` is what errors are called, '' where they are so many rows; those in
    `percent` are shares.
    """

    panels: list[Panel]
    measured: str
    percent: bool
    regions: Places
    parent: I4
    fill: I4
    leaf: I4
    held: U1
    mask: U1
    now: Figures
    stamp: str


class Box(TypedDict):
    """A leaf: its node, the number of its region from 1 on, what it says as LaTeX, its rule."""

    node: str
    region: int
    says: str
    where: str


class Boxes(Bare, Grown):
    """The regions of a tree, and what f says of an x in each; `formula` has the holes @x, ...

    `more`: x has features that are on no axis.
    """

    formula: str
    boxes: list[Box]
    more: bool


class Costs(TypedDict):
    """What pruning weighs along a curve of alpha: LaTeX with holes, risk and cost at each place."""

    formula: str
    risk: F8
    cost: F8


class Cockpit(TypedDict, total=False):
    """What stands round the pictures: the curve, a slider a rule, what is spoken.

    `grown` says which rows the tree was grown on; `baseline` is the error on the rows held out of
    the same answer for all rows, which `one_answer` names.
    """

    curve: ErrorCurve
    dials: list[RuleLine]
    say: str
    grown: str
    baseline: float
    one_answer: str
    weighed: Costs


class Overfit(Pictures, Cockpit):
    """Pictures of a subtree, alone or with what stands round them."""


class Sampled(TypedDict):
    """A measure at each of the shares it is drawn over; `worked` out there as LaTeX in a lesson."""

    name: str
    unit: str
    values: F8
    worked: NotRequired[list[str]]


class Shares(TypedDict):
    """What shares of K classes are drawn over: every impurity, and the one that is looked at.

    Shares are told in parts of `whole`: `surprise` is the self-information of 0, 1, ... parts,
    `apart` KL to uniform where the curves have values, both in bits, and `bits` is log2 K, what
    that and the curve named `entropy` add up to.
    """

    whole: int
    impurity: str
    curves: list[Sampled]
    surprise: F8
    apart: F8
    bits: float
    entropy: str
    classes: list[ClassLook]
    colours: Colours


class Measures(Shares):
    """Impurities of two classes: of 0 to `whole` parts of the first, `percent` being shown."""

    percent: int


class Simplex(Shares):
    """Impurities of three classes: of shares a >= b >= c, a and then b falling.

    No order of the classes changes an impurity.
    """

    shares: list[int]
    scale: list[str]


class Compared(TypedDict):
    """What a criterion makes of two splits, and of all that dragging one class makes of one.

    By split, by class, by its rows on the left: `score`, NaN where a side is empty, and `better`:
    1 where it is above the other split's, -1 below, 0 where it is the same.
    """

    name: str
    title: str
    measured: str
    unit: str
    score: F8
    better: I4


class Splits(TypedDict):
    """Two splits of a node: its rows of each class, at most `most`, and those sent left.

    `classes` are all that a node may have.
    """

    parent: list[int]
    first: list[int]
    second: list[int]
    most: int
    opened: str
    criteria: list[Compared]
    classes: list[ClassLook]
    colours: Colours


class Surface(TypedDict):
    """What trees predict, cell by cell of the plane, row by row from below.

    For each of so many pictures one after the other: `code` is a class or a step of the scale,
    `share` how sure that is, 255 being all, or how large a number is.
    """

    wide: int
    high: int
    code: U1
    share: U1


class Errors(TypedDict):
    """An error after each round, with its standard error; NaN where there is none."""

    name: str
    look: Literal["accent", "ink", "muted"]
    error: F8
    band: F8


class FeatureWorth(TypedDict):
    """What a feature does for an ensemble.

    Its share of the impurity, and, once that is known, what permuting it adds to the error: the
    mean, and the range of a few permutations.
    """

    name: str
    impurity: float
    permuted: NotRequired[float]
    low: NotRequired[float]
    high: NotRequired[float]


class Tile(TypedDict):
    """A tree for itself: its number, what is said of it."""

    member: int
    words: str


class Massed(TypedDict, total=False):
    """What only some ensembles have over the plane, see Forest."""

    strip: F8
    mass: U1


class Forest(Bare, Massed):
    """An ensemble as it builds: the plane after some of the `rounds`, the errors after all.

    `words` are said of each of these pictures; `mass` is how large a point is drawn in each, 255
    for the largest, where rounds tell rows apart, which `massed` says; rounds are `counted` as
    trees or rounds; `strip` has the prediction across, of a number over one feature, in each.
    `trees` are the first ones for themselves.
    """

    about: str
    say: str
    counted: str
    rounds: I4
    words: list[str]
    surface: Surface
    massed: str
    errors: list[Errors]
    percent: bool
    measured: str
    worth: list[FeatureWorth]
    trees: Surface
    tiles: list[Tile]
    stamp: str


class Treads(TypedDict, total=False):
    """What leaves predict at their left and at their right end; the share of trees that have each.

    Over a strip of numbers only.
    """

    heights: F8
    share: F8


class Tiles(Shapes, Treads):
    """The different leaves of many trees over a plane, each with its class or step of the scale."""

    code: I4


class Ghosts(Shapes):
    """The lines of their cuts: the share of the trees that have each, and which the first has."""

    share: F8
    own: U1


class Layer(TypedDict):
    """Many trees over one plane, under a name: tiles and lines that they share.

    `full` are the tiles of the first tree; those of the k-th after it are these, but for
    toggles[starts[k]] to toggles[starts[k + 1]]: tiles that it has and the first lacks, or lacks.
    """

    name: str
    tiles: Tiles
    full: I4
    toggles: I4
    starts: I4
    ghosts: Ghosts


class RootCut(TypedDict):
    """What wins the root in some of the trees: a feature, its share of them, and its cuts.

    Of a number its `axis`, the share of the trees that cut in each of the `bins`, which are as wide
    as one another, and where the full tree cuts, if it does; else the commonest `cuts` in words.
    """

    name: str
    share: float
    own: bool
    axis: NotRequired[Axis]
    bins: NotRequired[F8]
    at: NotRequired[float]
    cuts: list[tuple[str, float]]


class Stability(Bare):
    """The trees of other rows, those that change most first, over the cloud and a layer.

    `number` is what each is called, counted from 0, `change` how much it changes, `root` whether
    that cuts the root otherwise, `same` whether it is the full tree. `each`: it is without the row
    of that number; `tree` then is that of each point, -1 where there is none. `shown` is the one
    that stays, -1 for none. `wavers` is the mean change at each point. A change over the picture,
    or over the rows as `moved`, is a share where it is in `percent`, else a number.
    """

    layer: str
    each: bool
    number: I4
    change: F8
    moved: F8
    root: U1
    same: U1
    tree: I4
    wavers: F8
    shown: int
    percent: bool
    roots: list[RootCut]
    stamp: str


class SideWeights(TypedDict, total=False):
    """The weight on each side of cuts, where rows have weights."""

    weight_left: F8
    weight_right: F8


class Ranking(SideWeights):
    """The first candidates of the focus as a table; `row` is the one that is looked at.

    `said` stands under it; `mark` is of each the number of one of `words`; `measure` is what
    `score` is, with its unit; `share` is in percent of the best.
    """

    picture: str
    stamp: str
    measure: str
    index: I4
    cut: list[str]
    words: list[str]
    mark: I4
    row: int | None
    said: list[str]
    left: I4
    right: I4
    score: F8
    share: F8
    impurity_left: F8
    impurity_right: F8


class Handed(TypedDict):
    """A file that the browser is to keep under its mark; no `content` where it may have it."""

    mark: str
    name: str
    size: int
    content: U1


class Wanted(TypedDict):
    """A file that is asked for by its mark, from that byte on."""

    mark: str
    at: int


class Shelf(TypedDict):
    """The files that the browser is to keep and those it is to give, in pieces of so many bytes."""

    keep: list[Handed]
    wants: list[Wanted]
    piece: int


Frame: TypeAlias = (
    Cloud
    | Scene
    | GainLesson
    | Overview
    | TreeFrame
    | Ahead
    | TimeLine
    | Pad
    | Pictures
    | Overfit
    | Measures
    | Simplex
    | Splits
    | Boxes
    | Forest
    | Bare
    | Layer
    | Stability
    | Ranking
    | Shelf
)
KINDS: dict[str, tuple[type, ...]] = {
    "cloud": (Cloud,),
    "stage": (Scene, GainLesson, Overview),
    "tree": (TreeFrame,),
    "ahead": (Ahead,),
    "moved": (Moved,),
    "line": (TimeLine,),
    "pad": (Pad,),
    "overfit": (Overfit,),
    "measures": (Measures,),
    "simplex": (Simplex,),
    "splits": (Splits,),
    "regions": (Boxes,),
    "forest": (Forest,),
    "layer": (Layer,),
    "stability": (Stability, Bare),
    "ranking": (Ranking,),
    "shelf": (Shelf,),
}
"""What a picture of each kind is given."""
