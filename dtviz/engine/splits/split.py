"""Splits, the interface of the families of projections, and the minimum of both sides of a split.

A projection gives each row one number, its score; a row goes left where `score(x) <= threshold`. A
projection is a small hashable value. Only its family knows what the value holds. A dialect, see
`base/text`, is how a language writes names, numbers and intervals: words, LaTeX, Python, SQL.

The minimum is what both sides of a split must have: rows, weight, a mean above 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, groupby
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.categories import CategoryValue
from dtviz.data.dataset import Dataset
from dtviz.data.units import PLAIN, Quantity, kind_of

Ring = tuple[tuple[float, ...], ...]
"""Polygon in the plane: its corners (x, y), with RING_BREAK between its parts; () if empty."""
Span = tuple[float, float]
"""Scores that reach a node: low < score <= high; infinite where no split limits them."""
FULL_SPAN: Span = (-np.inf, np.inf)
"""Span of all scores."""
RING_BREAK = (math.nan, math.nan)
"""Stands between two parts of a ring; compared by identity, since NaN is not equal to itself."""


class Projection(Protocol):
    """Function that gives a row its score: a hashable value of the family named in `family`."""

    family: ClassVar[str]

    def __hash__(self) -> int:
        """Hash of the value."""


@dataclass(frozen=True, slots=True)
class MissingDirection:
    """Direction of rows without a score at a split."""

    left: bool = False
    """True if such rows go left; it counts where no surrogate has a score either."""
    surrogates: tuple[Surrogate, ...] | None = None
    """Surrogates, of which the first with a score decides; None: surrogates were not computed."""
    is_explicit: bool = False
    """True if a person or a file set the direction; False if the rows of the node did."""


RIGHT, LEFT = MissingDirection(False), MissingDirection(True)
EXPLICIT_RIGHT, EXPLICIT_LEFT = (
    MissingDirection(False, is_explicit=True),
    MissingDirection(True, is_explicit=True),
)


class Split(NamedTuple):
    """Question of a node: is the score of a row at most the threshold?

    The direction of missing values does not count in equality.
    """

    projection: Projection
    """Projection that scores a row."""
    threshold: float
    """Threshold: rows at it go left."""
    missing: MissingDirection = RIGHT
    """Direction of rows without a score."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Split) and self[:2] == other[:2]

    def __hash__(self) -> int:
        return hash(self[:2])


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Split that stands in for another one where a row has no score."""

    split: Split
    """Split that is asked instead."""
    is_reversed: bool
    """True if the rows on the left of the split go right, and those on the right go left."""
    agreement: float
    """Share of weight that the surrogate sends to the side of the primary split, as in rpart."""
    adjusted_agreement: float
    """(agreement - majority) / (1 - majority), the majority being the agreement of sending all rows
    to the heavier side; as in rpart."""


class SplitColumns(NamedTuple):
    """Splits as columns, arrays (K,)."""

    projections: tuple[Projection, ...]
    """Distinct projections of the splits."""
    line: Ints
    """Index of the projection of each split, (K,)."""
    threshold: Floats
    """Threshold of each split, (K,)."""
    left: Bools | None = None
    """Mask of the splits that send rows without a score left, (K,); None: none does."""
    surrogates: Mapping[int, tuple[Surrogate, ...]] = MappingProxyType({})
    """Surrogates by the index of their split."""


@dataclass(frozen=True, slots=True)
class FeaturePlane:
    """Plane of a picture: the features of its two axes, and the values of all other features."""

    across: int
    """Feature of the horizontal axis."""
    up: int | None
    """Feature of the vertical axis; None: the target is there."""
    pinned: tuple[float, ...]
    """Value at which each feature is fixed, (M,); those of the axes are not used."""
    places: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Positions of a category's codes on its axis, by feature; a feature without an entry has the
    codes as positions."""
    gutters: Mapping[int, float] = field(default_factory=dict)
    """Coordinate below which the axis of a feature shows missing values, by feature."""


