"""The pictures of Grow on the page: points, stage, tree, time-line, and those of the next step."""

from __future__ import annotations

import streamlit as st

from dtviz.figures.cuts import is_drawn
from dtviz.figures.pins import FADES, pinned_in, sliceable
from dtviz.figures.scene import caption
from dtviz.say.words import cut_text
from dtviz.screen.screen import Screen
from dtviz.ui import state
from dtviz.ui.controls import sentence
from dtviz.ui.view import carry, view


def draw_line(screen: Screen) -> None:
    """Start, back, forward, end, play, undo, redo, and where on the time-line we are."""
    with st.container(key="time-line"):
        view("line", state.tab().parcel("line", screen, state.theme()))


def draw_stage(screen: Screen) -> None:
    """The stage with the cuts of the focus."""
    tab, theme = state.tab(), state.theme()
    carry(_key("points", screen), tab.parcel("cloud", screen, theme))
    view(_key("stage", screen), tab.parcel("stage", screen, theme))
    if words := caption_of(screen):
        with st.container(key=_key("caption", screen)):
            st.caption(sentence(words))


def caption_of(screen: Screen) -> str:
    """What must be said under the stage."""
    look, pins = screen.look, screen.session.pins
    at = pinned_in(screen.data, screen.tree, screen.node, pins)
    words = caption(screen.data, look.cuts, look.axes, at, pins)
    if look.cut is not None and not is_drawn(screen.data, look.cuts, look.cut, look.axes):
        cut = cut_text(screen.data, look.cuts, look.cut)
        words = f"The cut {cut} is on neither axis chosen. {words}"
    if sliceable(screen.data, screen.tree, look.axes):
        words = f"{FADES} {words}"
    return words


def draw_tree(screen: Screen) -> None:
    """The tree; a click or Enter makes a node the focus."""
    view(_key("tree", screen), state.tab().parcel("tree", screen, state.theme()))


def draw_ahead(screen: Screen) -> None:
    """The pictures of the next step, so that it is on screen as soon as it is asked for."""
    frames = state.tab().ahead(screen, state.theme())
    if frames is not None:
        carry("ahead", frames)


def _key(name: str, screen: Screen) -> str:
    """The key of a picture; of two screens side by side the other has its own."""
    return f"{name}_beside" if screen.mark else name
