"""Best split of each node of a frontier, the rows it sends left, and splits drawn at random.

Cuts that cannot be the best are left out before the others are scored; all cuts that tie with the
best are scored. The scored cuts are the boundary points (Fayyad and Irani 1992), or those whose
separation is near the highest (see `_near_the_best`). Small nodes are searched without a histogram.

Random splits: each node has a key of 64 bits, computed from the seed of its tree and the path from
the root alone. Thus a tree draws the same splits whatever other trees grow with it. A node in which
all drawn features are constant draws further ones.

Sources: Breiman, Random Forests (2001); Geurts, Ernst, Wehenkel, Extremely Randomized Trees (2006);
scikit-learn, which also draws further features where those drawn are constant. Keys are mixed by
SplitMix64 (Steele, Lea, Flood 2014).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import starmap
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.statistics import Amounts, ScaledTargets, Statistics
from dtviz.engine.search.evaluate import (
    NamedCodes,
    ScoredCuts,
    evaluate_frontier,
    evaluate_histogram,
    running_sums,
)
from dtviz.engine.search.frontier import Frontier, piece_lengths, starts_of
from dtviz.engine.search.histogram import (
    COUNT_DTYPE,
    Histogram,
    entry_weights,
    histogram_of,
    targets_of,
    unit_weights,
    values_of,
)
from dtviz.engine.search.missing import MissingPolicy
from dtviz.engine.splits import (
    HALF,
    RIGHT,
    IsMissing,
    MissingDirection,
    Projection,
    Split,
    SplitColumns,
    Subset,
    features_of,
    goes_left,
    midpoint,
    split_of_codes,
)
from dtviz.engine.splits.split import ADMISSIBLE, NO_CUT, ONE_ROW, Grades, Minimum

NO_NAMED_CODES: Mapping[int, NamedCodes] = MappingProxyType({})
NO_FIXED_SPLITS: Mapping[int, Split] = MappingProxyType({})


class BestCuts(NamedTuple):
    """Best admissible cut of each node, arrays (m,)."""

    cut: Ints
    """Index of the cut; -1: no cut is admissible."""
    line: Ints
    """Line of the cut."""
    lower: Floats
    """Value just left of the cut."""
    upper: Floats
    """Value just right of the cut."""
    threshold: Floats
    """Threshold of the cut; HALF, as of every Subset, where the cut names codes."""
    gain: Floats
    """Gain of the cut."""
    grade: Grades
    """Highest grade of the cuts of the node, from NO_CUT to ADMISSIBLE."""
    weight: NDArray[Any]
    """Weight of the rows of the node; their number where rows have no weights."""
    named: Mapping[int, NamedCodes] = NO_NAMED_CODES
    """Codes that the cut of a category sends left, by node."""
    missing_left: Bools | None = None
    """Mask of the cuts that send missing values left; None: each cut sends missing values to the
    side with more rows."""
    fixed_splits: Mapping[int, Split] = NO_FIXED_SPLITS
    """Splits that send missing values by more than a fixed side, by node."""

    def split(self, node: int, projections: Sequence[Projection]) -> Split:
        """Split of the best cut of a node; `projections` has the projection of each line."""
        if node in self.fixed_splits:
            return self.fixed_splits[node]
        projection = projections[self.line[node]]
        if node in self.named:
            return split_of_codes(projection, self.named[node])
        return split_at(projection, float(self.threshold[node]))


def split_at(projection: Projection, threshold: float, missing: MissingDirection = RIGHT) -> Split:
    """Split at a threshold; an infinite threshold separates known from missing values."""
    if math.isinf(threshold):
        return Split(IsMissing(features_of(projection), missing_left=threshold < 0), HALF)
    return Split(projection, threshold, missing)


def best_cuts(cuts: ScoredCuts, front: Frontier) -> BestCuts:
    """Best admissible cut of each node; ties go to the lowest line, then the lowest threshold."""
    m = len(front.sizes)
    score = cuts.score if cuts.grades is None else np.where(cuts.admissible, cuts.score, np.nan)
    highest = _highest(score, cuts.cuts_per_segment)
    limit = np.fmax.reduce(highest, axis=0) - cuts.tolerance
    limits = limit[None].repeat(len(highest), axis=0).ravel().repeat(cuts.cuts_per_segment.ravel())
    tied_ids = (score >= limits).nonzero()[0][::-1]
    first = np.full(m, -1, int)
    first[cuts.node[tied_ids]] = tied_ids  # from the last to the first: the first one stays
    grade = _grades(cuts, first)
    if not len(cuts.node):
        lines, nan = np.zeros(m, int), np.full(m, np.nan)
        return BestCuts(first, lines, nan, nan, nan, nan, grade, cuts.weight)
    cut_ids = np.maximum(first, 0)
    lines = (highest >= limit).argmax(axis=0)
    lower, upper = cuts.values_beside(cut_ids)
    threshold, gain = cuts.thresholds_between(lower, upper), cuts.sides.gain[cut_ids]
    named_codes, right_named = NO_NAMED_CODES, None
    if cuts.categories is not None:
        right_named = np.zeros(m, np.bool_)
        of_category = cuts.categories[lines, np.arange(m)] & (first >= 0) & np.isfinite(threshold)
        lower[of_category], threshold[of_category], upper[of_category] = 0.0, HALF, 1.0
        nodes = np.flatnonzero(of_category)
        codes, right_named[nodes] = cuts.named_codes(first[nodes], lines[nodes])
        named_codes = dict(zip(nodes.tolist(), codes, strict=True))
    if cuts.missing_left is not None:
        is_missing_cut = np.isinf(threshold)
        lower[is_missing_cut], upper[is_missing_cut] = 0.0, 1.0
    left = cuts.sends_left(cut_ids, right_named)
    return BestCuts(
        first, lines, lower, upper, threshold, gain, grade, cuts.weight, named_codes, left
    )


def _grades(cuts: ScoredCuts, best_cut: Ints) -> Grades:
    """Highest grade of each node's cuts, (m,); `best_cut` is -1 where no cut is admissible."""
    out = np.where(best_cut >= 0, np.int8(ADMISSIBLE), np.int8(NO_CUT))
    if cuts.grades is not None:
        others = (best_cut < 0).take(cuts.node).nonzero()[0]
        np.maximum.at(out, cuts.node.take(others), cuts.grades.take(others))
    return out