class PlaneForm(NamedTuple):
    """Score over a plane: at (x, y) it is base + a x + b y + p (x - u)² + q (y - v)²."""

    base: float
    """Constant."""
    a: float = 0.0
    """Slope along x."""
    b: float = 0.0
    """Slope along y."""
    p: float = 0.0
    """Curvature along x."""
    q: float = 0.0
    """Curvature along y."""
    u: float = 0.0
    """Centre of the x term."""
    v: float = 0.0
    """Centre of the y term."""


def _interval_condition(
    projection: Projection, low: str, high: str, data: Dataset, dialect: Dialect
) -> str:
    """Text of low < score <= high, as the quantity of the score writes it: a date as a date."""
    quantity = quantity_of(projection, data)
    score = formula(projection, data, dialect)
    return kind_of(quantity).condition(dialect, score, low, high, quantity)


LEFT_RIGHT, YES_NO = ("left", "right"), ("yes", "no")
"""Names of the sides of a split of numbers, and of one of a category or of missing values.

The condition of a split holds on the side 'yes'. Pictures may draw this side on the right, because
neither the values of a category nor missing values have an order.
"""


@dataclass(frozen=True, slots=True)
class Family:
    """Kind of projection, with all that the package must know about its projections.

    >>> import dtviz
    >>> from dtviz.engine.splits import FAMILIES, Axis
    >>> axis = FAMILIES["axis"]
    >>> axis.propose(dtviz.load("heights"))
    (Axis(feature=0),)
    >>> axis.write(Axis(3)), axis.read("3"), axis.problem(Axis(3), dtviz.load("heights"))
    ('3', Axis(feature=3), 'feature 3 does not exist; there are 1')
    """

    name: str
    """Name in rules and files."""
    title: str
    """Name in users' texts."""
    code: str
    """Letter with which an address starts a projection of the family."""
    propose: Callable[[Dataset], tuple[Projection, ...]]
    """Projections that every node of a tree on the dataset tries."""
    score: Callable[[Sequence[Any], Ints, Floats, Ints], Floats]
    """Vectorised score of rows[i] of the columns, (M, n), by projections[which[i]]; `which` and
    `rows` broadcast."""
    problem: Callable[[Any, Dataset], str]
    """Reason why a projection does not suit a dataset; '' if it does."""
    write: Callable[[Any], str]
    """Text of a projection in addresses: letters, digits and '-'. `read` is the inverse."""
    read: Callable[[str], Projection | None]
    """Projection of a text by `write`; None for any other text."""
    formula: Callable[[Any, Dataset, Dialect], str]
    """Text of the score in a dialect."""
    clip: Callable[[Any, float, Ring, FeaturePlane], tuple[Ring, Ring]]
    """Parts of a ring on the left and on the right of a threshold; the given ring has one part."""
    axis: Callable[[Any], int | None] = lambda projection: None
    """Feature whose values are the scores, or None."""
    condition: Callable[[Any, str, str, Dataset, Dialect], str] = _interval_condition
    """Text of low < score <= high in a dialect; low and high are texts, '' for no limit."""
    levels: Callable[[Any, Dataset], tuple[CategoryValue, ...]] = lambda projection, data: ()
    """Values of a category whose codes are the scores, ordered anew by each node; () for any other
    projection."""
    naming: Callable[[Any, Sequence[int]], Split] | None = None
    """Split that sends the given codes left; None: scores have an order."""
    join_sides: Callable[[Mapping[Any, bool]], tuple[Projection, bool] | None] | None = None
    """One projection and side that stand for several splits on the path to a node. The argument
    has the side of each projection, True for left, and so has the result; None if no row passes
    all splits. The field is None for a family that cannot merge splits."""
    propose_in_node: Callable[[Dataset, Ints], tuple[Projection, ...]] | None = None
    """Projections that one node tries in addition, computed from the ids of its rows, ascending."""
    side_names: tuple[str, str] = LEFT_RIGHT
    """Names of the left and the right side of a split."""
    depends_on_rows: bool = False
    """True if the proposals depend on all rows of the dataset, not on its features alone."""
    form: Callable[[Any, FeaturePlane], PlaneForm] | None = None
    """Polynomial of the score over a plane, for projections that are no axis of the plane; None if
    the score is no such polynomial."""


