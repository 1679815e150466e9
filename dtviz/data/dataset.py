"""The data a tree is grown on: a read-only table of numbers and one target.

Rows are counted from 0 in code, and by file line (the header is line 1) in notes and messages.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Ints
from dtviz.base.lazy import pd
from dtviz.base.text import clean, count, quoted, quoted_names, short_repr
from dtviz.data.categories import CategoryValue, categories_of, codes_of, python_value
from dtviz.data.frames import AnyFrame, pandas_frame
from dtviz.data.notes import MAX_LINES_NAMED, Note, note_of, suspect_columns, suspect_text
from dtviz.data.units import PLAIN, Quantity, kind_of, parse_time_column, quantity_of_column

if TYPE_CHECKING:
    from dtviz.data.tables import TableSource

Task = Literal["classification", "regression"]
ParameterValue = str | int | float | bool | tuple[str, ...] | None
"""Value of a parameter of a recipe."""

TASKS = ("classification", "regression")
MAX_CLASSES = 500
MAX_FEATURES = 5_000
MAX_CATEGORIES = 200
MAX_WHOLE_NUMBER_CLASSES = 20  # a target of more distinct whole numbers is regression
WEIGHT_RANGE = (1e-100, 1e100)
"""The smallest and the largest weight of a row: sums and squares of such weights are floats."""
MAX_TARGET = 1e150  # its square is still a float
MAX_SQUARES_SUMMED = 1e8  # the sum of this many such squares is still a float
MIN_TARGET_STEP = 1e-140  # its square keeps all digits, even as a share of a million rows


class DataError(ValueError):
    """Error in the data: its message says what is wrong, what is allowed and what to do."""

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter
        """Name of the wrong parameter of a recipe; None if none is wrong, or several are."""


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    """Raise DataError unless a parameter is a whole number within a range."""
    if type(value) is not int or not low <= value <= high:
        raise DataError(
            f"`{name}` must be a whole number from {low} to {high}; not {value!r}", name
        )


def lock_arrays(value: Any) -> None:
    """Make the arrays among the fields of a dataclass read-only."""
    for item in fields(value):
        array = getattr(value, item.name)
        if isinstance(array, np.ndarray):
            object.__setattr__(value, item.name, lock_array(array))


def lock_array(array: NDArray[Any]) -> NDArray[Any]:
    """A view of the array that cannot be made writable; the array and its bases are locked too.

    Returns the array itself where it is such a view already.
    """
    # `setflags` can make an array writable again that owns its memory, but no view of a locked one.
    if isinstance(array.base, np.ndarray) and not (
        array.flags.writeable or array.base.flags.writeable
    ):
        return array
    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner.setflags(write=False)
        owner = owner.base
    return array.view()


@dataclass(frozen=True, slots=True)
class Recipe:
    """The name and parameters from which a dataset is built again; hashable, and text in a link."""

    name: str
    """An example of the gallery, `drawn` or `file`."""
    params: tuple[tuple[str, ParameterValue], ...] = ()
    """Pairs of name and value, sorted by name."""

    def get(self, key: str, default: ParameterValue = None) -> ParameterValue:
        """The value of parameter `key`, or `default`."""
        return dict(self.params).get(key, default)


def make_recipe(name: str, /, **params: ParameterValue) -> Recipe:
    """The recipe `name` with its parameters in alphabetical order."""
    return Recipe(name, tuple(sorted(params.items())))


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A read-only table of n rows, M features and one target, from which a tree is grown.

    >>> data = make_dataset([[1.5, 2.5, 4.0]], [0, 0, 1], ["size"], "kind", ["small", "large"])
    >>> data
    Dataset('kind', 3 rows, 1 feature, 2 classes)
    >>> data.columns
    array([[1.5, 2.5, 4. ]])
    >>> data.classes[data.y[2]]
    'large'
    """

    columns: NDArray[np.float64]
    """Values of each feature, (M, n); NaN is a missing value."""
    y: NDArray[Any]
    """Target of each row, (n,): a code into `classes`, or a float64 number."""
    features: tuple[str, ...]
    """Name of each feature, M."""
    target: str
    """Name of the target."""
    classes: tuple[Hashable, ...]
    """The K classes; empty for regression."""
    task: Task
    """"classification" or "regression"."""
    notes: tuple[Note, ...] = ()
    """Changes that reading made to the table."""
    weights: NDArray[np.float64] | None = None
    """Weight of each row, (n,), positive, class weights and costs included; None: each counts 1."""
    levels: tuple[tuple[CategoryValue, ...], ...] = ()
    """Categories of each feature, M, in the order of their codes; empty for a numeric feature."""
    validation: Dataset | None = None
    """Rows that choose the size of a tree; new classes and categories follow those of training."""
    test: Dataset | None = None
    """Rows that judge the final tree; new classes and categories follow those of training."""
    quantities: tuple[Quantity, ...] = ()
    """Unit of each feature, M: dates, for example, are days from 1970 on."""
    costs: NDArray[np.float64] | None = None
    """Cost by true class, then by predicted class, (K, K); None: each mistake costs 1."""
    balance: NDArray[np.float64] | None = None
    """Balanced class weights included in `weights`, (K,); None if they are not balanced."""
    source: TableSource | None = None
    """Table that the rows are a sample of, where trees count the rows of that table; None: the rows
    are all there are."""
    units: tuple[str, ...] = ()
    """Unit that the file writes beside the numbers of each feature, M, as 'kg'; '' for none."""
    lines: NDArray[np.int64] | None = None
    """Line of each row in its file, or its place in its table from 1 on, (n,); None: not known."""
    gaps: tuple[bool, ...] = field(init=False, default=())
    """True for each feature with a missing value, M."""

    def __post_init__(self) -> None:
        lock_arrays(self)
        if not self.levels:
            object.__setattr__(self, "levels", ((),) * len(self.features))
        if not self.quantities:
            object.__setattr__(self, "quantities", (PLAIN,) * len(self.features))
        if not self.units:
            object.__setattr__(self, "units", ("",) * len(self.features))
        gaps = tuple(map(_has_missing, self.columns))
        object.__setattr__(self, "gaps", gaps if self.source is None else self.source.gaps)

    def __repr__(self) -> str:
        classes = f", {count(len(self.classes), 'class')}" if self.classes else ""
        rows = count(self.n, "row")
        if self.source is not None:
            rows = f"{self.n:,} of {count(self.n_grown, 'row')}"
        size = f"{rows}, {count(len(self.features), 'feature')}{classes}"
        return f"Dataset({quoted(self.target)}, {size})"

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.columns.shape[1])

    @property
    def n_grown(self) -> int:
        """Number of rows that a tree counts: those of the source, where there is one."""
        return self.n if self.source is None else self.source.n

    @property
    def weight(self) -> float:
        """Sum of the sample weights; the number of rows where there are none."""
        if self.source is not None:
            return self.source.weight
        return self.n if self.weights is None else float(self.weights.sum())

    @property
    def class_names(self) -> tuple[str, ...]:
        """The classes as text, cleaned for display."""
        return tuple(clean(str(c)) for c in self.classes)


