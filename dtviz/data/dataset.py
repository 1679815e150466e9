"""The data a tree is grown on: a read-only table of numbers and one target.

Glossary
    row        one example; rows are counted from 0 in code and by file line in notes
    feature    one column the tree may cut on: numbers, or a category
    target     the column to predict: class codes, or a number
    note       one thing that was read as missing, left out or changed on the way in
    recipe     the name and parameters that rebuild a dataset; small, hashable, goes in a link
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.base.text import clean, count, quoted, several, shown
from dtviz.data.categories import Level, codes_of, levels_of, plain
from dtviz.data.frames import AnyFrame, any_frame
from dtviz.data.notes import FIRST, Note, note_of, reason, suspects
from dtviz.data.units import PLAIN, Quantity, kind_of, quantity_in, typed

Task = Literal["classification", "regression"]
Value = str | int | float | bool | tuple[str, ...] | None

TASKS = ("classification", "regression")
MAX_CLASSES = 500
MAX_FEATURES = 5_000
MAX_LEVELS = 200
WHOLE_NUMBER_CLASSES = 20
WEIGHTS = (1e-100, 1e100)
"""The least and the largest weight of a row: their sums and squares are floats too."""
LARGEST_TARGET = 1e150  # its square is still a float
MOST_SQUARES = 1e8  # so many of such squares add up to a float
LEAST_STEP = 1e-140  # its square too, of all digits, as a share of a million rows


class DataError(ValueError):
    """What is wrong with the data, what is allowed and what to do, in one message for the user.

    `parameter` is the one of a recipe that is wrong, if it is one alone.
    """

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


def read_only(value: Any) -> None:
    """Make the arrays among a dataclass's fields read-only."""
    for own in fields(value):
        array = getattr(value, own.name)
        if isinstance(array, np.ndarray):
            object.__setattr__(value, own.name, locked(array))


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """A view of the array that cannot be made writable: it, and all it is a view of, are locked.

    An array that is one already stays itself.
    """
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
    """The name and parameters that rebuild a dataset; `params` are sorted (name, value) pairs."""

    name: str
    params: tuple[tuple[str, Value], ...] = ()

    def get(self, key: str, default: Value = None) -> Value:
        """The parameter `key`, or `default`."""
        return dict(self.params).get(key, default)


