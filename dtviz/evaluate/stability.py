"""Stability of a tree: trees of other rows, grown together, compared with the tree of all rows.

The tree of all rows is the full tree here. Places are further points at which trees are compared.
The change of another tree is the share of rows or places where it predicts another class than the
full tree, or the mean distance of its numbers from those of the full tree.

The module also computes the errors of an ensemble after each round, and the importance of its
features.

Source: Breiman, Bagging predictors (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.lazy import lazy_property
from dtviz.base.progress import Slices, scaled_progress
from dtviz.data.dataset import DataError, Dataset, Task, check_whole, rows_in_memory, take_rows
from dtviz.data.weights import weights_before_costs
from dtviz.engine.ensembles import Ensemble, member_values, predictions_of_scores, scores_by_round
from dtviz.engine.ensembles.ensemble import bootstrap_counts
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import (
    TreeArrays,
    member_data,
    predictions,
    root_split_numbers,
    tree_numbers,
)
from dtviz.engine.importance import share_by_feature
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import Split, feature_of, features_of
from dtviz.engine.splitter import relative_work
from dtviz.engine.subtrees import loss_of

MAX_ROWS_TOGETHER: dict[Task, int] = {"classification": 4_000_000, "regression": 1_000_000}
"""Limit of the rows of all trees together, with axis splits. It is lower for regression: where all
targets differ, a full tree has one leaf for each row."""
MAX_TREES_COMPARED = 500
MAX_PERCENT_LEFT_OUT = 50
PREDICTIONS_PER_SLICE = 1 << 19
Weights = NDArray[np.int16]
"""How often each of n rows counts in each of T trees, (T, n)."""


@dataclass(frozen=True, slots=True)
class StabilitySettings:
    """The settings by which the rows of other trees are drawn; raises ValueError."""

    way: str = "one"  # a name in ROW_SAMPLINGS
    percent: int = 10  # percentage of the rows that each tree leaves out
    trees: int = 100  # number of trees
    seed: int = 0  # seed of the draws
    shown: int | None = None  # number of the selected tree, or the id of the row that it leaves out

    def __post_init__(self) -> None:
        if self.way not in ROW_SAMPLINGS:
            raise ValueError(f"`way` must be one of {', '.join(ROW_SAMPLINGS)}; not {self.way!r}")
        check_whole("percent", self.percent, 1, MAX_PERCENT_LEFT_OUT)
        check_whole("trees", self.trees, 2, MAX_TREES_COMPARED)
        check_whole("seed", self.seed, 0, 10**9 - 1)
        if self.shown is not None:
            check_whole("shown", self.shown, 0, 10**9 - 1)


# --- which rows -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowSampling:
    """A way to choose the rows of other trees."""

    name: str  # name in addresses
    title: str  # name on the page
    weights: Callable[
        [Dataset, StabilitySettings, int], Weights
    ]  # draws the weights for a number of trees
    has_percent: bool = False  # True if the way uses `percent` of the settings
    is_random: bool = True  # True if the way uses `trees` and `seed` of the settings
    leaves_one_out: bool = False  # True if each tree leaves one row out


def _leave_one_out_weights(data: Dataset, settings: StabilitySettings, trees: int) -> Weights:
    row_ids = left_out_rows(data, settings.seed, trees)
    weights = np.ones((len(row_ids), data.n), np.int16)
    weights[np.arange(len(row_ids)), row_ids] = 0
    return weights


def left_out_rows(data: Dataset, seed: int, trees: int) -> Ints:
    """The ids of the rows that are left out one by one, one for each tree, ascending."""
    if trees == data.n:
        return np.arange(data.n)
    return np.sort(np.random.default_rng(seed).choice(data.n, trees, replace=False))


def _leave_some_out_weights(data: Dataset, settings: StabilitySettings, trees: int) -> Weights:
    weights = np.ones((trees, data.n), np.int16)
    for tree, row_weights in enumerate(weights):
        # Each tree has its own seed, so that its rows do not depend on the number of trees.
        random = np.random.default_rng([settings.seed, tree])
        row_weights[random.choice(data.n, n_left_out(data.n, settings), replace=False)] = 0
    return weights


def n_left_out(n: int, settings: StabilitySettings) -> int:
    """The number of rows, of n, that a tree leaves out: at least one, and not all."""
    return min(max(round(n * settings.percent / 100), 1), n - 1)


def _bootstrap_weights(data: Dataset, settings: StabilitySettings, trees: int) -> Weights:
    return bootstrap_counts(data.n, trees, settings.seed)


def max_rows_together(data: Dataset, rules: Rules) -> int:
    """The limit of rows of all trees together, smaller where the rules make growing slower."""
    return MAX_ROWS_TOGETHER[data.task] // relative_work(Problem(data, rules))


def n_trees_of(data: Dataset, rules: Rules, settings: StabilitySettings) -> int:
    """The number of trees to grow: that of the settings, or one a row, within the limit of rows."""
    n_trees = data.n if ROW_SAMPLINGS[settings.way].leaves_one_out else settings.trees
    return min(n_trees, max(max_rows_together(data, rules) // data.n, 2))


ROW_SAMPLINGS: dict[str, RowSampling] = {
    sampling.name: sampling
    for sampling in (
        RowSampling(
            "one", "Leave one out", _leave_one_out_weights, is_random=False, leaves_one_out=True
        ),
        RowSampling("some", "Leave k % out", _leave_some_out_weights, has_percent=True),
        RowSampling("resample", "Resample", _bootstrap_weights),
    )
}
"""Ways to choose rows by name; the first is the default."""


def has_selected_tree(data: Dataset, settings: StabilitySettings) -> bool:
    """True if a tree is selected that can exist for this data."""
    max_trees = max(MAX_ROWS_TOGETHER[data.task] // data.n, 2)
    n_numbers = (
        data.n if ROW_SAMPLINGS[settings.way].leaves_one_out else min(MAX_TREES_COMPARED, max_trees)
    )
    return settings.shown is not None and settings.shown < n_numbers and data.n > 1


def rows_of_selected(data: Dataset, settings: StabilitySettings) -> Dataset:
    """The rows of the selected tree with their weights. Raises DataError if there is no tree."""
    sampling, shown = ROW_SAMPLINGS[settings.way], settings.shown
    if shown is None or not has_selected_tree(data, settings):
        raise DataError(f"there is no tree {shown} of {data.n} rows; choose another", "shown")
    if sampling.leaves_one_out:
        return take_rows(data, np.arange(data.n) != shown)
    weights = sampling.weights(data, settings, shown + 1)[shown]
    return take_rows(data, weights > 0) if weights.max() <= 1 else member_data(data, weights)


# --- the trees ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StabilityTrees:
    """The full tree, T other trees, and how these differ from it."""

    members: TreeArrays  # all trees as arrays, the full tree first
    left_out_rows: Ints | None
    """Id of the row that each other tree leaves out, (T,); None unless each leaves one row out."""
    changes_over_rows: Floats  # weighted change of each other tree over the rows, (T,)
    changes_over_places: Floats  # change of each other tree over the places, (T,)
    changes_at_rows: Floats  # mean change of the other trees at each row, (n,)

    @lazy_property
    def tree_ids(self) -> Ints:
        """A number for each tree, (1 + T,): equal numbers where all splits are equal."""
        return tree_numbers(self.members)

    @lazy_property
    def root_ids(self) -> Ints:
        """A number for the split at each root, (1 + T,), see `root_split_numbers`."""
        return root_split_numbers(self.members)

    @property
    def splits(self) -> dict[int, Split]:
        """The splits of the full tree, by node id."""
        members = self.members
        nodes = members.nodes_of(0).items()
        return {node: members.split(index) for node, index in nodes if members.left[index] >= 0}

    def root(self, tree: int) -> Split | None:
        """The split at the root of a tree, None for a leaf."""
        index = int(self.members.root_indices[tree])
        return self.members.split(index) if self.members.left[index] >= 0 else None

    def number_of(self, tree: int) -> int:
        """The number on the page of another tree: the id of its left-out row, or 0, 1, 2, ..."""
        return tree - 1 if self.left_out_rows is None else int(self.left_out_rows[tree - 1])

    def index_of(self, number: int | None) -> int | None:
        """The index in `members` of the tree with a number on the page, if there is one."""
        if number is None:
            return None
        numbers = self.left_out_rows
        if numbers is None:
            numbers = np.arange(len(self.changes_over_rows))
        indices = np.flatnonzero(numbers == number)
        return 1 + int(indices[0]) if len(indices) else None


def root_key(split: Split | None) -> int | str | None:
    """Feature of a split, or its family where it has no one feature; None without a split."""
    if split is None:
        return None
    feature = feature_of(split.projection)
    return split.projection.family if feature is None else feature


def compare_trees(
    data: Dataset, rules: Rules, settings: StabilitySettings, places: Floats
) -> Slices[StabilityTrees]:
    """Grow the full tree and the other trees and compare them on the rows and p places, (M, p).

    Rows keep their weights: balanced class weights are those of all rows. Raises DataError.
    """
    data = rows_in_memory(data)
    sampling, trees = ROW_SAMPLINGS[settings.way], n_trees_of(data, rules, settings)
    weights = np.concatenate(
        [np.ones((1, data.n), np.int16), sampling.weights(data, settings, trees)]
    )
    members = yield from scaled_progress(grow_together(data, rules, weights), 0.0, 0.8)
    rows = left_out_rows(data, settings.seed, trees) if sampling.leaves_one_out else None
    weights_of_rows = weights_before_costs(data)
    shares = np.ones(data.n) if weights_of_rows is None else weights_of_rows
    shares = shares / shares.sum()
    row_change, tree_change = np.zeros(data.n), np.zeros((2, len(members)))
    columns = np.concatenate([data.columns, places], axis=1)
    full = predictions(members, columns, np.zeros(1, int))
    step = max(PREDICTIONS_PER_SLICE // columns.shape[1], 1)
    for first in range(0, len(members), step):
        block = np.arange(first, min(first + step, len(members)))
        predicted = predictions(members, columns, block)
        change = (predicted != full) if data.classes else np.abs(predicted - full)
        at_rows, at_places = change[:, : data.n], change[:, data.n :]
        tree_change[:, block] = at_rows @ shares, at_places.mean(axis=1)
        row_change += at_rows.sum(axis=0)
        yield 0.8 + 0.2 * (block[-1] + 1) / len(members)
    over_rows, over_places = tree_change[:, 1:]
    return StabilityTrees(
        members, rows, over_rows, over_places, row_change / max(len(members) - 1, 1)
    )


ROWS_PER_BLOCK = 5_000
"""Rows that are judged together, which bounds the memory for the predictions of all trees."""
TREES_PER_SLICE = 25


class RoundErrors(NamedTuple):
    """Errors after each of R rounds; NaN where no row is judged yet."""

    error: Floats  # mean loss, (R,)
    band: Floats  # standard error of the mean loss, (R,)
    weight: Floats  # weight of the rows that are judged, their number if rows have no weights, (R,)


def round_errors(
    ensemble: Ensemble, data: Dataset, masks: Sequence[Bools | None] = (None,)
) -> Slices[tuple[RoundErrors, ...]]:
    """The errors on the rows of `data` after each round, in slices; one result for each mask.

    A mask, (T, n), is True where a member predicts a row; None for all. Rows without a prediction
    yet are left out.
    """
    sums, sample_weight = np.zeros((len(masks), 5, ensemble.rounds)), weights_before_costs(data)
    # Losses in shares of the squared range of the targets: their squares do not overflow.
    scale = 1.0 if data.classes else float(np.ptp(data.y)) ** 2 or 1.0
    for first in range(0, data.n, ROWS_PER_BLOCK):
        rows = np.arange(first, min(first + ROWS_PER_BLOCK, data.n))
        block = take_rows(data, rows)
        weights = np.ones(len(rows)) if sample_weight is None else sample_weight[rows]
        predicted = np.empty((len(ensemble.members), len(rows)))
        n_slices = -(-len(predicted) // TREES_PER_SLICE)
        for trees in np.array_split(np.arange(len(predicted)), n_slices):
            predicted[trees] = member_values(ensemble, block.columns, trees)
            yield (first + 0.7 * len(rows) * trees[0] / len(predicted)) / data.n
        for mask_sums, mask in zip(sums, masks, strict=True):
            block_mask = None if mask is None else mask[:, rows]
            rounds = _losses_by_round(ensemble, block, predicted, block_mask)
            for index, (is_judged, losses) in enumerate(rounds):
                mask_sums[:, index] += _error_sums(losses / scale, weights * is_judged)
            yield (first + 0.8 * len(rows)) / data.n
    return tuple(_staged_errors(mask_sums, scale) for mask_sums in sums)


def _staged_errors(sums: Floats, scale: float) -> RoundErrors:
    """The errors and standard errors from the sums of `_error_sums` by round, (5, R)."""
    weight, loss, weight_squares, square_losses, square_square_losses = sums
    with np.errstate(invalid="ignore", divide="ignore"):  # where no row is judged yet
        mean = loss / weight
        variance = square_square_losses - 2 * mean * square_losses + mean**2 * weight_squares
        band = np.sqrt(np.maximum(variance, 0.0)) / weight
    return RoundErrors(mean * scale, band * scale, weight)


def _losses_by_round(
    ensemble: Ensemble, data: Dataset, predicted: Floats, mask: Bools | None
) -> Iterator[tuple[Bools, Floats]]:
    """After each round the mask of the rows that are judged, and the losses, (n,) each."""
    is_judged = np.ones(data.n, np.bool_) if mask is None else np.zeros(data.n, np.bool_)
    ends = np.flatnonzero(np.append(np.diff(ensemble.round_of_member), 1))
    first = 0
    for scores, end in zip(scores_by_round(ensemble, predicted, mask), ends.tolist(), strict=True):
        if mask is not None:
            is_judged |= mask[first : end + 1].any(axis=0)
            first = end + 1
        loss, answers = np.zeros(data.n), predictions_of_scores(ensemble, scores)
        loss[is_judged] = loss_of(data, data.y[is_judged], answers[is_judged])
        yield is_judged, loss


def _error_sums(losses: Floats, weights: Floats) -> Floats:
    """The five sums over rows from which the mean loss and its standard error follow."""
    squares = np.square(weights)
    return np.array(
        [
            weights.sum(),
            weights @ losses,
            squares.sum(),
            squares @ losses,
            squares @ np.square(losses),
        ]
    )


def out_of_bag(ensemble: Ensemble) -> Bools | None:
    """Mask of the rows that each member was grown without, (T, n); None if there are none."""
    mask = ensemble.members.weights == 0
    return mask if mask.any() else None


def impurity_importances(ensemble: Ensemble) -> Floats:
    """Impurity importance of each feature, (M,), as scikit-learn computes it; the sum is 1.

    Trees count by their factor; where predictions are parts of a sum, by the gains of their splits.
    """
    members, n_features = ensemble.members, len(ensemble.data.features)
    member = _member_of_nodes(members.root_indices, members.left)
    split = np.flatnonzero((members.left >= 0) & (member >= 0))
    root_weight = members.weight.take(members.root_indices)
    gain = members.gain[split] * members.weight[split] / root_weight.take(member[split])
    projection_of_split = members.splits.line.take(members.split_index[split])
    cut, feature, part = share_by_feature(members.splits.projections, projection_of_split)
    cell = member[split[cut]] * n_features + feature
    by_member = np.bincount(cell, gain[cut] * part, len(members) * n_features)
    by_member = by_member.reshape(-1, n_features)
    if not ensemble.combiner.is_sum:
        total = by_member.sum(axis=1, keepdims=True)
        by_member = np.divide(by_member, total, out=np.zeros(by_member.shape), where=total > 0)
        by_member *= ensemble.member_factor[:, None]
    importance = by_member.sum(axis=0)
    return np.asarray(importance / importance.sum() if importance.sum() > 0 else importance)


def _member_of_nodes(roots: Ints, left: Ints) -> Ints:
    """The member of each node, (m,); -1 for nodes that no root leads to."""
    member = np.full(len(left), -1)
    member[roots] = np.arange(len(roots))
    level = roots[left[roots] >= 0]
    while len(level):
        children = left[level]
        member[children] = member[children + 1] = member[level]
        level = np.concatenate([children, children + 1])
        level = level[left[level] >= 0]
    return member


def permutation_importances(
    ensemble: Ensemble, data: Dataset, orders: Ints, mask: Bools | None = None
) -> Slices[Floats]:
    """Permutation importance: rise of the mean loss once a column is permuted, (M, P), in slices.

    `orders`, (M, P, r), are P permutations of the r rows for each feature; `mask` is one
    of the masks of `round_errors`.
    """
    n_features, repeats, _ = orders.shape
    members, unpermuted = ensemble.members, member_values(ensemble, data.columns)
    before = _final_error(ensemble, data, unpermuted, mask)
    importance = np.zeros((n_features, repeats))
    member = _member_of_nodes(members.root_indices, members.left)
    line, split = np.full(len(member), -1), members.left >= 0
    line[split] = members.splits.line.take(members.split_index[split])
    for feature in range(n_features):
        in_projection = [feature in features_of(each) for each in members.splits.projections]
        in_node = np.isin(line, np.flatnonzero(in_projection))
        # Only members that use the feature predict anew.
        users = np.unique(member[in_node & (member >= 0)])
        for repeat, order in enumerate(orders[feature]):
            columns = data.columns.copy()
            columns[feature] = columns[feature, order]
            predicted = unpermuted.copy()
            predicted[users] = member_values(ensemble, columns, users)
            after = _final_error(ensemble, data, predicted, mask)
            is_same = abs(after - before) <= ROUNDING * max(after, before)
            importance[feature, repeat] = 0.0 if is_same else after - before
            yield (feature + (repeat + 1) / repeats) / n_features
    return importance


def _final_error(ensemble: Ensemble, data: Dataset, predicted: Floats, mask: Bools | None) -> float:
    """The mean loss after the last round."""
    *_, (is_judged, losses) = _losses_by_round(ensemble, data, predicted, mask)
    sample_weight = weights_before_costs(data)
    weights = is_judged * (1.0 if sample_weight is None else sample_weight)
    return float(losses @ weights / weights.sum())
