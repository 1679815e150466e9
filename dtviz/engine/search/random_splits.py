"""Random splits: the features that a node of a random tree draws, maybe with one threshold each.

Each node has a key of 64 bits, computed from the seed of its tree and the path from the root alone:
a tree draws the same whatever else grows beside it. Where all drawn features are constant in a
node, it goes on to the next ones.

Sources: Breiman, Random Forests (2001); Geurts, Ernst, Wehenkel, Extremely Randomized Trees (2006);
scikit-learn, which also goes on past constant features. Keys are mixed by SplitMix64 (Steele, Lea,
Flood 2014).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.statistics import Amounts, Statistics
from dtviz.engine.search.best_split import BestCuts
from dtviz.engine.search.evaluate import ScoredCuts
from dtviz.engine.search.frontier import Frontier, starts_of
from dtviz.engine.search.histogram import COUNT, Histogram, entry_weights, targets_of
from dtviz.engine.search.minimum import NO_CUT
from dtviz.engine.splits import Projection, features_of

Keys = NDArray[np.uint64]
MAX_LINES = 1 << 32
"""Upper bound on lines; draws of thresholds use the numbers from here on."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Step between the states of SplitMix64."""


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws of each node of a random tree."""

    max_features: int | None = None
    """Number of features drawn anew in each node; None: all are tried."""
    random_threshold: bool = False
    """True if of each line only one cut is tried, at a threshold drawn evenly between its smallest
    and largest value in the node; of a category at a position in the order of the node."""


def default_max_features(features: int) -> int:
    """Number of features that the nodes of a forest draw: the square root, rounded down."""
    return max(math.isqrt(features), 1)


def keys_of(seeds: Sequence[int]) -> Keys:
    """Keys of the roots of trees with the given seeds, (T,)."""
    return _mixed(np.array([seed % 2**64 for seed in seeds], np.uint64))


def keys_of_children(keys: Keys) -> Keys:
    """Keys of the children, (2 m,): all left ones before all right ones."""
    return _mixed(np.concatenate([keys, ~keys]))


def uniform(keys: Keys, which: Ints) -> Floats:
    """Random numbers from 0 to 1 of each node, for the given counters `which`, (L, m)."""
    steps = (which + 1).astype(np.uint64) * GOLDEN
    return (_mixed(keys + steps) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mixed(keys: Keys) -> Keys:
    """Finalizer of SplitMix64."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def lines_of_features(projections: Sequence[Projection]) -> Ints:
    """Lines of each feature, one feature a row; shorter rows repeat their last line."""
    lines_of: dict[tuple[int, ...], list[int]] = {}
    for line, projection in enumerate(projections):
        lines_of.setdefault(features_of(projection), []).append(line)
    width = max(map(len, lines_of.values()), default=0)
    return np.array(
        [lines + lines[-1:] * (width - len(lines)) for lines in lines_of.values()], np.intp
    )


def feature_orders(keys: Keys, features: int) -> Ints:
    """Order in which each node draws its features, (features, m)."""
    return uniform(keys, np.arange(features)[:, None]).argsort(axis=0)


def keep_drawn_cuts(cuts: ScoredCuts, keys: Keys, lines: Ints) -> tuple[ScoredCuts, Floats]:
    """Keeps only the cuts at one drawn threshold a segment; returns these thresholds too, (L, m).

    All other cuts have no score. `lines`, (L, m), are the lines of the segments. A threshold is NaN
    where a segment is cut at a position of a code, or between known and missing values.
    """
    sizes, values = cuts.sizes.ravel(), cuts.values
    segments = np.flatnonzero(sizes > 1)
    n_groups, starts = sizes[segments], starts_of(sizes)[segments]
    share = uniform(keys, MAX_LINES + lines).ravel()[segments]
    n_known = n_groups - np.isnan(values[starts + n_groups - 1])
    low, high = values[starts], values[starts + n_known - 1]
    threshold = _interpolate(low, high, share)
    n_left = _count_up_to(values, threshold, starts, n_known)
    if cuts.categories is not None:
        is_category = cuts.categories.ravel()[segments]
        n_left[is_category] = 1 + (share * (n_known - 1))[is_category].astype(np.intp)
        threshold[is_category] = np.nan
    threshold[n_known < 2] = np.nan
    chosen = np.zeros(len(values), np.bool_)
    chosen[starts + np.clip(n_left, 1, n_groups - 1) - 1] = True
    thresholds = np.full(len(sizes), np.nan)
    thresholds[segments] = threshold
    is_drawn = chosen.take(cuts.group)
    score = np.where(is_drawn, cuts.score, np.nan)
    grades = cuts.grades
    if grades is not None:
        grades = np.where(is_drawn, grades, NO_CUT).astype(np.int8)
    return cuts._replace(score=score, grades=grades), thresholds.reshape(lines.shape)