def recipe(name: str, /, **params: Value) -> Recipe:
    """The recipe of that name, its parameters in alphabetical order."""
    return Recipe(name, tuple(sorted(params.items())))


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Rows to learn from.

    `columns` has shape (M, n), float64, one line a feature; `y` has shape (n,): class codes into
    `classes` or float64 numbers. Both are read-only. `classes` is empty for regression. `weights`,
    (n,), positive, say what each row counts for; None: each counts 1. `levels` has the values of
    each feature that is a category, whose column holds their places; it is empty for numbers. A
    `costs`, (K, K), say what it costs to call a row of one class (line) another (column); the
    weights are then raised by them, see costs.py. None: a mistake costs 1. `balance`, (K,), is what
    the weights are times by class where classes are balanced: by the rows a tree is grown on. A
    column has NaN where a row has no value: `gaps` says which columns do. `quantities` says of each
    feature what its numbers measure: dates are days, say, from 1970 on. `validation` and `test` are
    rows that no tree is grown on; their classes and levels go on where these end.
    """

    columns: NDArray[np.float64]
    y: NDArray[Any]
    features: tuple[str, ...]
    target: str
    classes: tuple[Hashable, ...]
    task: Task
    notes: tuple[Note, ...] = ()
    weights: NDArray[np.float64] | None = None
    levels: tuple[tuple[Level, ...], ...] = ()
    validation: Dataset | None = None
    test: Dataset | None = None
    quantities: tuple[Quantity, ...] = ()
    costs: NDArray[np.float64] | None = None
    balance: NDArray[np.float64] | None = None
    gaps: tuple[bool, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        read_only(self)
        if not self.levels:
            object.__setattr__(self, "levels", ((),) * len(self.features))
        if not self.quantities:
            object.__setattr__(self, "quantities", (PLAIN,) * len(self.features))
        gaps = map(_lacks, self.columns)
        object.__setattr__(self, "gaps", tuple(gaps))

    def __repr__(self) -> str:
        of = f", {count(len(self.classes), 'class')}" if self.classes else ""
        size = f"{count(self.n, 'row')}, {count(len(self.features), 'feature')}{of}"
        return f"Dataset({quoted(self.target)}, {size})"

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.columns.shape[1])

    @property
    def weight(self) -> float:
        """What all rows weigh together: their number, where they have no weights."""
        return self.n if self.weights is None else float(self.weights.sum())

    @property
    def class_names(self) -> tuple[str, ...]:
        """The classes as text, cleaned for display."""
        return tuple(clean(str(c)) for c in self.classes)


def dataset(
    columns: Sequence[NDArray[Any]] | NDArray[Any],
    y: NDArray[Any],
    features: Sequence[str],
    target: str,
    classes: Sequence[Hashable] = (),
    notes: Iterable[Note] = (),
    weights: NDArray[np.float64] | None = None,
    levels: tuple[tuple[Level, ...], ...] = (),
    quantities: tuple[Quantity, ...] = (),
) -> Dataset:
    """A Dataset from arrays: `columns` (M, n); `y` codes into `classes`, or numbers if none."""
    table = np.ascontiguousarray(np.array(columns, dtype=np.float64).reshape(len(features), len(y)))
    codes = np.array(y, dtype=np.min_scalar_type(max(len(classes) - 1, 0)) if classes else float)
    task: Task = "classification" if classes else "regression"
    own = None if weights is None else np.array(weights, dtype=np.float64)
    about = (tuple(features), target, tuple(classes), task, tuple(notes))
    return Dataset(table, codes, *about, own, levels, quantities=quantities)


def take(data: Dataset, rows: NDArray[Any]) -> Dataset:
    """The Dataset of these rows, in this order: numbers, repeated or not, or a mask of shape (n,).

    Features, classes (even those left without a row) and task stay; the notes speak of the whole
    table and are left out. Raises DataError for no rows, IndexError for a row that does not exist.
    """
    columns = np.ascontiguousarray(data.columns[:, rows])
    y = data.y[rows]
    if not len(y):
        raise DataError("`rows` must hold at least one row; not none")
    weights = None if data.weights is None else data.weights[rows]
    return replace(
        data, columns=columns, y=y, notes=(), weights=weights, validation=None, test=None
    )


def of_frame(
    frame: AnyFrame,
    target: str,
    features: Sequence[str] | None = None,
    task: Task | None = None,
    notes: Iterable[Note] = (),
    sample_weight: str | ArrayLike | None = None,
) -> Dataset:
    """The Dataset of all rows of a frame, as `from_frame` makes it; raises DataError."""
    frame, target = named(frame), text_of(target)
    if not (task is None or (isinstance(task, str) and task in TASKS)):
        raise DataError(f"`task` must be 'classification', 'regression' or None; not {shown(task)}")
    log = _listed("notes", "a list of Notes", notes)
    need_column(frame, target, "target")
    weights = _weights(frame, target, sample_weight)
    if isinstance(sample_weight, str):
        frame = frame.drop(columns=sample_weight)
    frame = _with_times(frame, target, log)
    names = _feature_names(frame, target, features, log)
    quantities = tuple(quantity_in(frame[name]) for name in names)
    log += [_in_utc(name) for name in names if _has_zone(frame[name])]
    levels = tuple(() if is_number(frame[name]) else _levels(frame[name]) for name in names)
    kinds = zip(names, levels, quantities, strict=True)
    matrix = [_finite(encoded(frame[name], own, quantity)) for name, own, quantity in kinds]
    series = frame[target]
    chosen = task or infer_task(series)
    y = None
    if chosen == "regression":
        _need_apart(series)
        y = numbers(series)
    keep = _usable_rows(frame, target, weights, log)
    table = [column[keep] for column in matrix]
    log += [
        _gaps(name, column) for name, column in zip(names, table, strict=True) if _lacks(column)
    ]
    own = None if weights is None else weights[keep]
    if y is not None:
        need_squares(y[keep], target, own)
        found = dataset(table, y[keep], names, target, (), log, own, levels, quantities)
    else:
        codes, classes = _codes(as_text(series)[keep], target)
        found = dataset(table, codes, names, target, classes, log, own, levels, quantities)
    return _with_suspects(found)


def _has_zone(series: pd.Series[Any]) -> bool:
    """Whether a column of dates has a time zone of its own."""
    return str(getattr(series.dtype, "tz", None) or "UTC") != "UTC"


def _in_utc(name: str) -> Note:
    return Note("column", "times read with their offsets, told in UTC", None, name)


def _with_times(frame: pd.DataFrame, target: str, log: list[Note]) -> pd.DataFrame:
    """The frame with text that is dates or durations read as such, which may leave gaps."""
    read: dict[str, pd.Series[Any]] = {}
    for name, column in frame.drop(columns=target).items():
        if pd.api.types.infer_dtype(column, skipna=True) != "string":
            continue
        times, said = typed(column)
        if said:
            log.append(Note("column", said, None, str(name)))
        if times is not None:
            read[str(name)] = times
            odd = column[times.isna() & column.notna()].unique().tolist()
            if odd:
                text = f"{several(odd)} {'is' if len(odd) == 1 else 'are'} read as missing"
                log.append(Note("column", text, None, str(name)))
    return frame.assign(**read) if read else frame


def _with_suspects(data: Dataset) -> Dataset:
    """The data with a note on each column that would fool a tree, before its others."""
    found = suspects(data.columns, data.y, len(data.classes), [*map(bool, data.levels)])
    said = [
        Note("suspect", reason(one, data.features), None, data.features[one.feature])
        for one in found
        if one.kind != "identifier" or data.quantities[one.feature] == PLAIN
    ]
    return replace(data, notes=(*said, *data.notes))


def infer_task(series: pd.Series[Any]) -> Task:
    """Classification for text, booleans and few whole numbers; regression for other numbers."""
    if pd.api.types.is_bool_dtype(series) or not pd.api.types.is_numeric_dtype(series):
        return "classification"
    found = numbers(series)
    values = np.unique(found[np.isfinite(found)])
    whole = bool(np.all(values == np.floor(values)))
    return "classification" if whole and len(values) <= WHOLE_NUMBER_CLASSES else "regression"


def is_number(series: pd.Series[Any]) -> bool:
    """Whether a column can be cut by a threshold: numbers, dates or durations.

    So are ranks; complex numbers and truth values are not.
    """
    types = pd.api.types
    other = types.is_complex_dtype(series) or types.is_bool_dtype(series)
    number = types.is_numeric_dtype(series) and not other
    return bool(number or quantity_in(series) != PLAIN)


def target_of(frame: pd.DataFrame, target: str) -> pd.Series[Any]:
    """The target's column, dates as text; raises DataError if there is none, or one has a gap."""
    need_column(frame, target, "target")
    series = frame[target]
    holes = np.flatnonzero(series.isna())
    if len(holes):
        raise DataError(f"row {holes[0]} has no value for {quoted(target)}; each needs its target")
    return as_text(series)


