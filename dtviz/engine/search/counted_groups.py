"""Groups of rows that a table's own engine counted; what the closed ones among them may hide.

A group is the rows of one node whose values along a line are in one bin, or are one value. A bin
is closed: cuts inside it are not known yet. The score of every cut that is known is exact, and no
cut inside a closed group scores more than its bound:

- Class counts: the cost of a cut, the spread of both sides, is concave in the counts of its left
  side. A cut inside a group leaves between none and all of the group's rows of each class on its
  left: a box, on which the cost is lowest at a corner. A box of more than MAX_CORNER_CLASSES
  classes has too many corners; there the cost is at least the spread of the rows left of the group
  and that of the rows right of it, since more rows never have a smaller spread.
- The measure of CART is convex in those counts, and so highest at a corner.
- The gain ratio is at most the bound of the gain over the least entropy of the sizes, which is that
  of the first or the last cut inside the group.
- Sums of numbers: c of the b rows of a group, with mean m and variance v, have a sum within
  sqrt(c (b - c) v) of c m. The range of c is divided, and each part has a bound of its own.

Source of the corners: Breiman et al. (1984), 4.4, use the same concavity for categories.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.engine.criteria.criteria import Criterion, SideSums
from dtviz.engine.criteria.statistics import SUM_BITS, Amounts
from dtviz.engine.search.histogram import Histogram
from dtviz.engine.splits.split import Minimum

MAX_CORNER_CLASSES = 8
"""Number of classes up to which all corners of a box are tried."""
ROW_COUNT_PARTS = 16
"""Number of parts into which the number of rows left of a cut inside a group is divided."""
BOUND_ROUNDING = 1e-9
"""Share by which a bound is raised, more than rounding can lower it."""


GROUP_FIELDS = "line", "node", "value", "highest", "bin", "shift", "n", "sums"
"""Fields of CountedGroups with an entry for each group."""


@dataclass(frozen=True, eq=False)
class CountedGroups:
    """Groups of L lines and m nodes, ordered by line, node and value, missing values last."""

    line: Ints
    """Line of each group, (g,)."""
    node: Ints
    """Node of each group, (g,)."""
    value: Floats
    """Lowest value of each group, (g,); NaN: missing."""
    highest: Floats
    """Highest value of each group, (g,): that of a group that is not closed is its only one."""
    bin: Ints
    """Lowest bin of each group, (g,)."""
    shift: Ints
    """Bits by which the bin of a closed group is wider than the finest, (g,); -1: one value."""
    n: Ints
    """Number of rows of each group, (g,)."""
    sums: NDArray[Any]
    """Sums of each group, (g, S): weights of the classes as whole numbers, or the sum of numbers
    less the mean of their node."""
    squares: Floats | None
    """Sum of the squares of those numbers, (g,); None: the sums are those of classes."""
    n_lines: int
    """Number of lines L."""
    n_nodes: int
    """Number of nodes m."""

    @property
    def is_closed(self) -> Bools:
        """Mask of the groups whose values are not known, (g,)."""
        return np.asarray(self.shift >= 0)

    @property
    def segment(self) -> Ints:
        """Number of the line and node of each group, (g,)."""
        return self.line * self.n_nodes + self.node

    def take(self, order: Ints) -> CountedGroups:
        """Select groups, in the given order."""
        squares = None if self.squares is None else self.squares.take(order)
        arrays: dict[str, Any] = {
            name: getattr(self, name).take(order, axis=0) for name in GROUP_FIELDS
        }
        return replace(self, **arrays, squares=squares)

    def sorted(self) -> CountedGroups:
        """The groups in their order."""
        value = np.where(np.isnan(self.value), np.inf, self.value)
        position = np.where(np.isnan(self.value), np.iinfo(np.int64).max, self.bin)
        return self.take(np.lexsort((value, position, self.segment)))


def join_groups(first: CountedGroups, second: CountedGroups) -> CountedGroups:
    """The groups of both, in their order."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in GROUP_FIELDS
    }
    squares = None
    if first.squares is not None and second.squares is not None:
        squares = np.concatenate([first.squares, second.squares])
    return replace(first, **arrays, squares=squares).sorted()


