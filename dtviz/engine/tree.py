"""A tree is the fold of its moves.

Glossary
    move       `Grow(node, split)` turns a leaf into a node with two children,
               `Collapse(node)` turns a node back into a leaf (a prune)
    log        the moves so far, in order; undo drops the last
    node id    the root is 1, the children of k are 2k (left) and 2k + 1 (right)
    depth      edges from the root; height of a tree: the largest depth of any node
    region     R_j, the box of leaf j: lower < x <= upper in every feature
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.lazy import Late, once
from dtviz.base.progress import pause
from dtviz.base.text import shown
from dtviz.data.dataset import Dataset, locked
from dtviz.data.weights import raised
from dtviz.engine.leaves.leaf_models import LeafModel
from dtviz.engine.leaves.node_facts import Facts, facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.frontier import Frontier, unsorted
from dtviz.engine.splits import (
    EVERYWHERE,
    Projection,
    Span,
    Split,
    Splits,
    answers,
    axis_of,
    family_of,
    goes_left,
    narrowed,
    order_of,
    score,
    splits_of,
)
from dtviz.engine.splitter import settled

BLOCK = 1 << 17
"""Rows that go down together: each of their columns takes 1 MB."""
INNER_SHARE = 0.8
"""Share of rows still in inner nodes, below which those in leaves are sorted out."""


class LogError(ValueError):
    """A move that the tree before it does not allow; `index` is its place in the log."""

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index


class Grow(NamedTuple):
    """Split the leaf `node`."""

    node: int
    split: Split


class Collapse(NamedTuple):
    """Make `node` a leaf again; automatic growth leaves it alone from then on."""

    node: int


Move = Grow | Collapse
Log = tuple[Move, ...]


class Weighed(NamedTuple):
    """What the rows of a node weigh, in all and by class."""

    total: float
    sums: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """What is known of the rows in one node; `counts` is empty for regression.

    `n` and `counts` are rows. `params` are those of the tree's leaf model, were the node a leaf.
    `weighed` is None where rows have no weights.
    """

    id: int
    n: int
    counts: tuple[int, ...]
    params: tuple[float, ...]
    impurity: float
    pure: bool
    weighed: Weighed | None = None

    @property
    def weight(self) -> float:
        """What the rows weigh: their number, where they have no weights."""
        return self.n if self.weighed is None else self.weighed.total

    @property
    def sums(self) -> tuple[float, ...]:
        """What the rows of each class weigh."""
        return self.counts if self.weighed is None else self.weighed.sums

    @property
    def value(self) -> float:
        """What the node predicts as a whole: the index of a class, or a number."""
        return self.params[0]


class NodeTable(NamedTuple):
    """Columns of the m nodes of a tree, by place.

    The place of a node is its number by ascending id, so that siblings stand side by side.
    """

    ids: tuple[int, ...]
    splits: Splits
    """Splits, (m,); of a leaf any."""
    left: Ints
    """Place of the left child, (m,); -1 in a leaf."""


@dataclass(frozen=True)
class Tree:
    """Nodes by id; the splits of those that have one; the row numbers of each leaf.

    `gaps` holds, for each split, the largest score that goes left and the smallest that goes right.
    None of it can be changed; a `Draft` can.
    """

    nodes: Mapping[int, Node]
    splits: Mapping[int, Split]
    gaps: Mapping[int, tuple[float, float]]
    rows: Mapping[int, Ints]
    leaf_model: LeafModel
    pruned: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if isinstance(self.rows, dict):
            object.__setattr__(self, "rows", {k: locked(rows) for k, rows in self.rows.items()})
        for name in ("nodes", "splits", "gaps", "rows"):
            if isinstance(known := getattr(self, name), dict):
                object.__setattr__(self, name, MappingProxyType(known))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made of plain dicts."""
        parts = (dict(part) for part in (self.nodes, self.splits, self.gaps, self.rows))
        return Tree, (*parts, self.leaf_model, self.pruned)

    @once
    def table(self) -> NodeTable:
        """The nodes as columns."""
        ids = sorted((*self.splits, *self.rows))
        place = {node: at for at, node in enumerate(ids)}
        left = locked(np.array([place.get(2 * node, -1) for node in ids], np.int64))
        unasked = next(iter(self.splits.values()), None)
        splits = splits_of(self.splits.get(node, unasked) for node in ids if unasked)
        return NodeTable(tuple(ids), splits, left)

    @once
    def params(self) -> Floats:
        """Params of every node by its place in `table`, (m, P)."""
        return locked(np.array([self.nodes[node].params for node in self.table.ids]))

    @once
    def sums(self) -> tuple[Floats, Floats]:
        """Weight of the rows of each class, (m, K), and of all rows, (m, 1), by place."""
        nodes = [self.nodes[node] for node in self.table.ids]
        whole = np.array([node.weight for node in nodes], np.float64)
        sums = np.array([node.sums for node in nodes], np.float64)
        return locked(sums), locked(whole[:, None])


