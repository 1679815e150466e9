"""Evaluation of every cut of a frontier: the gain and score of each threshold.

A cut is a place in a segment between two neighbouring groups of its histogram; its threshold is
half-way between their values. Two cuts tie where their scores differ by no more than rounding. The
same code evaluates a frontier of one node, for a single step, and of many, for a whole level.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion, SideSums
from dtviz.engine.criteria.statistics import Amounts
from dtviz.engine.search.category_order import sort_categories
from dtviz.engine.search.frontier import Frontier, starts_of
from dtviz.engine.search.histogram import COUNT_DTYPE, Histogram, histogram_of
from dtviz.engine.search.missing import (
    LEARNED,
    MissingPolicy,
    counted_histogram,
    missing_first,
    twins_of,
)
from dtviz.engine.splits import midpoint
from dtviz.engine.splits.split import ADMISSIBLE, ONE_ROW, Grades, Minimum

NamedCodes = tuple[int, ...]
"""Codes of the categories that a cut sends left."""

# The C library glibc asks the system for fresh pages for any block larger than those it has seen
# freed, which is slow. The next line frees a block of 31 MiB that was never touched. From then on
# scratch arrays stay on the heap of glibc: fits of 10,000 to 100,000 rows take a third of the time.
# Without glibc the line does nothing.
np.empty(31 << 20, np.uint8)


class ScoredCuts(NamedTuple):
    """Cuts of a frontier with their scores, ordered by line, node, threshold; arrays (cuts,)."""

    group: Ints
    """Group just left of the cut."""
    node: Ints
    """Node in the frontier."""
    cuts_per_segment: Ints
    """Number of cuts of each line and node, (L, m)."""
    groups_per_segment: Ints
    """Number of groups of each line and node, (L, m)."""
    values: Floats
    """Values of the groups of the histogram, (g,); codes where the segment is of a category."""
    sides: SideSums
    """Rows, weights, sums and gains of both sides."""
    spread: Floats
    """Spread of both sides, (2, cuts): the left sides first, as in `SideSums`."""
    score: Floats
    """Number that ranks the cut: its gain, or the value of the measure of the criterion."""
    tolerance: Floats
    """Difference of scores, for each node, (m,), up to which two cuts tie."""
    weight: NDArray[Any]
    """Weight of the rows of each node, (m,)."""
    categories: Bools | None = None
    """Mask of the segments of categories, (L, m), whose groups are in the order of the node; None:
    there are none."""
    missing_left: Bools | None = None
    """Mask of the cuts that send missing values left; None: no row has a missing value."""
    has_missing: Bools | None = None
    """Mask of the cuts whose segment has missing values; None: no row has a missing value."""
    known_side_weights: NDArray[Any] | None = None
    """Weight of the rows with a value on both sides, (2, cuts); None: that of all rows."""
    known_share: Floats | None = None
    """Share of the weight of its node that has a value, so that the cut parts it; None: all."""
    ignores_missing: bool = False
    """True if rows with a missing value do not count."""
    grades: Grades | None = None
    """Grades of the cuts by the minimum; None: all are admissible."""

    @property
    def admissible(self) -> Bools:
        """Mask of the cuts that leave both sides the minimum, (cuts,)."""
        if self.grades is None:
            return np.ones(len(self.node), np.bool_)
        return np.asarray(self.grades == ADMISSIBLE)

    @property
    def lower(self) -> Floats:
        """Value just left of each cut, (cuts,)."""
        return self.values_beside(np.arange(len(self.group)))[0]

    @property
    def upper(self) -> Floats:
        """Value just right of each cut, (cuts,)."""
        return self.values_beside(np.arange(len(self.group)))[1]

    def values_beside(self, cuts: Ints) -> tuple[Floats, Floats]:
        """Values left and right of the given cuts; infinite where a side has missing ones alone."""
        groups = self.group[cuts]
        lower, upper = self.values[groups], self.values[groups + 1]
        if self.missing_left is None:
            return lower, upper
        return np.where(np.isnan(lower), -np.inf, lower), np.where(np.isnan(upper), np.inf, upper)

    def thresholds_between(self, lower: Floats, upper: Floats) -> Floats:
        """Thresholds half-way between the values beside a cut; infinite where one of these is."""
        middle = midpoint(lower, upper)
        return middle if self.missing_left is None else np.where(upper == np.inf, np.inf, middle)

    def lines_of(self, cuts: Ints) -> Ints:
        """Number of the line of each given cut."""
        ends = self.cuts_per_segment.sum(axis=1).cumsum()
        return np.asarray(ends.searchsorted(cuts, side="right"))

    def sends_left(self, cuts: Ints, right_named: Bools | None = None) -> Bools | None:
        """Mask of the given cuts that send missing values left; None: the heavier side decides.

        Where no row of a node has a missing value, or such rows do not count, missing values go to
        the heavier side. Of two sides of equal weight they go left if such rows do not count, as in
        rpart, else right, as in scikit-learn. The cuts in the mask `right_named` name the codes on
        their right, so that left means the right side of the cut.
        """
        if (
            self.missing_left is None
            and self.known_share is None
            and self.sides.weight is self.sides.n
        ):
            return None
        weights = self.sides.weight.take(cuts, axis=1)
        right_named = np.zeros(len(cuts), np.bool_) if right_named is None else right_named
        named, others = np.where(right_named, weights[::-1], weights)
        if self.ignores_missing:
            return np.asarray(named >= others)
        if self.missing_left is None or self.has_missing is None:
            return np.asarray(named > others)
        missing_left = self.missing_left.take(cuts) ^ right_named
        return np.where(self.has_missing.take(cuts), missing_left, named > others)

    def named_codes(self, cuts: Ints, lines: Ints) -> tuple[list[NamedCodes], Bools]:
        """Codes that the given cuts of categories name, and the mask of those naming the right."""
        segments = lines * self.cuts_per_segment.shape[1] + self.node[cuts]
        sizes = self.groups_per_segment.ravel()
        first, end = starts_of(sizes)[segments], sizes.cumsum()[segments]
        end -= np.isnan(self.values[end - 1])  # the last group has the missing values
        middle = self.group[cuts] + 1
        weights = self.known_weight[:, cuts]
        right_named = np.asarray(is_right_named(weights, middle - first, end - first))
        spans = np.where(right_named, [middle, end], [first, middle]).T.tolist()
        return [tuple(sorted(self.values[a:b].astype(int).tolist())) for a, b in spans], right_named

    @property
    def known_weight(self) -> NDArray[Any]:
        """Weight of the rows with a value left and right of each cut, (2, cuts)."""
        return self.sides.weight if self.known_side_weights is None else self.known_side_weights


def is_right_named(weights: NDArray[Any], n_left: Any, n_values: Any) -> Any:
    """True for each cut that names its right side: where it is lighter, or as heavy and shorter.

    `weights`, (2, cuts), are those of the rows with a value on the sides; `n_left` of the
    `n_values` categories are left of the cut.
    """
    left, right = weights
    right_named = (left > right) | ((left == right) & (2 * n_left > n_values))
    return right_named & (n_left < n_values)  # right of all values there are only missing ones


class SumReader(NamedTuple):
    """Positions at which sums are read off a histogram: both sides of c cuts, and t wholes.

    The result of a read is flat, (2 c + t,): left sides, right sides, wholes. A whole is the rows
    that a cut parts: those of a node, or of one segment where each segment leaves out other rows.
    """

    cut: Ints
    """Number of groups before each cut, (c,)."""
    starts: Ints
    """Number of groups before each segment, (L m,)."""
    ends: Ints
    """Number of groups before the end of each segment, (L m,)."""
    cuts_per_segment: Ints
    """Number of cuts of each segment, (L m,)."""
    node: Ints
    """Node of each cut, (c,)."""
    wholes: Ints | slice
    """Segments whose sums are those of the wholes."""
    node_of_whole: Ints | slice
    """Node of each whole, (t,)."""
    cuts_of_wholes: tuple[Ints, Ints]
    """Wholes that cuts part, in the order of the cuts, and the number of cuts of each."""
    missing_on_left: Bools | None = None
    """Mask of the segments whose last group is left of all cuts but the last; None: no segment."""

    def read(self, amounts: Amounts | None, unit: Floats | None = None) -> NDArray[Any]:
        """Sums of one statistic, flat (2 c + t,); of 1 for each group where `amounts` is None."""
        cut, start, end = self.cut, self.starts, self.ends
        if amounts is not None:  # a sum is the difference of two running sums
            running = running_sums(amounts)
            cut, start, end = running.take(cut), running.take(start), running.take(end)
        c, wholes = len(cut), (end - start)[self.wholes]
        out = np.empty(2 * c + len(wholes), cut.dtype)
        left, right, out[2 * c :] = out[:c], out[c : 2 * c], wholes
        np.subtract(cut, start.repeat(self.cuts_per_segment), out=left)
        np.subtract(end.repeat(self.cuts_per_segment), cut, out=right)
        if self.missing_on_left is not None:
            last_group = self.missing_on_left
            if amounts is not None:
                last_group = amounts.take(self.ends - 1) * last_group
            on_left = self._last_on_left(last_group)
            left += on_left
            right -= on_left
        if unit is None:
            return out
        units = unit.take(self.node)
        return np.asarray(out * np.concatenate((units, units, unit[self.node_of_whole])))

    def repeat_for_cuts(self, values: NDArray[Any]) -> NDArray[Any]:
        """Repeats the value of each whole, (t,), for each of its cuts, (c,)."""
        parted_wholes, n_cuts = self.cuts_of_wholes
        return values.take(parted_wholes).repeat(n_cuts)

    def _last_on_left(self, last_group: NDArray[Any]) -> NDArray[Any]:
        """Amount of the segment's last group where it is left of the cut, else 0, (c,)."""
        out = last_group.repeat(self.cuts_per_segment)
        # only the last cut of a segment, between known and missing values, keeps it on the right
        out[self.cuts_per_segment.cumsum()[self.cuts_per_segment > 0] - 1] = 0
        return out