def histogram_of_groups(
    groups: CountedGroups, node_weight: NDArray[Any], weight_unit: float | None, variance: Floats
) -> Histogram:
    """The histogram of counted groups; a closed group counts as one value.

    `node_weight`, (m,), is the weight of the nodes in units; `weight_unit` is the weight that 1
    stands for, None without weights. `variance`, (m,), is that of numbers in each node.
    """
    per_segment = np.bincount(groups.segment, minlength=groups.n_lines * groups.n_nodes)
    per_segment = per_segment.reshape(groups.n_lines, groups.n_nodes)
    has_missing = np.zeros(per_segment.shape, np.bool_)
    missing = np.isnan(groups.value)
    has_missing[groups.line[missing], groups.node[missing]] = True
    fields: dict[str, Any] = {
        "values": groups.value,
        "groups_per_segment": per_segment,
        "n": groups.n,
        "has_missing": has_missing if missing.any() else None,
    }
    if groups.squares is not None:
        largest_sum = node_weight * np.sqrt(variance)
        unit = np.ldexp(1.0, np.maximum(np.frexp(largest_sum)[1] - SUM_BITS, -900))
        amounts = (groups.sums[:, 0] / unit.take(groups.node)).astype(np.int64)
        return Histogram(
            sums=lambda: iter([amounts]),
            has_remainder=False,
            scale=variance,
            node_weight=node_weight,
            unit=unit,
            **fields,
        )
    is_weighted = weight_unit is not None
    total = node_weight * weight_unit if weight_unit is not None else node_weight
    is_fraction = weight_unit not in (None, 1)
    share_unit = (weight_unit or 1) / total if is_fraction else None

    def sums() -> Iterator[Amounts]:
        return (groups.sums[:, k] for k in range(groups.sums.shape[1] - 1))

    return Histogram(
        sums=sums,
        has_remainder=True,
        scale=None,
        node_weight=total if is_fraction else node_weight,
        weight=groups.sums.sum(axis=1) if is_weighted else None,
        unit=share_unit,
        weight_unit=share_unit,
        **fields,
    )


@dataclass(frozen=True, eq=False)
class GroupBounds:
    """Bounds on what the cuts inside each closed group can score, arrays (g,)."""

    score: Floats
    """The highest score of a cut inside; -inf where the group is not closed."""
    least: Floats
    """No cut inside scores less; 0 where nothing more is known."""
    can_be_admissible: Bools
    """True if a cut inside may leave enough rows on both sides."""


def bound_groups(
    groups: CountedGroups, criterion: Criterion, minimum: Minimum, counts_missing: bool
) -> GroupBounds:
    """Bound the scores of the cuts inside closed groups.

    Rows without a value are on the side that scores higher where `counts_missing`, else on none.
    """
    closed = np.flatnonzero(groups.is_closed)
    score = np.full(len(groups.n), -np.inf)
    can_be_admissible = np.zeros(len(groups.n), np.bool_)
    if not len(closed):
        return GroupBounds(score, np.zeros(len(score)), can_be_admissible)
    n_before, n_missing, n_all = _sums_around(groups, groups.n[:, None], closed)
    sums_before, sums_missing, sums_all = _sums_around(groups, groups.sums, closed)
    if not counts_missing:
        sums_all, n_all = sums_all - sums_missing, n_all - n_missing
        sums_missing, n_missing = sums_missing * 0, n_missing * 0
    here_n, here = groups.n[closed], groups.sums[closed]
    best, middle = np.full(len(closed), -np.inf), np.full(len(closed), np.inf)
    admissible = np.zeros(len(closed), np.bool_)
    for share in (0, 1) if n_missing.any() else (0,):
        left_n, left = (n_before + share * n_missing)[:, 0], sums_before + share * sums_missing
        if groups.squares is None:
            bound = _bound_of_classes(left, here, sums_all, criterion)
            middle = np.minimum(middle, _gains(left + here / 2, sums_all, criterion))
        else:
            mean = sums_all[:, 0] / n_all[:, 0]  # 0 where rows without a value count
            bound = _bound_of_numbers(
                left_n,
                left[:, 0] - left_n * mean,
                here_n,
                here[:, 0] / here_n,
                groups.squares[closed],
                n_all[:, 0],
                mean,
            )
        best = np.maximum(best, bound)
        admissible |= (left_n + here_n - 1 >= minimum.rows) & (
            n_all[:, 0] - left_n - 1 >= minimum.rows
        )
    score[closed], can_be_admissible[closed] = best, admissible
    least = np.zeros(len(score))
    if groups.squares is None and criterion.measure is None:
        # The gain is convex: the mean gain of two cuts opposite to each other is at least that of
        # the middle between them, and neither gains more than `best`.
        least[closed] = np.maximum(2 * middle - best, 0.0)
    return GroupBounds(score, least, can_be_admissible)