def make_dataset(
    columns: Sequence[NDArray[Any]] | NDArray[Any],
    y: NDArray[Any],
    features: Sequence[str],
    target: str,
    classes: Sequence[Hashable] = (),
    notes: Iterable[Note] = (),
    sample_weight: NDArray[np.float64] | None = None,
    categories: tuple[tuple[CategoryValue, ...], ...] = (),
    quantities: tuple[Quantity, ...] = (),
) -> Dataset:
    """The Dataset of arrays: `columns` (M, n); `y` (n,), codes into `classes`, or numbers."""
    table = np.ascontiguousarray(np.array(columns, dtype=np.float64).reshape(len(features), len(y)))
    codes = np.array(y, dtype=np.min_scalar_type(max(len(classes) - 1, 0)) if classes else float)
    task: Task = "classification" if classes else "regression"
    row_weights = None if sample_weight is None else np.array(sample_weight, dtype=np.float64)
    names = (tuple(features), target, tuple(classes), task, tuple(notes))
    return Dataset(table, codes, *names, row_weights, categories, quantities=quantities)


@lru_cache(maxsize=8)
def rows_in_memory(data: Dataset) -> Dataset:
    """The dataset without its source: what is grown on it counts the rows of the sample alone."""
    return data if data.source is None else replace(data, source=None)