def named(frame: AnyFrame) -> pd.DataFrame:
    """The pandas frame with text for names; raises DataError for none, or two equal names."""
    frame = any_frame(frame)
    if not isinstance(frame, pd.DataFrame):
        frames = "a DataFrame (pandas, polars) or an Arrow table"
        raise DataError(f"`frame` must be {frames}; not {shown(frame)}")
    names = [text_of(name) for name in frame.columns]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(f"column {quoted(twice[0])} occurs more than once; give each its own name")
    return frame if names == list(frame.columns) else frame.set_axis(names, axis=1)


def text_of(value: Any) -> str:
    """A value as text, whatever a stranger's `__str__` does."""
    try:
        return str(value)
    except Exception:  # whatever a stranger's `__str__` may raise
        return shown(value)


def _listed(name: str, allowed: str, values: Any) -> list[Any]:
    try:
        if not isinstance(values, str | bytes):
            return list(values)
    except TypeError:
        pass
    raise DataError(f"`{name}` must be {allowed}; not {shown(values)}")


def need_column(frame: pd.DataFrame, name: str, role: str) -> None:
    """Raises DataError where the frame has no such column for a parameter called `role`."""
    if name not in frame.columns:
        known = ", ".join(quoted(c) for c in list(frame.columns)[:20]) or "none"
        raise DataError(f"`{role}` must be one of the columns ({known}); not {quoted(str(name))}")


