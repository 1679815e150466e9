"""The subtrees of one grown tree that keep its root: what stop rules and pruning choose from.

The criterion and what a cut must leave on each side decide which cut a node makes; every other
rule only decides where to stop. So one tree, grown under those alone, holds the tree of every
other setting.

Glossary
    whole      such a tree: grown until its leaves are pure or have no admissible cut
    place      the index of a node when ids ascend: a parent stands before its children, and
               siblings stand side by side
    stays      a mask over places, (m,): the splits that a subtree keeps
    end        a node that is a leaf of the subtree
    loss       what one row adds to the error: 1 for a wrong class, or what that costs;
               (y - prediction)^2 for a number
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.progress import pause
from dtviz.data.dataset import Dataset
from dtviz.data.weights import own_weights
from dtviz.engine.leaves.node_facts import Facts, facts
from dtviz.engine.levelwise import Growth, child_ids
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, counted
from dtviz.engine.search.frontier import one_ordering
from dtviz.engine.splits import Splits, goes_left, splits_of
from dtviz.engine.tree import Tree, class_shares, decrease, depth, gain, preorder


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The nodes of a tree as arrays (m,), by place; `levels` says where each depth begins.

    `left` is the place of the left child (the right one stands after it), -1 in a leaf; there
    `gain` is 0. `cut` says which of `splits` a node has. `share` is the majority class's, 1 for
    numbers.
    """

    tree: Tree
    ids: tuple[int, ...]
    levels: Ints
    parent: Ints
    left: Ints
    splits: Splits
    cut: Ints
    gain: Floats
    n: Ints
    weight: Floats
    params: Floats
    impurity: Floats
    share: Floats

    @property
    def depth(self) -> Ints:
        """The depth of each node."""
        return np.repeat(np.arange(len(self.levels) - 1), np.diff(self.levels))

    @property
    def value(self) -> Floats:
        """What each node predicts as a whole."""
        return np.asarray(self.params[:, 0])

    def predict(self, places: Ints, columns: Floats, rows: Ints) -> Floats:
        """What the nodes at these places predict of as many rows of the columns, (r,)."""
        return self.tree.leaf_model.predict(self.params.take(places, axis=0), columns, rows)

    @property
    def split(self) -> Bools:
        """Which nodes have a split."""
        return np.asarray(self.left >= 0)

    @property
    def risk(self) -> Floats:
        """The impurity of each node times its share of the weight of all rows."""
        return np.asarray(self.impurity * self.part)

    @property
    def decrease(self) -> Floats:
        """How much the split of each node lowers the risk."""
        return np.asarray(self.gain * self.part)

    @property
    def part(self) -> Floats:
        """The share of the weight of all rows that each node has."""
        return np.asarray(self.weight / self.weight[0])


