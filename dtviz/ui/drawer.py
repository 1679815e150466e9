"""The settings of Grow: the criterion in the head, the others in a drawer beside the stage."""

from __future__ import annotations

import streamlit as st

from dtviz.engine.criteria import CRITERIA, criteria_of
from dtviz.screen.screen import Screen
from dtviz.ui import settings, state
from dtviz.ui.bound import bound

AT_HAND = 3
OPEN = "settings"


def criteria(screen: Screen) -> None:
    """The criteria that lectures compare, to be switched at once, with the one in use."""
    own = screen.session.rules.criterion
    some = [*dict.fromkeys([*criteria_of(screen.data)[:AT_HAND], own])]
    st.segmented_control(
        "Criterion",
        some,
        format_func=lambda name: CRITERIA[name].title,
        required=True,
        label_visibility="collapsed",
        **bound("criterion_at_hand", own, lambda name: settings.choose(criterion=name), "default"),
    )


def is_open() -> bool:
    """Whether the drawer is out."""
    return bool(st.session_state.get(OPEN))


def button() -> None:
    """What opens the drawer, and shuts it."""
    st.button(
        "Settings",
        icon=":material/tune:",
        key="drawer_button",
        type="tertiary" if not is_open() else "secondary",
        on_click=_put,
        args=(not is_open(),),
    )


def draw(screen: Screen) -> None:
    """All settings, beside the stage."""
    with st.container(key="drawer"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Settings**", width="stretch")
            st.button(
                "Close",
                icon=":material/close:",
                key="drawer_shut",
                type="tertiary",
                on_click=_put,
                args=(False,),
            )
        settings.boxes(screen)
        st.button(
            "Compare with these settings",
            key="compare_settings",
            icon=":material/splitscreen_vertical_add:",
            help="They stay on a second screen beside the ones you choose next",
            disabled=screen.beside is not None,
            on_click=state.act,
            args=("settings", "compare"),
        )


def _put(out: bool) -> None:
    """Said of the drawer, not turned over: a click that comes twice is one."""
    st.session_state[OPEN] = out
