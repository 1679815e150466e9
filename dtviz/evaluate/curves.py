"""Error along the values of one rule: on the training rows, on held-out rows, and K-fold.

The error is the mean loss: the share of wrong classes, the cost of mistakes a row, or the mean
squared error; or it is another of `measures.MEASURES`. Depth, number of leaves and alpha only
choose among the subtrees of one full tree, so that one full tree gives the whole curve. Leaf size
changes the splits, and needs a full tree for each value. A function that takes long is a generator
that yields the share that is done.

Source: Breiman et al. (1984) for the one-standard-error rule.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.progress import MANY_ROWS, Slices, run_to_end, scaled_progress
from dtviz.base.text import number
from dtviz.data.dataset import Dataset
from dtviz.data.tables import split_table
from dtviz.data.weights import split_by_mask
from dtviz.engine.grow import full_tree_in_slices
from dtviz.engine.problem import Problem
from dtviz.engine.prune import SMALLEST_ALPHA, alpha_path, prune_at_alpha
from dtviz.engine.rules import Rules, with_row_counts
from dtviz.engine.subtrees import (
    Nodes,
    connected_splits,
    height_of,
    meets_min_gain,
    splits_in_growing_order,
    splits_kept_by_rules,
)
from dtviz.evaluate.measures import (
    ERROR,
    ErrorMeasure,
    NodeLosses,
    mean_loss,
    node_losses_in_slices,
)
from dtviz.evaluate.metrics import folds

MAX_VALUES_PER_AXIS = 40
MAX_LARGE_TREES = 12  # values on the axis of leaf sizes, each with a tree of its own, of many rows
SPLIT_SIZES = (2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1_000)
"""Values of min_samples_split."""
GAIN_SHARES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Values of min_gain, as shares of the root's impurity."""
Number = int | float
RuleValue = Number | None
"""Value of a rule; None: no limit."""
SubtreeFunction = Callable[[Nodes, Rules, Sequence[RuleValue]], Bools]
"""Function of a full tree of m nodes, rules and K values: masks of splits that stay, (K, m)."""


@dataclass(frozen=True, slots=True)
class RuleAxis:
    """A rule whose values are compared."""

    name: str  # name of the axis in sessions and addresses
    rule: str  # name of the field of Rules
    small_is_simple: bool  # True if small values make small trees
    values: Callable[[Nodes, Rules], tuple[Number, ...]]
    """At most MAX_VALUES_PER_AXIS values at which the tree changes, and the value of the rules."""
    subtrees: SubtreeFunction
    """Computes the masks of the splits that the rules and each value of the axis leave."""
    one_tree: bool = True
    """True if the subtrees of one full tree serve all values; else each value has its own tree."""
    further_values: Callable[[int], Iterable[RuleValue]] = lambda n_values: ()
    """Further values for a slider, given the number of values that it has already."""
    order: str | None = None  # growing order that comes with a limit; None: that of the rules


def rules_at(rules: Rules, axis: RuleAxis, value: RuleValue) -> Rules:
    """The rules with another value of the axis; a limit of leaves sets the growing order too."""
    changed: dict[str, Any] = {axis.rule: value}
    order = rules.order if value is None else axis.order or rules.order
    return replace(rules, **changed, order=order)


def group_values(axis: RuleAxis, values: Sequence[RuleValue]) -> list[Sequence[RuleValue]]:
    """Divide the values into groups so that one full tree serves all values of a group."""
    return [values] if axis.one_tree else [(value,) for value in values]


def kept_splits(nodes: Nodes, rules: Rules) -> Bools:
    """Mask of the splits of a full tree that stay under all rules, pruning included, (m,)."""
    return prune_at_alpha(nodes, splits_kept_by_rules(nodes, rules), rules.ccp_alpha)


def rule_value_label(value: RuleValue) -> str:
    """The text of a value of a rule: '12', '0.05', 'no limit'."""
    if value is None:
        return "no limit"
    if value == SMALLEST_ALPHA:  # the alpha that prunes only splits without gain
        return "above 0"
    return f"{value:,}" if isinstance(value, int) else number(value, 3)