@dataclass(slots=True)
class Draft:
    """A tree that is being built: the same fields, in dicts of its own."""

    nodes: dict[int, Node]
    splits: dict[int, Split]
    gaps: dict[int, tuple[float, float]]
    rows: dict[int, Ints]
    leaf_model: LeafModel
    pruned: frozenset[int]

    def finished(self) -> Tree:
        """The tree; the draft is used up."""
        return Tree(self.nodes, self.splits, self.gaps, self.rows, self.leaf_model, self.pruned)


@dataclass(frozen=True, slots=True)
class Region:
    """R_j: low < score <= high for each of `bounds`, ordered by family, then projection.

    `lower < x <= upper` is the box that those say of single features: (M,) tuples, infinite where
    unbounded.
    """

    node: int
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    value: float
    bounds: tuple[tuple[Projection, Span], ...]


def depth(node: int) -> int:
    """Edges from the root."""
    return node.bit_length() - 1


def preorder(node: int) -> str:
    """A key that sorts ids as the recursive algorithm meets them: node, left part, right part."""
    return f"{node:b}"


def ancestors(node: int) -> list[int]:
    """The ids from the root down to the node's parent."""
    return [node >> k for k in range(depth(node), 0, -1)]


def leaf_ids(tree: Tree) -> list[int]:
    """The leaves from left to right."""
    return sorted(tree.rows, key=preorder)


def height(tree: Tree) -> int:
    """The largest depth of any node."""
    return max(depth(node) for node in tree.nodes)


def make_nodes(
    data: Dataset, front: Frontier, ids: Sequence[int], known: Facts, model: LeafModel
) -> Iterator[Node]:
    """One Node for each node of the frontier, of which the facts are known."""
    counts, params = _tuples(known.counts), _tuples(model.fit(data, front, known))
    weighed: Iterable[Weighed | None] = [None] * len(ids)
    if known.weight is not known.n:
        weighed = map(Weighed, known.weight.tolist(), _tuples(known.sums))
    columns = (known.n, known.impurity, known.pure)
    for node, count, param, own, n, impurity, pure in zip(
        ids, counts, params, weighed, *(column.tolist() for column in columns), strict=True
    ):
        yield Node(node, n, count, param, impurity, pure, own)


def _tuples(table: NDArray[Any]) -> Iterable[tuple[Any, ...]]:
    """The lines of a table as tuples; column by column, so that no list of each line is made."""
    return zip(*table.T.tolist(), strict=True) if table.shape[1] else [()] * len(table)


def stump(problem: Problem) -> Tree:
    """The tree before any move: the root alone."""
    return fold(problem, ())


def fold(problem: Problem, log: Log) -> Tree:
    """The tree that the moves build; raises LogError at the first move that is not possible."""
    rows = np.arange(problem.data.n)
    model = problem.leaf_model
    known = Late(partial(_describe, problem, {1: rows}))
    root = Tree(known, {}, {}, {1: rows}, model)
    if not log:
        return root
    tree, error = replay(problem, root, log)
    if error is not None:
        raise error
    return tree


def extend(problem: Problem, tree: Tree, move: Move) -> Tree:
    """The tree after one more move; the tree given is left as it was. Raises LogError."""
    after, error = replay(problem, tree, (move,))
    if error is not None:
        raise error
    return after


def draft_of(tree: Tree) -> Draft:
    """A draft that begins with what the tree has."""
    own = dict(tree.nodes), dict(tree.splits), dict(tree.gaps), dict(tree.rows)
    return Draft(*own, tree.leaf_model, tree.pruned)


