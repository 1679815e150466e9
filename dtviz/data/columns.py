"""Columns: conversion to a type the user sets, missing values, a summary, and rare categories.

A type is a name in TYPES: number, category or date; day-first or month-first for ambiguous dates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.lazy import pd
from dtviz.base.text import clean, count, quoted, short_repr
from dtviz.data import number_cells
from dtviz.data.categories import CategoryValue, OtherCategory, codes_of, python_value, recode
from dtviz.data.csv_dialect import ONE_COLUMN
from dtviz.data.dataset import (
    MAX_FEATURES,
    DataError,
    Dataset,
    ParameterValue,
    encode_feature,
    is_numeric,
    need_column,
    safe_text,
    take_rows,
    times_as_text,
)
from dtviz.data.notes import Note
from dtviz.data.units import PLAIN, kind_of, quantity_of_column
from dtviz.data.units.times import (
    day_or_month_first,
    is_date,
    likely_day_or_month_first,
    parse_date_column,
)
from dtviz.data.weights import rebalance

Types = Mapping[str, str]


def as_types(frame: pd.DataFrame, types: Types | None) -> pd.DataFrame:
    """The frame with columns converted to the types set for them; raises DataError."""
    if types is None:
        return frame
    if not isinstance(types, Mapping):
        raise DataError(f"`types` must be types by column; not {short_repr(types)}")
    named_types = {safe_text(name): kind for name, kind in types.items()}
    for name, kind in named_types.items():
        need_column(frame, name, "types")
        if not isinstance(kind, str) or kind not in TYPES:
            raise DataError(
                f"`types` must be of {', '.join(TYPES)}; not {short_repr(kind)} for {quoted(name)}"
            )
    columns = {name: as_type(frame[name], kind) for name, kind in named_types.items()}
    return frame.assign(**columns)


def as_types_of_test(frame: pd.DataFrame, types: Types | None) -> pd.DataFrame:
    """The frame of test rows, which may lack columns, with the types set; raises DataError."""
    types = {safe_text(name): kind for name, kind in (types or {}).items()}
    return as_types(frame, {name: kind for name, kind in types.items() if name in frame.columns})


def as_type(series: pd.Series[Any], kind: str) -> pd.Series[Any]:
    """A column converted to one of TYPES; raises DataError with the number of unfit cells."""
    return TYPES[kind](series)


def likely_types(columns: Mapping[Any, pd.Series[Any]]) -> dict[str, tuple[str, str]]:
    """Likely type and a remark on it, by name, of dates whose day or month could be first."""
    types: dict[str, tuple[str, str]] = {}
    for name, series in columns.items():
        if not (series.dtype == object or isinstance(series.dtype, pd.StringDtype)):
            continue  # a category stays one
        present = series.dropna()
        if not len(present) or day_or_month_first([str(present.iloc[0])]) is None:
            continue  # most columns end here, without a look at their other cells
        likely = likely_day_or_month_first([*map(str, present.unique().tolist())])
        if likely and parse_date_column(series, likely[0]) is not None:
            types[safe_text(name)] = f"{likely[0]}-first", likely[1]
    return types


def with_type_notes(notes: Iterable[Note], types: Types | None) -> tuple[Note, ...]:
    """The notes; on a column whose type the user sets, a note on that replaces the others."""
    types = {safe_text(name): kind for name, kind in (types or {}).items()}
    others = [note for note in notes if note.kind != "column" or note.column not in types]
    by_hand = [Note("column", f"its type by hand: {k}", None, name) for name, k in types.items()]
    return (*others, *by_hand)


def _as_numbers(series: pd.Series[Any]) -> pd.Series[Any]:
    if is_numeric(series) and quantity_of_column(series) == PLAIN:
        return series
    present = series.dropna()
    cells = [text.strip() for text in times_as_text(present).astype(object).map(str)]
    # Any share of numbers will do here: the error below counts the other cells.
    parsed = number_cells.parse_numbers(cells, ONE_COLUMN, min_share=0.0)
    values = parsed.values if parsed else np.full(len(cells), np.nan)
    _need_all(series, cells, np.isfinite(values), "a number")
    if parsed and (
        problem := number_cells.rounding_warning(
            number_cells.whole_numbers(number_cells.CELL_SEPARATOR.join(cells), parsed)
        )
    ):
        raise DataError(f"in {quoted(str(series.name))}, {problem}: keep it a category")
    out = pd.Series(np.nan, series.index, name=series.name)
    out[series.notna().to_numpy(bool)] = values
    return out


def _as_categories(series: pd.Series[Any]) -> pd.Series[Any]:
    # As plain text, dates would be read as dates again.
    return times_as_text(series).astype("category")


def _date_converter(order: str) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    """Function that converts a column to dates; `order` is as in `parse_times`."""

    def convert(series: pd.Series[Any]) -> pd.Series[Any]:
        if quantity_of_column(series).kind == "date":
            return series
        texts = series.astype(object).map(
            lambda value: str(python_value(value)), na_action="ignore"
        )
        dates = parse_date_column(texts, order)
        if dates is not None:
            return dates
        cells = texts.dropna().tolist()
        is_fit = {cell: is_date(cell, order) for cell in {*cells}}
        _need_all(
            series, cells, [is_fit[cell] for cell in cells], _EXPECTED_DATES.get(order, "a date")
        )
        if not order and day_or_month_first(cells) == "":
            raise DataError(
                f"in {quoted(str(series.name))} the day or the month could be first: say day-first "
                "or month-first"
            )
        raise DataError(
            f"{quoted(str(series.name))} holds dates of several forms; write all in one"
        )

    return convert


_EXPECTED_DATES = {"day": "a date with the day first", "month": "a date with the month first"}

TYPES: dict[str, Callable[[pd.Series[Any]], pd.Series[Any]]] = {
    "number": _as_numbers,
    "category": _as_categories,
    "date": _date_converter(""),
    "day-first": _date_converter("day"),
    "month-first": _date_converter("month"),
}
"""Function that converts a column, by the name of the type."""


def _need_all(series: pd.Series[Any], cells: Sequence[str], is_fit: Any, expected: str) -> None:
    """Raise DataError if a cell is not fit, or if there are no cells; `expected` is a noun."""
    odd = np.flatnonzero(~np.asarray(is_fit, np.bool_))
    if len(odd) or not cells:
        example = f", such as {quoted(clean(cells[odd[0]]))}" if len(odd) else ""
        verb = "is" if len(odd) == 1 else "are"
        raise DataError(
            f"{len(odd):,} of {count(len(cells), 'cell')} in {quoted(str(series.name))} {verb} not "
            f"{expected}{example}: mend them, or leave the type as it was read"
        )


# --- in a recipe ----------------------------------------------------------------------------------


def types_text(types: Types) -> tuple[str, ...]:
    """Text of types by column, as a parameter of a recipe: ('day=date', 'zip=category')."""
    return tuple(f"{name}={kind}" for name, kind in sorted(types.items()))


def parse_types(value: ParameterValue) -> dict[str, str] | None:
    """Types by column from a recipe's parameter; None where that is None; raises DataError."""
    if value is None:
        return None
    parts = [text.rpartition("=") for text in value] if isinstance(value, tuple) else []
    if not 0 < len(parts) <= MAX_FEATURES or any(kind not in TYPES for *_, kind in parts):
        raise DataError(f'`types` must be like ["zip=category"]; not {short_repr(value)}', "types")
    return {name: kind for name, _, kind in parts}


