"""The way of the row that a session shows."""

from __future__ import annotations

import numpy as np

from dtviz.arrays import Floats
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Tree
from dtviz.say.way import Way, way
from dtviz.screen.session import Row, may_show
from dtviz.table.data import Dataset


def way_of(problem: Problem, tree: Tree, row: Row | None) -> Way | None:
    """The way of a row; None where there is no such row."""
    data = problem.data
    if row is None or not may_show(data, row):
        return None
    return way(problem, tree, values_of(data, row))


def values_of(data: Dataset, row: Row) -> Floats:
    """The values of a row, (M,); NaN for what is missing and what was not typed."""
    if isinstance(row, int):
        return np.array([column[row - 1] for column in data.columns], np.float64)
    out = np.full(len(data.features), np.nan)
    for feature, value in row:
        out[feature] = value
    return out
