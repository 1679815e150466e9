"""A tree grown elsewhere, and the log of our moves that makes the same tree of the same rows.

Glossary
    foreign   a tree in arrays of one entry a node, the root first, as most libraries keep it
    single    values and thresholds are compared in single precision, as scikit-learn and XGBoost do
    strict    a row goes left where its value is below the threshold, not where it is at most that
    weight    what the rows of a node weighed where the tree was grown, in any unit, if it says so
    impurity  what their targets had, by the criterion of the tree, if it says so
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtviz.arrays import Bools, Floats, Ints
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.search import split_at
from dtviz.engine.splits import GIVEN_LEFT, GIVEN_RIGHT, RIGHT, Axis, Split
from dtviz.engine.tree import Grow, Log, Node
from dtviz.model import Model, fit
from dtviz.table.data import DataError, Dataset
from dtviz.text import number

NOT_ITS_ROWS = "these are not the rows that the tree was grown on"
NOT_ITS_TARGET = "this is not the target that the tree was grown on"
SAME = 1e-6
"""The share of the root's impurity that one may differ by."""
ROUNDED = 1e-11
"""The share of the square of the largest mean by which squares less a square are rounded off."""


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
    impurity: Floats | None = None
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

    def totals(self, columns: Floats, amounts: Floats) -> Floats:
        """The sums in each node of amounts (n, K), (m, K)."""
        out = np.zeros((len(self.left), amounts.shape[1]))
        np.add.at(out, self.leaves(columns), amounts)
        for node in np.flatnonzero(self.left)[::-1].tolist():
            out[node] = out[self.left[node]] + out[self.right[node]]
        return out

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


def model_of(foreign: Foreign, data: Dataset, criterion: str, **asked: Any) -> Model:
    """The model of a tree grown elsewhere on this data, which goes on no further.

    It was grown by that criterion and the rules asked. Raises DataError where it cannot have been
    grown on these rows.
    """
    log = log_of(foreign, data)
    if not log:
        raise DataError("the tree is one leaf: there is no split to look at")
    rules = Rules(criterion, max_leaf_nodes=len(log) + 1, order="depth", **asked)
    try:
        model = fit(data, rules, log)
    except RulesError as problem:  # the criterion does not suit the target
        raise DataError(f"{NOT_ITS_TARGET}: {problem}") from None
    nodes = _nodes(foreign, model)
    _need_same_weights(foreign, nodes)
    _need_same_impurities(foreign, nodes)
    return model


def first_of(made: Iterable[Callable[[], Model]]) -> Model:
    """The first of some models that can be made; raises the first DataError where none can."""
    problems: list[DataError] = []
    for make in made:
        try:
            return make()
        except DataError as problem:
            problems.append(problem)
    raise problems[0]


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


def _nodes(foreign: Foreign, model: Model) -> list[Node]:
    """Our nodes in the order of theirs, where parents stand before their children."""
    names = [1] * len(foreign.left)
    for node in np.flatnonzero(foreign.left).tolist():
        names[foreign.left[node]] = 2 * names[node]
        names[foreign.right[node]] = 2 * names[node] + 1
    return [model.tree.nodes[name] for name in names]


def _need_same_weights(foreign: Foreign, nodes: Sequence[Node]) -> None:
    """Raises DataError where a node weighs other than it did where the tree was grown."""
    if foreign.weight is None:
        return
    theirs = foreign.weight / foreign.weight[0]
    ours = np.array([node.weight for node in nodes], np.float64) / nodes[0].weight
    for at in np.flatnonzero(~np.isclose(ours, theirs, rtol=foreign.exact))[:1].tolist():
        raise DataError(
            f"{NOT_ITS_ROWS}: node {nodes[at].id} has {number(100 * ours[at])} % of the weight "
            f"here, {number(100 * theirs[at])} % there; give the same X, y and sample_weight"
        )


def _need_same_impurities(foreign: Foreign, nodes: Sequence[Node]) -> None:
    """Raises DataError where the targets of a node are other than where the tree was grown."""
    if foreign.impurity is None:
        return
    theirs, ours = foreign.impurity, np.array([node.impurity for node in nodes])
    rounding = SAME * theirs[0] + ROUNDED * max(node.value**2 for node in nodes)
    for at in np.flatnonzero(np.abs(ours - theirs) > rounding)[:1].tolist():
        raise DataError(
            f"{NOT_ITS_TARGET}: node {nodes[at].id} has impurity {number(ours[at])} here, "
            f"{number(theirs[at])} there; give the same y"
        )
