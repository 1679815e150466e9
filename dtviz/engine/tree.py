"""The tree, built by moves: `Grow` splits a leaf, `Collapse` makes a node a leaf again.

A tree is the fold of its log, the moves in their order: to undo a move is to drop the last one.
The root has node id 1; the children of node k have the ids 2k (left) and 2k + 1 (right).

A tree of many nodes has many small objects, which take long to make. So a tree grown by levels
keeps the arrays of its levels, and makes nodes, splits and rows of them on first access.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, compress, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import LazyMapping, lazy_property
from dtviz.base.progress import pause
from dtviz.base.text import short_repr
from dtviz.data.dataset import Dataset, lock_array
from dtviz.data.weights import cost_factors
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.leaves.node_facts import NodeFacts, compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.best_split import BestCuts
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    children_of_entries,
    starts_of,
    unsorted_frontier,
)
from dtviz.engine.splits import (
    FULL_SPAN,
    LEFT,
    RIGHT,
    CutPart,
    Projection,
    Span,
    Split,
    SplitColumns,
    axis_of,
    branch_nodes,
    family_of,
    first_part_node,
    goes_left,
    is_later_part,
    left_mask_function,
    multiway_split,
    narrow_span,
    next_part,
    rows_of_sides,
    score,
    sort_key,
    split_columns,
)
from dtviz.engine.splitter import resolve_missing
from dtviz.engine.table_search import path_of, table_search

ROWS_PER_BLOCK = 1 << 17
"""Number of rows that descend together: an array with one number a row takes 1 MB."""
MIN_INNER_SHARE = 0.8
"""Share of the descending rows in inner nodes, below which rows that reached a leaf are dropped."""


EMPTY_SIDE = "the split at node {node} leaves one side empty; choose a cut inside it"
"""Error text for a split that no row crosses."""


class LogError(ValueError):
    """A move that the tree before it does not allow; `index` is its position in the log."""

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index


class Grow(NamedTuple):
    """A move that splits a leaf; the first part of a multi-way cut brings all its parts."""

    node: int  # id of the leaf
    split: Split  # projection, threshold and side of missing values


class Collapse(NamedTuple):
    """A move that makes a node a leaf again; automatic growth does not split this leaf anew."""

    node: int  # id of the node


Move = Grow | Collapse
Log = tuple[Move, ...]


class WeightSums(NamedTuple):
    """Weight of the rows of a node."""

    total: float  # of all rows
    by_class: tuple[float, ...]  # of the rows of each class, (K,); empty for regression


@dataclass(frozen=True, slots=True)
class Node:
    """Facts of the rows in one node."""

    id: int  # node id: 1 for the root, 2k and 2k + 1 for the children of k
    n: int  # number of rows
    counts: tuple[int, ...]  # number of rows of each class, (K,); empty for regression
    params: tuple[float, ...]  # params of the tree's leaf model fitted to the rows, (P,)
    impurity: float  # impurity of the rows, by the criterion of the tree
    pure: bool  # True if all targets are equal, or a regression fits them exactly
    weight_sums: WeightSums | None = None  # None where rows have no weights

    @property
    def weight(self) -> float:
        """Weight of the rows: their number, where rows have no weights."""
        return self.n if self.weight_sums is None else self.weight_sums.total

    @property
    def weight_by_class(self) -> tuple[float, ...]:
        """Weight of the rows of each class, (K,); empty for regression."""
        return self.counts if self.weight_sums is None else self.weight_sums.by_class

    @property
    def value(self) -> float:
        """Prediction of the node by one constant: the code of a class, or a number."""
        return self.params[0]  # every leaf model puts it first


class NodeTable(NamedTuple):
    """The m nodes of a tree as columns.

    The position of a node is its rank by ascending id, so that siblings stand side by side.
    """

    ids: tuple[int, ...]
    """Node ids, ascending, (m,)."""
    splits: SplitColumns
    """Splits, (m,); the entry of a leaf is not used."""
    children_left: Ints
    """Position of the left child, (m,); -1 in a leaf."""


@dataclass(frozen=True)
class Tree:
    """Nodes, splits and leaves by node id; read-only, unlike a `TreeDraft`.

    >>> import dtviz
    >>> problem = Problem(dtviz.load("heights"), dtviz.Rules(criterion="gini"))
    >>> tree = fold(problem, (dtviz.Grow(1, dtviz.axis_split(0, 165)),))
    >>> [(leaf, tree.nodes[leaf].counts, tree.rows[leaf].tolist()) for leaf in leaf_ids(tree)]
    [(2, (2, 0), [2, 5]), (3, (1, 4), [0, 1, 3, 4, 6])]
    >>> predict(tree, problem.data.columns).tolist()
    [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    """

    nodes: Mapping[int, Node]
    """Facts of every node."""
    splits: Mapping[int, Split]
    """Split of every node that is no leaf."""
    threshold_neighbours: Mapping[int, tuple[float, float]]
    """Neighbours of the threshold of every split: the largest score on the left and the smallest on
    the right; -inf or inf where no row of that side has a score."""
    rows: Mapping[int, Ints]
    """Row ids of every leaf, ascending."""
    leaf_model: LeafModel
    """Model that predicts in the leaves."""
    pruned: frozenset[int] = frozenset()
    """Leaves that were collapsed: automatic growth does not split them."""

    def __post_init__(self) -> None:
        if isinstance(self.rows, dict):
            object.__setattr__(self, "rows", {k: lock_array(rows) for k, rows in self.rows.items()})
        for name, value in list(vars(self).items()):
            if isinstance(value, dict):
                object.__setattr__(self, name, MappingProxyType(value))

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be copied or pickled: plain dicts can.
        parts = (
            dict(part) for part in (self.nodes, self.splits, self.threshold_neighbours, self.rows)
        )
        return Tree, (*parts, self.leaf_model, self.pruned)

    @lazy_property
    def table(self) -> NodeTable:
        """The nodes as columns."""
        ids = sorted((*self.splits, *self.rows))
        position = {node: index for index, node in enumerate(ids)}
        left = lock_array(np.array([position.get(2 * node, -1) for node in ids], np.int64))
        # an entry needs some split in a leaf too; there are none at all where the root is a leaf
        filler = next(iter(self.splits.values()), None)
        splits = split_columns(self.splits.get(node, filler) for node in ids if filler)
        return NodeTable(tuple(ids), splits, left)

    @lazy_property
    def shown_nodes(self) -> tuple[int, ...]:
        """Node ids in preorder, as people see the tree: a multi-way cut is one node."""
        hidden = {node for node, split in self.splits.items() if is_later_part(split)}
        return tuple(sorted(self.nodes.keys() - hidden, key=preorder_key))

    @lazy_property
    def cut_depths(self) -> Mapping[int, int]:
        """Number of cuts between each node and the root, by node id: a multi-way cut is one."""
        if not any(map(is_later_part, self.splits.values())):
            return MappingProxyType({node: depth(node) for node in self.nodes})
        depths = {1: 0}
        for node in sorted(self.nodes)[1:]:  # a parent comes before its children
            depths[node] = depths[node // 2] + (not is_later_part(self.splits[node // 2]))
        return MappingProxyType(depths)

    @lazy_property
    def params(self) -> Floats:
        """Params of every node by its position in `table`, (m, P)."""
        return lock_array(np.array([self.nodes[node].params for node in self.table.ids]))

    @lazy_property
    def weights_by_class(self) -> tuple[Floats, Floats]:
        """Weight of the rows of each class, (m, K), and of all rows, (m, 1), by position."""
        nodes = [self.nodes[node] for node in self.table.ids]
        weights = np.array([node.weight for node in nodes], np.float64)
        class_weights = np.array([node.weight_by_class for node in nodes], np.float64)
        return lock_array(class_weights), lock_array(weights[:, None])


@dataclass(slots=True)
class TreeDraft:
    """A tree that is being built: the fields of `Tree`, in dicts that can be changed."""

    nodes: dict[int, Node]  # facts of every node
    splits: dict[int, Split]  # split of every node that is no leaf
    threshold_neighbours: dict[int, tuple[float, float]]  # see `Tree.threshold_neighbours`
    rows: dict[int, Ints]  # row ids of every leaf
    leaf_model: LeafModel  # model that predicts in the leaves
    pruned: frozenset[int]  # leaves that were collapsed

    def to_tree(self) -> Tree:
        """Return the tree; the draft must not be changed afterwards, since both share the dicts."""
        return Tree(
            self.nodes,
            self.splits,
            self.threshold_neighbours,
            self.rows,
            self.leaf_model,
            self.pruned,
        )


@dataclass(frozen=True, slots=True)
class Region:
    """The set of points that reach a node: low < score <= high for each of its bounds."""

    node: int  # node id
    lower: tuple[float, ...]  # box lower < x <= upper of the features, (M,); -inf: no bound
    upper: tuple[float, ...]  # (M,); inf: no bound
    value: float  # prediction of the node: the code of a class, or a number
    bounds: tuple[tuple[Projection, Span], ...]  # by projection, ordered by family


def depth(node: int) -> int:
    """Number of splits between a node and the root; see `splits.cut_depth` for that of cuts."""
    return node.bit_length() - 1


def preorder_key(node: int) -> str:
    """Key that sorts node ids in preorder: a node, its left subtree, its right subtree."""
    return f"{node:b}"


def ancestors(node: int) -> list[int]:
    """Node ids from the root down to the parent of a node."""
    return [node >> k for k in range(depth(node), 0, -1)]


def leaf_ids(tree: Tree) -> list[int]:
    """Node ids of the leaves from left to right."""
    return sorted(tree.rows, key=preorder_key)


def height(tree: Tree) -> int:
    """The largest number of cuts between a leaf and the root."""
    return max(tree.cut_depths.values())


def make_nodes(
    data: Dataset, front: Frontier, ids: Sequence[int], facts: NodeFacts, model: LeafModel
) -> Iterator[Node]:
    """Yield the nodes of a frontier from their facts; `ids` has the node ids."""
    counts, params = _tuples(facts.counts), _tuples(model.fit(data, front, facts))
    weights: Iterable[WeightSums | None] = [None] * len(ids)
    if facts.weight is not facts.n:
        weights = map(WeightSums, facts.weight.tolist(), _tuples(facts.weight_by_class))
    columns = (facts.n, facts.impurity, facts.pure)
    for node, node_counts, node_params, weight_sums, n, impurity, pure in zip(
        ids, counts, params, weights, *(column.tolist() for column in columns), strict=True
    ):
        yield Node(node, n, node_counts, node_params, impurity, pure, weight_sums)


def _tuples(table: NDArray[Any]) -> Iterable[tuple[Any, ...]]:
    """Rows of a table as tuples."""
    # by way of columns, which are few: a list for each row would take longer
    return zip(*table.T.tolist(), strict=True) if table.shape[1] else [()] * len(table)


def root_tree(problem: Problem) -> Tree:
    """The tree before any move: the root alone."""
    return fold(problem, ())


def fold(problem: Problem, log: Log) -> Tree:
    """The tree that the moves build; raises LogError at the first move that is not possible."""
    rows = np.arange(problem.data.n)
    nodes = LazyMapping(partial(_describe, problem, {1: rows}, {}))
    root = Tree(nodes, {}, {}, {1: rows}, problem.leaf_model)
    if not log:
        return root
    tree, error = replay(problem, root, log)
    if error is not None:
        raise error
    return tree


def extend(problem: Problem, tree: Tree, move: Move) -> Tree:
    """The tree after one more move; raises LogError if the move is not possible."""
    after, error = replay(problem, tree, (move,))
    if error is not None:
        raise error
    return after


def draft_of(tree: Tree) -> TreeDraft:
    """Copy a tree into a draft."""
    parts = dict(tree.nodes), dict(tree.splits), dict(tree.threshold_neighbours), dict(tree.rows)
    return TreeDraft(*parts, tree.leaf_model, tree.pruned)


def replay(problem: Problem, tree: Tree, log: Log) -> tuple[Tree, LogError | None]:
    """Make the moves of a log up to the first that is not possible.

    Returns the tree after them, and the error of that first move; None: all moves are possible.
    """
    draft = draft_of(tree)
    added: dict[int, Ints] = {}
    refusal = None
    for index, move in enumerate(log):
        pause()
        try:
            added |= _apply_move(problem, draft, move)
        except LogError as error:
            refusal = LogError(str(error), index)
            break
    # The facts of all new nodes are computed at once, at the end: later moves may remove some.
    remaining = [node for node in added if node in draft.splits or node in draft.rows]
    nodes = draft.nodes | _describe(
        problem, {node: added[node] for node in remaining}, draft.splits
    )
    draft.nodes = {k: node for k, node in nodes.items() if k in draft.splits or k in draft.rows}
    return draft.to_tree(), refusal


def _apply_move(problem: Problem, tree: TreeDraft, move: Move) -> dict[int, Ints]:
    """Make a move in all fields of a draft but `nodes`; returns the row ids of the new nodes."""
    match move:
        case Grow(node, split):
            return _grow(problem, tree, node, split)
        case Collapse(node):
            _collapse(tree, node)
            return {}


def _grow(problem: Problem, tree: TreeDraft, node: int, split: Split) -> dict[int, Ints]:
    data = problem.data
    if node not in tree.rows:
        raise LogError(f"node {short_repr(node)} is no leaf of the tree; only a leaf can be split")
    refusal = family_of(split.projection).problem(split.projection, data)
    if refusal:
        raise LogError(refusal)
    if isinstance(part := split.projection, CutPart):
        split = multiway_split(part.feature, part.codes, part.default)
        # checked before the first part is made: a refused move changes nothing
        if not all(map(len, rows_of_sides(split, data.columns, tree.rows[node]))):
            raise LogError(EMPTY_SIDE.format(node=node))
    return _add_split(problem, tree, node, split)


def _add_split(problem: Problem, tree: TreeDraft, node: int, split: Split) -> dict[int, Ints]:
    """Split a leaf in all fields of a draft but `nodes`; returns the row ids of the new nodes."""
    data, rows = problem.data, tree.rows[node]
    checked_split = _split_in_memory if data.source is None else _split_table
    split, neighbours = checked_split(problem, tree, node, split)
    left_mask = goes_left(split, data.columns, rows)
    tree.threshold_neighbours[node] = neighbours
    tree.splits[node] = split
    del tree.rows[node]
    added = {2 * node: rows[left_mask], 2 * node + 1: rows[~left_mask]}
    tree.rows.update(added)
    tree.pruned -= {node}
    part = next_part(split)
    if part is not None:  # a multi-way cut: one move makes all of its parts
        added |= _add_split(problem, tree, 2 * node + 1, part)
    return added


def _split_in_memory(
    problem: Problem, tree: TreeDraft, node: int, split: Split
) -> tuple[Split, tuple[float, float]]:
    """The split of a leaf with the side of missing values, and the neighbours of its threshold."""
    data, rows = problem.data, tree.rows[node]
    split = resolve_missing(problem, rows, split)
    scores = score(split.projection, data.columns, rows)
    left_mask = goes_left(split, data.columns, rows)
    if left_mask.all() or not left_mask.any():
        raise LogError(EMPTY_SIDE.format(node=node))
    has_value = ~np.isnan(scores)
    below, above = scores[left_mask & has_value], scores[~left_mask & has_value]  # by side
    return split, (float(below.max(initial=-np.inf)), float(above.min(initial=np.inf)))


def _split_table(
    problem: Problem, tree: TreeDraft, node: int, split: Split
) -> tuple[Split, tuple[float, float]]:
    """The same by the counts of a table, of whose sample the leaf may have no row."""
    search, path = table_search(problem), path_of(tree.splits, node)
    split = search.resolve(path, split)
    if not all(side.n for side in search.children(path, split)):
        raise LogError(EMPTY_SIDE.format(node=node))
    return split, search.neighbours(path, split)


def _collapse(tree: TreeDraft, node: int) -> None:
    if node not in tree.splits:
        raise LogError(
            f"node {short_repr(node)} has no split; only a node with a split can be collapsed"
        )
    if is_later_part(tree.splits[node]):
        raise LogError(_part_message(tree, node, "collapse"))
    below, row_ids = [2 * node, 2 * node + 1], []
    for k in below:  # grows in the loop, down to the leaves
        if k in tree.splits:
            below += [2 * k, 2 * k + 1]
        else:
            row_ids.append(tree.rows.pop(k))
    tree.rows[node] = np.sort(np.concatenate(row_ids))
    for k in (*below, node):
        tree.splits.pop(k, None)
        tree.threshold_neighbours.pop(k, None)
    tree.pruned = tree.pruned.difference(below) | {node}


def _describe(
    problem: Problem, groups: dict[int, Ints], splits: Mapping[int, Split]
) -> dict[int, Node]:
    """The nodes that hold these groups of row ids, by node id; `splits` are those above them."""
    data = problem.data
    if not groups:
        return {}
    front = unsorted_frontier(list(groups.values()))
    if data.source is None:
        node_facts = compute_facts(data, front, problem.criterion)
    else:
        paths = [path_of(splits, node) for node in groups]
        node_facts = table_search(problem).facts(paths)
    nodes = make_nodes(data, front, list(groups), node_facts, problem.leaf_model)
    return dict(zip(groups, nodes, strict=True))


def is_in_subtree(node: int, top: int) -> bool:
    """True if `node` is in the subtree whose root is `top`."""
    return depth(node) >= depth(top) and node >> (depth(node) - depth(top)) == top


def check_node(tree: Tree, node: Any) -> None:
    """Raise LogError for a node that is not in the tree as people see it."""
    if not isinstance(node, int) or node not in tree.nodes:
        raise LogError(
            f"node {short_repr(node)} is not in the tree; it has {sorted(tree.nodes)[:20]}"
        )
    if node in tree.splits and is_later_part(tree.splits[node]):
        raise LogError(_part_message(tree, node, "ask for"))


def _part_message(tree: Tree | TreeDraft, node: int, act: str) -> str:
    """Message on a node that is a later part of a cut; `act` is what to do with the first part."""
    first = first_part_node(tree.splits, node)
    return f"node {node} belongs to the cut of node {first}; {act} that node"


def rows_in(tree: Tree, node: int) -> Ints:
    """Row ids of a node, ascending, whether the node is a leaf or not."""
    parts = [rows for leaf, rows in tree.rows.items() if is_in_subtree(leaf, node)]
    # a stable sort is fast here: it merges the parts, each of which is sorted
    return np.sort(np.concatenate(parts), kind="stable")


def split_gain(tree: Tree, node: int) -> float:
    """Gain of the split of a node: its impurity less the weighted impurity of its children.

    The first part of a multi-way cut has the gain of all its branches, the others gain nothing.
    """
    if is_later_part(tree.splits[node]):
        return 0.0
    parent = tree.nodes[node]
    children = [tree.nodes[child] for child in branch_nodes(tree.splits, node)]
    below = sum(child.weight * child.impurity for child in children) / parent.weight
    return max(parent.impurity - below, 0.0)


def weighted_decrease(tree: Tree, node: int, gain: float) -> float:
    """Impurity decrease of a gain in a node: the gain times the node's share of the weight."""
    return gain * tree.nodes[node].weight / tree.nodes[1].weight


def apply(tree: Tree, columns: NDArray[np.float64]) -> tuple[tuple[int, ...], Ints]:
    """Leaves of new rows: the ids of all nodes, and the position of each row's leaf in them."""
    table, root = tree.table, np.zeros(1, np.int64)
    return table.ids, descend(table.splits, table.children_left, None, columns, root)


def descend(
    splits: SplitColumns,
    children_left: Ints,
    split_index: Ints | None,
    columns: NDArray[np.float64],
    start: Ints,
) -> Ints:
    """Positions of the leaves that rows reach from the nodes at the positions `start`.

    `start` has one position for all n rows, or t n positions: those of the n rows for each of t
    trees. `children_left` has the position of each node's left child, -1 in a leaf; the right child
    has the next position. `split_index` has the index of each node's split; None: that of the node.
    """
    has_one_start, n = len(start) == 1, columns.shape[1]
    left_mask = left_mask_function(splits, columns)
    leaves = np.empty(n if has_one_start else len(start), np.int64)
    for first in range(0, len(leaves), ROWS_PER_BLOCK):
        entries = np.arange(first, min(first + ROWS_PER_BLOCK, len(leaves)))
        rows = entries if has_one_start else entries % n
        position = start if has_one_start else start.take(entries)
        child = children_left.take(position)
        while True:
            is_inner = child >= 0
            n_inner = np.count_nonzero(is_inner)
            # A few rows in leaves are carried along: to drop them would take longer.
            if n_inner < MIN_INNER_SHARE * len(position):
                leaves[entries] = position
                entries, position, child = (
                    array.compress(is_inner) for array in (entries, position, child)
                )
                rows = entries if has_one_start else rows.compress(is_inner)
            if not n_inner:
                break
            split_ids = position if split_index is None else split_index.take(position)
            below = child + ~left_mask(rows, split_ids)  # the right child is the next one
            position = below if n_inner == len(position) else np.where(is_inner, below, position)
            child = children_left.take(position)
    return leaves


def predict(tree: Tree, columns: NDArray[np.float64]) -> Floats:
    """Predictions for new rows, columns (M, n) -> (n,): class codes or numbers."""
    _, position = apply(tree, columns)
    params = tree.params.take(position, axis=0)
    return tree.leaf_model.predict(params, columns, np.arange(columns.shape[1]))


def leaf_probabilities(data: Dataset, tree: Tree, columns: NDArray[np.float64]) -> Floats:
    """Predicted share of each class for new rows, columns (M, n) -> (n, K)."""
    _, position = apply(tree, columns)
    if tree.leaf_model.proba is None:
        class_weights, weight = tree.weights_by_class
        if data.costs is not None:
            class_weights = class_weights / cost_factors(data.costs)
            weight = class_weights.sum(axis=1, keepdims=True)
        return np.asarray((class_weights / weight).take(position, axis=0))
    params = tree.params.take(position, axis=0)
    return tree.leaf_model.proba.predict(params, columns, np.arange(columns.shape[1]))


def decision_path(tree: Tree, row: NDArray[np.float64]) -> list[int]:
    """Node ids that one row, shape (M,), passes from the root to its leaf."""
    node_ids = [1]
    while (split := tree.splits.get(node_ids[-1])) is not None:
        left = bool(goes_left(split, row[:, None])[0])
        node_ids.append(2 * node_ids[-1] + (0 if left else 1))
    return node_ids


def region(data: Dataset, tree: Tree, node: int) -> Region:
    """The region of any node of the tree."""
    spans: dict[Projection, Span] = {}
    for k, child in pairwise([*ancestors(node), node]):
        split = tree.splits[k]
        spans[split.projection] = narrow_span(spans.get(split.projection), split, child % 2 == 0)
    return _region(data, tree, node, spans)


def regions(data: Dataset, tree: Tree) -> tuple[Region, ...]:
    """Regions of the leaves, from left to right."""
    leaf_regions, stack = [], list[tuple[int, dict[Projection, Span]]]([(1, {})])
    while stack:
        node, spans = stack.pop()
        split = tree.splits.get(node)
        if split is None:
            leaf_regions.append(_region(data, tree, node, spans))
            continue
        for left in (False, True):
            side = {split.projection: narrow_span(spans.get(split.projection), split, left)}
            stack.append((2 * node + (not left), spans | side))
    return tuple(leaf_regions)


def _region(data: Dataset, tree: Tree, node: int, spans: dict[Projection, Span]) -> Region:
    bounds = tuple(sorted(spans.items(), key=lambda bound: sort_key(bound[0])))
    feature_spans = {axis_of(projection): span for projection, span in bounds}
    box = (feature_spans.get(f, FULL_SPAN) for f in range(len(data.features)))
    lower, upper = zip(*box, strict=True)
    return Region(node, lower, upper, tree.nodes[node].value, bounds)


def class_shares(node: Node) -> tuple[float, ...]:
    """Share of each class in the weight of the node's rows, (K,)."""
    return tuple(part / node.weight for part in node.weight_by_class)


def shares_before_costs(data: Dataset, node: Node) -> tuple[float, ...]:
    """Share of each class in the weight of the node's rows before costs raise it, (K,)."""
    if data.costs is None:
        return class_shares(node)
    weights = np.array(node.weight_by_class) / cost_factors(data.costs)
    return tuple((weights / weights.sum()).tolist())


def prediction(data: Dataset, node: Node) -> Any:
    """Prediction of the node by one constant: a class as the data names it, or a number."""
    return data.classes[int(node.value)] if data.classes else node.value


class GrownLevel(NamedTuple):
    """The m nodes of a level that were searched together, k of which were split."""

    best: BestCuts  # best cut of each node
    split_mask: Bools  # nodes that were split, (m,)
    front: Frontier  # rows of the nodes in one ordering
    left_mask: Bools  # rows of `front` that go left, as `best_split.divide` gives them
    missing_left_mask: Bools  # nodes that send rows without a value left, (m,)
    open_mask: Bools  # children that the next level searches, (2 k,), all left ones first

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


def extend_by_growth(problem: Problem, tree: Tree, growth: Growth) -> Tree:
    """The tree after the levels of a growth that started from it, with lazy mappings."""
    return replace(
        tree,
        nodes=LazyMapping(partial(_nodes, problem, tree, growth)),
        splits=LazyMapping(partial(_splits, problem.projections, tree, growth)),
        threshold_neighbours=LazyMapping(partial(_threshold_neighbours, tree, growth)),
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
    # some splits are more than their projection, threshold and side: is-missing splits, whose
    # threshold is infinite, subsets of a category, splits with surrogates
    has_missing_splits = np.isinf(thresholds).any()
    for level, parents in growth:
        if has_missing_splits or level.best.named or level.best.fixed_splits:
            indices = np.flatnonzero(level.split_mask).tolist()
            for index, node in zip(indices, parents, strict=True):
                split = level.best.split(index, projections)._replace(missing=new[node].missing)
                new[node] = level.best.fixed_splits.get(index, split)
    return dict(tree.splits) | new


def _threshold_neighbours(tree: Tree, growth: Growth) -> dict[int, tuple[float, float]]:
    out = dict(tree.threshold_neighbours)
    for level, parents in growth:
        best, split_mask = level.best, level.split_mask
        lower, upper = best.lower[split_mask].tolist(), best.upper[split_mask].tolist()
        out.update(zip(parents, zip(lower, upper, strict=True), strict=True))
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
