"""Where the features that are on no axis are pinned, so that a tree of many is seen on a plane.

Glossary
    slice    the features pinned by hand, with their values
    near     how near a row is to the slice: NEAREST in it, 0 far from it
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.linear import regressors
from dtviz.engine.splits import feature_of, features_of, goes_left, midpoint
from dtviz.engine.tree import Tree, ancestors, rows_in

Slice = tuple[tuple[int, float], ...]
NEAREST = 7
FADES = "Paler points lie farther from the slice."
FAR = 2.0**1022  # the difference of two numbers beyond can overflow
PLACES = 61
"""So many values of a feature can be chosen to pin it at."""


def pinned(data: Dataset, at: Slice = ()) -> NDArray[np.float64]:
    """Where the features that are on no axis are pinned, (M,).

    By hand in the slice `at`, the others at medians and most frequent values.
    """
    out = np.array([_middle(data, feature, column) for feature, column in enumerate(data.columns)])
    for feature, value in at:
        out[feature] = value
    return out


def sliceable(data: Dataset, tree: Tree, axes: tuple[int, int]) -> list[int]:
    """The features on no axis that the tree asks, so that it matters where they are pinned."""
    asked = {f for split in tree.splits.values() for f in features_of(split.projection)}
    if tree.leaf_model.level is not None:
        asked |= {*regressors(data).tolist()}
    return sorted(asked - {*axes})


def nearness(
    data: Dataset, tree: Tree, axes: tuple[int, int], at: NDArray[np.float64]
) -> NDArray[np.uint8] | None:
    """How near each row is to the slice through `at`, (n,); None where the tree asks no other.

    The distance of a row is the root of its mean squared distance by the features it is pinned on
    that the tree asks, each in standard deviations; one where a category is another or missing.
    """
    asked = sliceable(data, tree, axes)
    if not asked:
        return None
    far = np.mean([_off(data, feature, float(at[feature])) for feature in asked], axis=0)
    return np.asarray((NEAREST * np.exp(-far / 2)).round().astype(np.uint8))


def _off(data: Dataset, feature: int, at: float) -> NDArray[np.float64]:
    """The squared distances of the rows from a value of a feature, (n,)."""
    column = data.columns[feature]
    known = ~np.isnan(column)
    out = np.ones(len(column))
    if data.levels[feature]:
        out[known] = column[known] != at
        return out
    here = column[known]
    if np.abs(here).max(initial=abs(at)) > FAR:
        here, at = here / 2, at / 2  # as many standard deviations off
    off, apart = np.abs(here - at), here - here.min(initial=np.inf)
    scale = float(apart.max(initial=0.0))
    if scale:  # at most a thousand times what they span: squares of huge numbers overflow
        off = np.minimum(off, 1e3 * scale) / scale
        out[known] = np.square(off / (apart / scale).std())
    else:
        out[known] = off > 0
    return out


def places(data: Dataset, feature: int) -> list[float]:
    """The values at which a feature can be pinned: all that it has, or an even choice of them."""
    column = data.columns[feature]
    known = np.unique(column[~np.isnan(column)])
    if len(known) > PLACES and not data.levels[feature]:
        known = known[np.linspace(0, len(known) - 1, PLACES).astype(np.intp)]
    return [float(value) for value in known]


def _middle(data: Dataset, feature: int, column: NDArray[np.float64]) -> float:
    """The median of some values of a feature, or the most frequent; 0 where all are missing."""
    known = column[~np.isnan(column)] if data.gaps[feature] else column
    if data.levels[feature]:
        return float(np.bincount(known.astype(np.intp), minlength=1).argmax())
    if not len(known):
        return 0.0
    places = [(len(known) - 1) // 2, len(known) // 2]
    low, high = np.partition(known, places)[places]
    return float(midpoint(np.array([low]), np.array([high]))[0])


def pinned_in(data: Dataset, tree: Tree, node: int, by_hand: Slice = ()) -> NDArray[np.float64]:
    """The same, but in the middle of the node's own rows where its path asks for other values.

    So the slice meets the node, unless a feature is pinned elsewhere by hand.
    """
    at, own = pinned(data, by_hand), {feature for feature, _ in by_hand}
    for above, below in pairwise((*ancestors(node), node)):
        split = tree.splits[above]
        feature = feature_of(split.projection)
        left = goes_left(split, at[:, None])[0]
        if feature is not None and feature not in own and left != (below == 2 * above):
            at[feature] = _middle(data, feature, data.columns[feature][rows_in(tree, node)])
    return at
