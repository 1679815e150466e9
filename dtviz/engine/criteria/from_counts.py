"""Groups and splits told by their counts alone: no table of rows is needed.

Glossary
    parent    the rows of each class in a node, (K,)
    left      the rows of each class that a split sends left; the others are on the right
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Floats
from dtviz.engine.criteria.criteria import Criterion, Impurity, Sides
from dtviz.engine.criteria.exact import Worth
from dtviz.engine.criteria.latex import Group

Told = Callable[[NDArray[Any], NDArray[Any]], Floats]
NEAR = 1e-9
"""Scores that are closer may be equal but for rounding."""


def group_of_counts(counts: Sequence[int]) -> Group:
    """So many rows of each class, as formulas take them."""
    return Group(np.repeat(np.arange(len(counts)), counts), len(counts))


def impurities(impurity: Impurity, counts: NDArray[Any]) -> Floats:
    """The impurity of groups with these counts, (m,), none empty; `counts` are (m, K)."""
    n = counts.sum(axis=1)
    return np.asarray(np.maximum(impurity.spread(counts.T, n) / n, 0.0))


def gains(criterion: Criterion, parent: NDArray[Any], left: NDArray[Any]) -> Floats:
    """The gain of each split, (S,), `left` being (S, K); NaN where a side is empty: no split.

    What is above 0 by rounding alone is 0, as in the search.
    """
    return _whole_only(parent, left, lambda sums, n: _gain(criterion, parent, sums, n))


def scores(criterion: Criterion, parent: NDArray[Any], left: NDArray[Any]) -> Floats:
    """What the criterion makes of each split, (S,), `left` being (S, K); NaN with an empty side."""

    def score(sums: NDArray[Any], n: NDArray[Any]) -> Floats:
        gain = _gain(criterion, parent, sums, n)
        measure = criterion.measure
        return gain if measure is None else measure.score(Sides(lambda: iter(sums), n, n, gain))

    return _whole_only(parent, left, score)


def _whole_only(parent: NDArray[Any], left: NDArray[Any], told: Told) -> Floats:
    """What is told of the splits with rows on both sides; NaN for the others."""
    sums = np.array([left.T, parent[:, None] - left.T]).swapaxes(0, 1)
    n = sums.sum(axis=0)
    some, out = (n > 0).all(axis=0), np.full(len(left), np.nan)
    out[some] = told(sums[..., some], n[:, some])
    return out


def _gain(
    criterion: Criterion, parent: NDArray[Any], sums: NDArray[Any], n: NDArray[Any]
) -> Floats:
    """The gain from the counts of both sides, (K, 2, S), and their sizes, (2, S)."""
    before = criterion.spread(parent[:, None], parent.sum(keepdims=True))
    after = criterion.spread(sums.reshape(len(parent), -1), n.ravel()).reshape(n.shape)
    gain = (before - after.sum(axis=0)) / parent.sum()
    return np.where(gain > ROUNDING, gain, 0.0)


def preferred(
    criterion: Criterion, parent: NDArray[Any], left: NDArray[Any], other: NDArray[Any]
) -> NDArray[np.int32]:
    """1 where a split scores above the `other` one, (K,), -1 below, 0 where both score the same.

    What is nearer than rounding could tell is compared without any. Without a score it is 0.
    """
    apart = scores(criterion, parent, left) - scores(criterion, parent, other[None])
    out = np.sign(np.nan_to_num(apart)).astype(np.int32)
    exact = criterion.exact
    if exact is None:
        return out
    worth = partial(_worth, exact, parent)
    for at in np.flatnonzero(np.abs(apart) < NEAR):
        out[at] = int(worth(left[at]) > worth(other)) - int(worth(left[at]) < worth(other))
    return out


def _worth(exact: Worth, parent: NDArray[Any], left: NDArray[Any]) -> Any:
    return exact(left.tolist(), (parent - left).tolist())


# --- information ----------------------------------------------------------------------------------


def surprise(shares: NDArray[Any]) -> Floats:
    """The self-information -log2 p of each share, in bits; infinite for 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log2(shares)) + 0.0


