"""Many trees on the rows of one dataset, their nodes as arrays.

A member is one of the trees; a parameter `member` is its number. A node index is the position of a
node among the nodes of all members; a right child comes directly after the left child. A row block
has the rows of one member.

Letters in shapes: n rows and M features of the dataset, T members, m nodes of all members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.data.dataset import Dataset, lock_array, lock_arrays, take_rows
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.frontier import Frontier, starts_of
from dtviz.engine.splits import (
    LEFT,
    RIGHT,
    CutPart,
    MissingDirection,
    Projection,
    Split,
    SplitColumns,
    Surrogate,
    is_later_part,
)
from dtviz.engine.tree import Grow, Log, Tree, descend, fold, split_gain

MAX_CELLS = 1 << 19
"""Rows times projections of members that are grown together: so many fit the processor's cache."""


class RowBlocks(NamedTuple):
    """Row blocks of some members, one below the other: N rows."""

    data: Dataset  # features of the rows
    table: Dataset  # projections that are searched, as columns; `data` itself if these are features
    front: Frontier  # frontier of the roots: one node for each block
    rows: Ints  # ids of the rows in the dataset of all members, (N,)


def member_data(
    data: Dataset, weights: NDArray[Any], targets: NDArray[Any] | None = None
) -> Dataset:
    """Rows that a member is grown on: those with a positive weight, (n,).

    The weights are multiplied by those of the dataset. `targets`, (n,), replace the target of the
    dataset. Raises DataError where no weight is positive.
    """
    in_tree = weights > 0
    member = replace(take_rows(data, in_tree), weights=_row_weights(data, weights)[in_tree])
    return member if targets is None else replace(member, y=targets[in_tree])


def stack_rows(
    data: Dataset,
    table: Dataset,
    orders: Ints,
    weights: NDArray[Any],
    targets: NDArray[Any] | None = None,
) -> RowBlocks:
    """Row blocks of B members by the weights of their rows, (B, n).

    `table` has L projections of `data` as columns. `orders`, (L, n), are its row ids sorted by each
    projection: the rows of each block are in the same order. `targets`, (B, n), replace the targets
    of the members.
    """
    in_tree = weights > 0  # its cells are the pairs of a member and a row, member by member
    row_ids = np.flatnonzero(in_tree) % data.n
    position = in_tree.ravel().cumsum() - 1  # of each cell among the rows of all blocks
    first_cells = (np.arange(len(in_tree)) * data.n)[:, None]
    sorted_rows = []
    for order in orders:
        cells = (first_cells + order).ravel()
        sorted_rows.append(position.take(cells.compress(in_tree.ravel().take(cells))))
    sizes = in_tree.sum(axis=1)
    front = Frontier(np.array(sorted_rows), starts_of(sizes), sizes, len(row_ids))
    row_weights = _row_weights(data, weights)[in_tree]
    y = data.y.take(row_ids) if targets is None else targets[in_tree]
    datasets = (data,) if table is data else (data, table)
    blocks = [_block_data(dataset, row_ids, y, row_weights) for dataset in datasets]
    return RowBlocks(blocks[0], blocks[-1], front, row_ids)


def member_batches(
    weights: NDArray[Any], n_projections: int = 1, max_cells: int = MAX_CELLS
) -> Iterator[Ints]:
    """Yield batches of members that are grown together: the numbers of one member or more.

    A batch has about `max_cells` rows times projections. `weights`, (T, n), are those of the rows.
    """
    rows_up_to = np.count_nonzero(weights, axis=1).cumsum()
    batch = (rows_up_to - 1) * max(n_projections, 2) // max_cells
    yield from np.split(np.arange(len(rows_up_to)), np.flatnonzero(np.diff(batch)) + 1)


def _row_weights(data: Dataset, weights: NDArray[Any]) -> NDArray[np.float64]:
    """Weights of members times those of the dataset."""
    products = np.asarray(weights, np.float64)
    return products if data.weights is None else products * data.weights


def _block_data(
    data: Dataset, row_ids: Ints, y: NDArray[Any], weights: NDArray[np.float64]
) -> Dataset:
    """Dataset of the rows of all blocks, with these targets and weights."""
    training = replace(data, validation=None, test=None, notes=())
    return replace(
        training,
        columns=training.columns.take(row_ids, axis=1),
        y=y,
        weights=None if (weights == 1).all() else weights,  # plain counts cost less
    )


