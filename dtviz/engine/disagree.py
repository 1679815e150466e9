"""Where two measures prefer different splits of the same rows: the smallest such tables of counts.

Glossary
    parent    the rows of each class in the node, the commonest class first
    split     the rows of each class on the left; the others are on the right
    pair      two splits of a parent, one better under one measure, the other under the other
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import Criterion

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