def replay(problem: Problem, tree: Tree, log: Log) -> tuple[Tree, LogError | None]:
    """The tree after as many of the moves as are possible, and why the next is not.

    The rows are handed down move by move; what is known of them is summed up once, at the end.
    """
    after = draft_of(tree)
    added: dict[int, Ints] = {}
    stopped = None
    for index, move in enumerate(log):
        pause()
        try:
            added |= _moved(problem, after, move)
        except LogError as error:
            stopped = LogError(str(error), index)
            break
    inside = [node for node in added if node in after.splits or node in after.rows]
    known = after.nodes | _describe(problem, {node: added[node] for node in inside})
    after.nodes = {k: node for k, node in known.items() if k in after.splits or k in after.rows}
    return after.finished(), stopped


def _moved(problem: Problem, tree: Draft, move: Move) -> dict[int, Ints]:
    """The rows of the nodes that are new; the draft is changed, but for its nodes."""
    match move:
        case Grow(node, split):
            return _grow(problem, tree, node, split)
        case Collapse(node):
            _collapse(tree, node)
            return {}


def _grow(problem: Problem, tree: Draft, node: int, split: Split) -> dict[int, Ints]:
    data = problem.data
    if node not in tree.rows:
        raise LogError(f"node {shown(node)} is no leaf of the tree; only a leaf can be split")
    refusal = family_of(split.projection).problem(split.projection, data)
    if refusal:
        raise LogError(refusal)
    rows = tree.rows[node]
    split = settled(problem, rows, split)
    scores = score(split.projection, data.columns, rows)
    left = goes_left(split, data.columns, rows)
    if left.all() or not left.any():
        raise LogError(f"the split at node {node} leaves one side empty; choose a cut inside it")
    known = left & ~np.isnan(scores), ~left & ~np.isnan(scores)
    below, above = (scores[of] for of in known)
    tree.gaps[node] = (float(below.max(initial=-np.inf)), float(above.min(initial=np.inf)))
    tree.splits[node] = split
    del tree.rows[node]
    added = {2 * node: rows[left], 2 * node + 1: rows[~left]}
    tree.rows.update(added)
    tree.pruned -= {node}
    return added


def _collapse(tree: Draft, node: int) -> None:
    if node not in tree.splits:
        raise LogError(
            f"node {shown(node)} has no split; only a node with a split can be collapsed"
        )
    below, gathered = [2 * node, 2 * node + 1], []
    for k in below:
        if k in tree.splits:
            below += [2 * k, 2 * k + 1]
        else:
            gathered.append(tree.rows.pop(k))
    tree.rows[node] = np.sort(np.concatenate(gathered))
    for k in (*below, node):
        tree.splits.pop(k, None)
        tree.gaps.pop(k, None)
    tree.pruned = tree.pruned.difference(below) | {node}


def _describe(problem: Problem, members: dict[int, Ints]) -> dict[int, Node]:
    """What is known of each group of rows, by node id."""
    data = problem.data
    if not members:
        return {}
    ids, together = list(members), unsorted(list(members.values()))
    known = facts(data, together, problem.criterion)
    nodes = make_nodes(data, together, ids, known, problem.leaf_model)
    return dict(zip(ids, nodes, strict=True))


def is_below(node: int, top: int) -> bool:
    """Whether `node` is `top` or lies under it."""
    return depth(node) >= depth(top) and node >> (depth(node) - depth(top)) == top


def rows_in(tree: Tree, node: int) -> Ints:
    """The row numbers of a node, in order, leaf or not."""
    parts = [rows for leaf, rows in tree.rows.items() if is_below(leaf, node)]
    return np.sort(np.concatenate(parts), kind="stable")  # one sorted run a leaf


def gain(tree: Tree, node: int) -> float:
    """The gain of the split a node has: its impurity less the weighted impurity of its children."""
    parent, left, right = (tree.nodes[k] for k in (node, 2 * node, 2 * node + 1))
    below = (left.weight * left.impurity + right.weight * right.impurity) / parent.weight
    return max(parent.impurity - below, 0.0)


def decrease(tree: Tree, node: int, gain: float) -> float:
    """The impurity decrease of a gain there: the gain by the node's share of the weight."""
    return gain * tree.nodes[node].weight / tree.nodes[1].weight


def apply(tree: Tree, columns: NDArray[np.float64]) -> tuple[tuple[int, ...], Ints]:
    """Where new rows end: the ids of all nodes, and for each row the place of its leaf in them."""
    table, root = tree.table, np.zeros(1, np.int64)
    return table.ids, walked(table.splits, table.left, None, columns, root)


