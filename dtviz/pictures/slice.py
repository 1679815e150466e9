"""Slices: values for the features on no axis, so that a tree of many is seen on a plane."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.linear import regressors
from dtviz.engine.splits import feature_of, features_of, goes_left, midpoint
from dtviz.engine.tree import Tree, ancestors, rows_in

Slice = tuple[tuple[int, float], ...]
"""Features that are pinned by hand, with their values."""
NEAREST = 7
"""Nearness of a row in the slice; 0 is far from it."""
FADES = "Paler points lie farther from the slice."
FAR = 2.0**1022  # beyond it the difference of two numbers can overflow
PLACES = 61
"""Values of a feature at which it can be pinned."""


def pinned_values(data: Dataset, by_hand: Slice = ()) -> NDArray[np.float64]:
    """Values at which the features are pinned, (M,): by hand, else medians or commonest values."""
    slice_values = np.array([_middle(data, f, column) for f, column in enumerate(data.columns)])
    for feature, value in by_hand:
        slice_values[feature] = value
    return slice_values


def sliceable_features(data: Dataset, tree: Tree, axes: tuple[int, int]) -> list[int]:
    """Features on no axis that the tree asks, so that their pinned values matter."""
    features = {f for split in tree.splits.values() for f in features_of(split.projection)}
    if tree.leaf_model.linear_score is not None:
        features |= {*regressors(data).tolist()}
    return sorted(features - {*axes})


def nearness(
    data: Dataset, tree: Tree, axes: tuple[int, int], slice_values: NDArray[np.float64]
) -> NDArray[np.uint8] | None:
    """Nearness of each row to the slice at `slice_values`, (n,); None without features to pin.

    The distance of a row is the root of its mean squared distance by the features it is pinned on
    that the tree asks, each in standard deviations; 1 where a category differs or is missing.
    """
    features = sliceable_features(data, tree, axes)
    if not features:
        return None
    by_feature = [_squared_distances(data, f, float(slice_values[f])) for f in features]
    squared = np.mean(by_feature, axis=0)
    return np.asarray((NEAREST * np.exp(-squared / 2)).round().astype(np.uint8))


def _squared_distances(data: Dataset, feature: int, center: float) -> NDArray[np.float64]:
    """Squared distances of the rows from a value of a feature, in standard deviations, (n,)."""
    column = data.columns[feature]
    has_value = ~np.isnan(column)
    squared = np.ones(len(column))
    if data.levels[feature]:
        squared[has_value] = column[has_value] != center
        return squared
    present = column[has_value]
    if np.abs(present).max(initial=abs(center)) > FAR:
        present, center = present / 2, center / 2  # as many standard deviations off
    distance, span = np.abs(present - center), present - present.min(initial=np.inf)
    scale = float(span.max(initial=0.0))
    if scale:  # at most a thousand times what they span: squares of huge numbers overflow
        distance = np.minimum(distance, 1e3 * scale) / scale
        squared[has_value] = np.square(distance / (span / scale).std())
    else:
        squared[has_value] = distance > 0
    return squared


def pinnable_values(data: Dataset, feature: int) -> list[float]:
    """Values at which a feature can be pinned: all that it has, or an even choice of them."""
    column = data.columns[feature]
    values = np.unique(column[~np.isnan(column)])
    if len(values) > PLACES and not data.levels[feature]:
        values = values[np.linspace(0, len(values) - 1, PLACES).astype(np.intp)]
    return [float(value) for value in values]


def _middle(data: Dataset, feature: int, column: NDArray[np.float64]) -> float:
    """Median of the values of a feature, or the most frequent category; 0 where all are missing."""
    present = column[~np.isnan(column)] if data.gaps[feature] else column
    if data.levels[feature]:
        return float(np.bincount(present.astype(np.intp), minlength=1).argmax())
    if not len(present):
        return 0.0
    middle_ids = [(len(present) - 1) // 2, len(present) // 2]
    low, high = np.partition(present, middle_ids)[middle_ids]
    return float(midpoint(np.array([low]), np.array([high]))[0])


def pinned_values_at(
    data: Dataset, tree: Tree, node: int, by_hand: Slice = ()
) -> NDArray[np.float64]:
    """Values at which the features are pinned, (M,), so that the slice meets a node.

    Where the path of the node asks for other values, they are the middles of its own rows. Only
    features pinned by hand can lead the slice past the node.
    """
    values, chosen = pinned_values(data, by_hand), {feature for feature, _ in by_hand}
    for parent, child in pairwise((*ancestors(node), node)):
        split = tree.splits[parent]
        feature = feature_of(split.projection)
        is_left = goes_left(split, values[:, None])[0]
        if feature is not None and feature not in chosen and is_left != (child == 2 * parent):
            values[feature] = _middle(data, feature, data.columns[feature][rows_in(tree, node)])
    return values