def take_rows(data: Dataset, rows: NDArray[Any]) -> Dataset:
    """The Dataset of some rows: `rows` are row ids, repeated or not, or a mask of shape (n,).

    Features, task and classes stay, even classes left without a row; notes, which describe the full
    table, do not. Raises DataError for no rows, IndexError for a row that does not exist.
    """
    columns = np.ascontiguousarray(data.columns[:, rows])
    y = data.y[rows]
    if not len(y):
        raise DataError("`rows` must hold at least one row; not none")
    weights = None if data.weights is None else data.weights[rows]
    return replace(
        data,
        columns=columns,
        y=y,
        notes=(),
        weights=weights,
        validation=None,
        test=None,
        source=None,
        lines=None if data.lines is None else data.lines[rows],
    )


def dataset_of_frame(
    frame: AnyFrame,
    target: str,
    features: Sequence[str] | None = None,
    task: Task | None = None,
    notes: Iterable[Note] = (),
    sample_weight: str | ArrayLike | None = None,
) -> Dataset:
    """The Dataset of all rows of a frame, without validation or test rows; raises DataError.

    The parameters are those of `from_frame`.
    """
    frame, target = checked_frame(frame), safe_text(target)
    if not (task is None or (isinstance(task, str) and task in TASKS)):
        raise DataError(
            f"`task` must be 'classification', 'regression' or None; not {short_repr(task)}"
        )
    log = _as_list("notes", "a list of Notes", notes)
    need_column(frame, target, "target")
    weights = _checked_weights(frame, target, sample_weight)
    if isinstance(sample_weight, str):
        frame = frame.drop(columns=sample_weight)
    frame = _with_parsed_times(frame, target, log)
    names = _feature_names(frame, target, features, log)
    quantities = tuple(quantity_of_column(frame[name]) for name in names)
    log += [_utc_note(name) for name in names if _has_zone(frame[name])]
    categories = tuple(
        () if is_numeric(frame[name]) else _categories(frame[name]) for name in names
    )
    series = (frame[name] for name in names)
    encoded = map(encode_feature, series, categories, quantities)
    all_columns = [_drop_infinite(column) for column in encoded]
    target_cells = frame[target]
    task = task or infer_task(target_cells)
    y = None
    if task == "regression":
        _need_distinct_floats(target_cells)
        y = real_numbers(target_cells)
    keep = _usable_mask(frame, target, weights, log)
    columns = [column[keep] for column in all_columns]
    incomplete = [pair for pair in zip(names, columns, strict=True) if _has_missing(pair[1])]
    log += [_missing_note(*pair) for pair in incomplete]
    weights = None if weights is None else weights[keep]
    if y is not None:
        need_squares(y[keep], target, weights)
        data = make_dataset(
            columns, y[keep], names, target, (), log, weights, categories, quantities
        )
    else:
        codes, classes = _class_codes(times_as_text(target_cells)[keep], target)
        data = make_dataset(
            columns, codes, names, target, classes, log, weights, categories, quantities
        )
    values = zip((*names, target), (*categories, data.classes), strict=True)
    case_notes = filter(None, (_case_note(name, found) for name, found in values))
    units = frame.attrs.get("units", {})
    pairs = zip(names, categories, strict=True)
    feature_units = tuple("" if levels else units.get(name, "") for name, levels in pairs)
    data = replace(
        data, notes=(*data.notes, *case_notes), units=feature_units, lines=lines_of(frame)[keep]
    )
    return with_suspects(data)


