"""Impurities, gains and scores from class counts alone, without a table of rows.

`parent` has the number of rows of each class in a node, (K,); `left` has the number of rows of each
class that a split sends left. All other rows of the node are on the right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Floats, Ints
from dtviz.engine.criteria.criteria import Criterion, ExactValue, Impurity, SideSums
from dtviz.engine.criteria.latex import RowGroup

SplitScores = Callable[[NDArray[Any], NDArray[Any]], Floats]
"""Scores of S splits, (S,), from the class counts, (K, 2, S), and the sizes, (2, S), of sides."""
MAX_ROUNDING = 1e-9
"""Scores that differ by less are compared by exact values: rounding may be all that differs."""


def group_of_counts(counts: Sequence[int]) -> RowGroup:
    """A group with these numbers of rows of each class, (K,), for formulas."""
    return RowGroup(np.repeat(np.arange(len(counts)), counts), len(counts))


def impurities(impurity: Impurity, counts: NDArray[Any]) -> Floats:
    """Impurity of groups with these counts, (m, K) -> (m,); no group may be empty."""
    n = counts.sum(axis=1)
    return np.asarray(np.maximum(impurity.spread(counts.T, n) / n, 0.0))


def gains(criterion: Criterion, parent: NDArray[Any], left: NDArray[Any]) -> Floats:
    """Gain of each split, `left` (S, K) -> (S,); NaN where a side is empty: that is no split.

    A gain that is above 0 by rounding alone is 0, as in the search.
    """
    return _score_splits(parent, left, lambda sums, n: _gains_from_sums(criterion, parent, sums, n))


def scores(criterion: Criterion, parent: NDArray[Any], left: NDArray[Any]) -> Floats:
    """Score of each split, `left` (S, K) -> (S,); NaN where a side is empty."""

    def score(sums: NDArray[Any], n: NDArray[Any]) -> Floats:
        gain = _gains_from_sums(criterion, parent, sums, n)
        measure = criterion.measure
        return gain if measure is None else measure.score(SideSums(lambda: iter(sums), n, n, gain))

    return _score_splits(parent, left, score)


def _score_splits(parent: NDArray[Any], left: NDArray[Any], score: SplitScores) -> Floats:
    """Scores of the splits with rows on both sides; NaN for the others."""
    side_counts = np.array([left.T, parent[:, None] - left.T]).swapaxes(0, 1)
    n = side_counts.sum(axis=0)
    is_split, out = (n > 0).all(axis=0), np.full(len(left), np.nan)
    out[is_split] = score(side_counts[..., is_split], n[:, is_split])
    return out


def _gains_from_sums(
    criterion: Criterion, parent: NDArray[Any], sums: NDArray[Any], n: NDArray[Any]
) -> Floats:
    """Gain of each split, (S,), from the counts of both sides, (K, 2, S), and sizes, (2, S)."""
    before = criterion.spread(parent[:, None], parent.sum(keepdims=True))
    after = criterion.spread(sums.reshape(len(parent), -1), n.ravel()).reshape(n.shape)
    gain = (before - after.sum(axis=0)) / parent.sum()
    return np.where(gain > ROUNDING, gain, 0.0)


def compare_splits(
    criterion: Criterion, parent: NDArray[Any], left: NDArray[Any], other_left: NDArray[Any]
) -> NDArray[np.int32]:
    """Compare splits, `left` (S, K), with another split of the node, `other_left` (K,).

    Returns 1 where a split scores above the other, -1 where below, 0 where both score the same or
    a side is empty. Scores so close that rounding could decide are compared by their exact values.
    """
    difference = scores(criterion, parent, left) - scores(criterion, parent, other_left[None])
    out = np.sign(np.nan_to_num(difference)).astype(np.int32)
    exact = criterion.exact
    if exact is None:
        return out
    exact_value = partial(_exact_value, exact, parent)
    for k in np.flatnonzero(np.abs(difference) < MAX_ROUNDING):
        value, other_value = exact_value(left[k]), exact_value(other_left)
        out[k] = int(value > other_value) - int(value < other_value)
    return out


def _exact_value(exact: ExactValue, parent: NDArray[Any], left: NDArray[Any]) -> Any:
    return exact(left.tolist(), (parent - left).tolist())


# --- information ----------------------------------------------------------------------------------


def surprise(shares: NDArray[Any]) -> Floats:
    """Self-information -log2 p of each share, in bits; infinite for 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log2(shares)) + 0.0


