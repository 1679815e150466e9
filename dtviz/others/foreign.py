"""A tree grown elsewhere, and the log of our moves that makes the same tree of the same rows.

Glossary
    foreign   a tree in arrays of one entry a node, the root first, as most libraries keep it
    single    values and thresholds are compared in single precision, as scikit-learn and XGBoost do
    strict    a row goes left where its value is below the threshold, not where it is at most that
    weight    what the rows of a node weighed where the tree was grown, in any unit, if it says so
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.rules import Rules
from dtviz.engine.search import split_at
from dtviz.engine.splits import GIVEN_LEFT, GIVEN_RIGHT, RIGHT, Axis, Split
from dtviz.engine.tree import Grow, Log
from dtviz.model import Model, fit
from dtviz.table.data import DataError, Dataset
from dtviz.text import number

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
NOT_ITS_ROWS = "these are not the rows that the tree was grown on"


@dataclass(frozen=True, slots=True, eq=False)
class Foreign:
    """A tree grown elsewhere: the feature, threshold and children (0: a leaf) of each node, (m,).

    `missing_left` says where rows without a value go; `exact` to how much a `weight` is known.
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    missing_left: Bools
    single: bool = True
    strict: bool = False
    weight: Floats | None = None
    exact: float = 1e-6

    def goes_left(self, node: int, values: Floats) -> Bools:
        """Which values of its feature the node sends left, (r,)."""
        if self.single:
            with np.errstate(over="ignore"):
                values = values.astype(np.float32).astype(np.float64)
        threshold = self.threshold[node]
        below = values < threshold if self.strict else values <= threshold
        return np.asarray(np.where(np.isnan(values), self.missing_left[node], below))

    def leaves(self, columns: Floats) -> Ints:
        """The place of the leaf of each row of columns (M, n)."""
        at = np.zeros(columns.shape[1], np.intp)
        for node in np.flatnonzero(self.left).tolist():  # parents stand before their children
            here = np.flatnonzero(at == node)
            left = self.goes_left(node, columns[self.feature[node]].take(here))
            at[here] = np.where(left, self.left[node], self.right[node])
        return at

    def largest_left(self, node: int) -> float:
        """The largest number that the node sends left."""
        limit = self.threshold[node]
        if not self.single:
            return float(np.nextafter(limit, -np.inf) if self.strict else limit)
        last = np.float32(limit)
        if not self.goes_left(node, np.array([last], np.float64))[0]:
            last = np.nextafter(last, np.float32(-np.inf))
        between = np.mean([last, np.nextafter(last, np.float32(np.inf))], dtype=np.float64)
        rounded_left = self.goes_left(node, np.array([between]))[0]
        return float(between if rounded_left else np.nextafter(between, -np.inf))


def model_of(foreign: Foreign, data: Dataset, criterion: str, least: int = 1) -> Model:
    """The model of a tree grown elsewhere on this data, which goes on no further.

    It was grown by that criterion with at least so many rows a leaf. Raises DataError where it
    cannot have been grown on these rows.
    """
    log = log_of(foreign, data)
    if not log:
        raise DataError("the tree is one leaf: there is no split to look at")
    rules = Rules(criterion, min_samples_leaf=least, max_leaf_nodes=len(log) + 1, order="depth")
    model = fit(data, rules, log)
    _need_same_weights(foreign, model)
    return model


def log_of(foreign: Foreign, data: Dataset) -> Log:
    """The moves that make the tree of these rows; raises DataError where they cannot."""
    return tuple(_moves(foreign, data))


def _moves(foreign: Foreign, data: Dataset) -> Iterator[Grow]:
    """The splits, parents before children, the left side first."""
    waiting = [(0, 1, np.arange(data.n))]
    while waiting:
        node, name, rows = waiting.pop()
        if not foreign.left[node]:
            continue
        values = data.columns[foreign.feature[node]].take(rows)
        left = foreign.goes_left(node, values)
        if left.all() or not left.any():
            raise DataError(f"{NOT_ITS_ROWS}: at node {name} all {len(rows):,} go to one side")
        gap = data.gaps[foreign.feature[node]]  # what no row lacks goes nowhere
        yield Grow(name, _split(foreign, node, values, left, gap))
        waiting.append((int(foreign.right[node]), 2 * name + 1, rows[~left]))
        waiting.append((int(foreign.left[node]), 2 * name, rows[left]))


def _split(foreign: Foreign, node: int, values: Floats, left: Bools, gap: bool) -> Split:
    """The split that sends every value there is where theirs does."""
    feature, known = int(foreign.feature[node]), ~np.isnan(values)
    if left[known].all() or not left[known].any():
        return split_at(Axis(feature), np.inf if left[known].any() else -np.inf)
    side = (GIVEN_RIGHT, GIVEN_LEFT)[int(foreign.missing_left[node])] if gap else RIGHT
    return Split(Axis(feature), foreign.largest_left(node), side)


def _need_same_weights(foreign: Foreign, model: Model) -> None:
    """Raises DataError where a node weighs other than it did where the tree was grown."""
    if foreign.weight is None:
        return
    names = {0: 1}
    for node in range(len(foreign.left)):  # parents stand before their children
        name, theirs = names[node], float(foreign.weight[node] / foreign.weight[0])
        ours = model.tree.nodes[name].weight / model.tree.nodes[1].weight
        if not np.isclose(ours, theirs, rtol=foreign.exact):
            raise DataError(
                f"{NOT_ITS_ROWS}: node {name} has {number(100 * ours)} % of the weight here, "
                f"{number(100 * theirs)} % there; give the same X, y and sample_weight"
            )
        if foreign.left[node]:
            names[int(foreign.left[node])] = 2 * name
            names[int(foreign.right[node])] = 2 * name + 1
