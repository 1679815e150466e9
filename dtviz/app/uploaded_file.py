"""Uploaded files: read once, kept in the tab and the browser, shown as a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import draw_frame, sentence
from dtviz.app.page import PAGES
from dtviz.app.runs import compute
from dtviz.base.lazy import pd
from dtviz.base.progress import Slices, scaled_progress
from dtviz.base.text import clean, count, markdown
from dtviz.data import uploads
from dtviz.data.columns import TYPES, as_type, profile, with_type_notes
from dtviz.data.dataset import DataError, Recipe, is_numeric, times_as_text, unfit_reason
from dtviz.data.notes import Note
from dtviz.data.read_table import FrameAndNotes, read_file_slices
from dtviz.data.train_test import roles_of
from dtviz.data.weights import is_sample_weight
from dtviz.data.worker import MAX_BYTES
from dtviz.pictures.data_set import shelf_frame
from dtviz.pictures.packing import pack
from dtviz.session import address
from dtviz.session.browser_files import NAME, ask_for, bytes_received
from dtviz.session.tour import params_on_entry

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 30
READ_SHARE = 0.9  # of the work: reading the table; the rest is looking at its columns
MAX_NUMBER_SHOWN = 1e15  # a browser rounds larger numbers
READ_AS = "read as"


@dataclass(frozen=True, slots=True)
class UploadedTable:
    """A table that was uploaded or pasted, with guesses about its columns."""

    name: str  # of the file
    mark: str  # fingerprint of its content
    header: bool  # True if its first line holds the names
    place: str  # its key among the tab's files
    content: bytes  # of the file
    frame: pd.DataFrame  # all rows
    notes: tuple[Note, ...]  # on changes that reading made
    target: int  # index of the likely target
    first: pd.DataFrame  # first rows, as they are shown
    columns: pd.DataFrame  # profiles of the columns, one a line
    unfit: Mapping[str, str]  # reasons why a column is no feature, by its name
    roles: Mapping[str, bool]  # columns that name roles of rows; True if every cell does
    weights: tuple[str, ...]  # columns that can be sample weights
    types: Mapping[str, str] = field(default_factory=dict)  # chosen by hand, by column


def read_upload(file: Any, header: bool, slot: str = "given") -> UploadedTable | DataError | None:
    """Return the table of the file or its error; None while it is read, with a bar."""
    return _read_once(slot, (file.file_id, header), clean(file.name), file.getvalue, header)


def read_pasted(text: str, header: bool) -> UploadedTable | DataError | None:
    """Return the table of a text or its error; None while it is read, with a bar."""
    return _read_once("given", (text, header), "pasted table", text.encode, header)


def _read_once(
    slot: str, key: tuple[str, bool], name: str, content: Callable[[], bytes], header: bool
) -> UploadedTable | DataError | None:
    """Return the table in a slot or its error, read once for each key; None while it is read."""
    last: tuple[tuple[str, bool], UploadedTable | DataError] | None = st.session_state.get(slot)
    if last is not None and last[0] == key:
        return last[1]
    st.session_state.pop(slot, None)
    job = ("read", slot, key)
    state.tab().drop_jobs(lambda other: other[:2] == job[:2] and other != job)
    title = f"Reading {markdown(name)}"
    table = compute(job, lambda: _read(name, content(), header), title)
    if table is not None:
        st.session_state[slot] = key, table
        state.tab().drop_jobs(lambda other: other == job)
    return table


def _read(name: str, content: bytes, header: bool) -> Slices[UploadedTable | DataError]:
    """Read a table in slices; return it or its error."""
    yield 0
    mark, files = uploads.fingerprint(content), state.tab().files
    place = uploads.table_place(mark, header)
    try:
        if place in files:
            frame, notes = files[place]
        else:
            frame, notes = yield from scaled_progress(
                read_file_slices(content, max_bytes(), header), 0, READ_SHARE
            )
    except DataError as error:
        return error
    unusable: dict[str, str] = {}
    roles: dict[str, bool] = {}
    weights: list[str] = []
    for k, column in enumerate(frame):
        yield READ_SHARE + (1 - READ_SHARE) * k / len(frame.columns)
        series = frame[column]
        if why := unfit_reason(series):
            unusable[str(column)] = why
        if is_sample_weight(series):
            weights.append(str(column))
        if not pd.api.types.is_numeric_dtype(series) and "training" in (cells := roles_of(series)):
            roles[str(column)] = None not in cells
    shown = frame.iloc[:, :PREVIEW_COLUMNS]
    first = pd.DataFrame({name: _first_cells(shown[name]) for name in shown})
    first.index = first.index.map(_cell)
    facts = (name, mark, header, place, content, frame, notes, _likely_target(frame, roles))
    return UploadedTable(*facts, first, _profiles(shown), unusable, roles, tuple(weights))


def max_bytes() -> int:
    """Return the maximum of bytes of a table, packed and unpacked."""
    return min(MAX_BYTES, int(st.get_option("server.maxUploadSize")) * 1_000_000)


def preview(table: UploadedTable) -> UploadedTable:
    """Draw the first rows and the columns' profiles; return the table with its chosen types."""
    rows, columns = table.frame.shape
    rows_tab, columns_tab = st.tabs([count(rows, "row"), count(columns, "column")])
    with rows_tab:
        unnamed = isinstance(table.frame.index, pd.RangeIndex)
        alt = "The first rows of the table"
        st.dataframe(table.first, hide_index=unnamed, placeholder="missing", alt=alt)
    with columns_tab:
        types = _chosen_types(table)
    if columns > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} columns are shown.")
    columns_typed: dict[str, pd.Series[Any]] = {}
    for name, kind in types.items():
        key = ("typed", table.place, name, kind)
        column = state.tab().cache.get(key, partial(_as_type, table.frame[name], kind))
        if isinstance(column, DataError):
            st.error(sentence(str(column)))
        else:
            columns_typed[name] = column
    return _retyped(table, columns_typed, types) if columns_typed else table


