"""Types by hand: a column read as what the user says it is, or how many of its cells do not fit.

Glossary
    type   number, category, date; dates that may begin with either are day-first or month-first
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.text import clean, count, quoted, shown
from dtviz.data import csv_dialect
from dtviz.data.categories import Level, Rest, codes_of, plain, taken
from dtviz.data.dataset import (
    MAX_FEATURES,
    DataError,
    Dataset,
    Value,
    as_text,
    encoded,
    is_number,
    need_column,
    take,
    text_of,
)
from dtviz.data.notes import Note
from dtviz.data.units import PLAIN, kind_of, quantity_in
from dtviz.data.units.times import dated, day_or_month_first, fits_date
from dtviz.data.weights import rebalanced

Types = Mapping[str, str]


def as_types(frame: pd.DataFrame, types: Types | None) -> pd.DataFrame:
    """The frame with these columns as the types they are said to be; raises DataError."""
    if types is None:
        return frame
    if not isinstance(types, Mapping):
        raise DataError(f"`types` must be types by column; not {shown(types)}")
    own = {text_of(name): kind for name, kind in types.items()}
    for name, kind in own.items():
        need_column(frame, name, "types")
        if not isinstance(kind, str) or kind not in TYPES:
            raise DataError(
                f"`types` must be of {', '.join(TYPES)}; not {shown(kind)} for {quoted(name)}"
            )
    return frame.assign(**{name: as_type(frame[name], kind) for name, kind in own.items()})


def as_alike(frame: pd.DataFrame, types: Types | None) -> pd.DataFrame:
    """Another frame with those of these types whose columns it has; raises DataError."""
    own = {text_of(name): kind for name, kind in (types or {}).items()}
    return as_types(frame, {name: kind for name, kind in own.items() if name in frame.columns})


def as_type(series: pd.Series[Any], kind: str) -> pd.Series[Any]:
    """A column as one of TYPES; raises DataError with how many of its cells do not fit."""
    return TYPES[kind](series)


def of_types(notes: Iterable[Note], types: Types | None) -> tuple[Note, ...]:
    """The notes, but those on columns whose type was said: of these, what they were read as."""
    said = {text_of(name): kind for name, kind in (types or {}).items()}
    kept = [one for one in notes if one.kind != "column" or one.column not in said]
    return (
        *kept,
        *(Note("column", f"its type by hand: {k}", None, name) for name, k in said.items()),
    )


def _number(series: pd.Series[Any]) -> pd.Series[Any]:
    if is_number(series) and quantity_in(series) == PLAIN:
        return series
    present = series.dropna()
    cells = [text.strip() for text in as_text(present).astype(object).map(str)]
    found = csv_dialect.numbers(cells, csv_dialect.ONE_COLUMN, min_share=0.0)
    values = found.values if found else np.full(len(cells), np.nan)
    _need_all(series, cells, np.isfinite(values), "a number")
    if found and (
        problem := csv_dialect.why_rounded(
            csv_dialect.whole_numbers(csv_dialect.BETWEEN.join(cells), found)
        )
    ):
        raise DataError(f"in {quoted(str(series.name))}, {problem}: keep it a category")
    out = pd.Series(np.nan, series.index, name=series.name)
    out[series.notna().to_numpy(bool)] = values
    return out


def _category(series: pd.Series[Any]) -> pd.Series[Any]:
    text = as_text(series)
    return text.astype("category") if is_number(text) else text


def _date(order: str) -> Callable[[pd.Series[Any]], pd.Series[Any]]:
    def read(series: pd.Series[Any]) -> pd.Series[Any]:
        if quantity_in(series).kind == "date":
            return series
        texts = series.astype(object).map(lambda value: str(plain(value)), na_action="ignore")
        cells = texts.dropna().tolist()
        fit = {cell: fits_date(cell, order) for cell in {*cells}}
        _need_all(series, cells, [fit[cell] for cell in cells], _ASKED.get(order, "a date"))
        if not order and day_or_month_first(cells) == "":
            raise DataError(
                f"in {quoted(str(series.name))} the day or the month could be first: say day-first "
                "or month-first"
            )
        found = dated(texts, order)
        if found is None:
            raise DataError(
                f"{quoted(str(series.name))} holds dates of several forms; write all in one"
            )
        return found

    return read


_ASKED = {"day": "a date with the day first", "month": "a date with the month first"}

TYPES: dict[str, Callable[[pd.Series[Any]], pd.Series[Any]]] = {
    "number": _number,
    "category": _category,
    "date": _date(""),
    "day-first": _date("day"),
    "month-first": _date("month"),
}
"""What a column may be said to be, and how it is read as that."""


def _need_all(series: pd.Series[Any], cells: Sequence[str], fit: Any, asked: str) -> None:
    odd = np.flatnonzero(~np.asarray(fit, np.bool_))
    if len(odd) or not cells:
        such = f", such as {quoted(clean(cells[odd[0]]))}" if len(odd) else ""
        verb = "is" if len(odd) == 1 else "are"
        raise DataError(
            f"{len(odd):,} of {count(len(cells), 'cell')} in {quoted(str(series.name))} {verb} not "
            f"{asked}{such}: mend them, or leave the type as it was read"
        )


# --- in a recipe ----------------------------------------------------------------------------------


def written(types: Types) -> tuple[str, ...]:
    """Types by column as a parameter of a recipe: ('day=date', 'zip=category')."""
    return tuple(f"{name}={kind}" for name, kind in sorted(types.items()))


def types_in(given: Value) -> dict[str, str] | None:
    """The types that a parameter of a recipe says, None for none; raises DataError."""
    if given is None:
        return None
    parts = [text.rpartition("=") for text in given] if isinstance(given, tuple) else []
    if not 0 < len(parts) <= MAX_FEATURES or any(kind not in TYPES for *_, kind in parts):
        raise DataError(f'`types` must be like ["zip=category"]; not {shown(given)}', "types")
    return {name: kind for name, _, kind in parts}


def in_full(data: Dataset) -> Dataset:
    """The data without the rows that lack a value of any feature, those held out among them.

    A note says how many training rows those are. Raises DataError if none is left.
    """
    validation, test = (rows and _in_full(rows) for rows in (data.validation, data.test))
    if not any(data.gaps) and (validation, test) == (data.validation, data.test):
        return data
    some = _in_full(data)
    if some is None:
        raise DataError(
            f"0 of {data.n:,} rows have a value in every feature; choose features with fewer gaps, "
            "or let rows without one take a side"
        )
    found = rebalanced(some)
    validation, test = (rows and rebalanced(rows, found) for rows in (validation, test))
    lost = count(data.n - found.n, "row")
    notes = (*data.notes, Note("file", f"{lost} left out: no value in a feature"))
    return replace(found, notes=notes, validation=validation, test=test)


def _in_full(data: Dataset) -> Dataset | None:
    """The rows that lack nothing, if there are any."""
    whole = np.asarray(~np.isnan(data.columns).any(axis=0))
    if whole.all():
        return data
    return take(data, whole) if whole.any() else None


def with_own_level(data: Dataset) -> Dataset:
    """The data with one level more for the rows that lack a category's value.

    It stands behind those of the training rows, so that rows held out have the same one.
    """
    lacking = [bool(own) and gap for own, gap in zip(data.levels, data.gaps, strict=True)]
    if not any(lacking):
        return data
    many = [len(own) if lacks else None for own, lacks in zip(data.levels, lacking, strict=True)]
    held = (data.validation, data.test)
    validation, test = (rows and _with_level_at(rows, many) for rows in held)
    return replace(_with_level_at(data, many), validation=validation, test=test)


def _with_level_at(data: Dataset, places: list[int | None]) -> Dataset:
    """The data with such a level at these places of its features' levels."""
    columns, levels = data.columns.copy(), list(data.levels)
    for f, at in enumerate(places):
        if at is not None:
            codes = columns[f] + (columns[f] >= at)
            columns[f] = np.where(np.isnan(codes), at, codes)
            levels[f] = (*levels[f][:at], None, *levels[f][at:])
    return replace(data, columns=columns, levels=tuple(levels))


