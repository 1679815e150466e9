"""Data: pick an example, draw points or upload a table, and see what was read."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dtviz.app import controls, draw, state, upload
from dtviz.app.cards import cards, has_plane, plane, use_recipe
from dtviz.app.controls import sentence
from dtviz.app.page import PageSpec
from dtviz.app.state import control_args
from dtviz.app.uploaded_file import PREVIEW_COLUMNS
from dtviz.base.text import count, markdown, number
from dtviz.data import uploads
from dtviz.data.dataset import DataError, Dataset, Recipe, take_rows
from dtviz.data.drawing import EmptyDrawingError
from dtviz.data.gallery import GALLERY, Example, Param, as_offered, example_recipe
from dtviz.data.recipes import origin_of, title_of
from dtviz.data.units import PLAIN
from dtviz.explain.words import values_text
from dtviz.session.screen import Screen

ROWS_SHOWN, TABLE_HEIGHT = 200, 380
DIGITS = 17  # distinguish any two numbers


def draw_error(error: DataError) -> None:
    """Draw the page where there is no data: an empty drawing, or a file that is missing."""
    if isinstance(error, EmptyDrawingError):
        draw.open_empty(error)
    elif "waiting" not in st.session_state:
        controls.show_error(error)
    draw_page(None)


def draw_page(screen: Screen | None) -> None:
    """Draw the page."""
    if screen is not None:
        controls.narration(screen.session)
    waiting = st.session_state.get("waiting")
    if waiting is not None:
        controls.show_error(uploads.FileNeededError(waiting.recipe, state.tab().files))
    session = state.session()
    current = session.recipe if session else state.START
    names = ["Examples", "Draw", "Upload a table"]
    if waiting is not None:
        st.session_state.pop("data_first", None)
    elif not {"data_tabs", "data_first"} <= {*st.session_state}:
        st.session_state["data_first"] = _tab_index(current)
    first = st.session_state.get("data_first", 2)  # kept: another default would make another widget
    tabs = st.tabs(names, key="data_tabs", on_change=state.skip_address, default=names[first])
    if tabs[0].open:
        with tabs[0]:
            _examples(current)
    if tabs[1].open:
        with tabs[1]:
            draw.show(screen)
    if tabs[2].open:
        with tabs[2]:
            has_table = upload.show()
            if not has_table and screen is not None and origin_of(current).private:
                _current_table(current)


def _tab_index(current: Recipe) -> int:
    """Return the index of the tab that the data came from: example, drawing or file."""
    if draw.is_drawing(current):
        return 1
    return 0 if current.name in GALLERY else 2


def _examples(current: Recipe) -> None:
    """Draw the gallery: cards, the words on the example, its parameters, a picture."""
    left, right = st.columns([4, 7], gap="large")
    with left:
        cards("data", current if current.name in GALLERY else state.START)
    chosen = current if current.name in GALLERY else state.START
    example = GALLERY[chosen.name]
    data = state.dataset_of(chosen)
    with right:
        with st.container(key="grow_on"):
            grow = draw.grow_button()
        st.markdown(f"**{markdown(example.title)}.** {sentence(example.about)}")
        _sliders(example, chosen)
        _picture(data, chosen)
        if grow:
            if chosen != current:
                use_recipe(chosen)
            st.switch_page("pages/grow.py")
        controls.show_notes(data.notes, expanded=True)


def _current_table(chosen: Recipe) -> None:
    """Draw the uploaded table that is in use."""
    data = state.dataset_of(chosen)
    size = sentence(upload.size_text(data, count(data.n, "row")))
    st.markdown(
        f"**{markdown(title_of(chosen))}** is in use: {size}. "
        "To choose another target or other features, give it again."
    )
    _picture(data, chosen)
    controls.show_notes(data.notes, expanded=True)


def _sliders(example: Example, chosen: Recipe) -> None:
    places = st.columns(max(len(example.params), 1))
    for place, param in zip(places, example.params, strict=False):
        with place:
            _param_control(param, chosen)


def _param_control(param: Param, chosen: Recipe) -> None:
    value: Any = chosen.get(param.name)
    if param.kind == "names":
        names = list(param.choices if value is None else value)
        args = _param_args(param, chosen, names, "default")
        st.multiselect(param.name, param.choices, help=param.help, **args)
    elif param.kind == "int":
        low, high = int(param.low or 0), int(as_offered(param).high or 0)
        args = _param_args(param, chosen, int(value))
        st.number_input(param.name, low, high, step=1, help=param.help, **args)
    else:
        st.slider(
            param.name,
            float(param.low or 0),
            float(param.high or 1),
            step=0.05,
            help=param.help,
            **_param_args(param, chosen, float(value)),
        )


def _param_args(
    param: Param, chosen: Recipe, value: object, value_name: str = "value"
) -> dict[str, Any]:
    apply = partial(_set_param, param, chosen)
    return control_args(f"param_{param.name}", value, apply, value_name)


def _set_param(param: Param, chosen: Recipe, value: Any) -> None:
    if value is None or (param.kind == "names" and not value):
        return
    value = tuple(value) if param.kind == "names" else value
    with suppress(DataError):
        use_recipe(example_recipe(chosen.name, **{**dict(chosen.params), param.name: value}))


def _picture(data: Dataset, chosen: Recipe) -> None:
    """Draw the first rows, and beside them the points, unless the data is very large."""
    if not has_plane(data):
        _first_rows(data)
        return
    left, right = st.columns([3, 2])
    with left:
        plane(data, chosen)
    with right:
        _first_rows(data)


def _first_rows(data: Dataset) -> None:
    rows = first_rows(data)
    are_texts = [*map(bool, data.levels[:PREVIEW_COLUMNS]), bool(data.classes)]
    st.dataframe(
        rows,
        hide_index=True,
        height=TABLE_HEIGHT,
        column_config={
            str(name): st.column_config.TextColumn(alignment="left" if is_text else "right")
            for name, is_text in zip(rows, are_texts, strict=True)
        },
        placeholder="missing",
        alt="The first rows as a table",
    )
    if data.n > ROWS_SHOWN:
        st.caption(f"The first {ROWS_SHOWN} of {count(data.n, 'row')}.")
    if len(data.features) > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} of {count(len(data.features), 'feature')}.")


def first_rows(data: Dataset) -> pd.DataFrame:
    """Return the first rows as text, numbers as people write them: 165, not 165.0."""
    top = take_rows(data, np.arange(min(data.n, ROWS_SHOWN)))
    shown = top.features[:PREVIEW_COLUMNS]
    columns = [_texts(top, feature) for feature in range(len(shown))]
    targets = [top.class_names[code] for code in top.y] if top.classes else _number_texts(top.y)
    frame = pd.DataFrame(dict(enumerate([*columns, targets])), dtype="string")
    return frame.set_axis([*shown, top.target], axis=1)


def _texts(data: Dataset, feature: int) -> list[str | None]:
    """Return the texts of a column, None for missing values."""
    column = data.columns[feature]
    cells: list[str | None] = [None] * data.n
    row_ids = np.flatnonzero(~np.isnan(column))
    values = column[row_ids]
    is_plain = data.quantities[feature] == PLAIN and not data.levels[feature]
    texts = _number_texts(values) if is_plain else values_text(data, feature, values)
    for row, text in zip(row_ids.tolist(), texts, strict=True):
        cells[row] = text
    return cells


def _number_texts(values: NDArray[np.float64]) -> list[str]:
    return [number(value, DIGITS) for value in values.tolist()]


PAGE = PageSpec("Data", "data", draw_page, draw_error, shows_files=True)
