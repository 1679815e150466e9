"""Sufficient statistics: sums over the rows of a group from which a criterion takes its impurity.

The statistics are class counts, or sums of targets about the mean of their node. What one row adds
to a sum is an amount, a whole number. Sums of whole numbers are exact in any order: one running sum
may go through all nodes of a frontier, and large targets of one node round nothing in the next. An
amount of 1 stands for the unit of its node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints

Amounts = NDArray[Any]
"""Whole numbers that rows add to a sum, or sums of them."""

SUM_BITS = 62
"""Any sum of amounts of one node is at most 2^62 but for rounding."""
MIN_EXPONENT = -900
"""No unit is less than 2^-900: as a float the square of so small a number is 0."""


class NodeRows(NamedTuple):
    """The rows of m nodes, one node after the other, with their targets."""

    y: NDArray[Any]  # targets, (N,)
    weights: Amounts | None  # weights of the rows, or shares of their node, (N,); None: all are 1
    starts: Ints  # index of the first row of each node, (m,)
    sizes: Ints  # number of rows of each node, (m,)
    row_ids: Ints | None = None  # row ids in the table, (N,), where an impurity needs them

    @property
    def weight(self) -> Amounts:
        """Weight of each node, (m,)."""
        if self.weights is None:
            return self.sizes
        return np.asarray(np.add.reduceat(self.weights, self.starts))

    def multiply_by_weight(self, values: NDArray[Any]) -> NDArray[Any]:
        """Multiply a number of each row, (N,), by its weight."""
        return values if self.weights is None else values * self.weights


class ScaledTargets(NamedTuple):
    """Targets of the rows of m nodes in the form that a criterion sums up."""

    values: NDArray[Any]  # values of the rows, (N,): amounts, or numbers that give amounts
    unit: Floats | None  # number that an amount of 1 stands for in each node, (m,); None: 1
    scale: Floats | None  # number that rounding is measured against, (m,): a variance; None: 1
    spread_unit: Floats | None = None  # number that a spread of 1 stands for, (m,); None: 1


class CategoryKey(NamedTuple):
    """A number of a group of rows by which the values of a category are ordered."""

    name: str  # plural noun for sentences
    compute: Callable[[NodeRows], Floats]  # number of each group, (g,)


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """The sums over rows that a criterion needs."""

    scale_targets: Callable[[NodeRows], ScaledTargets] | None
    """Brings targets into the form that is summed up; None: they are taken as they are, and
    rounding is measured against 1."""
    amounts: Callable[[NDArray[Any], int, Amounts | None, Ints], Iterator[Amounts]]
    """Yields the amounts of one statistic after the other, (N,) each, from the values of the rows,
    the number of classes, the weights and the index at which each segment starts."""
    has_remainder: bool = False
    """True: there is one more statistic, the weight less the sums of all others."""
    category_key: CategoryKey | None = None
    """Number that orders the values of a category, for amounts that depend on the rows before a row
    in its segment; None: amounts do not depend on other rows."""


def to_amounts(
    values: Floats, starts: Ints, sizes: Ints, repeats: Amounts | None = None
) -> tuple[Amounts, Floats]:
    """Turn numbers into amounts; returns these and the unit of each node, (m,), a power of two.

    `repeats`, (m,), is the largest total weight of a sum of a node's rows; None: each row counts
    once.
    """
    largest = np.maximum.reduceat(np.abs(values), starts)
    largest_sum = largest * (sizes if repeats is None else repeats)
    return _amounts_by_largest_sum(values, sizes, largest_sum)


def _amounts_by_largest_sum(
    values: Floats, sizes: Ints, largest_sum: NDArray[Any]
) -> tuple[Amounts, Floats]:
    """Turn numbers into amounts, with the unit of each node, by its largest possible sum, (m,)."""
    unit = np.ldexp(1.0, np.maximum(np.frexp(largest_sum)[1] - SUM_BITS, MIN_EXPONENT))
    return (values / unit.repeat(sizes)).astype(np.int64), unit


def amounts_from_both_ends(
    loss: Callable[[NDArray[Any], Amounts | None, Ints], Amounts],
    values: NDArray[Any],
    weights: Amounts | None,
    starts: Ints,
) -> Iterator[Amounts]:
    """Yield two statistics; on each side of a cut, the lesser of their sums is the loss.

    `loss` computes the loss of a segment's rows up to each entry, (N,). The first statistic is the
    increase of that loss from entry to entry; its sum over the left side of a cut is the loss of
    that side. The second statistic is the same from the end of the segment; its sum over the right
    side is the loss of the right side. Rows together lose no less than apart: on the other side of
    the cut the sum of a statistic is the loss or more.
    """
    n = len(values)
    starts = np.unique(starts[starts < n])  # a node none of whose rows has a value has no entry
    flipped_starts = (n - np.append(starts[1:], n))[::-1][: len(starts)]
    flipped_weights = None if weights is None else weights[::-1]
    yield _increases(loss(values, weights, starts), starts)
    yield _increases(loss(values[::-1], flipped_weights, flipped_starts), flipped_starts)[::-1]


def _increases(sums: Amounts, starts: Ints) -> Amounts:
    """Differences of running sums from entry to entry of each segment."""
    out = np.diff(sums, prepend=sums[:1] * 0)  # a zero of the same type
    out[starts] = sums[starts]
    return np.asarray(out)


def means(rows: NodeRows) -> Floats:
    """Mean of each node, (m,); where all its targets are equal, exactly that target."""
    low, rough, _, correction = _centre_targets(rows)
    return np.asarray(low + (rough + correction))


def variances(rows: NodeRows) -> Floats:
    """Variance of each node, (m,); exactly 0 where all its targets are equal."""
    _, _, residual, correction = _centre_targets(rows)
    return np.maximum(_mean(rows, np.square(residual)) - np.square(correction), 0.0)


def _centre_targets(rows: NodeRows) -> tuple[Floats, Floats, Floats, Floats]:
    """Subtract the mean of each node from its targets, in two rounds.

    Returns the lowest target of each node, (m,); the rough mean of the targets less the lowest,
    (m,); the targets less both, (N,); and the mean of these residuals, (m,), which corrects the
    rough mean.
    """
    # The lowest target goes first: no large number is left that could hide a difference.
    low = np.minimum.reduceat(rows.y, rows.starts)
    offset = rows.y - low.repeat(rows.sizes)
    rough = _mean(rows, offset)
    residual = offset - rough.repeat(rows.sizes)
    return low, rough, residual, _mean(rows, residual)


def _mean(rows: NodeRows, values: Floats) -> Floats:
    return np.asarray(np.add.reduceat(rows.multiply_by_weight(values), rows.starts) / rows.weight)


def _class_amounts(
    codes: NDArray[Any], classes: int, weights: Amounts | None, _starts: Ints
) -> Iterator[Amounts]:
    for k in range(classes - 1):
        yield codes == k if weights is None else weights * (codes == k)


def _targets_about_mean(rows: NodeRows) -> ScaledTargets:
    """Targets less the mean of their node, times their weights."""
    weight = rows.weight
    mean = np.add.reduceat(rows.multiply_by_weight(rows.y), rows.starts) / weight
    centred = rows.y - mean.repeat(rows.sizes)
    weighted = rows.multiply_by_weight(centred)
    variance = np.add.reduceat(weighted * centred, rows.starts) / weight
    if rows.weights is not None:
        return ScaledTargets(*to_amounts(weighted, rows.starts, rows.sizes), variance)
    # By Cauchy-Schwarz no sum is larger. With weights one heavy row could make this bound far too
    # large, and the amounts too coarse.
    largest_sum = weight * np.sqrt(variance)
    return ScaledTargets(*_amounts_by_largest_sum(weighted, rows.sizes, largest_sum), variance)


def _targets_as_shares_of_mean(rows: NodeRows) -> ScaledTargets:
    """Targets less the mean of their node, as shares of that mean, times their weights."""
    mean, shares = _mean_and_shares(rows)
    values, unit = to_amounts(rows.multiply_by_weight(shares), rows.starts, rows.sizes)
    return ScaledTargets(values, unit, deviances(rows), mean)


def shares_of_mean(difference: Floats, mean: Floats) -> Floats:
    """Differences from a mean as shares of that mean; 0 where the mean is 0."""
    return np.divide(difference, mean, out=np.zeros(len(difference)), where=mean > 0)


def excess(share: Floats) -> Floats:
    """(1 + s) ln(1 + s) - s of each share s; one below -1 counts as -1.

    Times a mean it is y ln(y / mean) - (y - mean), where y = mean (1 + s).
    """
    s = np.maximum(share, -1.0)
    # The power series: the sum of (-1)^k s^k / (k (k - 1)) from k = 2 on.
    powers = np.zeros(np.shape(s))
    for k in range(12, 1, -1):
        powers = s * ((-1) ** k / (k * (k - 1)) + powers)
    series = s * powers
    closed = np.multiply(1 + s, np.log1p(s, where=s > -1, out=np.zeros(np.shape(s)))) - s
    # For a small share the terms of the closed form cancel: rounding alone would be left.
    return np.asarray(np.where(np.abs(s) < 0.05, series, closed))


def deviances(rows: NodeRows) -> Floats:
    """Half the Poisson deviance of each node, (m,): the mean of y ln(y / mean)."""
    mean, shares = _mean_and_shares(rows)
    return np.asarray(mean * _mean(rows, excess(shares)))


def _mean_and_shares(rows: NodeRows) -> tuple[Floats, Floats]:
    """Mean of each node, (m,), and the rows' differences from it as shares of it, (N,)."""
    mean = means(rows)
    row_mean = mean.repeat(rows.sizes)
    return mean, shares_of_mean(rows.y - row_mean, row_mean)