def _case_note(name: str, values: Sequence[Hashable]) -> Note | None:
    """The note on two texts of a column that differ in the case of their letters alone, if any."""
    first: dict[str, str] = {}
    for value in values:
        if isinstance(value, str):
            other = first.setdefault(value.casefold(), value)
            if other != value:
                text = f"{quoted(other)} and {quoted(value)} differ in case alone: are they one?"
                return Note("column", text, None, name)
    return None


def _has_zone(series: pd.Series[Any]) -> bool:
    """True for a column of dates with a time zone other than UTC."""
    return str(getattr(series.dtype, "tz", None) or "UTC") != "UTC"


def _utc_note(name: str) -> Note:
    return Note("column", "times read with their offsets, told in UTC", None, name)


def _with_parsed_times(frame: pd.DataFrame, target: str, log: list[Note]) -> pd.DataFrame:
    """The frame with text of dates and durations parsed; cells that do not parse are missing."""
    parsed: dict[str, pd.Series[Any]] = {}
    for name, column in frame.drop(columns=target).items():
        if pd.api.types.infer_dtype(column, skipna=True) != "string":
            continue
        times, remark = parse_time_column(column)
        if remark:
            log.append(Note("column", remark, None, str(name)))
        if times is not None:
            parsed[str(name)] = times
            unread = column[times.isna() & column.notna()].unique().tolist()
            if unread:
                text = (
                    f"{quoted_names(unread)} {'is' if len(unread) == 1 else 'are'} read as missing"
                )
                log.append(Note("column", text, None, str(name)))
    return frame.assign(**parsed) if parsed else frame


def with_suspects(data: Dataset) -> Dataset:
    """The data with a note on each suspect column, before its other notes."""
    suspects_found = suspect_columns(
        data.columns, data.y, len(data.classes), [*map(bool, data.levels)]
    )
    suspect_notes = [
        Note(
            suspect.note_kind,
            suspect_text(suspect, data.features, data.n, data.classes),
            None,
            data.features[suspect.feature],
        )
        for suspect in suspects_found
        # dates and durations may all be distinct without being a key
        if suspect.kind != "identifier" or data.quantities[suspect.feature] == PLAIN
    ]
    return replace(data, notes=(*suspect_notes, *data.notes))


def infer_task(series: pd.Series[Any]) -> Task:
    """Classification for text, booleans and few distinct whole numbers, else regression."""
    if pd.api.types.is_bool_dtype(series) or not pd.api.types.is_numeric_dtype(series):
        return "classification"
    all_values = real_numbers(series)
    values = np.unique(all_values[np.isfinite(all_values)])
    all_whole = bool(np.all(values == np.floor(values)))
    return (
        "classification" if all_whole and len(values) <= MAX_WHOLE_NUMBER_CLASSES else "regression"
    )


def is_numeric(series: pd.Series[Any]) -> bool:
    """True for a column that a threshold can split: numbers, dates, durations or ranks.

    False for booleans and complex numbers.
    """
    types = pd.api.types
    is_excluded = types.is_complex_dtype(series) or types.is_bool_dtype(series)
    are_numbers = types.is_numeric_dtype(series) and not is_excluded
    return bool(are_numbers or quantity_of_column(series) != PLAIN)


def target_column(frame: pd.DataFrame, target: str) -> pd.Series[Any]:
    """The target's column, dates as text; raises DataError if it or a value of it is missing."""
    need_column(frame, target, "target")
    series = frame[target]
    gaps = np.flatnonzero(series.isna())
    if len(gaps):
        raise DataError(f"row {gaps[0]} has no value for {quoted(target)}; each needs its target")
    return times_as_text(series)


def checked_frame(frame: AnyFrame) -> pd.DataFrame:
    """The frame as a pandas frame whose column names are text.

    Raises DataError if `frame` is no table, or two columns have equal names.
    """
    frame = pandas_frame(frame)
    if not isinstance(frame, pd.DataFrame):
        frames = "a DataFrame (pandas, polars) or an Arrow table"
        raise DataError(f"`frame` must be {frames}; not {short_repr(frame)}")
    names = [safe_text(name) for name in frame.columns]
    repeated = [name for name, n in Counter(names).items() if n > 1]
    if repeated:
        raise DataError(
            f"column {quoted(repeated[0])} occurs more than once; give each its own name"
        )
    return frame if names == list(frame.columns) else frame.set_axis(names, axis=1)