def _sums_around(
    groups: CountedGroups, sums: NDArray[Any], closed: Ints
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Sums of each closed group's segment: before the group, of missing values, of all, (c, S)."""
    segment, n_segments = groups.segment, groups.n_lines * groups.n_nodes
    running = np.concatenate([np.zeros_like(sums[:1]), sums.cumsum(axis=0)])
    starts = np.searchsorted(segment, np.arange(n_segments))
    ends = np.searchsorted(segment, np.arange(n_segments), side="right")
    segment_of_group = segment[closed]
    total = running[ends[segment_of_group]] - running[starts[segment_of_group]]
    last = ends[segment_of_group] - 1
    missing = np.where(np.isnan(groups.value[last])[:, None], sums[last], 0)
    return running[closed] - running[starts[segment_of_group]], missing, total


def _bound_of_classes(
    left: NDArray[Any], here: NDArray[Any], total: NDArray[Any], criterion: Criterion
) -> Floats:
    """Bound from the class weights before, in and around each group, (c, K) each."""
    n_classes = here.shape[1]
    if n_classes <= MAX_CORNER_CLASSES:
        corners = [left + here * np.array(mask) for mask in product((0, 1), repeat=n_classes)]
    else:
        corners = []
    if corners:
        gain = np.max([_gains(corner, total, criterion) for corner in corners], axis=0)
    else:
        lowest = _spread(left, criterion) + _spread(total - left - here, criterion)
        gain = (_spread(total, criterion) - lowest) / total.sum(axis=1)
    gain = np.maximum(gain, 0.0)
    name = None if criterion.measure is None else criterion.name
    if name == "gain_ratio":
        ends = left.sum(axis=1), (left + here).sum(axis=1)
        gain = gain / np.minimum(*(_size_entropy(end, total.sum(axis=1)) for end in ends))
    elif name is not None:
        gain = _measure_bound(corners, left, here, total, criterion)
    return np.asarray(gain * (1 + BOUND_ROUNDING) + ROUNDING)


def _spread(side: NDArray[Any], criterion: Criterion) -> Floats:
    """Weight times impurity of sides, from their weight of each class, (c, K)."""
    size = side.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = criterion.impurity.spread([side[:, k] for k in range(side.shape[1])], size)
    return np.where(size > 0, value, 0.0)


def _gains(left: NDArray[Any], total: NDArray[Any], criterion: Criterion) -> Floats:
    """Gains of cuts with these class weights on the left, and in all, (c, K) each."""
    lowest = _spread(left, criterion) + _spread(total - left, criterion)
    return np.asarray((_spread(total, criterion) - lowest) / total.sum(axis=1))


def _size_entropy(left_weight: Ints, weight: Ints) -> Floats:
    """Entropy of the sizes of both sides, of a weight of at least 1 each."""
    # of the lighter side: a difference of logarithms would lose the digits of a light one
    lighter = np.maximum(np.minimum(left_weight, weight - left_weight), 1)
    share = np.minimum(lighter / weight, 0.5)
    return np.asarray(-(share * np.log2(share) + (1 - share) * np.log1p(-share) / np.log(2)))


def _measure_bound(
    corners: list[NDArray[Any]],
    left: NDArray[Any],
    here: NDArray[Any],
    total: NDArray[Any],
    criterion: Criterion,
) -> Floats:
    """Bound of a measure that is convex in the counts of the left side, (c,)."""
    assert criterion.measure is not None
    if not corners:
        # the measure of CART is 2 / n^2 times the sum of |a_k n - t_k n_L| over the classes
        weight = total.sum(axis=1).astype(np.float64)
        start = np.abs(left * weight[:, None] - total * left.sum(axis=1)[:, None])
        inside = np.maximum(here * weight[:, None], total * here.sum(axis=1)[:, None])
        return np.asarray(2 * (start + inside).sum(axis=1) / weight**2)
    best = np.zeros(len(left))
    for corner in corners:
        sides = np.array([corner, total - corner])
        size = sides.sum(axis=2)
        side_sums = SideSums(partial(_class_sums, sides), size, size, best)
        with np.errstate(invalid="ignore", divide="ignore"):
            score = criterion.measure.score(side_sums)
        best = np.fmax(best, np.where((size > 0).all(axis=0), score, 0.0))
    return best


def _class_sums(sides: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Weights of one class after the other, (2, c) each, from those of all, (2, c, K)."""
    return (sides[:, :, k] for k in range(sides.shape[2]))


def _bound_of_numbers(
    left_n: Ints,
    left: Floats,
    here_n: Ints,
    here_mean: Floats,
    squares: Floats,
    all_n: Ints,
    all_mean: Floats,
) -> Floats:
    """Bound from the rows and the sum before each group, less its mean, and those in it, (c,)."""
    of_squares = squares / here_n
    # the difference may lose all digits: no more than the raised one is certain
    variance = np.maximum(of_squares - here_mean * here_mean, 0.0) + ROUNDING * of_squares
    mean = here_mean - all_mean
    best = np.zeros(len(left_n))
    edges = 1 + (here_n - 2)[:, None] * np.linspace(0, 1, ROW_COUNT_PARTS + 1)
    for low, high in zip(edges.T[:-1], edges.T[1:], strict=True):
        middle = np.clip(here_n / 2, low, high)
        reach = np.sqrt(middle * (here_n - middle) * variance)
        sums = np.maximum(np.abs(left + low * mean), np.abs(left + high * mean)) + reach
        sizes = np.minimum(
            (left_n + low) * (all_n - left_n - low), (left_n + high) * (all_n - left_n - high)
        )
        best = np.maximum(best, sums * sums / np.maximum(sizes, 1))
    return np.asarray(best * (1 + BOUND_ROUNDING))
