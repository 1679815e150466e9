"""Trees of other libraries: each becomes a log of moves that grows the same tree from its rows.

The importers of single libraries share the checks of X, y and sample weights that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import pd
from dtviz.base.text import count, number, quoted, short_repr
from dtviz.data.dataset import DataError, Dataset, Task
from dtviz.data.frames import pandas_frame
from dtviz.data.notes import Note
from dtviz.data.train_test import from_frame
from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.search.best_split import split_at
from dtviz.engine.splits import EXPLICIT_LEFT, EXPLICIT_RIGHT, RIGHT, Axis, Split
from dtviz.engine.tree import Grow, Log, Node
from dtviz.models.model import Model, fit

OTHER_ROWS = "these are not the rows that the tree was grown on"
OTHER_TARGET = "this is not the target that the tree was grown on"
MAX_IMPURITY_ERROR = 1e-6
"""Largest difference between two impurities of a node, as a share of the root's impurity."""
MAX_ROUNDING_ERROR = 1e-11
"""Largest rounding error of a variance, as a share of the square of the largest mean."""
Outcome = TypeVar("Outcome")
"""Type of the result of a maker, such as a Model."""


@dataclass(frozen=True, slots=True, eq=False)
class ForeignTree:
    """A tree of another library in arrays, one entry a node, (m,).

    The root is first, and parents are before their children. Methods read the features of n rows
    as `columns`, (M, n).
    """

    feature: Ints  # feature of the split, any in a leaf
    threshold: Floats  # threshold of the split, any in a leaf
    left: Ints  # index of the left child, 0 for a leaf
    right: Ints  # index of the right child, 0 for a leaf
    missing_left: Bools  # True where rows without a value go left
    single_precision: bool = True  # True if values are rounded to single precision first
    is_strict: bool = False  # True if a row at the threshold goes right
    weight: Floats | None = None  # weight of the node's training rows in any unit, if known
    impurity: Floats | None = None  # impurity of the node's training rows, if known
    weight_tolerance: float = 1e-6  # largest relative error of `weight`
    left_codes: Mapping[int, Floats] = field(default_factory=dict)
    """Codes that go left, by the node of a split of categories; other codes and NaN go right."""
    is_exchanged: Bools | None = None  # True where the sides are exchanged, (m,); None: nowhere

    def goes_left(self, node: int | Ints, values: Floats) -> Bools:
        """True for each value of the node's feature that goes left, (r,).

        Of several nodes, (r,), each has one value; none of them splits categories.
        """
        left = self._is_below(node, values)
        return left if self.is_exchanged is None else left ^ self.is_exchanged[node]

    def _is_below(self, node: int | Ints, values: Floats) -> Bools:
        if isinstance(node, int) and node in self.left_codes:
            return np.isin(values, self.left_codes[node])
        if self.single_precision:
            with np.errstate(over="ignore"):
                values = values.astype(np.float32).astype(np.float64)
        threshold = self.threshold[node]
        below = values < threshold if self.is_strict else values <= threshold
        return np.asarray(np.where(np.isnan(values), self.missing_left[node], below))

    def leaf_indices(self, columns: Floats) -> Ints:
        """The index of the leaf of each row, (n,)."""
        node_of_row = np.zeros(columns.shape[1], int)
        for node in np.flatnonzero(self.left).tolist():  # splits: the left child is not the root, 0
            row_ids = np.flatnonzero(node_of_row == node)
            left = self.goes_left(node, columns[self.feature[node]].take(row_ids))
            node_of_row[row_ids] = np.where(left, self.left[node], self.right[node])
        return node_of_row

    def node_sums(self, columns: Floats, amounts: Floats) -> Floats:
        """The sums of `amounts`, (n, K), over the rows of each node, (m, K)."""
        sums = np.zeros((len(self.left), amounts.shape[1]))
        np.add.at(sums, self.leaf_indices(columns), amounts)
        for node in np.flatnonzero(self.left)[::-1].tolist():
            sums[node] = sums[self.left[node]] + sums[self.right[node]]
        return sums

    def largest_left(self, node: int) -> float:
        """The largest double that the node sends left: its threshold for doubles and `<=`."""
        limit = self.threshold[node]
        if not self.single_precision:
            return float(np.nextafter(limit, -np.inf) if self.is_strict else limit)
        last = np.float32(limit)
        if not self.goes_left(node, np.array([last], np.float64))[0]:
            last = np.nextafter(last, np.float32(-np.inf))
        # Doubles up to the midpoint between two singles are rounded to the lower one. The midpoint
        # itself is rounded to the even one.
        midpoint = np.mean([last, np.nextafter(last, np.float32(np.inf))], dtype=np.float64)
        midpoint_goes_left = self.goes_left(node, np.array([midpoint]))[0]
        return float(midpoint if midpoint_goes_left else np.nextafter(midpoint, -np.inf))


