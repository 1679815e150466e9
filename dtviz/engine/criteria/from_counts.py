"""Impurities, gains and scores from class counts alone, without a table of rows.

`parent` are the rows of each class in a node, (K,); `left` the rows of each class that a split
sends left, the others being on the right.
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
"""Scores that are closer may be equal but for rounding."""


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
    return _of_splits(parent, left, lambda sums, n: _gain(criterion, parent, sums, n))


def scores(criterion: Criterion, parent: NDArray[Any], left: NDArray[Any]) -> Floats:
    """Score of each split, `left` (S, K) -> (S,); NaN where a side is empty."""

    def score(sums: NDArray[Any], n: NDArray[Any]) -> Floats:
        gain = _gain(criterion, parent, sums, n)
        measure = criterion.measure
        return gain if measure is None else measure.score(SideSums(lambda: iter(sums), n, n, gain))

    return _of_splits(parent, left, score)


def _of_splits(parent: NDArray[Any], left: NDArray[Any], score: SplitScores) -> Floats:
    """Scores of the splits with rows on both sides; NaN for the others."""
    sums = np.array([left.T, parent[:, None] - left.T]).swapaxes(0, 1)
    n = sums.sum(axis=0)
    is_split, out = (n > 0).all(axis=0), np.full(len(left), np.nan)
    out[is_split] = score(sums[..., is_split], n[:, is_split])
    return out


def _gain(
    criterion: Criterion, parent: NDArray[Any], sums: NDArray[Any], n: NDArray[Any]
) -> Floats:
    """Gain of each split, (S,), from the counts of both sides, (K, 2, S), and sizes, (2, S)."""
    before = criterion.spread(parent[:, None], parent.sum(keepdims=True))
    after = criterion.spread(sums.reshape(len(parent), -1), n.ravel()).reshape(n.shape)
    gain = (before - after.sum(axis=0)) / parent.sum()
    return np.where(gain > ROUNDING, gain, 0.0)


def compare_splits(
    criterion: Criterion, parent: NDArray[Any], left: NDArray[Any], other: NDArray[Any]
) -> NDArray[np.int32]:
    """Compare splits, `left` (S, K), with the `other` split, (K,).

    1 where a split scores above the other, -1 below, 0 where both score the same or a side is
    empty. Scores so close that rounding could decide are compared by their exact values.
    """
    difference = scores(criterion, parent, left) - scores(criterion, parent, other[None])
    out = np.sign(np.nan_to_num(difference)).astype(np.int32)
    exact = criterion.exact
    if exact is None:
        return out
    exact_value = partial(_exact_value, exact, parent)
    for k in np.flatnonzero(np.abs(difference) < MAX_ROUNDING):
        value, other_value = exact_value(left[k]), exact_value(other)
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


ClassCounts = tuple[int, ...]
"""Number of rows of each class, (K,)."""
MAX_ROWS = 14
"""Number of rows of the largest parents that are searched."""


class Disagreement(NamedTuple):
    """Two splits of a node that two criteria rank the other way round."""

    parent: ClassCounts  # rows of each class in the node
    first: ClassCounts  # left rows of the split that the first criterion scores higher
    second: ClassCounts  # left rows of the split that the second criterion scores higher


def disagreements(
    criterion: Criterion,
    other: Criterion,
    classes: int = 2,
    max_pairs: int = 3,
    max_rows: int = MAX_ROWS,
) -> tuple[Disagreement, ...]:
    """Find the smallest parents on which two criteria disagree, with one pair of splits each.

    The parents with the fewest rows come first, of equal sizes the most even; the pair of a parent
    has the most ranks between its splits in both orders. A tie is no preference. Scores are
    compared by exact values; raises ValueError for a criterion without them.
    """
    for measure in (criterion, other):
        if measure.exact is None:
            raise ValueError(f"{measure.name} cannot be compared without rounding")
    if criterion is other:
        return ()
    parents = (parent for n in range(2, max_rows + 1) for parent in _partitions(n, classes, n))
    pairs = (_widest(parent, criterion, other) for parent in parents)
    return tuple(islice(filter(None, pairs), max_pairs))


def splits_of(parent: ClassCounts) -> tuple[ClassCounts, ...]:
    """Left sides of every split with a row on each side, up to symmetry.

    Splits that differ by their sides swapped, or by classes of the same size swapped, have the same
    scores: one of them stands for all.
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
    """Partitions of n into so many positive numbers, descending, the most even partition first."""
    if parts == 1:
        if 1 <= n <= largest:
            yield (n,)
        return
    for first in range(-(-n // parts), min(largest, n - parts + 1) + 1):
        for others in _partitions(n - first, parts - 1, first):
            yield (first, *others)


def _widest(parent: ClassCounts, criterion: Criterion, other: Criterion) -> Disagreement | None:
    """The pair of splits with the most ranks between them in both orders; None: no disagreement."""
    splits = splits_of(parent)
    ranks, other_ranks = (_ranks(parent, splits, measure) for measure in (criterion, other))
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
