"""Nodes of a tree as arrays, and its subtrees: what stop rules and pruning choose from.

Some rules decide which split a node makes, see `without_stop_rules`; all others only decide where
to stop. So the full tree, grown by the former alone until its leaves are pure or have no admissible
split, contains the tree of every setting of the others as a subtree.

A node index is the position of a node when ids ascend: a parent comes before its children, and the
right child directly after the left. A subtree is a mask of the splits that it keeps, (m,). The loss
of a row is 1 for a wrong class, or its cost, or (y - prediction)^2 for a number.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.lazy import lazy_property
from dtviz.base.progress import Slices, pause, run_to_end
from dtviz.data.dataset import Dataset
from dtviz.data.weights import weights_before_costs
from dtviz.engine.chance import log_p_values, meets_max_p_value
from dtviz.engine.leaves.node_facts import NodeFacts, compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules, with_row_counts
from dtviz.engine.search.frontier import frontier, one_ordering
from dtviz.engine.splits import (
    CutPart,
    SplitColumns,
    branch_nodes,
    branch_numbers,
    cut_depth,
    first_part_node,
    goes_left,
    is_later_part,
    later_part_mask,
    split_columns,
)
from dtviz.engine.table_search import NodeSums, TableSearch, path_of
from dtviz.engine.tree import (
    Growth,
    Tree,
    child_ids,
    class_shares,
    depth,
    preorder_key,
    split_gain,
    weighted_decrease,
)


@dataclass(frozen=True, eq=False)
class Nodes:
    """The m nodes of a tree as arrays by node index.

    >>> import dtviz
    >>> nodes = nodes_of(dtviz.fit(dtviz.load("age_car_risk")).tree)
    >>> nodes.ids, nodes.left.tolist(), nodes.n.tolist()
    ((1, 2, 3, 4, 5), [1, 3, -1, -1, -1], [6, 3, 3, 1, 2])
    """

    tree: Tree  # the tree itself
    ids: tuple[int, ...]  # node ids, ascending
    level_starts: Ints  # index of the first node of each depth, then m: (height + 2,)
    parent: Ints  # index of the parent, (m,); the root is its own
    left: Ints  # index of the left child, (m,), the right one is the next; -1 in a leaf
    splits: SplitColumns  # splits of the inner nodes, in any order
    split_index: Ints  # position of the node's split in `splits`, (m,); not used in a leaf
    gain: Floats  # gain of the split, (m,); 0 in a leaf
    n: Ints  # number of rows, (m,)
    weight: Floats  # weight of the rows, (m,)
    params: Floats  # params of the leaf model fitted to the rows, (m, P)
    impurity: Floats  # impurity of the rows, (m,)
    majority_share: Floats  # share of the majority class, (m,); 1 for a numeric target
    compute_log_p: Callable[[Nodes], Floats] | None = None  # see `log_p`; None: not known

    @lazy_property
    def log_p(self) -> Floats:
        """Natural logarithm of the p-value of each split, (m,), see `chance`; 0 in a leaf.

        Computed on first access, which only the rule `max_p_value` needs.
        """
        assert self.compute_log_p is not None
        return self.compute_log_p(self)

    @lazy_property
    def depth(self) -> Ints:
        """Number of cuts between each node and the root, (m,): a multi-way cut is one."""
        depths = np.repeat(np.arange(len(self.level_starts) - 1), np.diff(self.level_starts))
        if (later_parts := self.is_later_part).any():
            n_parts = np.zeros(len(self.ids), int)
            for level in level_slices(self)[1:]:
                parent = self.parent[level]
                n_parts[level] = n_parts[parent] + later_parts[parent]
            depths -= n_parts
        return depths

    @lazy_property
    def is_later_part(self) -> Bools:
        """Mask of the splits that belong to the cut of their parent, see `splits.is_later_part`."""
        if not len(self.splits.line):
            return np.zeros(len(self.ids), np.bool_)
        return self.is_split & later_part_mask(self.splits).take(self.split_index)

    @property
    def value(self) -> Floats:
        """Prediction of each node, were it a leaf, (m,): a class code, or a number."""
        return np.asarray(self.params[:, 0])

    def predict(self, indices: Ints, columns: Floats, rows: Ints) -> Floats:
        """Predictions for the r `rows` of the columns, (r,); `indices` has the node of each."""
        return self.tree.leaf_model.predict(self.params.take(indices, axis=0), columns, rows)

    @property
    def is_split(self) -> Bools:
        """Mask of the nodes that have a split, (m,)."""
        return np.asarray(self.left >= 0)

    @property
    def risk(self) -> Floats:
        """Impurity of each node times its share of the weight of all rows, (m,)."""
        return np.asarray(self.impurity * self.weight_share)

    @property
    def decrease(self) -> Floats:
        """Decrease of the risk by the split of each node, (m,)."""
        return np.asarray(self.gain * self.weight_share)

    @property
    def weight_share(self) -> Floats:
        """Share of the weight of all rows that each node has, (m,)."""
        return np.asarray(self.weight / self.weight[0])


def nodes_of(tree: Tree) -> Nodes:
    """The nodes of a tree as arrays."""
    ids = sorted(tree.nodes)
    index = {node: i for i, node in enumerate(ids)}
    nodes = [tree.nodes[node] for node in ids]
    size = len(ids)
    left, split_index, gains = np.full(size, -1, int), np.zeros(size, int), np.zeros(size)
    for k, node in enumerate(tree.splits):
        i = index[node]
        left[i], split_index[i] = index[2 * node], k
        gains[i] = split_gain(tree, node)
    depths = np.array([depth(node) for node in ids])
    return Nodes(
        tree=tree,
        ids=tuple(ids),
        level_starts=np.searchsorted(depths, np.arange(depths[-1] + 2)),
        parent=np.array([index[max(node // 2, 1)] for node in ids], int),
        left=left,
        splits=split_columns(tree.splits.values()),
        split_index=split_index,
        gain=gains,
        n=np.array([node.n for node in nodes], int),
        weight=np.array([node.weight for node in nodes], np.float64),
        params=np.array([node.params for node in nodes], np.float64),
        impurity=np.array([node.impurity for node in nodes], np.float64),
        majority_share=np.array([max(class_shares(node), default=1.0) for node in nodes]),
    )


def grown_nodes(problem: Problem, tree: Tree, growth: Growth) -> Nodes:
    """The nodes of a tree that grew from its root, as arrays, directly from those of the levels."""
    data, criterion = problem.data, problem.criterion
    root = one_ordering(np.arange(data.n), np.array([data.n]))
    facts_by_level, params = list[NodeFacts](), list[Floats]()
    # a generator, so that one frontier at a time is in memory
    for front in chain([root], (level.child_frontier for level in growth.levels)):
        pause()
        facts_by_level.append(compute_facts(data, front, criterion))
        params.append(tree.leaf_model.fit(data, front, facts_by_level[-1]))
    starts = np.cumsum([0, *(len(x.n) for x in facts_by_level)])
    size, indices, n_splits = int(starts[-1]), [np.zeros(1, np.int64)], 0
    left, split_index, parent = np.full(size, -1), np.zeros(size, int), np.zeros(size, int)
    gains, open_indices = np.zeros(size), indices[0]
    for level_start, level in zip(starts[1:], growth.levels, strict=False):
        parents = open_indices[level.split_mask]
        # children come in pairs, in the order of their parents' indices
        left_children = level_start + 2 * parents.argsort().argsort()
        left[parents] = left_children
        parent[left_children] = parent[left_children + 1] = parents
        split_index[parents] = np.arange(n_splits, n_splits + len(parents))
        gains[parents] = level.best.gain[level.split_mask]
        n_splits += len(parents)
        indices.append(np.concatenate([left_children, left_children + 1]))
        open_indices = indices[-1][level.open_mask]
    order = np.concatenate(indices).argsort()

    def by_index(parts: Iterable[NDArray[Any]]) -> NDArray[Any]:
        """Join the arrays of the levels, in the order of the node indices."""
        return np.concatenate([*parts])[order]

    child_ids_by_level = (sorted(child_ids(nodes)) for nodes in growth.parents_by_level)
    weight = by_index(x.weight for x in facts_by_level).astype(np.float64)
    weight_by_class = by_index(x.weight_by_class for x in facts_by_level)
    return Nodes(
        tree=tree,
        ids=(1, *chain.from_iterable(child_ids_by_level)),
        level_starts=starts,
        parent=parent,
        left=left,
        splits=split_columns(tree.splits.values()),
        split_index=split_index,
        gain=gains,
        n=by_index(x.n for x in facts_by_level),
        weight=weight,
        params=by_index(params).astype(np.float64),
        impurity=by_index(x.impurity for x in facts_by_level),
        majority_share=(weight_by_class / weight[:, None]).max(axis=1)
        if data.classes
        else np.ones(size),
        compute_log_p=partial(_log_p_of_splits, problem),
    )


def _log_p_of_splits(problem: Problem, nodes: Nodes) -> Floats:
    """Natural logarithm of the p-value of each split, (m,); 0 in a leaf and at a later part."""
    data, out, later_parts = problem.data, np.zeros(len(nodes.ids)), nodes.is_later_part
    rows, node_of_row = np.arange(data.n), np.zeros(data.n, int)
    while len(rows := rows[nodes.left[node_of_row[rows]] >= 0]):
        pause()
        rows = rows[np.argsort(node_of_row[rows], kind="stable")]
        indices, starts = np.unique(node_of_row[rows], return_index=True)
        split_index = nodes.split_index[node_of_row[rows]]
        branch = np.zeros(data.n, int)
        branch[rows] = ~goes_left(nodes.splits, data.columns, rows, split_index)
        groups = zip(indices.tolist(), np.split(rows, starts[1:]), strict=True)
        cuts = {index: node_rows for index, node_rows in groups if not later_parts[index]}
        if cuts:
            front, sides = frontier(problem.table, [*cuts.values()]), branch.copy()
            for index, node_rows in cuts.items():
                split = nodes.tree.splits[nodes.ids[index]]
                if isinstance(split.projection, CutPart):
                    sides[node_rows] = branch_numbers(split, data.columns, node_rows)
            out[[*cuts]] = log_p_values(problem, front, sides.take(front.rows[0]))
        node_of_row[rows] = nodes.left[node_of_row[rows]] + branch[rows]
    return out


def splits_kept_by_rules(nodes: Nodes, rules: Rules) -> Bools:
    """Mask of the splits of a full tree that the stop rules keep, (m,); `ccp_alpha` is ignored.

    The rules that decide which split a node makes must be those of the full tree, see
    `without_stop_rules`.
    """
    split_mask = nodes.is_split & (
        nodes.n >= with_row_counts(rules, int(nodes.n[0])).min_samples_split
    )
    split_mask &= meets_min_gain(nodes.gain, nodes.impurity, rules.min_gain)
    split_mask &= meets_min_gain(nodes.decrease, nodes.risk, rules.min_impurity_decrease)
    if rules.max_depth is not None:
        split_mask &= nodes.depth < rules.max_depth
    if rules.purity < 1 and nodes.tree.nodes[1].counts:
        split_mask &= ~meets_purity(nodes.majority_share, rules.purity)
    if rules.stop_at_zero_gain:
        split_mask &= nodes.gain > 0
    if rules.max_p_value < 1:
        split_mask &= meets_max_p_value(nodes.log_p, rules.max_p_value)
    split_mask = connected_splits(nodes, split_mask | nodes.is_later_part)
    if rules.max_leaf_nodes is not None:
        order = splits_in_growing_order(nodes, split_mask, rules.growing_order)
        ids = [nodes.ids[index] for index in order]
        split_mask[order[count_whole_cuts(nodes.tree, ids, rules.max_leaf_nodes - 1) :]] = False
    return split_mask


def meets_min_gain(gain: Floats, impurity: Floats, min_gain: Any) -> Bools:
    """Mask of the gains that are at least `min_gain`, but for the rounding of their impurities."""
    return np.asarray(gain + ROUNDING * impurity >= min_gain)


def meets_purity(share: Floats, purity: float) -> Bools:
    """Mask of the majority shares that are at least `purity`, but for rounding.

    All False at a purity of 1: the stop 'pure', which is exact, then decides alone.
    """
    return np.asarray((purity < 1) & (share * (1 + ROUNDING) >= purity))


def splits_in_growing_order(nodes: Nodes, split_mask: Bools, order: str) -> list[int]:
    """Node indices of the splits of a subtree, in the growing order `order`."""
    ids = [nodes.ids[i] for i in np.flatnonzero(split_mask)]
    index = {nodes.ids[i]: int(i) for i in np.flatnonzero(split_mask)}
    return [index[node] for node in sort_in_growing_order(nodes.tree, ids, order)]


def connected_splits(nodes: Nodes, split_mask: Bools) -> Bools:
    """The splits of the mask whose ancestors are all in it too; of one mask, (m,), or (..., m)."""
    out = split_mask.copy()
    for level in level_slices(nodes)[1:]:
        out[..., level] &= out[..., nodes.parent[level]]
    return out


def subtree_leaves(nodes: Nodes, split_mask: Bools) -> Bools:
    """Mask of the leaves of a subtree, (m,), or of many: masks (..., m)."""
    reached = split_mask[..., nodes.parent]
    reached[..., 0] = True
    return np.asarray(reached & ~split_mask)


def enclosing_leaves(nodes: Nodes, split_mask: Bools) -> Ints:
    """Index of the subtree's leaf that each node lies in, (m,); its own index outside of leaves."""
    out = np.arange(len(nodes.ids))
    for level in level_slices(nodes)[1:]:
        parent = nodes.parent[level]
        out[level] = np.where(split_mask[parent], out[level], out[parent])
    return out