# --- missing values -------------------------------------------------------------------------------


def complete_rows(data: Dataset) -> Dataset:
    """The data without rows with a missing value, also among validation and test rows.

    A note says how many training rows are left out. Raises DataError if no row is left.
    """
    validation, test = (rows and _complete_rows(rows) for rows in (data.validation, data.test))
    if not any(data.gaps) and (validation, test) == (data.validation, data.test):
        return data
    training = _complete_rows(data)
    if training is None:
        raise DataError(
            f"0 of {data.n:,} rows have a value in every feature; choose features with fewer gaps, "
            "or let rows without one take a side"
        )
    training = rebalance(training)
    validation, test = (rows and rebalance(rows, training) for rows in (validation, test))
    rows_left_out = count(data.n - training.n, "row")
    notes = (*data.notes, Note("file", f"{rows_left_out} left out: no value in a feature"))
    return replace(training, notes=notes, validation=validation, test=test)


def _complete_rows(data: Dataset) -> Dataset | None:
    """The rows without a missing value; None if there is none."""
    is_complete = np.asarray(~np.isnan(data.columns).any(axis=0))
    if is_complete.all():
        return data
    return take_rows(data, is_complete) if is_complete.any() else None


def with_missing_category(data: Dataset) -> Dataset:
    """The data where missing values of a categorical feature are one more category, None."""
    pairs = zip(data.levels, data.gaps, strict=True)
    # After the categories of the training rows, so that held-out rows, which may have more
    # categories, give the missing values the same code.
    missing_codes = [len(levels) if levels and has_gaps else None for levels, has_gaps in pairs]
    if missing_codes == [None] * len(missing_codes):
        return data
    validation, test = (
        rows and _with_missing_code(rows, missing_codes) for rows in (data.validation, data.test)
    )
    return replace(_with_missing_code(data, missing_codes), validation=validation, test=test)