def model_of(
    foreign: ForeignTree, data: Dataset, criterion: str, log: Log | None = None, **settings: Any
) -> Model:
    """The model of a foreign tree that was grown on this data.

    `criterion` and `settings` are the rules by which the tree was grown, `log` the moves that grow
    it; None: those of `log_of`. A limit of leaves is added to the rules, so that they grow it no
    further. The tree may be one leaf. Raises DataError where it cannot have been grown on this
    data.
    """
    log = log_of(foreign, data) if log is None else log
    rules = Rules(criterion, max_leaf_nodes=max(len(log) + 1, 2), order="depth", **settings)
    try:
        model = fit(data, rules, log)
    except RulesError as problem:  # the criterion does not suit the target
        raise DataError(f"{OTHER_TARGET}: {problem}") from None
    nodes = _nodes_in_foreign_order(foreign, model)
    _check_weights(foreign, nodes)
    _check_impurities(foreign, nodes)
    return model


def first_readable(makers: Iterable[Callable[[], Outcome]]) -> Outcome:
    """Result of the first maker without a DataError; raises the first one where all have one."""
    problems: list[DataError] = []
    for make in makers:
        try:
            return make()
        except DataError as problem:
            problems.append(problem)
    raise problems[0]


def first_model(makers: Iterable[Callable[[], Model]]) -> Model:
    """The model of the first maker without a DataError; raises DataError for a tree of one leaf."""
    model = first_readable(makers)
    if not model.log:
        raise DataError("the tree is one leaf: there is no split to look at")
    return model


def log_of(
    foreign: ForeignTree,
    data: Dataset,
    columns: Floats | None = None,
    split_of: Callable[[int, Ints, Bools], Split] | None = None,
) -> Log:
    """The moves that grow the foreign tree; raises DataError where a split leaves a side empty.

    `columns` are what the foreign tree reads, (M, n); None: the columns of the data. `split_of`
    writes the split of a node, from the ids of its rows and the mask of those that go left.
    """
    columns = data.columns if columns is None else columns
    split_of = partial(_matching_split, foreign, data) if split_of is None else split_of
    return tuple(_moves(foreign, columns, split_of))


def _moves(
    foreign: ForeignTree, columns: Floats, split_of: Callable[[int, Ints, Bools], Split]
) -> Iterator[Grow]:
    """Yield the splits of the foreign tree, parents before children, the left side first."""
    stack = [(0, 1, np.arange(columns.shape[1]))]
    while stack:
        node, node_id, rows = stack.pop()
        if not foreign.left[node]:
            continue
        values = columns[foreign.feature[node]].take(rows)
        left = foreign.goes_left(node, values)
        if left.all() or not left.any():
            raise DataError(f"{OTHER_ROWS}: at node {node_id} all {len(rows):,} go to one side")
        yield Grow(node_id, split_of(node, rows, left))
        stack.append((int(foreign.right[node]), 2 * node_id + 1, rows[~left]))
        stack.append((int(foreign.left[node]), 2 * node_id, rows[left]))


def _matching_split(
    foreign: ForeignTree, data: Dataset, node: int, row_ids: Ints, left: Bools
) -> Split:
    """The split that sends each value to the side to which the foreign node sends it.

    `left` is True for the rows that go left. The split has a side for rows without a value only if
    some row of the data has none.
    """
    feature = int(foreign.feature[node])
    gap, has_value = data.gaps[feature], ~np.isnan(data.columns[feature].take(row_ids))
    if left[has_value].all() or not left[has_value].any():  # it divides missing from other values
        return split_at(Axis(feature), np.inf if left[has_value].any() else -np.inf)
    missing = (EXPLICIT_RIGHT, EXPLICIT_LEFT)[int(foreign.missing_left[node])] if gap else RIGHT
    return Split(Axis(feature), foreign.largest_left(node), missing)


def _nodes_in_foreign_order(foreign: ForeignTree, model: Model) -> list[Node]:
    """The nodes of the model in the order of the foreign tree."""
    node_ids = [1] * len(foreign.left)
    for node in np.flatnonzero(foreign.left).tolist():
        node_ids[foreign.left[node]] = 2 * node_ids[node]
        node_ids[foreign.right[node]] = 2 * node_ids[node] + 1
    return [model.tree.nodes[node_id] for node_id in node_ids]


def _check_weights(foreign: ForeignTree, nodes: Sequence[Node]) -> None:
    """Raise DataError where a node has another share of the weight than in the foreign tree."""
    if foreign.weight is None:
        return
    foreign_shares = foreign.weight / foreign.weight[0]
    shares = np.array([node.weight for node in nodes], np.float64) / nodes[0].weight
    differs = ~np.isclose(shares, foreign_shares, rtol=foreign.weight_tolerance)
    for index in np.flatnonzero(differs)[:1].tolist():
        raise DataError(
            f"{OTHER_ROWS}: node {nodes[index].id} has {number(100 * shares[index])} % of the "
            f"weight here, {number(100 * foreign_shares[index])} % there; give the same X, y and "
            "sample_weight"
        )


