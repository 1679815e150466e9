"""Data: pick an example, draw points or upload a table, and see what was read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from dtviz.engine.rules import default_rules
from dtviz.figures.frame import pack
from dtviz.figures.overview import overview
from dtviz.screen.address import Read, resolve
from dtviz.screen.screen import Screen, short_name
from dtviz.screen.session import Session
from dtviz.table import uploads
from dtviz.table.data import (
    DataError,
    Dataset,
    Note,
    Recipe,
    Task,
    infer_task,
    is_feature,
    summary,
)
from dtviz.table.drawing import EmptyDrawingError
from dtviz.table.gallery import GALLERY, GROUPS, Example, Param, example_recipe
from dtviz.table.read import read_frame
from dtviz.table.uploads import fingerprint
from dtviz.text import clean, count, markdown
from dtviz.ui import controls, draw, state
from dtviz.ui.controls import sentence
from dtviz.ui.page import PageSpec
from dtviz.ui.view import carry, view

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 30
MOST_ROWS = 100_000
MAX_CHOSEN = 12
TASKS: dict[Task, str] = {"classification": "classes", "regression": "a number"}


def without(error: DataError) -> None:
    """Draw the page where there is no data yet: an empty drawing, or a file to be given."""
    if isinstance(error, EmptyDrawingError):
        draw.take_up(error)
    elif "waiting" not in st.session_state:
        controls.show_error(error)
    draw_page(None)


def draw_page(screen: Screen | None) -> None:
    """Draw the page."""
    waiting = st.session_state.get("waiting")
    if waiting is not None:
        controls.show_error(uploads.FileNeededError(waiting.recipe))
    session = state.session()
    current = session.recipe if session else state.START
    names = ["Examples", "Draw", "Upload a table"]
    if "data_tabs" not in st.session_state:  # later it stays: another default is another widget
        st.session_state["data_first"] = int(draw.shows(current))
    first = 2 if waiting is not None else st.session_state.get("data_first", 0)
    tabs = st.tabs(names, key="data_tabs", on_change=state.hold, default=names[first])
    if tabs[0].open:
        with tabs[0]:
            _examples(current)
    if tabs[1].open:
        with tabs[1]:
            draw.show(screen)
    if tabs[2].open:
        with tabs[2]:
            _upload()


def _examples(current: Recipe) -> None:
    """The gallery: groups of names, what to look for, sliders, a picture."""
    left, right = st.columns([4, 7], gap="large")
    name = current.name if current.name in GALLERY else state.START.name
    with left:
        for group in GROUPS:
            names = [example.name for example in GALLERY.values() if example.group == group]
            st.session_state[f"pick_{group}"] = name if name in names else None
            st.pills(
                group,
                names,
                key=f"pick_{group}",
                format_func=lambda option: GALLERY[option].title,
                wrap=True,
                on_change=_picked,
                args=(f"pick_{group}",),
            )
    chosen = current if current.name in GALLERY else state.START
    example = GALLERY[chosen.name]
    data = state.dataset_of(chosen)
    with right:
        st.markdown(f"**{markdown(example.title)}.** {sentence(example.about)}")
        _sliders(example, chosen)
        _picture(data, chosen)
        if draw.grow_button():
            if chosen != current:
                _use(chosen)
            st.switch_page("pages/grow.py")
        _notes(data.notes)


def _picked(key: str) -> None:
    name = st.session_state.get(key)
    if name in [*GALLERY]:
        _use(state.START if name == state.START.name else example_recipe(name))


def _use(chosen: Recipe) -> None:
    """Put the example on screen, before the first step."""
    st.session_state.pop("waiting", None)
    data = state.dataset_of(chosen)
    state.put(Session(chosen, default_rules(data.task)))


def _sliders(example: Example, chosen: Recipe) -> None:
    places = st.columns(max(len(example.params), 1))
    for place, param in zip(places, example.params, strict=False):
        with place:
            _one_param(param, chosen)


def _one_param(param: Param, chosen: Recipe) -> None:
    key = f"param_{param.name}"
    value: Any = chosen.get(param.name)
    call: dict[str, Any] = {"key": key, "on_change": _changed, "args": (param, chosen)}
    if param.kind == "names":
        st.session_state[key] = list(value) if value is not None else list(param.choices)
        st.multiselect(param.name, param.choices, help=param.help, **call)
    elif param.kind == "int":
        st.session_state[key] = int(value)
        high = min(int(param.high or 0), MOST_ROWS) if param.name == "n" else int(param.high or 0)
        low = int(param.low or 0)
        st.number_input(param.name, low, high, step=1, help=param.help, **call)
    else:
        st.session_state[key] = float(value)
        st.slider(
            param.name,
            float(param.low or 0),
            float(param.high or 1),
            step=0.05,
            help=param.help,
            **call,
        )


def _changed(param: Param, chosen: Recipe) -> None:
    value: Any = st.session_state.get(f"param_{param.name}")
    if value is None or (param.kind == "names" and not value):
        return
    value = tuple(value) if param.kind == "names" else value
    with suppress(DataError):
        _use(example_recipe(chosen.name, **{**dict(chosen.params), param.name: value}))


def _picture(data: Dataset, chosen: Recipe) -> None:
    points, plane = overview(data, short_name(chosen), state.theme())
    carry("points", pack("cloud", points))
    view("overview", pack("stage", plane))


def _upload() -> None:
    """A file in, a preview, target and features chosen, the tree grown on it."""
    file = st.file_uploader(
        "A table as csv or tsv, at most 5 MB",
        type=["csv", "tsv", "txt", "tab"],
        help="Any usual delimiter, encoding and decimal comma. It stays on the server's memory "
        "for this tab only.",
    )
    if file is None:
        return
    try:
        name, fingerprint, frame, notes = _read(file)
    except DataError as error:
        st.error(sentence(str(error)))
        return
    waiting = st.session_state.get("waiting")
    if waiting is not None and waiting.recipe.get("sha") == fingerprint:
        _pick_up(waiting)
    _preview(frame)
    _choose(name, fingerprint, frame, notes)


def _read(file: Any) -> tuple[str, str, pd.DataFrame, tuple[Note, ...]]:
    """The uploaded table, read once a file and kept in this tab."""
    content = file.getvalue()
    mark, files = fingerprint(content), state.tab().files
    if mark not in files:
        files[mark] = read_frame(content)
    return clean(file.name), mark, *files[mark]


def _preview(frame: pd.DataFrame) -> None:
    st.markdown(f"{count(len(frame), 'row')}, {count(len(frame.columns), 'column')}")
    shown = frame.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS].copy()
    shown.attrs.clear()
    st.dataframe(shown.map(_cell), hide_index=True, alt="The first rows of the table")
    if len(frame.columns) > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} columns are shown.")


def _cell(value: Any) -> str:
    return "" if value is None or value is pd.NA or value != value else clean(str(value))


def _choose(name: str, fingerprint: str, frame: pd.DataFrame, notes: tuple[Note, ...]) -> None:
    """Target, features and task; then the data set, or why it cannot be one."""
    names = list(frame.columns)
    left, right = st.columns(2)
    with left:
        target = st.selectbox(
            "Target",
            names,
            index=_likely_target(frame),
            key=f"target_{fingerprint}",
            format_func=clean,
            help="The column the tree predicts",
        )
        usual = infer_task(frame[target])
        task = st.radio(
            "It is",
            list(TASKS),
            index=list(TASKS).index(usual),
            key=f"task_{fingerprint}_{target}",
            format_func=lambda option: TASKS[option],
            horizontal=True,
        )
    numeric = [column for column in names if column != target and is_feature(frame[column])]
    with right:
        features = st.multiselect(
            "Features",
            numeric,
            default=numeric[:MAX_CHOSEN],
            key=f"features_{fingerprint}_{target}",
            format_func=clean,
            help="Columns of numbers the tree may cut on; text columns cannot be cut yet",
        )
    text = [column for column in names if column != target and column not in numeric]
    if text:
        listed = ", ".join(clean(column) for column in text[:8])
        st.caption(sentence(f"Text columns, not used as features: {listed}"))
    _offer(name, fingerprint, frame, str(target), features, task, notes)


def _likely_target(frame: pd.DataFrame) -> int:
    """The last column if it holds few labels, else the first that does, else the last column."""
    last = len(frame.columns) - 1
    for place in [last, *range(last)]:
        series = frame.iloc[:, place]
        if not is_feature(series) and series.nunique() <= max(2, min(20, len(series) // 2)):
            return int(place)
    return last


def _offer(
    name: str,
    fingerprint: str,
    frame: pd.DataFrame,
    target: str,
    features: Sequence[str],
    task: Task,
    notes: tuple[Note, ...],
) -> None:
    chosen = uploads.recipe_of(fingerprint, name, target, tuple(features), task)
    try:
        if not features:
            raise DataError("choose at least one feature: a column of numbers")
        data = state.dataset_of(chosen)
    except DataError as error:
        st.error(sentence(str(error)))
        _notes(notes)
        return
    st.success(
        sentence(
            f"{data.n:,} of {count(len(frame), 'row')} can be used, "
            f"{count(len(data.features), 'feature')}, target {clean(target)}"
        )
    )
    icon, text = ":material/account_tree:", "Grow a tree on this table"
    if st.button(text, type="primary", icon=icon, on_click=state.hold):
        state.put(Session(chosen, default_rules(data.task)))
        st.switch_page("pages/grow.py")
    _notes(data.notes)


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


def _notes(notes: Sequence[Note]) -> None:
    lines = summary(notes)
    if lines:
        with st.expander(f"What was left out or read as missing ({len(lines)})", expanded=True):
            st.text("\n".join(lines[:200]))


PAGE = PageSpec("Data", "data", draw_page, without)
