"""The data set of Grow, changed without leaving it."""

from __future__ import annotations

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.table.gallery import GALLERY, GROUPS
from dtviz.table.origins import title_of
from dtviz.text import markdown
from dtviz.ui.use import use_example


def picker(screen: Screen) -> None:
    """The popover with the examples, and the way to draw or upload."""
    recipe = screen.session.recipe
    panel = st.popover(markdown(title_of(recipe)), key="picker", on_change="rerun")
    if not panel.open:
        return
    with panel:
        for group in GROUPS:
            names = [example.name for example in GALLERY.values() if example.group == group]
            key = f"picker_{group}"
            st.session_state[key] = recipe.name if recipe.name in names else None
            st.pills(
                group,
                names,
                key=key,
                format_func=lambda option: GALLERY[option].title,
                wrap=True,
                on_change=use_example,
                args=(key,),
            )
        st.page_link(
            "pages/data.py", label="Draw points or upload a table", icon=":material/table:"
        )