def _feature_names(
    frame: pd.DataFrame, target: str, features: Sequence[str] | None, log: list[Note]
) -> tuple[str, ...]:
    if features is None:
        others = [name for name in frame.columns if name != target]
        unused = {name: problem for name in others if (problem := unfit(frame[name]))}
        log += [
            Note("column", f"not used as a feature: {problem}", None, name)
            for name, problem in unused.items()
        ]
        names = tuple(name for name in others if name not in unused)
    else:
        names = tuple(map(text_of, _listed("features", "a list of column names or None", features)))
        for name in names:
            need_column(frame, name, "features")
            if name == target:
                raise DataError(f"{quoted(name)} is the target; it cannot be a feature too")
            if is_number(frame[name]):
                _need_apart(frame[name])
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


def unfit(series: pd.Series[Any]) -> str:
    """Why a column is no feature unless it is named, or ''."""
    if len(series) and not _has_values(series):
        return "no value in any row"
    if is_number(series):
        return _merged(series)
    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "boolean":
        return ""
    if kind not in ("string", "categorical"):
        return "neither numbers nor text"
    distinct, present = series.nunique(), int(series.notna().sum())
    if 10 * distinct > 9 * present:
        return "nearly every row has a text of its own, as a key has"
    if distinct > MAX_LEVELS:
        return f"{distinct:,} distinct texts; at most {MAX_LEVELS} can be a category"
    return ""


def _has_values(series: pd.Series[Any]) -> bool:
    """Whether some row has a value; infinite ones are none."""
    if is_number(series) and quantity_in(series) == PLAIN:
        return bool(np.isfinite(numbers(series)).any())
    return bool(series.notna().any())


def _levels(series: pd.Series[Any]) -> tuple[Level, ...]:
    """The values of a category; raises DataError where they are too many, or none at all."""
    name = quoted(str(series.name))
    if pd.api.types.is_complex_dtype(series):
        raise DataError(f"{name} holds complex numbers; a feature needs numbers or text")
    found = levels_of(series)
    if len(found) > MAX_LEVELS:
        raise DataError(
            f"{name} has {len(found):,} distinct values; at most {MAX_LEVELS} can be a category: "
            "group them, or leave the column out"
        )
    return found or ("",)


def encoded(
    series: pd.Series[Any],
    levels: tuple[Level, ...],
    quantity: Quantity = PLAIN,
    refusal: str | None = None,
) -> NDArray[np.float64]:
    """A feature's column as numbers, NaN for none: codes of its levels, or what it measures."""
    if levels or quantity == PLAIN:
        return codes_of(series, levels) if levels else numbers(series, refusal or NO_NUMBERS)
    kind = kind_of(quantity)
    values = kind.encode(series, quantity)
    if values is None:
        offset = " with an offset from UTC" if quantity.aware else ""
        ranks = f": {several(quantity.names)}" if quantity.names else ""
        _, unclear = typed(series.astype(object).map(str))
        also = f"; {unclear.removesuffix(': read as text')}" if unclear else ""
        raise DataError(
            f"{quoted(str(series.name))} must hold {kind.asked}{offset} in every row{ranks}{also}"
        )
    return values


def as_text(series: pd.Series[Any]) -> pd.Series[Any]:
    """A column of dates or durations as text, None for no value; any other as it is."""
    quantity = quantity_in(series)
    if quantity == PLAIN:
        return series
    there = series.notna().to_numpy(np.bool_)
    texts = np.full(len(series), None, dtype=object)
    texts[there] = kind_of(quantity).texts(encoded(series[there], (), quantity), quantity)
    return pd.Series(texts, series.index, name=series.name)


def measured_as(data: Dataset, at: int, quantity: Quantity) -> NDArray[np.float64]:
    """The column of a feature in the numbers of another quantity; raises DataError where it cannot.

    So a column of dates alone can be read as dates with times.
    """
    own: Quantity = data.quantities[at]
    column: NDArray[np.float64] = data.columns[at]
    if own == quantity:
        return column
    series = kind_of(own).decode(column, own).rename(data.features[at])
    return encoded(series, (), quantity, "{name} holds {problem}, and held numbers before")