def _values_as_amounts(
    values: Amounts, _classes: int, _weights: Amounts | None, _starts: Ints
) -> Iterator[Amounts]:
    yield values


COUNTS = Statistics(None, _class_amounts, has_remainder=True)
"""Number or weight of the rows of each class."""
TOTAL = Statistics(_targets_about_mean, _values_as_amounts)
"""Sum of the targets less the mean of their node."""
RELATIVE = Statistics(_targets_as_shares_of_mean, _values_as_amounts)
"""Sum of the targets less the mean of their node, as shares of that mean."""


def distances_from_median(
    values: NDArray[Any], weights: Amounts | None, starts: Ints
) -> NDArray[Any]:
    """Sum of weight |value - median| over the rows of a segment up to each entry, (N,).

    The method is a wavelet matrix: the bits of the ranks of the values, the highest bit first, lead
    each entry to its median in log2 N rounds. A round sorts the rows stably by one bit.
    """
    n = len(values)
    weight = np.ones(n, np.int64) if weights is None else weights
    sizes = np.diff(starts, append=n)
    first, right = starts.repeat(sizes), np.arange(1, n + 1)
    total_weight, total = (
        _sums_between(weight, first, right),
        _sums_between(weight * values, first, right),
    )
    weight_below, sum_below = np.zeros_like(total_weight), np.zeros_like(total)
    left, rank = first, _ranks(values, starts, sizes)
    for bit in range(int(sizes.max(initial=1) - 1).bit_length() - 1, -1, -1):
        low = (rank >> bit) & 1 == 0
        n_low = _running_sums(low.astype(int))
        low_weight = _sums_between(weight * low, left, right)
        is_high = 2 * (weight_below + low_weight) < total_weight  # the median has this bit
        weight_below += low_weight * is_high
        sum_below += _sums_between(weight * values * low, left, right) * is_high
        left, right = (
            np.where(is_high, n_low[-1] + end - n_low.take(end), n_low.take(end))
            for end in (left, right)
        )
        order = np.concatenate([np.flatnonzero(low), np.flatnonzero(~low)])
        rank, values, weight = (array.take(order) for array in (rank, values, weight))
    median, median_weight = values.take(left), weight.take(left)
    weight_above = total_weight - weight_below - median_weight
    sum_above = total - sum_below - median * median_weight
    return np.asarray(median * weight_below - sum_below + sum_above - median * weight_above)


