"""A run of a page, or of a part of it: in its turn, and told where it takes too long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dtviz.table.data import DataError
from dtviz.ui import controls, pace
from dtviz.ui.view import recolour


@contextmanager
def run() -> Iterator[None]:
    """What is drawn in it takes its turn; what takes too long is not drawn, and said."""
    recolour()
    try:
        with pace.turn("page"):
            yield
    except pace.TooLongError as error:
        controls.show_error(DataError(str(error)))
