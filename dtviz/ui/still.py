"""Whether what was done leaves the page as it is, but for the parts of it that run by themselves.

Glossary
    still    all that the rest of the page is drawn from; None where anything may change it
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.table.data import DataError
from dtviz.ui import state
from dtviz.ui.panels import names_of, open_panel
from dtviz.ui.pictures import caption_of

OPEN = ("share", "picker")
"""Popovers that tell of the whole screen while they are open."""


def drawn(screen: Screen) -> None:
    """Note what the page is drawn from."""
    st.session_state["still"] = _still(screen)


def may_move() -> bool:
    """Whether a step may leave the page as it is."""
    return st.session_state.get("still") is not None


def is_still(screen: Screen) -> bool:
    """Whether the page would be drawn for a screen as it is."""
    return may_move() and bool(_still(screen) == st.session_state["still"])


def follow() -> None:
    """Run the page where more of it changed (use in callbacks of a part that runs by itself)."""
    try:
        with state.act_in_turn():
            still = is_still(state.tab().screen())
    except DataError:
        still = False
    if not still:
        st.rerun("page")


def _still(screen: Screen) -> Hashable:
    session, look = screen.session, screen.look
    seen = "panels" in session.hidden or open_panel(screen) == "Candidates"
    if session.branches or screen.beside or len(screen.data.features) > 2 or not seen:
        return None
    if any(st.session_state.get(one) for one in OPEN):
        return None
    others = replace(session, log=(), undone=(), focus=None, cut=None, row=None)
    words = caption_of(screen), tuple(names_of(screen)), look.asking, len(look.cuts) > 0
    return others, look.axes, words, state.problems(), state.theme().dark
