"""The pictures drawn in the browser: one component, told its kind by the frame it is given."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dtviz.screen.channel import letter
from dtviz.ui import state

_COMPONENT = st.components.v2.component("dtviz.view", js="view.js", css="view.css")


def view(key: str, frame: bytes) -> None:
    """Draw a picture from its packed frame; what is done on it becomes the session.

    A page that turns dark or light asks for its colours itself, see `recolour`.
    """
    _mount(key, state.tab().visit.heard, frame)


def carry(key: str, frame: bytes, heard: int = 0, then: Callable[[], None] = lambda: None) -> None:
    """Send what only the pictures need, in a container that the page's style hides.

    Where it acknowledges nothing the same frame is the same message. `then` is called when
    something was done that came by it.
    """
    with st.container(key=f"carry_{key}"):
        _mount(key, heard, frame, then)


def recolour() -> None:
    """Run the whole app once more where a picture has seen the page turn dark or light."""
    if st.session_state.pop("recolour", False):
        state.rerun()


def _mount(key: str, heard: int, frame: bytes, then: Callable[[], None] = lambda: None) -> None:
    def did() -> None:
        message = (st.session_state.get(key) or {}).get("did")  # none where the page was left
        if message == {"what": "theme"}:
            st.session_state["recolour"] = True
        else:
            state.hear(message)
        then()

    data = letter(heard, state.tab().mark, frame)
    _COMPONENT(key=key, data=data, on_did_change=did)
