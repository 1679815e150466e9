"""The rows of many nodes summed up by value: all that a ranking of cuts needs to know of them.

A tally has one group a (line, node, distinct value). It is what `GROUP BY` answers too:
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
from dtviz.engine.criteria.statistics import Amounts, Rows, Statistics, Told, fixed
from dtviz.engine.search.frontier import Frontier, everywhere, lengths, starts_of

COUNT = np.intp
"""The type of row counts: that of indices, so that tables are looked up without a conversion."""
MOST_WHOLE = 2**53
"""Whole weights add up exactly to this."""


class Entries(NamedTuple):
    """The entries of a frontier's lines: what is told of each, and what it weighs, flat (L N,).

    `at` says which of them there are, and in which order; None: all as they stand.
    """

    values: NDArray[Any]
    weight: Amounts | None
    classes: int
    statistics: Statistics
    at: Ints | None = None

    def taken(self, order: Ints) -> Entries:
        """Some of these, in this order."""
        return self._replace(at=order if self.at is None else self.at.take(order))

    def rows(self, sizes: Ints) -> Rows:
        """These as rows of groups of these sizes."""
        at = np.arange(len(self.values)) if self.at is None else self.at
        weight = None if self.weight is None else self.weight.take(at)
        return Rows(self.values.take(at), weight, starts_of(sizes), sizes)

    def sums(self, sizes: Ints, groups: Ints) -> Iterator[Amounts]:
        """The statistics of groups of these sizes, so many of each segment."""
        rows = self.rows(sizes)
        starts = rows.starts.take(starts_of(groups)[groups > 0])
        for amounts in self.statistics.each(rows.y, self.classes, rows.weights, starts):
            yield np.add.reduceat(amounts, rows.starts)


class Tally(NamedTuple):
    """Groups ordered by line, node, value: `values` and `n`, their rows, have shape (g,).

    `n` is None where each group is one row. `per_segment` counts the groups of each line and node,
    (L, m). `sums` gives the statistics anew each time it is called, (g,) each, one after the other:
    many classes never stand in memory together; `partition` says that one more is what they leave
    of the weight. `weight` is None where each row weighs 1. `unit` and `weight_unit` are what a sum
    of 1 is worth in each node, `worth` what a spread of 1 is, `scale` what rounding is measured
    against there (None: 1), `node_weight` what its rows weigh: (m,). The segments in `categories`,
    (L, m), have their groups in an order of their own; None: none has. `in_full`, (L, m), says for
    which of them every subset was tried to find that order; None: for none. Rows without a value
    are the last group of their segment: `gaps`, (L, m), says which have one; None: none has. `part`
    is the share of each segment's weight that the groups have, (L, m), where some were left out.
    `entries` are what the groups hold, in their order; None: nothing more is known. `cut` are the
    numbers of those that a cut stands behind, and how many each segment has; None: all but the last
    of each.
    """

    values: Floats
    per_segment: Ints
    n: Amounts | None
    sums: Callable[[], Iterator[Amounts]]
    partition: bool
    scale: Floats | None
    node_weight: Amounts
    weight: Amounts | None = None
    unit: Floats | None = None
    weight_unit: Floats | None = None
    worth: Floats | None = None
    categories: Bools | None = None
    in_full: Bools | None = None
    gaps: Bools | None = None
    part: Floats | None = None
    entries: Entries | None = None
    cut: tuple[Ints, Ints] | None = None

    @property
    def sizes(self) -> Ints:
        """The rows of each group, (g,)."""
        return np.ones(len(self.values), COUNT) if self.n is None else np.asarray(self.n)

    def taken(self, order: Ints, per_segment: Ints) -> Tally:
        """The tally of some of its groups, in this order; `per_segment`, (L, m), counts them."""

        def of_groups(amounts: Amounts | None) -> Amounts | None:
            return None if amounts is None else amounts.take(order)

        sizes, entries = self.sizes, self.entries
        if entries is not None:
            entries = entries.taken(ranges(starts_of(sizes).take(order), sizes.take(order)))

        def sums() -> Iterator[Amounts]:
            if entries is not None and entries.statistics.ordered:
                return entries.sums(sizes.take(order), per_segment.ravel())
            return (amounts.take(order) for amounts in self.sums())

        return self._replace(
            values=self.values.take(order),
            per_segment=per_segment,
            n=of_groups(self.n),
            weight=of_groups(self.weight),
            sums=sums,
            entries=entries,
        )


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """The numbers from each start on, so many of each."""
    return np.asarray(np.arange(int(sizes.sum())) + (starts - starts_of(sizes)).repeat(sizes))


def tally(data: Dataset, front: Frontier, statistics: Statistics) -> Tally:
    """The rows of a frontier summed up by value."""
    lines, width = front.rows.shape
    starts = (np.arange(lines)[:, None] * width + front.starts).ravel()
    x = values_of(data, front).ravel()
    new = _begins(x, starts)
    missing = np.isnan(x) if any(data.gaps) else None
    if missing is not None:
        new[1:] |= missing[1:] > missing[:-1]
    first = None if np.count_nonzero(new) == len(x) else new.nonzero()[0]
    weights = weighed(data, front)
    told = told_of(data, front, statistics, weights)
    weight = None if weights.amounts is None else everywhere(front, weights.amounts)

    def grouped(amounts: Amounts) -> Amounts:
        if first is None:
            return amounts
        kind = COUNT if amounts.dtype == np.bool_ else amounts.dtype
        return np.asarray(np.add.reduceat(amounts, first, dtype=kind))

    if first is None:
        values, per_segment = x, front.sizes[None].repeat(lines, axis=0)
    else:
        values, per_segment = x.take(first), _many(first, starts, lines)
    return Tally(
        values=values,
        per_segment=per_segment,
        entries=Entries(told.values, weight, len(data.classes), statistics),
        n=None if first is None else lengths(first, len(x)),
        sums=lambda: map(grouped, statistics.each(told.values, len(data.classes), weight, starts)),
        partition=statistics.partition,
        scale=told.scale,
        node_weight=weights.of_node,
        weight=None if weight is None else grouped(weight),
        unit=told.unit,
        weight_unit=weights.unit,
        worth=told.worth,
        gaps=None if missing is None else _gaps(values, per_segment),
    )


def values_of(data: Dataset, front: Frontier) -> Floats:
    """The values of a frontier's entries along their lines, (L, N), sorted in each segment."""
    lines = np.arange(len(front.rows))[:, None]
    along = lines if front.lines is None else front.lines.repeat(front.sizes, axis=1)
    return data.columns.take(along * data.n + front.rows)


