"""Grow: the tree step by step, and why each split is made.

The page is one component, beside Streamlit's controls for the data, the tour, the settings, Share
and the panels that have inputs or charts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.head import corner, head_controls
from dtviz.app.page import PageSpec
from dtviz.app.panels import draw_panel
from dtviz.app.runs import do_work, run_slice
from dtviz.base.progress import Work
from dtviz.session.branches import TipScores, has_timelines_to_compare, tip_scores_work
from dtviz.session.screen import Screen

DRAWER_KEY = "settings"
"""Key of the session state: True while the drawer of the settings is open."""


def draw(screen: Screen) -> None:
    """Draw the page: the controls in the corner, and the instrument in the rest of the window."""
    hidden, works = screen.session.hidden, _feed_tips(screen)
    _corner(screen, works)
    with st.container(key="instrument", horizontal=True, gap="medium"):
        controls.draw_frame("grow", state.tab().pack_page("grow", screen, state.theme()))
        if screen.other_screen is None and "panels" not in hidden:
            draw_panel(screen)
        if is_drawer_open() and "settings" not in hidden:
            draw_drawer(screen)


def _corner(screen: Screen, works: Sequence[Work[TipScores]]) -> None:
    """Draw the head of the page with the progress bars of `works`, which score time-lines."""
    with corner():
        tips = st.container(key="tips")  # empty or not, the elements to its right keep their places
        head_controls(screen, settings=lambda _: drawer_button(), has_undo=False)
        with tips:
            for tips_of_side in works:
                do_work(tips_of_side)


def _feed_tips(screen: Screen) -> list[Work[TipScores]]:
    """Run a slice of the first unfinished work that scores time-lines.

    Returns the works up to this one; each of two screens side by side has a work.
    """
    works: list[Work[TipScores]] = []
    if has_timelines_to_compare(screen) and (
        screen.other_screen or "time-line" not in screen.session.hidden
    ):
        for side in filter(None, (screen, screen.other_screen)):
            works.append(tip_scores_work(side))
            if run_slice(works[-1]).result is None:
                break
    return works


def is_drawer_open() -> bool:
    """True if the drawer of the settings is open."""
    return bool(st.session_state.get(DRAWER_KEY))


def drawer_button() -> None:
    """Draw the button that opens the drawer and shuts it."""
    st.button(
        "Settings",
        icon=":material/tune:",
        key="drawer_button",
        on_click=partial(_show_drawer, not is_drawer_open()),
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
                on_click=_show_drawer,
                args=(False,),
            )
        controls.draw_settings(screen)
        st.button(
            "Compare with these settings",
            key="compare_settings",
            icon=":material/splitscreen_vertical_add:",
            help="They stay on a second screen beside the ones you choose next",
            disabled=screen.other_screen is not None,
            on_click=partial(state.act, "settings", "compare"),
        )


def _show_drawer(visible: bool) -> None:
    st.session_state[DRAWER_KEY] = visible  # set, not toggled: a click that comes twice is one


PAGE = PageSpec("Grow", "grow", draw, is_fragment=True)
