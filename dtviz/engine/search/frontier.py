"""The nodes that are searched together, sorted once: a step has one of them, a level many.

Glossary
    frontier   for each line the rows of some nodes, sorted by it inside each node
    line       a projection that cuts stand along: one column of the data
    segment    the rows of one node on one line
    entry      one row in one node; a row may be an entry of many nodes, or of one several times
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import once
from dtviz.data.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Frontier:
    """The rows of m nodes: `rows` is (M, N); node j owns starts[j] : starts[j] + sizes[j].

    Where a row stands more than once, in two nodes or twice in one, `entries` (M, N) says which of
    its places each entry is: a number that occurs once in every ordering. Else it is None. `room`
    is more than any of these numbers, or rows, where there are several orderings. `lines`, (L, m),
    says along which line each segment stands, where that is not the k-th in the k-th row.
    """

    rows: Ints
    starts: Ints
    sizes: Ints
    room: int
    entries: Ints | None = None
    lines: Ints | None = None

    @once
    def owner(self) -> Ints:
        """The node of each entry of an ordering, (N,)."""
        return np.arange(len(self.sizes)).repeat(self.sizes)

    @property
    def ids(self) -> Ints:
        """What tells the entries of an ordering apart, (M, N): their row, where none is shared."""
        return self.rows if self.entries is None else self.entries


def frontier(data: Dataset, groups: Sequence[Ints]) -> Frontier:
    """The frontier of the nodes whose row numbers are `groups`, sorted once a feature.

    Groups may share rows and hold one more than once.
    """
    sizes = np.array([len(group) for group in groups], dtype=np.intp)
    rows = np.concatenate(groups) if len(groups) > 1 else groups[0]
    order = _sorted(data.columns.take(rows, axis=1), data)
    if len(groups) > 1:
        node = np.repeat(np.arange(len(groups)), sizes).astype(_small(len(groups)))
        by_node = np.argsort(node.take(order), axis=1, kind="stable")
        order = np.take_along_axis(order, by_node, axis=1)
    entries = order if _any_twice(rows, data.n) else None
    return Frontier(rows.take(order), starts_of(sizes), sizes, max(data.n, len(rows)), entries)


def _sorted(columns: Floats, data: Dataset) -> Ints:
    """The order of each line, missing values last."""
    if any(data.gaps) and not np.isinf(columns).any():  # numpy sorts numbers faster than NaN
        columns = np.where(np.isnan(columns), np.inf, columns)
    return np.argsort(columns, axis=1)


def unsorted(groups: Sequence[Ints]) -> Frontier:
    """The frontier of many nodes with one ordering, by no feature: enough to sum up their rows."""
    sizes = np.array([len(group) for group in groups], dtype=np.intp)
    return one_ordering(np.concatenate(groups), sizes)


def one_ordering(rows: Ints, sizes: Ints) -> Frontier:
    """The frontier of nodes of these sizes with one ordering: their rows, (N,), as they stand."""
    return Frontier(rows[None], starts_of(sizes), sizes, 0)


def root_frontier(data: Dataset) -> Frontier:
    """The frontier of the root alone: all rows."""
    order = _sorted(data.columns, data)
    return Frontier(order, np.zeros(1, np.intp), np.array([data.n], np.intp), data.n)


def parted(front: Frontier, left: Bools) -> tuple[Ints, Ints]:
    """The child that each entry of the first ordering goes to, (N,), and the sizes of all, (2 m,).

    Node j has the children j, on its left, and m + j.
    """
    child = np.multiply(~left, len(front.sizes))
    child += front.owner
    less = np.add.reduceat(left, front.starts, dtype=np.intp)
    return child, np.concatenate([less, front.sizes - less])


def children(front: Frontier, child: Ints, sizes: Ints, keep: Bools) -> Frontier:
    """The frontier of the children, all left ones before all right ones, each feature still sorted.

    `child` and `sizes` are as `parted` gives them; `keep`, (2 m,), says which go on.
    """
    sides = keep.astype(np.int8)
    sides[len(front.sizes) :] *= 2  # 1: into a left child that goes on, 2: into a right one
    side = everywhere(front, sides.take(child))
    goes, sizes = (side == 1, side == 2), sizes[keep]

    def kept(numbers: Ints) -> Ints:
        flat, many = numbers.ravel(), len(numbers)
        return np.concatenate([flat.compress(side).reshape(many, -1) for side in goes], axis=1)

    entries = None if front.entries is None else kept(front.entries)
    return Frontier(kept(front.rows), starts_of(sizes), sizes, front.room, entries)


def everywhere(front: Frontier, values: NDArray[Any]) -> NDArray[Any]:
    """What is known of each entry of the first ordering, (N,), told of every ordering: (M N,)."""
    if len(front.rows) == 1:
        return values
    by_id = np.empty(front.room, values.dtype)
    by_id[front.ids[0]] = values
    return by_id.take(front.ids.ravel())


def restrict(front: Frontier, going: Bools) -> Frontier:
    """The frontier of some of its nodes: `going` has shape (m,)."""
    inside = going.repeat(front.sizes).nonzero()[0]
    sizes = front.sizes[going]
    entries = None if front.entries is None else front.entries.take(inside, axis=1)
    lines = None if front.lines is None else front.lines[:, going]
    rows = front.rows.take(inside, axis=1)
    return Frontier(rows, starts_of(sizes), sizes, front.room, entries, lines)


def along(front: Frontier, lines: Ints) -> Frontier:
    """The same nodes by some of their lines: `lines`, (L, m), says by which."""
    width = front.rows.shape[1]
    at = (lines * width).repeat(front.sizes, axis=1) + np.arange(width)
    entries = None if front.entries is None else front.entries.ravel().take(at)
    rows = front.rows.ravel().take(at)
    return Frontier(rows, front.starts, front.sizes, front.room, entries, lines)


def first_feature(front: Frontier) -> Frontier:
    """The same nodes with one ordering only, a copy: whoever keeps it keeps no others alive."""
    entries = None if front.entries is None else front.entries[:1].copy()
    return Frontier(front.rows[:1].copy(), front.starts, front.sizes, front.room, entries)


def starts_of(sizes: Ints) -> Ints:
    """Where segments of these sizes begin."""
    return sizes.cumsum() - sizes


def lengths(starts: Ints, end: int) -> Ints:
    """How long pieces are that begin at these places, the last up to `end`."""
    out = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=out[:-1])
    out[-1:] = end - starts[-1:]
    return out


def _any_twice(rows: Ints, n: int) -> bool:
    """Whether a row number, each below n, occurs more than once."""
    seen = np.zeros(n, np.bool_)
    seen[rows] = True
    return bool(np.count_nonzero(seen) < len(rows))


def _small(count: int) -> np.dtype[Any]:
    """The smallest integer type for `count` labels: numpy sorts 16-bit keys in linear time."""
    return np.min_scalar_type(max(count - 1, 0))
