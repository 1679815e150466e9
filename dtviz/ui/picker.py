"""The data set of Grow, changed without leaving it."""

from __future__ import annotations

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.table.origins import title_of
from dtviz.text import markdown
from dtviz.ui.cards import cards


def picker(screen: Screen) -> None:
    """The popover with the examples, and the way to draw or upload."""
    recipe = screen.session.recipe
    panel = st.popover(markdown(title_of(recipe)), key="picker", on_change="rerun")
    if not panel.open:
        return
    with panel:
        cards("head", recipe)
        st.page_link(
            "pages/data.py", label="Draw points or upload a table", icon=":material/table:"
        )
