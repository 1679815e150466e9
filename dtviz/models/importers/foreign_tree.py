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
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import count, number, quoted, shown
from dtviz.data.dataset import DataError, Dataset, Task
from dtviz.data.frames import any_frame
from dtviz.data.train_test import from_frame
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.search.best_split import split_at
from dtviz.engine.splits import GIVEN_LEFT, GIVEN_RIGHT, RIGHT, Axis, Split
from dtviz.engine.tree import Grow, Log, Node
from dtviz.models.model import Model, fit

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


def numbers_of(X: Any, many: int, names: Sequence[str] | None = None) -> pd.DataFrame:
    """X as numbers under the names of its `many` features: its own, those given, or x1, x2, ...

    Raises DataError where it is no table of numbers, or has other columns than the model had.
    """
    frame = any_frame(X)
    try:
        values = np.asarray(frame, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"`X` must be a table of numbers, as the model had; not {shown(X)}"
        ) from None
    if values.ndim != 2 or values.shape[1] != many:
        raise DataError(f"`X` must have {count(many, 'column')}; its shape is {values.shape}")
    own = [*map(str, frame.columns)] if isinstance(frame, pd.DataFrame) else None
    listed = own or (None if names is None else [*map(str, names)])
    listed = listed or [f"x{j + 1}" for j in range(values.shape[1])]
    if own and names is not None and [*map(_written, own)] != [*map(_written, names)]:
        raise DataError(f"`X` must have the columns the model had: {', '.join(map(quoted, names))}")
    return pd.DataFrame(values, columns=listed)


def place_of(member: Any, many: int, what: str = "tree") -> int:
    """Which of so many trees a member is; raises DataError where it is none."""
    at = int(member) if isinstance(member, Integral) else -1
    if not 0 <= at < many:
        raise DataError(f"`member` must say which {what}: 0 to {many - 1}; not {shown(member)}")
    return at


def _written(name: Any) -> str:
    """A name as LightGBM writes it, which has no blanks."""
    return str(name).replace(" ", "_")


def weights_of(sample_weight: Any, rows: int) -> Floats:
    """A number for each row, 1 where none are given; raises DataError."""
    if sample_weight is None:
        return np.ones(rows)
    try:
        weights = np.array(sample_weight, np.float64)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (rows,):
        raise DataError(
            f"`sample_weight` must have a number for each row of X: {rows:,}; "
            f"not {shown(sample_weight)}"
        )
    return weights


def target_of(y: ArrayLike, rows: int) -> NDArray[Any]:
    """A value for each row; raises DataError."""
    values = np.asarray(y).ravel()
    if len(values) != rows:
        raise DataError(f"`y` must have a value for each row of X: {rows:,}; not {len(values):,}")
    return values


def floats_of(y: NDArray[Any]) -> Floats:
    """A target of numbers; raises DataError."""
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError("`y` must be numbers, as the model had") from None


def codes_of(y: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    """The classes in order, and the place of each row's among them; raises DataError."""
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        raise DataError("`y` must be classes of one kind, as the model had") from None
    return classes.tolist(), codes


def data_of(X: pd.DataFrame, y: ArrayLike, weights: Floats | None, task: Task) -> Dataset:
    """The Dataset of these rows; those of weight 0 are left out. Raises DataError.

    It has no weights where each is 1.
    """
    target = pd.Series(y)
    if len(target) != len(X):
        raise DataError(f"`y` must have a value for each row of X: {len(X):,}; not {len(target):,}")
    name = str(getattr(y, "name", None) or "y")
    while name in X.columns:
        name += "'"
    table = X.assign(**{name: target.to_numpy()})
    data = from_frame(table, name, [*X.columns], task, sample_weight=weights)
    plain = data.weights is not None and (data.weights == 1).all()
    return replace(data, weights=None) if plain else data
