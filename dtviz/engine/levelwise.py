"""The levels of a growth, kept as columns, and the tree that they make.

A tree of many nodes is many small objects, which take long to make. So all, the ids of the nodes
too, are made of these columns when they are first read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, compress
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Ints
from dtviz.base.lazy import Late, once
from dtviz.base.progress import pause
from dtviz.data.dataset import locked
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import Best
from dtviz.engine.search.frontier import Frontier, children, parted, starts_of
from dtviz.engine.splits import LEFT, RIGHT, Projection, Split
from dtviz.engine.tree import Node, Tree, make_nodes


class Level(NamedTuple):
    """The nodes that were searched together, and the children of those that were split.

    `top` has the best cut of each; `chosen` says which were split, and `on` which of the children,
    all left ones before all right ones, are the nodes of the next level. `front` has one ordering
    of the rows, `left` says which of these go left, as `divide` does; `lost` says which of the
    nodes send rows that lack the value left.
    """

    top: Best
    chosen: Bools
    front: Frontier
    left: Bools
    lost: Bools
    on: Bools

    @property
    def below(self) -> Frontier:
        """The rows of the children in one ordering."""
        return children(self.front, *parted(self.front, self.left), np.tile(self.chosen, 2))


@dataclass(frozen=True, eq=False)
class Growth:
    """The levels by which a tree has grown; `ids` are the nodes that the first was searched in."""

    ids: Sequence[int]
    levels: Sequence[Level]

    @once
    def parents(self) -> list[list[int]]:
        """The nodes that each level split."""
        out, ids = [], self.ids
        for level in self.levels:
            out.append(list(compress(ids, level.chosen.tolist())))
            ids = list(compress(below(out[-1]), level.on.tolist()))
        return out

    @property
    def split(self) -> list[int]:
        """All nodes that were split."""
        return list(chain.from_iterable(self.parents))

    def __iter__(self) -> Iterator[tuple[Level, list[int]]]:
        """Each level with the nodes that it split."""
        return zip(self.levels, self.parents, strict=True)


def below(parents: Sequence[int]) -> list[int]:
    """The ids of the children, all left ones before all right ones."""
    return [2 * node for node in parents] + [2 * node + 1 for node in parents]


def grown_by(problem: Problem, tree: Tree, by: Growth) -> Tree:
    """The tree after these levels."""
    return replace(
        tree,
        nodes=Late(partial(_nodes, problem, tree, by)),
        splits=Late(partial(_splits, problem.projections, tree, by)),
        gaps=Late(partial(_gaps, tree, by)),
        rows=Late(partial(_rows, tree, by)),
    )


def _nodes(problem: Problem, tree: Tree, by: Growth) -> dict[int, Node]:
    out = dict(tree.nodes)
    for level, parents in by:
        pause()
        ids, front = below(parents), level.below
        known = facts(problem.data, front, problem.criterion)
        made = make_nodes(problem.data, front, ids, known, tree.leaf_model)
        out.update(zip(ids, made, strict=True))
    return out


def _splits(projections: Sequence[Projection], tree: Tree, by: Growth) -> dict[int, Split]:
    if not by.levels:
        return dict(tree.splits)
    columns = ((one.top.line, one.top.threshold, one.lost, one.chosen) for one in by.levels)
    *about, chosen = map(np.concatenate, zip(*columns, strict=True))
    lines, limits, lost = (column[chosen].tolist() for column in about)
    sides = map((RIGHT, LEFT).__getitem__, lost)
    cut = map(Split, map(projections.__getitem__, lines), limits, sides)
    new = dict(zip(by.split, cut, strict=True))
    of_known = np.isinf(limits).any()
    for level, parents in by:
        if of_known or level.top.named or level.top.settled:
            places = np.flatnonzero(level.chosen).tolist()
            for at, node in zip(places, parents, strict=True):
                one = level.top.split(at, projections)._replace(missing=new[node].missing)
                new[node] = level.top.settled.get(at, one)
    return dict(tree.splits) | new


def _gaps(tree: Tree, by: Growth) -> dict[int, tuple[float, float]]:
    out = dict(tree.gaps)
    for level, parents in by:
        top, chosen = level.top, level.chosen
        gaps = zip(top.lower[chosen].tolist(), top.upper[chosen].tolist(), strict=True)
        out.update(zip(parents, gaps, strict=True))
    return out


def _rows(tree: Tree, by: Growth) -> dict[int, Ints]:
    split = set(by.split)
    out = {leaf: rows for leaf, rows in tree.rows.items() if leaf not in split}
    for level, parents in by:
        front, ids = level.below, below(parents)
        ends = np.array([child not in split for child in ids], np.bool_)
        # a copy of the rows of leaves alone: a view would keep those of the whole level
        rows = locked(front.rows[0].compress(ends.repeat(front.sizes)))
        sizes = front.sizes[ends]
        for child, first, size in zip(
            compress(ids, ends.tolist()), starts_of(sizes).tolist(), sizes.tolist(), strict=True
        ):
            out[child] = rows[first : first + size]
    return out
