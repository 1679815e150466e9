"""The slice: where the features that are on no axis are pinned, and how it is moved."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import streamlit as st

from dtviz.figures.pins import pinned, pinned_in, places, sliceable
from dtviz.figures.scene import sliced
from dtviz.say.words import values_text
from dtviz.screen.screen import Screen
from dtviz.screen.session import MOST_PINS
from dtviz.table.data import Dataset
from dtviz.text import clean, markdown
from dtviz.ui import state
from dtviz.ui.bound import bound


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