def safe_text(value: Any) -> str:
    """A value as text, also where its `__str__` fails."""
    try:
        return str(value)
    except Exception:  # a foreign `__str__` may raise anything
        return short_repr(value)


def _as_list(name: str, allowed: str, values: Any) -> list[Any]:
    """The values of a parameter as a list; raises DataError for text and what has no values."""
    try:
        if not isinstance(values, str | bytes):
            return list(values)
    except TypeError:
        pass
    raise DataError(f"`{name}` must be {allowed}; not {short_repr(values)}")


def need_column(frame: pd.DataFrame, name: str, parameter: str) -> None:
    """Raise DataError unless the frame has the column `name`; `parameter` is what names it."""
    if name not in frame.columns:
        names = ", ".join(quoted(c) for c in list(frame.columns)[:20]) or "none"
        raise DataError(
            f"`{parameter}` must be one of the columns ({names}); not {quoted(str(name))}"
        )


def _feature_names(
    frame: pd.DataFrame, target: str, features: Sequence[str] | None, log: list[Note]
) -> tuple[str, ...]:
    if features is None:
        others = [name for name in frame.columns if name != target]
        unused = {name: problem for name in others if (problem := unfit_reason(frame[name]))}
        log += [
            Note("column", f"not used as a feature: {problem}", None, name)
            for name, problem in unused.items()
        ]
        names = tuple(name for name in others if name not in unused)
    else:
        names = tuple(
            map(safe_text, _as_list("features", "a list of column names or None", features))
        )
        for name in names:
            need_column(frame, name, "features")
            if name == target:
                raise DataError(f"{quoted(name)} is the target; it cannot be a feature too")
            if is_numeric(frame[name]):
                _need_distinct_floats(frame[name])
        if len(set(names)) < len(names):
            raise DataError("`features` names a column twice; name each once")
    if not names:
        raise DataError(
            "no feature is left; the table needs numbers or a category beside the target"
        )
    if len(names) > MAX_FEATURES:
        raise DataError(
            f"at most {MAX_FEATURES:,} features; not {len(names):,}: name the ones to use"
        )
    return names


def unfit_reason(series: pd.Series[Any]) -> str:
    """Reason not to use a column as a feature unless the user names it; '' for none."""
    if len(series) and not _has_values(series):
        return "no value in any row"
    if is_numeric(series):
        return _merge_problem(series)
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred == "boolean":
        return ""
    if inferred not in ("string", "categorical"):
        return "neither numbers nor text"
    n_distinct, n_present = series.nunique(), int(series.notna().sum())
    if 10 * n_distinct > 9 * n_present:
        return "nearly every row has a text of its own, as a key has"
    if n_distinct > MAX_CATEGORIES:
        return f"{n_distinct:,} distinct texts; at most {MAX_CATEGORIES} can be a category"
    return ""


def _has_values(series: pd.Series[Any]) -> bool:
    """True if any row has a value; infinite numbers count as missing."""
    if is_numeric(series) and quantity_of_column(series) == PLAIN:
        return bool(np.isfinite(real_numbers(series)).any())
    return bool(series.notna().any())


def _categories(series: pd.Series[Any]) -> tuple[CategoryValue, ...]:
    """The categories of a column, at least one; raises DataError if too many, or complex."""
    name = quoted(str(series.name))
    if pd.api.types.is_complex_dtype(series):
        raise DataError(f"{name} holds complex numbers; a feature needs numbers or text")
    values = categories_of(series)
    if len(values) > MAX_CATEGORIES:
        raise DataError(
            f"{name} has {len(values):,} distinct values; at most {MAX_CATEGORIES} can be a "
            "category: "
            "group them, or leave the column out"
        )
    return values or ("",)  # without any category a feature would be numeric