NODE_FIELDS = "cut", "line", "lower", "upper", "threshold", "gain", "grade"
"""Fields of BestCuts that `replace_best` sets entry by entry."""


def concatenate_best(parts: Sequence[BestCuts]) -> BestCuts:
    """Concatenates best cuts of parts in which no cut names codes and no split is fixed."""
    names = (*NODE_FIELDS, "weight")
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in names
    }
    return BestCuts(**columns)


def replace_best(best: BestCuts, mask: Bools, others: BestCuts) -> BestCuts:
    """Replaces the best cuts of the nodes in the mask, (m,), by `others`, one for each of them."""
    node_ids = np.flatnonzero(mask).tolist()
    columns: dict[str, Any] = {}
    for name in NODE_FIELDS:
        columns[name] = getattr(best, name).copy()
        columns[name][mask] = getattr(others, name)
    if others.missing_left is not None:  # None too where there are no cuts
        columns["missing_left"] = (
            np.zeros(len(mask), np.bool_) if best.missing_left is None else best.missing_left.copy()
        )
        columns["missing_left"][mask] = others.missing_left
    for name in ("named", "fixed_splits"):
        new = {node_ids[j]: value for j, value in getattr(others, name).items()}
        columns[name] = {j: v for j, v in getattr(best, name).items() if not mask[j]} | new
    return best._replace(**columns)


