"""The levels of a growth, kept as columns, and the tree that they make.

A tree of many nodes is many small objects, which take long to make. So all but the splits, which
the log names, are made of these columns when they are first read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from dtviz.engine.frontier import Bools, Frontier, Ints
from dtviz.engine.late import Late
from dtviz.engine.leaves import Facts
from dtviz.engine.search import Best
from dtviz.engine.splits import Projection, Split
from dtviz.engine.tree import Node, Tree, make_nodes
from dtviz.table.data import Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The nodes `parents` that were split together, and their children.

    `top` has the best cut of each node that was searched; `chosen` says which of those were split.
    `known` are the facts of the children, `below` their rows in one ordering.
    """

    parents: Sequence[int]
    top: Best
    chosen: Bools
    children: Sequence[int]
    known: Facts
    below: Frontier


def grown_by(data: Dataset, projections: Sequence[Projection], tree: Tree, by: list[Level]) -> Tree:
    """The tree after these levels; `data` and `projections` are those they were searched by."""
    return replace(
        tree,
        nodes=Late(partial(_nodes, data, tree, by)),
        splits=_splits(projections, tree, by),
        gaps=Late(partial(_gaps, tree, by)),
        rows=Late(partial(_rows, tree, by)),
    )


def gains_of(levels: Sequence[Level]) -> dict[int, float]:
    """The gain of each split."""
    out: dict[int, float] = {}
    for level in levels:
        out.update(zip(level.parents, level.top.gain[level.chosen].tolist(), strict=True))
    return out


def _nodes(data: Dataset, tree: Tree, levels: Sequence[Level]) -> dict[int, Node]:
    out = dict(tree.nodes)
    for level in levels:
        ids, model = level.children, tree.leaf_model
        out.update(zip(ids, make_nodes(data, level.below, ids, level.known, model), strict=True))
    return out


def _splits(
    projections: Sequence[Projection], tree: Tree, levels: Sequence[Level]
) -> dict[int, Split]:
    out = dict(tree.splits)
    for level in levels:
        lines = map(projections.__getitem__, level.top.line[level.chosen].tolist())
        limits = level.top.threshold[level.chosen].tolist()
        out.update(zip(level.parents, map(Split, lines, limits), strict=True))
    return out


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
        rows, below = level.below.rows[0], level.below
        rows.setflags(write=False)
        for child, first, size in zip(
            level.children, below.starts.tolist(), below.sizes.tolist(), strict=True
        ):
            if child not in split:
                out[child] = rows[first : first + size]
    return out
