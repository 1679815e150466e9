"""What one tree makes of each feature: what its splits are worth, and how it predicts along it.

Glossary
    worth       the share of the impurity that the splits on a feature take away
    places      the values of one feature at which the tree is asked
    dependence  the mean prediction of all rows with one feature set to a place, the others as they
                are: partial dependence [Friedman 2001, eq. 53]
    alone       a split asks a feature alone: its answer hangs on that feature, or not on it at all
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.progress import Slices
from dtviz.base.text import quoted
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.units import PLAIN
from dtviz.data.weights import own_weights
from dtviz.engine.leaves.linear import regressors
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import ranges
from dtviz.engine.splits import (
    Projection,
    Split,
    axis_of,
    feature_of,
    features_of,
    goes_left,
)
from dtviz.engine.tree import Tree, decrease, gain, leaf_ids, predict, shares

MOST = 4_000_000
"""Rows times places that are asked one by one; where there are more, an even choice of the rows."""
AT_ONCE = 10
"""So many times as many are asked in that time where the dependence is a step function."""
GRID = 61
"""So many even places, where the dependence is no step function."""
BLOCK = 1 << 21
"""Numbers of a table that is asked at once: 16 MB."""


class Dependence(NamedTuple):
    """The mean predictions at the places, (P,), of a feature: class shares (P, K), or (P, 1).

    Asked were so many of the `rows`.
    """

    feature: int
    places: Floats
    mean: Floats
    rows: int


def worth(data: Dataset, tree: Tree) -> Floats:
    """The share of the impurity decrease of all splits that each feature has, (M,).

    0 without a split. As scikit-learn's `feature_importances_`; a split on several features is
    shared evenly between them.
    """
    taken = np.array([decrease(tree, node, gain(tree, node)) for node in tree.splits])
    projections = [split.projection for split in tree.splits.values()]
    cut, feature, part = evenly(projections, np.arange(len(projections)))
    each = np.bincount(feature, taken[cut] * part, len(data.features))
    return np.asarray(each / each.sum() if each.sum() > 0 else each)


def evenly(projections: Sequence[Projection], line: Ints) -> tuple[Ints, Ints, Floats]:
    """The cuts along these lines shared between their features: (cut, feature, part)s as columns.

    line[i], the place of a projection, is that of cut i.
    """
    asked = [features_of(one) for one in projections]
    sizes = np.array([len(some) for some in asked], np.intp)
    every = np.array([feature for some in asked for feature in some], np.intp)
    many = sizes.take(line)
    cut = np.arange(len(line)).repeat(many)
    return cut, every.take(ranges(starts_of(sizes).take(line), many)), 1 / many[cut]


def asked(data: Dataset, tree: Tree) -> list[int]:
    """The features on which a prediction of the tree may hang, those that are worth most first."""
    found = {feature for split in tree.splits.values() for feature in _features(split)}
    if tree.leaf_model.level is not None:
        found |= {*regressors(data).tolist()}
    each = worth(data, tree)
    return sorted(found, key=lambda feature: (-each[feature], feature))


def dependence(data: Dataset, tree: Tree, feature: int, most: int = MOST) -> Dependence:
    """The partial dependence of the tree on a feature, over the rows `data` by their own weights.

    At every level of a category; of a number at the lowest value, at every threshold and just above
    it, and at the highest value, so that lines between them are the step function; at an even GRID
    too where leaves or splits mix the feature with others. Rows times places are at most `most`,
    AT_ONCE times as many of a step function. Raises DataError where no row has a value.
    """
    steps = tree.leaf_model.level is None and all(
        _alone(split, feature) for split in tree.splits.values()
    )
    places = _places(data, tree, feature, steps)
    room = most * (AT_ONCE if steps else 1) // len(places)
    rows = np.linspace(0, data.n - 1, min(data.n, max(room, 1))).astype(np.intp)
    weights = own_weights(data)
    share = np.ones(len(rows)) if weights is None else weights.take(rows)
    ask = _handed_down if steps else _one_by_one
    mean = ask(data, tree, feature, places, rows, share / share.sum())
    return Dependence(feature, places, mean, len(rows))


def dependences(data: Dataset, tree: Tree, many: int) -> Slices[tuple[Dependence, ...]]:
    """Those on so many of the features asked, in slices; together they take the room of one."""
    some, found = asked(data, tree)[:many], []
    for feature in some:
        found.append(dependence(data, tree, feature, MOST // len(some)))
        yield len(found) / len(some)
    return tuple(found)


def _features(split: Split) -> set[int]:
    """The features that may decide where a row goes."""
    stand_ins = split.missing.surrogates or ()
    every = (split.projection, *(one.split.projection for one in stand_ins))
    return {feature for one in every for feature in features_of(one)}


def _alone(split: Split, feature: int) -> bool:
    """Whether the answer hangs on the feature, which has a value, alone, or not on it."""
    own = features_of(split.projection)
    if feature in own:
        return feature_of(split.projection) == feature
    return bool(own) and feature not in _features(split)


def _places(data: Dataset, tree: Tree, feature: int, steps: bool) -> Floats:
    """Where the tree is asked, ascending; values that rows may have."""
    levels, quantity = data.levels[feature], data.quantities[feature]
    if names := levels or quantity.names:
        return np.arange(len(names), dtype=np.float64)
    known = data.columns[feature][~np.isnan(data.columns[feature])]
    if not len(known):
        name = quoted(data.features[feature])
        raise DataError(f"no row has a value of {name}; choose a feature with values")
    low, high = known.min(), known.max()
    limits = np.array(
        [one.threshold for one in tree.splits.values() if axis_of(one.projection) == feature]
    )
    limits = limits[(limits >= low) & (limits < high)]
    along = np.linspace(0, 1, 2 if steps else GRID)
    even = (1 - along) * low + along * high
    if quantity == PLAIN or (known % 1).any():
        return np.unique(np.concatenate([even, limits, np.nextafter(limits, np.inf)]))
    return np.unique(np.floor(np.concatenate([even, limits, limits + 1])))


def _told(data: Dataset, tree: Tree, columns: Floats) -> Floats:
    """What the tree predicts of rows, (M, n) -> (n, K): class shares, or one number."""
    return shares(data, tree, columns) if data.classes else predict(tree, columns)[:, None]


def _handed_down(
    data: Dataset, tree: Tree, feature: int, places: Floats, rows: Ints, share: Floats
) -> Floats:
    """The mean predictions at the places, all at once: a split parts the rows, or the places.

    Every split asks the feature alone, and a leaf predicts the same of all its rows.
    """
    leaves = leaf_ids(tree)
    told = _told(data, tree, data.columns[:, [tree.rows[leaf][0] for leaf in leaves]])
    of = dict(zip(leaves, told, strict=True))
    probe = np.full((len(data.columns), len(places)), np.nan)
    probe[feature] = places
    out = np.zeros((len(places), told.shape[1]))
    waiting = [(1, np.arange(len(rows)), np.arange(len(places)))]
    while waiting:
        node, some, at = waiting.pop()
        split = tree.splits.get(node)
        if split is None:
            out[at] += share[some].sum() * of[node]
        elif feature_of(split.projection) == feature:
            left = goes_left(split, probe, at)
            waiting += [(2 * node, some, at[left]), (2 * node + 1, some, at[~left])]
        else:
            left = goes_left(split, data.columns, rows[some])
            waiting += [(2 * node, some[left], at), (2 * node + 1, some[~left], at)]
    return out


def _one_by_one(
    data: Dataset, tree: Tree, feature: int, places: Floats, rows: Ints, share: Floats
) -> Floats:
    """The mean predictions at the places, every row being asked at each of them."""
    columns = data.columns[:, rows]
    many = max(BLOCK // columns.size, 1)
    out = []
    for first in range(0, len(places), many):
        some = places[first : first + many]
        table = np.tile(columns, len(some))
        table[feature] = some.repeat(len(rows))
        told = _told(data, tree, table)
        out.append(np.einsum("i,pik->pk", share, told.reshape(len(some), len(rows), -1)))
    return np.concatenate(out)