def _highest(score: Floats, per_segment: Ints) -> Floats:
    """Highest score of each line and node, (L, m); -inf or NaN where a segment has no cut."""
    sizes = per_segment.ravel()
    if sizes.all():
        return np.fmax.reduceat(score, starts_of(sizes)).reshape(per_segment.shape)
    out, filled = np.full(len(sizes), -np.inf), sizes.nonzero()[0]
    if len(filled):
        out[filled] = np.fmax.reduceat(score, starts_of(sizes).take(filled))
    return out.reshape(per_segment.shape)


def divide(
    data: Dataset, front: Frontier, splits: BestCuts, features: Dataset | None = None
) -> Bools:
    """Mask of the rows that go left at the best cut of their node, in the order of `front.rows[0]`.

    All rows of a node without a cut go left. The columns of `data` are the lines of the search,
    those of `features` the features; None: the lines are the features.
    """
    thresholds, rows = np.where(splits.cut < 0, np.inf, splits.threshold), front.rows[0]
    missing_left = splits.missing_left if any(data.gaps) else None
    scores = data.columns.ravel().take((splits.line * data.n).repeat(front.sizes) + rows)
    left = np.asarray(scores <= thresholds.repeat(front.sizes))
    if missing_left is not None:
        left |= np.isnan(scores) & missing_left.repeat(front.sizes)
    if splits.named:
        nodes = np.fromiter(splits.named, int)
        lines = zip(splits.line[nodes].tolist(), splits.named.values(), strict=True)
        order = np.full(len(front.sizes), -1)
        order[nodes] = np.arange(len(nodes))
        split_ids = order.take(front.owner)
        is_named = split_ids >= 0
        subsets = SplitColumns(
            tuple(starmap(Subset, lines)),
            np.arange(len(nodes)),
            np.full(len(nodes), HALF),
            None if missing_left is None else missing_left[nodes],
        )
        left[is_named] = goes_left(subsets, data.columns, rows[is_named], split_ids[is_named])
    for node, split in splits.fixed_splits.items():
        node_rows = slice(int(front.starts[node]), int(front.starts[node] + front.sizes[node]))
        left[node_rows] = goes_left(split, (features or data).columns, rows[node_rows])
    return left


def best_of_small_nodes(data: Dataset, front: Frontier, criterion: Criterion) -> BestCuts:
    """Best cut of each node, without a histogram; for data without weights if `can_skip_cuts`."""
    owner, starts, width = front.owner, front.starts, front.rows.shape[1]
    values = values_of(data, front)
    targets = targets_of(data, front, criterion.impurity.statistics, unit_weights(front))
    n_rows, node_rows = np.empty((2, 1, width), COUNT_DTYPE), front.sizes.take(owner)
    n_left = np.arange(1, width + 1) - starts.take(owner)
    last = n_left == node_rows  # no cut is right of the last entry of a node
    n_rows[0], n_rows[1] = n_left, node_rows - n_left + last  # no side is empty, no spread 0 / 0
    gain = np.empty(values.shape)  # a single class has no sums, so that its gains are (1, N)
    np.divide(_gains(data, front, criterion, targets, n_rows), node_rows, out=gain)
    scale = targets.scale
    tolerance = np.full(len(starts), ROUNDING) if scale is None else ROUNDING * scale
    np.putmask(gain, gain <= tolerance.take(owner), 0.0)
    no_cut = last[None].repeat(len(values), axis=0)
    no_cut[:, :-1] |= values[:, :-1] >= values[:, 1:]
    np.putmask(gain, no_cut, np.nan)
    highest = np.fmax.reduceat(gain, starts, axis=1)
    lowest = np.fmax.reduce(highest, axis=0) - tolerance
    ties = (gain >= lowest.take(owner)).ravel().nonzero()[0][::-1]
    first = np.empty(len(starts), int)
    first.fill(-1)
    first[owner.take(ties % width)] = ties  # from the last to the first: the first one stays
    lower, upper = values.take(first), values.take(first + 1, mode="clip")
    return BestCuts(
        cut=first,
        line=(highest >= lowest).argmax(axis=0),
        lower=lower,
        upper=upper,
        threshold=midpoint(lower, upper),
        gain=gain.take(first),
        grade=np.where(first >= 0, ADMISSIBLE, NO_CUT).astype(np.int8),
        weight=front.sizes,
    )