def nodes_of(tree: Tree) -> Nodes:
    """The arrays of a tree."""
    ids = sorted(tree.nodes)
    place = {node: at for at, node in enumerate(ids)}
    known = [tree.nodes[node] for node in ids]
    size = len(ids)
    left, cut, gained = np.full(size, -1, np.intp), np.zeros(size, np.intp), np.zeros(size)
    for which, node in enumerate(tree.splits):
        at = place[node]
        left[at], cut[at] = place[2 * node], which
        gained[at] = gain(tree, node)
    depths = np.array([depth(node) for node in ids])
    return Nodes(
        tree=tree,
        ids=tuple(ids),
        levels=np.searchsorted(depths, np.arange(depths[-1] + 2)),
        parent=np.array([place[max(node // 2, 1)] for node in ids], np.intp),
        left=left,
        splits=splits_of(tree.splits.values()),
        cut=cut,
        gain=gained,
        n=np.array([one.n for one in known], np.intp),
        weight=np.array([one.weight for one in known], np.float64),
        params=np.array([one.params for one in known], np.float64),
        impurity=np.array([one.impurity for one in known], np.float64),
        share=np.array([max(class_shares(one), default=1.0) for one in known]),
    )


def grown_nodes(problem: Problem, tree: Tree, growth: Growth) -> Nodes:
    """The arrays of a tree that grew from its root by these levels, read off their columns."""
    data, criterion = problem.data, problem.criterion
    root = one_ordering(np.arange(data.n), np.array([data.n]))
    known, params = list[Facts](), list[Floats]()
    for front in chain(
        [root], (level.child_frontier for level in growth.levels)
    ):  # one at a time in memory
        pause()
        known.append(facts(data, front, criterion))
        params.append(tree.leaf_model.fit(data, front, known[-1]))
    starts = np.cumsum([0, *(len(one.n) for one in known)])
    size, places, splits = int(starts[-1]), [np.zeros(1, np.int64)], 0
    left, cut, parent = np.full(size, -1), np.zeros(size, np.intp), np.zeros(size, np.intp)
    gain_, open_ = np.zeros(size), places[0]
    for first, level in zip(starts[1:], growth.levels, strict=False):
        inner = open_[level.split_mask]
        pairs = first + 2 * inner.argsort().argsort()  # siblings in the order of their parents
        left[inner], parent[pairs], parent[pairs + 1] = pairs, inner, inner
        cut[inner] = np.arange(splits, splits + len(inner))
        gain_[inner] = level.best.gain[level.split_mask]
        splits += len(inner)
        places.append(np.concatenate([pairs, pairs + 1]))
        open_ = places[-1][level.open_mask]
    order = np.concatenate(places).argsort()

    def column(parts: Iterable[NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([*parts])[order]

    weight = column(one.weight for one in known).astype(np.float64)
    sums = column(one.sums for one in known)
    return Nodes(
        tree=tree,
        ids=(
            1,
            *chain.from_iterable(sorted(child_ids(nodes)) for nodes in growth.parents_by_level),
        ),
        levels=starts,
        parent=parent,
        left=left,
        splits=splits_of(tree.splits.values()),
        cut=cut,
        gain=gain_,
        n=column(one.n for one in known),
        weight=weight,
        params=column(params).astype(np.float64),
        impurity=column(one.impurity for one in known),
        share=(sums / weight[:, None]).max(axis=1) if data.classes else np.ones(size),
    )


def kept(nodes: Nodes, rules: Rules) -> Bools:
    """Which splits of a whole tree the stop rules leave, (m,); `ccp_alpha` is not among them.

    The rules that say which cut a node makes must be those it was grown under, see `cutting`.
    """
    stays = nodes.split & (nodes.n >= counted(rules, int(nodes.n[0])).min_samples_split)
    stays &= gains_enough(nodes.gain, nodes.impurity, rules.min_gain)
    stays &= gains_enough(nodes.decrease, nodes.risk, rules.min_impurity_decrease)
    if rules.max_depth is not None:
        stays &= nodes.depth < rules.max_depth
    if rules.purity < 1 and nodes.tree.nodes[1].counts:
        stays &= ~pure_enough(nodes.share, rules.purity)
    if rules.stop_at_zero_gain:
        stays &= nodes.gain > 0
    stays = connected(nodes, stays)
    if rules.max_leaf_nodes is not None:
        order = splits_in_order(nodes, stays, rules.growing_order)
        stays[order[rules.max_leaf_nodes - 1 :]] = False
    return stays


def gains_enough(gain: Floats, impurity: Floats, min_gain: Any) -> Bools:
    """Whether each gain is at least `min_gain`, but for the rounding of its node's impurity."""
    return np.asarray(gain + ROUNDING * impurity >= min_gain)


def pure_enough(share: Floats, purity: float) -> Bools:
    """Whether each majority has at least the share `purity`, but for rounding.

    A purity of 1 asks nothing more than that a node be pure, which its rows tell, not its share.
    """
    return np.asarray((purity < 1) & (share * (1 + ROUNDING) >= purity))


def splits_in_order(nodes: Nodes, stays: Bools, order: str) -> list[int]:
    """The places of the splits that stay, as growing in that order makes them."""
    ids = [nodes.ids[at] for at in np.flatnonzero(stays)]
    place = {nodes.ids[at]: int(at) for at in np.flatnonzero(stays)}
    return [place[node] for node in in_order(nodes.tree, ids, order)]


def connected(nodes: Nodes, stays: Bools) -> Bools:
    """The splits of the mask, (m,), whose ancestors are all in it too; or of many: (..., m)."""
    out = stays.copy()
    for level in levels(nodes)[1:]:
        out[..., level] &= out[..., nodes.parent[level]]
    return out


def ends(nodes: Nodes, stays: Bools) -> Bools:
    """The leaves of a subtree, (m,), or of many: masks (..., m)."""
    reached = stays[..., nodes.parent]
    reached[..., 0] = True
    return np.asarray(reached & ~stays)


def above(nodes: Nodes, stays: Bools) -> Ints:
    """For each node the place of the end it lies in; its own place where it is not below one."""
    out = np.arange(len(nodes.ids))
    for level in levels(nodes)[1:]:
        parent = nodes.parent[level]
        out[level] = np.where(stays[parent], out[level], out[parent])
    return out


def height_of(nodes: Nodes, stays: Bools) -> int:
    """The largest depth of any node of a subtree."""
    at = np.flatnonzero(stays)
    return int(np.searchsorted(nodes.levels, at[-1], side="right")) if len(at) else 0


def subtree(nodes: Nodes, stays: Bools) -> Tree:
    """The tree of the splits that stay."""
    gone = np.flatnonzero(nodes.split & ~stays)
    return without(nodes.tree, [nodes.ids[at] for at in gone])


def losses(nodes: Nodes, data: Dataset) -> tuple[Floats, Ints]:
    """Each node's loss over the rows that reach it, (m,), and the place of each row's leaf.

    A row's loss counts by its own weight. The rows need not be those the tree was grown on; the
    second answer has shape (n,).
    """
    total = np.zeros(len(nodes.ids))
    place = np.zeros(data.n, np.intp)
    rows, weights = np.arange(data.n), own_weights(data)
    while len(rows):
        at = place[rows]
        loss = loss_of(data, data.y[rows], nodes.predict(at, data.columns, rows))
        if weights is not None:
            loss *= weights[rows]
        total += np.bincount(at, weights=loss, minlength=len(total))
        rows = rows[nodes.left[at] >= 0]
        at = place[rows]
        place[rows] = nodes.left[at] + ~goes_left(nodes.splits, data.columns, rows, nodes.cut[at])
    return total, place


def loss_of(data: Dataset, y: NDArray[Any], predicted: Floats) -> Floats:
    """The loss of each prediction, (n,), of rows like those of the data."""
    if data.costs is not None:
        return np.asarray(data.costs[y, predicted.astype(np.intp)])
    if data.classes:
        return np.asarray(y != predicted, dtype=np.float64)
    return np.asarray(np.square(y - predicted))


def levels(nodes: Nodes) -> list[slice]:
    """The places of each depth, from 0 on."""
    return [slice(first, last) for first, last in pairwise(nodes.levels.tolist())]


# --- on trees as they are -------------------------------------------------------------------------


def in_order(tree: Tree, new: Sequence[int], order: str) -> list[int]:
    """The nodes `new`, all split in the tree, in the order in which growing splits them.

    The order is 'depth', 'breadth' or 'best': the largest impurity decrease first.
    """
    if order != "best":
        return sorted(new, key=preorder if order == "depth" else None)
    added, decreases = set(new), dict[int, float]()
    for node in new:
        pause()
        decreases[node] = decrease(tree, node, gain(tree, node))
    place = ranks(tree, decreases)
    heap = [(place[node], node) for node in new if node // 2 not in added]
    heapq.heapify(heap)
    out = []
    while heap:
        pause()
        node = heapq.heappop(heap)[1]
        out.append(node)
        for child in (2 * node, 2 * node + 1):
            if child in added:
                heapq.heappush(heap, (place[child], child))
    return out


def ranks(tree: Tree, decreases: Mapping[int, float]) -> dict[int, int]:
    """What best-first sorts nodes by: 0 for those of the largest decrease, 1 for the next, ...

    Decreases closer than the rounding of their nodes' risks are equal, so that the lowest id
    decides and not the last bits.
    """
    order = sorted(decreases, key=lambda node: -decreases[node])
    size = np.array([decreases[node] for node in order])
    risk = np.array([decrease(tree, node, tree.nodes[node].impurity) for node in order])
    room = ROUNDING * risk
    falls = size[:-1] - size[1:] > room[:-1] + room[1:]
    return dict(zip(order, [0, *np.cumsum(falls).tolist()], strict=False))


def without(grown: Tree, dropped: Iterable[int]) -> Tree:
    """The grown tree with the splits `dropped` taken back; every split below one is among them."""
    gone = set(dropped)
    tops = [node for node in gone if node // 2 not in gone]
    nodes, rows = dict(grown.nodes), dict(grown.rows)
    for top in tops:
        rows[top] = _gather(grown, rows, top, gone)
    for node in gone:
        for child in (2 * node, 2 * node + 1):
            nodes.pop(child)
            rows.pop(child, None)
    splits = {k: v for k, v in grown.splits.items() if k not in gone}
    gaps = {k: v for k, v in grown.gaps.items() if k not in gone}
    return Tree(nodes, splits, gaps, rows, grown.leaf_model, grown.pruned)


def _gather(grown: Tree, rows: dict[int, Ints], top: int, gone: set[int]) -> Ints:
    """The rows of every leaf under a node, by walking down from it."""
    parts, waiting = [], [top]
    while waiting:
        node = waiting.pop()
        if node in gone:
            waiting += [2 * node, 2 * node + 1]
        else:
            parts.append(rows[node])
    return np.sort(np.concatenate(parts))