def _with_missing_code(data: Dataset, missing_codes: list[int | None]) -> Dataset:
    """The data with the category None inserted at the code given for each feature, if any."""
    columns, levels = data.columns.copy(), list(data.levels)
    for f, missing_code in enumerate(missing_codes):
        if missing_code is not None:
            codes = columns[f] + (columns[f] >= missing_code)
            columns[f] = np.where(np.isnan(codes), missing_code, codes)
            levels[f] = (*levels[f][:missing_code], None, *levels[f][missing_code:])
    return replace(data, columns=columns, levels=tuple(levels))


# --- a summary ------------------------------------------------------------------------------------

N_BINS = 16
"""Number of bins of a histogram, and the most values that a profile counts."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Summary of a column, shown where a table is uploaded."""

    kind: str
    """Kind of values: whole numbers, numbers, true or false, dates, durations, ranks or text."""
    n_distinct: int
    """Number of distinct values."""
    n_missing: int
    """Number of rows without a value."""
    counts: tuple[int, ...]
    """Number of rows of each of the most frequent values, or in each of N_BINS equal bins."""


def profile(series: pd.Series[Any]) -> Profile:
    """Summarize a column."""
    present = series.dropna()
    kind, values = _kind_and_values(present)
    counts = _frequent_counts(present) if values is None else _histogram(values)
    return Profile(kind, present.nunique(), len(series) - len(present), tuple(counts.tolist()))


def _frequent_counts(present: pd.Series[Any]) -> Ints:
    """Number of rows of each of the most frequent values, at most N_BINS."""
    counts = present.value_counts().head(N_BINS).to_numpy(int)
    return np.asarray(counts[counts > 0])  # a category may have no row


def _histogram(values: NDArray[np.float64]) -> Ints:
    """Number of finite values in each of N_BINS equal parts of their range."""
    values = values[np.isfinite(values)]
    values = values / (np.abs(values).max(initial=0) or 1)  # so that high - low does not overflow
    low, high = values.min(initial=1), values.max(initial=-1)
    bins = np.floor((values - low) / ((high - low) or 1) * N_BINS).astype(int)
    return np.bincount(np.minimum(bins, N_BINS - 1), minlength=N_BINS)


def _kind_and_values(present: pd.Series[Any]) -> tuple[str, NDArray[np.float64] | None]:
    """Kind of a column, and its values as numbers; no values for booleans and text."""
    types = pd.api.types
    if types.is_bool_dtype(present):
        return "true or false", None
    quantity = quantity_of_column(present)
    if quantity != PLAIN:
        values = encode_feature(present, (), quantity)
        return kind_of(quantity).noun, values - values.min()
    if not types.is_numeric_dtype(present) or types.is_complex_dtype(present):
        return "text", None
    values = np.asarray(present.to_numpy(np.float64))
    return ("whole numbers" if np.array_equal(values, np.floor(values)) else "numbers"), values


MAX_KEY_COLUMNS_TRIED = 50