def height_of(nodes: Nodes, split_mask: Bools) -> int:
    """Largest depth of any node of a subtree: all parts of a cut are one level."""
    return int((nodes.depth[split_mask & ~nodes.is_later_part] + 1).max(initial=0))


def subtree(nodes: Nodes, split_mask: Bools) -> Tree:
    """The subtree as a tree."""
    dropped = np.flatnonzero(nodes.is_split & ~split_mask)
    return drop_splits(nodes.tree, [nodes.ids[index] for index in dropped])


def losses(nodes: Nodes, data: Dataset) -> tuple[Floats, Ints]:
    """Loss of each node and node index of each row's leaf, see `losses_in_slices`."""
    return run_to_end(losses_in_slices(nodes, data))


def losses_in_slices(nodes: Nodes, data: Dataset) -> Slices[tuple[Floats, Ints]]:
    """Loss of each node over the rows that reach it, (m,), and node index of each row's leaf, (n,).

    A row's loss counts by its weight, see `weights_before_costs`. The rows need not be those that
    the tree was grown on. Losses on a table in its engine are counted there; the leaves are those
    of its sample.
    """

    def row_losses(indices: Ints, rows: Ints) -> Floats:
        return loss_of(data, data.y[rows], nodes.predict(indices, data.columns, rows))

    total, leaf_indices = _sums_and_leaves(nodes, data, row_losses)
    if data.source is not None:
        total = yield from _counted_losses(nodes, data)
    return total, leaf_indices


