"""Grow: the tree step by step, and why each split is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dtviz.app import controls, partial_runs, settings, state
from dtviz.app.cards import picker
from dtviz.app.controls import sentence
from dtviz.app.page import PageSpec
from dtviz.app.panels import panels
from dtviz.app.partial_runs import draw_sentence, note_inputs
from dtviz.app.runs import run_slice, work
from dtviz.app.share import share
from dtviz.app.stage import draw_ahead, draw_line, draw_stage, draw_tree, slice_sliders
from dtviz.app.state import choice_args, control_args
from dtviz.base.text import clean, markdown
from dtviz.data.recipes import title_of
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.pictures.tree_graph import tips_shown
from dtviz.session.branches import Tips, has_lines_to_compare, side_titles, tips_work
from dtviz.session.jobs import Work
from dtviz.session.screen import Screen
from dtviz.session.tour import TOURS

CRITERIA_SHOWN = 3
DRAWER_KEY = "settings"


def criterion_switch(screen: Screen) -> None:
    """Draw the switch of the criteria that lectures compare, with the one in use."""
    current = screen.session.rules.criterion
    names = [*dict.fromkeys([*criteria_of(screen.data)[:CRITERIA_SHOWN], current])]
    st.segmented_control(
        "Criterion",
        names,
        format_func=lambda name: CRITERIA[name].title,
        required=True,
        label_visibility="collapsed",
        **control_args(
            "criterion_at_hand", current, lambda name: settings.choose(criterion=name), "default"
        ),
    )


def is_open() -> bool:
    """True if the drawer of the settings is open."""
    return bool(st.session_state.get(DRAWER_KEY))


def drawer_button() -> None:
    """Draw the button that opens the drawer and shuts it."""
    st.button(
        "Settings",
        icon=":material/tune:",
        key="drawer_button",
        type="tertiary" if not is_open() else "secondary",
        on_click=_set_open,
        args=(not is_open(),),
    )


def draw_drawer(screen: Screen) -> None:
    """Draw the drawer: all settings, beside the stage."""
    with st.container(key="drawer"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Settings**", width="stretch")
            st.button(
                "Close",
                icon=":material/close:",
                key="drawer_shut",
                type="tertiary",
                on_click=_set_open,
                args=(False,),
            )
        settings.draw_settings(screen)
        st.button(
            "Compare with these settings",
            key="compare_settings",
            icon=":material/splitscreen_vertical_add:",
            help="They stay on a second screen beside the ones you choose next",
            disabled=screen.other_screen is not None,
            on_click=state.act,
            args=("settings", "compare"),
        )


def _set_open(visible: bool) -> None:
    st.session_state[DRAWER_KEY] = visible  # set, not toggled: a click that comes twice is one


def draw_sides(screen: Screen, second: Screen) -> None:
    """Draw two screens side by side, each with its sentence, stage and tree."""
    names, hidden = side_titles(screen.session, screen.future), screen.session.hidden
    for side, name in zip((screen, second), names, strict=True):
        with st.container(key=f"side_{_side_name(side)}", gap="xsmall"):
            _side_heading(side, name, names[0])
            if "why" not in hidden or "split" not in hidden:
                draw_sentence(side)
            draw_stage(side)
            draw_tree(side)


def _side_name(screen: Screen) -> str:
    return "other" if screen.mark else "own"


def _side_heading(screen: Screen, name: str, first_name: str) -> None:
    """Draw the heading of a screen: its name, its score, and the buttons that end the comparison.

    *Keep this* leaves this screen alone; *Close*, on the second screen, leaves the first.
    """
    tip, *_ = tips_shown(screen)
    key = f"head_{_side_name(screen)}"
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{sentence(name)}** :small[{sentence(tip['said'])}]", width="stretch")
        _end_button(
            "Keep this", f"keep_{_side_name(screen)}", "check", f"{name} stays alone", screen.mark
        )
        if screen.mark:
            text = f"Ends the comparison: {first_name} stays"
            _end_button("Close", "close_beside", "close", text, "")


def _end_button(label: str, key: str, icon: str, about: str, mark: str) -> None:
    """Draw a button that ends the comparison; with a `mark` the second screen stays."""
    st.button(
        label,
        key=key,
        icon=f":material/{icon}:",
        help=sentence(about),
        on_click=state.act,
        args=("beside", "keep"),
        kwargs={"other": bool(mark)},
    )


def draw(screen: Screen) -> None:
    """Draw the page: head, sentence, and the instrument, which takes the rest of the window."""
    hidden = screen.session.hidden
    state.tab().prepare(screen, state.theme())
    works = _feed_tips(screen)
    controls.narration(screen.session)
    _head(screen, works)
    partial_runs.draw(screen)
    with st.container(key="instrument", horizontal=True, gap="medium"):
        if screen.other_screen is None:
            _instrument(screen)
        else:
            draw_sides(screen, screen.other_screen)
        if is_open() and "settings" not in hidden:
            draw_drawer(screen)
    draw_ahead(screen)
    note_inputs(screen)


def _instrument(screen: Screen) -> None:
    """Draw the stage, and beside it the tree over the panels."""
    hidden = screen.session.hidden
    with st.container(key="plane", gap="xsmall"):
        draw_stage(screen)
        if len(screen.data.features) > 2 and "settings" not in hidden:
            _axes_boxes(screen)
    with st.container(key="beside", gap="xsmall"):
        draw_tree(screen)
        if "panels" not in hidden:
            panels(screen)


def _head(screen: Screen, works: Sequence[Work[Tips]]) -> None:
    """Draw dataset and Share in the bar of the pages, below it time-line and settings.

    `works` are those of `_feed_tips`, whose bars stand in the bar of the pages.
    """
    hidden = screen.session.hidden
    with st.container(horizontal=True, vertical_alignment="center", key="corner", gap="small"):
        tips = st.container(key="tips")  # empty or not, the elements to its right keep their places
        if "settings" in hidden:
            st.markdown(f"**{markdown(title_of(screen.session.recipe))}**", width="content")
        else:
            picker(screen)
        if not hidden:
            _tour_button(screen)
            share(screen)
        with tips:
            for tips_of_side in works:
                work(tips_of_side)
    if {"time-line", "settings"} <= {*hidden}:
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="head"):
        if "time-line" not in hidden:
            draw_line(screen)
        if "settings" not in hidden:
            criterion_switch(screen)
            _ask_switch(screen)
            drawer_button()


def _feed_tips(screen: Screen) -> list[Work[Tips]]:
    """Run one slice of the work that scores the compared time-lines.

    Returns the works up to the one under way.
    """
    works: list[Work[Tips]] = []
    if has_lines_to_compare(screen) and (
        screen.other_screen or "time-line" not in screen.session.hidden
    ):
        for side in filter(None, (screen, screen.other_screen)):
            works.append(tips_work(side))
            if run_slice(works[-1]).result is None:
                break
    return works


def _tour_button(screen: Screen) -> None:
    """Draw the button to the first stop: of the tour that a link brought, else of our own."""
    tour = screen.session.tour
    stops = tour.stops or TOURS["first"]
    st.button(
        "Tour",
        key="tour",
        type="tertiary",
        disabled=tour.shown is not None,
        on_click=state.go_to_stop,
        args=(stops, 0),
    )


def _ask_switch(screen: Screen) -> None:
    st.toggle(
        "Ask first",
        help="The gains hide until you have chosen a cut",
        **control_args("ask_first", screen.session.ask, lambda on: state.act("grow", "ask", on=on)),
    )


def _axes_boxes(screen: Screen) -> None:
    """Draw the choice of the two features on the axes, and the slice of the others."""
    names = {f: clean(name) for f, name in enumerate(screen.data.features)}
    with st.container(horizontal=True, vertical_alignment="center", key="axes", gap="small"):
        for place, label in ((0, "Across"), (1, "Up")):
            st.selectbox(
                label,
                format_func=lambda f: names[f],
                label_visibility="collapsed",
                **choice_args(
                    f"axis{place}",
                    screen.node_view.axes[place],
                    partial(_set_axis, place),
                    [*names],
                ),
            )
        slice_sliders(screen)


def _set_axis(place: int, feature: int) -> None:
    state.act("grow", "axis", place=place, feature=feature)


PAGE = PageSpec("Grow", "grow", draw, is_fragment=True)
