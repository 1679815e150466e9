"""Histogram of a frontier: the statistics of each distinct value of each line and node.

A group is one (line, node, distinct value), an AVC set of the literature. It is also the answer to
`SELECT x, COUNT(*), SUM(y = 'A') ... GROUP BY x` for each line and node, in the order of x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.statistics import (
    Amounts,
    NodeRows,
    ScaledTargets,
    Statistics,
    to_amounts,
)
from dtviz.engine.search.frontier import Frontier, piece_lengths, starts_of, to_all_orderings

COUNT_DTYPE = np.int64
"""Type of row counts: they are multiplied, which needs 64 bits on every platform."""
MAX_EXACT_INTEGER = 2**53
"""Largest sum of whole weights that floats add exactly."""


class Entries(NamedTuple):
    """Targets and weights of the entries of all lines of a frontier, flat (L N,)."""

    values: NDArray[Any]
    """Prepared target of each entry."""
    weight: Amounts | None
    """Weight of each entry; None: each weighs 1."""
    n_classes: int
    """Number of classes; 0 for numbers."""
    statistics: Statistics
    """Statistics of the criterion."""
    order: Ints | None = None
    """Entries that are selected, in their order; None: all as they are."""

    def take(self, order: Ints) -> Entries:
        """Selects entries, in the given order."""
        return self._replace(order=order if self.order is None else self.order.take(order))

    def rows(self, sizes: Ints) -> NodeRows:
        """The entries as rows of groups of the given sizes."""
        order = np.arange(len(self.values)) if self.order is None else self.order
        weight = None if self.weight is None else self.weight.take(order)
        return NodeRows(self.values.take(order), weight, starts_of(sizes), sizes)

    def sums(self, sizes: Ints, groups_per_segment: Ints) -> Iterator[Amounts]:
        """Generates the statistics of groups of the given sizes, segment after segment."""
        rows = self.rows(sizes)
        starts = rows.starts.take(starts_of(groups_per_segment)[groups_per_segment > 0])
        for amounts in self.statistics.amounts(rows.y, self.n_classes, rows.weights, starts):
            yield np.add.reduceat(amounts, rows.starts)


class Histogram(NamedTuple):
    """Histogram of all lines and nodes of a frontier: groups ordered by line, node, value."""

    values: Floats
    """Value of each group, (g,)."""
    groups_per_segment: Ints
    """Number of groups of each line and node, (L, m)."""
    n: Amounts | None
    """Number of rows of each group, (g,); None: one row each."""
    sums: Callable[[], Iterator[Amounts]]
    """Generates the statistics, (g,) each, anew at each call. One of them is in memory at a time,
    since those of many classes would be large."""
    has_remainder: bool
    """True: what the statistics leave of the weight is one more statistic."""
    scale: Floats | None
    """Number that rounding is measured against in each node, (m,); None: 1."""
    node_weight: Amounts
    """Weight of the rows of each node, (m,)."""
    weight: Amounts | None = None
    """Weight of each group, (g,), in units; None: each row weighs 1."""
    unit: Floats | None = None
    """Number that a sum of 1 stands for in each node, (m,); None: 1."""
    weight_unit: Floats | None = None
    """Number that a weight of 1 stands for in each node, (m,); None: 1."""
    spread_unit: Floats | None = None
    """Number that a spread of 1 stands for in each node, (m,); None: 1."""
    categories: Bools | None = None
    """Mask of the segments of categories whose groups are in a category order, (L, m); None: no
    segment."""
    all_subsets_tried: Bools | None = None
    """Mask of the segments whose order was found by trying every subset, (L, m); None: no
    segment."""
    has_missing: Bools | None = None
    """Mask of the segments whose last group has missing values, (L, m); None: no segment."""
    known_share: Floats | None = None
    """Share of each segment's weight that its groups have, (L, m), where rows without a value were
    left out; None: all."""
    entries: Entries | None = None
    """Entries of the groups, in their order; None: not kept."""
    cut_groups: tuple[Ints, Ints] | None = None
    """Groups with a cut on their right, and the number of cuts of each segment; None: all groups
    but the last of each."""

    @property
    def sizes(self) -> Ints:
        """Number of rows of each group, (g,)."""
        return np.ones(len(self.values), COUNT_DTYPE) if self.n is None else np.asarray(self.n)

    def take(self, order: Ints, groups_per_segment: Ints) -> Histogram:
        """Selects groups, in the given order; `groups_per_segment`, (L, m), counts them."""

        def take(amounts: Amounts | None) -> Amounts | None:
            return None if amounts is None else amounts.take(order)

        sizes, entries = self.sizes, self.entries
        if entries is not None:
            entries = entries.take(ranges(starts_of(sizes).take(order), sizes.take(order)))

        def sums() -> Iterator[Amounts]:
            if entries is not None and entries.statistics.category_key:
                return entries.sums(sizes.take(order), groups_per_segment.ravel())
            return (amounts.take(order) for amounts in self.sums())

        return self._replace(
            values=self.values.take(order),
            groups_per_segment=groups_per_segment,
            n=take(self.n),
            weight=take(self.weight),
            sums=sums,
            entries=entries,
        )


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """Concatenates ranges of integers, from each start on, of the given sizes."""
    return np.asarray(np.arange(int(sizes.sum())) + (starts - starts_of(sizes)).repeat(sizes))


def histogram_of(data: Dataset, front: Frontier, statistics: Statistics) -> Histogram:
    """Computes the histogram of a frontier."""
    n_lines, width = front.rows.shape
    starts = (np.arange(n_lines)[:, None] * width + front.starts).ravel()
    x = values_of(data, front).ravel()
    is_first = _first_entry_mask(x, starts)
    missing = np.isnan(x) if any(data.gaps) else None
    if missing is not None:
        is_first[1:] |= missing[1:] > missing[:-1]
    first_entries = None if np.count_nonzero(is_first) == len(x) else is_first.nonzero()[0]
    weights = entry_weights(data, front)
    targets = targets_of(data, front, statistics, weights)
    weight = None if weights.amounts is None else to_all_orderings(front, weights.amounts)

    def grouped(amounts: Amounts) -> Amounts:
        if first_entries is None:
            return amounts
        dtype = COUNT_DTYPE if amounts.dtype == np.bool_ else amounts.dtype
        return np.asarray(np.add.reduceat(amounts, first_entries, dtype=dtype))

    if first_entries is None:
        values, groups_per_segment = x, front.sizes[None].repeat(n_lines, axis=0)
    else:
        values = x.take(first_entries)
        groups_per_segment = _groups_per_segment(first_entries, starts, n_lines)
    return Histogram(
        values=values,
        groups_per_segment=groups_per_segment,
        entries=Entries(targets.values, weight, len(data.classes), statistics),
        n=None if first_entries is None else piece_lengths(first_entries, len(x)),
        sums=lambda: map(
            grouped, statistics.amounts(targets.values, len(data.classes), weight, starts)
        ),
        has_remainder=statistics.has_remainder,
        scale=targets.scale,
        node_weight=weights.node_weight,
        weight=None if weight is None else grouped(weight),
        unit=targets.unit,
        weight_unit=weights.unit,
        spread_unit=targets.spread_unit,
        has_missing=None if missing is None else _missing_mask(values, groups_per_segment),
    )


def values_of(data: Dataset, front: Frontier) -> Floats:
    """Values of the entries of a frontier along their lines, (L, N), sorted in each segment."""
    lines = np.arange(len(front.rows))[:, None]
    line_ids = lines if front.lines is None else front.lines.repeat(front.sizes, axis=1)
    return data.columns.take(line_ids * data.n + front.rows)


def _missing_mask(values: Floats, groups_per_segment: Ints) -> Bools:
    """Mask of the segments whose last group has missing values, (L, m)."""
    last_group = groups_per_segment.ravel().cumsum() - 1
    return np.asarray(np.isnan(values.take(last_group)).reshape(groups_per_segment.shape))


def _groups_per_segment(first_entries: Ints, starts: Ints, n_lines: int) -> Ints:
    """Number of groups of each line and node, (L, m), from the first entry of each group."""
    return piece_lengths(first_entries.searchsorted(starts), len(first_entries)).reshape(
        n_lines, -1
    )


def targets_of(
    data: Dataset, front: Frontier, statistics: Statistics, weights: EntryWeights
) -> ScaledTargets:
    """Prepared targets of all entries, flat (L N,), from which the statistics are summed."""
    if statistics.scale_targets is None:
        return ScaledTargets(data.y.take(front.rows.ravel()), weights.unit, None)
    y = data.y.take(front.rows[0])
    rows = NodeRows(y, weights.shares, front.starts, front.sizes, front.rows[0])
    targets = statistics.scale_targets(rows)
    return ScaledTargets(
        to_all_orderings(front, targets.values), targets.unit, targets.scale, targets.spread_unit
    )


class EntryWeights(NamedTuple):
    """Weights of the rows of a frontier in its first ordering, (N,); None: each row weighs 1."""

    shares: NDArray[Any] | None
    """Weight of each row as a share of its node's, or the weights as they are where all are
    whole."""
    amounts: Amounts | None
    """The same weights in units."""
    unit: Floats | None
    """Number that an amount of 1 stands for in each node, (m,); None: 1."""
    node_weight: NDArray[Any]
    """Weight of each node, (m,)."""


def entry_weights(data: Dataset, front: Frontier) -> EntryWeights:
    """Weights of the rows and of the nodes of a frontier."""
    weights = weights_of(data, front)
    if weights is None:
        return unit_weights(front)
    node_weight = np.add.reduceat(weights, front.starts)
    if weights.dtype == np.int64:
        return EntryWeights(weights, weights, None, node_weight)
    shares = weights / node_weight.repeat(front.sizes)
    amounts, unit = to_amounts(shares, front.starts, front.sizes)
    # a very small share would round to 0, and a row of weight 0 would count nowhere
    return EntryWeights(shares, np.maximum(amounts, 1), unit, node_weight)


def unit_weights(front: Frontier) -> EntryWeights:
    """Weights of a frontier whose rows weigh 1 each."""
    return EntryWeights(None, None, None, front.sizes)


def weights_of(data: Dataset, front: Frontier) -> NDArray[Any] | None:
    """Weights of the rows of a frontier in its first ordering, (N,); None without weights.

    They are integers where all weights of the dataset are whole.
    """
    weights = _weights_of_table(data)
    return None if weights is None else weights.take(front.rows[0])


@lru_cache(maxsize=4)
def _weights_of_table(data: Dataset) -> NDArray[Any] | None:
    """Weights of all rows, (n,), as integers if all are whole; None without weights."""
    weights = data.weights
    if weights is None or weights.sum() > MAX_EXACT_INTEGER or (weights != np.floor(weights)).any():
        return weights
    return weights.astype(np.int64)


def _first_entry_mask(values: Floats, starts: Ints) -> NDArray[np.bool_]:
    """Mask of the entries that start a group: a larger value than before, or a new segment."""
    is_first = np.empty(values.size, np.bool_)
    np.less(values[:-1], values[1:], out=is_first[1:])
    is_first[starts] = True
    return is_first
