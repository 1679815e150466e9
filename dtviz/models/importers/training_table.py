"""Rows that a model was fitted to, in the columns of X and in the numbers that its trees read.

Each column of numbers is a function of one column of X: its source. A split of the numbers becomes
a split of the source: a threshold, a subset of categories, or is-missing. The function is not
written down here. The training rows have its values, and other values are transformed as the model
transforms them, so that a split divides the values of X as the model does.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.lazy import pd
from dtviz.base.text import quoted
from dtviz.data.categories import UNSEEN_CODE, codes_of
from dtviz.data.dataset import DataError, Dataset, Task
from dtviz.data.notes import Note
from dtviz.engine.search.best_split import split_at
from dtviz.engine.splits import (
    EXPLICIT_LEFT,
    EXPLICIT_RIGHT,
    RIGHT,
    Axis,
    Split,
    goes_left,
    subset_split,
)
from dtviz.models.importers.foreign_tree import ForeignTree, data_of, log_of, model_of
from dtviz.models.model import Model

SourceKind = Literal["number", "category", "missing"]


class ColumnSource(NamedTuple):
    """Column of X of which a column of numbers is a function."""

    column: int
    """Index of the column of X."""
    kind: SourceKind
    """number: the function increases; category: it is any function of the values; missing: it says
    whether there is a value."""


POINTS = 15
"""Values that a step of the search for a threshold tries at each node: together, because the time
of a transformation hardly depends on the number of rows."""


class OriginalColumnsError(DataError):
    """Splits of the numbers cannot be said in the columns of X."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """Rows that a model was fitted to, n, with the K columns of numbers that its trees read."""

    numbers: pd.DataFrame
    """Numbers that the trees read, (n, K)."""
    X: pd.DataFrame
    """Columns of X, in which splits are said; `numbers` where they are the same."""
    sources: tuple[ColumnSource, ...] = ()
    """Source of each column of numbers, K; empty where there is none, as `problem` says."""
    transform: Callable[[pd.DataFrame], Floats] | None = None
    """Computes numbers, (n, K), from a table like X; None where X is the numbers."""
    names: Sequence[str] = ()
    """Names of the columns of numbers, K, where splits cannot be said in columns of X."""
    problem: str = ""
    """Reason why a column of numbers has no source; '' if each has one."""
    notes: tuple[Note, ...] = ()
    """Notes for the dataset."""

    def with_columns(self, ids: Ints) -> TrainingTable:
        """The table with some columns of numbers only."""
        numbers = self.numbers.iloc[:, ids]
        if self.transform is None:
            return TrainingTable(numbers, numbers)
        return replace(
            self,
            numbers=numbers,
            sources=tuple(self.sources[j] for j in ids if self.sources),
            transform=lambda X: self.numbers_of(X)[:, ids],
            names=[self.names[j] for j in ids],
        )

    def numbers_of(self, X: pd.DataFrame) -> Floats:
        """The numbers, (r, K), that the trees read of the rows of a table like `X`."""
        assert self.transform is not None
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # such as that a category is unknown
            return self.transform(X.set_axis(self.X.columns, axis=1))

    def model_of(
        self,
        foreign: ForeignTree,
        target: pd.Series[Any],
        weights: Floats,
        task: Task,
        criterion: str,
        **settings: Any,
    ) -> Model:
        """The model of a foreign tree that reads the numbers; other parameters as in `model_of`."""
        if self.transform is None:
            data = data_of(self.numbers, target, weights, task, self.notes)
            return model_of(foreign, data, criterion, **settings)
        try:
            return self._model_in_columns_of_x(
                foreign, target, weights, task, criterion, **settings
            )
        except OriginalColumnsError as problem:
            table = self._table_of_numbers(str(problem))
            return table.model_of(foreign, target, weights, task, criterion, **settings)

    def _table_of_numbers(self, problem: str) -> TrainingTable:
        """The table without X, with a note on the problem."""
        note = Note("column", f"splits are in the columns that the pipeline makes: {problem}")
        numbers = self.numbers.set_axis([*self.names], axis=1)
        return TrainingTable(numbers, numbers, notes=(note,))

    def _model_in_columns_of_x(
        self,
        foreign: ForeignTree,
        target: pd.Series[Any],
        weights: Floats,
        task: Task,
        criterion: str,
        **settings: Any,
    ) -> Model:
        """The same; raises OriginalColumnsError where a split cannot be said in columns of X."""
        if self.problem:
            raise OriginalColumnsError(self.problem)
        # Only rows of the tree: then a category that only other rows have is unknown to both.
        kinds, is_grown = self._kinds(), weights > 0
        columns = {str(self.X.columns[j]): self._typed_column(j, kinds[j]) for j in kinds}
        X = pd.DataFrame(columns)[is_grown]
        data = data_of(X, target[is_grown], weights[is_grown], task, self.notes)
        writer = SplitWriter(self, foreign, data, [*kinds], is_grown)
        exchanged = writer.exchanged()
        writer = replace(writer, foreign=exchanged)
        numbers = self.numbers.to_numpy()[is_grown].T
        log = log_of(exchanged, data, numbers, partial(writer.split, writer.limits()))
        return model_of(exchanged, data, criterion, log, **settings)

    def _kinds(self) -> dict[int, SourceKind]:
        """The kind of each column of X that is a source, by its index, ascending."""
        sources = {*self.sources}
        kinds: dict[int, SourceKind] = {}
        for column in sorted({source.column for source in sources}):
            is_number, is_category = (
                ColumnSource(column, kind) in sources for kind in ("number", "category")
            )
            if is_number and is_category:
                name = quoted(str(self.X.columns[column]))
                raise OriginalColumnsError(f"{name} is read as numbers and as categories")
            own_kind = kind_of_column(self.X.iloc[:, column])
            kinds[column] = "number" if is_number else "category" if is_category else own_kind
        return kinds

    def _typed_column(self, column: int, kind: SourceKind) -> pd.Series[Any]:
        series = self.X.iloc[:, column]
        if kind == "number":
            return pd.Series(_floats(series))
        # A category without order, so that text is not parsed as dates, nor numbers as numbers.
        return series.astype(object).astype("category").reset_index(drop=True)


def _floats(series: pd.Series[Any]) -> Floats:
    """A column of numbers as floats, NaN for missing."""
    return np.asarray(pd.to_numeric(series).to_numpy(np.float64, na_value=np.nan))


def kind_of_column(series: pd.Series[Any]) -> SourceKind:
    """The kind of a column of X that trees read without a change: number or category."""
    types = pd.api.types
    if types.is_bool_dtype(series):
        return "category"
    is_number = types.is_numeric_dtype(series) or types.infer_dtype(series, skipna=True) in (
        "integer",
        "floating",
        "mixed-integer-float",
    )
    return "number" if is_number else "category"


@dataclass(frozen=True, slots=True, eq=False)
class SplitWriter:
    """Writer of the splits of one foreign tree as splits of a dataset of columns of X."""

    table: TrainingTable
    """Rows that the model was fitted to."""
    foreign: ForeignTree
    """Tree that reads the numbers."""
    data: Dataset
    """Dataset of the sources, with the rows that the tree was grown on."""
    columns: Sequence[int]
    """Index in X of each feature of the dataset."""
    is_grown: Bools
    """True for the rows of the table that the dataset has, (n,)."""

    def source_of(self, node: int) -> ColumnSource:
        """The source of the feature of a node."""
        return self.table.sources[int(self.foreign.feature[node])]

    def split(self, limits: Floats, node: int, row_ids: Ints, left: Bools) -> Split:
        """The split of a node whose training rows `row_ids` go left where `left` is True.

        `limits` are those of `limits()`. Raises OriginalColumnsError where a split of the source
        divides these rows otherwise.
        """
        source = self.source_of(node)
        feature = self.columns.index(source.column)
        split = self._split_of_source(node, source, feature, limits[node])
        if (goes_left(split, self.data.columns, row_ids) != left).any():
            name = quoted(self.data.features[feature])
            raise OriginalColumnsError(f"a split of {name} depends on more than its values")
        return split

    def _split_of_source(
        self, node: int, source: ColumnSource, feature: int, limit: float
    ) -> Split:
        is_left, values = self._sides(node), self.data.columns[feature]
        is_missing = np.isnan(values)
        missing = RIGHT
        if is_missing.any():
            missing = EXPLICIT_LEFT if is_left[is_missing].any() else EXPLICIT_RIGHT
        known_left = is_left[~is_missing]
        if source.kind == "number" and np.isfinite(limit):
            return Split(Axis(feature), float(limit), missing)
        if known_left.all() or not known_left.any():  # it divides missing from other values
            return split_at(Axis(feature), np.inf if known_left.any() else -np.inf)
        codes = np.unique(values[is_left & ~is_missing]).astype(int)
        return subset_split(feature, codes.tolist())._replace(missing=missing)

    def _sides(self, node: int) -> Bools:
        """True for each row of the dataset that the node sends left if it reaches it."""
        numbers = self.table.numbers.iloc[:, self.foreign.feature[node]].to_numpy()
        return self.foreign.goes_left(node, numbers[self.is_grown])

    # --- values that no training row has ----------------------------------------------------------

    def limits(self) -> Floats:
        """The largest value of X that each node of a number sends left, (m,), NaN for other nodes.

        It is -inf or inf where all values go to one side. It is found by bisection between values
        of the training rows, to the last bit: rounding is part of the transformation.
        """
        nodes = [k for k in self._split_nodes() if self.source_of(k).kind == "number"]
        limits = np.full(len(self.foreign.left), np.nan)
        if not nodes:
            return limits
        bounds = np.array([self._bounds(node) for node in nodes]).T
        low, high = map(_ordered_integers, bounds)
        while len(open_ids := np.flatnonzero(low + 1 < high)):
            start, end = low[open_ids, None], high[open_ids, None]
            gap = end.view(np.uint64) - start.view(np.uint64)
            steps = np.maximum(gap // (POINTS + 1), 1) * np.arange(1, POINTS + 1, dtype=np.uint64)
            points = (start.view(np.uint64) + np.minimum(steps, gap - 1)).view(np.int64)
            node_ids = np.array(nodes)[open_ids].repeat(POINTS)
            left = self._sends_left(node_ids, _floats_of_integers(points.ravel()))
            left = left.reshape(points.shape)
            low[open_ids] = np.where(left, points, start).max(axis=1)
            high[open_ids] = np.where(left, end, points).min(axis=1)
        lower, upper = _floats_of_integers(low), _floats_of_integers(high)
        limits[nodes] = np.where(np.isinf(upper), upper, lower)
        return limits

    def _split_nodes(self) -> list[int]:
        return [int(node) for node in np.flatnonzero(self.foreign.left)]

    def _bounds(self, node: int) -> tuple[float, float]:
        """The largest value of a training row that goes left, and the smallest that goes right."""
        values = self.data.columns[self.columns.index(self.source_of(node).column)]
        left, has_value = self._sides(node), ~np.isnan(values)
        low = values[left & has_value].max(initial=-np.inf)
        return float(low), float(values[~left & has_value].min(initial=np.inf))

    def _sends_left(self, nodes: Ints, values: Floats) -> Bools:
        """True for each node that sends a row with this value of its source left."""
        X, sources = self.table.X, [self.source_of(node).column for node in nodes.tolist()]
        rows = X.iloc[np.zeros(len(nodes), int)].reset_index(drop=True)
        for j in {*sources}:
            of_column = np.array([source == j for source in sources])
            column = np.where(of_column, values, _floats(rows.iloc[:, j]))
            dtype = X.dtypes.iloc[j]
            if isinstance(dtype, np.dtype) and dtype.kind == "f":
                with np.errstate(over="ignore"):
                    column = column.astype(dtype)  # steps may compute in single precision
            rows.isetitem(j, column)
        numbers = self.table.numbers_of(rows)
        number_of_row = numbers[np.arange(len(nodes)), self.foreign.feature[nodes]]
        return self.foreign.goes_left(nodes, number_of_row)

    def exchanged(self) -> ForeignTree:
        """The tree with the sides of those nodes exchanged that send unseen categories left.

        A subset of our splits sends them right.
        """
        nodes = [k for k in self._split_nodes() if self.source_of(k).kind == "category"]
        is_exchanged = np.zeros(len(self.foreign.left), np.bool_)
        unseen_rows = {j: self._unseen_row(j) for j in {self.source_of(k).column for k in nodes}}
        for node in nodes:
            numbers = unseen_rows[self.source_of(node).column]
            if numbers is not None:
                number = numbers[[self.foreign.feature[node]]]
                is_exchanged[node] = self.foreign.goes_left(node, number)[0]
        left, right = self.foreign.left, self.foreign.right
        return replace(
            self.foreign,
            left=np.where(is_exchanged, right, left),
            right=np.where(is_exchanged, left, right),
            is_exchanged=is_exchanged,
        )

    def _unseen_row(self, column: int) -> Floats | None:
        """The numbers, (K,), of a row with a category that no row of the dataset has.

        None where the model refuses unknown categories.
        """
        series = self.table.X.iloc[:, column]
        levels = self.data.levels[self.columns.index(column)]
        if not levels:
            return None
        # A row that was not drawn for the tree may have one.
        for row in np.flatnonzero(codes_of(series, levels) == UNSEEN_CODE)[:1].tolist():
            return np.asarray(self.table.numbers.iloc[row].to_numpy())
        if pd.api.types.is_bool_dtype(series):
            return None
        is_number = pd.api.types.is_numeric_dtype(series)
        unknown = 2 * abs(series).max() + 0.5 if is_number else "?" + "".join(map(str, levels))
        row_of_table = self.table.X.iloc[:1].copy()
        row_of_table.isetitem(column, [unknown])
        try:
            return np.asarray(self.table.numbers_of(row_of_table)[0])
        except (ValueError, TypeError, KeyError):  # as with handle_unknown="error"
            return None


def _ordered_integers(values: Floats) -> NDArray[np.int64]:
    """Integers in the order of the doubles; those of neighbours differ by 1."""
    bits = (values + 0.0).view(np.int64)  # -0.0 becomes 0.0
    return np.where(bits < 0, np.int64(-(2**63)) - bits, bits)


def _floats_of_integers(integers: NDArray[np.int64]) -> Floats:
    """The doubles of `_ordered_integers`."""
    return np.where(integers < 0, np.int64(-(2**63)) - integers, integers).view(np.float64)
