"""Columns read as a type the user sets, completed where values are missing, and summarized.

A type is one of TYPES: number, category or date; ambiguous dates are day-first or month-first.
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
from dtviz.data import csv_dialect
from dtviz.data.categories import CategoryValue, OtherCategory, codes_of, python_value, recode
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
from dtviz.data.units.times import day_or_month_first, is_date, parse_date_column
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
    """Another frame, of test rows, with the types of the columns it has; raises DataError."""
    types = {safe_text(name): kind for name, kind in (types or {}).items()}
    return as_types(frame, {name: kind for name, kind in types.items() if name in frame.columns})


def as_type(series: pd.Series[Any], kind: str) -> pd.Series[Any]:
    """A column converted to one of TYPES; raises DataError with the number of unfit cells."""
    return TYPES[kind](series)


def with_type_notes(notes: Iterable[Note], types: Types | None) -> tuple[Note, ...]:
    """The notes, in which a note on a type set by the user replaces those on its column."""
    types = {safe_text(name): kind for name, kind in (types or {}).items()}
    others = [note for note in notes if note.kind != "column" or note.column not in types]
    by_hand = [Note("column", f"its type by hand: {k}", None, name) for name, k in types.items()]
    return (*others, *by_hand)


def _number(series: pd.Series[Any]) -> pd.Series[Any]:
    if is_numeric(series) and quantity_of_column(series) == PLAIN:
        return series
    present = series.dropna()
    cells = [text.strip() for text in times_as_text(present).astype(object).map(str)]
    parsed = csv_dialect.parse_numbers(cells, csv_dialect.ONE_COLUMN, min_share=0.0)
    values = parsed.values if parsed else np.full(len(cells), np.nan)
    _need_all(series, cells, np.isfinite(values), "a number")
    if parsed and (
        problem := csv_dialect.rounding_warning(
            csv_dialect.whole_numbers(csv_dialect.CELL_SEPARATOR.join(cells), parsed)
        )
    ):
        raise DataError(f"in {quoted(str(series.name))}, {problem}: keep it a category")
    out = pd.Series(np.nan, series.index, name=series.name)
    out[series.notna().to_numpy(bool)] = values
    return out


def _category(series: pd.Series[Any]) -> pd.Series[Any]:
    text = times_as_text(series)
    return text.astype("category") if is_numeric(text) else text


def _date(order: str) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    def read(series: pd.Series[Any]) -> pd.Series[Any]:
        if quantity_of_column(series).kind == "date":
            return series
        texts = series.astype(object).map(
            lambda value: str(python_value(value)), na_action="ignore"
        )
        cells = texts.dropna().tolist()
        is_fit = {cell: is_date(cell, order) for cell in {*cells}}
        _need_all(series, cells, [is_fit[cell] for cell in cells], _EXPECTED.get(order, "a date"))
        if not order and day_or_month_first(cells) == "":
            raise DataError(
                f"in {quoted(str(series.name))} the day or the month could be first: say day-first "
                "or month-first"
            )
        dates = parse_date_column(texts, order)
        if dates is None:
            raise DataError(
                f"{quoted(str(series.name))} holds dates of several forms; write all in one"
            )
        return dates

    return read


_EXPECTED = {"day": "a date with the day first", "month": "a date with the month first"}

TYPES: dict[str, Callable[[pd.Series[Any]], pd.Series[Any]]] = {
    "number": _number,
    "category": _category,
    "date": _date(""),
    "day-first": _date("day"),
    "month-first": _date("month"),
}
"""Function that converts a column, by the name of the type."""


def _need_all(series: pd.Series[Any], cells: Sequence[str], is_fit: Any, expected: str) -> None:
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
    """Types by column from a parameter of a recipe; None for none; raises DataError."""
    if value is None:
        return None
    parts = [text.rpartition("=") for text in value] if isinstance(value, tuple) else []
    if not 0 < len(parts) <= MAX_FEATURES or any(kind not in TYPES for *_, kind in parts):
        raise DataError(f'`types` must be like ["zip=category"]; not {short_repr(value)}', "types")
    return {name: kind for name, _, kind in parts}


def complete_rows(data: Dataset) -> Dataset:
    """The data without rows with a missing value, also among validation and test rows.

    A note says how many training rows are left out. Raises DataError if none is left.
    """
    validation, test = (rows and _complete_rows(rows) for rows in (data.validation, data.test))
    if not any(data.gaps) and (validation, test) == (data.validation, data.test):
        return data
    complete = _complete_rows(data)
    if complete is None:
        raise DataError(
            f"0 of {data.n:,} rows have a value in every feature; choose features with fewer gaps, "
            "or let rows without one take a side"
        )
    complete = rebalance(complete)
    validation, test = (rows and rebalance(rows, complete) for rows in (validation, test))
    n_lost = count(data.n - complete.n, "row")
    notes = (*data.notes, Note("file", f"{n_lost} left out: no value in a feature"))
    return replace(complete, notes=notes, validation=validation, test=test)


def _complete_rows(data: Dataset) -> Dataset | None:
    """The rows without a missing value; None if there is none."""
    is_complete = np.asarray(~np.isnan(data.columns).any(axis=0))
    if is_complete.all():
        return data
    return take_rows(data, is_complete) if is_complete.any() else None


def with_missing_category(data: Dataset) -> Dataset:
    """The data with missing values of categorical features as a category of their own."""
    pairs = zip(data.levels, data.gaps, strict=True)
    # After the categories of the training rows, so that held-out rows, which may have more
    # categories, give the missing values the same code.
    codes = [len(categories) if categories and gap else None for categories, gap in pairs]
    if codes == [None] * len(codes):
        return data
    validation, test = (
        rows and _with_missing_code(rows, codes) for rows in (data.validation, data.test)
    )
    return replace(_with_missing_code(data, codes), validation=validation, test=test)


def _with_missing_code(data: Dataset, missing_codes: list[int | None]) -> Dataset:
    """The data with the category None inserted at the code given for each feature, if any."""
    columns, levels = data.columns.copy(), list(data.levels)
    for f, missing_code in enumerate(missing_codes):
        if missing_code is not None:
            codes = columns[f] + (columns[f] >= missing_code)
            columns[f] = np.where(np.isnan(codes), missing_code, codes)
            levels[f] = (*levels[f][:missing_code], None, *levels[f][missing_code:])
    return replace(data, columns=columns, levels=tuple(levels))


BINS = 16


@dataclass(frozen=True, slots=True)
class Profile:
    """Summary of a column, for the page where a table is read."""

    kind: str
    """Whole numbers, numbers, true or false, dates, durations, ranks or text."""
    n_distinct: int
    """Number of distinct values."""
    n_missing: int
    """Number of rows without a value."""
    counts: tuple[int, ...]
    """Rows of the most frequent values, or of BINS equal parts of the range."""


def profile(series: pd.Series[Any]) -> Profile:
    """Summarize a column."""
    present = series.dropna()
    kind, values = _kind_and_values(present)
    counts = _frequent_counts(present) if values is None else _histogram(values)
    return Profile(kind, present.nunique(), len(series) - len(present), tuple(counts.tolist()))


def _frequent_counts(present: pd.Series[Any]) -> Ints:
    """Number of rows of each of the most frequent values, at most BINS."""
    counts = present.value_counts().head(BINS).to_numpy(int)
    return np.asarray(counts[counts > 0])  # a category may have no row


def _histogram(values: NDArray[np.float64]) -> Ints:
    """Number of finite values in each of BINS equal parts of their range."""
    values = values[np.isfinite(values)]
    values = values / (np.abs(values).max(initial=0) or 1)  # high - low does not overflow
    low, high = values.min(initial=1), values.max(initial=-1)
    bins = np.floor((values - low) / ((high - low) or 1) * BINS).astype(int)
    return np.bincount(np.minimum(bins, BINS - 1), minlength=BINS)


def _kind_and_values(present: pd.Series[Any]) -> tuple[str, NDArray[np.float64] | None]:
    """Kind of a column, and its values as numbers; None for booleans and text."""
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


MIN_ROWS_FREQUENT = 5
"""A category with fewer rows is rare, by default."""
OTHER_NAME = "other"
MAX_CATEGORIES_SHOWN = 5


def rare_categories(
    data: Dataset, min_rows: int = MIN_ROWS_FREQUENT
) -> dict[str, tuple[CategoryValue, ...]]:
    """Categories with fewer than `least` rows, by text feature that has two or more of them."""
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
    """The data with categories of fewer than `least` rows joined as 'other', by text feature.

    There, values unknown to the data count as 'other' too. A feature with fewer than two such
    categories stays as it is; a note says which change. Raises DataError.
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