def _gaps(values: Floats, per_segment: Ints) -> Bools:
    """Which segments end with the group of the rows without a value, (L, m)."""
    last = per_segment.ravel().cumsum() - 1
    return np.asarray(np.isnan(values.take(last)).reshape(per_segment.shape))


def _many(first: Ints, starts: Ints, lines: int) -> Ints:
    """The number of groups of each line and node, (L, m), of groups that begin at `first`."""
    return lengths(first.searchsorted(starts), len(first)).reshape(lines, -1)


def told_of(data: Dataset, front: Frontier, statistics: Statistics, weights: Weights) -> Told:
    """What the statistics are summed of, flat (L N,)."""
    if statistics.told is None:
        return Told(data.y.take(front.rows.ravel()), weights.unit, None)
    y = data.y.take(front.rows[0])
    rows = Rows(y, weights.shares, front.starts, front.sizes, front.rows[0])
    told = statistics.told(rows)
    return Told(everywhere(front, told.values), told.unit, told.scale, told.worth)


class Weights(NamedTuple):
    """The weights of a frontier's rows, as its first ordering has them, (N,); None: each 1.

    `shares` are those of the node's weight, or the weights as they are where all are whole;
    `amounts` the same in units. `unit` and `of_node` have shape (m,).
    """

    shares: NDArray[Any] | None
    amounts: Amounts | None
    unit: Floats | None
    of_node: NDArray[Any]


def weighed(data: Dataset, front: Frontier) -> Weights:
    """The weights of the rows of a frontier, and of its nodes."""
    weights = weights_of(data, front)
    if weights is None:
        return unweighed(front)
    of_node = np.add.reduceat(weights, front.starts)
    if weights.dtype == np.int64:
        return Weights(weights, weights, None, of_node)
    shares = weights / of_node.repeat(front.sizes)
    amounts, unit = fixed(shares, front.starts, front.sizes)
    return Weights(shares, np.maximum(amounts, 1), unit, of_node)


def unweighed(front: Frontier) -> Weights:
    """Where each row weighs 1."""
    return Weights(None, None, None, front.sizes)


def weights_of(data: Dataset, front: Frontier) -> NDArray[Any] | None:
    """The weights of a frontier's rows, as its first ordering has them: integers if all are whole.

    None where rows have no weights.
    """
    found = _weights(data)
    return None if found is None else found.take(front.rows[0])


@lru_cache(maxsize=4)
def _weights(data: Dataset) -> NDArray[Any] | None:
    weights = data.weights
    if weights is None or weights.sum() > MOST_WHOLE or (weights != np.floor(weights)).any():
        return weights
    return weights.astype(np.int64)


def _begins(x: Floats, starts: Ints) -> NDArray[np.bool_]:
    """Whether a group begins at an entry: its value is larger, or its segment another."""
    new = np.empty(x.size, np.bool_)
    np.less(x[:-1], x[1:], out=new[1:])
    new[starts] = True
    return new
