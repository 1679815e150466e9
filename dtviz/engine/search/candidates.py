"""Candidates of one node: every cut, with the numbers of each cut that the pictures show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.data.dataset import Dataset, lock_arrays
from dtviz.engine.criteria.criteria import Criterion, Impurity, RunningImpurity
from dtviz.engine.search.all_subsets import positions_in, scattered_subsets
from dtviz.engine.search.best_split import best_cuts, split_at
from dtviz.engine.search.category_order import MAX_VALUES_TRIED, count_subsets
from dtviz.engine.search.evaluate import (
    NamedCodes,
    ScoredCuts,
    evaluate_frontier,
    evaluate_histogram,
    is_right_named,
    order_categories,
    running_sums,
    sum_reader,
)
from dtviz.engine.search.frontier import Frontier, frontier, one_ordering
from dtviz.engine.search.histogram import Histogram, histogram_of
from dtviz.engine.search.missing import (
    LEARNED,
    MissingPolicy,
    counted_histogram,
    missing_last,
    twins_of,
)
from dtviz.engine.splits import (
    HALF,
    LEFT,
    RIGHT,
    Axis,
    Category,
    MissingDirection,
    Projection,
    Split,
    axis_of,
    features_of,
    split_of_codes,
)
from dtviz.engine.splits.split import ONE_ROW, Minimum


def side_impurities(
    data: Dataset,
    front: Frontier,
    hist: Histogram,
    cuts: ScoredCuts,
    criterion: Criterion,
    policy: MissingPolicy,
) -> tuple[Floats, Bools]:
    """Impurity of both sides of each cut of one node, (2, cuts), and mask of boundary points."""
    impurity = criterion.impurity
    arrangements = (missing_last,) if hist.has_missing is None else policy.arrangements
    evaluated = [_sides_along(data, front, arrange(hist), impurity) for arrange in arrangements]
    if len(evaluated) > 1 and cuts.missing_left is not None:
        # Missing values are right of the cuts in the first arrangement, left in the second.
        (right, boundary_right), (left, boundary_left) = evaluated
        twin_ids = twins_of(hist)
        side_impurity = np.where(cuts.missing_left, left.take(twin_ids, axis=1), right)
        boundary = np.where(cuts.missing_left, boundary_left.take(twin_ids), boundary_right)
    else:
        ((side_impurity, boundary),) = evaluated
    if impurity.running_impurity is None:
        side_impurity = np.maximum(cuts.spread / cuts.sides.weight, 0.0)
    return side_impurity, boundary


def _sides_along(
    data: Dataset, front: Frontier, hist: Histogram, impurity: Impurity
) -> tuple[Floats, Bools]:
    """Impurity of both sides of each cut of a histogram, (2, cuts), and mask of boundary points.

    Missing values are on the side where the histogram has them.
    """
    rows = front.rows.ravel()
    if hist.entries is not None and hist.entries.order is not None:
        rows = rows.take(hist.entries.order)
    group_ends = hist.sizes.cumsum()
    reader = sum_reader(hist)
    positions = (
        reader.starts.repeat(reader.cuts_per_segment),
        reader.cut,
        reader.ends.repeat(reader.cuts_per_segment),
    )
    starts, right_start, ends = (np.append(0, group_ends).take(index) for index in positions)
    left_end = right_start - 1
    sides = np.zeros((2, len(left_end)))
    if impurity.running_impurity is not None:
        left, right = np.empty(len(rows)), np.empty(len(rows))
        for start, end in zip(np.unique(starts).tolist(), np.unique(ends).tolist(), strict=True):
            segment = rows[start:end]
            left[start:end] = _impurities(data, segment, impurity.running_impurity)
            right[start:end] = _impurities(data, segment[::-1], impurity.running_impurity)[::-1]
        sides = np.array([left.take(left_end), right.take(right_start)])
    if impurity.take_rows is not None:  # the impurity depends on more than the target
        return sides, np.ones(len(left_end), np.bool_)
    return sides, _boundary_mask(data.y.take(rows), left_end, starts, ends)


def _impurities(data: Dataset, rows: Ints, running: RunningImpurity) -> Floats:
    """Impurity of the first 1, 2, ... of the rows."""
    weights = None if data.weights is None else data.weights.take(rows)
    return running(data.y.take(rows), weights)


def _boundary_mask(y: NDArray[Any], left_end: Ints, starts: Ints, ends: Ints) -> Bools:
    """Mask of the cuts that are boundary points: different targets at the two values beside them.

    `left_end` is the last row left of each cut; `starts` and `ends` bound the rows of its line. In
    classification no other cut can be the best (Fayyad and Irani 1992).
    """
    changes = running_sums(y[1:] != y[:-1])
    previous = np.zeros(len(left_end), int)
    previous[1:] = left_end[:-1] + 1
    following = np.full(len(left_end), len(y) - 1, int)
    following[:-1] = left_end[1:]
    first, last = np.maximum(previous, starts), np.minimum(following, ends - 1)
    return np.asarray(changes.take(last) > changes.take(first))


CategoryOrders = Mapping[int, NamedCodes]
"""Codes in category order, by line."""
NO_ORDERS: CategoryOrders = MappingProxyType({})


class Bands(NamedTuple):
    """Bands of values of a line inside which no cut was counted, arrays (b,)."""

    line: Ints
    """Line of the band."""
    lower: Floats
    """Smallest value of the node's rows in it."""
    upper: Floats
    """Largest value of them."""
    n: Ints
    """Number of these rows."""
    least: Floats
    """No cut inside scores less."""
    most: Floats
    """No cut inside scores more."""

    def of_line(self, line: int) -> Bands:
        """The bands of one line."""
        return self.take(self.line == line)

    def take(self, keep: Bools) -> Bands:
        """The bands of a mask, (b,)."""
        columns: list[Any] = [column[keep] for column in self]
        return Bands(*columns)