FAMILIES: dict[str, Family] = {}
"""Every family by name, in the order in which projections are sorted."""


def family_of(projection: Projection) -> Family:
    """Family of a projection."""
    return FAMILIES[projection.family]


def side_names(projection: Projection) -> tuple[str, str]:
    """Names of the left and the right side of a split by a projection."""
    return family_of(projection).side_names


def sort_key(projection: Projection) -> tuple[int, Projection]:
    """Sort key of a projection: the position of its family in FAMILIES, then the projection."""
    return list(FAMILIES).index(projection.family), projection


def narrow_span(span: Span | None, split: Split, left: bool) -> Span:
    """Span of a projection on one side of a split; `span` is the node's, None for all scores."""
    low, high = span or FULL_SPAN
    limit = split.threshold
    return (low, min(high, limit)) if left else (max(low, limit), high)


def condition(projection: Projection, low: str, high: str, data: Dataset, dialect: Dialect) -> str:
    """Text of low < score <= high in a dialect; low and high are texts, '' for no limit."""
    return family_of(projection).condition(projection, low, high, data, dialect)


def formula(projection: Projection, data: Dataset, dialect: Dialect) -> str:
    """Text of the score in a dialect: 'x1'."""
    return family_of(projection).formula(projection, data, dialect)


def levels_of(projection: Projection, data: Dataset) -> tuple[CategoryValue, ...]:
    """Values of a category whose codes are the scores; () for any other projection."""
    return family_of(projection).levels(projection, data)


def split_of_codes(projection: Projection, named: Sequence[int]) -> Split:
    """Split that sends the given codes of a projection of categories left."""
    naming_of_family = family_of(projection).naming
    assert naming_of_family is not None
    return naming_of_family(projection, named)


def axis_of(projection: Projection) -> int | None:
    """Feature whose values are the scores of a projection, or None."""
    return family_of(projection).axis(projection)


def quantity_of(projection: Projection, data: Dataset) -> Quantity:
    """Quantity of the score of a projection: that of its axis' feature, or plain numbers."""
    axis = axis_of(projection)
    return PLAIN if axis is None else data.quantities[axis]


def feature_of(projection: Projection) -> int | None:
    """Single feature of a projection; None if it has none or several."""
    return getattr(projection, "feature", None)


def features_of(projection: Projection) -> tuple[int, ...]:
    """Features of a projection; none where it does not list them."""
    feature = feature_of(projection)
    features: tuple[int, ...] = getattr(projection, "features", ())
    return features if feature is None else (feature,)


def split_columns(splits: Iterable[Split]) -> SplitColumns:
    """Splits as columns."""
    splits = list(splits)
    line_of: dict[Projection, int] = {}
    line = [line_of.setdefault(split.projection, len(line_of)) for split in splits]
    thresholds = np.array([split.threshold for split in splits], np.float64)
    left = np.array([split.missing.left for split in splits], np.bool_)
    indexed = enumerate(split.missing.surrogates for split in splits)
    surrogates = {index: substitutes for index, substitutes in indexed if substitutes}
    return SplitColumns(tuple(line_of), np.array(line, int), thresholds, left, surrogates)


def scores(projections: Sequence[Projection], which: Ints, columns: Floats, rows: Ints) -> Floats:
    """Score of rows[i] by projections[which[i]]; columns (M, n); `which` and `rows` broadcast."""
    names = [projection.family for projection in projections]
    families = dict.fromkeys(names)
    if len(families) == 1:
        return FAMILIES[names[0]].score(projections, which, columns, rows)
    which, rows = np.broadcast_arrays(which, rows)
    out = np.full(which.shape, np.nan)
    for name in families:
        of_family = np.array([other == name for other in names])
        mask = of_family.take(which)
        members = list(compress(projections, of_family.tolist()))
        member_ids = (of_family.cumsum() - 1).take(which[mask])
        out[mask] = FAMILIES[name].score(members, member_ids, columns, rows[mask])
    return out


