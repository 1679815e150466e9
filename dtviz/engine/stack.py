"""The rows of many trees as one table, so that one frontier holds the nodes of all of them.

Glossary
    member   a tree on rows of its own: those of one table that it gives a weight
    stack    these rows, one member after the other; a row of the table stands in many of them
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Ints
from dtviz.engine.frontier import Frontier, starts_of
from dtviz.table.data import Dataset, take

BLOCK = 1 << 19
"""Cells of a stack, rows times lines, about: what is known of them stays close to the processor."""


class Stack(NamedTuple):
    """Rows of some members: `data` has their features, `table` the lines that are searched.

    Each member's rows are a node of `front`. `rows` are their numbers in the members' table, (N,).
    """

    data: Dataset
    table: Dataset
    front: Frontier
    rows: Ints


def member_data(
    data: Dataset, weights: NDArray[Any], targets: NDArray[Any] | None = None
) -> Dataset:
    """What a member stands on: the rows with a weight, (n,), times their own. Raises DataError.

    `targets`, (n,), stand in the place of the table's.
    """
    there = weights > 0
    own = replace(take(data, there), weights=_weights(data, weights)[there])
    return own if targets is None else replace(own, y=targets[there])


def stacked(
    data: Dataset,
    table: Dataset,
    orders: Ints,
    weights: NDArray[Any],
    targets: NDArray[Any] | None = None,
) -> Stack:
    """The stack of members by their weights, (B, n); `table` has the lines of `data` as columns.

    `orders`, (L, n), are the orders of the table's rows that the stack keeps. Each member may have
    `targets` of its own, (B, n).
    """
    there = weights > 0
    rows = np.flatnonzero(there) % data.n
    place = there.ravel().cumsum() - 1
    first = (np.arange(len(there)) * data.n)[:, None]
    lines = []
    for order in orders:
        at = (first + order).ravel()
        lines.append(place.take(at.compress(there.ravel().take(at))))
    sizes = there.sum(axis=1)
    front = Frontier(np.array(lines), starts_of(sizes), sizes, len(rows))
    own = _weights(data, weights)[there]
    y = data.y.take(rows) if targets is None else targets[there]
    both = (_taken(one, rows, y, own) for one in ((data,) if table is data else (data, table)))
    stack = tuple(both)
    return Stack(stack[0], stack[-1], front, rows)


def blocks(weights: NDArray[Any], lines: int = 1, most: int = BLOCK) -> Iterator[Ints]:
    """The numbers of members that are grown together: about `most` cells, one member at least.

    Each of their rows has so many lines.
    """
    behind = np.count_nonzero(weights, axis=1).cumsum()
    block = (behind - 1) * max(lines, 2) // most
    yield from np.split(np.arange(len(behind)), np.flatnonzero(np.diff(block)) + 1)


def _weights(data: Dataset, weights: NDArray[Any]) -> NDArray[np.float64]:
    own = np.asarray(weights, np.float64)
    return own if data.weights is None else own * data.weights


def _taken(data: Dataset, rows: Ints, y: NDArray[Any], weights: NDArray[np.float64]) -> Dataset:
    own = replace(data, validation=None, test=None, notes=())
    return replace(
        own,
        columns=own.columns.take(rows, axis=1),
        y=y,
        weights=None if (weights == 1).all() else weights,  # plain counts cost less
    )
