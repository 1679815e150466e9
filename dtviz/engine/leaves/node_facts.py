"""What a node says of its rows: counts or mean, impurity, prediction, and whether it is pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.latex import Group
from dtviz.engine.criteria.statistics import Rows, means
from dtviz.engine.search.frontier import Frontier
from dtviz.engine.search.histogram import weights_of


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """One entry a node, arrays (m,); `counts` has shape (m, K), with K = 0 for regression.

    `value` is the majority class (the first of equals) or the mean; `share` its share of the rows.
    Weights rule both, and the impurity: `weight` is that of the rows, `sums` that of each class,
    (m, K); they are `n` and `counts` where rows have no weights.
    """

    n: Ints
    counts: NDArray[Any]
    weight: NDArray[Any]
    sums: NDArray[Any]
    value: NDArray[Any]
    share: Floats
    impurity: Floats
    pure: Bools


def group_of(data: Dataset, rows: Ints) -> Group:
    """Some rows as formulas take them."""
    weights = None if data.weights is None else data.weights.take(rows)
    return Group(data.y.take(rows), len(data.classes), weights, rows)


def facts(data: Dataset, front: Frontier, criterion: Criterion) -> Facts:
    """The facts of every node of a frontier, from its rows."""
    y = data.y.take(front.rows[0])
    return (_of_classes if data.classes else _of_numbers)(data, y, front, criterion)


def _of_classes(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> Facts:
    n, m, classes = front.sizes, len(front.sizes), len(data.classes)
    cell = (np.arange(m) * classes).repeat(n) + y
    counts = np.bincount(cell, minlength=m * classes).reshape(m, classes)
    weights = weights_of(data, front)
    rows = Rows(y, weights, front.starts, n)
    weight, sums = rows.weight, counts
    if weights is not None:
        sums = np.bincount(cell, weights, minlength=m * classes).reshape(m, classes)
        sums = sums.astype(weights.dtype)
    most = sums.max(axis=1)
    pure = (most if weights is None else counts.max(axis=1)) == n
    impurity = np.where(pure, 0.0, criterion.impurity.of_nodes(rows, sums))
    value = sums.argmax(axis=1) if weights is None else _first_of_most(sums, most)
    share = np.where(pure, 1.0, most / weight)
    return Facts(n, counts, weight, sums, value, share, impurity, pure)


def _first_of_most(sums: NDArray[Any], most: NDArray[Any]) -> Ints:
    """The first class that weighs most, but for rounding."""
    return np.asarray((sums >= (most * (1 - ROUNDING))[:, None]).argmax(axis=1))


def _of_numbers(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> Facts:
    weights, none = weights_of(data, front), np.zeros((len(front.sizes), 0), np.intp)
    rows = Rows(y, weights, front.starts, front.sizes, front.rows[0])
    impurity = criterion.impurity.of_nodes(rows, none)
    pure = np.minimum.reduceat(y, front.starts) == np.maximum.reduceat(y, front.starts)
    if criterion.impurity.taken is not None:
        pure |= impurity == 0
    share = pure.astype(float)
    return Facts(front.sizes, none, rows.weight, none, means(rows), share, impurity, pure)
