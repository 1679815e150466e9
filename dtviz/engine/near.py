"""The trees of depth 2 that are nearly as good as the best: how many, and how they differ.

Glossary
    decrease   what a tree lowers the impurity by, see exhaustive.py
    near       a tree whose decrease is at least 99 % of the best tree's
    kind       the features that a tree asks: at the root, on its left, on its right; LEAF where a
               side is not parted
    amount     what a child's cut adds to the decrease: more than nothing, or exactly 0 for a leaf

A tree is a root cut with any admissible cut that gains something on each side, or none there. Only
those root cuts are opened whose bound reaches the limit, see intervals.py. The pairs of cuts below
them are counted, not listed: of each kind the best tree alone is made.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.cuts import scan
from dtviz.engine.exhaustive import (
    BATCH,
    Levels,
    levels_of,
    opened,
    root_split,
    sides_of,
    work_of_one,
)
from dtviz.engine.frontier import along, restrict
from dtviz.engine.problem import Problem
from dtviz.engine.search import best
from dtviz.engine.splits import Split
from dtviz.engine.tree import Grow, Log

WITHIN = 0.01
"""The share of the best tree's decrease that a near tree may lack."""

MOST_KEPT = 9
MOST_KINDS = 20_000
LEAF = -1
Kind = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class NearTree:
    """The moves of the best tree of a kind, its decrease, and how many near trees are like it.

    `ends` are the first and the last of their root cuts, by threshold.
    """

    log: Log
    decrease: float
    alike: int
    ends: tuple[Split, Split]


@dataclass(frozen=True, slots=True)
class Near:
    """The best of each kind, at most MOST_KEPT and the best first; how many kinds, and trees."""

    trees: tuple[NearTree, ...]
    kinds: int
    many: int


@dataclass(slots=True)
class _Found:
    """Of one kind so far: the decrease of its best tree, the root cut of that, how many trees.

    `first` and `last` are root cuts too: those that any of the trees has.
    """

    decrease: float
    root: int
    many: int
    first: int
    last: int


def near_best(problem: Problem) -> Generator[float, None, Near]:
    """The trees of depth 2 that lower the impurity by at least 99 % of what the best does (lazy).

    It is a share of the decrease and not of the loss, since the best may leave no loss at all.
    Yields the share done, up to 1. Ties go to the fewest splits, then to the lowest root feature
    and threshold; the first tree is that of `best_of_depth_2`. No tree is near where none gains
    anything. Raises what that does, and ValueError where more than MOST_KINDS kinds are near.
    """
    levels = levels_of(problem)
    steps = opened(levels, WITHIN)
    while True:
        try:
            yield next(steps) / 2
        except StopIteration as last:
            decrease, _ = last.value
            break
    room = levels.roots.tolerance
    most = float(decrease.max(initial=0.0))
    limit = (1 - WITHIN) * most - room
    which = np.flatnonzero(decrease >= limit) if most > room else np.zeros(0, np.intp)
    kinds: dict[Kind, _Found] = {}
    size = max(BATCH // work_of_one(levels.data), 1)
    for first in range(0, len(which), size):
        batch = which[first : first + size]
        for root, left, right in _cuts_below(levels, batch):
            _count(kinds, levels, root, left, right, limit)
        yield (1 + (first + len(batch)) / len(which)) / 2
    if not len(which):
        yield 1.0
    ranked = _ranked(kinds, room)
    trees = (
        NearTree(
            log=_log(levels, kind, one),
            decrease=one.decrease,
            alike=one.many,
            ends=(root_split(levels, one.first), root_split(levels, one.last)),
        )
        for kind, one in ranked
    )
    return Near(tuple(trees), len(kinds), sum(one.many for one in kinds.values()))


Below = dict[int, Floats]
"""The amounts of a side's cuts by their line, ascending; at LEAF the one of no cut."""


def _cuts_below(levels: Levels, batch: Ints) -> Iterator[tuple[int, Below, Below]]:
    """Each root cut of the batch with the cuts of its left and of its right side."""
    cuts = scan(levels.data, sides_of(levels, batch), levels.criterion, levels.least, levels.policy)
    at = np.flatnonzero(cuts.admissible & (cuts.sides.gain > 0))
    node, line = cuts.node[at], cuts.lines_of(at)
    amount = cuts.sides.gain[at] * cuts.weight.take(node) / levels.data.weight
    order = np.lexsort((amount, line, node))
    node, line, amount = node[order], line[order], amount[order]
    starts = np.searchsorted(node, np.arange(2 * len(batch) + 1))

    def below(side: int) -> Below:
        own = slice(int(starts[side]), int(starts[side + 1]))
        lines, first = np.unique(line[own], return_index=True)
        parts = np.split(amount[own], first[1:])
        return {LEAF: np.zeros(1)} | dict(zip(lines.tolist(), parts, strict=False))

    for k, root in enumerate(batch.tolist()):
        yield root, below(k), below(len(batch) + k)


def _count(
    kinds: dict[Kind, _Found], levels: Levels, root: int, left: Below, right: Below, limit: float
) -> None:
    """Add the near trees of one root cut, by their kinds."""
    own, room = float(levels.roots.gain[root]), levels.roots.tolerance
    line = int(levels.roots.lines(np.array([root]))[0])
    names = [*left], [*right]
    tops = [np.array([side[one][-1] for one in side]) for side in (left, right)]
    for i, j in np.argwhere(tops[1] >= (limit - own - tops[0])[:, None]).tolist():
        one, other = names[0][i], names[1][j]
        some, reach = right[other], own + float(tops[0][i] + tops[1][j])
        found = kinds.setdefault((line, one, other), _Found(-np.inf, root, 0, root, root))
        found.last = root
        found.many += int((len(some) - some.searchsorted(limit - own - left[one])).sum())
        if reach > found.decrease + room:
            found.decrease, found.root = reach, root
    if len(kinds) > MOST_KINDS:
        raise ValueError(
            f"more than {MOST_KINDS:,} choices of features are within {WITHIN:.0%} of the best "
            "tree of depth 2; take fewer features"
        )


def _ranked(kinds: dict[Kind, _Found], room: float) -> list[tuple[Kind, _Found]]:
    """The best kinds, the best first; of equal ones those with the fewest splits, then roots."""
    falling = sorted(kinds.items(), key=lambda pair: -pair[1].decrease)
    size = np.array([one.decrease for _, one in falling])
    rank = np.cumsum(-np.diff(size, prepend=size[:1]) > room).tolist()

    def place(at: int) -> tuple[int, int, int, Kind]:
        kind, one = falling[at]
        return rank[at], -kind.count(LEAF), one.root, kind

    return [falling[at] for at in sorted(range(len(falling)), key=place)[:MOST_KEPT]]


def _log(levels: Levels, kind: Kind, found: _Found) -> Log:
    """The moves of the best tree of a kind."""
    sides = sides_of(levels, np.array([found.root]))
    moves = [Grow(1, root_split(levels, found.root))]
    for side, line in enumerate(kind[1:]):
        if line == LEAF:
            continue
        own = along(restrict(sides, np.arange(2) == side), np.array([[line]]))
        cuts = scan(levels.data, own, levels.criterion, levels.least, levels.policy)
        top = best(cuts, own)
        moves.append(Grow(2 + side, top.split(0, (levels.projections[line],))))
    return tuple(moves)
