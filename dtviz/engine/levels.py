"""The levels of a growth, kept as columns, and the tree that they make.

A tree of many nodes is many small objects, which take long to make. So all but the splits, which
the log names, are made of these columns when they are first read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from dtviz.engine.criteria import Criterion
from dtviz.engine.frontier import Bools, Frontier, Ints, children, parted
from dtviz.engine.late import Late
from dtviz.engine.leaves import facts
from dtviz.engine.search import Best
from dtviz.engine.splits import LEFT, RIGHT, Projection, Split
from dtviz.engine.tree import Node, Tree, make_nodes
from dtviz.slices import pause
from dtviz.table.data import Dataset, locked


class Level(NamedTuple):
    """The nodes `parents` that were split together, and their children.

    `top` has the best cut of each node that was searched; `chosen` says which of those were split.
    `front` has one ordering of their rows, `left` says which of these go left, as `divide` does;
    `lost` says which of those that were searched send rows that lack the value left.
    """

    parents: Sequence[int]
    top: Best
    chosen: Bools
    front: Frontier
    left: Bools
    lost: Bools

    @property
    def children(self) -> list[int]:
        """The ids of the children, all left ones before all right ones."""
        return [2 * node for node in self.parents] + [2 * node + 1 for node in self.parents]

    @property
    def below(self) -> Frontier:
        """The rows of the children in one ordering."""
        return children(self.front, *parted(self.front, self.left), np.tile(self.chosen, 2))


def grown_by(
    data: Dataset,
    criterion: Criterion,
    projections: Sequence[Projection],
    tree: Tree,
    by: list[Level],
) -> Tree:
    """The tree after these levels, which were searched by these projections."""
    return replace(
        tree,
        nodes=Late(partial(_nodes, data, criterion, tree, by)),
        splits=Late(partial(_splits, projections, tree, by)),
        gaps=Late(partial(_gaps, tree, by)),
        rows=Late(partial(_rows, tree, by)),
    )


def gains_of(levels: Sequence[Level]) -> dict[int, float]:
    """The gain of each split."""
    out: dict[int, float] = {}
    for level in levels:
        out.update(zip(level.parents, level.top.gain[level.chosen].tolist(), strict=True))
    return out


def _nodes(
    data: Dataset, criterion: Criterion, tree: Tree, levels: Sequence[Level]
) -> dict[int, Node]:
    out = dict(tree.nodes)
    for level in levels:
        pause()
        ids, below = level.children, level.below
        known = facts(data, below, criterion)
        made = make_nodes(data, below, ids, known, tree.leaf_model)
        out.update(zip(ids, made, strict=True))
    return out


def _splits(
    projections: Sequence[Projection], tree: Tree, levels: Sequence[Level]
) -> dict[int, Split]:
    if not levels:
        return dict(tree.splits)
    parents = list(chain.from_iterable(level.parents for level in levels))
    columns = ((one.top.line, one.top.threshold, one.lost, one.chosen) for one in levels)
    *about, chosen = map(np.concatenate, zip(*columns, strict=True))
    lines, limits, lost = (column[chosen].tolist() for column in about)
    sides = map((RIGHT, LEFT).__getitem__, lost)
    cut = map(Split, map(projections.__getitem__, lines), limits, sides)
    new = dict(zip(parents, cut, strict=True))
    of_known = np.isinf(limits).any()
    for level in levels:
        if of_known or level.top.named or level.top.settled:
            places = np.flatnonzero(level.chosen).tolist()
            for at, node in zip(places, level.parents, strict=True):
                one = level.top.split(at, projections)._replace(missing=new[node].missing)
                new[node] = level.top.settled.get(at, one)
    return dict(tree.splits) | new


def _gaps(tree: Tree, levels: Sequence[Level]) -> dict[int, tuple[float, float]]:
    out = dict(tree.gaps)
    for level in levels:
        top, chosen = level.top, level.chosen
        gaps = zip(top.lower[chosen].tolist(), top.upper[chosen].tolist(), strict=True)
        out.update(zip(level.parents, gaps, strict=True))
    return out


def _rows(tree: Tree, levels: Sequence[Level]) -> dict[int, Ints]:
    split = {node for level in levels for node in level.parents}
    out = {leaf: rows for leaf, rows in tree.rows.items() if leaf not in split}
    for level in levels:
        below = level.below
        rows = locked(below.rows)[0]
        for child, first, size in zip(
            level.children, below.starts.tolist(), below.sizes.tolist(), strict=True
        ):
            if child not in split:
                out[child] = rows[first : first + size]
    return out