RowValues = Callable[[Ints, Ints], Floats]
"""Function of node indices and row ids, (r,) each: a number for each row in its node, (r,)."""


def sums_of_nodes(nodes: Nodes, data: Dataset, row_values: RowValues) -> Floats:
    """Sum of the values of the rows that reach each node, (m,), each by its weight."""
    return _sums_and_leaves(nodes, data, row_values)[0]


def _sums_and_leaves(nodes: Nodes, data: Dataset, row_values: RowValues) -> tuple[Floats, Ints]:
    """The result of `sums_of_nodes`, and the node index of each row's leaf, (n,)."""
    total = np.zeros(len(nodes.ids))
    leaf_indices = np.zeros(data.n, int)
    rows, weights = np.arange(data.n), weights_before_costs(data)
    while len(rows):
        indices = leaf_indices[rows]
        values = row_values(indices, rows)
        if weights is not None:
            values = values * weights[rows]
        total += np.bincount(indices, weights=values, minlength=len(total))
        rows = rows[nodes.left[indices] >= 0]
        indices = leaf_indices[rows]
        goes_right = ~goes_left(nodes.splits, data.columns, rows, nodes.split_index[indices])
        leaf_indices[rows] = nodes.left[indices] + goes_right
    return total, leaf_indices


def _counted_losses(nodes: Nodes, data: Dataset) -> Slices[Floats]:
    """Loss of each node over the rows of a table, (m,), from what its leaves add up to."""
    source = data.source
    assert source is not None
    leaves = np.flatnonzero(~nodes.is_split).tolist()
    search = TableSearch(Problem(data, default_rules(data.task)))
    paths = [path_of(nodes.tree.splits, nodes.ids[leaf]) for leaf in leaves]
    sums = yield from search.count_leaves_in_slices(paths)
    if data.classes:
        weights = np.zeros((len(nodes.ids), len(data.classes)), np.int64)
        weights[leaves] = [x.weights for x in sums]
        for level in level_slices(nodes)[:0:-1]:
            np.add.at(weights, nodes.parent[level], weights[level])
        right = weights[np.arange(len(weights)), nodes.value.astype(int)]
        unit = 1.0 if source.weight_unit is None else source.weight_unit
        return np.asarray((weights.sum(axis=1) - right) * unit)
    assert source.target_unit is not None
    return _squared_errors(nodes, dict(zip(leaves, sums, strict=True)), source.target_unit)