def walked(
    splits: Splits, left: Ints, cut: Ints | None, columns: NDArray[np.float64], at: Ints
) -> Ints:
    """The places of the leaves that rows reach from the places `at`, the rows again and again.

    From one place all rows go down. By place: `left` is that of a left child, the right one stands
    behind it, below 0 in a leaf; `cut` is the number of a node's split, the place by default.
    """
    single, many = len(at) == 1, columns.shape[1]
    left_mask, out = answers(splits, columns), np.empty(many if single else len(at), np.int64)
    for first in range(0, len(out), BLOCK):
        entries = np.arange(first, min(first + BLOCK, len(out)))
        rows = entries if single else entries % many
        here = at if single else at.take(entries)
        child = left.take(here)
        while True:
            inner = child >= 0
            count = np.count_nonzero(inner)
            # Rows in leaves are carried along until they are many: to sort them out costs more.
            if count < INNER_SHARE * len(here):
                out[entries] = here
                entries, here, child = (of.compress(inner) for of in (entries, here, child))
                rows = entries if single else rows.compress(inner)
            if not count:
                break
            below = child + ~left_mask(rows, here if cut is None else cut.take(here))
            here = below if count == len(here) else np.where(inner, below, here)
            child = left.take(here)
    return out


def predict(tree: Tree, columns: NDArray[np.float64]) -> Floats:
    """What the tree predicts of new rows, columns (M, n) -> (n,): class codes or numbers."""
    _, place = apply(tree, columns)
    params = tree.params.take(place, axis=0)
    return tree.leaf_model.predict(params, columns, np.arange(columns.shape[1]))


def shares(data: Dataset, tree: Tree, columns: NDArray[np.float64]) -> Floats:
    """The share of each class that the tree tells of new rows, columns (M, n) -> (n, K)."""
    _, place = apply(tree, columns)
    if tree.leaf_model.proba is None:
        sums, whole = tree.sums
        if data.costs is not None:
            sums = sums / raised(data.costs)
            whole = sums.sum(axis=1, keepdims=True)
        return np.asarray((sums / whole).take(place, axis=0))
    params = tree.params.take(place, axis=0)
    return tree.leaf_model.proba.of(params, columns, np.arange(columns.shape[1]))


def path(tree: Tree, row: NDArray[np.float64]) -> list[int]:
    """The node ids that one row, shape (M,), passes from the root to its leaf."""
    passed = [1]
    while (split := tree.splits.get(passed[-1])) is not None:
        left = bool(goes_left(split, row[:, None])[0])
        passed.append(2 * passed[-1] + (0 if left else 1))
    return passed


def region(data: Dataset, tree: Tree, node: int) -> Region:
    """The region of any node of the tree."""
    spans: dict[Projection, Span] = {}
    for k, child in pairwise([*ancestors(node), node]):
        split = tree.splits[k]
        spans[split.projection] = narrowed(spans.get(split.projection), split, child % 2 == 0)
    return _region(data, tree, node, spans)


def regions(data: Dataset, tree: Tree) -> tuple[Region, ...]:
    """R_1 ... R_J, from left to right."""
    found, waiting = [], list[tuple[int, dict[Projection, Span]]]([(1, {})])
    while waiting:
        node, spans = waiting.pop()
        split = tree.splits.get(node)
        if split is None:
            found.append(_region(data, tree, node, spans))
            continue
        for left in (False, True):
            side = {split.projection: narrowed(spans.get(split.projection), split, left)}
            waiting.append((2 * node + (not left), spans | side))
    return tuple(found)


def _region(data: Dataset, tree: Tree, node: int, spans: dict[Projection, Span]) -> Region:
    bounds = tuple(sorted(spans.items(), key=lambda one: order_of(one[0])))
    along = {axis_of(one): span for one, span in bounds}
    box = (along.get(f, EVERYWHERE) for f in range(len(data.features)))
    lower, upper = zip(*box, strict=True)
    return Region(node, lower, upper, tree.nodes[node].value, bounds)


def class_shares(node: Node) -> tuple[float, ...]:
    """The share of each class among the node's rows."""
    return tuple(part / node.weight for part in node.sums)


def own_shares(data: Dataset, node: Node) -> tuple[float, ...]:
    """The share of each class among the node's rows by their own weights, not raised by costs."""
    if data.costs is None:
        return class_shares(node)
    own = np.array(node.sums) / raised(data.costs)
    return tuple((own / own.sum()).tolist())


def prediction(data: Dataset, node: Node) -> Any:
    """What the node predicts as a whole: a class as it stands in the data, or a number."""
    return data.classes[int(node.value)] if data.classes else node.value
