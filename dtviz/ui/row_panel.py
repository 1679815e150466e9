"""The panel of a row: which one, or any values; its questions with their answers, and its end."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.engine.dependence import asked
from dtviz.quantities import PLAIN
from dtviz.say.way import Way
from dtviz.say.words import values_text
from dtviz.screen.field import matched
from dtviz.screen.screen import Screen
from dtviz.screen.session import MOST_CELLS
from dtviz.screen.way import values_of
from dtviz.table.data import DataError, Dataset, encoded
from dtviz.table.levels import told
from dtviz.table.values import NUMBER, write_value
from dtviz.text import clean, count, markdown, number
from dtviz.ui import state
from dtviz.ui.bound import bound, chosen

MOST_INPUTS = 12
MOST_STEPS = 60
MOST_SHARES = 8


def row_panel(screen: Screen) -> None:
    """The row's number or values on the left, its way on the right."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _choice(screen)
        for feature in _inputs(screen):
            _input(screen, feature)
        if problem := st.session_state.pop("row_problem", ""):
            st.caption(markdown(problem, 300))
    with right:
        if screen.way is None:
            st.markdown(
                "Click a point, choose a row by its number, or type any values: here is each "
                "question it meets on its way down the tree. What is left empty is missing."
            )
        else:
            _way(screen, screen.way)


def _choice(screen: Screen) -> None:
    row = screen.session.row
    number = row if isinstance(row, int) else None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            f"Row, 1 to {screen.data.n:,}",
            1,
            screen.data.n,
            step=1,
            **bound("row_number", number, lambda chosen: state.act("grow", "row", row=chosen)),
        )
        st.button(
            "Clear",
            key="row_clear",
            disabled=row is None,
            on_click=lambda: state.act("grow", "row", row=None),
        )


def _inputs(screen: Screen) -> list[int]:
    """The features that can be typed: those that the tree asks, then those on the axes."""
    axes = screen.look.axes if len(screen.data.features) > 1 else (0,)
    return [*dict.fromkeys([*asked(screen.data, screen.tree)[: MOST_INPUTS - 2], *axes])]


def _input(screen: Screen, feature: int) -> None:
    """The value of a feature: one of its categories, or text."""
    data, row = screen.data, screen.session.row
    value = math.nan if screen.way is None or row is None else values_of(data, row)[feature]
    key, name = f"row_value{feature}", markdown(clean(data.features[feature]))
    levels = data.levels[feature]
    take = partial(_typed, screen, feature)
    if levels:
        st.selectbox(
            name,
            format_func=lambda code: told(levels[code]),
            placeholder="missing",
            **chosen(key, None if math.isnan(value) else int(value), take, range(len(levels))),
        )
        return
    text = "" if math.isnan(value) else _text(data, feature, value)
    st.text_input(name, max_chars=60, placeholder="missing", **bound(key, text, take))


def _text(data: Dataset, feature: int, value: float) -> str:
    """A value as it is typed."""
    if data.quantities[feature] == PLAIN:
        return write_value(value)
    return values_text(data, feature, np.array([value]))[0]


def _typed(screen: Screen, feature: int, given: str | int | None) -> None:
    """Another value makes the row one of its own; what cannot be read is told and left out."""
    data, row = screen.data, screen.session.row
    values = {} if row is None else dict(enumerate(values_of(data, row).tolist()))
    try:
        values[feature] = _read(data, feature, given)
    except (DataError, ValueError):
        name = clean(data.features[feature])
        st.session_state["row_problem"] = f"{name} cannot be {clean(str(given), 60)!r}"
        return
    order = dict.fromkeys([*_inputs(screen), *values])
    known = [f for f in order if not math.isnan(values.get(f, math.nan))][:MOST_CELLS]
    state.act("grow", "row", row=[[f, values[f]] for f in known])


def _read(data: Dataset, feature: int, given: str | int | None) -> float:
    """The number that a text is, NaN for none; raises DataError or ValueError."""
    if given is None or isinstance(given, int):
        return math.nan if given is None else float(given)
    text = given.strip()
    if not text:
        return math.nan
    if data.quantities[feature] == PLAIN:
        return float(matched(NUMBER, text)[0])
    cell = pd.Series([text], dtype=object, name=data.features[feature])
    return float(encoded(cell, (), data.quantities[feature])[0])


def _way(screen: Screen, way: Way) -> None:
    """Each question with its answer, what is predicted, the shares of the classes."""
    row = screen.session.row
    head = f"Row {row:,}" if isinstance(row, int) else "The typed row"
    says = f"the tree says {way.says}" if way.says else way.ends
    st.markdown(f"**{head}:** {markdown(says, 500)}")
    lines = [f"1. {markdown(str(step), 500)}" for step in way.steps[:MOST_STEPS]]
    st.markdown("\n".join(lines) or "There is no question yet: the root is the leaf.")
    if len(way.steps) > MOST_STEPS:
        st.caption(f"The first {MOST_STEPS} of {count(len(way.steps), 'question')}.")
    if way.shares:
        named = zip(screen.data.class_names, way.shares, strict=True)
        some = [f"{name} {number(100 * share, 3)} %" for name, share in named if share]
        more = f" and {len(some) - MOST_SHARES} more" if len(some) > MOST_SHARES else ""
        st.caption(markdown(f"Shares: {', '.join(some[:MOST_SHARES])}{more}", 600))
