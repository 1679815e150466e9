"""Partial runs of Grow: a fragment that draws the next step where the rest of the page stays.

The rest of the page is drawn from its *inputs*: parts of the session, and of the screen made of it.
While these stay, a step runs the fragment alone, and the pictures come by its hidden component.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dtviz.app import state
from dtviz.app.controls import send_frame, sentence
from dtviz.app.panels import open_panel, panel_names
from dtviz.app.runs import run
from dtviz.app.stage import caption_of
from dtviz.data.dataset import DataError
from dtviz.session.headlines import grow_headline, node_title
from dtviz.session.screen import Screen
from dtviz.session.session import Session

POPOVERS = ("share", "picker")
"""Keys of the popovers that show parts of the session while they are open."""


def note_inputs(screen: Screen | None) -> None:
    """Note the inputs that the page was drawn from; None while it is being drawn."""
    st.session_state["page_inputs"] = None if screen is None else _inputs(screen)


def may_run_alone(screen: Screen) -> bool:
    """True if a step may leave the rest of the page as it is."""
    return _inputs(screen) is not None


def is_page_current(screen: Screen) -> bool:
    """True if the rest of the page was drawn from the inputs of this screen."""
    inputs = st.session_state.get("page_inputs")
    return inputs is not None and bool(inputs == _inputs(screen))


def rerun_if_changed() -> None:
    """Run the page if the session's part of its inputs changed (use in callbacks of the fragment).

    The screen's part is compared in the run of the fragment: no screen is made before.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not context.fragment_ids_this_run:
        return  # the whole app is run anyway, perhaps for another page
    inputs = st.session_state.get("page_inputs")
    if inputs is None or inputs[0] != _session_inputs(state.tab().visit.session):
        st.rerun("page")


def _inputs(screen: Screen) -> tuple[Hashable, Hashable] | None:
    """Return the inputs of the page, of session and screen; None where a step may change it."""
    session, look = screen.session, screen.node_view
    follows_step = "panels" in session.hidden or open_panel(screen) == "Candidates"
    if session.branches or screen.other_screen or len(screen.data.features) > 2 or not follows_step:
        return None
    if any(st.session_state.get(popover) for popover in POPOVERS):
        return None
    words = (
        caption_of(screen),
        tuple(panel_names(screen)),
        state.address_problems(),
        state.theme().dark,
    )
    return _session_inputs(session), (look.axes, look.is_asking, len(look.candidates) > 0, *words)


def _session_inputs(session: Session) -> Hashable:
    """Return the session without its step, focus, cut and row, and what is known of the browser's
    files.
    """
    shelf = state.tab().shelf
    settings = replace(session, log=(), undone=(), focus=None, cut=None, row=None)
    return settings, shelf.kept_marks, shelf.marks_to_send, shelf.n_cut_uploads


FIRST_SENTENCE = (
    "**Why does the first cut go here?** Drag the line: the curves tell what any other would gain, "
    "and *Split here* makes yours. A decision tree grows by asking this again on each side."
)


def draw_sentence(screen: Screen) -> None:
    """Draw the sentence on the node in focus and the button that splits it at the chosen cut."""
    hidden, look = screen.session.hidden, screen.node_view
    split = look.candidates.split(look.index) if look.index is not None else None
    suffix = "_beside" if screen.mark else ""  # two screens side by side need two keys
    with st.container(horizontal=True, vertical_alignment="center", key=f"asked{suffix}"):
        if "why" not in hidden:
            is_first = state.is_first_view()
            text = (
                FIRST_SENTENCE
                if is_first
                else f"**{node_title(screen)}.** {sentence(grow_headline(screen))}"
            )
            with st.container(key="first") if is_first else nullcontext():
                st.markdown(text, width="stretch")
        if "split" not in hidden:
            current = screen.tree.splits.get(screen.node)
            st.button(
                "Split here" if current is None else "Split here instead",
                key=f"split_here{suffix}",
                icon=":material/call_split:",
                type="primary" if screen.is_rival_chosen else "secondary",
                disabled=split is None or split == current,
                on_click=_split_here,
                args=(screen.stamp, bool(screen.mark)),
            )


def _split_here(stamp: str, is_beside: bool) -> None:
    state.act("grow", "split", stamp=stamp, beside=is_beside)
    rerun_if_changed()


def draw(screen: Screen) -> None:
    """Draw the fragment in a run of the page."""
    note_inputs(None)
    st.session_state["fragment_screen"] = screen
    _fragment()


@st.fragment(key="moving")
def _fragment() -> None:
    """Draw the fragment in a run of the page, or in its own, which brings the pictures too."""
    place = st.container(key="working_step")  # in both kinds of run: the others keep their places
    screen: Screen | None = st.session_state.pop("fragment_screen", None)
    if screen is not None:
        _draw(screen, ())
        return
    with run(place):
        try:
            screen, _ = state.open_screen("grow", is_page_run=False)
        except DataError:
            state.rerun()
        if not is_page_current(screen):
            state.rerun_unanswered()
        state.tab().prepare(screen, state.theme())
        _draw(screen, _pictures(screen))
        state.close_screen(screen)


def _draw(screen: Screen, pictures: Sequence[str]) -> None:
    """Draw the sentence, and the hidden component that brings these pictures and takes events."""
    if screen.other_screen is None and not {"why", "split"} <= {*screen.session.hidden}:
        draw_sentence(screen)
    if pictures or may_run_alone(screen):
        tab = state.tab()
        heard = tab.visit.last_event if pictures else 0
        send_frame("moved", tab.pack_step(screen, state.theme(), pictures), heard, rerun_if_changed)


def _pictures(screen: Screen) -> list[str]:
    """Return the names of the pictures on the page that a step may change."""
    hidden = screen.session.hidden
    line = [] if "time-line" in hidden else ["line"]
    ranking = [] if "panels" in hidden or not len(screen.node_view.candidates) else ["ranking"]
    return [*line, "stage", "tree", *ranking]