def as_given(data: Dataset, at: int, values: NDArray[np.float64]) -> Any:
    """Numbers of a feature as such values stood in its table: text, dates, numbers, ...; (n,)."""
    levels, quantity = data.levels[at], data.quantities[at]
    if levels:
        labels = pd.Series([*levels, None], dtype=object)  # the last for what is missing
        return labels.take(np.where(np.isnan(values), -1, values).astype(np.intp)).array
    return values if quantity == PLAIN else kind_of(quantity).decode(values, quantity).array


NO_NUMBERS = "{name} holds {problem}; regression needs a number in every row"


def numbers(series: pd.Series[Any], refusal: str = NO_NUMBERS) -> NDArray[np.float64]:
    """The values of a column, NaN for none; raises DataError where one is no real number."""
    found = quantity_in(series)
    problem = "complex numbers" if found == PLAIN else kind_of(found).asked
    try:
        if not pd.api.types.is_complex_dtype(series) and found == PLAIN:
            return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        problem = "text"
    except OverflowError:
        problem = f"a number beyond {sys.float_info.max:.2g}"
    raise DataError(refusal.format(name=quoted(str(series.name)), problem=problem))


def _need_apart(series: pd.Series[Any]) -> None:
    if problem := _merged(series):
        raise DataError(f"in {quoted(str(series.name))}, {problem}; subtract what all have")


def _merged(series: pd.Series[Any]) -> str:
    """That two whole numbers of a column would become one as floats, or ''."""
    quantity = quantity_in(series)
    if quantity != PLAIN:
        distinct, found = series.nunique(), np.unique(encoded(series.dropna(), (), quantity))
        return "" if len(found) == distinct else "values too near would become one number"
    if not pd.api.types.is_integer_dtype(series):
        return ""
    values = np.unique(series.dropna().to_numpy())
    same = np.flatnonzero(np.diff(values.astype(np.float64)) == 0)
    if not len(same):
        return ""
    return f"{values[same[0]]} and {values[same[0] + 1]} would become one number, beyond 2^53"


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values, infinite ones as missing."""
    return np.where(np.isfinite(values), values, np.nan) if np.isinf(values).any() else values


def need_squares(
    y: NDArray[np.float64], target: str, weights: NDArray[np.float64] | None = None
) -> None:
    """Raises DataError where a number, or how far two different ones are apart, has no square.

    Nor may it be too large a square for the weight of all rows.
    """
    weight = 0.0 if weights is None else float(weights.sum())
    most = LARGEST_TARGET / max(math.sqrt(weight / MOST_SQUARES), 1.0)
    top = float(np.max(np.abs(y)))
    if top > most:
        raise DataError(
            f"{quoted(target)} holds {top:g}: too large to square; at most {most:g}, "
            "in a larger unit"
        )
    step = float(np.min(np.diff(np.unique(y)), initial=math.inf))
    if step < LEAST_STEP:
        raise DataError(
            f"{quoted(target)} holds numbers only {step:g} apart: too near to square; "
            f"at least {LEAST_STEP:g}, in a smaller unit"
        )


def _usable_rows(
    frame: pd.DataFrame, target: str, weights: NDArray[np.float64] | None, log: list[Note]
) -> NDArray[np.bool_]:
    """Which rows have a target and a weight; a note says why, and of how many others."""
    series = frame[target]
    plain = is_number(series) and quantity_in(series) == PLAIN
    there = np.isfinite(numbers(series)) if plain else series.notna().to_numpy()
    keep = np.asarray(there, np.bool_)
    _left_out(frame, np.flatnonzero(~keep), f"no value in {quoted(target)}", log)
    if not keep.any():
        raise DataError(
            f"0 of {len(frame):,} rows have a value in the target {quoted(target)}; choose another"
        )
    if weights is None:
        return keep
    _left_out(frame, np.flatnonzero(keep & (weights == 0)), "its weight is 0", log)
    if not (keep & (weights > 0)).any():
        raise DataError("every row weighs 0; at least one needs a positive `sample_weight`")
    return keep & (weights > 0)


def _lacks(column: NDArray[np.float64]) -> bool:
    return bool(np.isnan(column).any())


def _gaps(name: str, column: NDArray[np.float64]) -> Note:
    """How many rows lack the value of a feature."""
    some = int(np.count_nonzero(np.isnan(column)))
    share = f"{100 * some / len(column):.3g} %"
    return Note("column", f"{count(some, 'row')} without a value ({share})", None, name)


def _left_out(frame: pd.DataFrame, rows: NDArray[np.intp], why: str, log: list[Note]) -> None:
    if len(rows):
        log.append(note_of("row", f"left out, {why}", first_lines(frame, rows), n=len(rows)))


def first_lines(frame: pd.DataFrame, rows: NDArray[np.intp]) -> list[int]:
    """The lines of the first of these rows."""
    return [line_of(frame, row) for row in rows[:FIRST].tolist()]


def line_of(frame: pd.DataFrame, row: int) -> int:
    """The file's line of a row, or the row counted from 1."""
    lines = frame.attrs.get("lines")
    return int(lines[row]) if lines is not None else row + 1