MAX_ROWS_DESCENDING = 1 << 14
"""Rows times trees that `leaf_indices` sends down together."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeArrays:
    """T trees with m nodes in all, as arrays by node index; they cannot be written to."""

    data: Dataset  # the n rows that all members share
    rules: Rules  # the rules that each member is grown by
    weights: NDArray[Any]  # weight of each row in each member, (T, n); 0: not in the member
    root_indices: Ints  # index of each member's root, (T,)
    left: Ints  # index of the left child, (m,), the right one is the next; -1 in a leaf
    splits: SplitColumns  # splits of the inner nodes
    split_index: Ints  # index of the node's split in `splits`, (m,); any in a leaf
    gain: Floats  # gain of the split, (m,); 0 in a leaf
    weight: Floats  # weight of the rows of an inner node, (m,); 0 in a leaf
    params: Floats  # params of the leaf model, (m, P); 0 in an inner node
    sums: NDArray[Any]  # class weights of a leaf, (m, K), K = 0 for regression; 0 in an inner node
    targets: NDArray[Any] | None = None  # targets of each member, (T, n); None: those of `data`

    def __post_init__(self) -> None:
        lock_arrays(self)
        splits = self.splits
        read_only_splits = SplitColumns(
            splits.projections,
            lock_array(splits.line),
            lock_array(splits.threshold),
            None if splits.left is None else lock_array(splits.left),
            MappingProxyType(dict(splits.surrogates)),
        )
        object.__setattr__(self, "splits", read_only_splits)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the parts of a copy or pickle, with a dict: a mapping proxy cannot be pickled."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["splits"] = self.splits._replace(surrogates=dict(self.splits.surrogates))
        return TreeArrays, tuple(values.values())

    def __len__(self) -> int:
        return len(self.root_indices)

    def data_of(self, member: int) -> Dataset:
        """Rows that a member was grown on, with their weights."""
        targets = None if self.targets is None else self.targets[member]
        return member_data(self.data, self.weights[member], targets)

    def nodes_of(self, member: int) -> dict[int, int]:
        """Node indices of a member by node id, parents before their children."""
        indices, queue = dict[int, int](), [(1, int(self.root_indices[member]))]
        for node, index in queue:  # which grows while it is read
            indices[node] = index
            left = int(self.left[index])
            if left >= 0:
                queue += [(2 * node, left), (2 * node + 1, left + 1)]
        return indices

    def log(self, member: int) -> Log:
        """Moves that grow a member, parents before their children."""
        nodes = self.nodes_of(member).items()
        splits = ((node, self.split(index)) for node, index in nodes if self.left[index] >= 0)
        return tuple(Grow(node, split) for node, split in splits if not is_later_part(split))

    def tree(self, member: int) -> Tree:
        """A member as a tree with node facts; its rows are those of `data_of`."""
        return fold(Problem(self.data_of(member), self.rules), self.log(member))

    def split(self, index: int) -> Split:
        """Split of the inner node with a node index."""
        splits, k = self.splits, int(self.split_index[index])
        missing_left = splits.left is not None and bool(splits.left[k])
        surrogates = splits.surrogates.get(k)
        missing = (
            (RIGHT, LEFT)[missing_left]
            if surrogates is None
            else MissingDirection(missing_left, surrogates)
        )
        return Split(splits.projections[splits.line[k]], float(splits.threshold[k]), missing)


def leaf_indices(members: TreeArrays, columns: Floats, member_ids: Ints | None = None) -> Ints:
    """Node index of each row's leaf in each of the members (all by default): (M, r) -> (T, r)."""
    n_rows, roots = (
        columns.shape[1],
        members.root_indices if member_ids is None else members.root_indices[member_ids],
    )
    indices = np.empty((len(roots), n_rows), int)
    step = max(MAX_ROWS_DESCENDING // max(n_rows, 1), 1)
    for first in range(0, len(roots), step):
        batch = roots[first : first + step]
        leaves = descend(
            members.splits, members.left, members.split_index, columns, batch.repeat(n_rows)
        )
        indices[first : first + step] = leaves.reshape(-1, n_rows)
    return indices


def predictions(members: TreeArrays, columns: Floats, member_ids: Ints | None = None) -> Floats:
    """Predictions of members (all by default): (M, r) -> class codes or numbers, (T, r)."""
    leaves = leaf_indices(members, columns, member_ids)
    rows = np.tile(np.arange(columns.shape[1]), len(leaves))
    model = Problem(members.data, members.rules).leaf_model
    values = model.predict(members.params.take(leaves.ravel(), axis=0), columns, rows)
    return np.asarray(values.reshape(leaves.shape))


def concatenate_trees(parts: Sequence[TreeArrays]) -> TreeArrays:
    """Join the members of all parts; the parts were grown on the same rows by the same rules."""
    first = parts[0]
    node_starts = np.cumsum([0, *(len(part.left) for part in parts)])
    split_starts = np.cumsum([0, *(len(part.splits.line) for part in parts)])
    same_projections = all(part.splits.projections == first.splits.projections for part in parts)
    sizes = (0 if same_projections else len(part.splits.projections) for part in parts)
    projection_starts = np.cumsum([0, *sizes])

    def concatenate(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    def shift(indices_of: Callable[[TreeArrays], Ints], starts: Ints) -> Ints:
        """Concatenate the indices of all parts, each plus the start of its part."""
        pairs = zip(parts, starts, strict=False)  # the last start is the end of the last part
        return np.concatenate([indices_of(part) + start for part, start in pairs])

    left = shift(lambda part: part.left, node_starts)
    left[concatenate("left") < 0] = -1
    splits = [part.splits for part in parts]
    surrogates = (
        {int(start) + k: stand_ins for k, stand_ins in columns.surrogates.items()}
        for columns, start in zip(splits, split_starts, strict=False)
    )
    return TreeArrays(
        data=first.data,
        rules=first.rules,
        weights=concatenate("weights"),
        root_indices=shift(lambda part: part.root_indices, node_starts),
        left=left,
        splits=SplitColumns(
            tuple(
                chain.from_iterable(
                    columns.projections for columns in splits[: 1 if same_projections else None]
                )
            ),
            shift(lambda part: part.splits.line, projection_starts),
            np.concatenate([columns.threshold for columns in splits]),
            np.concatenate(
                [np.zeros(0, np.bool_), *(x.left for x in splits if x.left is not None)]
            ),
            dict(chain.from_iterable(mapping.items() for mapping in surrogates)),
        ),
        split_index=shift(lambda part: part.split_index, split_starts),
        gain=concatenate("gain"),
        weight=concatenate("weight"),
        params=concatenate("params"),
        sums=concatenate("sums"),
        targets=None if first.targets is None else concatenate("targets"),
    )


def arrays_of_trees(
    data: Dataset, rules: Rules, weights: NDArray[Any], trees: Iterable[Tree]
) -> TreeArrays:
    """Trees as arrays; each was grown on the rows of `data` with its weights, (T, n)."""
    projections = dict[Projection, int]()
    roots, splits = list[int](), list[tuple[int, float, bool]]()
    nodes = list[tuple[int, int, float, float, Sequence[float], Sequence[float]]]()
    surrogates = dict[int, tuple[Surrogate, ...]]()
    for tree in trees:
        roots.append(len(nodes))
        order = [1]
        for node in order:  # which grows while it is read
            order += [2 * node, 2 * node + 1] if node in tree.splits else []
        index_of = {node: len(nodes) + k for k, node in enumerate(order)}
        for node in order:
            facts, split = tree.nodes[node], tree.splits.get(node)
            if split is None:
                nodes.append((-1, 0, 0.0, 0.0, facts.params, facts.weight_by_class))
                continue
            zeros = (0.0,) * len(facts.params), (0.0,) * len(facts.weight_by_class)
            gain, weight = split_gain(tree, node), float(facts.weight)
            nodes.append((index_of[2 * node], len(splits), gain, weight, *zeros))
            if split.missing.surrogates is not None:
                surrogates[len(splits)] = split.missing.surrogates
            projection_id = projections.setdefault(split.projection, len(projections))
            splits.append((projection_id, split.threshold, split.missing.left))
    line, threshold, missing_left = np.array(splits, np.float64).reshape(-1, 3).T
    columns = SplitColumns(
        tuple(projections), line.astype(int), threshold, missing_left.astype(bool), surrogates
    )
    node_arrays = map(np.array, zip(*nodes, strict=True))
    left, split_index, gains, weights_of_nodes, params, sums = node_arrays
    return TreeArrays(
        data,
        rules,
        weights,
        np.array(roots),
        left,
        columns,
        split_index,
        gains,
        weights_of_nodes,
        params.astype(np.float64),
        sums.astype(np.float64),
    )


ROOT_PATH = 0
"""Path number of the roots."""


@dataclass(frozen=True, slots=True, eq=False)
class SharedPaths:
    """Paths that the trees share: nodes with equal path numbers have equal splits and sides above.

    A fork is a split at the end of a path. Forks are numbered from the roots down.
    """

    path: Ints  # path number of each node, (m,): ROOT_PATH of a root, or one of `paths_below(fork)`
    fork: Ints  # fork number of each node, (m,); -1 in a leaf
    node_of_fork: Ints  # index of a node of each fork, (F,)


def paths_below(fork: Any) -> tuple[Any, Any]:
    """Path numbers on the left and on the right of a fork; `fork` is its number, or an array."""
    return 2 * fork + 1, 2 * fork + 2


def shared_paths(members: TreeArrays) -> SharedPaths:
    """Number the paths and forks of all nodes, level by level."""
    split_numbers = _split_numbers(members)
    path, fork = np.zeros(len(members.left), int), np.full(len(members.left), -1)
    nodes, n_forks = list[Ints](), 0
    for indices in indices_by_depth(members):
        parents = indices[members.left.take(indices) >= 0]
        pairs = np.stack(
            [path.take(parents), split_numbers.take(members.split_index.take(parents))], axis=1
        )
        first_rows, group = _unique_rows(pairs)
        fork[parents] = n_forks + group
        left = members.left.take(parents)
        path[left], path[left + 1] = paths_below(fork.take(parents))
        nodes.append(parents.take(first_rows))
        n_forks += len(first_rows)
    return SharedPaths(path, fork, np.concatenate(nodes) if nodes else np.zeros(0, int))


def tree_numbers(members: TreeArrays) -> Ints:
    """Number of each member's tree, (T,): trees with equal splits have equal numbers.

    Their predictions may differ.
    """
    # number of the subtree below each node, 0 for a leaf; equal ones of a depth have equal numbers
    split_numbers, subtree = _split_numbers(members), np.zeros(len(members.left), int)
    for indices in reversed([*indices_by_depth(members)]):
        parents = indices[members.left.take(indices) >= 0]
        left = members.left.take(parents)
        split = split_numbers.take(members.split_index.take(parents))
        triples = np.stack([split, subtree.take(left), subtree.take(left + 1)], axis=1)
        subtree[parents] = 1 + _unique_rows(triples)[1]
    return subtree.take(members.root_indices)


def root_split_numbers(members: TreeArrays) -> Ints:
    """Number of the split at each root, (T,): equal splits have equal numbers; -1 for a leaf."""
    is_split = members.left.take(members.root_indices) >= 0
    numbers = np.full(len(members), -1)
    numbers[is_split] = _split_numbers(members).take(
        members.split_index.take(members.root_indices[is_split])
    )
    return numbers


def indices_by_depth(members: TreeArrays) -> Iterator[Ints]:
    """Yield the indices of all nodes of each depth, from the roots on."""
    indices = members.root_indices
    while len(indices):
        yield indices
        left = members.left.take(indices)
        left = left[left >= 0]
        indices = np.concatenate([left, left + 1])


def _without_unused_default(data: Dataset, projection: Projection) -> Projection:
    """The projection; of a cut no row of which can go to a default branch, with the usual one."""
    if not isinstance(projection, CutPart) or data.gaps[projection.feature]:
        return projection
    has_all_values = len(projection.codes) == len(data.levels[projection.feature])
    return replace(projection, default=-1) if has_all_values else projection


def _split_numbers(members: TreeArrays) -> Ints:
    """Number of each of the K splits, (K,): equal splits have equal numbers."""
    splits, numbers = members.splits, dict[object, int]()  # of projections, and of surrogates
    projections = (_without_unused_default(members.data, each) for each in splits.projections)
    projection_numbers = np.array(
        [numbers.setdefault(projection, len(numbers)) for projection in projections], int
    )
    missing_left, surrogate_number = (
        np.zeros(len(splits.line), np.bool_),
        np.zeros(len(splits.line)),
    )
    if splits.left is not None and any(members.data.gaps):  # else no row takes that side
        missing_left = splits.left
    for k, surrogates in splits.surrogates.items():
        surrogate_number[k] = numbers.setdefault(surrogates, len(numbers))
    columns = [
        projection_numbers.take(splits.line),
        splits.threshold,
        missing_left,
        surrogate_number,
    ]
    return _unique_rows(np.stack([column.astype(np.float64) for column in columns], axis=1))[1]


def _unique_rows(rows: NDArray[Any]) -> tuple[Ints, Ints]:
    """Index of the first of each group of equal rows, and group number of each row."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_first = np.append(
        np.ones(min(len(ordered), 1), np.bool_), (ordered[1:] != ordered[:-1]).any(axis=1)
    )
    group = np.empty(len(rows), int)
    group[order] = is_first.cumsum() - 1
    return order[is_first], group
