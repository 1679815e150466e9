"""Uploaded files: read once, kept in the tab and the browser, shown as a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.classroom import CLASSROOM, visitor_of
from dtviz.app.controls import draw_frame, sentence
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import PAGES
from dtviz.app.runs import compute
from dtviz.base.lazy import pd
from dtviz.base.progress import Slices, scaled_progress
from dtviz.base.text import clean, count, markdown
from dtviz.data import uploads
from dtviz.data.columns import TYPES, as_type, likely_types, profile, with_type_notes
from dtviz.data.dataset import DataError, Recipe, is_numeric, times_as_text, unfit_reason
from dtviz.data.notes import Note
from dtviz.data.read_options import ReadOptions, checked_missing_values
from dtviz.data.read_table import FrameAndNotes, read_file_slices
from dtviz.data.train_test import roles_of
from dtviz.data.weights import is_sample_weight
from dtviz.data.worker import MAX_BYTES, TooLargeError
from dtviz.pictures.data_set import shelf_frame
from dtviz.pictures.packing import pack
from dtviz.session import address
from dtviz.session.browser_files import NAME, ask_for, bytes_received
from dtviz.session.tour import params_on_entry

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 30
READ_SHARE = 0.9  # of the work is to read the table; the rest is to examine its columns
MAX_NUMBER_SHOWN = 1e15  # a browser rounds larger numbers
READ_AS = "read as"
MISSING_WORDS = "missing"


@dataclass(frozen=True, slots=True)
class UploadedTable:
    """A table that was uploaded or pasted, with what its columns can be used for."""

    name: str  # of the file
    mark: str  # fingerprint of the content
    options: ReadOptions  # by which the file was read
    place: str  # key of the table among the files of the tab
    content: bytes  # of the file
    frame: pd.DataFrame  # all rows of the table
    notes: tuple[Note, ...]  # on changes that reading made to the table
    likely_target: int  # index of the column that is probably the target
    first_rows: pd.DataFrame  # first rows, as the preview shows them
    profiles: pd.DataFrame  # profiles of the columns, one in each line
    unfit_reasons: Mapping[str, str]  # why a column cannot be a feature, by its name
    role_columns: Mapping[str, bool]  # columns with roles of rows; True if every cell has one
    weight_columns: tuple[str, ...]  # columns that can be sample weights
    likely_types: Mapping[str, str]  # types of dates that may begin with day or month, by column
    types: Mapping[str, str] = field(default_factory=dict)  # types that a user chose, by column


def read_upload(
    file: Any, options: ReadOptions, slot: str = "given"
) -> UploadedTable | DataError | None:
    """Return the table of a file or the error; until it is read draw a bar, return None.

    `slot` is the name of the uploader: only its last table is kept.
    """
    return _read_once(slot, (file.file_id, options), clean(file.name), file.getvalue, options)


def read_pasted(text: str, options: ReadOptions) -> UploadedTable | DataError | None:
    """Return the table of a text or the error; until it is read draw a bar, return None."""
    return _read_once("given", (text, options), "pasted table", text.encode, options)


def _read_once(
    slot: str,
    key: tuple[str, ReadOptions],
    name: str,
    content: Callable[[], bytes],
    options: ReadOptions,
) -> UploadedTable | DataError | None:
    """Return the table of a slot or the error, read once for each key; None while it is read."""
    last: tuple[tuple[str, ReadOptions], UploadedTable | DataError] | None = st.session_state.get(
        slot
    )
    if last is not None and last[0] == key:
        return last[1]
    st.session_state.pop(slot, None)
    work_key = ("read", slot, key)
    state.tab().drop_jobs(lambda other: other[:2] == work_key[:2] and other != work_key)
    title = f"Reading {markdown(name)}"
    table = compute(work_key, lambda: _read(name, content(), options), title)
    if table is not None:
        st.session_state[slot] = key, table
        state.tab().drop_jobs(lambda other: other == work_key)
    return table


def _read(name: str, content: bytes, options: ReadOptions) -> Slices[UploadedTable | DataError]:
    """Read a table in slices; return the table or the error."""
    yield 0
    mark, files = uploads.fingerprint(content), state.tab().files
    place = uploads.table_place(mark, options)
    try:
        if place in files:
            frame, notes = files[place]
        else:
            frame, notes = yield from scaled_progress(
                read_file_slices(content, max_bytes(), options), 0, READ_SHARE
            )
    except TooLargeError as error:
        return TooLargeError(
            f"{error}. Or open it by the command dtviz open, which counts tables of any size"
        )
    except DataError as error:
        return error
    unfit_reasons: dict[str, str] = {}
    role_columns: dict[str, bool] = {}
    weight_columns: list[str] = []
    for k, column in enumerate(frame):
        yield READ_SHARE + (1 - READ_SHARE) * k / len(frame.columns)
        series = frame[column]
        if why := unfit_reason(series):
            unfit_reasons[str(column)] = why
        if is_sample_weight(series):
            weight_columns.append(str(column))
        if not pd.api.types.is_numeric_dtype(series) and "training" in (cells := roles_of(series)):
            role_columns[str(column)] = None not in cells
    shown = frame.iloc[:, :PREVIEW_COLUMNS]
    first_rows = pd.DataFrame({name: _first_cells(shown[name]) for name in shown})
    first_rows.index = first_rows.index.map(_cell)
    facts = (name, mark, options, place, content, frame, notes, _likely_target(frame, role_columns))
    likely = {name: kind for name, (kind, _) in likely_types(dict(shown.items())).items()}
    uses = (unfit_reasons, role_columns, tuple(weight_columns), likely)
    return UploadedTable(*facts, first_rows, _profiles(shown), *uses)


def max_bytes() -> int:
    """Return the number of bytes that a table may have, packed or unpacked."""
    return min(MAX_BYTES, int(st.get_option("server.maxUploadSize")) * 1_000_000)


def preview(table: UploadedTable) -> tuple[UploadedTable, UploadedTable] | None:
    """Draw the first rows and the columns' profiles; return the table read with the chosen types.

    The second table has the columns of these types. None is returned while the file is read again.
    """
    rows, columns = table.frame.shape
    rows_tab, columns_tab = st.tabs([count(rows, "row"), count(columns, "column")])
    with rows_tab:
        has_no_row_names = isinstance(table.frame.index, pd.RangeIndex)
        alt = "The first rows of the table"
        st.dataframe(table.first_rows, hide_index=has_no_row_names, placeholder="missing", alt=alt)
    with columns_tab:
        types, missing = _chosen_readings(table)
    if columns > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} columns are shown.")
    if not types and not missing:
        return table, table
    read = _read_again(table, types, missing)
    if read is None or not types:
        return None if read is None else (read, read)
    typed_columns: dict[str, pd.Series[Any]] = {}
    for name, kind in types.items():
        key = ("typed", read.place, name, kind)
        column = state.tab().cache.get(key, partial(_as_type, read.frame[name], kind))
        if isinstance(column, DataError):
            st.error(sentence(str(column)))
        else:
            typed_columns[name] = column
    if len(typed_columns) < len(types):  # the types that suit stay
        read = _read_again(table, {name: types[name] for name in typed_columns}, missing)
        if read is None:
            return None
    return read, _retyped(read, typed_columns, types)


def _read_again(
    table: UploadedTable, types: Mapping[str, str], missing: Mapping[str, Sequence[str]]
) -> UploadedTable | None:
    """Return the table read with types and words of missing values by hand; None meanwhile."""
    try:
        words = checked_missing_values(missing)
    except DataError as error:
        st.error(sentence(str(error)))
        words = ()
    options = replace(table.options, types=tuple(sorted(types.items())), missing=words)
    again = _read_once("typed", (table.mark, options), table.name, lambda: table.content, options)
    return table if isinstance(again, DataError) else again


def _chosen_readings(table: UploadedTable) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Draw the profiles of the columns; return the types and the words of missing values chosen."""
    names = [*map(str, table.frame)][: len(table.profiles)]
    likely = [table.likely_types.get(name) for name in names]
    guesses = pd.Series(likely, table.profiles.index, dtype="string")
    words = pd.Series([_missing_text(table, name) for name in names], dtype="string")
    chosen = st.data_editor(
        table.profiles.assign(**{READ_AS: guesses, MISSING_WORDS: words}),
        key=f"types_{table.place}",
        hide_index=True,
        disabled=[*table.profiles],
        column_order=["column", "holds", READ_AS, MISSING_WORDS, "distinct", "gaps", "shape"],
        column_config={
            "shape": st.column_config.BarChartColumn(y_min=0),
            READ_AS: st.column_config.SelectboxColumn(
                options=[*TYPES],
                help="What the column is, where that was read as something else: a code is a "
                "category; 1/2/2024 begins with the day or with the month; 20240102 is a date",
            ),
            MISSING_WORDS: st.column_config.TextColumn(
                help="Words that mean a missing value, parted by commas: take one back that is a "
                "value, as NA for North America, or add one, as -999. An empty cell always is one",
                max_chars=200,
            ),
        },
        placeholder="",
        alt="What each column holds, what it is read as, its words of missing values, its distinct "
        "values, gaps and shape",
    )
    types = {
        name: kind for name, kind in zip(names, chosen[READ_AS], strict=True) if not pd.isna(kind)
    }
    texts = zip(names, chosen[MISSING_WORDS].fillna(""), words, strict=True)
    missing = {name: _words_in(text) for name, text, shown in texts if text != shown}
    return types, missing


