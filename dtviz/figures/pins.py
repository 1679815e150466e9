"""Where the features that are on no axis are pinned, so that a tree of many is seen on a plane."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.splits import feature_of, goes_left, midpoint
from dtviz.engine.tree import Tree, ancestors, rows_in
from dtviz.table.data import Dataset


def pinned(data: Dataset) -> NDArray[np.float64]:
    """Where the features that are on no axis are pinned: medians, and most frequent values."""
    return np.array([_middle(data, feature, column) for feature, column in enumerate(data.columns)])


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


def pinned_in(data: Dataset, tree: Tree, node: int) -> NDArray[np.float64]:
    """The same, but in the middle of the node's own rows where its path asks for other values.

    So the slice meets the node.
    """
    at = pinned(data)
    for above, below in pairwise((*ancestors(node), node)):
        split = tree.splits[above]
        feature = feature_of(split.projection)
        left = goes_left(split, at[:, None])[0]
        if feature is not None and left != (below == 2 * above):
            at[feature] = _middle(data, feature, data.columns[feature][rows_in(tree, node)])
    return at
