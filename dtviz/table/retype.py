"""Types by hand: a column read as what the user says it is, or how many of its cells do not fit.

Glossary
    type   number, category, date; dates that may begin with either are day-first or month-first
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dtviz.quantities import PLAIN, quantity_in
from dtviz.quantities.texts import dated, day_or_month_first, fits_date
from dtviz.table import dialect
from dtviz.table.data import (
    MAX_FEATURES,
    DataError,
    Value,
    as_text,
    is_number,
    need_column,
    text_of,
)
from dtviz.table.levels import plain
from dtviz.table.notes import Note
from dtviz.text import clean, count, quoted, shown

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
    found = dialect.numbers(cells, dialect.ONE_COLUMN, least=0.0)
    values = found.values if found else np.full(len(cells), np.nan)
    _need_all(series, cells, np.isfinite(values), "a number")
    if found and (
        problem := dialect.why_rounded(dialect.whole_numbers(dialect.BETWEEN.join(cells), found))
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
