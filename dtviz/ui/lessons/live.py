"""A picture beside a text: a hand changes in it the numbers of the formula that stands there."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dtviz.screen.screen import Screen
from dtviz.ui import state
from dtviz.ui.view import carry, view


def beside(name: str) -> tuple[Any, Any]:
    """Two places: for a text with its formula, and for the picture at its side."""
    with st.container(key=f"beside_{name}"):
        text, picture = st.columns(2, gap="large")
    return text, picture


def picture(name: str, screen: Screen, cloud: str = "") -> None:
    """A picture of that screen, after the cloud that it draws."""
    if cloud:
        carry(f"for_{name}", state.tab().parcel(cloud, screen, state.theme()))
    view(f"in_{name}", state.tab().parcel(name, screen, state.theme()))
