"""The head of every page, on the line of the page names: its controls stand in one order and form.

From left to right: progress bars, the data, controls of the page's own, settings, undo and redo,
Share, and the tour.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dtviz.app import controls, stage, state
from dtviz.app.share import share
from dtviz.session.screen import Screen
from dtviz.session.tour import TOURS

Draw = Callable[[Screen], None]
"""Function that draws a control of the head."""


def corner() -> DeltaGenerator:
    """Draw the place of a page's controls and progress bars, on the line of the page names."""
    return st.container(horizontal=True, vertical_alignment="center", key="corner", gap="small")


def head_controls(
    screen: Screen,
    own: Draw | None = None,
    settings: Draw | None = controls.settings_popover,
    has_undo: bool = True,
) -> None:
    """Draw the controls in the head of a page; `own` draws those of the page's own.

    `settings` is None for a page without settings; `has_undo` is False where the page has a
    time-line, or a pad, with buttons that undo.
    """
    hidden = screen.session.hidden
    if "settings" in hidden:
        controls.data_title(screen.session)
    else:
        stage.draw_picker(screen)
    if own is not None and not hidden:
        own(screen)
    if "settings" not in hidden:
        if settings is not None:
            settings(screen)
        if has_undo:
            controls.undo_buttons()
    share(screen)
    if not hidden:
        _tour_button(screen)


def _tour_button(screen: Screen) -> None:
    """Draw the button to the first stop of the tour that a link brought, else of the app's tour."""
    tour = screen.session.tour
    stops = tour.stops or TOURS["first"]
    st.button(
        "Tour",
        icon=":material/explore:",
        key="tour",
        disabled=tour.shown_index is not None,
        on_click=state.go_to_stop,
        args=(stops, 0),
    )