def _check_impurities(foreign: ForeignTree, nodes: Sequence[Node]) -> None:
    """Raise DataError where a node has another impurity than in the foreign tree."""
    if foreign.impurity is None:
        return
    foreign_impurities, impurities = foreign.impurity, np.array([node.impurity for node in nodes])
    rounding = MAX_ROUNDING_ERROR * max(node.value**2 for node in nodes)
    tolerance = MAX_IMPURITY_ERROR * foreign_impurities[0] + rounding
    for index in np.flatnonzero(np.abs(impurities - foreign_impurities) > tolerance)[:1].tolist():
        raise DataError(
            f"{OTHER_TARGET}: node {nodes[index].id} has impurity {number(impurities[index])} "
            f"here, {number(foreign_impurities[index])} there; give the same y"
        )


def number_frame(X: Any, n_features: int, names: Sequence[str] | None = None) -> pd.DataFrame:
    """X as a frame of numbers; its columns are named as in X, else by `names`, else x1, x2, ...

    `n_features` and `names` are those of the fitted model, None where it has no names. Raises
    DataError where X is no table of numbers, or has other columns than the model had.
    """
    frame = pandas_frame(X)
    try:
        values = np.asarray(frame, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"`X` must be a table of numbers, as the model had; not {short_repr(X)}"
        ) from None
    if values.ndim != 2 or values.shape[1] != n_features:
        raise DataError(f"`X` must have {count(n_features, 'column')}; its shape is {values.shape}")
    frame_names = [*map(str, frame.columns)] if isinstance(frame, pd.DataFrame) else None
    column_names = frame_names or (None if names is None else [*map(str, names)])
    column_names = column_names or [f"x{j + 1}" for j in range(values.shape[1])]
    if (
        frame_names
        and names is not None
        and [*map(_lightgbm_name, frame_names)] != [*map(_lightgbm_name, names)]
    ):
        raise DataError(f"`X` must have the columns the model had: {', '.join(map(quoted, names))}")
    return pd.DataFrame(values, columns=column_names)


def member_index(member: Any, n_members: int, noun: str = "tree") -> int:
    """The index of a member as an int; raises DataError where there is no such member.

    `noun` is the word for a member in the message.
    """
    index = int(member) if isinstance(member, Integral) else -1
    if not 0 <= index < n_members:
        raise DataError(
            f"`member` must say which {noun}: 0 to {n_members - 1}; not {short_repr(member)}"
        )
    return index


def _lightgbm_name(name: Any) -> str:
    """A name as LightGBM writes it, which has no blanks."""
    return str(name).replace(" ", "_")


def weights_of(sample_weight: Any, n_rows: int) -> Floats:
    """The sample weight of each row, (n,), 1 by default; raises DataError for any other shape."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weights = np.array(sample_weight, np.float64)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (n_rows,):
        raise DataError(
            f"`sample_weight` must have a number for each row of X: {n_rows:,}; "
            f"not {short_repr(sample_weight)}"
        )
    return weights


def target_of(y: ArrayLike, n_rows: int) -> NDArray[Any]:
    """The target of each row, (n,); raises DataError for another number of rows."""
    values = np.asarray(y).ravel()
    if len(values) != n_rows:
        raise DataError(f"`y` must have a value for each row of X: {n_rows:,}; not {len(values):,}")
    return values


def floats_of(y: NDArray[Any]) -> Floats:
    """The target as floats; raises DataError where it is not numbers."""
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError("`y` must be numbers, as the model had") from None


def codes_of(y: NDArray[Any]) -> tuple[list[Any], Ints]:
    """The sorted classes, and the code of each row's class, (n,).

    Raises DataError where the classes have no order, as numbers beside texts.
    """
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError:
        raise DataError("`y` must be classes of one kind, as the model had") from None
    return classes.tolist(), codes


def data_of(
    X: pd.DataFrame, y: ArrayLike, weights: Floats | None, task: Task, notes: Sequence[Note] = ()
) -> Dataset:
    """The dataset of the rows with a positive weight; it has no weights where all are 1.

    Raises DataError where X, y and the weights make no dataset.
    """
    target = pd.Series(y)
    if len(target) != len(X):
        raise DataError(f"`y` must have a value for each row of X: {len(X):,}; not {len(target):,}")
    name = str(getattr(y, "name", None) or "y")
    while name in X.columns:  # the target needs a name that no feature has
        name += "'"
    table = X.assign(**{name: target.to_numpy()})
    data = from_frame(table, name, [*X.columns], task, notes, weights)
    is_unweighted = data.weights is not None and (data.weights == 1).all()
    return replace(data, weights=None) if is_unweighted else data