def evaluate_frontier(
    data: Dataset,
    front: Frontier,
    criterion: Criterion,
    minimum: Minimum = ONE_ROW,
    policy: MissingPolicy = LEARNED,
) -> ScoredCuts:
    """Evaluates every cut of every node of the frontier in one pass."""
    hist = counted_histogram(histogram_of(data, front, criterion.impurity.statistics), policy)
    hist = order_categories(data, hist, criterion, minimum, front.lines)
    return evaluate_histogram(hist, criterion, policy, minimum)


def order_categories(
    data: Dataset,
    hist: Histogram,
    criterion: Criterion,
    minimum: Minimum,
    lines: Ints | None = None,
) -> Histogram:
    """Sorts the groups of categories by the order in which they are cut.

    `lines` are the lines of the segments as in `Frontier`.
    """
    if not any(data.levels):
        return hist
    lines = np.arange(len(data.levels))[:, None] if lines is None else lines
    of_category = np.array([*map(bool, data.levels)]).take(lines)
    of_category = np.broadcast_to(of_category, hist.groups_per_segment.shape)
    return sort_categories(hist, of_category, criterion, minimum) if of_category.any() else hist


def evaluate_histogram(
    hist: Histogram, criterion: Criterion, policy: MissingPolicy, minimum: Minimum = ONE_ROW
) -> ScoredCuts:
    """Evaluates every cut of the histogram, missing values on the side that the policy chooses.

    Where the policy tries both sides, missing values go to the side that leaves an admissible cut;
    where both do, or neither, to the side with the higher score.
    """
    if hist.has_missing is None:
        cuts = score_cuts(hist, criterion, minimum)
        return cuts if policy.counts_missing else cuts._replace(ignores_missing=True)
    has_missing = hist.has_missing.ravel().repeat((hist.groups_per_segment - 1).ravel())
    if policy.always_left:
        (arrange,) = policy.arrangements
        cuts = score_cuts(arrange(hist), criterion, minimum)
        return cuts._replace(missing_left=np.ones_like(has_missing), has_missing=has_missing)
    right, left = score_cuts(hist, criterion, minimum), _with_missing_left(hist, criterion, minimum)
    excess, tolerance, weights = left.score - right.score, right.tolerance.take(right.node), None
    goes_left = excess > tolerance
    if hist.categories is not None:
        weights = np.array([right.sides.weight[0], left.sides.weight[1]])
        # on a tie, missing values go to the side that is not named
        goes_left |= (excess >= -tolerance) & _right_named(hist, right, weights)
    grades = None
    if right.grades is not None and left.grades is not None:
        # where one side alone leaves an admissible cut, a higher score on the other does not count
        goes_left &= ~(right.admissible & ~left.admissible)
        goes_left |= left.admissible & ~right.admissible
        grades = np.where(has_missing, np.maximum(right.grades, left.grades), right.grades)
    goes_left &= has_missing  # elsewhere both sides have one score

    def chosen(of_right: Floats, of_left: Floats) -> Floats:
        return np.where(goes_left, of_left, of_right)

    n, gain = chosen(right.sides.n, left.sides.n), chosen(right.sides.gain, left.sides.gain)
    is_unweighted = right.sides.weight is right.sides.n
    weight = n if is_unweighted else chosen(right.sides.weight, left.sides.weight)
    return right._replace(
        sides=SideSums(right.sides.sums, n, weight, gain),
        spread=chosen(right.spread, left.spread),
        score=gain if right.score is right.sides.gain else chosen(right.score, left.score),
        missing_left=goes_left,
        has_missing=has_missing,
        known_side_weights=weights,
        grades=grades,
    )