def encode_feature(
    series: pd.Series[Any],
    categories: tuple[CategoryValue, ...],
    quantity: Quantity = PLAIN,
    refusal: str | None = None,
) -> NDArray[np.float64]:
    """A feature's column as numbers, (n,), NaN for missing: category codes, or its quantity.

    Raises DataError for values of another quantity. `refusal` is the text of the error where plain
    numbers are needed, with places for `name` and `problem`.
    """
    if categories or quantity == PLAIN:
        return (
            codes_of(series, categories)
            if categories
            else real_numbers(series, refusal or NO_NUMBERS)
        )
    kind = kind_of(quantity)
    values = kind.encode(series, quantity)
    if values is None:
        offset = " with an offset from UTC" if quantity.has_offset else ""
        ranks = f": {quoted_names(quantity.rank_names)}" if quantity.rank_names else ""
        _, unclear = parse_time_column(series.astype(object).map(str))
        hint = f"; {unclear.removesuffix(': read as text')}" if unclear else ""
        raise DataError(
            f"{quoted(str(series.name))} must hold {kind.noun}{offset} in every row{ranks}{hint}"
        )
    return values


def times_as_text(series: pd.Series[Any]) -> pd.Series[Any]:
    """A column of dates, durations or ranks as text, None for missing; others unchanged."""
    quantity = quantity_of_column(series)
    if quantity == PLAIN:
        return series
    has_value = series.notna().to_numpy(np.bool_)
    texts = np.full(len(series), None, dtype=object)
    texts[has_value] = kind_of(quantity).texts(
        encode_feature(series[has_value], (), quantity), quantity
    )
    return pd.Series(texts, series.index, name=series.name)


def convert_quantity(data: Dataset, feature: int, quantity: Quantity) -> NDArray[np.float64]:
    """The column of a feature, (n,), as numbers of another quantity; raises DataError.

    For example, a column of dates becomes a column of dates with times.
    """
    current: Quantity = data.quantities[feature]
    column: NDArray[np.float64] = data.columns[feature]
    if current == quantity:
        return column
    series = kind_of(current).decode(column, current).rename(data.features[feature])
    return encode_feature(series, (), quantity, "{name} holds {problem}, and held numbers before")


def decode_feature(data: Dataset, feature: int, values: NDArray[np.float64]) -> Any:
    """Numbers of a feature as values of the user's table: text, dates or numbers, (n,)."""
    levels, quantity = data.levels[feature], data.quantities[feature]
    if levels:
        labels = pd.Series([*levels, None], dtype=object)  # None for position -1: a missing value
        return labels.take(np.where(np.isnan(values), -1, values).astype(int)).array
    return values if quantity == PLAIN else kind_of(quantity).decode(values, quantity).array


NO_NUMBERS = "{name} holds {problem}; regression needs a number in every row"
"""Text of the error of a target that is not numeric."""


def real_numbers(series: pd.Series[Any], refusal: str = NO_NUMBERS) -> NDArray[np.float64]:
    """The values of a column, (n,), NaN for missing; raises DataError unless all are real."""
    quantity = quantity_of_column(series)
    problem = "complex numbers" if quantity == PLAIN else kind_of(quantity).noun
    try:
        if not pd.api.types.is_complex_dtype(series) and quantity == PLAIN:
            return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        problem = "text"
    except OverflowError:
        problem = f"a number beyond {sys.float_info.max:.2g}"
    raise DataError(refusal.format(name=quoted(str(series.name)), problem=problem))


def _need_distinct_floats(series: pd.Series[Any]) -> None:
    if problem := _merge_problem(series):
        raise DataError(f"in {quoted(str(series.name))}, {problem}; subtract what all have")