def medians(rows: NodeRows) -> Floats:
    """Weighted median of each node, (m,); the mean of the two middle targets if there are two."""
    order, cumulated, weight = _sort_rows(rows)
    index = np.arange(len(order))
    firsts = (
        np.minimum.reduceat(np.where(reached, index, len(index)), rows.starts)
        for reached in (2 * cumulated >= weight, 2 * cumulated > weight)
    )
    low, high = (rows.y.take(order.take(first)) for first in firsts)
    return np.asarray(low + (high - low) / 2)


def deviations(rows: NodeRows) -> Floats:
    """Mean distance of each node's targets from their median, (m,)."""
    distance = np.abs(rows.y - medians(rows).repeat(rows.sizes))
    return np.asarray(np.add.reduceat(rows.multiply_by_weight(distance), rows.starts) / rows.weight)


def running_deviation(y: Floats, weights: Amounts | None = None) -> Floats:
    """Mean distance of the targets y[:1], y[:2], ..., y[:n] from the median of each group, (n,)."""
    if not len(y):
        return np.zeros(0)
    size, start = np.array([len(y)]), np.zeros(1, int)
    amounts, unit = to_amounts(y - y.mean(), start, size)
    total_weight = np.arange(1, len(y) + 1) if weights is None else np.cumsum(weights)
    values = amounts if weights is None else amounts * unit
    distance = distances_from_median(values, weights, start)
    return np.asarray(np.maximum(distance * (unit if weights is None else 1.0) / total_weight, 0.0))


