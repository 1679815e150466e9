"""Bounds for the optimal tree of depth 2: root candidates that need not be opened.

To open a root candidate is to search the best split of each of its two sides. The risk of rows is
the impurity that their best split leaves, times their share of the weight of all rows. An interval
holds the candidates of one feature between two opened candidates, or between one and an end.

Along one feature, the left side of a candidate holds the left side of each candidate before it, and
further rows, which never lower the risk. So a candidate between two opened candidates a and b
leaves at least the risk of the left side of a, plus that of the right side of b, plus a lower bound
on that of the rows between a and b. Where that sum is too high, the interval is decided: none of
its candidates is opened. It is decided too where its candidates can only tie with the best tree
found, but lose the tie: they come later or need more splits.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.progress import Slices
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.search.category_order import MAX_VALUES_TRIED, subset_masks
from dtviz.engine.search.evaluate import evaluate_frontier
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    children_of_entries,
    keep_nodes,
    root_frontier,
)
from dtviz.engine.search.missing import MissingPolicy
from dtviz.engine.splits import Axis, SplitColumns, Subset, feature_of, score
from dtviz.engine.splits.split import Minimum

MIN_ROWS_BOUNDED = 8
"""Smallest number of rows whose risk is searched: of fewer rows it is near 0, by chance."""

Interval = tuple[int, int]
"""(first, end): the root candidates first, ..., end - 1; first == end: no candidate."""


def bound_rows(
    front: Frontier,
    candidate_of_row: Ints,
    full_interval: Interval,
    middle: Callable[[Interval], int],
    stump_risks: Callable[[Frontier], Floats],
) -> Slices[dict[Interval, float]]:
    """Lower bounds on the risk of the rows between the candidates of each interval, by interval.

    Halves `full_interval`, all candidates of a feature, again and again. `front` is one node of all
    rows; `candidate_of_row`, (n,), is the index of the first candidate that has the row on its
    left. `middle` gives the candidate that parts an interval, `stump_risks` the risk of each node
    of a frontier, (m,). Yields the share done, level by level.
    """
    intervals, risks = [full_interval], {full_interval: 0.0}  # the risk of all rows is not used
    while intervals:
        yield 1.0 - 1.0 / (1.0 + len(risks))  # a guess: the number of levels is not known
        cuts = [middle(interval) for interval in intervals]
        child, sizes = children_of_entries(
            front, candidate_of_row.take(front.rows[0]) <= np.take(cuts, front.owner)
        )
        halves = [(first, cut) for (first, _), cut in zip(intervals, cuts, strict=True)]
        halves += [(cut + 1, end) for (_, end), cut in zip(intervals, cuts, strict=True)]
        kept_mask = sizes >= MIN_ROWS_BOUNDED
        if not kept_mask.any():
            break
        front = children(front, child, sizes, kept_mask)
        intervals = list(compress(halves, kept_mask.tolist()))
        risks |= zip(intervals, stump_risks(front).tolist(), strict=True)
        split_mask = np.array([first < end for first, end in intervals])
        front, intervals = keep_nodes(front, split_mask), [(a, b) for a, b in intervals if a < b]
    return _combine_halves(risks, middle)


def _combine_halves(
    stump_risks: dict[Interval, float], middle: Callable[[Interval], int]
) -> dict[Interval, float]:
    """Lower bounds of intervals from the risks of their halves, the smallest intervals first.

    The candidate in the middle of an interval parts neither half. Any other candidate parts the
    rows of one half, for which the bound of that half holds, and leaves the other half together.
    """
    out: dict[Interval, float] = {}
    for first, end in reversed(stump_risks):
        if first == end:
            out[first, end] = math.inf  # no candidate lies in it
            continue
        cut = middle((first, end))
        left_half, right_half = (first, cut), (cut + 1, end)
        left_risk, right_risk = stump_risks.get(left_half, 0.0), stump_risks.get(right_half, 0.0)
        out[first, end] = min(
            left_risk + right_risk,
            out.get(left_half, 0.0) + right_risk,
            left_risk + out.get(right_half, 0.0),
        )
    return out


DecreaseBounds = tuple[float, ...]
"""Upper bounds on the impurity decrease of trees of 0, 1, 2 and 3 splits; -inf for none."""


class Incumbent(NamedTuple):
    """The best tree found so far, which another tree must beat, or tie with and win the tie."""

    floor: float = -math.inf  # impurity decrease from which a tree ties, or is near-optimal
    best: float = math.inf  # impurity decrease above which a tree is better
    splits: int = 3  # number of splits of the best tree; of tied trees fewer splits win
    root: float = math.inf  # root candidate of the best tree; a lower one wins with as many splits

    def may_improve(self, bounds: DecreaseBounds, first: int) -> bool:
        """True if a tree of these bounds, its root candidate `first` or later, may be better."""
        tied_bound = bounds[self.splits if first < self.root else self.splits - 1]
        return tied_bound >= self.floor or bounds[-1] > self.best


class IntervalQueue:
    """A queue of the root candidates that are not decided: intervals, the most promising first.

    `line_of`, (R,), is the number of the projection of each candidate; the candidates of one
    projection stand together, by threshold. A candidate with -1 is an interval alone. `gain`, (R,),
    has the gain of each candidate as the only split: the highest of a projection is opened first.
    `row_bounds` has the results of `bound_rows`, by interval.
    """

    def __init__(self, line_of: Ints, gain: Floats, root_impurity: float) -> None:
        self.line_of, self.gain, self.root_impurity = line_of, gain, root_impurity
        self.n_opened, self.incumbent = 0, Incumbent()
        # risks of opened candidates: with splits or as leaves, of the left or the right side
        self.risks = np.zeros((2, 2, len(line_of)))
        ends = (np.flatnonzero((np.diff(line_of) != 0) | (line_of[1:] < 0)) + 1).tolist()
        intervals = [*pairwise([0, *ends, len(line_of)])] if len(line_of) else []
        self.best_of_interval = {
            (first, end): first + int(gain[first:end].argmax()) for first, end in intervals
        }
        self.row_bounds: dict[Interval, float] = {}
        unbounded: DecreaseBounds = (math.inf,) * 4
        # by the largest possible decrease, as a negative number: heapq gives the least item first
        self.heap = [(-math.inf, interval, unbounded) for interval in intervals]
        self.batch: list[tuple[Interval, int]] = []

    @property
    def full_intervals(self) -> list[Interval]:
        """Interval of all candidates of each feature that has several."""
        return [(first, end) for first, end in self.best_of_interval if end - first > 1]

    @property
    def share_decided(self) -> float:
        """Share of the candidates that are decided."""
        n_open = sum(
            interval[1] - interval[0]
            for _, interval, bounds in self.heap
            if self.incumbent.may_improve(bounds, interval[0])
        )
        return 1.0 - n_open / max(len(self.line_of), 1)

    def first_to_open(self, interval: Interval) -> int:
        """Candidate of an interval that is opened first: the best of a feature, else the middle."""
        return self.best_of_interval.get(interval, sum(interval) // 2)

    def next_batch(self, max_candidates: int) -> Ints:
        """Candidates to open next, at most `max_candidates`; none once all are decided."""
        self.batch = []
        while self.heap and len(self.batch) < max_candidates:
            _, interval, bounds = heapq.heappop(self.heap)
            if self.incumbent.may_improve(bounds, interval[0]):
                self.batch.append((interval, self.first_to_open(interval)))
        self.n_opened += len(self.batch)
        return np.array([index for _, index in self.batch], int)

    def update(self, risks: Floats, incumbent: Incumbent) -> None:
        """Add the risks of the sides of the last batch, and the best tree found with them.

        `risks`, (2, 2, B), has the risks of the left and the right side with their best split, and
        then the risks of both sides as leaves.
        """
        self.incumbent = incumbent
        for k, (_, index) in enumerate(self.batch):
            self.risks[..., index] = risks[..., k]
        for (first, end), index in self.batch:
            self._push((first, index))
            self._push((index + 1, end))

    def _push(self, interval: Interval) -> None:
        """Queue an interval unless it is empty or its bounds decide it."""
        first, end = interval
        if first == end:
            return
        line_of, n_candidates, risks = self.line_of, len(self.line_of), np.zeros((2, 2))
        if first and line_of[first - 1] == line_of[first]:
            risks[:, 0] = self.risks[:, 0, first - 1]
        if end < n_candidates and line_of[end] == line_of[first]:
            risks[:, 1] = self.risks[:, 1, end]
        (left, right), (left_as_leaf, right_as_leaf) = risks.tolist()
        max_decrease = self.root_impurity - self.row_bounds.get(interval, 0.0)
        one_split = float(self.gain[first:end].max())
        two_splits = max_decrease - min(left + right_as_leaf, left_as_leaf + right)
        three_splits = max_decrease - (left + right)
        bounds = (-math.inf, one_split, two_splits, three_splits)
        if self.incumbent.may_improve(bounds, first):
            heapq.heappush(self.heap, (-bounds[-1], interval, bounds))


@dataclass(frozen=True, slots=True, eq=False)
class RootCandidates:
    """The R root candidates whose sides have the minimum, by feature, then threshold."""

    splits: SplitColumns  # the candidates
    gain: Floats  # gain of each candidate, (R,)
    tolerance: float  # gains that differ by less are equal
    root_impurity: float  # impurity of all rows
    nested: Ints
    """Number of the projection of each candidate, (R,); -1 where the left side of a candidate need
    not hold that of the candidate before it."""

    def features(self, indices: Ints) -> Ints:
        """Feature of each of these candidates."""
        feature_of_projection = [feature_of(projection) for projection in self.splits.projections]
        return np.array(feature_of_projection, int)[self.splits.line[indices]]


def root_candidates(
    data: Dataset, front: Frontier, criterion: Criterion, minimum: Minimum, policy: MissingPolicy
) -> RootCandidates:
    """All root candidates; none where all targets are equal."""
    projections = _root_projections(data, front, criterion, minimum, policy)
    scores = np.array([score(projection, data.columns) for projection in projections])
    table = replace(data, columns=scores, levels=())
    cuts = evaluate_frontier(table, root_frontier(table), criterion, minimum, policy)
    indices = np.flatnonzero(cuts.admissible & ~compute_facts(data, front, criterion).pure)
    thresholds, line = cuts.thresholds_between(*cuts.values_beside(indices)), cuts.lines_of(indices)
    is_axis = np.array([isinstance(projection, Axis) for projection in projections])
    has_missing = np.array(table.gaps)
    return RootCandidates(
        splits=SplitColumns(projections, line, thresholds, cuts.sends_left(indices)),
        gain=cuts.sides.gain.take(indices),
        tolerance=float(cuts.tolerance[0]),
        root_impurity=float(compute_facts(data, front, criterion).impurity[0]),
        nested=np.where((is_axis & ~has_missing)[line], line, -1),
    )


def _root_projections(
    data: Dataset, front: Frontier, criterion: Criterion, minimum: Minimum, policy: MissingPolicy
) -> tuple[Axis | Subset, ...]:
    """Projections that the root is split on: each number, and subsets of each category.

    All subsets are tried of a category with few values; of others, the cuts of its category order.
    """
    out: list[Axis | Subset] = []
    for line, categories in enumerate(data.levels):
        codes = _codes(data, line) if categories else ()
        if len(codes) > MAX_VALUES_TRIED:
            cuts = evaluate_frontier(data, front, criterion, minimum, policy)
            indices = np.flatnonzero(cuts.lines_of(np.arange(len(cuts.node))) == line)
            indices = indices[np.isfinite(cuts.thresholds_between(*cuts.values_beside(indices)))]
            subsets, _ = cuts.named_codes(indices, np.full(len(indices), line))
            out += [Subset(line, named) for named in subsets]
        elif len(codes) > 1:
            out += [
                _lighter_subset(data, line, codes[side_mask], codes[~side_mask])
                for side_mask in subset_masks(len(codes))
            ]
        else:
            out.append(Axis(line))
    return tuple(out)


def _codes(data: Dataset, line: int) -> Ints:
    """Codes that rows have in a column of categories, ascending."""
    column = data.columns[line]
    return np.unique(column[~np.isnan(column)]).astype(int)


def _lighter_subset(data: Dataset, line: int, codes: Ints, other_codes: Ints) -> Subset:
    """Subset of the codes with the lower weight; of equal weights, that with fewer codes."""
    has_value = ~np.isnan(data.columns[line])
    weights = None if data.weights is None else data.weights[has_value]
    weight_of_code = np.bincount(data.columns[line][has_value].astype(int), weights)
    sides = ((float(weight_of_code[side].sum()), len(side), side) for side in (codes, other_codes))
    return Subset(line, tuple(min(sides, key=lambda side: side[:2])[2].tolist()))