def _squared_errors(nodes: Nodes, sums: Mapping[int, NodeSums], unit: float) -> Floats:
    """Squared error of each node, (m,), from the sums of the leaves by index, with their unit."""
    size = len(nodes.ids)
    n, total, squares = [0] * size, [0] * size, [0.0] * size
    for leaf, x in sums.items():
        n[leaf], total[leaf] = x.n, x.weights[0]
        squares[leaf] = x.squares - x.n * x.fraction * x.fraction
    children = [*enumerate(nodes.parent.tolist())][:0:-1]  # without the root, the deepest first
    for k, parent in children:
        n[parent] += n[k]
        total[parent] += total[k]
    # squares about the mean of a node: those about the means of its children, and of these means
    for k, parent in children:
        if n[k]:
            difference = (total[k] * n[parent] - total[parent] * n[k]) / (n[k] * n[parent])
            squares[parent] += squares[k] + n[k] * difference * difference
    mean = [unit * (s / count) if count else 0.0 for s, count in zip(total, n, strict=True)]
    about_mean = np.maximum(squares, 0.0) * unit * unit
    return np.asarray(about_mean + np.array(n) * np.square(np.array(mean) - nodes.value))


def loss_of(data: Dataset, y: NDArray[Any], prediction: Floats) -> Floats:
    """Loss of each prediction, (n,), for targets `y` of the data's kind, without weights."""
    if data.costs is not None:
        return np.asarray(data.costs[y, prediction.astype(int)])
    if data.classes:
        return np.asarray(y != prediction, dtype=np.float64)
    return np.asarray(np.square(y - prediction))