def _with_missing_left(hist: Histogram, criterion: Criterion, minimum: Minimum) -> ScoredCuts:
    """Scores the cuts, all but that between known and missing values with missing values left."""
    if not criterion.impurity.statistics.category_key:
        return score_cuts(hist, criterion, minimum, missing_left=True)
    cuts, twin_ids = score_cuts(missing_first(hist), criterion, minimum), twins_of(hist)
    n, weight = (amounts.take(twin_ids, axis=1) for amounts in (cuts.sides.n, cuts.sides.weight))
    return cuts._replace(
        sides=SideSums(cuts.sides.sums, n, weight, cuts.sides.gain.take(twin_ids)),
        spread=cuts.spread.take(twin_ids, axis=1),
        score=cuts.score.take(twin_ids),
        grades=None if cuts.grades is None else cuts.grades.take(twin_ids),
    )


def _right_named(hist: Histogram, cuts: ScoredCuts, weights: NDArray[Any]) -> Bools:
    """Mask of the cuts of categories that name their right side, (cuts,)."""
    out = np.zeros(len(cuts.node), np.bool_)
    if hist.categories is not None and hist.has_missing is not None:
        lines = cuts.lines_of(np.arange(len(cuts.node)))
        cut_ids = np.flatnonzero(hist.categories[lines, cuts.node])
        segments = lines[cut_ids] * len(hist.node_weight) + cuts.node[cut_ids]
        n_left = cuts.group[cut_ids] + 1 - starts_of(hist.groups_per_segment.ravel())[segments]
        n_values = (hist.groups_per_segment - hist.has_missing).ravel()[segments]
        out[cut_ids] = is_right_named(weights[:, cut_ids], n_left, n_values)
    return out


