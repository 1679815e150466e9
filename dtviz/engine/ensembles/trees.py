"""Many trees on the rows of one dataset, their nodes as arrays.

A member is one of the trees, by number. A node index is the position of a node among the nodes of
all members; a right child comes directly after the left. A row block has the rows of one member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from dtviz.engine.splits import LEFT, RIGHT, MissingDirection, Split, SplitColumns
from dtviz.engine.tree import Grow, Log, Tree, descend, fold

MAX_CELLS = 1 << 19
"""Rows times projections of members that are grown together: so few fit the processor's cache."""


class RowBlocks(NamedTuple):
    """Row blocks of some members, one below the other: N rows."""

    data: Dataset  # features of the rows
    table: Dataset  # projections of the rows that are searched, as columns
    front: Frontier  # one node for each block
    rows: Ints  # ids of the rows in the dataset of all members, (N,)


def member_data(
    data: Dataset, weights: NDArray[Any], targets: NDArray[Any] | None = None
) -> Dataset:
    """Rows that a member is grown on: those with a positive weight, (n,). Raises DataError.

    The weights are multiplied by those of the dataset. `targets`, (n,), replace its target.
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
    """Row blocks of members by their weights, (B, n).

    `table` has the projections of `data` as columns; `orders`, (L, n), are orders of its rows,
    which each block keeps. `targets`, (B, n), replace the target of each member.
    """
    in_tree = weights > 0
    row_ids = np.flatnonzero(in_tree) % data.n
    position = in_tree.ravel().cumsum() - 1
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
    """Generate the numbers of members that are grown together, one member or more at a time.

    A batch has about `max_cells` rows times projections.
    """
    rows_so_far = np.count_nonzero(weights, axis=1).cumsum()
    batch = (rows_so_far - 1) * max(n_projections, 2) // max_cells
    yield from np.split(np.arange(len(rows_so_far)), np.flatnonzero(np.diff(batch)) + 1)


def _row_weights(data: Dataset, weights: NDArray[Any]) -> NDArray[np.float64]:
    products = np.asarray(weights, np.float64)
    return products if data.weights is None else products * data.weights


def _block_data(
    data: Dataset, row_ids: Ints, y: NDArray[Any], weights: NDArray[np.float64]
) -> Dataset:
    training = replace(data, validation=None, test=None, notes=())
    return replace(
        training,
        columns=training.columns.take(row_ids, axis=1),
        y=y,
        weights=None if (weights == 1).all() else weights,  # plain counts cost less
    )


MAX_ROWS_WALKED = 1 << 14
"""Rows times trees that `leaf_indices` walks down together."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeArrays:
    """T trees with m nodes in all, as arrays by node index."""

    data: Dataset  # the n rows that all members share
    rules: Rules  # the rules that each member is grown by
    weights: NDArray[Any]  # weight of each row in each member, (T, n); 0: not in the member
    root_indices: Ints  # index of each member's root, (T,)
    left: Ints  # index of the left child, (m,), the right one is the next; -1 in a leaf
    splits: SplitColumns  # splits of the inner nodes
    split_index: Ints  # position of the node's split in `splits`, (m,); any in a leaf
    gain: Floats  # gain of the split, (m,); 0 in a leaf
    weight: Floats  # weight of the rows of an inner node, (m,); 0 in a leaf
    params: Floats  # parameters of the leaf model, (m, P); 0 in an inner node
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
        out, stack = dict[int, int](), [(1, int(self.root_indices[member]))]
        for node, index in stack:
            out[node] = index
            left = int(self.left[index])
            if left >= 0:
                stack += [(2 * node, left), (2 * node + 1, left + 1)]
        return out

    def log(self, member: int) -> Log:
        """Moves that grow a member, parents before their children."""
        nodes = self.nodes_of(member).items()
        return tuple(
            Grow(node, self.split(index)) for node, index in nodes if self.left[index] >= 0
        )

    def tree(self, member: int) -> Tree:
        """A member as a tree with node facts; its rows are those of `data_of`."""
        return fold(Problem(self.data_of(member), self.rules), self.log(member))

    def split(self, index: int) -> Split:
        """Split of the node with that index."""
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
    rows, roots = (
        columns.shape[1],
        members.root_indices if member_ids is None else members.root_indices[member_ids],
    )
    out = np.empty((len(roots), rows), int)
    step = max(MAX_ROWS_WALKED // max(rows, 1), 1)
    for first in range(0, len(roots), step):
        batch = roots[first : first + step]
        leaves = descend(
            members.splits, members.left, members.split_index, columns, batch.repeat(rows)
        )
        out[first : first + step] = leaves.reshape(-1, rows)
    return out


def predictions(members: TreeArrays, columns: Floats, member_ids: Ints | None = None) -> Floats:
    """Predictions of members (all by default): (M, r) -> class codes or numbers, (T, r)."""
    leaves = leaf_indices(members, columns, member_ids)
    rows = np.tile(np.arange(columns.shape[1]), len(leaves))
    model = Problem(members.data, members.rules).leaf_model
    values = model.predict(members.params.take(leaves.ravel(), axis=0), columns, rows)
    return np.asarray(values.reshape(leaves.shape))


def concatenate_trees(parts: Sequence[TreeArrays]) -> TreeArrays:
    """The members of all parts in one; the parts were grown on the same rows by the same rules."""
    first = parts[0]
    node_starts = np.cumsum([0, *(len(part.left) for part in parts)])
    split_starts = np.cumsum([0, *(len(part.splits.line) for part in parts)])
    same_projections = all(part.splits.projections == first.splits.projections for part in parts)
    sizes = (0 if same_projections else len(part.splits.projections) for part in parts)
    projection_starts = np.cumsum([0, *sizes])

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    def moved(column: Callable[[TreeArrays], Ints], starts: Ints) -> Ints:
        pairs = zip(parts, starts, strict=False)
        return np.concatenate([column(part) + start for part, start in pairs])

    left = moved(lambda part: part.left, node_starts)
    left[joined("left") < 0] = -1
    splits = [part.splits for part in parts]
    surrogates = (
        {int(start) + k: stand_ins for k, stand_ins in x.surrogates.items()}
        for x, start in zip(splits, split_starts, strict=False)
    )
    return TreeArrays(
        data=first.data,
        rules=first.rules,
        weights=joined("weights"),
        root_indices=moved(lambda part: part.root_indices, node_starts),
        left=left,
        splits=SplitColumns(
            tuple(
                chain.from_iterable(
                    x.projections for x in splits[: 1 if same_projections else None]
                )
            ),
            moved(lambda part: part.splits.line, projection_starts),
            np.concatenate([x.threshold for x in splits]),
            np.concatenate(
                [np.zeros(0, np.bool_), *(x.left for x in splits if x.left is not None)]
            ),
            dict(chain.from_iterable(mapping.items() for mapping in surrogates)),
        ),
        split_index=moved(lambda part: part.split_index, split_starts),
        gain=joined("gain"),
        weight=joined("weight"),
        params=joined("params"),
        sums=joined("sums"),
        targets=None if first.targets is None else joined("targets"),
    )


ROOT_PATH = 0
"""Path number of the roots."""


@dataclass(frozen=True, slots=True, eq=False)
class SharedPaths:
    """Paths that the trees share: equal numbers of two nodes mean equal splits and sides above.

    A fork is a split at the end of a path. Forks are numbered from the roots down.
    """

    path: Ints  # path number of each node, (m,): ROOT_PATH of a root, or one of `paths_below(fork)`
    fork: Ints  # fork number of each node, (m,); -1 in a leaf
    node_of_fork: Ints  # index of a node of each fork, (F,)


def paths_below(fork: Any) -> tuple[Any, Any]:
    """Path numbers on the left and on the right side of a fork, by its number; or of many forks."""
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
        examples, group = _unique(pairs)
        fork[parents] = n_forks + group
        left = members.left.take(parents)
        path[left], path[left + 1] = paths_below(fork.take(parents))
        nodes.append(parents.take(examples))
        n_forks += len(examples)
    return SharedPaths(path, fork, np.concatenate(nodes) if nodes else np.zeros(0, int))


def tree_numbers(members: TreeArrays) -> Ints:
    """Number of each member's tree, (T,): equal where all splits are; predictions may differ."""
    split_numbers, subtree = _split_numbers(members), np.zeros(len(members.left), int)
    for indices in reversed([*indices_by_depth(members)]):
        parents = indices[members.left.take(indices) >= 0]
        left = members.left.take(parents)
        split = split_numbers.take(members.split_index.take(parents))
        _, group = _unique(np.stack([split, subtree.take(left), subtree.take(left + 1)], axis=1))
        subtree[parents] = 1 + group
    return subtree.take(members.root_indices)


def root_split_numbers(members: TreeArrays) -> Ints:
    """Number of the split at each root, (T,): equal where the splits are; -1 for a single leaf."""
    is_split = members.left.take(members.root_indices) >= 0
    out = np.full(len(members), -1)
    out[is_split] = _split_numbers(members).take(
        members.split_index.take(members.root_indices[is_split])
    )
    return out


def indices_by_depth(members: TreeArrays) -> Iterator[Ints]:
    """Generate the indices of all nodes of each depth, from the roots on."""
    indices = members.root_indices
    while len(indices):
        yield indices
        left = members.left.take(indices)
        left = left[left >= 0]
        indices = np.concatenate([left, left + 1])


def _split_numbers(members: TreeArrays) -> Ints:
    """Number of each of the K splits, (K,): equal where the splits are."""
    splits, numbers = members.splits, dict[object, int]()
    projection_numbers = np.array(
        [numbers.setdefault(projection, len(numbers)) for projection in splits.projections], int
    )
    missing_left, surrogate_number = (
        np.zeros(len(splits.line), np.bool_),
        np.zeros(len(splits.line)),
    )
    if splits.left is not None and any(members.data.gaps):
        missing_left = splits.left
    for k, surrogates in splits.surrogates.items():
        surrogate_number[k] = numbers.setdefault(surrogates, len(numbers))
    columns = [
        projection_numbers.take(splits.line),
        splits.threshold,
        missing_left,
        surrogate_number,
    ]
    return _unique(np.stack([column.astype(np.float64) for column in columns], axis=1))[1]


def _unique(rows: NDArray[Any]) -> tuple[Ints, Ints]:
    """Index of the first of each group of equal rows, and group number of each row."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_first = np.append(
        np.ones(min(len(ordered), 1), np.bool_), (ordered[1:] != ordered[:-1]).any(axis=1)
    )
    group = np.empty(len(rows), int)
    group[order] = is_first.cumsum() - 1
    return order[is_first], group