def level_slices(nodes: Nodes) -> list[slice]:
    """Slices of the node indices of each depth, from 0 on."""
    return [slice(first, last) for first, last in pairwise(nodes.level_starts.tolist())]


# --- trees by node id -------------------------------------------------------------------------


def sort_in_growing_order(tree: Tree, split_ids: Sequence[int], order: str) -> list[int]:
    """The nodes `split_ids`, all split in the tree, in the order in which growing splits them.

    `order` is 'depth', 'breadth' or 'best': the largest impurity decrease first.
    """
    if order != "best":
        return sorted(split_ids, key=growing_key(tree, order))
    ids, decreases = set(split_ids), dict[int, float]()
    for node in split_ids:
        pause()
        decreases[node] = weighted_decrease(tree, node, split_gain(tree, node))
    rank = decrease_ranks(tree, decreases)
    heap = [(rank[node], node) for node in split_ids if node // 2 not in ids]
    heapq.heapify(heap)
    out = []
    while heap:
        pause()
        node = heapq.heappop(heap)[1]
        branches = branch_nodes(tree.splits, node)
        out += [child // 2 for child in branches[:-1]]  # the node and the later parts of its cut
        for child in branches:
            if child in ids:
                heapq.heappush(heap, (rank[child], child))
    return out


def growing_key(tree: Tree, order: str) -> Callable[[int], Any] | None:
    """Key that sorts node ids of a tree in the growing order 'depth' or 'breadth'; None: the ids.

    A part of a multi-way cut comes directly after the part before it.
    """
    if not any(map(is_later_part, tree.splits.values())):
        return preorder_key if order == "depth" else None

    def key(node: int) -> tuple[Any, ...]:
        first = first_part_node(tree.splits, node)
        if order == "depth":
            return preorder_key(first), node
        return cut_depth(tree.splits, first), preorder_key(first), node

    return key


def count_whole_cuts(tree: Tree, order: Sequence[int], max_splits: int) -> int:
    """Number of the first splits of `order`, at most `max_splits`, that divide no multi-way cut."""
    n_kept = min(max_splits, len(order))
    while 0 < n_kept < len(order) and is_later_part(tree.splits[order[n_kept]]):
        n_kept -= 1
    return n_kept


def decrease_ranks(tree: Tree, decreases: Mapping[int, float]) -> dict[int, int]:
    """Ranks of nodes for the order 'best': 0 for the largest decrease, 1 for the next, ...

    Decreases closer than the rounding of their nodes' risks have one rank, so that the lowest id
    decides and not the last bits.
    """
    order = sorted(decreases, key=lambda node: -decreases[node])
    falling = np.array([decreases[node] for node in order])
    risk = np.array([weighted_decrease(tree, node, tree.nodes[node].impurity) for node in order])
    rounding = ROUNDING * risk
    drops = falling[:-1] - falling[1:] > rounding[:-1] + rounding[1:]
    return dict(zip(order, [0, *np.cumsum(drops).tolist()], strict=False))


def drop_splits(grown: Tree, dropped: Iterable[int]) -> Tree:
    """The tree without the splits `dropped`, which include all splits below any of them."""
    dropped_ids = set(dropped)
    topmost = [node for node in dropped_ids if node // 2 not in dropped_ids]
    nodes, rows = dict(grown.nodes), dict(grown.rows)
    for top in topmost:
        rows[top] = _rows_below(grown, rows, top, dropped_ids)
    for node in dropped_ids:
        for child in (2 * node, 2 * node + 1):
            nodes.pop(child)
            rows.pop(child, None)
    splits = {k: v for k, v in grown.splits.items() if k not in dropped_ids}
    neighbours = {k: v for k, v in grown.threshold_neighbours.items() if k not in dropped_ids}
    return Tree(nodes, splits, neighbours, rows, grown.leaf_model, grown.pruned)


def _rows_below(grown: Tree, rows: dict[int, Ints], top: int, dropped: set[int]) -> Ints:
    """Row ids of all leaves below a node, ascending."""
    parts, stack = [], [top]
    while stack:
        node = stack.pop()
        if node in dropped:
            stack += [2 * node, 2 * node + 1]
        else:
            parts.append(rows[node])
    return np.sort(np.concatenate(parts))
