"""What is added up over the rows of a group: class counts, or numbers told from their node's mean.

Glossary
    amount     what one row adds to a sum: a whole number, so that sums are exact in any order and
               no node of a frontier disturbs its neighbour's
    unit       what an amount of 1 is worth in each node, where that is not 1
    scale      what rounding is measured against in each node: 1 for shares, the variance for
               numbers
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints

Amounts = NDArray[Any]

BITS = 62
"""A sum of amounts is at most 2^62 but for rounding, whatever it sums up of one node."""
LEAST = -900
"""No unit is less than 2^-900: numbers as small have no square."""


class Rows(NamedTuple):
    """The targets of many nodes, one node after the other: node j owns starts[j] : + sizes[j].

    `weights` are those of the rows or their shares of the node, or None: each row counts 1. `at`
    says which rows of the table these are, where that matters.
    """

    y: NDArray[Any]
    weights: Amounts | None
    starts: Ints
    sizes: Ints
    at: Ints | None = None

    @property
    def weight(self) -> Amounts:
        """The weight of each node, (m,)."""
        if self.weights is None:
            return self.sizes
        return np.asarray(np.add.reduceat(self.weights, self.starts))

    def weighted(self, values: NDArray[Any]) -> NDArray[Any]:
        """A number of each row times its weight."""
        return values if self.weights is None else values * self.weights


class Told(NamedTuple):
    """What is kept of each row's target, (N,), with its unit and scale, (m,); None: all are 1.

    `worth` is what a spread of 1 is worth in each node, where that is not 1.
    """

    values: NDArray[Any]
    unit: Floats | None
    scale: Floats | None
    worth: Floats | None = None


class Order(NamedTuple):
    """What values of a category are ordered by: its name, and it of groups of rows, (g,)."""

    name: str
    of: Callable[[Rows], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """What a criterion sums up: `told` of the target, `each` of its statistics one by one.

    `told` is None where the target is taken as it stands, and rounding is that of shares. `each`
    takes what was told, the number of classes, the weights and where each segment starts, and gives
    amounts. `partition`: one statistic more is what the others leave of the weight. Where what a
    row adds depends on those before it in its segment, `ordered` says how categories are cut.
    """

    told: Callable[[Rows], Told] | None
    each: Callable[[NDArray[Any], int, Amounts | None, Ints], Iterator[Amounts]]
    partition: bool = False
    ordered: Order | None = None


def fixed(
    values: Floats, starts: Ints, sizes: Ints, whole: Amounts | None = None
) -> tuple[Amounts, Floats]:
    """Numbers as amounts of a unit of their node, and these units, (m,): powers of two.

    They are summed up as often as `whole` says of each node, (m,): each once by default.
    """
    top = np.maximum.reduceat(np.abs(values), starts) * (sizes if whole is None else whole)
    return _in_units(values, sizes, top)


def _in_units(values: Floats, sizes: Ints, most: NDArray[Any]) -> tuple[Amounts, Floats]:
    """Numbers as amounts and their units, where no sum of a node is more than `most`, (m,)."""
    unit = np.ldexp(1.0, np.maximum(np.frexp(most)[1] - BITS, LEAST))
    return (values / unit.repeat(sizes)).astype(np.int64), unit


def from_both_ends(
    lost: Callable[[NDArray[Any], Amounts | None, Ints], Amounts],
    values: NDArray[Any],
    weights: Amounts | None,
    starts: Ints,
) -> Iterator[Amounts]:
    """What each entry adds to what is lost of those before it, and of those behind it.

    `lost` gives what is lost of a segment up to each entry. Together no less is lost than apart:
    the first is right on the left of a cut and too large on its right, the second the other way
    round, so that the lesser of the two sums is that of the side.
    """
    n = len(values)
    starts = np.unique(starts[starts < n])  # a node none of whose rows has a value has no entry
    behind = (n - np.append(starts[1:], n))[::-1][: len(starts)]
    flipped = None if weights is None else weights[::-1]
    yield _steps(lost(values, weights, starts), starts)
    yield _steps(lost(values[::-1], flipped, behind), behind)[::-1]


def _steps(sums: Amounts, starts: Ints) -> Amounts:
    """What is added from entry to entry of each segment."""
    out = np.diff(sums, prepend=sums[:1] * 0)
    out[starts] = sums[starts]
    return np.asarray(out)


def means(rows: Rows) -> Floats:
    """The mean of each node, (m,); where all its targets are equal, that target."""
    low, rough, _, correction = _apart(rows)
    return np.asarray(low + (rough + correction))


def variances(rows: Rows) -> Floats:
    """The variance of each node, (m,); 0 where all its targets are equal."""
    _, _, rest, correction = _apart(rows)
    return np.maximum(_mean(rows, np.square(rest)) - np.square(correction), 0.0)


def _apart(rows: Rows) -> tuple[Floats, Floats, Floats, Floats]:
    """The least of each node's targets, their rough mean above it, how far each is apart from that
    mean, (N,), and the mean of these rests: nothing large is left that could hide a difference.
    """
    low = np.minimum.reduceat(rows.y, rows.starts)
    offset = rows.y - low.repeat(rows.sizes)
    rough = _mean(rows, offset)
    rest = offset - rough.repeat(rows.sizes)
    return low, rough, rest, _mean(rows, rest)


def _mean(rows: Rows, values: Floats) -> Floats:
    return np.asarray(np.add.reduceat(rows.weighted(values), rows.starts) / rows.weight)


def _one_hot(
    codes: NDArray[Any], classes: int, weights: Amounts | None, _starts: Ints
) -> Iterator[Amounts]:
    for k in range(classes - 1):
        yield codes == k if weights is None else weights * (codes == k)


def _from_the_mean(rows: Rows) -> Told:
    weight = rows.weight
    mean = np.add.reduceat(rows.weighted(rows.y), rows.starts) / weight
    apart = rows.y - mean.repeat(rows.sizes)
    part = rows.weighted(apart)
    variance = np.add.reduceat(part * apart, rows.starts) / weight
    if rows.weights is not None:  # one row may weigh so much that this bound is far too large
        return Told(*fixed(part, rows.starts, rows.sizes), variance)
    most = weight * np.sqrt(variance)  # by Cauchy-Schwarz no sum of them is more
    return Told(*_in_units(part, rows.sizes, most), variance)


def _beside_the_mean(rows: Rows) -> Told:
    mean, apart = _mean_and_shares(rows)
    values, unit = fixed(rows.weighted(apart), rows.starts, rows.sizes)
    return Told(values, unit, deviances(rows), mean)


def relative(apart: Floats, mean: Floats) -> Floats:
    """Distances from a mean as shares of it; 0 where that is 0."""
    return np.divide(apart, mean, out=np.zeros(len(apart)), where=mean > 0)


def excess(share: Floats) -> Floats:
    """(1 + s) ln(1 + s) - s, by its series where s is small: else only rounding is left of it."""
    at = np.maximum(share, -1.0)
    powers = np.zeros(np.shape(at))
    for k in range(12, 1, -1):
        powers = at * ((-1) ** k / (k * (k - 1)) + powers)
    series = at * powers
    whole = np.multiply(1 + at, np.log1p(at, where=at > -1, out=np.zeros(np.shape(at)))) - at
    return np.asarray(np.where(np.abs(at) < 0.05, series, whole))


def deviances(rows: Rows) -> Floats:
    """Half the Poisson deviance of each node, (m,): the mean of y ln(y / mean)."""
    mean, apart = _mean_and_shares(rows)
    return np.asarray(mean * _mean(rows, excess(apart)))


def _mean_and_shares(rows: Rows) -> tuple[Floats, Floats]:
    """The mean of each node, (m,), and how far its rows are from it, in shares of it, (n,)."""
    mean = means(rows)
    own = mean.repeat(rows.sizes)
    return mean, relative(rows.y - own, own)


def _as_told(
    values: Amounts, _classes: int, _weights: Amounts | None, _starts: Ints
) -> Iterator[Amounts]:
    yield values


COUNTS = Statistics(None, _one_hot, partition=True)
"""The rows of each class, or their weight."""
TOTAL = Statistics(_from_the_mean, _as_told)
"""The sum of the target, told from the mean of the node."""
RELATIVE = Statistics(_beside_the_mean, _as_told)
"""The sum of the target, told from the mean of the node as a share of it."""


def apart_from_median(values: NDArray[Any], weights: Amounts | None, starts: Ints) -> NDArray[Any]:
    """The sum of w |v - m| over a segment up to each entry, m their median: (N,), N values."""
    n = len(values)
    own = np.ones(n, np.int64) if weights is None else weights
    sizes = np.diff(starts, append=n)
    first, right = starts.repeat(sizes), np.arange(1, n + 1)
    whole, total = _sum_of(own, first, right), _sum_of(own * values, first, right)
    below, sum_below = np.zeros_like(whole), np.zeros_like(total)
    left, rank = first, _ranks(values, starts, sizes)
    for bit in range(int(sizes.max(initial=1) - 1).bit_length() - 1, -1, -1):
        low = (rank >> bit) & 1 == 0
        zeros = _running(low.astype(np.intp))
        lighter = _sum_of(own * low, left, right)
        up = 2 * (below + lighter) < whole
        below += lighter * up
        sum_below += _sum_of(own * values * low, left, right) * up
        left, right = (
            np.where(up, zeros[-1] + at - zeros.take(at), zeros.take(at)) for at in (left, right)
        )
        parted = np.concatenate([np.flatnonzero(low), np.flatnonzero(~low)])
        rank, values, own = (of.take(parted) for of in (rank, values, own))
    median, at_median = values.take(left), own.take(left)
    above = total - sum_below - median * at_median
    return np.asarray(median * below - sum_below + above - median * (whole - below - at_median))


def medians(rows: Rows) -> Floats:
    """The median of each node, (m,): the mean of the two in the middle where there are two."""
    order, cumulated, weight = _sorted(rows)
    at = np.arange(len(order))
    firsts = (
        np.minimum.reduceat(np.where(reached, at, len(at)), rows.starts)
        for reached in (2 * cumulated >= weight, 2 * cumulated > weight)
    )
    low, high = (rows.y.take(order.take(first)) for first in firsts)
    return np.asarray(low + (high - low) / 2)


def deviations(rows: Rows) -> Floats:
    """The mean distance of each node's targets from their median, (m,)."""
    off = np.abs(rows.y - medians(rows).repeat(rows.sizes))
    return np.asarray(np.add.reduceat(rows.weighted(off), rows.starts) / rows.weight)