def divergence(counts: NDArray[Any]) -> Floats:
    """Kullback-Leibler divergence of groups from equal shares, counts (m, K) -> (m,), in bits.

    It is sum p_k log2(K p_k).
    """
    shares = counts / counts.sum(axis=1, keepdims=True)
    ratios = np.where(shares > 0, shares * counts.shape[1], 1.0)
    return np.asarray(np.sum(shares * np.log2(ratios), axis=1))


# --- disagreements --------------------------------------------------------------------------------

ClassCounts = tuple[int, ...]
"""Number of rows of each class, (K,)."""
MAX_ROWS = 14
"""Largest number of rows of a parent that is searched."""


class Disagreement(NamedTuple):
    """Two splits of a node that two criteria rank in opposite orders."""

    parent: ClassCounts  # number of rows of each class in the node
    first: ClassCounts  # left rows of the split that the first criterion scores higher
    second: ClassCounts  # left rows of the split that the second criterion scores higher


def disagreements(
    criterion: Criterion,
    other_criterion: Criterion,
    classes: int = 2,
    max_pairs: int = 3,
    max_rows: int = MAX_ROWS,
) -> tuple[Disagreement, ...]:
    """Find the smallest parents on which two criteria disagree, with one pair of splits each.

    Parents with fewer rows come first; of equal sizes, those with more even classes. Of all pairs
    of a parent, that pair is returned whose splits are farthest apart in both rankings. A criterion
    that scores both splits the same does not disagree. Scores are compared by exact values; raises
    ValueError for a criterion without them.
    """
    for each in (criterion, other_criterion):
        if each.exact is None:
            raise ValueError(f"{each.name} cannot be compared without rounding")
    if criterion is other_criterion:
        return ()
    parents = (parent for n in range(2, max_rows + 1) for parent in _partitions(n, classes, n))
    pairs = (_strongest_disagreement(parent, criterion, other_criterion) for parent in parents)
    return tuple(islice(filter(None, pairs), max_pairs))


def distinct_left_sides(parent: ClassCounts) -> tuple[ClassCounts, ...]:
    """Left sides of the splits of a parent that have a row on each side, each symmetry once.

    Splits have the same scores if they differ only by their sides swapped, or by classes of the
    same size swapped. One of them stands for all.
    """
    left_sides: dict[Any, ClassCounts] = {}
    for left in product(*(range(n, -1, -1) for n in parent)):
        if 0 < sum(left) < sum(parent):
            right = tuple(n - a for n, a in zip(parent, left, strict=True))
            orders = ((left, right), (right, left))
            symmetric = (tuple(sorted(zip(a, b, strict=True))) for a, b in orders)
            left_sides.setdefault(min(symmetric), left)
    return tuple(left_sides.values())


def _partitions(n: int, parts: int, largest: int) -> Iterator[ClassCounts]:
    """Partitions of n into `parts` positive numbers, descending from `largest` at most.

    Even partitions come first.
    """
    if parts == 1:
        if 1 <= n <= largest:
            yield (n,)
        return
    for first in range(-(-n // parts), min(largest, n - parts + 1) + 1):
        for others in _partitions(n - first, parts - 1, first):
            yield (first, *others)


def _strongest_disagreement(
    parent: ClassCounts, criterion: Criterion, other_criterion: Criterion
) -> Disagreement | None:
    """The two splits that are farthest apart in both rankings; None: no disagreement."""
    splits = distinct_left_sides(parent)
    ranks, other_ranks = (_ranks(parent, splits, each) for each in (criterion, other_criterion))
    # Each pair (i, j): by how many ranks i is above j, and below j in the other ranking. Times the
    # highest rank of the other ranking both are shares of their ranking's range, as whole numbers.
    above, below = np.subtract.outer(ranks, ranks), -np.subtract.outer(other_ranks, other_ranks)
    distance = np.minimum(above * other_ranks.max(initial=0), below * ranks.max(initial=0))
    widest = int(distance.argmax())
    if distance.flat[widest] <= 0:
        return None
    first, second = divmod(widest, len(splits))
    return Disagreement(parent, splits[first], splits[second])


def _ranks(parent: ClassCounts, splits: tuple[ClassCounts, ...], criterion: Criterion) -> Ints:
    """Rank of each split by its score, 0 the lowest; equal scores have equal ranks."""
    assert criterion.exact is not None
    values = [
        criterion.exact(left, [n - a for n, a in zip(parent, left, strict=True)]) for left in splits
    ]
    rank = {value: k for k, value in enumerate(sorted({*values}))}
    return np.array([rank[value] for value in values])