# --- the values -----------------------------------------------------------------------------------


def _depth_values(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    height = height_of(nodes, splits_kept_by_rules(nodes, replace(rules, max_depth=None)))
    return _thin_out(range(1, max(height, 1) + 1), rules.max_depth)


def _leaf_count_values(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    unlimited = splits_kept_by_rules(nodes, replace(rules, max_leaf_nodes=None))
    return _thin_out(range(2, max(int(unlimited.sum()) + 1, 2) + 1), rules.max_leaf_nodes)


def _leaf_size_values(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    n = int(nodes.n[0])  # a leaf size above n / 2 leaves no split
    current = int(with_row_counts(rules, n).min_samples_leaf)
    largest = max(n // 4, min(max(current, 10), n // 2), 1)
    max_values = MAX_VALUES_PER_AXIS if n <= MANY_ROWS else MAX_LARGE_TREES
    return _thin_out(range(1, largest + 1), current, max_values)


def _alpha_values(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    pruning_path = alpha_path(nodes, splits_kept_by_rules(nodes, rules))
    split_mask = kept_splits(nodes, rules)
    # The largest alpha whose subtree has at least as many leaves as the tree of the rules.
    current = pruning_path.alphas[pruning_path.leaves > split_mask.sum()][-1]
    return _thin_out(pruning_path.alphas.tolist(), float(current))


def _split_size_values(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    return tuple(n for n in SPLIT_SIZES if n <= max(int(nodes.n[0]), 2))


def _gain_values(nodes: Nodes, rules: Rules) -> tuple[Number, ...]:
    root = float(nodes.impurity[0])
    return tuple(share * root for share in GAIN_SHARES) if root else (0.0,)


def _thin_out(
    values: Sequence[Number], current: RuleValue, max_values: int | None = None
) -> tuple[Number, ...]:
    """Choose at most MAX_VALUES_PER_AXIS of the values, densely where the values matter most.

    The first value, the last and `current`, the value of the rules, always stay.
    """
    max_values = max_values or MAX_VALUES_PER_AXIS
    if len(values) <= max_values:
        return tuple(values)
    indices = np.unique(np.geomspace(1, len(values), max_values - 1).round().astype(int) - 1)
    if isinstance(values[-1], float):  # of alphas the large matter, of whole numbers the small
        indices = len(values) - 1 - indices
    chosen = {values[k] for k in indices.tolist()} | {values[0]}
    if current is not None and current in values:
        chosen.add(current)
    return tuple(sorted(chosen))


# --- the tree at each value -----------------------------------------------------------------------


def _node_rule_subtrees(
    rule: str, admits: Callable[[Nodes, Sequence[RuleValue]], Bools]
) -> SubtreeFunction:
    """Make the `subtrees` of an axis whose rule decides for each node alone if it may split.

    `admits` is the rule: a function that gives masks of the nodes that may split, (K, m).
    """
    defaults: dict[str, Any] = {rule: getattr(Rules(), rule), "max_leaf_nodes": None}

    def subtrees(nodes: Nodes, rules: Rules, values: Sequence[RuleValue]) -> Bools:
        unlimited = splits_kept_by_rules(nodes, replace(rules, **defaults))
        # a part of a multi-way cut stays where its cut does
        masks = connected_splits(nodes, unlimited & (admits(nodes, values) | nodes.is_later_part))
        if rules.max_leaf_nodes is not None:
            max_leaves = [rules.max_leaf_nodes] * len(values)
            masks &= _limit_leaves(nodes, unlimited, rules.growing_order, masks, max_leaves)
        return prune_at_alpha(nodes, masks, rules.ccp_alpha)

    return subtrees


def _subtrees_by_leaves(nodes: Nodes, rules: Rules, values: Sequence[RuleValue]) -> Bools:
    unlimited = splits_kept_by_rules(nodes, replace(rules, max_leaf_nodes=None))
    masks = np.tile(unlimited, (len(values), 1))
    return prune_at_alpha(
        nodes, _limit_leaves(nodes, unlimited, "best", masks, values), rules.ccp_alpha
    )


def _subtrees_by_alpha(nodes: Nodes, rules: Rules, values: Sequence[RuleValue]) -> Bools:
    return prune_at_alpha(nodes, splits_kept_by_rules(nodes, rules), np.array([values]).T)


def _limit_leaves(
    nodes: Nodes, unlimited: Bools, order: str, masks: Bools, max_leaves: Sequence[RuleValue]
) -> Bools:
    """Limit each of K masks, (K, m), to so many leaves: its first splits in growing order stay.

    `unlimited` is the mask of all splits without a limit of leaves, (m,).
    """
    indices = splits_in_growing_order(nodes, unlimited, order)
    max_splits = [len(indices) if leaves is None else leaves - 1 for leaves in max_leaves]
    n_splits, is_later_part = masks[:, indices].cumsum(axis=1), nodes.is_later_part[indices]
    # a cut stays as a whole: each of its parts counts as many splits as its last one
    ends = np.flatnonzero(~np.append(is_later_part[1:], False))
    last_parts = ends.take(np.searchsorted(ends, np.arange(len(indices))))
    limited = masks.copy()
    limited[:, indices] &= n_splits[:, last_parts] <= np.array(max_splits)[:, None]
    return limited


def _value_column(values: Sequence[RuleValue], none: float) -> Any:
    """The values as a column, (K, 1), with the number `none` in the place of None."""
    return np.array([[none if value is None else value] for value in values])


_DEPTH = RuleAxis(
    "depth", "max_depth", True, _depth_values,
    _node_rule_subtrees(
        "max_depth", lambda nodes, values: nodes.depth < _value_column(values, np.inf)
    ),
    further_values=lambda n_values: (*range(n_values + 1, 21), None),
)  # fmt: skip
_LEAVES = RuleAxis(
    "leaves", "max_leaf_nodes", True, _leaf_count_values, _subtrees_by_leaves,
    further_values=lambda n_values: (None,), order="best",
)  # fmt: skip
_LEAF_SIZE = RuleAxis(
    "leaf_size", "min_samples_leaf", False, _leaf_size_values,
    _node_rule_subtrees(
        # All nodes: the full tree of a value is grown with this leaf size.
        "min_samples_leaf", lambda nodes, values: np.ones((len(values), 1), np.bool_)
    ),
    one_tree=False,
)  # fmt: skip
_ALPHA = RuleAxis("alpha", "ccp_alpha", False, _alpha_values, _subtrees_by_alpha)
_SPLIT_SIZE = RuleAxis(
    "split_size", "min_samples_split", False, _split_size_values,
    _node_rule_subtrees(
        "min_samples_split", lambda nodes, values: nodes.n >= _value_column(values, 0)
    ),
)  # fmt: skip
_GAIN = RuleAxis(
    "gain", "min_gain", False, _gain_values,
    _node_rule_subtrees(
        "min_gain",
        lambda nodes, values: meets_min_gain(nodes.gain, nodes.impurity, _value_column(values, 0)),
    ),
)  # fmt: skip

AXES = {axis.name: axis for axis in (_DEPTH, _LEAVES, _LEAF_SIZE, _ALPHA)}
"""Every axis of the page's curve, by name."""
AXIS_OF = {axis.rule: axis for axis in (_DEPTH, _LEAF_SIZE, _SPLIT_SIZE, _LEAVES, _GAIN, _ALPHA)}
"""The axis of every rule that says where to stop, by rule, in the order of the sliders."""


GrowFullTree = Callable[[Rules], Nodes]
"""Grows the full tree of the rules."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Errors and sizes of the trees at K values of an axis."""

    axis: RuleAxis  # the rule that varies
    values: tuple[RuleValue, ...]  # K values of that rule
    training: Floats  # error on the training rows, (K,)
    held: Floats  # error on held-out rows, (K,), nan without such rows
    leaves: Ints  # number of leaves, (K,)
    height: Ints  # largest depth of a leaf, (K,)
    split_masks: Bools
    """Masks of the splits of the full tree that stay, (K, m); (0, 0) where each value has its own
    full tree."""


def errors(nodes: Nodes, split_masks: Bools, data: Dataset) -> Floats:
    """The error of each of K subtrees on the rows, (K,); `split_masks` has shape (K, m)."""
    return mean_loss(nodes, split_masks, losses_of_nodes(nodes, data)[0])


def curve_of_subtrees(
    nodes: Nodes,
    axis: RuleAxis,
    values: Sequence[RuleValue],
    split_masks: Bools,
    training_losses: NodeLosses,
    held_losses: NodeLosses,
) -> Curve:
    """The curve of K subtrees of one full tree, one a value, from `losses_of_nodes`."""
    return Curve(
        axis,
        tuple(values),
        mean_loss(nodes, split_masks, training_losses),
        mean_loss(nodes, split_masks, held_losses),
        split_masks.sum(axis=1) + 1,
        np.array([height_of(nodes, split_mask) for split_mask in split_masks]),
        split_masks,
    )


def losses_of_nodes(
    nodes: Nodes, data: Dataset | None, measure: ErrorMeasure = ERROR
) -> tuple[NodeLosses, Ints]:
    """The measure of the m nodes of a tree on rows, and the index of the leaf of each row, (n,)."""
    return run_to_end(node_losses_in_slices(nodes, data, measure))


def losses_on_both(
    nodes: Nodes, training: Dataset, held: Dataset | None, measure: ErrorMeasure = ERROR
) -> Slices[tuple[NodeLosses, NodeLosses]]:
    """The measure of the m nodes of a tree on the training rows and on the rows held out."""
    losses_of_training, _ = yield from node_losses_in_slices(nodes, training, measure)
    losses_of_held, _ = yield from node_losses_in_slices(nodes, held, measure)
    return losses_of_training, losses_of_held


def curve(
    grow: GrowFullTree,
    rules: Rules,
    axis: RuleAxis,
    training: Dataset,
    held: Dataset | None,
    known_losses: tuple[NodeLosses, NodeLosses] | None = None,
    measure: ErrorMeasure = ERROR,
) -> Generator[float, None, Curve]:
    """The curve of an axis, in slices; `grow` gives the full tree of the training rows.

    `known_losses` are those of this tree on both kinds of rows, see `losses_of_nodes`, if known.
    """
    values = axis.values(grow(rules), rules)
    value_groups = group_values(axis, values)
    parts: list[Curve] = []
    for index, group in enumerate(value_groups):
        low, high = (k / len(value_groups) for k in (index, index + 1))
        nodes = yield from scaled_progress(_grown(grow, rules, axis, group[0], training), low, high)
        if axis.one_tree and known_losses is not None:
            node_losses = known_losses
        else:
            node_losses = yield from scaled_progress(
                losses_on_both(nodes, training, held, measure), high, high
            )
        split_masks = axis.subtrees(nodes, rules, group)
        parts.append(curve_of_subtrees(nodes, axis, group, split_masks, *node_losses))
        yield high
    if axis.one_tree:
        return parts[0]
    names = ("training", "held", "leaves", "height")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Curve(axis, values, **joined, split_masks=np.zeros((0, 0), np.bool_))


def fold_errors(
    data: Dataset,
    rules: Rules,
    axis: RuleAxis,
    values: Sequence[RuleValue],
    k: int,
    seed: int = 0,
    measure: ErrorMeasure = ERROR,
) -> Generator[float, None, Floats]:
    """The error on each of k folds at each of K values of the axis, (k, K), in slices.

    The tree is grown on the rows of the other folds of `metrics.folds`. A fold that the measure
    cannot judge, as one class has no area under a ROC curve, is left out. Raises ValueError as that
    function does, or for a single row.
    """
    fold_rows, n_parts = [], min(k, data.n_grown)
    for fold_index, (others, fold) in enumerate(_parts_of_folds(data, k, seed)):
        errors_of_fold: list[Floats] = []
        for group in group_values(axis, values):
            done, n_values = sum(map(len, errors_of_fold)), len(values)
            low, high = (
                (fold_index + part / n_values) / n_parts for part in (done, done + len(group))
            )
            max_depth = None if axis.rule == "max_depth" else rules.max_depth
            problem = Problem(others, rules_at(rules, axis, group[0]))
            growing = full_tree_in_slices(problem, max_depth)
            nodes = yield from scaled_progress(growing, low, high)
            fold_losses, _ = yield from scaled_progress(
                node_losses_in_slices(nodes, fold, measure), high, high
            )
            masks = axis.subtrees(nodes, rules, group)
            errors_of_fold.append(mean_loss(nodes, masks, fold_losses))
            del nodes  # frees the memory of a tree of many rows before the next is grown
            yield high
        fold_rows.append(np.concatenate(errors_of_fold))
    if not fold_rows:
        raise ValueError(f"{data.n_grown} rows are too few for {k} folds; choose others")
    rows = np.array(fold_rows)
    return rows[~np.isnan(rows).any(axis=1)]


def folded_parts(data: Dataset, k: int, seed: int) -> list[tuple[Dataset, Dataset]]:
    """The datasets of each fold: all other rows, and the rows of the fold.

    Raises ValueError as `fold_errors` does.
    """
    return [*_parts_of_folds(data, k, seed)]


def _parts_of_folds(data: Dataset, k: int, seed: int) -> Iterator[tuple[Dataset, Dataset]]:
    """Generate the datasets of each fold, see `folded_parts`.

    Folds of a table in its engine are the remainders of the rows' hashes, see `row_hash`.
    """
    if data.source is None:
        yield from (split_by_mask(data, mask) for mask in fold_masks(data, k, seed))
        return
    for fold in range(k):
        others, rows = split_table(data, seed, partial(_is_in_fold, k, fold))
        if others.n_grown and rows.n_grown:  # few rows may leave a fold empty
            yield others, rows


def _is_in_fold(k: int, fold: int, hashes: Any) -> Any:
    """True for the rows whose hash leaves the remainder `fold`; of an array or a column."""
    return hashes % k == fold


def _grown(
    grow: GrowFullTree, rules: Rules, axis: RuleAxis, value: RuleValue, training: Dataset
) -> Slices[Nodes]:
    """The full tree of a value of an axis: the one of all values, or one of its own in slices."""
    rules = rules_at(rules, axis, value)
    if axis.one_tree:
        return grow(rules)
    return (yield from full_tree_in_slices(Problem(training, rules), rules.max_depth))


def fold_masks(data: Dataset, k: int, seed: int) -> list[Bools]:
    """The mask of the rows of each fold, (n,). Raises ValueError as `fold_errors` does."""
    fold_of = folds(data, k, seed)
    if data.n < 2:
        raise ValueError("K folds need at least two training rows; not 1")
    return [fold_of == fold for fold in range(int(fold_of.max()) + 1)]


def mean_and_error(errors_of_folds: Floats) -> tuple[Floats, Floats]:
    """The mean over k folds and its standard error, each (K,); `errors_of_folds` is (k, K)."""
    # Deviations are squared as shares of the largest error: squares of huge numbers overflow.
    largest = float(errors_of_folds.max(initial=0.0)) or 1.0
    deviation = (errors_of_folds / largest).std(axis=0, ddof=1)
    return errors_of_folds.mean(axis=0), largest * (deviation / np.sqrt(len(errors_of_folds)))


def index_of_best(axis: RuleAxis, mean: Floats) -> int:
    """The index of the least mean error; of equal errors, the index of the simplest tree."""
    return _simplest_index(axis, mean * (1 - ROUNDING) <= mean.min())


def one_standard_error(axis: RuleAxis, mean: Floats, error: Floats) -> int:
    """The index of the simplest tree with at most the least error plus its standard error.

    Source: Breiman et al. (1984).
    """
    lowest = index_of_best(axis, mean)
    return _simplest_index(axis, mean * (1 - ROUNDING) <= mean[lowest] + error[lowest])


def _simplest_index(axis: RuleAxis, is_good: Bools) -> int:
    indices = np.flatnonzero(is_good)
    return int(indices[0] if axis.small_is_simple else indices[-1])