def _gains(
    data: Dataset,
    front: Frontier,
    criterion: Criterion,
    targets: ScaledTargets,
    n_rows: NDArray[Any],
) -> Floats:
    """Gain of a cut right of each entry, times the rows of its node, as `score_cuts` computes it.

    The shape is (L, N), or (1, N) where all lines have the same sums. `n_rows` are the rows on both
    sides, (2, 1, N).
    """
    statistics, spread = criterion.impurity.statistics, criterion.impurity.spread
    node_sums: list[NDArray[Any]] = []

    def side_sums() -> Iterator[NDArray[Any]]:
        rest_sides, rest_nodes = n_rows, front.sizes
        for amounts in statistics.amounts(targets.values, len(data.classes), None, front.starts):
            sides, totals = _side_sums(front, amounts, targets.unit)
            node_sums.append(totals)
            if statistics.has_remainder:
                rest_sides, rest_nodes = rest_sides - sides, rest_nodes - totals
            yield sides
        if statistics.has_remainder:
            node_sums.append(rest_nodes)
            yield rest_sides

    left_spread, right_spread = spread(side_sums(), n_rows)
    left_spread += right_spread
    return np.asarray(spread(node_sums, front.sizes).take(front.owner) - left_spread)


def _side_sums(
    front: Frontier, amounts: Amounts, unit: Floats | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sums of amounts, (L N,), on both sides of a cut right of each entry, and of nodes, (m,)."""
    dtype, width = COUNT_DTYPE if amounts.dtype == np.bool_ else amounts.dtype, front.rows.shape[1]
    totals = np.add.reduceat(amounts[:width], front.starts, dtype=dtype)
    out = np.empty((2, *front.rows.shape), dtype)
    left, right = out
    np.add.accumulate(amounts.reshape(left.shape), axis=1, out=left)
    left -= starts_of(totals).take(front.owner)
    np.subtract(totals.take(front.owner), left, out=right)
    return (out, totals) if unit is None else (out * unit.take(front.owner), totals * unit)


MAX_EXACT_WEIGHT = int((32 / (2 * ROUNDING)) ** 0.25)
"""Weight of a node, 2,000, up to which a boundary point beats other cuts by more than rounding."""
MAX_SUMS_SCORED = 32_000
"""Number of sums, one a class and entry, up to which it is fastest to score all cuts."""
MAX_GROUPS_SCORED = 4_000
"""Number of groups up to which scoring all cuts is faster than finding those near the best."""
MIN_VARIANCE = 1e-280
"""Variance below which squares lose digits: all cuts of such a node are scored."""
LOWEST_SEPARATION = -np.finfo(np.float64).max
"""Number below the separation of any cut."""


def find_best_cuts(
    data: Dataset, front: Frontier, criterion: Criterion, minimum: Minimum, policy: MissingPolicy
) -> BestCuts:
    """Best cut of each node of the frontier."""
    is_small = front.rows.size * max(len(data.classes), 1) <= MAX_SUMS_SCORED
    if is_small and data.weights is None and can_skip_cuts(data, criterion, minimum):
        return best_of_small_nodes(data, front, criterion)
    return best_cuts(promising_cuts(data, front, criterion, minimum, policy), front)


def can_skip_cuts(data: Dataset, criterion: Criterion, minimum: Minimum) -> bool:
    """True if the best cuts can be found without scoring all cuts."""
    has_bound = criterion.impurity.best_at_boundary or criterion.impurity.sums_squares
    by_gain = criterion.measure is None and minimum == ONE_ROW
    return has_bound and by_gain and not (any(data.gaps) or any(data.levels))


def promising_cuts(
    data: Dataset, front: Frontier, criterion: Criterion, minimum: Minimum, policy: MissingPolicy
) -> ScoredCuts:
    """Scores some cuts of every node of the frontier: at least the best and those tied with it."""
    impurity = criterion.impurity
    if not can_skip_cuts(data, criterion, minimum):
        return evaluate_frontier(data, front, criterion, minimum, policy)
    hist = histogram_of(data, front, impurity.statistics)
    if hist.weight_unit is None:
        is_heavy = (
            not impurity.best_at_boundary or hist.node_weight.max(initial=0) > MAX_EXACT_WEIGHT
        )
        if impurity.sums_squares and is_heavy and len(hist.values) > MAX_GROUPS_SCORED:
            hist = _near_the_best(hist)
        elif impurity.best_at_boundary:
            hist = _boundary_points(hist)
    return evaluate_histogram(hist, criterion, policy)


def _near_the_best(hist: Histogram) -> Histogram:
    """Keeps the cuts whose separation is near the highest of their node; needs whole weights.

    The separation of a cut is the sum over the statistics of (left sum - left weight * node
    mean)^2, over left weight times right weight. The separation orders cuts as the gain of an
    impurity with `squares` does: variance, Gini.
    """
    sizes, n_nodes = hist.groups_per_segment.ravel(), len(hist.node_weight)
    ends = sizes.cumsum()
    starts = ends - sizes

    def sums_up_to(amounts: Amounts | None) -> tuple[Floats, Ints]:
        """Sums of each segment up to each of its groups, and of the whole segment."""
        if amounts is None:
            return np.arange(1.0, ends[-1] + 1) - starts.astype(np.float64).repeat(sizes), sizes
        running = running_sums(amounts)
        before = running.take(starts)
        left = running[1:] - before.repeat(sizes)
        return left.astype(np.float64), running.take(ends) - before

    left_weight, weight = sums_up_to(hist.n if hist.weight is None else hist.weight)
    differences = []
    for amounts in hist.sums():
        left_sums, total = sums_up_to(amounts)
        left_sums -= left_weight * (total / weight).repeat(sizes)
        differences.append(left_sums)
    if hist.has_remainder:
        differences.append(reduce(np.add, differences))
    separation = reduce(np.add, map(np.square, differences))
    left_weight *= weight.astype(np.float64).repeat(sizes) - left_weight
    left_weight[ends - 1] = 1.0
    separation /= left_weight
    separation[ends - 1] = -np.inf  # no cut is right of the last group
    highest = np.maximum.reduceat(separation, starts).reshape(-1, n_nodes)
    lowest = np.maximum.reduce(highest, axis=0) - _separation_tolerance(hist)
    lowest = np.maximum(np.tile(lowest, len(highest)), LOWEST_SEPARATION)
    cut = (separation >= lowest.repeat(sizes)).nonzero()[0]
    return hist._replace(cut_groups=(cut, piece_lengths(cut.searchsorted(starts), len(cut))))


def _separation_tolerance(hist: Histogram) -> Any:
    """Largest difference of separations of two cuts that tie with a third, (m,)."""
    if hist.scale is None or hist.unit is None:
        return 2 * ROUNDING
    tolerance = 2 * ROUNDING * hist.scale / hist.unit / hist.unit
    return np.where(hist.scale > MIN_VARIANCE, tolerance, np.inf)


def _boundary_points(hist: Histogram) -> Histogram:
    """Keeps the boundary points of light nodes, or all cuts if a node has no boundary point.

    Needs whole weights. The cuts of heavy nodes stay.
    """
    is_light = hist.node_weight <= MAX_EXACT_WEIGHT
    if not is_light.any():
        return hist
    sizes, is_boundary = hist.groups_per_segment.ravel(), _boundary_mask(hist)
    ends = sizes.cumsum()
    if not is_light.all():
        is_boundary |= ~np.tile(is_light, len(hist.groups_per_segment)).repeat(sizes)[:-1]
    is_boundary[ends[:-1] - 1] = False
    cut = is_boundary.nonzero()[0]
    counts = piece_lengths(cut.searchsorted(ends - sizes), len(cut))
    if not counts.all() and ((counts == 0) & (sizes > 1)).any():  # a pure node
        return hist
    return hist._replace(cut_groups=(cut, counts))


def _boundary_mask(hist: Histogram) -> Bools:
    """Mask of the groups that, together with the next group, have two or more classes, (g - 1,)."""
    assert hist.entries is not None
    low = high = hist.entries.values
    if hist.n is None:
        return np.asarray(low[:-1] != high[1:])
    starts = starts_of(hist.sizes)
    low, high = np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
    return np.asarray((low[:-1] != high[1:]) | (high[:-1] != low[1:]))


Keys = NDArray[np.uint64]
MAX_LINES = np.int64(1 << 32)
"""Upper bound on the number of lines. Counters of drawn features are lower, those of drawn
thresholds start here."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Step between the states of SplitMix64."""


@dataclass(frozen=True, slots=True)
class Draws:
    """Settings of the random draws in each node of a tree."""

    max_features: int | None = None
    """Number of features drawn anew in each node; None: all are tried."""
    random_threshold: bool = False
    """True if only one cut of each line is tried: at a threshold drawn evenly between the smallest
    and the largest value of the node; of a category, at a drawn position in the category order."""


def default_max_features(n_features: int) -> int:
    """Number of features that the nodes of a forest draw: the square root, rounded down."""
    return max(math.isqrt(n_features), 1)


def keys_of(seeds: Sequence[int]) -> Keys:
    """Keys of the roots of trees with the given seeds, (T,)."""
    return _mixed(np.array([seed % 2**64 for seed in seeds], np.uint64))


def keys_of_children(keys: Keys) -> Keys:
    """Keys of the children, (2 m,): all left ones before all right ones."""
    return _mixed(np.concatenate([keys, ~keys]))


def uniform(keys: Keys, counters: Ints) -> Floats:
    """Random numbers from 0 to 1 of each node, for the given counters, (L, m)."""
    steps = (counters + 1).astype(np.uint64) * GOLDEN
    return (_mixed(keys + steps) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mixed(keys: Keys) -> Keys:
    """Finalizer of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def lines_of_features(projections: Sequence[Projection]) -> Ints:
    """Lines of each feature, (features, width); a feature with fewer lines repeats its last one."""
    lines_of: dict[tuple[int, ...], list[int]] = {}
    for line, projection in enumerate(projections):
        lines_of.setdefault(features_of(projection), []).append(line)
    width = max(map(len, lines_of.values()), default=0)
    return np.array([lines + lines[-1:] * (width - len(lines)) for lines in lines_of.values()], int)


def feature_orders(keys: Keys, n_features: int) -> Ints:
    """Order in which each node draws its features, (features, m)."""
    return uniform(keys, np.arange(n_features)[:, None]).argsort(axis=0)


def keep_drawn_cuts(cuts: ScoredCuts, keys: Keys, lines: Ints) -> tuple[ScoredCuts, Floats]:
    """Keeps only the cuts at one drawn threshold a segment; returns these thresholds too, (L, m).

    All other cuts have no score. `lines`, (L, m), are the lines of the segments. A threshold is NaN
    where a segment is cut at a position of a code, or between known and missing values.
    """
    sizes, values = cuts.groups_per_segment.ravel(), cuts.values
    segments = np.flatnonzero(sizes > 1)
    n_groups, starts = sizes[segments], starts_of(sizes)[segments]
    share = uniform(keys, MAX_LINES + lines).ravel()[segments]
    n_known = n_groups - np.isnan(values[starts + n_groups - 1])
    low, high = values[starts], values[starts + n_known - 1]
    threshold = _interpolate(low, high, share)
    n_left = _count_up_to(values, threshold, starts, n_known)
    if cuts.categories is not None:
        is_category = cuts.categories.ravel()[segments]
        n_left[is_category] = 1 + (share * (n_known - 1))[is_category].astype(int)
        threshold[is_category] = np.nan
    threshold[n_known < 2] = np.nan
    chosen = np.zeros(len(values), np.bool_)
    chosen[starts + np.clip(n_left, 1, n_groups - 1) - 1] = True
    thresholds = np.full(len(sizes), np.nan)
    thresholds[segments] = threshold
    is_drawn = chosen.take(cuts.group)
    score = np.where(is_drawn, cuts.score, np.nan)
    grades = cuts.grades
    if grades is not None:
        grades = np.where(is_drawn, grades, NO_CUT).astype(np.int8)
    return cuts._replace(score=score, grades=grades), thresholds.reshape(lines.shape)


def two_sided_histogram(
    data: Dataset, front: Frontier, statistics: Statistics, keys: Keys, lines: Ints
) -> tuple[Histogram, Floats]:
    """Histogram of both sides of one drawn threshold a segment, and these thresholds, (L, m).

    `lines`, (L, m), are the lines of the segments. The rows need no order. Each segment has two
    groups, or one where its values are equal; the `values` of the groups are the smallest and the
    largest.
    """
    starts, sizes = front.starts, front.sizes
    values = data.columns.ravel().take((lines * data.n).repeat(sizes, axis=1) + front.rows[0])
    low = np.minimum.reduceat(values, starts, axis=1)
    high = np.maximum.reduceat(values, starts, axis=1)
    threshold = _interpolate(low, high, uniform(keys, MAX_LINES + lines))
    goes_right = values > threshold.repeat(sizes, axis=1)
    varies = low < high
    exists = None if varies.all() else np.stack([np.ones_like(varies), varies], axis=2).ravel()
    weights = entry_weights(data, front)
    targets = targets_of(data, front, statistics, weights)
    parameters = len(data.classes), weights.amounts, starts
    n_right = np.add.reduceat(goes_right, starts, axis=1, dtype=COUNT_DTYPE)

    def groups(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
        """Amounts of the left and the right group of each segment in turn, flat."""
        pairs = np.stack([left, right], axis=2).ravel()
        return pairs if exists is None else pairs.compress(exists)

    def group_sums(amounts: Amounts) -> Amounts:
        dtype = COUNT_DTYPE if amounts.dtype == np.bool_ else amounts.dtype
        right = np.add.reduceat(goes_right * amounts, starts, axis=1, dtype=dtype)
        return groups(np.add.reduceat(amounts, starts, dtype=dtype) - right, right)

    return Histogram(
        values=groups(low, high),
        groups_per_segment=1 + varies,
        n=groups(sizes - n_right, n_right),
        sums=lambda: map(group_sums, statistics.amounts(targets.values, *parameters)),
        has_remainder=statistics.has_remainder,
        scale=targets.scale,
        node_weight=weights.node_weight,
        weight=None if weights.amounts is None else group_sums(weights.amounts),
        unit=targets.unit,
        weight_unit=weights.unit,
        spread_unit=targets.spread_unit,
    ), threshold


def _interpolate(low: Floats, high: Floats, share: Floats) -> Floats:
    """Value at the given share of the way from `low` to `high`, below `high`."""
    value = np.maximum((1 - share) * low + share * high, low)  # high - low may be beyond any float
    return np.where(value < high, value, low)


def set_drawn_thresholds(best: BestCuts, thresholds: Floats) -> BestCuts:
    """Replaces the thresholds of the best cuts by those drawn along their lines, (L, m)."""
    threshold = thresholds[best.line, np.arange(len(best.cut))]
    is_drawn = ~np.isnan(threshold) & np.isfinite(best.threshold)
    return best._replace(threshold=np.where(is_drawn, threshold, best.threshold))


def _count_up_to(values: Floats, threshold: Floats, starts: Ints, sizes: Ints) -> Ints:
    """Number of values of each segment that are at most its threshold, by bisection."""
    low = np.zeros(len(starts), int)
    high = sizes.copy()
    while (is_open := low < high).any():
        middle = (low + high) // 2
        is_below = is_open & (values.take(starts + np.minimum(middle, sizes - 1)) <= threshold)
        low = np.where(is_below, middle + 1, low)
        high = np.where(is_open & ~is_below, middle, high)
    return low