def _missing_text(table: UploadedTable, name: str) -> str:
    """Return the words of a column that are read as missing, as the table of columns shows them."""
    words = [word for note in table.notes if note.column == name for word in note.words]
    return ", ".join(dict.fromkeys(words))


def _words_in(text: str) -> list[str]:
    """Return the words of a text parted by commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def _as_type(series: pd.Series[Any], kind: str) -> pd.Series[Any] | DataError:
    """Return the column in another type, or the error, so that either can be cached."""
    try:
        return as_type(series, kind)
    except DataError as error:
        return error


def _retyped(
    table: UploadedTable, columns: Mapping[str, pd.Series[Any]], chosen: Mapping[str, str]
) -> UploadedTable:
    """Return the table with these columns in their chosen types."""
    unfit_reasons = {name: why for name, why in table.unfit_reasons.items() if name not in columns}
    unfit_reasons |= {
        name: why for name, series in columns.items() if (why := unfit_reason(series))
    }
    weight_columns = [name for name in table.weight_columns if name not in columns]
    weight_columns += [name for name, series in columns.items() if is_sample_weight(series)]
    types = {name: chosen[name] for name in columns}
    return replace(
        table,
        frame=table.frame.assign(**columns),
        unfit_reasons=unfit_reasons,
        weight_columns=tuple(weight_columns),
        types=types,
        notes=with_type_notes(table.notes, types),
    )


def _profiles(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a line for each column: its type, distinct and missing values, and histogram."""
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
    """Return the first cells of a column; whole numbers have no decimals."""
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
    """Return the text of a cell; None for a missing value."""
    return None if value is None or value is pd.NA or value != value else clean(str(value))


