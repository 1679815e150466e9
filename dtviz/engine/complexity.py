"""What growing a tree costs, counted in looks: exact numbers from the sizes of its split nodes.

Glossary
    look      at one value of one row: to compare it with a threshold, to put it in its place while
              sorting, to add its row to the left side, or to send its row to a child
    way       to search the same tree: naive, sorting at each node, presorted, or level-wise
    run       split nodes of low, low + 1, ..., high rows, so many of each size
    shape     of a tree: its rows, its levels of splits, and the runs of its split nodes

The values of each feature are all different, as in the worst case, and sorting is by merging: each
merge puts each of its rows in place once. Source: theory.md, Cost [F].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dtviz.engine.tree import Tree, depth

Run = tuple[int, int, int]
"""(low, high, many)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a tree its cost depends on."""

    n: int
    levels: int
    runs: tuple[Run, ...]

    @property
    def rows(self) -> int:
        """The rows of all split nodes together."""
        return sum(many * (_up_to(high) - _up_to(low - 1)) for low, high, many in self.runs)

    @property
    def pairs(self) -> int:
        """The sum of s (s - 1) over all split nodes of s rows."""
        return sum(
            many * (_pairs_up_to(high) - _pairs_up_to(low - 1)) for low, high, many in self.runs
        )

    @property
    def merged(self) -> int:
        """The looks of sorting the rows of each split node once."""
        return sum(
            many * (_sorts_up_to(high) - _sorts_up_to(low - 1)) for low, high, many in self.runs
        )


@dataclass(frozen=True, slots=True)
class Way:
    """A way to search: its looks at a shape with M features, and the same as LaTeX by node."""

    name: str
    formula: str
    looks: Callable[[Shape, int], int]


WAYS = (
    Way(
        "naive",
        r"each cut looks at all rows: $M s (s - 1) + s$ a node",
        lambda shape, m: m * shape.pairs + shape.rows,
    ),
    Way(
        "sorted at each node",
        r"sort, then one pass: $M (S(s) + s) + s$ a node",
        lambda shape, m: m * (shape.merged + shape.rows) + shape.rows,
    ),
    Way(
        "presorted",
        r"sort once, part every order: $M \, S(n)$, and $2 M s$ a node",
        lambda shape, m: m * sort_looks(shape.n) + 2 * m * shape.rows,
    ),
    Way(
        "level-wise",
        r"sort once, one pass over all rows a level: $M \, S(n)$, and $(M + 1) n$ a level",
        lambda shape, m: m * sort_looks(shape.n) + (m + 1) * shape.n * shape.levels,
    ),
)
"""The ways to search, the slowest first; s are the rows of a node, S(s) the looks of sorting."""


def shape_of(tree: Tree) -> Shape:
    """The shape of a tree."""
    sizes = Counter(tree.nodes[node].n for node in tree.splits)
    levels = max((depth(node) + 1 for node in tree.splits), default=0)
    return Shape(tree.nodes[1].n, levels, tuple((s, s, many) for s, many in sizes.items()))


def balanced(n: int) -> Shape:
    """The shape of a tree that halves n rows down to single ones."""
    runs, levels = [], 0
    nodes = {n: 1}
    while max(nodes, default=0) > 1:
        below: Counter[int] = Counter()
        for s, many in nodes.items():
            if s > 1:
                runs.append((s, s, many))
                below[s // 2] += many
                below[s - s // 2] += many
        nodes, levels = dict(below), levels + 1
    return Shape(n, levels, tuple(runs))


def chain(n: int) -> Shape:
    """The shape of a tree that parts one row at a time from n rows, down to single ones."""
    return Shape(n, max(n - 1, 0), ((2, n, 1),) if n > 1 else ())


def sort_looks(s: int) -> int:
    """The looks of sorting s rows by merging, S(s): s floor(log2 s) + 2 (s - 2^floor(log2 s))."""
    if s < 2:
        return 0
    whole = s.bit_length() - 1
    return s * whole + 2 * (s - (1 << whole))


def _up_to(s: int) -> int:
    """1 + 2 + ... + s."""
    return s * (s + 1) // 2


def _pairs_up_to(s: int) -> int:
    """The sum of k (k - 1) for k = 1, ..., s."""
    return (s - 1) * s * (s + 1) // 3


def _sorts_up_to(s: int) -> int:
    """The sum of S(k) for k = 1, ..., s."""
    return sum(
        (whole + 2) * (_up_to(last) - _up_to(first - 1)) - 2 * first * (last - first + 1)
        for whole, first, last in _octaves(s)
    )


def _octaves(s: int) -> Iterator[tuple[int, int, int]]:
    """(k, 2^k, the last below 2^(k + 1)) for the numbers from 1 to s."""
    for whole in range(s.bit_length()):
        yield whole, 1 << whole, min((2 << whole) - 1, s)