def score_cuts(
    hist: Histogram, criterion: Criterion, minimum: Minimum = ONE_ROW, missing_left: bool = False
) -> ScoredCuts:
    """Scores and grades every cut between the groups of the histogram.

    Missing values, the last group, are right of each cut; with `missing_left` they are left of all
    cuts but the one between the known values and the missing ones.
    """
    reader = sum_reader(hist)
    if missing_left and hist.has_missing is not None:
        reader = reader._replace(missing_on_left=hist.has_missing.ravel())
    node, c = reader.node, len(reader.node)
    n = reader.read(hist.n)
    weight = n if hist.weight is None else reader.read(hist.weight, hist.weight_unit)
    sums = partial(_sums, hist, reader, weight)
    spread = criterion.impurity.spread(sums(), weight)
    side_spread = spread[: 2 * c].reshape(2, c)
    gain = reader.repeat_for_cuts(spread[2 * c :])
    gain -= side_spread[0] + side_spread[1]
    gain /= reader.repeat_for_cuts(weight[2 * c :].astype(np.float64))
    known_share = None
    if hist.known_share is not None:
        known_share = hist.known_share.ravel().repeat(reader.cuts_per_segment)
        gain *= known_share
    if hist.spread_unit is not None:
        gain *= hist.spread_unit.take(node)
    n_nodes = len(hist.node_weight)
    tolerance = np.full(n_nodes, ROUNDING) if hist.scale is None else ROUNDING * hist.scale
    gain[gain <= (ROUNDING if hist.scale is None else tolerance.take(node))] = 0.0
    n_rows = n[: 2 * c].reshape(2, c)
    weight = n_rows if weight is n else weight[: 2 * c].reshape(2, c)
    sides = SideSums(
        lambda: (side_sums[: 2 * c].reshape(2, c) for side_sums in sums()), n_rows, weight, gain
    )
    score = gain if criterion.measure is None else criterion.measure.score(sides)
    grades = None
    if minimum != ONE_ROW:
        parted_weight = hist.node_weight.take(node)
        if known_share is not None:
            parted_weight = parted_weight * known_share
        excess = next(iter(sides.sums())) if minimum.above_zero else None
        grades = minimum.grades(n_rows, weight, parted_weight, excess)
    return ScoredCuts(
        group=reader.cut - 1,
        node=node,
        cuts_per_segment=reader.cuts_per_segment.reshape(hist.groups_per_segment.shape),
        groups_per_segment=hist.groups_per_segment,
        values=hist.values,
        sides=sides,
        spread=side_spread,
        score=score,
        tolerance=tolerance,
        weight=hist.node_weight,
        categories=hist.categories,
        known_share=known_share,
        grades=grades,
    )


