"""What was given on the tab Upload a table: read once, kept in the tab, shown as a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.table import uploads
from dtviz.table.data import DataError, Note, as_text, is_number, unfit
from dtviz.table.files import read_file
from dtviz.table.held import roles_in
from dtviz.table.profile import profile
from dtviz.table.read import MAX_BYTES
from dtviz.table.uploads import fingerprint
from dtviz.text import clean, count
from dtviz.ui import state

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 30
LARGEST_SHOWN = 1e15  # a browser rounds larger numbers


@dataclass(frozen=True, slots=True)
class Given:
    """A table that was given: its file's name and fingerprint, what was read, noted and guessed.

    `place` is where it is among the tab's files.
    """

    name: str
    mark: str
    header: bool
    place: str
    frame: pd.DataFrame
    notes: tuple[Note, ...]
    target: int  # the place of the likely one
    first: pd.DataFrame  # rows, as they are shown
    columns: pd.DataFrame  # a line each: what they hold
    unfit: Mapping[str, str]  # why a column is no feature, by its name
    roles: Mapping[str, bool]  # columns with a row that says "train", and whether all say such


def uploaded(file: Any, header: bool, slot: str = "given") -> Given | DataError:
    """The table of the file, whose bytes are looked at in the first run only."""
    mark = file.file_id, header
    return _once(slot, mark, lambda: _read(clean(file.name), file.getvalue(), header))


def pasted(text: str, header: bool) -> Given | DataError:
    """The table of a text, read as a file is."""
    return _once("given", (text, header), lambda: _read("pasted table", text.encode(), header))


def _once(
    slot: str, mark: tuple[str, bool], read: Callable[[], Given | DataError]
) -> Given | DataError:
    """What was read of what is given now, or why it is no table; read in the first run only."""
    kept: tuple[tuple[str, bool], Given | DataError] | None = st.session_state.get(slot)
    if kept is None or kept[0] != mark:
        kept = st.session_state[slot] = mark, read()
    return kept[1]


def _read(name: str, content: bytes, header: bool) -> Given | DataError:
    """The table of these bytes; or why they are none."""
    mark, files = fingerprint(content), state.tab().files
    place = uploads.place(mark, header)
    with st.spinner("Reading the table"):
        try:
            known = place in files
            frame, notes = files[place] if known else read_file(content, most_bytes(), header)
        except DataError as error:
            return error
        some = frame.iloc[:, :PREVIEW_COLUMNS]
        first = pd.DataFrame({name: _shown(some[name]) for name in some})
        first.index = first.index.map(_cell)
        left_out = {str(name): why for name in frame if (why := unfit(frame[name]))}
        roles = _roles(frame)
        target, about = _likely_target(frame, roles), _columns(some)
        return Given(name, mark, header, place, frame, notes, target, first, about, left_out, roles)


def most_bytes() -> int:
    """How many bytes a table may have, and unpack to."""
    return min(MAX_BYTES, int(st.get_option("server.maxUploadSize")) * 1_000_000)


def preview(table: Given) -> None:
    """The first rows, and what the columns hold."""
    rows, columns = table.frame.shape
    top, held = st.tabs([count(rows, "row"), count(columns, "column")])
    with top:
        unnamed = isinstance(table.frame.index, pd.RangeIndex)
        st.dataframe(table.first, hide_index=unnamed, alt="The first rows of the table")
    with held:
        st.dataframe(
            table.columns,
            hide_index=True,
            column_config={"shape": st.column_config.BarChartColumn(y_min=0)},
            alt="What each column holds, its distinct values, gaps and shape",
        )
    if columns > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} columns are shown.")


def _columns(frame: pd.DataFrame) -> pd.DataFrame:
    """A line a column: what it holds, how many distinct values and gaps, and its shape."""
    told = {clean(str(name)): profile(frame[name]) for name in frame}
    return pd.DataFrame(
        {
            "column": list(told),
            "holds": [one.kind for one in told.values()],
            "distinct": [one.distinct for one in told.values()],
            "gaps": [one.gaps for one in told.values()],
            "shape": [list(one.shape) for one in told.values()],
        }
    )


def _shown(column: pd.Series[Any]) -> pd.Series[Any]:
    """The first cells of a column; whole numbers without decimals."""
    first = column.head(PREVIEW_ROWS)
    if pd.api.types.is_bool_dtype(column) or not pd.api.types.is_numeric_dtype(column):
        return as_text(first).astype(object).map(_cell)
    values = first.to_numpy(dtype=float, na_value=np.nan)
    if np.nanmax(np.abs(values), initial=0) > LARGEST_SHOWN:
        return first.astype(object).map(_cell)
    whole = column.dropna()
    return pd.Series(values, index=first.index).astype(
        "Int64" if (whole == whole.round()).all() else "float64"
    )


def _cell(value: Any) -> str | None:
    return None if value is None or value is pd.NA or value != value else clean(str(value))


def _roles(frame: pd.DataFrame) -> dict[str, bool]:
    """The columns that may say what a row is for, and whether each of their values does."""
    text = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    found = {name: roles_in(frame[name]) for name in text}
    return {str(name): None not in roles for name, roles in found.items() if "training" in roles}


def _likely_target(frame: pd.DataFrame, roles: Mapping[str, bool]) -> int:
    """The last column if it holds few labels, else the first that does, else the last column.

    A column that says what a row is for is none of them.
    """
    *others, last = [at for at, name in enumerate(frame) if not roles.get(str(name))] or [0]
    for place in [last, *others]:
        series = frame.iloc[:, place]
        if not is_number(series) and series.nunique() <= max(2, min(20, len(series) // 2)):
            return place
    return last
