"""Whether what was done leaves the page as it is, but for the part of it that runs by itself.

Glossary
    still    what the rest of the page is drawn from: of the session, and of the screen made of it;
             None where anything may change it
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.screen.screen import Screen
from dtviz.screen.session import Session
from dtviz.ui import state
from dtviz.ui.panels import names_of, open_panel
from dtviz.ui.pictures import caption_of

OPEN = ("share", "picker")
"""Popovers that tell of the whole screen while they are open."""


def note(screen: Screen | None) -> None:
    """Note what the page is drawn from; None while it is being drawn."""
    st.session_state["still"] = None if screen is None else _still(screen)


def may_move(screen: Screen) -> bool:
    """Whether a step may leave the page as it is."""
    return _still(screen) is not None


def is_still(screen: Screen) -> bool:
    """Whether the page would be drawn for a screen as it is."""
    still = st.session_state.get("still")
    return still is not None and bool(still == _still(screen))


def follow() -> None:
    """Run the page where more of it changed (use in callbacks of a part that runs by itself).

    What is seen of the session alone: the run of the part looks at the screen.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run is None or not run.fragment_ids_this_run:
        return  # the whole app is run anyway, perhaps for another page
    still = st.session_state.get("still")
    if still is None or still[0] != _of_session(state.tab().visit.session):
        st.rerun("page")


def _still(screen: Screen) -> tuple[Hashable, Hashable] | None:
    session, look = screen.session, screen.look
    seen = "panels" in session.hidden or open_panel(screen) == "Candidates"
    if session.branches or screen.beside or len(screen.data.features) > 2 or not seen:
        return None
    if any(st.session_state.get(one) for one in OPEN):
        return None
    words = caption_of(screen), tuple(names_of(screen)), state.problems(), state.theme().dark
    return _of_session(session), (look.axes, look.asking, len(look.cuts) > 0, *words)


def _of_session(session: Session) -> Hashable:
    """All but the step and what is looked at; and what the browser has said of its files."""
    shelf = state.tab().shelf
    others = replace(session, log=(), undone=(), focus=None, cut=None, row=None)
    return others, shelf.kept, shelf.sends, shelf.cuts
