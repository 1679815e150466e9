"""Importance of the features of one tree, and partial dependence of its predictions on them.

Partial dependence on a feature is the mean prediction of all rows with that feature set to a grid
value and the other features as they are [Friedman 2001, eq. 53].
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.progress import Slices
from dtviz.base.text import quoted
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.units import PLAIN
from dtviz.data.weights import weights_before_costs
from dtviz.engine.leaves.linear import regressors
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import ranges
from dtviz.engine.splits import Projection, Split, axis_of, feature_of, features_of, goes_left
from dtviz.engine.tree import (
    Tree,
    leaf_ids,
    leaf_probabilities,
    predict,
    split_gain,
    weighted_decrease,
)

MAX_CELLS = 4_000_000
"""Largest number of rows times grid values that are predicted; of more rows, some are chosen
evenly."""
STEP_FUNCTION_FACTOR = 10
"""Factor by which MAX_CELLS is larger for a step function, which is found in one walk."""
GRID_SIZE = 61
"""Evenly spaced grid values where the dependence is not a step function."""
CELLS_PER_BATCH = 1 << 21
"""Number of cells in the table of a batch of grid values: 16 MB."""


class PartialDependence(NamedTuple):
    """Partial dependence of the predictions on one feature."""

    feature: int  # number of the feature
    grid_values: Floats  # grid values of the feature, ascending, (P,)
    mean: Floats  # mean predictions at the grid values: class shares (P, K), or numbers (P, 1)
    n_rows: int  # number of rows that the means are taken over


def feature_importances(data: Dataset, tree: Tree) -> Floats:
    """Share of each feature in the impurity decrease of all splits, (M,); 0 without a split.

    As scikit-learn's `feature_importances_`; a split on several features is shared evenly between
    them.
    """
    decreases = np.array(
        [weighted_decrease(tree, node, split_gain(tree, node)) for node in tree.splits]
    )
    projections = [split.projection for split in tree.splits.values()]
    split_index, feature, share = share_by_feature(projections, np.arange(len(projections)))
    importances = np.bincount(feature, decreases[split_index] * share, len(data.features))
    return np.asarray(importances / importances.sum() if importances.sum() > 0 else importances)


def share_by_feature(
    projections: Sequence[Projection], projection_ids: Ints
) -> tuple[Ints, Ints, Floats]:
    """Share splits evenly between the features of their projections.

    projection_ids[i] is the index of the projection of split i. Returns columns: split index,
    feature, share of the feature in the split.
    """
    features_by_projection = [features_of(projection) for projection in projections]
    sizes = np.array([len(features) for features in features_by_projection], int)
    all_features = np.array([*chain.from_iterable(features_by_projection)], int)
    n_features = sizes.take(projection_ids)
    split_index = np.arange(len(projection_ids)).repeat(n_features)
    positions = ranges(starts_of(sizes).take(projection_ids), n_features)
    return split_index, all_features.take(positions), 1 / n_features[split_index]


def features_by_importance(data: Dataset, tree: Tree) -> list[int]:
    """Features on which a prediction of the tree may depend, the most important first."""
    features = {feature for split in tree.splits.values() for feature in _deciding_features(split)}
    if tree.leaf_model.linear_score is not None:
        features |= {*regressors(data).tolist()}
    importances = feature_importances(data, tree)
    return sorted(features, key=lambda feature: (-importances[feature], feature))


def feature_dependence(
    data: Dataset, tree: Tree, feature: int, max_cells: int = MAX_CELLS
) -> PartialDependence:
    """Partial dependence of the tree on a feature, averaged over the rows of `data`.

    The grid has all categories of a feature; of a number the lowest value, every threshold and the
    number just above it, and the highest value, so that lines between them are the step function;
    and GRID_SIZE even values where leaves or splits mix the feature with others. Rows count by
    `weights_before_costs`. Rows times grid values are at most `max_cells`, for a step function
    STEP_FUNCTION_FACTOR times as many. Raises DataError where no row has a value of the feature.
    """
    is_step_function = tree.leaf_model.linear_score is None and all(
        _uses_feature_alone(split, feature) for split in tree.splits.values()
    )
    grid = _grid_values(data, tree, feature, is_step_function)
    max_rows = max_cells * (STEP_FUNCTION_FACTOR if is_step_function else 1) // len(grid)
    rows = np.linspace(0, data.n - 1, min(data.n, max(max_rows, 1))).astype(int)
    weights = weights_before_costs(data)
    row_weights = np.ones(len(rows)) if weights is None else weights.take(rows)
    mean_predictions = _step_function_means if is_step_function else _grid_means
    mean = mean_predictions(data, tree, feature, grid, rows, row_weights / row_weights.sum())
    return PartialDependence(feature, grid, mean, len(rows))


def feature_dependences(
    data: Dataset, tree: Tree, n_features: int
) -> Slices[tuple[PartialDependence, ...]]:
    """Partial dependence on the `n_features` most important features; yields the share done.

    Together they predict at most MAX_CELLS rows times grid values.
    """
    features, results = features_by_importance(data, tree)[:n_features], []
    for feature in features:
        results.append(feature_dependence(data, tree, feature, MAX_CELLS // len(features)))
        yield len(results) / len(features)
    return tuple(results)


def _deciding_features(split: Split) -> set[int]:
    """Features of a split and of its surrogates."""
    surrogates = split.missing.surrogates or ()
    projections = (split.projection, *(surrogate.split.projection for surrogate in surrogates))
    return {feature for projection in projections for feature in features_of(projection)}


def _uses_feature_alone(split: Split, feature: int) -> bool:
    """True if a split looks at this feature alone or not at all, for rows with a value of it."""
    split_features = features_of(split.projection)
    if feature in split_features:
        return feature_of(split.projection) == feature
    # a projection that does not list its features may look at any
    return bool(split_features) and feature not in _deciding_features(split)


def _grid_values(data: Dataset, tree: Tree, feature: int, is_step_function: bool) -> Floats:
    """Grid values of a feature, ascending: values that rows may have. Raises DataError."""
    levels, quantity = data.levels[feature], data.quantities[feature]
    if names := levels or quantity.rank_names:
        return np.arange(len(names), dtype=np.float64)
    values = data.columns[feature][~np.isnan(data.columns[feature])]
    if not len(values):
        name = quoted(data.features[feature])
        raise DataError(f"no row has a value of {name}; choose a feature with values")
    low, high = values.min(), values.max()
    thresholds = np.array(
        [split.threshold for split in tree.splits.values() if axis_of(split.projection) == feature]
    )
    thresholds = thresholds[(thresholds >= low) & (thresholds < high)]
    fractions = np.linspace(0, 1, 2 if is_step_function else GRID_SIZE)
    grid = (1 - fractions) * low + fractions * high
    if quantity == PLAIN or (values % 1).any():
        return np.unique(np.concatenate([grid, thresholds, np.nextafter(thresholds, np.inf)]))
    # whole dates or durations: the next value above a threshold is 1 more
    return np.unique(np.floor(np.concatenate([grid, thresholds, thresholds + 1])))


def _predictions(data: Dataset, tree: Tree, columns: Floats) -> Floats:
    """Predictions for rows, (M, n) -> (n, K): class shares, or one number."""
    return (
        leaf_probabilities(data, tree, columns) if data.classes else predict(tree, columns)[:, None]
    )


def _step_function_means(
    data: Dataset, tree: Tree, feature: int, grid: Floats, rows: Ints, weight_share: Floats
) -> Floats:
    """Mean predictions at all grid values in one walk: a split parts either the rows or the grid.

    Each split must use the feature alone or not at all, and each leaf must have one prediction.
    """
    leaves = leaf_ids(tree)
    leaf_predictions = _predictions(
        data, tree, data.columns[:, [tree.rows[leaf][0] for leaf in leaves]]
    )
    prediction_of_leaf = dict(zip(leaves, leaf_predictions, strict=True))
    probe = np.full((len(data.columns), len(grid)), np.nan)
    probe[feature] = grid
    out = np.zeros((len(grid), leaf_predictions.shape[1]))
    stack = [(1, np.arange(len(rows)), np.arange(len(grid)))]
    while stack:
        node, row_indices, grid_indices = stack.pop()
        split = tree.splits.get(node)
        if split is None:
            out[grid_indices] += weight_share[row_indices].sum() * prediction_of_leaf[node]
        elif feature_of(split.projection) == feature:
            left = goes_left(split, probe, grid_indices)
            stack += [
                (2 * node, row_indices, grid_indices[left]),
                (2 * node + 1, row_indices, grid_indices[~left]),
            ]
        else:
            left = goes_left(split, data.columns, rows[row_indices])
            stack += [
                (2 * node, row_indices[left], grid_indices),
                (2 * node + 1, row_indices[~left], grid_indices),
            ]
    return out


def _grid_means(
    data: Dataset, tree: Tree, feature: int, grid: Floats, rows: Ints, weight_share: Floats
) -> Floats:
    """Mean predictions at the grid values, from one prediction for each row at each of them."""
    columns = data.columns[:, rows]
    batch_size = max(CELLS_PER_BATCH // columns.size, 1)
    out = []
    for first in range(0, len(grid), batch_size):
        batch = grid[first : first + batch_size]
        table = np.tile(columns, len(batch))
        table[feature] = batch.repeat(len(rows))
        prediction = _predictions(data, tree, table)
        out.append(
            np.einsum("i,pik->pk", weight_share, prediction.reshape(len(batch), len(rows), -1))
        )
    return np.concatenate(out)
