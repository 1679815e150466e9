"""What was given on the tab Upload a table: read once, kept in the tab, shown as a preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import sentence, view
from dtviz.app.page import PAGES
from dtviz.app.runs import work
from dtviz.base.progress import Slices, within
from dtviz.base.text import clean, count, markdown
from dtviz.data import uploads
from dtviz.data.columns import TYPES, as_type, of_types, profile
from dtviz.data.dataset import DataError, Recipe, as_text, is_number, unfit
from dtviz.data.notes import Note
from dtviz.data.read_table import Reading, reading
from dtviz.data.train_test import roles_in
from dtviz.data.uploads import (
    SERVED_FILES,
    FileNeededError,
    Saved,
    fingerprint,
    marks_of,
    places_of,
)
from dtviz.data.weights import can_weigh
from dtviz.data.worker import MAX_BYTES
from dtviz.pictures.data_set import shelf_frame
from dtviz.pictures.packing import pack
from dtviz.session import address
from dtviz.session.browser_files import NAME, asking, still
from dtviz.session.jobs import Work
from dtviz.session.tour import entered

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 30
READ = 0.9  # the share of the work when the table is read
LARGEST_SHOWN = 1e15  # a browser rounds larger numbers
READ_AS = "read as"


@dataclass(frozen=True, slots=True)
class Given:
    """A table that was given: its file's name and fingerprint, what was read, noted and guessed.

    `place` is where it is among the tab's files.
    """

    name: str
    mark: str
    header: bool
    place: str
    content: bytes
    frame: pd.DataFrame
    notes: tuple[Note, ...]
    target: int  # the place of the likely one
    first: pd.DataFrame  # rows, as they are shown
    columns: pd.DataFrame  # a line each: what they hold
    unfit: Mapping[str, str]  # why a column is no feature, by its name
    roles: Mapping[str, bool]  # columns with a row that says "train", and whether all say such
    weights: tuple[str, ...]  # columns that can say what a row counts for
    types: Mapping[str, str] = field(default_factory=dict)  # those said by hand, by column


def uploaded(file: Any, header: bool, slot: str = "given") -> Given | DataError | None:
    """The table of the file; None while it is read, with a bar and a button."""
    return _once(slot, (file.file_id, header), clean(file.name), file.getvalue, header)


def pasted(text: str, header: bool) -> Given | DataError | None:
    """The table of a text, read as a file is."""
    return _once("given", (text, header), "pasted table", text.encode, header)


def _once(
    slot: str, mark: tuple[str, bool], name: str, content: Callable[[], bytes], header: bool
) -> Given | DataError | None:
    """What was read of what is given now, or why it is no table; its bytes are looked at once."""
    kept: tuple[tuple[str, bool], Given | DataError] | None = st.session_state.get(slot)
    if kept is not None and kept[0] == mark:
        return kept[1]
    st.session_state.pop(slot, None)
    asked = ("read", slot, mark)
    state.tab().forget(lambda other: other[:2] == asked[:2] and other != asked)
    said = f"Reading {markdown(name)}"
    found = work(Work(asked, lambda: _reading(name, content(), header), said))
    if found is not None:
        st.session_state[slot] = mark, found
        state.tab().forget(lambda other: other == asked)
    return found


def _reading(name: str, content: bytes, header: bool) -> Slices[Given | DataError]:
    """The table of these bytes, in slices; or why they are none."""
    yield 0
    mark, files = fingerprint(content), state.tab().files
    place = uploads.place(mark, header)
    try:
        if place in files:
            frame, notes = files[place]
        else:
            frame, notes = yield from within(reading(content, most_bytes(), header), 0, READ)
    except DataError as error:
        return error
    left_out: dict[str, str] = {}
    roles: dict[str, bool] = {}
    weights: list[str] = []
    for at, column in enumerate(frame):
        yield READ + (1 - READ) * at / len(frame.columns)
        series = frame[column]
        if why := unfit(series):
            left_out[str(column)] = why
        if can_weigh(series):
            weights.append(str(column))
        if not pd.api.types.is_numeric_dtype(series) and "training" in (said := roles_in(series)):
            roles[str(column)] = None not in said
    some = frame.iloc[:, :PREVIEW_COLUMNS]
    first = pd.DataFrame({name: _shown(some[name]) for name in some})
    first.index = first.index.map(_cell)
    read = (name, mark, header, place, content, frame, notes, _likely_target(frame, roles))
    return Given(*read, first, _columns(some), left_out, roles, tuple(weights))


def most_bytes() -> int:
    """How many bytes a table may have, and unpack to."""
    return min(MAX_BYTES, int(st.get_option("server.maxUploadSize")) * 1_000_000)


def preview(table: Given) -> Given:
    """The first rows, and what the columns hold; the table with the types chosen for them."""
    rows, columns = table.frame.shape
    top, held = st.tabs([count(rows, "row"), count(columns, "column")])
    with top:
        unnamed = isinstance(table.frame.index, pd.RangeIndex)
        alt = "The first rows of the table"
        st.dataframe(table.first, hide_index=unnamed, placeholder="missing", alt=alt)
    with held:
        asked = _types(table)
    if columns > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} columns are shown.")
    typed: dict[str, pd.Series[Any]] = {}
    for name, kind in asked.items():
        key = ("typed", table.place, name, kind)
        found = state.tab().keep.get(key, partial(_typed, table.frame[name], kind))
        if isinstance(found, DataError):
            st.error(sentence(str(found)))
        else:
            typed[name] = found
    return _retyped(table, typed, asked) if typed else table


def _types(table: Given) -> dict[str, str]:
    """What each column holds, and the types that are chosen."""
    unsaid = pd.Series(None, table.columns.index, dtype="string")
    chosen = st.data_editor(
        table.columns.assign(**{READ_AS: unsaid}),
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


def _typed(series: pd.Series[Any], kind: str) -> pd.Series[Any] | DataError:
    try:
        return as_type(series, kind)
    except DataError as error:
        return error


def _retyped(table: Given, typed: Mapping[str, pd.Series[Any]], asked: Mapping[str, str]) -> Given:
    """The table with some columns as other types, and what is to be said of these."""
    left_out = {name: why for name, why in table.unfit.items() if name not in typed}
    left_out |= {name: why for name, series in typed.items() if (why := unfit(series))}
    weights = [name for name in table.weights if name not in typed]
    weights += [name for name, series in typed.items() if can_weigh(series)]
    types = {name: asked[name] for name in typed}
    return replace(
        table,
        frame=table.frame.assign(**typed),
        unfit=left_out,
        weights=tuple(weights),
        types=types,
        notes=of_types(table.notes, types),
    )


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


def _likely_target(frame: pd.DataFrame, roles: Mapping[str, bool]) -> int:
    """The last column if it holds few labels, else the first, else the only one that does.

    If none of these does, the last column: then it is a number to predict.
    A column that says what a row is for, or one thing alone, is none of them.
    """
    own = [at for at, name in enumerate(frame) if not roles.get(str(name))] or [0]
    labels = [at for at in own if _few_labels(frame.iloc[:, at])]
    first = own[-1] not in labels and own[0] in labels
    return labels[0] if first or len(labels) == 1 else own[-1]


def _few_labels(series: pd.Series[Any]) -> bool:
    return not is_number(series) and 2 <= series.nunique() <= max(2, min(20, len(series) // 2))


def found_in(saved: Saved) -> address.Read | None:
    """What the address of a saved screen says, once its tables are read; raises DataError."""
    if saved.page not in PAGES:
        raise DataError(f"it is of a page {saved.page}, and there are only {', '.join(PAGES)}")
    found = address.read(entered(saved.address, saved.page), state.START)
    return found if bring(found.recipe, saved.files) else None


def bring(wanted: Recipe, contents: Mapping[str, bytes]) -> bool:
    """Whether those tables of a recipe that are in these contents are read; a slice further.

    Raises DataError where one is no table.
    """
    tab, header = state.tab(), wanted.get("header") is not False
    tables, said = {}, f"Reading {markdown(str(wanted.get('file')))}"
    for place, mark in zip(places_of(wanted), marks_of(wanted), strict=True):
        if place in tab.files:
            tables[place] = tab.files[place]
        elif mark in contents:
            asked = ("brought", place)
            found = work(Work(asked, partial(_table, contents[mark], header), said))
            if found is None:
                return False
            tab.forget(asked.__eq__)
            if isinstance(found, DataError):
                raise found
            tables[place] = found
    tab.give(tables, contents)
    return True


def asks(error: DataError) -> bool:
    """Whether the browser is asked for the files that lack, or these are being read."""
    if not isinstance(error, FileNeededError):
        return False
    tab, wanted = state.tab(), error.recipe
    places = zip(places_of(wanted), marks_of(wanted), strict=True)
    lacking = [mark for place, mark in places if place not in tab.files]
    tab.shelf = asking(tab.shelf, lacking, most_bytes())
    if tab.shelf.lacks:
        return False
    names = " and ".join(f"**{markdown(name)}**" for name in error.names)
    st.caption(f"Looking for {names} among the files that this browser keeps.")
    if not still(tab.shelf) and _brought(wanted):
        st.rerun()
    return True


def _brought(wanted: Recipe) -> bool:
    """Whether the tables of what came are read; where one is no table now it lacks."""
    tab, waiting = state.tab(), st.session_state.get("waiting")
    try:
        done = bring(wanted, tab.shelf.whole)
    except DataError:
        tab.shelf = replace(tab.shelf, lacks=frozenset(tab.shelf.wanted))
        return True
    if done:
        tab.shelf = asking(tab.shelf, (), 0)
    if done and waiting is not None and waiting.recipe == wanted:
        del st.session_state["waiting"]
    return done


def show(told: bool, looking: bool = False) -> None:
    """Have the browser keep the files of the session, and give those it is `looking` for.

    Where it is `told`, how many it keeps is seen, with the button that has it forget them.
    """
    tab, session = state.tab(), state.session()
    recipe = state.START if session is None else session.recipe
    at_hand = tab.contents_of(recipe).items()
    contents = {mark: one for mark, one in at_hand if mark not in SERVED_FILES}
    frame = shelf_frame(tab.shelf, recipe, contents, looking)
    if told or frame["keep"] or frame["wants"]:
        with st.container(key="files" if told else "carry_files"):
            view(NAME, pack(NAME, frame))


def _table(content: bytes, header: bool) -> Slices[Reading | DataError]:
    try:
        return (yield from reading(content, most_bytes(), header))
    except DataError as error:
        return error


def resume(found: address.Read) -> None:
    """Go on where an address was; raises DataError where its data cannot be had."""
    data = state.dataset_of(found.recipe)
    st.session_state.pop("waiting", None)
    session, problems = address.resolve(found, data, state.tab().future(found.recipe))
    state.set_session(session, problems)


def lead_to(page: str) -> None:
    """Show the session on the page of that path."""
    if st.session_state["page"] == page:
        state.rerun()
    st.switch_page(f"pages/{page}.py")


CUT = (
    "The file did not arrive: the connection to the server was cut, or a proxy on the way refused "
    "the file. Choose it once more."
)


@dataclass(slots=True)
class Place:
    """A place for a file."""

    cuts: int
    """Number of cut uploads that the place knows of."""
    turn: int = 0
    """Part of the place's key: with another turn Streamlit makes the place anew."""
    is_cut: bool = False
    """Whether its last upload was cut, and no other file has come since."""


def uploader(label: str, slot: str, help_text: str | None = None) -> Any:
    """Draw the place of that slot; return its file, None where there is none."""
    cuts = state.tab().shelf.cuts
    place = _place(slot, cuts)
    full = st.session_state.get(_key(slot, place)) is not None
    if place.cuts != cuts and not full:
        place.turn, place.is_cut = place.turn + 1, True
    place.cuts, place.is_cut = cuts, place.is_cut and not full
    file = st.file_uploader(label, key=_key(slot, place), help=help_text)
    if place.is_cut and file is None:
        st.error(CUT)
    return file


def clear(slot: str) -> None:
    """Make the place of that slot free for another file."""
    _place(slot, state.tab().shelf.cuts).turn += 1


def _place(slot: str, cuts: int) -> Place:
    places: dict[str, Place] = st.session_state.setdefault("uploaders", {})
    return places.setdefault(slot, Place(cuts))


def _key(slot: str, place: Place) -> str:
    return f"{slot}_file_{place.turn}"