def _merge_problem(series: pd.Series[Any]) -> str:
    """Message about two distinct values of a column that are equal as floats; '' for none."""
    quantity = quantity_of_column(series)
    if quantity != PLAIN:
        n_distinct, floats = (
            series.nunique(),
            np.unique(encode_feature(series.dropna(), (), quantity)),
        )
        return "" if len(floats) == n_distinct else "values too near would become one number"
    if not pd.api.types.is_integer_dtype(series):
        return ""
    values = np.unique(series.dropna().to_numpy())
    merged = np.flatnonzero(np.diff(values.astype(np.float64)) == 0)
    if not len(merged):
        return ""
    return f"{values[merged[0]]} and {values[merged[0] + 1]} would become one number, beyond 2^53"


def _drop_infinite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values with NaN in place of infinite ones."""
    return np.where(np.isfinite(values), values, np.nan) if np.isinf(values).any() else values


def need_squares(
    y: NDArray[np.float64], target: str, sample_weight: NDArray[np.float64] | None = None
) -> None:
    """Raise DataError if squares of targets overflow, or squares of their differences underflow.

    The weighted sum of the squares must be a float too.
    """
    total_weight = 0.0 if sample_weight is None else float(sample_weight.sum())
    max_target = MAX_TARGET / max(math.sqrt(total_weight / MAX_SQUARES_SUMMED), 1.0)
    largest = float(np.max(np.abs(y)))
    if largest > max_target:
        raise DataError(
            f"{quoted(target)} holds {largest:g}: too large to square; at most {max_target:g}, "
            "in a larger unit"
        )
    step = float(np.min(np.diff(np.unique(y)), initial=math.inf))
    if step < MIN_TARGET_STEP:
        raise DataError(
            f"{quoted(target)} holds numbers only {step:g} apart: too near to square; "
            f"at least {MIN_TARGET_STEP:g}, in a smaller unit"
        )


def _usable_mask(
    frame: pd.DataFrame, target: str, weights: NDArray[np.float64] | None, log: list[Note]
) -> NDArray[np.bool_]:
    """Mask of the rows with a target and a positive weight, (n,); logs notes on the others.

    Raises DataError if no row is left.
    """
    series = frame[target]
    is_plain = is_numeric(series) and quantity_of_column(series) == PLAIN
    has_target = np.isfinite(real_numbers(series)) if is_plain else series.notna().to_numpy()
    keep = np.asarray(has_target, np.bool_)
    _log_rows(frame, np.flatnonzero(~keep), f"no value in {quoted(target)}", log)
    if not keep.any():
        raise DataError(
            f"0 of {len(frame):,} rows have a value in the target {quoted(target)}; choose another"
        )
    if weights is None:
        return keep
    _log_rows(frame, np.flatnonzero(keep & (weights == 0)), "its weight is 0", log)
    if not (keep & (weights > 0)).any():
        raise DataError("every row weighs 0; at least one needs a positive `sample_weight`")
    return keep & (weights > 0)


def _has_missing(column: NDArray[np.float64]) -> bool:
    return bool(np.isnan(column).any())


def _missing_note(name: str, column: NDArray[np.float64]) -> Note:
    """The note on how many rows have no value of a feature."""
    n_missing = int(np.count_nonzero(np.isnan(column)))
    share = f"{100 * n_missing / len(column):.3g} %"
    return Note("column", f"{count(n_missing, 'row')} without a value ({share})", None, name)


def _log_rows(frame: pd.DataFrame, rows: Ints, cause: str, log: list[Note]) -> None:
    if len(rows):
        log.append(note_of("row", f"left out, {cause}", first_lines(frame, rows), n=len(rows)))


def first_lines(frame: pd.DataFrame, row_ids: Ints) -> list[int]:
    """File lines of the first few of these rows."""
    return [line_of(frame, row) for row in row_ids[:MAX_LINES_NAMED].tolist()]


def line_of(frame: pd.DataFrame, row: int) -> int:
    """The file line of a row, or its position counted from 1 where the frame has no lines."""
    return int(lines_of(frame)[row])


def lines_of(frame: pd.DataFrame) -> NDArray[np.int64]:
    """The file line of each row, or its position counted from 1 where there are no lines, (n,)."""
    lines = frame.attrs.get("lines")
    return np.arange(1, len(frame) + 1) if lines is None else np.asarray(lines, np.int64)


def _checked_weights(
    frame: pd.DataFrame, target: str, sample_weight: str | ArrayLike | None
) -> NDArray[np.float64] | None:
    """The weight of each row, (n,), which may be 0; raises DataError for wrong weights."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, str):
        need_column(frame, sample_weight, "sample_weight")
        if sample_weight == target:
            raise DataError(f"{quoted(sample_weight)} is the target; it cannot be the weight too")
        sample_weight = frame[sample_weight].to_numpy(dtype=object, na_value=np.nan)
    try:
        weights = np.array(sample_weight, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError("`sample_weight` must be a number in every row; it holds others") from None
    if weights.shape != (len(frame),):
        raise DataError(
            f"`sample_weight` must be {len(frame):,} numbers, one a row; not of shape "
            f"{weights.shape}"
        )
    low, high = WEIGHT_RANGE
    refused = np.flatnonzero(~((weights == 0) | ((weights >= low) & (weights <= high))))
    if len(refused):
        row = int(refused[0])
        raise DataError(
            f"`sample_weight` must be from {low:g} to {high:g}, or 0 to leave a row out; "
            f"not {weights[row]:g} (line {line_of(frame, row)})"
        )
    return weights


def _class_codes(series: pd.Series[Any], target: str) -> tuple[NDArray[Any], tuple[Hashable, ...]]:
    """Class code of each row, (n,), and the classes; raises DataError."""
    values = series.to_numpy()
    try:
        distinct = _sorted_mixed(list(pd.unique(series)))
        "".join(map(str, distinct))
    except (TypeError, ValueError):  # no hash; or an int too long to be written
        raise DataError(
            f"{quoted(target)} holds values that cannot be classes; classes are text or numbers"
        ) from None
    if len(distinct) > MAX_CLASSES:
        raise DataError(
            f"{quoted(target)} has {len(distinct):,} distinct values; at most {MAX_CLASSES:,} can "
            "be classes: choose another target, or a number as a regression target"
        )
    code_of_value = {value: code for code, value in enumerate(distinct)}
    codes = np.array([code_of_value[value] for value in values], dtype=np.int64)
    return codes, tuple(python_value(value) for value in distinct)


def _sorted_mixed(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=_mixed_key)


def _mixed_key(value: Any) -> tuple[bool, Any, str, str]:
    """Sort key of values of mixed types: numbers first, the others by type and text."""
    is_real = isinstance(value, Real)
    return not is_real, value if is_real else 0, type(value).__name__, "" if is_real else str(value)


MAX_PARAMETER_CHARS = 30_000
NUMBER = re.compile(r"(?=.{1,40}\Z)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
"""A number in plain digits, short enough to be meant as one."""
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_PLAIN_NAME = re.compile(r"[^\W\d]\w*")


def read_value(text: str) -> ParameterValue:
    """Parse the text of a parameter of a recipe: a number, a list of names, or text."""
    if not NUMBER.fullmatch(text):
        return read_names(text)
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return number if math.isfinite(number := float(text)) else text


def read_names(text: str) -> str | tuple[str, ...]:
    """Parse the text of a parameter as a list of names or as text, never as a number: '007'."""
    if not text.startswith(("[", '"')) or len(text) > MAX_PARAMETER_CHARS:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return tuple(value)
    return value if isinstance(value, str) else text


def write_value(value: ParameterValue) -> str:
    """The text of a parameter, which `read_value` reads back (`read_names` unless a number)."""
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, str) and value.startswith(("[", '"')):
        return json.dumps(value, ensure_ascii=False)  # else it would be read as a list
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def write_names(value: ParameterValue) -> str:
    """The text of a list of names: plain names joined by commas, else as `write_value`."""
    if isinstance(value, tuple) and value and all(map(_PLAIN_NAME.fullmatch, value)):
        return ",".join(value)
    return write_value(value)


def split_names(value: ParameterValue) -> ParameterValue:
    """The names in a text with commas; any other value unchanged."""
    return tuple(value.split(",")) if isinstance(value, str) and value else value
