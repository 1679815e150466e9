"""Many trees grown together, level by level; each equals the tree grown alone on its weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Slices, scaled_progress
from dtviz.data.dataset import DataError, Dataset
from dtviz.engine.ensembles.trees import (
    RowBlocks,
    TreeArrays,
    member_batches,
    member_data,
    stack_rows,
)
from dtviz.engine.grow import (
    Stops,
    limit_tree,
    log_p_if_needed,
    majority_share,
    nodes_to_split,
    open_nodes,
    pure_children,
    stops_before_search,
)
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.multiway import Parts, continue_cuts, following_parts, renumber_parts
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.search.best_split import BestCuts, Draws, Keys, divide, keys_of, keys_of_children
from dtviz.engine.search.frontier import (
    Frontier,
    children,
    children_of_entries,
    keep_first_ordering,
    keep_nodes,
    one_ordering,
    root_frontier,
)
from dtviz.engine.search.histogram import MAX_EXACT_INTEGER
from dtviz.engine.splits import Projection, SplitColumns, Surrogate
from dtviz.engine.splitter import Splitter, projections_depend_on_rows

USUAL_HEIGHT = 8
"""Number of levels after which a batch is reported to be half done."""


def grow_together(
    data: Dataset,
    rules: Rules,
    weights: NDArray[Any],
    draws: Draws | None = None,
    seeds: Sequence[int] | None = None,
    targets: NDArray[Any] | None = None,
) -> Slices[TreeArrays]:
    """Grow a tree for each of T arrays of weights, (T, n); yields the share done.

    A row counts its weight times that of the dataset; 0 leaves the row out of a tree. Each member
    is the tree that `finish` grows on `TreeArrays.data_of` of the member. With `draws`, a member
    depends on its data and its seed alone, not on other members; the seeds, (T,), are 0, 1, ... by
    default. `targets`, (T, n), replace the target of each member. Raises DataError for invalid
    weights, or a member without rows; RulesError for a `max_p_value` with `draws`, since a node
    would not compare the cuts that the p-value counts.
    """
    if draws is not None and rules.max_p_value < 1:
        allowed = "1 for trees whose nodes draw features"
        message = f"`max_p_value` must be {allowed}; not {rules.max_p_value:g}"
        raise RulesError(message, "max_p_value", allowed)
    weights = np.array(weights)
    _check_weights(data, weights)
    keys = keys_of(range(len(weights)) if seeds is None else seeds)
    batches, n_done = list[_GrownBatch](), 0
    problem = Problem(data, rules)
    # an impurity with more sums a row counts as more projections: batches are smaller
    n_projections = len(problem.projections) * problem.criterion.impurity.work
    if draws is not None and draws.random_threshold:  # only lines that are drawn take memory
        n_projections = min(draws.max_features or n_projections, n_projections)
    # the rules that need a whole tree are applied afterwards, as a second half of the work
    growing_share = 1.0 if rules.max_leaf_nodes is None and not rules.ccp_alpha else 0.5
    for group in _uniform_groups(data, rules, weights):
        for batch in member_batches(weights[group], n_projections):
            member_ids = group[batch]
            batch_targets = None if targets is None else targets[member_ids]
            splitter, row_blocks = _batch_rows(problem, weights[member_ids], draws, batch_targets)
            shares = (growing_share * n / len(weights) for n in (n_done, n_done + len(member_ids)))
            growing = _BatchGrowth(splitter, member_ids).run(row_blocks.front, keys[member_ids])
            batches.append((yield from scaled_progress(growing, *shares)))
            n_done += len(member_ids)
    members = replace(_join_batches(data, rules, weights, batches), targets=targets)
    if growing_share < 1:
        members = yield from scaled_progress(_limit_members(members), growing_share, 1.0)
    return members


def _check_weights(data: Dataset, weights: NDArray[Any]) -> None:
    has_shape = weights.ndim == 2 and weights.shape[1] == data.n and len(weights)
    if not has_shape or weights.dtype.kind not in "biuf" or not np.all(np.isfinite(weights)):
        raise DataError(f"`weights` must be one line of {data.n} numbers for each tree")
    if (weights < 0).any() or not weights.any(axis=1).all():
        raise DataError("`weights` must be 0 or more, and more for at least one row of each tree")


def _uniform_groups(data: Dataset, rules: Rules, weights: NDArray[Any]) -> Iterator[Ints]:
    """Generate groups of members that one problem can serve: they agree in what the rules need.

    That are the number of rows, the total weight, and the rounding: either all members of a group
    have whole weights, whose sums are exact, or none of them has.
    """
    if len(weights) == 1:
        yield np.zeros(1, np.int64)
        return
    # shares in the rules become numbers that depend on a member's rows, or on their weight
    minima = (rules.min_samples_split, rules.min_samples_leaf)
    needs_n_rows = any(isinstance(minimum, float) for minimum in minima)
    needs_weight = bool(rules.min_weight_fraction_leaf or rules.min_impurity_decrease)
    row_weights = weights if data.weights is None else weights * data.weights
    total_weight = row_weights.sum(axis=1, dtype=np.float64)
    has_whole_weights = np.ones(len(row_weights), np.bool_)
    if row_weights.dtype.kind == "f":
        has_whole_weights = (row_weights == np.floor(row_weights)).all(axis=1)
    key: list[NDArray[Any]] = [has_whole_weights]
    if total_weight.sum() > MAX_EXACT_INTEGER or projections_depend_on_rows(rules):
        key.append(np.arange(len(row_weights)))  # each member alone
    key += [np.count_nonzero(row_weights, axis=1)] * needs_n_rows + [total_weight] * needs_weight
    # see `Problem.rows_per_weight`
    if rules.max_p_value < 1 and (data.costs is not None or not has_whole_weights.all()):
        key += [np.count_nonzero(row_weights, axis=1), total_weight]
    _, group_ids = np.unique(np.array(key), axis=1, return_inverse=True)
    for group in range(int(group_ids.max()) + 1):
        yield np.flatnonzero(group_ids.ravel() == group)


def _batch_rows(
    problem: Problem, weights: NDArray[Any], draws: Draws | None, targets: NDArray[Any] | None
) -> tuple[Splitter, RowBlocks]:
    """Splitter and row blocks of a batch of members from one group, by their weights, (B, n)."""
    data, is_single = problem.data, projections_depend_on_rows(problem.rules)
    if is_single or not (weights[0] == 1).all():
        first_member = member_data(data, weights[0], None if targets is None else targets[0])
        member = Problem(first_member, problem.rules)
    else:
        member = problem  # with all its rows and their weights, so that the minimum is the same
    if is_single:  # projections depend on the member's rows: the batch has no other member
        problem, data, weights, targets = member, member.data, np.ones((1, member.data.n)), None
    splitter, table = Splitter(problem, draws), problem.table
    # all members have the same rows: these need not be copied for each
    if splitter.needs_no_order and targets is None and (weights == 1).all():
        row_ids, sizes = np.arange(data.n), np.full(len(weights), data.n)
        rows = np.tile(row_ids, len(weights))
        return splitter, RowBlocks(data, table, one_ordering(rows, sizes), row_ids)
    orders = np.arange(data.n)[None] if splitter.needs_no_order else root_frontier(table).rows
    row_blocks = stack_rows(data, table, orders, weights, targets)
    blocks = problem.for_row_block(member, row_blocks.data, row_blocks.table, row_blocks.rows)
    return Splitter(blocks, draws), row_blocks


# --- one batch ------------------------------------------------------------------------------------


class _LevelSplits(NamedTuple):
    """The k nodes of a level that were split, with their splits: arrays (k,)."""

    parent: Ints  # node index
    left: Ints  # index of the left child
    line: Ints  # number of the split's projection
    threshold: Floats  # threshold of the split
    missing_left: Bools  # mask of the splits that send missing values left
    gain: Floats  # gain of the split
    weight: Floats  # weight of the node's rows


_NO_IDS = np.zeros(0, int)
_NO_NUMBERS = np.zeros(0)
NO_SPLIT = _LevelSplits(
    _NO_IDS, _NO_IDS, _NO_IDS, _NO_NUMBERS, np.zeros(0, np.bool_), _NO_NUMBERS, _NO_NUMBERS
)


class _GrownBatch(NamedTuple):
    """The members of a batch, grown; the first nodes are their roots."""

    member_ids: Ints  # numbers of the members among all
    n_nodes: int  # number of nodes of all members
    splits: _LevelSplits  # splits of all levels
    projections: Sequence[Projection]  # projections of the splits, by number
    surrogates: dict[int, tuple[Surrogate, ...]]  # surrogates by position of the split
    leaves: Ints  # node indices of the leaves, (L,)
    params: Floats  # parameters of the leaf models, (L, P)
    sums: NDArray[Any]  # class weights of the leaves, (L, K)


@dataclass(slots=True)
class _BatchGrowth:
    """The members of a batch while they grow."""

    splitter: Splitter  # finds the best splits
    member_ids: Ints  # numbers of the members among all
    n_nodes: int = 0  # number of nodes so far
    levels: list[_LevelSplits] = field(default_factory=list)  # splits of each level
    parts: Parts = field(default_factory=dict)  # splits that nodes of the next level must have
    leaves: list[tuple[Ints, Frontier]] = field(default_factory=list)  # node indices and rows
    projections: dict[Projection, int] = field(default_factory=dict)  # numbers of `add_splits`
    surrogates: dict[int, tuple[Surrogate, ...]] = field(default_factory=dict)  # by split

    def run(self, front: Frontier, keys: Keys) -> Slices[_GrownBatch]:
        """Grow all levels from the roots: the nodes of `front`, with their random keys."""
        problem, self.n_nodes = self.splitter.problem, len(self.member_ids)
        root_facts, indices = (
            compute_facts(problem.data, front, problem.criterion),
            np.arange(self.n_nodes),
        )
        depths = np.zeros(self.n_nodes, int)
        open_mask = open_nodes(self.stops(depths, root_facts.n, root_facts.pure, front))
        self.add_leaves(indices, front, ~open_mask)
        front, indices, keys = keep_nodes(front, open_mask), indices[open_mask], keys[open_mask]
        depths = depths[open_mask]
        while len(indices):
            n_levels = len(self.levels)
            # the height is not known: the share rises ever more slowly, and never reaches 1
            shares = (levels / (levels + USUAL_HEIGHT) for levels in (n_levels, n_levels + 1))
            front, indices, keys, depths = yield from scaled_progress(
                self.grow_level(front, indices, keys, depths), *shares
            )
        return self.result()

    def stops(self, depths: Ints, n: Ints, pure: Bools, front: Frontier) -> Stops:
        """Stops that are known before the nodes of `front` are searched."""
        problem, rules = self.splitter.problem, self.splitter.problem.counted_rules
        node_facts = (
            compute_facts(problem.data, front, problem.criterion) if rules.purity < 1 else None
        )
        share = None if node_facts is None else majority_share(problem.data, node_facts)
        return stops_before_search(rules, depths, n, pure, share)

    def add_leaves(self, indices: Ints, front: Frontier, leaf_mask: Bools) -> None:
        """Add the nodes of the mask to the leaves."""
        if leaf_mask.any():
            self.leaves.append(
                (indices[leaf_mask], keep_nodes(keep_first_ordering(front), leaf_mask))
            )

    def grow_level(
        self, front: Frontier, indices: Ints, keys: Keys, depths: Ints
    ) -> Slices[tuple[Frontier, Ints, Keys, Ints]]:
        """Split the nodes of a level; returns the open children, their indices, keys and depths."""
        problem, rules = self.splitter.problem, self.splitter.problem.counted_rules
        best = yield from self.splitter.best_in_slices(front, keys)
        yield 1.0
        needs_impurity = rules.min_gain or rules.min_impurity_decrease
        node_facts = (
            compute_facts(problem.data, front, problem.criterion) if needs_impurity else None
        )
        impurity = None if node_facts is None else node_facts.impurity
        log_p = log_p_if_needed(problem, front, best)
        split_mask = nodes_to_split(rules, best, impurity, problem.weight, log_p)
        best = continue_cuts(best, self.parts)
        split_mask[[*self.parts]] = True
        child_parts = following_parts(best, split_mask)
        self.add_leaves(indices, front, ~split_mask)
        if not split_mask.any():
            return front, indices[:0], keys[:0], depths[:0]
        child, sizes = children_of_entries(front, divide(problem.table, front, best, problem.data))
        self.add_splits(best, split_mask, indices, self.splitter.missing_go_to_left(best, sizes))
        left, child_mask = self.levels[-1].left, np.tile(split_mask, 2)
        child_indices, first_order = np.concatenate([left, left + 1]), keep_first_ordering(front)
        depths = np.tile(depths[split_mask] + 1, 2)
        depths[[*child_parts]] -= 1  # all parts of a cut have one depth
        # such an impurity depends on more than the targets: a node may be pure for it though its
        # targets differ
        needs_facts = problem.criterion.impurity.take_rows is not None
        child_front = first_order
        if needs_facts or rules.purity < 1:
            child_front = children(first_order, child, sizes, child_mask)
        if needs_facts:
            pure = compute_facts(problem.data, child_front, problem.criterion).pure
        else:
            pure = pure_children(problem.data, front, child, sizes)[child_mask]
        open_mask = open_nodes(self.stops(depths, sizes[child_mask], pure, child_front))
        open_mask[[*child_parts]] = True
        self.parts = renumber_parts(child_parts, open_mask)
        leaf_mask = child_mask.copy()
        child_mask[child_mask], leaf_mask[leaf_mask] = open_mask, ~open_mask
        if leaf_mask.any():
            leaf_front = children(first_order, child, sizes, leaf_mask)
            self.leaves.append((child_indices[~open_mask], leaf_front))
        child_keys = keys_of_children(keys[split_mask])[open_mask]
        open_front = children(front, child, sizes, child_mask)
        return open_front, child_indices[open_mask], child_keys, depths[open_mask]

    def add_splits(
        self, best: BestCuts, split_mask: Bools, indices: Ints, missing_left: Bools
    ) -> None:
        """Add the best splits of the nodes of the mask, and the children of these nodes.

        Projections of splits that are no cut of a line are numbered after the lines, as they occur.
        """
        projections = self.splitter.problem.projections
        inner = np.flatnonzero(split_mask)
        n_splits = sum(len(level.parent) for level in self.levels)
        line, threshold, missing_left = best.line[inner], best.threshold[inner], missing_left[inner]
        # such a split is by is-missing, names categories, has surrogates or was proposed by a node
        is_no_cut = np.isinf(threshold) | np.isin(inner, [*best.named, *best.fixed_splits])
        for k in np.flatnonzero(is_no_cut).tolist():
            node = int(inner[k])
            split = best.split(node, projections)
            number = self.projections.setdefault(split.projection, len(self.projections))
            line[k], threshold[k] = len(projections) + number, split.threshold
            if node in best.fixed_splits:
                missing_left[k] = split.missing.left
            if split.missing.surrogates:
                self.surrogates[n_splits + k] = split.missing.surrogates
        left = self.n_nodes + 2 * np.arange(len(inner))
        self.n_nodes += 2 * len(inner)
        weight = best.weight[inner].astype(np.float64)
        columns = (indices[inner], left, line, threshold, missing_left, best.gain[inner], weight)
        self.levels.append(_LevelSplits(*columns))

    def result(self) -> _GrownBatch:
        """The grown members, with the leaf models of their leaves."""
        problem = self.splitter.problem
        splits = _LevelSplits(*map(np.concatenate, zip(NO_SPLIT, *self.levels, strict=True)))
        sizes = np.concatenate([front.sizes for _, front in self.leaves])
        rows = np.concatenate([front.rows[0] for _, front in self.leaves])
        leaves = one_ordering(rows, sizes)
        leaf_facts = compute_facts(problem.data, leaves, problem.criterion)
        params = problem.leaf_model.fit(problem.data, leaves, leaf_facts)
        leaf_indices = np.concatenate([indices for indices, _ in self.leaves])
        return _GrownBatch(
            self.member_ids,
            self.n_nodes,
            splits,
            (*problem.projections, *self.projections),
            self.surrogates,
            leaf_indices,
            params,
            leaf_facts.weight_by_class,
        )


# --- all batches ----------------------------------------------------------------------------------


def _join_batches(
    data: Dataset, rules: Rules, weights: NDArray[Any], batches: list[_GrownBatch]
) -> TreeArrays:
    """The members of all batches, with common numbers of nodes, splits and projections."""
    numbers = {projection: line for line, projection in enumerate(Problem(data, rules).projections)}
    n_nodes, node_start = sum(batch.n_nodes for batch in batches), 0
    roots, left = np.zeros(len(weights), int), np.full(n_nodes, -1)
    split_index, gain, weight = np.zeros(n_nodes, int), np.zeros(n_nodes), np.zeros(n_nodes)
    params = np.zeros((n_nodes, batches[0].params.shape[1]))
    sums = np.zeros((n_nodes, batches[0].sums.shape[1]))
    columns: list[tuple[Ints, Floats, Bools]] = []
    surrogates, split_start = dict[int, tuple[Surrogate, ...]](), 0
    for batch in batches:
        new = batch.splits
        inner, leaves = node_start + new.parent, node_start + batch.leaves
        roots[batch.member_ids] = node_start + np.arange(len(batch.member_ids))
        left[inner] = node_start + new.left
        gain[inner], weight[inner] = new.gain, new.weight
        split_index[inner] = split_start + np.arange(len(inner))
        params[leaves], sums[leaves] = batch.params, batch.sums
        renumbered = [
            numbers.setdefault(projection, len(numbers)) for projection in batch.projections
        ]
        line = np.array(renumbered, int).take(new.line)
        columns.append((line, new.threshold, new.missing_left))
        surrogates |= {split_start + k: of_split for k, of_split in batch.surrogates.items()}
        split_start, node_start = split_start + len(inner), node_start + batch.n_nodes
    line, threshold, missing_left = map(np.concatenate, zip(*columns, strict=True))
    splits = SplitColumns(tuple(numbers), line, threshold, missing_left, surrogates)
    return TreeArrays(
        data, rules, weights, roots, left, splits, split_index, gain, weight, params, sums
    )


def _limit_members(members: TreeArrays) -> Slices[TreeArrays]:
    """Prune each member by `max_leaf_nodes` and `ccp_alpha`."""
    names = ("left", "gain", "weight", "params", "sums")
    new = {name: getattr(members, name).copy() for name in names}
    for member in range(len(members)):
        tree, indices = limit_tree(members.rules, members.tree(member)), members.nodes_of(member)
        unsplit = [index for node, index in indices.items() if node not in tree.splits]
        new["left"][unsplit], new["gain"][unsplit], new["weight"][unsplit] = -1, 0.0, 0.0
        for leaf in tree.rows:
            index, node = indices[leaf], tree.nodes[leaf]
            new["params"][index], new["sums"][index] = node.params, node.weight_by_class
        yield (member + 1) / len(members)
    return replace(members, **new)
