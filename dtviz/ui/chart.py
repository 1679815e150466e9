"""A plotly chart as every panel shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

BARE: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def chart(figure: Any, key: str, alt: str, picked: Callable[[], None] | None = None) -> None:
    """Draw a figure in its own colours, without a toolbar; `alt` says in words what it shows.

    A click on a point is told by `picked`, where there is one.
    """
    told: dict[str, Any] = {"on_select": picked, "selection_mode": "points"} if picked else {}
    st.plotly_chart(figure, key=key, config=BARE, theme=None, alt=alt, **told)
