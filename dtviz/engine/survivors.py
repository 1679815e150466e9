"""What every root cut of an interval reaches at most, from the few cuts below that are left for it.

Between two opened root cuts a and b the left sides hold all rows left of a. A cut of theirs that
costs too much on these rows alone is part of no tree that matters, nor is one that costs too much
on the rows right of b. The few that survive are scored for all root cuts of the interval together.

Glossary
    base        the rows that all sides of the interval's cuts have: left of a, or right of b
    movers      the rows between a and b, in the order in which the sides take them up
    place       where a cut below parts the base along a line: behind so many of its rows
    survivor    a place that does not cost too much on the base
    table       the counts of both sides of each survivor after each number of movers
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.between import Span
from dtviz.engine.criteria import Spread
from dtviz.engine.frontier import Frontier
from dtviz.table.data import Dataset

CELLS = 250_000
"""The cells of one piece of a table: its counts take some 20 MB."""

MOST = 0.05
"""The share of all places that may survive: of more, it is faster to open the root cuts."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The sides of an interval's cuts: a base, (n,), `movers` in order, and how many each has."""

    base: Bools
    movers: Ints
    taken: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Survivors:
    """Places along one line: the values beside each, (S,), and the counts before it, (K, S)."""

    lower: Floats
    upper: Floats
    before: Ints
    whole: Ints
    line: Floats

    def __len__(self) -> int:
        return len(self.lower)


def costs_inside(
    data: Dataset, front: Frontier, spread: Spread, place: Ints, span: Span, most: Floats
) -> Floats | None:
    """What the sides of each root cut of a span leave at least: rows times impurity, (2, 2, cuts).

    First with a cut on the left and on the right, then as leaves. `front` is one node of all rows,
    `place`, (n,), the number of the first cut that has the row on its left, `most`, (2,), what the
    cuts below may leave of the left and of the right base. The targets are classes; no row lacks a
    value or has a weight. None where too many places survive.
    """
    first, end = span
    movers = np.flatnonzero((place >= first) & (place <= end))
    movers = movers[place[movers].argsort(kind="stable")]
    taken = place[movers].searchsorted(np.arange(first, end), side="right")
    left = Side(place < first, movers, taken)
    right = Side(place > end, movers[::-1], len(movers) - taken)
    both, left_over = (left, right), MOST * front.rows.size
    found = []
    for side, own in zip(both, most.tolist(), strict=True):
        found.append(survivors(data, front, spread, side, own))
        left_over -= sum(map(len, found[-1]))
        if left_over < 0:
            return None
    low = [least_costs(data, spread, *own) for own in zip(both, found, strict=True)]
    return np.array([low, [leaf_costs(data, spread, side) for side in both]])


def survivors(
    data: Dataset, front: Frontier, spread: Spread, side: Side, most: float
) -> list[Survivors]:
    """The places along each line that cost at most so much on the base: rows times impurity.

    `front` is one node of all rows. The targets are classes, no row lacks a value or has a weight.
    """
    out = []
    for column, order in zip(data.columns, front.rows, strict=True):
        rows = order[side.base[order]]
        values = np.concatenate([[-np.inf], column[rows], [np.inf]])
        at = np.flatnonzero(values[:-1] < values[1:])
        counts = np.zeros((len(data.classes), len(rows) + 1), np.intp)
        np.cumsum(data.y[rows] == _classes(data), axis=1, out=counts[:, 1:])
        whole = counts[:, -1:]
        before = counts[:, at]
        some = _cost(spread, before, whole - before) <= most
        at = at[some]
        out.append(Survivors(values[at], values[at + 1], before[:, some], whole, column))
    return out


def least_costs(data: Dataset, spread: Spread, side: Side, found: list[Survivors]) -> Floats:
    """What the best of these leaves at least on the side of each root cut: rows times impurity.

    Movers between the values beside a place are left out: they may go either way.
    """
    out = np.full(len(side.taken), np.inf)
    for one in found:
        for cost in _tables(data, spread, side, one):
            np.minimum(out, cost.min(axis=0), out=out)
    return out


def leaf_costs(data: Dataset, spread: Spread, side: Side) -> Floats:
    """What the side of each root cut costs without a cut: rows times impurity."""
    own = data.y[side.movers] == _classes(data)
    counts = np.zeros((len(own), len(side.movers) + 1), np.intp)
    np.cumsum(own, axis=1, out=counts[:, 1:])
    base = np.bincount(data.y[side.base], minlength=len(own))
    return _spread(spread, base[:, None] + counts[:, side.taken])


def _tables(data: Dataset, spread: Spread, side: Side, found: Survivors) -> Iterator[Floats]:
    """The costs of survivors on the sides of all cuts, (s, cuts), piece by piece."""
    values, own = found.line[side.movers], data.y[side.movers] == _classes(data)
    size = max(CELLS // max(len(values), 1), 1)
    for first in range(0, len(found), size):
        piece = slice(first, first + size)
        halves = []
        for goes, base in (
            (values <= found.lower[piece, None], found.before[:, piece]),
            (values >= found.upper[piece, None], found.whole - found.before[:, piece]),
        ):
            counts = np.zeros((len(own), len(goes), len(values) + 1), np.intp)
            np.cumsum(goes & own[:, None], axis=2, out=counts[..., 1:])
            halves.append(base[..., None] + counts[..., side.taken])
        yield _cost(spread, *halves)


def _classes(data: Dataset) -> Ints:
    return np.arange(len(data.classes))[:, None]


def _cost(spread: Spread, left: Ints, right: Ints) -> Floats:
    """What two groups leave together, from the counts of their classes, (K, ...)."""
    return _spread(spread, left) + _spread(spread, right)


def _spread(spread: Spread, counts: Ints) -> Floats:
    """The spread of groups; of an empty one 0."""
    flat = counts.reshape(len(counts), -1)
    n = flat.sum(axis=0)
    out = np.where(n > 0, spread(flat, np.maximum(n, 1)), 0.0)
    return np.asarray(out.reshape(counts.shape[1:]))
