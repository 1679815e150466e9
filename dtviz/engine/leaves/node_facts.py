"""Node facts: counts or mean, impurity, prediction and purity of the rows of each node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.latex import RowGroup
from dtviz.engine.criteria.statistics import NodeRows, means
from dtviz.engine.search.frontier import Frontier
from dtviz.engine.search.histogram import weights_of


@dataclass(frozen=True, slots=True, eq=False)
class NodeFacts:
    """Facts of m nodes; K is the number of classes, 0 for regression."""

    n: Ints  # number of rows, (m,)
    counts: NDArray[Any]  # number of rows of each class, (m, K)
    weight: NDArray[Any]  # weight of the rows, (m,): `n` itself where rows have no weights
    sums: NDArray[Any]  # weight of each class, (m, K): `counts` itself where rows have no weights
    value: NDArray[Any]  # class code with the largest weight, the first of equals, or mean, (m,)
    share: Floats  # share of that class in the weight; for regression 1 if pure, else 0, (m,)
    impurity: Floats  # (m,)
    pure: Bools  # True where all rows have the same target, or a regression fits all exactly, (m,)


def group_of(data: Dataset, rows: Ints) -> RowGroup:
    """The rows with these ids as a group for formulas."""
    weights = None if data.weights is None else data.weights.take(rows)
    return RowGroup(data.y.take(rows), len(data.classes), weights, rows)


def compute_facts(data: Dataset, front: Frontier, criterion: Criterion) -> NodeFacts:
    """Compute the facts of every node of a frontier."""
    y = data.y.take(front.rows[0])
    return (_of_classes if data.classes else _of_numbers)(data, y, front, criterion)


def _of_classes(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> NodeFacts:
    n, m, classes = front.sizes, len(front.sizes), len(data.classes)
    cell = (np.arange(m) * classes).repeat(n) + y
    counts = np.bincount(cell, minlength=m * classes).reshape(m, classes)
    weights = weights_of(data, front)
    rows = NodeRows(y, weights, front.starts, n)
    weight, sums = rows.weight, counts
    if weights is not None:
        sums = np.bincount(cell, weights, minlength=m * classes).reshape(m, classes)
        sums = sums.astype(weights.dtype)
    largest = sums.max(axis=1)
    pure = (largest if weights is None else counts.max(axis=1)) == n
    impurity = np.where(pure, 0.0, criterion.impurity.of_nodes(rows, sums))
    value = sums.argmax(axis=1) if weights is None else _first_largest(sums, largest)
    share = np.where(pure, 1.0, largest / weight)
    return NodeFacts(n, counts, weight, sums, value, share, impurity, pure)


def _first_largest(sums: NDArray[Any], largest: NDArray[Any]) -> Ints:
    """First class of each node, (m,), whose weight is the largest but for rounding."""
    return np.asarray((sums >= (largest * (1 - ROUNDING))[:, None]).argmax(axis=1))


def _of_numbers(data: Dataset, y: NDArray[Any], front: Frontier, criterion: Criterion) -> NodeFacts:
    weights, no_classes = weights_of(data, front), np.zeros((len(front.sizes), 0), np.intp)
    rows = NodeRows(y, weights, front.starts, front.sizes, front.rows[0])
    impurity = criterion.impurity.of_nodes(rows, no_classes)
    pure = np.minimum.reduceat(y, front.starts) == np.maximum.reduceat(y, front.starts)
    if criterion.impurity.take_rows is not None:  # a regression may predict unequal targets exactly
        pure |= impurity == 0
    share = pure.astype(float)
    value = means(rows)
    return NodeFacts(front.sizes, no_classes, rows.weight, no_classes, value, share, impurity, pure)
