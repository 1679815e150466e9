"""The pictures drawn in the browser: one component, told its kind by the frame it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dtviz.figures.frame import pack
from dtviz.figures.kinds import Frame
from dtviz.ui import state

_COMPONENT = st.components.v2.component("dtviz.view", js="view.js", css="view.css")
Did = Callable[[Mapping[str, Any]], None]


def view(kind: str, key: str, frame: Frame, did: Did | None = None) -> None:
    """Draw a picture; `did` is called, as a callback, with what the user did on it.

    What comes from the browser is any JSON at all: `did` gets it only where it is an object.
    A page that turns dark or light asks for its colours itself, see `recolour`.
    """

    def heard() -> None:
        event = (st.session_state.get(key) or {}).get("did")  # gone where the page was left with it
        if event == {"what": "theme"}:
            st.session_state["recolour"] = True
        elif did is not None and isinstance(event, dict):
            did(event)

    _COMPONENT(key=key, data=pack(kind, frame), on_did_change=heard)


def recolour() -> None:
    """Run the whole app once more where a picture has seen the page turn dark or light."""
    if st.session_state.pop("recolour", False):
        state.rerun()