class BranchFacts(NamedTuple):
    """Branches of the multi-way cut of a line in the order of its values, arrays (k,)."""

    n: Ints
    """Number of rows of each branch."""
    weight: NDArray[Any]
    """Weight of the rows."""
    impurity: Floats
    """Impurity of the rows."""
    split: Split
    """First part of the cut."""


NO_BRANCHES: Mapping[int, BranchFacts] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Candidates of one node, ordered by line, then threshold; all arrays have shape (cuts,).

    A line is the index of a projection. Along a category the threshold is a place between two
    positions of the category order, or the position itself of a code that alone goes left.

    >>> import dtviz
    >>> from dtviz.engine.criteria.criteria import CRITERIA
    >>> data = dtviz.load("heights")
    >>> cuts = candidates(data, np.arange(data.n), CRITERIA["entropy"])
    >>> cuts.threshold.tolist(), cuts.n_left.tolist(), cuts.gain.round(2).tolist()
    ([165.0, 175.0], [2, 6], [0.47, 0.13])
    >>> cuts.split(cuts.best)[:2]
    (Axis(feature=0), 165.0)
    """

    projections: tuple[Projection, ...]
    """Projections of the lines."""
    line: Ints
    """Index of the projection of the cut."""
    threshold: Floats
    """Threshold; infinite if the cut separates known from missing values."""
    lower: Floats
    """Value just left of the cut."""
    upper: Floats
    """Value just right of the cut."""
    n_left: Ints
    """Number of rows on the left."""
    n_right: Ints
    """Number of rows on the right."""
    weight_left: NDArray[Any]
    """Weight of the rows on the left, their number if rows have no weights. Under a missing policy
    that ignores missing values, rows with one weigh nothing here."""
    weight_right: NDArray[Any]
    """Weight of the rows on the right."""
    impurity_left: Floats
    """Impurity of the left side."""
    impurity_right: Floats
    """Impurity of the right side."""
    gain: Floats
    """Gain of the cut."""
    score: Floats
    """Rank of the cut: its gain, or the value of the measure of the criterion."""
    admissible: Bools
    """True if both sides meet the minimum."""
    boundary: Bools
    """True at a boundary point."""
    tied: Bools
    """True if the cut is admissible and ties with the best."""
    best: int | None
    """Index of the best cut; None: no cut is admissible."""
    weight: float
    """Weight of all rows of the node."""
    orders: CategoryOrders = field(default_factory=lambda: NO_ORDERS)
    """Category order of each line that is a category."""
    turned: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    """True if, along a category, the codes after the threshold go left instead of those before."""
    scattered: Ints = field(default_factory=lambda: np.zeros(0, int))
    """Scattered subset of the cut, as a number with a bit for each position whose code goes left; 0
    for other cuts. Cuts with scattered subsets are the last of their line; the threshold is that
    of a cut with as many codes."""
    missing_left: Bools | None = None
    """True if missing values go left; None: the data have no missing values."""
    bands: Bands | None = None
    """Bands of values inside which no cut was counted; None: every cut was."""
    branches: Mapping[int, BranchFacts] = field(default_factory=lambda: NO_BRANCHES)
    """Branches of the multi-way cut of each line that has one. Its left side is the first branch,
    its right side all others; the impurity of that side is the mean of theirs."""

    def __post_init__(self) -> None:
        lock_arrays(self)

    def __len__(self) -> int:
        return len(self.line)

    @property
    def is_complete(self) -> bool:
        """False for a table of which other cuts were not counted, none as good as the best."""
        return self.bands is None

    @property
    def can_gain(self) -> bool:
        """False if the node is pure: the best cut gains nothing, and both of its sides are pure."""
        if self.best is None:
            return True
        figures = self.score, self.impurity_left, self.impurity_right
        return any(values[self.best] > 0 for values in figures)

    def split(self, index: int) -> Split:
        """Split of candidate `index`; of a multi-way cut its first part."""
        branches = self.branches_of(index)
        if branches is not None:
            return branches.split
        line, threshold = int(self.line[index]), float(self.threshold[index])
        projection, order = self.projections[line], self.orders.get(line)
        if order is None or math.isinf(threshold):
            return split_at(projection, threshold, self._missing_direction(index))
        split = split_of_codes(projection, self._named_codes(index, order))
        return split._replace(missing=LEFT) if self._missing_direction(index) is LEFT else split

    def _named_codes(self, index: int, order: NamedCodes) -> NamedCodes:
        """Codes that a candidate of a category sends left."""
        threshold, bits = float(self.threshold[index]), int(self.scattered[index])
        if bits:
            return tuple([order[position] for position in positions_in(bits)])
        n_left = int(threshold + HALF)
        if threshold == n_left:
            return order[n_left : n_left + 1]
        return order[n_left:] if self.turned[index] else order[:n_left]

    def _missing_direction(self, index: int) -> MissingDirection:
        return LEFT if self.missing_left is not None and self.missing_left[index] else RIGHT

    def branches_of(self, index: int) -> BranchFacts | None:
        """Branches of candidate `index`; None for a cut with two sides."""
        return self.branches.get(int(self.line[index]))

    @property
    def alone(self) -> Bools:
        """Mask of the candidates that separate one value of a category from the others."""
        is_position = np.isfinite(self.threshold) & (self.threshold == np.floor(self.threshold))
        return np.asarray(np.isin(self.line, list(self.orders)) & is_position)

    def axis(self, index: int) -> int | None:
        """Feature on whose axis candidate `index` is; None for a candidate on no axis."""
        return axis_of(self.projections[self.line[index]])

    def of_line(self, line: int) -> slice:
        """Indices of the candidates of one line."""
        first, last = np.searchsorted(self.line, [line, line + 1])
        return slice(int(first), int(last))

    def along(self, feature: int, index: int | None = None) -> slice:
        """Indices of the candidates along the axis of a feature; empty where there are none.

        Several lines may be on one axis, as subsets and the multi-way cut of a category are. They
        are those of the line of candidate `index`, if it is on the axis, else of the first line
        with candidates.
        """
        on_axis = np.array([axis_of(each) == feature for each in self.projections], np.bool_)
        if index is not None and on_axis[self.line[index]]:
            return self.of_line(int(self.line[index]))
        line = self.line[on_axis.take(self.line)]
        return self.of_line(int(line[0])) if len(line) else slice(0, 0)

    def find(self, split: Split) -> int | None:
        """Index of the candidate that divides the rows of the node as the split does, or None."""
        if split.projection not in self.projections:
            features = features_of(split.projection)
            same = [features_of(projection) == features != () for projection in self.projections]
            cut_ids = np.flatnonzero(np.array(same).take(self.line)).tolist()
            return next((index for index in cut_ids if self.split(index) == split), None)
        span = self.of_line(self.projections.index(split.projection))
        index = span.start + int(np.searchsorted(self.upper[span], split.threshold, side="right"))
        is_inside = index < span.stop and self.lower[index] <= split.threshold < np.inf
        return index if is_inside and np.isfinite(self.threshold[index]) else None


def append_candidates(cuts: Candidates, more: Candidates) -> Candidates:
    """Appends candidates of other lines that do not compete: `best` and `tied` stay as they are."""
    if (cuts.missing_left is None) is not (more.missing_left is None):
        cuts, more = _with_majority(cuts), _with_majority(more)
    arrays = {name: getattr(more, name) for name in _array_names(cuts)}
    arrays["line"] = more.line + len(cuts.projections)
    arrays["tied"] = np.zeros(len(more), np.bool_)
    return replace(
        insert_candidates(cuts, arrays), projections=(*cuts.projections, *more.projections)
    )


def keep_lines(cuts: Candidates, lines: Sequence[int]) -> Candidates:
    """Candidates of some lines, ascending; `best` is None where its line is not kept."""
    keep = np.isin(cuts.line, lines)
    arrays: dict[str, Any] = {name: getattr(cuts, name)[keep] for name in _array_names(cuts)}
    arrays["line"] = np.searchsorted(lines, arrays["line"])
    is_best_kept = cuts.best is not None and bool(keep[cuts.best])
    bands = cuts.bands
    if bands is not None:
        bands = bands.take(np.isin(bands.line, lines))
        bands = bands._replace(line=np.searchsorted(lines, bands.line))
    return replace(
        cuts,
        **arrays,
        bands=bands,
        projections=tuple(cuts.projections[line] for line in lines),
        orders=MappingProxyType(
            {k: cuts.orders[line] for k, line in enumerate(lines) if line in cuts.orders}
        ),
        best=int(keep[: cuts.best].sum()) if is_best_kept else None,
        branches={k: cuts.branches[line] for k, line in enumerate(lines) if line in cuts.branches},
    )


def _array_names(cuts: Candidates) -> list[str]:
    """Names of the fields that are arrays."""
    return [name for name in cuts.__slots__ if isinstance(getattr(cuts, name), np.ndarray)]


def insert_candidates(cuts: Candidates, more: Mapping[str, NDArray[Any]]) -> Candidates:
    """Inserts candidates, given as arrays by name, last on their lines; `best` stays that cut."""
    order = np.argsort(np.append(cuts.line, more["line"]), kind="stable")
    arrays: dict[str, Any] = {
        name: np.append(getattr(cuts, name), values).take(order) for name, values in more.items()
    }
    best = None if cuts.best is None else int(np.flatnonzero(order == cuts.best)[0])
    return replace(cuts, **arrays, best=best)


def _with_majority(cuts: Candidates) -> Candidates:
    """Sets the direction of missing values, where it is not set, to the side with more weight."""
    if cuts.missing_left is not None:
        return cuts
    return replace(cuts, missing_left=cuts.weight_left > cuts.weight_right)


def candidates(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    minimum: Minimum = ONE_ROW,
    projections: Sequence[Projection] | None = None,
    policy: MissingPolicy = LEARNED,
) -> Candidates:
    """Candidates of the node with the given row ids.

    The columns of `data` are the scores of the `projections`; None: the features.
    """
    data, orders, fully_tried = _codes_to_positions(data, rows, criterion, minimum, policy)
    front = frontier(data, [rows])
    hist = counted_histogram(histogram_of(data, front, criterion.impurity.statistics), policy)
    if orders:  # as in the search of a level, for the same named codes and missing directions
        of_category = np.isin(np.arange(len(data.columns)), list(orders))
        hist = hist._replace(categories=of_category[:, None])
    cuts = evaluate_histogram(hist, criterion, policy, minimum)
    lines = (Category(k) if k in orders else Axis(k) for k in range(len(data.columns)))
    return candidates_of_cuts(
        hist,
        cuts,
        cuts.values_beside(np.arange(len(cuts.node))),
        side_impurities(data, front, hist, cuts, criterion, policy),
        CategoryLines(orders, fully_tried),
        CutSettings(tuple(projections or lines), criterion, minimum, policy, any(data.gaps)),
    )


class CategoryLines(NamedTuple):
    """The lines of categories in a node."""

    orders: CategoryOrders
    """Codes in category order, by line."""
    fully_tried: frozenset[int]
    """Lines of which every subset was tried."""


class CutSettings(NamedTuple):
    """What candidates are made of beside the counts of their rows."""

    projections: tuple[Projection, ...]
    """Projections of the lines."""
    criterion: Criterion
    """Measure that ranks candidates."""
    minimum: Minimum
    """Rows and weight that both sides must have."""
    policy: MissingPolicy
    """Rule for rows without a value."""
    has_gaps: bool
    """True if a row of the data lacks a value."""


def candidates_of_cuts(
    hist: Histogram,
    cuts: ScoredCuts,
    beside: tuple[Floats, Floats],
    side_facts: tuple[Floats, Bools],
    categories: CategoryLines,
    settings: CutSettings,
) -> Candidates:
    """Candidates of one node from its scored cuts.

    `beside` are the values left and right of each cut; `side_facts` the impurity of both sides,
    (2, cuts), and the mask of boundary points.
    """
    (lower, upper), (impurity, boundary) = beside, side_facts
    orders, cut_ids = categories.orders, np.arange(len(cuts.node))
    line = cuts.lines_of(cut_ids)
    winner = int(best_cuts(cuts, one_ordering(cut_ids[:0], np.zeros(1, int))).cut[0])
    admissible = cuts.admissible
    weight, n_rows = cuts.sides.weight, cuts.sides.n
    if hist.weight_unit is not None:
        weight = weight * hist.node_weight[0]
    best_score = cuts.score[winner] if winner >= 0 else np.inf
    threshold = cuts.thresholds_between(lower, upper)
    right_named = _right_named(cuts, line, threshold, orders)
    if right_named.any():
        sides = n_rows, weight, impurity
        n_rows, weight, impurity = (np.where(right_named, side[::-1], side) for side in sides)
    of_orders = Candidates(
        projections=settings.projections,
        line=line,
        threshold=threshold,
        lower=lower,
        upper=upper,
        n_left=n_rows[0],
        n_right=n_rows[1],
        weight_left=weight[0],
        weight_right=weight[1],
        impurity_left=impurity[0],
        impurity_right=impurity[1],
        gain=cuts.sides.gain,
        score=cuts.score,
        admissible=admissible,
        boundary=boundary,
        tied=admissible & (cuts.score >= best_score - cuts.tolerance),
        best=winner if winner >= 0 else None,
        weight=float(hist.node_weight[0]),
        orders=orders,
        turned=right_named,
        scattered=np.zeros(len(cut_ids), int),
        missing_left=cuts.sends_left(cut_ids, right_named) if settings.has_gaps else None,
    )
    n_values = {k: len(order) for k, order in orders.items() if k in categories.fully_tried}
    _, criterion, minimum, policy, _ = settings
    scattered = scattered_subsets(hist, n_values, criterion, policy, minimum)
    if scattered is None:
        return of_orders
    arrays = scattered.candidate_arrays(hist)
    tied = arrays["admissible"] & (arrays["score"] >= best_score - cuts.tolerance)
    names = [name for name in _array_names(of_orders) if name in arrays]
    return insert_candidates(of_orders, {name: arrays[name] for name in names} | {"tied": tied})


def _right_named(cuts: ScoredCuts, line: Ints, threshold: Floats, orders: CategoryOrders) -> Bools:
    """Mask of the cuts that name their right side in the order of their category."""
    out = np.zeros(len(line), np.bool_)
    for line_id, order in orders.items():
        cut_ids = np.flatnonzero(line == line_id)
        n_left = np.minimum(threshold[cut_ids] + HALF, len(order)).astype(int)
        out[cut_ids] = is_right_named(cuts.known_weight[:, cut_ids], n_left, len(order))
    return out


def _codes_to_positions(
    data: Dataset, rows: Ints, criterion: Criterion, minimum: Minimum, policy: MissingPolicy
) -> tuple[Dataset, CategoryOrders, frozenset[int]]:
    """Replaces codes of categories by positions in the category order, to cut them as numbers.

    Returns the data, the orders, and the lines of which every subset was tried.
    """
    if not any(data.levels):
        return data, NO_ORDERS, frozenset()
    hist = histogram_of(data, frontier(data, [rows]), criterion.impurity.statistics)
    hist = order_categories(data, counted_histogram(hist, policy), criterion, minimum)
    ends, columns, orders = hist.groups_per_segment.ravel().cumsum(), data.columns.copy(), {}
    for line in np.flatnonzero([*map(bool, data.levels)]).tolist():
        first = int(ends[line] - hist.groups_per_segment[line, 0])
        codes = hist.values[first : int(ends[line])]
        codes = codes[~np.isnan(codes)].astype(int)
        positions = np.full(len(data.levels[line]) + 1, np.nan)
        positions[codes] = np.arange(len(codes))
        column = columns[line]  # a missing value takes the last position, NaN
        columns[line] = positions.take(np.where(np.isnan(column), -1, column).astype(int))
        orders[line] = tuple(codes.tolist())
    fully_tried = frozenset[int]()
    if hist.all_subsets_tried is not None:
        fully_tried = frozenset(np.flatnonzero(hist.all_subsets_tried[:, 0]).tolist())
    return replace(data, columns=columns, levels=()), MappingProxyType(orders), fully_tried


MAX_CUTS_SHOWN = 500_000
"""Largest number of candidates of a node in memory at once, unless `MIN_LINES_SHOWN` have more."""
MIN_LINES_SHOWN = 50
"""Number of lines whose candidates are shown, however many they have."""


def select_lines(data: Dataset, lines: Ints) -> Dataset:
    """Dataset with only the given lines as columns."""
    levels = tuple(data.levels[line] for line in lines.tolist())
    return replace(data, columns=data.columns[lines], levels=levels)


def top_scores(
    data: Dataset,
    rows: Ints,
    criterion: Criterion,
    minimum: Minimum = ONE_ROW,
    policy: MissingPolicy = LEARNED,
) -> Floats:
    """Highest score of each line over the rows, (L,); -inf where a line has no admissible cut."""
    n_lines = len(data.columns)
    block = max(MAX_CUTS_SHOWN // len(rows), 1)
    out = np.full(n_lines, -np.inf)
    for first in range(0, n_lines, block):  # in blocks: the cuts of all lines may not fit
        lines = np.arange(first, min(first + block, n_lines))
        block_data = select_lines(data, lines)
        cuts = evaluate_frontier(
            block_data, frontier(block_data, [rows]), criterion, minimum, policy
        )
        score = np.where(cuts.admissible, cuts.score, -np.inf)
        np.fmax.at(out, lines[cuts.lines_of(np.arange(len(score)))], score)
    return out


def best_lines(scores: Floats, cuts_per_line: int) -> tuple[int, ...]:
    """Lines with the highest scores, ascending: as many as can be shown with all their cuts."""
    return tuple(sorted(np.argsort(-scores, kind="stable")[: _max_lines(cuts_per_line)].tolist()))


def can_show_cuts(n_lines: int, cuts_per_line: int) -> bool:
    """True if all cuts of `n_lines` lines can be shown."""
    return n_lines <= _max_lines(cuts_per_line)


def max_cuts_of_line(data: Dataset, n_rows: int) -> int:
    """Upper bound on the cuts of a line over `n_rows` rows: one a row, or every subset."""
    return max(n_rows, count_subsets(MAX_VALUES_TRIED)) if any(data.levels) else n_rows


def _max_lines(cuts_per_line: int) -> int:
    """Largest number of lines that can be shown with all their cuts."""
    return max(MAX_CUTS_SHOWN // cuts_per_line, MIN_LINES_SHOWN)


def best_features(data: Dataset, criterion: Criterion) -> tuple[int, int]:
    """The two features whose best cuts score highest over all rows, ascending."""
    n_features = len(data.features)
    if n_features <= 2:
        return 0, n_features - 1
    scores = top_scores(data, np.arange(data.n), criterion)
    first, second = sorted(np.argsort(-scores, kind="stable")[:2].tolist())
    return first, second