def sum_reader(hist: Histogram) -> SumReader:
    """Reader of a histogram at its cuts."""
    sizes, n_nodes = hist.groups_per_segment.ravel(), hist.groups_per_segment.shape[1]
    segment, ends = np.arange(len(sizes)), sizes.cumsum()
    starts = ends - sizes
    if hist.cut_groups is not None:
        cut, counts = hist.cut_groups[0] + 1, hist.cut_groups[1]
    else:
        counts = sizes - 1 if hist.known_share is None else np.maximum(sizes - 1, 0)
        # groups before a cut, less the number of all cuts before it: one number a segment
        shift = starts - starts_of(counts) + 1
        cut = shift.repeat(counts)
        cut += np.arange(len(cut))
    node_of_segment = segment % n_nodes
    node = node_of_segment.repeat(counts)
    if hist.known_share is None:
        nodes = slice(0, n_nodes)  # segments of the first line: a node has the same sums on all
        return SumReader(cut, starts, ends, counts, node, nodes, nodes, (node_of_segment, counts))
    parted = np.flatnonzero(counts)
    # each segment with a cut is one whole
    cuts_of_wholes = np.arange(len(parted)), counts[parted]
    node_of_whole = node_of_segment[parted]
    return SumReader(cut, starts, ends, counts, node, parted, node_of_whole, cuts_of_wholes)


def _sums(hist: Histogram, reader: SumReader, weight: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Generates the sums of each statistic at the positions of the reader."""
    rest = weight
    for amounts in hist.sums():
        sums = reader.read(amounts, hist.unit)
        if hist.has_remainder:
            rest = rest - sums
        yield sums
    if hist.has_remainder:
        yield rest


def running_sums(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., n values, shape (n + 1,)."""
    total = np.zeros(len(values) + 1, COUNT_DTYPE if values.dtype == np.bool_ else values.dtype)
    np.add.accumulate(values, out=total[1:], dtype=total.dtype)
    return total
