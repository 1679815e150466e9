"""Impurity: the measures over class shares, two splits compared, and where criteria disagree."""

from __future__ import annotations

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.head import corner, head_controls
from dtviz.app.page import PageSpec
from dtviz.session.screen import Screen


def draw(screen: Screen) -> None:
    """Draw the head, and the page as one component."""
    with corner():
        head_controls(screen, settings=None)
    st.markdown("**How mixed are the rows of a node, and what does a split take away?**")
    controls.draw_frame("impurity", state.tab().pack_picture("impurity", screen, state.theme()))


PAGE = PageSpec("Impurity", "impurity", draw, is_fragment=True)
