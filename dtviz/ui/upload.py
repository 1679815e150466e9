"""The tab Upload a table: a file or cells in, a preview, target and features, a tree on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.engine.rules import default_rules
from dtviz.screen.address import Read, resolve
from dtviz.screen.session import Session
from dtviz.table import uploads
from dtviz.table.data import DataError, Dataset, Note, Task, infer_task, is_number, unfit
from dtviz.table.files import KINDS, read_file
from dtviz.table.profile import profile
from dtviz.table.read import MAX_BYTES
from dtviz.table.uploads import fingerprint
from dtviz.text import clean, count, markdown
from dtviz.ui import controls, state
from dtviz.ui.controls import sentence

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 30
LARGEST_SHOWN = 1e15  # a browser rounds larger numbers
MAX_CHOSEN = 12
MOST_SUSPECTS = 8  # told one by one
TASKS: dict[Task, str] = {"classification": "classes", "regression": "a number"}


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


def show() -> None:
    """Draw the tab."""
    kinds = ", ".join(kind.name for kind in (KINDS[-1], *KINDS[:-1]))
    file = st.file_uploader(
        f"A table: {kinds}; packed by gzip or zip, or not",
        help="Text may have any usual delimiter, encoding and decimal comma. The table stays in "
        "the server's memory, for this tab only.",
    )
    waiting = st.session_state.get("waiting")
    header = not st.toggle(
        "The first line is data",
        value=waiting is not None and waiting.recipe.get("header") is False,
        key="first_line_is_data",
        help="Text without a line of names: the columns are then named by their position",
    )
    table = _pasted(header) if file is None else _uploaded(file, header)
    if isinstance(table, DataError):
        st.error(sentence(str(table)))
    if not isinstance(table, Given):
        return
    if waiting is not None and uploads.place_of(waiting.recipe) == table.place:
        _pick_up(waiting)
    _preview(table)
    _choose(table)


def _uploaded(file: Any, header: bool) -> Given | DataError:
    """The table of the file, whose bytes are looked at in the first run only."""
    return _once((file.file_id, header), lambda: _read(clean(file.name), file.getvalue(), header))


def _pasted(header: bool) -> Given | DataError | None:
    """The table of the text area, read as a file is."""
    text = st.text_area(
        "Or paste one",
        height=120,
        placeholder="Cells copied from a spreadsheet, the names of the columns first",
    )
    if not text.strip():
        return None
    return _once((text, header), lambda: _read("pasted table", text.encode(), header))


def _once(mark: tuple[str, bool], read: Callable[[], Given | DataError]) -> Given | DataError:
    """What was read of what is given now, or why it is no table; read in the first run only."""
    kept: tuple[tuple[str, bool], Given | DataError] | None = st.session_state.get("given")
    if kept is None or kept[0] != mark:
        kept = st.session_state["given"] = mark, read()
    return kept[1]


def _read(name: str, content: bytes, header: bool) -> Given | DataError:
    """The table of these bytes, kept in this tab; or why they are none."""
    mark, files = fingerprint(content), state.tab().files
    place = uploads.place(mark, header)
    with st.spinner("Reading the table"):
        try:
            known = place in files
            frame, notes = files[place] if known else read_file(content, most_bytes(), header)
        except DataError as error:
            return error
        state.tab().give(place, (frame, notes))
        some = frame.iloc[:, :PREVIEW_COLUMNS]
        first = pd.DataFrame({name: _shown(some[name]) for name in some})
        first.index = first.index.map(_cell)
        left_out = {str(name): why for name in frame if (why := unfit(frame[name]))}
        target, about = _likely_target(frame), _columns(some)
        return Given(name, mark, header, place, frame, notes, target, first, about, left_out)


def most_bytes() -> int:
    """How many bytes a table may have, and unpack to."""
    return min(MAX_BYTES, int(st.get_option("server.maxUploadSize")) * 1_000_000)


def _preview(table: Given) -> None:
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
        return first.astype(object).map(_cell)
    values = first.to_numpy(dtype=float, na_value=np.nan)
    if np.nanmax(np.abs(values), initial=0) > LARGEST_SHOWN:
        return first.astype(object).map(_cell)
    whole = column.dropna()
    return pd.Series(values, index=first.index).astype(
        "Int64" if (whole == whole.round()).all() else "float64"
    )


def _cell(value: Any) -> str | None:
    return None if value is None or value is pd.NA or value != value else clean(str(value))


def _choose(table: Given) -> None:
    """Target, features and task; then the data set, or why it cannot be one."""
    frame, names = table.frame, list(table.frame.columns)
    left, right = st.columns(2)
    with left:
        target = st.selectbox(
            "Target",
            names,
            index=table.target,
            key=f"target_{table.place}",
            format_func=clean,
            help="The column the tree predicts",
        )
        keep = state.tab().keep
        usual = keep.get(("usual", table.place, target), lambda: infer_task(frame[target]))
        task = st.radio(
            "It is",
            list(TASKS),
            index=list(TASKS).index(usual),
            key=f"task_{table.place}_{target}",
            format_func=lambda option: TASKS[option],
            horizontal=True,
        )
    fit = [column for column in names if column != target and column not in table.unfit]
    key = f"features_{table.place}_{target}"
    with right:
        features = st.multiselect(
            "Features",
            fit,
            default=fit[:MAX_CHOSEN],
            key=key,
            format_func=clean,
            help="Columns the tree may cut on: numbers by a threshold, text by some of its values",
        )
    unused = [(column, why) for column, why in table.unfit.items() if column != target]
    if unused:
        listed = "; ".join(f"{clean(column)} ({why})" for column, why in unused[:8])
        st.caption(sentence(f"Not used as features: {listed}"))
    _offer(table, str(target), features, task, key)


def _likely_target(frame: pd.DataFrame) -> int:
    """The last column if it holds few labels, else the first that does, else the last column."""
    last = len(frame.columns) - 1
    for place in [last, *range(last)]:
        series = frame.iloc[:, place]
        if not is_number(series) and series.nunique() <= max(2, min(20, len(series) // 2)):
            return int(place)
    return last


def _offer(table: Given, target: str, features: Sequence[str], task: Task, key: str) -> None:
    """What of the table can be used, and the way on; or why there is none."""
    chosen = uploads.recipe_of(table.mark, table.name, target, tuple(features), task, table.header)
    try:
        if not features:
            raise DataError("choose at least one feature")
        data = state.dataset_of(chosen)
    except DataError as error:
        st.error(sentence(str(error)))
        controls.show_notes(table.notes, expanded=True)
        return
    _fooling(data, key)
    icon, text = ":material/account_tree:", "Grow a tree on this table"
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        grow = st.button(text, type="primary", icon=icon, on_click=state.hold)
        st.markdown(
            sentence(
                f"{data.n:,} of {count(len(table.frame), 'row')} can be used, "
                f"{count(len(data.features), 'feature')}, target {clean(target)}"
            ),
            width="content",
        )
    if grow:
        state.put(Session(chosen, default_rules(data.task)))
        st.switch_page("pages/grow.py")
    controls.show_notes([one for one in data.notes if one.kind != "suspect"], expanded=True)


def _fooling(data: Dataset, key: str) -> None:
    """The features that would fool a tree, and one click that leaves them out."""
    suspects = [note for note in data.notes if note.kind == "suspect"]
    if not suspects:
        return
    names = [note.column for note in suspects]
    told = [f"- **{markdown(str(one.column))}**: {sentence(one.text)}" for one in suspects]
    if len(told) > MOST_SUSPECTS:
        told[MOST_SUSPECTS:] = [f"- and {len(told) - MOST_SUSPECTS:,} more"]
    what = f"{count(len(names), 'feature')} would fool a tree"
    with st.container(border=True):
        st.markdown("\n".join([f"{what}:", *told]))
        st.button(
            "Leave it out" if len(names) == 1 else f"Leave these {len(names):,} out",
            on_click=_choose_features,
            args=(key, [name for name in data.features if name not in names]),
        )


def _choose_features(key: str, features: list[str]) -> None:
    st.session_state[key] = features


def _pick_up(waiting: Read) -> None:
    """Go on where the link was that asked for this file."""
    try:
        data = state.dataset_of(waiting.recipe)
    except DataError as error:
        st.error(sentence(f"this is the file, but the link does not suit it: {error}"))
        return
    del st.session_state["waiting"]
    session, problems = resolve(waiting, data, state.tab().future(waiting.recipe, data))
    state.put(session)
    st.session_state["said"] = problems
    st.switch_page("pages/grow.py")