def _likely_target(frame: pd.DataFrame, roles: Mapping[str, bool]) -> int:
    """Return the index of the likely target.

    It is the last column, unless that does not have few labels. Then it is the first column or the
    only column that has few labels, if there is one. A column whose cells are all roles of rows is
    no target.
    """
    columns = [k for k, name in enumerate(frame) if not roles.get(str(name))] or [0]
    labels = [k for k in columns if _has_few_labels(frame.iloc[:, k])]
    is_first = columns[-1] not in labels and columns[0] in labels
    return labels[0] if is_first or len(labels) == 1 else columns[-1]


def _has_few_labels(series: pd.Series[Any]) -> bool:
    """True if a column could be a target with classes, as each of its texts is in many rows."""
    return not is_numeric(series) and 2 <= series.nunique() <= max(2, min(20, len(series) // 2))


def read_saved(saved: uploads.SavedScreen) -> address.AddressText | None:
    """Return the address of a saved screen; None while its tables are read. Raises DataError."""
    if saved.page not in PAGES:
        raise DataError(f"it is of a page {saved.page}, and there are only {', '.join(PAGES)}")
    parsed = address.read_address(params_on_entry(saved.address, saved.page), START_RECIPE)
    return parsed if read_files(parsed.recipe, saved.files) else None


def read_files(recipe: Recipe, contents: Mapping[str, bytes]) -> bool:
    """Read a slice of the tables of a recipe; return True once all are read.

    `contents` are the bytes of files, by fingerprint; a table without a file there is skipped.
    Raises DataError for bytes that are no table.
    """
    tab, options = state.tab(), uploads.read_options_of(recipe)
    tables, title = {}, f"Reading {markdown(str(recipe.get('file')))}"
    for place, mark in zip(uploads.places_of(recipe), uploads.fingerprints_of(recipe), strict=True):
        if place in tab.files:
            tables[place] = tab.files[place]
        elif mark in contents:
            key = ("brought", place)
            table = compute(key, partial(_read_table, contents[mark], options), title)
            if table is None:
                return False
            tab.drop_jobs(key.__eq__)
            if isinstance(table, DataError):
                raise table
            tables[place] = table
    tab.add_tables(tables, contents)
    return True


def ask_browser(error: DataError) -> bool:
    """Ask the browser for files that an error names; return True while they may still come.

    Tables that the server keeps for those who have the link are taken at once.
    """
    if not isinstance(error, uploads.FileNeededError):
        return False
    tab, recipe = state.tab(), error.recipe
    if _take_shared_tables(recipe):
        st.rerun()
    places = zip(uploads.places_of(recipe), uploads.fingerprints_of(recipe), strict=True)
    missing = [mark for place, mark in places if place not in tab.files]
    tab.shelf = ask_for(tab.shelf, missing, max_bytes())
    if tab.shelf.missing_marks:
        return False
    names = " and ".join(f"**{markdown(name)}**" for name in error.names)
    st.caption(f"Looking for {names} among the files that this browser keeps.")
    if not bytes_received(tab.shelf) and _read_received(recipe):
        st.rerun()
    return True


def _take_shared_tables(recipe: Recipe) -> bool:
    """Take the tables of a recipe from the classroom; return False if it lacks one of them."""
    tab, waiting = state.tab(), state.navigation().waiting
    places = [place for place in uploads.places_of(recipe) if place not in tab.files]
    tables = CLASSROOM.tables_at(visitor_of(st.context.ip_address), places)
    if not tables:
        return False
    marks = {place: uploads.fingerprint_of(place) for place in tables}
    present = {place: tab.files[place] for place in uploads.places_of(recipe) if place in tab.files}
    tab.add_tables(
        present | {place: (table.frame, table.notes) for place, table in tables.items()},
        {marks[place]: table.content for place, table in tables.items()},
    )
    # the browser of a visitor does not store what another visitor gave
    tab.shelf = replace(tab.shelf, kept_marks=tab.shelf.kept_marks | {*marks.values()})
    if waiting is not None and waiting.recipe == recipe:
        state.navigation().waiting = None
    return True


def _read_received(recipe: Recipe) -> bool:
    """Read a slice of the files that the browser sent; return True once no more can be read."""
    tab, waiting = state.tab(), state.navigation().waiting
    try:
        done = read_files(recipe, tab.shelf.full_contents)
    except DataError:
        tab.shelf = replace(tab.shelf, missing_marks=frozenset(tab.shelf.wanted_marks))
        return True
    if done:
        tab.shelf = ask_for(tab.shelf, (), 0)
    if done and waiting is not None and waiting.recipe == recipe:
        state.navigation().waiting = None
    return done


def draw_shelf(is_visible: bool, is_looking: bool = False) -> None:
    """Draw the shelf, by which the browser keeps files of the session; it shows if `is_visible`."""
    tab, session = state.tab(), state.session()
    recipe = START_RECIPE if session is None else session.recipe
    available = tab.contents_of(recipe).items()
    contents = {mark: content for mark, content in available if mark not in uploads.SERVED_FILES}
    frame = shelf_frame(tab.shelf, recipe, contents, is_looking)
    if is_visible or frame["files_to_keep"] or frame["wanted_files"]:
        with st.container(key="files" if is_visible else "carry_files"):
            draw_frame(NAME, pack(NAME, frame))


def _read_table(content: bytes, options: ReadOptions) -> Slices[FrameAndNotes | DataError]:
    """Read the bytes of a table in slices; return the table or the error."""
    try:
        return (yield from read_file_slices(content, max_bytes(), options))
    except DataError as error:
        return error


def open_address(parsed: address.AddressText) -> None:
    """Open a parsed address; raises DataError where its data cannot be built."""
    data = state.dataset_of(parsed.recipe)
    state.navigation().waiting = None
    session, problems = address.session_at(parsed, data, state.tab().future(parsed.recipe))
    state.set_session(session, problems)


def open_page(page: str) -> None:
    """Show the session on the page of this path."""
    if state.navigation().page == page:
        state.rerun()
    st.switch_page(f"pages/{page}.py")


CUT_UPLOAD_TEXT = (
    "The file did not arrive: the connection to the server was cut, or a proxy on the way refused "
    "the file. Choose it once more."
)


@dataclass(slots=True)
class UploaderState:
    """State of a file uploader."""

    n_cut_uploads: int
    """Number of interrupted uploads of the tab, when the uploader was drawn last."""
    version: int = 0
    """Part of the uploader's key: for another version Streamlit makes a new, empty uploader."""
    is_cut: bool = False
    """True if the last upload was interrupted, and no other file has come since."""


def uploader(label: str, slot: str, help_text: str | None = None) -> Any:
    """Draw the uploader of this name, a slot; return its file, None if there is none."""
    n_cuts = state.tab().shelf.n_cut_uploads
    uploader_state = _uploader_state(slot, n_cuts)
    has_file = st.session_state.get(_uploader_key(slot, uploader_state)) is not None
    if uploader_state.n_cut_uploads != n_cuts and not has_file:
        uploader_state.version, uploader_state.is_cut = uploader_state.version + 1, True
    uploader_state.n_cut_uploads, uploader_state.is_cut = (
        n_cuts,
        uploader_state.is_cut and not has_file,
    )
    file = st.file_uploader(label, key=_uploader_key(slot, uploader_state), help=help_text)
    if uploader_state.is_cut and file is None:
        st.error(CUT_UPLOAD_TEXT)
    return file


def clear_uploader(slot: str) -> None:
    """Clear the uploader of a slot, so that it can take another file."""
    _uploader_state(slot, state.tab().shelf.n_cut_uploads).version += 1


def _uploader_state(slot: str, n_cuts: int) -> UploaderState:
    uploaders: dict[str, UploaderState] = st.session_state.setdefault("uploaders", {})
    return uploaders.setdefault(slot, UploaderState(n_cuts))


def _uploader_key(slot: str, uploader_state: UploaderState) -> str:
    return f"{slot}_file_{uploader_state.version}"
