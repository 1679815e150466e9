"""Frontier: the nodes that are searched together, their rows sorted once.

A step of growth searches one node, growth by levels all nodes of a level. A line is a projection
that cuts are searched along: one column of the data. A segment is the rows of one node on one line.
An entry is one row in one node; a row may be an entry of several nodes, or several times of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import lazy_property
from dtviz.data.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Frontier:
    """Rows of m nodes in M orderings; node j owns entries starts[j] : starts[j] + sizes[j]."""

    rows: Ints
    """Row id of each entry of each ordering, (M, N)."""
    starts: Ints
    """Position of the first entry of each node, (m,)."""
    sizes: Ints
    """Number of entries of each node, (m,)."""
    id_bound: int
    """Length of a table with an item for each row id or entry; 0 with one ordering, which needs no
    such table."""
    entries: Ints | None = None
    """Identity of each entry, (M, N), once in each ordering, where nodes share rows or a row occurs
    twice; None: the row id."""
    lines: Ints | None = None
    """Line of each segment, (L, m); None: line k in ordering k, for every node."""

    @lazy_property
    def owner(self) -> Ints:
        """Node of each entry of an ordering, (N,)."""
        return np.arange(len(self.sizes)).repeat(self.sizes)

    @property
    def ids(self) -> Ints:
        """Identity of each entry of each ordering, (M, N): its row, unless rows are shared."""
        return self.rows if self.entries is None else self.entries


def frontier(data: Dataset, groups: Sequence[Ints]) -> Frontier:
    """Frontier of the nodes with the given row ids, sorted once along each column.

    Groups may share rows and hold a row several times.
    """
    sizes = np.array([len(group) for group in groups], dtype=int)
    rows = np.concatenate(groups) if len(groups) > 1 else groups[0]
    orderings = _orderings_of(data.columns.take(rows, axis=1), data)
    if len(groups) > 1:
        # numpy sorts 16-bit keys in linear time
        node = np.arange(len(groups), dtype=np.min_scalar_type(len(groups))).repeat(sizes)
        by_node = np.argsort(node.take(orderings), axis=1, kind="stable")
        orderings = np.take_along_axis(orderings, by_node, axis=1)
    entries = orderings if np.bincount(rows).max(initial=0) > 1 else None
    return Frontier(rows.take(orderings), starts_of(sizes), sizes, max(data.n, len(rows)), entries)


def _orderings_of(columns: Floats, data: Dataset) -> Ints:
    """Order of the rows along each line, missing values last."""
    if any(data.gaps) and not np.isinf(columns).any():  # numpy sorts numbers faster than NaN
        columns = np.where(np.isnan(columns), np.inf, columns)
    return np.argsort(columns, axis=1)


def unsorted_frontier(groups: Sequence[Ints]) -> Frontier:
    """Frontier with one unsorted ordering: enough to sum over the rows of each node."""
    sizes = np.array([len(group) for group in groups], dtype=int)
    return one_ordering(np.concatenate(groups), sizes)


def one_ordering(rows: Ints, sizes: Ints) -> Frontier:
    """Frontier with one unsorted ordering: the row ids, (N,), in nodes of the given sizes."""
    return Frontier(rows[None], starts_of(sizes), sizes, 0)


def root_frontier(data: Dataset) -> Frontier:
    """Frontier of the root: all rows."""
    order = _orderings_of(data.columns, data)
    return Frontier(order, np.zeros(1, int), np.array([data.n], int), data.n)


def children_of_entries(front: Frontier, left: Bools) -> tuple[Ints, Ints]:
    """Child of each entry of the first ordering, (N,), and sizes of all children, (2 m,).

    Node j has the children j, on its left, and m + j, on its right.
    """
    child = np.multiply(~left, len(front.sizes))
    child += front.owner
    n_left = np.add.reduceat(left, front.starts, dtype=int)
    return child, np.concatenate([n_left, front.sizes - n_left])


def children(front: Frontier, child: Ints, sizes: Ints, kept_mask: Bools) -> Frontier:
    """Frontier of the children in a mask, all left ones before all right ones, each line sorted.

    `child`, (N,), is the child of each entry; `sizes` and `kept_mask`, (2 m,), cover all children.
    """
    kept_side = kept_mask.astype(np.int8)
    kept_side[len(front.sizes) :] *= 2  # 1: into a left child that is kept, 2: into a right one
    child_side = to_all_orderings(front, kept_side.take(child))
    side_masks, sizes = (child_side == 1, child_side == 2), sizes[kept_mask]

    def keep_entries(numbers: Ints) -> Ints:
        flat, m = numbers.ravel(), len(numbers)
        return np.concatenate([flat.compress(mask).reshape(m, -1) for mask in side_masks], axis=1)

    entries = None if front.entries is None else keep_entries(front.entries)
    return Frontier(keep_entries(front.rows), starts_of(sizes), sizes, front.id_bound, entries)


def to_all_orderings(front: Frontier, values: NDArray[Any]) -> NDArray[Any]:
    """Values of the entries of the first ordering, (N,), copied to every ordering, (M N,)."""
    if len(front.rows) == 1:
        return values
    by_id = np.empty(front.id_bound, values.dtype)
    by_id[front.ids[0]] = values
    return by_id.take(front.ids.ravel())


def keep_nodes(front: Frontier, kept_mask: Bools) -> Frontier:
    """Frontier of the nodes in a mask, (m,)."""
    positions = kept_mask.repeat(front.sizes).nonzero()[0]
    sizes = front.sizes[kept_mask]
    entries = None if front.entries is None else front.entries.take(positions, axis=1)
    lines = None if front.lines is None else front.lines[:, kept_mask]
    rows = front.rows.take(positions, axis=1)
    return Frontier(rows, starts_of(sizes), sizes, front.id_bound, entries, lines)


def choose_lines(front: Frontier, lines: Ints) -> Frontier:
    """Frontier of the same nodes with the lines chosen for each: `lines` has shape (L, m)."""
    width = front.rows.shape[1]
    positions = (lines * width).repeat(front.sizes, axis=1) + np.arange(width)
    entries = None if front.entries is None else front.entries.ravel().take(positions)
    rows = front.rows.ravel().take(positions)
    return Frontier(rows, front.starts, front.sizes, front.id_bound, entries, lines)


def keep_first_ordering(front: Frontier) -> Frontier:
    """Frontier of the same nodes with the first ordering alone.

    The ordering is a copy, so that keeping it does not keep the others in memory.
    """
    entries = None if front.entries is None else front.entries[:1].copy()
    return Frontier(front.rows[:1].copy(), front.starts, front.sizes, front.id_bound, entries)


def starts_of(sizes: Ints) -> Ints:
    """Position at which each of some consecutive pieces starts, by their sizes."""
    return sizes.cumsum() - sizes


def piece_lengths(starts: Ints, end: int) -> Ints:
    """Lengths of consecutive pieces that start at the given positions; the last stops at `end`."""
    out = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=out[:-1])
    out[-1:] = end - starts[-1:]
    return out