def _sort_rows(rows: NodeRows) -> tuple[Ints, NDArray[Any], NDArray[Any]]:
    """Sort the rows of each node by target.

    Returns their order, (N,), the weight of each row with those before it in its node, (N,), and
    the weight of its node, (N,).
    """
    order = np.lexsort((rows.y, np.arange(len(rows.sizes)).repeat(rows.sizes)))
    weight = np.ones(len(order), int) if rows.weights is None else rows.weights.take(order)
    before = _running_sums(weight).take(rows.starts).repeat(rows.sizes)
    return order, _running_sums(weight)[1:] - before, rows.weight.repeat(rows.sizes)


def _ranks(values: NDArray[Any], starts: Ints, sizes: Ints) -> Ints:
    """Rank of each value in its segment, 0 the lowest, (N,); equal values keep their order."""
    order = np.lexsort((values, np.arange(len(starts)).repeat(sizes)))
    out = np.empty(len(values), int)
    out[order] = np.arange(len(values)) - starts.repeat(sizes)
    return out


def _running_sums(values: NDArray[Any]) -> NDArray[Any]:
    """Sums of the first 0, 1, ..., n values, (n + 1,)."""
    return np.concatenate([np.zeros(1, values.dtype), values.cumsum()])


def _sums_between(values: NDArray[Any], first: Ints, last: Ints) -> NDArray[Any]:
    """Sum of values[first:last] for each pair of bounds."""
    running = _running_sums(values)
    return np.asarray(running.take(last) - running.take(first))


def _unweighted_targets_about_mean(rows: NodeRows) -> ScaledTargets:
    """Targets less the mean of their node; `distances_from_median` applies the weights later."""
    mean = means(rows).repeat(rows.sizes)
    if rows.weights is not None and rows.weights.dtype.kind == "f":
        # Products of amounts with such weights would not fit into 62 bits: targets stay floats, and
        # the weights become amounts.
        unit = to_amounts(rows.weights, rows.starts, rows.sizes)[1]
        return ScaledTargets(rows.y - mean, unit, deviations(rows))
    values, unit = to_amounts(rows.y - mean, rows.starts, rows.sizes, rows.weight)
    return ScaledTargets(values, unit, deviations(rows))


def _distance_amounts(
    values: Amounts, _classes: int, weights: Amounts | None, starts: Ints
) -> Iterator[Amounts]:
    return amounts_from_both_ends(distances_from_median, values, weights, starts)


DISTANCES = Statistics(
    _unweighted_targets_about_mean, _distance_amounts, category_key=CategoryKey("medians", medians)
)
"""Sum of the distances of the targets from the median of their side."""
