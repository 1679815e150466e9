"""What a node says of its rows: counts or mean, impurity, prediction, and whether it is pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import Criterion
from dtviz.engine.frontier import Bools, Floats, Frontier, Ints
from dtviz.table.data import Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """One entry a node, arrays (m,); `counts` has shape (m, K), with K = 0 for regression.

    `value` is the majority class (the first of equals) or the mean; `share` its share of the rows.
    """

    n: Ints
    counts: NDArray[Any]
    value: NDArray[Any]
    share: Floats
    impurity: Floats
    pure: Bools


def facts(data: Dataset, front: Frontier, criterion: Criterion) -> Facts:
    """The facts of every node of a frontier, from its rows."""
    y = data.y.take(front.rows[0])
    return (_of_classes if data.classes else _of_numbers)(data, y, front, criterion)


def _of_classes(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> Facts:
    counts = _class_counts(y, len(data.classes), front)
    most = counts.max(axis=1)
    pure = most == front.sizes
    impurity = np.where(pure, 0.0, criterion.spread(counts.T, front.sizes) / front.sizes)
    return Facts(front.sizes, counts, counts.argmax(axis=1), most / front.sizes, impurity, pure)


def _of_numbers(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> Facts:
    low = np.minimum.reduceat(y, front.starts)
    pure = low == np.maximum.reduceat(y, front.starts)
    offset = y - np.repeat(low, front.sizes)
    rough = np.add.reduceat(offset, front.starts) / front.sizes
    rest = offset - np.repeat(rough, front.sizes)
    correction = np.add.reduceat(rest, front.starts) / front.sizes
    square = np.add.reduceat(np.square(rest), front.starts) / front.sizes
    variance = np.where(pure, 0.0, np.maximum(square - np.square(correction), 0.0))
    mean = np.where(pure, low, low + (rough + correction))
    none = np.zeros((len(front.sizes), 0), np.intp)
    return Facts(front.sizes, none, mean, pure.astype(float), variance, pure)


def _class_counts(y: NDArray[Any], classes: int, front: Frontier) -> Ints:
    """How many rows of each class each node has, (m, K); `y` follows the first feature's rows."""
    m = len(front.sizes)
    cell = np.repeat(np.arange(m) * classes, front.sizes) + y
    return np.bincount(cell, minlength=m * classes).reshape(m, classes)