def _chosen_types(table: UploadedTable) -> dict[str, str]:
    """Draw the profiles of the columns with the choice of their types; return those chosen."""
    no_types = pd.Series(None, table.columns.index, dtype="string")
    chosen = st.data_editor(
        table.columns.assign(**{READ_AS: no_types}),
        key=f"types_{table.place}",
        hide_index=True,
        disabled=[*table.columns],
        column_order=["column", "holds", READ_AS, "distinct", "gaps", "shape"],
        column_config={
            "shape": st.column_config.BarChartColumn(y_min=0),
            READ_AS: st.column_config.SelectboxColumn(
                options=[*TYPES],
                help="What the column is, where that was read as something else: a code is a "
                "category; 1/2/2024 begins with the day or with the month",
            ),
        },
        placeholder="",
        alt="What each column holds, what it is read as, its distinct values, gaps and shape",
    )
    kinds = zip(map(str, table.frame), chosen[READ_AS], strict=False)
    return {name: kind for name, kind in kinds if not pd.isna(kind)}


def _as_type(series: pd.Series[Any], kind: str) -> pd.Series[Any] | DataError:
    try:
        return as_type(series, kind)
    except DataError as error:
        return error


def _retyped(
    table: UploadedTable, columns: Mapping[str, pd.Series[Any]], chosen: Mapping[str, str]
) -> UploadedTable:
    """Return the table with these columns in their chosen types."""
    unusable = {name: why for name, why in table.unfit.items() if name not in columns}
    unusable |= {name: why for name, series in columns.items() if (why := unfit_reason(series))}
    weights = [name for name in table.weights if name not in columns]
    weights += [name for name, series in columns.items() if is_sample_weight(series)]
    types = {name: chosen[name] for name in columns}
    return replace(
        table,
        frame=table.frame.assign(**columns),
        unfit=unusable,
        weights=tuple(weights),
        types=types,
        notes=with_type_notes(table.notes, types),
    )