def key_column(frame: pd.DataFrame) -> str | None:
    """Name of the column of keys: the first whose cells are all distinct; None if there is none.

    Whole numbers and texts can be keys; measured numbers, dates and flags are none.
    """
    for name in list(frame)[:MAX_KEY_COLUMNS_TRIED]:
        series = frame[name]
        is_text = not is_numeric(series) and not pd.api.types.is_bool_dtype(series)
        is_whole = pd.api.types.is_integer_dtype(series) or (
            pd.api.types.is_float_dtype(series) and bool((series == series.round()).all())
        )
        if (is_text or is_whole) and len(series) > 1 and series.is_unique:
            return str(name)
    return None


# --- rare categories ------------------------------------------------------------------------------

MIN_ROWS_FREQUENT = 5
"""A category with fewer rows is rare, by default."""
OTHER_NAME = "other"
"""Name of the category that rare ones are joined in."""
MAX_CATEGORIES_SHOWN = 5
"""Most rare categories that a note names."""


def rare_categories(
    data: Dataset, min_rows: int = MIN_ROWS_FREQUENT
) -> dict[str, tuple[CategoryValue, ...]]:
    """Categories with fewer than `min_rows` rows, by name of a text feature with at least two."""
    rare: dict[str, tuple[CategoryValue, ...]] = {}
    for name, levels, column in zip(data.features, data.levels, data.columns, strict=True):
        if levels and isinstance(levels[0], str):
            codes = column[column >= 0].astype(int)
            counts = np.bincount(codes, minlength=len(levels)).tolist()
            pairs = zip(levels, counts, strict=True)
            categories = tuple(
                level for level, n in pairs if n < min_rows and not isinstance(level, OtherCategory)
            )
            if len(categories) > 1:
                rare[name] = categories
    return rare


def group_rare(data: Dataset, least: int = MIN_ROWS_FREQUENT) -> Dataset:
    """The data where each text feature has its categories of fewer than `least` rows joined.

    The joined category is named 'other'; held-out values that are no category belong to it too. A
    feature with fewer than two rare categories stays as it is. A note on each other feature says
    what was joined. Raises DataError.
    """
    if not isinstance(data, Dataset):
        raise DataError(f"`data` must be a Dataset; not {short_repr(data)}")
    if type(least) is not int or least < 2:
        raise DataError(
            f"`rare` must be a whole number, at least 2; not {short_repr(least)}", "rare"
        )
    rare = rare_categories(data, least)
    new_levels = {
        feature: _with_other(data.levels[feature], rare[name])
        for feature, name in enumerate(data.features)
        if name in rare
    }
    notes = [Note("column", _joined_text(rare[name], least), None, name) for name in rare]
    held_out: dict[str, Any] = {
        role: _recoded(part, new_levels)
        for role, part in (("validation", data.validation), ("test", data.test))
        if part is not None
    }
    return replace(_recoded(data, new_levels), notes=(*data.notes, *notes), **held_out)


def _joined_text(rare: Sequence[CategoryValue], min_rows: int) -> str:
    names = ", ".join(quoted(str(value)) for value in rare[:MAX_CATEGORIES_SHOWN])
    more = ", ..." if len(rare) > MAX_CATEGORIES_SHOWN else ""
    values = count(len(rare), "value")
    return (
        f"{values} that fewer than {min_rows} rows have are put together as 'other': {names}{more}"
    )


def _with_other(
    levels: tuple[CategoryValue, ...], rare: tuple[CategoryValue, ...]
) -> tuple[CategoryValue, ...]:
    """The categories that are not rare, then one for all others, under a free name."""
    frequent = tuple(level for level in levels if level not in rare)
    # `other`, else the first free one of `other (2)`, `other (3)`, ...
    names = (OTHER_NAME if not k else f"{OTHER_NAME} ({k + 1})" for k in range(len(levels) + 1))
    return (*frequent, OtherCategory(next(name for name in names if name not in frequent)))


def _recoded(data: Dataset, new_levels: Mapping[int, tuple[CategoryValue, ...]]) -> Dataset:
    """The data with new categories of some features, by feature index."""
    columns, levels = data.columns.copy(), list(data.levels)
    for feature, new in new_levels.items():
        codes = codes_of(pd.Series([*levels[feature]], dtype=object), new)
        columns[feature], levels[feature] = recode(codes, columns[feature]), new
    return replace(data, columns=columns, levels=tuple(levels))
