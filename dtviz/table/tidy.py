"""Frames of typed files made alike: clean names, text with None for gaps, no nested values.

What does not fit is left out or read as missing, each with a note.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dtviz.quantities import typed
from dtviz.table.budget import need_size
from dtviz.table.dialect import MISSING
from dtviz.table.notes import Note
from dtviz.table.read import names_of
from dtviz.text import count, quoted

NESTED = (list, tuple, dict, set, frozenset, np.ndarray)


def tidy(frame: pd.DataFrame, notes: list[Note]) -> pd.DataFrame:
    """The frame with clean names, each once, and of each column what a cell can hold.

    Numbers, dates, durations and categories keep their type; text of dates or durations becomes
    such, and so do times of day, as durations; booleans with gaps are nullable, text is object
    with None. `attrs["lines"]` stays.
    """
    need_size(*frame.shape)
    names = names_of([str(name) for name in frame.columns], notes)
    columns = {
        name: column
        for i, name in enumerate(names)
        if (column := _column(frame.iloc[:, i], name, notes)) is not None
    }
    need_size(len(frame), len(columns))
    made = pd.DataFrame(columns)
    made.attrs = {key: frame.attrs[key] for key in ("lines",) if key in frame.attrs}
    return made.reset_index(drop=True)


def _column(series: pd.Series[Any], name: str, notes: list[Note]) -> pd.Series[Any] | None:
    """The column, by what its cells hold; None where they hold several values each."""
    if not (series.dtype == object or isinstance(series.dtype, pd.StringDtype)):
        return series
    if pd.api.types.infer_dtype(series, skipna=True) == "string":
        return _text(series, name, notes)
    cells = [
        None if gone else _plain(cell) for cell, gone in zip(series, series.isna(), strict=True)
    ]
    if any(isinstance(cell, NESTED) for cell in cells):
        text = "holds lists or records, left out: a cell must hold one value"
        notes.append(Note("column", text, None, name))
        return None
    cells = _without_words(cells, name, notes)
    made = pd.Series(cells, dtype=object)
    match pd.api.types.infer_dtype(made, skipna=True):
        case "boolean":
            return made.astype("boolean")
        case "integer" if all(cell is None or abs(cell) < 2**63 for cell in cells):
            return made.astype("int64" if None not in cells else "Int64")
        case "integer" | "floating" | "mixed-integer-float" | "decimal":
            return made.astype("float64")
        case "datetime" | "datetime64" | "date":
            return pd.to_datetime(made)
        case "timedelta":
            return pd.to_timedelta(made)
        case "string":
            return _text(made, name, notes)
        case "time":
            return _text(made.map(str, na_action="ignore").astype(object), name, notes)
        case "empty":
            notes.append(Note("column", "no value in any row", None, name))
            return made
    notes.append(Note("column", "values of several types, read as text", None, name))
    return made.map(lambda cell: None if cell is None else str(cell)).astype(object)


def _text(series: pd.Series[Any], name: str, notes: list[Note]) -> pd.Series[Any]:
    """A column of text, None where it is blank; of dates or durations, where all are such."""
    codes, words = pd.factorize(series.astype(object))  # -1 where there is none
    blank = {word for word in words if not word.strip()}
    texts = np.array([*(None if word in blank else word for word in words), None], dtype=object)
    made = pd.Series(texts[codes], dtype=object)
    _tell_gaps(int(made.isna().sum() - (codes < 0).sum()), blank, name, notes)
    lacking = {word for word in words if word.strip().lower() in MISSING}
    times, said = typed(made.where(~made.isin(lacking), None) if lacking else made)
    notes += [Note("column", said, None, name)] if said else []
    if times is None:
        return made
    odd = made[times.isna() & made.notna()]
    _tell_gaps(len(odd), {*odd}, name, notes)
    return times


def _plain(cell: Any) -> Any:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else cell


def _without_words(cells: list[Any], name: str, notes: list[Note]) -> list[Any]:
    """The cells with None for words such as n/a, where they stand among values of other types."""
    texts = {cell for cell in cells if isinstance(cell, str)}
    if all(isinstance(cell, str | None) for cell in cells):
        return cells
    gaps = {text for text in texts if text.strip().lower() in MISSING}
    made = [None if isinstance(cell, str) and cell in gaps else cell for cell in cells]
    _tell_gaps(made.count(None) - cells.count(None), gaps, name, notes)
    return made


def _tell_gaps(found: int, words: set[str], name: str, notes: list[Note]) -> None:
    if found:
        shown = ", ".join(quoted(word) for word in sorted(words)[:5])
        text = f"{count(found, 'cell')} ({shown}) read as missing"
        notes.append(Note("column", text, None, name))
