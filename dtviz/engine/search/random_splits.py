"""What the nodes of a random tree draw: some of the features, and of each maybe one threshold.

Glossary
    key     64 bits of a node, told by its tree's seed and its way from the root alone: a tree draws
            the same whatever else grows beside it
    drawn   the features a node tries; where all of them are constant there it goes on to the next

Sources: Breiman, Random Forests (2001); Geurts, Ernst, Wehenkel, Extremely Randomized Trees (2006);
scikit-learn, which goes on past constant features alike. Keys are mixed by SplitMix64 (Steele, Lea,
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
from dtviz.engine.search.best_split import Best
from dtviz.engine.search.evaluate import Cuts
from dtviz.engine.search.frontier import Frontier, starts_of
from dtviz.engine.search.histogram import COUNT, Tally, told_of, weighed
from dtviz.engine.search.minimum import NO_CUT
from dtviz.engine.splits import Projection, features_of

Keys = NDArray[np.uint64]
MAX_LINES = 1 << 32
"""There are fewer lines than this."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Draws:
    """`features` are drawn anew in each node; None: all are tried.

    `one_cut`: of each only the cut at one threshold, drawn evenly between its least and its largest
    value there (of a category: at one place in the node's order of its values). So of each line
    that a node proposes for itself.
    """

    features: int | None = None
    one_cut: bool = False


def usual_features(features: int) -> int:
    """How many of so many features a forest's nodes draw: the square root, rounded down."""
    return max(math.isqrt(features), 1)


def keys_of(seeds: Sequence[int]) -> Keys:
    """The keys of the roots of trees with these seeds, (T,)."""
    return _mixed(np.array([seed % 2**64 for seed in seeds], np.uint64))


def beneath(keys: Keys) -> Keys:
    """The keys of the children: all left ones before all right ones."""
    return _mixed(np.concatenate([keys, ~keys]))


def uniform(keys: Keys, which: Ints) -> Floats:
    """A number from 0 to 1 for each of the numbers `which`, (L, m), of each node."""
    steps = (which + 1).astype(np.uint64) * GOLDEN
    return (_mixed(keys + steps) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mixed(keys: Keys) -> Keys:
    """SplitMix64's finalizer."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def by_feature(projections: Sequence[Projection]) -> Ints:
    """The lines of each feature, one a row; where it has fewer than others its last is repeated."""
    homes: dict[tuple[int, ...], list[int]] = {}
    for line, one in enumerate(projections):
        homes.setdefault(features_of(one), []).append(line)
    most = max(map(len, homes.values()), default=0)
    return np.array([lines + lines[-1:] * (most - len(lines)) for lines in homes.values()], np.intp)


def orders(keys: Keys, features: int) -> Ints:
    """The order in which each node takes so many features, (features, m)."""
    return uniform(keys, np.arange(features)[:, None]).argsort(axis=0)


def one_cut(cuts: Cuts, keys: Keys, lines: Ints) -> tuple[Cuts, Floats]:
    """The cuts, only those with a score that are at a drawn threshold; and these, (L, m).

    `lines`, (L, m), says along which line each segment stands. A threshold is NaN where a segment
    is cut at the place of a code, or between rows that have a value and others.
    """
    sizes, values = cuts.sizes.ravel(), cuts.values
    some = np.flatnonzero(sizes > 1)
    groups, starts = sizes[some], starts_of(sizes)[some]
    share = uniform(keys, MAX_LINES + lines).ravel()[some]
    known = groups - np.isnan(values[starts + groups - 1])
    low, high = values[starts], values[starts + known - 1]
    place = _between(low, high, share)
    left = _up_to(values, place, starts, known)
    if cuts.categories is not None:
        coded = cuts.categories.ravel()[some]
        left[coded], place[coded] = 1 + (share * (known - 1))[coded].astype(np.intp), np.nan
    place[known < 2] = np.nan
    chosen = np.zeros(len(values), np.bool_)
    chosen[starts + np.clip(left, 1, groups - 1) - 1] = True
    thresholds = np.full(len(sizes), np.nan)
    thresholds[some] = place
    drawn = chosen.take(cuts.group)
    score = np.where(drawn, cuts.score, np.nan)
    grades = None if cuts.grades is None else np.where(drawn, cuts.grades, NO_CUT).astype(np.int8)
    return cuts._replace(score=score, grades=grades), thresholds.reshape(lines.shape)


def two_sides(
    data: Dataset, front: Frontier, statistics: Statistics, keys: Keys, lines: Ints
) -> tuple[Tally, Floats]:
    """Tally of the rows on both sides of one drawn threshold a segment; these thresholds, (L, m).

    `lines`, (L, m), says along which line each segment stands. The rows need no order. Each segment
    has two groups, or one where its values are equal; their `values` are the least and the largest.
    """
    starts, sizes = front.starts, front.sizes
    x = data.columns.ravel().take((lines * data.n).repeat(sizes, axis=1) + front.rows[0])
    low, high = np.minimum.reduceat(x, starts, axis=1), np.maximum.reduceat(x, starts, axis=1)
    place = _between(low, high, uniform(keys, MAX_LINES + lines))
    right = x > place.repeat(sizes, axis=1)
    varies = low < high
    there = None if varies.all() else np.stack([np.ones_like(varies), varies], axis=2).ravel()
    weights = weighed(data, front)
    told = told_of(data, front, statistics, weights)
    each = weights.amounts, starts
    above = np.add.reduceat(right, starts, axis=1, dtype=COUNT)

    def groups(left: NDArray[Any], above: NDArray[Any]) -> NDArray[Any]:
        """Numbers of the groups, of the left and the right one of each segment in turn."""
        both = np.stack([left, above], axis=2).ravel()
        return both if there is None else both.compress(there)

    def added(amounts: Amounts) -> Amounts:
        kind = COUNT if amounts.dtype == np.bool_ else amounts.dtype
        above = np.add.reduceat(right * amounts, starts, axis=1, dtype=kind)
        return groups(np.add.reduceat(amounts, starts, dtype=kind) - above, above)

    return Tally(
        values=groups(low, high),
        per_segment=1 + varies.astype(COUNT),
        n=groups(sizes - above, above),
        sums=lambda: map(added, statistics.each(told.values, len(data.classes), *each)),
        partition=statistics.partition,
        scale=told.scale,
        node_weight=weights.of_node,
        weight=None if weights.amounts is None else added(weights.amounts),
        unit=told.unit,
        weight_unit=weights.unit,
        worth=told.worth,
    ), place


def _between(low: Floats, high: Floats, share: Floats) -> Floats:
    """The place at this share of the way from a low value to a high one, below the high one."""
    place = np.maximum((1 - share) * low + share * high, low)  # high - low may be beyond any float
    return np.where(place < high, place, low)


def placed(top: Best, drawn: Floats) -> Best:
    """The best cuts with the thresholds that were drawn along their lines, (L, m)."""
    place = drawn[top.line, np.arange(len(top.cut))]
    told = ~np.isnan(place) & np.isfinite(top.threshold)
    return top._replace(threshold=np.where(told, place, top.threshold))


def _up_to(values: Floats, place: Floats, starts: Ints, sizes: Ints) -> Ints:
    """How many of each segment's values are at most its place."""
    low = np.zeros(len(starts), np.intp)
    high = sizes.copy()
    while (open_ := low < high).any():
        middle = (low + high) // 2
        under = open_ & (values.take(starts + np.minimum(middle, sizes - 1)) <= place)
        low = np.where(under, middle + 1, low)
        high = np.where(open_ & ~under, middle, high)
    return low