def running_deviation(y: Floats, weights: Amounts | None = None) -> Floats:
    """The mean distance of y[:1], y[:2], ..., y[:n] from their medians, shape (n,)."""
    if not len(y):
        return np.zeros(0)
    one, start = np.array([len(y)]), np.zeros(1, np.intp)
    amounts, unit = fixed(y - y.mean(), start, one)
    whole = np.arange(1, len(y) + 1) if weights is None else np.cumsum(weights)
    values = amounts if weights is None else amounts * unit
    apart = apart_from_median(values, weights, start)
    return np.asarray(np.maximum(apart * (unit if weights is None else 1.0) / whole, 0.0))


def _sorted(rows: Rows) -> tuple[Ints, NDArray[Any], NDArray[Any]]:
    """The rows by node and target, the weight of each with those before it, and its node's."""
    order = np.lexsort((rows.y, np.arange(len(rows.sizes)).repeat(rows.sizes)))
    own = np.ones(len(order), np.intp) if rows.weights is None else rows.weights.take(order)
    before = _running(own).take(rows.starts).repeat(rows.sizes)
    return order, _running(own)[1:] - before, rows.weight.repeat(rows.sizes)


def _ranks(values: NDArray[Any], starts: Ints, sizes: Ints) -> Ints:
    """The place of each value in its sorted segment; equal ones in their order."""
    order = np.lexsort((values, np.arange(len(starts)).repeat(sizes)))
    out = np.empty(len(values), np.intp)
    out[order] = np.arange(len(values)) - starts.repeat(sizes)
    return out


def _running(values: NDArray[Any]) -> NDArray[Any]:
    """The sums of the first 0, 1, ..., n values."""
    return np.concatenate([np.zeros(1, values.dtype), values.cumsum()])


def _sum_of(values: NDArray[Any], first: Ints, last: Ints) -> NDArray[Any]:
    """The sums of values[first:last]."""
    running = _running(values)
    return np.asarray(running.take(last) - running.take(first))


def _told(rows: Rows) -> Told:
    mean = means(rows).repeat(rows.sizes)
    if rows.weights is not None and rows.weights.dtype.kind == "f":  # no room for their products
        unit = fixed(rows.weights, rows.starts, rows.sizes)[1]
        return Told(rows.y - mean, unit, deviations(rows))
    values, unit = fixed(rows.y - mean, rows.starts, rows.sizes, rows.weight)
    return Told(values, unit, deviations(rows))


def _from_both_ends(
    values: Amounts, _classes: int, weights: Amounts | None, starts: Ints
) -> Iterator[Amounts]:
    return from_both_ends(apart_from_median, values, weights, starts)


DISTANCES = Statistics(_told, _from_both_ends, ordered=Order("medians", medians))
"""The distances of the target from the median of each side."""