def _joined_text(rare: Sequence[CategoryValue], limit: int) -> str:
    names = ", ".join(quoted(str(value)) for value in rare[:MAX_CATEGORIES_SHOWN])
    more = ", ..." if len(rare) > MAX_CATEGORIES_SHOWN else ""
    values = count(len(rare), "value")
    return f"{values} that fewer than {limit} rows have are put together as 'other': {names}{more}"


def _with_other(
    levels: tuple[CategoryValue, ...], rare: tuple[CategoryValue, ...]
) -> tuple[CategoryValue, ...]:
    """The categories that are not rare, then one for all others, under a free name."""
    frequent = tuple(level for level in levels if level not in rare)
    names = (OTHER_NAME if not k else f"{OTHER_NAME} ({k + 1})" for k in range(len(levels) + 1))
    return (*frequent, OtherCategory(next(name for name in names if name not in frequent)))


def _recoded(data: Dataset, new_levels: Mapping[int, tuple[CategoryValue, ...]]) -> Dataset:
    """The data with new categories of some features, by feature index."""
    columns, levels = data.columns.copy(), list(data.levels)
    for feature, new in new_levels.items():
        codes = codes_of(pd.Series([*levels[feature]], dtype=object), new)
        columns[feature], levels[feature] = recode(codes, columns[feature]), new
    return replace(data, columns=columns, levels=tuple(levels))
