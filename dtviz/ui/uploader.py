"""A place for a file, which says in words of ours where an upload was cut.

Streamlit's own words are those of its library (`AxiosError`), and stay beside the next file. So
the browser tells of the cut, see frontend/lib/shelf.js, and the place is made anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dtviz.ui import state

CUT = (
    "The file did not arrive: the connection to the server was cut, or a proxy on the way refused "
    "the file. Choose it once more."
)


@dataclass(slots=True)
class Place:
    """A place for a file."""

    cuts: int
    """Number of cut uploads that the place knows of."""
    turn: int = 0
    """Part of the place's key: with another turn Streamlit makes the place anew."""
    is_cut: bool = False
    """Whether its last upload was cut, and no other file has come since."""


def uploader(label: str, slot: str, help_text: str | None = None) -> Any:
    """Draw the place of that slot; return its file, None where there is none."""
    cuts = state.tab().shelf.cuts
    place = _place(slot, cuts)
    full = st.session_state.get(_key(slot, place)) is not None
    if place.cuts != cuts and not full:
        place.turn, place.is_cut = place.turn + 1, True
    place.cuts, place.is_cut = cuts, place.is_cut and not full
    file = st.file_uploader(label, key=_key(slot, place), help=help_text)
    if place.is_cut and file is None:
        st.error(CUT)
    return file


def clear(slot: str) -> None:
    """Make the place of that slot free for another file."""
    _place(slot, state.tab().shelf.cuts).turn += 1


def _place(slot: str, cuts: int) -> Place:
    places: dict[str, Place] = st.session_state.setdefault("uploaders", {})
    return places.setdefault(slot, Place(cuts))


def _key(slot: str, place: Place) -> str:
    return f"{slot}_file_{place.turn}"