def _profiles(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one line a column: its kind, number of distinct and missing values, and histogram."""
    profiles = {clean(str(name)): profile(frame[name]) for name in frame}
    return pd.DataFrame(
        {
            "column": list(profiles),
            "holds": [column.kind for column in profiles.values()],
            "distinct": [column.n_distinct for column in profiles.values()],
            "gaps": [column.n_missing for column in profiles.values()],
            "shape": [list(column.counts) for column in profiles.values()],
        }
    )


def _first_cells(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return the first cells of a column; those of whole numbers without decimals."""
    first = column.head(PREVIEW_ROWS)
    if pd.api.types.is_bool_dtype(column) or not pd.api.types.is_numeric_dtype(column):
        return times_as_text(first).astype(object).map(_cell)
    values = first.to_numpy(dtype=float, na_value=np.nan)
    if np.nanmax(np.abs(values), initial=0) > MAX_NUMBER_SHOWN:
        return first.astype(object).map(_cell)
    present = column.dropna()
    return pd.Series(values, index=first.index).astype(
        "Int64" if (present == present.round()).all() else "float64"
    )


def _cell(value: Any) -> str | None:
    return None if value is None or value is pd.NA or value != value else clean(str(value))


def _likely_target(frame: pd.DataFrame, roles: Mapping[str, bool]) -> int:
    """Return the index of the likely target: the last column if it holds few labels, else the first
    if it does, else the only column that does, else the last.

    A column whose cells all name roles of rows is no target.
    """
    columns = [k for k, name in enumerate(frame) if not roles.get(str(name))] or [0]
    labels = [k for k in columns if _has_few_labels(frame.iloc[:, k])]
    is_first = columns[-1] not in labels and columns[0] in labels
    return labels[0] if is_first or len(labels) == 1 else columns[-1]


def _has_few_labels(series: pd.Series[Any]) -> bool:
    return not is_numeric(series) and 2 <= series.nunique() <= max(2, min(20, len(series) // 2))


def read_saved(saved: uploads.SavedScreen) -> address.AddressText | None:
    """Return the address of a saved screen, None while its tables are read; raises DataError."""
    if saved.page not in PAGES:
        raise DataError(f"it is of a page {saved.page}, and there are only {', '.join(PAGES)}")
    parsed = address.read_address(params_on_entry(saved.address, saved.page), state.START)
    return parsed if read_files(parsed.recipe, saved.files) else None


def read_files(wanted: Recipe, contents: Mapping[str, bytes]) -> bool:
    """Run a slice of reading the tables of a recipe; return True once all are read.

    `contents` are bytes by fingerprint; tables not among them are skipped. Raises DataError where
    the bytes are no table.
    """
    tab, header = state.tab(), wanted.get("header") is not False
    tables, title = {}, f"Reading {markdown(str(wanted.get('file')))}"
    for place, mark in zip(uploads.places_of(wanted), uploads.fingerprints_of(wanted), strict=True):
        if place in tab.files:
            tables[place] = tab.files[place]
        elif mark in contents:
            key = ("brought", place)
            table = compute(key, partial(_table, contents[mark], header), title)
            if table is None:
                return False
            tab.drop_jobs(key.__eq__)
            if isinstance(table, DataError):
                raise table
            tables[place] = table
    tab.add_tables(tables, contents)
    return True


def ask_browser(error: DataError) -> bool:
    """Ask the browser for missing files; return True while it is asked or they are read."""
    if not isinstance(error, uploads.FileNeededError):
        return False
    tab, wanted = state.tab(), error.recipe
    places = zip(uploads.places_of(wanted), uploads.fingerprints_of(wanted), strict=True)
    missing = [mark for place, mark in places if place not in tab.files]
    tab.shelf = ask_for(tab.shelf, missing, max_bytes())
    if tab.shelf.missing_marks:
        return False
    names = " and ".join(f"**{markdown(name)}**" for name in error.names)
    st.caption(f"Looking for {names} among the files that this browser keeps.")
    if not bytes_received(tab.shelf) and _read_arrived(wanted):
        st.rerun()
    return True


def _read_arrived(wanted: Recipe) -> bool:
    """Run a slice of reading the files that the browser sent; return True once that is over."""
    tab, waiting = state.tab(), st.session_state.get("waiting")
    try:
        done = read_files(wanted, tab.shelf.full_contents)
    except DataError:
        tab.shelf = replace(tab.shelf, missing_marks=frozenset(tab.shelf.wanted_marks))
        return True
    if done:
        tab.shelf = ask_for(tab.shelf, (), 0)
    if done and waiting is not None and waiting.recipe == wanted:
        del st.session_state["waiting"]
    return done


def show(is_visible: bool, is_looking: bool = False) -> None:
    """Have the browser keep the files of the session; show how many it keeps if `is_visible`."""
    tab, session = state.tab(), state.session()
    recipe = state.START if session is None else session.recipe
    available = tab.contents_of(recipe).items()
    contents = {mark: content for mark, content in available if mark not in uploads.SERVED_FILES}
    frame = shelf_frame(tab.shelf, recipe, contents, is_looking)
    if is_visible or frame["files_to_keep"] or frame["wanted_files"]:
        with st.container(key="files" if is_visible else "carry_files"):
            draw_frame(NAME, pack(NAME, frame))


def _table(content: bytes, header: bool) -> Slices[FrameAndNotes | DataError]:
    try:
        return (yield from read_file_slices(content, max_bytes(), header))
    except DataError as error:
        return error


def resume(parsed: address.AddressText) -> None:
    """Open a parsed address; raises DataError where its data cannot be had."""
    data = state.dataset_of(parsed.recipe)
    st.session_state.pop("waiting", None)
    session, problems = address.session_at(parsed, data, state.tab().future(parsed.recipe))
    state.set_session(session, problems)


def open_page(page: str) -> None:
    """Show the session on the page of this path."""
    if st.session_state["page"] == page:
        state.rerun()
    st.switch_page(f"pages/{page}.py")


CUT_TEXT = (
    "The file did not arrive: the connection to the server was cut, or a proxy on the way refused "
    "the file. Choose it once more."
)


@dataclass(slots=True)
class Uploader:
    """State of a file uploader."""

    n_cuts: int
    """Number of cut uploads of the tab that it has seen."""
    version: int = 0
    """Part of its key: with another version Streamlit makes the uploader anew."""
    is_cut: bool = False
    """True if its last upload was cut, and no other file has come since."""


def uploader(label: str, slot: str, help_text: str | None = None) -> Any:
    """Draw the uploader of a slot; return its file, None where there is none."""
    n_cuts = state.tab().shelf.n_cut_uploads
    current = _uploader(slot, n_cuts)
    has_file = st.session_state.get(_key(slot, current)) is not None
    if current.n_cuts != n_cuts and not has_file:
        current.version, current.is_cut = current.version + 1, True
    current.n_cuts, current.is_cut = n_cuts, current.is_cut and not has_file
    file = st.file_uploader(label, key=_key(slot, current), help=help_text)
    if current.is_cut and file is None:
        st.error(CUT_TEXT)
    return file


def clear(slot: str) -> None:
    """Clear the uploader of a slot for another file."""
    _uploader(slot, state.tab().shelf.n_cut_uploads).version += 1


def _uploader(slot: str, n_cuts: int) -> Uploader:
    uploaders: dict[str, Uploader] = st.session_state.setdefault("uploaders", {})
    return uploaders.setdefault(slot, Uploader(n_cuts))


def _key(slot: str, current: Uploader) -> str:
    return f"{slot}_file_{current.version}"
