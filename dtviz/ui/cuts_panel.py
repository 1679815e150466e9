"""The panel of all candidates, and what other panels of cuts share with it."""

from __future__ import annotations

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.ui import state
from dtviz.ui.view import view


def cuts_panel(screen: Screen) -> None:
    """The candidates, the best of each feature first; a click on a row chooses its cut."""
    if len(screen.look.cuts) == 0:
        st.markdown("No cut exists in this node.")
        return
    view("ranking", state.tab().parcel("ranking", screen, state.theme()))
    tell_left_out(screen)


def tell_left_out(screen: Screen) -> None:
    """Which features are not looked at, where they are very many."""
    some, many = screen.look.some, len(screen.data.features)
    if some is not None:
        st.caption(
            f"Of {many:,} features those {len(some):,} are listed whose cuts gain most here; "
            "choose any other as an axis of the stage to see its cuts."
        )


def pick(stamp: str, index: object) -> None:
    """A click in the table or on a gain curve chooses that cut."""
    state.act("grow", "cut", stamp=stamp, index=index)
