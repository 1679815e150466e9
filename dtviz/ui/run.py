"""A run of a page, or of a part of it: in its turn, and told where it takes too long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import streamlit as st

from dtviz.table.data import DataError
from dtviz.ui import controls, pace
from dtviz.ui.view import recolour


@contextmanager
def run(place: AbstractContextManager[object]) -> Iterator[None]:
    """What is drawn in it takes its turn; what takes too long is not drawn, and said.

    Its `place` is where it is said to be at work, see `turn`; what is done next on the page says so
    there too.
    """
    recolour()
    try:
        with pace.turn("page", place):
            yield
        st.session_state["working_place"] = place
    except pace.TooLongError as error:
        controls.show_error(DataError(str(error)))
