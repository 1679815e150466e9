"""Whether what was done leaves the page as it is, but for the part of it that runs by itself.

Glossary
    still    what the rest of the page is drawn from: of the session, and of the screen made of it;
             None where anything may change it
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.app import state
from dtviz.app.controls import carry, sentence
from dtviz.app.panels import names_of, open_panel
from dtviz.app.runs import run
from dtviz.app.stage import caption_of
from dtviz.data.dataset import DataError
from dtviz.session.headlines import where, why
from dtviz.session.screen import Screen
from dtviz.session.session import Session

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


FIRST = (
    "**Why does the first cut go here?** Drag the line: the curves tell what any other would gain, "
    "and *Split here* makes yours. A decision tree grows by asking this again on each side."
)


def asked(screen: Screen) -> None:
    """Draw both; of two screens side by side each has its own."""
    hidden, look = screen.session.hidden, screen.look
    split, end = look.cuts.split(look.cut) if look.cut is not None else None, _end(screen)
    with st.container(horizontal=True, vertical_alignment="center", key=f"asked{end}"):
        if "why" not in hidden:
            first = state.is_first()
            told = FIRST if first else f"**{where(screen)}.** {sentence(why(screen))}"
            with st.container(key="first") if first else nullcontext():
                st.markdown(told, width="stretch")
        if "split" not in hidden:
            has = screen.tree.splits.get(screen.node)
            st.button(
                "Split here" if has is None else "Split here instead",
                key=f"split_here{end}",
                icon=":material/call_split:",
                type="primary" if screen.prefers_own else "secondary",
                disabled=split is None or split == has,
                on_click=_split_here,
                args=(screen.stamp, bool(screen.mark)),
            )


def _end(screen: Screen) -> str:
    """What the keys of the other of two screens end in."""
    return "_beside" if screen.mark else ""


def _split_here(stamp: str, beside: bool) -> None:
    state.act("grow", "split", stamp=stamp, beside=beside)
    follow()


def draw(screen: Screen) -> None:
    """Draw it as a part of the page."""
    note(None)
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
        if not is_still(screen):
            state.run_anew()
        state.tab().prepare(screen, state.theme())
        _draw(screen, _pictures(screen))
        state.close_screen(screen)


def _draw(screen: Screen, shown: Sequence[str]) -> None:
    """The sentence with its button, and the letter: events come by it, where that is enough."""
    if screen.beside is None and not {"why", "split"} <= {*screen.session.hidden}:
        asked(screen)
    if shown or may_move(screen):
        tab = state.tab()
        heard = tab.visit.heard if shown else 0
        carry("moved", tab.moved(screen, state.theme(), shown), heard, follow)


def _pictures(screen: Screen) -> list[str]:
    """Those on the page that a step may change."""
    hidden = screen.session.hidden
    line = [] if "time-line" in hidden else ["line"]
    ranking = [] if "panels" in hidden or not len(screen.look.cuts) else ["ranking"]
    return [*line, "stage", "tree", *ranking]
