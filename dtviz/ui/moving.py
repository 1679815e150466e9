"""What a step changes on Grow, run by itself: the sentence, and the pictures that are there."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.table.data import DataError
from dtviz.ui import state, still
from dtviz.ui.asked import asked
from dtviz.ui.run import run
from dtviz.ui.view import carry


def draw(screen: Screen) -> None:
    """Draw it as a part of the page."""
    still.note(None)
    st.session_state["drawing"] = screen
    _moving()


@st.fragment(key="moving")
def _moving() -> None:
    """Draw it in a run of the page or in one of its own, which brings the pictures too."""
    place = st.container(key="working_step")  # in both kinds of run: all else keeps its own
    screen: Screen | None = st.session_state.pop("drawing", None)
    if screen is not None:
        _draw(screen, ())
        return
    with run(place):
        try:
            screen, _ = state.open_screen("grow", whole=False)
        except DataError:
            state.rerun()
        if not still.is_still(screen):
            state.run_anew()
        state.tab().prepare(screen, state.theme())
        _draw(screen, _pictures(screen))
        state.close_screen(screen)


def _draw(screen: Screen, shown: Sequence[str]) -> None:
    """The sentence with its button, and the letter: events come by it, where that is enough."""
    if screen.beside is None and not {"why", "split"} <= {*screen.session.hidden}:
        asked(screen)
    if shown or still.may_move(screen):
        tab = state.tab()
        heard = tab.visit.heard if shown else 0
        carry("moved", tab.moved(screen, state.theme(), shown), heard, still.follow)


def _pictures(screen: Screen) -> list[str]:
    """Those on the page that a step may change."""
    hidden = screen.session.hidden
    line = [] if "time-line" in hidden else ["line"]
    ranking = [] if "panels" in hidden or not len(screen.look.cuts) else ["ranking"]
    return [*line, "stage", "tree", *ranking]
