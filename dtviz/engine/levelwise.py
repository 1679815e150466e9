"""Level-wise growth: the levels of splits as columns, and the tree made of them.

A tree of many nodes is many small objects, which take long to make. So the nodes, splits, rows and
ids are made of the columns on first access.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, compress
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Ints
from dtviz.base.lazy import LazyMapping, lazy_property
from dtviz.base.progress import pause
from dtviz.data.dataset import lock_array
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import BestCuts
from dtviz.engine.search.frontier import Frontier, children, children_of_entries, starts_of
from dtviz.engine.splits import LEFT, RIGHT, Projection, Split
from dtviz.engine.tree import Node, Tree, make_nodes


class GrownLevel(NamedTuple):
    """The m nodes that were searched together, k of which were split."""

    best: BestCuts  # best cut of each node
    split_mask: Bools  # nodes that were split, (m,)
    front: Frontier  # rows of the nodes in one ordering
    left_mask: Bools  # rows of `front` that go left, as `divide` gives them
    missing_left_mask: Bools  # nodes that send rows without a value left, (m,)
    open_mask: Bools  # children that the next level searches, (2 k,): all left ones come first

    @property
    def child_frontier(self) -> Frontier:
        """The rows of the children in one ordering."""
        return children(
            self.front,
            *children_of_entries(self.front, self.left_mask),
            np.tile(self.split_mask, 2),
        )


@dataclass(frozen=True, eq=False)
class Growth:
    """The levels by which a tree has grown."""

    start_ids: Sequence[int]  # nodes that the first level searched
    levels: Sequence[GrownLevel]  # from the start nodes down

    @lazy_property
    def parents_by_level(self) -> list[list[int]]:
        """Node ids that each level split."""
        out, ids = [], self.start_ids
        for level in self.levels:
            out.append(list(compress(ids, level.split_mask.tolist())))
            ids = list(compress(child_ids(out[-1]), level.open_mask.tolist()))
        return out

    @property
    def split_ids(self) -> list[int]:
        """Ids of all nodes that were split."""
        return list(chain.from_iterable(self.parents_by_level))

    def __iter__(self) -> Iterator[tuple[GrownLevel, list[int]]]:
        """Each level with the ids of the nodes that it split."""
        return zip(self.levels, self.parents_by_level, strict=True)


def child_ids(parents: Sequence[int]) -> list[int]:
    """Ids of the children, all left ones before all right ones."""
    return [2 * node for node in parents] + [2 * node + 1 for node in parents]


def grow_by_levels(problem: Problem, tree: Tree, growth: Growth) -> Tree:
    """The tree after the levels of a growth that started from it."""
    return replace(
        tree,
        nodes=LazyMapping(partial(_nodes, problem, tree, growth)),
        splits=LazyMapping(partial(_splits, problem.projections, tree, growth)),
        threshold_neighbours=LazyMapping(partial(_gaps, tree, growth)),
        rows=LazyMapping(partial(_rows, tree, growth)),
    )


def _nodes(problem: Problem, tree: Tree, growth: Growth) -> dict[int, Node]:
    out = dict(tree.nodes)
    for level, parents in growth:
        pause()
        ids, front = child_ids(parents), level.child_frontier
        node_facts = compute_facts(problem.data, front, problem.criterion)
        nodes = make_nodes(problem.data, front, ids, node_facts, tree.leaf_model)
        out.update(zip(ids, nodes, strict=True))
    return out


def _splits(projections: Sequence[Projection], tree: Tree, growth: Growth) -> dict[int, Split]:
    if not growth.levels:
        return dict(tree.splits)
    levels = growth.levels
    columns = ((x.best.line, x.best.threshold, x.missing_left_mask, x.split_mask) for x in levels)
    *arrays, split_mask = map(np.concatenate, zip(*columns, strict=True))
    projection_ids, thresholds, missing_left = (array[split_mask].tolist() for array in arrays)
    sides = map((RIGHT, LEFT).__getitem__, missing_left)
    splits = map(Split, map(projections.__getitem__, projection_ids), thresholds, sides)
    new = dict(zip(growth.split_ids, splits, strict=True))
    # some splits are not their projection and threshold alone: is-missing splits, subsets of a
    # category, splits with surrogates
    has_missing_splits = np.isinf(thresholds).any()
    for level, parents in growth:
        if has_missing_splits or level.best.named or level.best.fixed_splits:
            indices = np.flatnonzero(level.split_mask).tolist()
            for index, node in zip(indices, parents, strict=True):
                split = level.best.split(index, projections)._replace(missing=new[node].missing)
                new[node] = level.best.fixed_splits.get(index, split)
    return dict(tree.splits) | new


def _gaps(tree: Tree, growth: Growth) -> dict[int, tuple[float, float]]:
    out = dict(tree.threshold_neighbours)
    for level, parents in growth:
        best, split_mask = level.best, level.split_mask
        gaps = zip(best.lower[split_mask].tolist(), best.upper[split_mask].tolist(), strict=True)
        out.update(zip(parents, gaps, strict=True))
    return out


def _rows(tree: Tree, growth: Growth) -> dict[int, Ints]:
    split_ids = set(growth.split_ids)
    out = {leaf: rows for leaf, rows in tree.rows.items() if leaf not in split_ids}
    for level, parents in growth:
        front, ids = level.child_frontier, child_ids(parents)
        is_leaf = np.array([child not in split_ids for child in ids], np.bool_)
        # a copy of the rows of leaves alone: a view would keep those of the whole level
        rows = lock_array(front.rows[0].compress(is_leaf.repeat(front.sizes)))
        sizes = front.sizes[is_leaf]
        for child, first, size in zip(
            compress(ids, is_leaf.tolist()), starts_of(sizes).tolist(), sizes.tolist(), strict=True
        ):
            out[child] = rows[first : first + size]
    return out