def divergence(counts: NDArray[Any]) -> Floats:
    """KL(p || uniform) = sum p_k log2(K p_k) in bits, (m,), of groups with these counts, (m, K)."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    ratios = np.where(shares > 0, shares * counts.shape[1], 1.0)
    return np.asarray(np.sum(shares * np.log2(ratios), axis=1))


Counts = tuple[int, ...]
LARGEST = 14
"""Rows of the largest parents that are searched."""


class Disagreement(NamedTuple):
    """One measure scores `first` above `second`, the other `second` above `first`."""

    parent: Counts
    first: Counts
    second: Counts


def disagreements(
    one: Criterion, other: Criterion, classes: int = 2, most: int = 3, largest: int = LARGEST
) -> tuple[Disagreement, ...]:
    """The smallest parents of so many classes on which the criteria disagree, with a pair each.

    Fewest rows come first, then the most even parent; of a parent's pairs the one whose splits are
    most places apart in both orders. Scores are compared without rounding; a tie is no preference.
    Raises ValueError for a criterion that has no exact worth.
    """
    for criterion in (one, other):
        if criterion.exact is None:
            raise ValueError(f"{criterion.name} cannot be compared without rounding")
    if one is other:
        return ()
    parents = (some for n in range(2, largest + 1) for some in _parts(n, classes, n))
    found = (_widest(parent, one, other) for parent in parents)
    return tuple(islice(filter(None, found), most))


def splits_of(parent: Counts) -> tuple[Counts, ...]:
    """Every split with a row on each side, once: not again mirrored, nor with like classes swapped.

    Splits that differ by that alone have the same scores.
    """
    kept: dict[Any, Counts] = {}
    for left in product(*(range(n, -1, -1) for n in parent)):
        if 0 < sum(left) < sum(parent):
            right = tuple(n - a for n, a in zip(parent, left, strict=True))
            sides = (tuple(sorted(zip(a, b, strict=True))) for a, b in _both(left, right))
            kept.setdefault(min(sides), left)
    return tuple(kept.values())


def _both(left: Counts, right: Counts) -> tuple[tuple[Counts, Counts], ...]:
    return (left, right), (right, left)


def _parts(n: int, parts: int, most: int) -> Iterator[Counts]:
    """n as a sum of so many numbers, none above `most`, the largest first; the most even first."""
    if parts == 1:
        if 1 <= n <= most:
            yield (n,)
        return
    for first in range(-(-n // parts), min(most, n - parts + 1) + 1):
        for rest in _parts(n - first, parts - 1, first):
            yield (first, *rest)


def _widest(parent: Counts, one: Criterion, other: Criterion) -> Disagreement | None:
    """The parent's pair that is most places apart in both orders; None where they agree."""
    splits = splits_of(parent)
    up, down = (_places(parent, splits, criterion) for criterion in (one, other))
    gained, lost = np.subtract.outer(up, up), -np.subtract.outer(down, down)
    apart = np.minimum(gained * down.max(initial=0), lost * up.max(initial=0))
    at = int(apart.argmax())
    if apart.flat[at] <= 0:
        return None
    first, second = divmod(at, len(splits))
    return Disagreement(parent, splits[first], splits[second])


def _places(parent: Counts, splits: tuple[Counts, ...], criterion: Criterion) -> NDArray[np.intp]:
    """The place of each split in the order of its score, 0 the least; equals share one."""
    assert criterion.exact is not None
    worth = [
        criterion.exact(left, [n - a for n, a in zip(parent, left, strict=True)]) for left in splits
    ]
    place = {value: at for at, value in enumerate(sorted({*worth}))}
    return np.array([place[value] for value in worth])