BINS = 16
KINDS = ("whole numbers", "numbers", "true or false", "dates", "durations", "ranks", "text")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a column holds (one of KINDS), its distinct values, the rows with none, its shape."""

    kind: str
    distinct: int
    gaps: int
    shape: tuple[int, ...]


def profile(series: pd.Series[Any]) -> Profile:
    """The profile of a column."""
    present = series.dropna()
    kind, line = _kind(present)
    counts = _frequent(present) if line is None else _parts(line)
    return Profile(kind, present.nunique(), len(series) - len(present), tuple(counts.tolist()))


def _frequent(present: pd.Series[Any]) -> NDArray[np.intp]:
    """How many rows each of the most frequent values has."""
    counts = present.value_counts().head(BINS).to_numpy(np.intp)
    return np.asarray(counts[counts > 0])  # a category may have no row


def _parts(line: NDArray[np.float64]) -> NDArray[np.intp]:
    """How many of the finite values lie in each of BINS equal parts of their range."""
    line = line[np.isfinite(line)]
    line = line / (np.abs(line).max(initial=0) or 1)  # no difference is too large
    low, high = line.min(initial=1), line.max(initial=-1)
    parts = np.floor((line - low) / ((high - low) or 1) * BINS).astype(np.intp)
    return np.bincount(np.minimum(parts, BINS - 1), minlength=BINS)


def _kind(present: pd.Series[Any]) -> tuple[str, NDArray[np.float64] | None]:
    """What the values are, and where they lie on a line, if they do."""
    types = pd.api.types
    if types.is_bool_dtype(present):
        return "true or false", None
    quantity = quantity_in(present)
    if quantity != PLAIN:
        line = encoded(present, (), quantity)
        return kind_of(quantity).asked, line - line.min()
    if not types.is_numeric_dtype(present) or types.is_complex_dtype(present):
        return "text", None
    line = np.asarray(present.to_numpy(np.float64))
    return ("whole numbers" if np.array_equal(line, np.floor(line)) else "numbers"), line


FEW = 5
"""A value that fewer rows have is rare, where nothing else is asked for."""
OTHER = "other"
SHOWN = 5


def rare_values(data: Dataset, least: int = FEW) -> dict[str, tuple[Level, ...]]:
    """The values of each category of text that fewer rows have, where there are two at least."""
    found: dict[str, tuple[Level, ...]] = {}
    for name, levels, column in zip(data.features, data.levels, data.columns, strict=True):
        if levels and isinstance(levels[0], str):
            codes = column[column >= 0].astype(np.intp)
            few = np.flatnonzero(np.bincount(codes, minlength=len(levels)) < least)
            some = tuple(levels[code] for code in few if not isinstance(levels[code], Rest))
            if len(some) > 1:
                found[name] = some
    return found


def group_rare(data: Dataset, least: int = FEW) -> Dataset:
    """The data with the values of each category of text that fewer rows have as one, 'other'.

    Values that were never seen count as 'other' too, there. Categories with fewer than two such
    values stay as they are; a note tells of each that changes. Raises DataError.
    """
    if not isinstance(data, Dataset):
        raise DataError(f"`data` must be a Dataset; not {shown(data)}")
    if type(least) is not int or least < 2:
        raise DataError(f"`rare` must be a whole number, at least 2; not {shown(least)}", "rare")
    rare = rare_values(data, least)
    new = {
        at: _grouped(data.levels[at], rare[name])
        for at, name in enumerate(data.features)
        if name in rare
    }
    notes = [Note("column", _told(some, least), None, name) for name, some in rare.items()]
    held: dict[str, Any] = {
        role: _recoded(part, new)
        for role, part in (("validation", data.validation), ("test", data.test))
        if part is not None
    }
    return replace(_recoded(data, new), notes=(*data.notes, *notes), **held)


def _told(some: Sequence[Level], least: int) -> str:
    names = ", ".join(quoted(str(value)) for value in some[:SHOWN])
    more = ", ..." if len(some) > SHOWN else ""
    values = count(len(some), "value")
    return f"{values} that fewer than {least} rows have are put together as 'other': {names}{more}"


def _grouped(levels: tuple[Level, ...], rare: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels that are left, and the name of all others."""
    kept = tuple(level for level in levels if level not in rare)
    names = (OTHER if not k else f"{OTHER} ({k + 1})" for k in range(len(levels) + 1))
    return (*kept, Rest(next(name for name in names if name not in kept)))


def _recoded(data: Dataset, new: Mapping[int, tuple[Level, ...]]) -> Dataset:
    """The data with other levels of some features; a value that is none of them is the rest."""
    columns, levels = data.columns.copy(), list(data.levels)
    for at, kept in new.items():
        codes = codes_of(pd.Series([*levels[at]], dtype=object), kept)
        columns[at], levels[at] = taken(codes, columns[at]), kept
    return replace(data, columns=columns, levels=tuple(levels))