def score(projection: Projection, columns: Floats, rows: Ints | None = None) -> Floats:
    """Score of each row of the columns, (M, n), or of the given `rows`."""
    row_ids = np.arange(columns.shape[1]) if rows is None else rows
    return scores((projection,), np.zeros(1, int), columns, row_ids)


def goes_left(
    split: Split | SplitColumns,
    columns: Floats,
    rows: Ints | None = None,
    which: Ints | None = None,
) -> Bools:
    """Mask of the rows that go left; a row exactly at the threshold goes left.

    `columns` has shape (M, n); without `rows` all its rows are meant. Of several splits rows[i]
    meets the split which[i]; `rows` and `which` broadcast. Rows without a score go where the
    split's `missing` sends them.
    """
    splits = split_columns([split]) if isinstance(split, Split) else split
    row_ids = np.arange(columns.shape[1]) if rows is None else rows
    split_ids = np.zeros(1, int) if which is None else which
    return left_mask_function(splits, columns)(row_ids, split_ids)


def left_mask_function(splits: SplitColumns, columns: Floats) -> Callable[[Ints, Ints], Bools]:
    """Function of `rows` and `which`: the mask of rows[i] that go left at the split which[i].

    `columns` has shape (M, n); `rows` and `which` broadcast.
    """
    score = _scorer(splits, columns)

    def left_mask(rows: Ints, which: Ints) -> Bools:
        row_scores = score(rows, which)
        left = row_scores <= splits.threshold.take(which)
        if splits.left is None or not (missing := np.isnan(row_scores)).any():
            return left
        left |= missing & splits.left.take(which)
        if splits.surrogates:
            rows, which = (np.broadcast_to(ids, row_scores.shape)[missing] for ids in (rows, which))
            left[missing] = _left_by_surrogates(splits, left[missing], columns, rows, which)
        return left

    return left_mask


def _scorer(splits: SplitColumns, columns: Floats) -> Callable[[Ints, Ints], Floats]:
    """Function of `rows` and `which`: the score of rows[i] by the split which[i]."""
    axes = [axis_of(projection) for projection in splits.projections]
    projections, line = splits.projections, splits.line
    if len(axes) == 1 or not any(axis is not None for axis in axes):
        return lambda rows, which: scores(projections, line.take(which), columns, rows)
    # The score of an axis is the value itself: its index in the flat columns is enough.
    column_starts = [0 if axis is None else axis * columns.shape[1] for axis in axes]
    values, starts = columns.ravel(), np.array(column_starts, np.int64).take(line)
    is_off_axis = np.array([axis is None for axis in axes]).take(line)
    has_others = bool(is_off_axis.any())

    def score(rows: Ints, which: Ints) -> Floats:
        row_scores = values.take(starts.take(which) + rows)
        shape = row_scores.shape
        if has_others and (is_other := np.broadcast_to(is_off_axis.take(which), shape)).any():
            rows, which = (np.broadcast_to(ids, shape)[is_other] for ids in (rows, which))
            row_scores[is_other] = scores(projections, line.take(which), columns, rows)
        return row_scores

    return score


def _left_by_surrogates(
    splits: SplitColumns, left: Bools, columns: Floats, rows: Ints, which: Ints
) -> Bools:
    """Left mask of rows without a score, rows[i] at the split which[i], by surrogates.

    `left` is the mask without surrogates; it is kept where no surrogate has a score.
    """
    order = np.argsort(which, kind="stable")
    split_ids, first = np.unique(which[order], return_index=True)
    for split_id, undecided in zip(split_ids.tolist(), np.split(order, first[1:]), strict=True):
        for surrogate in splits.surrogates.get(split_id, ()):
            if not len(undecided):
                break
            has_score, sent_left = surrogate_masks(surrogate, columns, rows.take(undecided))
            left[undecided[has_score]] = sent_left[has_score]
            undecided = undecided[~has_score]
    return left