def _weights(
    frame: pd.DataFrame, target: str, given: str | ArrayLike | None
) -> NDArray[np.float64] | None:
    """The weight of each row, 0 among them."""
    if given is None:
        return None
    if isinstance(given, str):
        need_column(frame, given, "sample_weight")
        if given == target:
            raise DataError(f"{quoted(given)} is the target; it cannot be the weight too")
        given = frame[given].to_numpy(dtype=object, na_value=np.nan)
    try:
        weights = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError("`sample_weight` must be a number in every row; it holds others") from None
    if weights.shape != (len(frame),):
        raise DataError(
            f"`sample_weight` must be {len(frame):,} numbers, one a row; not of shape "
            f"{weights.shape}"
        )
    low, high = WEIGHTS
    wrong = np.flatnonzero(~((weights == 0) | ((weights >= low) & (weights <= high))))
    if len(wrong):
        row = int(wrong[0])
        raise DataError(
            f"`sample_weight` must be from {low:g} to {high:g}, or 0 to leave a row out; "
            f"not {weights[row]:g} (line {line_of(frame, row)})"
        )
    return weights


def _codes(series: pd.Series[Any], target: str) -> tuple[NDArray[Any], tuple[Hashable, ...]]:
    values = series.to_numpy()
    try:
        distinct = _in_order(list(pd.unique(series)))
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
    place = {value: code for code, value in enumerate(distinct)}
    codes = np.array([place[value] for value in values], dtype=np.int64)
    return codes, tuple(plain(value) for value in distinct)


def _in_order(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=_mixed)


def _mixed(value: Any) -> tuple[bool, Any, str, str]:
    """Numbers first, as numbers; the others by type and text."""
    number = isinstance(value, Real)
    return not number, value if number else 0, type(value).__name__, "" if number else str(value)


MOST_TEXT = 30_000
NUMBER = re.compile(r"(?=.{1,40}\Z)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
"""A number in plain digits, short enough to be meant as one."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_PLAIN = re.compile(r"[^\W\d]\w*")


def read_value(text: str) -> Value:
    """A number, a list of names, or text."""
    if not NUMBER.fullmatch(text):
        return read_names(text)
    if _WHOLE.fullmatch(text):
        return int(text)
    return number if math.isfinite(number := float(text)) else text


def read_names(text: str) -> str | tuple[str, ...]:
    """A list of names, or the text as it stands ('007' is a name)."""
    if not text.startswith(("[", '"')) or len(text) > MOST_TEXT:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return value if isinstance(value, str) else text


def write_value(value: Value) -> str:
    """The text that `read_value` reads back, and `read_names` where the value is no number."""
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, str) and value.startswith(("[", '"')):
        return json.dumps(value, ensure_ascii=False)  # else it would be read as a list
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def write_names(value: Value) -> str:
    """The text of a list of names: plain ones as a person would write it, commas between."""
    if isinstance(value, tuple) and value and all(map(_PLAIN.fullmatch, value)):
        return ",".join(value)
    return write_value(value)


def names_in(value: Value) -> Value:
    """The list of names that a text stands for, read before; what is none stays as it is."""
    return tuple(value.split(",")) if isinstance(value, str) and value else value