def two_sided_histogram(
    data: Dataset, front: Frontier, statistics: Statistics, keys: Keys, lines: Ints
) -> tuple[Histogram, Floats]:
    """Histogram of both sides of one drawn threshold a segment, and these thresholds, (L, m).

    `lines`, (L, m), are the lines of the segments. The rows need no order. Each segment has two
    groups, or one where its values are equal; the `values` of the groups are the smallest and the
    largest.
    """
    starts, sizes = front.starts, front.sizes
    values = data.columns.ravel().take((lines * data.n).repeat(sizes, axis=1) + front.rows[0])
    low = np.minimum.reduceat(values, starts, axis=1)
    high = np.maximum.reduceat(values, starts, axis=1)
    threshold = _interpolate(low, high, uniform(keys, MAX_LINES + lines))
    goes_right = values > threshold.repeat(sizes, axis=1)
    varies = low < high
    exists = None if varies.all() else np.stack([np.ones_like(varies), varies], axis=2).ravel()
    weights = entry_weights(data, front)
    targets = targets_of(data, front, statistics, weights)
    parameters = len(data.classes), weights.amounts, starts
    n_right = np.add.reduceat(goes_right, starts, axis=1, dtype=COUNT)

    def groups(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
        """Amounts of the left and the right group of each segment in turn, flat."""
        pairs = np.stack([left, right], axis=2).ravel()
        return pairs if exists is None else pairs.compress(exists)

    def group_sums(amounts: Amounts) -> Amounts:
        dtype = COUNT if amounts.dtype == np.bool_ else amounts.dtype
        right = np.add.reduceat(goes_right * amounts, starts, axis=1, dtype=dtype)
        return groups(np.add.reduceat(amounts, starts, dtype=dtype) - right, right)

    return Histogram(
        values=groups(low, high),
        per_segment=1 + varies.astype(COUNT),
        n=groups(sizes - n_right, n_right),
        sums=lambda: map(group_sums, statistics.amounts(targets.values, *parameters)),
        partition=statistics.has_remainder,
        scale=targets.scale,
        node_weight=weights.node_weight,
        weight=None if weights.amounts is None else group_sums(weights.amounts),
        unit=targets.unit,
        weight_unit=weights.unit,
        spread_factor=targets.spread_unit,
    ), threshold


def _interpolate(low: Floats, high: Floats, share: Floats) -> Floats:
    """Value at the given share of the way from `low` to `high`, below `high`."""
    value = np.maximum((1 - share) * low + share * high, low)  # high - low may be beyond any float
    return np.where(value < high, value, low)


def set_drawn_thresholds(top: BestCuts, drawn: Floats) -> BestCuts:
    """Replaces the thresholds of the best cuts by those drawn along their lines, (L, m)."""
    threshold = drawn[top.line, np.arange(len(top.cut))]
    is_drawn = ~np.isnan(threshold) & np.isfinite(top.threshold)
    return top._replace(threshold=np.where(is_drawn, threshold, top.threshold))


def _count_up_to(values: Floats, threshold: Floats, starts: Ints, sizes: Ints) -> Ints:
    """Number of values of each segment that are at most its threshold, by bisection."""
    low = np.zeros(len(starts), np.intp)
    high = sizes.copy()
    while (is_open := low < high).any():
        middle = (low + high) // 2
        is_below = is_open & (values.take(starts + np.minimum(middle, sizes - 1)) <= threshold)
        low = np.where(is_below, middle + 1, low)
        high = np.where(is_open & ~is_below, middle, high)
    return low
