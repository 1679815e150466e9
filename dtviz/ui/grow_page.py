"""Grow: the tree step by step, and why each split is made."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dtviz.engine.splits import Split
from dtviz.engine.tree import Collapse, LogError
from dtviz.say import explain
from dtviz.say.words import cut_text
from dtviz.screen.session import MAX_SAY, Future, Session, split_here
from dtviz.table.data import DataError
from dtviz.table.origins import title_of
from dtviz.text import clean, markdown
from dtviz.ui import controls, state
from dtviz.ui.controls import sentence
from dtviz.ui.panels import panels
from dtviz.ui.pictures import (
    Look,
    draw_ahead,
    draw_stage,
    draw_tree,
    is_open,
    look_of,
    stop_word,
)
from dtviz.ui.share import share
from dtviz.ui.state import Screen
from dtviz.ui.time_line import time_line
from dtviz.ui.view import recolour


def show() -> None:
    """Draw the page; what is done on it then reruns the fragment alone."""
    st.session_state["whole"] = True
    _page()


@st.fragment
def _page() -> None:
    recolour()
    try:
        screen = state.open_screen("grow", st.session_state.pop("whole", False))
    except DataError as error:
        controls.show_error(error)
        return
    controls.show_problems(screen.problems)
    hidden = screen.session.hidden
    look = look_of(screen)
    if screen.session.say:
        with st.container(key="say"):
            st.markdown(markdown(screen.session.say, MAX_SAY))
    _head(screen)
    words = _words(screen, look)
    if "why" not in hidden or "split" not in hidden:
        _why(screen, look, words)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        draw_stage(screen, look, "" if "why" in hidden else f"{_where(screen)}. {words}")
        if len(screen.data.features) > 2 and "settings" not in hidden:
            _axes_boxes(look.axes, screen)
    with right:
        draw_tree(screen)
    if "panels" not in hidden:
        panels(screen, look)
    controls.show_notes(screen)
    state.close_screen(screen)
    if "time-line" not in hidden and not screen.session.ask:
        draw_ahead(screen)


def _head(screen: Screen) -> None:
    hidden = screen.session.hidden
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="head"):
        st.markdown(f"**{markdown(title_of(screen.session.recipe))}**", width="content")
        if "time-line" not in hidden:
            time_line(screen)
        if "settings" not in hidden:
            controls.settings(screen)
            _ask_switch(screen)
        if not hidden:
            share(screen)


def _ask_switch(screen: Screen) -> None:
    st.session_state["ask_first"] = screen.session.ask
    st.toggle(
        "Ask first",
        key="ask_first",
        help="The gains hide until you have chosen a cut",
        on_change=_set_ask,
    )


def _set_ask() -> None:
    ask = bool(st.session_state["ask_first"])
    state.act(lambda session, future: replace(session, ask=ask, cut=None))


def _why(screen: Screen, look: Look, words: str) -> None:
    """The sentence, and the button that makes the cut."""
    hidden = screen.session.hidden
    split = look.cuts.split(look.cut) if look.cut is not None else None
    with st.container(horizontal=True, vertical_alignment="center", key="why"):
        if "why" not in hidden:
            st.markdown(f"**{_where(screen)}.** {sentence(words)}", width="stretch")
        if "split" not in hidden:
            has = screen.tree.splits.get(screen.node)
            st.button(
                "Split here" if has is None else "Split here instead",
                key="split_here",
                icon=":material/call_split:",
                help="Make the cut that is marked, best or not; the tree goes on from yours",
                disabled=(split is None and not look.asking)
                or (split is not None and split == has),
                on_click=_split_here,
                args=(screen.node, split),
            )


def _where(screen: Screen) -> str:
    return "Root" if screen.node == 1 else f"Node {screen.node}"


def _words(screen: Screen, look: Look) -> str:
    """Why this split, what the chosen cut is worth, or the question."""
    session, cuts = screen.session, look.cuts
    split = None if look.cut is None else cuts.split(look.cut)
    if look.asking:
        return "Where would you cut? Choose on the stage: the gains show once you have."
    if session.ask and session.cut is not None and is_open(screen, screen.node):
        return explain.answer(screen.data, session.rules, cuts, session.cut)
    following = state.next_move(session, screen.future)
    if session.rules.ccp_alpha and following == Collapse(screen.node) and session.cut is None:
        return explain.why_pruned(session.rules, screen.tree, screen.node)
    if "gains" in session.hidden:
        return f"{cut_text(screen.data, cuts, look.cut)}." if look.cut is not None else ""
    text = explain.why(screen.data, session.rules, cuts, split)
    if session.focus is None and session.log and _finished(screen):
        text = f"Every leaf has stopped. The first split: {text}"
    reason = stop_word(screen, screen.node) if screen.node in screen.decisions else ""
    return f"This leaf stops: {reason}. {text}" if reason else text


def _finished(screen: Screen) -> bool:
    return all(decision.stop for decision in screen.decisions.values())


def _split_here(node: int, split: Split | None) -> None:
    if split is None:
        st.toast("Choose a cut on the stage first: move along the dots and click one.")
        return

    def change(session: Session, future: Future) -> Session:
        try:
            return split_here(session, state.screen_of(session).tree, node, split, future)
        except LogError:  # asked for on a screen that has moved on since
            return session

    state.act(change)


def _axes_boxes(axes: tuple[int, int], screen: Screen) -> None:
    """Which two of the features are on the axes."""
    names = {f: clean(name) for f, name in enumerate(screen.data.features)}
    with st.container(horizontal=True):
        for place, label in ((0, "Across"), (1, "Up")):
            st.session_state[f"axis{place}"] = axes[place]
            st.selectbox(
                label,
                list(names),
                key=f"axis{place}",
                format_func=lambda f: names[f],
                on_change=_axis_chosen,
                args=(place, axes),
                width=210,
            )


def _axis_chosen(place: int, axes: tuple[int, int]) -> None:
    chosen = int(st.session_state[f"axis{place}"])
    other = axes[1 - place]
    if chosen == other:
        other = axes[place]
    pair = (chosen, other) if place == 0 else (other, chosen)
    state.act(lambda session, future: replace(session, axes=pair))
