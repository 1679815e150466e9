"""Grow: the tree step by step, and why each split is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dtviz.screen.forks import Tips, compared, tips_work
from dtviz.screen.screen import Screen
from dtviz.screen.tour import TOURS
from dtviz.screen.work import Work
from dtviz.table.origins import title_of
from dtviz.text import clean, markdown
from dtviz.ui import controls, drawer, moving, state, still
from dtviz.ui.bound import bound, chosen
from dtviz.ui.page import PageSpec
from dtviz.ui.panels import panels
from dtviz.ui.picker import picker
from dtviz.ui.pictures import draw_ahead, draw_line, draw_stage, draw_tree
from dtviz.ui.share import share
from dtviz.ui.sides import sides
from dtviz.ui.slicing import slice_boxes
from dtviz.ui.work import feed, work


def draw(screen: Screen) -> None:
    """Draw the page: head, sentence, and the instrument, which takes what is left of the window."""
    hidden = screen.session.hidden
    state.tab().prepare(screen, state.theme())
    judging = _judging(screen)
    controls.narration(screen.session)
    _head(screen, judging)
    moving.draw(screen)
    with st.container(key="instrument", horizontal=True, gap="medium"):
        if screen.beside is None:
            _instrument(screen)
        else:
            sides(screen, screen.beside)
        if drawer.is_open() and "settings" not in hidden:
            drawer.draw(screen)
    draw_ahead(screen)
    still.note(screen)


def _instrument(screen: Screen) -> None:
    """The stage, and beside it the tree over the panels."""
    hidden = screen.session.hidden
    with st.container(key="plane", gap="xsmall"):
        draw_stage(screen)
        if len(screen.data.features) > 2 and "settings" not in hidden:
            _axes_boxes(screen)
    with st.container(key="beside", gap="xsmall"):
        draw_tree(screen)
        if "panels" not in hidden:
            panels(screen)


def _head(screen: Screen, judging: Sequence[Work[Tips]]) -> None:
    """The data set and Share in the bar of the pages; under it the time-line and the settings."""
    hidden = screen.session.hidden
    with st.container(horizontal=True, vertical_alignment="center", key="corner", gap="small"):
        tips = st.container(key="tips")  # there or not, what stands right of it keeps its place
        if "settings" in hidden:
            st.markdown(f"**{markdown(title_of(screen.session.recipe))}**", width="content")
        else:
            picker(screen)
        if not hidden:
            _tour_button(screen)
            share(screen)
        with tips:
            for one in judging:
                work(one)
    if {"time-line", "settings"} <= {*hidden}:
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="head"):
        if "time-line" not in hidden:
            draw_line(screen)
        if "settings" not in hidden:
            drawer.criteria(screen)
            _ask_switch(screen)
            drawer.button()


def _judging(screen: Screen) -> list[Work[Tips]]:
    """What finds how good the compared lines are, a slice further: up to the one under way."""
    found: list[Work[Tips]] = []
    if compared(screen) and (screen.beside or "time-line" not in screen.session.hidden):
        for one in filter(None, (screen, screen.beside)):
            found.append(tips_work(one))
            if feed(found[-1]).result is None:
                break
    return found


def _tour_button(screen: Screen) -> None:
    """The way into the tour that a link brought, else into our own."""
    tour = screen.session.tour
    stops, on = tour.stops or TOURS["first"], tour.shown is not None
    st.button(
        "Tour", key="tour", type="tertiary", disabled=on, on_click=state.walk, args=(stops, 0)
    )


def _ask_switch(screen: Screen) -> None:
    st.toggle(
        "Ask first",
        help="The gains hide until you have chosen a cut",
        **bound("ask_first", screen.session.ask, lambda on: state.act("grow", "ask", on=on)),
    )


def _axes_boxes(screen: Screen) -> None:
    """Which two of the features are on the axes, and where the others are pinned."""
    names = {f: clean(name) for f, name in enumerate(screen.data.features)}
    with st.container(horizontal=True, vertical_alignment="center", key="axes", gap="small"):
        for place, label in ((0, "Across"), (1, "Up")):
            st.selectbox(
                label,
                format_func=lambda f: names[f],
                label_visibility="collapsed",
                **chosen(
                    f"axis{place}", screen.look.axes[place], partial(_axis_chosen, place), [*names]
                ),
            )
        slice_boxes(screen)


def _axis_chosen(place: int, feature: int) -> None:
    state.act("grow", "axis", place=place, feature=feature)


PAGE = PageSpec("Grow", "grow", draw, alone=True)
