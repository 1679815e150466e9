"""The pictures of Grow on the page: points, stage, tree, time-line, and those of the next step."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import carry, sentence, view
from dtviz.app.state import bound
from dtviz.base.text import clean, markdown
from dtviz.data.dataset import Dataset
from dtviz.explain.words import cut_text, values_text
from dtviz.pictures.slice import FADES, pinned, pinned_in, places, sliceable
from dtviz.pictures.stage import caption, sliced
from dtviz.pictures.stage_cuts import is_drawn
from dtviz.session.screen import Screen
from dtviz.session.session import MOST_PINS


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


def slice_words(screen: Screen) -> str:
    """What is said under a plane that no node moves."""
    pins = screen.session.pins
    return sliced(screen.data, screen.axes, pinned(screen.data, pins), pins)


def slice_boxes(screen: Screen) -> None:
    """A slider for each feature that is on no axis and that the tree asks."""
    asked = sliceable(screen.data, screen.tree, screen.look.axes)[:MOST_PINS]
    panel = st.popover(
        "Slice",
        icon=":material/layers:",
        key="slice",
        disabled=not asked,
        on_change="rerun",
        help="Where the features on no axis are pinned"
        if asked
        else "The tree asks no feature but those on the axes",
    )
    if not panel.open:
        return
    pins = screen.session.pins
    at = pinned_in(screen.data, screen.tree, screen.node, pins)
    with panel:
        for feature in asked:
            _slider(screen.data, feature, float(at[feature]))
        st.button(
            "As usual",
            icon=":material/restart_alt:",
            help="At the middle of each, or where the node looked at has its rows",
            disabled=not pins,
            on_click=lambda: state.act("grow", "unpin"),
        )


def _slider(data: Dataset, feature: int, at: float) -> None:
    values = places(data, feature)
    if at not in values:
        values.insert(bisect_left(values, at), at)
    st.select_slider(
        markdown(clean(data.features[feature])),
        values,
        format_func=lambda value: values_text(data, feature, np.array([value]))[0],
        **bound(
            f"pin{feature}",
            at,
            lambda value: state.act_on(
                f"pin{feature}", "grow", "pin", feature=feature, value=value
            ),
        ),
    )