def surrogate_masks(surrogate: Surrogate, columns: Floats, rows: Ints) -> tuple[Bools, Bools]:
    """Mask of the rows for which a surrogate has a score, and mask of rows it sends left."""
    split = surrogate.split
    row_scores = score(split.projection, columns, rows)
    return ~np.isnan(row_scores), (row_scores <= split.threshold) ^ surrogate.is_reversed


def address_text(split: Split) -> str:
    """Split in an address: the letter of the family, its projection, '.', the threshold.

    The axis family has no letter: '0.2.45' is feature 0 at 2.45. A direction of missing values that
    a person or a file set adds a letter: '0.2.45l', '0.2.45r'.
    """
    family, direction = family_of(split.projection), split.missing
    letter = ("l" if direction.left else "r") if direction.is_explicit else ""
    return f"{family.code}{family.write(split.projection)}.{split.threshold!r}{letter}"


def projection_in(text: str) -> Projection | None:
    """Projection of a text in an address; None if the text is no projection."""
    for family in FAMILIES.values():
        if text.startswith(family.code):
            projection = family.read(text.removeprefix(family.code))
            if projection is not None:
                return projection
    return None


def midpoint(lower: NDArray[Any], upper: NDArray[Any]) -> Floats:
    """Number half-way between neighbouring values; the lower one where that rounds up to the upper.

    Halves are added, so that values near the largest float do not overflow.
    """
    middle = lower / 2 + upper / 2
    return np.where(middle < upper, middle, lower)


def divide_ring(ring: Ring, coordinate: int, limit: float) -> tuple[Ring, Ring]:
    """Parts of a ring on the left and the right of a limit of one coordinate of its corners.

    Where an edge crosses the limit, the new corner has the limit as its coordinate, without
    rounding. Other coordinates that both ends of the edge share stay as they are. A part is empty
    where no corner is on its side; a ring that only touches the limit is on the left.
    """
    left: list[tuple[float, ...]] = []
    right: list[tuple[float, ...]] = []
    for start, end in zip(ring, (*ring[1:], *ring[:1]), strict=True):
        a, b = start[coordinate], end[coordinate]
        if a <= limit:
            left.append(start)
        if a >= limit:
            right.append(start)
        if a < limit < b or b < limit < a:
            crossing = _crossing(start, end, coordinate, limit)
            left.append(crossing)
            right.append(crossing)
    is_beyond = any(corner[coordinate] > limit for corner in right)
    return _without_repeats(left), _without_repeats(right) if is_beyond else ()


def divide_at_gutter(feature: int | None, ring: Ring, plane: FeaturePlane) -> tuple[Ring, Ring]:
    """Part of a ring in the gutter of a feature, and the rest; the given ring has one part."""
    if feature is None or feature not in plane.gutters:
        return (), ring
    coordinate = {plane.across: 0, plane.up: 1}.get(feature)
    if coordinate is None:
        return (), ring
    gutter, rest = divide_ring(ring, coordinate, plane.gutters[feature])
    return (gutter if len({corner[coordinate] for corner in gutter}) > 1 else ()), rest


def _without_repeats(corners: list[tuple[float, ...]]) -> Ring:
    """Corners that differ from the corner before; one corner if all are equal."""
    distinct = (corner for k, corner in enumerate(corners) if corner != corners[k - 1])
    return tuple(distinct) or tuple(corners[:1])


def _crossing(
    start: tuple[float, ...], end: tuple[float, ...], coordinate: int, limit: float
) -> tuple[float, ...]:
    """Point of an edge at which a coordinate is `limit`."""
    share = position_between(start[coordinate], end[coordinate], limit)
    point = [a if a == b else (1 - share) * a + share * b for a, b in zip(start, end, strict=True)]
    point[coordinate] = limit
    return tuple(point)


