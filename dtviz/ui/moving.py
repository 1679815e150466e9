"""What a step changes on Grow, run by itself: the sentence, and the pictures that are there."""

from __future__ import annotations

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.table.data import DataError
from dtviz.ui import state, still
from dtviz.ui.asked import asked
from dtviz.ui.run import run
from dtviz.ui.view import carry


def draw(screen: Screen) -> None:
    """Draw it as a part of the page."""
    still.drawn(screen)
    st.session_state["drawing"] = screen
    _moving()


@st.fragment(key="moving")
def _moving() -> None:
    """Draw it in a run of the page or in one of its own, which brings the pictures too."""
    screen: Screen | None = st.session_state.pop("drawing", None)
    if screen is not None:
        _asked(screen)
        _bring(screen)
        return
    with run():
        try:
            screen, _ = state.open_screen("grow", whole=False)
        except DataError:
            state.rerun()
        if not still.is_still(screen):
            state.rerun()
        _asked(screen)
        tab = state.tab()
        packed = tab.moved(screen, state.theme(), _pictures(screen))
        carry("ahead", packed, tab.visit.heard, still.follow)
        state.close_screen(screen)


def _asked(screen: Screen) -> None:
    """The sentence with its button."""
    if screen.beside is None and not {"why", "split"} <= {*screen.session.hidden}:
        asked(screen)


def _bring(screen: Screen) -> None:
    """The pictures of the next step; from now on events come here, where that is enough."""
    tab, theme = state.tab(), state.theme()
    if still.may_move():
        carry("ahead", tab.moved(screen, theme, ()), then=still.follow)
    elif "time-line" not in screen.session.hidden and (frames := tab.ahead(screen, theme)):
        carry("ahead", frames)


def _pictures(screen: Screen) -> list[str]:
    """Those on the page that a step may change."""
    hidden = screen.session.hidden
    line = [] if "time-line" in hidden else ["line"]
    ranking = [] if "panels" in hidden or not len(screen.look.cuts) else ["ranking"]
    return [*line, "stage", "tree", *ranking]
