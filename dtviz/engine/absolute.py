"""How far targets are from their median, for every prefix of many rows at once.

The k-th smallest of each prefix is found by halving the ranks: at every bit the entries are parted,
zeros first, in their order, so that the entries of a prefix whose ranks begin alike stay together
(a wavelet matrix: Claude, Navarro, Ordonez 2015). All prefixes of all segments go down together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Floats, Ints
from dtviz.engine.sums import Amounts, Order, Rows, Statistics, Told, fixed, from_both_ends, means


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
