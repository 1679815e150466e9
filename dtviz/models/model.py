"""A grown tree that predicts: fit, predict, rules, regions, path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.lazy import once
from dtviz.base.text import count, quoted, several, shown
from dtviz.data.categories import Level, code_of, codes_of
from dtviz.data.dataset import (
    DataError,
    Dataset,
    as_given,
    encoded,
    measured_as,
    named,
    numbers,
    target_of,
)
from dtviz.data.frames import AnyFrame, any_frame
from dtviz.data.units import PLAIN, Quantity
from dtviz.data.weights import own_weights
from dtviz.engine.grow import Decision, finished_by, status
from dtviz.engine.importance import dependence, worth
from dtviz.engine.leaves.probabilities import brier_scores, log_losses
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError, default_rules, prepared
from dtviz.engine.splits import Split
from dtviz.engine.subtrees import loss_of
from dtviz.engine.tree import (
    Collapse,
    Grow,
    Log,
    LogError,
    Node,
    Region,
    Tree,
    apply,
    fold,
    height,
    leaf_ids,
    path,
    predict,
    regions,
    shares,
    stump,
)
from dtviz.explain.export import export
from dtviz.explain.row_path import path_told
from dtviz.explain.words import LeafRule, leaf_rules


def data_of(value: Any) -> Dataset:
    """The Dataset; raises DataError if it is none."""
    if not isinstance(value, Dataset):
        makers = "a Dataset, as `from_frame`, `read_table` or `load` make it"
        raise DataError(f"`data` must be {makers}; not {shown(value)}")
    return value


def rules_of(value: Any, data: Dataset) -> Rules:
    """The Rules, None for the usual ones of the task; raises RulesError if it is neither."""
    if value is None:
        return default_rules(data.task)
    if not isinstance(value, Rules):
        raise RulesError(f"`rules` must be Rules or None; not {shown(value)}", "rules", "Rules")
    return value


def log_of(value: Any) -> Log:
    """The moves as a tuple; raises LogError if something in them is no move."""
    try:
        log = tuple(value)
    except TypeError:
        raise LogError(f"`log` must be a sequence of moves; not {shown(value)}") from None
    for index, move in enumerate(log):
        known = isinstance(move, Grow | Collapse) and isinstance(move.node, int)
        if not known or (isinstance(move, Grow) and not isinstance(move.split, Split)):
            said = "Grow(node, split) or Collapse(node), the node an int"
            raise LogError(f"a move must be {said}; not {shown(move)}", index)
    return log


NO_NUMBERS = "the tree needs numbers in {name}; here it holds {problem}"


@dataclass(frozen=True, eq=False)
class Model:
    """A tree with the data and rules it was grown by; `moves` are its log, or tell it if asked."""

    data: Dataset
    rules_used: Rules
    moves: Log | Callable[[], Log]
    tree: Tree

    @once
    def problem(self) -> Problem:
        """The data with the rules, compiled."""
        return Problem(self.data, self.rules_used)

    @once
    def log(self) -> Log:
        """The moves that built the tree, in order."""
        return self.moves() if callable(self.moves) else self.moves

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles have the log itself."""
        return Model, (self.data, self.rules_used, self.log, self.tree)

    def __repr__(self) -> str:
        size = f"{count(len(leaf_ids(self.tree)), 'leaf')}, height {height(self.tree)}"
        return f"Model({self.rules_used.criterion}, {size}, {count(self.data.n, 'row')})"

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves from left to right."""
        return tuple(self.tree.nodes[leaf] for leaf in leaf_ids(self.tree))

    def apply(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """The node id of each row's leaf, shape (n,); Python ints where 63 bits do not hold it."""
        ids, place = apply(self.tree, self.columns_of(frame))
        small = max(ids) < 2**63
        return np.array(ids, dtype=np.int64 if small else object)[place]

    def predict(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """What each row's leaf predicts: a class as it stands in the data, or a number; (n,).

        In a linear or logistic leaf the leaf's mean of a feature stands for a missing value of it.
        """
        return in_classes(self.data, predict(self.tree, self.columns_of(frame)))

    def predict_proba(self, frame: AnyFrame | Dataset) -> NDArray[np.float64]:
        """The class shares of each row's leaf, shape (n, K), in the order of `data.classes`.

        Rows count by their own weights, which costs have not raised, as in rpart. A leaf model that
        tells shares of its own is asked for these. Raises ValueError for regression.
        """
        if not self.data.classes:
            raise ValueError("`predict_proba` needs classes; this tree predicts a number")
        return shares(self.data, self.tree, self.columns_of(frame))

    def score(self, frame: AnyFrame | Dataset) -> float:
        """Accuracy on rows with their target; for regression the share of variance explained, R^2.

        Raises DataError where a row has no target or there is no row.
        """
        return accuracy_or_r2(self.data, *self._judged(frame))

    def cost(self, frame: AnyFrame | Dataset) -> float:
        """What mistakes cost a row, on rows with their target; without `costs` each costs 1.

        So does a mistake with a class that the tree does not know. Raises ValueError for
        regression, DataError as `score` does.
        """
        if not self.data.classes:
            raise ValueError("`cost` needs classes; this tree predicts a number")
        predicted, truth, weights = self._judged(frame)
        known = truth >= 0
        lost = np.ones(len(truth))
        lost[known] = loss_of(self.data, truth[known], predicted[known])
        return float(np.average(lost, weights=weights))

    def log_loss(self, frame: AnyFrame | Dataset) -> float:
        """The mean of -ln p, p being the share that `predict_proba` gives a row's own class.

        It is infinite where that is 0, as of a class that no row of the leaf has; the leaf models
        'shares' and 'logistic' give every class a share. Raises ValueError for regression,
        DataError as `score` does.
        """
        return self._sure("log_loss", frame, log_losses)

    def brier(self, frame: AnyFrame | Dataset) -> float:
        """The mean squared distance of `predict_proba` from the classes; half of it for two.

        Raises ValueError for regression, DataError as `score` does.
        """
        return self._sure("brier", frame, brier_scores)

    def _sure(
        self,
        name: str,
        frame: AnyFrame | Dataset,
        of: Callable[[Floats, NDArray[Any]], Floats],
    ) -> float:
        if not self.data.classes:
            raise ValueError(f"`{name}` needs classes; this tree predicts a number")
        frame = any_frame(frame)
        told, (_, truth, weights) = self.predict_proba(frame), self._judged(frame)
        return float(np.average(of(told, truth), weights=weights))

    def _judged(self, frame: AnyFrame | Dataset) -> tuple[Floats, NDArray[Any], Floats | None]:
        """What is predicted of each row, its target and its own weight; raises DataError."""
        frame = any_frame(frame)  # some can be read only once
        predicted, truth = predict(self.tree, self.columns_of(frame)), self.truth_of(frame)
        if not len(truth):
            raise DataError("a score needs at least one row; not none")
        return predicted, truth, own_weights(frame) if isinstance(frame, Dataset) else None

    def rules(self) -> tuple[LeafRule, ...]:
        """One rule a leaf, from left to right."""
        return leaf_rules(self.data, self.tree)

    def regions(self) -> tuple[Region, ...]:
        """R_1 ... R_J: the boxes of the leaves, from left to right."""
        return regions(self.data, self.tree)

    def path(self, row: Mapping[str, Any] | Sequence[Any] | AnyFrame) -> tuple[int, ...]:
        """The node ids one row passes, from the root to its leaf.

        A row is its values by name, such as a frame of one row has them, or in the features' order.
        """
        return tuple(path(self.tree, self._values(row)))

    def path_told(self, row: Mapping[str, Any] | Sequence[Any] | AnyFrame) -> tuple[str, ...]:
        """What decided at each split that one row passes: 'age <= 30: yes', 'age missing: left'.

        Where a surrogate did, it is named with its rank.
        """
        return path_told(self.data, self.tree, self._values(row))

    def _values(self, row: Any) -> NDArray[np.float64]:
        """The numbers of one row, shape (M,); raises DataError."""
        row = _by_name(row)
        if isinstance(row, Mapping):
            missing = [name for name in self.data.features if name not in row]
            if missing:
                raise DataError(f"the row has no {quoted(missing[0])}; give every feature")
            row = [row[name] for name in self.data.features]
        values = _row(self._coded(row))
        if values.shape != (len(self.data.features),):
            needed = count(len(self.data.features), "number")
            raise DataError(f"a row needs {needed}; not {shown(row)}")
        _need_values(self.data, self.may_lack, values[:, None], "the row")
        return values

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """Of which features a row may lack the value: where rows that it was grown on do, or all.

        All if there are surrogates; the others tell nothing of where such a row should go.
        """
        every = self.problem.policy.surrogates
        return tuple(gap or every for gap in self.data.gaps)

    def _coded(self, row: Any) -> Any:
        """The row with the codes of its categories; as it is where it has other than M values."""
        if not any(self.data.levels) and set(self.data.quantities) == {PLAIN}:
            return row
        try:
            cells = [] if isinstance(row, str) else list(row)
        except TypeError:  # no rows at all, such as a number
            return row
        if len(cells) != len(self.data.features):
            return row
        kinds = zip(self.data.features, cells, self.data.levels, self.data.quantities, strict=True)
        return [_code(name, cell, levels, quantity) for name, cell, levels, quantity in kinds]

    def stops(self) -> dict[int, Decision]:
        """Why each leaf stops, or the split the rules would make there."""
        return status(self.problem, self.tree)

    def importances(self) -> pd.Series[float]:
        """What each feature is worth: the share of the impurity that its splits take away, (M,).

        As scikit-learn's `feature_importances_`; a split on several features is shared evenly
        between them. By name, in the order of the features; all 0 where there is no split.
        """
        index = pd.Index(self.data.features, name="feature")
        return pd.Series(worth(self.data, self.tree), index, name="impurity")

    def partial_dependence(self, feature: str) -> pd.DataFrame:
        """The mean prediction of the rows it was grown on, `feature` set to each of some values.

        Columns are the classes as they stand in the data, with the mean of their shares, or
        `prediction`; the index is the values. Lines between them are the whole function, wherever
        splits ask the feature alone and leaves are constant; see `engine.dependence`. Of very many
        rows an even choice is asked: `attrs["rows"]` says how many. Raises DataError. Source:
        Friedman (2001), eq. 53.
        """
        data = self.data
        if feature not in data.features:
            known = several(data.features)
            raise DataError(f"`feature` must be one of {known}; not {shown(feature)}")
        at = data.features.index(feature)
        found = dependence(data, self.tree, at)
        values = pd.Index(as_given(data, at, found.places), name=feature)
        columns = pd.Index(data.classes or ("prediction",), dtype=object, tupleize_cols=False)
        frame = pd.DataFrame(found.mean, values, columns)
        frame.attrs["rows"] = found.rows
        return frame

    def export(self, kind: str) -> str:
        """The tree as 'text', 'python', 'sql', 'json' or 'dot'."""
        return export(self.problem, self.tree, kind)

    def columns_of(self, frame: AnyFrame | Dataset) -> NDArray[np.float64]:
        """The tree's features of these rows, shape (M, n)."""
        names = self.data.features
        if not isinstance(frame, Dataset):
            return _matrix(self.data, self.may_lack, named(frame))
        if (frame.features, frame.levels) == (names, self.data.levels) and (
            frame.quantities == self.data.quantities
        ):
            return frame.columns
        need_all(names, frame.features)
        places = [frame.features.index(name) for name in names]
        return np.array(
            [
                _translated(frame, at, levels, quantity)
                for at, levels, quantity in zip(
                    places, self.data.levels, self.data.quantities, strict=True
                )
            ]
        )

    def truth_of(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """The target of these rows: codes of the tree's classes, -1 for others; or numbers."""
        code = {value: at for at, value in enumerate(self.data.classes)}
        if isinstance(frame, Dataset):
            if frame.task != self.data.task:
                raise DataError(f"the tree does {self.data.task}; these rows are for {frame.task}")
            known = np.array([code.get(value, -1) for value in frame.classes])
            return known[frame.y] if code else frame.y
        values = target_of(named(frame), self.data.target)
        if code:
            return np.array([code.get(value, -1) for value in values.tolist()])
        return numbers(values)


def fit(data: Dataset, rules: Rules | None = None, log: Log | None = None) -> Model:
    """The model that `rules` grow on `data`; with a log, the model of exactly these moves.

    Raises RulesError when the criterion does not suit the task, LogError for an impossible move.
    """
    data = data_of(data)
    rules = rules_of(rules, data)
    data = prepared(data, rules)
    problem = Problem(data, rules)
    if log is not None:
        log = log_of(log)
        return Model(data, rules, log, fold(problem, log))
    return Model(data, rules, *finished_by(problem, stump(problem)))


def in_classes(data: Dataset, found: Floats) -> NDArray[Any]:
    """Predictions as a user has them: classes as they stand in the data, or the numbers."""
    if not data.classes:
        return found
    return _array(list(data.classes)).take(found.astype(np.int64))


def accuracy_or_r2(
    data: Dataset, predicted: Floats, truth: NDArray[Any], weights: Floats | None
) -> float:
    """The weighted share of right classes; of numbers the share of variance explained."""
    if data.classes:
        return float(np.average(predicted == truth, weights=weights))
    off = np.square([truth - predicted, truth - np.average(truth, weights=weights)])
    rest, whole = np.average(off, axis=1, weights=weights).tolist()
    return 1.0 if whole == 0 else 1.0 - rest / whole


def _array(values: list[Any]) -> NDArray[Any]:
    """The values as one array; objects where any other type would change one of them."""
    if len({type(value) for value in values}) == 1 and not isinstance(values[0], tuple):
        plain = np.array(values)
        if plain.tolist() == values:  # text that ends in NUL or the largest integers are not kept
            return plain
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def _translated(
    data: Dataset, at: int, levels: tuple[Level, ...], quantity: Quantity
) -> NDArray[np.float64]:
    """A feature of a Dataset with codes of other levels, or as it is measured elsewhere.

    Raises DataError where it has none, or measures something else.
    """
    own, column = data.levels[at], data.columns[at]
    if bool(own) != bool(levels):
        kinds = ("a category", "a number") if levels else ("a number", "a category")
        name = quoted(data.features[at])
        raise DataError(f"{name} was {kinds[0]} when the tree was grown; here it is {kinds[1]}")
    if not own:
        return measured_as(data, at, quantity)
    codes = codes_of(pd.Series(own, dtype=object), levels)
    there = ~np.isnan(column)
    none = code_of(None, levels)
    return np.where(there, codes.take(np.where(there, column, 0).astype(np.intp)), none)


def _matrix(data: Dataset, may_lack: Sequence[bool], frame: pd.DataFrame) -> NDArray[np.float64]:
    """The feature columns of a frame, shape (M, n); raises DataError where a value is missing."""
    features = data.features
    need_all(features, frame.columns)
    kinds = zip(features, data.levels, data.quantities, strict=True)
    table = np.array(
        [encoded(frame[name], levels, quantity, NO_NUMBERS) for name, levels, quantity in kinds]
    )
    _need_values(data, may_lack, table)
    return table


def _need_values(
    data: Dataset, may_lack: Sequence[bool], table: NDArray[np.float64], row: str = ""
) -> None:
    """Raises DataError where a value is missing that the tree cannot do without."""
    for name, able, column in zip(data.features, may_lack, table, strict=True):
        if not able and (lacking := np.isnan(column)).any():
            raise DataError(
                f"{row or f'row {lacking.argmax()}'} has no value for {quoted(name)}; every row "
                "that the tree was grown on has one, so that nothing says where it goes"
            )


def need_all(features: Iterable[str], known: Iterable[str]) -> None:
    """Raises DataError where a feature is not among the known columns."""
    missing = [name for name in features if name not in known]
    if missing:
        raise DataError(f"the table has no column {quoted(missing[0])}; the tree was grown with it")


def _by_name(row: Any) -> Any:
    """The values by name of a frame of one row, or of a row of one; anything else as it is."""
    row = any_frame(row)
    if isinstance(row, pd.DataFrame):
        if len(row) != 1:
            raise DataError(f"a path is that of one row; this frame has {count(len(row), 'row')}")
        return {name: column.iloc[0] for name, column in named(row).items()}
    unnamed = not isinstance(row, pd.Series) or isinstance(row.index, pd.RangeIndex)
    return row if unnamed else {str(name): value for name, value in row.items()}


def _code(name: str, cell: Any, levels: tuple[Level, ...], quantity: Quantity) -> Any:
    """A cell as its feature's number, which it may be already."""
    number = isinstance(cell, Real) and not quantity.names
    if levels or quantity == PLAIN or number:
        return code_of(cell, levels) if levels else cell
    return encoded(pd.Series([cell], dtype=object, name=name), levels, quantity)[0]


def _row(row: Any) -> NDArray[np.float64]:
    """The numbers of one row; none of them where they are no real numbers."""
    try:
        row = [None if value is pd.NA or value is pd.NaT else value for value in row]
        values = np.array(row)
        plain = values.dtype != object  # text and complex numbers are no numbers of a row
        return values.astype(np.float64, casting="same_kind" if plain else "unsafe")
    except (TypeError, ValueError, OverflowError):
        return np.empty(0)
