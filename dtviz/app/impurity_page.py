"""Impurity: the measures over class shares, two splits compared, and where criteria disagree."""

from __future__ import annotations

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.page import PageSpec
from dtviz.app.share import share
from dtviz.session.screen import Screen


def draw(screen: Screen) -> None:
    """Draw the head, and the page as one component."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        st.markdown("**How mixed are the rows of a node, and what does a split take away?**")
        controls.undo_buttons()
        share(screen)
    controls.draw_frame("impurity", state.tab().pack_picture("impurity", screen, state.theme()))


PAGE = PageSpec("Impurity", "impurity", draw, is_fragment=True)
