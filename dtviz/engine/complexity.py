"""Complexity of growing a tree: the exact number of looks of four search methods.

A look is at one value of one row: to compare it with a threshold, to put it in its place while
sorting, to add its row to the left side, or to send its row to a child. The number follows from the
sizes of the split nodes. The values of each feature are all different, as in the worst case, and
sorting is by merging: each merge puts each of its rows in place once.

Source: Freiburg lecture on decision trees (2023), cost of growing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dtviz.engine.splits import is_later_part
from dtviz.engine.tree import Tree, height

SizeRange = tuple[int, int, int]
"""(low, high, count): there are `count` split nodes of each size from `low` to `high` rows."""


@dataclass(frozen=True, slots=True)
class SplitSizes:
    """The sizes of a tree that the number of looks depends on."""

    n_rows: int  # number of rows of the root
    n_levels: int  # number of levels that have splits
    size_ranges: tuple[SizeRange, ...]  # sizes of the split nodes

    @property
    def sum_of_sizes(self) -> int:
        """Sum of s over all split nodes of s rows."""
        return sum(
            count * (_up_to(high) - _up_to(low - 1)) for low, high, count in self.size_ranges
        )

    @property
    def sum_of_pairs(self) -> int:
        """Sum of s (s - 1) over all split nodes of s rows."""
        return sum(
            count * (_pairs_up_to(high) - _pairs_up_to(low - 1))
            for low, high, count in self.size_ranges
        )

    @property
    def sum_of_sort_looks(self) -> int:
        """Sum of S(s), the looks of sorting, over all split nodes of s rows."""
        return sum(
            count * (_sorts_up_to(high) - _sorts_up_to(low - 1))
            for low, high, count in self.size_ranges
        )


@dataclass(frozen=True, slots=True)
class SearchMethod:
    """A method to search the splits of a tree; all methods find the same tree."""

    name: str  # name as users read it
    formula: str  # what it does, with the looks as LaTeX
    looks: Callable[[SplitSizes, int], int]
    """Number of looks, from the sizes of a tree and M features."""


SEARCH_METHODS = (
    SearchMethod(
        "naive",
        r"each cut looks at all rows: $M s (s - 1) + s$ a node",
        lambda sizes, m: m * sizes.sum_of_pairs + sizes.sum_of_sizes,
    ),
    SearchMethod(
        "sorted at each node",
        r"sort, then one pass: $M (S(s) + s) + s$ a node",
        lambda sizes, m: m * (sizes.sum_of_sort_looks + sizes.sum_of_sizes) + sizes.sum_of_sizes,
    ),
    SearchMethod(
        "presorted",
        r"sort once, part every order: $M \, S(n)$, and $2 M s$ a node",
        lambda sizes, m: m * sort_looks(sizes.n_rows) + 2 * m * sizes.sum_of_sizes,
    ),
    SearchMethod(
        "level-wise",
        r"sort once, one pass over all rows a level: $M \, S(n)$, and $(M + 1) n$ a level",
        lambda sizes, m: m * sort_looks(sizes.n_rows) + (m + 1) * sizes.n_rows * sizes.n_levels,
    ),
)
"""Search methods, the slowest first; s are the rows of a node, S(s) the looks of sorting."""


def split_sizes(tree: Tree) -> SplitSizes:
    """The sizes of a tree."""
    cuts = (node for node, split in tree.splits.items() if not is_later_part(split))
    sizes = Counter(tree.nodes[node].n for node in cuts)
    return SplitSizes(
        tree.nodes[1].n, height(tree), tuple((s, s, count) for s, count in sizes.items())
    )


def halving_splits(n: int) -> SplitSizes:
    """The sizes of a tree that halves n rows down to single ones."""
    size_ranges, height = [], 0
    nodes = {n: 1}
    while max(nodes, default=0) > 1:
        children: Counter[int] = Counter()
        for s, count in nodes.items():
            if s > 1:
                size_ranges.append((s, s, count))
                children[s // 2] += count
                children[s - s // 2] += count
        nodes, height = dict(children), height + 1
    return SplitSizes(n, height, tuple(size_ranges))


def one_row_splits(n: int) -> SplitSizes:
    """The sizes of a tree that parts one row at a time from n rows, down to single ones."""
    return SplitSizes(n, max(n - 1, 0), ((2, n, 1),) if n > 1 else ())


def sort_looks(s: int) -> int:
    """Number of looks of sorting s rows by merging, S(s) = s k + 2 (s - 2^k), k = floor(log2 s)."""
    if s < 2:
        return 0
    exponent = s.bit_length() - 1
    return s * exponent + 2 * (s - (1 << exponent))


def _up_to(s: int) -> int:
    """1 + 2 + ... + s."""
    return s * (s + 1) // 2


def _pairs_up_to(s: int) -> int:
    """Sum of k (k - 1) for k = 1, ..., s."""
    return (s - 1) * s * (s + 1) // 3


def _sorts_up_to(s: int) -> int:
    """Sum of S(k) for k = 1, ..., s."""
    return sum(
        (exponent + 2) * (_up_to(last) - _up_to(first - 1)) - 2 * first * (last - first + 1)
        for exponent, first, last in _octaves(s)
    )


def _octaves(s: int) -> Iterator[tuple[int, int, int]]:
    """(k, 2^k, the last number below 2^(k + 1) that is at most s) for all k with 2^k <= s."""
    for exponent in range(s.bit_length()):
        yield exponent, 1 << exponent, min((2 << exponent) - 1, s)