def join_rings(rings: Iterable[Ring]) -> Ring:
    """Rings as the parts of one ring."""
    corners = [corner for ring in rings if ring for corner in (RING_BREAK, *ring)]
    return tuple(corners[1:])


def ring_parts(ring: Ring) -> list[Ring]:
    """Parts of a ring, as rings."""
    runs = groupby(ring, lambda corner: corner is RING_BREAK)
    return [tuple(corners) for is_gap, corners in runs if not is_gap]


def position_between(start: float, end: float, number: float) -> float:
    """Position of a number between `start` and `end`, from 0 to 1.

    Halves are subtracted where the distance of the ends is larger than any float.
    """
    if math.isfinite(end - start):
        return (number - start) / (end - start)
    return (number / 2 - start / 2) / (end / 2 - start / 2)


def linear_clip(
    projection: Projection, threshold: float, ring: Ring, plane: FeaturePlane
) -> tuple[Ring, Ring]:
    """Parts of a ring left and right of a threshold, for scores that are linear in the features."""
    points = np.repeat(np.array(plane.pinned)[:, None], len(ring), axis=1)
    points[plane.across] = [corner[0] for corner in ring]
    if plane.up is not None:
        points[plane.up] = [corner[1] for corner in ring]
    with np.errstate(over="ignore", invalid="ignore"):
        heights = np.nan_to_num(score(projection, points)).tolist()
    scored = tuple((*corner, height) for corner, height in zip(ring, heights, strict=True))
    left, right = divide_ring(scored, 2, threshold)
    return tuple(corner[:2] for corner in left), tuple(corner[:2] for corner in right)


NO_CUT, MANY_BRANCHES, FEW_ROWS, LITTLE_WEIGHT, ALL_ZERO, ADMISSIBLE = range(6)
"""Grades of a cut: the first requirement that the cut fails, in the order of the checks.

Up to MANY_BRANCHES there is no cut that could be made; above it one is compared with the others.
"""

Grades = NDArray[np.int8]
"""Grade of each of several cuts."""


@dataclass(frozen=True, slots=True)
class Minimum:
    """Rows and weight that each side of an admissible cut must have.

    >>> sides = np.array([[1, 2], [3, 2]])  # the first cut leaves one row on its left
    >>> Minimum(rows=2).grades(sides, sides, np.array([4, 4]))
    array([2, 5], dtype=int8)
    """

    rows: int = 1
    """The smallest number of rows of a side."""
    weight: float = 0.0
    """The smallest weight of a side."""
    above_zero: bool = False
    """True if the mean of the target must be above 0 on each side, as in scikit-learn's Poisson
    criterion: where a leaf predicts 0, any later count above 0 has an infinite deviance."""

    def grades(
        self,
        n: NDArray[Any],
        weight: NDArray[Any],
        node_weight: NDArray[Any],
        excess: NDArray[Any] | None = None,
    ) -> Grades:
        """Grade of each cut, (cuts,), from the rows and the weight of its sides, (2, cuts).

        `node_weight` is the weight of the rows that each cut parts, (cuts,); that of the sides may
        have another unit. `excess` is each side's sum of the target less its node's mean, as a
        share of that mean, (2, cuts): needed where the mean of a side must be above 0.
        """
        grades = np.where(n.min(axis=0) >= self.rows, np.int8(ADMISSIBLE), np.int8(FEW_ROWS))
        if self.weight:
            lighter = weight.min(axis=0) / weight.sum(axis=0) * node_weight
            light = lighter < self.weight * (1 - ROUNDING)
            grades[light & (grades == ADMISSIBLE)] = LITTLE_WEIGHT
        if self.above_zero and excess is not None:
            # A side of zeros alone is -1 times its weight away from the mean, but for rounding.
            zero = (excess <= weight * (ROUNDING - 1)).any(axis=0)
            grades[zero & (grades == ADMISSIBLE)] = ALL_ZERO
        return grades


ONE_ROW = Minimum()
